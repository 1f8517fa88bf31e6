"""Bonferroni-Dunn test: which methods differ in mean rank from a control?

Its results depend on the other methods in the table. Source: Demsar 2006, JMLR 7, section 3.2.2."""

import numpy as np
from scipy.special import ndtr, ndtri

from delvecore.stats.p_adjustment import adjust
from delvecore.stats.ranking.nemenyi import rank_error
from delvecore.stats.ranking.pair_test import PairTest
from delvecore.stats.ranking.ranks import TaskRanks


def control_difference(ranks: TaskRanks, *, alpha: float) -> float:
    """Critical difference of a mean rank from a control, by the Bonferroni-Dunn test at level alpha.

    The normal quantile at alpha / (2 (k - 1)) times sqrt(k (k + 1) / (6 N))."""
    tasks, methods = ranks.ranks.shape
    return -float(ndtri(alpha / (2 * (methods - 1)))) * rank_error(methods, tasks, ranks.spread)


def bonferroni_dunn(ranks: TaskRanks, control: int, *, alpha: float = 0.05) -> PairTest:
    """Bonferroni-Dunn test: which methods differ in mean rank from the control?

    The level does not hold if the control was chosen from the data, for example for its best rank.

    Parameters
    ----------
    ranks : TaskRanks
        Ranks within each task, 1 is best.
    control : int
        Place of the control among the methods.
    alpha : float
        Level of the critical difference, for all comparisons together.

    Returns
    -------
    PairTest
        Each other method with the control; p by Bonferroni's method.

    Raises
    ------
    ValueError
        With fewer than two methods, or a level outside (0, 1).

    References
    ----------
    Dunn (1961); Demsar (2006), JMLR 7, section 3.2.2.

    Examples
    --------
    >>> ranks = np.array([[1.0, 2, 3]] * 5 + [[1, 3, 2], [2, 1, 3]])
    >>> result = bonferroni_dunn(TaskRanks(tuple("1234567"), ("a", "b", "c"), ranks, np.zeros(7)), control=0)
    >>> round(result.cd, 3), result.different.tolist()
    (1.198, [False, True])
    """
    tasks, methods = ranks.ranks.shape
    if methods < 2 or not 0 < alpha < 1:
        raise ValueError(f"expected two methods and a level between 0 and 1, got {methods} and {alpha}")
    others = np.delete(np.arange(methods), control)
    difference = ranks.average[others] - ranks.average[control]
    error, cd = rank_error(methods, tasks, ranks.spread), control_difference(ranks, alpha=alpha)
    p = 2 * ndtr(-np.abs(difference) / error)
    adjusted = adjust(p, method="bonferroni")
    return PairTest(others, np.full(methods - 1, control), difference, adjusted, p, cd, error)
