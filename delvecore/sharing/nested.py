"""How much would a compressed file inside an archive unpack to? Read piece by piece, never as a whole."""

import os
import subprocess
import zipfile
from collections.abc import Iterator

from delvecore.errors import ParseError
from delvecore.readers.files import SUFFIXES, read_pieces

__all__ = ["unpacked_size"]

PIECE = 1 << 20
LZW = (b"\x1f\x9d", b"\x1f\x1e")
ZIP, ZSTANDARD = b"PK", b"\x28\xb5\x2f\xfd"


def unpacked_size(path: str, *, most: int) -> int:
    """Return the size of a file when unpacked: its own for a plain one, more than `most` where it is larger.

    A damaged file counts as far as it can be read: what is wrong with it is found when it is used.
    """
    if not path.endswith(SUFFIXES):
        return os.path.getsize(path)
    size = 0
    try:
        for piece in _pieces(path):
            size += len(piece)
            if size > most:
                break
    except (ParseError, OSError, EOFError, RuntimeError, ValueError, zipfile.BadZipFile):
        return size
    return size


def _pieces(path: str) -> Iterator[bytes]:
    with open(path, "rb") as file:
        magic = file.read(4)
    if magic.startswith(ZIP):
        return _of_zip(path)
    if magic.startswith(ZSTANDARD):
        return _of_zstandard(path)
    if magic.startswith(LZW):
        return _of_program(path)
    return read_pieces(path)


def _of_zip(path: str) -> Iterator[bytes]:
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            with archive.open(name) as stream:
                yield from iter(lambda: stream.read(PIECE), b"")


def _of_zstandard(path: str) -> Iterator[bytes]:
    import pyarrow

    with pyarrow.CompressedInputStream(pyarrow.OSFile(path), "zstd") as stream:
        yield from iter(lambda: stream.read(PIECE), b"")


def _of_program(path: str) -> Iterator[bytes]:
    """What Unix `compress` made: read by the program that DELVE_UNCOMPRESS names, ended when we are done."""
    command = os.environ.get("DELVE_UNCOMPRESS", "gzip -dc").split()
    with open(path, "rb") as packed:
        program = subprocess.Popen(
            command, stdin=packed, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
        )
    with program:
        try:
            while program.stdout and (piece := program.stdout.read(PIECE)):
                yield piece
        finally:
            program.kill()
