"""Storage that survives a killed process: atomic files, temporary directories, and locks that end with a
process."""

import contextlib
import errno
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Collection, Iterator

SECONDS_UNTIL_STALE = 3600
FEW = 2
"""Largest number of files that are synced one by one; more are synced by one call for all."""


def sync(paths: Collection[str]) -> None:
    """Sync the content of files, or the entries of directories, to the disk. Raises OSError."""
    if len(paths) > FEW:
        os.sync()
        return
    for path in paths:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextlib.contextmanager
def lock_directory(path: str, *, wait: bool = False) -> Iterator[bool]:
    """Lock a directory until the block ends or the process dies; return whether it could be locked.

    wait: wait until the lock is free. Returns false on a file system without locks. Raises OSError."""
    import fcntl  # absent on Windows

    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            is_locked = True
        except OSError as error:
            if error.errno == errno.EINTR:
                raise
            is_locked = False
        yield is_locked
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def scratch_directory(prefix: str, parent: str | None = None) -> Iterator[str]:
    """Provide a new directory, and remove it afterwards. Directories of killed processes are removed first.

    parent: None for the system's directory of temporary files. Raises OSError."""
    parent = tempfile.gettempdir() if parent is None else parent
    sweep(prefix, parent)
    path = tempfile.mkdtemp(prefix=f"{prefix}{os.getpid()}-", dir=parent)
    try:
        with lock_directory(path):
            yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def sweep(prefix: str, parent: str, mend: Callable[[str], None] = lambda path: None) -> None:
    """Remove the scratch directories of processes that have ended.

    mend: called with each directory first; if it raises an error, the directory is kept."""
    with contextlib.suppress(OSError), os.scandir(parent) as entries:
        left_over = [entry.path for entry in entries if entry.name.startswith(prefix)]
        for path in filter(lambda path: _is_left(path, prefix), left_over):
            with contextlib.suppress(OSError), lock_directory(path) as is_locked:
                if is_locked:
                    mend(path)
                    shutil.rmtree(path, ignore_errors=True)


def _is_left(path: str, prefix: str) -> bool:
    """Has the process of a directory ended, or is the directory so old that its process number may be
    reused?"""
    number = os.path.basename(path)[len(prefix) :].partition("-")[0]
    with contextlib.suppress(OSError):
        if os.path.islink(path) or not os.path.isdir(path):
            return False
        if time.time() - os.stat(path).st_mtime > SECONDS_UNTIL_STALE:
            return True
    return number.isdecimal() and not _lives(int(number))


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass
    return True
