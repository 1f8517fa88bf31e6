"""rf-1: what it adds to scikit-learn's forests, by hand."""

import numpy as np
import pytest

from delvecore.methods import ensembles
from tests.methods.problems import class_problem, spread_inputs

INPUTS, TEST = spread_inputs(40, 3), spread_inputs(6, 3, seed=2)


def test_medians_have_half_of_the_weight_at_or_below_them():
    values = np.array([1.0, 2.0, 5.0])
    weights = np.array([[0.2, 0.3, 0.5], [0.2, 0.2, 0.6], [0.7, 0.2, 0.1]])
    assert ensembles._medians(values, weights).tolist() == [2.0, 5.0, 1.0]


def test_weights_of_equal_values_are_added():
    found, weights = ensembles._by_value(np.array([3.0, 1.0, 3.0]), np.array([[0.2, 0.5, 0.3]]))
    assert (found.tolist(), weights.tolist()) == ([1.0, 3.0], [[0.5, 0.5]])


def test_the_training_set_smooths_like_one_tree_more():
    # Frequencies of 4 cases, 3 of class 0 and 1 of class 2: (3+1)/7, 1/7, 2/7; the forest knows 0 and 2 only.
    problem = class_problem(np.zeros((4, 1)), [0, 0, 2, 0], [[0.0]])
    found = ensembles._smoothed_forest(np.array([[0.25, 0.75]]), np.array([0, 2]), problem)
    assert found.tolist()[0] == pytest.approx([(50 + 4 / 7) / 201, (1 / 7) / 201, (150 + 2 / 7) / 201])
