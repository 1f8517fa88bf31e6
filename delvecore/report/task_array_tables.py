"""The tables of a task-array as they are printed: estimates, winners, differences, effects, slopes, costs.

Each function makes a Grid of the rows of an Arrow table of `statistics`; `array_data` has the same rows in
full precision, a column for each factor, for CSV and JSON."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa

from delvecore.measures import Measure
from delvecore.model import TaskArray
from delvecore.render.grid import Column, Grid, grid_of_texts
from delvecore.render.numbers import decimals_for, p_text, rounded, with_error
from delvecore.render.text import counted
from delvecore.report import words
from delvecore.report.paper.source import measure_caption
from delvecore.report.ranking.sentences import run_sentences
from delvecore.report.verdict_words import shared_case_notes
from delvecore.stats.arrays.estimates import NO_COSTS
from delvecore.stats.arrays.factorial_effects import EVERY, LOG
from delvecore.stats.arrays.results import LEFT_OUT, GridCell
from delvecore.stats.choose import (
    DEFAULT_SETTING,
    Setting,
    Verdict,
    adjustment_words,
    percent,
    words_of_tests,
)
from delvecore.stats.orientation import oriented
from delvecore.stats.ranking.score_table import CommonRuns

Row = Mapping[str, Any]
"""A row of an Arrow table: {column: value}."""
HOLE = "-"
ONE_DATASET = "Each member of the array is one dataset: another one made in the same way may differ by more."
HIDDEN = ("contrasted",)
"""Columns that decide on marks and labels and are not printed."""
LOWER, HIGHER, UNTESTED = " <", " >", " ?"
"""Marks of values that are significantly lower or higher than the reference, or not tested against it."""
PAIRWISE = "Differences and p of two methods are over the instances that these two have."
Places = Collection[tuple[int, int]]
"""(row, column) of cells."""


def array_data(table: pa.Table, array: TaskArray) -> tuple[list[str], list[list[Any]]]:
    """Return (header, rows) of a table; `levels`, if there is such a column, as a column for each factor."""
    found: list[tuple[str, Sequence[Any]]] = []
    for name, column in table.to_pydict().items():
        if name == "levels":
            found += [(one.name, [levels[k] for levels in column]) for k, one in enumerate(array.factors)]
        elif name not in HIDDEN:
            found.append((name, column))
    return [name for name, _ in found], [[*row] for row in zip(*(cells for _, cells in found), strict=True)]


def _marks(measure: Measure) -> dict[str | None, str]:
    """Return the mark of each verdict."""
    better, worse = (HIGHER, LOWER) if measure.higher_is_better else (LOWER, HIGHER)
    return {Verdict.BETTER: better, Verdict.WORSE: worse, Verdict.NOT_TESTED: UNTESTED}


def shown_estimates(table: pa.Table, array: TaskArray, *, measure: Measure, setting: Setting) -> Grid:
    """Show values by task and method, the best of a task in bold, with marks against the reference."""
    rows, marks = table.to_pylist(), _marks(measure)
    bold: set[tuple[int, int]] = set()
    start = len(array.factors) + 1
    for number, cells in enumerate(_by_task(rows)):
        values = {start + k: row["standardized_mean"] for k, row in enumerate(cells)}
        known = {k: oriented(float(value), measure) for k, value in values.items() if value is not None}
        bold |= {(number, k) for k, value in known.items() if value == min(known.values())}

    def text(row: Row) -> str:
        if row["missing"]:
            return str(row["missing"])
        return _number(row["standardized_mean"], row["standardized_error"]) + marks.get(row["verdict"], "")

    others = "lower" if measure.higher_is_better else "higher"
    best = f"the {words.best_end(measure)} of its row"
    notes = [f"Bold (text: *): {best}, whether or not others are significantly {others}."]
    notes += _about_reference(rows, setting) if rows and rows[0]["reference"] else []
    caption = f"{measure_caption(measure)} {measure.direction.capitalize()}; behind ± is the standard error."
    return _by_task_and_method(array, "estimates", caption, notes, rows=rows, text=text, bold=bold)


def _about_reference(rows: Sequence[Row], setting: Setting) -> list[str]:
    name, tests = rows[0]["reference"], words_of_tests({row["test"] for row in rows})
    said = [f"< and >: significantly lower, or higher, than {name}: p is below {setting.alpha:g}."]
    said += [f"p: two-sided, by {tests}; {_adjusted(setting)}."] if tests else []
    is_untested = any(row["verdict"] == Verdict.NOT_TESTED for row in rows)
    return [*said, *(["?: not tested: the two have no p."] if is_untested else [])]


def _adjusted(setting: Setting) -> str:
    of = "" if setting.adjust == "none" else " of methods on the same task"
    return f"{adjustment_words(setting.adjust)}{of}"


def with_shared_cases(grid: Grid, results: pa.Table, cells: Iterable[GridCell]) -> Grid:
    """Return a table with notes on errors of tasks whose instances share cases. results: of the archive."""
    paths = {"/".join(("", *map(str, cell.place))) for cell in cells}
    return replace(grid, notes=(*grid.notes, *shared_case_notes(results, paths)))


def with_runs(grid: Grid, runs: CommonRuns | None) -> Grid:
    """Return a table that says first over which runs its means are, and its differences."""
    said = run_sentences(runs)
    if runs and any(one.counted for one in runs.reduced):
        said.append(PAIRWISE)
    return replace(grid, notes=(*said, *grid.notes))


def shown_differences(table: pa.Table, array: TaskArray, *, measure: Measure, setting: Setting) -> Grid:
    """Show differences to the reference by task and method, with marks where they are significant."""
    rows = [row for row in table.to_pylist() if row["method"] != row["reference"]]
    marks = _marks(measure)

    def text(row: Row) -> str:
        if row["difference"] is None:
            return HOLE if row["task"] is None else row["note"] or HOLE
        return _number(row["difference"], row["difference_error"]) + marks.get(row["verdict"], "")

    notes = _about_reference(rows, setting) if rows else []
    reference = rows[0]["reference"] if rows else "the reference"
    caption = (
        f"difference of the {words.unit_words(measure)} to {reference}. {measure_caption(measure)} "
        f"{'Above' if measure.higher_is_better else 'Below'} zero is better than the reference; behind ± is "
        "the standard error."
    )
    return _by_task_and_method(array, "differences", caption, notes, rows=rows, text=text)


def shown_costs(table: pa.Table, array: TaskArray, *, measure: Measure) -> Grid:
    """Show the median seconds of an instance by task and method, with the total of each method."""
    rows = table.to_pylist()

    def text(row: Row) -> str:
        is_recorded = row["median_seconds"] is not None
        return _seconds(row["median_seconds"]) if is_recorded else row["missing"].replace(NO_COSTS, HOLE)

    caption = "processor seconds of learning and predicting one instance (median of each task)."
    totals: Counter[str] = Counter()
    for row in rows:
        totals[row["method"]] += row["total_seconds"] or 0
    listed = ", ".join(f"{name} {_seconds(total)} s" for name, total in totals.items() if total)
    notes = [f"All recorded instances together: {listed}."] if listed else []
    notes += [f"{HOLE}: {NO_COSTS}."] if any(row["missing"] == NO_COSTS for row in rows) else []
    return _by_task_and_method(array, "costs", caption, notes, rows=rows, text=text)


def shown_method_costs(table: pa.Table, array: TaskArray, *, measure: Measure) -> Grid:
    """Show what each method costs on the whole array, next to its mean: rows of `METHOD_COSTS`."""
    rows, mean = table.to_pylist(), f"mean {measure.noun}"
    titles = ("tasks", "instances", "median s", "total s", "MB", mean)
    cells = []
    for row in rows:
        seconds = [row[name] for name in ("median_seconds", "total_seconds")]
        shown = [HOLE if one is None else _seconds(one) for one in seconds]
        shown.append(HOLE if row["most_megabytes"] is None else f"{row['most_megabytes']:.0f}")
        shown.append(HOLE if row["mean_loss"] is None else f"{row['mean_loss']:.3f}")
        cells.append([row["method"], str(row["tasks"]), str(row["instances"]), *shown, row["note"] or ""])
    caption = "processor seconds of learning and predicting, most memory in use, and mean "
    caption += f"{words.unit_words(measure)} of each method."
    compared = max((row["compared_tasks"] or 0 for row in rows), default=0)
    means = "Mean losses" if measure.is_loss else "Means"
    notes = [f"{means} are over the {counted(compared, 'task')} on which all methods have results."]
    columns = [Column("method"), *(Column(name, "r") for name in titles), Column("note")]
    return _finished(array, "total-costs", caption, notes, columns=columns, rows=cells)


def shown_winners(table: pa.Table, array: TaskArray, *, measure: Measure, setting: Setting) -> Grid:
    """Show the best method of each task, and those that are not significantly worse."""
    rows = table.to_pylist()
    columns = [*_factor_columns(array), Column("best"), Column(measure.noun, "r")]
    columns += [Column("not significantly worse"), Column("note")]
    shown = []
    for row in rows:
        value = _number(row["standardized_mean"], row["standardized_error"])
        cells = [row["best"] or HOLE, value, ", ".join(row["not_worse"]) or HOLE, row["note"] or ""]
        shown.append([*_factor_cells(row), *cells])
    note = (
        "Not significantly worse: p of the difference from the best is at least "
        f"{setting.alpha:g}, {_adjusted(setting)}; the best is the "
        f"{words.best_end(measure)} estimate."
    )
    return _finished(array, "winners", measure_caption(measure), [note], columns=columns, rows=shown)


def shown_effects(
    table: pa.Table, array: TaskArray, *, measure: Measure, setting: Setting = DEFAULT_SETTING
) -> Grid:
    """Show effects on each method's values, with intervals of this level, and shares of the variation."""
    rows, shown = table.to_pylist(), []
    scale, factor = _scale(rows, measure)
    for row in rows:
        share = "" if row["share"] is None else f"{100 * row['share']:.1f}"
        kind = {"linear": ", log2", "level": ", level"}.get(row["kind"], "")
        names = [row["method"], f"{row['term']}{kind}", row["contrast"] or ""]
        shown.append([*names, *_interval(row, "effect", factor), share, p_text(row["p_adjusted"])])
    titles = ("effect", "from", "to", *factor, "share", "p")
    columns = [Column("method"), Column("what"), Column("contrast"), *(Column(name, "r") for name in titles)]
    notes = [
        "An effect is the average at the last level less that at the first. Of an interaction it is half of "
        "how much one factor's effect differs between the ends of the other.",
        *(f"{name}: what the {measure.noun} is multiplied with, exp(effect)." for name in factor),
        "share: of the variation between the tasks; a row 'log2' is the part that follows the logarithm of "
        "the training size, its share is part of the row above.",
        _about_intervals(setting, "effects"),
        ONE_DATASET,
        *_effect_notes(rows),
    ]
    caption = f"effects on the {scale}, with confidence intervals. {measure_caption(measure)}"
    return _finished(array, "effects", caption, notes, columns=columns, rows=shown)


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
    said: dict[str, list[str]] = {}
    for method, own in by_method.items():
        terms: dict[str, dict[str, None]] = {}
        for row in own:
            for note in filter(None, (row["note"] or "").split("; ")):
                terms.setdefault(note, {})[row["term"]] = None
        texts = [note if note.startswith(EVERY) else f"{', '.join(of)}: {note}" for note, of in terms.items()]
        left = own[0]["left_out"]
        for text in [*texts, *([f"without {counted(len(left), 'task')} of the array"] if left else [])]:
            said.setdefault(text, []).append(method)
    return [f"{', '.join(methods)}: {text}." for text, methods in said.items()]


