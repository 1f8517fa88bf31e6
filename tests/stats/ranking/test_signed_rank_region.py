"""The Bayesian signed-rank test with a region and many tasks, against its definition written out."""

import numpy as np
import pytest
from scipy import stats

from delvecore.stats.ranking.bayesian_signed_rank import chances_of_region

PRIOR, DECIMALS = 0.5, 12.0


def written_out(z, rope):
    """Every sum of two differences by itself, and SciPy's integral over a quarter of a plane."""
    points, weights = np.append(z, 0.0), np.append(np.ones(len(z)), PRIOR)
    sums = np.round(points[:, None] + points, 10)
    below = (sums < -2 * rope) + 0.5 * (sums == -2 * rope)
    above = (sums > 2 * rope) + 0.5 * (sums == 2 * rope)
    every = weights.sum()
    means, slopes = [], []
    for form in (below, 1 - below - above, above):
        means.append(weights @ form @ weights + weights @ form.diagonal())
        slope = form @ weights
        slopes.append(slope - slope @ weights / every)
    slopes = np.array(slopes)
    covariance = 4 * (1 + 1 / every) * (slopes * weights) @ slopes.T
    shares = []
    for leads in ([[1, -1, 0], [1, 0, -1]], [[-1, 1, 0], [0, 1, -1]], [[-1, 0, 1], [0, -1, 1]]):
        leads = np.array(leads)
        normal = stats.multivariate_normal(leads @ means, leads @ covariance @ leads.T, allow_singular=True)
        shares.append(1 - normal.cdf([0, np.inf]) - normal.cdf([np.inf, 0]) + normal.cdf([0, 0]))
    return shares


@pytest.mark.parametrize("digits", [1, 2, 9])
@pytest.mark.parametrize("rope", [0.1, 0.2, 0.5])
def test_chances_are_those_of_the_definition_with_ties_and_without(digits, rope):
    draws = np.random.default_rng(digits)
    differences = (draws.normal(0, 0.3, (4, 120)) + np.array([[0], [0.05], [0.2], [-0.1]])).round(digits)
    found = chances_of_region(differences.copy(), rope, PRIOR, DECIMALS)
    expected = [written_out(row, rope) for row in differences]
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_one_side_is_the_other_with_the_signs_turned():
    differences = np.random.default_rng(4).normal(0.05, 0.3, (5, 150)).round(2)
    one, other = (chances_of_region(sign * differences, 0.1, PRIOR, DECIMALS) for sign in (1, -1))
    np.testing.assert_allclose(one, other[:, ::-1], atol=1e-10)


def test_differences_far_inside_and_far_outside_are_certain():
    differences = np.array([np.zeros(100), np.full(100, 5.0), np.full(100, -5.0), np.full(100, 0.01)])
    found = chances_of_region(differences, 0.1, PRIOR, DECIMALS)
    np.testing.assert_allclose(found, [[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0]], atol=1e-12)
