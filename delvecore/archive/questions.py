"""Answers to the questions beyond ranks, from an analysis and the archive that it comes from."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy.special import stdtrit

from delvecore.answers.answer import Answer, Column, Kind, Table
from delvecore.answers.compare_pair import comparison_sentence, why_untestable
from delvecore.answers.leaderboard import costs_answer
from delvecore.answers.ranking_questions import (
    QUESTIONS,
    Asked,
    best_answer,
    equivalence,
    hierarchical_comparison,
    same_answer,
    training_set_answers,
    without_tests,
)
from delvecore.answers.task_places import task_places_answer
from delvecore.archive import Archive
from delvecore.archive.leaderboards import LEAST_COSTED, costs_of
from delvecore.errors import DelveError
from delvecore.measures import Measure
from delvecore.number_format.columns import places_among, rows_where, task_paths
from delvecore.report.ranking.sentences import units_name
from delvecore.stats.array_types import Floats, Whole
from delvecore.stats.choose import DEFAULT_LEVEL, Setting, Verdict, adjustment_words
from delvecore.stats.designs import Design
from delvecore.stats.losses.comparison_with_best import WithBest, compare_with_best, level_for_best
from delvecore.stats.losses.results import designs_by_task, standardized_mean
from delvecore.stats.orientation import oriented, oriented_interval
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.bayesian_hierarchical import TaskPairs
from delvecore.stats.ranking.effects import level_for_pairs
from delvecore.stats.ranking.interquartile_mean import drawn_sets
from delvecore.stats.ranking.ranks import unit_names
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.ranking.standings import training_set_scores


def of_tasks_together(asked: Asked, archive: Archive | None, found: Analysis) -> Answer:
    """Answer a question about all tasks, without tests and intervals if they are of one dataset.

    Raises DelveError if what it needs is not there."""
    answer = _over_tasks(asked, archive, found)
    is_tested = not found.one_dataset or not QUESTIONS[asked.question].over_units
    return answer if is_tested else without_tests(answer)


def _over_tasks(asked: Asked, archive: Archive | None, found: Analysis) -> Answer:
    if of_table := QUESTIONS[asked.question].of_table:
        return of_table(found)
    if asked.question == "equivalence":
        return equivalence(found, asked.margin)
    return _of_an_archive(asked, _needed(asked, archive), found)


def _needed(asked: Asked, archive: Archive | None) -> Archive:
    """Return the archive. Raises DelveError for a table, which has one number a task."""
    if archive is None:
        raise DelveError(
            f"--show {asked.question}: expected tasks of an archive, with their training sets, found a table"
        )
    return archive


def _of_an_archive(asked: Asked, archive: Archive, found: Analysis) -> Answer:
    table, measure = found.table, asked.measure
    units = units_name(found)
    if asked.question == "hierarchy":
        pairs = pair_differences(archive, table, loss=measure.key, unit=found.unit)
        return hierarchical_comparison(pairs, units, region=asked.margin, level=asked.level, measure=measure)
    if asked.question == "front":
        costs = costs_of(archive, found, measure=measure)
        if costs is None:
            least = f"{LEAST_COSTED} {units}"
            raise DelveError(f"--show front: expected {least} with costs of all methods, found fewer")
        return costs_answer(costs)
    runs = unit_runs(archive, table, loss=measure.key)
    if not runs.losses:
        raise DelveError(f"--show {asked.question}: expected tasks with two training sets, found none")
    both = training_set_answers(table.methods, *runs, level=asked.level, measure=measure)
    return both[asked.question == "improvement"]


def of_single_tasks(asked: Asked, archive: Archive | None, table: ScoreTable) -> Answer:
    """Answer a question about each task by itself. Raises DelveError for a table."""
    is_best = asked.question == "best"
    known, setting = _needed(asked, archive), Setting(asked.level, asked.adjust)
    levels = level_for_best if is_best else level_for_pairs
    tasks = list(one_by_one(known, table, loss=asked.measure.key, setting=setting, level_of_pairs=levels))
    if not tasks:
        raise DelveError(f"--show {asked.question}: expected tasks with results of two methods, found none")
    if is_best:
        named = [(one.task, one.methods, _with_best(one, asked)) for one in tasks]
        return best_answer(named, level=asked.level, measure=asked.measure)
    rows = [
        (one.task, one.named_pairs, (one.differences, one.lower, one.upper), one.verdicts) for one in tasks
    ]
    return same_answer(rows, margin=asked.margin, level=asked.level, measure=asked.measure)


def _with_best(task: "OneTask", asked: Asked) -> WithBest:
    """Return the comparison of a task's methods with the best one, as values of the measure."""
    measure = asked.measure
    found = compare_with_best(
        task.pairs,
        oriented_interval(task.lower, task.upper, measure),
        task.p,
        differences=oriented(task.differences, measure),
        alpha=asked.alpha,
    )
    lower, upper = oriented_interval(found.lower, found.upper, measure)
    return replace(found, lower=lower, upper=upper)


