"""The test of a common test set: its distribution, and that p and interval are of it alike."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from delvecore.stats.losses import behrens_fisher
from delvecore.stats.losses.anova import MeanSquares

LEVELS = (0.5, 0.9, 0.95, 0.99, 1 - 0.05 / 66, 0.99999)
GRID = [
    (instances, cases, training, between)
    for instances in (2, 3, 8)
    for cases in (16, 256)
    for training in (0.01, 1.0, 30.0)
    for between in (0.3, 1.0, 30.0)
]


def distribution(training, between, residual, *, instances, cases):
    """Return the reference distribution of one difference, or of several with the same sizes."""
    squares = (np.atleast_1d(np.asarray(one, dtype=float)) for one in (training, between, residual))
    squares = MeanSquares(np.zeros(1), *np.broadcast_arrays(*squares))
    sizes = (np.full(squares.training.shape, float(one)) for one in (instances, cases))
    return behrens_fisher.reference(squares, **dict(zip(("instances", "test_cases"), sizes, strict=True)))


def plain(df, cases, cases_df, residual=0.0, second=0.0):
    return behrens_fisher.Reference(
        *(np.array([float(one)]) for one in (1, df, cases_df, 1 - cases, cases, residual, second))
    )


def slow_p(law, deviate):
    """Integrate over W with SciPy's own Student's t."""
    df, training, cases, residual, second = (float(getattr(law, name)[0]) for name in NAMES)

    def integrand(root):
        w = root**2
        density = 2 * root * ((1 - second) * stats.chi2.pdf(w, df) + second * stats.chi2.pdf(w, df + 2))
        variance = max(df * training / w, residual) + cases
        freedom = law.cases_df[0] * (variance / cases) ** 2
        return density * 2 * stats.t.sf(deviate / variance**0.5, freedom)

    kink = (df * training / residual) ** 0.5
    points = [kink] if kink < 12 else None
    return integrate.quad(integrand, 1e-12, 12, points=points, epsabs=0, epsrel=1e-10, limit=400)[0]


NAMES = ("df", "training", "cases", "residual", "second")


@pytest.mark.parametrize(("instances", "cases", "training", "between"), GRID[::5])
@pytest.mark.parametrize("deviate", [0.3, 2.0, 6.0])
def test_p_is_the_integral_over_the_mean_square_of_training_sets(
    instances, cases, training, between, deviate
):
    table = distribution(training, between, 1.0, instances=instances, cases=cases)
    p = behrens_fisher.two_sided_p(table, deviate * table.error)
    assert p == pytest.approx(slow_p(table, deviate), rel=1e-5)


@pytest.mark.parametrize(("angle", "quantile"), [(30, 2.322), (45, 2.201), (60, 2.082), (75, 1.993)])
def test_without_floor_and_second_part_it_is_the_distribution_of_behrens_and_fisher(angle, quantile):
    # 6 and infinitely many degrees of freedom, 5 %: R. A. Fisher and F. Yates, Statistical Tables, table VI,
    # after P. V. Sukhatme, Sankhya 4 (1938).
    text = plain(6, np.sin(np.radians(angle)) ** 2, 1e9)
    assert behrens_fisher.half_width(text, 0.05) == pytest.approx(quantile, abs=6e-4)


@pytest.mark.parametrize("df", [1, 2, 7, 63, 1000])
def test_without_test_cases_and_residual_it_is_students_t(df):
    deviates = np.array([0.1, 1.0, 3.0, 12.0])
    table = distribution(np.full(4, 5.0), 0.0, 0.0, instances=df + 1, cases=16)
    p = behrens_fisher.two_sided_p(table, deviates * table.error)
    assert p == pytest.approx(2 * stats.t.sf(deviates, df), rel=1e-4 if df > 30 else 1e-6, abs=0)


def test_with_test_cases_alone_it_is_students_t_of_their_number():
    table = distribution(0.0, 5.0, 0.0, instances=8, cases=64)
    assert behrens_fisher.half_width(table, 0.05) / table.error == pytest.approx(
        stats.t.ppf(0.975, 63), rel=1e-3
    )


@pytest.mark.parametrize("scale", [1e-90, 1e90])
def test_the_unit_of_the_loss_does_not_matter(scale):
    small, large = (
        distribution(*(np.array([3.0, 5.0, 1.0]) * unit**2), instances=3, cases=64) for unit in (1, scale)
    )
    assert behrens_fisher.half_width(large, 0.01) == pytest.approx(
        scale * behrens_fisher.half_width(small, 0.01)
    )
    assert behrens_fisher.two_sided_p(large, -scale * np.ones(1)) == pytest.approx(
        behrens_fisher.two_sided_p(small, np.ones(1))
    )


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(
    instances=st.integers(2, 12),
    cases=st.integers(2, 2000),
    squares=st.lists(st.sampled_from([0.0, 1e-9, 0.1, 1.0, 7.0, 1e6]), min_size=3, max_size=3),
    level=st.sampled_from(LEVELS),
)
@example(instances=10, cases=4, squares=[7.0, 1.0, 0.0], level=0.99999)
@example(instances=5, cases=2, squares=[1.0, 0.1, 0.0], level=1 - 0.05 / 66)
def test_the_interval_ends_where_p_is_one_less_the_level(instances, cases, squares, level):
    if squares[0] + squares[1] == 0:
        return
    table = distribution(*squares, instances=instances, cases=cases)
    alpha = round(1 - level, 15)
    reach = behrens_fisher.half_width(table, alpha)
    around = [behrens_fisher.two_sided_p(table, sign * factor * reach)[0] for sign, factor in SIDES]
    assert around[0] == pytest.approx(alpha, rel=1e-5)
    assert around[1] == around[0]
    assert around[2] > alpha > around[3]


SIDES = ((1, 1.0), (-1, 1.0), (1, 0.9999), (1, 1.0001))


def test_each_difference_may_have_a_level_of_its_own():
    table = distribution([1.0, 2.0, 30.0], [2.0, 1.0, 1.0], 1.0, instances=3, cases=32)
    alphas = np.array([0.05, 0.01, 0.001])
    together = behrens_fisher.half_width(table, alphas)
    for k, alpha in enumerate(alphas):
        alone = behrens_fisher.Reference(*(column[k : k + 1] for column in table))
        assert together[k] == pytest.approx(behrens_fisher.half_width(alone, alpha)[0], rel=1e-9)


def test_p_keeps_its_digits_far_out():
    # Cauchy's tail: 2 / (pi x) to all digits.
    table = distribution(4.0, 0.0, 0.0, instances=2, cases=16)
    assert behrens_fisher.two_sided_p(table, 1e9 * table.error) == pytest.approx(2e-9 / np.pi, rel=1e-8)


def test_nothing_to_test_gives_nothing():
    none = distribution([], [], [], instances=2, cases=16)
    assert (
        behrens_fisher.two_sided_p(none, np.zeros(0)).shape
        == behrens_fisher.half_width(none, 0.05).shape
        == (0,)
    )


@pytest.mark.parametrize("training", [0.1, 0.5, 0.999])
def test_training_sets_that_vary_less_than_the_residual_count_as_the_residual(training):
    # A < E: V = E + D, with D the mean of the positive part of B - E; three training sets, sixteen test cases.
    between, residual = 1.5, 1.0
    spread = (2 * (between**2 / 15 + residual**2 / (2 * 15))) ** 0.5
    excess = (between - residual) / spread
    positive = spread * (excess * stats.norm.cdf(excess) + stats.norm.pdf(excess))
    table = distribution(training, between, residual, instances=3, cases=16)
    assert table.error[0] == pytest.approx(((residual + positive) / (3 * 16)) ** 0.5)
    assert table.residual[0] == pytest.approx(residual / (residual + positive))
    p = behrens_fisher.two_sided_p(table, 2.0 * table.error)[0]
    assert p == pytest.approx(slow_p(table, 2.0), rel=1e-6)
