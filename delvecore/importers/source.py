"""Sources of cases as batches of text columns, from Arrow tables, frames and scikit-learn's bunches."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from delvecore.encoding.prototask_cases import RANGE, TYPE
from delvecore.errors import Fault

MISSING = (
    *("", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NAN", "-nan", "-NaN", "NULL", "null"),
    *("None", "#NA", "#N/A N/A", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"),
)
"""Default words for a missing value: those of the pandas function `read_csv`, and `?`."""
ROWS = 1 << 16
MONTHS = 12


class SourceColumn(NamedTuple):
    """A column with its name and type in its source.

    Attributes
    ----------
    name : str
        Name of the column.
    kind : str
        `number`, `category`, `ordered`, `date`, `text`, `other`, or a type of a prior with a range. Empty if
        it has to be inferred from the words.
    values : tuple of str
        Values of a category, in order.
    range : str
        Range in the notation of a specification.
    """

    name: str
    kind: str = ""
    values: tuple[str, ...] = ()
    range: str = ""


class Source(NamedTuple):
    """Cases that can be read more than once.

    Attributes
    ----------
    place : str
        The file, or a description of data in memory.
    name : str
        Name of the source.
    columns : tuple of SourceColumn
        Columns in order.
    batches : Callable[[], Iterator[sequence of pa.Array]]
        Returns batches with one string array per column, from the first case on; null marks a missing value.
    title, text : str
        Title and description of the data, or empty.
    targets : tuple of str
        Names of target columns, if the source has any.
    notices : tuple of str
        Assumptions made when the source was opened.
    dtypes : mapping of str to Any
        Dtypes of the columns of a frame by name, empty for files.
    is_array : bool
        Whether the inputs are an array, whose columns have no names.
    """

    place: str
    name: str
    columns: tuple[SourceColumn, ...]
    batches: Callable[[], Iterator[Sequence[pa.Array]]]
    title: str = ""
    text: str = ""
    targets: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    dtypes: Mapping[str, Any] = {}
    is_array: bool = False


def table_source(
    place: str, name: str, schema: pa.Schema, batches: Callable[[], Iterator[pa.RecordBatch]]
) -> Source:
    values = _category_values(schema, batches)
    columns = tuple(_column(field, values) for field in schema)

    def words() -> Iterator[Sequence[pa.Array]]:
        for batch in batches():
            yield [_words(column) for column in batch.columns]

    return Source(place, name, columns, words)


def _category_values(
    schema: pa.Schema, batches: Callable[[], Iterator[pa.RecordBatch]]
) -> dict[str, tuple[str, ...]]:
    """Return the values of each dictionary column, in their order."""
    named = {field.name: place for place, field in enumerate(schema) if pa.types.is_dictionary(field.type)}
    values_by_column: dict[str, dict[str, None]] = {name: {} for name in named}
    for batch in batches() if named else ():
        for name, place in named.items():
            values_by_column[name].update(dict.fromkeys(map(str, batch.column(place).dictionary.to_pylist())))
    return {name: tuple(values) for name, values in values_by_column.items()}


def _column(field: pa.Field, values: dict[str, tuple[str, ...]]) -> SourceColumn:
    name, kind, metadata = field.name, field.type, field.metadata or {}
    if RANGE in metadata and TYPE in metadata:
        return SourceColumn(name, metadata[TYPE].decode(), (), metadata[RANGE].decode())
    if pa.types.is_dictionary(kind):
        return SourceColumn(name, "ordered" if kind.ordered else "category", values[name])
    if pa.types.is_boolean(kind):
        return SourceColumn(name, "category", ("false", "true"))
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return SourceColumn(name, "number")
    if pa.types.is_temporal(kind):
        return SourceColumn(name, "date")
    is_plain = pa.types.is_integer(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind)
    is_plain = is_plain or pa.types.is_null(kind) or kind == pa.string_view()
    return SourceColumn(name, "" if is_plain else "other")


def _words(column: pa.Array) -> pa.Array:
    """Return the values of a column as strings, null if missing."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.dictionary_decode()
    if pa.types.is_float16(column.type):
        column = column.cast(pa.float32())
    try:
        return column.cast(pa.string())
    except pa.ArrowException:
        return pa.nulls(len(column), pa.string())  # declared with a type that no attribute can have


def frame_source(frame: pd.DataFrame | pa.Table, name: str) -> Source:
    """Return a pandas DataFrame, without its index, or an Arrow table as a Source."""
    table = frame if isinstance(frame, pa.Table) else _table(frame)
    place = f"a table in memory ({name})"
    return table_source(place, name, table.schema, lambda: iter(table.to_batches(max_chunksize=ROWS)))


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


def with_column(source: Source, name: str, words: pa.Array) -> Source:
    """Return a source with one more column. Raises Fault if the numbers of cases differ."""

    def batches() -> Iterator[Sequence[pa.Array]]:
        start = 0
        for batch in source.batches():
            count = len(batch[0])
            if start + count <= len(words):
                yield [*batch, words.slice(start, count)]
            start += count
        if start != len(words):
            raise Fault(name, f"a value for each of {start} cases", len(words))

    return source._replace(columns=(*source.columns, SourceColumn(name)), batches=batches)


def sorted_source(source: Source, name: str) -> Source:
    """Return a source sorted by a column of numbers or dates. Raises Fault for other or missing values."""
    place = [column.name for column in source.columns].index(name)
    batches = list(source.batches())
    columns = [
        pa.chunked_array(parts, type=pa.string()).combine_chunks() for parts in zip(*batches, strict=True)
    ]
    words = columns[place].to_pandas()
    keys = pd.to_numeric(words, errors="coerce")
    if keys.isna().any():
        keys = parse_dates(words)
    if keys.isna().any():
        missing_word = words[keys.isna()].iloc[0]
        raise Fault(
            f"order: {name}",
            "a number or a date in each case",
            "no value" if missing_word is None else repr(missing_word),
        )
    order = pa.array(np.argsort(keys.to_numpy(), kind="stable"))
    ordered = [column.take(order) for column in columns]
    return source._replace(batches=lambda: iter([ordered]))


DAY_FIRST = r"^(\d{1,2})[-/.]\d{1,2}[-/.]\d{2,4}"


def parse_dates(words: pd.Series) -> pd.Series:
    """Parse dates, NaT for other words. If any first number exceeds 12, days come first."""
    first = pd.to_numeric(words.astype("string").str.extract(DAY_FIRST)[0], errors="coerce")
    is_day_first = bool((first > MONTHS).any())
    return pd.to_datetime(words, errors="coerce", format="mixed", utc=True, dayfirst=is_day_first)


def bunch_source(bunch: Any, name: str) -> Source:
    """Return the result of scikit-learn's `load_*` and `fetch_*` as a Source; the target is last."""
    data = bunch.data
    data = data.toarray() if hasattr(data, "toarray") else data
    names = [str(one) for one in getattr(bunch, "feature_names", ())]
    if not isinstance(data, pd.DataFrame):
        matrix = np.asarray(data).reshape(len(data), -1)
        data = pd.DataFrame(matrix, columns=names or [f"x{place + 1}" for place in range(matrix.shape[1])])
    target_names = getattr(bunch, "target_names", None)
    target, labels = bunch.target, [] if target_names is None else list(map(str, target_names))
    targets = target if isinstance(target, pd.DataFrame) else _target_frame(target, labels, data.index)
    source = frame_source(pd.concat([data, targets], axis=1), name)
    text = str(getattr(bunch, "DESCR", "") or "")
    return source._replace(text=text, targets=(",".join(targets.columns),))


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
