"""Tables of scores: what may be in them, and what is left out."""

import math

import numpy as np
import pytest

from delvecore.stats.ranking.analysis import analyze
from delvecore.stats.ranking.score_table import ScoreTable, complete_table


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
    assert complete_table(table).tasks == ("x",)
    by_method = complete_table(table, drop="methods")
    assert (by_method.tasks, by_method.methods) == (("x", "y"), ("b",))
    dropped = analyze(ScoreTable(("x", "y", "z"), ("a", "b", "c"), [[1, 2, 3], [math.nan, 3, 4], [1, 2, 3]]))
    assert (dropped.dropped_tasks, dropped.dropped_methods) == (("y",), ())
    with pytest.raises(ValueError, match="'rows'"):
        complete_table(table, drop="rows")


def test_paired_comparisons_go_on_without_a_method_that_has_few_scores():
    # As pairedComparisons of R, which gives the tests of the others. c has one score of six.
    values = np.array([[1.0, 2, 9], *([1.0, 2, np.nan],) * 4, [2.0, 1, np.nan]])
    analysis = analyze(ScoreTable(tuple("uvwxyz"), ("a", "b", "c"), values))
    assert (analysis.table.methods, analysis.incomplete) == (("a", "b"), ("c",))
    assert (analysis.dropped_methods, analysis.dropped_tasks) == (("c",), ())
    # a is first on five tasks of six: mean rank (5 x 1 + 2) / 6.
    assert analysis.average_ranks == pytest.approx({"a": 7 / 6, "b": 11 / 6})
