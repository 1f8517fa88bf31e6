"""Does the order of methods hold when one group of tasks is left out?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from delvecore.statistics.ranking.ranks import TaskRanks

__all__ = ["LeftOut", "leave_out"]


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


def _order(average):
    """The sign of each pair's difference in mean rank."""
    return np.sign(average[:, None] - average[None, :])
