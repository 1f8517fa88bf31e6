"""Tables in files of all formats. Only the requested rows and columns of Parquet and Arrow files are read."""

import io
import os
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import IO, Any

import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.feather

from delvecore.errors import ParseError
from delvecore.score_tables.files import (
    STANDARD_INPUT,
    columnar_kind,
    decoded,
    parsed_json,
    plain_file,
    read_bytes,
    tables_in,
    unpacked,
)
from delvecore.score_tables.harnesses import case_rows, known_document, packed_log
from delvecore.score_tables.names import INSTANCES, MEGABYTES, SECONDS, SIZES, VALUES, is_called, is_metric
from delvecore.score_tables.options import NO_OPTIONS, ScoreOptions
from delvecore.score_tables.programs import known_source
from delvecore.score_tables.refused import refuse_arrays
from delvecore.score_tables.roles import metric_column
from delvecore.score_tables.score_file import Omission
from delvecore.score_tables.table import Table, frame_table, no_rows, requested_rows
from delvecore.score_tables.text_tables import read_rows, read_text

Source = str | os.PathLike[str] | IO[bytes]
_MARKS = {
    b"PAR1": "Parquet",
    b"ARROW1": "Arrow",
    b"FEA1": "Feather",
    b"\xff\xff\xff\xff": "Arrow stream",
    b"PK\x03\x04": "Excel",
    b"\xd0\xcf\x11\xe0": "old Excel",
}
MOST_UNPACKED, MOST_CELLS = 128 << 20, 2_000_000
"""Limits for an Excel file in bytes and cells: a small one can unpack to a thousand times its size."""
AS_CSV = "save the table as CSV or Parquet"
DAMAGE = (KeyError, ValueError, OSError, EOFError, SyntaxError, TypeError, zipfile.BadZipFile, zlib.error)
_JSON = re.compile(rb"(\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*(\{\s*[\"}]|\[)")


def read_content(source: Source, *, name: str = "") -> tuple[bytes, str]:
    """Return the decompressed bytes of a source, and its name in messages. Raises ParseError."""
    if isinstance(source, str | os.PathLike):
        data = read_bytes(os.fspath(source))
        shown = name or ("standard input" if source == STANDARD_INPUT else os.fspath(source))
    else:
        data, shown = source.read(), name or str(getattr(source, "name", "") or "table")
    return unpacked(data, shown), shown


def read_table(source: Source, *, name: str = "", options: ScoreOptions = NO_OPTIONS) -> Table:
    """Return the table in a file as written, limited to the requested rows. Raises ParseError."""
    return table_in(*read_content(source, name=name), options)


def table_in(data: bytes, name: str, options: ScoreOptions = NO_OPTIONS) -> Table:
    """Return the table in bytes of any format, limited to the requested rows. Raises ParseError."""
    stem, _ = os.path.splitext(file := plain_file(name))
    kind = next((kind for mark, kind in _MARKS.items() if data.startswith(mark)), None)
    if kind == "old Excel":
        actual = "an Excel file from before 2007"
        raise ParseError(name, None, "CSV, Parquet or .xlsx", actual, "save it as .xlsx or CSV")
    if kind == "Excel" and zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            refuse_arrays(packed.namelist(), name)
    log = packed_log(data, name) if kind == "Excel" else None
    if log is not None:
        table = frame_table(_json(log, name, file), name, stem)
    elif kind == "Excel":
        table = read_excel(data, name, stem, options)
    elif kind is not None:
        return read_columns(data, kind, name, stem, options)
    elif _JSON.match(data[:64].replace(b"\0", b"")):
        table = frame_table(_json(parsed_json(decoded(data, name), name), name, file), name, stem)
    else:
        table = read_text(data, name, stem)
    return requested_rows(table, options.where)


def _json(content: Any, source: str, file: str) -> pd.DataFrame:
    """Return records, columns or nested objects as a frame. Raises ParseError."""
    document = known_document(content, source if case_rows(content, source) else file)
    if document is not None:
        return document
    if isinstance(content, dict) and isinstance(content.get("data"), list):  # pandas: orient="split"
        names, rows = content.get("columns"), content["data"]
        content = [dict(zip(names, row, strict=False)) for row in rows] if isinstance(names, list) else rows
    if isinstance(content, dict) and content and {*map(type, content.values())} <= {int, float, str}:
        content = [content]  # the scores of one run
    if isinstance(content, list) and content and all(isinstance(row, dict) for row in content):
        frame = _with_runs(pd.json_normalize(content))
        for name in frame.columns:
            if any(other.startswith(f"{name}.") for other in frame.columns) and frame[name].notna().any():
                expected = "a number, a text or a record in each place"
                actual = f"both values and records in {name!r}"
                raise ParseError(source, 1, expected, actual, "write one of them")
        return frame
    values = list(content.values()) if isinstance(content, dict) else []
    if values and all(isinstance(value, list) for value in values) and len({*map(len, values)}) == 1:
        return pd.DataFrame(content, dtype=object)
    if any(isinstance(one, dict) for value in values if isinstance(value, dict) for one in value.values()):
        expected, remedy = "at most two levels of names", "write records with dataset, method and the scores"
        raise ParseError(source, 1, expected, "three or more", remedy)
    if values and all(isinstance(value, dict) for value in values):
        rows = list(dict.fromkeys(name for column in values for name in column))
        frame = pd.DataFrame({name: [column.get(row) for row in rows] for name, column in content.items()})
        if rows != list(map(str, range(len(rows)))):
            frame.insert(0, "", rows)
        return _with_runs(frame)
    kind = "a list" if isinstance(content, list) else "an object"
    actual = f"{kind} of other values" if content else "nothing in it"
    expected = "JSON records, lists of equal length by column, or objects by column"
    raise ParseError(source, 1, expected, actual, "write one record per run")


