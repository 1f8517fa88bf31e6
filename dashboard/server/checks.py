"""Findings of `dcheck` and `mcheck` in the archive, as tables, cached by dataset, and by method and dataset.

Checking a method recomputes its losses, which takes a while. `method_steps` divides the check into parts;
`background` runs it for the whole archive while pages continue. Findings are kept in the user's cache and are
valid until names, sizes or times of the files change."""

import contextlib
import functools
import hashlib
import os
import threading
import time
import weakref
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import pandas as pd

from dashboard.server import archive as opened
from dashboard.server.cache import cached
from dashboard.server.opening import Opening
from delvecore.archive import Archive
from delvecore.archive.reading import FORM
from delvecore.cache import read_checked, write_checked
from delvecore.checks.parts import part_problems
from delvecore.errors import NOTICE, DelveError, Problem
from delvecore.parallel.processes import LOW_PRIORITY, Worker, WorkerDiedError
from delvecore.readers.hierarchy import SOURCE_DIRECTORY, Hierarchy

WRITING_PAUSE = 10.0
"""Seconds between two writes of findings while checks continue."""
Names = tuple[str, ...]


def state_of_places(hierarchy: Hierarchy, places: Sequence[tuple[Names, bool]]) -> str | None:
    """Return a hash of the names, sizes and times of all files at places. None if they are in archive files,
    which are checked every time. places: part and names of each, and whether everything below it counts, or
    only its own files."""
    digest = hashlib.blake2b(digest_size=16)
    for (part, *names), is_deep in places:
        for directory in hierarchy.directories(part, *names):
            if not os.path.isdir(directory):
                return None
            for line in _lines(directory, is_deep=is_deep):
                digest.update(line.encode(errors="surrogateescape"))
    return digest.hexdigest()


def _lines(directory: str, *, is_deep: bool) -> Iterator[str]:
    """Yield a line for each file, in an order that does not depend on the disk."""
    for place, below, files in os.walk(directory):
        below.sort()
        for name in sorted(files):
            path = os.path.join(place, name)
            with contextlib.suppress(FileNotFoundError):
                found = os.stat(path)
                yield f"{path} {found.st_size} {found.st_mtime_ns} {found.st_ino}\n"
        yield f"{place} {' '.join(below)}\n"
        if not is_deep:
            return


class KeptFindings:
    """Findings in parts of an archive, by key and state, in a file of the cache. base: the directory of
    caches, None to keep nothing."""

    def __init__(self, base: str | None, roots: Sequence[str]) -> None:
        name = hashlib.blake2b("\n".join(roots).encode(errors="surrogateescape"), digest_size=16).hexdigest()
        self._path = os.path.join(base, "findings", name) if base else None
        found = read_checked(self._path) if self._path else None
        is_ours = found is not None and found["form"] == FORM
        self._kept: dict[str, tuple[str, list[Any]]] = found["parts"] if found and is_ours else {}
        self._written = time.monotonic()

    def load(self, key: str, state: str | None) -> tuple[Problem, ...] | None:
        """Return the findings in a part with unchanged files, or None if unknown."""
        before, rows = self._kept.get(key, ("", []))
        return tuple(Problem(*row) for row in rows) if state and before == state else None

    def store(self, key: str, state: str | None, found: Sequence[Problem]) -> None:
        """Keep the findings in a part."""
        if state:
            self._kept[key] = state, [list(problem) for problem in found]
        if time.monotonic() - self._written > WRITING_PAUSE:
            self.write()

    def write(self) -> None:
        """Write the findings if possible; otherwise the next server checks again."""
        self._written = time.monotonic()
        if self._path:
            with contextlib.suppress(OSError):
                write_checked(self._path, {"form": FORM, "parts": dict(self._kept)})


Step = tuple[str | None, str | None]
"""A method and a dataset that it was run on; without a dataset the method's documentation, without a method
the dataset itself."""


