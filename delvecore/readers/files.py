"""Read a file under its plain name, compressed or not, as bytes or text.

Any file of an archive may be compressed and is found under its plain name. Source: DELVE manual, appendix A.
"""

import os
from collections.abc import Callable, Iterator
from typing import IO

from delvecore.errors import ParseError

__all__ = [
    "SUFFIXES",
    "find_file",
    "plain_name",
    "read_bytes",
    "read_document",
    "read_pieces",
    "read_text",
    "text_of",
]

SUFFIXES = (".gz", ".Z", ".z", ".zip", ".bz2", ".xz", ".zst")
CHUNK = 1 << 16
ARCHIVE = ".tar.gz/"
PIECE = 1 << 20


def plain_name(name: str) -> str:
    """Return a file name without its compression suffix."""
    if not name.endswith(SUFFIXES):
        return name
    stem, suffix = os.path.splitext(name)
    return stem if suffix else name


def find_file(path: str) -> str | None:
    """Return the path of the file that stands for a plain path, or None; ParseError if two do."""
    found = [path + suffix for suffix in ("", *SUFFIXES) if os.path.isfile(path + suffix)]
    if len(found) > 1:
        raise two_copies(found[0], found[1])
    return found[0] if found else None


def two_copies(first: str, second: str) -> ParseError:
    """Return the error for one file that lies in two places."""
    return ParseError(first, None, "one copy of the file", f"another at {second}", "remove one", kind="file")


def read_bytes(path: str) -> bytes:
    """Return the content of an existing file, decompressed as its first bytes demand.

    Raises ParseError when it is missing, unreadable or damaged.
    """
    try:
        data = read_raw(path)
    except OSError as error:
        raise unreadable(path, error) from None
    if path.endswith(SUFFIXES):
        return decompress(data, path)
    return data


def unreadable(path: str, error: OSError) -> ParseError:
    """Return the ParseError that says what an OSError says of a file."""
    if isinstance(error, FileNotFoundError):
        return ParseError(path, None, "a file", "nothing", kind="file")
    remedy = "check its permissions" if isinstance(error, PermissionError) else ""
    found = (error.strerror or "an error of the file system").lower()
    return ParseError(path, None, "a readable file", found, remedy, kind="file")


def read_pieces(path: str) -> Iterator[bytes]:
    """Yield the content of an existing file in pieces of a megabyte, for files larger than memory.

    Plain, gzip, bzip2 and xz files are never in memory as a whole. Raises as `read_bytes` does.
    """
    opener = _stream_opener(path)
    if opener is None:
        yield from [read_bytes(path)] if path.endswith(SUFFIXES) else _packed_pieces(path)
        return
    try:
        with opener(path, "rb") as stream:
            while piece := stream.read(PIECE):
                yield piece
    except DAMAGE as error:
        raise damaged(path, error) from None
    except OSError as error:
        raise (damaged if opener is not open and error.errno is None else unreadable)(path, error) from None
    except foreign_errors() as error:
        raise damaged(path, error) from None


def _packed_pieces(path: str) -> Iterator[bytes]:
    """Yield the pieces of a plain file that is not on the disk itself: in an archive, or nowhere."""
    from delvecore.readers.archives.packed import archive_of, read_packed_pieces

    if archive_of(path) is None:
        yield read_bytes(path)  # raises with the right words
        return
    try:
        yield from read_packed_pieces(path, PIECE)
    except OSError as error:
        raise unreadable(path, error) from None


def _stream_opener(path: str) -> Callable[[str, str], IO[bytes]] | None:
    """Return the function that opens a file for reading piece by piece, or None where there is none."""
    if not path.endswith(SUFFIXES):
        return open if os.path.isfile(path) else None
    try:
        with open(path, "rb") as stream:
            magic = stream.read(6)
    except OSError:
        return None
    for start, module in STREAMS:
        if magic.startswith(start):
            from importlib import import_module

            return import_module(module).open
    return None


STREAMS = ((b"\x1f\x8b", "gzip"), (b"BZh", "bz2"), (b"\xfd7zXZ\x00", "lzma"))
DAMAGE = (EOFError, ValueError, RuntimeError)


