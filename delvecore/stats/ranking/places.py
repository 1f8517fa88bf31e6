"""Confidence sets of places: the possible places of each method, and the methods that may be best.

They follow from tests of pairs, so they agree with the verdicts. Source: Mogstad, Romano, Shaikh and
Wilhelm 2024, Review of Economic Studies 91."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from delvecore.stats.array_types import Floats, Mask, Whole
from delvecore.stats.choose import DEFAULT_LEVEL, Verdict, is_significant, significance
from delvecore.stats.ranking.sign_flips import SignFlips


@dataclass(frozen=True, eq=False)
class PlaceSets:
    """Confidence sets of the places of methods, 1 is best; arrays with one entry for each method.

    Attributes
    ----------
    level : float
        Confidence that all sets together cover the true places or, for single sets, that each one does.
    single : bool
        Whether each set uses only the k - 1 pairs of its method.
    lowest, highest : array
        The lowest and highest possible places, from 1 to k.
    may_be_best : array
        Whether the method is in the confidence set of the best one.
    """

    level: float
    single: bool
    lowest: Whole
    highest: Whole
    may_be_best: Mask

    def of(self, method: int) -> tuple[int, int]:
        """Return the lowest and the highest possible place of a method."""
        return int(self.lowest[method]), int(self.highest[method])


def places_of(verdicts: NDArray[np.object_]) -> tuple[Whole, Whole]:
    """Lowest and highest place of each method, from the verdicts on pairs.

    The lowest place is 1 plus the number of significantly better methods. The highest place is k minus the
    number of significantly worse methods. Untested pairs exclude no place.

    Parameters
    ----------
    verdicts : array of shape (methods, methods)
        `Verdict` on the row's method against the column's, as in `verdict_matrix`. Each row may come from a
        separate family of tests.

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
        The direction of the compared values.
    single : bool
        Whether sets are for one method at a time. They are narrower, but the confidence holds for each set
        alone.

    Returns
    -------
    PlaceSets
        Simultaneous sets agree with the verdicts on all pairs. A method may be the best unless another one is
        significantly better by the test of its k - 1 pairs.

    References
    ----------
    Mogstad, Romano, Shaikh and Wilhelm (2024), sections 3.2 (one method), 3.3 (all) and 3.4 (the best).

    Examples
    --------
    >>> from delvecore.stats.choose import FlipStatistic
    >>> from delvecore.stats.ranking.score_table import ScoreTable
    >>> from delvecore.stats.ranking.sign_flips import sign_flips
    >>> table = ScoreTable(tuple("tuvwxy"), ("a", "b", "c"), np.tile([0.0, 1, 3], (6, 1)))
    >>> flips = sign_flips(table, statistic=FlipStatistic.SCALED)
    >>> result = place_sets(flips, higher_is_better=False)
    >>> result.lowest.tolist(), result.highest.tolist(), result.may_be_best.tolist()
    ([1, 2, 3], [1, 2, 3], [True, False, False])
    """
    alpha, p_all = significance(level), np.ones_like(flips.p_one)
    mean = np.zeros_like(p_all)
    for row, column, sign in ((flips.first, flips.second, 1), (flips.second, flips.first, -1)):
        p_all[row, column], mean[row, column] = flips.p_all, sign * flips.mean
    is_better = mean > 0 if higher_is_better else mean < 0
    sides = np.where(is_better, Verdict.BETTER, Verdict.WORSE)

    def verdicts(p: Floats) -> NDArray[np.object_]:
        return np.where(is_significant(p, alpha), sides, Verdict.NOT_SIGNIFICANT).astype(object)

    by_one = places_of(verdicts(flips.p_one))
    lowest, highest = by_one if single else places_of(verdicts(p_all))
    return PlaceSets(level, single, lowest, highest, may_be_best=by_one[0] == 1)
