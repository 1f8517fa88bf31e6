"""Facts about an archive for several pages: default loss, typical task, methods without results."""

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
"""The default prior."""
Item = TypeVar("Item")
titles_of = cached(method_titles)


@cached
def usual_loss(archive: Archive) -> str | None:
    """Return the default loss for ranking methods; None without results."""
    try:
        return leading_loss(archive)
    except DelveError:
        return None


@cached
def _methods_on_tasks(archive: Archive) -> dict[str, dict[tuple[str, int], int]]:
    """Count the methods with results on the tasks of each array: {array: {(path, training size): count}}.

    Tasks are in the order of the array's cells. Tasks without results are absent."""
    done = archive.index.tasks_done.values()
    method_counts: dict[str, dict[tuple[str, int], int]] = {}
    for array in archive.arrays:
        cells = [cell for cell in array_cells(array, archive.tasks) if cell.missing is None]
        places = [(task_path(*map(str, cell.place)), cell.training_size) for cell in cells]
        counts = {place: sum(place[0] in paths for paths in done) for place in places}
        method_counts[array.name] = {place: count for place, count in counts.items() if count}
    return method_counts


def largest_array(archive: Archive, names: Collection[str]) -> str:
    """Return the array with the most results, or the first of several such arrays. names: at least one."""
    method_counts = _methods_on_tasks(archive)
    return max(names, key=lambda name: sum(method_counts.get(name, {}).values()))


@cached
def typical_task(archive: Archive) -> str | None:
    """Return the path of a typical task of the largest array; None without results on an array.

    Among the tasks with the most methods, it has the median training size. If
    there are several such tasks, it is the middle one."""
    method_counts = _methods_on_tasks(archive)
    counts = method_counts[largest_array(archive, method_counts)] if method_counts else {}
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
    """Return a task's sort key: by prototask, the largest training sets first, then the standard prior."""
    return prototask, -training_size, prior != STANDARD, task


def middle(items: Sequence[Item]) -> Item:
    """Return the middle item of one or more; for an even number, the first of the two middle ones."""
    return items[(len(items) - 1) // 2]


@cached
def without_results(archive: Archive, *place: str) -> str:
    """Return `Without results here: gp-1 (cannot: its target survived is binary).` in Markdown; empty for
    none."""
    start, groups = f"/{'/'.join(place)}/", dict[str, list[str]]()
    for method, paths in archive.index.tasks_done.items():
        if paths and not any(f"{path}/".startswith(start) for path in paths):
            why = why_missing(archive.hierarchy, method, *place) if archive.paths else NOT_RUN
            groups.setdefault(why, []).append(method)
    listed = "; ".join(
        f"{words.and_list([*map(words.escape, names)])} ({words.escape(why)})"
        for why, names in groups.items()
    )
    return f"Without results here: {listed}." if listed else ""


def ranking_filter(archive: Archive, array: str) -> dict[str, list[str]]:
    """Return the parameters that select the tasks of an array on Ranking: its family, otherwise its
    datasets."""
    datasets = _datasets(archive)[array]
    families = archive.families
    if all(families.get(name) == array for name in datasets):
        return {"family": [array]}
    return {"data": sorted(datasets)}


def array_of_datasets(archive: Archive, datasets: Collection[str]) -> str | None:
    """Return the array whose datasets with results are exactly these, or None."""
    done = {dataset for dataset, *_ in archive.index.tasks}
    wanted = set(datasets)
    names = (name for name, own in _datasets(archive).items() if own & done == wanted)
    return next(names, None) if wanted else None


@cached
def _datasets(archive: Archive) -> dict[str, set[str]]:
    return {array.name: {member.dataset for member in array.members} for array in archive.arrays}


def offer_ranking(archive: Archive, array: str, loss: str) -> None:
    if st.button("Ranking of these tasks", icon=":material/leaderboard:", key="to-ranking", type="tertiary"):
        selection.open_page("ranking", others=ranking_filter(archive, array), loss=loss)


def offer_array(archive: Archive, datasets: Collection[str], loss: str) -> None:
    """Offer a link from a ranking to the array of the ranked tasks, if there is one."""
    name = array_of_datasets(archive, datasets)
    if name is not None and st.button(
        f"Task-array {words.escape(name)}", icon=":material/grid_view:", key="to-array", type="tertiary"
    ):
        selection.open_page("task_arrays", array=name, loss=loss)
