"""Tables in files: bytes of a path, a stream or the standard input, and the formats that are no text."""

import bz2
import io
import json
import lzma
import os
import re
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import reduce
from operator import and_
from typing import IO, Any, NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds

from delvecore.errors import ParseError, words_of_system
from delvecore.readers.files import no_regular_file, no_such_file
from delvecore.remote.contents import content_of, contents_of
from delvecore.score_tables.directories import columnar_kind, plain_file, tables_in
from delvecore.score_tables.names import INSTANCES, MEGABYTES, SECONDS, SIZES, VALUES, found_in, is_metric
from delvecore.score_tables.options import ScoreOptions, Where
from delvecore.score_tables.roles import metric_column
from delvecore.score_tables.sources import known_document, known_source, multi_header
from delvecore.score_tables.table import Table, checked_names

__all__ = [
    "Content",
    "NoRowsError",
    "Source",
    "frame_table",
    "read_content",
    "read_typed",
    "rows_where",
]
__all__ += ["narrow_to_metric", "read_columnar", "typed_format"]

Source = str | os.PathLike[str] | IO[bytes]
STANDARD_INPUT = "-"
_COMPRESSED = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
_MARKS = {b"PAR1": "Parquet", b"ARROW1": "Arrow", b"FEA1": "Feather", b"PK\x03\x04": "Excel"}
_MARKS |= {b"\xff\xff\xff\xff": "Arrow stream", b"\xd0\xcf\x11\xe0": "old Excel"}
SAMPLE = 2000
SHOWN = 8


class Content(NamedTuple):
    """name: in messages; file: the plain file name, without a compression's ending."""

    name: str
    file: str
    data: pa.Buffer


class NoRowsError(ParseError):
    """A table has no rows that are asked for."""


def read_content(source: Source, *, name: str = "") -> Content:
    """All bytes of a source, unpacked. name: in messages, if not its path. ParseError."""
    if isinstance(source, str | os.PathLike):
        path = os.fspath(source)
        shown = name or ("standard input" if path == STANDARD_INPUT else path)
        data = pa.py_buffer(sys.stdin.buffer.read()) if path == STANDARD_INPUT else _file_bytes(path)
    else:
        shown = name or str(getattr(source, "name", "") or "table")
        data = pa.py_buffer(source.read())
    return Content(shown, plain_file(shown), _unpacked(data, shown))


def _file_bytes(path: str) -> pa.Buffer:
    try:
        if not os.path.isfile(path) and os.path.lexists(path):
            raise no_regular_file(path, os.stat(path).st_mode)
        with open(content_of(path), "rb") as file:
            return pa.py_buffer(file.read())
    except FileNotFoundError:
        raise no_such_file(path) from None
    except OSError as error:
        raise ParseError(path, None, "a table of scores", words_of_system(error), kind="file") from None


def _unpacked(data: pa.Buffer, name: str) -> pa.Buffer:
    start = data.slice(0, min(data.size, 8)).to_pybytes()
    codec = next((codec for mark, codec in _COMPRESSED.items() if start.startswith(mark)), None)
    try:
        if codec is None:
            return data
        if codec in ("xz", "bz2"):
            return pa.py_buffer((lzma if codec == "xz" else bz2).decompress(data))
        with pa.input_stream(pa.BufferReader(data), compression=codec) as stream:
            return pa.py_buffer(stream.read())
    except (OSError, EOFError, ValueError, lzma.LZMAError) as error:
        raise ParseError(
            name, None, f"a whole {codec} file", str(error), "copy it anew", kind="file"
        ) from None


def typed_format(data: pa.Buffer) -> str | None:
    """The format that the first bytes of a file show; None for text."""
    start = data.slice(0, min(data.size, 64)).to_pybytes()
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    known = next((name for mark, name in _MARKS.items() if start.startswith(mark)), None)
    return known or ("JSON" if re.match(rb"\{\s*[\"}]|\[", text) else None)


def read_typed(content: Content, kind: str, options: ScoreOptions) -> Table:
    """The table in a file that is no plain text. ParseError where it is damaged or holds no table."""
    name = content.name
    with _damage_told(name, kind):
        if kind in ("Parquet", "Arrow"):
            form = ds.ParquetFileFormat() if kind == "Parquet" else ds.IpcFileFormat()
            fragment = form.make_fragment(content.data)
            dataset = ds.FileSystemDataset([fragment], fragment.physical_schema, form)
            return _columnar_table(dataset, name, content.file, options)
        if kind == "Excel":
            return _excel(content, options)
        if kind == "old Excel":
            found = "an Excel file of before 2007"
            raise ParseError(name, None, "CSV, Parquet or .xlsx", found, "save it as .xlsx or CSV")
        if kind == "JSON":
            return frame_table(_json(content), name, content.file)
        reader = pa.BufferReader(content.data)
        whole = (
            pa.ipc.open_stream(reader).read_all() if kind == "Arrow stream" else pa.feather.read_table(reader)
        )
        return frame_table(_pandas_of(whole), name, content.file)


