"""Do the methods differ at all? Friedman's test and Iman and Davenport's, from ranks.

The exact distribution of Friedman's statistic, given the ties, by adding one task after another.

Under the hypothesis each task deals its ranks to the methods by chance. What matters is only the sums of
ranks without regard to which method has which, so that sorted sums are the states.
"""

import functools
import itertools
import math
from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc, fdtrc

from delvecore.statistics.ranking.ranks import TaskRanks

__all__ = ["MOST_TASKS", "Friedman", "ImanDavenport", "exact_upper_tail", "friedman", "iman_davenport"]

MOST_TASKS = {2: 1000, 3: 120, 4: 30, 5: 10, 6: 5}
"""Up to how many tasks, for each number of methods, the distribution is computed."""


def exact_upper_tail(ranks: np.ndarray) -> float | None:
    """How probable is a Friedman statistic at least as large as that of these ranks?

    ranks: shape (tasks, methods). None beyond `MOST_TASKS`. Counted in whole numbers: ranks are doubled.
    """
    tasks, methods = ranks.shape
    if tasks > MOST_TASKS.get(methods, 0):
        return None
    doubled = np.rint(2 * ranks).astype(np.int64)
    states, chances = np.zeros((1, methods), np.int64), np.ones(1)
    # Sorted tasks, so that equal patterns of ties follow each other.
    for pattern in sorted(tuple(sorted(row)) for row in doubled.tolist()):
        states, chances = _after_one_task(states, chances, _orders(pattern))
    observed = np.square(doubled.sum(axis=0)).sum()
    reached = np.square(states).sum(axis=1) >= observed
    return min(float(chances[reached].sum()), 1.0)


@functools.lru_cache(maxsize=64)
def _orders(pattern: tuple[int, ...]) -> np.ndarray:
    """Return every distinct order of a task's ranks, all equally probable."""
    return np.array(sorted(set(itertools.permutations(pattern))), dtype=np.int64)


def _after_one_task(
    states: np.ndarray, chances: np.ndarray, orders: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    methods = states.shape[1]
    sums = np.sort((states[:, None, :] + orders).reshape(-1, methods), axis=1)
    base = int(sums.max()) + 1
    codes = sums @ (base ** np.arange(methods, dtype=np.int64))
    _, first, where = np.unique(codes, return_index=True, return_inverse=True)
    spread = np.repeat(chances / len(orders), len(orders))
    return sums[first], np.bincount(where, weights=spread)


@dataclass(frozen=True)
class Friedman:
    """chi2: corrected for ties; chi2_uncorrected: Friedman's own formula; df, p: of the corrected one.

    exact_p: the probability of at least this chi2 when each task's ranks, ties included, fall to the methods
    by chance; None where that is too much to compute (see `friedman.MOST_TASKS`).
    """

    chi2: float
    df: int
    p: float
    chi2_uncorrected: float
    p_uncorrected: float
    exact_p: float | None


@dataclass(frozen=True)
class ImanDavenport:
    """f, p: from the chi-square corrected for ties; f_uncorrected, p_uncorrected: from the other."""

    f: float
    df1: int
    df2: int
    p: float
    f_uncorrected: float
    p_uncorrected: float


def friedman(ranks: TaskRanks) -> Friedman:
    """Do the methods' mean ranks differ by more than chance?

    Where all values of all tasks are tied, chi2 is 0 and p 1. Raises ValueError for fewer than two methods.
    Source: Friedman 1937; the correction for ties as in Conover 1999, section 5.8.
    """
    tasks, methods = _shape(ranks)
    uncorrected, corrected = _chi_squares(ranks, tasks, methods)
    return Friedman(
        corrected,
        methods - 1,
        float(chdtrc(methods - 1, corrected)),
        uncorrected,
        float(chdtrc(methods - 1, uncorrected)),
        exact_upper_tail(ranks.ranks),
    )


def iman_davenport(ranks: TaskRanks) -> ImanDavenport:
    """Do the methods' mean ranks differ by more than chance? Less conservative than the chi-square.

    F = (N - 1) chi2 / (N (k - 1) - chi2) with k - 1 and (k - 1)(N - 1) degrees of freedom; infinite, with
    p = 0, where all tasks rank alike. With one task there is no test: F and p are not a number.
    Source: Iman and Davenport 1980.
    """
    tasks, methods = _shape(ranks)
    uncorrected, corrected = _chi_squares(ranks, tasks, methods)
    df1, df2 = methods - 1, (methods - 1) * (tasks - 1)
    tests = []
    for chi2 in (corrected, uncorrected):
        f = _f_of(chi2, tasks, methods)
        tests += [f, math.nan if df2 == 0 else float(fdtrc(df1, df2, f))]
    f, p, f_uncorrected, p_uncorrected = tests
    return ImanDavenport(f, df1, df2, p, f_uncorrected, p_uncorrected)


def _shape(ranks: TaskRanks) -> tuple[int, int]:
    tasks, methods = ranks.ranks.shape
    if methods < 2:
        raise ValueError(f"expected at least 2 methods, got {methods}")
    return tasks, methods


def _chi_squares(ranks: TaskRanks, tasks: int, methods: int) -> tuple[float, float]:
    """Return Friedman's chi-square (as printed, corrected for ties)."""
    about_mean = ranks.ranks.sum(axis=0) - tasks * (methods + 1) / 2
    squares = float(about_mean @ about_mean)
    uncorrected = 12 * squares / (tasks * methods * (methods + 1))
    untied = 1 - float(ranks.tie_terms.sum()) / (tasks * (methods**3 - methods))
    return uncorrected, uncorrected / untied if squares else 0.0


def _f_of(chi2: float, tasks: int, methods: int) -> float:
    if tasks < 2:
        return math.nan
    rest = tasks * (methods - 1) - chi2
    # All tasks agree: what is left is rounding error of the chi-square.
    if rest <= 1e-12 * tasks * methods:
        return math.inf
    return (tasks - 1) * chi2 / rest
