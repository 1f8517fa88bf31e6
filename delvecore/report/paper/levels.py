"""Rows that are levels of factors: means over the tasks of each level.

Tasks of one dataset share test cases, and training sets of different sizes share cases, so that their errors
are not independent: within a dataset they are added as if they depended fully on each other, which is
cautious; between datasets they are independent.
"""

import math

from delvecore.report.paper.factors import TaskFacts, factor_names
from delvecore.report.paper.request import PaperRequest
from delvecore.report.paper.standings import PairFound, with_standings
from delvecore.report.paper.table import Head, PaperCell
from delvecore.report.paper.values import NOT_COMPARED, ArchiveValues
from delvecore.statistics.losses.distributions import student_t_two_sided

__all__ = ["COMBINED", "level_rows"]

COMBINED = "combined"
INCOMPLETE = "not on all tasks of the row"
NO_ERROR = "a task of the row has no standard error of the difference"
INFINITE = "an infinite loss on a task of the row"


def level_rows(tasks: list[TaskFacts], values: ArchiveValues, request: PaperRequest, archive):
    """Return (titles, heads, [{method: cell}]), a row a combination of levels that some task has.

    tasks: those that all factors of the request apply to.
    """
    names = factor_names(archive)
    groups = {}
    for facts in tasks:
        key = tuple(facts.factors[name] for name in request.by)
        groups.setdefault(key, []).append(facts.task)
    ordered = sorted(groups, key=lambda key: [level[0] for level in key])
    heads = [_head(key, groups[key]) for key in ordered]
    rows = [_cells(groups[key], values, request) for key in ordered]
    return (*(names[name] for name in request.by), "Tasks"), heads, rows


def _head(key, tasks):
    labels = tuple(label for _, label in key)
    return Head("level", (*labels, f"{len(tasks)}"), tuple("/" + "/".join(task) for task in tasks))


def _cells(tasks, values, request):
    cells = {
        method: _mean(tasks, [values.cell(task, method) for task in tasks]) for method in request.methods
    }
    return with_standings(
        cells,
        lambda first, second: _pair(tasks, values, first, second),
        level=request.level,
        adjustment=request.adjust,
        reference=request.reference,
    )


def _mean(tasks, cells):
    missing = [cell.missing for cell in cells if cell.value is None]
    if missing:
        return PaperCell(None, missing=missing[0] if len(missing) == len(cells) else INCOMPLETE)
    mean = sum(cell.value for cell in cells) / len(cells)
    errors = [cell.error for cell in cells]
    known = math.isfinite(mean) and None not in errors
    return PaperCell(mean, _error(tasks, errors) if known else None)


def _by_dataset(tasks, errors):
    """Return the sum of the errors of each dataset."""
    sums = {}
    for task, error in zip(tasks, errors, strict=True):
        sums[task[0]] = sums.get(task[0], 0.0) + error
    return sums


def _error(tasks, errors):
    return math.sqrt(math.fsum(one * one for one in _by_dataset(tasks, errors).values())) / len(tasks)


def _pair(tasks, values, first, second):
    """Test the mean difference: t with Satterthwaite's degrees of freedom.

    Those of a dataset are the fewest among its tasks.
    """
    found = [values.difference(task, first, second) for task in tasks]
    if any(one is None or one.value is None for one in found):
        return PairFound(None, None, note=NOT_COMPARED)
    if any(not math.isfinite(one.value) for one in found):
        return PairFound(None, None, note=INFINITE)
    mean = math.fsum(one.value for one in found) / len(found)
    if any(one.error is None or one.df is None or math.isnan(one.error) for one in found):
        return PairFound(mean, None, note=NO_ERROR)
    sums = _by_dataset(tasks, [one.error for one in found])
    error = math.sqrt(math.fsum(one * one for one in sums.values())) / len(tasks)
    if error == 0:
        return PairFound(mean, None, note="the differences have no variance")
    fewest = {}
    for task, one in zip(tasks, found, strict=True):
        fewest[task[0]] = min(one.df, fewest.get(task[0], math.inf))
    weights = {name: one / max(sums.values()) for name, one in sums.items()}
    below = math.fsum(weight**4 / fewest[name] for name, weight in weights.items())
    df = math.fsum(weight**2 for weight in weights.values()) ** 2 / below
    return PairFound(mean, student_t_two_sided(mean / error, df), COMBINED)
