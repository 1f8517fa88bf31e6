"""What an archive says under one loss: estimates and comparisons by task and method, and means over levels.

Tasks of one dataset share test
cases, and training sets of different sizes share cases, so that their errors are not independent: within a
dataset they are added as if they depended fully on each other, which is cautious; between datasets they are
independent."""

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.losses.published import PublishedValue
from delvecore.losses.spec import shown_value
from delvecore.model import task_title
from delvecore.report.paper.request import PaperRequest
from delvecore.report.paper.standings import PairFound, best_of, with_standings
from delvecore.report.paper.table import TASK_TITLES, Head, PaperCell
from delvecore.report.paper.task_levels import (
    Level,
    PaperArchive,
    Task,
    TaskFacts,
    factor_names,
    path_of,
)
from delvecore.statistics.adjust import adjust, verdicts
from delvecore.statistics.choose import turned_verdict
from delvecore.statistics.losses.distributions import student_t_two_sided
from delvecore.statistics.losses.standardization import standardized_mean, standardized_spread
from delvecore.statistics.notes import parsed, words_of
from delvecore.statistics.ranking.score_table import ScoreTable
from delvecore.statistics.ranking.units import units_of

__all__ = ["ArchiveValues", "level_rows", "task_rows"]

NOT_COMPARED = "their losses cannot be paired"
PLACE = ("dataset", "prototask", "task")
Row = dict[str, Any]
"""A row of an Arrow table, as pyarrow gives it."""
Rows = tuple[tuple[str, ...], list[Head], list[dict[str, PaperCell]]]
"""Titles, heads, and {method: cell} of each row."""


