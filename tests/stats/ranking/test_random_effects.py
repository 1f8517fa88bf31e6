"""Random-effects means: the trials of the BCG vaccine, whose numbers several programs print, and simulation."""

import numpy as np
import pytest

from delvecore.stats.ranking.random_effects import dersimonian_laird, random_effects, restricted_likelihood

BCG = np.array(
    [
        *((4, 119, 11, 128), (6, 300, 29, 274), (3, 228, 11, 209), (62, 13536, 248, 12619)),
        *((33, 5036, 47, 5761), (180, 1361, 372, 1079), (8, 2537, 10, 619), (505, 87886, 499, 87892)),
        *((29, 7470, 45, 7232), (17, 1699, 65, 1600), (186, 50448, 141, 27197), (5, 2493, 3, 2338)),
        (27, 16886, 29, 17825),
    ],
    dtype=float,
)
"""Cases and others, vaccinated and not, of 13 trials. Source: Colditz and others 1994, JAMA 271."""


@pytest.fixture
def trials():
    """Logarithms of relative risks and their variances, as one pair."""
    ill, well, ill_without, well_without = BCG.T
    treated, control = ill + well, ill_without + well_without
    y = np.log(ill / treated) - np.log(ill_without / control)
    return y[None], (1 / ill - 1 / treated + 1 / ill_without - 1 / control)[None]


def test_variances_between_the_trials_of_a_vaccine(trials):
    # Of the R package metafor: DerSimonian-Laird 0.3088, restricted maximum likelihood 0.3132.
    assert dersimonian_laird(*trials) == pytest.approx(0.3088, abs=5e-5)
    assert restricted_likelihood(*trials) == pytest.approx(0.3132, abs=5e-5)


def test_the_mean_over_the_trials_of_a_vaccine(trials):
    # metafor: -0.7145 with an error of 0.1798 by known variances; Hartung and Knapp's is larger.
    found = random_effects(*trials, level=0.95)
    assert found.mean == pytest.approx(-0.7145, abs=5e-5)
    assert found.tau == pytest.approx(0.3132**0.5, abs=5e-5)
    error = (found.upper - found.lower) / 2 / 2.178813
    assert 0.1798 < error < 0.182
    # metafor, as if tau^2 were known: -1.867 to 0.438 for a further trial. It is not known: a little wider.
    assert -2.2 < found.next_lower < -1.867
    assert 0.438 < found.next_upper < 0.8
    assert (found.units.tolist(), found.p < 0.05) == ([13], True)


def test_equal_units_vary_no_more_than_their_errors():
    found = random_effects(np.array([[1.0, 1.0, 1.0]]), np.array([[0.03, 0.03, 0.03]]), level=0.95)
    # 4.302653 is the quantile of t with 2 degrees of freedom, 0.1 the error of the mean.
    assert (found.tau, found.mean, found.upper) == pytest.approx((0, 1, 1.4302653))


def test_rough_variances_weigh_nothing():
    # Student's test of 1, 2, 6 by hand: mean 3, standard error sqrt(7 / 3), t = 1.9640 with 2 degrees of freedom.
    y = np.array([[1.0, 2.0, 6.0]])
    found = random_effects(y, np.array([[1e-6, 1.0, 4.0]]), level=0.95, rough=np.array([True]))
    assert found.mean == pytest.approx(3)
    assert found.p == pytest.approx(0.18850, abs=2e-5)
    assert found.upper - found.mean == pytest.approx(4.302653 * (7 / 3) ** 0.5)


def test_rough_variances_and_equal_estimates_are_not_tested():
    found = random_effects(np.ones((1, 3)), np.full((1, 3), 0.1), level=0.95, rough=np.array([True]))
    assert np.isnan([found.p, found.lower, found.upper]).all()


@pytest.mark.parametrize("units", [5, 10])
def test_the_mean_of_units_with_two_training_sets_errs_as_promised(units):
    # Variances with one degree of freedom each; two standard errors of 4,000 tables are 0.007.
    draws = np.random.default_rng(units)
    true = draws.uniform(0.3, 1.5, (4000, units)) ** 2
    y = draws.normal(0, 0.3, true.shape) + draws.normal(0, np.sqrt(true))
    v = true * draws.chisquare(1, true.shape)
    found = random_effects(y, v, level=0.95, rough=np.ones(len(y), dtype=bool))
    assert np.mean(found.p < 0.05) <= 0.057


def test_p_agrees_with_the_interval():
    draws = np.random.default_rng(0)
    found = random_effects(draws.normal(0.2, 0.3, (500, 6)), np.full((500, 6), 0.02), level=0.9)
    np.testing.assert_array_equal(found.p < 0.1, (found.lower > 0) | (found.upper < 0))


def test_missing_units_and_too_few():
    nan = np.nan
    y = np.array([[1.0, nan, 3.0], [1.0, nan, nan], [nan, nan, nan], [1.0, 2.0, 3.0]])
    v = np.array([[0.1, 0.1, 0.1], [0.1, nan, nan], [nan, nan, nan], [0.0, 0.1, nan]])
    found = random_effects(y, v, level=0.95)
    assert found.units.tolist() == [2, 1, 0, 2]
    assert (found.mean[0], found.mean[1]) == (2, 1)
    # A unit without any variance is no surer than the other one.
    assert found.mean[3] == pytest.approx(1.5)
    assert np.isnan(found.mean[2])
    assert np.isnan(found.lower).tolist() == [False, True, True, False]
    assert np.isnan(found.next_lower).all()
    assert random_effects(np.empty((0, 0)), np.empty((0, 0)), level=0.95).mean.shape == (0,)


@pytest.mark.slow
def test_intervals_hold_the_mean_and_a_further_unit():
    draws = np.random.default_rng(1)
    v = draws.uniform(0.05, 1.5, (4000, 26))
    y = draws.normal(0, 0.7, v.shape) + draws.normal(0, np.sqrt(v))
    found, new = random_effects(y, v, level=0.95), draws.normal(0, 0.7, 4000)
    assert ((found.lower < 0) & (found.upper > 0)).mean() > 0.94
    assert ((found.next_lower < new) & (new < found.next_upper)).mean() > 0.94
