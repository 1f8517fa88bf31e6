"""Tests of all pairs at once agree with counting by hand and with SciPy, one pair at a time."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from delvecore.stats.ranking.analysis import analyze
from delvecore.stats.ranking.paired_t import paired_t
from delvecore.stats.ranking.wilcoxon import scan_pairs, signed_ranks
from tests.stats.tables import score_table


def table_of(columns):
    return score_table(np.array(columns).T)


def p_by_counting(differences, *, pratt):
    """The two-sided p of the signed ranks from all signs of the differences that are not zero."""
    ranked = [d for d in differences if d or pratt]
    ranks = [rank for rank, d in zip(stats.rankdata(np.abs(ranked)), ranked, strict=True) if d]
    signs = [d > 0 for d in ranked if d]
    mean = sum(ranks) / 2
    seen = abs(sum(itertools.compress(ranks, signs)) - mean)
    every = itertools.product([0, 1], repeat=len(ranks))
    reached = [abs(sum(itertools.compress(ranks, one)) - mean) >= seen for one in every]
    return sum(reached) / len(reached)


@pytest.mark.slow
@given(st.lists(st.integers(-4, 4), min_size=1, max_size=9), st.booleans())
@settings(max_examples=60, deadline=None)
def test_exact_p_counts_signs(differences, pratt):
    table = table_of([differences, [0] * len(differences)])
    test = signed_ranks(scan_pairs(table, zeros="pratt" if pratt else "drop"))
    assert test.p[0] == pytest.approx(p_by_counting(differences, pratt=pratt), rel=1e-12)


def test_fifty_differences_are_exact_and_fifty_one_are_not():
    draws = np.random.default_rng(4)
    for n, method in ((50, 0), (51, 1)):
        x = draws.normal(0.2, 1, n)
        scan = scan_pairs(table_of([x, np.zeros(n)]))
        test = signed_ranks(scan)
        peer = stats.wilcoxon(x, method="exact" if method == 0 else "asymptotic", correction=False)
        assert np.isnan(scan.exact_p[0]) == method
        assert test.statistic[0] == peer.statistic
        assert test.p[0] == pytest.approx(peer.pvalue, rel=1e-10)


@pytest.mark.parametrize(("zeros", "peer_name"), [("drop", "wilcox"), ("pratt", "pratt")])
def test_normal_p_with_ties_and_zeros_is_that_of_scipy(zeros, peer_name):
    draws = np.random.default_rng(5)
    columns = draws.integers(0, 9, (6, 200))
    test = signed_ranks(scan_pairs(table_of(columns), zeros=zeros))
    for pair, (a, b) in enumerate(zip(test.first, test.second, strict=True)):
        difference = columns[a] - columns[b]
        peer = stats.wilcoxon(difference, zero_method=peer_name, method="asymptotic", correction=False)
        assert test.p[pair] == pytest.approx(peer.pvalue, rel=1e-10)
        assert test.statistic[pair] == peer.statistic


def test_methods_that_are_always_equal_do_not_differ():
    scan = scan_pairs(table_of([[1, 2, 3], [1, 2, 3], [4, 4, 4]]))
    test, t = signed_ranks(scan), paired_t(scan)
    assert (test.p[0], scan.differing[0], scan.zero[0]) == (1, 0, 3)
    assert (t.p[0], scan.constant[0], scan.mean[0]) == (1, True, 0)
    assert math.isnan(t.statistic[0])


def test_differences_that_are_equal_as_decimals_tie():
    # 0.3 - 0.1 is not 0.2 in doubles; with the ranks 1.5 and 1.5 the sum of the positive ones is 1.5.
    assert np.ravel(scan_pairs(table_of([[0.3, 0.0], [0.1, 0.2]])).rank_sums).tolist() == [1.5, 1.5]


def test_small_tasks_are_not_lost_beside_large_ones():
    scan = scan_pairs(table_of([[1e9, 1e-9], [2e9, 3e-9]]))
    assert (scan.negative[0], scan.zero[0]) == (2, 0)
    assert scan.rank_sum[0] == 0


def test_the_scan_is_the_same_in_chunks(monkeypatch):
    columns = np.random.default_rng(6).normal(size=(9, 30)).round(1)
    whole = scan_pairs(table_of(columns))
    monkeypatch.setattr("delvecore.stats.ranking.wilcoxon._CELLS_AT_ONCE", 60)
    parts = scan_pairs(table_of(columns))
    for name in ("mean", "deviation", "median", "rank_sum", "tie_term", "exact_p", "positive", "zero"):
        np.testing.assert_array_equal(getattr(whole, name), getattr(parts, name))


def test_gaps_and_unknown_words_are_refused():
    with pytest.raises(ValueError, match="missing"):
        scan_pairs(table_of([[1, math.nan], [1, 2]]))
    with pytest.raises(ValueError, match="'keep'"):
        scan_pairs(table_of([[1, 2], [1, 2]]), zeros="keep")
    with pytest.raises(ValueError, match="2 tasks"):
        paired_t(scan_pairs(table_of([[1], [2]])))


def test_dropped_zeros_have_no_ranks_and_ranked_ones_take_the_smallest():
    # Sizes 1, 2, 3, 4 without zeros, W = 3: sets of ranks of a sum of at most 3 are {}, {1}, {2}, {3}, {1, 2} of 16.
    # Zeros take ranks 1 and 2, W = 5: {}, {3}, {4}, {5} of 16.
    differences = [0, 0, -3, 1, 2, 4]
    for zeros, statistic, p in (("drop", 3, 2 * 5 / 16), ("pratt", 5, 2 * 4 / 16)):
        test = signed_ranks(scan_pairs(table_of([differences, [0] * 6]), zeros=zeros))
        assert (test.statistic[0], test.p[0]) == (statistic, p)


def test_so_it_is_in_an_analysis_and_where_signs_of_ranks_are_flipped():
    # Of signed ranks 1, 2, -3, 4, or 3, 4, -5, 6: their sum over the root of their sum of squares.
    table = table_of([[0, 0, -3, 1, 2, 4], [0] * 6])
    for zeros, ranks, p in (("drop", (1, 2, -3, 4), 10 / 16), ("pratt", (3, 4, -5, 6), 8 / 16)):
        analysis = analyze(table, zeros=zeros)
        assert analysis.wilcoxon.p[0] == p
        expected = sum(ranks) / sum(rank**2 for rank in ranks) ** 0.5
        assert abs(analysis.sign_flips.z[0]) == pytest.approx(expected)


def test_zeros_are_dropped_unless_they_are_to_be_ranked():
    # Differences 0, 0, 1, 2, 3, 4, -5: without zeros the ranks 1 to 4 against 5 of 15, with them 3 to 6 against 7.
    table = table_of([[0, 0, 1, 2, 3, 4, 0], [0, 0, 0, 0, 0, 0, 5]])
    dropped, ranked = (scan_pairs(table, zeros=zeros) for zeros in ("drop", "pratt"))
    assert np.ravel(dropped.rank_sums).tolist() == [10, 5]
    assert np.ravel(ranked.rank_sums).tolist() == [18, 7]
    for scan in (scan_pairs(table), analyze(table).scan):
        assert np.ravel(scan.rank_sums).tolist() == [10, 5]
        assert signed_ranks(scan).p[0] == signed_ranks(dropped).p[0]
