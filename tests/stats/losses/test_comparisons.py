"""All pairs at once say what `compare_losses` says of each."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from delvecore.stats import notes
from delvecore.stats.choose import FEWEST_COMMON_CASES
from delvecore.stats.losses import behrens_fisher
from delvecore.stats.losses.anova import DESIGNS, pair_mean_squares
from delvecore.stats.losses.comparisons import analyse_pairs, confidence_bounds, remark_notes
from delvecore.stats.losses.mstats import compare_losses
from tests.stats.intervals import confidence_interval
from tests.stats.stacks import KINDS, loss_stack

SAME = (
    "mean_a",
    "mean_b",
    "standard_error",
    "sd_training",
    "sd_cases",
    "sd_residual",
)


def compare_many(stack, *, design):
    """Compare all pairs of the methods of a stack of shape (methods, instances, test cases)."""
    _, instances, test_cases = np.shape(stack)
    return analyse_pairs(pair_mean_squares(stack, design=design), instances=instances, test_cases=test_cases)


def assert_pairs_are_as_compared_alone(stack, design):
    found = compare_many(stack, design=design)
    lower, upper = confidence_bounds(found, alpha=0.05)
    for k, (a, b) in enumerate(zip(found.first, found.second, strict=True)):
        alone = compare_losses(stack[a], stack[b], design=design)
        # A mean of differences that cancel carries 1e-16 of the differences, and so do the figures from it.
        with np.errstate(invalid="ignore"):
            noise = 1e-15 * np.abs(stack[a] - stack[b]).max()
        error = 1.0 if alone.p is None else found.reference.error[k]
        same_number(found.difference[k], alone.difference, absolute=noise)
        for name in SAME:
            same_number(getattr(found, name)[k], getattr(alone, name))
        same_number(found.p_delve[k], alone.p, relative=1e-8, absolute=noise / error)
        assert_test_is_that_of_the_design(found, k, alone, noise / error)
        bounds = confidence_interval(alone) or (None, None)
        for value, bound in zip((lower[k], upper[k]), bounds, strict=True):
            same_number(value, bound, absolute=noise + 1e-9 * error)
        assert found.remarks[k] == alone.pair.remarks[0]


def assert_test_is_that_of_the_design(found, k, alone, noise):
    if alone.test == "F":
        reference = alone.pair.reference
        expected = [alone.difference / reference.error[0], reference.df[0], reference.cases_df[0]]
        p = behrens_fisher.two_sided_p(reference, np.array([alone.difference]))[0]
    else:
        expected, p = [alone.pair.statistic[0], alone.pair.df1[0], alone.pair.df2[0]], alone.p
    same_number(found.statistic[k], expected[0], absolute=noise)
    same_number(found.df1[k], expected[1])
    same_number(found.df2[k], expected[2], relative=1e-6)
    same_number(found.p[k], p, relative=1e-7, absolute=noise)


def same_number(found, expected, *, relative=1e-9, absolute=0.0):
    if expected is None or np.isnan(expected):
        assert np.isnan(found)
    else:
        assert found == pytest.approx(expected, rel=relative, abs=absolute)


@pytest.mark.slow
@settings(deadline=None, max_examples=200)
@given(
    seed=st.integers(0, 10_000),
    kinds=st.lists(st.sampled_from(KINDS), min_size=1, max_size=3),
    instances=st.integers(1, 5),
    test_cases=st.integers(1, 30),
    design=st.sampled_from(DESIGNS),
)
def test_pairs_are_as_compared_alone(seed, kinds, instances, test_cases, design):
    assume(design == "hierarchical" or not 1 < test_cases < FEWEST_COMMON_CASES)
    assert_pairs_are_as_compared_alone(loss_stack(seed, kinds, instances, test_cases), design)


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan, 1e200])
def test_losses_out_of_reach_are_said_to_be(design, bad):
    stack = loss_stack(7, ["ordinary", "ordinary", "identical"], 3, 8)
    stack[1, 2, 3] = bad
    stack[2, 2, 3] = bad
    assert_pairs_are_as_compared_alone(stack, design)


@pytest.mark.parametrize("cases", [2, FEWEST_COMMON_CASES - 1, FEWEST_COMMON_CASES])
def test_few_common_test_cases_are_not_tested_but_by_delve(cases):
    stack = loss_stack(5, ["ordinary", "ordinary"], 3, cases)
    found = compare_many(stack, design="common")
    is_few = cases < FEWEST_COMMON_CASES
    assert (notes.FEW_TEST_CASES in remark_notes(int(found.remarks[0]))) == is_few
    for numbers in (found.p, found.statistic, found.df1, found.df2, *confidence_bounds(found, alpha=0.05)):
        assert np.isnan(numbers[0]) == is_few
    assert found.p_delve[0] == pytest.approx(compare_losses(*stack[:2], design="common").p)
    assert found.standard_error[0] > 0


def test_one_method_has_no_pairs():
    found = compare_many(np.ones((1, 3, 4)), design="common")
    assert found.p.shape == found.remarks.shape == (0,)


@pytest.mark.parametrize("design", DESIGNS)
def test_p_values_keep_their_digits_in_the_far_tail_and_next_to_one(design):
    generator = np.random.default_rng(0)
    noise = generator.normal(size=(2, 16, 400))
    for shift in (30.0, 1e-7):
        stack = noise.copy()
        stack[1] += stack[0].mean() - stack[1].mean() + shift
        p = compare_many(stack, design=design).p_delve[0]
        exact = compare_losses(*stack, design=design).p
        assert p == pytest.approx(exact, rel=1e-9, abs=0)
        assert p < 1e-20 or p > 0.99