def _with_runs(frame: pd.DataFrame) -> pd.DataFrame:
    """Return one row with a `run` for each number in lists, if all lists in a row have the same length."""
    lists = [name for name, one in frame.items() if one.dtype == object and one.map(_are_numbers).all()]
    if not lists or "run" in frame.columns or frame[lists].map(len).nunique(axis=1).gt(1).any():
        return frame
    long = frame.explode(lists)
    long["run"] = long.groupby(level=0).cumcount()
    return long.reset_index(drop=True)


def _are_numbers(cell: object) -> bool:
    return isinstance(cell, list) and len(cell) > 1 and all(type(one) in (int, float) for one in cell)


def _check_size(data: bytes, source: str) -> None:
    """Raise ParseError for an Excel file that unpacks to too many bytes or cells, before it is read."""
    import openpyxl  # slow to import

    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        size = sum(part.file_size for part in packed.infolist())
    if size > MOST_UNPACKED:
        expected = f"an Excel file that unpacks to at most {MOST_UNPACKED >> 20} MB"
        raise ParseError(source, None, expected, f"{size >> 20:,} MB", AS_CSV)
    cells = 0
    for sheet in openpyxl.load_workbook(io.BytesIO(data), read_only=True).worksheets:
        sheet.reset_dimensions()
        for row in sheet.iter_rows(values_only=True):
            cells += len(row) + 1  # omitted rows count, too
            if cells > MOST_CELLS:
                expected = f"at most {MOST_CELLS:,} cells in all sheets"
                raise ParseError(source, None, expected, "more", AS_CSV)


def read_excel(data: bytes, source: str, file: str, options: ScoreOptions) -> Table:
    """Return the table in the requested sheet, or in the first one that has a table. Raises ParseError."""
    try:
        _check_size(data, source)
        sheets = pd.read_excel(io.BytesIO(data), sheet_name=None, header=None, dtype=object)
    except ImportError:
        remedy = "pip install openpyxl, or save the sheet as CSV"
        raise ParseError(source, None, "openpyxl, to read Excel files", "no such library", remedy) from None
    except ParseError:
        raise
    except DAMAGE as error:
        raise ParseError(source, None, "a whole Excel file", str(error), "save it again") from None
    tables = {name: sheet[sheet.notna().sum(axis=1) > 1] for name, sheet in sheets.items()}
    tables = {name: rows for name, rows in tables.items() if len(rows) > 1}
    if options.sheet is not None and options.sheet not in sheets:
        actual = f"the sheets {', '.join(map(repr, sheets))}"
        raise ParseError(source, None, f"a sheet named {options.sheet!r}", actual, "choose one of these")
    if not tables or (options.sheet is not None and options.sheet not in tables):
        raise ParseError(source, None, "a sheet with a table", "none", "save the table in the first sheet")
    name = options.sheet or next(iter(tables))
    table = read_rows(tables[name].set_axis(tables[name].index + 1), source, file)
    numbers = [one for one in table.frame if table.frame[one].map(type).isin((int, float)).all()]
    frame = table.frame.astype(dict.fromkeys(numbers, float))
    return replace(table, frame=frame, sheets=tuple(other for other in tables if other != name))


SAMPLE = 2000
_FORMATS = {"Parquet": ds.ParquetFileFormat(), "Arrow": ds.IpcFileFormat()}


def read_columns(data: bytes, kind: str, source: str, file: str, options: ScoreOptions) -> Table:
    """Return the table in the bytes of a Parquet, Arrow or Feather file or stream. Raises ParseError."""
    with _damage_reported(source, kind):
        if kind in _FORMATS:
            fragment = _FORMATS[kind].make_fragment(pa.py_buffer(data))
            dataset = ds.FileSystemDataset([fragment], fragment.physical_schema, _FORMATS[kind])
        elif kind == "Arrow stream":
            dataset = ds.dataset(pa.ipc.open_stream(data).read_all())
        else:
            dataset = ds.dataset(pa.feather.read_table(pa.BufferReader(data)))
        return _read(dataset, source, file, options)


