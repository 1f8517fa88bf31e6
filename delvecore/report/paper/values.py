"""The numbers in a paper's table: estimates, comparisons and ranks of an archive under one loss.

Rows are tasks, or means over the tasks of a level, or single scores, which are not tested. Tasks of one
dataset share test cases, and training sets of different sizes share cases, so that their errors are not
independent. Within a dataset they are added as if they were fully dependent, which is conservative. Between
datasets they are independent.
"""

import functools
import itertools
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.errors import DelveError
from delvecore.losses.published import PublishedResult
from delvecore.losses.spec import measure_named
from delvecore.measures import Measure, Measures
from delvecore.model import SCORED, TaskArray, TaskId
from delvecore.number_format.columns import places_among, task_paths, task_places
from delvecore.readers.specifications import parse_task_name
from delvecore.render.grid import ALONE, BEST, BETTER_THAN, EQUAL, UNTESTED, WORSE, WORSE_THAN
from delvecore.report.paper.table import TASK_TITLES, Head, PaperCell, PaperRequest
from delvecore.report.ranking.sentences import untestable_words
from delvecore.stats.array_types import Floats, Whole
from delvecore.stats.choose import Setting, Verdict, turned_verdict, verdict
from delvecore.stats.losses.anova import student_t_two_sided
from delvecore.stats.losses.results import standardized_mean, standardized_spread
from delvecore.stats.notes import parsed, words_of
from delvecore.stats.orientation import oriented
from delvecore.stats.p_adjustment import adjust
from delvecore.stats.ranking.analysis import Analysis, analyze
from delvecore.stats.ranking.ranks import choose_unit, unit_names, units_of
from delvecore.stats.ranking.score_table import CommonResults, ScoreTable, complete_table
from delvecore.stats.verdicts import PairVerdicts, pair_verdicts, verdict_row, verdicts
from delvecore.tables import rows_of, values_of

FACTORS = {
    "size": "Training cases",
    "family": "Family",
    "dataset": "Dataset",
    "prototask": "Prototask",
    "type": "Type",
    "origin": "Origin",
    "usage": "Usage",
}
"""{name: title} of the factors of every archive."""
Level = tuple[tuple[int, str], str]
"""(key that sorts, label)"""


class PaperArchive(Protocol):
    """Members of an Archive that a table needs."""

    @property
    def sources(self) -> Sequence[str]: ...
    @property
    def state(self) -> str: ...
    @property
    def datasets(self) -> pa.Table: ...
    @property
    def tasks(self) -> pa.Table: ...
    @property
    def methods(self) -> pa.Table: ...
    @property
    def results(self) -> pa.Table: ...
    @property
    def measures(self) -> Measures: ...
    @property
    def arrays(self) -> Sequence[TaskArray]: ...
    @property
    def families(self) -> Mapping[str, str]: ...
    def common_results(
        self,
        *,
        loss: str,
        places: Sequence[Sequence[str]],
        methods: Collection[str] | None,
        keep: Collection[str],
    ) -> CommonResults: ...
    def compare(
        self,
        *,
        loss: str | None,
        methods: Collection[str] | None,
        against: Mapping[TaskId, Collection[str]] | None,
        setting: Setting,
    ) -> pa.Table: ...


def factor_names(archive: PaperArchive) -> dict[str, str]:
    """Return {name: title} of all factors of an archive."""
    names = dict(FACTORS)
    for array in archive.arrays:
        for factor in array.factors:
            names.setdefault(factor.name, factor.name[:1].upper() + factor.name[1:])
    return names


