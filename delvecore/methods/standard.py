"""Base classes of methods: coded and standardized inputs, folds, regression, scikit-learn.

Inputs have their default codings, except integers with a finite range, such as the brightness 0..16 of a
pixel. These may be constant in a small training set, which `nm-abs` cannot encode. Their coding is `copy`,
and the method maps the lowest value of the range to -1 and the highest to +1."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module, util
from typing import Any

import numpy as np

from delvecore.errors import DelveError
from delvecore.methods.protocol import LearningInstance, TaskView
from delvecore.methods.targets import (
    Distribution,
    NumberPrediction,
    PerTargetMethod,
    TargetProblem,
    frequencies,
)
from delvecore.model import CATEGORICAL_TYPES, Attribute, Coding


def usable_inputs(instance: LearningInstance) -> tuple[np.ndarray, np.ndarray]:
    """Return the inputs of training and test cases, with copied integers mapped to -1 .. +1."""
    train, test = instance.train_inputs.copy(), instance.test_inputs.copy()
    for coded in instance.inputs:
        is_copied = coded.kind == "integer" and coded.coding.coding == "copy"
        if is_copied and (bounds := _bounds(coded.attribute)) is not None:
            low, high = bounds
            for inputs in (train, test):  # a column that indicates missing values follows the values
                values = inputs[:, coded.columns.start]
                inputs[:, coded.columns.start] = (2 * values - low - high) / (high - low)
    return train, test


def _bounds(attribute: Attribute) -> tuple[float, float] | None:
    """Return the lowest and highest value of a finite range of integers, None for any other range."""
    if attribute.range.kind != "integer" or attribute.range.categories is None:
        return None
    values = [float(text) for text in attribute.range.categories]
    return (min(values), max(values)) if min(values) < max(values) else None


CONSTANT = 1e-9
"""A column varies if its standard deviation is above this share of its largest size."""
SCORE_DIGITS = 9
FEWEST_CASES = 3
SMALLEST_ERROR = 1e-6
"""The least standard deviation of a predictive Gaussian, in coded units."""


class CodedInputsMethod(PerTargetMethod):
    """A method that codes its inputs as this module describes."""

    def codings(self, task: TaskView) -> dict[int, Coding]:
        """Return `copy`, by number, for each integer input with a finite range of two values or more."""
        return {
            attribute.number: Coding(attribute.name, "copy", ())
            for attribute, line in task.inputs
            if line.type == "integer" and _bounds(attribute) is not None
        }


class InputMethod(CodedInputsMethod):
    """A method that needs at least one input."""

    def can(self, task: TaskView) -> str | None:
        return super().can(task) if task.inputs else "it has no inputs"


def non_numeric_target(task: TaskView) -> str | None:
    """Return why a method for numeric targets cannot be applied: a target has categories. Otherwise None."""
    wrong = (pair for pair in task.targets if pair[1].type in CATEGORICAL_TYPES)
    return next((f"its target {attribute.name} is {line.type}" for attribute, line in wrong), None)


class RegressionMethod(InputMethod):
    """A method for integer and real targets only."""

    def can(self, task: TaskView) -> str | None:
        return non_numeric_target(task) or super().can(task)


@dataclass(frozen=True)
class StandardProblem:
    """A numeric problem whose training inputs and values have mean zero and variance one.

    Attributes
    ----------
    train, test : array
        Inputs, shape (cases, columns).
    values : array
        Values of the training cases.
    center, scale : float
        Coded value of a standard value of zero, and coded size of a step of one.
    """

    train: np.ndarray
    test: np.ndarray
    values: np.ndarray
    center: float
    scale: float

    def prediction(self, location: np.ndarray, error: float) -> NumberPrediction:
        """Return normal distributions, coded. location, error: means and mean squared error, standard."""
        return gaussian_prediction(self.center + self.scale * location, self.scale**2 * error)


def gaussian_prediction(mean: np.ndarray, error: float, median: np.ndarray | None = None) -> NumberPrediction:
    """Return normal distributions; error: mean squared error, their variance; median: by default the mean."""
    deviation = np.full(len(mean), max(float(error) ** 0.5, SMALLEST_ERROR))
    return NumberPrediction(mean, mean if median is None else median, Distribution(mean, deviation))


def standard_problem(problem: TargetProblem) -> StandardProblem:
    """Return a problem in standard units; constant values become zeros with the scale one.

    Raises ValueError for fewer than three cases."""
    check_cases(len(problem.values))
    train, test = standard_inputs(problem.instance)
    center, scale = float(np.mean(problem.values)), float(np.std(problem.values))
    scale = scale if scale > CONSTANT * np.abs(problem.values).max() else 1.0
    return StandardProblem(train, test, (problem.values - center) / scale, center, scale)


def standard_inputs(instance: LearningInstance) -> tuple[np.ndarray, np.ndarray]:
    """Return inputs minus their mean, divided by their standard deviation, both of training cases.

    The divisor of the variance is n. Columns that are constant in the training set become zero."""
    train, test = usable_inputs(instance)
    center, deviation = np.mean(train, axis=0), np.std(train, axis=0)
    varies = deviation > CONSTANT * np.abs(train).max(axis=0, initial=0.0)
    scale = np.where(varies, 1 / np.where(varies, deviation, 1.0), 0.0)
    return (train - center) * scale, (test - center) * scale


def make_folds(cases: int, parts: int, rng: np.random.Generator) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return (training cases, held-out cases) of each part of a random division.

    Sizes of parts differ by at most one. There are at most as many parts as cases. Raises ValueError for
    fewer than three cases."""
    check_cases(cases)
    order = rng.permutation(cases)
    held = np.array_split(order, min(parts, cases))
    return [(np.sort(np.setdiff1d(order, part)), np.sort(part)) for part in held]