def read_columnar(paths: Sequence[str], directory: str, options: ScoreOptions, *, kind: str) -> Table | None:
    """Parquet or Arrow files of a directory as one table, whose partitions may stand in the names of folders;
    None where they have several schemas."""
    keys = ds.HivePartitioning.discover(infer_dictionary=True)
    form = ds.ParquetFileFormat() if kind == "Parquet" else ds.IpcFileFormat()
    with _damage_told(directory, kind):
        files = contents_of(paths)
        base = files[0].removesuffix(os.path.relpath(paths[0], directory))
        dataset = ds.dataset(files, format=form, partitioning=keys, partition_base_dir=base)
        schemas = [fragment.physical_schema for fragment in dataset.get_fragments()]
        if not all(map(schemas[0].equals, schemas)):
            return None
        table = _columnar_table(dataset, directory, "", options)
    parts = tuple((os.path.join(directory, os.path.relpath(path, base)), rows) for path, rows in table.parts)
    return replace(table, parts=parts)


@contextmanager
def _damage_told(source: str, kind: str) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        remedy = "write it anew"
        raise ParseError(source, None, f"a whole {kind} file", str(error).split("\n")[0], remedy) from None


def _columnar_table(dataset: ds.FileSystemDataset, source: str, file: str, options: ScoreOptions) -> Table:
    """The rows and columns of a dataset that are needed, texts as categories."""
    columns = dict(_leaves(dataset.schema, ()))
    sample = dataset.scanner(columns=columns, batch_size=SAMPLE, batch_readahead=1).head(SAMPLE)
    unread = _unneeded(sample, options)
    taken = {name: column for name, column in columns.items() if name not in unread}
    where = _expression(columns, sample, options.where, source)
    table = dataset.to_table(columns=taken, filter=where)
    if where is not None and not table.num_rows:
        raise no_rows(source, options.where, _pandas_of(sample))
    found = frame_table(_pandas_of(table), source, file)
    fragments = list(dataset.get_fragments()) if where is None else []
    parts = tuple((part.path, part.count_rows()) for part in fragments) if len(fragments) > 1 else ()
    unasked = dataset.count_rows() - table.num_rows if where is not None else 0
    return replace(found, unread=tuple(unread), parts=parts, unasked=unasked)


def narrow_to_metric(path: str, metric: str, options: ScoreOptions) -> ScoreOptions | None:
    """The options by which only the scores of one metric are read of Parquet or Arrow files; None where names
    of columns do not say which they are."""
    paths = tables_in(path) if os.path.isdir(path) else [path]
    kind = columnar_kind(paths)
    try:
        if kind is None or options.value:
            return None
        form = ds.ParquetFileFormat() if kind == "Parquet" else ds.IpcFileFormat()
        dataset = ds.dataset(contents_of(paths), format=form)
        columns = dict(_leaves(dataset.schema, ()))
        sample = frame_table(_pandas_of(dataset.scanner(columns=columns).head(SAMPLE)), path, "")
    except (pa.ArrowException, OSError, ParseError):
        return None  # told where it is read
    if known_source(sample.frame) is not None:
        return None
    said = [sample.column(options.metric)] if options.metric and sample.has(options.metric) else []
    column = said[0] if said else metric_column(sample.columns)
    if column is not None:
        return replace(options, metric=column.name, where=(*options.where, (column.name, (metric,))))
    return replace(options, value=(metric,)) if metric in columns and is_metric(metric) else None


def _leaves(schema: pa.Schema | pa.StructType, above: tuple[str, ...]) -> Iterator[tuple[str, ds.Expression]]:
    """Columns by name, those of records one each; without lists, and without the index of pandas."""
    for field in schema:
        place = (*above, field.name)
        if pa.types.is_struct(field.type):
            yield from _leaves(field.type, place)
        elif not pa.types.is_nested(field.type) and not re.fullmatch(r"__index_level_\d+__", field.name):
            yield ".".join(place), ds.field(*place)


def _unneeded(sample: pa.Table, options: ScoreOptions) -> list[str]:
    """Columns of other metrics than the ones that are asked for."""
    if not options.value:
        return []
    said = [options.dataset, options.method, options.metric, *options.value, *options.fold]
    wanted = {part.lower() for name in filter(None, said) for part in (name, *name.split("+"))}
    wanted |= {name.lower() for name, _ in options.where}
    lists = (SECONDS, MEGABYTES, SIZES, INSTANCES, VALUES)
    return [
        field.name
        for field in sample.schema
        if field.name.lower() not in wanted
        and pa.types.is_floating(field.type)
        and is_metric(field.name)
        and all(found_in(field.name, known) is None for known in lists)
    ]