def method_steps(archive: Archive, method: str | None = None) -> list[Step]:
    """Return the parts in which a method, or every method, is checked; none for those of tables of scores."""
    methods = [method] if method else [row["method"] for row in opened.rows(archive, "methods")]
    known = {row["dataset"] for row in opened.rows(archive, "datasets")}
    hierarchy = archive.hierarchy.reporting(_ignore)
    have_files = set(hierarchy.subdirectories("methods"))
    steps: list[Step] = []
    for name in filter(have_files.__contains__, methods):
        found = hierarchy.subdirectories("methods", name)
        steps += [(name, None), *((name, dataset) for dataset in found if dataset in known)]
    return steps


def step_words(step: Step) -> str:
    """`results of lin-1 on demo`, `documentation of lin-1`, `dataset demo`. Not escaped."""
    method, dataset = step
    if method is None:
        return f"dataset {dataset}"
    return f"documentation of {method}" if dataset is None else f"results of {method} on {dataset}"


def _ignore(error: DelveError) -> None:
    """A fault of the tree itself: reading the archive has reported it."""


def findings_of(archive: Archive, step: Step) -> tuple[Problem, ...]:
    """Everything that `dcheck` or `mcheck` finds in one part."""
    done, kept = _done(archive), _kept(archive)
    if step not in done:
        hierarchy = archive.hierarchy
        before = state_of_places(hierarchy.reporting(_ignore), _places(*step))
        found = kept.load(_key(step), before)
        if found is None:
            found = _findings(hierarchy, *step)
            kept.store(_key(step), before, found)
        done[step] = found
    return done[step]


@cached
def _kept(archive: Archive) -> KeptFindings:
    """Findings of earlier servers in the served archive. Findings about visitors' additions are not kept."""
    paths, serving = archive.paths, opened.serving()
    is_served = serving is not None and serving.paths == paths
    return KeptFindings(opened.cache_base() if is_served else None, paths)


def _places(method: str | None, dataset: str | None) -> list[tuple[tuple[str, ...], bool]]:
    """Return the places whose files the findings of a part depend on: see `state_of_places`."""
    data: list[tuple[tuple[str, ...], bool]] = [(("data", dataset), True)] if dataset else []
    if method is None:
        return data
    if dataset is not None:
        return [*data, (("methods", method, dataset), True)]
    return [(("methods", method), False), (("methods", method, SOURCE_DIRECTORY), True)]


@cached
def _done(archive: Archive) -> dict[Step, tuple[Problem, ...]]:
    return {}


def _findings(hierarchy: Hierarchy, method: str | None, dataset: str | None) -> tuple[Problem, ...]:
    """Check a part in another process, so that no page waits. Raises WorkerDiedError if `end` ends it."""
    asked = functools.partial(part_problems, hierarchy, method, dataset, niceness=LOW_PRIORITY)
    for _ in range(2):
        worker = _process()
        try:
            return worker.submit(asked).result()
        except WorkerDiedError:
            if worker is not _worker:
                raise
    what = step_words((method, dataset))
    return (Problem("results", what, None, "that it can be checked", "that the process ended, twice", ""),)


_worker: Worker | None = None
_archives = 0
"""Number of archives that are being checked."""
_changing = threading.Lock()


def _process() -> Worker:
    """Return the process that checks; it lives until `end`."""
    global _worker
    with _changing:
        _worker = _worker or Worker()
        return _worker


def end() -> None:
    """Kill the process that checks."""
    global _worker
    with _changing:
        ended, _worker = _worker, None
    if ended is not None:
        ended.end()


@contextlib.contextmanager
def _needed() -> Iterator[None]:
    """Keep the process, which ends with the last archive that is checked."""
    global _archives
    with _changing:
        _archives += 1
    try:
        yield
    finally:
        with _changing:
            _archives -= 1
            is_last = not _archives
        if is_last:
            end()


def all_checked(archive: Archive, steps: Iterable[Step]) -> bool:
    """Have all these parts been checked, so that their findings are available?"""
    return set(steps) <= _done(archive).keys()


_checks: dict[str, "tuple[weakref.WeakSet[Archive], Opening[None]]"] = {}
"""Checks under way, and those that failed, by the state of the archive: archives of this state that somebody
keeps, and how far the check is."""


