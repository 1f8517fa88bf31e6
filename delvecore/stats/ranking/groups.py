"""How methods do on kinds of tasks: mean ranks within groups of tasks, how near the best they come, and which
methods do well on the same tasks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from delvecore.stats.kinds import Floats
from delvecore.stats.ranking.profiles import regret_profile
from delvecore.stats.ranking.ranks import (
    LEAST_UNITS,
    TaskRanks,
    rank_intervals,
    task_ranks,
    unit_averages,
    unit_ranks,
)
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.ranking.units import unit_names

__all__ = ["NEAR", "GroupRanks", "group_ranks", "resemblance"]

NEAR = (0.01, 0.1)
"""How much more than the best a method that is near it loses."""


@dataclass(frozen=True, eq=False)
class GroupRanks:
    """The methods on a group of tasks: arrays with an entry a method, in the order of the table.

    aspect, name: by what the tasks were grouped, and the group; tasks: their names; unit, units: what counts
    once, and how many there are; average, lower, upper: mean rank with its interval, of units; first: the
    share of units on which nothing is better; near: for each of `NEAR` the share on which a method is so near
    the best, see `regret_profile`; ratio: is that a part of the best loss, as where all are above 0, or a
    difference?"""

    aspect: str
    name: str
    tasks: tuple[str, ...]
    unit: str
    units: int
    methods: tuple[str, ...]
    average: Floats
    lower: Floats
    upper: Floats
    first: Floats
    near: tuple[Floats, ...]
    ratio: bool

    @property
    def has_intervals(self) -> bool:
        """Are there units enough for intervals?"""
        return self.units >= LEAST_UNITS

    @property
    def order(self) -> tuple[int, ...]:
        """Places of the methods, best mean rank first."""
        return tuple(np.argsort(self.average, kind="stable").tolist())

    def place(self, method: int) -> int:
        """Which place has a method there? 1 for the best mean rank, shared by those that tie."""
        return 1 + int((self.average < self.average[method]).sum())


def group_ranks(
    table: ScoreTable,
    groups: Mapping[str, Mapping[str, Sequence[str]]],
    *,
    unit: str,
    level: float = 0.95,
) -> tuple[GroupRanks, ...]:
    """How do the methods do within each group of tasks?

    table: without gaps; groups: {aspect: {name: tasks}}, of which those count that are in the table; unit:
    what counts once. Ranks within a task do not depend on the others, so nothing is ranked anew. Intervals
    are those of `rank_intervals`, not a number below three units."""
    ranks, units = task_ranks(table), np.array(unit_names(table, unit), dtype=object)
    ratio = bool((table.losses > 0).all())
    place, found = {task: row for row, task in enumerate(table.tasks)}, []
    for aspect, levels in groups.items():
        for name, tasks in levels.items():
            rows = [place[task] for task in tasks if task in place]
            if not rows:
                continue
            own = tuple(units[rows].tolist())
            counted = unit_ranks(_of_rows(ranks, rows), own)
            ends = rank_intervals(counted, level=level)
            losses = unit_averages(own, table.losses[rows])[1]
            shares = regret_profile(losses, at=(0.0, *NEAR), ratio=ratio, level=level).share
            names = tuple(table.tasks[row] for row in rows)
            found.append(
                GroupRanks(
                    aspect=aspect,
                    name=name,
                    tasks=names,
                    unit=unit,
                    units=len(counted.tasks),
                    methods=table.methods,
                    average=counted.average,
                    lower=ends.lower,
                    upper=ends.upper,
                    first=shares[:, 0],
                    near=tuple(shares[:, 1:].T),
                    ratio=ratio,
                )
            )
    return tuple(found)


def _of_rows(ranks: TaskRanks, rows: list[int]) -> TaskRanks:
    tasks = tuple(ranks.tasks[row] for row in rows)
    return TaskRanks(tasks, ranks.methods, ranks.ranks[rows], ranks.tie_terms[rows])


def resemblance(table: ScoreTable) -> Floats:
    """Return the correlations of the methods' ranks over the tasks, shape (methods, methods).

    Ranks, as losses go up and down with the tasks for all methods alike. Ranks of a task have a fixed sum, so
    that of k methods without anything in common a correlation is -1 / (k - 1). Not a number where a method's
    rank never changes. Raises ValueError for a table with gaps. Source: Spearman 1904, within tasks."""
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = np.corrcoef(task_ranks(table).ranks, rowvar=False)
    return np.atleast_2d(found)
