"""Files of cases as sources: CSV, ARFF and Parquet; the name of a file determines its format.

ARFF, dense and sparse, is the format of Weka and OpenML; source: the manual of Weka, "ARFF Format"."""

import csv
import io
import os
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import csv as arrow_csv

from delvecore.encoding.prototask_cases import TITLE
from delvecore.errors import Fault, ParseError
from delvecore.importers.source import ROWS, Source, SourceColumn, table_source
from delvecore.number_format.numbers import is_number
from delvecore.readers.files import SUFFIXES, plain_name, read_bytes, read_pieces
from delvecore.readers.text_encoding import BLANK, FALLBACKS, decimal_sign, encoding_of, separator_of

PARQUET, ARFF = (".parquet", ".pq"), (".arff",)


def open_source(
    path: str, *, delimiter: str | None = None, encoding: str | None = None, header: bool | None = None
) -> Source:
    """Return a file as a Source; see `csv_source` for the arguments of a CSV file. Raises DelveError."""
    path = os.path.expanduser(path)
    if not os.path.isfile(path):
        actual = "a directory" if os.path.isdir(path) else "nothing"
        raise Fault(path, "a CSV, Parquet or ARFF file", actual, "check the path", is_file=True)
    name = plain_name(path).lower()
    if name.endswith(PARQUET):
        return _parquet_source(path)
    if name.endswith(ARFF):
        return arff_source(path)
    return csv_source(path, delimiter=delimiter, encoding=encoding, header=header)


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

    return table_source(path, name, schema, batches)._replace(title=title)


SAMPLE, PIECE = 1 << 18, 1 << 23
LONGEST = 1000
"""Number of lines that determine the layout of a file."""
DELIMITERS = (",", ";", "\t", "|", BLANK)
COMMA = r"^([+-]?\d*),(\d+)$"
Rows = list[list[str]]


def csv_source(
    path: str, *, delimiter: str | None = None, encoding: str | None = None, header: bool | None = None
) -> Source:
    """Return a CSV file as a Source.

    delimiter, encoding, header (does it have names?): None to infer it from the file. Raises DelveError for a
    file that cannot be read as CSV."""
    notices = []
    text, chosen = _decoded(_beginning(path), encoding)
    if chosen in FALLBACKS and not encoding:
        notices.append("it is not UTF-8, and was read as Latin-1 (--encoding)")
    lines = text.splitlines()
    skipped = next((place for place, line in enumerate(lines) if not line.startswith("#")), len(lines))
    text = "\n".join(lines[skipped:])
    separator = delimiter or separator_of(partial(_csv_rows, text), DELIMITERS)[0]
    rows = _csv_rows(text, separator)
    if not rows:
        raise Fault(path, "a table with a line per case", "an empty file", is_file=True)
    if header is None and _counts_cases(rows):
        notices.append(
            "its first line counts cases and inputs, and is left out (--header no makes it a case)"
        )
        skipped += _lines_of_names(text, separator)
        rows = rows[1:]
        header = False
    has_header = _is_header(rows) if header is None else header
    names = rows[0] if has_header else [f"column-{place + 1}" for place in range(len(rows[0]))]
    if not has_header and header is None:
        notices.append("its first line was read as a case, not as names (--header yes)")
    decimal = decimal_sign(rows[has_header:], separator)
    skipped += _lines_of_names(text, separator) if has_header else 0

    def batches() -> Iterator[Sequence[pa.Array]]:
        for batch in _csv_batches(path, separator, chosen, skipped, len(names)):
            if decimal == ",":
                yield [pc.replace_substring_regex(words, COMMA, r"\1.\2") for words in batch.columns]
            else:
                yield batch.columns

    name = os.path.splitext(plain_name(os.path.basename(path)))[0]
    return Source(path, name, tuple(map(SourceColumn, names)), batches, notices=tuple(notices))


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
    """Return (text, encoding): the requested encoding, or the one that the file's first bytes show."""
    encoding_name = encoding or encoding_of(data)
    try:
        return data.decode(encoding_name, errors="replace").removeprefix("\ufeff"), encoding_name
    except LookupError:
        raise Fault("--encoding", "an encoding such as utf-8 or latin-1", repr(encoding_name)) from None


def _csv_rows(text: str, delimiter: str) -> Rows:
    """Return the fields of the first lines that are not empty."""
    if delimiter == BLANK:
        return [line.split() for line in text.splitlines()[:LONGEST] if line.strip()]
    try:
        return [row for row in islice(csv.reader(io.StringIO(text), delimiter=delimiter), LONGEST) if row]
    except csv.Error:
        return []


def _is_header(rows: Rows) -> bool:
    """Does the first line have distinct names that are neither numbers nor values of their columns?"""
    first, others = rows[0], rows[1:200]
    if any(map(is_number, filter(None, first))) or len(set(first)) < len(first):
        return False
    return not any(
        name and name in {row[place] for row in others if place < len(row)}
        for place, name in enumerate(first)
    )


