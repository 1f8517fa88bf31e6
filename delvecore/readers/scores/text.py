"""Tables as text: which character separates fields, which lines are comments, where the names stand.

Large files are read by pyarrow; small ones, and those that it refuses, line by line: an error has a line."""

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.csv

from delvecore.errors import ParseError
from delvecore.readers.scores.batches.gathering import gathered
from delvecore.readers.scores.cells import MISSING, parse_cell
from delvecore.readers.scores.columns import Column, Sheet, checked_names
from delvecore.readers.scores.content import as_utf8
from delvecore.readers.scores.sources.predictions import are_predictions, predictions_sheet
from delvecore.readers.scores.words import is_metric
from delvecore.readers.sniffing import decimal_sign, separator_of

__all__ = ["NAMES_ABOVE", "beginning", "read_text_table"]

SMALL = 1 << 20
"""Bytes of a file that is read line by line."""
HEAD = 1 << 16
BLOCK = 1 << 22
PIECE = 1 << 24
MOST_WORDS = 1 << 15
"""Different texts in a column that are kept as codes."""
SEPARATORS = (",", ";", "\t", "|", " ")
BY_LINE = ("|", " ")
_RULE = re.compile(r"\|?[ |:-]*--[ |:-]*")
_COMMENTS = re.compile(rb"^[ \t]*#.*(?:\n|\Z)", re.MULTILINE)
_MISSING = [*MISSING, *{word.upper() for word in MISSING}, "NaN", "None", "Null", "Na", "<NA>", "n/A", "N/a"]
_OTHERS = {
    "<": "HTML or XML",
    "%pdf": "a PDF",
    "\\begin{": "LaTeX",
    "\\documentclass": "LaTeX",
    "@relation": "ARFF",
}
EMPTY = "write the names of columns, and a line for each run or dataset"
NAMES_ABOVE = "a first line with names of columns"
Rows = Iterator[tuple[int, list[str]]]
"""Numbers of lines, and their fields."""


class Layout(NamedTuple):
    """How a text is a table. line: of the header, 0 where a comment held it; decimal: of numbers."""

    separator: str
    header: list[str]
    line: int
    decimal: str


def read_text_table(data: pa.Buffer, source: str) -> Sheet:
    """Return the table that a text is. ParseError with the line of what is none."""
    data = as_utf8(data)
    head = beginning(data).to_pybytes().decode(errors="ignore")
    if not head.strip():
        raise ParseError(source, None, "a table of scores", "an empty file", EMPTY)
    if are_predictions(head):
        return predictions_sheet(data.to_pybytes().decode(), source)
    layout = _layout(head, source)
    if data.size > SMALL and layout.separator not in BY_LINE:
        sheet = _read_at_once(data, layout, source)
        if sheet is not None:
            return sheet
    return _read_line_by_line(data.to_pybytes().decode(), layout, source)


def beginning(data: pa.Buffer) -> pa.Buffer:
    """Return the first lines of a text as UTF-8, whole ones only where there are more."""
    text = data.slice(0, min(HEAD, data.size)).to_pybytes()
    is_whole = data.size <= HEAD or b"\n" not in text
    return as_utf8(pa.py_buffer(text if is_whole else text[: text.rindex(b"\n") + 1]))


def _layout(head: str, source: str) -> Layout:
    lines = [line for line in head.splitlines() if line.strip()]
    body = [line for line in lines if not _is_comment(line) and not _RULE.fullmatch(line)]
    if not body:
        raise ParseError(source, 1, "a table of scores", "only comments", EMPTY)
    _check_text(head, source)
    separator, width = separator_of(lambda one: [_split(line, one) for line in body[:200]], SEPARATORS)
    rows = list(islice(_rows(head, separator, source), 100))
    if not rows:
        raise ParseError(source, 1, "a table of scores", "separators only", EMPTY)
    number, header = rows[0]
    if width < 2 and len(header) < 2 and not is_metric(header[0]):
        expected = "columns separated by commas, semicolons, tabs or blanks"
        raise ParseError(
            source, number, expected, f"one column, {header[0][:40]!r}", "write the table as CSV"
        )
    if len(header) < min(width, 2):
        expected, found = f"the names of {width} columns", f"one field, {header[0][:40]!r}"
        raise ParseError(source, number, expected, found, "put a # before what stands above the names")
    if all(map(_is_number, header)) or (header[1:] and all(map(_is_fraction, header[1:]))):
        header, number = _commented_header(lines, body[0], separator, header), 0
        if not header:
            expected, found = NAMES_ABOVE, f"numbers ({', '.join(rows[0][1][:3])})"
            remedy = "write the names of the columns above the numbers"
            raise ParseError(source, rows[0][0], expected, found, remedy)
    later = [fields for _, fields in rows[1:]]
    if later and all(len(fields) == len(header) + 1 and fields[-1].strip() for fields in later):
        header = ["", *header]  # R writes no name over those of rows
    return Layout(separator, header, number, decimal_sign(later, separator))


def _check_text(head: str, source: str) -> None:
    """Is this no other kind of file? ParseError with its name."""
    start = head.lstrip("\ufeff \r\n\t").lower()
    found = next((kind for mark, kind in _OTHERS.items() if start.startswith(mark)), None)
    found = "a file that is no text" if "\0" in head else found
    found = "LaTeX" if re.search(r"\\\\\s*$", head.partition("\n")[0]) else found
    if found is not None:
        remedy = "save the table as CSV, JSON, Parquet or .xlsx"
        raise ParseError(source, 1, "a table of scores", found, remedy)


