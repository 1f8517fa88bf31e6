"""Differences of mean ranks: every pair (Nemenyi), or every method against a control (Bonferroni-Dunn).

Both depend on which other methods are in the table. Source: Demsar 2006, JMLR 7, section 3.2.2.

Groups of methods that a test does not tell apart, as the bars of a diagram.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from delvecore.statistics.adjust import adjust
from delvecore.statistics.ranking.ranks import TaskRanks
from delvecore.statistics.ranking.studentized_range import range_quantile, range_upper_tail

__all__ = [
    "MOST_GROUPS",
    "BonferroniDunn",
    "Groups",
    "Nemenyi",
    "bonferroni_dunn",
    "control_difference",
    "critical_difference",
    "maximal_cliques",
    "maximal_runs",
    "nemenyi",
    "pair_places",
]

MOST_GROUPS = 10_000
_NOISE = 1e-9


@dataclass(frozen=True)
class Groups:
    """Sets of methods, best mean rank first; a method that differs from all others is in none.

    members: for each set the places of its methods in the table. complete: False where there were more sets
    than `MOST_GROUPS` and only those that were found first are here.
    """

    members: tuple[tuple[int, ...], ...]
    complete: bool = True


def maximal_runs(ranks: np.ndarray, reach: float) -> Groups:
    """Which neighbours in the order of mean ranks span no more than the critical difference?

    ranks: mean rank of each method; reach: the critical difference. A run that is part of a longer one, or
    is a single method, is left out.
    """
    order = np.argsort(ranks, kind="stable")
    ordered = ranks[order]
    # A span equal to the critical difference belongs to the run, however it was rounded.
    ends = np.searchsorted(ordered, ordered + (reach + _NOISE), side="right")
    before = np.concatenate([[0], np.maximum.accumulate(ends)[:-1]])
    starts = np.flatnonzero((ends > before) & (ends - np.arange(len(ends)) > 1))
    return Groups(tuple(tuple(order[start : ends[start]].tolist()) for start in starts))


def maximal_cliques(different: np.ndarray, ranks: np.ndarray, *, most: int = MOST_GROUPS) -> Groups:
    """In which sets does no pair differ, such that no further method fits in?

    different: shape (methods, methods), symmetric, whether a pair differs. Sets of one are left out. Unlike
    runs, sets need not be neighbours in the order of ranks. Source: Bron and Kerbosch 1973, with pivots.
    """
    order = np.argsort(ranks, kind="stable").tolist()
    joined = ~np.asarray(different, dtype=bool)[np.ix_(order, order)]
    np.fill_diagonal(joined, False)
    neighbours = [sum(1 << int(other) for other in np.flatnonzero(row)) for row in joined]
    found: list[int] = []
    complete = True
    for clique in _cliques(neighbours):
        if len(found) == most:
            complete = False
            break
        found.append(clique)
    ordered = sorted(_places(clique) for clique in found if clique & (clique - 1))
    return Groups(tuple(tuple(order[place] for place in places) for places in ordered), complete)


def _cliques(neighbours: Sequence[int]) -> Iterator[int]:
    """Yield every maximal clique as a set of bits; bit k stands for node k."""
    stack = [(0, (1 << len(neighbours)) - 1, 0)]
    while stack:
        clique, candidates, excluded = stack.pop()
        if not candidates:
            if not excluded:
                yield clique
            continue
        pivot = max(_places(candidates | excluded), key=lambda n: (candidates & neighbours[n]).bit_count())
        for node in _places(candidates & ~neighbours[pivot]):
            bit = 1 << node
            near = neighbours[node]
            stack.append((clique | bit, candidates & near, excluded & near))
            candidates &= ~bit
            excluded |= bit


def _places(bits: int) -> tuple[int, ...]:
    """Return the places of the bits that are set, ascending."""
    places = []
    while bits:
        lowest = bits & -bits
        places.append(lowest.bit_length() - 1)
        bits ^= lowest
    return tuple(places)


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


def _adjusted(p: np.ndarray, others: np.ndarray, method: str) -> np.ndarray:
    adjusted = np.ones(len(p))
    adjusted[others] = adjust(p[others], method=method)
    return adjusted


def _rank_error(methods: int, tasks: int) -> float:
    """The standard error of a difference of two mean ranks when all methods are alike."""
    return math.sqrt(methods * (methods + 1) / (6 * tasks))
