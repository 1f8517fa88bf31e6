"""Ranks of methods within tasks, their means over units, and the order of the methods.

Equal decimals become equal doubles, so that they tie. A unit counts once: the task, the dataset with its
tasks, or the family with its datasets. Tasks of one dataset share cases and attributes, and datasets of one
simulator share its laws. If tests treat them as independent, they reject the hypothesis in nearly every
archive, even if methods do not differ.
"""

import functools
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtri, stdtrit

from delvecore.model import TaskArray
from delvecore.stats.choose import UNITS
from delvecore.stats.ranking.score_table import ScoreTable, Units, complete_table

DIGITS = 12
"""Significant digits of each value, and of the larger value in a comparison."""
LEAST_UNITS = 3
"""Minimum number of units for an interval."""
_MOST_DECIMALS = 300
_POWERS = 10.0 ** np.arange(_MOST_DECIMALS + 1)


def without_noise(values: np.ndarray, decimals: np.ndarray | None = None) -> np.ndarray:
    """Return values rounded to decimals (whole, broadcast), with equal decimals as identical doubles.

    By default each value keeps `DIGITS` significant digits.

    For example, 0.3 - 0.1 and 0.2 differ in their last bit, but are the same score in a table. Multiplying or
    dividing a whole number below 2^53 by a power of ten below 10^23 rounds once. So the double depends on the
    decimal number only, not on the number of decimals.
    """
    decimals = decimals_of(values) if decimals is None else np.asarray(decimals, dtype=np.int64)
    up = _POWERS[np.clip(decimals, 0, _MOST_DECIMALS)]
    down = _POWERS[np.clip(-decimals, 0, _MOST_DECIMALS)]
    with np.errstate(over="ignore", invalid="ignore"):
        rounded = np.rint(values * up / down) * down / up
    return np.where(np.isfinite(rounded), rounded, values) + 0.0


def decimals_of(values: np.ndarray) -> np.ndarray:
    """Return the number of decimals of each value for `DIGITS` significant digits.

    A zero or a NaN has the maximum number.
    """
    size = np.abs(values)
    is_known = size > 0
    with np.errstate(invalid="ignore"):
        exponent = np.floor(np.log10(np.where(is_known, size, 1.0)))
    return np.where(is_known, DIGITS - 1 - exponent, _MOST_DECIMALS).astype(np.int64)


def task_decimals(values: np.ndarray) -> np.ndarray:
    """Return the number of decimals of sums and ranges over all methods of a task. Shape (tasks,)."""
    return decimals_of(np.nanmax(np.abs(values), axis=1, initial=0.0))


@dataclass(frozen=True, eq=False)
class TaskRanks:
    """Ranks of the methods on each task, 1 for the best; ties share the mean of their ranks.

    Attributes
    ----------
    tasks, methods : tuple of str
        Names of the tasks and methods.
    ranks : array
        Shape (tasks, methods).
    tie_terms : array
        For each task, the sum of t^3 - t over its groups of t equal values, zero without ties. In general it
        is k^3 - k - 12 times its sum of squares about the mean rank.
    spread : float
        Variance of the ranks of a task without ties, divided by the variance of 1 to k; see `unit_ranks`.
    """

    tasks: tuple[str, ...]
    methods: tuple[str, ...]
    ranks: np.ndarray
    tie_terms: np.ndarray
    spread: float = 1.0

    @functools.cached_property
    def average(self) -> np.ndarray:
        """The mean rank of each method, without noise, so that equal means are identical."""
        average_ranks: np.ndarray = np.round(self.ranks.sum(axis=0) / len(self.ranks), DIGITS)
        average_ranks.flags.writeable = False
        return average_ranks


def task_ranks(table: ScoreTable) -> TaskRanks:
    """Ranks of the methods on each task, 1 for the best; ties share the mean of their ranks.

    Values that agree in 12 significant digits are equal. Raises ValueError for an empty table, or one with
    missing values (see `complete_table`).

    Examples
    --------
    >>> table = ScoreTable(("t", "u"), ("a", "b", "c"), np.array([[0.3, 0.1 + 0.2, 0.2], [1, 2, 3]]))
    >>> task_ranks(table).ranks.tolist()
    [[2.5, 2.5, 1.0], [1.0, 2.0, 3.0]]
    """
    if table.missing or not table.values.size:
        raise ValueError(f"expected a table without gaps, got {table.missing} missing of {table.values.size}")
    ranks, tie_terms = rank_rows(without_noise(table.oriented))
    return TaskRanks(table.tasks, table.methods, ranks, tie_terms)


