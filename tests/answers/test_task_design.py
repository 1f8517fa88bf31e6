"""`delve rank --show design`: what limits the error on each task."""

import numpy as np
import pytest

from delvecore.answers.task_design import TaskDesign
from delvecore.errors import DelveError
from delvecore.render.spans import plain
from tests.questions import DataOf, ask

NONE = np.nan


def rows_of(*designs):
    answer = ask("design", data=DataOf(sizes=designs))
    return answer, [dict(zip(answer.table.keys, row, strict=True)) for row in answer.table.rows]


def test_what_limits_the_error_has_the_larger_share():
    # 4 training sets of 100 cases: 4 / 4 from training sets, 100 / 400 from the rest: 80 % and 20 %.
    _, (row,) = rows_of(TaskDesign("a", 4, 100, np.array([[2.0, NONE, 10.0]])))
    assert (row["from_training"], row["from_cases"], row["from_rest"]) == pytest.approx((0.8, 0.0, 0.2))
    assert row["limit"] == "training sets"
    # Twice the sets halve both parts; twice the cases leave 1.125 of 1.25.
    assert row["twice_sets"] == pytest.approx(1 - 0.5**0.5)
    assert row["twice_cases"] == pytest.approx(1 - 0.9**0.5)
    assert row["badly_spent"] == ""


def test_cases_that_add_nothing_are_spent_badly():
    # 1 / 8 from training sets, 1 / 8000 from the rest.
    answer, (row,) = rows_of(TaskDesign("a", 8, 1000, np.array([[1.0, NONE, 1.0]])))
    assert row["badly_spent"] == "test cases"
    assert "On 1 task half of one size would be enough." in plain(answer.headline)


def test_training_sets_beyond_a_common_test_set_are_spent_badly():
    # 9 / 50 from the common cases, 0.01 / 16 from training sets.
    _, (row,) = rows_of(TaskDesign("a", 16, 50, np.array([[0.1, 3.0, 0.1]])))
    assert (row["limit"], row["badly_spent"]) == ("test cases", "training sets")


def test_both_limit_where_neither_has_two_thirds():
    answer, rows = rows_of(
        TaskDesign("a", 4, 100, np.array([[2.0, NONE, 20.0]])),
        TaskDesign("b", 1, 100, np.array([[2.0, NONE, 20.0]])),
    )
    assert [(row["task"], row["limit"]) for row in rows] == [("a", "both")]
    assert plain(answer.headline) == "Both limit the error on 1 task."


def test_tasks_of_one_training_set_have_no_design():
    with pytest.raises(DelveError, match="expected a task with two training sets"):
        rows_of(TaskDesign("b", 1, 100, np.array([[2.0, NONE, 20.0]])))