def check_cases(cases: int) -> None:
    """Raise ValueError for fewer than three training cases."""
    if cases < FEWEST_CASES:
        raise ValueError(f"expected at least {FEWEST_CASES} training cases, found {cases}")


def first_best(errors: Sequence[float] | np.ndarray) -> int:
    """Return the position of the smallest error, the first in a tie after rounding to 9 decimals."""
    return int(np.argmin(np.round(errors, SCORE_DIGITS)))


Model = Any
"""An estimator of scikit-learn. The library has no type hints."""


class ScikitMethod(InputMethod):
    """A method that needs scikit-learn and at least one input."""

    def __init__(self) -> None:
        if util.find_spec("sklearn") is None:
            raise DelveError(
                f"{self.name}: expected scikit-learn, found none; pip install scikit-learn adds it"
            )


def state(rng: np.random.Generator) -> int:
    """Return a seed for scikit-learn, drawn from the generator of the instance."""
    return int(rng.integers(2**31))


def learner(place: str, rng: np.random.Generator, **options: object) -> Model:
    """Return an unfitted estimator of scikit-learn, `module.Class`, with a seed from the generator."""
    module, name = place.split(".")
    return getattr(import_module(f"sklearn.{module}"), name)(random_state=state(rng), **options)


def of_all_classes(shares: np.ndarray, known: np.ndarray, count: int) -> np.ndarray:
    """Return the shares of `count` values, shape (cases, values); 0 for values that are not known."""
    all_shares = np.zeros((len(shares), count))
    all_shares[:, known] = shares
    return all_shares


def smoothed(
    shares: np.ndarray, known: np.ndarray, classes: np.ndarray, count: int, *, weight: float
) -> np.ndarray:
    """Return positive probabilities of `count` values: shares mixed with frequencies of training cases.

    shares: shape (cases, known values); classes: those of the training cases; weight: that of the
    frequencies."""
    return (1 - weight) * of_all_classes(shares, known, count) + weight * frequencies(classes, count)
