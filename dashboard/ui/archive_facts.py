"""What several pages ask of an archive: its usual loss, a typical task, who lacks results and why."""

from collections.abc import Collection, Sequence
from typing import TypeVar

import streamlit as st

from dashboard.server.cache import cached
from dashboard.ui import selection
from delvecore.answers.leaderboard import Leaderboard
from delvecore.archive import Archive
from delvecore.archive.leaderboards import leaderboard, leading_loss, method_titles
from delvecore.errors import DelveError
from delvecore.report import words
from delvecore.report.words import task_path
from delvecore.runner.choice import NOT_RUN, why_missing
from delvecore.stats.arrays.results import array_cells
from delvecore.stats.choose import DEFAULT_LEVEL, DEFAULT_SETTING, Setting

STANDARD = "std"
"""The prior that is meant where none is named."""
Item = TypeVar("Item")


@cached
def usual_loss(archive: Archive) -> str | None:
    """Return the loss by which methods are ranked where nobody says; None without results."""
    try:
        return leading_loss(archive)
    except DelveError:
        return None


@cached
def titles_of(archive: Archive) -> dict[str, str]:
    """Return what each method is in a few words, by its name."""
    return method_titles(archive)


@cached
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


@cached
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


@cached
def leaderboard_of(
    archive: Archive,
    loss: str,
    *,
    tasks: tuple[str, ...] | None = None,
    unit: str | None = None,
    setting: Setting = DEFAULT_SETTING,
) -> Leaderboard | str:
    """Return the leaderboard under a loss, or why there is none. tasks: full paths, None for all."""
    usual = setting._replace(level=DEFAULT_LEVEL)
    base = None if setting == usual else leaderboard_of(archive, loss, tasks=tasks, unit=unit, setting=usual)
    if isinstance(base, str):
        return base
    try:
        return leaderboard(archive, loss=loss, tasks=tasks, unit=unit, setting=setting, base=base)
    except DelveError as error:
        return str(error)


def task_order(prototask: str, prior: str, training_size: int, task: str) -> tuple[str, int, bool, str]:
    """Return a task's key: by prototask, the largest training sets first, of these the standard prior."""
    return prototask, -training_size, prior != STANDARD, task


def middle(items: Sequence[Item]) -> Item:
    """Return the middle one of one or more, of two in the middle the first."""
    return items[(len(items) - 1) // 2]


@cached
def without_results(archive: Archive, *place: str) -> str:
    """`Without results here: gp-1 (cannot: its target survived is binary).`; empty for none. Markdown."""
    start, groups = f"/{'/'.join(place)}/", dict[str, list[str]]()
    for method, paths in archive.index.tasks_done.items():
        if paths and not any(f"{path}/".startswith(start) for path in paths):
            why = why_missing(archive.hierarchy, method, *place) if archive.paths else NOT_RUN
            groups.setdefault(why, []).append(method)
    said = "; ".join(
        f"{words.and_list([*map(words.escape, names)])} ({words.escape(why)})"
        for why, names in groups.items()
    )
    return f"Without results here: {said}." if said else ""


def ranking_filter(archive: Archive, array: str) -> dict[str, list[str]]:
    """Return by which parameters Ranking takes the tasks of an array: its family, else its datasets."""
    datasets = _datasets(archive)[array]
    families = archive.families
    if all(families.get(name) == array for name in datasets):
        return {"family": [array]}
    return {"data": sorted(datasets)}


def array_of_datasets(archive: Archive, datasets: Collection[str]) -> str | None:
    """Which array has just these of the datasets with results? None where none has."""
    done = {dataset for dataset, *_ in archive.index.tasks}
    wanted = set(datasets)
    found = (name for name, own in _datasets(archive).items() if own & done == wanted)
    return next(found, None) if wanted else None


@cached
def _datasets(archive: Archive) -> dict[str, set[str]]:
    return {array.name: {member.dataset for member in array.members} for array in archive.arrays}


def offer_ranking(archive: Archive, array: str, loss: str) -> None:
    if st.button("Ranking of these tasks", icon=":material/leaderboard:", key="to-ranking", type="tertiary"):
        selection.open_page("ranking", others=ranking_filter(archive, array), loss=loss)


def offer_array(archive: Archive, datasets: Collection[str], loss: str) -> None:
    """Offer the way from a ranking to the array whose tasks it ranks, if there is one."""
    name = array_of_datasets(archive, datasets)
    if name is not None and st.button(
        f"Task-array {words.escape(name)}", icon=":material/grid_view:", key="to-array", type="tertiary"
    ):
        selection.open_page("task_arrays", array=name, loss=loss)
