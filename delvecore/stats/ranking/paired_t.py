"""Student's paired t-test of all pairs of methods, and the corrected resampled t-test."""

import numpy as np
from scipy.special import stdtr

from delvecore.stats.ranking.pair_test import PairTest
from delvecore.stats.ranking.wilcoxon import PairScan


def paired_t(scan: PairScan, *, test_share: float = 0.0) -> PairTest:
    """Paired t-test of all pairs, and the corrected resampled t-test; two-sided.

    The test assumes that values have the same meaning on all tasks, and that differences are approximately
    normal.

    Parameters
    ----------
    scan : PairScan
        The differences of all pairs.
    test_share : float
        Share of cases in each test set, 1/10 for 10 folds, if the rows are overlapping training sets instead
        of tasks, as in cross-validation or random subsampling. The squared standard error of the mean is then
        the sample variance times 1/n + share / (1 - share).

    Returns
    -------
    PairTest
        t and p; if differences do not vary, p is 1 and t is NaN.

    Raises
    ------
    ValueError
        For one task, and for a share outside [0, 1).

    References
    ----------
    Student (1908); Nadeau and Bengio (2003), Machine Learning 52, section 3.

    Examples
    --------
    >>> from delvecore.stats.ranking.score_table import ScoreTable
    >>> from delvecore.stats.ranking.wilcoxon import scan_pairs
    >>> values = np.array([[2.0, 1.0], [4.0, 2.0], [6.0, 3.0]])
    >>> result = paired_t(scan_pairs(ScoreTable(("t", "u", "v"), ("a", "b"), values)))
    >>> result.statistic.round(3).tolist(), result.p.round(3).tolist()
    ([3.464], [0.074])
    """
    error = scan.standard_error(test_share)
    df = scan.tasks - 1
    with np.errstate(invalid="ignore", divide="ignore"):
        t = np.where(scan.constant, np.nan, scan.mean / error)
    p = np.where(scan.constant, 1.0, np.minimum(2 * stdtr(df, -np.abs(t)), 1.0))
    return PairTest(scan.first, scan.second, t, p, p)
