"""What an archive says under one loss: estimates and comparisons by task and method."""

import functools
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.losses.published import PublishedValue
from delvecore.losses.spec import metric_of, shown_value
from delvecore.number_format.name_columns import places_among, task_places
from delvecore.report.paper.request import PaperRequest
from delvecore.report.paper.standings import PairFound
from delvecore.report.paper.table import PaperCell
from delvecore.report.paper.task_levels import PaperArchive, TaskFacts
from delvecore.stats.choose import Setting, verdict
from delvecore.stats.kinds import Floats, Whole
from delvecore.stats.losses.blocks import Task
from delvecore.stats.losses.standardization import standardized_mean, standardized_spread
from delvecore.stats.notes import parsed, words_of
from delvecore.stats.ranking.common_runs import CommonResults, path_of
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.ranking.units import units_of

__all__ = ["NOT_COMPARED", "ArchiveValues"]

NOT_COMPARED = "their losses cannot be paired"
UNDEFINED, NOT_STANDARDIZED = (PaperCell(None, missing=why) for why in ("undefined", "not standardized"))
_STANDARDIZED = ("standardized_", "standardized_error")
_OF_PAIR = ("difference", "p", "p_adjusted", "test", "note", "df1")


class ArchiveValues:
    """What an archive says under the loss of a request, whatever the confidence: made once for all levels and
    ways of showing it. request: with loss and methods; facts: of its tasks, in their order; found: the
    results of these methods."""

    def __init__(
        self, archive: PaperArchive, request: PaperRequest, facts: Sequence[TaskFacts], found: CommonResults
    ) -> None:
        self._archive, self.request, self.runs = archive, request, found.runs
        self._prefix, self._error = ("", "standard_error") if request.raw else _STANDARDIZED
        self._rows, tasks = found.results, set(found.tasks)
        self.facts = tuple(
            one for one in facts if one.task in tasks and all(name in one.factors for name in request.by)
        )
        self._place = _places(self._rows, self.facts, request.methods)
        self._number = {one.task: number for number, one in enumerate(self.facts)}
        self._column = {name: column for column, name in enumerate(request.methods)}
        self._estimates = {name: self._numbers(name) for name in ("mean", f"{self._prefix}mean", self._error)}

    def _numbers(self, name: str) -> Floats:
        """Return a column by task and method; not a number where there is none."""
        column = np.append(pc.fill_null(self._rows[name], math.nan).to_numpy(), math.nan)
        return column.astype(float)[self._place]

    @property
    def tasks(self) -> tuple[Task, ...]:
        return tuple(self._number)

    @functools.cached_property
    def values(self) -> Floats:
        """Estimates by task and method as they are shown, not a number where there is none."""
        found = self._estimates[f"{self._prefix}mean"]
        kept = np.where(np.isnan(self._estimates["mean"]), math.nan, found)
        metric = metric_of(self.request.loss or "")
        return metric.values_of(kept) if metric else kept

    @functools.cached_property
    def first_two(self) -> list[list[str]]:
        """The two best methods of each task, by which others are judged."""
        losses = -self.values if self.request.higher_is_better else self.values
        order = np.argsort(losses, axis=1, kind="stable")[:, :2]
        return [[self.request.methods[place] for place in places] for places in order.tolist()]

    @functools.cached_property
    def _pairs(self) -> "_Pairs":
        """The comparisons: with the best of each task and the reference, of which rows of tasks tell; all for
        rows of levels."""
        request, against = self.request, None
        if not request.by:
            others = [request.reference] if request.reference else []
            against = {
                task: {best, *others} for task, (best, *_) in zip(self.tasks, self.first_two, strict=True)
            }
        setting = Setting(adjust=request.adjust)
        compare = functools.partial(self._archive.compare, loss=request.loss, methods=request.methods)
        found = compare(against=against, setting=setting)
        places = (
            _task_numbers(found, self.facts),
            *(places_among(found[name], request.methods) for name in ("method_a", "method_b")),
        )
        is_known = np.all([place >= 0 for place in places], axis=0)
        keys = self._key(*(place[is_known] for place in places))
        names = list(dict.fromkeys((f"{self._prefix}difference", self._error, *_OF_PAIR)))
        rows = found.select(names).filter(pa.array(is_known))
        numbers = dict(zip(keys.tolist(), range(len(keys)), strict=True))
        return _Pairs(numbers, {name: rows[name].to_pylist() for name in names})

    def _key(self, task: Any, first: Any, second: Any) -> Any:
        """Return one number for a pair on a task."""
        return (task * len(self._column) + first) * len(self._column) + second

    def cell(self, task: Task, method: str) -> PaperCell:
        """Return value and error, or why there is none."""
        at = self._number[task], self._column[method]
        row = int(self._place[at])
        if row < 0:
            return PaperCell(None, missing=self.runs.missing(path_of(task), method) or "no results")
        if math.isnan(self._estimates["mean"][at]):
            return UNDEFINED
        value, error = float(self.values[at]), float(self._estimates[self._error][at])
        if math.isnan(value):
            return NOT_STANDARDIZED
        note = words_of(parsed(self._rows["notes"][row].as_py())) if self._has_notes[row] else None
        return PaperCell(value, None if math.isnan(error) else error, note=note)

    @functools.cached_property
    def _has_notes(self) -> list[bool]:
        lengths = pc.fill_null(pc.list_value_length(self._rows["notes"]), 0)
        return [length > 0 for length in lengths.to_pylist()]

    def published(self, path: str, value: PublishedValue) -> PaperCell:
        """Return a figure that was published on a task, in the table's unit."""
        loss = self.request.loss or ""
        if not self._prefix:
            return PaperCell(shown_value(loss, value.mean), value.standard_error)
        dataset, prototask, task = path.strip("/").split("/")
        row = int(self._place[self._number[dataset, prototask, task]].max())
        constant = self._rows["standardizer"][row].as_py() if row >= 0 else None
        mean = standardized_mean(loss, value.mean, constant)
        mean = None if mean is None else shown_value(loss, mean)
        return PaperCell(mean, standardized_spread(loss, value.standard_error, constant))

    def pair(self, task: Task, first: str, second: str, *, level: float) -> PairFound:
        """Return the archive's test of first against second; difference and error in the table's unit."""
        number, a, b = self._number[task], self._column[first], self._column[second]
        sign, row = 1, self._pairs.rows.get(self._key(number, a, b))
        if row is None:
            sign, row = -1, self._pairs.rows.get(self._key(number, b, a))
        if row is None:
            return PairFound(note=NOT_COMPARED)
        said = {name: column[row] for name, column in self._pairs.columns.items()}
        difference, own = said[f"{self._prefix}difference"], said["difference"]
        return PairFound(
            None if difference is None else sign * difference,
            verdict=verdict(None if own is None else sign * own, said["p_adjusted"], level=level),
            **{name: said[name] for name in ("p", "p_adjusted", "test", "note")},
            error=said[self._error],
            df=said["df1"],
        )

    @functools.cached_property
    def scores(self) -> ScoreTable:
        """The values as a table for ranks; infinite ones, which cannot be averaged, are missing."""
        values = np.where(np.isfinite(self.values), self.values, math.nan)
        units = units_of([dataset for dataset, *_ in self.tasks], self._archive.families)
        on_one_scale = bool(self._prefix) and metric_of(self.request.loss or "") is None
        paths = tuple(map(path_of, self.tasks))
        return ScoreTable(
            paths, self.request.methods, values, units=units, standardized=on_one_scale, runs=self.runs
        )

    @functools.cached_property
    def tests(self) -> tuple[str, ...]:
        """The tests, by code, that the comparisons on these tasks used."""
        return tuple(sorted(filter(None, set(self._pairs.columns["test"]))))


class _Pairs(NamedTuple):
    """Comparisons. rows: by the number of a pair on a task; columns: by name."""

    rows: Mapping[int, int]
    columns: Mapping[str, list[Any]]


def _places(rows: pa.Table, facts: Sequence[TaskFacts], methods: Sequence[str]) -> Whole:
    """Return at which row each task and method has its results, -1 for none."""
    found = np.full((len(facts), len(methods)), -1)
    tasks, columns = _task_numbers(rows, facts), places_among(rows["method"], methods)
    is_wanted = (tasks >= 0) & (columns >= 0)
    found[tasks[is_wanted], columns[is_wanted]] = np.flatnonzero(is_wanted)
    return found


def _task_numbers(rows: pa.Table, facts: Sequence[TaskFacts]) -> Whole:
    return task_places(rows, [path_of(one.task) for one in facts])
