"""Write files completely or not at all, and make directories."""

import os
from collections.abc import Iterable
from typing import Self

from delvecore.errors import Fault
from delvecore.readers.files import SUFFIXES

__all__ = ["StagedFiles", "make_directory", "write_atomically"]


class StagedFiles:
    """Files that are written beside their paths first, and renamed when all of them are complete.

    Used in a `with` statement: at its end all files take their places; after an error none does. A compressed
    file that stood for the same plain name is removed, since only one may.
    """

    def __init__(self) -> None:
        self.beside: dict[str, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self._put_all()
        finally:
            for beside in self.beside.values():
                if os.path.lexists(beside):
                    os.unlink(beside)

    def write(self, path: str, data: str | bytes | Iterable[bytes]) -> None:
        """Write a file beside its path. data: text (written as UTF-8), bytes, or bytes in pieces.

        Raises DelveError where it cannot be written.
        """
        beside = os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.{os.getpid()}.part")
        self.beside[path] = beside
        data = data.encode("utf-8") if isinstance(data, str) else data
        try:
            _write(beside, [data] if isinstance(data, bytes) else data)
        except OSError as error:
            raise _not_written(path, error) from None

    def _put_all(self) -> None:
        compressed: dict[str, set[str]] = {}
        for path, beside in list(self.beside.items()):
            directory, name = os.path.split(path)
            try:
                os.replace(beside, path)
                del self.beside[path]
                if directory not in compressed:
                    compressed[directory] = _compressed_files(directory)
                for twin in compressed[directory].intersection(name + suffix for suffix in SUFFIXES):
                    os.unlink(os.path.join(directory, twin))
            except OSError as error:
                raise _not_written(path, error) from None


def write_atomically(path: str, data: str | bytes | Iterable[bytes]) -> None:
    """Write text (as UTF-8), bytes, or bytes in pieces to a path: beside it first, then renamed, so that an
    old file stays until the new one is complete. Raises DelveError."""
    with StagedFiles() as staged:
        staged.write(path, data)


def _compressed_files(directory: str) -> set[str]:
    """Return the names of the compressed files of a directory, most often none."""
    return {name for name in os.listdir(directory or ".") if name.endswith(SUFFIXES)}


def _not_written(path: str, error: OSError) -> Fault:
    return Fault(path, "to write it", reason(error), "the old file stays")


def _write(path: str, pieces: Iterable[bytes]) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    try:
        for piece in pieces:
            view = memoryview(piece)
            while view:
                view = view[os.write(descriptor, view) :]
    finally:
        os.close(descriptor)


def make_directory(path: str) -> bool:
    """Make a directory inside an existing one; return whether it is new. Raises DelveError."""
    try:
        os.mkdir(path)
    except OSError as error:
        if isinstance(error, FileExistsError) and os.path.isdir(path):
            return False
        raise Fault(path, "to make this directory", reason(error)) from None
    return True


def reason(error: OSError) -> str:
    """Return what the operating system says of an OSError, in a few words."""
    return (error.strerror or str(error)).lower()
