"""Rows that are levels of factors: means over the tasks of each level.

Tasks of one dataset share test cases, and training sets of different sizes share cases, so that their errors
are not independent: within a dataset they are added as if they depended fully on each other, which is
cautious; between datasets they are independent.
"""

import math
from collections.abc import Sequence

from delvecore.report.paper.factors import Level, TaskFacts, factor_names
from delvecore.report.paper.request import PaperRequest
from delvecore.report.paper.standings import PairFound, with_standings
from delvecore.report.paper.table import Head, PaperCell
from delvecore.report.paper.values import NOT_COMPARED, ArchiveValues, Difference, PaperArchive, Task
from delvecore.statistics.losses.distributions import student_t_two_sided

__all__ = ["COMBINED", "level_rows"]

COMBINED = "combined"
INCOMPLETE = "not on all tasks of the row"
NO_ERROR = "a task of the row has no standard error of the difference"
INFINITE = "an infinite loss on a task of the row"


def level_rows(
    tasks: Sequence[TaskFacts], values: ArchiveValues, request: PaperRequest, archive: PaperArchive
) -> tuple[tuple[str, ...], list[Head], list[dict[str, PaperCell]]]:
    """Return (titles, heads, [{method: cell}]), a row a combination of levels that some task has.

    tasks: those that all factors of the request apply to.
    """
    names = factor_names(archive)
    groups: dict[tuple[Level, ...], list[Task]] = {}
    for facts in tasks:
        key = tuple(facts.factors[name] for name in request.by)
        groups.setdefault(key, []).append(facts.task)
    ordered = sorted(groups, key=lambda key: [level[0] for level in key])
    heads = [_head(key, groups[key]) for key in ordered]
    rows = [_cells(groups[key], values, request) for key in ordered]
    return (*(names[name] for name in request.by), "Tasks"), heads, rows


def _head(key: Sequence[Level], tasks: Sequence[Task]) -> Head:
    labels = tuple(label for _, label in key)
    return Head("level", (*labels, f"{len(tasks)}"), tuple("/" + "/".join(task) for task in tasks))


def _cells(tasks: Sequence[Task], values: ArchiveValues, request: PaperRequest) -> dict[str, PaperCell]:
    cells = {
        method: _mean(tasks, [values.cell(task, method) for task in tasks]) for method in request.methods
    }
    return with_standings(cells, lambda first, second: _pair(tasks, values, first, second), request)


def _mean(tasks: Sequence[Task], cells: Sequence[PaperCell]) -> PaperCell:
    missing = [cell.missing for cell in cells if cell.value is None]
    if missing:
        return PaperCell(None, missing=missing[0] if len(missing) == len(cells) else INCOMPLETE)
    mean = sum(cell.value for cell in cells if cell.value is not None) / len(cells)
    errors = [cell.error for cell in cells if cell.error is not None]
    known = math.isfinite(mean) and len(errors) == len(cells)
    return PaperCell(mean, _error(tasks, errors) if known else None)


def _by_dataset(tasks: Sequence[Task], errors: Sequence[float]) -> dict[str, float]:
    """Return the sum of the errors of each dataset."""
    sums: dict[str, float] = {}
    for task, error in zip(tasks, errors, strict=True):
        sums[task[0]] = sums.get(task[0], 0.0) + error
    return sums


def _error(tasks: Sequence[Task], errors: Sequence[float]) -> float:
    return math.sqrt(math.fsum(one * one for one in _by_dataset(tasks, errors).values())) / len(tasks)


def _pair(tasks: Sequence[Task], values: ArchiveValues, first: str, second: str) -> PairFound:
    """Test the mean difference: t with Satterthwaite's degrees of freedom."""
    found = [values.difference(task, first, second) for task in tasks]
    differences = [one.value for one in found if one is not None and one.value is not None]
    if len(differences) < len(found):
        return PairFound(None, None, note=NOT_COMPARED)
    if not all(map(math.isfinite, differences)):
        return PairFound(None, None, note=INFINITE)
    mean = math.fsum(differences) / len(found)
    known = [one for one in map(_error_and_df, found) if one is not None]
    if len(known) < len(found):
        return PairFound(mean, None, note=NO_ERROR)
    error = _error(tasks, [one for one, _ in known])
    if error == 0:
        return PairFound(mean, None, note="the differences have no variance")
    return PairFound(mean, student_t_two_sided(mean / error, _degrees(tasks, known)), COMBINED)


def _error_and_df(one: Difference | None) -> tuple[float, float] | None:
    if one is None or one.error is None or one.df is None or math.isnan(one.error):
        return None
    return one.error, one.df


def _degrees(tasks: Sequence[Task], known: Sequence[tuple[float, float]]) -> float:
    """Return the degrees of freedom of a sum of errors; those of a dataset are the fewest among its tasks."""
    fewest: dict[str, float] = {}
    for task, (_, df) in zip(tasks, known, strict=True):
        fewest[task[0]] = min(df, fewest.get(task[0], math.inf))
    sums = _by_dataset(tasks, [error for error, _ in known])
    weights = {name: one / max(sums.values()) for name, one in sums.items()}
    below = math.fsum(weight**4 / fewest[name] for name, weight in weights.items())
    return math.fsum(weight**2 for weight in weights.values()) ** 2 / below
