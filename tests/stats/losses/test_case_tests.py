"""Paired tests over test cases, and differences case by case."""

import numpy as np
import pytest
from scipy.stats import binomtest, permutation_test, ttest_1samp

from delvecore.library.comparison import compare
from delvecore.stats.losses.case_tests import (
    case_differences,
    case_errors,
    case_p,
    cases_needed,
    pair_case_squares,
    units_of_cases,
)


@pytest.mark.parametrize(("only_a", "only_b"), [(0, 0), (1, 0), (5, 1), (30, 0), (52, 42), (300, 250)])
def test_losses_0_or_1_have_the_exact_binomial_p(only_a, only_b):
    differences = np.r_[np.ones(only_a), -np.ones(only_b), np.zeros(40)]
    expected = binomtest(only_a, only_a + only_b).pvalue if only_a + only_b else 1.0
    assert case_p(differences[None])[0] == pytest.approx(expected, rel=1e-9)


def test_few_graded_differences_have_the_p_of_all_flips():
    differences = np.random.default_rng(2).normal(0.4, 1, 11)
    expected = permutation_test(
        (differences,), np.sum, permutation_type="samples", n_resamples=np.inf, alternative="two-sided"
    ).pvalue
    assert case_p(np.r_[differences, np.zeros(5)][None])[0] == pytest.approx(expected)


@pytest.mark.parametrize(("kind", "cases"), [("heavy tails", 16), ("thirds", 60), ("normal", 220)])
def test_many_graded_differences_have_about_the_p_of_drawn_flips(kind, cases):
    rng = np.random.default_rng(cases)
    differences = {
        "normal": rng.normal(0.2, 1, cases),
        "heavy tails": rng.standard_t(2, cases) + 0.3,
        "thirds": rng.integers(-3, 4, cases) / 3 + (rng.random(cases) < 0.2) / 3,
    }[kind]
    signs = rng.integers(0, 2, (50_000, cases), dtype=np.int8) * 2 - 1
    reached = np.abs(signs @ differences) >= abs(differences.sum()) * (1 - 1e-9)
    step = 1 / 3 if kind == "thirds" else 0.0
    assert case_p(differences[None], step=step)[0] == pytest.approx(reached.mean(), rel=0.05, abs=0.001)


def test_whole_groups_are_flipped():
    # Three groups of four equal differences: no flip of 2^2 has a larger sum, p is 1/4.
    losses = np.array([np.ones(12), np.zeros(12)])
    pairs, units = pair_case_squares(losses, tuple(np.repeat([0, 1, 2], 4)))
    assert (units, pairs.p[0]) == (3, 0.25)
    assert pair_case_squares(losses, ())[0].p[0] == pytest.approx(2**-11)


def test_errors_of_groups_are_those_of_their_sums():
    losses = np.array([[1.0, 2.0, 3.0, 6.0]])
    assert case_errors(*units_of_cases(losses, ()))[0] == pytest.approx(losses.std(ddof=1) / 2)
    # Sums 3 and 9 of two each, 3 below and above their mean: sqrt(2 / 1 x 18) / 4.
    assert case_errors(*units_of_cases(losses, (0, 0, 1, 1)))[0] == pytest.approx(1.5)


def test_the_interval_leaves_zero_out_where_p_is_small_and_only_there():
    rng = np.random.default_rng(5)
    for _ in range(100):
        both = (rng.random((2, 60)) < [[0.5], [rng.uniform(0.3, 0.7)]]).astype(float)
        if rng.random() < 0.5:
            both = np.add(rng.random((2, 60)).round(1), [[0.0], [rng.uniform(-0.2, 0.2)]])
        comparison = compare(both[:1], both[1:], design="test cases")
        low, high = comparison.interval
        assert (low > 0 or high < 0) == (comparison.p < 0.05)


