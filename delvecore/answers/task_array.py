"""Questions about a task-array: values, best methods, differences, regrets, effects, slopes, costs.

Each question is one function, whose answer has the numbers as a table with a row per task and method, and
columns for readers, as text and LaTeX show them."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.types as kinds

from delvecore.answers.answer import Answer, Column, Kind, Table, table_of
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

Row = Mapping[str, Any]
"""A row of an Arrow table: {column: value}."""
HOLE = "-"
ONE_DATASET = "Each member of the array is one dataset: another one made in the same way may differ by more."
HIDDEN = ("contrasted", "lead", "lead_error")
"""Columns for figures, which are not printed."""
LOWER, HIGHER, UNTESTED = " <", " >", " ?"
"""Marks of values that are significantly lower or higher than the reference, or not tested against it."""
Title = tuple[str, Kind]
Places = Collection[tuple[int, int]]
"""(row, column) of cells."""
PAIRWISE = "Differences and p of two methods are over the instances that these two have."


@dataclass(frozen=True, eq=False)
class ArrayFacts:
    """What questions are asked about.

    Attributes
    ----------
    data : ArrayResults
        Values of the methods on the tasks of an array.
    reference : str, optional
        Method that the others are compared with.
    costs, results : pa.Table, optional
        Of the archive: seconds of instances, and notes on shared cases.
    order : int
        Interactions of up to so many factors.
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


@dataclass(frozen=True)
class ArrayQuestion:
    """A question, with a line of help. needs: what the answer depends on beside values and costs."""

    key: str
    ask: Callable[[ArrayFacts], Answer]
    about: str
    needs: frozenset[str]


ARRAY_QUESTIONS: dict[str, ArrayQuestion] = {}
"""All questions by their keys, in the order of the command's help."""
_Ask = Callable[[ArrayFacts], Answer]


def _question(key: str, about: str, *options: str) -> Callable[[_Ask], _Ask]:
    def register(ask: _Ask) -> _Ask:
        ARRAY_QUESTIONS[key] = ArrayQuestion(key, ask, about, frozenset(options))
        return ask

    return register


@_question("estimates", "values of each method on each task", "reference", "setting")
def estimates(facts: ArrayFacts) -> Answer:
    """How does each method do on each task? The best of a task is bold, marks are against the reference."""
    measure, marks = facts.measure, _marks(facts.measure)
    table = statistics.array_estimates(facts.data, reference=facts.reference)
    rows = table.to_pylist()

    def text(row: Row) -> str:
        if row["missing"]:
            return str(row["missing"])
        return _number(row["standardized_mean"], row["standardized_error"]) + marks.get(row["verdict"], "")

    bold, start = set[tuple[int, int]](), len(facts.array.factors) + 1
    for number, cells in enumerate(_by_task(rows)):
        values = [row["standardized_mean"] for row in cells]
        sizes = [np.inf if value is None else oriented(float(value), measure) for value in values]
        bold |= {(number, start + k) for k, size in enumerate(sizes) if np.inf > size == min(sizes)}
    others = "lower" if measure.higher_is_better else "higher"
    best = f"the {words.best_end(measure)} of its row"
    notes = [f"Bold (text: *): {best}, whether or not others are {SIGNIFICANTLY} {others}."]
    notes += _about_reference(rows, facts.setting) if facts.reference else []
    caption = f"{measure_caption(measure)} {measure.direction.capitalize()}; behind ± is the standard error."
    return _wide(facts, "estimates", caption, notes, table=table, rows=rows, text=text, bold=bold)


@_question("winners", f"best method of each task, and those {NOT_WORSE}", "setting")
def winners(facts: ArrayFacts) -> Answer:
    """Which method is the best on each task, and which are not significantly worse?"""
    table = statistics.array_winners(facts.data)
    for name, values in zip(("lead", "lead_error"), _leads(facts.data), strict=True):
        table = table.append_column(name, pa.array(values, pa.float64()))
    columns = [*_task_columns(facts.array), ("best", "name"), (facts.measure.noun, "count")]
    columns += _titles("name", NOT_WORSE, "note")
    shown = []
    for row in table.to_pylist():
        value = _number(row["standardized_mean"], row["standardized_error"])
        cells = (row["best"] or HOLE, value, ", ".join(row["not_worse"]) or HOLE, row["note"] or "")
        shown.append((*_levels(facts, row), row["training_size"], *cells))
    note = (
        f"{NOT_WORSE.capitalize()}: p of the difference from the best is at least "
        f"{parameter(facts.setting.alpha)}, {_adjusted(facts.setting)}; the best is the "
        f"{words.best_end(facts.measure)} estimate."
    )
    return _answer(facts, "winners", measure_caption(facts.measure), [note], table, columns, shown)


