"""Answers to the questions beyond ranks, from an analysis and the archive that it comes from."""

import math
import posixpath
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy.special import stdtrit

from delvecore.answers.answer import Answer, Column, Kind, Table
from delvecore.answers.compare_pair import SPREADS, comparison_sentence, why_untestable
from delvecore.answers.leaderboard import Costs
from delvecore.answers.question import QuestionRequest, SingleTask
from delvecore.answers.questions import QUESTIONS, answer_question
from delvecore.answers.task_design import TaskDesign
from delvecore.answers.task_places import task_places_answer
from delvecore.archive import Archive
from delvecore.archive.leaderboards import costs_of, scope_of
from delvecore.errors import DelveError
from delvecore.measures import Measure
from delvecore.number_format.columns import places_among, rows_where, task_paths
from delvecore.render.numbers import significant
from delvecore.render.spans import as_name
from delvecore.stats.array_types import Floats, Whole
from delvecore.stats.choose import DEFAULT_LEVEL, Setting, Verdict, adjustment_words
from delvecore.stats.losses.results import designs_by_task, standardized_mean
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.bayesian_hierarchical import TaskPairs
from delvecore.stats.ranking.effects import DEFAULT_MARGIN
from delvecore.stats.ranking.interquartile_mean import drawn_sets
from delvecore.stats.ranking.ranks import unit_names
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.ranking.standings import training_set_scores
from delvecore.stats.verdicts import DEFAULT_TEST, RankTest
from delvecore.tables import PLACE, rows_of, values_in


def answer_to(
    word: str,
    archive: Archive,
    scores: Analysis | ScoreTable,
    *,
    measure: Measure,
    setting: Setting,
    margin: float = DEFAULT_MARGIN,
    test: RankTest = DEFAULT_TEST,
) -> Answer:
    """Answer one of QUESTIONS about a ranking, or about a table for questions on single tasks.

    Raises DelveError if the archive, or the table of scores, lacks what the question needs.
    """
    analysis, needs = scores if isinstance(scores, Analysis) else None, QUESTIONS[word].needs
    has_data = archive.has_training_sets or ("training sets" not in needs and archive.costs.num_rows > 0)
    table = scores.table if isinstance(scores, Analysis) else scores
    data = TaskData(archive, table, analysis, measure, setting) if has_data else None
    return answer_question(word, QuestionRequest(measure, setting, margin, test, analysis, data))


@dataclass(frozen=True, eq=False)
class TaskData:
    """Archive data for questions: see `ArchiveData`.

    Attributes
    ----------
    analysis : Analysis or None
        None for single tasks.
    """

    archive: Archive
    table: ScoreTable
    analysis: Analysis | None
    measure: Measure
    setting: Setting

    def costs(self) -> Costs | None:
        return None if self.analysis is None else costs_of(self.archive, self.analysis, measure=self.measure)

    def scope(self) -> tuple[str, tuple[str, ...]]:
        return scope_of(self.archive, self.table.task_paths)

    def pair_differences(self, unit: str) -> TaskPairs:
        """Return the standardized differences of all pairs on each unit, with their errors.

        The error is chosen so that Student's t gives the interval of the task's own test. Tasks of one unit
        are averaged, and so are their errors, as if they were fully correlated. Their smallest number of
        degrees of freedom is used."""
        table, rows = self.table, self._compared(Setting(DEFAULT_LEVEL, "none"))
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
        return means[:, 0].T, means[:, 1].T, fewest.T

    def training_sets(self) -> tuple[list[Floats], list[float]]:
        archive, table, loss = self.archive, self.table, self.measure.key
        if not archive.has_training_sets:
            return [], []
        scores = training_set_scores(_of_tasks(archive.losses_at(loss=loss), table))
        rows = archive.results.filter(pc.equal(archive.results["loss"], loss))
        named = rows_of(rows, (*PLACE[1:], "standardizer"))
        constants = {f"/{dataset}/{prototask}/{task}": value for dataset, prototask, task, value in named}
        methods = {name: place for place, name in enumerate(table.methods)}
        losses: dict[str, dict[int, Floats]] = {name: {} for name in table.task_paths}
        for task, method, _, instance, score in rows_of(scores, scores.column_names):
            value = standardized_mean(loss, score, constants.get(task))
            if value is not None:
                row = losses[task].setdefault(instance, np.full(len(methods), np.nan))
                row[methods[method]] = value
        common = [np.array([one for one in of.values() if np.isfinite(one).all()]) for of in losses.values()]
        designs = {f"/{'/'.join(place)}": design for place, design in designs_by_task(archive.tasks).items()}
        raised = []  # factors by which variances of means increase; infinite if unknown
        for name, one in zip(losses, common, strict=True):
            design = designs.get(name)
            raised.append(design.inflation(len(one)) if design and design.is_testable else math.inf)
        kept = [place for place, count in enumerate(drawn_sets(list(map(len, common)), raised)) if count > 0]
        return [common[place] for place in kept], [raised[place] for place in kept]

    def designs(self) -> Iterator[TaskDesign]:
        table, rows = self.table, self._compared(Setting(DEFAULT_LEVEL, "none"))
        task_of = places_among(task_paths(rows), table.task_paths)
        spreads = np.array([_numbers(rows, name) for name in SPREADS]).T
        is_known = np.isfinite(spreads[:, [0, 2]]).all(axis=1)
        sizes = [rows[name].to_numpy(zero_copy_only=False) for name in ("instances", "test_cases")]
        for task, name in enumerate(table.tasks):
            mine = np.flatnonzero((task_of == task) & is_known)
            if len(mine):
                # Pairs of a task may have fewer training sets in common.
                instances, cases = (int(np.nanmedian(one[mine])) for one in sizes)
                yield TaskDesign(name, instances, cases, spreads[mine])

    def single_tasks(self, level_of_pairs: Callable[[float, int], float]) -> Iterator[SingleTask]:
        table, rows = self.table, self._compared(self.setting)
        task_of = places_among(task_paths(rows), table.task_paths)
        verdicts = rows["verdict"].to_numpy(zero_copy_only=False)
        pairs_of = np.bincount(task_of, minlength=len(table.tasks))[task_of]
        for count in np.unique(pairs_of).tolist():
            methods = (1 + math.isqrt(1 + 8 * count)) // 2
            intervals = self._compared(Setting(level_of_pairs(self.setting.level, methods), "none"))
            for task in np.unique(task_of[pairs_of == count]).tolist():
                mine = (pairs_of == count) & (task_of == task)
                own_verdicts = tuple(verdicts[mine].tolist())
                yield _single_task(table.tasks[task], table, intervals.filter(pa.array(mine)), own_verdicts)

    def _compared(self, setting: Setting) -> pa.Table:
        place = posixpath.commonpath(self.table.task_paths)
        loss, methods = self.measure.key, self.table.methods
        rows = self.archive.compare(place, loss=loss, methods=methods, setting=setting)
        return _of_tasks(rows, self.table)


