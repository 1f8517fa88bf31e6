"""Inputs and targets of mean zero and variance one, folds, and what regression methods refuse."""

import numpy as np
import pytest

from delvecore.methods import standard
from delvecore.methods.standard import InputMethod, usable_inputs
from tests.methods.problems import RNG, make_instance, number_problem, task_view


def test_training_inputs_have_mean_zero_and_variance_one_and_test_inputs_the_same_scale():
    # Column 1, 3, 5: mean 3, variance (4 + 0 + 4) / 3.
    train, test = standard.standard_inputs(make_instance([[1.0], [3.0], [5.0]], [0, 0, 0], [[7.0]]))
    assert train[:, 0] == pytest.approx(np.array([-2, 0, 2]) * (3 / 8) ** 0.5)
    assert test[0, 0] == pytest.approx(4 * (3 / 8) ** 0.5)


def test_an_input_that_is_constant_in_training_is_zero_even_where_the_test_differs():
    instance = make_instance([[0.1, 1], [0.1, 2], [0.1, 3]], [0, 0, 0], [[5.0, 2]])
    train, test = standard.standard_inputs(instance)
    assert train[:, 0].tolist() == [0, 0, 0]
    assert test.tolist() == [[0, 0]]


def test_targets_are_scaled_and_predictions_mapped_back():
    # Values 1, 3, 5: mean 3, deviation root of 8/3; standard location 1 is 3 + that, error 0.25 half of it.
    problem = standard.standard_problem(number_problem(np.eye(3), [1.0, 3.0, 5.0], np.eye(3)))
    deviation = (8 / 3) ** 0.5
    assert problem.values == pytest.approx(np.array([-2, 0, 2]) / deviation)
    predicted = problem.prediction(np.array([1.0, 0.0]), 0.25)
    assert predicted.mean == pytest.approx([3 + deviation, 3])
    assert predicted.distribution.scale == pytest.approx([deviation / 2] * 2)


def test_equal_targets_become_zeros_and_their_predictive_deviation_is_the_least_allowed():
    problem = standard.standard_problem(number_problem(np.eye(3), [0.3] * 3, np.eye(3)))
    assert (problem.center, problem.scale) == (pytest.approx(0.3), 1.0)
    assert problem.values == pytest.approx([0, 0, 0], abs=1e-15)
    assert problem.prediction(np.zeros(1), 0.0).distribution.scale.tolist() == [standard.SMALLEST_ERROR]


def test_every_case_is_held_out_once_and_never_learned_from_then():
    folds = standard.make_folds(11, 3, RNG)
    assert sorted(len(held) for _, held in folds) == [3, 4, 4]
    assert sorted(np.concatenate([held for _, held in folds])) == list(range(11))
    for learn, held in folds:
        assert sorted([*learn, *held]) == list(range(11))


def test_fewer_than_three_cases_are_refused():
    with pytest.raises(ValueError, match=r"^expected at least 3 training cases, found 2$"):
        standard.make_folds(2, 2, RNG)
    with pytest.raises(ValueError, match=r"^expected at least 3 training cases, found 2$"):
        standard.standard_problem(number_problem(np.eye(2), [1.0, 2.0], np.eye(2)))


def test_the_first_of_equal_errors_is_best_after_rounding_to_9_decimals():
    assert standard.first_best([2.0, 1.0000000001, 1.0]) == 1
    assert standard.first_best([2.0, 1.00000001, 1.0]) == 2


def test_only_integers_with_a_finite_range_are_copied():
    codings = InputMethod().codings(task_view(["real", "integer", "pixel", "nominal"], ["pixel"]))
    assert {number: coding.coding for number, coding in codings.items()} == {3: "copy"}


def test_the_range_of_a_copied_integer_becomes_minus_one_to_one():
    train, test = np.array([[0.5, 0.0], [0.25, 4.0]]), np.array([[3.0, 16.0]])
    instance = make_instance(train, [0.0, 1.0], test, inputs=["real", "pixel"])
    inputs = usable_inputs(instance)
    np.testing.assert_array_equal(inputs[0], [[0.5, -1.0], [0.25, -0.5]])
    np.testing.assert_array_equal(inputs[1], [[3.0, 1.0]])
    np.testing.assert_array_equal(instance.train_inputs, train)
