"""Nemenyi's test of mean ranks by the studentized range, and groups of methods that do not differ.

Its results depend on the other methods in the table. Source: Demsar 2006, JMLR 7, section 3.2.2."""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import numpy as np
from scipy.special import log_ndtr, ndtr, ndtri

from delvecore.parallel.processes import in_threads
from delvecore.stats.ranking.pair_test import NOISE, PairTest
from delvecore.stats.ranking.ranks import TaskRanks

MOST_GROUPS = 10_000
"""Maximum number of groups in a list; a list with more groups is incomplete."""


Groups = tuple[tuple[int, ...], ...]
"""Positions of the methods of each group in the table, best mean rank first.

A method that differs from all others is in no group.
"""


def critical_difference(alpha: float, methods: int, tasks: int, *, spread: float = 1.0) -> float:
    """Critical difference of two mean ranks, by Nemenyi's test at level alpha.

    q / sqrt(2) * sqrt(k (k + 1) / (6 N)), with the quantile q of the studentized range for infinite degrees
    of freedom; spread: see `TaskRanks`, a factor under the second root.

    Examples
    --------
    >>> round(critical_difference(0.05, 4, 14), 2)  # 2.569 sqrt(4 x 5 / (6 x 14)), as in Demsar (2006)
    1.25
    """
    return range_quantile(alpha, methods) * math.sqrt(0.5) * rank_error(methods, tasks, spread)


def nemenyi(ranks: TaskRanks, *, alpha: float = 0.05) -> PairTest:
    """Nemenyi test: which pairs of methods differ in mean rank, by the studentized range?

    Parameters
    ----------
    ranks : TaskRanks
        Ranks within each task, 1 is best.
    alpha : float
        Level of the critical difference.

    Returns
    -------
    PairTest
        All pairs, first < second.

    Raises
    ------
    ValueError
        With fewer than two methods.

    References
    ----------
    Nemenyi (1963); Demsar (2006), JMLR 7, section 3.2.2.

    Examples
    --------
    >>> ranks = np.array([[1.0, 2, 3]] * 5 + [[1, 3, 2], [2, 1, 3]])
    >>> result = nemenyi(TaskRanks(tuple("1234567"), ("a", "b", "c"), ranks, np.zeros(7)))
    >>> round(result.cd, 3), result.p.round(4).tolist()
    (1.253, [0.2441, 0.0038, 0.2441])
    """
    tasks, methods = ranks.ranks.shape
    first, second = np.triu_indices(methods, 1)
    # Rounded sums, so that equal differences are identical and share one computation of p.
    sums = np.round(ranks.ranks.sum(axis=0), 9)
    difference = np.round(sums[first] - sums[second], 9) / tasks
    error = rank_error(methods, tasks, ranks.spread)
    cd = critical_difference(alpha, methods, tasks, spread=ranks.spread)
    z = np.abs(difference) / error
    p, p_normal = range_upper_tail(z * math.sqrt(2.0), methods), 2 * ndtr(-z)
    return PairTest(first, second, difference, p, p_normal, cd, error)


def rank_error(methods: int, tasks: int, spread: float) -> float:
    """The standard error of a difference of two mean ranks if all methods are equivalent."""
    return math.sqrt(spread * methods * (methods + 1) / (6 * tasks))


_STEP = 1 / 8
_LOW, _REACH = -9.0, 10.0
_NOTHING = -60.0
_AT_ONCE = 128
"""Few enough for intermediate results to stay in a processor's cache; neighbors also need the same z."""
_LARGEST_Q = 60.0
_MARGIN = 1e-6
_LEAST = 1e-300
"""Smaller tails lose precision."""
_MOST_STEPS, _ROOT_ERROR = 100, 1e-13
_HALF_LOG_TWO_PI = 0.5 * np.log(2 * np.pi)


def range_upper_tail(q: np.ndarray, methods: int) -> np.ndarray:
    """Upper tail of the studentized range with infinite degrees of freedom.

    Relative error below 1e-9 down to 1e-300. Raises ValueError for fewer than two methods.

    Examples
    --------
    >>> range_upper_tail(np.array([2.7718]), 2).round(4).tolist()  # sqrt(2) x 1.96
    [0.05]
    """
    if methods < 2:
        raise ValueError(f"expected at least 2 methods, got {methods}")
    values, where = np.unique(np.asarray(q, dtype=float), return_inverse=True)
    parts = np.split(values, range(_AT_ONCE, len(values), _AT_ONCE))
    tails = np.concatenate(list(in_threads(lambda part: _tails(part, methods), parts)))
    return tails[where].reshape(np.shape(q))