def unit_ranks(ranks: TaskRanks, units: Sequence[str]) -> TaskRanks:
    """Return the mean ranks within each unit, such as a dataset with several tasks.

    units: name of the unit of each task. Each unit then counts once, like a task, with mean ranks instead of
    ranks. Mean ranks of units with several tasks vary less than the ranks 1 to k, by the factor `spread`.
    They are not ranked again within the unit, which gives more power at the same error rate (see
    `error-rates.md`).
    """
    names, averages = unit_averages(units, ranks.ranks)
    if len(names) == len(units):
        return TaskRanks(names, ranks.methods, ranks.ranks, ranks.tie_terms)
    methods = len(ranks.methods)
    averages = np.round(averages, DIGITS)
    squares = np.square(averages - (methods + 1) / 2).sum(axis=1)
    full = methods**3 - methods
    spread = 12 * float(squares.mean()) / full
    return TaskRanks(names, ranks.methods, averages, full - 12 * squares, spread or 1.0)


def unit_averages(units: Sequence[str], values: np.ndarray) -> tuple[tuple[str, ...], np.ndarray]:
    """Return (units in order of first appearance, mean of the rows of each)."""
    places = {name: place for place, name in enumerate(dict.fromkeys(units))}
    if len(places) == len(units):
        return tuple(places), values
    where = np.array([places[name] for name in units])
    sums = np.zeros((len(places), values.shape[1]))
    with np.errstate(invalid="ignore"):  # The mean of both infinities is NaN.
        np.add.at(sums, where, values)
    return tuple(places), sums / np.bincount(where)[:, None]


