"""Disjoint test sets of different sizes: the analysis of unweighted means."""

from math import inf, nan

import pytest

from delvecore.stats.losses.sums import (
    compare_losses,
    compare_unequal,
    estimate_loss,
    estimate_unequal,
    harmonic_size,
    unequal_mean_squares,
)
from delvecore.stats.notes import ONE_TEST_CASE, ONE_TRAINING_SET

A = [[1.0, 2.0, 6.0], [4.0, 4.5, 0.5], [2.0, 8.0, 2.5]]
B = [[0.5, 2.5, 3.0], [4.5, 1.0, 0.0], [1.0, 7.0, 5.0]]
FIELDS = ("mean", "standard_error", "sd_training", "sd_residual", "clipped")


def test_with_equal_sizes_the_estimate_is_that_of_the_manual():
    # Manual, equations 3 to 7.
    expected, found = estimate_loss(A, design="hierarchical"), estimate_unequal(A)
    for name in FIELDS[:-1]:
        assert getattr(found, name) == pytest.approx(getattr(expected, name))
    assert found.clipped == expected.clipped


def test_with_equal_sizes_the_comparison_is_that_of_the_manual():
    # Manual, equations 8 and 9.
    expected, found = compare_losses(A, B, design="hierarchical"), compare_unequal(A, B)
    for name in ("difference", "standard_error", "statistic", "df1", "p"):
        assert getattr(found, name) == pytest.approx(getattr(expected, name))


def test_mean_squares_worked_by_hand():
    # Means 2, 5: harmonic size 2 / (1/3 + 1/1) = 1.5; MS_a = 1.5 x 4.5; MS_e = (1 + 0 + 1) / 2.
    rows = [[1.0, 2.0, 3.0], [5.0]]
    assert harmonic_size(rows) == pytest.approx(1.5)
    assert unequal_mean_squares(rows) == pytest.approx((3.5, 6.75, None, 1.0))


def test_each_instance_counts_alike():
    assert estimate_unequal([[0.0] * 9 + [9.0], [3.0, 5.0]]).mean == pytest.approx((0.9 + 4) / 2)


def test_the_t_statistic_is_that_of_the_means_of_instances():
    # Means of differences 1, 2, 3: 2 / (1 / sqrt 3).
    found = compare_unequal([[1.0, 1.0], [2.0, 1.5, 2.5], [2.0, 4.0]], [[0.0] * 2, [0.0] * 3, [0.0] * 2])
    assert (found.statistic, found.df1, found.test_cases) == (pytest.approx(2 * 3**0.5), 2, None)


def test_what_cannot_be_computed_has_its_reason():
    assert estimate_unequal([[1.0, 2.0]]).reason == ONE_TRAINING_SET
    assert estimate_unequal([[1.0], [2.0]]).reason == ONE_TEST_CASE
    assert estimate_unequal([[1.0, 2.0], [inf, 2.0, 1.0]]).mean == inf
    assert estimate_unequal([[1.0, nan], [1.0]]).mean is None


def test_losses_of_different_cases_are_not_compared():
    with pytest.raises(ValueError, match="different numbers of cases"):
        compare_unequal([[1.0], [2.0, 3.0]], [[1.0, 2.0], [3.0]])
