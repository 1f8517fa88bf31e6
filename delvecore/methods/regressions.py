"""ridge-cv-1, lasso-cv-1, svr-cv-1: regressions whose parameters predict held-out cases best.

Their descriptions have the details."""

import warnings

import numpy as np

from delvecore.methods.standard import (
    Model,
    RegressionMethod,
    ScikitMethod,
    first_best,
    make_folds,
    standard_problem,
)
from delvecore.methods.stopwatch import predicting
from delvecore.methods.targets import NumberPrediction, TargetProblem

RIDGE_PENALTIES = 10.0 ** np.arange(5.0, -3.25, -0.25)
"""Largest first, since the largest of equally good penalties is chosen."""


class RidgeCv1(ScikitMethod, RegressionMethod):
    """Linear regression with the penalty on squared weights that predicts left-out training cases best."""

    name = "ridge-cv-1"

    def predict_number(self, problem: TargetProblem, rng: np.random.Generator) -> NumberPrediction:
        standard = standard_problem(problem)
        model, error = fit_ridge(standard.train, standard.values)
        with predicting():
            return standard.prediction(model.predict(standard.test), error)


def fit_ridge(inputs: np.ndarray, values: np.ndarray) -> Model:
    """Return a ridge regression with the best penalty, and its mean squared leave-one-out error."""
    from sklearn.linear_model import Ridge, RidgeCV

    search = RidgeCV(alphas=RIDGE_PENALTIES, store_cv_results=True, gcv_mode="svd").fit(inputs, values)
    errors = np.mean(search.cv_results_, axis=0)
    best = first_best(errors)
    return Ridge(alpha=RIDGE_PENALTIES[best], solver="svd").fit(inputs, values), float(errors[best])


LASSO_FOLDS = 10
LASSO_PENALTIES = 60
SMALLEST = 1e-3
"""Smallest penalty, as a fraction of the smallest one with all weights zero."""
TOLERANCE = 1e-5
MOST_ROUNDS = 5000


class LassoCv1(ScikitMethod, RegressionMethod):
    """Linear regression with a penalty on the sizes of weights, which are zero for useless inputs."""

    name = "lasso-cv-1"

    def predict_number(self, problem: TargetProblem, rng: np.random.Generator) -> NumberPrediction:
        standard = standard_problem(problem)
        train, values = standard.train, standard.values
        largest = float(np.abs(train.T @ values).max()) / len(values)
        if largest == 0.0:
            with predicting():
                return standard.prediction(np.zeros(len(standard.test)), float(np.mean(values**2)))
        penalties = largest * np.geomspace(1.0, SMALLEST, LASSO_PENALTIES)
        squares = np.zeros((len(values), LASSO_PENALTIES))
        for learn, held in make_folds(len(values), LASSO_FOLDS, rng):
            path = _Path(train[learn], values[learn], penalties)
            squares[held] = (path.predict(train[held]) - values[held, np.newaxis]) ** 2
        errors = np.mean(squares, axis=0)
        best = first_best(errors)
        path = _Path(train, values, penalties[: best + 1])
        with predicting():
            return standard.prediction(path.predict(standard.test)[:, -1], float(errors[best]))


class _Path:
    """Linear regressions for a descending sequence of penalties."""

    def __init__(self, train: np.ndarray, values: np.ndarray, penalties: np.ndarray) -> None:
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.linear_model import lasso_path

        self.center, self.mean = np.mean(train, axis=0), np.mean(values)
        with warnings.catch_warnings():  # a search may end at MOST_ROUNDS, as the description states
            warnings.simplefilter("ignore", ConvergenceWarning)
            options = {"alphas": penalties, "tol": TOLERANCE, "max_iter": MOST_ROUNDS}
            _, self.weights, _ = lasso_path(
                np.asfortranarray(train - self.center), values - self.mean, **options
            )

    def predict(self, test: np.ndarray) -> np.ndarray:
        """Return predictions for test cases, shape (cases, penalties)."""
        return self.mean + (test - self.center) @ self.weights


SVR_FOLDS = 3
WIDTHS = (2.0, 1.0, 0.5)
"""Widths of the squared exponential, in units of sqrt(2 * inputs); the smoothest first."""
BOUNDS = (0.1, 1.0, 10.0)
"""Bounds of the weights of support vectors; the smallest first."""
TUBES = (0.4, 0.2, 0.1)
"""Errors up to this size have no loss; the widest first."""
MEMORY = 200
"""Megabytes for the cache of the kernel."""
MOST_STEPS = 100_000


class SvrCv1(ScikitMethod, RegressionMethod):
    """Support vectors with a squared exponential kernel, whose parameters predict held-out cases best."""

    name = "svr-cv-1"

    def predict_number(self, problem: TargetProblem, rng: np.random.Generator) -> NumberPrediction:
        standard = standard_problem(problem)
        train, values = standard.train, standard.values
        folds = make_folds(len(values), SVR_FOLDS, rng)

        def held_out_error(choice: tuple[float, float, float]) -> float:
            squares = np.zeros(len(values))
            for learn, held in folds:
                model = _machine(train.shape[1], *choice).fit(train[learn], values[learn])
                squares[held] = (model.predict(train[held]) - values[held]) ** 2
            return float(np.mean(squares))

        first = [(bound, width, TUBES[1]) for bound in BOUNDS for width in WIDTHS]
        bound, width, _ = first[first_best([held_out_error(choice) for choice in first])]
        second = [(bound, width, tube) for tube in TUBES]
        errors = [held_out_error(choice) for choice in second]
        best = first_best(errors)
        model = _machine(train.shape[1], *second[best]).fit(train, values)
        with predicting():
            return standard.prediction(model.predict(standard.test), errors[best])


def _machine(columns: int, bound: float, width: float, tube: float) -> Model:
    from sklearn.svm import SVR

    limits = {"cache_size": MEMORY, "max_iter": MOST_STEPS}
    return SVR(kernel="rbf", C=bound, gamma=1 / (4 * width**2 * columns), epsilon=tube, **limits)