def runs_of_equals(ordered: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (starts in the flat matrix, sizes) of the runs of equal values in the rows of a matrix."""
    is_new = np.ones(ordered.shape, dtype=bool)
    is_new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    starts = np.flatnonzero(is_new)
    return starts, np.diff(np.append(starts, ordered.size))


def rank_rows(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rank each row of a matrix from its lowest value: (ranks, sum of t^3 - t over a row's ties)."""
    rows, columns = values.shape
    order = np.argsort(values, axis=1)
    ordered = np.take_along_axis(values, order, axis=1)
    ranks = np.empty(values.shape)
    if not (ordered[:, 1:] == ordered[:, :-1]).any():
        np.put_along_axis(ranks, order, np.arange(1.0, columns + 1)[None], axis=1)
        return ranks, np.zeros(rows)
    starts, sizes = runs_of_equals(ordered)
    mean_rank = starts % columns + (sizes + 1) / 2
    np.put_along_axis(ranks, order, np.repeat(mean_rank, sizes).reshape(values.shape), axis=1)
    size = sizes.astype(float)
    tie_terms = np.bincount(starts // columns, weights=size**3 - size, minlength=rows)
    return ranks, tie_terms


def stretch(units: int, level: float) -> float:
    """Factor that widens percentile intervals, which use normal quantiles and the variance with divisor n.

    The factor sqrt(n / (n - 1)) corrects the divisor, and Student's t corrects the quantile. The degrees of
    freedom are n - 2, because simulated intervals of ranks cover too little with n - 1. NaN with
    fewer than three units: there is no interval.
    """
    if units < LEAST_UNITS:
        return math.nan
    half = (1 + level) / 2
    factor: float = float(stdtrit(units - 2, half) / ndtri(half)) * np.sqrt(units / (units - 1))
    return factor


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Mean ranks without one group of tasks.

    Attributes
    ----------
    group : str
        Name of the group.
    tasks : int
        Number of remaining tasks.
    average : array
        Mean rank of each method.
    same_best : bool
        Whether some method is best both with and without the group.
    moved : int
        Number of pairs of methods with a reversed order of mean ranks.
    """

    group: str
    tasks: int
    average: np.ndarray
    same_best: bool
    moved: int


def leave_out(ranks: TaskRanks, groups: Mapping[str, Sequence[str]]) -> tuple[LeftOut, ...]:
    """Return the mean ranks without each of the groups in turn.

    groups: names of tasks by group. Unranked tasks are ignored, and so are groups without a ranked task or
    with all of them. Ranks within a task do not depend on the other tasks, so they are not recomputed.
    """
    place = {task: row for row, task in enumerate(ranks.tasks)}
    full, total = ranks.average, ranks.ranks.sum(axis=0)
    orders = []
    for group, names in groups.items():
        rows = sorted({place[name] for name in names if name in place})
        kept = len(ranks.tasks) - len(rows)
        if not rows or not kept:
            continue
        average = np.round((total - ranks.ranks[rows].sum(axis=0)) / kept, DIGITS)
        before, after = _order(full), _order(average)
        best = bool(((full == full.min()) & (average == average.min())).any())
        moved = int((before * after < 0).sum()) // 2
        orders.append(LeftOut(group, kept, average, best, moved))
    return tuple(orders)


def _order(average: np.ndarray) -> np.ndarray:
    """Return the sign of each pair's difference in mean rank."""
    order: np.ndarray = np.sign(average[:, None] - average[None, :])
    return order


TASK, DATASET, FAMILY = UNITS
FINER = {DATASET: TASK, FAMILY: DATASET}


def family_names(arrays: Iterable[TaskArray]) -> dict[str, str]:
    """Return {dataset: family}: the first task-array with a member of the dataset.

    Other datasets have no family.
    """
    names: dict[str, str] = {}
    for array in arrays:
        for member in array.members:
            names.setdefault(member.dataset, array.name)
    return names


def units_of(datasets: Sequence[str], families: Mapping[str, str]) -> Units:
    """Return the grouping of the tasks of an archive.

    datasets: dataset of each task; families: family by dataset, if it has one.
    """
    return Units(tuple(datasets), tuple(families.get(name, name) for name in datasets))


def unit_names(table: ScoreTable, unit: str) -> tuple[str, ...]:
    """Return the name of the unit of each task.

    Raises ValueError for a word outside `UNITS`, and if the grouping of tasks is unknown.
    """
    if unit not in UNITS:
        raise ValueError(f"expected a unit among {', '.join(UNITS)}, got {unit!r}")
    if unit == TASK:
        return table.tasks
    if table.units is None:
        raise ValueError(
            f"expected a column {unit}, or names of tasks such as age/std.128, to count each {unit} once, "
            "got neither"
        )
    return table.units.datasets if unit == DATASET else table.units.families


LEAST_FAMILIES = 6
"""Minimum number of families. Sign flips of fewer families cannot reach 5 %, so datasets count instead."""


def choose_unit(table: ScoreTable) -> str:
    """Default unit of replication: the widest group that has enough members.

    The unit is the family if families group datasets and there are at least `LEAST_FAMILIES`. Otherwise it is
    the dataset if datasets group tasks. Otherwise it is the task, even if all tasks are of one dataset: see
    `is_one_dataset`.
    """
    if table.units is None:
        return TASK
    families, datasets = len(set(table.units.families)), len(set(table.units.datasets))
    return FAMILY if LEAST_FAMILIES <= families < datasets else _usual_unit(table.units.datasets)


def _usual_unit(datasets: Sequence[str]) -> str:
    """Return the default unit without families. datasets: dataset of each task; see `choose_unit`."""
    return DATASET if 1 < len(set(datasets)) < len(datasets) else TASK


def is_one_dataset(table: ScoreTable) -> bool:
    """Are all of two or more tasks known to be of one dataset? If so, no test over tasks is valid."""
    return table.units is not None and len(table.tasks) > 1 and len(set(table.units.datasets)) == 1


def conditional_families(table: ScoreTable, unit: str) -> tuple[str, ...]:
    """Return the few families that limit claims over datasets.

    Empty if families count, if they do not group datasets, and if there are `LEAST_FAMILIES` or more."""
    if table.units is None or unit == FAMILY:
        return ()
    families = tuple(dict.fromkeys(table.units.families))
    groups = len(families) < len(set(table.units.datasets))
    return families if groups and len(families) < LEAST_FAMILIES else ()


def array_unit(unit: str | None, datasets: Sequence[str]) -> str:
    """Unit of one task-array: tasks, or datasets if they have several tasks.

    Families do not apply, because an array is one family. datasets: dataset of each task.
    """
    wanted = unit or _usual_unit(datasets)
    return TASK if wanted == TASK or len(set(datasets)) == len(datasets) else DATASET


def on_most_tasks(units: Sequence[str], holds: Sequence[bool]) -> int:
    """Count the units on which a condition holds for more than half of the tasks. One entry per task."""
    marks: dict[str, list[bool]] = {}
    for unit, one in zip(units, holds, strict=True):
        marks.setdefault(unit, []).append(bool(one))
    return sum(2 * sum(flags) > len(flags) for flags in marks.values())


def holds_several(table: ScoreTable, unit: str) -> bool:
    """Are units of this kind known, and does one contain several units of the next finer kind?"""
    if table.units is None or unit == TASK:
        return False
    return len(set(unit_names(table, unit))) < len(set(unit_names(table, FINER[unit])))


def units_of_families(table: ScoreTable, unit: str) -> dict[str, list[str]]:
    """Return the units of each family, by name; empty if the grouping of tasks is unknown."""
    units: dict[str, list[str]] = {}
    if table.units is not None:
        for family, name in dict.fromkeys(zip(table.units.families, unit_names(table, unit), strict=True)):
            units.setdefault(family, []).append(name)
    return units


def unit_table(table: ScoreTable, unit: str) -> ScoreTable:
    """Return the mean values of each unit, in a table whose tasks are the units.

    A missing value on a task is missing for its unit. Raises ValueError as `unit_names`.
    """
    units = unit_names(table, unit)
    if len(set(units)) == len(units):
        return replace(table, tasks=units, units=None, paths=())
    names, values = unit_averages(units, table.values)
    return replace(table, tasks=names, values=values, units=None, paths=())


def best_first(table: ScoreTable) -> tuple[str, ...]:
    """Return the methods: comparable ones by mean rank, best first, then the others by name."""
    used = complete_table(comparable_methods(table))
    order: Sequence[int] = ()
    if used.values.size:
        average = unit_ranks(task_ranks(used), unit_names(used, choose_unit(used))).average
        order = np.argsort(average, kind="stable").tolist()
    ranked = tuple(used.methods[place] for place in order)
    return (*ranked, *sorted(set(table.methods) - set(ranked)))


def comparable_methods(table: ScoreTable) -> ScoreTable:
    """Return a table of the methods with enough common tasks: see `methods_of_most_results`."""
    known = ~np.isnan(table.values)
    if known.all():
        return table
    names = np.array(table.methods, dtype=object)
    return table.select(methods=methods_of_most_results(table.methods, [set(names[row]) for row in known]))


def methods_of_most_results(available: Sequence[str], done: Sequence[Set[str]]) -> tuple[str, ...]:
    """Return all methods, or some of them if they have fewer than half of the tasks in common.

    done: methods with a result, for each task. The function removes the method with the fewest results, one
    after another. It returns the methods with the most results on tasks that all of them have.
    """
    kept, alike = list(available), Counter(map(frozenset, done))
    if 2 * _in_common(kept, alike) >= len(done):
        return tuple(kept)
    counts = {name: sum(times for methods, times in alike.items() if name in methods) for name in kept}
    tables = []
    while len(kept) > 1:
        tables.append((len(kept) * _in_common(kept, alike), tuple(kept)))
        kept.remove(min(kept, key=counts.__getitem__))
    return max(tables, key=lambda table: table[0], default=(0, tuple(available)))[1]


def _in_common(names: Sequence[str], alike: Mapping[frozenset[str], int]) -> int:
    """Count the tasks with results of all these methods. alike: number of tasks for each set of methods."""
    wanted = set(names)
    return sum(times for methods, times in alike.items() if methods >= wanted)
