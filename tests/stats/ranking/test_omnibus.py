"""Quade's test, aligned ranks and Skillings and Mack's: against independent programs, and by hand."""

import math

import pytest

from delvecore.stats.ranking.aligned_ranks import aligned_ranks
from delvecore.stats.ranking.friedman import friedman
from delvecore.stats.ranking.quade import quade
from delvecore.stats.ranking.ranks import task_ranks
from delvecore.stats.ranking.skillings_mack import skillings_mack
from tests.stats.ranking.golden import TABLES, golden_table, golden_values
from tests.stats.tables import score_table

NAN = math.nan


@pytest.mark.parametrize("name", TABLES)
def test_quade_and_aligned_ranks_are_those_of_independent_programs(name):
    table, golden = golden_table(name), golden_values(name)
    actual, expected = quade(table), golden["quade"]
    assert (actual.statistic, actual.p) == pytest.approx((expected["stat"], expected["p"]), rel=1e-9)
    actual, expected = aligned_ranks(table), golden["friedman_aligned_ranks"]
    assert (actual.statistic, actual.df, actual.p) == pytest.approx(
        (expected["stat"], expected["df"], expected["p"]), rel=1e-9
    )


@pytest.mark.parametrize("name", TABLES)
def test_skillings_mack_without_gaps_is_friedmans_test(name):
    table = golden_table(name)
    actual, expected = skillings_mack(table), friedman(task_ranks(table))
    assert (actual.statistic, actual.p) == pytest.approx((expected.statistic, expected.p), rel=1e-9)
    assert actual.uncorrected == pytest.approx(expected.uncorrected, rel=1e-9)
    assert actual.df == expected.df


def test_skillings_mack_of_two_methods_counts_only_whole_tasks():
    # Of the two tasks with both values a is better on both: (2 - 0)^2 / 2 = 2, as McNemar's test.
    test = skillings_mack(score_table([[1, 2], [3, 4], [1, NAN], [NAN, 7]]))
    assert (test.statistic, test.df, test.tasks) == (pytest.approx(2), 1, 2)


def test_skillings_mack_of_separate_groups_of_methods_has_fewer_degrees_of_freedom():
    test = skillings_mack(score_table([[1, 2, NAN, NAN], [NAN, NAN, 1, 2]] * 3))
    # Each pair gives (3 - 0)^2 / 3.
    assert (test.statistic, test.df) == (pytest.approx(6), 2)


def test_skillings_mack_needs_a_task_with_two_values():
    with pytest.raises(ValueError, match="two methods"):
        skillings_mack(score_table([[1, NAN], [NAN, 2]]))


def test_tables_without_differences_have_p_of_one():
    same = score_table([[1, 1, 1], [2, 2, 2]])
    assert (quade(same).statistic, quade(same).p) == (0, 1)
    assert (aligned_ranks(same).statistic, aligned_ranks(same).p) == (0, 1)
    assert (skillings_mack(same).statistic, skillings_mack(same).p) == (0, 1)


def test_tasks_count_by_their_range_in_quades_test():
    # Scores -1 0 1 and -2 0 2: A = 10, B = (9 + 9) / 2 = 9, F = 9 / 1; with 2 and 2 degrees, p = 1 / (1 + F).
    test = quade(score_table([[1, 2, 3], [2, 4, 6]]))
    assert (test.statistic, test.p) == (pytest.approx(9), pytest.approx(0.1))
    agreed = quade(score_table([[1, 2, 3], [5, 6, 7]]))
    assert agreed.statistic == math.inf
    assert math.isnan(agreed.p)


def test_aligned_ranks_tie_where_decimals_do():
    # Less their means, the rows are -0.1, 0, 0.1: R1 = 3, R2 = 7, R3 = 11; ties in thirds are not exact.
    test = aligned_ranks(score_table([[0.1, 0.2, 0.3], [0.7, 0.8, 0.9]]))
    # 2 * (16 + 0 + 16) / (91 - (10.5^2 * 2) / 3) = 64 / 17.5.
    assert test.statistic == pytest.approx(64 / 17.5)
