"""Which methods do well and badly on the same tasks?"""

import numpy as np

from delvecore.statistics.kinds import Floats
from delvecore.statistics.ranking.ranks import task_ranks
from delvecore.statistics.ranking.score_table import ScoreTable

__all__ = ["resemblance"]


def resemblance(table: ScoreTable) -> Floats:
    """Return the correlations of the methods' ranks over the tasks, shape (methods, methods).

    Ranks, as losses go up and down with the tasks for all methods alike. Ranks of a task have a fixed sum, so
    that of k methods without anything in common a correlation is -1 / (k - 1). Not a number where a method's
    rank never changes. Raises ValueError for a table with gaps. Source: Spearman 1904, within tasks."""
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = np.corrcoef(task_ranks(table).ranks, rowvar=False)
    return np.atleast_2d(found)