def shown_slopes(
    table: pa.Table, array: TaskArray, *, measure: Measure, setting: Setting = DEFAULT_SETTING
) -> Grid:
    """Show by member and method how the values change with each doubling of the training set."""
    rows = table.to_pylist()
    scale, factor = _scale(rows, measure)
    titles = ("slope", "from", "to", *factor, "p")
    columns = [*_factor_columns(array)[:-1], Column("method"), *(Column(name, "r") for name in titles)]
    shown = []
    for row in rows:
        names = [*row["levels"], row["method"]]
        shown.append([*names, *_interval(row, "slope", factor), p_text(row["p_adjusted"]), row["note"] or ""])
    caption = f"change of the {scale} with each doubling of the training set. {measure_caption(measure)}"
    notes = [f"{name}: what a doubling multiplies the {measure.noun} with." for name in factor]
    notes += ["p: of no change.", ONE_DATASET, _about_intervals(setting, "slopes")]
    return _finished(array, "slopes", caption, notes, columns=[*columns, Column("note")], rows=shown)


def _by_task_and_method(
    array: TaskArray,
    label: str,
    caption: str,
    notes: Sequence[str],
    *,
    rows: Sequence[Row],
    text: Callable[[Row], str],
    bold: Places = (),
) -> Grid:
    """Return a table with a row a task and a column a method; holes are dashes, counted in a note."""
    by_task = _by_task(rows)
    methods = [row["method"] for row in by_task[0]] if by_task else []
    columns = [*_factor_columns(array), *(Column(name, "r") for name in methods)]
    shown: list[list[str]] = []
    holes: Counter[str] = Counter()
    for cells in by_task:
        texts = [text(row) for row in cells]
        if texts[0] in LEFT_OUT:
            holes[texts[0]] += 1
            texts = [HOLE] * len(cells)
        shown.append([*_factor_cells(cells[0]), *texts])
    notes = [*notes, *(f"{HOLE}: {why} ({counted(count, 'task')})." for why, count in holes.items())]
    return _finished(array, label, caption, notes, columns=columns, rows=shown, bold=bold)


