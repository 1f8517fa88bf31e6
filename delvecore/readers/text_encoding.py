"""Layout of a text table: encoding, separator of fields, decimal sign."""

import codecs
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

BLANK = " "
FALLBACKS = ("cp1252", "latin-1")
"""Encodings of texts that are not UTF-8: that of Windows, without characters for some bytes, and Latin-1."""
_BOMS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_POINT = re.compile(r"[-+]?\d*\.\d+(?:[eE][-+]?\d+)?")
_COMMA = re.compile(r"[-+]?\d+,\d+(?:[eE][-+]?\d+)?")


def encoding_of(data: bytes | memoryview) -> str:
    """Return the encoding of a text or its beginning: that of a byte order mark, UTF-8, or one of
    FALLBACKS."""
    start = bytes(data[:4])
    for mark, encoding in _BOMS.items():
        if start.startswith(mark):
            return encoding
    if b"\0" in start:
        return "utf-16-le" if start[1:2] == b"\0" else "utf-16-be"
    return next((encoding for encoding in ("utf-8", *FALLBACKS) if _is_in(data, encoding)), FALLBACKS[-1])


def _is_in(data: bytes | memoryview, encoding: str) -> bool:
    try:
        codecs.decode(data, encoding)
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data"
    return True


def separator_of(
    rows_by: Callable[[str], Iterable[Sequence[str]]], separators: Sequence[str]
) -> tuple[str, int]:
    """Return the separator that gives the most lines the same number of fields, and this number.

    Blanks are chosen only if no other separator divides the lines. `rows_by` has the fields of the first
    lines by separator.
    """
    best, most = separators[0], (0.0, 0)
    for separator in separators:
        counts = Counter(map(len, rows_by(separator)))
        width, many = counts.most_common(1)[0] if counts else (0, 0)
        alike = (many / max(counts.total(), 1), width)
        if width > 1 and alike > most and (separator != BLANK or most[1] < 2):
            best, most = separator, alike
    return best, most[1]


def decimal_sign(rows: Iterable[Sequence[str]], separator: str) -> str:
    """Return the decimal sign: a comma only if it separates no fields and no number has a point."""
    fields = [field.strip() for row in rows for field in row]
    if separator == "," or any(map(_POINT.fullmatch, fields)):
        return "."
    return "," if any(map(_COMMA.fullmatch, fields)) else "."
