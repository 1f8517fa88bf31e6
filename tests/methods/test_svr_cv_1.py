"""svr-cv-1 against scikit-learn's own machines."""

import numpy as np
import pytest

from delvecore.methods import regressions
from delvecore.methods.standard import make_folds, standard_problem
from tests.methods.problems import number_problem, spread_inputs

pytest.importorskip("sklearn", reason="the methods need it")

INPUTS, TEST = spread_inputs(30, 2), spread_inputs(7, 2, seed=2)
VALUES = np.sin(2 * INPUTS[:, 0]) + 0.1 * spread_inputs(30, 1, seed=3)[:, 0]


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
    found = regressions.SvrCv1().predict_number(problem, np.random.Generator(np.random.PCG64(4)))
    np.testing.assert_allclose(found.mean, standard.centre + standard.scale * expected)


def held_out(machine, standard, folds):
    """The mean squared error of a machine on the parts that it did not learn from."""
    errors = np.zeros(len(standard.values))
    for learn, held in folds:
        machine.fit(standard.train[learn], standard.values[learn])
        errors[held] = (machine.predict(standard.train[held]) - standard.values[held]) ** 2
    return errors.mean()
