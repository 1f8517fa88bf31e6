"""gp-1: Gaussian process regression. Its description has the details."""

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from delvecore.methods.protocol import TaskView
from delvecore.methods.standard import CodedInputsMethod, non_numeric_target, usable_inputs
from delvecore.methods.stopwatch import predicting
from delvecore.methods.targets import Distribution, NumberPrediction, TargetProblem

MOST_EVALUATIONS, FEWER_EVALUATIONS = 100, 50
MANY_CASES, MANY_COLUMNS = 512, 16
"""Problems with more cases and more columns than this have fewer evaluations."""
PARAMETER_DECIMALS = 3
CONSTANT_VARIANCE = 1.0
BOUND = 12.0
JITTER = 1e-8


@dataclass(frozen=True)
class Settings:
    """Parameters of the covariance, as natural logs.

    Attributes
    ----------
    curved : float
        Variance of the squared exponential.
    linear : float
        Variance of the weights.
    noise : float
        Variance of the noise.
    lengths : array
        Length scale of each column.
    """

    curved: float
    linear: float
    noise: float
    lengths: np.ndarray

    @classmethod
    def unpacked(cls, packed: np.ndarray) -> "Settings":
        return cls(packed[0], packed[1], packed[2], packed[3:])


def prior(columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Return means and standard deviations of the Gaussian priors of the packed parameters."""
    length = np.log(2 * np.sqrt(max(columns, 1)))
    means = [np.log(0.5), np.log(0.1 / max(columns, 1)), np.log(0.2), *[length] * columns]
    return np.array(means), np.array([1.0, 2.0, 1.5, *[1.0] * columns])


class Gp1(CodedInputsMethod):
    """An exact Gaussian process; its parameters maximize their posterior density on the training set."""

    name = "gp-1"

    def can(self, task: TaskView) -> str | None:
        return non_numeric_target(task) or super().can(task)

    def predict_number(self, problem: TargetProblem, rng: np.random.Generator) -> NumberPrediction:
        train, test = usable_inputs(problem.instance)
        center = np.mean(train, axis=0)
        mean, deviation = np.mean(problem.values), np.std(problem.values, ddof=1)
        process = fit_process(train - center, (problem.values - mean) / deviation)
        with predicting():
            location, spread = process.predict(test - center)
            location = mean + deviation * location
        return NumberPrediction(location, location, Distribution(location, deviation * spread))


@dataclass(frozen=True)
class Process:
    """A fitted process.

    Attributes
    ----------
    factor : array
        Lower Cholesky factor of the covariance of the training values.
    weights : array
        Inverse covariance times values.
    """

    settings: Settings
    inputs: np.ndarray
    factor: np.ndarray
    weights: np.ndarray

    def predict(self, inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return mean and standard deviation, noise included, of the values at inputs."""
        across, settings = covariance(inputs, self.inputs, self.settings), self.settings
        explained = linalg.solve_triangular(self.factor, across.T, lower=True, check_finite=False)
        linear = np.exp(settings.linear) * np.sum(inputs**2, axis=1)
        variance = CONSTANT_VARIANCE + np.exp(settings.curved) + linear - np.sum(explained**2, axis=0)
        return across @ self.weights, np.sqrt(np.maximum(variance, 0.0) + np.exp(settings.noise))


def covariance(first: np.ndarray, second: np.ndarray, settings: Settings) -> np.ndarray:
    """Return the covariance of the function at two sets of inputs, without noise."""
    linear = np.exp(settings.linear) * (first @ second.T)
    return (
        CONSTANT_VARIANCE + linear + np.exp(settings.curved) * _correlation(first, second, settings.lengths)
    )


def fit_process(inputs: np.ndarray, values: np.ndarray) -> Process:
    """Return the process with the largest posterior density; its parameters are rounded to 3 decimals."""
    from scipy import optimize  # Only learning needs it; pages that ask about a method do not wait.

    means, deviations = prior(inputs.shape[1])
    is_large = len(inputs) > MANY_CASES and inputs.shape[1] > MANY_COLUMNS
    most = FEWER_EVALUATIONS if is_large else MOST_EVALUATIONS
    found = optimize.minimize(
        _objective,
        means,
        args=(inputs, values, means, deviations),
        jac=True,
        method="L-BFGS-B",
        bounds=[(-BOUND, BOUND)] * len(means),
        options={"maxfun": most, "maxiter": most, "ftol": 1e-9, "gtol": 1e-4},
    )
    settings = Settings.unpacked(np.round(found.x, PARAMETER_DECIMALS))
    factor = _factor(covariance(inputs, inputs, settings), settings)
    return Process(settings, inputs, factor, linalg.cho_solve((factor, True), values))


def _objective(
    packed: np.ndarray, inputs: np.ndarray, values: np.ndarray, means: np.ndarray, deviations: np.ndarray
) -> tuple[float, np.ndarray]:
    """Return minus the log posterior density of the parameters, up to a constant, and its gradient."""
    settings = Settings.unpacked(packed)
    curved = _correlation(inputs, inputs, settings.lengths)
    curved *= np.exp(settings.curved)
    total = inputs @ (np.exp(settings.linear) * inputs).T
    total += CONSTANT_VARIANCE
    total += curved
    factor = _factor(total, settings)
    weights = linalg.cho_solve((factor, True), values, check_finite=False)
    lower, _ = linalg.lapack.dpotri(factor, lower=1)
    inverse = np.tril(lower) + np.tril(lower, -1).T
    inverse -= np.outer(weights, weights)
    by_linear = np.exp(settings.linear) * np.sum(inputs * (inverse @ inputs))
    noise = np.exp(settings.noise) * np.trace(inverse)
    by_length = np.multiply(inverse, curved, out=curved)
    row_sums = by_length.sum(axis=1)
    spread = row_sums @ inputs**2 - np.sum(inputs * (by_length @ inputs), axis=0)
    by_lengths = 2 * spread * np.exp(-2 * settings.lengths)
    gradient = 0.5 * np.array([row_sums.sum(), by_linear, noise, *by_lengths])
    scaled = (packed - means) / deviations
    value = 0.5 * values @ weights + np.sum(np.log(np.diag(factor))) + 0.5 * np.sum(scaled**2)
    return float(value), gradient + scaled / deviations


def _factor(matrix: np.ndarray, settings: Settings) -> np.ndarray:
    """Return the lower Cholesky factor of a covariance with noise and jitter on its diagonal.

    The jitter grows until the matrix is positive definite despite rounding errors."""
    diagonal, jitter = matrix.diagonal().copy(), JITTER
    while True:
        matrix[np.diag_indices_from(matrix)] = diagonal + (np.exp(settings.noise) + jitter)
        factor, info = linalg.lapack.dpotrf(matrix, lower=1)
        if info == 0:
            found: np.ndarray = factor
            return found
        if not jitter < diagonal.max():
            raise linalg.LinAlgError(f"{info}-th minor of a covariance is not positive definite")
        jitter = 10 * max(jitter, np.finfo(float).eps * diagonal.max())


def _correlation(first: np.ndarray, second: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    first, second = first * np.exp(-lengths), second * np.exp(-lengths)
    squares = np.sum(first**2, axis=1)[:, np.newaxis] + np.sum(second**2, axis=1) - 2 * first @ second.T
    return np.exp(-0.5 * np.maximum(squares, 0.0))
