"""Values of the methods, and their differences from a reference."""

from typing import TYPE_CHECKING

from delvecore.answers.answer import Answer
from delvecore.answers.question import question
from delvecore.errors import Fault
from delvecore.measures import Measure
from delvecore.render.numbers import parameter
from delvecore.render.verdicts import SIGNIFICANTLY
from delvecore.stats.choose import Setting, Verdict, turned_verdict, words_of_tests

if TYPE_CHECKING:
    import pyarrow as pa

    from delvecore.answers.task_array import ArrayFacts

DIFFERENCE = ("difference", "difference_error", "verdict")
LOWER, HIGHER, UNTESTED = " <", " >", " ?"
"""Marks of values that are significantly lower or higher than the reference, or not tested against it."""


@question(
    "estimates",
    order=10,
    meaning="values of each method on each task",
    needs=("reference", "setting"),
)
def estimates(facts: "ArrayFacts") -> Answer:
    """How does each method do on each task?

    The best method of a task is bold. Marks compare with the reference.
    """
    import numpy as np

    from delvecore.answers import task_array
    from delvecore.report import words
    from delvecore.report.paper.source import measure_caption
    from delvecore.stats.arrays import estimates as statistics
    from delvecore.stats.orientation import oriented
    from delvecore.tables import rows_of

    measure, marks = facts.measure, _marks(facts.measure)
    table = statistics.array_estimates(facts.data, reference=facts.reference)
    names = ("missing", "standardized_mean", "standardized_error", "verdict")
    texts, sizes = [], []
    for missing, value, error, verdict in rows_of(table, names):
        texts.append(missing or task_array.number(value, error) + marks.get(verdict, ""))
        sizes.append(np.inf if value is None else oriented(float(value), measure))
    least = {row: min(sizes[one] for one in rows) for rows in task_array.by_task(table) for row in rows}
    bold = {row for row, size in enumerate(sizes) if np.inf > size == least[row]}
    others = "lower" if measure.higher_is_better else "higher"
    best = f"the {words.best_end(measure)} of its row"
    notes = [f"Bold (text: *): {best}, whether or not others are {SIGNIFICANTLY} {others}."]
    notes += _about_reference(table, facts.setting) if facts.reference else []
    caption = f"{measure_caption(measure)} {measure.direction.capitalize()}; ± gives the standard error."
    return task_array.wide_answer(facts, "estimates", caption, notes, table=table, texts=texts, bold=bold)


@question("differences", order=30, meaning="differences from the reference", needs=("reference", "setting"))
def differences(facts: "ArrayFacts") -> Answer:
    """On which tasks is each method better or worse than the reference?

    Raises DelveError without a reference.
    """
    import pyarrow.compute as pc

    from delvecore.answers import task_array
    from delvecore.report import words
    from delvecore.report.paper.source import measure_caption
    from delvecore.stats.arrays import estimates as statistics
    from delvecore.tables import rows_of

    measure, marks = facts.measure, _marks(facts.measure)
    table = statistics.array_differences(facts.data, reference=_reference(facts, "differences"))
    others = table.filter(pc.not_equal(table["method"], table["reference"]))
    texts = [
        (task_array.HOLE if task is None else note or task_array.HOLE)
        if difference is None
        else task_array.number(difference, error) + marks.get(verdict, "")
        for difference, error, verdict, task, note in rows_of(others, (*DIFFERENCE, "task", "note"))
    ]

    caption = (
        f"difference of the {words.unit_words(measure)} from {facts.reference}. {measure_caption(measure)} "
        f"{'Above' if measure.higher_is_better else 'Below'} zero is better than the reference; ± gives "
        "the standard error."
    )
    notes = _about_reference(others, facts.setting) if others.num_rows else []
    return task_array.wide_answer(
        facts, "differences", caption, notes, table=table, cells=others, texts=texts
    )


@question(
    "regrets",
    order=40,
    meaning="the reference minus the best other method",
    needs=("reference", "setting"),
)
def regrets(facts: "ArrayFacts") -> Answer:
    """How far is the reference ahead of, or behind, the best other method? Raises DelveError without one."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    from delvecore.answers import task_array
    from delvecore.report import words
    from delvecore.stats.arrays import estimates as statistics
    from delvecore.stats.orientation import oriented
    from delvecore.tables import rows_of, values_of

    measure, marks = facts.measure, _marks(facts.measure)
    table = statistics.array_differences(facts.data, reference=_reference(facts, "regrets"))
    table = table.filter(pc.not_equal(table["method"], table["reference"]))
    differences = values_of(table, "difference")
    sizes = [np.inf if one is None else oriented(float(one), measure) for one in differences]
    nearest = [min(rows, key=sizes.__getitem__) for rows in task_array.by_task(table)]
    table = _turned(table.take(pa.array(nearest, pa.int64())))
    shown = []
    for cell, (difference, error, verdict, other, note) in zip(
        task_array.cells_of(facts, table), rows_of(table, (*DIFFERENCE, "other", "note")), strict=True
    ):
        text = task_array.number(difference, error) + marks.get(verdict, "")
        shown.append(
            (*cell, *((task_array.HOLE, note or task_array.HOLE) if difference is None else (other, text)))
        )
    columns = [*task_array.task_columns(facts.array), ("best other", "name"), ("difference", "count")]
    caption = f"{words.unit_words(measure)} of {facts.reference} minus that of the best other method."
    than = "that of the best other method"
    about = _about_reference(table, facts.setting, than=than) if table.num_rows else []
    return task_array.array_answer(facts, "regrets", caption, about, table, columns, shown)


def _turned(table: "pa.Table") -> "pa.Table":
    """Reverse differences from a reference: return those of the reference from the other methods."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from delvecore.tables import values_of

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


def _reference(facts: "ArrayFacts", what: str) -> str:
    if facts.reference is None:
        there = f"there are {', '.join(facts.data.methods)}"
        raise Fault("", f"--reference METHOD for the {what}", "none", there)
    return facts.reference


def _marks(measure: Measure) -> dict[str | None, str]:
    """Return the mark of each verdict."""
    better, worse = (HIGHER, LOWER) if measure.higher_is_better else (LOWER, HIGHER)
    return {Verdict.BETTER: better, Verdict.WORSE: worse, Verdict.NOT_TESTED: UNTESTED}


def _about_reference(table: "pa.Table", setting: Setting, *, than: str | None = None) -> list[str]:
    from delvecore.answers import task_array
    from delvecore.tables import values_of

    tests = words_of_tests(set(values_of(table, "test")))
    than = than or table["reference"][0].as_py()
    notes = [
        f"< and >: {SIGNIFICANTLY} lower, or higher, than {than}: p is below {parameter(setting.alpha)}."
    ]
    notes += [f"p: two-sided, by {tests}; {task_array.adjusted_words(setting)}."] if tests else []
    is_untested = Verdict.NOT_TESTED in values_of(table, "verdict")
    return [*notes, *(["?: not tested; the pair has no p."] if is_untested else [])]
