"""Predictive distributions of one number: log densities, and log probabilities of intervals.

Intervals serve integer targets, which need probabilities: manual, section 5.2. Tails keep their relative
accuracy, so a target far from what was predicted costs much but not infinitely much.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

__all__ = ["Gaussian", "StudentT"]

LOG_SMALLEST = -650.0
"""Below this logarithm, the probability of an interval is taken as density times width."""


@dataclass(frozen=True)
class Gaussian:
    """Normal distributions, one a case. location, deviation: shape (cases,)."""

    location: np.ndarray
    deviation: np.ndarray

    def log_density(self, values: np.ndarray) -> np.ndarray:
        scaled = (values - self.location) / self.deviation
        return -0.5 * scaled**2 - np.log(self.deviation) - 0.5 * np.log(2 * np.pi)

    def log_mass(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """Return log probabilities of the intervals from low to high."""
        below, above = ((bound - self.location) / self.deviation for bound in (low, high))
        narrow = self.log_density((low + high) / 2) + np.log(high - low)
        return _log_mass(below, above, special.log_ndtr, narrow)


@dataclass(frozen=True)
class StudentT:
    """Student's t distributions, one a case. location, scale: shape (cases,); degrees: of freedom."""

    location: np.ndarray
    scale: np.ndarray
    degrees: float

    def log_density(self, values: np.ndarray) -> np.ndarray:
        scaled = (values - self.location) / self.scale
        half = (self.degrees + 1) / 2
        constant = special.gammaln(half) - special.gammaln(self.degrees / 2)
        constant -= 0.5 * np.log(self.degrees * np.pi)
        return constant - np.log(self.scale) - half * np.log1p(scaled**2 / self.degrees)

    def log_mass(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """Return log probabilities of the intervals from low to high."""
        below, above = ((bound - self.location) / self.scale for bound in (low, high))
        narrow = self.log_density((low + high) / 2) + np.log(high - low)
        return _log_mass(below, above, self._log_cumulative, narrow)

    def _log_cumulative(self, scaled: np.ndarray) -> np.ndarray:
        with np.errstate(divide="ignore"):  # an underflow is caught by LOG_SMALLEST
            return np.log(special.stdtr(self.degrees, scaled))


def _log_mass(
    low: np.ndarray, high: np.ndarray, log_cumulative: Callable[[np.ndarray], np.ndarray], narrow: np.ndarray
) -> np.ndarray:
    """Return log(F(high) - F(low)), computed in the lower tail, or `narrow` where F underflows.

    A distribution symmetric about zero: an interval above zero is mirrored first.
    """
    mirrored = low + high > 0
    low, high = np.where(mirrored, -high, low), np.where(mirrored, -low, high)
    upper, lower = log_cumulative(high), log_cumulative(low)
    far = upper < LOG_SMALLEST
    with np.errstate(divide="ignore", invalid="ignore"):  # those of far intervals are not used
        mass = upper + np.log(-np.expm1(np.minimum(lower - upper, 0.0)))
    return np.where(far | ~np.isfinite(mass), narrow, mass)
