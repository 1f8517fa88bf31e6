"""kridge-cv-1: kernel ridge regression, its parameters by leave-one-out. See its description."""

import numpy as np
from scipy import linalg

from delvecore.methods.scikit import ScikitMethod
from delvecore.methods.standard import RegressionMethod, first_best, standard_problem
from delvecore.methods.targets import NumberPrediction, NumberProblem

__all__ = ["KridgeCv1", "left_out_errors"]

WIDTHS = (4.0, 2.0, 1.0, 0.5)
"""Of the squared exponential, in units of the root of twice the number of inputs; the smoothest first."""
PENALTIES = 10.0 ** np.arange(2.0, -4.25, -0.5)
"""Largest first: of equally good penalties the largest is chosen."""


class KridgeCv1(ScikitMethod, RegressionMethod):
    """Ridge regression with a squared exponential kernel; width and penalty predict left-out cases best."""

    name = "kridge-cv-1"

    def predict_number(self, problem: NumberProblem, rng: np.random.Generator) -> NumberPrediction:
        from sklearn.kernel_ridge import KernelRidge
        from sklearn.metrics.pairwise import rbf_kernel

        standard = standard_problem(problem)
        train, values = standard.train, standard.values
        gammas = [1 / (4 * width**2 * train.shape[1]) for width in WIDTHS]
        errors = np.concatenate([left_out_errors(rbf_kernel(train, gamma=g), values) for g in gammas])
        best = first_best(errors)
        width, penalty = divmod(best, len(PENALTIES))
        model = KernelRidge(alpha=PENALTIES[penalty], kernel="rbf", gamma=gammas[width]).fit(train, values)
        return standard.prediction(model.predict(standard.test), float(errors[best]))


def left_out_errors(kernel: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the mean squared leave-one-out error with each of the PENALTIES.

    Each case is predicted by a fit to all others, without refitting: the error is the residual divided by
    one less the case's own weight in its prediction.
    """
    spread, directions = linalg.eigh(kernel, check_finite=False, driver="evd")
    spread = np.maximum(spread, 0.0)
    projected, squares = directions.T @ values, directions**2
    inverse = 1 / (spread[:, np.newaxis] + PENALTIES)
    residuals = directions @ (projected[:, np.newaxis] * inverse)
    return np.mean((residuals / (squares @ inverse)) ** 2, axis=0)
