"""What is reported, and in which words what cannot be computed."""

import json
from math import atan, inf, isnan, nan, pi

import pytest

from delvecore.stats import notes
from delvecore.stats.losses.anova import MeanSquares
from delvecore.stats.losses.mstats_records import compare, estimate
from tests.shared import golden_path
from tests.stats.intervals import confidence_interval

SHAPE = {"instances": 2, "test_cases": 3}
# Both worked by hand in test_anova.
SQUARES = MeanSquares(4.0, 24.0, None, 5.0)
COMMON_SQUARES = MeanSquares(4.0, 24.0, 8.0, 2.0)


def compare_squares(squares, mean_a=5.0, mean_b=1.0, identical=False, **shape):
    return compare(squares, mean_a, mean_b, identical=identical, **shape)


def test_estimate_reports_the_square_roots_of_the_components():
    found = estimate(SQUARES, **SHAPE)
    assert (found.mean, found.standard_error) == pytest.approx((4.0, 2.0))
    assert (found.sd_training, found.sd_residual) == pytest.approx(((19 / 3) ** 0.5, 5**0.5))
    assert (found.sd_cases, found.clipped, found.reason) == (None, (), None)


def test_comparison_reports_the_t_test_of_equation_9():
    # One degree of freedom: p = 2/pi atan(1/t).
    found = compare_squares(SQUARES, **SHAPE)
    assert (found.mean_a, found.mean_b, found.difference) == (5.0, 1.0, 4.0)
    assert (found.test, found.statistic, found.df1, found.df2) == ("t", pytest.approx(2.0), 1, None)
    assert found.p == pytest.approx(2 / pi * atan(1 / 2))


def test_comparison_on_a_common_test_set_reports_the_quasi_f_test():
    found = compare_squares(COMMON_SQUARES, **SHAPE)
    assert (found.test, found.statistic) == ("F", pytest.approx(98 / 32))
    assert (found.df1, found.df2) == pytest.approx((9604 / 9218, 1024 / 608))
    assert found.standard_error == pytest.approx(5**0.5)
    assert found.notes == ()


def test_confidence_interval_is_the_difference_plus_and_minus_t_times_error():
    # t with one degree of freedom: the 75 % quantile is 1, so that half of the probability lies within one error.
    lower, upper = confidence_interval(compare_squares(SQUARES, **SHAPE), level=0.5)
    assert (lower, upper) == pytest.approx((2.0, 6.0))


def test_interval_excludes_zero_exactly_when_the_t_test_rejects():
    found = compare_squares(SQUARES, **SHAPE)
    assert confidence_interval(found, level=1 - found.p)[0] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    ("shape", "reason"),
    [
        ({"instances": 1, "test_cases": 3}, notes.ONE_TRAINING_SET),
        ({"instances": 1, "test_cases": 1}, notes.ONE_TRAINING_SET),
        ({"instances": 2, "test_cases": 1}, notes.ONE_TEST_CASE),
    ],
)
@pytest.mark.parametrize("design", ["hierarchical", "common"])
def test_single_observations_give_the_mean_without_error_and_the_reason(design, shape, reason):
    squares = MeanSquares(4.0, nan, nan if design == "common" else None, nan)
    found = estimate(squares, **shape)
    assert found == (*shape.values(), 4.0, None, None, None, None, (), reason)
    compared = compare_squares(squares, **shape)
    assert (compared.difference, compared.standard_error, compared.p) == (4.0, None, None)
    assert compared.reason == reason
    assert confidence_interval(compared) is None


def test_an_infinite_mean_has_no_error():
    found = estimate(MeanSquares(inf, nan, None, nan), **SHAPE)
    assert (found.mean, found.standard_error, found.reason) == (inf, None, notes.INFINITE_MEAN)


def test_an_undefined_mean_is_none():
    found = estimate(MeanSquares(nan, nan, None, nan), **SHAPE)
    assert (found.mean, found.standard_error, found.reason) == (None, None, notes.UNDEFINED_MEAN)


def test_an_infinite_loss_leaves_the_infinite_difference_without_p():
    found = compare_squares(MeanSquares(inf, nan, None, nan), mean_a=inf, **SHAPE)
    assert (found.mean_a, found.difference, found.p, found.reason) == (inf, inf, None, notes.NOT_FINITE)


def test_losses_too_large_to_square_have_no_error():
    found = estimate(MeanSquares(1e200, inf, None, inf), **SHAPE)
    assert (found.mean, found.standard_error, found.reason) == (1e200, None, notes.TOO_LARGE)


def test_zero_variance_leaves_p_undefined():
    found = compare_squares(MeanSquares(4.0, 0.0, None, 0.0), **SHAPE)
    assert (found.standard_error, found.p, found.reason) == (0.0, None, notes.ZERO_VARIANCE)


def test_identical_losses_say_so():
    for cases in (None, 0.0):
        found = compare_squares(MeanSquares(0.0, 0.0, cases, 0.0), 1.0, 1.0, identical=True, **SHAPE)
        assert (found.difference, found.p, found.reason) == (0.0, None, notes.IDENTICAL)


def test_negative_variances_are_named():
    found = compare_squares(MeanSquares(1.0, 1.0, 2.0, 2.5), **SHAPE)
    assert found.clipped == ("training", "cases")
    assert found.notes == (notes.CLIPPED["training"], notes.CLIPPED["cases"])
    assert estimate(MeanSquares(1.0, 1.0, 2.0, 2.5), **SHAPE).clipped == ("training", "cases")


def test_a_dominating_interaction_is_a_caution():
    found = compare_squares(MeanSquares(0.0, 1.0, 1.0, 5.0), **SHAPE)
    assert found.notes[-1] == notes.DOMINATED
    assert found.p is not None


def test_no_difference_and_no_residual_is_no_evidence():
    # Differences +1 and -1 by training set: mean 0, MS_a > 0, MS_b = MS_e = 0.
    assert compare_squares(MeanSquares(0.0, 3.0, 0.0, 0.0), **SHAPE).p == 1.0


# The manual prints six digits, which the standard error inherits; p has an error of some df times as much.


def manual_blocks():
    return json.loads(golden_path("manual-figures.json").read_text())["blocks"]


def manual_squares(block, mean):
    # MS_a = J SD_train^2 + SD_resid^2, MS_e = SD_resid^2: manual eqs. 5 to 7, turned round.
    residual = block["sd_resid"] ** 2
    return MeanSquares(mean, block["J"] * block["sd_train"] ** 2 + residual, None, residual)


def test_the_manuals_printed_standard_errors_follow_from_its_standard_deviations():
    estimates = [block for block in manual_blocks() if "mean" in block]
    assert estimates
    for block in estimates:
        shape = {"instances": block["I"], "test_cases": block["J"]}
        found = estimate(manual_squares(block, block["mean"]), **shape)
        assert found.standard_error == pytest.approx(block["se"], rel=1e-5)
        assert found.sd_training == pytest.approx(block["sd_train"], rel=1e-9)


def test_the_manuals_printed_p_values_follow_from_its_differences():
    comparisons = [block for block in manual_blocks() if "p" in block]
    assert comparisons
    for block in comparisons:
        shape = {"instances": block["I"], "test_cases": block["J"]}
        squares = manual_squares(block, block["difference"])
        found = compare_squares(squares, block["mean_1"], block["mean_2"], **shape)
        assert found.standard_error == pytest.approx(block["se"], rel=1e-5)
        assert found.p == pytest.approx(block["p"], rel=1e-4)
        assert not isnan(found.statistic)
