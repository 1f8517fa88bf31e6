"""How sure are mean ranks, when the tasks are seen as a sample? By drawing tasks with replacement.

Does the order of methods hold when one group of tasks is left out?
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from delvecore.statistics.ranking.ranks import TaskRanks

__all__ = ["DRAWS", "LeftOut", "RankIntervals", "leave_out", "rank_intervals"]

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


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Mean ranks without one group of tasks.

    group: its name; tasks: how many are left; average: mean rank of each method; same_best: is a method best
    that is best over all tasks? pairs: how many pairs of methods differ in mean rank over all tasks; moved:
    how many of them have their order turned round.
    """

    group: str
    tasks: int
    average: np.ndarray
    same_best: bool
    moved: int
    pairs: int


def leave_out(ranks: TaskRanks, groups: Mapping[str, Sequence[str]]) -> tuple[LeftOut, ...]:
    """What are the mean ranks without each of the groups in turn?

    groups: names of tasks by group; names that are not among the ranked tasks are passed over, and so are
    groups without a ranked task and one that holds them all. Ranks within a task do not depend on the
    others, so nothing is ranked anew.
    """
    place = {task: row for row, task in enumerate(ranks.tasks)}
    full = ranks.average
    found = []
    for group, names in groups.items():
        kept = np.ones(len(ranks.tasks), dtype=bool)
        kept[[place[name] for name in names if name in place]] = False
        if kept.all() or not kept.any():
            continue
        average = ranks.ranks[kept].sum(axis=0) / kept.sum()
        before, after = _order(full), _order(average)
        best = bool(((full == full.min()) & (average == average.min())).any())
        moved = int((before * after < 0).sum()) // 2
        found.append(LeftOut(group, int(kept.sum()), average, best, moved, int((before != 0).sum()) // 2))
    return tuple(found)


def _order(average: np.ndarray) -> np.ndarray:
    """The sign of each pair's difference in mean rank."""
    return np.sign(average[:, None] - average[None, :])
