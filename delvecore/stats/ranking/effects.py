"""How large are the differences between methods, with intervals: what a p-value does not tell.

For Vargha and Delaney's A, pairs are taken in blocks of a few methods. The values of a block are numbered in
order, and for each method a table says how many of its values lie below each number, so that a pair costs two
look-ups a task and no search."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri, stdtrit

from delvecore.stats.ranking.pair_scan import MOST_EXACT, PairScan, pair_differences, upper_tails
from delvecore.stats.ranking.ranks import task_decimals, without_noise

__all__ = ["EffectSizes", "effect_sizes", "hodges_lehmann", "wilson_interval"]

_METHODS_AT_ONCE = 16


def _blocks(first: np.ndarray, second: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield (places of pairs, the methods they are of, ascending), few methods at a time."""
    block = first // _METHODS_AT_ONCE * (1 << 32) + second // _METHODS_AT_ONCE
    order = np.argsort(block, kind="stable")
    starts = np.flatnonzero(np.diff(block[order])) + 1
    for pairs in np.split(order, starts):
        if len(pairs):
            yield pairs, np.union1d(first[pairs], second[pairs])


def _counts_below(numbers: np.ndarray) -> np.ndarray:
    """Twice how many values of each method lie below each number; one that is equal counts once.

    numbers: shape (methods, tasks). Returns shape (methods, numbers)."""
    methods, count = len(numbers), int(numbers.max()) + 1
    below = np.empty((methods, count), dtype=np.int32)
    for row, own in zip(below, numbers, strict=True):
        here = np.bincount(own, minlength=count)
        np.cumsum(here, out=row)
        row *= 2
        row -= here.astype(np.int32)
    return below


@dataclass(frozen=True, eq=False)
class Interval:
    """Estimates with the ends of their confidence intervals, arrays with one entry a pair."""

    estimate: np.ndarray
    lower: np.ndarray
    upper: np.ndarray


@dataclass(frozen=True, eq=False)
class EffectSizes:
    """Effects for the pairs of a scan, from the values as they are (a less b).

    mean: of the differences, with Student's interval; median, with that of the sign test, infinite where the
    tasks are too few. win_rate: share of tasks where a is better, a tie as one half, with Wilson's interval.
    superiority: Vargha and Delaney's A, the chance that a on one task is better than b on another, ties as
    one half; it means something where the values of the tasks do mean the same."""

    mean: Interval
    median: Interval
    win_rate: Interval
    superiority: Interval


def effect_sizes(scan: PairScan) -> EffectSizes:
    """By how much do methods differ, and how often is one better? Intervals have the confidence of the scan.

    They are not adjusted for the number of pairs."""
    tasks = scan.tasks
    with np.errstate(invalid="ignore"):
        reach = stdtrit(max(tasks - 1, 1), (1 + scan.level) / 2) * scan.deviation / math.sqrt(tasks)
    a_better, _, b_better = scan.wins
    rate = (1 + (a_better - b_better) / tasks) / 2
    return EffectSizes(
        Interval(scan.mean, scan.mean - reach, scan.mean + reach),
        Interval(scan.median, *scan.median_ends),
        Interval(rate, *wilson_interval(rate, tasks, level=scan.level)),
        _superiority(scan),
    )


def wilson_interval(
    share: np.ndarray, count: float | np.ndarray, *, level: float = 0.95
) -> tuple[np.ndarray, np.ndarray]:
    """Between which values does the true share lie? (lower, upper). Source: Wilson 1927."""
    z = float(-ndtri((1 - level) / 2))
    weight = z * z / np.asarray(count, dtype=float)
    middle = (share + weight / 2) / (1 + weight)
    reach = np.sqrt(weight * share * (1 - share) + weight * weight / 4) / (1 + weight)
    # Rounding must not exclude a share of exactly 0 or 1.
    return np.clip(middle - reach, 0.0, share), np.clip(middle + reach, share, 1.0)


