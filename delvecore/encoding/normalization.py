"""Normalization constants of a training set. Source: manual, sections 7.3, 7.4; rounding as in DELVE 1.1."""

import math
from typing import NamedTuple

import numpy as np

from delvecore.number_format.numbers import round_number


class Constants(NamedTuple):
    """Location and spread of one attribute in one training set, with 9 digits, in the order of the file.

    Spreads have the divisor n - 1; they are 0.0 for a single value."""

    mean: float
    standard_deviation: float
    median: float
    absolute_deviation: float


def training_constants(numbers: np.ndarray) -> Constants:
    """Return the Constants of known values (float64, at least one, no NaN).

    The variance is rounded to 9 digits before its root is computed, and all constants are rounded before use.
    This reproduces the files of DELVE 1.1 digit by digit."""
    median = float(np.median(numbers))
    mean = math.fsum(numbers.tolist()) / len(numbers)
    degrees = max(len(numbers) - 1, 1)
    variance = math.fsum(((numbers - mean) ** 2).tolist()) / degrees
    deviation = math.fsum(np.abs(numbers - median).tolist()) / degrees
    constants = (mean, math.sqrt(round_number(variance)), median, deviation)
    return Constants(*map(round_number, constants))
