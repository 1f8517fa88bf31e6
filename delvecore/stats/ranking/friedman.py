"""Do the methods differ at all? By ranks (Friedman, Iman and Davenport), and by more of the values.

The exact distribution of Friedman's statistic, given the ties, comes by adding one task after another. Under
the hypothesis each task deals its ranks to the methods by chance. What matters is only the sums of ranks
without regard to which method has which, so that sorted sums are the states."""

import functools
import itertools
import math
from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc, fdtrc

from delvecore.stats.ranking.ranks import TaskRanks, rank_rows, task_decimals, task_ranks, without_noise
from delvecore.stats.ranking.score_table import ScoreTable

MOST_TASKS = {2: 1000, 3: 120, 4: 30, 5: 10, 6: 5}
"""Up to how many tasks, for each number of methods, the distribution is computed."""


def exact_upper_tail(ranks: np.ndarray) -> float | None:
    """Exact distribution of Friedman's statistic: how probable is one at least as large as of these ranks?

    ranks: shape (tasks, methods). None beyond `MOST_TASKS`, and for means of ranks that are no halves.
    Counted in whole numbers: ranks are doubled.

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
    # Sorted tasks, so that equal patterns of ties follow each other.
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
    """Return every distinct order of a task's ranks, all equally probable."""
    return np.array(sorted(set(itertools.permutations(pattern))), dtype=np.int64)


@dataclass(frozen=True)
class ChiSquareTest:
    chi2: float
    df: int
    p: float


@dataclass(frozen=True)
class FTest:
    """f with df1 and df2 degrees of freedom; infinite with p = 0 where all tasks rank alike."""

    f: float
    df1: int
    df2: int
    p: float


@dataclass(frozen=True)
class Friedman(ChiSquareTest):
    """chi2: corrected for ties; chi2_uncorrected: Friedman's own formula; df, p: of the corrected one.

    exact_p: the probability of at least this chi2 when each task's ranks, ties included, fall to the methods
    by chance; None where that is too much to compute (see `MOST_TASKS`)."""

    chi2_uncorrected: float
    p_uncorrected: float
    exact_p: float | None


@dataclass(frozen=True)
class ImanDavenport(FTest):
    """f, p: from the chi-square corrected for ties; f_uncorrected, p_uncorrected: from the other."""

    f_uncorrected: float
    p_uncorrected: float


def friedman(ranks: TaskRanks) -> Friedman:
    """Friedman test: do k methods differ in mean rank over n tasks?

    Parameters
    ----------
    ranks : TaskRanks
        Ranks within each task, 1 is best; ties share their mean rank.

    Returns
    -------
    Friedman
        Chi-square corrected for ties, and p from it; Friedman's own chi-square; the exact p where it can be
        computed. Where all values of all tasks are tied, chi-square is 0 and p 1.

    Raises
    ------
    ValueError
        With fewer than two methods.

    References
    ----------
    Friedman (1937); the correction for ties as in Conover (1999), section 5.8.

    Examples
    --------
    >>> values = np.array([[1, 2, 3]] * 5 + [[1, 3, 2], [2, 1, 3]])
    >>> found = friedman(task_ranks(ScoreTable(tuple("1234567"), ("a", "b", "c"), values)))
    >>> round(found.chi2, 3), round(found.p, 4)
    (10.286, 0.0058)
    """
    uncorrected, corrected = _chi_squares(ranks)
    df = len(ranks.methods) - 1
    p, p_uncorrected = (float(chdtrc(df, chi2)) for chi2 in (corrected, uncorrected))
    return Friedman(corrected, df, p, uncorrected, p_uncorrected, exact_p=exact_upper_tail(ranks.ranks))


