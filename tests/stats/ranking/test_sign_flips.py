"""Sign-flip tests against all signs gone through one by one."""

import itertools

import numpy as np
import pytest

from delvecore.render.spans import plain
from delvecore.report.ranking.sentences import skewed_words
from delvecore.stats.choose import FlipStatistic
from delvecore.stats.ranking.analysis import analyze
from delvecore.stats.ranking.score_table import ScoreTable, Units
from delvecore.stats.ranking.sign_flips import (
    sign_flips,
    simultaneous_intervals,
    unit_scales,
)
from delvecore.stats.ranking.wilcoxon import scan_pairs
from delvecore.stats.verdicts import RankTest, pair_verdicts
from tests.stats.tables import score_table


def flips_of(values, **options):
    options = {"statistic": FlipStatistic.MEANS} | options
    return sign_flips(score_table(values), **options)


def test_p_is_the_share_of_signs_with_a_sum_as_large():
    # Differences 1, 2, 4: of eight sums of signed ones only +-7 are as large; without the 1 six are of 2 and 6.
    flips = flips_of(np.array([[1.0, 0], [2, 0], [4, 0]]))
    assert flips.exact
    assert flips.p.tolist() == [2 / 8]
    assert flips_of(np.array([[0.0, 1], [2, 0], [4, 0]])).p.tolist() == [4 / 8]


def adjusted(statistics, observed, *, stepwise):
    """Adjust by the largest of some statistics, shape (flips, pairs): of those no larger, or of all."""
    order, p, least = np.argsort(-observed), np.empty(len(observed)), 0.0
    for place, pair in enumerate(order):
        left = order[place if stepwise else 0 :]
        least = max(least, (statistics[:, left].max(axis=1) >= observed[pair] - 1e-12).mean())
        p[pair] = least
    return p.tolist()


ALL_SIGNS = np.array(list(itertools.product((1, -1), repeat=7)))


@pytest.mark.parametrize("stepwise", [True, False])
def test_all_pairs_together_by_the_largest_statistic(stepwise):
    values = np.random.default_rng(0).normal(size=(7, 3)) + np.array([0, 0.5, 1.5])
    flips = flips_of(values, stepwise=stepwise)
    pairs = [(0, 1), (0, 2), (1, 2)]
    d = np.array([values[:, a] - values[:, b] for a, b in pairs])
    d /= np.sqrt(np.square(d).sum(axis=1, keepdims=True))
    assert flips.p_all.tolist() == adjusted(np.abs(ALL_SIGNS @ d.T), np.abs(d.sum(axis=1)), stepwise=stepwise)
    assert (flips.p_all >= flips.p).all()


def test_signed_ranks_of_one_pair_have_the_p_of_wilcoxons_test():
    # One pair: flips of signed ranks are Wilcoxon's exact test, zeros dropped or ranked (Pratt).
    table = score_table(np.random.default_rng(3).normal(size=(11, 2)).round(1))
    for zeros in ("drop", "pratt"):
        scan = scan_pairs(table, zeros=zeros)
        flips = sign_flips(table, zeros=zeros, statistic=FlipStatistic.RANKS)
        assert flips.p == pytest.approx(scan.exact_p)
        assert flips.p_all == pytest.approx(scan.exact_p)


def test_the_order_of_units_and_methods_changes_nothing():
    values = np.random.default_rng(4).normal(size=(30, 3)) + np.arange(3) * 0.4
    names, methods = tuple(f"unit{k:02}" for k in range(30)), ("a", "b", "c")
    turned = np.random.default_rng(5).permutation(30)
    one = sign_flips(ScoreTable(names, methods, values))
    other = ScoreTable(tuple(names[k] for k in turned), methods[::-1], values[turned][:, ::-1])
    two = sign_flips(other)
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
    assert (alike.least_p(), alike.p_all.tolist()) == (1 / 32, [1 / 32] * 3)
    values[5, 2] = -9.0
    turned = flips_of(values, statistic=FlipStatistic.RANKS)
    assert (turned.least_p(), turned.p_all[0], turned.p[0]) == (2 / 32, 2 / 32, 1 / 32)