def of_one_task(
    archive: Archive, table: ScoreTable, *, measure: Measure, setting: Setting
) -> tuple[Answer | None, Answer]:
    """Return (places of the methods on the only task of a table, comparisons of all pairs).

    There are no places for only two methods, or if no pair is tested. Raises DelveError without a pair."""
    comparisons = archive.compare(loss=measure.key, methods=table.methods, setting=setting)
    if not comparisons.num_rows:
        raise DelveError(f"expected two methods on {table.tasks[0]}, found {len(table.methods)}")
    place = int(np.nanargmin(table.oriented[0]))
    mean = "mean loss" if measure.is_loss else f"mean {measure.title}"
    best = f"{as_name(table.methods[place])} has the best {as_name(table.quantity)}"
    best += f", {significant(table.values[0][place], 4)}"
    sentence = f"One task, {as_name(table.tasks[0])}: {best}, of {len(table.methods)} methods. "
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
    fields = [
        Column(key, title, kind, comparisons[key].to_pylist()) for key, (title, kind) in columns.items()
    ]
    if any(reasons := [why_untestable({"notes": notes}) for (notes,) in rows_of(comparisons, ["notes"])]):
        fields.append(Column("reason", "because", "name", [text.partition(": ")[2] for text in reasons]))
    side = "above" if measure.higher_is_better else "below"
    notes = (
        f"{'Losses' if measure.is_loss else measure.title}: {measure.direction}; {side} zero a is better. "
        "One dataset shows nothing about others.",
        f"p: {adjustment_words(setting.adjust, what='pairs of the task')}.",
    )
    means = dict(zip(table.methods, table.values[0].tolist(), strict=True))
    places = None
    sentence += comparison_sentence(comparisons, setting, measures=archive.measures)
    if len(means) > 2 and values_in(comparisons, "verdict") != [Verdict.NOT_TESTED]:
        places = task_places_answer(table.tasks[0], comparisons, means, measure, setting)
        sentence += f" {places.headline}"
    return places, Answer("comparison", sentence, Table(tuple(fields)), notes)


def _single_task(name: str, table: ScoreTable, rows: pa.Table, verdicts: tuple[str, ...]) -> SingleTask:
    columns = [rows[key] for key in ("method_a", "method_b")]
    known = {name for key in ("method_a", "method_b") for name in values_in(rows, key)}
    methods = tuple(filter(known.__contains__, table.methods))
    first, second = (places_among(column, methods) for column in columns)
    with np.errstate(invalid="ignore", divide="ignore"):
        scale = _numbers(rows, "standardized_difference") / _numbers(rows, "difference")
    scale = np.where(np.isfinite(scale), scale, 1.0)
    differences = _numbers(rows, "difference") * scale
    lower, upper = (_numbers(rows, end) * scale for end in ("lower", "upper"))
    parts = (differences, lower, upper, _numbers(rows, "p"))
    return SingleTask(name, methods, (first, second), *parts, verdicts=verdicts)


def _of_tasks(rows: pa.Table, table: ScoreTable) -> pa.Table:
    """Return the rows on a table's tasks; if rows have a method, only those of the table's methods."""
    kept = pc.is_in(task_paths(rows), value_set=pa.array(table.task_paths, pa.string()))
    if "method" in rows.column_names:
        known = pa.array(table.methods, pa.string())
        kept = pc.and_(kept, pc.is_in(rows["method"].cast(pa.string()), value_set=known))
    return rows_where(rows, kept)


def _pairs(rows: pa.Table, methods: Sequence[str]) -> tuple[Whole, Floats]:
    """Return (number of each row's pair, 1 or -1); -1 means that the row has the pair in reverse order."""
    a, b = (places_among(rows[key], methods) for key in ("method_a", "method_b"))
    low, high = np.minimum(a, b), np.maximum(a, b)
    pair = low * len(methods) - low * (low + 1) // 2 + high - low - 1
    return pair, np.where(a < b, 1.0, -1.0)


def _numbers(rows: pa.Table, name: str) -> Floats:
    return np.array(rows[name].to_numpy(zero_copy_only=False), dtype=float)


def _mean(values: Floats) -> Floats:
    """Return means over the last axis without NaN, and NaN if all are NaN."""
    known = np.isfinite(values)
    with np.errstate(invalid="ignore"):
        means: Floats = np.where(known, values, 0.0).sum(axis=-1) / known.sum(axis=-1)
    return means
