"""lin-1: linear regression and logistic regression. What it does in detail is said in its description."""

from dataclasses import dataclass

import numpy as np

from delvecore.methods.distributions import StudentT
from delvecore.methods.inputs import input_codings, usable_inputs
from delvecore.methods.logistic import evidence_ridge, fit_logistic, softmax
from delvecore.methods.protocol import TaskView
from delvecore.methods.targets import ClassProblem, NumberPrediction, NumberProblem, PerTargetMethod
from delvecore.model import Coding

__all__ = ["Lin1", "LinearFit", "fit_least_squares"]

COLLINEAR = 1e-6
"""Directions of the inputs are dropped whose spread is below this share of the largest one's."""
LEAST_DEGREES = 2
NO_RESIDUAL = 1e-12
"""The least residual variance, as a share of the variance of the targets."""


class Lin1(PerTargetMethod):
    """Least squares with a Student-t predictive distribution; logistic regression with a chosen ridge."""

    name = "lin-1"

    def codings(self, task: TaskView) -> dict[int, Coding]:
        """Return `copy` for integer inputs with a finite range."""
        return input_codings(task)

    def predict_number(self, problem: NumberProblem, rng: np.random.Generator) -> NumberPrediction:
        train, test = usable_inputs(problem.instance)
        centre = np.mean(train, axis=0)
        fit = fit_least_squares(train - centre, problem.values)
        location, scale = fit.predict(test - centre)
        return NumberPrediction(location, location, StudentT(location, scale, fit.degrees))

    def predict_classes(self, problem: ClassProblem, rng: np.random.Generator) -> np.ndarray:
        train, test = usable_inputs(problem.instance)
        centre = np.mean(train, axis=0)
        ridge = evidence_ridge(train - centre, problem.classes, problem.count)
        weights = fit_logistic(train - centre, problem.classes, problem.count, ridge).weights
        return softmax(weights[0] + (test - centre) @ weights[1:])


@dataclass(frozen=True)
class LinearFit:
    """Least squares on centred inputs.

    directions: shape (columns, directions kept), scaled so that the training inputs projected on each have a
    sum of squares of one; weights: one a direction; degrees: of freedom; variance: of the residuals.
    """

    cases: int
    mean: float
    directions: np.ndarray
    weights: np.ndarray
    degrees: int
    variance: float

    def predict(self, inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return location and scale of the predictive distributions for centred inputs."""
        projected = inputs @ self.directions
        uncertainty = 1 + 1 / self.cases + np.sum(projected**2, axis=1)
        return self.mean + projected @ self.weights, np.sqrt(self.variance * uncertainty)


def fit_least_squares(inputs: np.ndarray, values: np.ndarray) -> LinearFit:
    """Fit a linear function of centred inputs, shape (cases, columns), to values.

    Collinear inputs get the weights of least norm. Where fewer than LEAST_DEGREES degrees of freedom would
    remain, directions of the smallest spread are dropped. At least three cases are needed: ValueError.
    """
    cases, mean = len(values), float(np.mean(values))
    if cases < LEAST_DEGREES + 1:
        raise ValueError(f"expected at least {LEAST_DEGREES + 1} training cases, found {cases}")
    left, spreads, right = np.linalg.svd(inputs, full_matrices=False)
    able = int(np.sum(spreads > COLLINEAR * spreads.max(initial=0.0)))
    kept = min(able, cases - 1 - LEAST_DEGREES)
    weights = left[:, :kept].T @ (values - mean)
    squares = float(np.sum((values - mean - left[:, :kept] @ weights) ** 2))
    degrees, least = cases - 1 - kept, NO_RESIDUAL * float(np.sum((values - mean) ** 2))
    return LinearFit(
        cases=cases,
        mean=mean,
        directions=right[:kept].T / spreads[:kept],
        weights=weights,
        degrees=degrees,
        variance=max(squares, least) / degrees,
    )
