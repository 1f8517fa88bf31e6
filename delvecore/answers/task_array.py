"""Questions about a task-array: values, best methods, differences, regrets, effects, slopes, costs.

Each question is one function. Its answer has a table of numbers with a row per task and method. It also has
columns for readers, which text and LaTeX show.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.types as kinds

from delvecore.answers.answer import Answer, Column, Kind, Table, table_of
from delvecore.answers.questions import ARRAY_QUESTIONS
from delvecore.answers.task_array_sentences import ArrayTable
from delvecore.errors import Fault
from delvecore.measures import Measure
from delvecore.model import TaskArray
from delvecore.render.numbers import (
    counted,
    decimals_for,
    p_text,
    parameter,
    percent,
    rounded,
    seconds_text,
    with_error,
)
from delvecore.render.verdicts import NOT_WORSE, SIGNIFICANTLY
from delvecore.report import words
from delvecore.report.paper.source import measure_caption
from delvecore.report.ranking.sentences import run_sentences
from delvecore.report.verdict_words import shared_case_notes
from delvecore.stats.arrays import estimates as statistics
from delvecore.stats.arrays.estimates import NO_COSTS
from delvecore.stats.arrays.factorial_effects import EVERY, LOG, array_effects, learning_slopes
from delvecore.stats.arrays.results import LEFT_OUT, ArrayResults
from delvecore.stats.choose import (
    DEFAULT_SETTING,
    Setting,
    Verdict,
    adjustment_words,
    turned_verdict,
    words_of_tests,
)
from delvecore.stats.orientation import oriented
from delvecore.tables import rows_of, values_in, values_of

HOLE = "-"
ONE_DATASET = "Each member of the array is one dataset: another one made in the same way may differ by more."
KINDS = {"linear": ", log2", "level": ", level"}
DIFFERENCE = ("difference", "difference_error", "verdict")
HIDDEN = ("contrasted", "lead", "lead_error")
"""Columns for figures, not printed."""
LOWER, HIGHER, UNTESTED = " <", " >", " ?"
"""Marks of values that are significantly lower or higher than the reference, or not tested against it."""
Title = tuple[str, Kind]
CELL = ("levels", "training_size")
PAIRWISE = "Differences and p of two methods are over the instances that these two have."


@dataclass(frozen=True, eq=False)
class ArrayFacts:
    """Input of the questions.

    Attributes
    ----------
    data : ArrayResults
        Values of the methods on the tasks of an array.
    reference : str, optional
        Method that the others are compared with.
    costs, results : pa.Table, optional
        Tables of the archive: seconds of instances, and notes on shared cases.
    order : int
        Maximum number of factors in an interaction.
    scale : str, optional
        Scale of effects and slopes; None for the usual one.
    """

    data: ArrayResults
    reference: str | None = None
    setting: Setting = DEFAULT_SETTING
    costs: pa.Table | None = None
    results: pa.Table | None = None
    order: int = 2
    scale: str | None = None

    @property
    def array(self) -> TaskArray:
        return self.data.array

    @property
    def measure(self) -> Measure:
        return self.data.measure


_Answering = Callable[[ArrayFacts], Answer]
ANSWERS: dict[str, _Answering] = {}
"""Function that answers each of `ARRAY_QUESTIONS`."""


def answers(key: str) -> Callable[[_Answering], _Answering]:
    def register(function: _Answering) -> _Answering:
        ANSWERS[key] = function
        return function

    return register


@answers("estimates")
def estimates(facts: ArrayFacts) -> Answer:
    """How does each method do on each task?

    The best method of a task is bold. Marks compare with the reference.
    """
    measure, marks = facts.measure, _marks(facts.measure)
    table = statistics.array_estimates(facts.data, reference=facts.reference)
    names = ("missing", "standardized_mean", "standardized_error", "verdict")
    texts, sizes = [], []
    for missing, value, error, verdict in rows_of(table, names):
        texts.append(missing or _number(value, error) + marks.get(verdict, ""))
        sizes.append(np.inf if value is None else oriented(float(value), measure))
    least = {row: min(sizes[one] for one in rows) for rows in _by_task(table) for row in rows}
    bold = {row for row, size in enumerate(sizes) if np.inf > size == least[row]}
    others = "lower" if measure.higher_is_better else "higher"
    best = f"the {words.best_end(measure)} of its row"
    notes = [f"Bold (text: *): {best}, whether or not others are {SIGNIFICANTLY} {others}."]
    notes += _about_reference(table, facts.setting) if facts.reference else []
    caption = f"{measure_caption(measure)} {measure.direction.capitalize()}; behind ± is the standard error."
    return _wide(facts, "estimates", caption, notes, table=table, texts=texts, bold=bold)


@answers("winners")
def winners(facts: ArrayFacts) -> Answer:
    """Which method is the best on each task, and which are not significantly worse?"""
    table = statistics.array_winners(facts.data)
    for name, values in zip(("lead", "lead_error"), _leads(facts.data), strict=True):
        table = table.append_column(name, pa.array(values, pa.float64()))
    columns = [*_task_columns(facts.array), ("best", "name"), (facts.measure.noun, "count")]
    columns += _titles("name", NOT_WORSE, "note")
    names = ("best", "standardized_mean", "standardized_error", "not_worse", "note")
    shown = [
        (*cell, best or HOLE, _number(mean, error), ", ".join(not_worse) or HOLE, note or "")
        for cell, (best, mean, error, not_worse, note) in zip(
            _cells(facts, table), rows_of(table, names), strict=True
        )
    ]
    note = (
        f"{NOT_WORSE.capitalize()}: p of the difference from the best is at least "
        f"{parameter(facts.setting.alpha)}, {_adjusted(facts.setting)}; the best is the "
        f"{words.best_end(facts.measure)} estimate."
    )
    return _answer(facts, "winners", measure_caption(facts.measure), [note], table, columns, shown)


def _leads(data: ArrayResults) -> tuple[list[float | None], list[float | None]]:
    """Return the lead of each task's best method over the next one, with its error, if
    both are comparable.
    """
    leads: list[float | None] = [None] * len(data.cells)
    errors = [*leads]
    for cell, values in enumerate(np.where(np.isnan(data.value), np.inf, data.oriented)):
        best, *others = np.lexsort((np.array(data.methods), values))[:2].tolist()
        if others and not np.isnan(data.difference[cell, others[0], best]):
            leads[cell] = abs(float(data.difference[cell, others[0], best]))
            errors[cell] = float(data.difference_error[cell, others[0], best])
    return leads, errors


@answers("differences")
def differences(facts: ArrayFacts) -> Answer:
    """On which tasks is each method better or worse than the reference?

    Raises DelveError without a reference.
    """
    measure, marks = facts.measure, _marks(facts.measure)
    table = statistics.array_differences(facts.data, reference=_reference(facts, "differences"))
    others = table.filter(pc.not_equal(table["method"], table["reference"]))
    texts = [
        (HOLE if task is None else note or HOLE)
        if difference is None
        else _number(difference, error) + marks.get(verdict, "")
        for difference, error, verdict, task, note in rows_of(others, (*DIFFERENCE, "task", "note"))
    ]

    caption = (
        f"difference of the {words.unit_words(measure)} to {facts.reference}. {measure_caption(measure)} "
        f"{'Above' if measure.higher_is_better else 'Below'} zero is better than the reference; behind ± is "
        "the standard error."
    )
    notes = _about_reference(others, facts.setting) if others.num_rows else []
    return _wide(facts, "differences", caption, notes, table=table, cells=others, texts=texts)


@answers("regrets")
def regrets(facts: ArrayFacts) -> Answer:
    """How far is the reference ahead of the best other method, or behind it? Raises DelveError."""
    measure, marks = facts.measure, _marks(facts.measure)
    table = statistics.array_differences(facts.data, reference=_reference(facts, "regrets"))
    table = table.filter(pc.not_equal(table["method"], table["reference"]))
    differences = values_of(table, "difference")
    sizes = [np.inf if one is None else oriented(float(one), measure) for one in differences]
    nearest = [min(rows, key=sizes.__getitem__) for rows in _by_task(table)]
    table = _turned(table.take(pa.array(nearest, pa.int64())))
    shown = []
    for cell, (difference, error, verdict, other, note) in zip(
        _cells(facts, table), rows_of(table, (*DIFFERENCE, "other", "note")), strict=True
    ):
        text = _number(difference, error) + marks.get(verdict, "")
        shown.append((*cell, *((HOLE, note or HOLE) if difference is None else (other, text))))
    columns = [*_task_columns(facts.array), ("best other", "name"), ("difference", "count")]
    caption = f"{words.unit_words(measure)} of {facts.reference} less that of the best other method."
    than = "that of the best other method"
    about = _about_reference(table, facts.setting, than=than) if table.num_rows else []
    return _answer(facts, "regrets", caption, about, table, columns, shown)


def _turned(table: pa.Table) -> pa.Table:
    """Reverse differences from a reference: return those of the reference from the other methods."""
    verdicts = [None if one is None else turned_verdict(one) for one in values_of(table, "verdict")]
    turned = {
        "method": table["reference"],
        "reference": table["method"],
        "difference": pc.negate(table["difference"]),
        "verdict": pa.array(verdicts, pa.string()),
    }
    columns = [
        turned.get(name, column) for name, column in zip(table.column_names, table.columns, strict=True)
    ]
    names = ["other" if name == "reference" else name for name in table.column_names]
    return pa.Table.from_arrays(columns, names)


@answers("effects")
def effects(facts: ArrayFacts) -> Answer:
    """What drives the values of each method? Raises ValueError for an unavailable scale."""
    measure = facts.measure
    table = array_effects(facts.data, order=facts.order, scale=facts.scale, setting=facts.setting)
    scale, factor = _scale(table, measure)
    names = ("method", "term", "kind", "contrast", "share", "p_adjusted")
    shown = [
        (
            method,
            f"{term}{KINDS.get(kind, '')}",
            contrast or "",
            *interval,
            "" if share is None else rounded(100 * share, 1),
            p_text(p),
        )
        for (method, term, kind, contrast, share, p), interval in zip(
            rows_of(table, names), _intervals(table, "effect", factor), strict=True
        )
    ]
    titles = ("effect", "from", "to", *factor, "share", "p")
    columns = [*_titles("name", "method", "what", "contrast"), *_titles("count", *titles)]
    notes = [
        "An effect is the average at the last level less that at the first. Of an interaction it is half of "
        "how much one factor's effect differs between the ends of the other.",
        *(f"{name}: what the {measure.noun} is multiplied with, exp(effect)." for name in factor),
        "share: of the variation between the tasks; a row 'log2' is the part that follows the logarithm of "
        "the training size, its share is part of the row above.",
        _about_intervals(facts.setting, "effects"),
        ONE_DATASET,
        *_effect_notes(table),
    ]
    caption = f"effects on the {scale}, with confidence intervals. {measure_caption(measure)}"
    return _answer(facts, "effects", caption, notes, table, columns, shown)


@answers("slopes")
def slopes(facts: ArrayFacts) -> Answer:
    """How do values change with each doubling of the training set? Raises ValueError as `effects` does."""
    measure = facts.measure
    table = learning_slopes(facts.data, scale=facts.scale, setting=facts.setting)
    scale, factor = _scale(table, measure)
    titles = ("slope", "from", "to", *factor, "p")
    columns = _titles("name", *(one.name for one in facts.array.factors), "method")
    columns += [*_titles("count", *titles), ("note", "name")]
    shown = [
        (*_labels(facts, levels), method, *interval, p_text(p), note or "")
        for (levels, method, p, note), interval in zip(
            rows_of(table, ("levels", "method", "p_adjusted", "note")),
            _intervals(table, "slope", factor),
            strict=True,
        )
    ]
    caption = f"change of the {scale} with each doubling of the training set. {measure_caption(measure)}"
    notes = [f"{name}: what a doubling multiplies the {measure.noun} with." for name in factor]
    notes += ["p: of no change.", ONE_DATASET, _about_intervals(facts.setting, "slopes")]
    answer = _answer(facts, "slopes", caption, notes, table, columns, shown)
    return replace(answer, repeated=len(facts.array.factors) + 1)


@answers("costs")
def costs(facts: ArrayFacts) -> Answer:
    """What does an instance of each task cost with each method?"""
    table = statistics.array_costs(facts.data, facts.costs)
    missing = values_of(table, "missing")
    texts = [
        why.replace(NO_COSTS, HOLE) if seconds is None else seconds_text(seconds)
        for seconds, why in zip(values_of(table, "median_seconds"), missing, strict=True)
    ]
    caption = "processor seconds of learning and predicting one instance (median of each task)."
    totals: Counter[str] = Counter()
    for method, seconds in rows_of(table, ("method", "total_seconds")):
        totals[method] += seconds or 0
    listed = ", ".join(f"{name} {seconds_text(total)} s" for name, total in totals.items() if total)
    notes = [f"All recorded instances together: {listed}."] if listed else []
    notes += [f"{HOLE}: {NO_COSTS}."] if NO_COSTS in missing else []
    return _wide(facts, "costs", caption, notes, table=table, texts=texts)


@answers("total-costs")
def total_costs(facts: ArrayFacts) -> Answer:
    """What does each method cost on the whole array, next to its mean?"""
    measure = facts.measure
    table = statistics.method_costs(facts.data, facts.costs)
    names = ("method", "tasks", "instances", "most_megabytes", "mean_loss", "note")
    shown = []
    for *counts, megabytes, mean, note, median, total in rows_of(
        table, (*names, "median_seconds", "total_seconds")
    ):
        texts = [HOLE if one is None else seconds_text(one) for one in (median, total)]
        texts += [rounded(megabytes, 0) or HOLE, rounded(mean, 3) or HOLE]
        shown.append((*counts, *texts, note or ""))
    titles = ("tasks", "instances", "median s", "total s", "MB", f"mean {measure.noun}")
    columns = [("method", "name"), *_titles("count", *titles), ("note", "name")]
    caption = "processor seconds of learning and predicting, most memory in use, and mean "
    caption += f"{words.unit_words(measure)} of each method."
    compared = max((one or 0 for one in values_of(table, "compared_tasks")), default=0)
    means = "Mean losses" if measure.is_loss else "Means"
    notes = [f"{means} are over the {counted(compared, 'task')} on which all methods have results."]
    return _answer(facts, "total-costs", caption, notes, table, columns, shown)


def definition(array: TaskArray) -> Answer:
    """What are the factors of an array, and what defines their levels?

    members: number of members per level.
    """
    rows = [
        (factor.name, *level, sum(member.levels[place] == level.name for member in array.members))
        for place, factor in enumerate(array.factors)
        for level in factor.levels
    ]
    names = ("factor", "level", "label", "meaning")
    table = table_of(rows, [*((name, name, "name") for name in names), ("members", "members", "count")])
    caption = f"{array.title or array.name} (/{array.name}): its factors and their levels."
    return Answer("definition", caption, table, tuple(vacant_sentences(array)), shown=table)


def vacant_sentences(array: TaskArray) -> list[str]:
    """List the levels without members: `No member has low noise (below 0.25 %).`"""
    named = [level.label + f" ({level.meaning})" * bool(level.meaning) for level in array.vacant]
    return [f"No member has {', or '.join(named)}."] if named else []


def array_label(array: TaskArray, question: str) -> str:
    """Return the label of a table in LaTeX."""
    return f"tab:{array.name}-{question}"


def _reference(facts: ArrayFacts, what: str) -> str:
    if facts.reference is None:
        there = f"there are {', '.join(facts.data.methods)}"
        raise Fault("", f"--reference METHOD for the {what}", "none", there)
    return facts.reference


def _marks(measure: Measure) -> dict[str | None, str]:
    """Return the mark of each verdict."""
    better, worse = (HIGHER, LOWER) if measure.higher_is_better else (LOWER, HIGHER)
    return {Verdict.BETTER: better, Verdict.WORSE: worse, Verdict.NOT_TESTED: UNTESTED}


def _about_reference(table: pa.Table, setting: Setting, *, than: str | None = None) -> list[str]:
    tests = words_of_tests(set(values_of(table, "test")))
    than = than or table["reference"][0].as_py()
    notes = [
        f"< and >: {SIGNIFICANTLY} lower, or higher, than {than}: p is below {parameter(setting.alpha)}."
    ]
    notes += [f"p: two-sided, by {tests}; {_adjusted(setting)}."] if tests else []
    is_untested = Verdict.NOT_TESTED in values_of(table, "verdict")
    return [*notes, *(["?: not tested: the two have no p."] if is_untested else [])]


def _adjusted(setting: Setting) -> str:
    of = "" if setting.adjust == "none" else " of methods on the same task"
    return f"{adjustment_words(setting.adjust)}{of}"


def _scale(table: pa.Table, measure: Measure) -> tuple[str, list[str]]:
    """Return the name of the analyzed quantity and the titles of factor columns: one for a logarithm."""
    if LOG in values_of(table, "scale"):
        return f"logarithm of the {words.unit_words(measure)}", ["factor"]
    return words.unit_words(measure), []


def _intervals(table: pa.Table, name: str, factor: Sequence[str]) -> Iterator[list[str]]:
    """Yield each value with the ends of its interval, and the multiplicative factor that it represents."""
    for error, ratio, *numbers in rows_of(table, ("standard_error", "ratio", name, "lower", "upper")):
        decimals = decimals_for(error)
        yield [*(rounded(one, decimals) for one in numbers), *(rounded(ratio, 3) for _ in factor)]


def _about_intervals(setting: Setting, what: str) -> str:
    adjusted = adjustment_words(setting.adjust, what=f"{what} of a method")
    return (
        f"Intervals of {percent(setting.level)} by Student's t with Satterthwaite's degrees of freedom. "
        "Errors are propagated from the task instances, and count that all sizes are tested on the same "
        f"cases. p, and with it the intervals, is {adjusted}."
    )


def _effect_notes(table: pa.Table) -> list[str]:
    """Note effects that hold for some terms only, and missing tasks. A note on many methods appears once."""
    methods_of: dict[str, list[str]] = {}
    for method in values_in(table, "method"):
        terms: dict[str, dict[str, None]] = {}
        group = table.filter(pc.equal(table["method"], method))
        for term, notes in rows_of(group, ("term", "note")):
            for note in filter(None, (notes or "").split("; ")):
                terms.setdefault(note, {})[term] = None
        texts = [note if note.startswith(EVERY) else f"{', '.join(of)}: {note}" for note, of in terms.items()]
        left = group["left_out"][0].as_py()
        for text in [*texts, *([f"without {counted(len(left), 'task')} of the array"] if left else [])]:
            methods_of.setdefault(text, []).append(method)
    return [f"{', '.join(methods)}: {text}." for text, methods in methods_of.items()]


def _by_task(table: pa.Table) -> list[list[int]]:
    """Return the rows of each task."""
    tasks: dict[tuple[Any, ...], list[int]] = {}
    for row, (levels, size) in enumerate(rows_of(table, CELL)):
        tasks.setdefault((*levels, size), []).append(row)
    return list(tasks.values())


def _titles(kind: Kind, *titles: str) -> list[Title]:
    return [(title, kind) for title in titles]


def _task_columns(array: TaskArray) -> list[Title]:
    return [*_titles("name", *(factor.name for factor in array.factors)), ("size", "count")]


def _number(value: float | None, error: float | None) -> str:
    return HOLE if value is None else with_error(value, error, minus="-")


def _wide(
    facts: ArrayFacts,
    key: str,
    caption: str,
    notes: Sequence[str],
    *,
    table: pa.Table,
    texts: Sequence[str],
    cells: pa.Table | None = None,
    bold: Collection[int] = (),
) -> Answer:
    """Answer with a row per task and a column per method; holes are dashes, counted in a note.

    cells: displayed rows of the table, by default all; texts: one per row; bold: rows in bold.
    """
    cells = table if cells is None else cells
    by_task, titles = _by_task(cells), list(_cells(facts, cells))
    methods = values_of(cells.take(by_task[0]), "method") if by_task else []
    shown, holes = [], Counter[str]()
    for rows in by_task:
        of_task = [texts[row] for row in rows]
        if of_task[0] in LEFT_OUT:
            holes[of_task[0]] += 1
            of_task = [HOLE] * len(rows)
        shown.append((*titles[rows[0]], *of_task))
    start = len(facts.array.factors) + 1
    places = {
        (number, start + k)
        for number, rows in enumerate(by_task)
        for k, row in enumerate(rows)
        if row in bold
    }
    notes = [*notes, *(f"{HOLE}: {why} ({counted(count, 'task')})." for why, count in holes.items())]
    columns = [*_task_columns(facts.array), *_titles("count", *methods)]
    answer = _answer(facts, key, caption, notes, table, columns, shown, places)
    return replace(answer, repeated=len(facts.array.factors) + 1)


def _answer(
    facts: ArrayFacts,
    key: str,
    caption: str,
    notes: Sequence[str],
    table: pa.Table,
    columns: Sequence[Title],
    rows: Sequence[Sequence[Any]],
    bold: Collection[tuple[int, int]] = (),
) -> Answer:
    """Return an answer with notes on runs and shared cases.

    columns, rows: for readers; a last column of notes is omitted if it is empty.
    """
    if columns[-1][0] == "note" and not any(row[-1] for row in rows):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    shown = table_of(rows, [(str(number), *column) for number, column in enumerate(columns)])
    shown = replace(shown, bold=frozenset((row, str(column)) for row, column in bold))
    array, runs = facts.array, facts.data.runs
    notes = [*notes, *vacant_sentences(array)]
    if ARRAY_QUESTIONS[key].needs:  # costs need no other input
        paths = {"/".join(("", *map(str, cell.place))) for cell in facts.data.cells}
        notes += [] if facts.results is None else shared_case_notes(facts.results, paths)
        pairwise = [PAIRWISE] if runs and any(one.there for one in runs.reduced) else []
        notes = [*run_sentences(runs), *pairwise, *notes]
    caption = f"{array.title or array.name} (/{array.name}): {caption}"
    figure = ArrayTable(table, array, facts.measure, facts.setting)
    return Answer(key, caption, _numbers(table, array), tuple(notes), figure=figure, shown=shown)


def _labels(facts: ArrayFacts, levels: Sequence[str]) -> list[str]:
    """Return levels in words, as the columns of their factors show them."""
    return [factor.label(name) for factor, name in zip(facts.array.factors, levels, strict=True)]


def _cells(facts: ArrayFacts, table: pa.Table) -> Iterator[tuple[Any, ...]]:
    """Yield the levels of each row in words, and the size."""
    return ((*_labels(facts, levels), size) for levels, size in rows_of(table, CELL))


def _numbers(table: pa.Table, array: TaskArray) -> Table:
    """Return the columns of an Arrow table. `levels` becomes a column per factor."""
    columns = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        values = values_of(table, name)
        if name == "levels":
            columns += [
                Column(factor.name, factor.name, "name", [levels[k] for levels in values])
                for k, factor in enumerate(array.factors)
            ]
        elif name not in HIDDEN:
            kind: Kind = "count" if kinds.is_integer(column.type) else "number"
            kind = kind if kinds.is_integer(column.type) or kinds.is_floating(column.type) else "name"
            # Arrays of lists keep each list as one value.
            cells = np.fromiter(values, object, len(values)) if kinds.is_list(column.type) else values
            columns.append(Column(name, name, kind, cells))
    return Table(tuple(columns))