def range_quantile(alpha: float, methods: int) -> float:
    """Quantile of the studentized range: the range with tail probability alpha.

    Raises ValueError unless 0 < alpha < 1, and for fewer than two methods.

    Examples
    --------
    >>> round(range_quantile(0.05, 3), 3)
    3.314
    """
    if methods < 2:
        raise ValueError(f"expected at least 2 methods, got {methods}")
    if not 0 < alpha < 1:
        raise ValueError(f"expected a level between 0 and 1, got {alpha}")
    alpha = max(alpha, _LEAST)

    def excess(q: float) -> float:
        # The logarithm of the tail is nearly a parabola: few steps are enough.
        return math.log(_tails(np.array([q]), methods)[0]) - math.log(alpha)

    # The range exceeds q at least as often as one pair, and at most as often as all pairs together.
    low, high = (-math.sqrt(2.0) * float(ndtri(alpha / (2 * pairs))) for pairs in (1, math.comb(methods, 2)))
    return _root(excess, max(low - _MARGIN, 0.0), min(high + _MARGIN, _LARGEST_Q))


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Return the zero of a decreasing function between two points, by the Illinois variant of regula falsi.

    SciPy's root finders take half a second to import.
    """
    above, below, stayed = falling(low), falling(high), 0
    middle = low
    for _ in range(_MOST_STEPS):
        before, middle = middle, (low * below - high * above) / (below - above)
        value = falling(middle)
        if value == 0 or abs(middle - before) <= _ROOT_ERROR:
            break
        if value > 0:
            below, stayed = below / 2 if stayed > 0 else below, 1
            low, above = middle, value
        else:
            above, stayed = above / 2 if stayed < 0 else above, -1
            high, below = middle, value
    return middle


def _tails(q: np.ndarray, methods: int) -> np.ndarray:
    # Ranges of size q mostly come from numbers between -q/2 and q/2.
    z = np.arange(_LOW, float(q.max(initial=0.0)) / 2 + _REACH, _STEP)
    # The probability of such a low maximum of many numbers is below the last digit.
    z = z[(methods - 1) * log_ndtr(z) > _NOTHING]
    weight = np.exp(-0.5 * z * z - _HALF_LOG_TWO_PI + (methods - 1) * log_ndtr(z)) * (methods * _STEP)
    shares = np.minimum(ndtr(z - q[:, None]) / ndtr(z), 1.0)
    with np.errstate(divide="ignore"):
        inside = -np.expm1((methods - 1.0) * np.log1p(-shares))
    tails: np.ndarray = np.clip(inside @ weight, 0.0, 1.0)
    return tails


def maximal_runs(ranks: np.ndarray, reach: float) -> Groups:
    """Homogeneous groups of Nemenyi's test: neighbors whose mean ranks span at most the critical difference.

    ranks: mean rank of each method; reach: the critical difference. Runs inside a longer run, and single
    methods, are omitted.

    Examples
    --------
    >>> maximal_runs(np.array([1.0, 1.5, 3.0]), 1.0)
    ((0, 1),)
    """
    order = np.argsort(ranks, kind="stable")
    ordered = ranks[order]
    # A span equal to the critical difference belongs to the run, regardless of rounding.
    ends = np.searchsorted(ordered, ordered + (reach + NOISE), side="right")
    before = np.concatenate([[0], np.maximum.accumulate(ends)[:-1]])
    starts = np.flatnonzero((ends > before) & (ends - np.arange(len(ends)) > 1))
    return tuple(tuple(order[start : ends[start]].tolist()) for start in starts)


def maximal_cliques(different: np.ndarray, ranks: np.ndarray) -> Groups:
    """Maximal cliques: largest sets of methods without a significant pair.

    different: symmetric array of shape (methods, methods), whether a pair differs. Sets of one method are
    omitted, and so are sets beyond `MOST_GROUPS` + 1. Unlike runs, sets need not be neighbors in the order of
    ranks. Source: Bron and Kerbosch 1973, with pivots.

    Examples
    --------
    >>> different = np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool)
    >>> maximal_cliques(different, np.array([1.0, 2.0, 3.0]))
    ((0, 1), (1, 2))
    """
    order = np.argsort(ranks, kind="stable").tolist()
    joined = ~np.asarray(different, dtype=bool)[np.ix_(order, order)]
    np.fill_diagonal(joined, False)
    neighbors = [sum(1 << int(other) for other in np.flatnonzero(row)) for row in joined]
    several = (clique for clique in _cliques(neighbors) if clique & (clique - 1))
    ordered = sorted(map(_places, islice(several, MOST_GROUPS + 1)))
    return tuple(tuple(order[place] for place in places) for places in ordered)


def _cliques(neighbors: Sequence[int]) -> Iterator[int]:
    """Yield every maximal clique as a set of bits; bit k is node k."""
    stack = [(0, (1 << len(neighbors)) - 1, 0)]
    while stack:
        clique, candidates, excluded = stack.pop()
        if not candidates:
            if not excluded:
                yield clique
            continue
        pivot = max(_places(candidates | excluded), key=lambda n: (candidates & neighbors[n]).bit_count())
        for node in _places(candidates & ~neighbors[pivot]):
            bit = 1 << node
            near = neighbors[node]
            stack.append((clique | bit, candidates & near, excluded & near))
            candidates &= ~bit
            excluded |= bit


def _places(bits: int) -> tuple[int, ...]:
    """Return the positions of the set bits, ascending."""
    places = []
    while bits:
        lowest = bits & -bits
        places.append(lowest.bit_length() - 1)
        bits ^= lowest
    return tuple(places)
