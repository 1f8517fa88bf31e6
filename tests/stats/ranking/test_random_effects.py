"""Random-effects means by hand, and how often they err in simulation."""

import numpy as np
import pytest

from delvecore.stats.ranking.random_effects import random_effects


def test_the_mean_of_three_units_by_hand():
    # 1, 2, 6: mean 3, variance 7; t = 3 / sqrt(7 / 3) = 1.9640 with 2 degrees of freedom, whose quantile is
    # 4.302653; variances 1, 2 and 3 leave tau^2 = 7 - 2.
    found = random_effects(np.array([[1.0, 2.0, 6.0]]), np.array([[1.0, 2.0, 3.0]]), level=0.95)
    assert (found.units, found.mean, found.tau) == pytest.approx((3, 3, 5**0.5))
    assert found.p == pytest.approx(0.18850, abs=2e-5)
    assert (found.upper - 3, 3 - found.lower) == pytest.approx([4.302653 * (7 / 3) ** 0.5] * 2)
    assert (found.next_upper - 3, 3 - found.next_lower) == pytest.approx([4.302653 * (7 * 4 / 3) ** 0.5] * 2)


def test_units_that_vary_less_than_their_errors_have_no_deviation_between_them():
    assert random_effects(np.array([[1.0, 2.0, 3.0]]), np.full((1, 3), 1.5), level=0.95).tau == 0


def test_equal_estimates_are_not_tested():
    found = random_effects(np.ones((1, 3)), np.full((1, 3), 0.1), level=0.95)
    assert found.mean == 1
    assert np.isnan([found.p, found.lower, found.upper, found.next_lower, found.next_upper]).all()


def test_missing_units_and_too_few():
    nan = np.nan
    y = np.array([[1.0, nan, 3.0], [1.0, nan, nan], [nan, nan, nan], [1.0, 2.0, 3.0]])
    v = np.array([[0.1, 0.1, 0.1], [0.1, nan, nan], [nan, nan, nan], [0.0, 0.1, nan]])
    found = random_effects(y, v, level=0.95)
    assert found.units.tolist() == [2, 1, 0, 2]
    np.testing.assert_array_equal(found.mean, [2, 1, nan, 1.5])
    for ends in (found.lower, found.next_lower, found.tau, found.p):
        assert np.isnan(ends).tolist() == [False, True, True, False]
    assert random_effects(np.empty((0, 0)), np.empty((0, 0)), level=0.95).mean.shape == (0,)


@pytest.mark.parametrize("tau", [0.3, 1.0])
@pytest.mark.parametrize("units", [5, 10, 26])
@pytest.mark.parametrize("sets", [2, 8])
def test_means_err_and_intervals_cover_as_promised(sets, units, tau):
    # Two standard errors of 4,000 tables are 0.007.
    draws = np.random.default_rng(100 * sets + units)
    true = draws.uniform(0.3, 1.5, (4000, units)) ** 2
    y = draws.normal(0, tau, true.shape) + draws.normal(0, np.sqrt(true))
    v = true * draws.chisquare(sets - 1, true.shape) / (sets - 1)
    found, further = random_effects(y, v, level=0.95), draws.normal(0, tau, 4000)
    assert np.mean(found.p < 0.05) <= 0.057
    np.testing.assert_array_equal(found.p < 0.05, (found.lower > 0) | (found.upper < 0))
    assert np.mean((found.next_lower < further) & (further < found.next_upper)) >= 0.943