def of_one_task(
    archive: Archive, table: ScoreTable, *, measure: Measure, setting: Setting
) -> tuple[Answer | None, Answer]:
    """Return (places of the methods on the only task of a table, comparisons of all pairs).

    There are no places of two methods, and none if no pair is tested. Raises DelveError without a pair."""
    found = archive.compare(loss=measure.key, methods=table.methods, setting=setting)
    if not found.num_rows:
        raise DelveError(f"expected two methods on {table.tasks[0]}, found {len(table.methods)}")
    place = int(np.nanargmin(table.oriented[0]))
    mean = "mean loss" if measure.is_loss else f"mean {measure.title}"
    best = f"{table.methods[place]} has the best {table.quantity}, {table.values[0][place]:.4g}"
    sentence = f"One task, {table.tasks[0]}: {best}, of {len(table.methods)} methods. "
    columns: dict[str, tuple[str, Kind]] = {
        "method_a": ("a", "name"),
        "method_b": ("b", "name"),
        "mean_a": (f"{mean} of a", "number"),
        "mean_b": (f"{mean} of b", "number"),
        "difference": ("a - b", "number"),
        "lower": ("from", "number"),
        "upper": ("to", "number"),
        "p_adjusted": ("p", "p"),
        "verdict": ("a is", "name"),
    }
    fields = [Column(key, title, kind, found[key].to_pylist()) for key, (title, kind) in columns.items()]
    if any(reasons := list(map(why_untestable, found.select(["notes"]).to_pylist()))):
        fields.append(Column("reason", "because", "name", [text.partition(": ")[2] for text in reasons]))
    side = "above" if measure.higher_is_better else "below"
    notes = (
        f"{'Losses' if measure.is_loss else measure.title}: {measure.direction}; {side} zero a is better. "
        "One dataset says nothing about others.",
        f"p: {adjustment_words(setting.adjust, what='pairs of the task')}.",
    )
    means = dict(zip(table.methods, table.values[0].tolist(), strict=True))
    places = None
    sentence += comparison_sentence(found, setting, measures=archive.measures)
    if len(means) > 2 and set(found["verdict"].to_pylist()) != {Verdict.NOT_TESTED}:
        places = task_places_answer(table.tasks[0], found, means, measure, setting)
        sentence += f" {places.headline}"
    return places, Answer("comparison", sentence, Table(tuple(fields)), notes)