def _counts_cases(rows: Rows) -> bool:
    """Does the first line have counts, as in scikit-learn's data: cases, inputs, and names of classes?"""
    first, others = rows[0], rows[1:]
    if len(first) < 3 or not others or not all(field.strip().isdigit() for field in first[:2]):
        return False
    has_counts = int(first[1]) == len(others[0]) - 1 and len({*map(len, others)}) == 1
    is_whole = len(rows) < LONGEST
    return (
        has_counts and not any(map(is_number, first[2:])) and (not is_whole or int(first[0]) == len(others))
    )


def _lines_of_names(text: str, delimiter: str) -> int:
    """Return the number of header lines, including empty lines above them."""
    if delimiter == BLANK:
        return next(place for place, line in enumerate(text.splitlines(), start=1) if line.strip())
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    return next(reader.line_num for row in reader if row)


def _csv_batches(
    path: str, delimiter: str, encoding: str, skipped: int, width: int
) -> Iterator[pa.RecordBatch]:
    """Yield the cases of a file as words. skipped: lines before the first case. Raises ParseError."""
    wrong: list[arrow_csv.InvalidRow] = []

    def refuse(row: arrow_csv.InvalidRow) -> str:
        wrong.append(row)
        return "error"

    numbered = tuple(map(str, range(width)))  # names may occur twice
    source: str | pa.NativeFile = path
    if delimiter == BLANK:
        lines = read_bytes(path).decode(encoding, errors="replace").splitlines()
        source = pa.BufferReader("\n".join("\t".join(line.split()) for line in lines).encode(encoding))
    elif path.endswith(SUFFIXES):
        source = pa.PythonFile(_Stream(lambda: read_pieces(path)), mode="r")
    try:
        yield from arrow_csv.open_csv(
            source,
            read_options=arrow_csv.ReadOptions(
                column_names=numbered, skip_rows=skipped, block_size=PIECE, encoding=encoding
            ),
            parse_options=arrow_csv.ParseOptions(
                delimiter="\t" if delimiter == BLANK else delimiter,
                newlines_in_values=True,
                invalid_row_handler=refuse,
            ),
            convert_options=arrow_csv.ConvertOptions(column_types=dict.fromkeys(numbered, pa.string())),
        )
    except pa.ArrowInvalid as error:
        if "Empty CSV" in str(error):
            raise Fault(path, "cases below the names", "none", is_file=True) from None
        if "UTF8" in str(error):
            remedy = "say --encoding latin-1"
            raise ParseError(path, None, "UTF-8 text", "other bytes", remedy, kind="file") from None
        if not wrong:
            raise ParseError(path, None, "a table with a line per case", str(error), kind="file") from None
        expected, actual = f"{wrong[0].expected_columns} values", str(wrong[0].actual_columns)
        line = _line_of(path, delimiter, encoding, skipped, wrong[0].expected_columns)
        remedy = f"quote values that contain {delimiter!r}, or say --delimiter"
        raise ParseError(path, line, expected, actual, remedy, kind="data") from None
    except UnicodeDecodeError as error:
        actual, remedy = f"other bytes ({error.reason})", "say --encoding latin-1"
        raise ParseError(path, None, f"text in {encoding}", actual, remedy, kind="file") from None


class _Stream(io.RawIOBase):
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
        block, self._rest = self._rest[:size], self._rest[size:]
        return block


def _line_of(path: str, delimiter: str, encoding: str, skipped: int, width: int) -> int | None:
    """Return the first line that has a different number of values."""
    text = read_bytes(path).decode(encoding, errors="replace")
    if delimiter == BLANK:
        widths = ((place, len(line.split())) for place, line in enumerate(text.splitlines(), start=1))
    else:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        widths = ((reader.line_num, len(row)) for row in reader)
    return next((line for line, count in widths if line > skipped and count not in (0, width)), None)


