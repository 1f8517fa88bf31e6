"""New files of a delve directory, gathered beside it and then moved in: all of them or none."""

import contextlib
import fcntl
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator

from delvecore.errors import DelveError
from delvecore.writers.files import reason

__all__ = ["move_in", "staging_directory"]

PREFIX = ".delve-install-"
SECONDS_UNTIL_STALE = 60


@contextlib.contextmanager
def staging_directory(root: str) -> Iterator[str]:
    """Provide an empty directory inside a delve directory that no reader sees, and remove it afterwards.

    What a run that was killed left behind is removed first. Raises DelveError where nothing can be written.
    """
    _remove_stale(root)
    try:
        path = tempfile.mkdtemp(prefix=PREFIX, dir=root)
    except OSError as error:
        raise DelveError(f"{root}: expected to write into it, found {reason(error)}") from None
    lock = _locked(path)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        if lock is not None:
            os.close(lock)


def _locked(path: str) -> int | None:
    """Return a descriptor that holds the lock on a directory, None where another process holds it."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def _remove_stale(root: str) -> None:
    """Remove the staging directories of processes that are gone: their locks went with them."""
    with os.scandir(root) as entries:
        found = [entry.path for entry in entries if entry.name.startswith(PREFIX)]
    for path in found:
        with contextlib.suppress(OSError):
            if time.time() - os.stat(path).st_mtime > SECONDS_UNTIL_STALE and (lock := _locked(path)):
                shutil.rmtree(path, ignore_errors=True)
                os.close(lock)


def move_in(staged: str, root: str) -> None:
    """Move what lies below a staged tree to the same places below root; nothing that is there is replaced.

    A fault half-way moves everything back; an interruption waits until all is done. Raises DelveError where
    a place is taken, or leads out of root by a link.
    """
    steps = list(_steps(staged, root, os.path.realpath(root)))
    done: list[tuple[str, str]] = []
    with _uninterrupted():
        try:
            for source, target in steps:
                done.append((source, target))
                _move(source, target)
        except OSError as error:
            for source, target in reversed(done):
                _move_back(source, target)
            found = reason(error)
            raise DelveError(f"{target}: expected to move it into its place, found {found}") from None


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    signals = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _steps(source: str, target: str, home: str) -> Iterator[tuple[str, str]]:
    """Yield (from, to) of the fewest moves: whole directories where there is none yet."""
    if os.path.islink(target) and not _is_inside(os.path.realpath(target), home):
        found = f"a link to {os.path.realpath(target)}"
        raise DelveError(f"{target}: expected a place inside {home}, found {found}; unpack it there by hand")
    if not os.path.lexists(target):
        yield source, target
    elif os.path.isdir(source) and os.path.isdir(target):
        for name in sorted(os.listdir(source)):
            yield from _steps(os.path.join(source, name), os.path.join(target, name), home)
    else:
        found = "a directory" if os.path.isdir(target) else "a file"
        raise DelveError(f"{target}: expected nothing there yet, found {found}; move it away")


def _is_inside(path: str, home: str) -> bool:
    return path == home or path.startswith(home + os.sep)


def _move(source: str, target: str) -> None:
    """Rename; for a file in a way that fails where another has just appeared."""
    if os.path.isdir(source):
        os.rename(source, target)
        return
    try:
        os.link(source, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        os.rename(source, target)
    else:
        os.unlink(source)


def _move_back(source: str, target: str) -> None:
    if not os.path.lexists(source) and os.path.lexists(target):
        os.rename(target, source)
    elif os.path.isfile(source) and os.path.isfile(target) and os.path.samefile(source, target):
        os.unlink(target)