def iman_davenport(ranks: TaskRanks) -> ImanDavenport:
    """Iman-Davenport test: do methods differ in mean rank? Less conservative than Friedman's chi-square.

    F = (N - 1) chi2 / (N (k - 1) - chi2) with k - 1 and (k - 1)(N - 1) degrees of freedom; infinite, with
    p = 0, where all tasks rank alike. With one task there is no test: F and p are not a number.

    Parameters
    ----------
    ranks : TaskRanks
        Ranks within each task, 1 is best.

    Returns
    -------
    ImanDavenport
        F and p from the chi-square corrected for ties, and from the other.

    Raises
    ------
    ValueError
        With fewer than two methods.

    References
    ----------
    Iman and Davenport (1980).

    Examples
    --------
    >>> values = np.array([[1, 2, 3]] * 5 + [[1, 3, 2], [2, 1, 3]])
    >>> found = iman_davenport(task_ranks(ScoreTable(tuple("1234567"), ("a", "b", "c"), values)))
    >>> round(found.f, 2), found.df1, found.df2
    (16.62, 2, 12)
    """
    uncorrected, corrected = _chi_squares(ranks)
    tasks, methods = ranks.ranks.shape
    df1, df2 = methods - 1, (methods - 1) * (tasks - 1)
    f, f_uncorrected = (_f_of(chi2, tasks, methods) for chi2 in (corrected, uncorrected))
    p, p_uncorrected = (float(fdtrc(df1, df2, one)) if df2 else math.nan for one in (f, f_uncorrected))
    return ImanDavenport(f, df1, df2, p, f_uncorrected=f_uncorrected, p_uncorrected=p_uncorrected)


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


def _f_of(chi2: float, tasks: int, methods: int) -> float:
    if tasks < 2:
        return math.nan
    rest = tasks * (methods - 1) - chi2
    # All tasks agree: what is left is rounding error of the chi-square.
    if rest <= 1e-12 * tasks * methods:
        return math.inf
    return (tasks - 1) * chi2 / rest


@dataclass(frozen=True)
class SkillingsMack(ChiSquareTest):
    """chi2: corrected for ties; df: methods less groups of methods that no task compares.

    tasks: how many have values of two methods at least, and so count."""

    chi2_uncorrected: float
    tasks: int


def quade(table: ScoreTable) -> FTest:
    """Quade test: do methods differ, when tasks weigh by the range of their values, which must be comparable?

    Parameters
    ----------
    table : ScoreTable
        Complete; two tasks or more, two methods or more.

    Returns
    -------
    FTest
        Where no task tells methods apart, f is 0 and p 1.

    Raises
    ------
    ValueError
        For missing values, one task or one method.

    References
    ----------
    Quade (1979); Conover (1999), section 5.8.

    Examples
    --------
    >>> values = np.array([[1, 2, 3]] * 5 + [[1, 3, 2], [2, 1, 3]])
    >>> found = quade(ScoreTable(tuple("1234567"), ("a", "b", "c"), values))
    >>> round(found.f, 2), round(found.p, 4)
    (16.62, 0.0003)
    """
    tasks, methods = _shape(table)
    ranks = task_ranks(table).ranks
    decimals = task_decimals(table.values)
    ranges = without_noise(np.ptp(table.values, axis=1), decimals)
    weights = rank_rows(ranges[None, :])[0][0]
    scores = weights[:, None] * (ranks - (methods + 1) / 2)
    every = float(np.square(scores).sum())
    between = float(np.square(scores.sum(axis=0)).sum()) / tasks
    df1, df2 = methods - 1, (methods - 1) * (tasks - 1)
    f = math.inf if every else 0.0
    if every - between > 1e-12 * every:
        f = (tasks - 1) * between / (every - between)
    return FTest(f, df1, df2, float(fdtrc(df1, df2, f)))