def _commented_header(lines: Sequence[str], first: str, separator: str, fields: Sequence[str]) -> list[str]:
    """Return the names in the last comment above the numbers, as numpy writes them; none if none fit."""
    remarks = [line for line in lines[: lines.index(first)] if _is_comment(line)]
    names = _split(remarks[-1].lstrip("# \t"), separator) if remarks else []
    return names if len(names) == len(fields) else []


def _split(line: str, separator: str) -> list[str]:
    if separator == " ":
        line = re.sub(r"[ \t]+", " ", re.sub(r"\s*(±|\+/-)\s*|\s+(?=\()", r"\1", line.strip()))
    if separator == "|":
        return [field.strip() for field in line.strip().removeprefix("|").removesuffix("|").split("|")]
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return [line]


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")


def _is_number(field: str) -> bool:
    cell = parse_cell(field)
    return cell is not None and cell.value == cell.value


def _is_fraction(field: str) -> bool:
    """Is this a number that is no whole one?"""
    cell = parse_cell(field)
    return cell is not None and cell.value % 1 > 0


def _rows(text: str, separator: str, source: str) -> Rows:
    """Yield the lines that are no comments and not blank, with the numbers of their last lines."""
    if separator in BY_LINE:
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip() and not _is_comment(line) and not _RULE.fullmatch(line):
                yield number, _split(line, separator)
        return
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    last = 0
    try:
        for fields in reader:
            last = reader.line_num
            if any(map(str.strip, fields)) and not _is_comment(fields[0]):
                yield reader.line_num, fields
    except csv.Error as error:
        expected, remedy = "fields whose quotes are closed", "write each quote in a field twice"
        raise ParseError(source, last + 1, expected, str(error), remedy) from None


def _read_line_by_line(text: str, layout: Layout, source: str) -> Sheet:
    rows, numbers = [], []
    for number, fields in _rows(text, layout.separator, source):
        if number > layout.line:
            rows.append(_fitted(fields, len(layout.header), number, source))
            numbers.append(number)
    if not rows:
        raise ParseError(source, layout.line, "lines of scores below the names", "none", EMPTY)
    columns = zip(*rows, strict=True)
    named = [
        Column(name, pa.array(texts, pa.string())) for name, texts in zip(layout.header, columns, strict=True)
    ]
    return _sheet(named, source, layout, numbers.__getitem__)


def _fitted(fields: list[str], width: int, number: int, source: str) -> list[str]:
    """Return the fields of a line, without empty ones beyond the header's. ParseError for another length."""
    while len(fields) > width and not fields[-1].strip():
        fields.pop()
    if len(fields) != width:
        remedy = "quote fields that hold the separator" if len(fields) > width else "write empty fields, too"
        raise ParseError(source, number, f"{width} fields, as in the header", f"{len(fields)}", remedy)
    return fields


def _read_at_once(data: pa.Buffer, layout: Layout, source: str) -> Sheet | None:
    """Return the table as pyarrow reads it, None where it cannot."""
    skipped, original = layout.line, data
    if _has_comments(data):
        data, skipped = pa.py_buffer(_COMMENTS.sub(b"", memoryview(data))), 1 if layout.line else 0
    read = pyarrow.csv.ReadOptions(column_names=layout.header, skip_rows=skipped, block_size=BLOCK)
    parse = pyarrow.csv.ParseOptions(delimiter=layout.separator)
    convert = pyarrow.csv.ConvertOptions(
        auto_dict_encode=True,
        auto_dict_max_cardinality=MOST_WORDS,
        decimal_point=layout.decimal,
        null_values=_MISSING,
    )
    options = {"read_options": read, "parse_options": parse, "convert_options": convert}
    columns = _in_batches(data, options) or _in_one_table(data, options)
    return (
        None if columns is None else _sheet(columns, source, layout, _line_finder(original, layout, source))
    )


def _in_batches(data: pa.Buffer, options: dict[str, Any]) -> list[Column] | None:
    """Return the columns, read in little memory; None where later lines are of other types than the first."""
    try:
        with pyarrow.csv.open_csv(pa.BufferReader(data), **options) as batches:
            return gathered(batches, batches.schema)
    except pa.ArrowInvalid:
        return None


def _in_one_table(data: pa.Buffer, options: dict[str, Any]) -> list[Column] | None:
    try:
        table = pyarrow.csv.read_csv(pa.BufferReader(data), **options)
    except pa.ArrowInvalid:
        return None
    return [Column(name, array) for name, array in zip(table.column_names, table.columns, strict=True)]


def _has_comments(data: pa.Buffer) -> bool:
    """Does a line start with `#`?"""
    starts = (max(at - 1, 0) for at in range(0, data.size, PIECE))
    pieces = (data.slice(at, min(PIECE + 1, data.size - at)).to_pybytes() for at in starts)
    return data.slice(0, 1).to_pybytes() == b"#" or any(b"\n#" in piece for piece in pieces)


def _line_finder(data: pa.Buffer, layout: Layout, source: str) -> Callable[[int], int]:
    """Return what finds the line of a row, by reading again up to it."""

    def find(row: int) -> int:
        lines = _rows(data.to_pybytes().decode(), layout.separator, source)
        below = (number for number, _ in lines if number > layout.line)
        return next(islice(below, row, None), layout.line)

    return find


def _sheet(columns: Sequence[Column], source: str, layout: Layout, line_of: Callable[[int], int]) -> Sheet:
    kept = [column for column in columns if column.name or column.kind != "empty"]
    checked_names([column.name for column in kept], source, layout.line or None)
    return Sheet(source, tuple(kept), line_of, layout.line or None)
