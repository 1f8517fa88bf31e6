"""svr-cv-1: support vector regression, its parameters by cross-validation. See its description."""

from collections.abc import Sequence

import numpy as np

from delvecore.methods.scikit import Model, ScikitMethod
from delvecore.methods.standard import RegressionMethod, first_best, make_folds, standard_problem
from delvecore.methods.targets import NumberPrediction, NumberProblem

__all__ = ["SvrCv1"]

FOLDS = 3
WIDTHS = (2.0, 1.0, 0.5)
"""Of the squared exponential, in units of the root of twice the number of inputs; the smoothest first."""
BOUNDS = (0.1, 1.0, 10.0)
"""Of the weights of support vectors; the smallest first."""
TUBES = (0.4, 0.2, 0.1)
"""Errors up to this size cost nothing; the widest first."""
MEMORY = 200
"""Megabytes for the cache of the kernel."""
MOST_STEPS = 100_000


class SvrCv1(ScikitMethod, RegressionMethod):
    """Support vectors with a squared exponential kernel; its parameters predict left-out cases best."""

    name = "svr-cv-1"

    def predict_number(self, problem: NumberProblem, rng: np.random.Generator) -> NumberPrediction:
        standard = standard_problem(problem)
        train, values = standard.train, standard.values
        folds = make_folds(len(values), FOLDS, rng)
        first = [(bound, width, TUBES[1]) for bound in BOUNDS for width in WIDTHS]
        errors = [_held_out_error(train, values, folds, choice) for choice in first]
        bound, width, _ = first[first_best(errors)]
        second = [(bound, width, tube) for tube in TUBES]
        errors = [_held_out_error(train, values, folds, choice) for choice in second]
        best = first_best(errors)
        model = _machine(train.shape[1], *second[best]).fit(train, values)
        return standard.prediction(model.predict(standard.test), errors[best])


def _machine(columns: int, bound: float, width: float, tube: float) -> Model:
    from sklearn.svm import SVR

    return SVR(
        kernel="rbf",
        C=bound,
        gamma=1 / (4 * width**2 * columns),
        epsilon=tube,
        cache_size=MEMORY,
        max_iter=MOST_STEPS,
    )


def _held_out_error(
    train: np.ndarray,
    values: np.ndarray,
    folds: Sequence[tuple[np.ndarray, np.ndarray]],
    choice: tuple[float, float, float],
) -> float:
    """Return the mean squared error on the cases of each fold of machines that learned from the others."""
    squares = np.zeros(len(values))
    for learn, held in folds:
        model = _machine(train.shape[1], *choice).fit(train[learn], values[learn])
        squares[held] = (model.predict(train[held]) - values[held]) ** 2
    return float(np.mean(squares))
