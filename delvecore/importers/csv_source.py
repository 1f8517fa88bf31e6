"""CSV files of cases as sources: the layout is detected from the beginning, words are read in pieces."""

import csv
import io
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv as arrow_csv

from delvecore.errors import Fault, ParseError
from delvecore.importers.source import About, Source, SourceColumn
from delvecore.number_format.numbers import is_number
from delvecore.readers.files import SUFFIXES, plain_name, read_bytes, read_pieces
from delvecore.readers.text_encoding import BLANK, FALLBACKS, decimal_sign, encoding_of, separator_of

SAMPLE, PIECE = 1 << 18, 1 << 23
DELIMITERS = (",", ";", "\t", "|", BLANK)
COMMA = r"^([+-]?\d*),(\d+)$"
Rows = list[list[str]]


class CsvOptions(NamedTuple):
    """What is said of a CSV file; None where it is to be seen from the file. header: does it have names?"""

    delimiter: str | None = None
    encoding: str | None = None
    header: bool | None = None


AS_SEEN = CsvOptions()


class _Layout(NamedTuple):
    """How a CSV file is written. skipped: lines before the first case; decimal: the character in numbers."""

    delimiter: str
    encoding: str
    skipped: int
    names: tuple[str, ...]
    decimal: str


def csv_source(path: str, options: CsvOptions = AS_SEEN) -> Source:
    """Return a CSV file as a Source. Raises DelveError for a file that cannot be read as one."""
    layout, notices = _layout(path, options)

    def batches() -> Iterator[Sequence[pa.Array]]:
        for batch in _batches(path, layout):
            yield [_pointed(column) if layout.decimal == "," else column for column in batch.columns]

    name = os.path.splitext(plain_name(os.path.basename(path)))[0]
    columns = tuple(map(SourceColumn, layout.names))
    return Source(path, About(name), columns, batches, notices=notices)


def _pointed(words: pa.Array) -> pa.Array:
    return pc.replace_substring_regex(words, COMMA, r"\1.\2")


def _layout(path: str, options: CsvOptions) -> tuple[_Layout, tuple[str, ...]]:
    notices = []
    data = _beginning(path)
    text, encoding = _decoded(data, options.encoding)
    if encoding in FALLBACKS and not options.encoding:
        notices.append("it is not UTF-8, and was read as Latin-1 (--encoding)")
    lines = text.splitlines()
    skipped = next((place for place, line in enumerate(lines) if not line.startswith("#")), len(lines))
    text = "\n".join(lines[skipped:])
    delimiter = options.delimiter or separator_of(partial(_rows, text), DELIMITERS)[0]
    rows = _rows(text, delimiter)
    if not rows:
        raise Fault(path, "a table with a line a case", "an empty file", is_file=True)
    has_header = _is_header(rows) if options.header is None else options.header
    width = len(rows[0])
    names = tuple(rows[0]) if has_header else tuple(f"column-{place + 1}" for place in range(width))
    if not has_header and options.header is None:
        notices.append("its first line was taken for a case, not for names (--header yes)")
    decimal = decimal_sign(rows[has_header:], delimiter)
    skipped += _lines_of_names(text, delimiter) if has_header else 0
    layout = _Layout(delimiter, encoding, skipped, names, decimal)
    return layout, tuple(notices)


def _beginning(path: str) -> bytes:
    """Return the first bytes of a file, up to the end of a line."""
    data = b""
    for piece in read_pieces(path):
        data += piece
        if len(data) >= SAMPLE:
            end = data.rfind(b"\n", 0, SAMPLE)
            return data[: end if end > 0 else SAMPLE]
    return data


def _decoded(data: bytes, encoding: str | None) -> tuple[str, str]:
    """Return (text, encoding): as asked, or as the file's first bytes show."""
    found = encoding or encoding_of(data)
    try:
        return data.decode(found, errors="replace").removeprefix("\ufeff"), found
    except LookupError:
        raise Fault("--encoding", "an encoding such as utf-8 or latin-1", repr(found)) from None


def _rows(text: str, delimiter: str) -> Rows:
    """Return the fields of the first lines that are not empty."""
    if delimiter == BLANK:
        return [line.split() for line in text.splitlines()[:1000] if line.strip()]
    try:
        return [row for row in islice(csv.reader(io.StringIO(text), delimiter=delimiter), 1000) if row]
    except csv.Error:
        return []


