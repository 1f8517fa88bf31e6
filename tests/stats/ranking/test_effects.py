"""Effect sizes, intervals of ranks and tests of equivalence: by hand, against SciPy and by simulation."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats
from scipy.stats import nct

from delvecore.stats.ranking.effects import (
    DEFAULT_MARGIN,
    cliff_delta,
    level_for_pairs,
    mean_difference,
    median_difference,
    rank_biserial,
    standardized_difference,
    superiority,
    two_one_sided_tests,
    wilson_interval,
    win_rate,
)
from delvecore.stats.ranking.standings import Place, leaders, summarize
from delvecore.stats.ranking.wilcoxon import scan_pairs
from tests.stats.tables import score_table


def table_of(columns, **options):
    return score_table(np.array(columns).T, **options)


def ends(interval, pair=0):
    return interval.estimate[pair], interval.lower[pair], interval.upper[pair]


def test_wilson_by_hand():
    # 8 of 10 with z = 1.96: (0.8 + 0.19207) / 1.38415 -+ ...: 0.4902 to 0.9433 (Wilson 1927, as tabulated).
    lower, upper = wilson_interval(np.array([0.8, 0.0, 1.0]), 10)
    assert (lower[0], upper[0]) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert lower[1] == 0
    assert upper[2] == 1


def test_mean_median_and_wins():
    differences = [-3.0, -2, -1, -1, 0, 1, -5, -4, -2, -6]
    scan = scan_pairs(table_of([differences, [0] * 10]))
    peer = stats.ttest_1samp(differences, 0).confidence_interval(0.95)
    assert ends(mean_difference(scan)) == pytest.approx((np.mean(differences), peer.low, peer.high))
    # P(at most 1 of 10) = 0.0107 <= 0.025: the second and the ninth of the ordered differences.
    assert ends(median_difference(scan)) == (-2, -5, 0)
    # Losses: a is better on eight tasks of ten, and as good on one.
    assert win_rate(scan).estimate[0] == pytest.approx(0.85)
    turned = scan_pairs(table_of([differences, [0] * 10], higher_is_better=True))
    assert win_rate(turned).estimate[0] == pytest.approx(0.15)


def test_the_median_of_few_tasks_has_no_ends():
    scan = scan_pairs(table_of([[1, 2, 3], [0, 0, 0]]))
    assert ends(median_difference(scan)) == (2, -math.inf, math.inf)


def test_superiority_counts_all_pairs_of_values():
    draws = np.random.default_rng(0)
    a, b = draws.integers(0, 6, 30), draws.integers(1, 7, 30)
    lower_wins = np.mean([(x < y) + 0.5 * (x == y) for x, y in itertools.product(a, b)])
    size = superiority(scan_pairs(table_of([a, b])))
    assert size.estimate[0] == pytest.approx(lower_wins)
    assert size.lower[0] < lower_wins < size.upper[0]
    certain = superiority(scan_pairs(table_of([[1, 2, 3, 4], [5, 6, 7, 8]])))
    assert ends(certain)[0] == 1
    assert certain.lower[0] < 0.6


@pytest.mark.slow
def test_intervals_cover_what_they_should():
    draws = np.random.default_rng(1)
    covered = np.zeros(3)
    rounds = 400
    for _ in range(rounds):
        task = draws.normal(0, 1, 40)
        scan = scan_pairs(table_of([task + draws.normal(0, 1, 40), task + draws.normal(0.3, 1, 40)]))
        # a less b is about -0.3 with deviation sqrt 2; b beats a with P(N(0.3, 2) < 0), over tasks N(0.3, 4).
        chances = stats.norm.cdf(0.3 / math.sqrt(2)), stats.norm.cdf(0.3 / 2)
        truths = (-0.3, *chances)
        intervals = (mean_difference(scan), win_rate(scan), superiority(scan))
        covered += [i.lower[0] <= t <= i.upper[0] for i, t in zip(intervals, truths, strict=True)]
    assert (covered / rounds > 0.92).all()
    assert (covered / rounds < 0.99).all()


def test_summaries_and_leaders():
    table = table_of([[1, 2, 3], [math.nan, 1, 5], [2, 1, 4]])
    first, second, _ = summarize(table)
    assert (first.mean, first.std, first.median, first.iqr, first.min, first.max) == (2, 1, 2, 1, 1, 3)
    assert (second.count, second.missing) == (2, 1)
    places = leaders(table, top=1)
    assert places["t0"] == (Place(1, "a", 1.0),)
    assert places["t1"] == (Place(1, "b", 1.0), Place(1, "c", 1.0))
    assert [place.method for place in leaders(table)["t0"]] == ["a", "c"]


def scaled(values, *, higher=True, zeros="drop"):
    return scan_pairs(score_table(values, higher_is_better=higher), zeros=zeros)


def test_each_scale_by_hand():
    # Differences 1, 2, 3, -4: mean 0.5, deviation sqrt(29 / 3); ranks 1 2 3 against 4 of 10.
    scan = scaled([[1, 0], [2, 0], [3, 0], [-4, 0]])
    assert standardized_difference(scan).estimate == pytest.approx([(1 - 3 / 11) * 0.5 / np.sqrt(29 / 3)])
    assert rank_biserial(scan) == pytest.approx([(6 - 4) / 10])
    assert cliff_delta(scan).estimate == pytest.approx([(12 - 4) / 16])


def test_cliffs_delta_is_above_0_where_values_of_a_are_larger_whatever_is_better():
    values = np.random.default_rng(1).normal([0.5, 0], 1, (20, 2))
    higher, lower = cliff_delta(scaled(values)), cliff_delta(scaled(values, higher=False))
    assert higher.estimate == pytest.approx(lower.estimate)
    assert higher.lower == pytest.approx(lower.lower)
    assert higher.upper == pytest.approx(lower.upper)
    assert higher.lower < higher.estimate < higher.upper


def test_the_interval_is_that_of_the_noncentral_t():
    # Nine differences of mean 1 and deviation 1: t = 3 has 2.5 % below and above it at the ends.
    values = np.linspace(-1, 1, 9)
    values = values / values.std(ddof=1) + 1
    scan = scaled(np.column_stack([values, np.zeros(9)]))
    ends = standardized_difference(scan).lower[0], standardized_difference(scan).upper[0]
    assert [nct.cdf(3, 8, 3 * end) for end in ends] == pytest.approx([0.975, 0.025], abs=1e-6)


def test_zeros_that_are_ranked_take_their_ranks_along():
    # Differences 0, 1, 2, -3 by Pratt: ranks 2 and 3 against 4 of 9.
    # Without it their ranks are 1, 2 and 3: (1 + 2 - 3) / 6.
    assert rank_biserial(scaled([[0, 0], [1, 0], [2, 0], [-3, 0]], zeros="drop")) == pytest.approx([0])
    assert rank_biserial(scaled([[0, 0], [1, 0], [2, 0], [-3, 0]], zeros="pratt")) == pytest.approx([1 / 9])


@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_p_and_interval_agree(alpha):
    generator = np.random.default_rng(3)
    differences, errors = generator.normal(0, 0.01, 500), generator.gamma(1, 0.004, 500)
    interval, p = two_one_sided_tests(differences, errors, np.full(500, 7.0), alpha=alpha)
    inside = (interval.lower > -DEFAULT_MARGIN) & (interval.upper < DEFAULT_MARGIN)
    assert ((p < alpha) == inside).all()
    assert 0 < inside.sum() < 500


def test_methods_at_the_margin_are_called_equivalent_as_rarely_as_promised():
    generator, size, draws = np.random.default_rng(5), 8, 20000
    samples = generator.normal(0.01, 0.004, (draws, size))
    errors = samples.std(axis=1, ddof=1) / np.sqrt(size)
    _, p = two_one_sided_tests(samples.mean(axis=1), errors, np.full(draws, 7.0))
    assert (p < 0.05).mean() == pytest.approx(0.05, abs=0.006)


def test_no_difference_found_is_no_equivalence():
    _, p = two_one_sided_tests(np.zeros(2), np.array([1.0, np.nan]), np.array([9.0, 9.0]))
    assert (p < 0.05).tolist() == [False, False]
    assert np.isnan(p[1])


def test_intervals_of_all_pairs_leave_twice_the_level_of_a_one_sided_test():
    # Bonferroni: one of 10 pairs has 0.05 / 10 on each side, so its interval holds 1 - 2 * 0.005.
    assert level_for_pairs(0.95, 5) == pytest.approx(0.99)
    assert level_for_pairs(0.95, 2) == pytest.approx(0.90)
    # Both one-sided p of SciPy are 0.005 where the difference lies at the margin less t errors.
    t = stats.t.ppf(1 - 0.05 / 10, 9)
    low, high = stats.t.interval(level_for_pairs(0.95, 5), 9)
    assert (low, high) == pytest.approx((-t, t))


@pytest.mark.parametrize("distance", [0.0, 0.1], ids=["equal", "0.1 apart"])
def test_mean_and_median_of_differences_that_do_not_vary_have_no_interval(distance):
    values = np.array([0.2, 0.4, 0.3, 0.6, 0.5, 0.1, 0.7, 0.8])
    scan = scan_pairs(table_of([values, values + distance]))
    for effect in (mean_difference(scan), median_difference(scan)):
        assert effect.estimate[0] == pytest.approx(-distance)
        assert np.isnan([effect.lower, effect.upper]).all()


def test_the_interval_of_superiority_is_that_of_values_of_two_tasks():
    # b is above a on each of 5 tasks, but less than tasks differ: a is below b in 15 of 25 pairs, and in 10 of
    # the 20 pairs of two tasks. Placements do not vary, so that Wilson's interval is of 5 trials, by t for z:
    # 5 / (2.7764 / 1.9600)^2 = 2.4917 trials, 0.5 -+ 1.96 sqrt(0.25 / (2.4917 + 3.8415)).
    size = superiority(scan_pairs(table_of([np.arange(5.0), np.arange(5.0) + 0.1])))
    assert ends(size) == pytest.approx((0.6, 0.5 - 0.38941, 0.5 + 0.38941), abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("units", [5, 8, 20])
def test_the_interval_of_superiority_holds_that_of_near_copies(units):
    generator, held = np.random.default_rng(units), []
    truth = stats.norm.cdf(0.01 / math.sqrt(2))
    for _ in range(200):
        a = generator.normal(size=units)
        size = superiority(scan_pairs(table_of([a, a + generator.normal(0.01, 0.01, units)])))
        held.append(size.lower[0] <= truth <= size.upper[0])
    assert np.mean(held) >= 0.93
