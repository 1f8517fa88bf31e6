"""The range of k standard normal numbers: the studentized range with infinite degrees of freedom.

P(range > q) = k int phi(z) (Phi(z)^(k-1) - (Phi(z) - Phi(z-q))^(k-1)) dz, where z is the largest of the k.
The integrand is smooth and vanishes on both sides, so that the trapezoidal rule is exact to the last digits;
its two powers are subtracted as one `expm1`, so that small tails keep theirs.
"""

import math

import numpy as np
from scipy.optimize import brentq
from scipy.special import log_ndtr, ndtr, ndtri

__all__ = ["range_quantile", "range_upper_tail"]

_STEP = 1 / 8
_LOW, _REACH = -9.0, 10.0
_NOTHING = -60.0
_AT_ONCE = 128
"""So few that what is computed of them stays in a processor's cache; neighbours, too, need the same z."""
_LARGEST_Q = 60.0
_MARGIN = 1e-6
_LEAST = 1e-300
"""Smaller tails lose their digits."""
_HALF_LOG_TWO_PI = 0.5 * np.log(2 * np.pi)


def range_upper_tail(q: np.ndarray, methods: int) -> np.ndarray:
    """How probable is a range of at least q among so many independent standard normal numbers?

    Relative error below 1e-9 down to 1e-300. Raises ValueError for fewer than two methods.
    """
    if methods < 2:
        raise ValueError(f"expected at least 2 methods, got {methods}")
    values, where = np.unique(np.asarray(q, dtype=float), return_inverse=True)
    tails = [_tails(part, methods) for part in np.split(values, range(_AT_ONCE, len(values), _AT_ONCE))]
    return np.concatenate(tails)[where].reshape(np.shape(q))


def range_quantile(alpha: float, methods: int) -> float:
    """Which range is exceeded with probability alpha?

    Raises ValueError unless 0 < alpha < 1, and for fewer than two methods.
    """
    if methods < 2:
        raise ValueError(f"expected at least 2 methods, got {methods}")
    if not 0 < alpha < 1:
        raise ValueError(f"expected a level between 0 and 1, got {alpha}")
    alpha = max(alpha, _LEAST)

    def excess(q: float) -> float:
        # The logarithm of the tail is nearly a parabola: few steps are enough.
        return math.log(_tails(np.array([q]), methods)[0]) - math.log(alpha)

    # The range exceeds q at least where one pair does, and at most so often as all pairs do.
    low, high = (-math.sqrt(2.0) * float(ndtri(alpha / (2 * pairs))) for pairs in (1, math.comb(methods, 2)))
    return brentq(excess, max(low - _MARGIN, 0.0), min(high + _MARGIN, _LARGEST_Q), xtol=1e-13, rtol=1e-14)


def _tails(q: np.ndarray, methods: int) -> np.ndarray:
    # Ranges of q are most often those of numbers from -q/2 to q/2.
    z = np.arange(_LOW, float(q.max(initial=0.0)) / 2 + _REACH, _STEP)
    # That the largest of many numbers lies so low adds nothing to any digit.
    z = z[(methods - 1) * log_ndtr(z) > _NOTHING]
    weight = np.exp(-0.5 * z * z - _HALF_LOG_TWO_PI + (methods - 1) * log_ndtr(z)) * (methods * _STEP)
    shares = ndtr(z - q[:, None])
    shares /= ndtr(z)
    np.minimum(shares, 1.0, out=shares)
    with np.errstate(divide="ignore"):
        np.log1p(np.negative(shares, out=shares), out=shares)
    shares *= methods - 1.0
    inside = np.negative(np.expm1(shares, out=shares), out=shares)
    return np.clip(inside @ weight, 0.0, 1.0)
