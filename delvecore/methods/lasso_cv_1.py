"""lasso-cv-1: the lasso, its penalty by cross-validation. What it does is said in its description."""

import warnings

import numpy as np

from delvecore.methods.scikit import ScikitMethod
from delvecore.methods.standard import RegressionMethod, first_best, make_folds, standard_problem
from delvecore.methods.targets import NumberPrediction, NumberProblem

__all__ = ["LassoCv1"]

FOLDS = 10
PENALTIES = 60
SMALLEST = 1e-3
"""The smallest penalty tried, as a share of the one from which all weights are zero."""
TOLERANCE = 1e-5
MOST_ROUNDS = 5000


class LassoCv1(ScikitMethod, RegressionMethod):
    """Linear regression with a penalty on the sizes of weights; useless inputs get none."""

    name = "lasso-cv-1"

    def predict_number(self, problem: NumberProblem, rng: np.random.Generator) -> NumberPrediction:
        standard = standard_problem(problem)
        train, values = standard.train, standard.values
        largest = float(np.abs(train.T @ values).max()) / len(values)
        if largest == 0.0:
            return standard.prediction(np.zeros(len(standard.test)), float(np.mean(values**2)))
        penalties = largest * np.geomspace(1.0, SMALLEST, PENALTIES)
        squares = np.zeros((len(values), PENALTIES))
        for learn, held in make_folds(len(values), FOLDS, rng):
            predicted = _path_predictions(train[learn], values[learn], train[held], penalties)
            squares[held] = (predicted - values[held, np.newaxis]) ** 2
        errors = np.mean(squares, axis=0)
        best = first_best(errors)
        predicted = _path_predictions(train, values, standard.test, penalties[: best + 1])
        return standard.prediction(predicted[:, -1], float(errors[best]))


def _path_predictions(
    train: np.ndarray, values: np.ndarray, test: np.ndarray, penalties: np.ndarray
) -> np.ndarray:
    """Return predictions for test cases with each of the penalties, descending: shape (cases, penalties)."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import lasso_path

    centre, mean = np.mean(train, axis=0), np.mean(values)
    with warnings.catch_warnings():  # MOST_ROUNDS is a limit by rule: the description says what happens then
        warnings.simplefilter("ignore", ConvergenceWarning)
        _, weights, _ = lasso_path(
            np.asfortranarray(train - centre),
            values - mean,
            alphas=penalties,
            tol=TOLERANCE,
            max_iter=MOST_ROUNDS,
        )
    return mean + (test - centre) @ weights
