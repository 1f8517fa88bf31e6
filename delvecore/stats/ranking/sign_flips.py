"""Permutation tests of all pairs by sign flips over the units, adjusted by the largest statistic.

Under the hypothesis that two methods are equally good, the sign of their difference on a unit is random. A
flip reverses a unit for all pairs at once, which keeps the dependence between pairs. The only assumption is
that differences are symmetric about zero. Variances may differ between methods and units.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from delvecore.render.numbers import NEXT_TO_ZERO
from delvecore.stats.array_types import Floats, Mask, Whole
from delvecore.stats.choose import FlipStatistic, is_significant, significance
from delvecore.stats.interval import Interval
from delvecore.stats.ranking.ranks import rank_rows, without_noise
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.ranking.wilcoxon import check_pairs, pair_differences

Reals: TypeAlias = NDArray[np.floating[Any]]
"""Floats of four or eight bytes."""
MOST_EXACT = 15
"""Maximum number of units for a test with all 2^(units - 1) flips, one of each opposite pair."""
DRAWS, FEWEST_DRAWS = 10_000, 1_000
"""Number of drawn flips with more units; fewer for more than 20,000 pairs."""
MOST_STATISTICS = 200_000_000
"""Maximum number of pairs times drawn flips, with at least `FEWEST_DRAWS` flips."""
MOST_UNITS, GROUPS = 512, 256
"""Groups of units flip together if there are more units than the first number: a subset of all flips, equally
exact.
"""
LEAST_FOR_SKEWNESS = 8
"""Minimum number of units for a meaningful skewness."""
MOST_KEPT = 150_000_000
"""Maximum number of values that are kept instead of recomputed."""
_PAIRS_AT_ONCE = 512
_DIFFERENCES_AT_ONCE = 50_000
_NOISE = {True: 1e-9, False: 1e-5}
"""Relative difference below which two statistics are equal. Drawn flips use four-byte floats."""


def default_statistic(table: ScoreTable) -> FlipStatistic:
    """Default statistic of sign flips, chosen by simulation; see `docs/error-rates.md`.

    In general, it is scaled differences. For two methods it is signed ranks, because the scale from only two
    methods would reduce the test to a sign test. It is means if all values are 0 or 1, as for results case by
    case.
    """
    if np.isin(table.values, (0.0, 1.0)).all():
        return FlipStatistic.MEANS
    return FlipStatistic.RANKS if len(table.methods) == 2 else FlipStatistic.SCALED


@dataclass(frozen=True, eq=False)
class SignFlips:
    """Sign-flip tests of all pairs first < second of a scan; arrays with one entry for each pair.

    Attributes
    ----------
    statistic : FlipStatistic
        The flipped quantity: scaled differences, signed ranks or differences.
    exact, flips : bool, int
        Whether the test uses all flips, and the number of flips.
    first, second : Whole
        Positions of the methods of each pair.
    mean, error : array
        Mean of the flipped quantity over the units, positive if the first value is larger, and the root of
        its sum of squares, divided by the number of units.
    z : array
        mean / error; 0 for a pair without any difference.
    skewness : array
        Third standardized moment of the flipped quantity; 0 if it does not vary.
    p, p_all : array
        p of the pair alone, two-sided; p adjusted for all pairs by the largest statistic.
    p_one : array of shape (methods, methods)
        p adjusted for the k - 1 pairs of the row's method; 1 on the diagonal.
    largest : array of shape (flips,)
        The largest statistic of all pairs in each flip: |mean| for scaled differences, otherwise |z|.
    largest_of : array of shape (methods, flips)
        The same for the k - 1 pairs of each method.
    equal_units : int
        Number of units with equal values of all methods, which contribute nothing.
    source : SignFlips, optional
        The same tests with the methods in a different order.
    """

    statistic: FlipStatistic
    exact: bool
    flips: int
    first: Whole
    second: Whole
    mean: Floats
    error: Floats
    z: Floats
    skewness: Floats
    p: Floats
    p_all: Floats
    p_one: Floats
    largest: Reals
    largest_of: Reals
    equal_units: int
    source: "SignFlips | None" = None

    def in_order(self, places: Whole) -> "SignFlips":
        """Return the tests with the methods in a new order. places: the present position of each method."""
        methods = len(places)
        if np.array_equal(places, np.arange(methods)):
            return self
        first, second = np.triu_indices(methods, 1)
        low, high = np.sort([places[first], places[second]], axis=0)
        pairs = low * methods - low * (low + 1) // 2 + high - low - 1
        turned = np.where(places[first] == low, 1.0, -1.0)
        signed = {name: getattr(self, name)[pairs] * turned + 0.0 for name in ("mean", "z", "skewness")}
        unsigned = {name: getattr(self, name)[pairs] for name in ("error", "p", "p_all")}
        return replace(
            self,
            first=first,
            second=second,
            p_one=self.p_one[np.ix_(places, places)],
            largest_of=self.largest_of[places],
            source=self,
            **signed,
            **unsigned,
        )

    def critical(self, alpha: float, *, control: int | None = None) -> Floats:
        """Return the |z| of each pair beyond which the adjusted p is below alpha in the first step.

        Infinite if no data could reach alpha. control: the method that the others are compared with, None for
        all pairs.
        """
        return self.margin(alpha, control=control) / np.where(self.error > 0, self.error, 1.0)

    def margin(self, alpha: float, *, control: int | None = None) -> Floats:
        """Return the |mean| of each pair beyond which the adjusted p is below alpha in the first step."""
        reach = self._reach(alpha, self.largest if control is None else self.largest_of[control])
        if self._is_scaled or math.isinf(reach):
            return np.full(len(self.z), reach)
        return reach * self.error

    def is_skewed(self, units: int) -> Mask:
        """Are the differences of each method from the others markedly skewed, for example by failures on some
        units?

        The median of their skewness must exceed 1, and two standard errors of the skewness of normal
        differences.
        """
        methods = len(self.p_one)
        if units < LEAST_FOR_SKEWNESS or methods < 2:
            return np.zeros(methods, dtype=bool)
        skewness = np.zeros((methods, methods))
        skewness[self.first, self.second], skewness[self.second, self.first] = self.skewness, -self.skewness
        others = skewness[~np.eye(methods, dtype=bool)].reshape(methods, methods - 1)
        error = math.sqrt(6 * units * (units - 1) / ((units - 2) * (units + 1) * (units + 3)))
        skewed: Mask = np.abs(np.median(others, axis=1)) > max(1.0, 2 * error)
        return skewed

    def p_adjusted(self, control: int | None = None) -> Floats:
        """Return p of each pair, adjusted for all pairs.

        A control restricts the adjustment to its pairs; others are NaN.
        """
        if control is None:
            return self.p_all
        p = self.p_one[control]
        other = np.where(self.first == control, self.second, self.first)
        return np.where((self.first == control) | (self.second == control), p[other], np.nan)

    def least_p(self, control: int | None = None) -> float:
        """Return the smallest adjusted p over all sign patterns of these differences. control: as for
        `critical`."""
        largest = self.largest if control is None else self.largest_of[control]
        observed = np.abs(self.mean if self._is_scaled else self.z)
        if control is not None:
            observed = observed[(self.first == control) | (self.second == control)]
        # The observed signs count as one of the draws.
        drawn, highest = (0 if self.exact else 1), max(largest.max(initial=0.0), observed.max(initial=0.0))
        reached = np.count_nonzero(largest >= highest * (1 - _NOISE[self.exact]))
        return float((reached + drawn) / (self.flips + drawn))

    @property
    def _is_scaled(self) -> bool:
        return self.statistic == FlipStatistic.SCALED

    def _reach(self, alpha: float, largest: Reals) -> float:
        """Return the critical statistic: beyond it, the p of the first step is below alpha."""
        drawn = 0 if self.exact else 1
        # How many of the largest statistics may reach the statistic of a pair with such a p.
        most = math.ceil(round(alpha * (self.flips + drawn), 9)) - 1 - drawn
        if most < 1 - drawn:
            return math.inf
        return float(np.sort(largest)[-1 - most]) / (1 - _NOISE[self.exact])


def flips_made(units: int, pairs: int) -> int:
    """Return the number of flips of `sign_flips`: all 2^(units - 1), or the number of drawn ones."""
    return 2 ** (units - 1) if units <= MOST_EXACT else _draws(pairs)


def _draws(pairs: int) -> int:
    return int(min(DRAWS, max(FEWEST_DRAWS, MOST_STATISTICS // max(pairs, 1))))


def sign_flips(
    table: ScoreTable,
    *,
    zeros: str = "drop",
    statistic: FlipStatistic = FlipStatistic.RANKS,
    stepwise: bool = True,
    draws: int | None = None,
    seed: int = 0,
) -> SignFlips:
    """Permutation test of all pairs by sign flips, adjusted by the largest statistic (maxT).

    The statistic of a pair is its mean scaled difference, or the z of signed ranks or differences.

    Parameters
    ----------
    table : ScoreTable
        Values of the methods on units, without gaps.
    zeros : str
        Treatment of zero differences in signed ranks, see `scan_pairs`.
    statistic : FlipStatistic
        Scaled differences or signed ranks, for values whose scale differs between units; means, for values on
        one scale.
    stepwise : bool
        Whether to adjust only for pairs without a larger statistic (step-down) instead of all pairs (single
        step). If differences are scaled and methods far apart, a single step finds few pairs.
    draws : int, optional
        Number of drawn flips with more than 15 units; None: 10,000, or fewer for many pairs.
    seed : int
        The same seed gives the same result in any order of units and methods.

    Returns
    -------
    SignFlips
        All pairs first < second; p is 1 for a pair without any difference.

    Raises
    ------
    ValueError
        For missing values, a table without units, and an unknown treatment of zeros.

    References
    ----------
    Fisher (1935); Westfall and Young (1993), section 2.3.2 (single step) and algorithm 4.1 (step-down).

    Examples
    --------
    >>> from delvecore.stats.ranking.score_table import ScoreTable
    >>> table = ScoreTable(tuple("tuvwxy"), ("a", "b", "c"), np.arange(6)[:, None] + np.arange(3.0))
    >>> sign_flips(table).p_all.tolist()  # all six units agree: 2 of 2^6 flips are as extreme
    [0.03125, 0.03125, 0.03125]
    """
    check_pairs(table, zeros)
    units, methods = table.values.shape
    first, second = np.triu_indices(methods, 1)
    pairs = len(first)
    exact = units <= MOST_EXACT
    if exact:
        signs = all_signs(units)
    else:
        shape = (_draws(pairs) if draws is None else draws, units if units <= MOST_UNITS else GROUPS)
        signs = np.random.default_rng(seed).integers(0, 2, shape, dtype=np.int8).astype(np.float32) * 2 - 1
    noise = _NOISE[exact]
    scaled = statistic == FlipStatistic.SCALED
    scales = unit_scales(table.values) if scaled else None
    made = partial(_flipped, table, statistic, zeros, scales, signs.dtype)
    columns = signs.shape[1]
    kept = np.empty((pairs, columns), dtype=signs.dtype) if columns * pairs <= MOST_KEPT else None
    z, size, skewness = np.empty((3, pairs))
    for number, (block, sizes) in enumerate(made(first, second)):
        rows = slice(number * _PAIRS_AT_ONCE, (number + 1) * _PAIRS_AT_ONCE)
        z[rows], size[rows] = block.sum(axis=1, dtype=np.float64), sizes
        skewness[rows] = _skewness(block)
        if kept is not None:
            kept[rows] = block
    error = size / units
    weight = error if scaled else np.ones(pairs)
    reached = np.abs(z) * weight * (1 - noise)
    order = np.argsort(reached, kind="stable")
    # The largest statistic in each flip: of all pairs, and of each method's pairs.
    running, of_method = np.zeros(len(signs), signs.dtype), np.zeros((methods, len(signs)), signs.dtype)
    alone, largest = np.zeros((2, pairs), dtype=np.int64)
    of_one = np.full((methods, methods), len(signs))
    # Reuse one matrix for the sums of all blocks: allocating a new one takes more time than the products.
    columns_of_signs = np.ascontiguousarray(signs.T)
    room = np.empty((min(pairs, _PAIRS_AT_ONCE), len(signs)), signs.dtype)
    for start in range(0, pairs, _PAIRS_AT_ONCE):
        places = order[start : start + _PAIRS_AT_ONCE]
        block = next(made(first[places], second[places]))[0] if kept is None else kept[places]
        sums = np.matmul(block, columns_of_signs, out=room[: len(places)])
        np.abs(sums, out=sums)
        for pair, row in zip(places.tolist(), sums, strict=True):
            # Python floats compare in the precision of the array, which is fast.
            least, factor = float(reached[pair]), float(weight[pair])
            alone[pair] = np.count_nonzero(row >= float(abs(z[pair])) * (1 - noise))
            row *= factor
            np.maximum(running, row, out=running)
            largest[pair] = np.count_nonzero(running >= least)
            a, b = first[pair], second[pair]
            for method, other in ((a, b), (b, a)):
                np.maximum(of_method[method], row, out=of_method[method])
                of_one[method, other] = np.count_nonzero(of_method[method] >= least)
    statistics = np.zeros((methods, methods))
    statistics[first, second] = statistics[second, first] = reached
    if not stepwise:
        largest = _counts(running, reached)
        of_one = np.array([_counts(*one) for one in zip(of_method, statistics, strict=True)])
    # The observed signs count as one of the draws.
    one = 0 if exact else 1
    p, p_all, p_one = ((count + one) / (len(signs) + one) for count in (alone, largest, of_one))
    return SignFlips(
        statistic,
        exact,
        len(signs),
        first,
        second,
        mean=z * error,
        error=error,
        z=z,
        skewness=skewness,
        p=p,
        p_all=_monotone(p_all, reached),
        p_one=np.array([_monotone(*one) for one in zip(p_one, statistics, strict=True)]),
        largest=running,
        largest_of=of_method,
        equal_units=0 if scales is None else int(np.count_nonzero(scales == 0)),
    )


def simultaneous_intervals(flips: SignFlips, *, level: float, control: int | None = None) -> Interval[Floats]:
    """Simultaneous intervals of all differences, or of those from a control, by inverting the sign-flip test.

    Their width is that of the first step of the test. The interval of a pair that is significant in a later
    step ends at zero. So an interval excludes zero if and only if p_all is significant.

    Parameters
    ----------
    flips : SignFlips
        Test of all pairs first < second.
    level : float
        Confidence that all intervals cover.
    control : int, optional
        Place of the method that all pairs share.

    Returns
    -------
    Interval
        First minus second, in units of the flipped quantity: scaled units, units of the measure for means, or
        signed ranks. Ends are infinite if no data could reach the level, and NaN for pairs without the
        control.

    References
    ----------
    Westfall and Young (1993), section 2.2; Guilbaud (2008) for the later steps.

    Examples
    --------
    >>> from delvecore.stats.ranking.score_table import ScoreTable
    >>> table = ScoreTable(tuple("tuvwxy"), ("a", "b", "c"), np.tile([0.0, 1, 3], (6, 1)))
    >>> result = simultaneous_intervals(sign_flips(table, statistic=FlipStatistic.SCALED), level=0.95)
    >>> result.lower.round(2).tolist(), result.upper.round(2).tolist()  # all differences are within 1.5
    ([-1.5, -2.5, -2.0], [-0.0, -0.5, -0.0])
    """
    alpha = significance(level)
    margin = flips.margin(alpha, control=control)
    p = flips.p_adjusted(control)
    different = is_significant(p, alpha)
    lower, upper = flips.mean - margin, flips.mean + margin
    lower = np.where(different & (flips.mean > 0), np.maximum(lower, NEXT_TO_ZERO), lower)
    upper = np.where(different & (flips.mean < 0), np.minimum(upper, -NEXT_TO_ZERO), upper)
    known = ~np.isnan(p)
    ends = (np.where(known, end, np.nan) for end in (flips.mean, lower, upper))
    return Interval(*ends)


def _skewness(rows: Reals) -> Floats:
    """Return the third standardized moment of each row; 0 for a constant row."""
    centered = rows - rows.mean(axis=1, keepdims=True, dtype=np.float64)
    variance, third = (centered**2).mean(axis=1), (centered**3).mean(axis=1)
    varies = variance > np.finfo(rows.dtype).eps
    return np.where(varies, third / np.where(varies, variance, 1.0) ** 1.5, 0.0)


def _monotone(p: Floats, statistics: Floats) -> Floats:
    """Make p monotone: no p is smaller than the p of a larger statistic."""
    order, monotone = np.argsort(-statistics, kind="stable"), np.empty_like(p)
    monotone[order] = np.maximum.accumulate(p[order])
    return monotone


def _counts(largest: Reals, reached: Floats) -> Whole:
    """For each statistic, count the largest statistics that are at least as large."""
    return np.asarray(len(largest) - np.searchsorted(np.sort(largest), reached))


def unit_scales(values: Floats) -> Floats:
    """Scale of each unit: the spread of its methods, by which differences are divided.

    It is the median absolute difference over the pairs of methods, or a third of the mean if that is larger.
    The median alone is too small if most methods are nearly the same. The mean alone hides the units on which
    one method fails.

    Parameters
    ----------
    values : array of shape (units, methods)
        Finite values.

    Returns
    -------
    array of shape (units,)
        0 if all values of a unit are equal.

    Examples
    --------
    >>> unit_scales(np.array([[0.0, 1, 3], [0, 0, 9], [5, 5, 5]])).tolist()  # differences 1, 2, 3 and 0, 9, 9
    [2.0, 9.0, 0.0]
    """
    first, second = np.triu_indices(values.shape[1], 1)
    rounded, scales = without_noise(values), np.empty(len(values))
    step = max(1, _DIFFERENCES_AT_ONCE // max(1, len(first)))
    for start in range(0, len(values), step):
        rows = rounded[start : start + step]
        sizes = np.abs(rows[:, first] - rows[:, second])
        scales[start : start + step] = np.maximum(np.median(sizes, axis=1), sizes.mean(axis=1) / 3)
    return scales


def scaled_table(table: ScoreTable) -> ScoreTable:
    """Return values minus the median of their task, divided by the scale of the task; see `unit_scales`.

    This prevents the task with the largest values from dominating the means over the tasks of a unit.
    """
    values, scales = without_noise(table.values), unit_scales(table.values)[:, None]
    middle = np.median(values, axis=1, keepdims=True)
    return replace(table, values=(values - middle) / np.where(scales > 0, scales, 1.0))


def _flipped(
    table: ScoreTable,
    statistic: FlipStatistic,
    zeros: str,
    scales: Floats | None,
    dtype: "np.dtype[np.floating[Any]]",
    first: Whole,
    second: Whole,
) -> Iterator[tuple[Reals, Floats]]:
    """Yield the flipped quantity of some pairs at a time, in groups of units.

    Yield matrices of shape (pairs, groups), whose rows have a sum of squares of 1, with the root of the
    original sum. scales: see `unit_scales`.
    """
    # Sort by name, so that flips do not depend on the order of units in a file or page.
    order = np.argsort(np.array(table.tasks, dtype=object), kind="stable")
    groups = np.linspace(0, len(table.tasks), GROUPS, endpoint=False).astype(np.intp)

    def grouped(differences: Reals) -> Reals:
        values = differences if scales is None else differences / np.where(scales > 0, scales, 1.0)
        values = values[:, order]
        if statistic == FlipStatistic.RANKS:
            values = _signed_ranks(values, zeros)
        return np.add.reduceat(values, groups, axis=1) if values.shape[1] > MOST_UNITS else values

    for start in range(0, len(first), _PAIRS_AT_ONCE):
        some = slice(start, start + _PAIRS_AT_ONCE)
        pieces = pair_differences(table, first[some], second[some])
        values = np.concatenate(list(map(grouped, pieces)))
        size = np.sqrt(np.square(values).sum(axis=1))
        unit_rows = values / np.where(size > 0, size, 1.0)[:, None]
        yield np.ascontiguousarray(unit_rows.astype(dtype)), size


def _signed_ranks(differences: Reals, zeros: str) -> Reals:
    """Return the ranks of sizes with the signs of differences; zeros have no sign.

    zeros: see `scan_pairs`.
    """
    ranks, _ = rank_rows(np.abs(differences))
    if zeros == "drop":
        ranks -= (differences == 0).sum(axis=1, keepdims=True)
    signed: Reals = np.sign(differences) * ranks
    return signed


def all_signs(units: int) -> Reals:
    """Return rows of signs with a positive first sign: opposite rows have the same statistics."""
    numbers = np.arange(1 << (units - 1))[:, None]
    return 1.0 - 2.0 * ((numbers >> np.arange(units - 1, -1, -1)) & 1)
