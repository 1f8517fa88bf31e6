"""How sure are mean ranks, when the tasks are seen as a sample? By drawing tasks with replacement."""

from dataclasses import dataclass

import numpy as np

from delvecore.statistics.ranking.ranks import TaskRanks

__all__ = ["DRAWS", "RankIntervals", "rank_intervals"]

DRAWS = 2_000
_DRAWS_AT_ONCE = 200


@dataclass(frozen=True, eq=False)
class RankIntervals:
    """average, lower, upper: mean rank of each method and its percentile interval.

    best: how often each method had the lowest mean rank of all; ties share.
    """

    level: float
    average: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    best: np.ndarray


def rank_intervals(
    ranks: TaskRanks, *, level: float = 0.95, draws: int = DRAWS, seed: int = 0
) -> RankIntervals:
    """Between which values would mean ranks lie with other tasks of the same kind?

    The same seed gives the same result. Raises ValueError for a level that is not between 0 and 1.
    Source: Efron 1979 (percentile intervals).
    """
    if not 0 < level < 1:
        raise ValueError(f"expected a level between 0 and 1, got {level}")
    generator = np.random.default_rng(seed)
    tasks, methods = ranks.ranks.shape
    means = np.empty((draws, methods))
    for at in range(0, draws, _DRAWS_AT_ONCE):
        size = min(_DRAWS_AT_ONCE, draws - at)
        drawn = generator.integers(0, tasks, (size, tasks)) + tasks * np.arange(size)[:, None]
        times = np.bincount(drawn.ravel(), minlength=size * tasks).reshape(size, tasks)
        means[at : at + size] = times.astype(float) @ ranks.ranks
    # Sums of half-integers are exact, so that equal means tie here too.
    first = means == means.min(axis=1, keepdims=True)
    best = (first / first.sum(axis=1, keepdims=True)).mean(axis=0)
    lower, upper = np.quantile(means / tasks, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return RankIntervals(level, ranks.average, lower, upper, best)