def task_levels(archive: PaperArchive) -> dict[TaskId, dict[str, Level]]:
    """Return the levels of all tasks by factor, in the archive's order; only factors that apply to a task."""
    about = {dataset: texts for dataset, *texts in rows_of(archive.datasets, ("dataset", "origin", "usage"))}
    of_arrays = _array_levels(archive)
    levels_of = {}
    names = (*TaskId._fields, "prior", "training_size", "task_type")
    for dataset, prototask, name, prior, size, task_type in rows_of(archive.tasks, names):
        task = TaskId(dataset, prototask, name)
        origin, usage = about.get(dataset, (None, None))
        plain = {
            "family": archive.families.get(dataset, dataset),
            "dataset": dataset,
            "prototask": None if prototask == SCORED else f"{dataset}/{prototask}",
            "type": task_type,
            "origin": origin,
            "usage": usage,
        }
        known = {name: label for name, label in plain.items() if label is not None}
        factors: dict[str, Level] = {name: ((0, label), label) for name, label in known.items()}
        if size:
            factors["size"] = ((size, ""), f"{size}")
        factors |= of_arrays.get((dataset, prototask, prior), {})
        levels_of[task] = factors
    return levels_of


def _array_levels(archive: PaperArchive) -> dict[tuple[str, str, str], dict[str, Level]]:
    """Return {(dataset, prototask, prior): {factor: (key, label)}} of the members of task-arrays."""
    levels_by_task: dict[tuple[str, str, str], dict[str, Level]] = {}
    for array in archive.arrays:
        for member in array.members:
            levels = levels_by_task.setdefault((member.dataset, member.prototask, member.prior), {})
            for factor, name in zip(array.factors, member.levels, strict=True):
                place = [level.name for level in factor.levels].index(name)
                levels.setdefault(factor.name, ((place, name), factor.levels[place].label or name))
    return levels_by_task


LEAST = 2
"""Minimum number of units and of methods for ranks."""
Pair = Callable[[tuple[str, str]], PaperCell]
"""Function that compares two methods: the value is first minus second, and the standing is the verdict on the
first. Without a difference, the note has the reason."""
STANDINGS: dict[str, str] = {Verdict.WORSE: WORSE, Verdict.NOT_TESTED: UNTESTED}
"""Standing of a method compared with the best one; all others are not worse."""
TO_REFERENCE = {Verdict.BETTER: BETTER_THAN, Verdict.WORSE: WORSE_THAN}


def with_standings(
    cells: Mapping[str, PaperCell], pair: Pair, request: PaperRequest, measure: Measure
) -> dict[str, PaperCell]:
    """Return the cells of one row, by method, with their standings.

    `cells` have only values and errors. `pair((a, b))` returns the comparison of a with b, with p adjusted
    for all pairs of the row. The first method with the best value is the best.
    """
    known = {name: cell.value for name, cell in cells.items() if cell.value is not None}
    best = min(known, key=lambda name: oriented(known[name], measure), default=None)
    if best is None:
        return dict(cells)
    if len(known) == 1:
        return {name: replace(one, standing=ALONE) if name in known else one for name, one in cells.items()}
    done = dict(cells)
    for name, value in known.items():
        cell = replace(cells[name], standing=BEST)
        if value != known[best]:
            one = pair((name, best))
            standing = STANDINGS.get(one.standing, EQUAL)
            cell = replace(one, value=cell.value, error=cell.error, standing=standing)
        if request.reference is not None and request.reference in cells and name != request.reference:
            other = pair((name, request.reference))
            to_reference = TO_REFERENCE.get(Verdict(other.standing))
            cell = replace(cell, reference_p=other.p, to_reference=to_reference)
        done[name] = cell
    return done


Analyses = dict[tuple[str | None, str], Analysis]
"""Analyses at any level, by unit (None is the default unit) and adjustment."""


Ranks = tuple[Analysis, PairVerdicts]
"""Ranks over tasks, and the verdicts on their differences."""


def ranks_of(scores: ScoreTable, request: PaperRequest, kept: Analyses) -> Ranks | None:
    """Return the ranks over the tasks that all methods have; None with fewer than two units or methods.

    `kept` has analyses of the same scores, to which this one is added.
    """
    used = complete_table(scores)
    unit = request.unit or choose_unit(used)
    try:
        units = set(unit_names(used, unit))
    except ValueError as error:
        raise DelveError(str(error)) from None
    if min(len(units), len(used.methods)) < LEAST:
        return None
    setting = request.setting
    asked = request.unit, setting.adjust
    if asked not in kept:
        kept[asked] = analyze(
            scores, unit=request.unit, alpha=setting.alpha, adjustment=setting.adjust, drop="tasks"
        )
    analysis = kept[asked].at_level(setting.alpha)
    return analysis, pair_verdicts(analysis, request.test)


