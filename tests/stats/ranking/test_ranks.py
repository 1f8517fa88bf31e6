"""Ranks, tests of mean ranks, adjustments and groups, on numbers worked by hand and against SciPy."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from delvecore.stats.choose import ADJUSTMENTS
from delvecore.stats.p_adjustment import adjust
from delvecore.stats.ranking.analysis import analyze
from delvecore.stats.ranking.friedman import exact_upper_tail, friedman, iman_davenport
from delvecore.stats.ranking.nemenyi import (
    maximal_cliques,
    maximal_runs,
    range_quantile,
    range_upper_tail,
)
from delvecore.stats.ranking.ranks import rank_rows, task_ranks
from tests.stats.tables import score_table


def test_ranks_of_rows_are_those_of_scipy():
    rows = np.random.default_rng(0).integers(0, 5, (40, 7)).astype(float)
    ranks, ties = rank_rows(rows)
    np.testing.assert_array_equal(ranks, stats.rankdata(rows, axis=1))
    expected = [sum(t**3 - t for t in np.unique(row, return_counts=True)[1]) for row in rows]
    np.testing.assert_array_equal(ties, expected)


def test_no_difference_and_full_agreement():
    tied = task_ranks(score_table([[1, 1], [2, 2]]))
    assert (friedman(tied).statistic, friedman(tied).p, friedman(tied).exact_p) == (0, 1, 1)
    assert (iman_davenport(tied).statistic, iman_davenport(tied).p) == (0, 1)
    agreed = iman_davenport(task_ranks(score_table([[1, 2, 3]] * 4)))
    assert agreed.statistic == math.inf
    assert math.isnan(agreed.p)


@pytest.mark.parametrize("rows", [[[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 2, 1]], [[1, 1, 2, 3], [1, 2, 2, 2]]])
def test_exact_friedman_counts_every_way_to_deal_the_ranks(rows):
    ranks = task_ranks(score_table(rows)).ranks
    seen = np.square(ranks.sum(axis=0)).sum()
    ways = list(itertools.product(*(list(itertools.permutations(row)) for row in ranks.tolist())))
    reached = [np.square(np.sum(way, axis=0)).sum() >= seen for way in ways]
    assert exact_upper_tail(ranks) == pytest.approx(np.mean(reached), rel=1e-12)


def test_exact_friedman_is_left_out_for_large_tables():
    assert exact_upper_tail(np.tile([1.0, 2, 3, 4, 5, 6], (6, 1))) is None


@pytest.mark.parametrize("methods", [2, 3, 10, 300])
def test_range_tails_are_those_of_scipy(methods):
    q = np.array([0, 0.5, 2, 3.5, 6])
    peer = stats.studentized_range.sf(q, methods, np.inf)
    np.testing.assert_allclose(range_upper_tail(q, methods), peer, rtol=1e-7, atol=1e-13)


def test_the_range_of_two_is_a_normal_difference():
    # |X - Y| of two standard normal numbers: P(> q) = erfc(q / 2), also where it is 1e-89.
    q = np.array([0.1, 1, 5, 28])
    np.testing.assert_allclose(range_upper_tail(q, 2), [math.erfc(x / 2) for x in q], rtol=1e-9)
    assert range_upper_tail(np.array([range_quantile(0.05, 7)]), 7)[0] == pytest.approx(0.05, rel=1e-10)


def test_adjustments_by_hand():
    p = np.array([0.04, 0.01, 0.03])
    expected = {
        "none": [0.04, 0.01, 0.03],
        "bonferroni": [0.12, 0.03, 0.09],
        "holm": [0.06, 0.03, 0.06],
        "hochberg": [0.04, 0.03, 0.04],
        "benjamini-hochberg": [0.04, 0.03, 0.04],
    }
    assert set(expected) == set(ADJUSTMENTS)
    for method, adjusted in expected.items():
        assert adjust(p, method=method) == pytest.approx(adjusted)


@given(st.lists(st.floats(0, 1), max_size=12))
def test_adjusted_p_are_monotone_at_most_one_and_ordered(p):
    by_method = {method: adjust(np.array(p), method=method) for method in ADJUSTMENTS}
    order = np.argsort(p, kind="stable")
    for adjusted in by_method.values():
        assert (np.diff(adjusted[order]) >= 0).all()
        assert (adjusted <= 1).all()
    ascending = ("none", "benjamini-hochberg", "hochberg", "holm", "bonferroni")
    for less, more in itertools.pairwise(ascending):
        assert (by_method[less] <= by_method[more] + 1e-15).all()


def test_a_p_that_is_no_number_is_refused():
    with pytest.raises(ValueError, match="p = 1"):
        adjust(np.array([0.1, math.nan]))


def test_runs_end_where_the_span_exceeds_the_critical_difference():
    ranks = np.array([3.0, 1.0, 2.0, 5.0])
    assert maximal_runs(ranks, 1.0) == ((1, 2), (2, 0))
    assert maximal_runs(ranks, 2.0) == ((1, 2, 0), (0, 3))
    assert maximal_runs(ranks, 0.5) == ()


@given(st.integers(1, 7), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_cliques_are_all_sets_without_a_different_pair(methods, draws):
    different = np.zeros((methods, methods), dtype=bool)
    for a, b in itertools.combinations(range(methods), 2):
        different[a, b] = different[b, a] = draws.random() < 0.5
    sets = [
        set(members)
        for size in range(2, methods + 1)
        for members in itertools.combinations(range(methods), size)
        if not any(different[a, b] for a, b in itertools.combinations(members, 2))
    ]
    maximal = sorted(sorted(one) for one in sets if not any(one < other for other in sets))
    cliques = maximal_cliques(different, np.arange(methods, dtype=float))
    assert sorted(sorted(one) for one in cliques) == maximal


def test_too_many_cliques_are_cut_behind_the_first_that_is_not_listed(monkeypatch):
    monkeypatch.setattr("delvecore.stats.ranking.nemenyi.MOST_GROUPS", 3)
    cliques = maximal_cliques(np.kron(np.eye(4), np.ones((2, 2))) > 0, np.arange(8.0))
    assert len(cliques) == 4


def test_wrong_requests_are_refused():
    table = score_table([[1, 2], [2, 3]])
    with pytest.raises(ValueError, match="level"):
        analyze(table, alpha=5)
    with pytest.raises(ValueError, match="control among a, b, got 'z'"):
        analyze(table, control="z")
    with pytest.raises(ValueError, match="two tasks"):
        analyze(score_table([[1, 2]]))
