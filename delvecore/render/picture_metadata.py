"""Provenance that SVG, PNG and PDF files carry as text, and the checksum of the picture without the text.

`delvecore.plots.pictures` writes the text. Reading it needs no image library."""

import hashlib
import re
import struct
import zlib
from collections.abc import Callable
from html import unescape

from delvecore.errors import ParseError

SHOWN_DIGITS = 16
CHECKSUM = re.compile(r"^Picture: SHA-256 ([0-9a-f]{16})$", re.MULTILINE)
SVG_METADATA = re.compile(rb"<(?:[\w-]{1,40}:)?metadata(?:\s[^<>]{0,1000})?>")
SVG_METADATA_END = re.compile(rb"</(?:[\w-]{1,40}:)?metadata\s*>")
PNG_START = b"\x89PNG\r\n\x1a\n"
PDF_SUBJECT = re.compile(rb"/Subject\s*<([0-9A-Fa-f\s]*)>")
PDF_UPDATE = re.compile(rb"\n\d+ 0 obj\n<</Creator \(DELVE for the browser\)")


def checksum_line(picture: bytes) -> str:
    """Return the line with the checksum of a picture.

    Examples
    --------
    >>> checksum_line(b"<svg></svg>")
    'Picture: SHA-256 b12e0d83ce2357d8'
    """
    return f"Picture: SHA-256 {hashlib.sha256(picture).hexdigest()[:SHOWN_DIGITS]}"


def picture_metadata(content: bytes, source: str) -> tuple[str, bool | None]:
    """Return the text in the metadata of a picture, empty if it has none, and whether the picture was edited.

    An edited picture differs from its checksum. The answer is None without a checksum. Raises ParseError for
    a file of another kind, and for a broken one."""
    for start, read in _KINDS:
        if content[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(start):
            text, picture = read(content, source)
            match = CHECKSUM.search(text)
            return text, None if match is None else match[0] != checksum_line(picture)
    raise ParseError(source, None, "an SVG, PNG or PDF file", "other bytes", kind="file")


def _svg(content: bytes, source: str) -> tuple[str, bytes]:
    """Editors such as Inkscape add attributes and a prefix to the element when they save a file again."""
    start = SVG_METADATA.search(content)
    end = SVG_METADATA_END.search(content, start.end()) if start else None
    if start is None or end is None:
        return "", content
    inside = content[start.end() : end.start()].decode("utf-8", "replace")
    return unescape(inside), content[: start.start()] + content[end.end() :]


def _png(content: bytes, source: str) -> tuple[str, bytes]:
    place = len(PNG_START)
    while place + 12 <= len(content):
        length, name = struct.unpack(">I4s", content[place : place + 8])
        end = place + 12 + length
        if end > len(content):
            break
        data = content[place + 8 : end - 4]
        if name == b"iTXt" and data.startswith(b"Description\0\0\0"):
            if zlib.crc32(name + data) != struct.unpack(">I", content[end - 4 : end])[0]:
                raise ParseError(source, None, "a description with its checksum", "another", kind="file")
            return data.split(b"\0", 5)[-1].decode("utf-8", "replace"), content[:place] + content[end:]
        if name == b"IEND":
            return "", content
        place = end
    raise ParseError(source, None, "a whole PNG file", "one that ends early", "copy it again", kind="file")


def _pdf(content: bytes, source: str) -> tuple[str, bytes]:
    matches = list(PDF_SUBJECT.finditer(content))
    update = list(PDF_UPDATE.finditer(content))
    if not matches:
        return "", content
    digits = re.sub(rb"\s", b"", matches[-1][1]).decode()
    subject = bytes.fromhex(digits + "0" * (len(digits) % 2))
    text = subject.removeprefix(b"\xfe\xff").decode("utf-16-be", "replace")
    return text, content[: update[-1].start()] if update else content


_KINDS: tuple[tuple[bytes, Callable[[bytes, str], tuple[str, bytes]]], ...] = (
    (PNG_START, _png),
    (b"%PDF-", _pdf),
    (b"<svg", _svg),
    (b"<?xml", _svg),
    (b"<!--", _svg),
    (b"<!DOCTYPE svg", _svg),
)
