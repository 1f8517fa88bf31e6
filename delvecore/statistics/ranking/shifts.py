"""The typical difference of two methods: Hodges and Lehmann's, the median of the means of two differences."""

import numpy as np
from scipy.special import ndtri

from delvecore.statistics.ranking.effects import Interval
from delvecore.statistics.ranking.pair_scan import PairChunks
from delvecore.statistics.ranking.score_table import ScoreTable
from delvecore.statistics.ranking.signed_rank_exact import MOST_EXACT, upper_tails

__all__ = ["hodges_lehmann"]

_MOST_TASKS_LISTED = 400
_ROUNDS = 200


def hodges_lehmann(
    table: ScoreTable, *, level: float = 0.95, pairs: tuple[np.ndarray, np.ndarray] | None = None
) -> Interval:
    """By how much does a typical value of a exceed that of b? The estimate that fits Wilcoxon's test.

    The interval holds the shifts that the test at 1 - level would not reject, by its exact distribution up to
    `MOST_EXACT` tasks and the normal one beyond; infinite where the tasks are too few. Raises ValueError for
    missing values. Source: Hodges and Lehmann 1963; Hollander and Wolfe 1999, sections 3.2 and 3.3.
    """
    chunks = PairChunks(table, pairs)
    tasks = len(table.tasks)
    means = tasks * (tasks + 1) // 2
    low = _place(tasks, level)
    places = [max(low, 1), (means + 1) // 2, means // 2 + 1, means + 1 - max(low, 1)]
    find = _listed if tasks <= _MOST_TASKS_LISTED else _searched
    found = [find(row, places) for part in chunks.differences() for row in np.sort(part, axis=1)]
    lower, left, right, upper = np.array(found, dtype=float).reshape(-1, len(places)).T
    if low == 0:
        lower, upper = np.full(len(lower), -np.inf), np.full(len(upper), np.inf)
    return Interval((left + right) / 2, lower, upper)


def _place(tasks, level):
    """Which of the ordered means of two, counted from 1, is the lower end? 0 if none is low enough."""
    half = (1 - level) / 2
    if tasks <= MOST_EXACT:
        tails = upper_tails(tuple(range(2, 2 * tasks + 1, 2)))[::2]
        # P(W <= w) = P(W >= total - w): how many sums w have a tail of at most half the level.
        return int((tails <= half).sum())
    middle = tasks * (tasks + 1) / 4
    error = np.sqrt(middle * (2 * tasks + 1) / 6)
    return max(int(np.floor(middle + float(ndtri(half)) * error)), 0)


def _listed(z, places):
    rows, columns = np.triu_indices(len(z))
    means = np.sort((z[rows] + z[columns]) / 2)
    return [means[place - 1] for place in places]


def _searched(z, places):
    return [_searched_one(z, place) for place in places]


def _searched_one(z, place):
    """Bisect for the least value that so many means of two do not exceed."""
    low, high = z[0], z[-1]
    itself = np.arange(len(z))
    for _ in range(_ROUNDS):
        middle = low + (high - low) / 2
        if not low < middle < high:
            break
        partners = np.searchsorted(z, 2 * middle - z, side="right")
        if np.maximum(partners - itself, 0).sum() >= place:
            high = middle
        else:
            low = middle
    return high
