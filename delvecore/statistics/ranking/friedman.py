"""Do the methods differ at all? Friedman's test and Iman and Davenport's, from ranks."""

import math
from dataclasses import dataclass

from scipy.special import chdtrc, fdtrc

from delvecore.statistics.ranking.friedman_exact import exact_upper_tail
from delvecore.statistics.ranking.ranks import TaskRanks

__all__ = ["Friedman", "ImanDavenport", "friedman", "iman_davenport"]


@dataclass(frozen=True)
class Friedman:
    """chi2: corrected for ties; chi2_uncorrected: Friedman's own formula; df, p: of the corrected one.

    exact_p: the probability of at least this chi2 when each task's ranks, ties included, fall to the methods
    by chance; None where that is too much to compute (see `friedman_exact.MOST_TASKS`).
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


def _shape(ranks):
    tasks, methods = ranks.ranks.shape
    if methods < 2:
        raise ValueError(f"expected at least 2 methods, got {methods}")
    return tasks, methods


def _chi_squares(ranks, tasks, methods):
    """Return Friedman's chi-square (as printed, corrected for ties)."""
    about_mean = ranks.ranks.sum(axis=0) - tasks * (methods + 1) / 2
    squares = float(about_mean @ about_mean)
    uncorrected = 12 * squares / (tasks * methods * (methods + 1))
    untied = 1 - float(ranks.tie_terms.sum()) / (tasks * (methods**3 - methods))
    return uncorrected, uncorrected / untied if squares else 0.0


def _f_of(chi2, tasks, methods):
    if tasks < 2:
        return math.nan
    rest = tasks * (methods - 1) - chi2
    # All tasks agree: what is left is rounding error of the chi-square.
    if rest <= 1e-12 * tasks * methods:
        return math.inf
    return (tasks - 1) * chi2 / rest
