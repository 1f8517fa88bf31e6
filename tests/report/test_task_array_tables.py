"""The tables of a task-array as they are printed."""

from delvecore.report.grid import Grid
from delvecore.report.task_array_tables import (
    shown_effects,
    shown_estimates,
    shown_method_costs,
)
from delvecore.report.writers.latex import latex_grid
from delvecore.stats.arrays.estimates import array_estimates, method_costs
from delvecore.stats.arrays.factorial_effects import array_effects
from delvecore.stats.choose import DEFAULT_SETTING
from tests.stats.arrays.test_estimates import COSTS
from tests.stats.made_arrays import FULL, array_of, results_of

# Means of instances 1 2 3 and 2 3.1 4, at 64 and 128 cases.
A, C = [[0.0, 2.0], [1.0, 3.0], [2.0, 4.0]], [[1.0, 3.0], [2.1, 4.1], [3.0, 5.0]]
LOSSES = [("toy-8m", size, name, rows) for size in (64, 128) for name, rows in (("a", A), ("c", C))]
ARRAY = array_of(("8", "m"), ("8", "h"), ("32", "m"))
DATA = results_of(ARRAY, *LOSSES)


def row_of(shown: Grid, *start: str) -> list[str]:
    rows = [[cell.value for cell in row.cells] for row in shown.rows]
    return next(row for row in rows if tuple(row[: len(start)]) == start)


def test_estimates_mark_the_lowest_and_what_differs_from_the_reference():
    shown = shown_estimates(array_estimates(DATA, reference="a"), ARRAY, setting=DEFAULT_SETTING)
    assert row_of(shown, "8", "m", "64") == ["8", "m", "64", "2.00 ± 0.58", "3.03 ± 0.58 >"]
    assert shown.rows[0].cells[3].bold
    assert row_of(shown, "8", "h", "64")[3:] == ["no results", "no results"]
    assert row_of(shown, "32", "h", "64")[3:] == ["-", "-"]
    assert "-: no such member of the array (2 tasks)." in shown.notes
    assert shown.notes[1] == "< and >: significantly lower, or higher, than a: p is below 0.05."


def test_effects_say_once_what_holds_for_all_of_a_method():
    shown = shown_effects(array_effects(DATA), ARRAY)
    assert shown.notes[-6:] == (
        "a, c: only where inputs is 8.",
        "a, c: only where noise is m.",
        "a, c: training size: no error: a task has one instance only, or losses without variance.",
        "a, c: inputs: not estimable: there are results at one level only (8).",
        "a, c: noise: not estimable: there are results at one level only (m).",
        "a, c: without 6 tasks of the array.",
    )
    assert any(note.startswith("Intervals of 95 %") for note in shown.notes)


def test_costs_of_methods_stand_beside_their_mean_loss():
    shown = shown_method_costs(method_costs(results_of(FULL, *LOSSES), COSTS), FULL)
    titles = [column.title for column in shown.columns]
    assert titles[:7] == ["method", "tasks", "instances", "median s", "total s", "MB", "mean loss"]
    assert len(row_of(shown, "a")) == len(titles)
    assert row_of(shown, "a")[4] == "12"
    assert row_of(shown, "c")[3:6] == ["-", "-", "-"]
    assert "\\begin{tabular}" in latex_grid(shown)
