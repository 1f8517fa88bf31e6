"""Section 5, predictions and loss functions: sentences that no other test is named after."""

from itertools import product

import numpy as np

from delvecore.losses.standard_losses import (
    absolute_error,
    squared_error,
    squared_probability_loss,
    zero_one_loss,
)

VALUES = np.array([1.0, 2.0, 2.0, 3.0, 12.0])


def expected(loss, guess):
    return loss(np.full((len(VALUES), 1), guess), VALUES[:, None]).mean()


def test_the_mean_minimises_squared_and_the_median_absolute_error():
    guesses = np.linspace(0, 13, 1301)
    assert min(guesses, key=lambda guess: expected(squared_error, guess)) == 4  # mean of VALUES
    assert min(guesses, key=lambda guess: expected(absolute_error, guess)) == 2  # their median


def test_the_most_probable_value_minimises_zero_one_loss():
    targets = np.array(["red"] * 2 + ["blue"] * 5 + ["green"] * 3)[:, None]
    lost = {
        guess: zero_one_loss(np.full(targets.shape, guess), targets).mean()
        for guess in ("red", "blue", "green")
    }
    assert lost == {"red": 0.8, "blue": 0.5, "green": 0.7}


def test_squared_probability_loss_is_never_greater_than_two():
    grid = [row for row in product(np.linspace(0, 1, 11), repeat=3) if abs(sum(row) - 1) < 1e-9]
    losses = [squared_probability_loss(np.array([row]), np.array([0]))[0] for row in grid]
    assert max(losses) == 2
    assert min(losses) == 0
