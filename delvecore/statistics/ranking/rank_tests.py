"""Differences of mean ranks: every pair (Nemenyi), or every method against a control (Bonferroni-Dunn).

Both depend on which other methods are in the table. Source: Demsar 2006, JMLR 7, section 3.2.2.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from delvecore.statistics.adjust import adjust
from delvecore.statistics.ranking.groups import Groups, maximal_runs
from delvecore.statistics.ranking.ranks import TaskRanks
from delvecore.statistics.ranking.studentized_range import range_quantile, range_upper_tail

__all__ = [
    "BonferroniDunn",
    "Nemenyi",
    "bonferroni_dunn",
    "control_difference",
    "critical_difference",
    "nemenyi",
    "pair_places",
]

_NOISE = 1e-9


@dataclass(frozen=True, eq=False)
class Nemenyi:
    """All pairs of mean ranks. first < second: places of methods; p: adjusted for all pairs.

    q: the studentized range at alpha. p_normal: of the difference of two mean ranks alone, not
    adjusted (Demsar's z). groups: runs of methods that span at most the critical difference cd.
    """

    alpha: float
    q: float
    cd: float
    first: np.ndarray
    second: np.ndarray
    difference: np.ndarray
    p: np.ndarray
    p_normal: np.ndarray
    groups: Groups


@dataclass(frozen=True, eq=False)
class BonferroniDunn:
    """Every method against a control; arrays of the table's methods, where the control itself has p = 1.

    p: of the difference of two mean ranks, not adjusted; z, cd: the normal quantile and critical difference
    at alpha / (methods - 1). different: beyond cd. p_holm: by Holm's method, which finds at least as many.
    """

    alpha: float
    control: int
    z: float
    cd: float
    difference: np.ndarray
    p: np.ndarray
    p_bonferroni: np.ndarray
    p_holm: np.ndarray
    different: np.ndarray


def pair_places(methods: int) -> tuple[np.ndarray, np.ndarray]:
    """The places (first, second) of all pairs first < second, in the order 0-1, 0-2, ..., 1-2, ..."""
    return np.triu_indices(methods, 1)


def critical_difference(alpha: float, methods: int, tasks: int) -> float:
    """How far apart must two mean ranks be to differ, by Nemenyi's test at level alpha?

    q / sqrt(2) * sqrt(k (k + 1) / (6 N)), with q of the studentized range with infinite degrees of freedom.
    """
    return range_quantile(alpha, methods) * math.sqrt(0.5) * _rank_error(methods, tasks)


def control_difference(alpha: float, methods: int, tasks: int) -> float:
    """How far from a control must a mean rank be to differ, by Bonferroni and Dunn's test at level alpha?

    The normal quantile at alpha / (2 (k - 1)) times sqrt(k (k + 1) / (6 N)).
    """
    return -float(ndtri(alpha / (2 * (methods - 1)))) * _rank_error(methods, tasks)


def nemenyi(ranks: TaskRanks, *, alpha: float = 0.05) -> Nemenyi:
    """Which methods differ in mean rank from which others? Raises ValueError for fewer than two methods."""
    tasks, methods = ranks.ranks.shape
    average = ranks.average
    first, second = pair_places(methods)
    # From whole numbers, so that equal differences are equal and their p is computed once.
    twice = np.rint(2 * ranks.ranks.sum(axis=0))
    difference = (twice[first] - twice[second]) / (2 * tasks)
    z = np.abs(difference) / _rank_error(methods, tasks)
    cd = critical_difference(alpha, methods, tasks)
    return Nemenyi(
        alpha,
        cd / _rank_error(methods, tasks) * math.sqrt(2.0),
        cd,
        first,
        second,
        difference,
        range_upper_tail(z * math.sqrt(2.0), methods),
        2 * ndtr(-z),
        maximal_runs(average, cd),
    )


def bonferroni_dunn(ranks: TaskRanks, control: int, *, alpha: float = 0.05) -> BonferroniDunn:
    """Which methods differ in mean rank from the control, given by its place?

    A control chosen because it has the best rank is chosen from the data: then the level holds no longer.
    Raises ValueError for fewer than two methods or a level that is not between 0 and 1.
    """
    tasks, methods = ranks.ranks.shape
    if methods < 2 or not 0 < alpha < 1:
        raise ValueError(f"expected two methods and a level between 0 and 1, got {methods} and {alpha}")
    difference = ranks.average - ranks.average[control]
    error = _rank_error(methods, tasks)
    cd = control_difference(alpha, methods, tasks)
    p = 2 * ndtr(-np.abs(difference) / error)
    others = np.arange(methods) != control
    return BonferroniDunn(
        alpha,
        control,
        cd / error,
        cd,
        difference,
        p,
        _adjusted(p, others, "bonferroni"),
        _adjusted(p, others, "holm"),
        others & (np.abs(difference) > cd + _NOISE),
    )


def _adjusted(p, others, method):
    adjusted = np.ones(len(p))
    adjusted[others] = adjust(p[others], method=method)
    return adjusted


def _rank_error(methods, tasks):
    """The standard error of a difference of two mean ranks when all methods are alike."""
    return math.sqrt(methods * (methods + 1) / (6 * tasks))
