"""What `dcheck` and `mcheck` find in the archive, as tables: cached by dataset, and by method and dataset.

Checking a method computes its losses anew, which takes a while: `method_steps` says in which parts it is
done, so that a page can show how far it is."""

from collections.abc import Iterable, Sequence

import pandas as pd

from dashboard.server import archive as opened
from delvecore.checking.datasets import dataset_problems
from delvecore.checking.documentation import check_documentation
from delvecore.checking.methods import method_problems
from delvecore.errors import DelveError, Problem

__all__ = ["all_checked", "dataset_findings", "joined", "method_findings", "method_steps"]

Step = tuple[str, str | None]
"""A method and a dataset that it was run on; None: the method's documentation."""


@opened.cached
def dataset_findings(state: str, dataset: str) -> tuple[Problem, ...]:
    """Everything that `dcheck` finds in a dataset and its prototasks."""
    try:
        return tuple(dataset_problems(opened.archive_of(state).hierarchy, dataset))
    except DelveError:
        return ()  # a dataset without a directory or specification: reading the archive has reported it


def method_steps(state: str, method: str | None = None) -> list[Step]:
    """Return the parts in which a method, or every method, is checked."""
    methods = [method] if method else [row["method"] for row in opened.rows(state, "methods")]
    known = {row["dataset"] for row in opened.rows(state, "datasets")}
    hierarchy = opened.archive_of(state).hierarchy.reporting(_ignore)
    steps: list[Step] = []
    for name in methods:
        found = hierarchy.subdirectories("methods", name)
        steps += [(name, None), *((name, dataset) for dataset in found if dataset in known)]
    return steps


def _ignore(error: DelveError) -> None:
    """A fault of the tree itself: reading the archive has reported it."""


def method_findings(state: str, step: Step) -> tuple[Problem, ...]:
    """Everything that `mcheck` finds in one part of a method."""
    found = _findings(state, *step)
    _done(state)[step] = None
    return found


@opened.cached
def _done(_state: str) -> dict[Step, None]:
    """The parts whose findings are at hand: forgotten together with them."""
    return {}


@opened.cached
def _findings(state: str, method: str, dataset: str | None) -> tuple[Problem, ...]:
    hierarchy = opened.archive_of(state).hierarchy
    if dataset is not None:
        try:
            return tuple(method_problems(hierarchy, method, dataset))
        except DelveError:
            return ()
    found: list[Problem] = []
    tolerant = hierarchy.reporting(_ignore)
    check_documentation(tolerant, method, report=lambda error: found.append(error.problem))
    return tuple(found)


def all_checked(state: str, steps: Iterable[Step]) -> bool:
    """Have all these parts been checked, so that their findings are at hand?"""
    return set(steps) <= _done(state).keys()


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
