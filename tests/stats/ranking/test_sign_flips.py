"""Sign-flip tests against all signs gone through one by one."""

import itertools

import numpy as np
import pytest

from delvecore.stats.choose import FlipStatistic
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.ranking.sign_flips import sign_flips, smallest_flip_p
from delvecore.stats.ranking.wilcoxon import scan_pairs
from tests.stats.tables import score_table


def flips_of(values, **options):
    options = {"statistic": FlipStatistic.MEANS} | options
    return sign_flips(scan_pairs(score_table(values)), **options)


def test_p_is_the_share_of_signs_with_a_sum_as_large():
    # Differences 1, 2, 4: of eight sums of signed ones only +-7 are as large; without the 1 six are of 2 and 6.
    found = flips_of(np.array([[1.0, 0], [2, 0], [4, 0]]))
    assert found.exact
    assert found.p.tolist() == [2 / 8]
    assert flips_of(np.array([[0.0, 1], [2, 0], [4, 0]])).p.tolist() == [4 / 8]


def test_all_pairs_together_by_the_largest_statistic():
    values = np.random.default_rng(0).normal(size=(7, 3)) + np.array([0, 0.5, 1.5])
    found = flips_of(values)
    pairs = [(0, 1), (0, 2), (1, 2)]
    d = np.array([values[:, a] - values[:, b] for a, b in pairs])
    d /= np.sqrt(np.square(d).sum(axis=1, keepdims=True))
    sums = np.abs([np.array(signs) @ d.T for signs in itertools.product((1, -1), repeat=7)])
    observed = np.abs(d.sum(axis=1))
    order, p, least = np.argsort(-observed), np.empty(3), 0.0
    for place, pair in enumerate(order):
        left = order[place:]
        least = max(least, (sums[:, left].max(axis=1) >= observed[pair] - 1e-12).mean())
        p[pair] = least
    np.testing.assert_allclose(found.p_all, p, atol=1e-12)
    assert (found.p_all >= found.p).all()


def test_signed_ranks_of_one_pair_have_the_p_of_wilcoxons_test():
    # One pair: flips of signed ranks are Wilcoxon's exact test, zeros dropped or ranked (Pratt).
    table = score_table(np.random.default_rng(3).normal(size=(11, 2)).round(1))
    for zeros in ("drop", "pratt"):
        scan = scan_pairs(table, zeros=zeros)
        found = sign_flips(scan, statistic=FlipStatistic.RANKS)
        assert found.p == pytest.approx(scan.exact_p)
        assert found.p_all == pytest.approx(scan.exact_p)


def test_the_order_of_units_and_methods_changes_nothing():
    values = np.random.default_rng(4).normal(size=(30, 3)) + np.arange(3) * 0.4
    names, methods = tuple(f"unit{k:02}" for k in range(30)), ("a", "b", "c")
    turned = np.random.default_rng(5).permutation(30)
    one = sign_flips(scan_pairs(ScoreTable(names, methods, values)))
    other = ScoreTable(tuple(names[k] for k in turned), methods[::-1], values[turned][:, ::-1])
    two = sign_flips(scan_pairs(other))
    # Pairs of three methods the other way round: bc, ac, ab.
    np.testing.assert_array_equal(one.p_all, two.p_all[::-1])


def test_many_units_are_flipped_in_groups_and_few_flips_drawn_of_many_pairs(monkeypatch):
    values = np.random.default_rng(6).normal(size=(600, 3)) + np.arange(3) * 0.1
    grouped = flips_of(values)
    monkeypatch.setattr("delvecore.stats.ranking.sign_flips.MOST_UNITS", 600)
    np.testing.assert_allclose(grouped.p_all, flips_of(values).p_all, atol=0.05)
    monkeypatch.setattr("delvecore.stats.ranking.sign_flips.MOST_STATISTICS", 6000)
    assert flips_of(values).flips == 2000


def test_other_pairs_bound_what_any_adjusted_p_can_be():
    # All ranks of one sign are the largest statistic. On six units each different row of signs, up to turning all,
    # reaches it in 2 of 64 flips: with one such row p is at least 2/64, with two (c turned on the last unit) 4/64.
    values = np.tile([0.0, 1.0, 3.0], (6, 1)) + np.arange(6.0)[:, None] * [1, 2, 4]
    alike = flips_of(values, statistic=FlipStatistic.RANKS)
    assert (alike.least_p_all, alike.p_all.tolist()) == (1 / 32, [1 / 32] * 3)
    values[5, 2] = -9.0
    turned = flips_of(values, statistic=FlipStatistic.RANKS)
    assert (turned.least_p_all, turned.p_all[0], turned.p[0]) == (2 / 32, 2 / 32, 1 / 32)


def test_the_smallest_p_is_reached_where_all_units_agree():
    # All methods in one order by equal steps: only all signs as they are, or all turned, are as extreme.
    for units in (5, 6, 20):
        values = np.arange(units)[:, None] + np.arange(4.0)
        for statistic in FlipStatistic:
            found = flips_of(values, statistic=statistic)
            assert found.p_all.max() == smallest_flip_p(units, 6) == found.smallest_p
    assert smallest_flip_p(5) == 1 / 16


def test_draws_come_close_to_all_signs_and_are_the_same_each_time(monkeypatch):
    values = np.random.default_rng(1).normal(size=(12, 4)) + np.arange(4) * 0.3
    exact = flips_of(values)
    monkeypatch.setattr("delvecore.stats.ranking.sign_flips.MOST_EXACT", 0)
    drawn, again = flips_of(values), flips_of(values)
    assert (exact.exact, exact.flips, drawn.exact, drawn.flips) == (True, 2048, False, 10_000)
    np.testing.assert_allclose(drawn.p, exact.p, atol=0.02)
    np.testing.assert_allclose(drawn.p_all, exact.p_all, atol=0.02)
    np.testing.assert_array_equal(drawn.p, again.p)


def test_equal_methods_have_p_of_one_and_units_do_not_matter():
    values = np.array([[1.0, 1, 2], [3, 3, 5], [2, 2, 9]])
    assert flips_of(values).p[0] == 1
    assert flips_of(values).p_all[0] == 1
    assert flips_of(1000 * values).p.tolist() == flips_of(values).p.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("statistic", FlipStatistic)
def test_the_familywise_rate_is_the_level(statistic):
    # 6 equal methods with errors of three degrees of freedom on 26 units: 5 % within three standard errors.
    draws, tables = np.random.default_rng(8), 400
    found = [
        flips_of(draws.standard_t(3, (26, 6)), draws=400, statistic=statistic).p_all.min() < 0.05
        for _ in range(tables)
    ]
    assert np.mean(found) < 0.05 + 3 * (0.05 * 0.95 / tables) ** 0.5
