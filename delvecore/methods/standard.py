"""Inputs and targets of mean zero and variance one, folds, and what regression methods have in common."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from delvecore.methods.distributions import Gaussian
from delvecore.methods.inputs import input_codings, usable_inputs
from delvecore.methods.protocol import LearningInstance, TaskView
from delvecore.methods.targets import NumberPrediction, NumberProblem, PerTargetMethod
from delvecore.model import CATEGORICAL_TYPES, Coding

__all__ = [
    "SMALLEST_ERROR",
    "InputMethod",
    "RegressionMethod",
    "StandardProblem",
    "first_best",
    "gaussian_prediction",
    "make_folds",
    "standard_inputs",
    "standard_problem",
]

CONSTANT = 1e-9
"""A column varies if its standard deviation is above this share of its largest size."""
SCORE_DIGITS = 9
FEWEST_CASES = 3
SMALLEST_ERROR = 1e-6
"""The least standard deviation of a predictive Gaussian, in coded units."""


class InputMethod(PerTargetMethod):
    """A method that needs at least one input and codes inputs as `delvecore.methods.inputs` says."""

    def can(self, task: TaskView) -> str | None:
        """Return why the method cannot be applied: to angles, and without inputs."""
        return super().can(task) if task.inputs else "it has no inputs"

    def codings(self, task: TaskView) -> dict[int, Coding]:
        """Return `copy` for integer inputs with a finite range."""
        return input_codings(task)


class RegressionMethod(InputMethod):
    """A method for integer and real targets only."""

    def can(self, task: TaskView) -> str | None:
        """Return why the method cannot be applied: to categories and angles, and without inputs."""
        for attribute, line in task.targets:
            if line.type in CATEGORICAL_TYPES:
                return f"its target {attribute.name} is {line.type}"
        return super().can(task)


@dataclass(frozen=True)
class StandardProblem:
    """A numeric problem whose training inputs and values have mean zero and variance one.

    train, test: shape (cases, columns); values: of the training cases; centre, scale: what a standard value
    of zero stands for, and how much a step of one is, in coded units.
    """

    train: np.ndarray
    test: np.ndarray
    values: np.ndarray
    centre: float
    scale: float

    def prediction(self, location: np.ndarray, error: float) -> NumberPrediction:
        """Return Gaussians located at standard values; error: their mean squared error, standard too."""
        return gaussian_prediction(self.centre + self.scale * location, self.scale**2 * error)


def gaussian_prediction(mean: np.ndarray, error: float, median: np.ndarray | None = None) -> NumberPrediction:
    """Return Gaussians with one variance, the mean squared error; the mean is the median unless told."""
    deviation = np.full(len(mean), max(float(error) ** 0.5, SMALLEST_ERROR))
    return NumberPrediction(mean, mean if median is None else median, Gaussian(mean, deviation))


def standard_problem(problem: NumberProblem) -> StandardProblem:
    """Return a problem in standard units; values that are all equal become zeros, their scale one.

    At least three cases are needed: ValueError.
    """
    _check_cases(len(problem.values))
    train, test = standard_inputs(problem.instance)
    centre, scale = float(np.mean(problem.values)), float(np.std(problem.values))
    scale = scale if scale > CONSTANT * np.abs(problem.values).max() else 1.0
    return StandardProblem(train, test, (problem.values - centre) / scale, centre, scale)


def standard_inputs(instance: LearningInstance) -> tuple[np.ndarray, np.ndarray]:
    """Return inputs of training and test cases less their mean, divided by their standard deviation (both of
    the training cases, divisor n). Columns that are constant in the training set are zero in both."""
    train, test = usable_inputs(instance)
    centre, deviation = np.mean(train, axis=0), np.std(train, axis=0)
    varies = deviation > CONSTANT * np.abs(train).max(axis=0, initial=0.0)
    scale = np.where(varies, 1 / np.where(varies, deviation, 1.0), 0.0)
    return (train - centre) * scale, (test - centre) * scale


def make_folds(cases: int, parts: int, rng: np.random.Generator) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return (cases to learn from, cases held out) of each of the parts of a random division.

    Sizes differ by one at most; there are no more parts than cases. At least three cases are needed:
    ValueError.
    """
    _check_cases(cases)
    order = rng.permutation(cases)
    held = np.array_split(order, min(parts, cases))
    return [(np.sort(np.setdiff1d(order, part)), np.sort(part)) for part in held]


def _check_cases(cases: int) -> None:
    if cases < FEWEST_CASES:
        raise ValueError(f"expected at least {FEWEST_CASES} training cases, found {cases}")


def first_best(errors: Sequence[float] | np.ndarray) -> int:
    """Return the place of the smallest error, the first of those equal after rounding to 9 decimals."""
    return int(np.argmin(np.round(errors, SCORE_DIGITS)))