def aligned_ranks(table: ScoreTable) -> ChiSquareTest:
    """Aligned-ranks test of Hodges and Lehmann: do methods differ, when all values are ranked together?

    Each task's mean is subtracted first. The values of the tasks must be comparable.

    Parameters
    ----------
    table : ScoreTable
        Complete; two tasks or more, two methods or more.

    Returns
    -------
    ChiSquareTest
        Without any difference chi2 is 0 and p 1.

    Raises
    ------
    ValueError
        For missing values, one task or one method.

    References
    ----------
    Hodges and Lehmann (1962); Garcia and others (2010), Information Sciences 180, section 3.1.

    Examples
    --------
    >>> values = np.array([[1, 2, 3], [11, 12, 13], [5, 6, 7]])
    >>> found = aligned_ranks(ScoreTable(("t", "u", "v"), ("a", "b", "c"), values))
    >>> round(found.chi2, 3), found.df
    (5.4, 2)
    """
    tasks, methods = _shape(table)
    losses = without_noise(table.losses, task_decimals(table.values)[:, None])
    # Times the number of methods, values less their mean are sums of decimals, and tie as they should.
    about_mean = losses * methods - losses.sum(axis=1, keepdims=True)
    about_mean = without_noise(about_mean, task_decimals(table.values)[:, None])
    ranks = rank_rows(about_mean.reshape(1, -1))[0].reshape(tasks, methods)
    count = tasks * methods
    about_middle = ranks.sum(axis=0) - tasks * (count + 1) / 2
    spread = count * (count + 1) * (2 * count + 1) / 6 - np.square(ranks.sum(axis=1)).sum() / methods
    between = float(about_middle @ about_middle)
    chi2 = float((methods - 1) * between / spread) if between else 0.0
    return ChiSquareTest(chi2, methods - 1, float(chdtrc(methods - 1, chi2)))


def skillings_mack(table: ScoreTable) -> SkillingsMack:
    """Skillings-Mack test: do methods differ, by all values that there are, when some are missing?

    A task counts with the methods that have a value; values must be missing for reasons that have nothing to
    do with how good they would have been. On a table without gaps this is Friedman's test.

    Parameters
    ----------
    table : ScoreTable
        Values that are not a number are missing.

    Returns
    -------
    SkillingsMack
        Chi-square with and without the correction for ties, degrees of freedom, p, and how many tasks count.

    Raises
    ------
    ValueError
        Where no task has two values.

    References
    ----------
    Skillings and Mack (1981); ties as in Friedman's test.

    Examples
    --------
    >>> values = np.array([[1, 2, 3]] * 5 + [[1, 3, 2], [2, 1, np.nan]])
    >>> skillings_mack(ScoreTable(tuple("1234567"), ("a", "b", "c"), values)).tasks
    7
    """
    present = ~np.isnan(table.values)
    counted = present.sum(axis=1) > 1
    if not counted.any():
        raise ValueError("expected a task with values of two methods, got none")
    present, values = present[counted], table.losses[counted]
    values = without_noise(values, task_decimals(table.values[counted])[:, None])
    ranks, ties = rank_rows(np.where(present, values, np.inf))
    size = present.sum(axis=1)
    gaps = present.shape[1] - size
    untied = 1 - (ties - (gaps**3 - gaps)) / (size**3 - size)
    weighted = np.where(present, ranks - (size[:, None] + 1) / 2, 0.0) * np.sqrt(12 / (size[:, None] + 1))
    total = weighted.sum(axis=0)
    chi2, df = _quadratic(total, present, untied)
    uncorrected, _ = _quadratic(total, present, np.ones(len(size)))
    p = float(chdtrc(df, chi2)) if df else 1.0
    return SkillingsMack(chi2, df, p, uncorrected, int(counted.sum()))


def _quadratic(total: np.ndarray, present: np.ndarray, untied: np.ndarray) -> tuple[float, int]:
    """Return total' covariance^- total and the rank of the covariance."""
    shown = present.astype(float)
    covariance = -(shown.T * untied) @ shown
    np.fill_diagonal(covariance, 0.0)
    np.fill_diagonal(covariance, -covariance.sum(axis=1))
    values, vectors = np.linalg.eigh(covariance)
    kept = values > 1e-9 * max(values[-1], 1.0)
    return float((np.square(vectors[:, kept].T @ total) / values[kept]).sum()), int(kept.sum())


def _shape(table: ScoreTable) -> tuple[int, int]:
    tasks, methods = table.values.shape
    if table.missing or min(tasks, methods) < 2:
        found = f"{tasks} tasks, {methods} methods and {table.missing} missing values"
        raise ValueError(f"expected two tasks and methods at least and no gaps, got {found}")
    return tasks, methods
