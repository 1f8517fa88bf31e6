"""Tables as text: which character separates fields, which lines are comments, where the names stand.

Large files are read by pyarrow; small ones, and those that it refuses, line by line: an error has a line."""

import codecs
import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import pyarrow as pa
import pyarrow.csv

from delvecore.errors import ParseError
from delvecore.readers.scores.cells import parse_cell
from delvecore.readers.scores.columns import Column, Sheet, checked_names

__all__ = ["read_text_table"]

SMALL = 1 << 20
"""Bytes of a file that is read line by line."""
HEAD = 1 << 16
SEPARATORS = (",", ";", "\t", "|", " ")
_BOMS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
Rows = Iterator[tuple[int, list[str]]]
"""Numbers of lines, and their fields."""


class Layout(NamedTuple):
    """How a text is a table. start: bytes before the header; named: is the header a comment line?"""

    separator: str
    header: list[str]
    line: int
    decimal: str = "."


def read_text_table(data: pa.Buffer, source: str) -> Sheet:
    """Return the table that a text is. ParseError with the line of what is none."""
    data = _as_utf8(data)
    head = _head(data)
    if not head.strip():
        raise ParseError(source, None, "a table of scores", "an empty file")
    layout = _layout(head, source)
    if data.size > SMALL and layout.separator != " ":
        sheet = _read_at_once(data, layout, source)
        if sheet is not None:
            return sheet
    return _read_line_by_line(data.to_pybytes().decode(), layout, source)


def _as_utf8(data: pa.Buffer) -> pa.Buffer:
    """Return a text in UTF-8: UTF-16 is known by its first bytes, what is no UTF-8 is Latin-1."""
    start = data.slice(0, min(4, data.size)).to_pybytes()
    for mark, encoding in _BOMS.items():
        if start.startswith(mark):
            return pa.py_buffer(data.to_pybytes().decode(encoding, errors="replace").encode())
    if b"\0" in start[:4]:
        encoding = "utf-16-le" if start[1:2] == b"\0" else "utf-16-be"
        return pa.py_buffer(data.to_pybytes().decode(encoding, errors="replace").encode())
    try:
        codecs.lookup("utf-8").decode(memoryview(data), "strict")
    except UnicodeDecodeError:
        return pa.py_buffer(data.to_pybytes().decode("cp1252", errors="replace").encode())
    return data


def _head(data: pa.Buffer) -> str:
    """Return the first lines, whole ones only where there are more."""
    text = data.slice(0, min(HEAD, data.size)).to_pybytes().decode(errors="ignore")
    return text if data.size <= HEAD or "\n" not in text else text[: text.rindex("\n") + 1]


def _layout(head: str, source: str) -> Layout:
    lines = [line for line in head.splitlines() if line.strip()]
    body = [line for line in lines if not line.lstrip().startswith("#")]
    if not body:
        raise ParseError(source, 1, "a table of scores", "only comments")
    separator = _separator(body)
    number, header = next(_rows(head, separator, source))
    if all(_is_number(field) for field in header):
        remarks = [line for line in lines[: lines.index(body[0])] if line.lstrip().startswith("#")]
        named = [_split(remarks[-1].lstrip("# \t"), separator)] if remarks else []
        if not named or len(named[0]) != len(header):
            expected, found = "a first line with names", f"numbers only ({', '.join(header[:3])})"
            raise ParseError(source, number, expected, found, "write the columns' names above the numbers")
        header, number = named[0], 0
    return Layout(separator, header, number)


def _separator(lines: Sequence[str]) -> str:
    """Return the separator by which most lines have as many fields as the first one, and that many."""
    best, most = ",", (0.0, 0)
    for separator in SEPARATORS:
        counts = [len(_split(line, separator)) for line in lines[:200]]
        alike = sum(count == counts[0] for count in counts) / len(counts)
        if counts[0] > 1 and (alike, counts[0]) > most and (separator != " " or most[1] < 2):
            best, most = separator, (alike, counts[0])
    return best


def _split(line: str, separator: str) -> list[str]:
    if separator == " ":
        line = re.sub(r"[ \t]+", " ", re.sub(r"\s*(±|\+/-)\s*|\s+(?=\()", r"\1", line.strip()))
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return [line]


def _is_number(field: str) -> bool:
    cell = parse_cell(field)
    return cell is not None and cell.value == cell.value


def _rows(text: str, separator: str, source: str) -> Rows:
    """Yield the lines that are no comments and not blank, with the numbers of their last lines."""
    if separator == " ":
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip() and not line.lstrip().startswith("#"):
                yield number, _split(line, separator)
        return
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        for fields in reader:
            if fields and any(map(str.strip, fields)) and not fields[0].lstrip().startswith("#"):
                yield reader.line_num, fields
    except csv.Error as error:
        raise ParseError(source, reader.line_num, "fields with closed quotes", str(error)) from None


def _read_line_by_line(text: str, layout: Layout, source: str) -> Sheet:
    header = layout.header
    rows, numbers = [], []
    for number, fields in _rows(text, layout.separator, source):
        if number <= layout.line:
            continue
        rows.append(_fitted(fields, len(header), number, source))
        numbers.append(number)
    if not rows:
        raise ParseError(source, layout.line, "lines of scores below the names", "none")
    width = max(len(header), len(rows[0]))
    header = header if len(header) == width else ["", *header]
    columns = [
        Column(name, pa.array([row[place] for row in rows], pa.string())) for place, name in enumerate(header)
    ]
    return _sheet(columns, source, layout.line, lambda row: numbers[row])


def _fitted(fields: list[str], width: int, number: int, source: str) -> list[str]:
    """Return the fields of a line, without empty ones beyond the header's; as many as it has, or one more (R
    writes no name over the names of rows)."""
    while len(fields) > width and not fields[-1].strip():
        fields.pop()
    if len(fields) != width:
        remedy = "quote fields that hold the separator" if len(fields) > width else "write empty fields, too"
        raise ParseError(source, number, f"{width} fields, as in the header", f"{len(fields)}", remedy)
    return fields


def _read_at_once(data: pa.Buffer, layout: Layout, source: str) -> Sheet | None:
    """Return the table as pyarrow reads it, None where it cannot."""
    try:
        table = pyarrow.csv.read_csv(
            pa.BufferReader(data),
            read_options=pyarrow.csv.ReadOptions(skip_rows=max(layout.line - 1, 0), block_size=1 << 22),
            parse_options=pyarrow.csv.ParseOptions(delimiter=layout.separator),
            convert_options=pyarrow.csv.ConvertOptions(
                auto_dict_encode=True, auto_dict_max_cardinality=1 << 15, decimal_point=layout.decimal
            ),
        )
    except pa.ArrowInvalid:
        return None
    columns = [Column(name, array) for name, array in zip(table.column_names, table.columns, strict=True)]
    return _sheet(columns, source, layout.line, lambda row: row + 1 + layout.line)


def _sheet(columns: list[Column], source: str, line: int, line_of: Callable[[int], int]) -> Sheet:
    kept = [column for column in columns if column.name or column.kind != "empty"]
    checked_names([column.name for column in kept], source, line)
    return Sheet(source, tuple(kept), line_of, line or None)
