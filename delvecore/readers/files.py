"""Read a file under its plain name, compressed or not, as bytes or text. Any file of an archive may be
compressed and is found under its plain name. Source: DELVE manual, appendix A."""

import io
import lzma
import os
import subprocess
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from difflib import get_close_matches
from importlib import import_module
from typing import IO

from delvecore.errors import Fault, ParseError, may_pass, words_of_system
from delvecore.names import NAME
from delvecore.readers.archives.packed import archive_of, read_packed, read_packed_pieces
from delvecore.readers.regular_files import most_bytes, open_regular, read_plain, too_large

SUFFIXES = (".gz", ".Z", ".z", ".zip", ".bz2", ".xz", ".zst")
ARCHIVE = ".tar.gz/"
PIECE = 1 << 20
STREAMS = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\xfd7zXZ\x00": "lzma"}
"""The modules of Python that read compressed files, by the first bytes of these."""
ZSTANDARD = b"\x28\xb5\x2f\xfd"
DAMAGE = (EOFError, ValueError, RuntimeError)
UNFINISHED = ".delve-unfinished"
"""The mark in a directory some of whose files are new and others old: writing them was interrupted."""


def plain_name(name: str) -> str:
    """Return a file name without its compression suffix."""
    stem, suffix = os.path.splitext(name) if name.endswith(SUFFIXES) else (name, "")
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


def misnamed(directory: str, name: str) -> ParseError:
    """Return the error for a directory's entry that is left out, since what it is called is no name."""
    return ParseError(directory, None, NAME, repr(name), "rename it", kind="file")


def no_such_file(path: str) -> Fault:
    """Return the error for a path at which there is nothing, with the name in its directory that is most like
    it."""
    directory, name = os.path.split(path)
    try:
        known = os.listdir(directory or ".")
    except OSError:
        known = []
    meant = get_close_matches(name, known, n=1)
    remedy = f"is it {os.path.join(directory, meant[0])}?" if meant else "check the path"
    return Fault(path, "a file or directory", "none", remedy, is_file=True)


def unfinished(path: str) -> ParseError:
    """Return the error for a directory's mark."""
    found = "that writing them was interrupted: some may be new and others old"
    remedy = "run the command that made them again, which finishes it"
    return ParseError(path, None, "files that belong together", found, remedy, kind="file")


def read_bytes(path: str) -> bytes:
    """Return the content of an existing file, decompressed as its first bytes demand. Raises ParseError when
    it is missing, unreadable or damaged."""
    try:
        data = read_raw(path)
    except OSError as error:
        raise _unreadable(path, error) from None
    return decompress(data, path) if path.endswith(SUFFIXES) else data


def _unreadable(path: str, error: OSError) -> ParseError:
    """Return the ParseError that says what an OSError says of a file."""
    if isinstance(error, FileNotFoundError):
        return ParseError(path, None, "a file", "nothing", kind="file", passing=True)
    remedy = "check its permissions" if isinstance(error, PermissionError) else ""
    fault = "a readable file", words_of_system(error), remedy
    return ParseError(path, None, *fault, kind="file", passing=may_pass(error))


def read_pieces(path: str) -> Iterator[bytes]:
    """Yield the content of an existing file in pieces of a megabyte, for files larger than memory. Plain,
    gzip, bzip2 and xz files are never in memory as a whole. Raises as `read_bytes` does."""
    opener = _stream_opener(path)
    if opener is None:
        yield from [read_bytes(path)] if path.endswith(SUFFIXES) else _packed_pieces(path)
        return
    try:
        with open(open_regular(path), "rb") as file, opener(file) as stream:
            most = most_bytes(file.fileno())
            while piece := stream.read(PIECE):
                if file.tell() > most:
                    raise too_large(path, "more than the file has")
                yield piece
    except DAMAGE as error:
        raise _damaged(path, error) from None
    except OSError as error:
        is_damage = path.endswith(SUFFIXES) and error.errno is None
        raise (_damaged if is_damage else _unreadable)(path, error) from None
    except _foreign_errors() as error:
        raise _damaged(path, error) from None