def pair_differences(archive: Archive, table: ScoreTable, *, loss: str, unit: str) -> TaskPairs:
    """Return the standardized differences of all pairs of a table's methods on each unit, with their errors.

    The error is that with which Student's t has the interval of the task's own test, so that it counts what
    that test counts. Tasks of one unit are averaged, and so are their errors, as if they went together; the
    fewest degrees of freedom count."""
    rows = _compared(archive, table, loss, Setting(DEFAULT_LEVEL, "none"))
    task_of = places_among(task_paths(rows), table.task_paths)
    pair, sign = _pairs(rows, table.methods)
    reach = (_numbers(rows, "upper") - _numbers(rows, "lower")) / 2
    with np.errstate(invalid="ignore", divide="ignore"):
        scale = _numbers(rows, "standardized_error") / _numbers(rows, "standard_error")
        df = _numbers(rows, "df1")
        error = reach * scale / stdtrit(df, (1 + DEFAULT_LEVEL) / 2)
    count = len(table.methods) * (len(table.methods) - 1) // 2
    filled = np.full((3, count, len(table.tasks)), np.nan)
    filled[:, pair, task_of] = _numbers(rows, "standardized_difference") * sign, error, df
    filled[:, ~np.isfinite(filled[1])] = np.nan
    units = np.array(unit_names(table, unit), dtype=object)
    parts = [filled[:, :, units == one] for one in dict.fromkeys(units)]
    means = np.array([_mean(part[:2]) for part in parts]).reshape(-1, 2, count)
    fewest = np.array([np.fmin.reduce(part[2], axis=1) for part in parts]).reshape(-1, count)
    return TaskPairs(table.methods, means[:, 0].T, means[:, 1].T, fewest.T)


class Runs(NamedTuple):
    """Standardized losses, shape (training sets, methods), and how their overlap raises a mean's variance."""

    losses: list[Floats]
    inflations: list[float]


def unit_runs(archive: Archive, table: ScoreTable, *, loss: str) -> Runs:
    """Return the losses of the training sets that all methods have; tasks where nothing can be drawn are left
    out."""
    if (pc.max(archive.results["instances"]).as_py() or 0) < 2:
        return Runs([], [])
    losses = _of_tasks(archive.losses_at(loss=loss), table)
    scores = training_set_scores(losses)
    rows = archive.results.filter(pc.equal(archive.results["loss"], loss))
    constants = dict(zip(task_paths(rows).to_pylist(), rows["standardizer"].to_pylist(), strict=True))
    methods = {name: place for place, name in enumerate(table.methods)}
    known: dict[str, dict[int, Floats]] = {name: {} for name in table.task_paths}
    for task, method, _, instance, score in zip(
        *(column.to_pylist() for column in scores.columns), strict=True
    ):
        value = standardized_mean(loss, score, constants.get(task))
        if value is not None:
            row = known[task].setdefault(instance, np.full(len(methods), np.nan))
            row[methods[method]] = value
    found = [np.array([row for row in rows.values() if np.isfinite(row).all()]) for rows in known.values()]
    designs = {f"/{'/'.join(place)}": design for place, design in designs_by_task(archive.tasks).items()}
    raised = [_inflation(designs.get(name), len(one)) for name, one in zip(known, found, strict=True)]
    drawn = drawn_sets(list(map(len, found)), raised)
    kept = [place for place, count in enumerate(drawn) if count > 0]
    return Runs([found[place] for place in kept], [raised[place] for place in kept])


def _inflation(design: Design | None, instances: int) -> float:
    """Return by how much the variance of a mean is more; infinite where it cannot be known."""
    return design.inflation(instances) if design and design.is_testable else math.inf


class OneTask(NamedTuple):
    """All pairs of the methods with results on a task. pairs: places first, second of methods. differences:
    standardized losses of the first less the second; lower, upper: ends of each pair's interval, not
    adjusted; p: two-sided, not adjusted; verdicts: of the first, adjusted for all pairs."""

    task: str
    methods: tuple[str, ...]
    pairs: tuple[Whole, Whole]
    differences: Floats
    lower: Floats
    upper: Floats
    p: Floats
    verdicts: tuple[str, ...]

    @property
    def named_pairs(self) -> list[tuple[str, str]]:
        return [(self.methods[a], self.methods[b]) for a, b in zip(*self.pairs, strict=True)]


