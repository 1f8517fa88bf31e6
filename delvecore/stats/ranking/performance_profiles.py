"""Performance profiles: the share of tasks on which a method is near the best, also by groups of tasks."""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from delvecore.stats.array_types import Floats, Mask
from delvecore.stats.choose import FlipStatistic, is_significant, significance
from delvecore.stats.interval import Interval
from delvecore.stats.ranking.effects import wilson_interval
from delvecore.stats.ranking.places import PlaceSets, place_sets
from delvecore.stats.ranking.ranks import (
    DIGITS,
    FAMILY,
    TASK,
    TaskRanks,
    choose_unit,
    is_one_dataset,
    task_ranks,
    unit_averages,
    unit_names,
    unit_ranks,
    unit_table,
)
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.ranking.sign_flips import default_statistic, scaled_table, sign_flips


def regrets_of(losses: Floats, *, ratio: bool) -> Floats:
    """Return the distance of each method from the best one, shape (units, methods).

    losses: complete, lower is better. ratio: use the loss divided by the lowest loss, minus 1, so that 0.1 is
    a loss of 1.1 times the lowest; otherwise use the difference. Raises ValueError for ratios of losses that
    are not positive.
    """
    lowest = losses.min(axis=1, keepdims=True)
    if ratio and not (lowest > 0).all():
        raise ValueError("expected losses above 0 for ratios to the lowest, got others; use differences")
    regrets = losses / lowest - 1 if ratio else losses - lowest
    # 0.3 - 0.1 equals 0.2: noise in the last digits must not separate a method from the best.
    scale = 1.0 if ratio else np.maximum(np.abs(losses), np.abs(lowest))
    return np.where(regrets <= scale * 10.0 ** (1 - DIGITS), 0.0, regrets)


def performance_profile(regrets: Floats, at: Sequence[float], *, level: float = 0.95) -> Interval[Floats]:
    """Performance profile: on what share of the units is each method within x of the best one?

    Bands are pointwise. Resampling the units gives a binomial share, and Wilson's interval is also valid near
    0 and 1.

    Parameters
    ----------
    regrets : array of shape (units, methods)
        Result of `regrets_of`.
    at : sequence of floats
        Distances from the best.
    level : float
        Confidence of the bands.

    Returns
    -------
    Interval
        Shares with bands, of shape (methods, distances).

    References
    ----------
    Dolan and More (2002), Mathematical Programming 91.

    Examples
    --------
    >>> regrets = regrets_of(np.array([[1.0, 1.1], [2.0, 2.0], [4.0, 3.0]]), ratio=True)
    >>> performance_profile(regrets, (0, 0.2)).estimate.round(2).tolist()
    [[0.67, 0.67], [0.67, 1.0]]
    """
    share: Floats = (regrets[:, :, None] <= np.asarray(at, dtype=float)).mean(axis=0)
    return Interval(share, *wilson_interval(share, len(regrets), level=level))


def is_best(losses: Floats) -> Mask:
    """Return the units on which a method has the lowest loss, shape (units, methods).

    Noise in the last digits does not count. losses: complete, lower is better.
    """
    best: Mask = regrets_of(losses, ratio=bool((losses > 0).all())) == 0
    return best


NEAR = (0.01, 0.1)
"""Maximum distances from the best loss that count as near."""