def _finished(
    array: TaskArray,
    label: str,
    caption: str,
    notes: Sequence[str],
    *,
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    bold: Places = (),
) -> Grid:
    """Return a table of the array; the last column is left out where it is of notes and there are none."""
    if columns[-1].title == "note" and not any(row[-1] for row in rows):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    caption, label = f"{array.title or array.name} (/{array.name}): {caption}", f"tab:{array.name}-{label}"
    notes = (*notes, *vacant_sentences(array))
    return grid_of_texts(columns, rows, caption=caption, notes=notes, label=label, bold=bold)


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
    return HOLE if value is None else with_error(value, error)


def _seconds(seconds: float) -> str:
    return f"{seconds:.3g}" if seconds < 1000 else f"{seconds:.0f}"


HEADER = ("factor", "level", "label", "meaning", "members")


def definition_rows(array: TaskArray) -> list[tuple[str, str, str, str, int]]:
    """Return a row a level, as HEADER names them; members: how many have it."""
    return [
        (factor.name, *level, sum(member.levels[place] == level.name for member in array.members))
        for place, factor in enumerate(array.factors)
        for level in factor.levels
    ]


def shown_definition(array: TaskArray) -> Grid:
    """Show the factors and levels of an array with what defines them."""
    columns = [*map(Column, HEADER[:-1]), Column(HEADER[-1], "r")]
    rows = [[*map(str, row)] for row in definition_rows(array)]
    return _finished(array, "definition", "its factors and their levels.", [], columns=columns, rows=rows)


def vacant_sentences(array: TaskArray) -> list[str]:
    """Say which levels no member has: `No member has low noise (below 0.25 %).`"""
    named = [level.label + f" ({level.meaning})" * bool(level.meaning) for level in array.vacant]
    return [f"No member has {', or '.join(named)}."] if named else []
