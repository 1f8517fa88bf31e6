"""Contents of files: bytes of a path or the standard input, unpacked; texts of any encoding; JSON."""

import json
import os
import sys
from typing import Any

from delvecore.errors import ParseError, words_of_system
from delvecore.readers.files import STREAMS, decompress, no_such_file
from delvecore.readers.regular_files import no_regular_file
from delvecore.readers.text_encoding import FALLBACKS, encoding_of
from delvecore.remote.stores import content_of

STANDARD_INPUT = "-"
SAVE = "save the table as CSV, JSON, Parquet or .xlsx"


def read_bytes(path: str) -> bytes:
    """All bytes of a file, or of the standard input. ParseError."""
    if path == STANDARD_INPUT:
        return sys.stdin.buffer.read()
    try:
        if not os.path.isfile(path) and os.path.lexists(path):
            raise no_regular_file(path, os.stat(path).st_mode)
        with open(content_of(path), "rb") as file:
            return file.read()
    except FileNotFoundError:
        raise no_such_file(path) from None
    except OSError as error:
        raise ParseError(path, None, "a table of scores", words_of_system(error), kind="file") from None


def unpacked(data: bytes, source: str) -> bytes:
    """Bytes without their compression, which their first ones show. ParseError."""
    return decompress(data, source) if data.startswith(tuple(STREAMS)) else data


def decoded(data: bytes, source: str) -> str:
    """The text of a file, without a byte-order mark. ParseError for bytes of two encodings."""
    encoding = encoding_of(data)
    if encoding in FALLBACKS:  # lines with letters beyond ASCII must all be UTF-8, or none
        beyond = [(number, line) for number, line in enumerate(data.split(b"\n"), 1) if not line.isascii()]
        others = [number for number, line in beyond if "\ufffd" in line.decode(errors="replace")]
        if len(others) < len(beyond):
            found = "UTF-8 in some lines, and another encoding here"
            raise ParseError(source, others[0], "one encoding", found, "save the file as UTF-8")
    try:
        text = data.decode(encoding)
    except UnicodeError as error:
        line = data[: getattr(error, "start", 0)].count(b"\n") + 1
        expected, remedy = f"text in {encoding.upper()}, as its first bytes say", "save the file as UTF-8"
        raise ParseError(source, line, expected, "bytes of another encoding", remedy) from None
    if "\0" in text[: 1 << 16]:
        raise ParseError(source, 1, "a table of scores", "a file that is no text", SAVE)
    return text.removeprefix("\ufeff")


def load_json(path: str) -> Any:
    """What a file of JSON holds. ParseError."""
    return parsed_json(decoded(unpacked(read_bytes(path), path), path), path)


def parsed_json(text: str, source: str) -> Any:
    """What JSON holds, or a list of records where it has one a line. ParseError."""
    try:
        return _parsed(text, source, 1, "JSON", "correct it, or export it again")
    except ParseError as error:
        if not error.found.startswith("Extra data"):
            raise
    rows = []
    expected, remedy = "a JSON record a line", "correct the line"
    for number, line in enumerate(text.splitlines(), 1):
        rows.append(_parsed(line, source, number, expected, remedy) if line.strip() else {})
        if not isinstance(rows[-1], dict):
            raise ParseError(source, number, expected, repr(rows[-1])[:40], remedy)
    return [row for row in rows if row]


def _parsed(text: str, source: str, line: int, expected: str, remedy: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_record)
    except RecursionError:
        found = "values nested very deeply"
    except json.JSONDecodeError as error:
        line, found = line + error.lineno - 1, f"{error.msg}, in column {error.colno}"
    except ValueError as error:  # a number of thousands of digits, a key twice, half a character
        found = str(error).split(";")[0]
    raise ParseError(source, line, expected, found, remedy)


def _record(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object. ValueError where a key stands in it twice, or a text has half a character."""
    found = dict(pairs)
    if len(found) < len(pairs):
        again = next(key for place, (key, _) in enumerate(pairs) if key in dict(pairs[:place]))
        raise ValueError(f"the key {again!r} twice in one record")
    "".join([*found, *(value for value in found.values() if isinstance(value, str))]).encode()
    return found
