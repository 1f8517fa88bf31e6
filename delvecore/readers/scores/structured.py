"""Tables that are no text: Parquet, Arrow, JSON records or lines, sheets of Excel."""

import io
import json
import os
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pyarrow as pa

from delvecore.errors import ParseError
from delvecore.readers.scores.batches.asked import rows_asked_for
from delvecore.readers.scores.columns import Column, Sheet, checked_names
from delvecore.readers.scores.content import as_utf8, read_content
from delvecore.readers.scores.directories import columnar_kind, tables_in
from delvecore.readers.scores.records import NOTHING_SAID, ScoreOptions

__all__ = ["asked_for", "read_structured", "sheet_of", "sheet_of_files", "shows_format"]

_MARKS = {b"PAR1": "Parquet", b"ARROW1": "Arrow", b"FEA1": "Feather", b"PK\x03\x04": "Excel"}
_STREAM = b"\xff\xff\xff\xff"
_OLD_EXCEL = b"\xd0\xcf\x11\xe0"


def shows_format(data: pa.Buffer) -> str | None:
    """Return the format that the first bytes of a file show, None for text."""
    start = data.slice(0, min(data.size, 64)).to_pybytes()
    for mark, name in _MARKS.items():
        if start.startswith(mark):
            return name
    if start.startswith(_STREAM):
        return "Arrow stream"
    if start.startswith(_OLD_EXCEL):
        return "old Excel"
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    return "JSON" if re.match(rb"\{\s*[\"}]|\[", text) else None


def read_structured(data: pa.Buffer, source: str, kind: str, options: ScoreOptions = NOTHING_SAID) -> Sheet:
    """Return the table in a file of this format, of Parquet and Arrow only what the options ask for.
    ParseError where it is damaged or holds no table."""
    with _whole(source, kind):
        if kind not in ("Parquet", "Arrow"):
            return rows_asked_for(_READERS[kind](data, source), options.where)
        from delvecore.readers.scores.batches.datasets import sheet_of_dataset, stored_in

        return sheet_of_dataset(stored_in(data, kind), source, options)


def sheet_of_files(paths: Sequence[str], directory: str, options: ScoreOptions) -> Sheet | None:
    """Return the files of a directory as one table, None where they are no dataset of Parquet or Arrow.
    Errors as those of `read_structured`."""
    kind = columnar_kind(paths)
    if kind is None or len(paths) < 2:
        return None
    from delvecore.readers.scores.batches.datasets import sheet_of_dataset, stored_files

    stored = stored_files(paths, directory, kind)
    with _whole(directory, kind):
        return None if stored is None else sheet_of_dataset(stored, directory, options)


def asked_for(path: str, metric: str, options: ScoreOptions) -> ScoreOptions | None:
    """Return the options by which only the scores of one metric are read of a file or a directory; None where
    it is none of Parquet or Arrow, or does not say which they are."""
    paths = tables_in(path) if os.path.isdir(path) else [path]
    kind = columnar_kind(paths)
    if kind is None:
        return None
    from delvecore.readers.scores.batches.datasets import narrowed, stored_files, stored_in

    try:
        is_one = len(paths) == 1
        stored = stored_in(read_content(path).data, kind) if is_one else stored_files(paths, path, kind)
        return None if stored is None else narrowed(stored, path, metric, options)
    except (pa.ArrowException, OSError, ParseError):
        return None  # told where it is read


@contextmanager
def _whole(source: str, kind: str) -> Iterator[None]:
    """Tell that a file is damaged."""
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        expected, remedy = f"a whole {kind} file", "write it anew"
        raise ParseError(source, None, expected, str(error), remedy) from None


def sheet_of(table: pa.Table, source: str) -> Sheet:
    """Return an Arrow table as one that was read; nested columns as one each. ParseError."""
    while any(pa.types.is_struct(kind) for kind in table.schema.types):
        table = table.flatten()
    names = checked_names(list(map(str, table.column_names)), source, None)
    if not table.num_rows:
        raise ParseError(source, None, "rows of scores", "an empty table", "export it anew")
    columns = zip(names, table.columns, strict=True)
    kept = [Column(name, array) for name, array in columns if not pa.types.is_nested(array.type)]
    if not kept:
        expected, remedy = "columns of numbers and texts", "write one record a run"
        raise ParseError(source, None, expected, "nested ones only", remedy)
    return Sheet(source, tuple(kept), lambda row: None, rows_named=True)


def _feather(data: pa.Buffer, source: str) -> Sheet:
    import pyarrow.feather

    return sheet_of(_without_index(pyarrow.feather.read_table(pa.BufferReader(data))), source)


def _stream(data: pa.Buffer, source: str) -> Sheet:
    with pa.ipc.open_stream(data) as reader:
        return sheet_of(_without_index(reader.read_all()), source)


def _without_index(table: pa.Table) -> pa.Table:
    """Return a table without the numbers of rows that pandas wrote with it."""
    return table.drop_columns(
        [name for name in table.column_names if re.fullmatch(r"__index_level_\d+__", name)]
    )


