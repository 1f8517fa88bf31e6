"""kridge-cv-1 and svr-cv-1 against refitting and against scikit-learn's own machines."""

import numpy as np
import pytest

from delvecore.methods import kridge_cv_1, svr_cv_1
from delvecore.methods.standard import make_folds, standard_problem
from tests.methods.problems import RNG, number_problem, spread_inputs

pytest.importorskip("sklearn", reason="the methods need it")

INPUTS, TEST = spread_inputs(30, 2), spread_inputs(7, 2, seed=2)
VALUES = np.sin(2 * INPUTS[:, 0]) + 0.1 * spread_inputs(30, 1, seed=3)[:, 0]


def kernel(first, second, width):
    """The kernel of the description."""
    squares = ((first[:, np.newaxis] - second) ** 2).sum(axis=2)
    return np.exp(-squares / (4 * first.shape[1] * width**2))


def test_left_out_errors_are_those_of_fits_without_the_case():
    whole, expected = kernel(INPUTS, INPUTS, 1.0), []
    for penalty in kridge_cv_1.PENALTIES:
        errors = []
        for case in range(30):
            others = np.arange(30) != case
            inside = whole[np.ix_(others, others)] + penalty * np.eye(29)
            predicted = whole[case, others] @ np.linalg.solve(inside, VALUES[others])
            errors.append((predicted - VALUES[case]) ** 2)
        expected.append(np.mean(errors))
    np.testing.assert_allclose(kridge_cv_1.left_out_errors(whole, VALUES), expected, rtol=1e-6)


def test_predictions_of_kernel_ridge_regression_solve_its_equations():
    problem = number_problem(INPUTS, VALUES, TEST)
    standard = standard_problem(problem)
    choices = [(width, penalty) for width in kridge_cv_1.WIDTHS for penalty in kridge_cv_1.PENALTIES]
    errors = [
        error
        for width in kridge_cv_1.WIDTHS
        for error in kridge_cv_1.left_out_errors(
            kernel(standard.train, standard.train, width), standard.values
        )
    ]
    width, penalty = choices[int(np.argmin(errors))]
    inside = kernel(standard.train, standard.train, width) + penalty * np.eye(30)
    expected = kernel(standard.test, standard.train, width) @ np.linalg.solve(inside, standard.values)
    found = kridge_cv_1.KridgeCv1().predict_number(problem, RNG)
    np.testing.assert_allclose(found.mean, standard.centre + standard.scale * expected, rtol=1e-6)
    assert found.distribution.deviation == pytest.approx([min(errors) ** 0.5 * standard.scale] * 7)


def test_support_vectors_are_those_of_scikit_learn_with_the_choice_of_least_held_out_error():
    from sklearn.svm import SVR

    problem = number_problem(INPUTS, VALUES, TEST)
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
    found = svr_cv_1.SvrCv1().predict_number(problem, np.random.Generator(np.random.PCG64(4)))
    np.testing.assert_allclose(found.mean, standard.centre + standard.scale * expected)


def held_out(machine, standard, folds):
    """The mean squared error of a machine on the parts that it did not learn from."""
    errors = np.zeros(len(standard.values))
    for learn, held in folds:
        machine.fit(standard.train[learn], standard.values[learn])
        errors[held] = (machine.predict(standard.train[held]) - standard.values[held]) ** 2
    return errors.mean()


@pytest.mark.parametrize("method", [kridge_cv_1.KridgeCv1, svr_cv_1.SvrCv1])
def test_a_smooth_function_is_learned_far_better_than_by_its_mean(method):
    inputs = spread_inputs(200, 2)
    found = method().predict_number(number_problem(inputs, np.sin(2 * inputs[:, 0]), TEST), RNG)
    assert np.std(found.mean - np.sin(2 * TEST[:, 0])) < 0.2