def _leads(data: ArrayResults) -> tuple[list[float | None], list[float | None]]:
    """Return the lead of each task's best method over the next, and its error, if they compare."""
    leads: list[float | None] = [None] * len(data.cells)
    errors = [*leads]
    for cell, values in enumerate(np.where(np.isnan(data.value), np.inf, data.oriented)):
        best, *others = np.lexsort((np.array(data.methods), values))[:2].tolist()
        if others and not np.isnan(data.difference[cell, others[0], best]):
            leads[cell] = abs(float(data.difference[cell, others[0], best]))
            errors[cell] = float(data.difference_error[cell, others[0], best])
    return leads, errors


@_question("differences", "differences to the reference", "reference", "setting")
def differences(facts: ArrayFacts) -> Answer:
    """Where is each method better or worse than the reference? Raises DelveError without it."""
    measure, marks = facts.measure, _marks(facts.measure)
    table = statistics.array_differences(facts.data, reference=_reference(facts, "differences"))
    rows = [row for row in table.to_pylist() if row["method"] != row["reference"]]

    def text(row: Row) -> str:
        if row["difference"] is None:
            return HOLE if row["task"] is None else row["note"] or HOLE
        return _number(row["difference"], row["difference_error"]) + marks.get(row["verdict"], "")

    caption = (
        f"difference of the {words.unit_words(measure)} to {facts.reference}. {measure_caption(measure)} "
        f"{'Above' if measure.higher_is_better else 'Below'} zero is better than the reference; behind ± is "
        "the standard error."
    )
    notes = _about_reference(rows, facts.setting) if rows else []
    return _wide(facts, "differences", caption, notes, table=table, rows=rows, text=text)


@_question("regrets", "the reference less the best other method", "reference", "setting")
def regrets(facts: ArrayFacts) -> Answer:
    """How far is the reference ahead of the best other method, or behind it? Raises DelveError."""
    measure, marks = facts.measure, _marks(facts.measure)
    table = statistics.array_differences(facts.data, reference=_reference(facts, "regrets"))
    rows, shown = [], []
    for cells in _by_task([row for row in table.to_pylist() if row["method"] != facts.reference]):
        known = [row for row in cells if row["difference"] is not None]
        best = min(known or cells[:1], key=lambda row: oriented(float(row["difference"] or 0), measure))
        rows.append(row := _turned(best))
        text = _number(row["difference"], row["difference_error"]) + marks.get(row["verdict"], "")
        texts = (row["other"], text) if known else (HOLE, row["note"] or HOLE)
        shown.append((*_levels(facts, row), row["training_size"], *texts))
    columns = [*_task_columns(facts.array), ("best other", "name"), ("difference", "count")]
    caption = f"{words.unit_words(measure)} of {facts.reference} less that of the best other method."
    about = _about_reference(rows, facts.setting, than="that of the best other method") if rows else []
    names = ["other" if name == "reference" else name for name in table.column_names]
    turned = pa.Table.from_pylist(rows, schema=pa.schema(zip(names, table.schema.types, strict=True)))
    return _answer(facts, "regrets", caption, about, turned, columns, shown)


def _turned(row: Row) -> Row:
    """Turn a difference to a reference into that of the reference to the other method."""
    difference = None if row["difference"] is None else -row["difference"]
    verdict = None if row["verdict"] is None else turned_verdict(row["verdict"])
    turned = {"method": row["reference"], "other": row["method"]}
    kept = {name: value for name, value in row.items() if name != "reference"}
    return kept | turned | {"difference": difference, "verdict": verdict}


@_question("effects", "effects of factors, training size and interactions", "setting", "order", "scale")
def effects(facts: ArrayFacts) -> Answer:
    """What drives the values of each method? Raises ValueError for a scale that they do not have."""
    measure = facts.measure
    table = array_effects(facts.data, order=facts.order, scale=facts.scale, setting=facts.setting)
    rows, shown = table.to_pylist(), []
    scale, factor = _scale(rows, measure)
    for row in rows:
        share = "" if row["share"] is None else rounded(100 * row["share"], 1)
        kind = {"linear": ", log2", "level": ", level"}.get(row["kind"], "")
        names = (row["method"], f"{row['term']}{kind}", row["contrast"] or "")
        shown.append((*names, *_interval(row, "effect", factor), share, p_text(row["p_adjusted"])))
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
        *_effect_notes(rows),
    ]
    caption = f"effects on the {scale}, with confidence intervals. {measure_caption(measure)}"
    return _answer(facts, "effects", caption, notes, table, columns, shown)


