"""The tables of a task-array as they are printed: estimates, winners, differences, effects, slopes, costs.

Each function makes a Grid of the rows of an Arrow table of `statistics`; `array_data` has the same rows
in full precision, a column for each factor, for CSV and JSON.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from delvecore.model import TaskArray
from delvecore.report.grid import Column, Grid, grid_of_texts
from delvecore.report.paper.notes import loss_caption
from delvecore.report.rounding import decimals_for, p_text, rounded
from delvecore.report.writers.text import counted
from delvecore.statistics.arrays.costs import NO_COSTS
from delvecore.statistics.arrays.effects import LOG, ONLY
from delvecore.statistics.arrays.estimates import HIGHER, LOWER, NOT_TESTED, REFERENCE
from delvecore.statistics.arrays.results import LEFT_OUT
from delvecore.statistics.choose import DEFAULT_LEVEL, is_settled, significance, words_of_tests

__all__ = [
    "array_data",
    "shown_costs",
    "shown_differences",
    "shown_effects",
    "shown_estimates",
    "shown_method_costs",
    "shown_slopes",
    "shown_winners",
]

Row = Mapping[str, Any]
"""A row of an Arrow table: {column: value}."""
HOLE = "-"
HIDDEN = ("compared", "contrasted")
"""Columns that decide on marks and labels and are not printed."""
MARKS = {LOWER: " <", HIGHER: " >", NOT_TESTED: " ?"}


def array_data(table: pa.Table, array: TaskArray) -> tuple[list[str], list[list[Any]]]:
    """Return (header, rows) of a table; `levels`, if there is such a column, as a column for each factor."""
    names, columns = table.column_names, table.to_pydict()
    header: list[str] = []
    cells: list[list[Any]] = []
    for name in names:
        if name in HIDDEN:
            continue
        if name != "levels":
            header.append(name)
            cells.append(columns[name])
            continue
        for number, factor in enumerate(array.factors):
            header.append(factor.name)
            cells.append([levels[number] for levels in columns[name]])
    return header, [list(row) for row in zip(*cells, strict=True)]


def shown_estimates(table: pa.Table, array: TaskArray, *, level: float) -> Grid:
    """Show losses by task and method, the lowest of a task in bold, with marks against the reference."""
    rows = table.to_pylist()
    bold: set[tuple[int, int]] = set()
    start = len(array.factors) + 1
    for number, cells in enumerate(_by_task(rows)):
        losses = [row["standardized_mean"] for row in cells]
        lowest = min((loss for loss in losses if loss is not None), default=None)
        bold |= {(number, start + k) for k, loss in enumerate(losses) if loss is not None and loss == lowest}

    def text(row: Row) -> str:
        if row["missing"]:
            return row["missing"]
        return _number(row["standardized_mean"], row["standardized_error"]) + _mark(row, level)

    notes = ["Bold (text: *): the lowest of its row, whether or not others are significantly higher."]
    notes += _about_reference(rows, level) if rows and rows[0]["reference"] else []
    caption = f"{_title(array)}: {_loss(rows)} Lower is better; behind ± is the standard error."
    return _grid(array, rows, text, caption=caption, notes=notes, bold=frozenset(bold), label="estimates")


def _mark(row: Row, level: float) -> str:
    basis = {"test": row["test"], "instances": row["compared"]}
    if not row["difference"] or not is_settled(row["p"], level=level, **basis):
        return ""
    return MARKS[LOWER if row["difference"] < 0 else HIGHER]


def _about_reference(rows: Sequence[Row], level: float) -> list[str]:
    name = rows[0]["reference"]
    used = {row["test"] for row in rows}
    tests = words_of_tests(used)
    how = [f"p: two-sided, by {tests}."] if tests else []
    alpha = significance(level)
    return [f"< and >: significantly lower, or higher, than {name}: p is below {alpha:g}.", *how]


def shown_differences(table: pa.Table, array: TaskArray, *, level: float, adjust: bool) -> Grid:
    """Show differences to the reference by task and method, with marks where they are significant."""
    rows = [
        row for row in table.to_pylist() if row["standing"] != REFERENCE and row["method"] != row["reference"]
    ]

    def text(row: Row) -> str:
        if row["difference"] is None:
            return HOLE if row["task"] is None else row["note"] or HOLE
        return _number(row["difference"], row["difference_error"]) + MARKS.get(row["standing"], "")

    notes = _about_reference(rows, level) if rows else []
    if any(row["standing"] == NOT_TESTED for row in rows):
        notes.append("?: not tested: the two have no p.")
    if adjust:
        notes.append("p is adjusted by Holm's method for the methods tested on the same task.")
    reference = rows[0]["reference"] if rows else "the reference"
    caption = (
        f"{_title(array)}: difference of the standardized loss to {reference}. {_loss(rows)} Below zero is "
        "better than the reference; behind ± is the standard error."
    )
    return _grid(array, rows, text, caption=caption, notes=notes, label="differences")


def shown_costs(table: pa.Table, array: TaskArray) -> Grid:
    """Show the median seconds of an instance by task and method, with the total of each method."""
    rows = table.to_pylist()

    def text(row: Row) -> str:
        is_recorded = row["median_seconds"] is not None
        return _seconds(row["median_seconds"]) if is_recorded else row["missing"].replace(NO_COSTS, HOLE)

    caption = (
        f"{_title(array)}: processor seconds of learning and predicting one instance (median of each task)."
    )
    totals: Counter[str] = Counter()
    for row in rows:
        totals[row["method"]] += row["total_seconds"] or 0
    listed = ", ".join(f"{name} {_seconds(total)} s" for name, total in totals.items() if total)
    notes = [f"All recorded instances together: {listed}."] if listed else []
    notes += [f"{HOLE}: {NO_COSTS}."] if any(row["missing"] == NO_COSTS for row in rows) else []
    return _grid(array, rows, text, caption=caption, notes=notes, label="costs")


def shown_method_costs(table: pa.Table, array: TaskArray) -> Grid:
    """Show what each method costs on the whole array, beside its mean loss: rows of `METHOD_COSTS`."""
    rows = table.to_pylist()
    columns = [Column("method")]
    columns += [
        Column(name, "r") for name in ("tasks", "instances", "median s", "total s", "MB", "mean loss")
    ]
    columns += [Column("note")] if any(row["note"] for row in rows) else []
    cells = tuple(_costs_of_method(row)[: len(columns)] for row in rows)
    caption = (
        f"{_title(array)}: processor seconds of learning and predicting, most memory in use, and mean "
        "standardized loss of each method."
    )
    compared = max((row["compared_tasks"] or 0 for row in rows), default=0)
    note = f"Mean losses are over the {counted(compared, 'task')} on which all methods have results."
    label = f"tab:{array.name}-total-costs"
    return grid_of_texts(columns, cells, caption=caption, notes=(note,), label=label)


def _costs_of_method(row: Row) -> tuple[str, ...]:
    """Return the texts of a row, with a note."""
    seconds = [
        HOLE if row[name] is None else _seconds(row[name]) for name in ("median_seconds", "total_seconds")
    ]
    memory = HOLE if row["most_megabytes"] is None else f"{row['most_megabytes']:.0f}"
    loss = HOLE if row["mean_loss"] is None else f"{row['mean_loss']:.3f}"
    counts = (str(row["tasks"]), str(row["instances"]))
    return (row["method"], *counts, *seconds, memory, loss, row["note"] or "")


def shown_winners(table: pa.Table, array: TaskArray, *, level: float, adjust: bool) -> Grid:
    """Show the best method of each task, and those that are not significantly worse."""
    rows = table.to_pylist()
    columns = [
        *_factor_columns(array),
        Column("best"),
        Column("loss", "r"),
        Column("not significantly worse"),
    ]
    columns += [Column("note")] if any(row["note"] for row in rows) else []
    shown = []
    for row in rows:
        loss = _number(row["standardized_mean"], row["standardized_error"])
        cells = [*_factor_cells(row), row["best"] or HOLE, loss, ", ".join(row["not_worse"]) or HOLE]
        shown.append([*cells, row["note"] or ""][: len(columns)])
    how = (
        "after Holm's adjustment within the task" if adjust else "not adjusted for the number of comparisons"
    )
    notes = (
        "Not significantly worse: p of the difference from the best is at least "
        f"{significance(level):g}, {how}; the best is the lowest estimate, and that it was chosen by its "
        "estimate is not adjusted for.",
    )
    caption = f"{_title(array)}: {_loss(rows)}"
    return grid_of_texts(columns, shown, caption=caption, notes=notes, label=f"tab:{array.name}-winners")


def shown_effects(table: pa.Table, array: TaskArray, *, level: float = DEFAULT_LEVEL) -> Grid:
    """Show effects on each method's loss, with intervals of this level, and shares of the variation."""
    rows = table.to_pylist()
    is_log = any(row["scale"] == LOG for row in rows)
    titles = ("effect", "from", "to", *(["factor"] if is_log else []), "share", "p")
    columns = [Column("method"), Column("what"), Column("contrast"), *(Column(name, "r") for name in titles)]
    shown = [_effect_cells(row, is_log) for row in rows]
    scale = "logarithm of the standardized loss" if is_log else "standardized loss"
    caption = f"{_title(array)}: effects on the {scale}, with confidence intervals. {_loss(rows)}"
    notes = [
        "An effect is the average at the last level less that at the first; of an interaction, half of how "
        "much one factor's effect differs between the ends of the other.",
        *(["factor: what the loss is multiplied with, exp(effect)."] if is_log else []),
        "share: of the variation between the tasks; a row 'log2' is the part that follows the logarithm of "
        "the training size, its share is part of the row above.",
        _about_intervals(level),
        *_effect_notes(rows),
    ]
    return grid_of_texts(columns, shown, caption=caption, notes=notes, label=f"tab:{array.name}-effects")