def rank_cells(analysis: Analysis, tests: PairVerdicts) -> dict[str, PaperCell]:
    """Return the average ranks by method, tested against the best."""
    average = analysis.ranks.average
    best = int(np.argmin(average))
    p, verdicts = tests.p_adjusted[analysis.pair_numbers[best]].tolist(), verdict_row(analysis, tests, best)
    cells = {}
    for place, rank in enumerate(map(float, average)):
        cell = PaperCell(rank, standing=BEST)
        if rank != average[best]:
            standing = STANDINGS.get(turned_verdict(verdicts[place]), EQUAL)
            note = None if tests.is_testable else untestable_words(analysis, tests)
            cell = PaperCell(rank, standing=standing, p=p[place], test=tests.test, note=note)
        cells[analysis.table.methods[place]] = cell
    return cells


UNDEFINED, NOT_STANDARDIZED = (PaperCell(None, missing=why) for why in ("undefined", "not standardized"))
_STANDARDIZED = ("standardized_", "standardized_error")
_OF_PAIR = ("difference", "p", "p_adjusted", "test", "note", "df1")


def not_compared(measure: Measure) -> str:
    """Return the reason why two methods with results are not compared."""
    return f"their {'losses' if measure.is_loss else 'values'} cannot be paired"


class ArchiveValues:
    """Values of an archive under the loss of a request, for any confidence level and layout.

    Attributes
    ----------
    request : PaperRequest
        Request with loss and methods.
    levels : mapping of TaskId to mapping
        Levels of its tasks by factor, in their order; only tasks to which the factors of the rows apply.
    found : CommonResults
        Results of these methods.
    """

    def __init__(
        self,
        archive: PaperArchive,
        request: PaperRequest,
        levels: Mapping[TaskId, Mapping[str, Level]],
        common: CommonResults,
    ) -> None:
        self._archive, self.request, self.runs = archive, request, common.runs
        self.measure = measure_named(request.loss or "", archive.measures)
        self.analyses: Analyses = {}
        self._prefix, self._error = ("", "standard_error") if request.raw else _STANDARDIZED
        self._rows, self._notes, tasks = common.results, values_of(common.results, "notes"), set(common.tasks)
        self.levels = {
            task: by_factor
            for task, by_factor in levels.items()
            if task in tasks and all(name in by_factor for name in request.by)
        }
        self._number = {task: number for number, task in enumerate(self.levels)}
        # The row of the results of each task and method, -1 without results.
        self._place: Whole = np.full((len(self.levels), len(request.methods)), -1)
        numbers, columns = self._task_numbers(self._rows), places_among(self._rows["method"], request.methods)
        is_wanted = (numbers >= 0) & (columns >= 0)
        self._place[numbers[is_wanted], columns[is_wanted]] = np.flatnonzero(is_wanted)
        self._column = {name: column for column, name in enumerate(request.methods)}
        self._estimates = {name: self._numbers(name) for name in ("mean", f"{self._prefix}mean", self._error)}

    def _task_numbers(self, rows: pa.Table) -> Whole:
        return task_places(rows, [task.path for task in self.levels])

    def _numbers(self, name: str) -> Floats:
        """Return a column by task and method; NaN if missing."""
        column = np.append(pc.fill_null(self._rows[name], math.nan).to_numpy(), math.nan)
        return column.astype(float)[self._place]

    @property
    def tasks(self) -> tuple[TaskId, ...]:
        return tuple(self.levels)

    @functools.cached_property
    def values(self) -> Floats:
        """Displayed estimates by task and method; NaN if missing."""
        means = self._estimates[f"{self._prefix}mean"]
        return np.where(np.isnan(self._estimates["mean"]), math.nan, means)

    @functools.cached_property
    def first_two(self) -> list[list[str]]:
        """The two best methods of each task, the reference for the others."""
        order = np.argsort(oriented(self.values, self.measure), axis=1, kind="stable")[:, :2]
        return [[self.request.methods[place] for place in places] for places in order.tolist()]

    @functools.cached_property
    def _pairs(self) -> tuple[dict[tuple[str, str, str], int], dict[str, list[Any]]]:
        """The comparisons, as rows by path of the task and both methods, and as columns by name.

        Rows of tasks need only those with the best of each task and the reference; rows of levels need all.
        """
        request, against = self.request, None
        if not request.by:
            others = [request.reference] if request.reference else []
            against = {
                task: {best, *others} for task, (best, *_) in zip(self.tasks, self.first_two, strict=True)
            }
        setting = Setting(adjust=request.adjust)
        compare = functools.partial(self._archive.compare, loss=request.loss, methods=request.methods)
        comparisons = compare(against=against, setting=setting)
        is_known = pa.array(self._task_numbers(comparisons) >= 0)
        comparisons = comparisons.filter(is_known)
        keys = comparisons.select(["method_a", "method_b"]).append_column("task", task_paths(comparisons))
        rows = {key: row for row, key in enumerate(rows_of(keys, ("task", "method_a", "method_b")))}
        names = dict.fromkeys((f"{self._prefix}difference", self._error, *_OF_PAIR))
        return rows, {name: values_of(comparisons, name) for name in names}

    def cell(self, task: TaskId, method: str) -> PaperCell:
        """Return value and error, or the reason for a missing value."""
        at = self._number[task], self._column[method]
        row = int(self._place[at])
        if row < 0:
            return PaperCell(None, missing=self.runs.missing(task.path, method) or "no results")
        if math.isnan(self._estimates["mean"][at]):
            return UNDEFINED
        value, error = float(self.values[at]), float(self._estimates[self._error][at])
        if math.isnan(value):
            return NOT_STANDARDIZED
        note = words_of(parsed(self._notes[row])) if self._notes[row] else None
        return PaperCell(value, None if math.isnan(error) else error, note=note)

    def published(self, path: str, value: PublishedResult) -> PaperCell:
        """Return a value published on a task, in the table's unit."""
        loss = self.request.loss or ""
        if not self._prefix:
            return PaperCell(value.mean, value.standard_error)
        row = int(self._place[self._number[TaskId.parse(path)]].max())
        constant = self._rows["standardizer"][row].as_py() if row >= 0 else None
        spread = standardized_spread(loss, value.standard_error, constant)
        return PaperCell(standardized_mean(loss, value.mean, constant), spread)

    def pair(self, task: TaskId, methods: tuple[str, str], *, level: float) -> PaperCell:
        """Return the archive's comparison of the first method with the second, in the table's unit."""
        sign, row = self._row_of(task, methods)
        if row is None:
            return _untested(not_compared(self.measure))
        pair_values = {name: column[row] for name, column in self._pairs[1].items()}
        difference, raw = pair_values[f"{self._prefix}difference"], pair_values["difference"]
        p_adjusted = pair_values["p_adjusted"]
        decision = verdict(
            None if raw is None else sign * oriented(raw, self.measure), p_adjusted, level=level
        )
        return PaperCell(
            None if difference is None else sign * difference,
            standing=decision,
            p=p_adjusted,
            raw_p=pair_values["p"],
            test=pair_values["test"],
            note=pair_values["note"],
        )

    def difference(
        self, task: TaskId, methods: tuple[str, str]
    ) -> tuple[float | None, float | None, float | None]:
        """Return the difference of two methods, its standard error and degrees of freedom; None: unknown."""
        sign, row = self._row_of(task, methods)
        if row is None:
            return None, None, None
        columns = self._pairs[1]
        difference = columns[f"{self._prefix}difference"][row]
        signed = None if difference is None else sign * difference
        return signed, columns[self._error][row], columns["df1"][row]

    def _row_of(self, task: TaskId, methods: tuple[str, str]) -> tuple[int, int | None]:
        """Return (sign, row) of a comparison; the sign is -1 if it is of the second method with the first."""
        (first, second), rows = methods, self._pairs[0]
        row = rows.get((task.path, first, second))
        return (1, row) if row is not None else (-1, rows.get((task.path, second, first)))

    @functools.cached_property
    def scores(self) -> ScoreTable:
        """The values as a table for ranks; infinite ones, which cannot be averaged, are missing."""
        values = np.where(np.isfinite(self.values), self.values, math.nan)
        units = units_of([dataset for dataset, *_ in self.tasks], self._archive.families)
        return ScoreTable(
            tuple(task.path for task in self.tasks),
            self.request.methods,
            values,
            higher_is_better=self.measure.higher_is_better,
            best=self.measure.best,
            units=units,
            standardized=bool(self._prefix) and self.measure.is_loss,
            runs=self.runs,
        )

    @functools.cached_property
    def tests(self) -> tuple[str, ...]:
        """The tests, by code, that the comparisons on these tasks used."""
        return tuple(sorted(filter(None, set(self._pairs[1]["test"]))))