@_question("slopes", "slopes of learning curves", "setting", "scale")
def slopes(facts: ArrayFacts) -> Answer:
    """How do values change with each doubling of the training set? Raises ValueError as `effects` does."""
    measure = facts.measure
    table = learning_slopes(facts.data, scale=facts.scale, setting=facts.setting)
    rows = table.to_pylist()
    scale, factor = _scale(rows, measure)
    titles = ("slope", "from", "to", *factor, "p")
    columns = _titles("name", *(one.name for one in facts.array.factors), "method")
    columns += [*_titles("count", *titles), ("note", "name")]
    shown = [
        (
            *_levels(facts, row),
            row["method"],
            *_interval(row, "slope", factor),
            p_text(row["p_adjusted"]),
            row["note"] or "",
        )
        for row in rows
    ]
    caption = f"change of the {scale} with each doubling of the training set. {measure_caption(measure)}"
    notes = [f"{name}: what a doubling multiplies the {measure.noun} with." for name in factor]
    notes += ["p: of no change.", ONE_DATASET, _about_intervals(facts.setting, "slopes")]
    answer = _answer(facts, "slopes", caption, notes, table, columns, shown)
    return replace(answer, repeated=len(facts.array.factors) + 1)


@_question("costs", "median seconds of an instance")
def costs(facts: ArrayFacts) -> Answer:
    """What does an instance of each task cost with each method?"""
    table = statistics.array_costs(facts.data, facts.costs)
    rows = table.to_pylist()

    def text(row: Row) -> str:
        is_recorded = row["median_seconds"] is not None
        return seconds_text(row["median_seconds"]) if is_recorded else row["missing"].replace(NO_COSTS, HOLE)

    caption = "processor seconds of learning and predicting one instance (median of each task)."
    totals: Counter[str] = Counter()
    for row in rows:
        totals[row["method"]] += row["total_seconds"] or 0
    listed = ", ".join(f"{name} {seconds_text(total)} s" for name, total in totals.items() if total)
    notes = [f"All recorded instances together: {listed}."] if listed else []
    notes += [f"{HOLE}: {NO_COSTS}."] if any(row["missing"] == NO_COSTS for row in rows) else []
    return _wide(facts, "costs", caption, notes, table=table, rows=rows, text=text)


@_question("total-costs", "seconds and memory of each method on the whole array")
def total_costs(facts: ArrayFacts) -> Answer:
    """What does each method cost on the whole array, next to its mean?"""
    measure = facts.measure
    table = statistics.method_costs(facts.data, facts.costs)
    rows, shown = table.to_pylist(), []
    for row in rows:
        seconds = [row[name] for name in ("median_seconds", "total_seconds")]
        texts = [HOLE if one is None else seconds_text(one) for one in seconds]
        texts += [rounded(row["most_megabytes"], 0) or HOLE, rounded(row["mean_loss"], 3) or HOLE]
        shown.append((row["method"], row["tasks"], row["instances"], *texts, row["note"] or ""))
    titles = ("tasks", "instances", "median s", "total s", "MB", f"mean {measure.noun}")
    columns = [("method", "name"), *_titles("count", *titles), ("note", "name")]
    caption = "processor seconds of learning and predicting, most memory in use, and mean "
    caption += f"{words.unit_words(measure)} of each method."
    compared = max((row["compared_tasks"] or 0 for row in rows), default=0)
    means = "Mean losses" if measure.is_loss else "Means"
    notes = [f"{means} are over the {counted(compared, 'task')} on which all methods have results."]
    return _answer(facts, "total-costs", caption, notes, table, columns, shown)


def definition(array: TaskArray) -> Answer:
    """What are the factors of an array, and what defines their levels? members: how many have a level."""
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
    """Say which levels no member has: `No member has low noise (below 0.25 %).`"""
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


def _about_reference(rows: Sequence[Row], setting: Setting, *, than: str | None = None) -> list[str]:
    tests = words_of_tests({row["test"] for row in rows})
    than = than or rows[0]["reference"]
    notes = [
        f"< and >: {SIGNIFICANTLY} lower, or higher, than {than}: p is below {parameter(setting.alpha)}."
    ]
    notes += [f"p: two-sided, by {tests}; {_adjusted(setting)}."] if tests else []
    is_untested = any(row["verdict"] == Verdict.NOT_TESTED for row in rows)
    return [*notes, *(["?: not tested: the two have no p."] if is_untested else [])]


def _adjusted(setting: Setting) -> str:
    of = "" if setting.adjust == "none" else " of methods on the same task"
    return f"{adjustment_words(setting.adjust)}{of}"


def _scale(rows: Sequence[Row], measure: Measure) -> tuple[str, list[str]]:
    """Return what is analysed, and the titles of columns of factors: one where it is a logarithm."""
    if any(row["scale"] == LOG for row in rows):
        return f"logarithm of the {words.unit_words(measure)}", ["factor"]
    return words.unit_words(measure), []


