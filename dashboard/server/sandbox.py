"""Read visitors' files in a process with limits of memory and time.

A harmful file affects only that process, which returns the contents. One process reads the files of all
visitors, one at a time. If a file ends the process, the next file gets a new one."""

import contextlib
import errno
import functools
import logging
import math
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent import futures
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from delvecore.errors import DelveError, Fault
from delvecore.parallel.processes import Worker, WorkerDiedError

MEGABYTES, SECONDS, WAITING = 2048, 120, 300
"""Memory (megabytes) and time (seconds) for a file; seconds that a file waits for other files."""
PAUSE, IDLE = 0.05, 10.0
"""Seconds between two calls of Notify, and seconds without a file after which the process ends."""
Notify = Callable[[], object]
Result = TypeVar("Result")
CHECK = "check the file, or tell the operator of this server"
_log = logging.getLogger("delvecore")


class _EndedError(Fault):
    """The process ended while it read a file, or had too little memory for it."""


class _CrashError(Exception):
    """An unexpected error in the reader: the kind of error, and its traceback."""


_using = threading.Lock()
_worker: Worker | None = None
_last_use = 0.0


def read_in_process(
    read: Callable[..., Result], path: str, name: str, *, notify: Notify | None = None, **how: Any
) -> Result:
    """Return read(path, name, **how), called in the process.

    read: a module-level function; name: of the file in messages; notify: called repeatedly meanwhile, and any
    error in it ends the process. Raises DelveError if the file cannot be read, needs more than MEGABYTES of
    memory or SECONDS, makes the reader fail unexpectedly, or has to wait too long for other files. The log
    has the traceback of an unexpected failure."""
    call = functools.partial(read, path, name, **how)
    with _turn(name, notify):
        is_new = _worker is None
        try:
            try:
                return _read(call, name, notify)
            except _EndedError:
                if is_new:
                    raise
                return _read(call, name, notify)  # Files read earlier may have ended it.
        except DelveError as error:
            raise DelveError(str(error).replace(path, name)) from None


@contextlib.contextmanager
def _turn(name: str, notify: Notify | None) -> Iterator[None]:
    """Wait until no other file is being read. Raises DelveError after WAITING seconds."""
    global _last_use
    end = time.monotonic() + WAITING
    while not _using.acquire(timeout=PAUSE):
        if notify:
            notify()
        if time.monotonic() > end:
            actual = f"that other files are still being read after {WAITING} seconds"
            raise Fault(name, "that the server has time to read the file", actual, "try later")
    try:
        yield
    finally:
        _last_use = time.monotonic()
        _using.release()


def end_idle() -> None:
    """End the process if no file was read for a while, to free its memory."""
    if _using.acquire(blocking=False):
        if time.monotonic() - _last_use > IDLE:
            end()
        _using.release()


def end() -> None:
    """Kill the process."""
    global _worker
    worker, _worker = _worker, None
    if worker is not None:
        worker.end()


def _read(call: Callable[[], Result], name: str, notify: Notify | None) -> Result:
    """Read a file in the process. Raises DelveError; _EndedError if the process had too little memory or
    was ended."""
    global _worker
    worker = _worker = _worker or Worker()
    with contextlib.ExitStack() as without_answer:
        without_answer.callback(end)
        future = worker.submit(_limited, call, megabytes=MEGABYTES, seconds=SECONDS)
        _wait_for(future, name, notify)
        error = future.exception()
        if isinstance(error, WorkerDiedError):
            raise _death(name, worker.signal_of_death())
        if isinstance(error, MemoryError):
            raise _ended(name, f"{MEGABYTES} MB of memory")
        without_answer.pop_all()
    if error is None or isinstance(error, DelveError):
        return future.result()
    crash = error if isinstance(error, _CrashError) else _crash(error)
    _log.error("%s: the reader failed unexpectedly\n%s", name, crash.args[1])
    actual = f"that the reader failed unexpectedly ({crash.args[0]})"
    raise Fault(name, "a file that can be read", actual, CHECK)


def _wait_for(future: Future[Result], name: str, notify: Notify | None) -> None:
    """Wait for an answer of the process, or for its end."""
    end = time.monotonic() + SECONDS
    while not futures.wait([future], PAUSE).done:
        if notify:
            notify()
        if time.monotonic() > end:
            raise _ended(name, f"{SECONDS} seconds", kind=Fault)


def _ended(name: str, limit: str, kind: type[Fault] = _EndedError) -> Fault:
    return kind(name, f"a file that can be read in {limit}", "more", "send less at once")


def _death(name: str, ended_by: signal.Signals | None) -> Fault:
    """Return the error for a file whose reading ended the process."""
    if ended_by is signal.SIGXCPU:
        return _ended(name, f"{SECONDS} seconds")
    if ended_by in (signal.SIGKILL, signal.SIGABRT):  # by the system, or by a library that cannot get memory
        return _ended(name, f"{MEGABYTES} MB of memory")
    how = ended_by.name if ended_by else "an exit"
    _log.error("%s: the process that read it was ended by %s", name, how)
    return _EndedError(name, "a file that can be read", f"that the reader was ended by {how}", CHECK)


def _crash(error: BaseException) -> _CrashError:
    return _CrashError(type(error).__name__, "".join(traceback.format_exception(error)))


def _limited(call: Callable[[], Result], *, megabytes: int, seconds: int) -> Result:
    """Read a file in the process, and set its limits. Raises MemoryError, DelveError or _CrashError.

    The thread catches any error of the reader, even one that cannot be sent to another process."""
    import resource

    resource.setrlimit(resource.RLIMIT_DATA, (megabytes << 20,) * 2)
    until = math.ceil(time.process_time()) + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (until, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    with ThreadPoolExecutor(1) as thread:
        try:
            future = thread.submit(call)
        except RuntimeError:  # no thread can be started
            raise MemoryError from None
        error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, DelveError):
        raise DelveError(str(error))
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        raise MemoryError
    raise _crash(error)
