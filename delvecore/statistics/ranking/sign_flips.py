"""Sign-flip tests of all pairs: would a mean difference be as large if each unit's sign were chance?

Nothing is assumed of the differences but that they are symmetric about zero where two methods are alike. What
is flipped is a unit, with all of its tasks, so that tasks of one dataset are not taken for independent."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from delvecore.statistics.ranking.pair_scan import PairScan, pair_differences

__all__ = ["SignFlips", "sign_flips"]

MOST_EXACT = 12
"""Up to so many units all signs are gone through: one of each two that are each other's opposite."""
DRAWS = 10_000
_AT_ONCE = 1 << 18
_NOISE = 1e-9


@dataclass(frozen=True, eq=False)
class SignFlips:
    """Arrays with one entry for each pair first < second of a scan.

    p: of the pair alone, two-sided. p_all: adjusted for all pairs by the largest of their statistics, step by
    step, which holds the probability of any error; it allows for how the pairs depend on each other. exact:
    from all signs, or else from `flips` draws, so that no p is below 1 / (flips + 1)."""

    exact: bool
    flips: int
    first: np.ndarray
    second: np.ndarray
    p: np.ndarray
    p_all: np.ndarray


def sign_flips(scan: PairScan, *, draws: int = DRAWS, seed: int = 0) -> SignFlips:
    """Is the mean difference of a pair further from zero than with signs by chance?

    The statistic of a pair is the sum of its differences over the root of the sum of their squares, which no
    flip changes. Exact up to `MOST_EXACT` units; beyond, the same seed gives the same result. Without any
    difference p is 1. Source: Fisher 1935; Westfall and Young 1993, algorithm 2.8 (largest statistics)."""
    units = scan.tasks
    exact = units <= MOST_EXACT
    differences = np.concatenate(list(pair_differences(scan.table, scan.first, scan.second)))
    scale = np.sqrt(np.square(differences).sum(axis=1))
    scale = np.where(scale > 0, scale, np.inf)
    observed = np.abs(scan.mean) * units / scale
    order = np.argsort(observed, kind="stable")
    ascending = observed[order] * (1 - _NOISE)
    of_units = np.ascontiguousarray((differences / scale[:, None])[order].T)
    alone, largest = np.zeros((2, len(order)), dtype=np.int64)
    rows = max(1, _AT_ONCE // max(len(order), 1))
    flips = 0
    for signs in _all_signs(units, rows) if exact else _drawn_signs(units, rows, draws, seed):
        found = signs @ of_units
        np.abs(found, out=found)
        alone += (found >= ascending).sum(axis=0)
        # The largest statistic of a pair and of all whose observed ones are smaller.
        np.maximum.accumulate(found, axis=1, out=found)
        largest += (found >= ascending).sum(axis=0)
        flips += len(signs)
    # Signs as they were observed are one of the draws.
    one = 0 if exact else 1
    p, p_all = (np.empty(len(order)) for _ in range(2))
    p[order] = (alone + one) / (flips + one)
    p_all[order] = np.maximum.accumulate(((largest + one) / (flips + one))[::-1])[::-1]
    return SignFlips(exact, flips, scan.first, scan.second, p=p, p_all=p_all)


def _all_signs(units: int, rows: int) -> Iterator[np.ndarray]:
    """Yield rows of signs of which the first is positive: their opposites have the same statistics."""
    for start in range(0, 1 << (units - 1), rows):
        numbers = np.arange(start, min(start + rows, 1 << (units - 1)))[:, None]
        yield 1.0 - 2.0 * ((numbers >> np.arange(units)) & 1)


def _drawn_signs(units: int, rows: int, draws: int, seed: int) -> Iterator[np.ndarray]:
    generator = np.random.default_rng(seed)
    for start in range(0, draws, rows):
        yield generator.integers(0, 2, (min(rows, draws - start), units)) * 2.0 - 1.0
