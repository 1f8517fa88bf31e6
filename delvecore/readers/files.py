"""Read a file under its plain name, compressed or not, as bytes or text.

Any file of an archive may be compressed. Source: DELVE manual, appendix A.
"""

import bz2
import gzip
import io
import lzma
import os
import shutil
import subprocess
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from difflib import get_close_matches
from typing import IO, Any, cast

from delvecore.errors import Fault, ParseError, unreadable
from delvecore.names import NAME
from delvecore.readers.regular_files import most_bytes, open_regular, read_plain, too_large
from delvecore.readers.tar_archives import archive_of, read_packed, read_packed_pieces

SUFFIXES = (".gz", ".Z", ".z", ".zip", ".bz2", ".xz", ".zst")
ARCHIVE = ".tar.gz/"
PIECE = 1 << 20
DAMAGE = (EOFError, ValueError, RuntimeError, zlib.error, lzma.LZMAError, zipfile.BadZipFile)
UNFINISHED = ".delve-unfinished"
"""The mark in a directory where writing was interrupted: some files may be new, and others old."""


def plain_name(name: str) -> str:
    """Return a file name without its compression suffix."""
    stem, suffix = os.path.splitext(name) if name.endswith(SUFFIXES) else (name, "")
    return stem if suffix else name


def find_file(path: str) -> str | None:
    """Return the path of the file for a plain path, or None. Raises ParseError if there are two."""
    paths = [path + suffix for suffix in ("", *SUFFIXES) if os.path.isfile(path + suffix)]
    if len(paths) > 1:
        raise two_copies(paths[0], paths[1])
    return paths[0] if paths else None


def two_copies(first: str, second: str) -> ParseError:
    """Return the error for a file that exists in two places."""
    return ParseError(first, None, "one copy of the file", f"another at {second}", "remove one", kind="file")


def misnamed(directory: str, name: str) -> ParseError:
    """Return the error for an entry of a directory that is left out because its name is not allowed."""
    return ParseError(directory, None, NAME, repr(name), "rename it", kind="file")


def no_such_file(path: str) -> Fault:
    """Return the error for a path that does not exist, with the most similar name there."""
    directory, name = os.path.split(path)
    try:
        known = os.listdir(directory or ".")
    except OSError:
        known = []
    meant = get_close_matches(name, known, n=1)
    remedy = f"is it {os.path.join(directory, meant[0])}?" if meant else "check the path"
    return Fault(path, "a file or directory", "none", remedy, is_file=True)


def unfinished(path: str) -> ParseError:
    """Return the error for the mark of an interrupted write in a directory."""
    actual = "that writing them was interrupted: some may be new and others old"
    remedy = "run the command that made them again, to finish it"
    return ParseError(path, None, "files that belong together", actual, remedy, kind="file")


def read_bytes(path: str) -> bytes:
    """Return the decompressed content of an existing file. Raises ParseError if it cannot be read."""
    try:
        data = read_raw(path)
    except OSError as error:
        raise _unreadable(path, error) from None
    return decompress(data, path) if path.endswith(SUFFIXES) else data


def _unreadable(path: str, error: OSError) -> ParseError:
    """Return the ParseError for an OSError about a file."""
    if isinstance(error, FileNotFoundError):
        return ParseError(path, None, "a file", "nothing", kind="file", passing=True)
    remedy = "check its permissions" if isinstance(error, PermissionError) else ""
    return unreadable(path, "a readable file", error, remedy)


def read_pieces(path: str) -> Iterator[bytes]:
    """Yield the content of an existing file in pieces of a megabyte. Raises as `read_bytes` does."""
    if not os.path.isfile(path):  # in an archive file, or nowhere
        yield from [read_bytes(path)] if path.endswith(SUFFIXES) else _packed_pieces(path)
        return
    try:
        with open(open_regular(path), "rb") as file:
            most = most_bytes(file.fileno())
            for piece in (_unpacked if path.endswith(SUFFIXES) else _plain)(file):
                if file.tell() > most:
                    raise too_large(path, "more bytes than its stated size")
                yield piece
    except ParseError:
        raise
    except DAMAGE as error:
        raise _damaged(path, error) from None
    except OSError as error:
        is_damage = path.endswith(SUFFIXES) and error.errno is None
        raise (_damaged if is_damage else _unreadable)(path, error) from None


