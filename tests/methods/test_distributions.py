"""Log densities and log probabilities of intervals, against SciPy's distributions."""

import numpy as np
import pytest
from scipy import stats

from delvecore.methods.targets import Gaussian, StudentT

LOCATION, SCALE = np.array([0.0, 1.5, -2.0]), np.array([1.0, 0.5, 3.0])
VALUES = np.array([0.3, -1.0, 7.0])
PAIRS = [
    (Gaussian(LOCATION, SCALE), stats.norm(LOCATION, SCALE)),
    (StudentT(LOCATION, SCALE, 5.0), stats.t(5.0, LOCATION, SCALE)),
]


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_log_densities_are_those_of_scipy(ours, theirs):
    np.testing.assert_allclose(ours.log_density(VALUES), theirs.logpdf(VALUES), rtol=1e-12)


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_log_masses_are_differences_of_the_distribution_function(ours, theirs):
    low, high = VALUES - 0.5, VALUES + 0.5
    expected = np.log(theirs.cdf(high) - theirs.cdf(low))
    np.testing.assert_allclose(ours.log_mass(low, high), expected, rtol=1e-9)


def test_masses_of_all_integers_sum_to_one():
    one = np.ones(201)
    integers = np.arange(-100.0, 101.0)
    for distribution in (Gaussian(0.3 * one, 2.0 * one), StudentT(0.3 * one, 2.0 * one, 9.0)):
        total = np.exp(distribution.log_mass(integers - 0.5, integers + 0.5)).sum()
        assert total == pytest.approx(1.0, abs=1e-9)


def test_both_tails_cost_the_same_and_stay_finite():
    # At 30 deviations the probability is about exp(-450), which a plain difference cannot show.
    low, high = np.array([29.5, -30.5]), np.array([30.5, -29.5])
    upper, lower = Gaussian(np.zeros(2), np.ones(2)).log_mass(low, high)
    # Just beyond 29.5 the density falls by exp(-29.5 x): Mills' ratio gives log(density / 29.5).
    assert upper == lower == pytest.approx(stats.norm.logpdf(29.5) - np.log(29.5), abs=2e-3)


def test_an_interval_that_underflows_counts_density_times_width():
    distribution = Gaussian(np.zeros(1), np.ones(1))
    mass = distribution.log_mass(np.array([199.5]), np.array([200.5]))
    assert mass == pytest.approx(stats.norm.logpdf(200.0))
    heavy = StudentT(np.zeros(1), np.ones(1), 400.0)
    assert np.isfinite(heavy.log_mass(np.array([1e4]), np.array([1e4 + 1]))).all()


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_log_probabilities_beyond_a_bound_are_those_of_scipy(ours, theirs):
    np.testing.assert_allclose(ours.log_beyond(VALUES, np.ones(3)), theirs.logsf(VALUES), rtol=1e-9)
    np.testing.assert_allclose(ours.log_beyond(VALUES, -np.ones(3)), theirs.logcdf(VALUES), rtol=1e-9)
