"""Tables as text: encoding, separator, comments, and the line with the names of the columns."""

import contextlib
import csv
import io
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from delvecore.errors import ParseError
from delvecore.readers.text_encoding import FALLBACKS, encoding_of, separator_of
from delvecore.score_tables.cells import MISSING, parse_cell
from delvecore.score_tables.files import Content, frame_table
from delvecore.score_tables.names import DEVIATIONS, is_metric
from delvecore.score_tables.sources import known_text, multi_header
from delvecore.score_tables.table import Table, checked_names

__all__ = ["NAMES_ABOVE", "read_text"]

SMALL = 1 << 20
"""Bytes of a file that is read line by line, so that errors have lines."""
HEAD = 1 << 16
SAMPLE, MOST_TEXTS = 20_000, 4_000
"""Rows by which a large column is judged, and different texts from which on fractions are kept as numbers."""
SEPARATORS = (",", ";", "\t", "|", " ")
BY_LINE = ("|", " ")
_RULE = re.compile(r"\|?[ |:-]*--[ |:-]*")
_OTHERS = {"<": "HTML or XML", "%pdf": "a PDF"}
_SAVE = "save the table as CSV, JSON, Parquet or .xlsx"
EMPTY = "write the names of columns, and a line for each run or dataset"
NAMES_ABOVE = "a first line with names of columns"


class Layout(NamedTuple):
    """How a text is a table. line: of the header, 0 where a comment held it."""

    separator: str
    header: list[str]
    line: int


def read_text(content: Content) -> Table:
    """The table in a text, its cells as written. ParseError with the line of what is none."""
    text = _decoded(content)
    source = content.name
    if not text[:HEAD].strip() and not text.strip():
        raise ParseError(source, None, "a table of scores", "an empty file", EMPTY)
    head = text if len(text) <= HEAD else text[: max(text.find("\n", HEAD), HEAD)]
    known = known_text(head, lambda: text, source)
    if known is not None:
        return frame_table(known, source, content.file)
    layout = _layout(head, source)
    if len(set(layout.header)) < len(layout.header):
        rows = [fields for _, fields in _rows(text, layout.separator, source, len(layout.header))]
        if all(len(fields) == len(layout.header) for fields in rows):
            below_two = multi_header(pd.DataFrame(rows, dtype=object))
            if below_two is not None:
                return frame_table(below_two, source, content.file)
    has_extra_lines = "\n#" in text or "\n\n" in text or "\n\r" in text
    if len(text) > SMALL and layout.separator not in BY_LINE and not has_extra_lines:
        is_same = text.isascii() and content.data.size == len(text)
        data, has_quotes = content.data if is_same else pa.py_buffer(text.encode()), '"' in text
        del text  # as large as all that follows
        large = _read_at_once(data, layout, content, has_quotes=has_quotes)
        if large is not None:
            return large
        text = _decoded(content)
    return _read_by_line(text, layout, content)


def _decoded(content: Content) -> str:
    """The text of a file, without a byte-order mark. ParseError for bytes of two encodings."""
    data = memoryview(content.data)
    encoding = encoding_of(data)
    try:
        text = str(data, encoding)
    except (UnicodeDecodeError, UnicodeError) as error:
        line = bytes(data[: getattr(error, "start", 0)]).count(b"\n") + 1
        expected, remedy = f"text in {encoding.upper()}, as its first bytes say", "save the file as UTF-8"
        raise ParseError(content.name, line, expected, "bytes of another encoding", remedy) from None
    if encoding in FALLBACKS:
        _check_one_encoding(bytes(data), content.name)
    if "\0" in text[:HEAD]:
        raise ParseError(content.name, 1, "a table of scores", "a file that is no text", _SAVE)
    return text.removeprefix("\ufeff")


