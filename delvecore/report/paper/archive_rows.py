"""The rows of a table of an archive: tasks, or means over the tasks of a level.

Tasks of one dataset share test cases, and training sets of different sizes share cases, so that their errors
are not independent: within a dataset they are added as if they depended fully on each other, which is
cautious; between datasets they are independent."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np

from delvecore.model import task_title
from delvecore.report.paper.archive_values import NOT_COMPARED, ArchiveValues
from delvecore.report.paper.request import PaperRequest
from delvecore.report.paper.standings import PairFound, with_standings
from delvecore.report.paper.table import TASK_TITLES, Head, PaperCell
from delvecore.report.paper.task_levels import Level, PaperArchive, factor_names
from delvecore.stats.adjust import adjust, verdicts
from delvecore.stats.choose import turned_verdict
from delvecore.stats.losses.blocks import Task
from delvecore.stats.losses.distributions import student_t_two_sided
from delvecore.stats.ranking.common_runs import path_of

__all__ = ["level_rows", "task_rows"]

Rows = tuple[tuple[str, ...], list[Head], list[dict[str, PaperCell]]]
"""Titles, heads, and {method: cell} of each row."""


def task_rows(values: ArchiveValues, request: PaperRequest, shown: Sequence[str]) -> Rows:
    """Return Rows, one a task, with the methods shown and the two best, which say how these stand."""
    heads, rows = [], []
    sized = any(facts.training_size for facts in values.facts)
    for facts, best in zip(values.facts, values.first_two, strict=True):
        task, prior = facts.task, "" if facts.prior == "std" else f" ({facts.prior})"
        name = task_title(*task) if facts.is_scored else f"{task[0]}/{task[1]}{prior}"
        labels = (name, f"{facts.training_size or ''}")
        heads.append(Head("task", labels if sized else labels[:1], (path_of(task),)))
        cells = {method: values.cell(task, method) for method in dict.fromkeys((*best, *shown))}
        rows.append(with_standings(cells, partial(values.pair, task, level=request.level), request))
    return TASK_TITLES if sized else TASK_TITLES[:1], heads, rows


def level_rows(values: ArchiveValues, request: PaperRequest, archive: PaperArchive) -> Rows:
    """Return Rows, one a combination of levels that some task has."""
    names = factor_names(archive)
    groups: dict[tuple[Level, ...], list[Task]] = {}
    for facts in values.facts:
        key = tuple(facts.factors[name] for name in request.by)
        groups.setdefault(key, []).append(facts.task)
    heads, rows = [], []
    for levels in sorted(groups, key=lambda key: [level[0] for level in key]):
        own = groups[levels]
        labels = (*(label for _, label in levels), f"{len(own)}")
        heads.append(Head("level", labels, tuple(map(path_of, own))))
        cells = {name: _mean(own, [values.cell(task, name) for task in own]) for name in request.methods}
        pairs = _level_pairs(own, values, request)
        rows.append(with_standings(cells, partial(_of_pair, pairs), request))
    return (*(names[name] for name in request.by), "Tasks"), heads, rows


def _mean(tasks: Sequence[Task], cells: Sequence[PaperCell]) -> PaperCell:
    missing = [cell.missing for cell in cells if cell.value is None]
    if missing:
        said = missing[0] if len(missing) == len(cells) else "not on all tasks of the row"
        return PaperCell(None, missing=said)
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


def _of_pair(pairs: Mapping[tuple[str, str], PairFound], first: str, second: str) -> PairFound:
    return pairs[first, second]


def _level_pairs(
    tasks: Sequence[Task], values: ArchiveValues, request: PaperRequest
) -> dict[tuple[str, str], PairFound]:
    """Compare all methods over the tasks of a row, both ways round; p adjusted for all pairs."""
    pairs = list(combinations(request.methods, 2))
    tested = [_pair(tasks, values, *names, level=request.level) for names in pairs]
    p, difference = (
        np.array([getattr(one, name) for one in tested], dtype=float) for name in ("p", "difference")
    )
    p_adjusted = adjust(p, method=request.adjust, untested=True)
    said = verdicts(difference, p_adjusted, level=request.level)
    found = {}
    for (a, b), one, adjusted, verdict in zip(pairs, tested, p_adjusted.tolist(), said, strict=True):
        known = replace(one, p_adjusted=None if math.isnan(adjusted) else adjusted, verdict=verdict)
        found[a, b], found[b, a] = known, replace(known, verdict=turned_verdict(verdict))
    return found


def _pair(
    tasks: Sequence[Task], values: ArchiveValues, first: str, second: str, *, level: float
) -> PairFound:
    """Test the mean difference: t with Satterthwaite's degrees of freedom."""
    found = [values.pair(task, first, second, level=level) for task in tasks]
    differences = [one.difference for one in found if one.difference is not None]
    if len(differences) < len(found):
        return PairFound(note=NOT_COMPARED)
    if not all(map(math.isfinite, differences)):
        return PairFound(note="an infinite loss on a task of the row")
    mean = math.fsum(differences) / len(found)
    errors = [(one.error, one.df) for one in found]
    known = [(error, df) for error, df in errors if error is not None and df is not None and error == error]
    if len(known) < len(found):
        return PairFound(mean, note="a task of the row has no standard error of the difference")
    error = _error(tasks, [one for one, _ in known])
    if error == 0:
        return PairFound(mean, note="the differences have no variance")
    p = student_t_two_sided(mean / error, _degrees(tasks, known))
    return PairFound(mean, p, test="combined")


def _degrees(tasks: Sequence[Task], known: Sequence[tuple[float, float]]) -> float:
    """Return the degrees of freedom of a sum of errors; those of a dataset are the fewest among its tasks."""
    fewest: dict[str, float] = {}
    for task, (_, df) in zip(tasks, known, strict=True):
        fewest[task[0]] = min(df, fewest.get(task[0], math.inf))
    sums = _by_dataset(tasks, [error for error, _ in known])
    weights = {name: one / max(sums.values()) for name, one in sums.items()}
    below = math.fsum(weight**4 / fewest[name] for name, weight in weights.items())
    return math.fsum(weight**2 for weight in weights.values()) ** 2 / below
