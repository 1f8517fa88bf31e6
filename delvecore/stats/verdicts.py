"""Verdicts: which methods differ significantly. No other module decides this.

`pair_verdicts` gives the verdicts on all pairs of methods over many units by a rank test. `verdicts` uses
adjusted p of differences, and `bounds_by_verdict` makes intervals agree with these verdicts."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from delvecore.render.numbers import NEXT_TO_ZERO, parameter
from delvecore.stats.array_types import Floats, Mask
from delvecore.stats.choose import DEFAULT_TEST as DEFAULT_TEST
from delvecore.stats.choose import PLACES as PLACES
from delvecore.stats.choose import SIMULTANEOUS as SIMULTANEOUS
from delvecore.stats.choose import SINGLE as SINGLE
from delvecore.stats.choose import (
    FlipStatistic,
    Verdict,
    is_significant,
    level_of,
    significance,
    turned_verdict,
)
from delvecore.stats.choose import RankTest as RankTest
from delvecore.stats.orientation import oriented
from delvecore.stats.p_adjustment import adjust
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.nemenyi import Groups, maximal_cliques, maximal_runs, range_upper_tail
from delvecore.stats.ranking.places import PlaceSets, place_sets, places_of
from delvecore.stats.ranking.wilcoxon import smallest_signed_rank_p

AGAINST_CONTROL = "largest statistic against the control"
"""Adjustment of sign flips against a control."""
MOST_UNITS = 1_000_000
"""Maximum number of units in `units_needed`; more are infinite."""


@dataclass(frozen=True, eq=False)
class PairVerdicts:
    """One entry for each pair first < second, in the order of `Analysis.scan`.

    Attributes
    ----------
    test : RankTest
        The test.
    adjustment : str
        `none`, a procedure of `adjust`, or the built-in one of the test.
    alpha : float
        Level of significance.
    p : Floats
        p of the pair alone.
    p_adjusted : Floats
        p adjusted for all pairs, NaN if the test does not compare the pair.
    different : Mask
        Whether the pair is significant.
    first_is_better : Mask
        Direction of the test's statistic, from mean ranks, signed ranks or mean differences.
    z : Floats
        Absolute test statistic, in standard errors under the hypothesis.
    critical : float | Floats
        z beyond which a pair is significant at alpha, regardless of the other pairs.
    smallest_p : float
        Smallest possible adjusted p with this number of units and methods; for sign flips, over all signs of
        these differences.
    control : int or None
        The method that others are compared with, None for all pairs.
    statistic : FlipStatistic or None
        Statistic of sign flips, None for other tests.
    one_dataset : bool
        See `Analysis`.
    """

    test: RankTest
    adjustment: str
    alpha: float
    p: Floats
    p_adjusted: Floats
    different: Mask
    first_is_better: Mask
    z: Floats
    critical: float | Floats
    smallest_p: float
    control: int | None = None
    statistic: FlipStatistic | None = None
    one_dataset: bool = False

    @property
    def is_testable(self) -> bool:
        """Could any data reach the level, and is there more than one dataset? Otherwise, no pair has a
        verdict."""
        return not self.one_dataset and is_significant(self.smallest_p, self.alpha)

    @property
    def tested(self) -> int:
        """Number of pairs with a verdict of the test."""
        return int(np.count_nonzero(~np.isnan(self.p_adjusted))) if self.is_testable else 0

    @property
    def verdict(self) -> NDArray[np.object_]:
        """`Verdict` on the first method of each pair."""
        untested = np.isnan(self.p_adjusted) | (not self.is_testable)
        return _verdict_array(untested, self.different & self.first_is_better, self.different)


def _verdict_array(untested: Mask, better: Mask, worse: Mask) -> NDArray[np.object_]:
    """Return the verdict of the first condition that holds; not significant if none holds."""
    names = [Verdict.NOT_TESTED, Verdict.BETTER, Verdict.WORSE, Verdict.NOT_SIGNIFICANT]
    places = np.select([untested, better, worse], [0, 1, 2], 3)
    verdict_names: NDArray[np.object_] = np.array(names, dtype=object)[places]
    return verdict_names


_Judge = Callable[[Analysis], PairVerdicts]
_VERDICTS: dict[RankTest, _Judge] = {}


def _verdicts_of(test: RankTest) -> Callable[[_Judge], _Judge]:
    """Register the function that gives the verdicts of a test."""

    def register(function: _Judge) -> _Judge:
        _VERDICTS[test] = function
        return function

    return register


def pair_verdicts(analysis: Analysis, test: RankTest) -> PairVerdicts:
    """Return the verdicts of a test on all pairs.

    Tests without a built-in adjustment, such as Wilcoxon's, use that of the analysis. Raises ValueError for a
    test against a control if there is no control.
    """
    verdicts = _VERDICTS[test](analysis)
    if not analysis.one_dataset:
        return verdicts
    untested = np.full(len(verdicts.p), np.nan)
    return replace(verdicts, p=untested, p_adjusted=untested, smallest_p=math.nan, one_dataset=True)


@_verdicts_of(RankTest.FLIPS)
def _sign_flips(analysis: Analysis) -> PairVerdicts:
    flips, test, control = analysis.sign_flips, RankTest.FLIPS, analysis.control
    adjusted = flips.p_adjusted(control)
    different, z = is_significant(adjusted, analysis.alpha), np.abs(flips.z)
    critical = flips.critical(analysis.alpha, control=control)
    return PairVerdicts(
        test,
        test.own_adjustment if control is None else AGAINST_CONTROL,
        analysis.alpha,
        np.where(np.isnan(adjusted), np.nan, flips.p),
        adjusted,
        different=different,
        first_is_better=oriented(flips.z, analysis.table) < 0,
        z=z,
        # A pair that a later step finds needs no larger statistic.
        critical=np.where(different, np.minimum(critical, z), critical),
        smallest_p=flips.least_p(control),
        control=control,
        statistic=flips.statistic,
    )


@_verdicts_of(RankTest.WILCOXON)
def _wilcoxon(analysis: Analysis) -> PairVerdicts:
    test, scan, adjustment = analysis.wilcoxon, analysis.scan, analysis.adjustment
    adjusted = adjust(test.p, method=adjustment)
    alone = smallest_signed_rank_p(len(analysis.units.tasks))
    at_once = interval_significance(adjusted, method=adjustment, alpha=analysis.alpha)
    return PairVerdicts(
        RankTest.WILCOXON,
        adjustment,
        analysis.alpha,
        test.p,
        adjusted,
        different=is_significant(adjusted, analysis.alpha),
        first_is_better=oriented(np.subtract(*scan.rank_sums), analysis.table) < 0,
        z=np.abs(np.nan_to_num(scan.rank_z)),
        critical=-float(ndtri(at_once / 2)),
        # Adjusted p of data in which all pairs have the smallest p.
        smallest_p=float(adjust(np.full(len(test.p), alone), method=adjustment).min()),
    )


@_verdicts_of(RankTest.NEMENYI)
def _nemenyi(analysis: Analysis) -> PairVerdicts:
    nemenyi, methods, test = analysis.nemenyi, len(analysis.table.methods), RankTest.NEMENYI
    largest = np.array([(methods - 1) / nemenyi.error * math.sqrt(2.0)])
    return PairVerdicts(
        test,
        test.own_adjustment,
        analysis.alpha,
        nemenyi.p_alone,
        nemenyi.p,
        different=nemenyi.different,
        first_is_better=nemenyi.statistic < 0,
        z=np.abs(nemenyi.statistic) / nemenyi.error,
        critical=nemenyi.z,
        smallest_p=float(range_upper_tail(largest, methods)[0]),
    )


@_verdicts_of(RankTest.CONTROL)
def _against_control(analysis: Analysis) -> PairVerdicts:
    """Return the verdicts of pairs with the control; others are not compared."""
    dunn, control, test = analysis.bonferroni_dunn, analysis.control, RankTest.CONTROL
    if dunn is None or control is None:
        raise ValueError("expected a control for the Bonferroni-Dunn test, got none")
    first, second, others = analysis.nemenyi.first, analysis.nemenyi.second, len(dunn.p)
    is_first = first == control
    compared = is_first | (second == control)
    other = np.where(is_first, second, first)
    by_method = (np.insert(values, control, np.nan) for values in (dunn.p_alone, dunn.p))
    p, adjusted = (np.where(compared, values[other], np.nan) for values in by_method)
    difference = np.insert(dunn.statistic, control, 0.0)[other]
    error = dunn.cd / dunn.z
    return PairVerdicts(
        test,
        test.own_adjustment,
        analysis.alpha,
        p,
        adjusted,
        different=compared & np.insert(dunn.different, control, False)[other],
        first_is_better=(difference > 0) == is_first,
        z=np.abs(difference) / error,
        critical=dunn.z,
        control=control,
        smallest_p=min(1.0, float(2 * others * ndtr(-others / error))),
    )


def units_needed(verdicts: PairVerdicts, units: int, *, power: float = 0.8) -> Floats:
    """Power analysis: number of units that give the test this probability of finding each pair's difference.

    The analysis assumes that the observed difference is the true one, and that the number of pairs stays the
    same. The test statistic grows with the root of the number of units, and must exceed its critical value.
    Infinite beyond `MOST_UNITS`, and without a difference. Raises ValueError for a power outside (0.5, 1).
    Source: Cohen 1988, section 2, with the statistic of the test.

    Examples
    --------
    >>> from delvecore.stats.ranking.analysis import analyze
    >>> from delvecore.stats.ranking.score_table import ScoreTable
    >>> result = analyze(ScoreTable(tuple("uvwxyz"), ("a", "b"), np.array([[1, 2], [1, 3], [2, 1]] * 2)))
    >>> units_needed(pair_verdicts(result, RankTest.WILCOXON), 6).tolist()
    [34.0]
    """
    if not 0.5 <= power < 1:
        raise ValueError(f"expected a power from 0.5 to below 1, got {parameter(power)}")
    with np.errstate(divide="ignore", invalid="ignore"):
        needed = np.ceil(units * np.square((verdicts.critical + ndtri(power)) / verdicts.z))
    return np.where(needed > MOST_UNITS, np.inf, np.maximum(needed, 2.0))


def verdict_matrix(analysis: Analysis, verdicts: PairVerdicts) -> NDArray[np.object_]:
    """Return the verdict on each method (row) against each other method (column), in the order of the table.

    The diagonal is not tested.
    """
    matrix = np.full((len(analysis.table.methods),) * 2, Verdict.NOT_TESTED, dtype=object)
    first, second = analysis.nemenyi.first, analysis.nemenyi.second
    matrix[first, second] = verdicts.verdict
    matrix[second, first] = replace(verdicts, first_is_better=~verdicts.first_is_better).verdict
    return matrix


def verdict_row(analysis: Analysis, verdicts: PairVerdicts, method: int) -> list[Verdict]:
    """Return the row of `verdict_matrix` for one method: its verdicts against the others."""
    row = verdicts.verdict[analysis.pair_numbers[method]].tolist()
    row[method] = Verdict.NOT_TESTED
    return [turned_verdict(one) if place < method else one for place, one in enumerate(row)]


def place_sets_of(analysis: Analysis, verdicts: PairVerdicts, *, single: bool = False) -> PlaceSets | None:
    """Return confidence sets of the places of all methods by the test of these verdicts; None if not
    testable.

    single: sets for one method at a time. Raises ValueError for single sets by any test other than sign
    flips.
    """
    by_flips = verdicts.test == RankTest.FLIPS
    if single and not by_flips:
        raise ValueError(f"expected sign flips for places of single methods, got {verdicts.test.in_words}")
    if not verdicts.is_testable:
        return None
    if by_flips and verdicts.control is None:
        higher = analysis.table.higher_is_better
        return place_sets(
            analysis.sign_flips, higher_is_better=higher, level=level_of(analysis.alpha), single=single
        )
    lowest, highest = places_of(verdict_matrix(analysis, verdicts))
    return PlaceSets(level_of(analysis.alpha), False, lowest, highest, may_be_best=lowest == 1)


def groups_of(analysis: Analysis, verdicts: PairVerdicts) -> Groups:
    """Return the sets of methods without a significant pair, as bars of a diagram.

    Sets are maximal cliques; for Nemenyi's test, runs within the critical difference. None against a control,
    and if the test could not find any difference.
    """
    if verdicts.control is not None or not verdicts.is_testable:
        return ()
    if verdicts.test == RankTest.NEMENYI:
        return maximal_runs(analysis.ranks.average, analysis.nemenyi.cd)
    matrix = verdict_matrix(analysis, verdicts)
    return maximal_cliques((matrix == Verdict.BETTER) | (matrix == Verdict.WORSE), analysis.ranks.average)


def interval_significance(p_adjusted: Floats, *, method: str, alpha: float) -> float:
    """Significance of simultaneous intervals, which exclude zero only if the adjusted p is significant.

    p_adjusted: adjusted p of all hypotheses tested together, NaN without a test. Procedures that control the
    probability of any error use Bonferroni's level. If a step-down procedure rejects more hypotheses, the
    interval must be cut at zero. Benjamini-Hochberg uses the level for the share of rejected hypotheses
    (false coverage rate). Source: Guilbaud 2008; Benjamini and Yekutieli 2005.
    """
    tested = int(np.count_nonzero(~np.isnan(p_adjusted)))
    if method == "none" or not tested:
        return alpha
    rejected = (
        int(np.count_nonzero(is_significant(p_adjusted, alpha))) if method == "benjamini-hochberg" else 1
    )
    return alpha * max(rejected, 1) / tested


def verdicts(difference: Floats, p: Floats, *, level: float) -> NDArray[np.object_]:
    """Verdicts of `choose.verdict` on each difference; NaN marks a missing difference.

    Examples
    --------
    >>> list(map(str, verdicts(np.array([-1.0, 1.0]), np.array([0.01, 0.2]), level=0.95)))
    ['better', 'not significant']
    """
    is_different = is_significant(p, significance(level))
    untested = np.isnan(p) | np.isnan(difference)
    return _verdict_array(untested, is_different & (difference < 0), is_different & (difference > 0))


def bounds_by_verdict(lower: Floats, upper: Floats, decisions: NDArray[np.object_]) -> tuple[Floats, Floats]:
    """Return the ends of intervals that exclude zero if and only if a difference is significant.

    decisions: the result of `verdicts`. An interval ends at zero if only a stepwise procedure rejects its
    hypothesis.
    """
    below, above = decisions == Verdict.BETTER, decisions == Verdict.WORSE
    lower = np.select([above, below], [np.maximum(lower, NEXT_TO_ZERO), lower], np.minimum(lower, 0.0))
    upper = np.select([below, above], [np.minimum(upper, -NEXT_TO_ZERO), upper], np.maximum(upper, 0.0))
    return lower, upper