def _is_header(rows: Rows) -> bool:
    """Is the first line of names? They are no numbers, differ, and are no values of their columns."""
    first, others = rows[0], rows[1:200]
    if any(map(is_number, filter(None, first))) or len(set(first)) < len(first):
        return False
    return not any(
        name and name in {row[place] for row in others if place < len(row)}
        for place, name in enumerate(first)
    )


def _lines_of_names(text: str, delimiter: str) -> int:
    """Return on how many lines the names stand, with empty ones above them."""
    if delimiter == BLANK:
        return next(place for place, line in enumerate(text.splitlines(), start=1) if line.strip())
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    return next(reader.line_num for row in reader if row)


def _batches(path: str, layout: _Layout) -> Iterator[pa.RecordBatch]:
    """Yield the cases of a file, every column as words. Raises ParseError for a line that is none."""
    wrong: list[arrow_csv.InvalidRow] = []

    def refuse(row: arrow_csv.InvalidRow) -> str:
        wrong.append(row)
        return "error"

    numbered = tuple(map(str, range(len(layout.names))))  # names may be there twice
    delimiter = "\t" if layout.delimiter == BLANK else layout.delimiter
    try:
        reader = arrow_csv.open_csv(
            _opened(path, layout),
            read_options=arrow_csv.ReadOptions(
                column_names=numbered,
                skip_rows=layout.skipped,
                block_size=PIECE,
                encoding=layout.encoding,
            ),
            parse_options=arrow_csv.ParseOptions(
                delimiter=delimiter, newlines_in_values=True, invalid_row_handler=refuse
            ),
            convert_options=arrow_csv.ConvertOptions(column_types=dict.fromkeys(numbered, pa.string())),
        )
        yield from reader
    except pa.ArrowInvalid as error:
        if "Empty CSV" in str(error):
            raise Fault(path, "cases below the names", "none", is_file=True) from None
        raise _fault(path, layout, wrong, str(error)) from None
    except UnicodeDecodeError as error:
        found, remedy = f"other bytes ({error.reason})", "say --encoding latin-1"
        raise ParseError(path, None, f"text in {layout.encoding}", found, remedy, kind="file") from None


def _opened(path: str, layout: _Layout) -> str | pa.NativeFile:
    """Return what Arrow reads: the path of a plain file, else a stream of its bytes."""
    if layout.delimiter == BLANK:
        lines = read_bytes(path).decode(layout.encoding, errors="replace").splitlines()
        return pa.BufferReader("\n".join("\t".join(line.split()) for line in lines).encode(layout.encoding))
    return pa.PythonFile(_Stream(lambda: read_pieces(path)), mode="r") if path.endswith(SUFFIXES) else path


class _Stream(io.RawIOBase):
    """Pieces of bytes as a file."""

    def __init__(self, pieces: Callable[[], Iterator[bytes]]) -> None:
        self._pieces, self._rest = pieces(), b""

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        while len(self._rest) < size or size < 0:
            piece = next(self._pieces, b"")
            if not piece:
                break
            self._rest += piece
        size = len(self._rest) if size < 0 else size
        found, self._rest = self._rest[:size], self._rest[size:]
        return found


def _fault(path: str, layout: _Layout, wrong: list[arrow_csv.InvalidRow], said: str) -> ParseError:
    if "UTF8" in said:
        return ParseError(path, None, "UTF-8 text", "other bytes", "say --encoding latin-1", kind="file")
    if not wrong:
        return ParseError(path, None, "a table with a line a case", said, kind="file")
    expected, found = wrong[0].expected_columns, wrong[0].actual_columns
    remedy = f"quote what holds {layout.delimiter!r}, or say --delimiter"
    line = _line_of(path, layout, expected)
    return ParseError(path, line, f"{expected} values", str(found), remedy, kind="data")


def _line_of(path: str, layout: _Layout, width: int) -> int | None:
    """Return the number of the first line with another number of values."""
    text = read_bytes(path).decode(layout.encoding, errors="replace")
    if layout.delimiter == BLANK:
        widths = ((place, len(line.split())) for place, line in enumerate(text.splitlines(), start=1))
    else:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=layout.delimiter)
        widths = ((reader.line_num, len(row)) for row in reader)
    return next((line for line, found in widths if line > layout.skipped and found not in (0, width)), None)