def _untested(note: str, difference: float | None = None) -> PaperCell:
    return PaperCell(difference, standing=Verdict.NOT_TESTED, note=note)


Rows = tuple[tuple[str, ...], list[Head], list[dict[str, PaperCell]]]
"""Titles, heads, and {method: cell} of each row."""


def task_rows(values: ArchiveValues, request: PaperRequest, shown: Sequence[str]) -> Rows:
    """Return Rows, one per task, with the displayed methods and the two best, which the standings need."""
    heads, rows = [], []
    names = [parse_task_name(task.task) or ("std", 0) for task in values.tasks]
    sized = any(size for _, size in names)
    for task, (prior, size), best in zip(values.tasks, names, values.first_two, strict=True):
        of_prior = "" if prior == "std" else f" ({prior})"
        name = task.title if task.prototask == SCORED else f"{task[0]}/{task[1]}{of_prior}"
        labels = (name, f"{size or ''}")
        heads.append(Head("task", labels if sized else labels[:1], (task.path,)))
        cells = {method: values.cell(task, method) for method in dict.fromkeys((*best, *shown))}
        pair = partial(values.pair, task, level=request.level)
        rows.append(with_standings(cells, pair, request, values.measure))
    return TASK_TITLES if sized else TASK_TITLES[:1], heads, rows


