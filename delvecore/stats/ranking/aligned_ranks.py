"""Aligned-ranks test of Hodges and Lehmann: do methods differ when all values are ranked together?"""

import numpy as np
from scipy.special import chdtrc

from delvecore.stats.ranking.friedman import OmnibusTest
from delvecore.stats.ranking.ranks import rank_rows, task_decimals, without_noise
from delvecore.stats.ranking.score_table import ScoreTable, complete_shape


def aligned_ranks(table: ScoreTable) -> OmnibusTest:
    """Aligned-ranks test of Hodges and Lehmann: do methods differ when all values are ranked together?

    Each task's mean is subtracted first. The values of the tasks must be comparable.

    Parameters
    ----------
    table : ScoreTable
        Complete; two tasks or more, two methods or more.

    Returns
    -------
    OmnibusTest
        Chi-square is 0 and p is 1 without any difference.

    Raises
    ------
    ValueError
        For missing values, one task or one method.

    References
    ----------
    Hodges and Lehmann (1962); Garcia and others (2010), Information Sciences 180, section 3.1.

    Examples
    --------
    >>> values = np.array([[1, 2, 3], [11, 12, 13], [5, 6, 7]])
    >>> result = aligned_ranks(ScoreTable(("t", "u", "v"), ("a", "b", "c"), values))
    >>> round(result.statistic, 3), result.df
    (5.4, 2)
    """
    tasks, methods = complete_shape(table)
    losses = without_noise(table.oriented)
    # Deviations from the mean times the number of methods are sums of decimals, so that they tie correctly.
    about_mean = losses * methods - losses.sum(axis=1, keepdims=True)
    about_mean = without_noise(about_mean, task_decimals(table.values)[:, None])
    ranks = rank_rows(about_mean.reshape(1, -1))[0].reshape(tasks, methods)
    count = tasks * methods
    about_middle = ranks.sum(axis=0) - tasks * (count + 1) / 2
    spread = count * (count + 1) * (2 * count + 1) / 6 - np.square(ranks.sum(axis=1)).sum() / methods
    between = float(about_middle @ about_middle)
    chi2 = float((methods - 1) * between / spread) if between else 0.0
    return OmnibusTest(chi2, methods - 1, float(chdtrc(methods - 1, chi2)), tasks)
