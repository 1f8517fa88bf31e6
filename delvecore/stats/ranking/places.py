"""Confidence sets of places: which place in the ranking may each method have, and which may be the best?

They follow from tests of pairs, so that they agree with the verdicts. Source: Mogstad, Romano, Shaikh and
Wilhelm 2024, Review of Economic Studies 91."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from delvecore.stats.array_types import Mask, Whole
from delvecore.stats.choose import DEFAULT_LEVEL, Verdict, is_significant, significance
from delvecore.stats.ranking.sign_flips import SignFlips


@dataclass(frozen=True, eq=False)
class PlaceSets:
    """Confidence sets of the places of methods, 1 is best; arrays with one entry for each method.

    Attributes
    ----------
    level : float
        Confidence: that all sets cover, or, of single ones, that each covers.
    single : bool
        Is each set made for one method at a time, from its k - 1 pairs?
    lowest, highest : array
        The places from 1 to k that a method may have.
    may_be_best : array
        Is the method in the confidence set of the best one?
    """

    level: float
    single: bool
    lowest: Whole
    highest: Whole
    may_be_best: Mask


def places_of(verdicts: NDArray[np.object_]) -> tuple[Whole, Whole]:
    """Lowest and highest place of each method, from the verdicts on pairs.

    A method's place is at least 1 and the number of methods that are significantly better, and at most k less
    the number of those that are significantly worse. Pairs that are not tested exclude no place.

    Parameters
    ----------
    verdicts : array of shape (methods, methods)
        `Verdict` on the method of the row against that of the column, as `verdict_matrix` has it. Each row
        may come from a family of tests of its own.

    Examples
    --------
    >>> row = {"+": Verdict.BETTER, "-": Verdict.WORSE, "0": Verdict.NOT_SIGNIFICANT, " ": Verdict.NOT_TESTED}
    >>> lowest, highest = places_of(np.array([[row[one] for one in text] for text in (" 0+", "0 +", "-- ")]))
    >>> lowest.tolist(), highest.tolist()
    ([1, 1, 3], [2, 2, 3])
    """
    lowest = 1 + (verdicts == Verdict.WORSE).sum(axis=1)
    highest = len(verdicts) - (verdicts == Verdict.BETTER).sum(axis=1)
    return lowest, highest


def place_sets(
    flips: SignFlips, *, higher_is_better: bool, level: float = DEFAULT_LEVEL, single: bool = False
) -> PlaceSets:
    """Confidence sets of the places of all methods, and of the best method, by sign flips.

    Parameters
    ----------
    flips : SignFlips
        The tests of all pairs.
    level : float
        Confidence.
    higher_is_better : bool
        The direction of the values that were compared.
    single : bool
        Sets for one method at a time: narrower, but only each by itself covers with this confidence.

    Returns
    -------
    PlaceSets
        Simultaneous sets agree with the verdicts on all pairs. A method may be the best unless another one is
        significantly better by a one-sided test of its k - 1 pairs.

    References
    ----------
    Mogstad, Romano, Shaikh and Wilhelm (2024), sections 3.2 (one method), 3.3 (all) and 3.4 (the best).

    Examples
    --------
    >>> from delvecore.stats.choose import FlipStatistic
    >>> from delvecore.stats.ranking.score_table import ScoreTable
    >>> from delvecore.stats.ranking.sign_flips import sign_flips
    >>> from delvecore.stats.ranking.wilcoxon import scan_pairs
    >>> table = ScoreTable(tuple("tuvwxy"), ("a", "b", "c"), np.tile([0.0, 1, 3], (6, 1)))
    >>> flips = sign_flips(scan_pairs(table), statistic=FlipStatistic.SCALED)
    >>> found = place_sets(flips, higher_is_better=False)
    >>> found.lowest.tolist(), found.highest.tolist(), found.may_be_best.tolist()
    ([1, 1, 2], [2, 3, 3], [True, True, False])
    """
    alpha, methods = significance(level), len(flips.p_best)
    first_is_better = flips.mean > 0 if higher_is_better else flips.mean < 0
    verdicts = np.full((methods, methods), Verdict.NOT_TESTED, dtype=object)
    p_of_rows = flips.p_one if single else (flips.p_all, flips.p_all)
    sides = ((flips.first, flips.second, first_is_better), (flips.second, flips.first, ~first_is_better))
    for (row, column, is_better), p in zip(sides, p_of_rows, strict=True):
        found = np.where(is_better, Verdict.BETTER, Verdict.WORSE)
        verdicts[row, column] = np.where(is_significant(p, alpha), found, Verdict.NOT_SIGNIFICANT)
    may_be_best = ~is_significant(flips.p_best, alpha)
    return PlaceSets(level, single, *places_of(verdicts), may_be_best)