def _interval(row: Row, name: str, factor: Sequence[str]) -> list[str]:
    """Return a value with the ends of its interval, and the factor that it stands for."""
    decimals = decimals_for(row["standard_error"])
    numbers = [rounded(row[key], decimals) for key in (name, "lower", "upper")]
    return [*numbers, *(rounded(row["ratio"], 3) for _ in factor)]


def _about_intervals(setting: Setting, what: str) -> str:
    adjusted = adjustment_words(setting.adjust, what=f"{what} of a method")
    return (
        f"Intervals of {percent(setting.level)} by Student's t with Satterthwaite's degrees of freedom. "
        "Errors are propagated from the task instances, and count that all sizes are tested on the same "
        f"cases. p, and with it the intervals, is {adjusted}."
    )


def _effect_notes(rows: Sequence[Row]) -> list[str]:
    """Say what holds for some terms only, and which tasks are missing; the same of many methods once."""
    by_method: dict[str, list[Row]] = {}
    for row in rows:
        by_method.setdefault(row["method"], []).append(row)
    methods_of: dict[str, list[str]] = {}
    for method, group in by_method.items():
        terms: dict[str, dict[str, None]] = {}
        for row in group:
            for note in filter(None, (row["note"] or "").split("; ")):
                terms.setdefault(note, {})[row["term"]] = None
        texts = [note if note.startswith(EVERY) else f"{', '.join(of)}: {note}" for note, of in terms.items()]
        left = group[0]["left_out"]
        for text in [*texts, *([f"without {counted(len(left), 'task')} of the array"] if left else [])]:
            methods_of.setdefault(text, []).append(method)
    return [f"{', '.join(methods)}: {text}." for text, methods in methods_of.items()]


def _by_task(rows: Sequence[Row]) -> list[list[Row]]:
    tasks: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        tasks.setdefault((*row["levels"], row["training_size"]), []).append(row)
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
    rows: Sequence[Row],
    text: Callable[[Row], str],
    bold: Places = (),
) -> Answer:
    """Answer with a row per task and a column per method; holes are dashes, counted in a note."""
    by_task = _by_task(rows)
    methods = [row["method"] for row in by_task[0]] if by_task else []
    shown, holes = [], Counter[str]()
    for cells in by_task:
        texts = [text(row) for row in cells]
        if texts[0] in LEFT_OUT:
            holes[texts[0]] += 1
            texts = [HOLE] * len(cells)
        shown.append((*_levels(facts, cells[0]), cells[0]["training_size"], *texts))
    notes = [*notes, *(f"{HOLE}: {why} ({counted(count, 'task')})." for why, count in holes.items())]
    columns = [*_task_columns(facts.array), *_titles("count", *methods)]
    answer = _answer(facts, key, caption, notes, table, columns, shown, bold)
    return replace(answer, repeated=len(facts.array.factors) + 1)


def _answer(
    facts: ArrayFacts,
    key: str,
    caption: str,
    notes: Sequence[str],
    table: pa.Table,
    columns: Sequence[Title],
    rows: Sequence[Sequence[Any]],
    bold: Places = (),
) -> Answer:
    """Return an answer with notes on runs and shared cases. columns, rows: for readers; a last
    column of notes is left out if there are none."""
    if columns[-1][0] == "note" and not any(row[-1] for row in rows):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    shown = table_of(rows, [(str(number), *column) for number, column in enumerate(columns)])
    shown = replace(shown, bold=frozenset((row, str(column)) for row, column in bold))
    array, runs = facts.array, facts.data.runs
    notes = [*notes, *vacant_sentences(array)]
    if ARRAY_QUESTIONS[key].needs:  # costs need nothing
        paths = {"/".join(("", *map(str, cell.place))) for cell in facts.data.cells}
        notes += [] if facts.results is None else shared_case_notes(facts.results, paths)
        pairwise = [PAIRWISE] if runs and any(one.there for one in runs.reduced) else []
        notes = [*run_sentences(runs), *pairwise, *notes]
    caption = f"{array.title or array.name} (/{array.name}): {caption}"
    return Answer(key, caption, _numbers(table, array), tuple(notes), figure=table, shown=shown)


def _levels(facts: ArrayFacts, row: Row) -> list[str]:
    """Return the levels of a row in words, as columns of their factors show them."""
    return [factor.label(name) for factor, name in zip(facts.array.factors, row["levels"], strict=True)]


def _numbers(table: pa.Table, array: TaskArray) -> Table:
    """Return the columns of an Arrow table; of `levels` a column for each factor."""
    columns = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        values = column.to_pylist()
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