def _check_one_encoding(data: bytes, source: str) -> None:
    """Lines with letters beyond ASCII must all be UTF-8, or none. ParseError."""
    beyond = [(number, line) for number, line in enumerate(data.split(b"\n"), 1) if not line.isascii()]
    is_utf8 = [_is_utf8(line) for _, line in beyond]
    if any(is_utf8):
        place = is_utf8.index(False)
        found = "UTF-8 in some lines, and another encoding here"
        raise ParseError(source, beyond[place][0], "one encoding", found, "save the file as UTF-8")


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _layout(head: str, source: str) -> Layout:
    start = head.lstrip("\ufeff \r\n\t").lower()
    found = next((kind for mark, kind in _OTHERS.items() if start.startswith(mark)), None)
    if found is not None:
        raise ParseError(
            source, 1, "a table of scores", found, "save the table as CSV, JSON, Parquet or .xlsx"
        )
    lines = [line for line in head.splitlines() if line.strip()]
    top = next((at for at, line in enumerate(lines) if not _is_above(line)), len(lines))
    comments, body = lines[:top], [line for line in lines[top:] if not _RULE.fullmatch(line)]
    if not body:
        raise ParseError(source, 1, "a table of scores", "only comments", EMPTY)
    separator, width = separator_of(lambda one: [_split(line, one) for line in body[:200]], SEPARATORS)
    rows = list(islice(_rows(head, separator, source, None), 100))
    if not rows:
        raise ParseError(source, 1, "a table of scores", "separators only", EMPTY)
    number, header = rows[0]
    _check_one_separator(body, separator, source, number)
    if width < 2 and len(header) < 2 and not is_metric(header[0]):
        expected = "columns separated by commas, semicolons, tabs or blanks"
        raise ParseError(
            source, number, expected, f"one column, {header[0][:40]!r}", "write the table as CSV"
        )
    if len(header) < min(width, 2):
        expected, found = f"the names of {width} columns", f"one field, {header[0][:40]!r}"
        raise ParseError(source, number, expected, found, "put a # before what stands above the names")
    if all(map(_is_number, header)) or (header[1:] and all(map(_is_fraction, header[1:]))):
        header, number = _commented_header(comments, separator, header), 0
        if not header:
            found = f"numbers ({', '.join(rows[0][1][:3])})"
            raise ParseError(
                source, rows[0][0], NAMES_ABOVE, found, "write the names of the columns above the numbers"
            )
    header = _spreads_named(header)
    later = [fields for _, fields in rows[1:]]
    if later and all(len(fields) == len(header) + 1 and fields[-1].strip() for fields in later):
        header = ["", *header]  # R writes no name over those of rows
    return Layout(separator, header, number)


def _check_one_separator(body: Sequence[str], separator: str, source: str, line: int) -> None:
    """Commas between numbers that semicolons divide are decimal signs, not separators. ParseError."""
    both = sum(bool(re.search(r"\d;\d+,\d|\d,\d+;", text)) for text in body[:200])
    if separator == "," and 2 * both >= len(body[:200]) > 0:
        found, remedy = (
            "semicolons between numbers with commas",
            "write names of columns, separated by semicolons",
        )
        raise ParseError(source, line, "one separator", found, remedy)


def _spreads_named(header: Sequence[str]) -> list[str]:
    """The header with the names of methods before marks such as `±` that stand over their spreads."""
    marks = [cell.strip().strip("()").lower() for cell in header]
    again = {mark for mark in marks if mark in DEVIATIONS and marks.count(mark) > 1} | {"±", "+/-"}
    return [
        f"{header[at - 1].strip()} std" if at and marks[at] in again and marks[at - 1] else cell
        for at, cell in enumerate(header)
    ]


def _commented_header(comments: Sequence[str], separator: str, fields: Sequence[str]) -> list[str]:
    """The names in the last comment above the numbers, as NumPy writes them; none if they do not fit."""
    names = _split(comments[-1].lstrip("# \t"), separator) if comments else []
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
    """Does a line begin with a `#` and a blank? `#2,svm` is a header with the name of a method."""
    return line.lstrip().startswith("#") and line.lstrip()[1:2] in ("", " ", "\t", "#")


def _is_above(line: str) -> bool:
    """Is this a comment above a table: with a blank after its `#`, or without any separator?"""
    return _is_comment(line) or (line.lstrip().startswith("#") and not re.search(r"[,;\t|]", line))


def _is_number(field: str) -> bool:
    cell = parse_cell(field)
    return cell is not None and cell.value == cell.value


def _is_fraction(field: str) -> bool:
    cell = parse_cell(field)
    return cell is not None and cell.value % 1 > 0


def _rows(text: str, separator: str, source: str, width: int | None) -> Iterator[tuple[int, list[str]]]:
    """The lines of a table with the numbers of their last lines: none that are blank, no comments above the
    names, and no comments below that are no row of so many fields (None: not known yet)."""
    above = True
    for number, fields in _fields(text, separator, source):
        if not any(map(str.strip, fields)):
            continue
        mark = fields[0].lstrip()
        if mark.startswith("#") and (_is_comment(mark) or len(fields) < 2 if above else len(fields) != width):
            continue
        above = False
        yield number, fields


