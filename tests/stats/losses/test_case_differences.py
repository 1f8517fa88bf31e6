"""Differences case by case."""

import numpy as np
import pytest

from delvecore.stats.losses.case_tests import case_differences

A, B = np.array([[1.0, 5.0], [2.0, 2.0]]), np.array([[0.0, 1.0], [4.0, 2.0]])


def test_own_test_sets_keep_every_case():
    found = case_differences(A, B, design="hierarchical")
    assert found.difference.tolist() == [1, 4, -2, 0]
    assert (found.instance.tolist(), found.position.tolist()) == ([0, 0, 1, 1], [0, 1, 0, 1])


def test_a_common_test_set_is_averaged_over_training_sets():
    # Case 0: (1 - 2)/2; case 1: (4 + 0)/2.
    found = case_differences(A, B, design="common")
    assert found.difference.tolist() == [-0.5, 2]
    assert (found.loss_a.tolist(), found.loss_b.tolist()) == ([1.5, 3.5], [2, 1.5])
    assert (found.instance.tolist(), found.position.tolist()) == ([-1, -1], [0, 1])


def test_the_largest_differences_decide_whatever_their_sign():
    found = case_differences(A, B, design="hierarchical")
    assert found.deciding_order.tolist() == [1, 2, 0, 3]
    assert found.share_of_largest(1) == pytest.approx(4 / 7)
    assert found.share_of_largest(2) == pytest.approx(6 / 7)
    assert found.different == 3


def test_of_equally_large_differences_none_is_the_largest():
    found = case_differences(np.array([[1.0, 1.0, 0.0]]), np.zeros((1, 3)), design="hierarchical")
    assert found.share_of_largest(1) is None
    assert found.share_of_largest(2) == 1


def test_identical_losses_have_no_deciding_case():
    found = case_differences(A, A, design="hierarchical")
    assert (found.share_of_largest(1), found.different) == (None, 0)


def test_equal_infinities_have_no_difference_and_one_alone_is_the_largest():
    infinite = np.array([[np.inf, np.inf, 1.0]])
    found = case_differences(infinite, np.array([[np.inf, 0.0, 0.0]]), design="hierarchical")
    assert found.deciding_order.tolist() == [1, 2]
    assert found.share_of_largest(1) == 1


def test_losses_of_different_shapes_are_refused():
    with pytest.raises(ValueError, match="losses of the same shape"):
        case_differences(A, B[:1], design="common")
