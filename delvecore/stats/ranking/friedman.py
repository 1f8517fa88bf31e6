"""Friedman and Iman-Davenport tests: do methods differ in mean rank?

The exact distribution of Friedman's statistic, given the ties, comes from adding one task after another.
Under the hypothesis each task assigns its ranks to the methods at random. The statistic depends on the rank
sums but not on their order, so sorted sums are the states.
"""

import functools
import itertools
import math
from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc, fdtrc

from delvecore.stats.ranking.ranks import TaskRanks

MOST_TASKS = {2: 1000, 3: 120, 4: 30, 5: 10, 6: 5}
"""Maximum number of tasks for the exact distribution, by number of methods."""


def exact_upper_tail(ranks: np.ndarray) -> float | None:
    """Exact p of Friedman's statistic: probability of a value at least as large as for these ranks.

    ranks: shape (tasks, methods). None beyond `MOST_TASKS`, and for mean ranks that are not multiples of one
    half. Ranks are doubled, to count in whole numbers.

    Examples
    --------
    >>> exact_upper_tail(np.array([[1, 2, 3]] * 3))  # 6 of 216 orders agree on all three tasks
    0.027777777777777776
    """
    tasks, methods = ranks.shape
    if tasks > MOST_TASKS.get(methods, 0) or (np.rint(2 * ranks) != 2 * ranks).any():
        return None
    doubled = np.rint(2 * ranks).astype(np.int64)
    states: np.ndarray = np.zeros((1, methods), np.int64)
    chances: np.ndarray = np.ones(1)
    # Sort tasks, so that equal patterns of ties are adjacent.
    for pattern in sorted(tuple(sorted(row)) for row in doubled.tolist()):
        orders = _orders(pattern)
        sums = np.sort((states[:, None, :] + orders).reshape(-1, methods), axis=1)
        codes = sums @ ((int(sums.max()) + 1) ** np.arange(methods, dtype=np.int64))
        _, first, where = np.unique(codes, return_index=True, return_inverse=True)
        spread = np.repeat(chances / len(orders), len(orders))
        states, chances = sums[first], np.bincount(where, weights=spread)
    observed = np.square(doubled.sum(axis=0)).sum()
    reached = np.square(states).sum(axis=1) >= observed
    return min(float(chances[reached].sum()), 1.0)


@functools.lru_cache(maxsize=64)
def _orders(pattern: tuple[int, ...]) -> np.ndarray:
    """Return every distinct order of a task's ranks; all are equally probable."""
    return np.array(sorted(set(itertools.permutations(pattern))), dtype=np.int64)


@dataclass(frozen=True)
class OmnibusTest:
    """Test of whether any methods differ.

    Attributes
    ----------
    statistic : float
        Chi-square, or F with a second number of degrees of freedom; corrected for ties.
    df, df2 : int, int or None
        Degrees of freedom.
    p : float
        Upper tail of the statistic; NaN for an infinite F.
    tasks : int
        Number of tasks in the test.
    uncorrected, p_uncorrected : float or None
        The same without the correction for ties.
    exact_p : float or None
        Probability of at least this Friedman statistic if each task assigns its ranks, ties included, to the
        methods at random. None if that takes too long to compute (see `MOST_TASKS`).
    """

    statistic: float
    df: int
    p: float
    tasks: int
    df2: int | None = None
    uncorrected: float | None = None
    p_uncorrected: float | None = None
    exact_p: float | None = None


def friedman(ranks: TaskRanks) -> OmnibusTest:
    """Friedman test: do k methods differ in mean rank over n tasks?

    Parameters
    ----------
    ranks : TaskRanks
        Ranks within each task, 1 is best; ties share their mean rank.

    Returns
    -------
    OmnibusTest
        Chi-square corrected for ties, and Friedman's original one. Chi-square is 0 and p is 1 if all values
        of all tasks are tied.

    Raises
    ------
    ValueError
        With fewer than two methods.

    References
    ----------
    Friedman (1937); the correction for ties as in Conover (1999), section 5.8.

    Examples
    --------
    >>> ranks = np.array([[1.0, 2, 3]] * 5 + [[1, 3, 2], [2, 1, 3]])
    >>> result = friedman(TaskRanks(tuple("1234567"), ("a", "b", "c"), ranks, np.zeros(7)))
    >>> round(result.statistic, 3), round(result.p, 4)
    (10.286, 0.0058)
    """
    uncorrected, corrected = _chi_squares(ranks)
    df = len(ranks.methods) - 1
    p, p_uncorrected = (float(chdtrc(df, chi2)) for chi2 in (corrected, uncorrected))
    return OmnibusTest(
        corrected,
        df,
        p,
        len(ranks.ranks),
        uncorrected=uncorrected,
        p_uncorrected=p_uncorrected,
        exact_p=exact_upper_tail(ranks.ranks),
    )


def iman_davenport(ranks: TaskRanks) -> OmnibusTest:
    """Iman-Davenport test: do methods differ in mean rank? Less conservative than Friedman's chi-square.

    F = (N - 1) chi2 / (N (k - 1) - chi2) with k - 1 and (k - 1)(N - 1) degrees of freedom. F is infinite and
    p is NaN if all tasks have the same ranks; Friedman's test has the exact p. One task permits no test: F
    and p are NaN.

    Parameters
    ----------
    ranks : TaskRanks
        Ranks within each task, 1 is best.

    Returns
    -------
    OmnibusTest
        F and p from the chi-square corrected for ties, and from the uncorrected one.

    Raises
    ------
    ValueError
        With fewer than two methods.

    References
    ----------
    Iman and Davenport (1980).

    Examples
    --------
    >>> ranks = np.array([[1.0, 2, 3]] * 5 + [[1, 3, 2], [2, 1, 3]])
    >>> result = iman_davenport(TaskRanks(tuple("1234567"), ("a", "b", "c"), ranks, np.zeros(7)))
    >>> round(result.statistic, 2), result.df, result.df2
    (16.62, 2, 12)
    """
    uncorrected, corrected = _chi_squares(ranks)
    tasks, methods = ranks.ranks.shape
    df1, df2 = methods - 1, (methods - 1) * (tasks - 1)

    def f_of(chi2: float) -> float:
        if tasks < 2:
            return math.nan
        rest = tasks * (methods - 1) - chi2
        # If all tasks agree, the remainder is rounding error of the chi-square.
        return math.inf if rest <= 1e-12 * tasks * methods else (tasks - 1) * chi2 / rest

    f, f_uncorrected = f_of(corrected), f_of(uncorrected)
    p, p_uncorrected = (f_tail(one, df1, df2) for one in (f, f_uncorrected))
    return OmnibusTest(f, df1, p, tasks, df2, f_uncorrected, p_uncorrected)


def f_tail(f: float, df1: int, df2: int) -> float:
    """Return the upper tail of F; NaN if F is NaN or infinite."""
    return float(fdtrc(df1, df2, f)) if df2 and math.isfinite(f) else math.nan


def _chi_squares(ranks: TaskRanks) -> tuple[float, float]:
    """Return Friedman's chi-square (as printed, corrected for ties)."""
    tasks, methods = ranks.ranks.shape
    if methods < 2:
        raise ValueError(f"expected at least 2 methods, got {methods}")
    about_mean = ranks.ranks.sum(axis=0) - tasks * (methods + 1) / 2
    squares = float(about_mean @ about_mean)
    uncorrected = 12 * squares / (tasks * methods * (methods + 1))
    untied = 1 - float(ranks.tie_terms.sum()) / (tasks * (methods**3 - methods))
    return uncorrected, uncorrected / untied if squares else 0.0