def _fields(text: str, separator: str, source: str) -> Iterator[tuple[int, list[str]]]:
    if separator in BY_LINE:
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip() and not _RULE.fullmatch(line):
                yield number, _split(line, separator)
        return
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    last = 0
    try:
        for fields in reader:
            last = reader.line_num
            yield last, fields
    except csv.Error as error:
        expected, remedy = "fields whose quotes are closed", "write each quote in a field twice"
        raise ParseError(source, last + 1, expected, str(error), remedy) from None


def _read_by_line(text: str, layout: Layout, content: Content) -> Table:
    rows, lines, width = [], [], len(layout.header)
    for number, fields in _rows(text, layout.separator, content.name, width):
        if number > layout.line:
            rows.append(_fitted(fields, width, number, content.name))
            lines.append(number)
    if not rows:
        raise ParseError(content.name, layout.line, "lines of scores below the names", "none", EMPTY)
    frame = pd.DataFrame(rows, dtype=object)
    return _named(frame, layout, content, np.array(lines))


def _fitted(fields: list[str], width: int, number: int, source: str) -> list[str]:
    """The fields of a line, without empty ones beyond the header's. ParseError for another length."""
    while len(fields) > width and not fields[-1].strip():
        fields.pop()
    if len(fields) != width:
        remedy = "quote fields that hold the separator" if len(fields) > width else "write empty fields, too"
        raise ParseError(source, number, f"{width} fields, as in the header", f"{len(fields)}", remedy)
    return fields


def _read_at_once(data: pa.Buffer, layout: Layout, content: Content, *, has_quotes: bool) -> Table | None:
    """The table as pyarrow reads it, all cells as texts; None where it must be read line by line."""
    names = [f"{place}" for place in range(len(layout.header))]
    read = pyarrow.csv.ReadOptions(column_names=names, skip_rows=layout.line)
    parse = pyarrow.csv.ParseOptions(delimiter=layout.separator, newlines_in_values=has_quotes)
    convert = pyarrow.csv.ConvertOptions(
        column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False
    )
    try:
        table = pyarrow.csv.read_csv(
            pa.BufferReader(data), read_options=read, parse_options=parse, convert_options=convert
        )
    except pa.ArrowInvalid:
        return None
    frame = pd.DataFrame({name: _cells(column) for name, column in zip(names, table.columns, strict=True)})
    lines = None if has_quotes else np.arange(layout.line + 1, layout.line + 1 + len(frame))
    return _named(frame, layout, content, lines)


def _cells(column: pa.ChunkedArray) -> pd.Categorical | np.ndarray:
    """A column as its texts; as numbers where there are very many and they are fractions."""
    sample = column.slice(0, SAMPLE).unique()
    if len(sample) > MOST_TEXTS and all("." in text or not text for text in sample.to_pylist()):
        missing = pa.array([form for text in MISSING for form in {text, text.upper(), text.title()}])
        known = pc.if_else(pc.is_in(column, value_set=missing), None, column)
        with contextlib.suppress(pa.ArrowInvalid):
            return known.cast(pa.float64()).to_numpy()
    whole = column.dictionary_encode().combine_chunks()
    whole = whole.chunk(0) if isinstance(whole, pa.ChunkedArray) else whole
    return pd.Categorical.from_codes(whole.indices.to_numpy(), whole.dictionary.to_pandas())


def _named(frame: pd.DataFrame, layout: Layout, content: Content, lines: np.ndarray | None) -> Table:
    """The frame with the names of its columns, without nameless columns in which nothing stands."""
    kept = [
        place for place, name in enumerate(layout.header) if name.strip() or _says_more(frame.iloc[:, place])
    ]
    names = checked_names([layout.header[place] for place in kept], content.name, layout.line or None)
    frame = frame.iloc[:, kept].set_axis(names, axis=1)
    return Table(content.name, content.file, frame, lines, layout.line or None)


def _says_more(column: pd.Series) -> bool:
    """Do letters or digits stand in a column without a name, and not only marks such as `±` or an arrow?"""
    texts = column.array.categories if isinstance(column.array, pd.Categorical) else column.unique()
    return any(character.isalnum() for text in texts for character in str(text))
