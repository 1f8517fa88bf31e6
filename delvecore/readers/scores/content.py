"""The bytes of a table: of a file, compressed or not, of an open one, or of the standard input."""

import bz2
import lzma
import os
import sys
from typing import IO, NamedTuple

import pyarrow as pa

from delvecore.errors import ParseError, words_of_system
from delvecore.readers.files import no_regular_file, no_such_file
from delvecore.readers.sniffing import encoding_of
from delvecore.stores.contents import content_of

__all__ = ["Content", "Source", "as_utf8", "plain_file", "read_content"]

Source = str | os.PathLike[str] | IO[bytes]
STANDARD_INPUT = "-"
_COMPRESSED = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
_ENDINGS = (".gz", ".bz2", ".xz", ".zst")


class Content(NamedTuple):
    """name: for errors, as it was given; file: the plain file name, without a compression's ending."""

    name: str
    file: str
    data: pa.Buffer


def read_content(source: Source, *, name: str = "") -> Content:
    """Return all bytes of a source, unpacked. name: how it is called, if not by its path. ParseError."""
    if isinstance(source, str | os.PathLike):
        path = os.fspath(source)
        shown = name or ("standard input" if path == STANDARD_INPUT else path)
        data = pa.py_buffer(sys.stdin.buffer.read()) if path == STANDARD_INPUT else _mapped(path)
    else:
        shown = name or str(getattr(source, "name", "") or "table")
        data = pa.py_buffer(source.read())
    return Content(shown, plain_file(shown), _unpacked(data, shown))


def plain_file(path: str) -> str:
    """Return the name of a file without its directory and the ending of a compression."""
    stem, ending = os.path.splitext(os.path.basename(path))
    return stem if ending.lower() in _ENDINGS else stem + ending


def _mapped(path: str) -> pa.Buffer:
    try:
        if not os.path.isfile(path) and os.path.lexists(path):
            raise no_regular_file(path, os.stat(path).st_mode)
        content = content_of(path)
        if os.path.getsize(content) == 0:
            return pa.py_buffer(b"")
        with pa.memory_map(content) as file:
            return file.read_buffer()
    except FileNotFoundError:
        raise no_such_file(path) from None
    except OSError as error:
        raise ParseError(path, None, "a table of scores", words_of_system(error), kind="file") from None


def _unpacked(data: pa.Buffer, name: str) -> pa.Buffer:
    start = data.slice(0, min(data.size, 8)).to_pybytes()
    codec = next((codec for mark, codec in _COMPRESSED.items() if start.startswith(mark)), None)
    try:
        if codec is None:
            return data
        if codec == "xz":
            return pa.py_buffer(lzma.decompress(data))
        if codec == "bz2":
            return pa.py_buffer(bz2.decompress(data))
        with pa.input_stream(pa.BufferReader(data), compression=codec) as stream:
            return pa.py_buffer(stream.read())
    except (OSError, EOFError, ValueError, lzma.LZMAError) as error:
        raise ParseError(
            name, None, f"a whole {codec} file", str(error), "copy it anew", kind="file"
        ) from None


def as_utf8(data: pa.Buffer) -> pa.Buffer:
    """Return a text in UTF-8, without a mark at its beginning."""
    encoding = encoding_of(memoryview(data))
    if encoding in ("utf-8", "utf-8-sig"):
        return data if encoding == "utf-8" else data.slice(3)
    return pa.py_buffer(data.to_pybytes().decode(encoding, errors="replace").encode())
