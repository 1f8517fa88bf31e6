"""Disjoint test sets of different sizes: the analysis of unweighted means."""

from math import inf, nan

import numpy as np
import pytest

from delvecore.stats.losses.anova import harmonic_mean, mean_squares
from delvecore.stats.losses.mstats import compare_losses, estimate_loss
from delvecore.stats.notes import ONE_TEST_CASE, ONE_TRAINING_SET


def arrays(*rows):
    return [np.array(row) for row in rows]


def test_mean_squares_worked_by_hand():
    # Means 2, 5: harmonic size 2 / (1/3 + 1/1) = 1.5; MS_a = 1.5 x 4.5; MS_e = (1 + 0 + 1) / 2.
    rows = arrays([1.0, 2.0, 3.0], [5.0])
    assert harmonic_mean(np.array([3, 1])) == pytest.approx(1.5)
    assert mean_squares(rows, design="hierarchical") == pytest.approx((3.5, 6.75, None, 1.0))


def test_each_instance_counts_alike():
    rows = arrays([0.0] * 9 + [9.0], [3.0, 5.0])
    assert estimate_loss(rows, design="hierarchical").mean == pytest.approx((0.9 + 4) / 2)


def test_the_t_statistic_is_that_of_the_means_of_instances():
    # Means of differences 1, 2, 3: 2 / (1 / sqrt 3).
    rows = arrays([1.0, 1.0], [2.0, 1.5, 2.5], [2.0, 4.0])
    found = compare_losses(rows, [np.zeros(len(row)) for row in rows], design="hierarchical")
    assert (found.pair.statistic[0], found.pair.df1[0]) == pytest.approx((2 * 3**0.5, 2))
    assert found.test_cases is None


def test_what_cannot_be_computed_has_its_reason():
    def estimated(*rows):
        return estimate_loss(arrays(*rows), design="hierarchical")

    assert estimated([1.0, 2.0]).reason == ONE_TRAINING_SET
    assert estimated([1.0], [2.0]).reason == ONE_TEST_CASE
    assert estimated([1.0, 2.0], [inf, 2.0, 1.0]).mean == inf
    assert estimated([1.0, nan], [1.0]).mean is None


def test_one_test_case_of_some_instances_leaves_a_residual():
    # Sizes 1 and 2 with the harmonic mean 4/3; means 1, 3: MS_a = 4/3 x 2, MS_e = 2, so that the variance between
    # training sets is 1/2.
    found = estimate_loss(arrays([1.0], [2.0, 4.0]), design="hierarchical")
    assert (found.sd_training, found.sd_residual) == pytest.approx((0.5**0.5, 2**0.5))


def test_losses_of_different_cases_are_not_compared():
    with pytest.raises(ValueError, match="cannot compare losses"):
        compare_losses(arrays([1.0], [2.0, 3.0]), arrays([1.0, 2.0], [3.0]), design="hierarchical")
