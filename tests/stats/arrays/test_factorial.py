"""Factorial analysis: effects worked by hand, and sums of squares and tests of independent programs."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from delvecore.stats.arrays.factorial_effects import (
    CellEstimates,
    DesignFactor,
    analyse_term,
    estimate_contrast,
    make_design,
)

A, B = DesignFactor("a", 2), DesignFactor("b", 2)
SQUARE = np.array(list(product(range(2), range(2))))


def independent(values, variances, degrees) -> CellEstimates:
    values = np.asarray(values, dtype=float)
    matrix = np.diag(np.broadcast_to(variances, values.shape).astype(float))
    return CellEstimates(values, matrix, np.arange(len(values)), np.broadcast_to(degrees, values.shape))


def effect(design, term, cells):
    return estimate_contrast(design.combination(term, [2.0]), cells)


def test_effects_of_two_factors_by_hand():
    # a b: -- 1, -+ 3, +- 2, ++ 6. a: (2 + 6) / 2 - (1 + 3) / 2; b: (3 + 6) / 2 - (1 + 2) / 2;
    # both: ((6 - 2) - (3 - 1)) / 2. Sums of squares: 4 (effect / 2)^2.
    design, cells = make_design([A, B], SQUARE, order=2), independent([1, 3, 2, 6], 0.25, 1)
    assert [effect(design, term, cells).value for term in ((0,), (1,), (0, 1))] == pytest.approx([2, 3, 1])
    squares = [analyse_term(design.basis(t), cells).sum_of_squares for t in ((0,), (1,), (0, 1))]
    assert squares == pytest.approx([4, 9, 1])


def test_variances_that_only_rounding_makes_are_none():
    # Two cells that always err alike: their difference has no error. An ulp in the weights is no evidence.
    cells = CellEstimates(
        np.array([2.0, 2.0]), np.full((2, 2), 1 / 3), np.zeros(2, dtype=int), np.full(2, 2.0)
    )
    weights = np.array([-1.0, 1.0 + 2**-52])
    assert np.isnan(estimate_contrast(weights, cells).p)
    basis = np.array([[-(0.5**0.5)], [np.nextafter(0.5**0.5, 1)]])
    assert np.isnan(analyse_term(basis, cells).f)


def test_error_of_an_effect_by_hand():
    # Weights of +-1/2 on four cells of variance 1/4: variance 1/4; four equal parts of 1 degree make 4.
    found = effect(make_design([A, B], SQUARE, order=2), (0,), independent([1, 3, 2, 6], 0.25, 1))
    assert (found.standard_error, found.degrees) == pytest.approx((0.5, 4))
    assert found.p == pytest.approx(2 * stats.t.sf(4, 4))


def test_one_factor_of_two_levels_is_welchs_t_test():
    # SciPy's test of two samples with unequal variances.
    first, second = [1.0, 2.0, 4.0, 4.5], [3.0, 3.5, 9.0]
    samples = [np.array(first), np.array(second)]
    means, variances = [s.mean() for s in samples], [s.var(ddof=1) / len(s) for s in samples]
    cells = independent(means, variances, [3, 2])
    design = make_design([A], np.array([[0], [1]]), order=1)
    welch = stats.ttest_ind(second, first, equal_var=False)
    found = effect(design, (0,), cells)
    assert (found.p, found.degrees) == pytest.approx((welch.pvalue, welch.df))
    tested = analyse_term(design.basis((0,)), cells)
    assert (tested.f, tested.df1, tested.df2, tested.p) == pytest.approx(
        (welch.statistic**2, 1, welch.df, welch.pvalue)
    )


def test_equal_variances_give_the_classic_analysis_of_variance():
    # Two-way ANOVA, three replicates m - 1, m, m + 1 in each cell: statsmodels 0.15.0,
    # anova_lm(ols("y ~ C(a, Sum) * C(b, Sum)"), typ=3); its sums of squares count each replicate.
    cells = np.array(list(product(range(2), range(3))))
    design = make_design([A, DesignFactor("b", 3)], cells, order=2)
    estimates = independent([1, 3, 4, 2, 5.5, 9], 1 / 3, 2)
    expected = {
        (0,): (36.125, 36.125, 6.118292719379698e-05),
        (1,): (75.25, 37.625, 6.768537860071756e-06),
        (0, 1): (12.25, 6.125, 0.014683075051294762),
    }
    for term, (squares, f, p) in expected.items():
        found = analyse_term(design.basis(term), estimates)
        assert (3 * found.sum_of_squares, found.f, found.df2, found.p) == pytest.approx((squares, f, 12, p))


def test_an_incomplete_design_is_least_squares():
    # statsmodels 0.15.0: ols of y on codes -1 and 1 of i, j, codes -1, 0, 1 and 1, -2, 1 of the third factor
    # and their products by two; sums of squares as the residual's growth when a term is left out.
    values = [0.9, 0.7, 0.55, 0.95, 0.9, 0.86, 0.8, 0.5, None, 1.0, 0.93, 0.84]
    every = np.array(list(product(range(2), range(2), range(3))))
    known = np.array([value is not None for value in values])
    factors = [A, B, DesignFactor("size", 3, (6.0, 7.0, 8.0))]
    design = make_design(factors, every[known], order=2)
    cells = independent(np.log([value for value in values if value is not None]), 0.01, 3)
    linear = estimate_contrast(design.combination((2,), [2.0, 0.0]), cells)
    assert linear.value == pytest.approx(2 * -0.17921907614816007)
    assert effect(design, (0, 1), cells).value == pytest.approx(2 * 0.06729229868601751)
    squares = [analyse_term(design.basis(term), cells).sum_of_squares for term in design.terms[1:]]
    assert squares == pytest.approx(
        [
            0.026174898817535368,
            0.29704039737364596,
            0.17484906539497858,
            0.03622602769958524,
            0.008465776997736011,
            0.07308095806458775,
        ]
    )
    assert analyse_term(design.rest, cells).sum_of_squares == pytest.approx(0.005009290781939754)


def test_what_the_cells_cannot_tell_apart_is_not_estimated():
    # Of the square only the diagonal: a and b change together, and their product is constant.
    design = make_design([A, B], SQUARE[[0, 3]], order=2)
    assert design.aliases((0,)) == ((1,),)
    assert design.aliases((0, 1)) == ((),)
    assert design.basis((0,)) is None
    assert design.combination((0,), [2.0]) is None


def test_a_hole_leaves_the_main_effects_of_a_square():
    # Without ++: with main effects only, a is what changes at b = -, b what changes at a = -.
    design, cells = make_design([A, B], SQUARE[:3], order=1), independent([1, 3, 2], 0.25, 1)
    assert [effect(design, term, cells).value for term in ((0,), (1,))] == pytest.approx([1, 2])


def test_codes_sum_to_zero_and_the_first_of_ordered_levels_is_their_line():
    codes = DesignFactor("size", 4, (5.0, 6.0, 7.0, 10.0)).codes
    assert codes[:, 0] == pytest.approx([-0.8, -0.4, 0.0, 1.2])
    assert codes.sum(axis=0) == pytest.approx([0, 0, 0], abs=1e-12)
    products = codes.T @ codes
    assert products - np.diag(np.diag(products)) == pytest.approx(np.zeros((3, 3)), abs=1e-12)


def test_what_cells_share_is_in_the_error():
    # Sum of two estimates of variance 1 that vary together fully: variance 4, one unit of 3 degrees.
    together = CellEstimates(np.array([1.0, 2.0]), np.ones((2, 2)), np.array([0, 0]), np.array([3.0, 3.0]))
    found = estimate_contrast(np.array([1.0, 1.0]), together)
    assert (found.standard_error, found.degrees) == pytest.approx((2, 3))
    assert np.isnan(estimate_contrast(np.array([1.0, -1.0]), together).standard_error)


def test_a_cell_without_an_error_leaves_the_effect_without_one():
    design, cells = make_design([A, B], SQUARE, order=2), independent([1, 3, 2, 6], [1, 1, np.nan, 1], 1)
    found = effect(design, (0,), cells)
    assert found.value == pytest.approx(2)
    assert np.isnan([found.standard_error, found.p]).all()
    assert np.isnan(analyse_term(design.basis((0,)), cells).p)
