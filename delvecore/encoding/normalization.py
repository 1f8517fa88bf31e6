"""Normalisation constants of a training set. Source: manual, sections 7.3, 7.4; rounding as in DELVE 1.1."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from delvecore.number_format.numbers import round_number
from delvecore.number_format.text_columns import round_numbers

FILE_NAMES = ("mean", "stdDev", "median", "absDev")


@dataclass(frozen=True)
class Constants:
    """Location and spread of one attribute in one training set, each as a file gives it back (9 digits).
    Spreads divide by n - 1; they are 0.0 for a single value."""

    mean: float
    standard_deviation: float
    median: float
    absolute_deviation: float

    @classmethod
    def from_file(cls, values: dict[str, float]) -> "Constants":
        """Return Constants from {name in the file: value}; KeyError where one is absent."""
        return cls(*(values[name] for name in FILE_NAMES))

    def items(self) -> Iterator[tuple[str, float]]:
        """Yield (name in the file, value) in the order of the file."""
        numbers = (self.mean, self.standard_deviation, self.median, self.absolute_deviation)
        yield from zip(FILE_NAMES, numbers, strict=True)


def training_constants(numbers: np.ndarray) -> Constants:
    """Return the Constants of known values (float64, at least one, no NaN). The variance is rounded to 9
    digits before the root is drawn and every constant is rounded before it is used, which is what reproduces
    the files of DELVE 1.1 digit by digit."""
    median = float(np.median(numbers))
    mean = math.fsum(numbers) / len(numbers)
    degrees = max(len(numbers) - 1, 1)
    variance = math.fsum((numbers - mean) ** 2) / degrees
    deviation = math.fsum(np.abs(numbers - median)) / degrees
    constants = (mean, math.sqrt(round_number(variance)), median, deviation)
    return Constants(*map(round_number, constants))


@np.errstate(over="ignore", invalid="ignore")  # what overflows is not settled, and summed again
def constants_of_columns(matrix: np.ndarray) -> list[Constants]:
    """Return `training_constants` of each column of known values: shape (cases, columns), at least one case.
    Sums are plain ones with a bound of their error. Where that leaves a digit of a rounded constant open, the
    column is summed again without error, so the results are the same."""
    count = len(matrix)
    degrees, unit = max(count - 1, 1), (count + 16) * np.finfo(np.float64).eps
    median = np.median(matrix, axis=0)
    mean = matrix.sum(axis=0) / count
    mean_error = unit * np.abs(matrix).sum(axis=0) / count
    variance = np.square(matrix - mean).sum(axis=0) / degrees
    deviation = np.abs(matrix - median).sum(axis=0) / degrees
    variance_error = unit * variance + 4 * mean_error**2 * count / degrees
    sums = ((mean, mean_error), (variance, variance_error), (deviation, unit * deviation))
    below = [value - error for value, error in sums]
    above = [value + error for value, error in sums]
    lowest, highest, (median,) = np.split(_rounded([*below, *above, median]), [3, 6])
    spread = _rounded([np.sqrt(np.maximum(lowest[1], 0.0))])[0]
    settled = (lowest == highest).all(axis=0)
    rounded = np.array([lowest[0], spread, median, lowest[2]]).T.tolist()
    return [
        Constants(*rounded[place]) if settled[place] else training_constants(matrix[:, place])
        for place in range(matrix.shape[1])
    ]


def _rounded(rows: Sequence[np.ndarray]) -> np.ndarray:
    """Return `round_numbers` of equally long rows of numbers, as one array."""
    matrix = np.array(rows)
    return round_numbers(matrix.reshape(-1)).reshape(matrix.shape)
