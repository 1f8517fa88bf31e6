"""Read a visitor's files in a separate process with limits of memory and time, before the server reads them.

A harmful file affects only that process. One process reads all files that are sent together, until a file
ends it. It ends with the visitor, or with the server. It also reads the visitor's earlier files, as the
server will."""

import contextlib
import errno
import functools
import logging
import math
import os
import signal
import tempfile
import threading
import time
import traceback
import weakref
from collections.abc import Callable, Iterator, Sequence
from concurrent import futures
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict
from typing import Any, NamedTuple

from dashboard.server.own_files import read_own_cases
from delvecore.cache import write_checked
from delvecore.errors import DelveError, Fault
from delvecore.importers.plan import ImportOptions
from delvecore.locations import PARTS
from delvecore.parallel.processes import Worker, WorkerDiedError
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.tar_archives import Limits
from delvecore.score_tables.options import Question, ScoreOptions

MEGABYTES, SECONDS, WAITING = 2048, 120, 300
"""Memory (megabytes) and time (seconds) for a file; seconds that a file waits for other files."""
PAUSE = 0.05
Notify = Callable[[str, float], None]
Way = Callable[[str], None]
"""Reads a file, with a separate directory to write into; raises DelveError if it cannot be read."""
_log = logging.getLogger("delvecore")


class Trial(NamedTuple):
    """Result of one way to read a file.

    wrong: fault of the file, or empty; crash: the kind of an unexpected error of the reader, and its
    traceback; both are empty without one."""

    wrong: str = ""
    crash: str = ""
    traceback: str = ""


def try_file(
    read: Callable[..., None],
    path: str,
    name: str,
    parent: str,
    *,
    notify: Notify | None = None,
    reader: "Reader | None" = None,
    **how: Any,
) -> None:
    """Read a file in a separate process, with a separate directory below parent.

    read: one of the functions below; how: its options; name: of the file in messages; notify: called
    repeatedly meanwhile, and any error in it ends the process; reader: the process, None for a new one.
    Raises DelveError if a file cannot be read, takes more than MEGABYTES of memory or SECONDS, or makes the
    reader fail unexpectedly."""
    (wrong,) = _wrong([functools.partial(read, path, name, **how)], path, name, parent, notify, reader)
    if wrong:
        raise DelveError(wrong)


def try_table(
    path: str, name: str, parent: str, *, has_cases: bool, reader: "Reader", notify: Notify | None = None
) -> tuple[str, str]:
    """Read a table as scores and, if it may hold them, as cases, see `try_file`. Return the faults of the
    scores and of the cases, an empty text for none."""
    scores = functools.partial(read_scores_of, path, name, options=ScoreOptions())
    cases = [functools.partial(read_cases_of, path, name), functools.partial(read_kind_of, path, name)]
    ways = [scores, *(cases if has_cases else [])]
    no_scores, *no_cases = _wrong(ways, path, name, parent, notify, reader)
    other_ending = Fault(name, "a file whose ending is one of cases", "another")
    return no_scores, no_cases[0] if no_cases else str(other_ending)


