"""Text that SVG, PNG and PDF files carry on where they come from, and the checksum of the picture without it.

`delvecore.plots.pictures` writes the text. Reading it needs no library of pictures."""

import hashlib
import re
import struct
import zlib
from collections.abc import Callable
from html import unescape
from typing import NamedTuple

from delvecore.errors import ParseError

SHOWN_DIGITS = 16
CHECKSUM = re.compile(r"^Picture: SHA-256 ([0-9a-f]{16})$", re.MULTILINE)
SVG_METADATA = re.compile(rb"<(?:[\w-]{1,40}:)?metadata(?:\s[^<>]{0,1000})?>")
SVG_METADATA_END = re.compile(rb"</(?:[\w-]{1,40}:)?metadata\s*>")
PNG_START = b"\x89PNG\r\n\x1a\n"
PDF_SUBJECT = re.compile(rb"/Subject\s*<([0-9A-Fa-f\s]*)>")
PDF_UPDATE = re.compile(rb"\n\d+ 0 obj\n<</Creator \(DELVE for the browser\)")


class PictureMetadata(NamedTuple):
    """Text in the metadata of a picture.

    Attributes
    ----------
    text : str
        Text, empty if the picture has none.
    picture : bytes
        Bytes of the picture without the text.
    """

    text: str
    picture: bytes

    @property
    def is_edited(self) -> bool | None:
        """Does the picture differ from its checksum? None if it carries none."""
        match = CHECKSUM.search(self.text)
        return None if match is None else match[0] != checksum_line(self.picture)


def checksum_line(picture: bytes) -> str:
    """Return the line that holds the checksum of a picture.

    Examples
    --------
    >>> checksum_line(b"<svg></svg>")
    'Picture: SHA-256 b12e0d83ce2357d8'
    """
    return f"Picture: SHA-256 {hashlib.sha256(picture).hexdigest()[:SHOWN_DIGITS]}"


def picture_metadata(content: bytes, source: str) -> PictureMetadata:
    """Return the text of a picture. Raises ParseError for a file of no known kind, or a broken one."""
    for start, read in _KINDS:
        if content[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(start):
            return read(content, source)
    raise ParseError(source, None, "an SVG, PNG or PDF file", "other bytes", kind="file")


def _svg(content: bytes, source: str) -> PictureMetadata:
    """Editors such as Inkscape give the element attributes and a prefix when they save a file again."""
    start = SVG_METADATA.search(content)
    end = SVG_METADATA_END.search(content, start.end()) if start else None
    if start is None or end is None:
        return PictureMetadata("", content)
    inside = content[start.end() : end.start()].decode("utf-8", "replace")
    return PictureMetadata(unescape(inside), content[: start.start()] + content[end.end() :])


def _png(content: bytes, source: str) -> PictureMetadata:
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
            text = data.split(b"\0", 5)[-1].decode("utf-8", "replace")
            return PictureMetadata(text, content[:place] + content[end:])
        if name == b"IEND":
            return PictureMetadata("", content)
        place = end
    raise ParseError(source, None, "a whole PNG file", "one that ends early", "copy it again", kind="file")


def _pdf(content: bytes, source: str) -> PictureMetadata:
    matches = list(PDF_SUBJECT.finditer(content))
    update = list(PDF_UPDATE.finditer(content))
    if not matches:
        return PictureMetadata("", content)
    digits = re.sub(rb"\s", b"", matches[-1][1]).decode()
    subject = bytes.fromhex(digits + "0" * (len(digits) % 2))
    text = subject.removeprefix(b"\xfe\xff").decode("utf-16-be", "replace")
    return PictureMetadata(text, content[: update[-1].start()] if update else content)


_KINDS: tuple[tuple[bytes, Callable[[bytes, str], PictureMetadata]], ...] = (
    (PNG_START, _png),
    (b"%PDF-", _pdf),
    (b"<svg", _svg),
    (b"<?xml", _svg),
    (b"<!--", _svg),
    (b"<!DOCTYPE svg", _svg),
)