def read_raw(path: str) -> bytes:
    """Return the bytes on disk, in as few system calls as the size needs, or those in an archive."""
    if ARCHIVE in path and (data := _read_packed(path)) is not None:
        return data
    descriptor = os.open(path, os.O_RDONLY)
    try:
        parts = [os.read(descriptor, CHUNK)]
        while len(parts[-1]) == CHUNK or (len(parts) > 1 and parts[-1]):
            parts.append(os.read(descriptor, 1 << 20))
        return parts[0] if len(parts) == 1 else b"".join(parts)
    finally:
        os.close(descriptor)


def _read_packed(path: str) -> bytes | None:
    from delvecore.readers.archives.packed import read_packed

    return read_packed(path)


def decompress(data: bytes, path: str) -> bytes:
    """Return decompressed bytes; the method is read from the first bytes, not from the name."""
    for magic, method in METHODS:
        if data.startswith(magic):
            try:
                return method(data)
            except _any_damage() as error:
                raise damaged(path, error) from None
    raise ParseError(
        path, None, "a compressed file", "an unknown format", "decompress it by hand", kind="file"
    )


def damaged(path: str, error: Exception) -> ParseError:
    """Return the ParseError for a compressed file that cannot be decompressed to its end."""
    short = isinstance(error, EOFError) or "ended before the end" in str(error)
    found = "it cut short" if short else f"damage ({error})"
    remedy = "fetch the file again"
    return ParseError(path, None, "a whole compressed file", found, remedy, kind="file")


def _any_damage() -> tuple[type[Exception], ...]:
    return (*DAMAGE, OSError, *foreign_errors())


def foreign_errors() -> tuple[type[Exception], ...]:
    """The error classes of the decompression modules, known only once one of them was needed."""
    import lzma
    import zipfile
    import zlib

    return zlib.error, lzma.LZMAError, zipfile.BadZipFile


def _gunzip(data: bytes) -> bytes:
    import gzip

    return gzip.decompress(data)


def _bunzip(data: bytes) -> bytes:
    import bz2

    return bz2.decompress(data)


def _unxz(data: bytes) -> bytes:
    import lzma

    return lzma.decompress(data)


def _unzip(data: bytes) -> bytes:
    import io
    import zipfile

    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/")]
        if len(names) != 1:
            raise ValueError(f"{len(names)} members where one was expected")
        return archive.read(names[0])


def _unzstd(data: bytes) -> bytes:
    import pyarrow

    with pyarrow.CompressedInputStream(pyarrow.BufferReader(data), "zstd") as stream:
        return stream.read()


def _uncompress(data: bytes) -> bytes:
    """LZW of Unix `compress`, which Python does not know: DELVE_UNCOMPRESS, else gzip, reads it."""
    import subprocess

    command = os.environ.get("DELVE_UNCOMPRESS", "gzip -dc").split()
    try:
        result = subprocess.run(command, input=data, capture_output=True, check=True)
    except FileNotFoundError:
        raise ValueError(f"no program {command[0]} to read it; set DELVE_UNCOMPRESS") from None
    except subprocess.CalledProcessError as error:
        raise ValueError(error.stderr.decode(errors="replace").strip() or "it is damaged") from None
    return result.stdout


METHODS = (
    (b"\x1f\x8b", _gunzip),
    (b"BZh", _bunzip),
    (b"\xfd7zXZ\x00", _unxz),
    (b"PK", _unzip),
    (b"\x28\xb5\x2f\xfd", _unzstd),
    (b"\x1f\x9d", _uncompress),
    (b"\x1f\x1e", _uncompress),
)


def text_of(data: bytes, source: str, *, first_line: int = 1) -> str:
    """Return bytes as text; ParseError names the line of the first byte that is not UTF-8.

    first_line: the number of the line with which the bytes start.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + first_line
        found = f"byte 0x{data[error.start]:02x}"
        remedy = "convert the file to UTF-8"
        raise ParseError(source, line, "UTF-8 text", found, remedy, kind="file") from None


def read_text(path: str) -> str:
    """Return the text of an existing file, decompressed and decoded."""
    return text_of(read_bytes(path), path)


def read_document(path: str) -> str:
    """Return a documentation file's text for reading; bytes that are not UTF-8 are read as Latin-1."""
    data = read_bytes(path)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")
