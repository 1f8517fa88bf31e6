"""Infinite losses are the worst of their task, by the largest scaled difference of the table."""

import numpy as np
import pytest

from delvecore.stats.ranking.infinite import count_as_worst


def test_an_infinite_loss_is_as_far_behind_as_the_largest_scaled_difference():
    # Task 1: differences 1, 3, 2 with median 2, so 3 / 2 scaled. Task 2: one difference 4, scale 4, 1 scaled.
    values = np.array([[0.0, 1.0, 3.0], [2.0, np.inf, 6.0]])
    assert count_as_worst(values).tolist() == [[0.0, 1.0, 3.0], [2.0, 6.0 + 1.5 * 4, 6.0]]
    turned = count_as_worst(-values, higher_is_better=True)
    assert turned.tolist() == (-count_as_worst(values)).tolist()


def test_what_is_not_infinitely_bad_stays():
    values = np.array([[1.0, np.nan, 2.0], [-np.inf, 3.0, 4.0]])
    assert np.array_equal(count_as_worst(values), values, equal_nan=True)


@pytest.mark.parametrize("row", [[np.inf, np.inf, np.inf], [np.inf, np.inf, np.nan]])
def test_methods_that_are_all_infinite_tie(row):
    replaced = count_as_worst(np.array([row, [1.0, 2.0, 3.0]]))[0]
    assert len(set(replaced[~np.isnan(replaced)].tolist())) == 1


def test_one_finite_method_is_better_by_the_usual_scale():
    replaced = count_as_worst(np.array([[5.0, np.inf], [1.0, 3.0]]))
    assert replaced.tolist() == [[5.0, 7.0], [1.0, 3.0]]