def _packed_pieces(path: str) -> Iterator[bytes]:
    """Yield the pieces of a plain file that is in an archive instead of on the disk. Raises ParseError if
    there is none."""
    if archive_of(path) is None:
        yield read_bytes(path)  # raises with the right words
        return
    try:
        yield from read_packed_pieces(path, PIECE)
    except OSError as error:
        raise _unreadable(path, error) from None


def read_raw(path: str) -> bytes:
    """Return the bytes on disk, or those in an archive. Raises as `open_regular` does."""
    if ARCHIVE in path:
        data = read_packed(path)
        if data is not None:
            return data
    return read_plain(path)


def decompress(data: bytes, path: str) -> bytes:
    """Return decompressed bytes; `path` is their name in messages. Raises ParseError."""
    try:
        return b"".join(_unpacked(io.BytesIO(data)))
    except (OSError, *DAMAGE) as error:
        raise _damaged(path, error) from None


def _damaged(path: str, error: Exception) -> ParseError:
    """Return the ParseError for a compressed file that cannot be decompressed to its end."""
    if isinstance(error, _UnknownFormatError):
        remedy = "decompress it by hand"
        return ParseError(path, None, "a compressed file", "an unknown format", remedy, kind="file")
    short = isinstance(error, EOFError) or "ended before the end" in str(error)
    actual = "it cut short" if short else f"damage ({error})"
    return ParseError(path, None, "a whole compressed file", actual, "fetch the file again", kind="file")


class _UnknownFormatError(ValueError):
    """A file is compressed in a format that this program cannot read."""


def _unpacked(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the pieces of a compressed file; its first bytes determine how to read it, not its name."""
    start = file.read(6)
    file.seek(0)
    opened = next((opener for magic, opener in FORMATS.items() if start.startswith(magic)), None)
    if opened is None:
        raise _UnknownFormatError
    with opened(file) as stream:
        yield from _plain(stream)


def _plain(stream: IO[bytes]) -> Iterator[bytes]:
    return iter(lambda: stream.read(PIECE), b"")


def _unzstd(file: IO[bytes]) -> AbstractContextManager[IO[bytes]]:
    import pyarrow  # slow to import, and few files are compressed so

    stream: AbstractContextManager[IO[bytes]] = pyarrow.CompressedInputStream(
        pyarrow.PythonFile(file, mode="r"), "zstd"
    )
    return stream


@contextmanager
def _unzip(file: IO[bytes]) -> Iterator[IO[bytes]]:
    with zipfile.ZipFile(file) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/")]
        if len(names) != 1:
            raise ValueError(f"{len(names)} members where one was expected")
        with archive.open(names[0]) as stream:
            yield stream


@contextmanager
def _uncompress(file: IO[bytes]) -> Iterator[IO[bytes]]:
    """Decompress LZW of Unix `compress`, which Python lacks, by DELVE_UNCOMPRESS or gzip."""
    command = os.environ.get("DELVE_UNCOMPRESS", "gzip -dc").split()
    with tempfile.TemporaryFile() as packed, tempfile.TemporaryFile() as errors:
        shutil.copyfileobj(file, packed)
        packed.seek(0)
        try:
            program = subprocess.Popen(command, stdin=packed, stdout=subprocess.PIPE, stderr=errors)
        except FileNotFoundError:
            raise ValueError(f"no program {command[0]} to read it; set DELVE_UNCOMPRESS") from None
        with program:
            try:
                yield cast(IO[bytes], program.stdout)
                if program.wait():
                    errors.seek(0)
                    raise ValueError(errors.read().decode(errors="replace").strip() or "it is damaged")
            finally:
                program.kill()


STREAMS: dict[bytes, Any] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\x00": lzma.open,
    b"\x28\xb5\x2f\xfd": _unzstd,
}
"""How compressed files are opened, by their first bytes."""
FORMATS = {**STREAMS, b"PK": _unzip, b"\x1f\x9d": _uncompress, b"\x1f\x1e": _uncompress}


def text_of(data: bytes, source: str, *, first_line: int = 1) -> str:
    """Return bytes, which begin with first_line, as text; ParseError names the line that is not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + first_line
        actual = f"byte 0x{data[error.start]:02x}"
        remedy = "convert the file to UTF-8"
        raise ParseError(source, line, "UTF-8 text", actual, remedy, kind="file") from None


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