@dataclass(frozen=True, eq=False)
class GroupRanks:
    """The methods on a group of tasks: arrays with one entry per method, in the order of the table.

    Attributes
    ----------
    aspect, name : str
        The grouping of the tasks, and the group.
    table : ScoreTable
        The tasks of the group.
    unit, units : str, int
        Kind of unit that counts once, and the number of units.
    average : array
        Mean rank over units.
    first, near : array, tuple of arrays
        Share of units on which no method is better; for each of `NEAR`, the share of units within that
        distance of the best, see `performance_profile`.
    ratio : bool
        Whether that distance is relative to the best loss, as for positive losses; otherwise it is a
        difference.
    level, statistic : float, FlipStatistic
        Confidence of the sets of places, and the statistic of sign flips.
    """

    aspect: str
    name: str
    table: ScoreTable
    unit: str
    units: int
    average: Floats
    first: Floats
    near: tuple[Floats, ...]
    ratio: bool
    level: float
    statistic: FlipStatistic

    @property
    def tasks(self) -> tuple[str, ...]:
        return self.table.tasks

    @property
    def methods(self) -> tuple[str, ...]:
        return self.table.methods

    @functools.cached_property
    def places(self) -> PlaceSets | None:
        """Confidence sets of the places of the methods.

        None if sign flips cannot find any difference, and for tasks of one dataset.
        """
        if self.units < 2 or (self.unit == TASK and is_one_dataset(self.table)):
            return None
        scaled = self.statistic == FlipStatistic.SCALED
        units = unit_table(scaled_table(self.table) if scaled else self.table, self.unit)
        flips = sign_flips(units, statistic=self.statistic)
        if not is_significant(flips.least_p(), significance(self.level)):
            return None
        return place_sets(flips, higher_is_better=self.table.higher_is_better, level=self.level)

    def places_of(self, method: int) -> tuple[int, int] | None:
        """Return the best and the worst possible place of a method; None without sets."""
        sets = self.places
        return None if sets is None else sets.of(method)

    @property
    def order(self) -> tuple[int, ...]:
        """Places of the methods, best mean rank first."""
        return tuple(np.argsort(self.average, kind="stable").tolist())

    def place(self, method: int) -> int:
        """Return the place of a method within the group: 1 for the best mean rank, with ties
        sharing a place.
        """
        return 1 + int((self.average < self.average[method]).sum())


def group_ranks(
    table: ScoreTable,
    groups: Mapping[str, Mapping[str, Sequence[str]]],
    *,
    unit: str,
    level: float = 0.95,
    statistic: FlipStatistic | None = None,
) -> tuple[GroupRanks, ...]:
    """Ranks of the methods within each group of tasks.

    table: without gaps; groups: {aspect: {name: tasks}}, where tasks outside the table are ignored; unit:
    kind of unit that counts once; families only count in groups with enough of them; level, statistic: of the
    confidence sets of places, None for the defaults of `analyze`. Ranks within a task do not depend on the
    other tasks, so they are not recomputed.
    """
    ranks = task_ranks(table)
    ratio = bool((table.shortfall > 0).all())
    statistic = statistic or default_statistic(table)
    place, ranks_of_groups = {task: row for row, task in enumerate(table.tasks)}, []
    for aspect, levels in groups.items():
        for name, tasks in levels.items():
            rows = [place[task] for task in tasks if task in place]
            if not rows:
                continue
            part = table.select(tasks=[table.tasks[row] for row in rows])
            counts = choose_unit(part) if unit == FAMILY else unit
            units = unit_names(part, counts)
            of_rows = TaskRanks(part.tasks, ranks.methods, ranks.ranks[rows], ranks.tie_terms[rows])
            counted = unit_ranks(of_rows, units)
            losses = unit_averages(units, table.shortfall[rows])[1]
            shares = performance_profile(regrets_of(losses, ratio=ratio), (0.0, *NEAR)).estimate
            facts = (aspect, name, part, counts, len(counted.tasks), counted.average)
            near = (shares[:, 0], tuple(shares[:, 1:].T), ratio)
            ranks_of_groups.append(GroupRanks(*facts, *near, level=level, statistic=statistic))
    return tuple(ranks_of_groups)


def resemblance(table: ScoreTable) -> Floats:
    """Spearman correlations of methods over tasks, of ranks within each task: shape (methods, methods).

    Ranks are used because losses of all methods rise and fall with the tasks. Ranks of a task have a fixed
    sum, so the correlation of k unrelated methods is -1 / (k - 1). NaN if a method's rank never changes.
    Raises ValueError for a table with gaps. Source: Spearman 1904, within tasks.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        correlations: Floats = np.corrcoef(task_ranks(table).ranks, rowvar=False)
    return np.atleast_2d(correlations)
