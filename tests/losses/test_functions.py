"""The five losses, worked by hand from section 5.2 of the manual."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from delvecore.losses import functions

GUESSES = np.array([[1.0, 10.0], [2.0, -1.0]])
TARGETS = np.array([[3.0, 9.0], [2.0, 1.0]])


def test_squared_errors_of_several_targets_are_added():
    assert functions.squared_error(GUESSES, TARGETS).tolist() == [5.0, 4.0]


def test_absolute_errors_of_several_targets_are_added():
    assert functions.absolute_error(GUESSES, TARGETS).tolist() == [3.0, 2.0]


def test_zero_one_loss_counts_wrong_guesses():
    guesses, targets = np.array([["yes", "red"], ["no", "red"]]), np.array([["yes", "blue"]] * 2)
    assert functions.zero_one_loss(guesses, targets).tolist() == [1.0, 2.0]


def test_different_shapes_are_an_error():
    with pytest.raises(ValueError, match="shape"):
        functions.squared_error(GUESSES, TARGETS[:1])


def test_rows_of_probabilities_are_made_to_sum_to_one():
    rows = functions.normalized_probabilities(np.array([[1.0, 3.0], [0.5, 0.0]]))
    assert rows.tolist() == [[0.25, 0.75], [1.0, 0.0]]


def test_log_probabilities_neither_overflow_nor_underflow():
    logs = np.array([[1000.0, 1000.0 + np.log(3)], [-1000.0, -np.inf]])
    rows = functions.normalized_probabilities(logs, logarithms=True)
    assert rows == pytest.approx(np.array([[0.25, 0.75], [1.0, 0.0]]))


@pytest.mark.parametrize("row", [[0.0, 0.0], [-0.1, 1.1], [np.inf, 1.0]])
def test_row_that_is_no_distribution_is_named(row):
    with pytest.raises(ValueError, match="1"):
        functions.normalized_probabilities(np.array([[0.5, 0.5], row]))


def test_log_probability_loss_of_an_impossible_target_is_infinite():
    rows = np.array([[0.25, 0.75], [1.0, 0.0]])
    losses = functions.log_probability_loss(rows, np.array([0, 1]))
    assert losses == pytest.approx([np.log(4), np.inf])


def test_squared_probability_loss_is_the_distance_from_certainty():
    # (1 - 1/4)^2 + (1/4)^2 + (1/2)^2 = 7/8; certain and right 0; certain and wrong 2.
    rows = np.array([[0.25, 0.25, 0.5], [0, 1, 0], [0, 1, 0]], dtype=float)
    assert functions.squared_probability_loss(rows, np.array([0, 1, 2])).tolist() == [0.875, 0.0, 2.0]


def test_density_of_the_target_gives_minus_its_log():
    assert functions.density_loss(np.array([1.0, 0.0, 4.0])) == pytest.approx([0.0, np.inf, -np.log(4)])
    assert functions.log_density_loss(np.array([0.0, -2.5, -np.inf])).tolist() == [0.0, 2.5, np.inf]


def test_loss_of_a_certain_target_is_not_minus_zero():
    assert str(functions.density_loss(np.array([1.0]))[0]) == "0.0"
    assert str(functions.log_density_loss(np.array([0.0]))[0]) == "0.0"


@given(st.lists(st.floats(1e-6, 1), min_size=2, max_size=6), st.data())
def test_true_probabilities_minimize_expected_log_and_squared_probability_losses(weights, data):
    # Section 5.2: both are minimized by a distribution that matches the true probabilities.
    true = functions.normalized_probabilities(np.array([weights]))[0]
    others = data.draw(st.lists(st.floats(1e-6, 1), min_size=len(weights), max_size=len(weights)))
    other = functions.normalized_probabilities(np.array([others]))[0]
    places = np.arange(len(weights))
    for function in (functions.log_probability_loss, functions.squared_probability_loss):
        expected = [true @ function(np.tile(one, (len(places), 1)), places) for one in (true, other)]
        assert expected[0] <= expected[1] + 1e-12
