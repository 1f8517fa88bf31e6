"""Bonferroni-Dunn test: which methods differ in mean rank from a control?

Its results depend on the other methods in the table. Source: Demsar 2006, JMLR 7, section 3.2.2."""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from delvecore.stats.p_adjustment import adjust
from delvecore.stats.ranking.nemenyi import NOISE, rank_error
from delvecore.stats.ranking.ranks import TaskRanks


@dataclass(frozen=True, eq=False)
class BonferroniDunn:
    """Comparisons of every method with a control; arrays over the table's methods.

    The control has p = 1.

    Attributes
    ----------
    control : int
        Position of the control in the methods.
    z, cd : float
        The normal quantile and critical difference at alpha / (methods - 1).
    difference : array
        Mean rank minus that of the control.
    p : array
        Unadjusted p of the difference of two mean ranks.
    p_bonferroni : array
        p by Bonferroni's method.
    p_holm : array
        p by Holm's method, which rejects at least as many.
    different : array
        Whether the difference exceeds cd.
    """

    control: int
    z: float
    cd: float
    difference: np.ndarray
    p: np.ndarray
    p_bonferroni: np.ndarray
    p_holm: np.ndarray
    different: np.ndarray


def control_difference(ranks: TaskRanks, *, alpha: float) -> float:
    """Critical difference of a mean rank from a control, by the Bonferroni-Dunn test at level alpha.

    The normal quantile at alpha / (2 (k - 1)) times sqrt(k (k + 1) / (6 N))."""
    tasks, methods = ranks.ranks.shape
    return -float(ndtri(alpha / (2 * (methods - 1)))) * rank_error(methods, tasks, ranks.spread)


def bonferroni_dunn(ranks: TaskRanks, control: int, *, alpha: float = 0.05) -> BonferroniDunn:
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
    BonferroniDunn
        One entry per method; the control has p = 1.

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
    >>> found = bonferroni_dunn(TaskRanks(tuple("1234567"), ("a", "b", "c"), ranks, np.zeros(7)), control=0)
    >>> round(found.cd, 3), found.different.tolist()
    (1.198, [False, False, True])
    """
    tasks, methods = ranks.ranks.shape
    if methods < 2 or not 0 < alpha < 1:
        raise ValueError(f"expected two methods and a level between 0 and 1, got {methods} and {alpha}")
    difference = ranks.average - ranks.average[control]
    error, cd = rank_error(methods, tasks, ranks.spread), control_difference(ranks, alpha=alpha)
    p, adjusted = 2 * ndtr(-np.abs(difference) / error), np.ones((2, methods))
    others = np.arange(methods) != control
    for row, method in zip(adjusted, ("bonferroni", "holm"), strict=True):
        row[others] = adjust(p[others], method=method)
    different = others & (np.abs(difference) > cd + NOISE)
    return BonferroniDunn(control, cd / error, cd, *(difference, p, *adjusted, different))
