"""Quade's test: do methods differ when tasks are weighted by the range of their values?"""

import math

import numpy as np

from delvecore.stats.ranking.friedman import OmnibusTest, f_tail
from delvecore.stats.ranking.ranks import rank_rows, task_decimals, task_ranks, without_noise
from delvecore.stats.ranking.score_table import ScoreTable, complete_shape


def quade(table: ScoreTable) -> OmnibusTest:
    """Quade test: do methods differ when tasks are weighted by the range of their values?

    The values of the tasks must be comparable.

    Parameters
    ----------
    table : ScoreTable
        Complete; two tasks or more, two methods or more.

    Returns
    -------
    OmnibusTest
        F is 0 and p is 1 if all methods tie on every task. F is infinite and p is NaN if all tasks have the
        same ranks and weights.

    Raises
    ------
    ValueError
        For missing values, one task or one method.

    References
    ----------
    Quade (1979); Conover (1999), section 5.8.

    Examples
    --------
    >>> values = np.array([[1, 2, 3]] * 5 + [[1, 3, 2], [2, 1, 3]])
    >>> result = quade(ScoreTable(tuple("1234567"), ("a", "b", "c"), values))
    >>> round(result.statistic, 2), round(result.p, 4)
    (16.62, 0.0003)
    """
    tasks, methods = complete_shape(table)
    ranks = task_ranks(table).ranks
    decimals = task_decimals(table.values)
    ranges = without_noise(np.ptp(table.values, axis=1), decimals)
    weights = rank_rows(ranges[None, :])[0][0]
    scores = weights[:, None] * (ranks - (methods + 1) / 2)
    every = float(np.square(scores).sum())
    between = float(np.square(scores.sum(axis=0)).sum()) / tasks
    df1, df2 = methods - 1, (methods - 1) * (tasks - 1)
    f = math.inf if every else 0.0
    if every - between > 1e-12 * every:
        f = (tasks - 1) * between / (every - between)
    return OmnibusTest(f, df1, f_tail(f, df1, df2), tasks, df2)
