"""Text that SVG, PNG and PDF files carry on where they come from, and the checksum of the picture without it.

`delvecore.plots.pictures` writes the text. Reading it needs no library of pictures."""

import hashlib
import re
import struct
import zlib
from collections.abc import Callable
from html import unescape

from delvecore.errors import ParseError

SHOWN_DIGITS = 16
CHECKSUM = re.compile(r"^Picture: SHA-256 ([0-9a-f]{16})$", re.MULTILINE)
TextAndPicture = tuple[str, bytes]
"""Text of a picture, empty if it carries none, and the bytes of the picture without it."""
PNG_START = b"\x89PNG\r\n\x1a\n"
PDF_SUBJECT = re.compile(rb"/Subject\s*<([0-9A-Fa-f\s]*)>")
PDF_UPDATE = re.compile(rb"\n\d+ 0 obj\n<</Creator \(DELVE for the browser\)")


def checksum_line(picture: bytes) -> str:
    """Return the line that holds the checksum of a picture.

    Examples
    --------
    >>> checksum_line(b"<svg></svg>")
    'Picture: SHA-256 b12e0d83ce2357d8'
    """
    return f"Picture: SHA-256 {hashlib.sha256(picture).hexdigest()[:SHOWN_DIGITS]}"


def is_edited(text: str, picture: bytes) -> bool | None:
    """Does a picture without its text differ from the checksum in it? None if there is none."""
    found = CHECKSUM.search(text)
    return None if found is None else found[0] != checksum_line(picture)


def picture_metadata(content: bytes, source: str) -> TextAndPicture:
    """Return the text of a picture, and its bytes without the text.

    Raises ParseError for a file of no known kind, or a broken one."""
    for start, read in _KINDS:
        if content[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(start):
            return read(content, source)
    raise ParseError(source, None, "an SVG, PNG or PDF file", "other bytes", kind="file")


def _svg(content: bytes, source: str) -> TextAndPicture:
    start = content.find(b"<metadata>")
    end = content.find(b"</metadata>", start)
    if b"<svg" not in content or start < 0 or end < 0:
        return "", content
    inside = content[start + len(b"<metadata>") : end].decode("utf-8", "replace")
    return unescape(inside), content[:start] + content[end + len(b"</metadata>") :]


def _png(content: bytes, source: str) -> TextAndPicture:
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
            return text, content[:place] + content[end:]
        if name == b"IEND":
            return "", content
        place = end
    raise ParseError(source, None, "a whole PNG file", "one that ends early", "copy it again", kind="file")


def _pdf(content: bytes, source: str) -> TextAndPicture:
    found = list(PDF_SUBJECT.finditer(content))
    update = list(PDF_UPDATE.finditer(content))
    if not found:
        return "", content
    digits = re.sub(rb"\s", b"", found[-1][1]).decode()
    subject = bytes.fromhex(digits + "0" * (len(digits) % 2))
    text = subject.removeprefix(b"\xfe\xff").decode("utf-16-be", "replace")
    return text, content[: update[-1].start()] if update else content


_KINDS: tuple[tuple[bytes, Callable[[bytes, str], TextAndPicture]], ...] = (
    (PNG_START, _png),
    (b"%PDF-", _pdf),
    (b"<svg", _svg),
    (b"<?xml", _svg),
    (b"<!--", _svg),
    (b"<!DOCTYPE svg", _svg),
)
