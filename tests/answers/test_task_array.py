"""Answers to questions about a task-array, as they are printed."""

import re

from delvecore.answers.answer import Answer
from delvecore.answers.array_questions import ARRAY_QUESTIONS
from delvecore.answers.task_array import ArrayFacts
from delvecore.measures import column_measure
from delvecore.model import Factor, Level
from delvecore.render.answers import answer_grid, answer_text
from delvecore.render.grid import Grid
from tests.stats.arrays.test_estimates import COSTS
from tests.stats.made_arrays import FULL, array_of, results_of, task_table

# Means of instances 1 2 3 and 2 3.1 4, at 64 and 128 cases.
A, C = [[0.0, 2.0], [1.0, 3.0], [2.0, 4.0]], [[1.0, 3.0], [2.1, 4.1], [3.0, 5.0]]
LOSSES = [("toy-8m", size, name, rows) for size in (64, 128) for name, rows in (("a", A), ("c", C))]
ARRAY = array_of(("8", "m"), ("8", "h"), ("32", "m"))
DATA = results_of(ARRAY, *LOSSES)


def asked(question: str, data: object, reference: str | None = None) -> Answer:
    return ARRAY_QUESTIONS[question].answer(ArrayFacts(data, reference, costs=COSTS))


def printed(question: str, data: object, reference: str | None = None) -> Grid:
    return answer_grid(asked(question, data, reference), "tab:x")


def row_of(shown: Grid, *start: str) -> list[str]:
    rows = [[cell.value for cell in row.cells] for row in shown.rows]
    return next(row for row in rows if tuple(row[: len(start)]) == start)


def test_estimates_mark_the_lowest_and_what_differs_from_the_reference():
    shown = printed("estimates", DATA, "a")
    assert row_of(shown, "inputs 8", "noise m", "64") == [
        "inputs 8",
        "noise m",
        "64",
        "2.00 ± 0.58",
        "3.03 ± 0.58 >",
    ]
    assert shown.rows[0].cells[3].bold
    assert row_of(shown, "inputs 8", "noise h", "64")[3:] == ["no results", "no results"]
    assert row_of(shown, "inputs 32", "noise h", "64")[3:] == ["-", "-"]
    assert "-: no such member of the array (2 tasks)." in shown.notes
    assert shown.notes[1] == "< and >: significantly lower, or higher, than a: p is below 0.05."


def test_effects_say_once_what_holds_for_all_of_a_method():
    shown = printed("effects", DATA)
    assert shown.notes[-6:] == (
        "a, c: only where inputs is 8.",
        "a, c: only where noise is m.",
        "a, c: training size: no error: a task has only one instance, or its values do not vary.",
        "a, c: inputs: not estimable: there are results at only one level (8).",
        "a, c: noise: not estimable: there are results at only one level (m).",
        "a, c: without 6 tasks of the array.",
    )
    assert any("95 % intervals" in note for note in shown.notes)


def test_costs_of_methods_stand_beside_their_mean_loss():
    data = results_of(FULL, *LOSSES)
    shown = printed("total-costs", data)
    titles = [column.title for column in shown.columns]
    assert titles[:7] == ["method", "tasks", "instances", "median s", "total s", "MB", "mean loss"]
    assert len(row_of(shown, "a")) == len(titles)
    assert row_of(shown, "a")[4] == "12"
    assert row_of(shown, "c")[3:6] == ["-", "-", "-"]
    assert "\\begin{tabular}" in answer_text(asked("total-costs", data), "latex")


ACCURACY = column_measure("accuracy", True, 1.0)
SCORED = results_of(
    ARRAY,
    ("toy-8m", 64, "a", [[0.9], [0.8], [0.7]]),
    ("toy-8m", 64, "c", [[0.6], [0.49], [0.4]]),
    measure=ACCURACY,
    tasks=task_table(ARRAY, selection="common"),
)


