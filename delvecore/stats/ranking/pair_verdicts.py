"""The verdicts of a test on all pairs of methods over the units: the only place that gives them."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from delvecore.stats.adjust import adjust, interval_significance
from delvecore.stats.choose import FlipStatistic, RankTest, Verdict, is_significant, turned_verdict
from delvecore.stats.kinds import Floats, Mask
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.pair_tests import smallest_signed_rank_p
from delvecore.stats.ranking.rank_tests import Groups, maximal_cliques, range_upper_tail
from delvecore.stats.ranking.sign_flips import smallest_flip_p

__all__ = ["OWN_ADJUSTMENTS", "PairVerdicts", "RankTest", "groups_of", "pair_verdicts", "units_needed"]
__all__ += ["verdict_matrix", "verdict_row"]

_NOISE = 1e-9
MOST_UNITS = 1_000_000
"""Of more units than this, `units_needed` says infinitely many."""


OWN_ADJUSTMENTS = {
    RankTest.NEMENYI: "studentized range",
    RankTest.FLIPS: "largest statistic",
    RankTest.CONTROL: "bonferroni",
}
"""How tests adjust for all pairs that do not go by p of each pair alone."""


@dataclass(frozen=True, eq=False)
class PairVerdicts:
    """One entry for each pair first < second, in the order of `Analysis.scan`.

    adjustment: `none`, a procedure of `adjust`, or one of `OWN_ADJUSTMENTS`. p: of the pair alone;
    p_adjusted: for all pairs; not a number where the test does not compare the pair. different: is it
    significant? first_is_better: by what the test weighs, mean ranks, signed ranks or mean differences.
    z: the size of the test's statistic, in standard errors under the hypothesis; critical: the z beyond which
    a pair is significant at alpha, whatever the other pairs. smallest_p: the smallest adjusted p that any
    data could have with so many units and methods. statistic: what sign flips go by, None of other tests."""

    test: RankTest
    adjustment: str
    alpha: float
    p: Floats
    p_adjusted: Floats
    different: Mask
    first_is_better: Mask
    z: Floats
    critical: float
    smallest_p: float
    statistic: FlipStatistic | None = None

    @property
    def is_testable(self) -> bool:
        """Could any data reach the level? Else no verdict is given on any pair."""
        return is_significant(self.smallest_p, self.alpha)

    @property
    def tested(self) -> int:
        """How many pairs have a verdict of the test?"""
        return int(np.count_nonzero(~np.isnan(self.p_adjusted))) if self.is_testable else 0

    @property
    def verdict(self) -> NDArray[np.object_]:
        """What is said of the first method of each pair: a `Verdict`."""
        untested = np.isnan(self.p_adjusted) | (not self.is_testable)
        holds = [untested, self.different & self.first_is_better, self.different]
        names = [Verdict.NOT_TESTED, Verdict.BETTER, Verdict.WORSE, Verdict.NOT_SIGNIFICANT]
        return np.array(names, dtype=object)[np.select(holds, [0, 1, 2], 3)]

    def of_pairs(self, places: NDArray[np.intp]) -> "PairVerdicts":
        """Return the verdicts on the pairs at these places."""
        names = ("p", "p_adjusted", "different", "first_is_better", "z")
        return replace(self, **{name: getattr(self, name)[places] for name in names})


def pair_verdicts(found: Analysis, test: RankTest) -> PairVerdicts:
    """Return the verdicts of a test on all pairs.

    Only Wilcoxon's test goes by the adjustment of the analysis; the others allow for all their comparisons by
    themselves. Raises ValueError for a test against a control where there is none."""
    return _VERDICTS[test](found)


def _sign_flips(found: Analysis) -> PairVerdicts:
    flips, test = found.sign_flips, RankTest.FLIPS
    return PairVerdicts(
        test,
        OWN_ADJUSTMENTS[test],
        found.alpha,
        flips.p,
        flips.p_all,
        different=is_significant(flips.p_all, found.alpha),
        first_is_better=(flips.z > 0) == found.table.higher_is_better,
        z=np.abs(flips.z),
        critical=flips.critical,
        smallest_p=smallest_flip_p(len(found.units.tasks), len(flips.p)),
        statistic=flips.statistic,
    )


def _wilcoxon(found: Analysis) -> PairVerdicts:
    ranks, adjustment = found.wilcoxon, found.adjustment
    adjusted = adjust(ranks.p, method=adjustment)
    alone = smallest_signed_rank_p(len(found.units.tasks))
    at_once = interval_significance(adjusted, method=adjustment, alpha=found.alpha)
    return PairVerdicts(
        RankTest.WILCOXON,
        adjustment,
        found.alpha,
        ranks.p,
        adjusted,
        different=is_significant(adjusted, found.alpha),
        first_is_better=(ranks.rank_sum_a > ranks.rank_sum_b) == found.table.higher_is_better,
        z=np.abs(ranks.z),
        critical=-float(ndtri(at_once / 2)),
        # Of data in which all pairs have the smallest p.
        smallest_p=float(adjust(np.full(len(ranks.p), alone), method=adjustment).min()),
    )


def _nemenyi(found: Analysis) -> PairVerdicts:
    nemenyi, methods, test = found.nemenyi, len(found.table.methods), RankTest.NEMENYI
    largest = np.array([(methods - 1) / nemenyi.error * math.sqrt(2.0)])
    return PairVerdicts(
        test,
        OWN_ADJUSTMENTS[test],
        found.alpha,
        nemenyi.p_normal,
        nemenyi.p,
        different=np.abs(nemenyi.difference) > nemenyi.cd + _NOISE,
        first_is_better=nemenyi.difference < 0,
        z=np.abs(nemenyi.difference) / nemenyi.error,
        critical=nemenyi.cd / nemenyi.error,
        smallest_p=float(range_upper_tail(largest, methods)[0]),
    )


def _against_control(found: Analysis) -> PairVerdicts:
    """Return the verdicts of pairs with the control; others are not compared."""
    dunn, first, second = found.bonferroni_dunn, found.nemenyi.first, found.nemenyi.second
    if dunn is None:
        raise ValueError("expected a control for the Bonferroni-Dunn test, got none")
    is_first, test, others = first == dunn.control, RankTest.CONTROL, len(dunn.p) - 1
    compared = is_first | (second == dunn.control)
    other = np.where(is_first, second, first)
    p, adjusted = (np.where(compared, values[other], np.nan) for values in (dunn.p, dunn.p_bonferroni))
    error = dunn.cd / dunn.z
    return PairVerdicts(
        test,
        OWN_ADJUSTMENTS[test],
        found.alpha,
        p,
        adjusted,
        different=compared & dunn.different[other],
        first_is_better=(dunn.difference[other] > 0) == is_first,
        z=np.abs(dunn.difference[other]) / error,
        critical=dunn.z,
        smallest_p=min(1.0, float(2 * others * ndtr(-others / error))),
    )


_VERDICTS = {
    RankTest.FLIPS: _sign_flips,
    RankTest.WILCOXON: _wilcoxon,
    RankTest.NEMENYI: _nemenyi,
    RankTest.CONTROL: _against_control,
}


def units_needed(said: PairVerdicts, units: int, *, power: float = 0.8) -> Floats:
    """Return with how many units the test would find each pair's difference with this probability.

    The difference that was seen is taken for the true one, and pairs stay as many: the test's statistic grows
    with the root of the number of units, and is to exceed its critical value. Infinite beyond `MOST_UNITS`,
    and without a difference. Raises ValueError for a power that is not between 0.5 and 1.
    Source: Cohen 1988, section 2, with the statistic of the test."""
    if not 0.5 <= power < 1:
        raise ValueError(f"expected a power from 0.5 to below 1, got {power:g}")
    with np.errstate(divide="ignore", invalid="ignore"):
        needed = np.ceil(units * np.square((said.critical + ndtri(power)) / said.z))
    return np.where(needed > MOST_UNITS, np.inf, np.maximum(needed, 2.0))


def verdict_matrix(found: Analysis, said: PairVerdicts) -> NDArray[np.object_]:
    """Return what is said of each method (row) against each other one (column), in the order of the table;
    nothing is tested on the diagonal."""
    matrix = np.full((len(found.table.methods),) * 2, Verdict.NOT_TESTED, dtype=object)
    first, second = found.nemenyi.first, found.nemenyi.second
    matrix[first, second] = said.verdict
    matrix[second, first] = replace(said, first_is_better=~said.first_is_better).verdict
    return matrix


def verdict_row(found: Analysis, said: PairVerdicts, method: int) -> list[Verdict]:
    """Return the row in `verdict_matrix` of the method at a place: what is said of it against each other."""
    places = np.array([place for place in range(len(found.table.methods)) if place != method], dtype=np.int64)
    chosen = said.of_pairs(found.pair_numbers[method, places])
    row = [Verdict.NOT_TESTED] * len(found.table.methods)
    for place, verdict in zip(places.tolist(), chosen.verdict.tolist(), strict=True):
        row[place] = verdict if method < place else turned_verdict(verdict)
    return row


def groups_of(found: Analysis, said: PairVerdicts) -> Groups:
    """Return the sets of methods of which no pair differs significantly, as bars of a diagram: maximal
    cliques, by Nemenyi's test the runs within the critical difference. None against a control, and where the
    test could not find any difference."""
    if said.test == RankTest.CONTROL or not said.is_testable:
        return Groups(())
    if said.test == RankTest.NEMENYI:
        return found.nemenyi.groups
    matrix = verdict_matrix(found, said)
    return maximal_cliques((matrix == Verdict.BETTER) | (matrix == Verdict.WORSE), found.ranks.average)