def _expression(
    columns: Mapping[str, ds.Expression], sample: pa.Table, where: Where, source: str
) -> ds.Expression | None:
    """The rows that are asked for as a filter, which skips row groups by their statistics."""
    parts = []
    for name, texts in where:
        known = next((one for one in columns if one.lower() == name.lower()), None)
        if known is None:
            frame_table(_pandas_of(sample), source, "").column(name)  # raises: no such column
            continue
        kind = sample.schema.field(known).type
        try:
            values = pa.array(texts, pa.string()).cast(
                kind.value_type if pa.types.is_dictionary(kind) else kind
            )
        except pa.ArrowException:
            raise no_rows(source, ((name, texts),), _pandas_of(sample)) from None
        parts.append(columns[known].isin(values))
    return reduce(and_, parts) if parts else None


def _pandas_of(table: pa.Table) -> pd.DataFrame:
    while any(pa.types.is_struct(kind) for kind in table.schema.types):
        table = table.flatten()
    kept = [
        field.name
        for field in table.schema
        if not pa.types.is_nested(field.type) and not re.fullmatch(r"__index_level_\d+__", field.name)
    ]
    duplicates = len(set(table.column_names)) < len(table.column_names)
    table = table if duplicates else table.select(kept)
    coded = [field.name for field in table.schema if pa.types.is_string(field.type)]
    return table.to_pandas(
        ignore_metadata=True, split_blocks=True, self_destruct=True, categories=[] if duplicates else coded
    )


def no_rows(source: str, where: Where, sample: pd.DataFrame) -> NoRowsError:
    """The error that no rows are as they are asked for. sample: the table, or its first rows."""
    asked = " and ".join(f"{name} is {' or '.join(texts)}" for name, texts in where)
    table = frame_table(sample, source, "")
    listed = [f"{', '.join(table.column(name).levels[:SHOWN])} in {name}" for name, _ in where]
    return NoRowsError(source, None, f"rows where {asked}", "none", f"there are {'; '.join(listed)}, ...")


def rows_where(table: Table, where: Where) -> Table:
    """The rows of a table that are asked for. NoRowsError, ParseError for a column that is not there."""
    for name, texts in where:
        names = table.column(name).names
        rows = names.isin(texts)
        if not rows.any():
            raise no_rows(table.source, ((name, texts),), table.frame)
        if not rows.all():
            frame = table.frame[rows]
            unasked = table.unasked + int((~rows).sum())
            table = replace(table, unasked=unasked).with_frame(
                frame.apply(_used) if len(frame.columns) else frame
            )
    return table


def _used(series: pd.Series) -> pd.Series:
    return series.cat.remove_unused_categories() if isinstance(series.dtype, pd.CategoricalDtype) else series


def frame_table(frame: pd.DataFrame, source: str, file: str) -> Table:
    """A data frame as a table: its row numbers as index, its columns by name. ParseError."""
    if isinstance(frame.columns, pd.MultiIndex):
        flat = multi_header(frame)
        frame = (
            flat
            if flat is not None
            else frame.set_axis([" ".join(map(str, n)) for n in frame.columns], axis=1)
        )
    if not len(frame):
        raise ParseError(source, None, "rows of scores", "an empty table", "export it anew")
    names = checked_names([str(name) for name in frame.columns], source, None)
    frame = frame.set_axis(names, axis=1).reset_index(drop=True)
    nested = [name for name in names if frame[name].dtype == object and frame[name].map(_is_nested).any()]
    if len(nested) == len(names):
        raise ParseError(
            source, None, "columns of numbers and texts", "nested ones only", "write one record a run"
        )
    for name in nested:
        is_list = frame[name].map(_is_nested)
        if frame[name][~is_list].notna().any():
            found = f"a list or record in {name!r}, in row {int(is_list.argmax()) + 1}"
            raise ParseError(
                source, None, "one number or text in each place", found, "write a number, or null"
            )
    return Table(source, file, frame.drop(columns=nested), nested=tuple(nested))


def _is_nested(value: object) -> bool:
    return isinstance(value, list | dict | tuple | set)


def _json(content: Content) -> pd.DataFrame:
    source = content.name
    try:
        text = content.data.to_pybytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        found = f"another encoding ({error.reason})"
        raise ParseError(source, None, "JSON in UTF-8", found, "save it as UTF-8") from None
    try:
        return _json_frame(json.loads(text, object_pairs_hook=_record), source, content.file)
    except ParseError:
        raise
    except json.JSONDecodeError as error:
        if error.msg != "Extra data":
            found = f"{error.msg}, in column {error.colno}"
            raise ParseError(source, error.lineno, "JSON", found, "export it anew") from None
    except RecursionError:
        raise ParseError(
            source, 1, "a table in JSON", "values nested very deeply", "write one record a run"
        ) from None
    except ValueError as error:  # a number of thousands of digits
        raise ParseError(source, 1, "a table in JSON", str(error).split(";")[0], "correct it") from None
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            row = json.loads(line, object_pairs_hook=_record) if line.strip() else {}
        except (ValueError, RecursionError) as error:
            found = str(error).split(":")[0]
            raise ParseError(source, number, "a JSON record a line", found, "correct the line") from None
        if not isinstance(row, dict):
            raise ParseError(source, number, "a JSON record a line", repr(row)[:40], "correct the line")
        rows.append(row)
    return pd.json_normalize([row for row in rows if row])