def test_a_95_percent_interval_covers_a_difference_of_rare_errors():
    # Errors of a are a twentieth, and b makes two thirds of them: all differences are on one side.
    rng, covered, draws = np.random.default_rng(6), 0, 200
    for _ in range(draws):
        a = rng.random(500) < 0.05
        b = a & (rng.random(500) < 2 / 3)
        low, high = compare(a[None].astype(float), b[None].astype(float), design="test cases").interval
        covered += low is not None and low <= 0.05 / 3 <= high
    assert covered / draws >= 0.93


@pytest.mark.parametrize("kind", ["right or wrong", "graded", "groups"])
def test_the_error_rate_of_equal_models_is_at_most_what_it_says(kind):
    rng, draws, cases = np.random.default_rng(7), 600, 80
    hard = rng.random(cases)
    p = []
    for _ in range(draws):
        groups = ()
        if kind == "right or wrong":
            losses = (rng.random((2, cases)) < hard).astype(float)
        elif kind == "graded":
            losses = np.round(rng.beta(2, 3, (2, cases)) * 4) / 4
        else:
            groups = tuple(np.repeat(np.arange(20), 4).tolist())
            losses = (rng.random((2, cases)) < np.repeat(rng.random((2, 20)), 4, axis=1)).astype(float)
        p.append(pair_case_squares(losses, groups)[0].p[0])
    allowed = 0.05 + 2 * (0.05 * 0.95 / draws) ** 0.5
    assert np.mean(np.array(p) < 0.05) <= allowed
    assert np.mean(np.array(p) < 0.5) >= 0.35  # not a test that never rejects


def test_cases_needed_give_80_percent_power():
    # Of 400 cases with a difference of 0.1 standard deviations a t-test has a power of 51 %.
    rng = np.random.default_rng(8)
    needed = cases_needed(0.1, 1 / 20, 400, level=0.95)
    assert needed == 785
    is_significant = [ttest_1samp(rng.normal(0.1, 1, needed), 0).pvalue < 0.05 for _ in range(600)]
    assert np.mean(is_significant) == pytest.approx(0.8, abs=0.04)
    assert cases_needed(0.0, 0.1, 100, level=0.95) is None


def test_one_case_alone_is_not_tested():
    comparison = compare([[1.0]], [[0.0]], design="test cases")
    assert (comparison.p, comparison.verdict) == (None, "not tested")


A, B = np.array([[1.0, 5.0], [2.0, 2.0]]), np.array([[0.0, 1.0], [4.0, 2.0]])


def test_own_test_sets_keep_every_case():
    differences = case_differences(A, B, design="hierarchical")
    assert differences.difference.tolist() == [1, 4, -2, 0]
    assert (differences.instance.tolist(), differences.position.tolist()) == ([0, 0, 1, 1], [0, 1, 0, 1])


def test_a_common_test_set_is_averaged_over_training_sets():
    # Case 0: (1 - 2)/2; case 1: (4 + 0)/2.
    differences = case_differences(A, B, design="common")
    assert differences.difference.tolist() == [-0.5, 2]
    assert (differences.loss_a.tolist(), differences.loss_b.tolist()) == ([1.5, 3.5], [2, 1.5])
    assert (differences.instance.tolist(), differences.position.tolist()) == ([-1, -1], [0, 1])


def test_the_largest_differences_decide_whatever_their_sign():
    differences = case_differences(A, B, design="hierarchical")
    assert differences.deciding_order.tolist() == [1, 2, 0, 3]
    assert differences.share_of_largest(1) == pytest.approx(4 / 7)
    assert differences.share_of_largest(2) == pytest.approx(6 / 7)
    assert differences.different == 3


def test_equal_infinities_have_no_difference_and_one_alone_is_the_largest():
    infinite = np.array([[np.inf, np.inf, 1.0]])
    differences = case_differences(infinite, np.array([[np.inf, 0.0, 0.0]]), design="hierarchical")
    assert differences.deciding_order.tolist() == [1, 2]
    assert differences.share_of_largest(1) == 1


def test_losses_of_different_shapes_are_refused():
    with pytest.raises(ValueError, match="losses of the same shape"):
        case_differences(A, B[:1], design="common")