def test_the_smallest_p_is_reached_where_all_units_agree():
    # All methods in one order by equal steps: only all signs as they are, or all turned, are as extreme.
    for units in (5, 6, 20):
        values = np.arange(units)[:, None] + np.arange(4.0)
        for statistic in FlipStatistic:
            flips = flips_of(values, statistic=statistic)
            smallest = 2 / 2**units if units < 20 else 1 / 10_001
            assert flips.p_all.min() == flips.p_all.max() == flips.least_p() == smallest
            # In a single step scaled differences are compared with that of the first and the last method.
            single = flips_of(values, statistic=statistic, stepwise=False).p_all == smallest
            assert single.all() == (statistic != FlipStatistic.SCALED)
            assert single[2]


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
    errors = [
        flips_of(draws.standard_t(3, (26, 6)), draws=400, statistic=statistic).p_all.min() < 0.05
        for _ in range(tables)
    ]
    assert np.mean(errors) < 0.05 + 3 * (0.05 * 0.95 / tables) ** 0.5


SCALED = {"statistic": FlipStatistic.SCALED}


def test_the_scale_of_a_unit_is_the_median_difference_or_a_third_of_the_mean():
    # Differences 1, 2, 3: median 2 above a third of their mean 2. Near copies 0, 0.1, 0.2 and 9: of the six
    # differences 0.1, 0.1, 0.2, 8.8, 8.9 and 9 the median is 4.5, above a third of 27.1 / 6.
    assert unit_scales(np.array([[0.0, 1, 3], [3, 0, 1]])).tolist() == [2, 2]
    assert unit_scales(np.array([[0, 0.1, 0.2, 9.0]])) == pytest.approx([4.5])
    # Of five methods four are copies: six differences of 0 and four of 9, whose mean is 3.6; median 0.
    assert unit_scales(np.array([[1.0, 1, 1, 1, 10]])) == pytest.approx([1.2])


def test_values_that_are_equal_as_decimals_have_no_scale():
    assert unit_scales(np.array([[0.3, 0.1 + 0.2], [7, 7]])).tolist() == [0, 0]


@pytest.mark.parametrize("stepwise", [True, False])
def test_scaled_differences_are_flipped_by_their_mean(stepwise):
    values = np.random.default_rng(10).normal(size=(7, 3)) * np.exp(np.arange(7.0))[:, None]
    values[:, 2] += 1.5 * np.exp(np.arange(7.0))
    flips = flips_of(values, **SCALED, stepwise=stepwise)
    d = np.array([values[:, a] - values[:, b] for a, b in [(0, 1), (0, 2), (1, 2)]])
    d /= np.maximum(np.median(np.abs(d), axis=0), np.abs(d).mean(axis=0) / 3)
    flipped, observed = np.abs(ALL_SIGNS @ d.T), np.abs(d.sum(axis=1))
    assert flips.mean == pytest.approx(d.mean(axis=1))
    assert flips.p.tolist() == (flipped >= observed - 1e-9).mean(axis=0).tolist()
    assert flips.p_all.tolist() == adjusted(flipped, observed, stepwise=stepwise)
    assert flips.least_p() == (flipped.max(axis=1) >= flipped.max() - 1e-9).mean()


def test_skewness_is_the_third_standardized_moment():
    # Differences -1 (eight times) and 4: mean -4/9, variance (8 (5/9)^2 + (40/9)^2) / 9, skewness 2.4749.
    flips = flips_of(np.column_stack([np.r_[np.zeros(8), 5.0], np.ones(9)]), statistic=FlipStatistic.MEANS)
    assert flips.skewness == pytest.approx([2.4749], abs=1e-4)
    assert flips.is_skewed(9).all()
    assert not flips.is_skewed(7).any()
    even = np.column_stack([np.tile([0.0, 2.0], 5), np.ones(10)])
    assert flips_of(even, statistic=FlipStatistic.MEANS).skewness.tolist() == [0.0]


