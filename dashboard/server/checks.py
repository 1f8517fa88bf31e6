"""What `dcheck` and `mcheck` find in the archive, as tables: kept by dataset, and by method and dataset.

Checking a method computes its losses anew, which takes a while: `steps_of` and `method_steps` say in which
parts it is done, `background` does it for the whole archive while pages go on."""

import contextlib
import os
import threading
import time
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import pandas as pd

from dashboard.server import archive as opened
from dashboard.server.kept_findings import KeptFindings, state_of_places
from dashboard.server.opening import Opening
from delvecore.archive.building import OpeningStep
from delvecore.checks.datasets import dataset_problems
from delvecore.checks.documentation import check_documentation
from delvecore.checks.methods import method_problems
from delvecore.errors import NOTICE, DelveError, Problem
from delvecore.readers.hierarchy import SOURCE_DIRECTORY, Hierarchy

__all__ = [
    "Count",
    "Step",
    "all_checked",
    "background",
    "counted",
    "findings_of",
    "joined",
    "known_findings",
    "method_steps",
]
__all__ += ["step_words", "want"]

Step = tuple[str | None, str | None]
"""A method and a dataset that it was run on; without a dataset the method's documentation, without a method
the dataset itself."""
LOW = 10
"""How nice the checks are."""
LONGEST_REST = 0.5
"""Seconds between two parts at most; else as long as the last part took, so that pages go on."""


def method_steps(state: str, method: str | None = None) -> list[Step]:
    """Return the parts in which a method, or every method, is checked; none for those of tables of scores."""
    methods = [method] if method else [row["method"] for row in opened.rows(state, "methods")]
    known = {row["dataset"] for row in opened.rows(state, "datasets")}
    hierarchy = opened.archive_of(state).hierarchy.reporting(_ignore)
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


def findings_of(state: str, step: Step) -> tuple[Problem, ...]:
    """Everything that `dcheck` or `mcheck` finds in one part."""
    done, kept = _done(state), _kept(state)
    if step not in done:
        hierarchy = opened.archive_of(state).hierarchy
        before = state_of_places(hierarchy.reporting(_ignore), _places(*step))
        found = kept.load(_key(step), before)
        if found is None:
            found = _findings(hierarchy, *step)
            kept.store(_key(step), before, found)
        done[step] = found
    return done[step]


@opened.cached
def _kept(state: str) -> KeptFindings:
    """What earlier servers found in the archive that is served; of what visitors add nothing is kept."""
    paths, serving = opened.archive_of(state).paths, opened.serving()
    is_served = serving is not None and serving.paths == paths
    return KeptFindings(opened.cache_base() if is_served else None, paths)


def _places(method: str | None, dataset: str | None) -> list[tuple[tuple[str, ...], bool]]:
    """Return the places on whose files the findings of a part depend: see `state_of_places`."""
    data: list[tuple[tuple[str, ...], bool]] = [(("data", dataset), True)] if dataset else []
    if method is None:
        return data
    if dataset is not None:
        return [*data, (("methods", method, dataset), True)]
    return [(("methods", method), False), (("methods", method, SOURCE_DIRECTORY), True)]


@opened.cached
def _done(state: str) -> dict[Step, tuple[Problem, ...]]:
    """What was found in the parts that were checked."""
    return {}


def _findings(hierarchy: Hierarchy, method: str | None, dataset: str | None) -> tuple[Problem, ...]:
    try:
        if method is None:
            return tuple(dataset_problems(hierarchy, dataset or ""))
        if dataset is not None:
            return tuple(method_problems(hierarchy, method, dataset))
    except DelveError:
        return ()  # what lies there without a directory or specification: reading the archive has reported it
    found: list[Problem] = []
    tolerant = hierarchy.reporting(_ignore)
    check_documentation(tolerant, method, report=lambda error: found.append(error.problem))
    return tuple(found)


def all_checked(state: str, steps: Iterable[Step]) -> bool:
    """Have all these parts been checked, so that their findings are at hand?"""
    return set(steps) <= _done(state).keys()


@opened.cached
def background(state: str) -> Opening[None]:
    """Check the whole archive in the background, once for all who ask: datasets first, then methods, but
    those that somebody waits for before others."""
    return Opening(lambda opening: _check_all(state, opening))


def want(state: str, steps: Iterable[Step]) -> None:
    """Have these parts checked before others."""
    for step in steps:
        background(state).order.want(_key(step))


def _key(step: Step) -> str:
    return "/".join(name or "" for name in step)


@opened.cached
def _every_step(state: str) -> list[Step]:
    """Return all parts of the archive that are checked, datasets first."""
    have_files = set(opened.archive_of(state).hierarchy.reporting(_ignore).subdirectories("data"))
    names = [row["dataset"] for row in opened.rows(state, "datasets") if row["dataset"] in have_files]
    return [*((None, name) for name in names), *method_steps(state)]


def _check_all(state: str, opening: Opening[None]) -> None:
    _give_way()
    steps = {_key(step): step for step in _every_step(state)}
    opening.order.put(*steps)
    for number, key in enumerate(opening.order):
        step = steps[key]
        opening(OpeningStep(number / len(steps), step_words(step)))
        begin = time.monotonic()
        findings_of(state, step)
        time.sleep(min(LONGEST_REST, time.monotonic() - begin))
    _kept(state).write()


def _give_way() -> None:
    """Let other threads and processes go first, where the system lets a thread say so."""
    with contextlib.suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LOW)


def known_findings(state: str) -> list[Problem]:
    """Return what was found in all parts that were checked so far."""
    return [finding for found in list(_done(state).values()) for finding in found]


class Count(NamedTuple):
    """How many problems and notices are known of an archive; is_whole: has all of it been checked?"""

    problems: int
    notices: int
    is_whole: bool


def counted(state: str) -> Count:
    """Count what reading the archive and the checks so far have found, as the page Problems lists it."""
    kinds = joined(state, known_findings(state))["kind"]
    notices = int((kinds == NOTICE).sum())
    return Count(len(kinds) - notices, notices, all_checked(state, _every_step(state)))


def joined(state: str, findings: Iterable[Problem], *, archive: bool = True) -> pd.DataFrame:
    """Return findings as a table, each once: kind, file (from the delve directory on), line, expected,
    found, remedy. archive: with those of reading the archive."""
    table = _frame(findings, opened.archive_of(state).paths)
    if archive:
        table = pd.concat([_of_reading(state), table], ignore_index=True)
    table = table.drop_duplicates(["file", "line", "expected", "found"], ignore_index=True)
    # A directory in the wrong place has one fault, in whatever words reading and checking tell it.
    again = table.duplicated(["kind", "file"]) & (table["kind"] == "hierarchy")
    return table[~again].reset_index(drop=True)


@opened.cached
def _of_reading(state: str) -> pd.DataFrame:
    """Everything that reading the archive found wrong with its files, as a table."""
    archive = opened.archive_of(state)
    return _frame(
        (Problem(**row) for row in archive.problems.drop_columns("message").to_pylist()), archive.paths
    )


def _frame(findings: Iterable[Problem], paths: Sequence[str]) -> pd.DataFrame:
    """Return findings as a table. file: the path from the delve directory on."""
    table = pd.DataFrame(list(findings), columns=list(Problem._fields)).astype({"line": "Int64"})
    table.insert(1, "file", [opened.path_inside(path, paths) for path in table.pop("source")])
    return table
