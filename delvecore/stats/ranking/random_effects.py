"""How large is a difference on average, and how much does it vary between units beyond the errors of each?

Every unit has an estimate y with a variance v, and a true difference of its own: y = mu + u + e, u with the
variance tau^2, e with v. Rows of matrices are pairs, columns units. Units weigh alike: weights by their
variances find differences that are not there, as these variances are estimates, too."""

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr, stdtrit

__all__ = ["RandomEffects", "random_effects"]


@dataclass(frozen=True, eq=False)
class RandomEffects:
    """Arrays with one entry a pair; not a number where there are too few units.

    units: that have an estimate with a variance; mean: mu; lower, upper: its interval, from two units on; p:
    of mu = 0, which agrees with the interval; tau; next_lower, next_upper: between which values the
    difference of a further unit lies, from two units on."""

    units: np.ndarray
    mean: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    p: np.ndarray
    tau: np.ndarray
    next_lower: np.ndarray
    next_upper: np.ndarray


def random_effects(y: np.ndarray, v: np.ndarray, *, level: float) -> RandomEffects:
    """Random-effects mean of the units of each pair, all of equal weight.

    Interval and p are Student's of the estimates, with units - 1 degrees of freedom; tau^2 is what their
    variance has beyond the mean of v, at least zero. The interval of a further unit is Student's, too: of an
    estimate, so that it holds a true difference, which varies less, at least as often.

    Parameters
    ----------
    y, v : arrays of shape (pairs, units)
        Estimates and their variances, not a number where there is none.
    level : float
        Confidence of the intervals.

    Returns
    -------
    RandomEffects
        One entry a pair; without intervals and p where all estimates are equal.

    Examples
    --------
    >>> found = random_effects(np.array([[1.0, 2.0, 3.0]]), np.full((1, 3), 0.19), level=0.95)
    >>> found.mean.tolist(), found.tau.tolist()
    ([2.0], [0.9])
    """
    known = np.isfinite(y) & np.isfinite(v)
    count = known.sum(axis=1)
    df = np.maximum(count - 1, 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(known, y, 0.0).sum(axis=1) / count
        squares = np.where(known, np.square(y - mean[:, None]), 0.0).sum(axis=1)
        variance = np.where(count > 1, squares / df, np.nan)
        tau = np.sqrt(np.maximum(variance - np.where(known, v, 0.0).sum(axis=1) / count, 0.0))
        deviation = np.where(variance > 0, np.sqrt(variance), np.nan)
        error = deviation / np.sqrt(count)
        p = np.minimum(2 * stdtr(df, -np.abs(mean / error)), 1.0)
        quantile = stdtrit(df, (1 + level) / 2)
        reach, further = quantile * error, quantile * deviation * np.sqrt(1 + 1 / count)
    ends = {"lower": mean - reach, "upper": mean + reach}
    ends |= {"next_lower": mean - further, "next_upper": mean + further}
    return RandomEffects(count, mean, p=p, tau=tau, **ends)