def test_a_method_that_fails_on_some_units_is_named_for_its_skewness():
    draws = np.random.default_rng(2)
    values = draws.normal(size=(29, 6))
    assert not flips_of(values, **SCALED).is_skewed(29).any()
    values[:, 2] += np.where(np.arange(29) % 10 == 0, 9.0, -1.0)
    analysis = analyze(score_table(values))
    assert analysis.sign_flips.is_skewed(29).tolist() == [name == "c" for name in "abcdef"]
    said = plain(skewed_words(analysis, RankTest.FLIPS))
    assert said == (
        "Differences of c from the others are markedly skewed. Sign flips assume symmetric differences, and err more often otherwise."
    )
    assert plain(skewed_words(analysis, RankTest.WILCOXON)) == ""


def test_the_scale_of_a_unit_changes_nothing():
    values = np.random.default_rng(11).normal(size=(8, 4)) + np.arange(4.0)
    turned = 10.0 ** np.arange(-3, 5)[:, None] * values + np.arange(8.0)[:, None]
    assert flips_of(turned, **SCALED).p_all.tolist() == flips_of(values, **SCALED).p_all.tolist()


def test_the_tasks_of_a_unit_are_scaled_before_their_mean():
    # Two tasks a dataset: on one a is better than b and b than c; the other is noise of 1e6 times the size.
    draws = np.random.default_rng(15)
    clear = np.arange(3.0) + draws.uniform(-0.1, 0.1, (8, 3))
    values = np.stack([clear, 1e6 * draws.normal(size=(8, 3))], axis=1).reshape(16, 3)
    datasets = tuple(f"d{task // 2}" for task in range(16))
    table = score_table(values, units=Units(datasets, datasets))
    test = analyze(table, unit="dataset", statistic="scaled").sign_flips
    scaled = values / unit_scales(values)[:, None]
    means = scaled.reshape(8, 2, 3).mean(axis=1)
    assert test.p_all == pytest.approx(flips_of(means, **SCALED).p_all)
    assert test.p_all[1] < 0.05 < flips_of(values.reshape(8, 2, 3).mean(axis=1), **SCALED).p_all[1]


def test_units_whose_values_are_all_equal_add_nothing_and_are_counted():
    values = np.random.default_rng(12).normal(size=(7, 3)) + np.arange(3.0)
    equal = np.vstack([values, [[4.0, 4, 4], [0.3, 0.1 + 0.2, 0.3]]])
    with_equal, without = flips_of(equal, **SCALED), flips_of(values, **SCALED)
    assert (with_equal.equal_units, without.equal_units) == (2, 0)
    assert with_equal.p_all == pytest.approx(without.p_all)
    nothing = flips_of(np.ones((6, 3)), **SCALED)
    assert (nothing.equal_units, nothing.p_all.tolist()) == (6, [1, 1, 1])
    assert (nothing.p_one == 1).all()


@pytest.mark.parametrize("stepwise", [True, False])
def test_p_against_one_method_goes_by_the_largest_of_its_own_pairs(stepwise):
    values = np.random.default_rng(13).normal(size=(7, 4)) + 0.8 * np.arange(4.0)
    flips = flips_of(values, **SCALED, stepwise=stepwise)
    scaled = values / unit_scales(values)[:, None]
    for method in range(4):
        others = [other for other in range(4) if other != method]
        d = scaled[:, [method]] - scaled[:, others]
        p = adjusted(np.abs(ALL_SIGNS @ d), np.abs(d.sum(axis=0)), stepwise=stepwise)
        assert flips.p_one[method, others].tolist() == p
    assert (flips.p_one[flips.first, flips.second] <= flips.p_all).all()
    assert (flips.p_one[flips.second, flips.first] <= flips.p_all).all()


def test_no_pair_that_is_found_needs_a_larger_statistic():
    values = np.random.default_rng(16).normal(size=(10, 6)) + np.arange(6.0)
    for statistic in FlipStatistic:
        for control in (None, "c"):
            analysis = analyze(score_table(values), statistic=statistic, control=control)
            said = pair_verdicts(analysis, RankTest.FLIPS)
            assert said.different.any()
            assert (said.z >= said.critical)[said.different].all()
            assert (said.z < said.critical)[~said.different & ~np.isnan(said.p)].all()


