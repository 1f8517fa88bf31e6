"""Which pairs of methods does a test tell apart over all units, adjusted as chosen? Nobody else says so."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from delvecore.statistics.adjust import adjust
from delvecore.statistics.choose import RankTest, Verdict, is_significant, turned_verdict
from delvecore.statistics.ranking.analysis import Analysis
from delvecore.statistics.ranking.rank_tests import Groups, maximal_cliques

__all__ = ["OWN_ADJUSTMENTS", "PairVerdicts", "RankTest", "groups_of", "pair_verdicts", "verdict_matrix"]
__all__ += ["verdict_row"]

_NOISE = 1e-9


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
    p_adjusted: for all pairs; not a number where the test does not compare the pair. different: is it told
    apart? first_is_better: by what the test weighs, mean ranks, signed ranks or mean differences."""

    test: RankTest
    adjustment: str
    p: np.ndarray
    p_adjusted: np.ndarray
    different: np.ndarray
    first_is_better: np.ndarray

    @property
    def tested(self) -> int:
        """How many pairs does the test compare?"""
        return int(np.count_nonzero(~np.isnan(self.p_adjusted)))

    @property
    def verdict(self) -> NDArray[np.object_]:
        """What is said of the first method of each pair: a `Verdict`."""
        holds = [np.isnan(self.p_adjusted), self.different & self.first_is_better, self.different]
        names = [Verdict.NOT_TESTED, Verdict.BETTER, Verdict.WORSE, Verdict.NOT_SETTLED]
        return np.array(names, dtype=object)[np.select(holds, [0, 1, 2], 3)]


def pair_verdicts(found: Analysis, test: RankTest) -> PairVerdicts:
    """What does the test say of all pairs, with the adjustment of the analysis?

    Nemenyi's test and those against a control adjust by themselves. Sign flips adjust by the largest
    statistic in the place of every procedure that holds the probability of any error. Raises ValueError for a
    test against a control where there is none."""
    higher = found.table.higher_is_better
    if test == RankTest.NEMENYI:
        nemenyi = found.nemenyi
        different = np.abs(nemenyi.difference) > nemenyi.cd + _NOISE
        about = {"different": different, "first_is_better": nemenyi.difference < 0}
        return PairVerdicts(test, OWN_ADJUSTMENTS[test], nemenyi.p_normal, nemenyi.p, **about)
    if test == RankTest.CONTROL:
        return _against_control(found)
    if test == RankTest.WILCOXON:
        p, better = found.wilcoxon.p, (found.wilcoxon.rank_sum_a > found.wilcoxon.rank_sum_b) == higher
    else:
        p, better = found.sign_flips.p, (found.scan.mean > 0) == higher
    adjustment = found.adjustment
    if test == RankTest.FLIPS and adjustment not in ("none", "benjamini-hochberg"):
        adjustment, adjusted = OWN_ADJUSTMENTS[test], found.sign_flips.p_all
    else:
        adjusted = adjust(p, method=adjustment)
    different = is_significant(adjusted, found.alpha)
    return PairVerdicts(test, adjustment, p, adjusted, different=different, first_is_better=better)


def _against_control(found: Analysis) -> PairVerdicts:
    """Return the verdicts of pairs with the control; others are not compared."""
    dunn, first, second = found.bonferroni_dunn, found.nemenyi.first, found.nemenyi.second
    if dunn is None:
        raise ValueError("expected a control for the Bonferroni-Dunn test, got none")
    is_first = first == dunn.control
    compared = is_first | (second == dunn.control)
    other = np.where(is_first, second, first)
    p, adjusted = (np.where(compared, values[other], np.nan) for values in (dunn.p, dunn.p_bonferroni))
    better = (dunn.difference[other] > 0) == is_first
    different = compared & dunn.different[other]
    test, about = RankTest.CONTROL, {"different": different, "first_is_better": better}
    return PairVerdicts(test, OWN_ADJUSTMENTS[test], p, adjusted, **about)


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
    low, high = np.minimum(places, method), np.maximum(places, method)
    pairs = low * len(found.table.methods) - low * (low + 1) // 2 + high - low - 1
    columns = (said.p, said.p_adjusted, said.different, said.first_is_better)
    chosen = PairVerdicts(said.test, said.adjustment, *(column[pairs] for column in columns))
    row = [Verdict.NOT_TESTED] * len(found.table.methods)
    for place, verdict in zip(places.tolist(), chosen.verdict.tolist(), strict=True):
        row[place] = verdict if method < place else turned_verdict(verdict)
    return row


def groups_of(found: Analysis, said: PairVerdicts) -> Groups:
    """Return the sets of methods that a test does not tell apart, as bars of a diagram; none against a
    control."""
    if said.test == RankTest.NEMENYI:
        return found.nemenyi.groups
    if said.test == RankTest.CONTROL:
        return Groups(())
    matrix = verdict_matrix(found, said)
    return maximal_cliques((matrix == Verdict.BETTER) | (matrix == Verdict.WORSE), found.ranks.average)
