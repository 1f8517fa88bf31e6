"""What a table of methods x tasks says around its cells: caption, what the marks mean, how p was computed."""

from collections import Counter

from delvecore.losses.spec import LOSS_SPECS, parse_loss
from delvecore.report.paper.method_table import (
    HIGHER,
    LOWER,
    LOWEST,
    NOT_WORSE,
    UNTESTED,
    WORSE,
    MethodTable,
)
from delvecore.statistics.choose import significance, words_of_tests
from delvecore.statistics.losses.standardization import loss_title
from delvecore.statistics.notes import DOMINATED, words_of

__all__ = ["caption_of", "loss_caption", "mark_notes", "table_notes"]


def caption_of(table: MethodTable) -> str:
    """Return what the numbers are, in words."""
    return f"{loss_caption(table.loss)} Lower is better; behind ± is the standard error."


def loss_caption(loss: str) -> str:
    """Return a standardized loss in one sentence: `Squared error (S), standardized: 1 is ...`."""
    return f"{loss_title(loss)} ({loss}), standardized: {_baseline(loss)}."


def _baseline(name):
    if name in LOSS_SPECS:
        return f"{LOSS_SPECS[name].baseline_value:g} is {LOSS_SPECS[name].baseline}"
    loss = parse_loss(name)
    none = ", or none" if loss is not None and loss.penalty is not None else ""
    return f"1 is the best constant guess{none}"


def mark_notes(table: MethodTable, signs: dict[str, str]) -> list[tuple[str, str]]:
    """Return (sign, meaning) of each mark that the table has; signs: by what they stand for."""
    level = f"{significance(table.level):g}"
    meanings = {
        LOWEST: "the lowest of its row.",
        NOT_WORSE: f"not significantly higher than the lowest of its row: p is at least {level}.",
        UNTESTED: f"not tested against the lowest of its row: {_reasons(table)}.",
        LOWER: f"significantly lower than {table.reference}: p is below {level}.",
        HIGHER: f"significantly higher than {table.reference}: p is below {level}.",
    }
    used = _standings(table)
    against = {cell.to_reference for row in table.cells for cell in row}
    shown = [name for name in (LOWEST, NOT_WORSE, UNTESTED) if used[name]]
    shown += [name for name in (LOWER, HIGHER) if name in against]
    return [(signs[name], meanings[name]) for name in shown]


def table_notes(table: MethodTable) -> list[str]:
    """Return the notes that belong to no mark: how p was computed, cautions, what is missing."""
    return [*_unmarked(table), *_tests(table), *_cautions(table), *_missing(table)]


def _standings(table):
    return Counter(cell.standing for row in table.cells for cell in row)


def _reasons(table):
    notes = {cell.note for row in table.cells for cell in row if cell.standing == UNTESTED}
    return "; ".join(sorted(note or "their losses cannot be paired" for note in notes))


def _unmarked(table):
    if not _standings(table)[WORSE]:
        return []
    alpha = significance(table.level)
    return [f"Any other: significantly higher than the lowest of its row: p is below {alpha:g}."]


def _tests(table):
    found = {cell.test for row in table.cells for cell in row}
    found |= {cell.reference_test for row in table.cells for cell in row}
    used = words_of_tests(found)
    if not used:
        return []
    return [
        "p: two-sided, of the difference between the expected losses of two methods, by "
        f"{used}; not adjusted for the number of comparisons, nor for choosing the lowest by "
        "its estimate."
    ]


def _cautions(table):
    """Say where the quasi-F test rejects by itself."""
    places = [
        f"{method} on {task}"
        for task, row in zip(table.tasks, table.cells, strict=True)
        for method, cell in zip(table.methods, row, strict=True)
        if DOMINATED in cell.notes
    ]
    return [f"Beware: {words_of([DOMINATED])}: {', '.join(places)}."] if places else []


def _missing(table):
    meanings = {
        "no results": "there are no loss files for the method on the task",
        "not standardized": "what standardizes the loss of the task is not known",
        "undefined": "the mean of the losses is undefined",
    }
    found = {cell.missing for row in table.cells for cell in row}
    return [f"{name.capitalize()}: {why}." for name, why in meanings.items() if name in found]
