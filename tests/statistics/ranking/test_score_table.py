"""Tables of scores: what may be in them, and what is left out."""

import math

import numpy as np
import pytest

from delvecore.errors import ParseError
from delvecore.statistics.ranking.score_table import ScoreTable, complete_table, parse_score_table

TEXT = "task,a,b\none,1,2\n\ntwo,,3e-1\n"


def test_a_table_is_read_with_its_gaps():
    table = parse_score_table(TEXT, "t.csv", higher_is_better=True, quantity="accuracy")
    assert (table.tasks, table.methods, table.missing) == (("one", "two"), ("a", "b"), 1)
    np.testing.assert_array_equal(table.values, [[1, 2], [math.nan, 0.3]])
    assert table.higher_is_better
    assert table.quantity == "accuracy"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "",
            "t.csv:1: expected a header with commas: a word for tasks, the names of methods, found an empty file",
        ),
        ("task\n", "t.csv:1: expected a header"),
        ("task,a,a\n", "t.csv:1: expected the name of each method once, found 'a' again"),
        ("task,a,\n", "t.csv:1: expected the name of a method, found an empty field"),
        ("task,a\n", "t.csv:1: expected a line of values for each task, found none"),
        ("task,a\none,1,2\n", "t.csv:2: expected 2 fields, as in the header, found 3"),
        ("task,a\none,1\n\none,2\n", "t.csv:4: expected the name of each task once, found 'one' again"),
        ("task,a\n,1\n", "t.csv:2: expected the name of a task, found an empty field"),
        ("task,a\none,x\n", "t.csv:2: expected a finite number, or an empty field for a missing one, found"),
        ("task,a\none,inf\n", "t.csv:2: expected a finite number"),
        ("task,a\none,1_0\n", "t.csv:2: expected a finite number"),
        ('task,a\none,"1\n', "t.csv:2: expected comma-separated values"),
    ],
)
def test_faults_are_named_with_their_line(text, message):
    with pytest.raises(ParseError) as error:
        parse_score_table(text, "t.csv")
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_infinite_values_and_repeated_names_are_refused():
    with pytest.raises(ValueError, match="values up to"):
        ScoreTable(("one",), ("a",), [[math.inf]])
    with pytest.raises(ValueError, match="'a' again"):
        ScoreTable(("one",), ("a", "a"), [[1, 2]])
    with pytest.raises(ValueError, match="shape"):
        ScoreTable(("one",), ("a",), [1])


def test_values_cannot_be_changed_from_outside():
    values = np.zeros((1, 2))
    table = ScoreTable(("one",), ("a", "b"), values)
    values[0, 0] = 9
    assert table.values[0, 0] == 0
    with pytest.raises(ValueError, match="read-only"):
        table.values[0, 0] = 1


def test_either_tasks_or_methods_with_gaps_are_left_out():
    table = ScoreTable(("x", "y", "z"), ("a", "b"), [[1, 2], [math.nan, 3], [math.nan, math.nan]])
    by_task = complete_table(table)
    assert (by_task.table.tasks, by_task.dropped_tasks) == (("x",), ("y", "z"))
    by_method = complete_table(table, drop="methods")
    assert (by_method.table.tasks, by_method.table.methods) == (("x", "y"), ("b",))
    assert (by_method.dropped_tasks, by_method.dropped_methods) == (("z",), ("a",))
    with pytest.raises(ValueError, match="'rows'"):
        complete_table(table, drop="rows")


def test_tasks_and_methods_can_be_selected_by_name():
    table = ScoreTable(("x", "y"), ("a", "b"), [[1, 2], [3, 4]])
    chosen = table.select(tasks=["y"], methods=["b", "a"])
    assert chosen.values.tolist() == [[4, 3]]
    with pytest.raises(KeyError):
        table.select(methods=["c"])