def _packed_pieces(path: str) -> Iterator[bytes]:
    """Yield the pieces of a plain file that is not on the disk itself: in an archive, or nowhere."""
    if archive_of(path) is None:
        yield read_bytes(path)  # raises with the right words
        return
    try:
        yield from read_packed_pieces(path, PIECE)
    except OSError as error:
        raise _unreadable(path, error) from None


def _stream_opener(path: str) -> Callable[[IO[bytes]], AbstractContextManager[IO[bytes]]] | None:
    """Return the function that reads an open file piece by piece, or None where there is none."""
    if not path.endswith(SUFFIXES):
        return nullcontext if os.path.isfile(path) else None
    try:
        with open(open_regular(path), "rb") as stream:
            module = _stream_module(stream.read(6))
    except OSError:
        return None
    return import_module(module).open if module else None


def _stream_module(data: bytes) -> str | None:
    return next((module for magic, module in STREAMS.items() if data.startswith(magic)), None)


def read_raw(path: str) -> bytes:
    """Return the bytes on disk, or those in an archive. Raises as `open_regular` does."""
    if ARCHIVE in path:
        data = read_packed(path)
        if data is not None:
            return data
    return read_plain(path)


def decompress(data: bytes, path: str) -> bytes:
    """Return decompressed bytes; the method is read from the first bytes, not from the name."""
    module = _stream_module(data)
    method = next((method for magic, method in METHODS.items() if data.startswith(magic)), None)
    if module:
        method = import_module(module).decompress
    if method is None:
        remedy = "decompress it by hand"
        raise ParseError(path, None, "a compressed file", "an unknown format", remedy, kind="file")
    try:
        return method(data)
    except _foreign_errors(OSError, *DAMAGE) as error:
        raise _damaged(path, error) from None


def _damaged(path: str, error: Exception) -> ParseError:
    """Return the ParseError for a compressed file that cannot be decompressed to its end."""
    short = isinstance(error, EOFError) or "ended before the end" in str(error)
    found = "it cut short" if short else f"damage ({error})"
    return ParseError(path, None, "a whole compressed file", found, "fetch the file again", kind="file")


def _foreign_errors(*others: type[Exception]) -> tuple[type[Exception], ...]:
    """The error classes of the decompression modules, known only once one of them was needed, and others."""
    return *others, zlib.error, lzma.LZMAError, zipfile.BadZipFile


def _unzip(data: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/")]
        if len(names) != 1:
            raise ValueError(f"{len(names)} members where one was expected")
        return archive.read(names[0])


def _unzstd(data: bytes) -> bytes:
    import pyarrow  # slow to import, and few files are compressed so

    with pyarrow.CompressedInputStream(pyarrow.BufferReader(data), "zstd") as stream:
        found: bytes = stream.read()
        return found


def _uncompress(data: bytes) -> bytes:
    """LZW of Unix `compress`, which Python does not know: DELVE_UNCOMPRESS, else gzip, reads it."""
    command = os.environ.get("DELVE_UNCOMPRESS", "gzip -dc").split()
    try:
        result = subprocess.run(command, input=data, capture_output=True, check=True)
    except FileNotFoundError:
        raise ValueError(f"no program {command[0]} to read it; set DELVE_UNCOMPRESS") from None
    except subprocess.CalledProcessError as error:
        raise ValueError(error.stderr.decode(errors="replace").strip() or "it is damaged") from None
    return result.stdout


METHODS = {b"PK": _unzip, ZSTANDARD: _unzstd, b"\x1f\x9d": _uncompress, b"\x1f\x1e": _uncompress}


def text_of(data: bytes, source: str, *, first_line: int = 1) -> str:
    """Return bytes as text; ParseError names the line of the first byte that is not UTF-8. first_line: the
    number of the line with which the bytes start."""
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
