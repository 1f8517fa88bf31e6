"""Normalisation constants of a training set. Source: manual, sections 7.3, 7.4; rounding as in DELVE 1.1."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from delvecore.number_format.numbers import round_number

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
    mean = math.fsum(numbers.tolist()) / len(numbers)
    degrees = max(len(numbers) - 1, 1)
    variance = math.fsum(((numbers - mean) ** 2).tolist()) / degrees
    deviation = math.fsum(np.abs(numbers - median).tolist()) / degrees
    constants = (mean, math.sqrt(round_number(variance)), median, deviation)
    return Constants(*map(round_number, constants))