class ArchiveValues:
    """What an archive says under the loss of a request, which has one."""

    def __init__(self, archive: PaperArchive, request: PaperRequest) -> None:
        self._archive, self._request, self._families = archive, request, archive.families
        self._prefix, self._error = "standardized_", "standardized_error"
        if request.raw:
            self._prefix, self._error = "", "standard_error"
        results = archive.results
        names = *PLACE, "method", "mean", f"{self._prefix}mean", self._error, "notes", "standardizer"
        found = results.filter(pc.equal(results["loss"], request.loss)).select(list(dict.fromkeys(names)))
        self._estimates = self._index(found, "method")
        self._constants = {path_of(task): row["standardizer"] for (task, _), row in self._estimates.items()}

    @staticmethod
    def _index(table: pa.Table, *names: str) -> dict[tuple[Any, ...], Row]:
        keys = zip(*(table[name].to_pylist() for name in (*PLACE, *names)), strict=True)
        rows = table.drop_columns([*PLACE, *names]).to_pylist()
        places = len(PLACE)
        return {(key[:places], *key[places:]): row for key, row in zip(keys, rows, strict=True)}

    @functools.cached_property
    def _pairs(self) -> dict[tuple[Any, ...], Row]:
        """The comparisons: with the best of each task and the reference, of which rows of tasks tell; all for
        rows of levels."""
        request, against = self._request, None
        if not request.by:
            tasks: dict[Task, set[str]] = {task: {request.reference or ""} for task, _ in self._estimates}
            for task, others in tasks.items():
                cells = {method: self.cell(task, method) for method in request.methods}
                others.add(best_of(cells, request) or "")
            against = tasks
        compare = functools.partial(self._archive.compare, loss=request.loss, methods=request.methods)
        found = compare(against=against, setting=request.setting)
        names = f"{self._prefix}difference", self._error, "verdict", "p", "p_adjusted", "test", "note", "df1"
        return self._index(found.select([*PLACE, "method_a", "method_b", *names]), "method_a", "method_b")

    def has(self, task: Task, method: str) -> bool:
        return (task, method) in self._estimates

    def cell(self, task: Task, method: str) -> PaperCell:
        """Return value and error, or why there is none."""
        row = self._estimates.get((task, method))
        if row is None:
            return PaperCell(None, missing="no results")
        if row["mean"] is None or math.isnan(row["mean"]):
            return PaperCell(None, missing="undefined")
        value = row[f"{self._prefix}mean"]
        if value is None:
            return PaperCell(None, missing="not standardized")
        value = shown_value(self._request.loss or "", value)
        return PaperCell(value, row[self._error], note=words_of(parsed(row["notes"])))

    def published(self, path: str, value: PublishedValue) -> PaperCell:
        """Return a figure that was published on a task, in the table's unit."""
        constant, loss = self._constants.get(path), self._request.loss or ""
        if not self._prefix:
            return PaperCell(shown_value(loss, value.mean), value.standard_error)
        mean = standardized_mean(loss, value.mean, constant)
        mean = None if mean is None else shown_value(loss, mean)
        return PaperCell(mean, standardized_spread(loss, value.standard_error, constant))

    def pair(self, task: Task, first: str, second: str) -> PairFound:
        """Return the archive's test of first against second; difference and error in the table's unit."""
        sign, row = 1, self._pairs.get((task, first, second))
        if row is None:
            sign, row = -1, self._pairs.get((task, second, first))
        if row is None:
            return PairFound(note=NOT_COMPARED)
        difference, said = row[f"{self._prefix}difference"], row["verdict"]
        return PairFound(
            None if difference is None else sign * difference,
            verdict=said if sign > 0 else turned_verdict(said),
            **{name: row[name] for name in ("p", "p_adjusted", "test", "note")},
            error=row[self._error],
            df=row["df1"],
        )

    def score_table(self, tasks: Sequence[Task], methods: Sequence[str]) -> ScoreTable:
        """Return the values as a table for ranks; infinite ones, which cannot be averaged, are missing."""
        values = np.full((len(tasks), len(methods)), math.nan)
        for row, task in enumerate(tasks):
            for column, method in enumerate(methods):
                value = self.cell(task, method).value
                if value is not None and math.isfinite(value):
                    values[row, column] = value
        units = units_of([dataset for dataset, *_ in tasks], self._families)
        return ScoreTable(tuple(map(path_of, tasks)), tuple(methods), values, units=units)

    def tests(self, tasks: Sequence[Task]) -> tuple[str, ...]:
        """Return the tests, by code, that the comparisons on these tasks used."""
        wanted = set(tasks)
        found = {row["test"] for (task, *_), row in self._pairs.items() if task in wanted}
        return tuple(sorted(filter(None, found)))


def task_rows(tasks: Sequence[TaskFacts], values: ArchiveValues, request: PaperRequest) -> Rows:
    """Return Rows, one a task."""
    heads, rows = [], []
    sized = any(facts.training_size for facts in tasks)
    for facts in tasks:
        task, prior = facts.task, "" if facts.prior == "std" else f" ({facts.prior})"
        name = task_title(*task) if facts.is_scored else f"{task[0]}/{task[1]}{prior}"
        labels = (name, f"{facts.training_size or ''}")
        heads.append(Head("task", labels if sized else labels[:1], (path_of(task),)))
        cells = {method: values.cell(task, method) for method in request.methods}
        rows.append(with_standings(cells, partial(values.pair, task), request))
    return TASK_TITLES if sized else TASK_TITLES[:1], heads, rows


def level_rows(
    tasks: Sequence[TaskFacts], values: ArchiveValues, request: PaperRequest, archive: PaperArchive
) -> Rows:
    """Return (titles, heads, [{method: cell}]), a row a combination of levels that some task has. tasks:
    those that all factors of the request apply to."""
    names = factor_names(archive)
    groups: dict[tuple[Level, ...], list[Task]] = {}
    for facts in tasks:
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
    tested = [_pair(tasks, values, *names) for names in pairs]
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


def _pair(tasks: Sequence[Task], values: ArchiveValues, first: str, second: str) -> PairFound:
    """Test the mean difference: t with Satterthwaite's degrees of freedom."""
    found = [values.pair(task, first, second) for task in tasks]
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