def level_rows(values: ArchiveValues, request: PaperRequest, archive: PaperArchive) -> Rows:
    """Return Rows, one per combination of levels with a task."""
    names = factor_names(archive)
    groups: dict[tuple[Level, ...], list[TaskId]] = {}
    for task, by_factor in values.levels.items():
        groups.setdefault(tuple(by_factor[name] for name in request.by), []).append(task)
    heads, rows = [], []
    for levels in sorted(groups, key=lambda key: [level[0] for level in key]):
        own = groups[levels]
        labels = (*(label for _, label in levels), f"{len(own)}")
        heads.append(Head("level", labels, tuple(task.path for task in own)))
        cells = {name: _mean(own, [values.cell(task, name) for task in own]) for name in request.methods}
        pair = _level_pairs(own, values, request).__getitem__
        rows.append(with_standings(cells, pair, request, values.measure))
    return (*(names[name] for name in request.by), "Tasks"), heads, rows


def _mean(tasks: Sequence[TaskId], cells: Sequence[PaperCell]) -> PaperCell:
    missing = [cell.missing for cell in cells if cell.value is None]
    if missing:
        reason = missing[0] if len(missing) == len(cells) else "not on all tasks of the row"
        return PaperCell(None, missing=reason)
    mean = sum(cell.value for cell in cells if cell.value is not None) / len(cells)
    errors = [cell.error for cell in cells if cell.error is not None]
    known = math.isfinite(mean) and len(errors) == len(cells)
    return PaperCell(mean, _error(tasks, errors) if known else None)


def _by_dataset(tasks: Sequence[TaskId], errors: Sequence[float]) -> dict[str, float]:
    """Return the sum of the errors of each dataset."""
    sums: dict[str, float] = {}
    for task, error in zip(tasks, errors, strict=True):
        sums[task[0]] = sums.get(task[0], 0.0) + error
    return sums


def _error(tasks: Sequence[TaskId], errors: Sequence[float]) -> float:
    return math.sqrt(math.fsum(one * one for one in _by_dataset(tasks, errors).values())) / len(tasks)