def background(archive: Archive) -> Opening[None]:
    """Check the whole archive in the background, once for all callers: datasets first, then methods, but
    requested parts before others. The check stops if nobody keeps such an archive, and continues at the next
    request."""
    with _changing:
        if archive.state not in _checks:
            keepers = weakref.WeakSet([archive])
            check = functools.partial(_check_all, archive.state, keepers)
            _checks[archive.state] = keepers, Opening(check)
        keepers, opening = _checks[archive.state]
        keepers.add(archive)
        return opening


def is_checked(archive: Archive, patience: float) -> bool:
    """Has the whole archive been checked? If not, it is checked in the background, with a wait of this many
    seconds at most. Raises any error of the check."""
    steps = _every_step(archive)
    if all_checked(archive, steps):
        return True
    check = background(archive)
    if check.is_done(patience):
        check.result()
    return all_checked(archive, steps)


def want(archive: Archive, steps: Iterable[Step]) -> None:
    _wanted(archive).update(dict.fromkeys(steps))
    background(archive)


@cached
def _wanted(archive: Archive) -> dict[Step, None]:
    """The requested parts, in the order of the requests."""
    return {}


def _key(step: Step) -> str:
    return "/".join(name or "" for name in step)


@cached
def _every_step(archive: Archive) -> list[Step]:
    """Return all parts of the archive that are checked, datasets first."""
    have_files = set(archive.hierarchy.reporting(_ignore).subdirectories("data"))
    names = [row["dataset"] for row in opened.rows(archive, "datasets") if row["dataset"] in have_files]
    return [*((None, name) for name in names), *method_steps(archive)]


def _check_all(state: str, keepers: "weakref.WeakSet[Archive]", opening: Opening[None]) -> None:
    with _needed():
        while (archive := _keeper(state, keepers)) is not None:
            every, done = _every_step(archive), _done(archive)
            left = [step for step in every if step not in done]
            if not left:
                _kept(archive).write()
                with _changing:
                    del _checks[state]
                return
            step = next(filter(left.__contains__, list(_wanted(archive))), left[0])
            opening(1 - len(left) / len(every), step_words(step))
            findings_of(archive, step)
            del archive


def _keeper(state: str, keepers: "weakref.WeakSet[Archive]") -> Archive | None:
    """Return an archive of this state that somebody keeps. None ends the check."""
    with _changing:
        found = next(iter(keepers), None)
        if found is None:
            del _checks[state]
        return found


def known_findings(archive: Archive) -> list[Problem]:
    return [finding for found in list(_done(archive).values()) for finding in found]


class Count(NamedTuple):
    """Number of known problems and notices of an archive; is_whole: is its check complete?"""

    problems: int
    notices: int
    is_whole: bool


def counted(archive: Archive) -> Count:
    """Count the findings of reading the archive and of the checks so far, as the page File check lists
    them."""
    kinds = joined(archive, known_findings(archive))["kind"]
    notices = int((kinds == NOTICE).sum())
    return Count(len(kinds) - notices, notices, all_checked(archive, _every_step(archive)))


def joined(archive: Archive, findings: Iterable[Problem], *, of_reading: bool = True) -> pd.DataFrame:
    """Return findings as a table, each once: kind, file (from the delve directory on), line, expected,
    found, remedy. of_reading: with those of reading the archive."""
    table = _frame(findings, archive.paths)
    if of_reading:
        table = pd.concat([_of_reading(archive), table], ignore_index=True)
    table = table.drop_duplicates(["file", "line", "expected", "found"], ignore_index=True)
    # A directory in the wrong place has one fault, although reading and checking word it differently.
    again = table.duplicated(["kind", "file"]) & (table["kind"] == "hierarchy")
    return table[~again].reset_index(drop=True)


@cached
def _of_reading(archive: Archive) -> pd.DataFrame:
    """All faults of files that reading the archive found, as a table."""
    return _frame(
        (Problem(**row) for row in archive.problems.drop_columns("message").to_pylist()), archive.paths
    )


def _frame(findings: Iterable[Problem], paths: Sequence[str]) -> pd.DataFrame:
    """Return findings as a table. file: the path from the delve directory on."""
    table = pd.DataFrame(list(findings), columns=list(Problem._fields)).astype({"line": "Int64"})
    table.insert(1, "file", [opened.path_inside(path, paths) for path in table.pop("source")])
    return table