def _about_intervals(level: float) -> str:
    return (
        f"Intervals of {100 * level:g} % by Student's t with Satterthwaite's degrees of freedom; "
        "errors are propagated from the task instances, and count that all sizes are tested on the same "
        "cases."
    )


def _effect_cells(row: Row, is_log: bool) -> list[str]:
    decimals = decimals_for(row["standard_error"])
    numbers = [rounded(row[name], decimals) for name in ("effect", "lower", "upper")]
    numbers += [rounded(row["ratio"], 3)] if is_log else []
    share = "" if row["share"] is None else f"{100 * row['share']:.1f}"
    kind = {"linear": ", log2", "level": ", level"}.get(row["kind"], "")
    return [row["method"], f"{row['term']}{kind}", row["contrast"] or "", *numbers, share, p_text(row["p"])]


def _effect_notes(rows: Sequence[Row]) -> list[str]:
    """Say what holds for some terms only, and which tasks are missing; the same of many methods once."""
    by_method: dict[str, list[Row]] = {}
    for row in rows:
        by_method.setdefault(row["method"], []).append(row)
    said: dict[str, list[str]] = {}
    for method, own in by_method.items():
        for text in _notes_of_method(own):
            said.setdefault(text, []).append(method)
    return [f"{', '.join(methods)}: {text}." for text, methods in said.items()]