def one_by_one(
    archive: Archive,
    table: ScoreTable,
    *,
    loss: str,
    setting: Setting,
    level_of_pairs: Callable[[float, int], float],
) -> Iterator[OneTask]:
    """Yield the comparisons of each task of a table, verdicts by the setting. level_of_pairs: from the level
    of the setting and the number of methods of a task the confidence of each pair's interval."""
    rows = _compared(archive, table, loss, setting)
    task_of = places_among(task_paths(rows), table.task_paths)
    pairs_of = np.bincount(task_of, minlength=len(table.tasks))[task_of]
    for count in np.unique(pairs_of).tolist():
        methods = (1 + math.isqrt(1 + 8 * count)) // 2
        single = Setting(level_of_pairs(setting.level, methods), "none")
        chosen = pa.array(pairs_of == count)
        intervals = _compared(archive, table, loss, single).filter(chosen)
        for task in np.unique(task_of[pairs_of == count]).tolist():
            mine = pa.array(task_of[pairs_of == count] == task)
            verdicts = rows["verdict"].filter(chosen).filter(mine).to_pylist()
            yield _one_task(table.tasks[task], table, intervals.filter(mine), tuple(verdicts))


def _one_task(name: str, table: ScoreTable, rows: pa.Table, verdicts: tuple[str, ...]) -> OneTask:
    columns = [rows[key] for key in ("method_a", "method_b")]
    known = {name for column in columns for name in column.unique().to_pylist()}
    methods = tuple(filter(known.__contains__, table.methods))
    first, second = (places_among(column, methods) for column in columns)
    with np.errstate(invalid="ignore", divide="ignore"):
        scale = _numbers(rows, "standardized_difference") / _numbers(rows, "difference")
    scale = np.where(np.isfinite(scale), scale, 1.0)
    differences = _numbers(rows, "difference") * scale
    lower, upper = (_numbers(rows, end) * scale for end in ("lower", "upper"))
    parts = (differences, lower, upper, _numbers(rows, "p"))
    return OneTask(name, methods, (first, second), *parts, verdicts=verdicts)


def _compared(archive: Archive, table: ScoreTable, loss: str, setting: Setting) -> pa.Table:
    place = table.task_paths[0] if len(table.tasks) == 1 else "/"
    return _of_tasks(archive.compare(place, loss=loss, methods=table.methods, setting=setting), table)


def _of_tasks(rows: pa.Table, table: ScoreTable) -> pa.Table:
    """Return the rows of a table's tasks, and of its methods where they are told."""
    kept = pc.is_in(task_paths(rows), value_set=pa.array(table.task_paths, pa.string()))
    if "method" in rows.column_names:
        known = pa.array(table.methods, pa.string())
        kept = pc.and_(kept, pc.is_in(rows["method"].cast(pa.string()), value_set=known))
    return rows_where(rows, kept)


def _pairs(rows: pa.Table, methods: Sequence[str]) -> tuple[Whole, Floats]:
    """Return (the number of each row's pair first < second, -1 where the row has them in turn)."""
    a, b = (places_among(rows[key], methods) for key in ("method_a", "method_b"))
    low, high = np.minimum(a, b), np.maximum(a, b)
    pair = low * len(methods) - low * (low + 1) // 2 + high - low - 1
    return pair, np.where(a < b, 1.0, -1.0)


def _numbers(rows: pa.Table, name: str) -> Floats:
    return np.array(rows[name].to_numpy(zero_copy_only=False), dtype=float)


def _mean(values: Floats) -> Floats:
    """Return means over the last axis of what is known, not a number where nothing is."""
    known = np.isfinite(values)
    with np.errstate(invalid="ignore"):
        means: Floats = np.where(known, values, 0.0).sum(axis=-1) / known.sum(axis=-1)
    return means
