"""Permutation tests of all pairs by sign flips over the units, adjusted by the largest statistic.

Under the hypothesis that two methods are equally good, the sign of their difference on a unit is chance. A
flip turns a unit round for all pairs at once, so that the dependence between pairs is kept. Nothing is
assumed but that differences are symmetric about zero; variances may differ between methods and units."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from delvecore.stats.array_types import Floats, Whole
from delvecore.stats.choose import FlipStatistic
from delvecore.stats.ranking.ranks import rank_rows
from delvecore.stats.ranking.wilcoxon import PairScan, pair_differences

Reals: TypeAlias = NDArray[np.floating[Any]]
"""Numbers of four or eight bytes."""
MOST_EXACT = 15
"""Up to so many units all 2^(units - 1) flips are gone through: one of each two that are opposite."""
DRAWS, FEWEST_DRAWS = 10_000, 1_000
"""Flips that are drawn beyond; of more than 50,000 pairs fewer."""
MOST_STATISTICS = 500_000_000
"""Pairs times flips that are drawn, unless there are fewer than `FEWEST_DRAWS`."""
MOST_UNITS, GROUPS = 512, 256
"""Of more units than the first, groups of units are flipped together: a part of all flips, equally exact."""
MOST_KEPT = 150_000_000
"""So many numbers are kept rather than computed again."""
_PAIRS_AT_ONCE = 512
_NOISE = {True: 1e-9, False: 1e-5}
"""Below this share of a statistic two are equal; drawn flips are computed with numbers of four bytes."""


@dataclass(frozen=True, eq=False)
class SignFlips:
    """Arrays with one entry for each pair first < second of a scan.

    statistic: what is flipped, signed ranks or differences; z: its sum over the root of its sum of squares,
    above zero where the first value is larger. p: of the pair alone, two-sided; p_all: adjusted for all pairs
    by the largest statistic, step by step. exact: from all flips, else from so many `flips` that were drawn;
    no p is below `smallest_p`. largest: the largest |z| of all pairs in each flip;
    least_p_all: the p_all of the largest |z| that any flip reaches; no p_all can be below it."""

    statistic: FlipStatistic
    exact: bool
    flips: int
    first: Whole
    second: Whole
    z: Floats
    p: Floats
    p_all: Floats
    largest: Reals
    least_p_all: float

    def critical(self, alpha: float) -> float:
        """Return the |z| that the largest one exceeds with probability alpha."""
        return float(np.quantile(self.largest, 1 - alpha, method="higher"))

    @property
    def smallest_p(self) -> float:
        """The smallest p that any data could have with so many flips."""
        return 1 / self.flips if self.exact else 1 / (self.flips + 1)


def smallest_flip_p(units: int, pairs: int = 1) -> float:
    """Return the smallest p of sign flips over so many units, whatever the data: 2^(1 - units).

    Examples
    --------
    >>> smallest_flip_p(5)
    0.0625
    """
    return 1 / (flips_made(units, pairs) + (units > MOST_EXACT))


def flips_made(units: int, pairs: int) -> int:
    """Return how many flips `sign_flips` makes: all 2^(units - 1), or so many drawn ones."""
    return 2 ** (units - 1) if units <= MOST_EXACT else _draws(pairs)


def _draws(pairs: int) -> int:
    return int(min(DRAWS, max(FEWEST_DRAWS, MOST_STATISTICS // max(pairs, 1))))


def sign_flips(
    scan: PairScan,
    *,
    statistic: FlipStatistic = FlipStatistic.RANKS,
    draws: int | None = None,
    seed: int = 0,
) -> SignFlips:
    """Permutation test of all pairs by sign flips, adjusted by the largest statistic (maxT, step-down).

    Parameters
    ----------
    scan : PairScan
        The differences of all pairs over the units.
    statistic : FlipStatistic
        Signed ranks, for values whose scale differs between units; means, for values on one scale.
    draws : int, optional
        How many flips are drawn where there are more than 15 units; None: 10,000, of many pairs fewer.
    seed : int
        The same seed gives the same result, in whichever order units and methods stand.

    Returns
    -------
    SignFlips
        p is 1 for a pair without any difference.

    References
    ----------
    Fisher (1935); Westfall and Young (1993), algorithm 4.1 (step-down maxT).

    Examples
    --------
    >>> from delvecore.stats.ranking.score_table import ScoreTable
    >>> from delvecore.stats.ranking.wilcoxon import scan_pairs
    >>> table = ScoreTable(tuple("tuvwxy"), ("a", "b", "c"), np.arange(6)[:, None] + np.arange(3.0))
    >>> sign_flips(scan_pairs(table)).p_all.tolist()  # all six units agree: 2 of 2^6 flips are as extreme
    [0.03125, 0.03125, 0.03125]
    """
    units, pairs = scan.tasks, len(scan.first)
    exact = units <= MOST_EXACT
    signs = (
        all_signs(units) if exact else _drawn_signs(units, _draws(pairs) if draws is None else draws, seed)
    )
    noise = _NOISE[exact]
    made = partial(_scaled_differences, scan, statistic, np.float64 if exact else np.float32)
    columns = signs.shape[1]
    kept = np.empty((pairs, columns), dtype=signs.dtype) if columns * pairs <= MOST_KEPT else None
    z = np.empty(pairs)
    for number, block in enumerate(made(np.arange(pairs))):
        rows = slice(number * _PAIRS_AT_ONCE, (number + 1) * _PAIRS_AT_ONCE)
        z[rows] = block.sum(axis=1, dtype=np.float64)
        if kept is not None:
            kept[rows] = block
    order = np.argsort(np.abs(z), kind="stable")
    running = np.zeros(len(signs), dtype=signs.dtype)
    alone, largest = np.zeros((2, pairs), dtype=np.int64)
    for start in range(0, pairs, _PAIRS_AT_ONCE):
        places = order[start : start + _PAIRS_AT_ONCE]
        block = next(made(places)) if kept is None else kept[places]
        found = block @ signs.T
        np.abs(found, out=found)
        for pair, row in zip(places.tolist(), found, strict=True):
            reached = abs(z[pair]) * (1 - noise)
            alone[pair] = np.count_nonzero(row >= reached)
            # The largest statistic of the pair and of all whose observed ones are smaller.
            np.maximum(running, row, out=running)
            largest[pair] = np.count_nonzero(running >= reached)
    # Signs as they were observed are one of the draws.
    one = 0 if exact else 1
    p, p_all = (alone + one) / (len(signs) + one), np.empty(pairs)
    p_all[order] = np.maximum.accumulate(((largest[order] + one) / (len(signs) + one))[::-1])[::-1]
    highest = np.count_nonzero(running >= running.max(initial=0.0) * (1 - noise))
    least = (highest + one) / (len(signs) + one)
    ends = (scan.first, scan.second)
    return SignFlips(statistic, exact, len(signs), *ends, z, p, p_all, running, least_p_all=least)


def _scaled_differences(
    scan: PairScan, statistic: FlipStatistic, dtype: type[np.floating[Any]], pairs: Whole
) -> Iterator[Reals]:
    """Yield what is flipped of some pairs at a time, in groups of units, scaled so that its sum of squares is
    1: matrices of shape (pairs, groups)."""
    # By name, so that flips are the same in whichever order a file or page has the units.
    order = np.argsort(np.array(scan.table.tasks, dtype=object), kind="stable")
    groups = np.linspace(0, scan.tasks, GROUPS, endpoint=False).astype(np.intp)

    def scaled(differences: Reals) -> Reals:
        values = differences[:, order]
        if statistic == FlipStatistic.RANKS:
            values = _signed_ranks(values, scan.zeros)
        if values.shape[1] > MOST_UNITS:
            values = np.add.reduceat(values, groups, axis=1)
        size = np.sqrt(np.square(values).sum(axis=1, keepdims=True))
        return (values / np.where(size > 0, size, 1.0)).astype(dtype)

    for start in range(0, len(pairs), _PAIRS_AT_ONCE):
        some = pairs[start : start + _PAIRS_AT_ONCE]
        pieces = pair_differences(scan.table, scan.first[some], scan.second[some])
        yield np.ascontiguousarray(np.concatenate(list(map(scaled, pieces))))


def _signed_ranks(differences: Reals, zeros: str) -> Reals:
    """Return the ranks of sizes with the signs of differences; those of zero have none. zeros: see
    `scan_pairs`."""
    ranks, _ = rank_rows(np.abs(differences))
    if zeros == "drop":
        ranks -= (differences == 0).sum(axis=1, keepdims=True)
    found: Reals = np.sign(differences) * ranks
    return found


def all_signs(units: int) -> Reals:
    """Return rows of signs of which the first is positive: their opposites have the same statistics."""
    numbers = np.arange(1 << (units - 1))[:, None]
    return 1.0 - 2.0 * ((numbers >> np.arange(units - 1, -1, -1)) & 1)


def _drawn_signs(units: int, draws: int, seed: int) -> Reals:
    columns = units if units <= MOST_UNITS else GROUPS
    bits = np.random.default_rng(seed).integers(0, 2, (draws, columns), dtype=np.int8)
    return bits.astype(np.float32) * 2 - 1