def _json(data: pa.Buffer, source: str) -> Sheet:
    data = as_utf8(data)
    text = data.to_pybytes().decode()
    try:
        return sheet_of(_table(json.loads(text), source), source)
    except json.JSONDecodeError as error:
        if error.msg != "Extra data":
            found, remedy = f"{error.msg}, in column {error.colno}", "export it anew"
            raise ParseError(source, error.lineno, "JSON", found, remedy) from None
    return sheet_of(_lines(data, text, source), source)


def _lines(data: pa.Buffer, text: str, source: str) -> pa.Table:
    """Return the table of JSON lines: by pyarrow, or line by line where it refuses them."""
    import pyarrow.json

    try:
        return pyarrow.json.read_json(pa.BufferReader(data))
    except pa.ArrowInvalid:
        rows = []
        for number, line in enumerate(text.splitlines(), 1):
            try:
                row = json.loads(line) if line.strip() else None
            except json.JSONDecodeError as error:
                found = f"{error.msg}, in column {error.colno}"
                raise ParseError(source, number, "a JSON record a line", found, "correct the line") from None
            if row is not None and not isinstance(row, dict):
                raise ParseError(
                    source, number, "a JSON record a line", repr(row), "correct the line"
                ) from None
            rows.append(row or {})
        return _of_rows(rows)


def _table(content: Any, source: str) -> pa.Table:  # whatever JSON holds
    """Return records, columns or nested objects as a table."""
    if isinstance(content, dict) and isinstance(content.get("data"), list):
        names = content.get("columns")
        rows = content["data"]
        content = [dict(zip(names, row, strict=False)) for row in rows] if isinstance(names, list) else rows
    if isinstance(content, list) and content and all(isinstance(row, dict) for row in content):
        return _of_rows(content)
    if isinstance(content, dict) and content:
        values = list(content.values())
        if all(isinstance(value, list) for value in values) and len(set(map(len, values))) == 1:
            return _of_rows([dict(zip(content, row, strict=True)) for row in zip(*values, strict=True)])
        if all(isinstance(value, dict) for value in values):
            return _of_rows(_crossed(content))
    found = (
        "nothing in it"
        if not content
        else f"{'a list' if isinstance(content, list) else 'an object'} of others"
    )
    expected, remedy = (
        "JSON records, lists of one length by column, or objects by column",
        "write one record a run",
    )
    raise ParseError(source, 1, expected, found, remedy)


def _crossed(content: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return nested objects {column: {row: value}} as rows, behind their names unless these only count."""
    rows = list(dict.fromkeys(name for column in content.values() for name in column))
    counted = rows == list(map(str, range(len(rows))))
    found = [{name: column.get(row) for name, column in content.items()} for row in rows]
    return found if counted else [{"": name, **row} for name, row in zip(rows, found, strict=True)]


def _of_rows(rows: list[dict[str, Any]]) -> pa.Table:
    """Return records as a table; values of several kinds in one column as texts."""
    flat = [_flat(row) for row in rows]
    names = list(dict.fromkeys(name for row in flat for name in row))
    return pa.table({name: _array([row.get(name) for row in flat]) for name in names})


def _flat(row: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in row.items():
        found |= _flat(value, f"{before}{name}.") if isinstance(value, dict) else {f"{before}{name}": value}
    return found


def _array(values: list[Any]) -> pa.Array:
    try:
        return pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.array([None if value is None else str(value) for value in values])


def _excel(data: pa.Buffer, source: str) -> Sheet:
    """Return the first sheet that holds a table; its first full row has the names."""
    try:
        import openpyxl
    except ModuleNotFoundError:
        expected, remedy = "openpyxl, to read Excel files", "pip install openpyxl, or save the sheet as CSV"
        raise ParseError(source, None, expected, "no such library", remedy) from None
    try:
        book = openpyxl.load_workbook(io.BytesIO(data.to_pybytes()), read_only=True, data_only=True)
    except (KeyError, ValueError, OSError, zipfile.BadZipFile) as error:
        raise ParseError(source, None, "a whole Excel file", str(error), "save it anew") from None
    for page in book.worksheets:
        rows = [list(row) for row in page.iter_rows(values_only=True)]
        filled = [(at, row) for at, row in enumerate(rows, 1) if sum(cell is not None for cell in row) > 1]
        if len(filled) > 1:
            return _of_cells(filled, source)
    raise ParseError(source, None, "a sheet with a table", "none", "save the table in the first sheet")


def _of_cells(rows: list[tuple[int, list[Any]]], source: str) -> Sheet:
    line, header = rows[0]
    names = ["" if cell is None else str(cell) for cell in header]
    columns = [_array([row[place] for _, row in rows[1:]]) for place in range(len(names))]
    kept = [place for place, name in enumerate(names) if name or columns[place].null_count < len(rows) - 1]
    checked_names([names[place] for place in kept], source, line)
    found = tuple(Column(names[place], columns[place]) for place in kept)
    return Sheet(source, found, lambda row: rows[row + 1][0], line)


def _old_excel(data: pa.Buffer, source: str) -> Sheet:
    raise ParseError(
        source, None, "CSV, Parquet or .xlsx", "an Excel file of before 2007", "save it as .xlsx or CSV"
    )


_READERS: dict[str, Callable[[pa.Buffer, str], Sheet]] = {
    "Feather": _feather,
    "Arrow stream": _stream,
    "JSON": _json,
    "Excel": _excel,
    "old Excel": _old_excel,
}
