"""Faults of a part of an archive: a dataset, a method's documentation, or its results on a dataset.

A separate process can check the parts one after another. Findings are cached until names, sizes or times of
the files change."""

import contextlib
import os
from collections.abc import Iterator

from delvecore import __version__
from delvecore.cache import kept
from delvecore.checks.datasets import check_documentation, dataset_problems
from delvecore.checks.methods import method_problems
from delvecore.errors import DelveError, Problem
from delvecore.names import hash_of
from delvecore.readers.hierarchy import SOURCE_DIRECTORY, Hierarchy

FORM = 2
"""Version of the cached findings. It changes if the same program has other findings for the same files."""


def part_problems(
    hierarchy: Hierarchy,
    method: str | None,
    dataset: str | None,
    *,
    cache: str | None = None,
) -> tuple[Problem, ...]:
    """Return the findings of `dcheck` and `mcheck` in a dataset (method None), in a method's documentation
    (dataset None), or in its results on a dataset. cache: directory of caches, None for no cache."""
    state = _state(hierarchy.reporting(_ignore), method, dataset)
    path = None
    if cache and state:
        key = hash_of([method or "", dataset or "", *hierarchy.roots])
        path = os.path.join(cache, "findings", key)

    def make() -> list[list[object]]:
        return [list(problem) for problem in _problems(hierarchy, method, dataset)]

    return tuple(Problem(*row) for row in kept(path, [FORM, __version__, state], make))


def _problems(hierarchy: Hierarchy, method: str | None, dataset: str | None) -> list[Problem]:
    try:
        if method is None:
            return list(dataset_problems(hierarchy, dataset or ""))
        if dataset is not None:
            return list(method_problems(hierarchy, method, dataset))
    except DelveError:
        return []  # Reading the archive has reported a missing directory or specification.
    problems: list[Problem] = []
    check_documentation(
        hierarchy.reporting(_ignore), method, report=lambda error: problems.append(error.problem)
    )
    return problems


def _ignore(error: DelveError) -> None:
    """Ignore a fault of the directories, which reading the archive has reported."""


def _state(hierarchy: Hierarchy, method: str | None, dataset: str | None) -> str | None:
    """Return a hash of names, sizes and times of all files on which the findings of a part depend.

    It is None for archive files, which are checked every time."""
    places: list[tuple[tuple[str, ...], bool]] = [(("data", dataset), True)] if dataset else []
    if method is not None and dataset is not None:
        places.append((("methods", method, dataset), True))
    elif method is not None:  # only the method's files and its sources
        places = [(("methods", method), False), (("methods", method, SOURCE_DIRECTORY), True)]
    lines: list[str] = []
    for (part, *names), is_deep in places:
        for directory in hierarchy.directories(part, *names):
            if not os.path.isdir(directory):
                return None
            lines += _lines(directory, is_deep=is_deep)
    return hash_of(lines)


def _lines(directory: str, *, is_deep: bool) -> Iterator[str]:
    """Yield a line for each file, in an order that does not depend on the disk."""
    for place, below, files in os.walk(directory):
        below.sort()
        for name in sorted(files):
            path = os.path.join(place, name)
            with contextlib.suppress(FileNotFoundError):
                status = os.stat(path)
                yield f"{path} {status.st_size} {status.st_mtime_ns} {status.st_ino}"
        yield f"{place} {' '.join(below)}"
        if not is_deep:
            return
