"""Means over the same runs: which instances of a task all compared methods have, and who lacks too many.

A run is one method on one instance (fold, seed, training set) of a task. A method that fails on the hard
instances has a good mean over the easy ones; so means are compared over common instances only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from delvecore.number_format.name_columns import places_among, task_paths
from delvecore.stats.kinds import Mask, Whole
from delvecore.stats.losses.blocks import Task

__all__ = [
    "CommonResults",
    "CommonRuns",
    "Lacking",
    "Reduced",
    "common_instances",
    "enough_runs",
    "path_of",
]

FEW_RUNS = "too few runs"
NO_COMMON_RUN = "no common run"


def path_of(task: Task) -> str:
    """Return `/dataset/prototask/task`."""
    return "/" + "/".join(task)


class Lacking(NamedTuple):
    """A method with fewer than half of its runs. there, expected: how many have a value, and should."""

    method: str
    there: int
    expected: int


class Reduced(NamedTuple):
    """A task on which only some instances count. counted, instances: how many do, and how many there are."""

    task: str
    counted: int
    instances: int


@dataclass(frozen=True)
class CommonRuns:
    """Over which runs the means of a table were taken.

    runs, failed: of the methods asked for, all and those without a value. unranked: methods with fewer than
    half of their runs, which the table leaves out. cells: (task, method) without a value since the method has
    fewer than half of the task's instances, though some. reduced: tasks on which some instances do not count;
    one on which none counts has no values."""

    runs: int
    failed: int
    unranked: tuple[Lacking, ...] = ()
    cells: tuple[tuple[str, str], ...] = ()
    reduced: tuple[Reduced, ...] = ()

    @property
    def without(self) -> tuple[str, ...]:
        """The tasks on which the methods have no instance in common."""
        return tuple(one.task for one in self.reduced if not one.counted)

    def missing(self, task: str, method: str) -> str | None:
        """Why does a method that has runs on a task have no value there? None for no such reason."""
        if (task, method) in self.cells:
            return FEW_RUNS
        return NO_COMMON_RUN if task in self.without else None

    def with_names(self, names: Mapping[str, str]) -> "CommonRuns":
        """Return the same with other names of tasks; those not in `names` stay."""
        renamed = tuple(one._replace(task=names.get(one.task, one.task)) for one in self.reduced)
        cells = tuple((names.get(task, task), method) for task, method in self.cells)
        return replace(self, cells=cells, reduced=renamed)


@dataclass(frozen=True, eq=False)
class CommonResults:
    """Results under one loss whose means are over the instances that all methods have.

    results: schema `RESULTS`; tasks, methods: those that are compared, also where they have no result;
    instances: those that count, of the tasks on which not all do."""

    loss: str
    results: pa.Table
    tasks: Sequence[Task]
    methods: Sequence[str]
    runs: CommonRuns
    instances: Mapping[Task, Whole]

    def of(self, rows: pa.Table, *, instance: str = "instance") -> pa.Table:
        """Return those rows of losses, or of scores after each training set, that results are means over.

        instance: the column of their instances."""
        names = list(map(path_of, self.tasks))
        paths = task_paths(rows) if "dataset" in rows.column_names else rows["task"]
        task, method = places_among(paths, names), places_among(rows["method"], self.methods)
        own = (
            places_among(task_paths(self.results), names),
            places_among(self.results["method"], self.methods),
        )
        has_result = np.zeros(
            (len(names) + 1, len(self.methods) + 1), dtype=bool
        )  # the last for unknown ones
        has_result[own] = True
        numbers = rows[instance].to_numpy().astype(np.int64)
        width = numbers.max(initial=0) + 1
        is_reduced = np.array([name in self.instances for name in self.tasks] + [False])
        counted = [
            place * width + self.instances[name]
            for place, name in enumerate(self.tasks)
            if name in self.instances
        ]
        common = np.isin(task * width + numbers, np.concatenate(counted)) if counted else True
        return rows.filter(pa.array(has_result[task, method] & (~is_reduced[task] | common)))


def enough_runs(there: Whole, expected: Whole, *, keep: Mask) -> Mask:
    """Which methods have half of their runs, or are kept with fewer?

    Parameters
    ----------
    there, expected : arrays of one shape, or such that broadcast
        How many runs have a value, and how many should; the last axis is that of methods.
    keep : array of shape (methods,)
        Methods that need only one run.

    Examples
    --------
    >>> enough_runs(np.array([5, 4, 1, 0]), np.array(10), keep=np.array([False, False, True, True]))
    array([ True, False,  True, False])
    """
    enough: Mask = (there > 0) & ((2 * there >= expected) | keep)
    return enough


def common_instances(present: Mask, counted: Mask) -> Mask:
    """Which instances of a task do all methods have that count there?

    Parameters
    ----------
    present : array of shape (instances, methods)
        Does a method have a value there?
    counted : array of shape (methods,)
        Which methods count; without any, no instance is common.

    Examples
    --------
    Of three folds the second method has no value on the last; the third method does not count.

    >>> present = np.array([[True, True, False], [True, True, False], [True, False, True]])
    >>> common_instances(present, np.array([True, True, False]))
    array([ True,  True, False])
    """
    if not counted.any():
        return np.zeros(len(present), dtype=bool)
    return np.asarray(present[:, counted].all(axis=1))
