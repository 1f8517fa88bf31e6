"""lin-1: linear regression and logistic regression. Its description has the details.

Logistic regression is multinomial, with the ridge that the evidence prefers. Sources: Newton's method for the
penalized likelihood; Laplace's approximation of the evidence as in MacKay, "The evidence framework applied to
classification networks", Neural Computation 4 (1992), 720-736."""

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from delvecore.methods.standard import CodedInputsMethod, check_cases, usable_inputs
from delvecore.methods.stopwatch import predicting
from delvecore.methods.targets import Distribution, NumberPrediction, TargetProblem

RIDGES = tuple(10.0**power for power in (2, 1.5, 1, 0.5, 0, -0.5, -1, -1.5, -2))
INTERCEPT_RIDGE = 0.01
SMALL_DECREMENT = 1e-18
MOST_STEPS = 100


def softmax(scores: np.ndarray) -> np.ndarray:
    """Return probabilities, rows that sum to one, from scores: shape (cases, classes)."""
    exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
    return exponentials / exponentials.sum(axis=1, keepdims=True)


def evidence_ridge(inputs: np.ndarray, classes: np.ndarray, count: int) -> float:
    """Return the ridge in RIDGES with the largest evidence, the largest ridge of equally good ones."""
    evidences: list[float] = []
    weights: np.ndarray | None = None
    for ridge in RIDGES:
        weights, evidence = fit_logistic(inputs, classes, count, ridge, start=weights)
        evidences.append(round(evidence, 6))
    return RIDGES[int(np.argmax(evidences))]


def fit_logistic(
    inputs: np.ndarray, classes: np.ndarray, count: int, ridge: float, *, start: np.ndarray | None = None
) -> tuple[np.ndarray, float]:
    """Return weights, shape (1 + columns, classes), and the evidence: the log probability of the classes.

    Newton's method minimizes minus the log likelihood plus ridge / 2 times the sum of squared weights.
    Intercepts, the first row, have the ridge INTERCEPT_RIDGE. The minimum is unique. inputs: shape (cases,
    columns), centered; classes: int positions below count; start: first weights, None for zeros."""
    design = np.hstack([np.ones((len(inputs), 1)), inputs])
    penalties = np.full((design.shape[1], count), ridge)
    penalties[0] = INTERCEPT_RIDGE
    truth = np.eye(count)[classes]

    def height(weights: np.ndarray) -> float:
        scores = design @ weights
        top = scores.max(axis=1)
        log_sums = top + np.log(np.sum(np.exp(scores - top[:, np.newaxis]), axis=1))
        return np.sum(log_sums) - np.sum(truth * scores) + 0.5 * np.sum(penalties * weights**2)

    weights = np.zeros(penalties.shape) if start is None else start
    objective = height(weights)
    for _ in range(MOST_STEPS):
        probabilities = softmax(design @ weights)
        gradient = design.T @ (probabilities - truth) + penalties * weights
        factor = linalg.cholesky(_hessian(design, probabilities, penalties), lower=True)
        step = linalg.cho_solve((factor, True), -gradient.T.ravel()).reshape(gradient.T.shape).T
        decrement = -float(np.sum(step * gradient))  # twice the expected fall of the objective
        if decrement < SMALL_DECREMENT * (1 + abs(objective)):
            break
        share = 1.0  # half of the step is tried until the objective falls enough
        while share > 1e-8:
            moved = weights + share * step
            value = height(moved)
            if value <= objective - 1e-4 * share * decrement or decrement < 1e-9 * (1 + abs(objective)):
                weights, objective = moved, value
                break
            share /= 2
    log_determinant = 2 * np.sum(np.log(np.diag(factor)))
    evidence = -objective + 0.5 * np.sum(np.log(penalties)) - 0.5 * log_determinant
    return weights, float(evidence)


def _hessian(design: np.ndarray, probabilities: np.ndarray, penalties: np.ndarray) -> np.ndarray:
    """Return the second derivatives of the objective by the weights, which are ordered class by class."""
    columns, count = penalties.shape
    hessian = np.empty((count, columns, count, columns))
    for first in range(count):
        for second in range(first + 1):
            curvatures = probabilities[:, first] * (float(first == second) - probabilities[:, second])
            block = design.T @ (curvatures[:, np.newaxis] * design)
            hessian[first, :, second] = hessian[second, :, first] = block
    return hessian.reshape(count * columns, count * columns) + np.diag(penalties.T.ravel())


COLLINEAR = 1e-6
"""Directions of the inputs with a spread below this share of the largest spread are dropped."""
LEAST_DEGREES = 2
NO_RESIDUAL = 1e-12
"""The least residual variance, as a share of the variance of the targets."""


class Lin1(CodedInputsMethod):
    """Least squares with a Student-t predictive distribution; logistic regression with a chosen ridge."""

    name = "lin-1"

    def predict_number(self, problem: TargetProblem, rng: np.random.Generator) -> NumberPrediction:
        train, test = usable_inputs(problem.instance)
        center = np.mean(train, axis=0)
        fit = fit_least_squares(train - center, problem.values)
        with predicting():
            projected = (test - center) @ fit.directions
            location = fit.mean + projected @ fit.weights
            uncertainty = 1 + 1 / len(train) + np.sum(projected**2, axis=1)
            scale = np.sqrt(fit.variance * uncertainty)
        return NumberPrediction(location, location, Distribution(location, scale, fit.degrees))

    def predict_classes(self, problem: TargetProblem, rng: np.random.Generator) -> np.ndarray:
        train, test = usable_inputs(problem.instance)
        center = np.mean(train, axis=0)
        ridge = evidence_ridge(train - center, problem.values, problem.count)
        weights, _ = fit_logistic(train - center, problem.values, problem.count, ridge)
        with predicting():
            return softmax(weights[0] + (test - center) @ weights[1:])


@dataclass(frozen=True)
class LinearFit:
    """Least squares on centered inputs.

    Attributes
    ----------
    directions : array
        Shape (columns, directions kept). Training inputs projected on each have a sum of squares of one.
    weights : array
        One weight per direction.
    degrees : int
        Degrees of freedom.
    variance : float
        Variance of the residuals.
    """

    mean: float
    directions: np.ndarray
    weights: np.ndarray
    degrees: int
    variance: float


def fit_least_squares(inputs: np.ndarray, values: np.ndarray) -> LinearFit:
    """Fit a linear function of centered inputs, shape (cases, columns), to values. Collinear inputs get the
    weights of least norm. If fewer than LEAST_DEGREES degrees of freedom would remain, directions of the
    smallest spread are dropped. At least three cases are needed: ValueError."""
    cases, mean = len(values), float(np.mean(values))
    check_cases(cases)
    left, spreads, right = np.linalg.svd(inputs, full_matrices=False)
    able = int(np.sum(spreads > COLLINEAR * spreads.max(initial=0.0)))
    kept = min(able, cases - 1 - LEAST_DEGREES)
    weights = left[:, :kept].T @ (values - mean)
    squares = float(np.sum((values - mean - left[:, :kept] @ weights) ** 2))
    degrees, least = cases - 1 - kept, NO_RESIDUAL * float(np.sum((values - mean) ** 2))
    directions = right[:kept].T / spreads[:kept]
    return LinearFit(mean, directions, weights, degrees, variance=max(squares, least) / degrees)
