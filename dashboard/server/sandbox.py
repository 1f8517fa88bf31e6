"""Read what a visitor sent in a process of its own, with limits of memory and time, before the server does.

What a file does to that process it does to nobody else. Files that are sent together are read by one, until a
file ends it. It ends with the visitor, or with the server. What the visitor has sent before is read together
with it, as the server will read it."""

import contextlib
import errno
import functools
import logging
import math
import os
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from concurrent import futures
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

from dashboard.server.own_files import read_own_cases
from delvecore.errors import DelveError, Fault
from delvecore.importers.plan import ImportOptions
from delvecore.locations import PARTS
from delvecore.parallel.processes import Worker
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.tar_archives import Limits
from delvecore.score_tables.options import Question, ScoreOptions

MEGABYTES, SECONDS = 2048, 120
PAUSE = 0.05
Notify = Callable[[str, float], None]
Way = Callable[[str], None]
"""Reads a file, with a directory of its own to write into; raises DelveError for one that cannot be read."""
_log = logging.getLogger("delvecore")


class Trial(NamedTuple):
    """What came of one way to read a file.

    wrong: what is wrong with the file, an empty text for nothing; crash: the kind of an unexpected error of
    the reader, and its traceback; both are empty without one."""

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
    """Read a file in a process of its own, with a directory of its own below parent.

    read: one of the functions below; how: its options; name: what messages call the file; notify: called
    again and again meanwhile, and whatever it raises ends the process; reader: the process, None for a new
    one.
    Raises DelveError for a file that cannot be read, takes more than MEGABYTES of memory or SECONDS, or on
    which the reader fails unexpectedly."""
    (wrong,) = _wrong([functools.partial(read, path, name, **how)], path, name, parent, notify, reader)
    if wrong:
        raise DelveError(wrong)


def try_table(
    path: str, name: str, parent: str, *, has_cases: bool, reader: "Reader", notify: Notify | None = None
) -> tuple[str, str]:
    """Read a table as scores and, where it may hold them, as cases, see `try_file`. Return what is wrong with
    the scores and with the cases, an empty text for nothing."""
    scores = functools.partial(read_scores_of, path, name, options=ScoreOptions())
    cases = [functools.partial(read_cases_of, path, name), functools.partial(read_kind_of, path, name)]
    ways = [scores, *(cases if has_cases else [])]
    no_scores, *no_cases = _wrong(ways, path, name, parent, notify, reader)
    other_ending = Fault(name, "a file whose ending is one of cases", "another")
    return no_scores, no_cases[0] if no_cases else str(other_ending)


class Reader:
    """A process that reads what a visitor sends, one file after the other; the file after one that ended it
    has a new one. A context manager: the process ends with it."""

    def __init__(self) -> None:
        self._worker: Worker | None = None

    def __enter__(self) -> "Reader":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """End the process, whatever it does."""
        if self._worker is not None:
            self._worker.end()
            self._worker = None

    def ask(self, ways: Sequence[Way], place: str, name: str, notify: Notify | None) -> list[str]:
        """Return what is wrong with a file, an empty text for nothing, for each way to read it. place: a
        directory for it. Raises DelveError for one that takes too much, or on which the reader fails
        unexpectedly; the log then has the traceback."""
        is_new = self._worker is None
        self._worker = self._worker or Worker(imports_main=False)
        with contextlib.ExitStack() as without_answer:
            without_answer.callback(self.end)
            future = self._worker.submit(_limited, ways, place, megabytes=MEGABYTES, seconds=SECONDS)
            if _has_answer(future, name, notify):
                without_answer.pop_all()
                return [_checked(trial, name) for trial in future.result()]
        if not is_new:  # what it had read before may have left too little room
            return self.ask(ways, place, name, notify)
        raise Fault(name, f"what can be read in {MEGABYTES} MB of memory", "more", "send less at once")


def _wrong(
    ways: Sequence[Way], path: str, name: str, parent: str, notify: Notify | None, reader: Reader | None
) -> list[str]:
    """Return what is wrong with a file, see `Reader.ask`, in words that a visitor may read."""
    with tempfile.TemporaryDirectory(prefix="trial-", dir=parent) as place, contextlib.ExitStack() as stack:
        answer = (reader or stack.enter_context(Reader())).ask(ways, place, name, notify)
    return [wrong.replace(place + os.sep, "").replace(path, name) for wrong in answer]


def _checked(trial: Trial, name: str) -> str:
    """Return what is wrong with a file. Raises Fault, and logs the traceback, if the reader failed."""
    if not trial.crash:
        return trial.wrong
    _log.error("%s: the reader failed unexpectedly\n%s", name, trial.traceback)
    found = f"that the reader failed on it unexpectedly ({trial.crash})"
    raise Fault(name, "a file that can be read", found, "check the file, or tell who runs this server")


def _has_answer(future: "Future[list[Trial]]", name: str, notify: Notify | None) -> bool:
    """Wait for an answer; is there one, or has the process ended, or had too little memory?"""
    end = time.monotonic() + SECONDS
    while True:
        if notify:
            notify(name, 0.0)
        if time.monotonic() > end:
            raise Fault(name, f"what can be read in {SECONDS} seconds", "more", "send less at once")
        if futures.wait([future], PAUSE).done:
            return future.exception() is None


def _limited(ways: Sequence[Way], place: str, *, megabytes: int, seconds: int) -> list[Trial]:
    """Read a file in the process, which has these limits from now on."""
    import resource

    resource.setrlimit(resource.RLIMIT_DATA, (megabytes << 20,) * 2)
    until = math.ceil(time.process_time()) + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (until, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    return [_trial(way, place) for way in ways]


def _trial(way: Way, place: str) -> Trial:
    """Read a file in one way. Raises MemoryError if there is too little memory.

    The thread keeps whatever error the reader raises, also one that cannot be sent to another process."""
    with ThreadPoolExecutor(1) as thread:
        error = thread.submit(way, place).exception()
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
    """Install an archive file in a new delve directory; look at all that is in it and in the session's.

    own: the delve directory with what was sent before; beside: others that it will be shown with."""
    import delvecore
    from delvecore.packaging.install import install_archives
    from delvecore.packaging.pack import review

    root = os.path.join(place, "delve-added")
    for part in PARTS:
        os.makedirs(os.path.join(root, part))
    (installed,) = install_archives([path], root, beside=[own, *beside], limits=limits, names=[name])
    delvecore.open([root, own], cache=False)
    with contextlib.suppress(DelveError):  # the page tells it
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


def read_kind_of(path: str, name: str, _place: str) -> None:
    """Tell whether a file holds scores or cases, as the server does afterward."""
    from delvecore.score_tables.table_kind import file_kind

    file_kind(path, name=name)


def read_scores_of(path: str, name: str, _place: str, *, options: ScoreOptions) -> None:
    """Read a file of scores; one that can be read in two ways is one."""
    from delvecore.archive.scores.opening import group_of
    from delvecore.score_tables.reading import read_scores

    with contextlib.suppress(Question), open(path, "rb") as content:  # the page asks
        group_of([read_scores(content, name=name, options=options)])
