"""ridge-cv-1 and lasso-cv-1 against closed forms and against refitting."""

import numpy as np
import pytest

from delvecore.methods import regressions
from delvecore.methods.standard import make_folds, standard_problem
from tests.methods.problems import RNG, number_problem, spread_inputs

pytest.importorskip("sklearn", reason="the methods need it")

INPUTS, TEST = spread_inputs(25, 4), spread_inputs(6, 4, seed=2)
VALUES = INPUTS @ [1.0, -2.0, 0.0, 0.5] + spread_inputs(25, 1, seed=3)[:, 0]


def normal_equations(inputs, values, penalty, test):
    """Ridge regression by its textbook formula, the intercept not penalized."""
    center, mean = inputs.mean(axis=0), values.mean()
    inside = (inputs - center).T @ (inputs - center) + penalty * np.eye(inputs.shape[1])
    return mean + (test - center) @ np.linalg.solve(inside, (inputs - center).T @ (values - mean))


def left_out_error(inputs, values, penalty):
    """The mean squared error of fits that each leave one case out, by fitting all of them."""
    errors = []
    for case in range(len(values)):
        others = np.arange(len(values)) != case
        predicted = normal_equations(inputs[others], values[others], penalty, inputs[[case]])
        errors.append((predicted[0] - values[case]) ** 2)
    return np.mean(errors)


def test_the_ridge_penalty_has_the_least_error_of_fits_that_leave_one_case_out():
    errors = [left_out_error(INPUTS, VALUES, penalty) for penalty in regressions.RIDGE_PENALTIES]
    model, error = regressions.fit_ridge(INPUTS, VALUES)
    assert model.alpha == regressions.RIDGE_PENALTIES[int(np.argmin(errors))]
    assert error == pytest.approx(min(errors))


def test_ridge_predictions_are_those_of_the_normal_equations():
    model, error = regressions.fit_ridge(*standard_inputs_and_values())
    prediction = regressions.RidgeCv1().predict_number(number_problem(INPUTS, VALUES, TEST), RNG)
    deviation, inputs = INPUTS.std(axis=0), (INPUTS - INPUTS.mean(axis=0)) / INPUTS.std(axis=0)
    test = (TEST - INPUTS.mean(axis=0)) / deviation
    np.testing.assert_allclose(prediction.mean, normal_equations(inputs, VALUES, model.alpha, test))
    assert prediction.distribution.scale == pytest.approx([error**0.5 * VALUES.std()] * 6)


def standard_inputs_and_values():
    standard = standard_problem(number_problem(INPUTS, VALUES, TEST))
    return standard.train, standard.values


def test_the_lasso_of_one_input_is_its_covariance_less_the_penalty():
    # One input of variance 1 and covariance c with the target: weight sign(c) max(|c| - penalty, 0).
    inputs = np.array([[-1.0], [1.0], [-1.0], [1.0]])
    values = np.array([-3.0, 3.0, -1.0, 1.0])
    path = regressions._Path(inputs, values, np.array([2.5, 2.0, 1.5, 0.5]))
    predictions = path.predict(np.array([[1.0]]))
    assert predictions.tolist()[0] == pytest.approx([0.0, 0.0, 0.5, 1.5])


def test_the_lasso_finds_the_inputs_that_count():
    inputs, test = spread_inputs(60, 30), spread_inputs(500, 30, seed=2)
    values = 2 * inputs[:, 0] + 0.3 * spread_inputs(60, 1, seed=5)[:, 0]
    error = {}
    for method in (regressions.LassoCv1(), regressions.RidgeCv1()):
        prediction = method.predict_number(number_problem(inputs, values, test), RNG)
        error[method.name] = np.mean((prediction.mean - 2 * test[:, 0]) ** 2)
    assert error["lasso-cv-1"] < 0.3 * error["ridge-cv-1"]


CURVED_INPUTS, CURVED_TEST = spread_inputs(30, 2), spread_inputs(7, 2, seed=2)
CURVED_VALUES = np.sin(2 * CURVED_INPUTS[:, 0]) + 0.1 * spread_inputs(30, 1, seed=3)[:, 0]


def test_support_vectors_are_those_of_scikit_learn_with_the_choice_of_least_held_out_error():
    from sklearn.svm import SVR

    problem = number_problem(CURVED_INPUTS, CURVED_VALUES, CURVED_TEST)
    standard = standard_problem(problem)
    folds = make_folds(30, 3, np.random.Generator(np.random.PCG64(4)))
    errors = {}
    for bound in (0.1, 1.0, 10.0):
        for width in (2.0, 1.0, 0.5):
            errors[bound, width] = held_out(
                SVR(C=bound, gamma=1 / (8 * width**2), epsilon=0.2), standard, folds
            )
    bound, width = min(errors, key=errors.get)
    machines = [SVR(C=bound, gamma=1 / (8 * width**2), epsilon=tube) for tube in (0.4, 0.2, 0.1)]
    best = min(machines, key=lambda machine: held_out(machine, standard, folds))
    expected = best.fit(standard.train, standard.values).predict(standard.test)
    prediction = regressions.SvrCv1().predict_number(problem, np.random.Generator(np.random.PCG64(4)))
    np.testing.assert_allclose(prediction.mean, standard.center + standard.scale * expected)


def held_out(machine, standard, folds):
    """The mean squared error of a machine on the parts that it did not learn from."""
    errors = np.zeros(len(standard.values))
    for learn, held in folds:
        machine.fit(standard.train[learn], standard.values[learn])
        errors[held] = (machine.predict(standard.train[held]) - standard.values[held]) ** 2
    return errors.mean()
