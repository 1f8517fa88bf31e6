"""Write a file completely or not at all, and make directories."""

import os

from delvecore.errors import DelveError
from delvecore.readers.files import SUFFIXES

__all__ = ["make_directory", "write_atomically"]


def write_atomically(path, data):
    """Write text (as UTF-8) or bytes to a path: beside it first, then renamed, so that an old file stays
    until the new one is complete.

    A compressed file that stood for the same plain name is removed, since only one may. Raises DelveError.
    """
    beside = os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.{os.getpid()}.part")
    try:
        _write(beside, data.encode("utf-8") if isinstance(data, str) else data)
        os.replace(beside, path)
        for twin in (path + suffix for suffix in SUFFIXES):
            if os.path.isfile(twin):
                os.unlink(twin)
    except OSError as error:
        raise DelveError(f"{path}: expected to write it, found {reason(error)}; the old file stays") from None
    finally:
        if os.path.lexists(beside):
            os.unlink(beside)


def _write(path, data):
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
    finally:
        os.close(descriptor)


def make_directory(path):
    """Make a directory inside an existing one; return whether it is new. Raises DelveError."""
    try:
        os.mkdir(path)
    except OSError as error:
        if isinstance(error, FileExistsError) and os.path.isdir(path):
            return False
        raise DelveError(f"{path}: expected to make this directory, found {reason(error)}") from None
    return True


def reason(error):
    """Return what the operating system says of an OSError, in a few words."""
    return (error.strerror or str(error)).lower()
