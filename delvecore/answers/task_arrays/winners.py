"""Best methods of the tasks, and the methods that are not significantly worse."""

from typing import TYPE_CHECKING

from delvecore.answers.answer import Answer
from delvecore.answers.question import question
from delvecore.render.numbers import parameter
from delvecore.render.verdicts import NOT_WORSE

if TYPE_CHECKING:
    from delvecore.answers.task_array import ArrayFacts
    from delvecore.stats.arrays.results import ArrayResults


@question(
    "winners",
    order=20,
    meaning=f"best method of each task, and those {NOT_WORSE}",
    needs=("setting",),
)
def winners(facts: "ArrayFacts") -> Answer:
    """Which method is the best on each task, and which are not significantly worse?"""
    import pyarrow as pa

    from delvecore.answers import task_array
    from delvecore.report import words
    from delvecore.report.paper.source import measure_caption
    from delvecore.stats.arrays import estimates as statistics
    from delvecore.tables import rows_of

    table = statistics.array_winners(facts.data)
    for name, values in zip(("lead", "lead_error"), _leads(facts.data), strict=True):
        table = table.append_column(name, pa.array(values, pa.float64()))
    columns = [*task_array.task_columns(facts.array), ("best", "name"), (facts.measure.noun, "count")]
    columns += task_array.titles("name", NOT_WORSE, "note")
    names = ("best", "standardized_mean", "standardized_error", "not_worse", "note")
    shown = [
        (
            *cell,
            best or task_array.HOLE,
            task_array.number(mean, error),
            ", ".join(not_worse) or task_array.HOLE,
            note or "",
        )
        for cell, (best, mean, error, not_worse, note) in zip(
            task_array.cells_of(facts, table), rows_of(table, names), strict=True
        )
    ]
    note = (
        f"{NOT_WORSE.capitalize()}: p of the difference from the best is at least "
        f"{parameter(facts.setting.alpha)}, {task_array.adjusted_words(facts.setting)}; the best is the "
        f"{words.best_end(facts.measure)} estimate."
    )
    return task_array.array_answer(
        facts, "winners", measure_caption(facts.measure), [note], table, columns, shown
    )


def _leads(data: "ArrayResults") -> tuple[list[float | None], list[float | None]]:
    """Return the lead of each task's best method over the next one, with its error, if
    both are comparable.
    """
    import numpy as np

    leads: list[float | None] = [None] * len(data.cells)
    errors = [*leads]
    for cell, values in enumerate(np.where(np.isnan(data.value), np.inf, data.oriented)):
        best, *others = np.lexsort((np.array(data.methods), values))[:2].tolist()
        if others and not np.isnan(data.difference[cell, others[0], best]):
            leads[cell] = abs(float(data.difference[cell, others[0], best]))
            errors[cell] = float(data.difference_error[cell, others[0], best])
    return leads, errors
