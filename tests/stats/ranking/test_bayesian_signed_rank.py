"""Bayesian tests: by hand, by drawing, and against values of the program baycomp."""

import math

import numpy as np
import pytest
from scipy import stats

from delvecore.stats.ranking import bayesian_signed_rank as module
from delvecore.stats.ranking.bayesian_correlated_t import correlated_t
from delvecore.stats.ranking.bayesian_sign import bayesian_sign, largest_share
from delvecore.stats.ranking.bayesian_signed_rank import bayesian_signed_rank, chances_of_region
from delvecore.stats.ranking.paired_t import paired_t
from delvecore.stats.ranking.wilcoxon import scan_pairs
from tests.stats.ranking.golden import golden_table
from tests.stats.tables import score_table

# Values of baycomp 1.0.3: of CorrelatedTTest, and with 200000 draws of SignedRankTest and SignTest.
BAYCOMP_T = (0.04796072829256239, 0.03470175985261459, 0.917337511854823)
BAYCOMP = (
    (0, (0.00278, 0, 0.99722), (0.00272, 0, 0.99728)),
    (0.0105, (0.00029, 0.03908, 0.96064), (0.00075, 0.04568, 0.95357)),
)
TESTS = (bayesian_sign, bayesian_signed_rank, correlated_t)


def scan_of(differences, *, higher_is_better=False):
    values = np.stack([differences, np.zeros(len(differences))], axis=1)
    return scan_pairs(score_table(values, higher_is_better=higher_is_better))


def outcome(posterior, pair=0):
    return posterior.a_better[pair], posterior.equivalent[pair], posterior.b_better[pair]


@pytest.mark.parametrize("test", TESTS)
def test_methods_that_are_equal_have_a_half_each(test):
    scan = scan_of([0.0] * 6)
    assert outcome(test(scan)) == (0.5, 0, 0.5)
    assert outcome(test(scan, rope=0.1)) == (0, 1, 0)


@pytest.mark.parametrize("test", TESTS)
def test_the_better_method_is_the_one_with_lower_losses_or_higher_scores(test):
    differences = [-1.0, -2, -1.5, -0.5, -1, -3, -2, -1]
    assert outcome(test(scan_of(differences)))[0] > 0.95
    assert outcome(test(scan_of(differences, higher_is_better=True)))[2] > 0.95
    assert outcome(test(scan_of(differences), rope=10))[1] > 0.95


def test_the_sign_test_of_two_shares_is_a_beta_distribution():
    # Shares with parameters 3, 0, 5: P(B(3, 5) > 1/2).
    shares = largest_share(np.array([[3.0, 0, 5]]))[0]
    assert shares == pytest.approx([stats.beta.sf(0.5, 3, 5), 0, stats.beta.cdf(0.5, 3, 5)], abs=1e-9)


def test_the_largest_of_three_shares_is_as_often_largest_among_draws():
    for parameters in ([2.0, 1, 4], [30, 25, 28], [1, 1, 1], [900, 1, 950]):
        draws = np.random.default_rng(0).dirichlet(parameters, 100_000)
        often = np.bincount(draws.argmax(axis=1), minlength=3) / len(draws)
        assert largest_share(np.array([parameters]))[0] == pytest.approx(often, abs=0.006)


def test_correlated_t_of_independent_tasks_mirrors_the_t_test():
    scan = scan_pairs(golden_table("flach_12_4"))
    two_sided, posterior = paired_t(scan), correlated_t(scan)
    smaller = np.minimum(posterior.a_better, posterior.b_better)
    np.testing.assert_allclose(2 * smaller, two_sided.p, rtol=1e-9)


def test_correlated_t_is_that_of_baycomp():
    # The columns NB and DT, ten folds.
    posterior = correlated_t(scan_pairs(golden_table("flach_12_4")), rope=0.01, test_share=0.1)
    assert outcome(posterior) == pytest.approx(BAYCOMP_T, abs=1e-9)


def test_signed_rank_and_sign_are_those_of_baycomp_within_its_draws():
    # The columns C45 and C45_m_cf.
    scan = scan_pairs(golden_table("demsar_table6"))
    for rope, signed_rank, sign in BAYCOMP:
        assert outcome(bayesian_signed_rank(scan, rope=rope), 2) == pytest.approx(signed_rank, abs=0.015)
        assert outcome(bayesian_sign(scan, rope=rope), 2) == pytest.approx(sign, abs=0.005)


@pytest.mark.parametrize("rope", [0, 0.05])
def test_the_normal_distribution_takes_over_from_draws_without_a_jump(rope, monkeypatch):
    draws = np.random.default_rng(2)
    for shift in (0, 0.02, 0.05):
        scan = scan_of(draws.normal(shift, 0.2, 120).round(3))
        normal = outcome(bayesian_signed_rank(scan, rope=rope))
        with monkeypatch.context() as patch:
            patch.setattr(module, "DRAWN_BELOW", 1000)
            drawn = outcome(bayesian_signed_rank(scan, rope=rope))
        assert normal == pytest.approx(drawn, abs=0.025)


def test_a_corrected_t_test_has_a_wider_error():
    scan = scan_pairs(golden_table("flach_12_4"))
    plain, corrected = paired_t(scan), paired_t(scan, test_share=0.1)
    # Nadeau and Bengio: 1/10 + (1/10) / (9/10) in place of 1/10.
    np.testing.assert_allclose(plain.statistic / corrected.statistic, math.sqrt(1 + 10 / 9))
    assert (corrected.p > plain.p).all()


def test_wrong_regions_and_shares_are_refused():
    scan = scan_of([1.0, 2])
    for test in TESTS:
        with pytest.raises(ValueError, match="at least 0"):
            test(scan, rope=-1)
    with pytest.raises(ValueError, match="below 1"):
        correlated_t(scan, test_share=1)
    with pytest.raises(ValueError, match="below 1"):
        paired_t(scan, test_share=-0.1)


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


@pytest.mark.parametrize(("digits", "rope"), [(1, 0.1), (2, 0.2), (9, 0.5)])
def test_chances_are_those_of_the_definition_with_ties_and_without(digits, rope):
    draws = np.random.default_rng(digits)
    differences = (draws.normal(0, 0.3, (4, 120)) + np.array([[0], [0.05], [0.2], [-0.1]])).round(digits)
    chances = chances_of_region(differences.copy(), rope, PRIOR, DECIMALS)
    expected = [written_out(row, rope) for row in differences]
    np.testing.assert_allclose(chances, expected, atol=1e-5)


def test_differences_far_inside_and_far_outside_are_certain():
    differences = np.array([np.zeros(100), np.full(100, 5.0), np.full(100, -5.0), np.full(100, 0.01)])
    chances = chances_of_region(differences, 0.1, PRIOR, DECIMALS)
    np.testing.assert_allclose(chances, [[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0]], atol=1e-12)