def _level_pairs(
    tasks: Sequence[TaskId], values: ArchiveValues, request: PaperRequest
) -> dict[tuple[str, str], PaperCell]:
    """Return the comparisons of all ordered pairs over the tasks of a row, with p adjusted for all pairs."""
    pairs = list(combinations(request.methods, 2))
    tested = [_pair(tasks, values, names) for names in pairs]
    p, difference = (
        np.array([getattr(one, name) for one in tested], dtype=float) for name in ("raw_p", "value")
    )
    p_adjusted = adjust(p, method=request.adjust, untested=True)
    decisions = verdicts(oriented(difference, values.measure), p_adjusted, level=request.level)
    tested_pairs = {}
    for (a, b), one, adjusted, pair_verdict in zip(
        pairs, tested, p_adjusted.tolist(), decisions, strict=True
    ):
        known = replace(one, p=None if math.isnan(adjusted) else adjusted, standing=pair_verdict)
        tested_pairs[a, b], tested_pairs[b, a] = known, replace(known, standing=turned_verdict(pair_verdict))
    return tested_pairs


def _pair(tasks: Sequence[TaskId], values: ArchiveValues, methods: tuple[str, str]) -> PaperCell:
    """Test the mean difference by a t-test with Satterthwaite's degrees of freedom."""
    task_differences = [values.difference(task, methods) for task in tasks]
    differences = [difference for difference, *_ in task_differences if difference is not None]
    if len(differences) < len(task_differences):
        return _untested(not_compared(values.measure))
    if not all(map(math.isfinite, differences)):
        return _untested("an infinite loss on a task of the row")
    mean = math.fsum(differences) / len(task_differences)
    known = [
        (error, df)
        for _, error, df in task_differences
        if error is not None and df is not None and error == error
    ]
    if len(known) < len(task_differences):
        return _untested("a task of the row has no standard error of the difference", mean)
    error = _error(tasks, [one for one, _ in known])
    if error == 0:
        return _untested("the differences have no variance", mean)
    p = student_t_two_sided(mean / error, _degrees(tasks, known))
    return PaperCell(mean, raw_p=p, test="combined")


def _degrees(tasks: Sequence[TaskId], known: Sequence[tuple[float, float]]) -> float:
    """Return the degrees of freedom of a sum of errors. A dataset has as many as its task with the fewest."""
    fewest: dict[str, float] = {}
    for task, (_, df) in zip(tasks, known, strict=True):
        fewest[task[0]] = min(df, fewest.get(task[0], math.inf))
    sums = _by_dataset(tasks, [error for error, _ in known])
    weights = {name: one / max(sums.values()) for name, one in sums.items()}
    below = math.fsum(weight**4 / fewest[name] for name, weight in weights.items())
    return math.fsum(weight**2 for weight in weights.values()) ** 2 / below


UNTESTABLE = "a single score does not show its uncertainty"
NO_SCORE = PaperCell(None, missing="no score")


def score_rows(table: ScoreTable, shown: Sequence[str]) -> list[dict[str, PaperCell]]:
    """Return the cells of these methods, by name, one row per task. `table` has all requested methods."""
    lowest = np.where(np.isnan(table.oriented), np.inf, table.oriented).min(axis=1, initial=np.inf)
    are_alone = ((~np.isnan(table.values)).sum(axis=1) == 1).tolist()
    part = table.select(methods=shown)
    are_best = (part.oriented == lowest[:, None]).tolist()
    cell = functools.cache(_cell)  # Scores have few digits, so few cells differ.
    return [
        dict(zip(shown, map(cell, values, best, itertools.repeat(is_alone)), strict=True))
        for values, best, is_alone in zip(part.values.tolist(), are_best, are_alone, strict=True)
    ]


def _cell(value: float, is_best: bool, is_alone: bool) -> PaperCell:
    """Return the cell of a score. is_alone: whether it is the only score of its task."""
    if value != value:
        return NO_SCORE
    if is_best:
        return PaperCell(value, standing=ALONE if is_alone else BEST)
    return PaperCell(value, standing=UNTESTED, note=UNTESTABLE)