def read_columnar(paths: Sequence[str], directory: str, options: ScoreOptions, *, kind: str) -> Table | None:
    """Return the Parquet or Arrow files of a directory as one table, or None if their schemas differ."""
    keys = ds.HivePartitioning.discover(infer_dictionary=True)
    with _damage_reported(directory, kind):
        base = os.path.join(directory, "")
        dataset = ds.dataset(list(paths), format=_FORMATS[kind], partitioning=keys, partition_base_dir=base)
        fragments = list(dataset.get_fragments())
        if not all(fragments[0].physical_schema.equals(fragment.physical_schema) for fragment in fragments):
            return None
        table = _read(dataset, directory, "", options)
        if options.where:
            return table
        return replace(table, parts=tuple((fragment.path, fragment.count_rows()) for fragment in fragments))


def narrow_to_metric(path: str, metric: str, options: ScoreOptions) -> ScoreOptions | None:
    """Return the options that read the scores of one metric from Parquet or Arrow files, or None."""
    paths = tables_in(path) if os.path.isdir(path) else [path]
    kind = columnar_kind(paths)
    if kind is None or options.value:
        return None
    try:
        dataset = ds.dataset(list(paths), format=_FORMATS[kind])
        columns = _columns(dataset.schema)
        sample = frame_table(_pandas_of(dataset.scanner(columns=columns).head(SAMPLE)), path, "")
    except (pa.ArrowException, OSError, ParseError):
        return None  # reported when the file is read
    if known_source(sample.frame) is not None:
        return None
    is_said = options.metric is not None and sample.has(options.metric)
    column = sample.column(options.metric or "") if is_said else metric_column(sample.columns)
    if column is not None:
        return replace(options, metric=column.name, where=(*options.where, (column.name, (metric,))))
    return replace(options, value=(metric,)) if metric in columns and is_metric(metric) else None


@contextmanager
def _damage_reported(source: str, kind: str) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        actual = str(error).split("\n")[0]
        raise ParseError(source, None, f"a whole {kind} file", actual, "write it again") from None


def _read(dataset: ds.Dataset, source: str, file: str, options: ScoreOptions) -> Table:
    columns = _columns(dataset.schema)
    sample = dataset.scanner(columns=columns, batch_size=SAMPLE, batch_readahead=1).head(SAMPLE)
    unread = _unneeded(sample.schema, options)
    selected = {name: column for name, column in columns.items() if name not in unread}
    where = None
    for name, texts in options.where:
        first = frame_table(_pandas_of(sample), source, "")
        column_name = first.column(name).name
        kind = sample.schema.field(column_name).type
        try:
            values = pa.array(texts, pa.string()).cast(getattr(kind, "value_type", kind))
        except pa.ArrowException:
            raise no_rows(first, ((name, texts),)) from None
        rows = columns[column_name].isin(values)
        where = rows if where is None else where & rows
    table = dataset.to_table(columns=selected, filter=where)
    if where is not None and not table.num_rows:
        raise no_rows(frame_table(_pandas_of(sample), source, ""), options.where)
    out = Omission.of("column", unread, "not requested", option="value")
    if where is not None:
        unasked = dataset.count_rows() - table.num_rows
        out += Omission.of("row", (), "not requested", count=unasked, option="where")
    read_table = frame_table(_pandas_of(table), source, file)
    return replace(read_table, omissions=out + read_table.omissions)


def _columns(schema: pa.Schema | pa.StructType, *above: str) -> dict[str, ds.Expression]:
    """Return the columns and fields of records by name, without lists and the index of pandas."""
    columns: dict[str, ds.Expression] = {}
    for field in schema:
        if pa.types.is_struct(field.type):
            columns |= _columns(field.type, *above, field.name)
        elif not pa.types.is_nested(field.type) and not re.fullmatch(r"__index_level_\d+__", field.name):
            columns[".".join((*above, field.name))] = ds.field(*above, field.name)
    return columns


def _unneeded(schema: pa.Schema, options: ScoreOptions) -> list[str]:
    """Return the columns of metrics that are not requested."""
    if not options.value:
        return []
    roles = (options.dataset, options.method, options.metric, options.case, options.group)
    names = (*filter(None, roles), *options.value, *options.fold, *(name for name, _ in options.where))
    requested = {part.lower() for name in names for part in (name, *name.split("+"))}
    lists = (SECONDS, MEGABYTES, SIZES, INSTANCES, VALUES)
    metrics = [one.name for one in schema if pa.types.is_floating(one.type) and is_metric(one.name)]
    return [name for name in metrics if name.lower() not in requested and not is_called(name, *lists)]


def _pandas_of(table: pa.Table) -> pd.DataFrame:
    """Return a pandas frame whose columns of texts are categorical."""
    texts = [field.name for field in table.schema if pa.types.is_string(field.type)]
    return table.to_pandas(
        ignore_metadata=True, split_blocks=True, self_destruct=len(table) > SAMPLE, categories=texts
    )
