"""Vargha and Delaney's A for many pairs: how probably a value of one method beats one of the other.

Pairs are taken in blocks of a few methods. The values of a block are numbered in order, and for each method a
table says how many of its values lie below each number, so that a pair costs two look-ups a task and no
search.
"""

from collections.abc import Iterator

import numpy as np

from delvecore.statistics.ranking.rounding_noise import task_decimals, without_noise
from delvecore.statistics.ranking.score_table import ScoreTable

__all__ = ["superiority"]

_METHODS_AT_ONCE = 16


def superiority(table: ScoreTable, first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How probably is a value of a better than one of b, on any two tasks? (estimate, variance) by pair.

    first, second: places of a and b. Equal values count half. The variance takes the tasks for a sample and
    the two values of a task for dependent; it is not a number for one task. Source: Vargha and Delaney 2000;
    DeLong and others 1988 for the variance.
    """
    tasks = len(table.tasks)
    values = without_noise(table.losses, task_decimals(table.values)[:, None]).T
    distinct, numbers = np.unique(values, return_inverse=True)
    numbers = numbers.reshape(values.shape)
    # Sums, and sums of squares, of the difference of two counts, both doubled so that they are whole.
    total, squares = np.zeros(len(first)), np.zeros(len(first))
    for pairs, methods in _blocks(first, second):
        local = _renumbered(numbers[methods], len(distinct))
        below = _counts_below(local)
        for pair in pairs.tolist():
            a, b = np.searchsorted(methods, (first[pair], second[pair]))
            difference = (below[a][local[b]] - below[b][local[a]]).astype(float)
            total[pair] = difference.sum()
            squares[pair] = difference @ difference
    estimate = 0.5 + total / (4 * tasks * tasks)
    mean = total / tasks
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = (squares - tasks * mean * mean) / np.float64(tasks - 1) / (4 * tasks * tasks) / tasks
    return estimate, np.maximum(variance, 0.0)


def _blocks(first: np.ndarray, second: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield (places of pairs, the methods they are of, ascending), few methods at a time."""
    block = first // _METHODS_AT_ONCE * (1 << 32) + second // _METHODS_AT_ONCE
    order = np.argsort(block, kind="stable")
    starts = np.flatnonzero(np.diff(block[order])) + 1
    for pairs in np.split(order, starts):
        if len(pairs):
            yield pairs, np.union1d(first[pairs], second[pairs])


def _renumbered(numbers: np.ndarray, count: int) -> np.ndarray:
    """Return the numbers replaced by their places among those that occur."""
    occurs = np.zeros(count, dtype=bool)
    occurs[numbers.ravel()] = True
    return (np.cumsum(occurs, dtype=np.int32) - 1)[numbers]


def _counts_below(numbers: np.ndarray) -> np.ndarray:
    """Twice how many values of each method lie below each number; one that is equal counts once.

    numbers: shape (methods, tasks). Returns shape (methods, numbers).
    """
    methods, count = len(numbers), int(numbers.max()) + 1
    below = np.empty((methods, count), dtype=np.int32)
    for row, own in zip(below, numbers, strict=True):
        here = np.bincount(own, minlength=count)
        np.cumsum(here, out=row)
        row *= 2
        row -= here.astype(np.int32)
    return below
