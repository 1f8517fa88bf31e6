"""Permutation tests of all pairs by sign flips over the units, adjusted by the largest statistic.

Under the hypothesis that two methods are equally good, the sign of their difference on a unit is chance. A
flip turns a unit round for all pairs at once, so that the dependence between pairs is kept. Nothing is
assumed but that differences are symmetric about zero; variances may differ between methods and units."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from delvecore.stats.array_types import Floats, Whole
from delvecore.stats.choose import FlipStatistic, significance
from delvecore.stats.ranking.ranks import rank_rows, without_noise
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
    """Sign-flip tests of all pairs first < second of a scan; arrays with one entry for each pair.

    Attributes
    ----------
    statistic : FlipStatistic
        What is flipped: scaled differences, signed ranks or differences.
    exact, flips : bool, int
        Are these all flips, or so many drawn ones?
    mean, error : array
        Mean over the units of what is flipped, above zero where the first value is larger; root of its sum of
        squares divided by the number of units.
    z : array
        mean / error; 0 for a pair without any difference.
    p, p_all : array
        p of the pair alone, two-sided; p adjusted for all pairs by the largest statistic.
    p_one : array of shape (2, pairs)
        p adjusted for the k - 1 pairs of the first method, and for those of the second.
    p_best : array of shape (methods,)
        p of the hypothesis that no method is better: one-sided, adjusted for the method's k - 1 pairs.
    largest : array of shape (flips,)
        The largest statistic of all pairs in each flip: |mean| of scaled differences, otherwise |z|.
    least_p_all : float
        The p_all of the largest statistic that any flip reaches; no p_all can be below it.
    equal_units : int
        How many units have equal values of all methods, and so add nothing.
    """

    statistic: FlipStatistic
    exact: bool
    flips: int
    first: Whole
    second: Whole
    mean: Floats
    error: Floats
    z: Floats
    p: Floats
    p_all: Floats
    p_one: Floats
    p_best: Floats
    largest: Reals
    least_p_all: float
    equal_units: int

    def critical(self, alpha: float) -> Floats:
        """Return the |z| of each pair beyond which p_all is below alpha, if all other pairs stay as they are;
        infinite where no data could reach alpha."""
        return self.margin(alpha) / np.where(self.error > 0, self.error, 1.0)

    def margin(self, alpha: float) -> Floats:
        """Return the |mean| of each pair beyond which p_all is below alpha; see `critical`."""
        drawn = 0 if self.exact else 1
        # How many of the largest statistics may reach that of a pair with p_all below alpha?
        most = math.ceil(round(alpha * (self.flips + drawn), 9)) - 1 - drawn
        if most < 1 - drawn:
            return np.full(len(self.mean), np.inf)
        reach = float(np.sort(self.largest)[-1 - most]) / (1 - _NOISE[self.exact])
        return reach * (np.ones_like(self.mean) if self.statistic == FlipStatistic.SCALED else self.error)

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
    """Permutation test of all pairs by sign flips, adjusted by the largest statistic (maxT).

    The statistic of a pair is its mean scaled difference, or the z of signed ranks or differences. The
    adjustment is in a single step, so that it can be turned into intervals.

    Parameters
    ----------
    scan : PairScan
        The differences of all pairs over the units.
    statistic : FlipStatistic
        Scaled differences or signed ranks, for values whose scale differs between units; means, for values on
        one scale.
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
    Fisher (1935); Westfall and Young (1993), section 2.3.2 (single-step maxT).

    Examples
    --------
    >>> from delvecore.stats.ranking.score_table import ScoreTable
    >>> from delvecore.stats.ranking.wilcoxon import scan_pairs
    >>> table = ScoreTable(tuple("tuvwxy"), ("a", "b", "c"), np.arange(6)[:, None] + np.arange(3.0))
    >>> sign_flips(scan_pairs(table)).p_all.tolist()  # all six units agree: 2 of 2^6 flips are as extreme
    [0.03125, 0.03125, 0.03125]
    """
    units, pairs, methods = scan.tasks, len(scan.first), len(scan.table.methods)
    exact = units <= MOST_EXACT
    signs = (
        all_signs(units) if exact else _drawn_signs(units, _draws(pairs) if draws is None else draws, seed)
    )
    noise = _NOISE[exact]
    scaled = statistic == FlipStatistic.SCALED
    scales = unit_scales(scan.table.values) if scaled else None
    made = partial(_flipped, scan, statistic, scales, signs.dtype)
    columns = signs.shape[1]
    kept = np.empty((pairs, columns), dtype=signs.dtype) if columns * pairs <= MOST_KEPT else None
    z, size = np.empty((2, pairs))
    for number, (block, sizes) in enumerate(made(np.arange(pairs))):
        rows = slice(number * _PAIRS_AT_ONCE, (number + 1) * _PAIRS_AT_ONCE)
        z[rows], size[rows] = block.sum(axis=1, dtype=np.float64), sizes
        if kept is not None:
            kept[rows] = block
    error = size / units
    weight = error if scaled else np.ones(pairs)
    reached = np.abs(z) * weight * (1 - noise)
    running = np.zeros(len(signs), dtype=signs.dtype)
    # Of each method the largest statistic by which others are better, in each flip and in the opposite one.
    behind = np.zeros((2, methods, len(signs)), dtype=np.float32)
    alone = np.zeros(pairs, dtype=np.int64)
    ends = (scan.second, scan.first) if scan.table.higher_is_better else (scan.first, scan.second)
    for start in range(0, pairs, _PAIRS_AT_ONCE):
        places = np.arange(start, min(start + _PAIRS_AT_ONCE, pairs))
        block = next(made(places))[0] if kept is None else kept[places]
        sums = block @ signs.T
        alone[places] = (np.abs(sums) >= (np.abs(z[places]) * (1 - noise))[:, None]).sum(axis=1)
        sums *= weight[places, None]
        for worse, better, row in zip(ends[0][places], ends[1][places], sums, strict=True):
            # The first of the two is worse where the sum is above zero.
            turned = -row
            np.maximum(behind[0, worse], row, out=behind[0, worse])
            np.maximum(behind[0, better], turned, out=behind[0, better])
            np.maximum(behind[1, worse], turned, out=behind[1, worse])
            np.maximum(behind[1, better], row, out=behind[1, better])
        np.maximum(running, np.abs(sums).max(axis=0), out=running)
    # Signs as they were observed are one of the draws.
    one = 0 if exact else 1
    p, p_all = ((count + one) / (len(signs) + one) for count in (alone, _counts(running, reached)))
    highest = np.count_nonzero(running >= running.max(initial=0.0) * (1 - noise))
    observed = z * weight * (-1 if scan.table.higher_is_better else 1)
    p_one, p_best = _by_method(scan, observed, behind, one)
    return SignFlips(
        statistic,
        exact,
        len(signs),
        scan.first,
        scan.second,
        mean=z * error,
        error=error,
        z=z,
        p=p,
        p_all=p_all,
        p_one=np.minimum(p_one, p_all),
        p_best=p_best,
        largest=running,
        least_p_all=(highest + one) / (len(signs) + one),
        equal_units=0 if scales is None else int(np.count_nonzero(scales == 0)),
    )


@dataclass(frozen=True, eq=False)
class DifferenceIntervals:
    """Simultaneous intervals of the mean differences of all pairs first < second, as arrays.

    Attributes
    ----------
    level : float
        Confidence that all of them cover.
    estimate, lower, upper : array
        First less second, in units of what is flipped: scaled units, the measure's own by means, or signed
        ranks. Ends are infinite where no data could reach the level.
    """

    level: float
    estimate: Floats
    lower: Floats
    upper: Floats


def simultaneous_intervals(flips: SignFlips, scan: PairScan) -> DifferenceIntervals:
    """Simultaneous intervals of all differences by inverting the single-step sign-flip test.

    An interval leaves out zero exactly where p_all is significant at the level of the scan.

    References
    ----------
    Westfall and Young (1993), section 2.2.

    Examples
    --------
    >>> from delvecore.stats.ranking.score_table import ScoreTable
    >>> from delvecore.stats.ranking.wilcoxon import scan_pairs
    >>> scan = scan_pairs(ScoreTable(tuple("tuvwxy"), ("a", "b", "c"), np.tile([0.0, 1, 3], (6, 1))))
    >>> found = simultaneous_intervals(sign_flips(scan, statistic=FlipStatistic.SCALED), scan)
    >>> found.lower.round(2).tolist(), found.upper.round(2).tolist()  # all differences are within 1.5
    ([-1.5, -2.5, -2.0], [0.5, -0.5, 0.0])
    """
    margin = flips.margin(significance(scan.level))
    return DifferenceIntervals(scan.level, flips.mean, flips.mean - margin, flips.mean + margin)


def _by_method(scan: PairScan, observed: Floats, behind: Reals, one: int) -> tuple[Floats, Floats]:
    """Return p_one and p_best of `SignFlips`.

    observed: statistic of each pair, above zero where the first is worse. behind: for each flip and its
    opposite, and each method, the largest statistic by which others are better. one: 1 for drawn flips."""
    flips, noise = behind.shape[2], _NOISE[False]
    p_one, p_best = np.ones((2, len(observed))), np.ones(behind.shape[1])
    for method in range(behind.shape[1]):
        sides = [np.flatnonzero(ends == method) for ends in (scan.first, scan.second)]
        either = behind[:, method].max(axis=0)
        for row, pairs in enumerate(sides):
            reached = np.abs(observed[pairs]) * (1 - noise)
            p_one[row, pairs] = (_counts(either, reached) + one) / (flips + one)
        most = max(observed[sides[0]].max(initial=0.0), (-observed[sides[1]]).max(initial=0.0))
        if most > 0:
            count = np.count_nonzero(behind[:, method] >= most * (1 - noise))
            p_best[method] = (count + one) / (2 * flips + one)
    return p_one, p_best


def _counts(largest: Reals, reached: Floats) -> Whole:
    """Return how many of the largest statistics are at least as large as each of these."""
    return np.asarray(len(largest) - np.searchsorted(np.sort(largest), reached))


def unit_scales(values: Floats) -> Floats:
    """Scale of each unit: how far apart are its methods, whatever the measure?

    The median absolute difference over the pairs of methods, or a third of the mean if that is larger. The
    median by itself is that of the copies where most methods are near copies of one; the mean by itself
    hides the units on which one method fails.

    Parameters
    ----------
    values : array of shape (units, methods)
        Infinite ones do not count.

    Returns
    -------
    array of shape (units,)
        0 where all values of a unit are equal.

    Examples
    --------
    >>> unit_scales(np.array([[0.0, 1, 3], [0, 0, 9], [5, 5, 5]])).tolist()  # differences 1, 2, 3 and 0, 9, 9
    [2.0, 9.0, 0.0]
    """
    scales = np.zeros(len(values))
    for unit, row in enumerate(without_noise(values)):
        finite = row[np.isfinite(row)]
        if len(finite) > 1:
            first, second = np.triu_indices(len(finite), 1)
            sizes = np.abs(finite[first] - finite[second])
            scales[unit] = max(float(np.median(sizes)), float(sizes.mean()) / 3)
    return scales


def _flipped(
    scan: PairScan,
    statistic: FlipStatistic,
    scales: Floats | None,
    dtype: "np.dtype[np.floating[Any]]",
    pairs: Whole,
) -> Iterator[tuple[Reals, Floats]]:
    """Yield what is flipped of some pairs at a time, in groups of units: matrices of shape (pairs, groups)
    whose rows have a sum of squares of 1, and the root of what it was. scales: see `unit_scales`."""
    # By name, so that flips are the same in whichever order a file or page has the units.
    order = np.argsort(np.array(scan.table.tasks, dtype=object), kind="stable")
    groups = np.linspace(0, scan.tasks, GROUPS, endpoint=False).astype(np.intp)

    def grouped(differences: Reals) -> Reals:
        values = differences if scales is None else differences / np.where(scales > 0, scales, 1.0)
        values = values[:, order]
        if statistic == FlipStatistic.RANKS:
            values = _signed_ranks(values, scan.zeros)
        return np.add.reduceat(values, groups, axis=1) if values.shape[1] > MOST_UNITS else values

    for start in range(0, len(pairs), _PAIRS_AT_ONCE):
        some = pairs[start : start + _PAIRS_AT_ONCE]
        pieces = pair_differences(scan.table, scan.first[some], scan.second[some])
        values = np.concatenate(list(map(grouped, pieces)))
        size = np.sqrt(np.square(values).sum(axis=1))
        unit_rows = values / np.where(size > 0, size, 1.0)[:, None]
        yield np.ascontiguousarray(unit_rows.astype(dtype)), size


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
