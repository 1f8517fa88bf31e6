"""Tail probabilities of Student's t and of F that keep their digits next to 0 and next to 1."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, betaincc

from delvecore.stats.kinds import Floats

__all__ = ["f_upper_tail", "student_t_two_sided"]


def f_upper_tail(f: ArrayLike, df1: ArrayLike, df2: ArrayLike) -> Floats:
    """P(F >= f) for positive degrees of freedom, whole or not. Near f = 0 it is 1 less something small, which
    only the complement has in full."""
    f, a, b = np.broadcast_arrays(f, np.divide(df2, 2), np.divide(df1, 2))
    with np.errstate(invalid="ignore"):
        x, y = a / (a + b * f), b * f / (a + b * f)
        return np.where(f < 1, betaincc(b, a, y), betainc(a, b, x))


def student_t_two_sided(t: float, df: float) -> float:
    """P(|T| >= |t|): how probable is a t statistic at least this far from zero, in either direction?"""
    return float(f_upper_tail(t * t, 1, df))
