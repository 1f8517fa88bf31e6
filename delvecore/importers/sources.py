"""Open files, directories and objects with cases as sources; the name of a file tells its kind."""

import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from delvecore.encoding.case_table import TITLE
from delvecore.errors import Fault
from delvecore.importers.arff_source import arff_source
from delvecore.importers.csv_source import AS_SEEN, CsvOptions, csv_source
from delvecore.importers.source import About, Source, table_source
from delvecore.readers.files import plain_name

ROWS = 1 << 16
PARQUET, ARFF = (".parquet", ".pq"), (".arff",)


def open_source(path: str, options: CsvOptions = AS_SEEN) -> Source:
    """Return a CSV, Parquet or ARFF file as a Source. Raises DelveError."""
    path = os.path.expanduser(path)
    if not os.path.isfile(path):
        found = "a directory" if os.path.isdir(path) else "nothing"
        raise Fault(path, "a CSV, Parquet or ARFF file", found, "check the path", is_file=True)
    name = plain_name(path).lower()
    if name.endswith(PARQUET):
        return _parquet_source(path)
    return arff_source(path) if name.endswith(ARFF) else csv_source(path, options)


def _parquet_source(path: str) -> Source:
    try:
        schema = pq.ParquetFile(path, read_dictionary=None).schema_arrow
    except (pa.ArrowInvalid, OSError) as error:
        raise Fault(path, "a Parquet file", str(error).splitlines()[0], is_file=True) from None
    name = os.path.splitext(os.path.basename(path))[0]
    title = (schema.metadata or {}).get(TITLE, b"").decode()

    def batches() -> Iterator[pa.RecordBatch]:
        with pq.ParquetFile(path) as file:
            yield from file.iter_batches(batch_size=ROWS)

    return table_source(path, About(name, title), schema, batches)


def frame_source(frame: pd.DataFrame | pa.Table, name: str, *, about: About | None = None) -> Source:
    """Return a pandas DataFrame, without its index, or an Arrow table as a Source."""
    table = frame if isinstance(frame, pa.Table) else _table(frame)
    return table_source(
        f"a table in memory ({name})",
        about or About(name),
        table.schema,
        lambda: iter(table.to_batches(max_chunksize=ROWS)),
    )


def _table(frame: pd.DataFrame) -> pa.Table:
    plain = frame.set_axis([str(name) for name in frame.columns], axis=1)
    for place, kind in enumerate(plain.dtypes):
        column = plain.iloc[:, place]
        if kind.name == "object" and _is_flat(column):
            words = [None if pd.isna(value) else str(value) for value in column]
            plain[plain.columns[place]] = pd.Series(words, index=plain.index, dtype="string")
    return pa.Table.from_pandas(plain, preserve_index=False)


def _is_flat(column: pd.Series) -> bool:
    return all(np.ndim(value) == 0 and not hasattr(value, "year") for value in column)


def bunch_source(bunch: Any, name: str) -> Source:
    """Return what scikit-learn's `load_*` and `fetch_*` give as a Source; the target is the last column."""
    data = bunch.data
    data = data.toarray() if hasattr(data, "toarray") else data
    names = [str(one) for one in getattr(bunch, "feature_names", ())]
    if not isinstance(data, pd.DataFrame):
        matrix = np.asarray(data).reshape(len(data), -1)
        data = pd.DataFrame(matrix, columns=names or [f"x{place + 1}" for place in range(matrix.shape[1])])
    said = getattr(bunch, "target_names", None)
    target, labels = bunch.target, [] if said is None else list(map(str, said))
    targets = target if isinstance(target, pd.DataFrame) else _target_frame(target, labels, data.index)
    about = About(name, text=str(getattr(bunch, "DESCR", "") or ""), targets=(",".join(targets.columns),))
    return frame_source(pd.concat([data, targets], axis=1), name, about=about)


def _target_frame(target: Any, labels: list[str], index: pd.Index) -> pd.DataFrame:
    """Return targets as columns: classes by their labels, several targets by their names."""
    values = np.asarray(target)
    if values.ndim > 1:
        many = (
            labels if len(labels) == values.shape[1] else [f"target_{n + 1}" for n in range(values.shape[1])]
        )
        return pd.DataFrame(values, columns=many, index=index)
    name = getattr(target, "name", None) or "target"
    if len(labels) > 1 and values.dtype.kind in "iu" and values.min() >= 0 and values.max() < len(labels):
        return pd.DataFrame(
            {name: pd.Categorical.from_codes(values.tolist(), categories=pd.Index(labels))}, index=index
        )
    return pd.DataFrame({name: values}, index=index)