def _record(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object. ValueError where a key stands in it twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        again = next(key for place, (key, _) in enumerate(pairs) if key in dict(pairs[:place]))
        raise ValueError(f"the key {again!r} twice in one record")
    return found


def _json_frame(content: Any, source: str, file: str) -> pd.DataFrame:  # whatever JSON holds
    """Records, columns or nested objects as a frame. ParseError."""
    known = known_document(content, file)
    if known is not None:
        return known
    if isinstance(content, dict) and isinstance(content.get("data"), list):
        names, rows = content.get("columns"), content["data"]
        content = [dict(zip(names, row, strict=False)) for row in rows] if isinstance(names, list) else rows
    if isinstance(content, list) and content and all(isinstance(row, dict) for row in content):
        frame = pd.json_normalize(content)
        for name in frame.columns:
            below = [other for other in frame.columns if other.startswith(f"{name}.")]
            if below and frame[name].notna().any():
                found = f"both values and records in {name!r}"
                raise ParseError(
                    source, 1, "a number, a text or a record in each place", found, "write one of them"
                )
        return frame
    if isinstance(content, dict) and content:
        values = list(content.values())
        if all(isinstance(value, list) for value in values) and len(set(map(len, values))) == 1:
            return pd.DataFrame({name: pd.Series(value, dtype=object) for name, value in content.items()})
        if all(isinstance(value, dict) for value in values):
            rows = list(dict.fromkeys(name for column in values for name in column))
            frame = pd.DataFrame(
                {name: [column.get(row) for row in rows] for name, column in content.items()}
            )
            if rows != list(map(str, range(len(rows)))):
                frame.insert(0, "", rows)
            return frame
    found = (
        "nothing in it"
        if not content
        else f"{'a list' if isinstance(content, list) else 'an object'} of others"
    )
    expected = "JSON records, lists of one length by column, or objects by column"
    raise ParseError(source, 1, expected, found, "write one record a run")


def _excel(content: Content, options: ScoreOptions) -> Table:
    """The sheet that is asked for, or the only one with a table; further ones are named. ParseError."""
    source = content.name
    try:
        sheets = pd.read_excel(
            io.BytesIO(content.data), sheet_name=None, header=None, dtype=object, engine="openpyxl"
        )
    except ImportError:
        remedy = "pip install openpyxl, or save the sheet as CSV"
        raise ParseError(source, None, "openpyxl, to read Excel files", "no such library", remedy) from None
    except (KeyError, ValueError, OSError, zipfile.BadZipFile) as error:
        raise ParseError(source, None, "a whole Excel file", str(error), "save it anew") from None
    tables = {name: sheet for name, sheet in sheets.items() if (sheet.notna().sum(axis=1) > 1).sum() > 1}
    if options.sheet is not None and options.sheet not in sheets:
        found = f"the sheets {', '.join(map(repr, sheets))}"
        raise ParseError(source, None, f"a sheet named {options.sheet!r}", found, "choose one of these")
    if not tables or (options.sheet is not None and options.sheet not in tables):
        raise ParseError(source, None, "a sheet with a table", "none", "save the table in the first sheet")
    name = options.sheet or next(iter(tables))
    rows = tables[name][tables[name].notna().sum(axis=1) > 1]
    others = tuple(other for other in tables if other != name)
    long = multi_header(rows)
    if long is not None:
        found_table = frame_table(long, source, content.file)
        return Table(source, content.file, found_table.frame, sheets=others)
    header = ["" if pd.isna(cell) else str(cell) for cell in rows.iloc[0]]
    body = rows.iloc[1:]
    kept = [place for place, cell in enumerate(header) if cell or body.iloc[:, place].notna().any()]
    line = int(rows.index[0]) + 1
    names = checked_names([header[place] for place in kept], source, line)
    frame = body.iloc[:, kept].set_axis(names, axis=1)
    lines = frame.index.to_numpy() + 1
    frame = frame.reset_index(drop=True)
    frame = frame.apply(
        lambda column: pd.to_numeric(column) if column.map(_is_plain_number).all() else column
    )
    return Table(source, content.file, frame, lines, line, sheets=others)


def _is_plain_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
