"""What is shown while nothing was chosen: the largest task-array, a typical task of it, and the usual loss.

All follow from who has results where, and need no losses."""

from collections.abc import Collection, Sequence
from typing import TypeVar

from dashboard.server import archive as opened
from delvecore.archive import Archive
from delvecore.archive.leaderboards import leading_loss
from delvecore.errors import DelveError
from delvecore.report.words import task_path
from delvecore.stats.arrays.results import array_cells

STANDARD = "std"
"""The prior that is meant where none is named."""

Item = TypeVar("Item")


@opened.cached
def usual_loss(archive: Archive) -> str | None:
    """Return the loss by which methods are ranked where nobody says; None without results."""
    try:
        return leading_loss(archive)
    except DelveError:
        return None


@opened.cached
def _methods_on_tasks(archive: Archive) -> dict[str, dict[tuple[str, int], int]]:
    """How many methods have results on the tasks of each array? {array: {(path, training size): methods}},
    in the order of the array's cells; tasks without results are absent."""
    done = archive.index.tasks_done.values()
    found: dict[str, dict[tuple[str, int], int]] = {}
    for array in archive.arrays:
        cells = [cell for cell in array_cells(array, archive.tasks) if cell.missing is None]
        places = [(task_path(*map(str, cell.place)), cell.training_size) for cell in cells]
        counts = {place: sum(place[0] in paths for paths in done) for place in places}
        found[array.name] = {place: count for place, count in counts.items() if count}
    return found


def largest_array(archive: Archive, names: Collection[str]) -> str:
    """Which of these arrays has the most results? The first of equals; names: at least one."""
    found = _methods_on_tasks(archive)
    return max(names, key=lambda name: sum(found.get(name, {}).values()))


@opened.cached
def typical_task(archive: Archive) -> str | None:
    """Return the path of a typical task of the largest array: of the tasks with the most methods those with
    the middle size of training sets, and of these the middle one. None without results on an array."""
    found = _methods_on_tasks(archive)
    counts = found[largest_array(archive, found)] if found else {}
    if not counts:
        return None
    largest = max(counts.values())
    most = [place for place, count in counts.items() if count == largest]
    size = middle(sorted({size for _, size in most}))
    return middle([path for path, own in most if own == size])


def task_order(prototask: str, prior: str, training_size: int, task: str) -> tuple[str, int, bool, str]:
    """Return the key by which the tasks of a dataset are sorted where one is to be shown first: by prototask,
    the largest training sets first, of these the standard prior."""
    return prototask, -training_size, prior != STANDARD, task


def middle(items: Sequence[Item]) -> Item:
    """Return the middle one of one or more, of two in the middle the first."""
    return items[(len(items) - 1) // 2]