def test_tables_of_scores_show_them_as_files_do_and_mark_the_highest():
    shown = printed("estimates", SCORED, "a")
    assert row_of(shown, "inputs 8", "noise m", "64") == [
        "inputs 8",
        "noise m",
        "64",
        "0.800 ± 0.058",
        "0.497 ± 0.058 <",
    ]
    assert (shown.rows[0].cells[3].bold, shown.rows[0].cells[4].bold) == (True, False)
    assert "accuracy. Higher is better; ± gives the standard error." in shown.caption
    assert shown.notes[0].startswith("Bold (text: *): the highest of its row")
    shown = printed("differences", SCORED, "c")
    assert row_of(shown, "inputs 8", "noise m", "64")[3] == "0.3033 ± 0.0033 >"
    assert "difference of the accuracy from c." in shown.caption
    assert "Above zero is better than the reference" in shown.caption
    shown = printed("winners", SCORED)
    assert [column.title for column in shown.columns][3:5] == ["best", "accuracy"]
    assert row_of(shown, "inputs 8", "noise m", "64")[3:5] == ["a", "0.800 ± 0.058"]
    assert shown.notes[0].endswith("the best is the highest estimate.")


def test_no_table_of_scores_speaks_of_a_loss():
    grids = [
        printed("estimates", SCORED, "a"),
        printed("differences", SCORED, "a"),
        printed("winners", SCORED),
        printed("effects", SCORED),
        printed("slopes", SCORED),
        printed("regrets", SCORED, "a"),
        printed("total-costs", SCORED),
    ]
    for grid in grids:
        titles = " ".join(column.title for column in grid.columns)
        cells = " ".join(cell.value for row in grid.rows for cell in row.cells)
        text = " ".join([grid.caption, *grid.notes, titles, cells])
        assert re.findall(r".*\bloss(?:es)?\b.*", text) == []


def test_a_regret_is_the_difference_to_the_best_other_method():
    shown = printed("regrets", DATA, "c")
    # c loses 1.03 more than a, which is the only other method.
    assert row_of(shown, "inputs 8", "noise m", "64")[3:5] == ["a", "1.033 ± 0.033 >"]
    answer = asked("regrets", DATA, "a")
    first = answer.table.take([0])
    assert (first["method"], first["other"], first["verdict"]) == (["a"], ["c"], ["better"])
    assert first["difference"] == [-asked("differences", DATA, "a").table["difference"][1]]


def test_every_question_has_every_format():
    for question in ARRAY_QUESTIONS:
        answer = asked(question, DATA, "a")
        for form in ("text", "csv", "json", "latex", "markdown", "html", "typst"):
            assert "a" in answer_text(answer, form)


def test_one_method_alone_has_no_regrets():
    assert len(asked("regrets", results_of(ARRAY, LOSSES[0]), "a").table) == 0


def test_a_table_of_many_methods_is_set_in_parts_that_fit_a_line():
    names = [f"method-{number:02d}" for number in range(12)]
    data = results_of(ARRAY, *(("toy-8m", size, name, A) for size in (64, 128) for name in names))
    text = answer_text(asked("estimates", data), "latex")
    headings = [line for line in text.splitlines() if line.startswith("inputs & ")]
    assert len(headings) > 1
    assert all(line.startswith(r"inputs & noise & \multicolumn{1}{c}{size} & ") for line in headings)
    assert [name for line in headings for name in re.findall(r"method-\d\d", line)] == names
    # Estimates such as `2.00 +- 0.58` have some 50 points in the smallest type of a line of 345.
    assert max(line.count("method-") for line in headings) <= 6


def test_levels_are_in_words():
    noise = Factor("noise", (Level("m", "medium noise"), Level("h", "high noise")))
    array = array_of(("8", "m"), ("8", "h"), ("32", "m"), factors=(ARRAY.factors[0], noise))
    shown = printed("estimates", results_of(array, *LOSSES))
    assert [cell.value for cell in shown.rows[0].cells[:3]] == ["inputs 8", "medium noise", "64"]
