"""Bayesian correlated t-test of pairs of methods, with a region of practical equivalence."""

import numpy as np
from scipy.special import stdtr

from delvecore.stats.orientation import oriented
from delvecore.stats.ranking.bayesian_sign import PairPosterior, check_rope
from delvecore.stats.ranking.wilcoxon import PairScan


def correlated_t(scan: PairScan, *, rope: float = 0.0, test_share: float = 0.0) -> PairPosterior:
    """Bayesian correlated t-test: probability of a mean difference below, in or above the region.

    Constant differences count as certain; constant zeros give 1/2 each.

    Parameters
    ----------
    scan : PairScan
        The differences of all pairs.
    rope : float
        Half the width of the region of practical equivalence, in units of the values.
    test_share : float
        Share of the cases in each test set of overlapping training sets, 1/10 in 10-fold cross-validation; 0
        if the tasks share no cases.

    Returns
    -------
    PairPosterior
        Three probabilities per pair, exact, from Student's t.

    Raises
    ------
    ValueError
        For a share outside [0, 1), a negative rope, and one task.

    References
    ----------
    Corani and Benavoli (2015), Machine Learning 100, equation 12.

    Examples
    --------
    >>> from delvecore.stats.ranking.score_table import ScoreTable
    >>> from delvecore.stats.ranking.wilcoxon import scan_pairs
    >>> table = ScoreTable(("t", "u", "v"), ("a", "b"), np.array([[1.0, 2], [1, 3], [1, 4]]))
    >>> correlated_t(scan_pairs(table)).a_better.round(3).tolist()
    [0.963]
    """
    check_rope(rope)
    mean, scale = oriented(scan.mean, scan.table), scan.standard_error(test_share)
    beyond = np.array([-rope - mean, mean - rope])
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = stdtr(scan.tasks - 1, beyond / scale)
    certain = np.where((beyond > 0).any(axis=0), beyond > 0, 0.0 if rope else 0.5)
    a_better, b_better = np.where(scan.constant, certain, shares)
    equivalent = np.maximum(1 - a_better - b_better, 0.0) if rope else np.zeros(len(mean))
    return PairPosterior("correlated t", rope, a_better, equivalent, b_better)
