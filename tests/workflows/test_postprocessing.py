"""What becomes of predictions."""

import numpy as np
import pytest

from delvecore.errors import DelveError
from delvecore.methods.protocol import Predictions
from delvecore.workflows.steps import postprocess
from delvecore.workflows.workflow_spec import Step
from tests.methods.problems import make_instance

NUMBERS = make_instance(np.zeros((3, 1)), [0.0, 1.0, 2.0], np.zeros((4, 1)), centre=10.0, scale=2.0)
"""Training targets 10, 12 and 14 in the units of the data."""


def guesses(*steps: Step, of: tuple[float, ...]) -> list[float]:
    """Guesses in the units of the data, made of such guesses."""
    coded = (np.array([of]).T - 10) / 2
    found = postprocess(NUMBERS, Predictions({"S": coded, "A": coded}), steps)
    assert np.array_equal(found.guesses["S"], found.guesses["A"], equal_nan=True)
    return (found.guesses["S"][:, 0] * 2 + 10).tolist()


def half(values: np.ndarray, known: np.ndarray, *, share: float = 0.5) -> np.ndarray:
    return values * share + known.max() * (1 - share)


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        # R: standardPOST with cast2int and infLim, supLim; here the limits are those of the training targets.
        ((Step("clip"),), [10, 11.3, 14, 10]),
        ((Step("clip", {"low": 0, "high": 12}),), [0, 11.3, 12, 2.5]),
        ((Step("positive"),), [0, 11.3, 20, 2.5]),
        ((Step("integer"),), [-5, 11, 20, 2]),
        ((Step("clip", {"low": 0}), Step("integer")), [0, 11, 14, 2]),
        ((Step("half", {"share": 0.0}, f"{__name__}:half"),), [14, 14, 14, 14]),
    ],
)
def test_guesses_are_changed_in_the_units_of_the_data(steps, expected):
    assert guesses(*steps, of=(-5, 11.3, 20, 2.5)) == pytest.approx(expected)


def test_the_median_of_the_training_targets_stands_where_nothing_is_predicted():
    assert guesses(Step("fill"), of=(np.nan, 11.3, 20, np.nan)) == pytest.approx([12, 11.3, 20, 12])


CLASSES = make_instance(
    np.zeros((4, 1)), np.array([[-1.0], [1], [1], [1]]), np.zeros((2, 1)), targets=("binary",)
)
SHARES = np.array([[0.95, 0.05], [0.5, 0.5]])
USE = Step("utility", {"matrix": [[1, -10], [-100, 100]]})


def test_the_category_of_the_largest_expected_utility_is_guessed():
    # Of the first case 0.95 - 5 against -9.5 + 5, of the second 0.5 - 50 against -5 + 50: the manual's matrix.
    found = postprocess(CLASSES, Predictions({"": np.zeros((2, 1))}, probabilities=SHARES), (USE,))
    assert found.guesses[""].tolist() == [[-1], [1]]
    assert found.probabilities is SHARES


def test_frequencies_stand_where_there_are_no_probabilities():
    shares = np.array([[0.9, 0.1], [np.nan, np.nan]])
    found = postprocess(CLASSES, Predictions({"": -np.ones((2, 1))}, probabilities=shares), (Step("fill"),))
    assert found.guesses[""].tolist() == [[-1], [1]]
    assert found.probabilities.tolist() == [[0.9, 0.1], [0.25, 0.75]]


def test_utility_needs_probabilities_and_a_row_for_each_category():
    with pytest.raises(DelveError, match="expected a learner that gives probabilities"):
        postprocess(CLASSES, Predictions({"": np.zeros((2, 1))}), (USE,))
    three = Step("utility", {"matrix": np.eye(3).tolist()})
    with pytest.raises(DelveError, match="expected a matrix of 2 x 2, found 3 rows"):
        postprocess(CLASSES, Predictions({"": np.zeros((2, 1))}, probabilities=SHARES), (three,))