VALUE = re.compile(r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|((?:[^,'"][^,]*?)?))\s*(?:,|$)""")
ARFF_ROWS = 1 << 14
ESCAPE = re.compile(r"\\(.)")
NUMERIC = {"numeric": "number", "real": "number", "integer": "number"}
KINDS = {**NUMERIC, "string": "text", "date": "date"}
UNKNOWN = "?"
Lines = Iterator[tuple[int, str]]


def arff_source(path: str) -> Source:
    """Return an ARFF file as a Source. Raises ParseError for an invalid line."""
    title, columns, comments, end = _arff_header(path)
    # A sparse case omits zeros and the first category.
    fallbacks = [column.values[0] if column.values else "0" for column in columns]

    def batches() -> Iterator[Sequence[pa.Array]]:
        lines = (
            (number, line) for number, line in islice(_arff_lines(path), end, None) if not _is_comment(line)
        )
        while block := [
            _arff_values(line, fallbacks, (path, number)) for number, line in islice(lines, ARFF_ROWS)
        ]:
            yield [pa.array(column, type=pa.string()) for column in zip(*block, strict=True)]

    name = os.path.splitext(plain_name(os.path.basename(path)))[0]
    return Source(path, name, columns, batches, title=title, text=comments)


def _arff_lines(path: str) -> Lines:
    """Yield (number, line) of a file. Bytes that are not UTF-8 are read as Latin-1."""
    rest, number = b"", 0
    for piece in read_pieces(path):
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            number += 1
            yield number, _decoded_line(line)
    if rest:
        yield number + 1, _decoded_line(rest)


def _decoded_line(line: bytes) -> str:
    try:
        return line.decode().strip("\r")
    except UnicodeDecodeError:
        return line.decode("latin-1").strip("\r")


def _is_comment(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("%")


def _arff_header(path: str) -> tuple[str, tuple[SourceColumn, ...], str, int]:
    """Return (name of the relation, columns, comments, number of the line above the data)."""
    relation, columns, comments = "", list[SourceColumn](), list[str]()
    for number, line in _arff_lines(path):
        if _is_comment(line):
            comments.append(line.lstrip().removeprefix("%").rstrip())
            continue
        word, _, more = line.strip().partition(" ") if "\t" not in line else line.strip().partition("\t")
        if word.lower() == "@relation":
            relation = _unquoted(more)
        elif word.lower() == "@attribute":
            columns.append(_arff_attribute(more.strip(), (path, number)))
        elif word.lower() == "@data" and columns:
            return relation, tuple(columns), "\n".join(comments).strip(), number
        else:
            expected = "@relation, @attribute or, after attributes, @data"
            raise ParseError(path, number, expected, repr(line[:60]))
    raise ParseError(path, None, "a line @data", "none", "check that it is an ARFF file")


def _arff_attribute(text: str, place: tuple[str, int]) -> SourceColumn:
    """Return the column of `NAME KIND`, the kind a word or `{a, b}`."""
    match = re.match(r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s{]+)\s*(.+)$""", text)
    if not match:
        raise ParseError(*place, "@attribute NAME KIND", repr(text[:60]))
    name, kind = _unquoted(match[1]), match[2].strip()
    if kind.startswith("{") and kind.endswith("}"):
        values = (value for value in split_values(kind[1:-1], place) if value is not None)
        return SourceColumn(name, "category", tuple(dict.fromkeys(values)))
    word = kind.split()[0].lower()
    if word not in KINDS:
        expected = "the kind of an attribute: numeric, real, integer, string, date or {a, b}"
        raise ParseError(*place, expected, repr(word), "leave the attribute out of the file")
    return SourceColumn(name, KINDS[word])


def _unquoted(text: str) -> str:
    text = text.strip()
    is_quoted = len(text) > 1 and text[0] in "'\"" and text[-1] == text[0]
    return ESCAPE.sub(r"\1", text[1:-1]) if is_quoted else text


def split_values(text: str, place: tuple[str, int]) -> list[str | None]:
    """Return the values of a line, unquoted; None for `?` without quotes. Raises ParseError."""
    if "'" not in text and '"' not in text:
        plain = [word.strip() for word in text.split(",")]
        return [None if word == UNKNOWN else word for word in plain]
    values: list[str | None] = []
    position = 0
    while position < len(text) or text[:position].rstrip().endswith(","):
        match = VALUE.match(text, position)
        if not match:
            raise ParseError(*place, "values separated by commas", repr(text[position : position + 40]))
        single, double, bare = match.groups()
        quoted = single if single is not None else double
        values.append(ESCAPE.sub(r"\1", quoted) if quoted is not None else None if bare == UNKNOWN else bare)
        if position == match.end():
            break
        position = match.end()
    return values


def _arff_values(line: str, fallbacks: Sequence[str], place: tuple[str, int]) -> list[str | None]:
    """Return the values of one case, without a weight after it."""
    text = line.strip()
    if text.startswith("{"):
        return _sparse_values(text[1 : text.find("}") if "}" in text else None], fallbacks, place)
    if text.endswith("}"):
        text = text[: text.rfind("{")].rstrip().removesuffix(",")
    values = split_values(text, place)
    if len(values) != len(fallbacks):
        remedy = "quote values that contain commas"
        raise ParseError(*place, f"{len(fallbacks)} values", str(len(values)), remedy)
    return values


def _sparse_values(text: str, fallbacks: Sequence[str], place: tuple[str, int]) -> list[str | None]:
    values: list[str | None] = list(fallbacks)
    for part in re.findall(r"""\s*(\d+)\s+('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^,]+)\s*(?:,|$)""", text):
        number, value = int(part[0]), part[1].strip()
        if number >= len(values):
            raise ParseError(*place, f"attribute numbers below {len(values)}", str(number))
        values[number] = None if value == UNKNOWN else _unquoted(value)
    return values
