"""ARFF files of cases, dense and sparse: the format of Weka and OpenML, read as words line by line.

Source: the description of ARFF in the manual of Weka, "ARFF Format"."""

import os
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import pyarrow as pa

from delvecore.errors import ParseError
from delvecore.importers.source import About, Declared, Source, SourceColumn
from delvecore.readers.files import plain_name, read_pieces

ROWS = 1 << 14
VALUE = re.compile(r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|((?:[^,'"][^,]*?)?))\s*(?:,|$)""")
ESCAPE = re.compile(r"\\(.)")
NUMERIC = {"numeric": "number", "real": "number", "integer": "number"}
KINDS = {**NUMERIC, "string": "text", "date": "date"}
MISSING = "?"
Lines = Iterator[tuple[int, str]]


class _Header(NamedTuple):
    """What stands above the data: names, kinds, comments, and the number of the last line."""

    relation: str
    columns: tuple[SourceColumn, ...]
    comments: str
    end: int


def arff_source(path: str) -> Source:
    """Return an ARFF file as a Source. Raises ParseError for a line that is none of the format."""
    header = _header(path)
    fallbacks = [_at_zero(column.declared) for column in header.columns]

    def batches() -> Iterator[Sequence[pa.Array]]:
        lines = (
            (number, line) for number, line in islice(_lines(path), header.end, None) if not _is_comment(line)
        )
        while block := [_values(line, fallbacks, (path, number)) for number, line in islice(lines, ROWS)]:
            yield [pa.array(column, type=pa.string()) for column in zip(*block, strict=True)]

    name = os.path.splitext(plain_name(os.path.basename(path)))[0]
    about = About(name, title=header.relation, text=header.comments)
    return Source(path, about, header.columns, batches)


def _at_zero(declared: Declared | None) -> str:
    """Return the value of a column that a sparse case leaves out: zero, or the first category."""
    return declared.values[0] if declared and declared.values else "0"


def _lines(path: str) -> Lines:
    """Yield (number, line) of a file, which may be compressed; bytes that are no UTF-8 are read as
    Latin-1."""
    rest, number = b"", 0
    for piece in read_pieces(path):
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            number += 1
            yield number, _text(line)
    if rest:
        yield number + 1, _text(rest)


def _text(line: bytes) -> str:
    try:
        return line.decode().strip("\r")
    except UnicodeDecodeError:
        return line.decode("latin-1").strip("\r")


def _is_comment(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("%")


def _header(path: str) -> _Header:
    relation, columns, comments = "", list[SourceColumn](), list[str]()
    for number, line in _lines(path):
        if _is_comment(line):
            comments.append(line.lstrip().removeprefix("%").rstrip())
            continue
        word, _, more = line.strip().partition(" ") if "\t" not in line else line.strip().partition("\t")
        if word.lower() == "@relation":
            relation = _unquoted(more)
        elif word.lower() == "@attribute":
            columns.append(_attribute(more.strip(), (path, number)))
        elif word.lower() == "@data" and columns:
            return _Header(relation, tuple(columns), "\n".join(comments).strip(), number)
        else:
            expected = "@relation, @attribute or, behind attributes, @data"
            raise ParseError(path, number, expected, repr(line[:60]))
    raise ParseError(path, None, "a line @data", "none", "check that it is an ARFF file")


def _attribute(text: str, place: tuple[str, int]) -> SourceColumn:
    """Return the column of `NAME KIND`, the kind a word or `{a, b}`."""
    found = re.match(r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s{]+)\s*(.+)$""", text)
    if not found:
        raise ParseError(*place, "@attribute NAME KIND", repr(text[:60]))
    name, kind = _unquoted(found[1]), found[2].strip()
    if kind.startswith("{") and kind.endswith("}"):
        values = (value for value in split_values(kind[1:-1], place) if value is not None)
        return SourceColumn(name, Declared("category", tuple(dict.fromkeys(values))))
    word = kind.split()[0].lower()
    if word not in KINDS:
        expected = "the kind of an attribute: numeric, real, integer, string, date or {a, b}"
        raise ParseError(*place, expected, repr(word), "leave the attribute out of the file")
    return SourceColumn(name, Declared(KINDS[word]))


def _unquoted(text: str) -> str:
    text = text.strip()
    is_quoted = len(text) > 1 and text[0] in "'\"" and text[-1] == text[0]
    return ESCAPE.sub(r"\1", text[1:-1]) if is_quoted else text


def split_values(text: str, place: tuple[str, int]) -> list[str | None]:
    """Return the values of a line, unquoted; None for `?` without quotes. Raises ParseError."""
    if "'" not in text and '"' not in text:
        plain = [word.strip() for word in text.split(",")]
        return [None if word == MISSING else word for word in plain]
    found: list[str | None] = []
    position = 0
    while position < len(text) or text[:position].rstrip().endswith(","):
        match = VALUE.match(text, position)
        if not match:
            raise ParseError(*place, "values with commas between", repr(text[position : position + 40]))
        single, double, bare = match.groups()
        quoted = single if single is not None else double
        found.append(ESCAPE.sub(r"\1", quoted) if quoted is not None else None if bare == MISSING else bare)
        if position == match.end():
            break
        position = match.end()
    return found


def _values(line: str, fallbacks: Sequence[str], place: tuple[str, int]) -> list[str | None]:
    """Return the values of one case, a weight behind it left out."""
    text = line.strip()
    if text.startswith("{"):
        return _sparse(text[1 : text.find("}") if "}" in text else None], fallbacks, place)
    if text.endswith("}"):
        text = text[: text.rfind("{")].rstrip().removesuffix(",")
    values = split_values(text, place)
    if len(values) != len(fallbacks):
        remedy = "quote values that hold commas"
        raise ParseError(*place, f"{len(fallbacks)} values", str(len(values)), remedy)
    return values


def _sparse(text: str, fallbacks: Sequence[str], place: tuple[str, int]) -> list[str | None]:
    values: list[str | None] = list(fallbacks)
    for part in re.findall(r"""\s*(\d+)\s+('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^,]+)\s*(?:,|$)""", text):
        number, value = int(part[0]), part[1].strip()
        if number >= len(values):
            raise ParseError(*place, f"numbers of attributes below {len(values)}", str(number))
        values[number] = None if value == MISSING else _unquoted(value)
    return values
