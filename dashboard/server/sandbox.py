"""Read visitors' files in a process with limits of memory and time.

A harmful file affects only that process, which returns what it read. One process reads the files of all
visitors, one at a time. A file that ends it costs only itself: the next file gets a new process."""

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
from typing import Any, NamedTuple, TypeVar

from delvecore.errors import DelveError, Fault
from delvecore.parallel.processes import Worker, WorkerDiedError

MEGABYTES, SECONDS, WAITING = 2048, 120, 300
"""Memory (megabytes) and time (seconds) for a file; seconds that a file waits for other files."""
PAUSE, IDLE = 0.05, 10.0
"""Seconds between two calls of Notify, and seconds without a file after which the process ends."""
Notify = Callable[[], object]
Result = TypeVar("Result")
CHECK = "check the file, or tell who runs this server"
_log = logging.getLogger("delvecore")


class Outcome(NamedTuple):
    """Result of reading a file, or why there is none.

    Attributes
    ----------
    wrong : str
        Fault of the file, or empty.
    crash : str
        The kind of an unexpected error of the reader, and its traceback; both are empty without one.
    """

    result: Any = None
    wrong: str = ""
    crash: str = ""
    traceback: str = ""


_using = threading.Lock()
_worker: Worker | None = None
_last_use = 0.0


def read_in_process(
    read: Callable[..., Result], path: str, name: str, *, notify: Notify | None = None, **how: Any
) -> Result:
    """Return read(path, name, **how), called in the process.

    read: a function of a module; name: of the file in messages; notify: called repeatedly meanwhile, and any
    error in it ends the process. Raises DelveError if the file cannot be read, takes more than MEGABYTES of
    memory or SECONDS, makes the reader fail unexpectedly, or has no room next to files of others. The log has
    the traceback of an unexpected failure."""
    call = functools.partial(read, path, name, **how)
    with _turn(name, notify):
        is_new = _worker is None
        try:
            outcome = _outcome(call, name, notify)
        except _EndedError:
            if is_new:
                raise
            outcome = _outcome(call, name, notify)  # Files read earlier may have ended it.
    if outcome.crash:
        _log.error("%s: the reader failed unexpectedly\n%s", name, outcome.traceback)
        actual = f"that the reader failed on it unexpectedly ({outcome.crash})"
        raise Fault(name, "a file that can be read", actual, CHECK)
    if outcome.wrong:
        raise DelveError(outcome.wrong.replace(path, name))
    result: Result = outcome.result
    return result


@contextlib.contextmanager
def _turn(name: str, notify: Notify | None) -> Iterator[None]:
    """Wait until no other file is read. Raises DelveError after WAITING seconds."""
    global _last_use
    end = time.monotonic() + WAITING
    while not _using.acquire(timeout=PAUSE):
        if notify:
            notify()
        if time.monotonic() > end:
            actual = f"that files of others are read for {WAITING} seconds"
            raise Fault(name, "that the server has time to read it", actual, "try later")
    try:
        yield
    finally:
        _last_use = time.monotonic()
        _using.release()


def end_idle() -> None:
    """End the process if no file was read for a while, so that it takes no memory."""
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


def _outcome(call: Callable[[], Any], name: str, notify: Notify | None) -> Outcome:
    """Read a file in the process. Raises Fault, _EndedError if the process had too little memory or was
    ended."""
    global _worker
    worker = _worker = _worker or Worker()
    with contextlib.ExitStack() as without_answer:
        without_answer.callback(end)
        future = worker.submit(_limited, call, megabytes=MEGABYTES, seconds=SECONDS)
        _wait_for(future, name, notify)
        error = future.exception()
        if error is None:
            without_answer.pop_all()
            return future.result()
        if isinstance(error, WorkerDiedError):
            raise _death(name, worker.signal_of_death())
        if isinstance(error, MemoryError):
            raise _too_large(name)
        return _crash(error)


def _wait_for(future: "Future[Outcome]", name: str, notify: Notify | None) -> None:
    """Wait for an answer, or for the end of the process."""
    end = time.monotonic() + SECONDS
    while not futures.wait([future], PAUSE).done:
        if notify:
            notify()
        if time.monotonic() > end:
            raise Fault(name, f"what can be read in {SECONDS} seconds", "more", "send less at once")


class _EndedError(Fault):
    """The process ended on a file, or had too little memory for it."""


def _too_large(name: str) -> _EndedError:
    return _EndedError(name, f"what can be read in {MEGABYTES} MB of memory", "more", "send less at once")


def _death(name: str, ended_by: signal.Signals | None) -> _EndedError:
    """Return the fault of a file that the end of the process implies."""
    if ended_by is signal.SIGXCPU:
        return _EndedError(name, f"what can be read in {SECONDS} seconds", "more", "send less at once")
    if ended_by in (signal.SIGKILL, signal.SIGABRT):  # by the system, or by a library that gets no memory
        return _too_large(name)
    how = ended_by.name if ended_by else "an exit"
    _log.error("%s: the process that read it was ended by %s", name, how)
    return _EndedError(name, "a file that can be read", f"that the reader was ended by {how}", CHECK)


def _crash(error: BaseException) -> Outcome:
    return Outcome(crash=type(error).__name__, traceback="".join(traceback.format_exception(error)))


def _limited(call: Callable[[], Any], *, megabytes: int, seconds: int) -> Outcome:
    """Read a file in the process, which has these limits from now on. Raises MemoryError.

    The thread keeps any error of the reader, also one that cannot be sent to another process."""
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
        return Outcome(future.result())
    if isinstance(error, DelveError):
        return Outcome(wrong=str(error))
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        raise MemoryError
    return _crash(error)