def test_step_by_step_more_pairs_are_found_where_methods_are_far_apart():
    # Methods one standard deviation apart: in a single step each pair is compared with the outer one.
    values = np.random.default_rng(16).normal(size=(10, 6)) + np.arange(6.0)
    many, few = (flips_of(values, **SCALED, stepwise=one).p_all < 0.05 for one in (True, False))
    assert (many >= few).all()
    assert many.sum() > few.sum() > 0


@pytest.mark.parametrize("statistic", FlipStatistic)
@pytest.mark.parametrize("seed", range(12))
def test_an_interval_leaves_out_zero_exactly_where_p_is_significant(seed, statistic):
    draws = np.random.default_rng(seed)
    units, methods = int(draws.integers(5, 22)), int(draws.integers(2, 7))
    values = draws.normal(size=(units, methods)).round(1) + np.linspace(0, 3, methods)
    for level in (0.9, 0.95, 0.99):
        flips = sign_flips(score_table(values), statistic=statistic)
        intervals = simultaneous_intervals(flips, level=level)
        outside = (intervals.lower > 0) | (intervals.upper < 0)
        assert outside.tolist() == (flips.p_all < round(1 - level, 15)).tolist()
        assert ((intervals.lower <= flips.mean) & (flips.mean <= intervals.upper)).all()
        single = sign_flips(score_table(values), statistic=statistic, stepwise=False)
        margin = single.margin(round(1 - level, 15))
        assert (single.p_all < round(1 - level, 15)).tolist() == (np.abs(single.mean) > margin).tolist()


@pytest.mark.parametrize("statistic", FlipStatistic)
def test_intervals_are_infinite_where_no_data_could_be_significant(statistic):
    # Also that of two methods whose values are the same.
    table = score_table(np.arange(5.0)[:, None] + np.array([0, 1, 1]))
    intervals = simultaneous_intervals(sign_flips(table, statistic=statistic), level=0.95)
    assert np.isinf([intervals.lower, intervals.upper]).all()


@pytest.mark.slow
def test_simultaneous_intervals_cover_all_differences():
    # Methods one standard deviation apart over 12 units: all intervals cover in 95 % within three errors.
    draws, tables, shifts = np.random.default_rng(14), 300, np.arange(4.0)
    many = draws.normal(size=(20_000, 4)) + shifts
    means = (many / unit_scales(many)[:, None]).mean(axis=0)
    missed = 0
    for _ in range(tables):
        flips = sign_flips(score_table(draws.normal(size=(12, 4)) + shifts), **SCALED)
        intervals = simultaneous_intervals(flips, level=0.95)
        truth = means[flips.first] - means[flips.second]
        missed += bool(((truth < intervals.lower) | (truth > intervals.upper)).any())
    assert missed / tables < 0.05 + 3 * (0.05 * 0.95 / tables) ** 0.5


def test_tables_in_other_orders_share_one_computation(monkeypatch):
    # Leaderboard, Ranking and Tables have tasks and methods in different orders.
    random = np.random.default_rng(5)
    tasks, methods = tuple(f"t{n}" for n in range(20)), tuple(f"m{n}" for n in range(12))
    table = ScoreTable(tasks, methods, random.normal(size=(20, 12)) + np.arange(12) / 6)
    first = analyze(table)
    whole = first.sign_flips
    monkeypatch.setattr("delvecore.stats.ranking.analysis.sign_flips", None)  # another call would fail
    other = analyze(table.select(tasks=tasks[::-1], methods=methods[::-1]))
    turned = other.sign_flips
    for a, b in ((0, 1), (3, 11), (10, 2)):
        pair, same = first.pair_numbers[a, b], other.pair_numbers[11 - a, 11 - b]
        assert turned.p_all[same] == whole.p_all[pair]
        assert turned.p[same] == whole.p[pair]
        assert turned.mean[same] == -whole.mean[pair]
        assert turned.p_one[11 - a, 11 - b] == whole.p_one[a, b]
    assert (turned.largest_of == whole.largest_of[::-1]).all()
