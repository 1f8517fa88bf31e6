"""Data of the Tables page: places with results, their losses and methods, and finished tables."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from dashboard.server.cache import cached
from dashboard.ui.choices import choices
from dashboard.ui.selection import Selection, note_missing_methods
from delvecore.archive import Archive
from delvecore.archive.score_tables import Values, paper_table, paper_values
from delvecore.archive.views import methods_by_loss
from delvecore.errors import DelveError
from delvecore.report import words
from delvecore.report.paper.table import PaperRequest, PaperTable
from delvecore.report.paper.values import Level, factor_names, task_levels
from delvecore.stats.ranking.score_table import ScoreTable

EVERYTHING = "/"
MOST_KEPT = 20
"""Largest number of cached sources of tables, which may be large."""
FITTING, MOST_TASKS = ("family", "size"), 40
"""Factors that combine many tasks into a few rows; number of tasks up to which each has its own row."""


def choose_methods(available: Sequence[str], selection: Selection, notices: list[str]) -> tuple[str, ...]:
    """Return the methods of the table in the order in which they were chosen; all if none were chosen."""
    note_missing_methods(available, selection, notices)
    if selection.methods is None:
        return tuple(available)
    return tuple(name for name in selection.methods if name in available)


@cached
def places(archive: Archive) -> dict[str, tuple[str, ...]]:
    """Return the tasks with results at or below each dataset, prototask and task, by full path."""
    order = {path: place for place, path in enumerate(choices(archive).tasks)}
    done = sorted(archive.index.methods_on, key=lambda task: (order.get(task.path, len(order)), task))
    tasks_below: dict[str, list[str]] = {}
    for task in done:
        for depth in range(4):
            tasks_below.setdefault("/" + "/".join(task[:depth]), []).append(task.path)
    return {path: tuple(tasks_below[path]) for path in sorted(tasks_below, key=lambda path: path.split("/"))}


@cached
def tasks_below(archive: Archive, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Return the tasks with results at and below these places."""
    known = places(archive)
    tasks = {task for path in paths for task in known[path]}
    return tuple(task for task in known[EVERYTHING] if task in tasks)


@cached
def methods_below(archive: Archive, paths: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return the methods with results at and below these places, by loss, the most common loss first."""
    tasks = frozenset(tasks_below(archive, paths))
    methods = methods_by_loss(archive, lambda task: task.path in tasks)
    return {loss: tuple(sorted(methods[loss])) for loss in sorted(methods, key=words.loss_preference)}


@cached
def places_of(archive: Archive, method: str) -> tuple[str, ...]:
    """Return the fewest places with exactly the tasks with results of a method."""
    known = places(archive)
    done = archive.index.tasks_done.get(method, frozenset()) & set(known[EVERYTHING])
    complete_places: list[str] = []
    for path, tasks in known.items():  # a place precedes the places below it
        if done.issuperset(tasks) and not any(
            path.startswith(f"{one.rstrip('/')}/") for one in complete_places
        ):
            complete_places.append(path)
    return tuple(complete_places)


@cached
def factors_below(archive: Archive, paths: tuple[str, ...]) -> dict[str, str]:
    """Return {name: title} of the factors that apply to a task with results at or below these places."""
    facts = _levels(archive)
    applying = {name for task in tasks_below(archive, paths) for name in facts.get(task, ())}
    known = factor_names(archive)
    return {name: title for name, title in known.items() if name in applying}


@cached
def _levels(archive: Archive) -> dict[str, Mapping[str, Level]]:
    """The levels of the factors of each task, by its path."""
    return {task.path: levels for task, levels in task_levels(archive).items()}


@cached
def usual_rows(archive: Archive, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Return the factors whose levels make the rows, if one row per task would not fit a page."""
    tasks = tasks_below(archive, paths)
    facts = _levels(archive)
    rows = {tuple(facts[task].get(name) for name in FITTING) for task in tasks if task in facts}
    known = factors_below(archive, paths)
    fits = len(tasks) > MOST_TASKS and len(rows) <= len(tasks) / 2 and all(name in known for name in FITTING)
    return FITTING if fits else ()


def with_known_units(archive: Archive, paper: PaperRequest) -> PaperRequest:
    """Return a request with tasks as the unit if the scores do not show which tasks belong together."""
    try:
        values = _values(archive, paper.numbers)
    except DelveError:
        return paper  # `table_of` explains why there is no table
    is_unknown = isinstance(values, ScoreTable) and values.units is None
    return replace(paper, unit=None) if is_unknown else paper


@cached
def table_of(archive: Archive, paper: PaperRequest) -> PaperTable | str:
    """Return the requested table, or why there is none. paper: the arguments of `delve table`."""
    try:
        return paper_table(archive, paper, values=_values(archive, paper.numbers))
    except DelveError as error:
        return str(error)


@cached(most=MOST_KEPT)
def _values(archive: Archive, numbers: PaperRequest) -> Values:
    """Return the values of tables. A new confidence level or more shown methods need no new test."""
    return paper_values(archive, numbers)