def _notes_of_method(rows: Sequence[Row]) -> list[str]:
    terms: dict[str, dict[str, None]] = {}
    for row in rows:
        for note in filter(None, (row["note"] or "").split("; ")):
            terms.setdefault(note, {})[row["term"]] = None
    notes = [
        note if note.startswith(ONLY) else f"{', '.join(found)}: {note}" for note, found in terms.items()
    ]
    left = rows[0]["left_out"]
    return notes + ([f"without {counted(len(left), 'task')} of the array"] if left else [])


def shown_slopes(table: pa.Table, array: TaskArray, *, level: float = DEFAULT_LEVEL) -> Grid:
    """Show by member and method how the loss changes with each doubling of the training set."""
    rows = table.to_pylist()
    is_log = any(row["scale"] == LOG for row in rows)
    titles = ("slope", "from", "to", *(["factor"] if is_log else []), "p")
    columns = [*_factor_columns(array)[:-1], Column("method"), *(Column(name, "r") for name in titles)]
    columns += [Column("note")] if any(row["note"] for row in rows) else []
    shown = []
    for row in rows:
        decimals = decimals_for(row["standard_error"])
        numbers = [rounded(row[name], decimals) for name in ("slope", "lower", "upper")]
        numbers += [rounded(row["ratio"], 3)] if is_log else []
        cells = [*row["levels"], row["method"], *numbers, p_text(row["p"]), row["note"] or ""]
        shown.append(cells[: len(columns)])
    scale = "logarithm of the standardized loss" if is_log else "standardized loss"
    caption = f"{_title(array)}: change of the {scale} with each doubling of the training set. {_loss(rows)}"
    factor = ["factor: what a doubling multiplies the loss with."] if is_log else []
    notes = (*factor, "p: of no change.", _about_intervals(level))
    return grid_of_texts(columns, shown, caption=caption, notes=notes, label=f"tab:{array.name}-slopes")


def _grid(
    array: TaskArray,
    rows: Sequence[Row],
    text: Callable[[Row], str],
    *,
    caption: str,
    notes: Sequence[str],
    label: str,
    bold: frozenset[tuple[int, int]] = frozenset(),
) -> Grid:
    """Return a table with a row a task and a column a method; holes are dashes, counted in a note."""
    by_task = _by_task(rows)
    methods = [row["method"] for row in by_task[0]] if by_task else []
    columns = (*_factor_columns(array), *(Column(name, "r") for name in methods))
    shown: list[list[str]] = []
    holes: Counter[str] = Counter()
    for cells in by_task:
        texts = [text(row) for row in cells]
        if texts[0] in LEFT_OUT:
            holes[texts[0]] += 1
            texts = [HOLE] * len(cells)
        shown.append([*_factor_cells(cells[0]), *texts])
    of_holes = [f"{HOLE}: {reason} ({counted(count, 'task')})." for reason, count in holes.items()]
    notes, label = (*notes, *of_holes), f"tab:{array.name}-{label}"
    return grid_of_texts(columns, shown, caption=caption, notes=notes, label=label, bold=bold)


def _by_task(rows: Sequence[Row]) -> list[list[Row]]:
    found: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        found.setdefault((*row["levels"], row["training_size"]), []).append(row)
    return list(found.values())


def _factor_columns(array: TaskArray) -> list[Column]:
    return [*(Column(factor.name) for factor in array.factors), Column("size", "r")]


def _factor_cells(row: Row) -> list[str]:
    return [*row["levels"], str(row["training_size"])]


def _number(value: float | None, error: float | None) -> str:
    if value is None:
        return HOLE
    decimals = decimals_for(error)
    shown = rounded(value, decimals)
    return shown if error is None else f"{shown} ± {rounded(error, decimals)}"


def _seconds(seconds: float) -> str:
    return f"{seconds:.3g}" if seconds < 1000 else f"{seconds:.0f}"


def _title(array: TaskArray) -> str:
    return f"{array.title or array.name} (/{array.name})"


def _loss(rows: Sequence[Row]) -> str:
    return loss_caption(rows[0]["loss"]) if rows else ""