class Reader:
    """A process that reads a visitor's files one after the other. If a file ends it, the next file gets a new
    process. A context manager: the process ends with it."""

    def __init__(self) -> None:
        self._worker: Worker | None = None

    def __enter__(self) -> "Reader":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """Kill the process."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()

    def ask(self, ways: Sequence[Way], place: str, name: str, notify: Notify | None) -> list[str]:
        """Return the fault of a file, an empty text for none, for each way to read it. place: a directory for
        it. Raises DelveError if it takes too much, makes the reader fail unexpectedly, or has no room next to
        other files; the log has the traceback of a failure."""
        with _alone(self, name, notify):
            is_new = self._worker is None
            try:
                trials = self._answer(ways, place, name, notify)
            except _EndedError:
                if is_new:
                    raise
                trials = self._answer(ways, place, name, notify)  # Files read earlier may have ended it.
        return [_checked(trial, name) for trial in trials]

    def _answer(self, ways: Sequence[Way], place: str, name: str, notify: Notify | None) -> list[Trial]:
        """Return the result of each way. Raises Fault, _EndedError if the process had too little memory or
        was ended."""
        self._worker = self._worker or Worker()
        with contextlib.ExitStack() as without_answer:
            without_answer.callback(self.end)
            future = self._worker.submit(_limited, ways, place, megabytes=MEGABYTES, seconds=SECONDS)
            _wait_for(future, name, notify)
            error = future.exception()
            if error is None:
                without_answer.pop_all()
                return future.result()
            if isinstance(error, WorkerDiedError):
                raise _death(name, self._worker.signal_of_death())
            if isinstance(error, MemoryError):
                raise _too_large(name)
            lines = "".join(traceback.format_exception(error))
            return [Trial(crash=type(error).__name__, traceback=lines)]


_using = threading.Lock()
_last: "weakref.ref[Reader] | None" = None
"""The reader with the process. The next reader ends it, so that together they take at most MEGABYTES."""


@contextlib.contextmanager
def _alone(reader: Reader, name: str, notify: Notify | None) -> Iterator[None]:
    """Give a process to one reader of all sessions. Raises DelveError after WAITING seconds."""
    global _last
    end = time.monotonic() + WAITING
    while not _using.acquire(timeout=PAUSE):
        if notify:
            notify(name, 0.0)
        if time.monotonic() > end:
            found = f"that files of others are read for {WAITING} seconds"
            raise Fault(name, "that the server has time to read it", found, "try later")
    try:
        before = None if _last is None else _last()
        if before is not None and before is not reader:
            before.end()
        _last = weakref.ref(reader)
        yield
    finally:
        _using.release()


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
    found = f"that the reader was ended by {how}"
    return _EndedError(name, "a file that can be read", found, "check the file, or tell who runs this server")


def _wrong(
    ways: Sequence[Way], path: str, name: str, parent: str, notify: Notify | None, reader: Reader | None
) -> list[str]:
    """Return the fault of a file, see `Reader.ask`, in words that a visitor may read."""
    with tempfile.TemporaryDirectory(prefix="trial-", dir=parent) as place, contextlib.ExitStack() as stack:
        answer = (reader or stack.enter_context(Reader())).ask(ways, place, name, notify)
    return [wrong.replace(place + os.sep, "").replace(path, name) for wrong in answer]


def _checked(trial: Trial, name: str) -> str:
    """Return the fault of a file. Raises Fault, and logs the traceback, if the reader failed."""
    if not trial.crash:
        return trial.wrong
    _log.error("%s: the reader failed unexpectedly\n%s", name, trial.traceback)
    found = f"that the reader failed on it unexpectedly ({trial.crash})"
    raise Fault(name, "a file that can be read", found, "check the file, or tell who runs this server")


def _wait_for(future: "Future[list[Trial]]", name: str, notify: Notify | None) -> None:
    """Wait for an answer, or for the end of the process."""
    end = time.monotonic() + SECONDS
    while not futures.wait([future], PAUSE).done:
        if notify:
            notify(name, 0.0)
        if time.monotonic() > end:
            raise Fault(name, f"what can be read in {SECONDS} seconds", "more", "send less at once")


def _limited(ways: Sequence[Way], place: str, *, megabytes: int, seconds: int) -> list[Trial]:
    """Read a file in the process, which has these limits from now on."""
    import resource

    resource.setrlimit(resource.RLIMIT_DATA, (megabytes << 20,) * 2)
    until = math.ceil(time.process_time()) + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (until, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    return [_trial(way, place) for way in ways]


def _trial(way: Way, place: str) -> Trial:
    """Read a file in one way. Raises MemoryError if there is too little memory.

    The thread keeps any error of the reader, also one that cannot be sent to another process."""
    with ThreadPoolExecutor(1) as thread:
        try:
            future = thread.submit(way, place)
        except RuntimeError:  # no thread can be started
            raise MemoryError from None
        error = future.exception()
    if error is None:
        return Trial()
    if isinstance(error, DelveError):
        return Trial(str(error))
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        raise MemoryError
    return Trial(crash=type(error).__name__, traceback="".join(traceback.format_exception(error)))


def read_archive_of(
    path: str, name: str, place: str, *, own: str, beside: Sequence[str], limits: Limits
) -> None:
    """Install an archive file in a new delve directory; check its contents and those of the session.

    own: the delve directory of earlier files; beside: further ones that it will be shown with."""
    import delvecore
    from delvecore.packaging.install import install_archives
    from delvecore.packaging.pack import review

    root = os.path.join(place, "delve-added")
    for part in PARTS:
        os.makedirs(os.path.join(root, part))
    (installed,) = install_archives([path], root, beside=[own, *beside], limits=limits, names=[name])
    delvecore.open([root, own], cache=False)
    with contextlib.suppress(DelveError):  # the page reports it
        review(Hierarchy([root, own, *beside], report=lambda fault: None), installed.part, installed.name)


def read_cases_of(
    path: str, name: str, _place: str, *, options: ImportOptions | None = None, into: str | None = None
) -> None:
    """Read a file of cases. options: None to guess; into: the delve directory that gets its dataset, None
    for none."""
    from delvecore.importers.dataset_writer import write_import

    plan = read_own_cases(path, name, options).plan
    if into:
        write_import(plan, into)


def describe_cases_of(path: str, name: str, _place: str, *, options: ImportOptions, into: str) -> None:
    """Describe a file of cases to find similar tasks. into: the file for the description."""
    from delvecore.importers.similar_tasks import describe_plan

    write_checked(into, asdict(describe_plan(read_own_cases(path, name, options).plan, name)))


def read_kind_of(path: str, name: str, _place: str) -> None:
    """Decide whether a file holds scores or cases, as the server does afterward."""
    from delvecore.score_tables.table_kind import file_kind

    file_kind(path, name=name)


def read_scores_of(path: str, name: str, _place: str, *, options: ScoreOptions) -> None:
    """Read a file of scores; an ambiguous one counts as a file of scores."""
    from delvecore.archive.scores.opening import group_of
    from delvecore.score_tables.reading import read_scores

    with contextlib.suppress(Question), open(path, "rb") as content:  # the page asks
        group_of([read_scores(content, name=name, options=options)])