def _superiority(scan: PairScan) -> Interval:
    """How probably is a value of a better than one of b, on any two tasks? Equal values count half.

    The variance takes the tasks for a sample and the two values of a task for dependent. Wilson's interval
    has as many tasks as a share of independent ones would need for it. Source: Vargha and Delaney 2000; for
    the variance DeLong and others 1988."""
    table, tasks = scan.table, scan.tasks
    values = without_noise(table.losses, task_decimals(table.values)[:, None]).T
    distinct, numbers = np.unique(values, return_inverse=True)
    numbers = numbers.reshape(values.shape)
    # Sums, and sums of squares, of the difference of two counts, both doubled so that they are whole.
    total, squares = np.zeros((2, len(scan.first)))
    for pairs, methods in _blocks(scan.first, scan.second):
        # Numbers anew, of the values that occur in the block.
        occurs = np.zeros(len(distinct), dtype=bool)
        occurs[numbers[methods].ravel()] = True
        local = (np.cumsum(occurs, dtype=np.int32) - 1)[numbers[methods]]
        below = _counts_below(local)
        for pair in pairs.tolist():
            a, b = np.searchsorted(methods, (scan.first[pair], scan.second[pair]))
            difference = (below[a][local[b]] - below[b][local[a]]).astype(float)
            total[pair] = difference.sum()
            squares[pair] = difference @ difference
    estimate = 0.5 + total / (4 * tasks * tasks)
    mean = total / tasks
    share = estimate * (1 - estimate)
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = (squares - tasks * mean * mean) / np.float64(tasks - 1) / (4 * tasks * tasks) / tasks
        effective = np.where((variance > 0) & (share > 0), share / variance, tasks)
    return Interval(estimate, *wilson_interval(estimate, effective, level=scan.level))


_MOST_TASKS_LISTED = 400
_ROUNDS = 200


def hodges_lehmann(scan: PairScan) -> Interval:
    """By how much does a typical value of a exceed that of b? The estimate that fits Wilcoxon's test.

    The interval holds the shifts that the test at 1 - level would not reject, by its exact distribution up to
    `MOST_EXACT` tasks and the normal one beyond; infinite where the tasks are too few. Source: Hodges and
    Lehmann 1963; Hollander and Wolfe 1999, sections 3.2 and 3.3."""
    tasks = scan.tasks
    means = tasks * (tasks + 1) // 2
    low = _place(tasks, scan.level)
    places = [max(low, 1), (means + 1) // 2, means // 2 + 1, means + 1 - max(low, 1)]
    parts = pair_differences(scan.table, scan.first, scan.second)
    rows = (row for part in parts for row in np.sort(part, axis=1))
    if tasks <= _MOST_TASKS_LISTED:
        found = [_listed(row, places) for row in rows]
    else:
        found = [[_searched(row, place) for place in places] for row in rows]
    lower, left, right, upper = np.array(found, dtype=float).reshape(-1, len(places)).T
    if low == 0:
        lower, upper = np.full(len(lower), -np.inf), np.full(len(upper), np.inf)
    return Interval((left + right) / 2, lower, upper)


def _place(tasks: int, level: float) -> int:
    """Which of the ordered means of two, counted from 1, is the lower end? 0 if none is low enough."""
    half = (1 - level) / 2
    if tasks <= MOST_EXACT:
        tails = upper_tails(tuple(range(2, 2 * tasks + 1, 2)))[::2]
        # P(W <= w) = P(W >= total - w): how many sums w have a tail of at most half the level.
        return int((tails <= half).sum())
    middle = tasks * (tasks + 1) / 4
    error = np.sqrt(middle * (2 * tasks + 1) / 6)
    return max(int(np.floor(middle + float(ndtri(half)) * error)), 0)


def _listed(z: np.ndarray, places: Sequence[int]) -> list[float]:
    rows, columns = np.triu_indices(len(z))
    means = np.sort((z[rows] + z[columns]) / 2)
    return [means[place - 1] for place in places]


def _searched(z: np.ndarray, place: int) -> float:
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
