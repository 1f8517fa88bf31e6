"""The record of tests of pairs of methods."""

import functools
from dataclasses import dataclass

import numpy as np

from delvecore.stats.p_adjustment import adjust

NOISE = 1e-9
"""Tolerance for equal differences of mean ranks."""


@dataclass(frozen=True, eq=False)
class PairTest:
    """Test of all pairs first < second, or of the pairs with a control; arrays with one entry per pair.

    Attributes
    ----------
    first, second : array
        Positions of the methods of each pair.
    statistic : array
        Test statistic; for tests of mean ranks, the mean rank of the first minus that of the second.
    p : array
        Two-sided p, adjusted for all pairs if the test has a built-in adjustment.
    p_alone : array
        Two-sided p of the pair alone.
    cd, error : float
        Critical difference of two mean ranks, and the standard error of the difference; NaN for other tests.
    """

    first: np.ndarray
    second: np.ndarray
    statistic: np.ndarray
    p: np.ndarray
    p_alone: np.ndarray
    cd: float = np.nan
    error: float = np.nan

    @functools.cached_property
    def p_holm(self) -> np.ndarray:
        """p of the pairs alone, adjusted by Holm's method."""
        return adjust(self.p_alone)

    @property
    def z(self) -> float:
        """Critical difference in standard errors."""
        return self.cd / self.error

    @property
    def different(self) -> np.ndarray:
        """Whether the difference of mean ranks exceeds cd."""
        return np.asarray(np.abs(self.statistic) > self.cd + NOISE)
