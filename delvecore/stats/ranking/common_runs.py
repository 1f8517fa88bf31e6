"""Means over the same runs: which instances of a task all compared methods have, and who lacks too many.

A run is one method on one instance (fold, seed, training set) of a task. A method that fails on the hard
instances has a good mean over the easy ones; so means are compared over common instances only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from delvecore.number_format.name_columns import places_among, task_places
from delvecore.stats.kinds import Mask, Whole
from delvecore.stats.losses.blocks import Task

__all__ = [
    "CommonResults",
    "CommonRuns",
    "Lacking",
    "Reduced",
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

    results: pa.Table
    tasks: Sequence[Task]
    methods: Sequence[str]
    runs: CommonRuns
    instances: Mapping[Task, Whole]

    def of(self, rows: pa.Table, *, instance: str = "instance") -> pa.Table:
        """Return those rows of losses, or of scores after each training set, that results are means over.

        instance: the column of their instances."""
        names, width = list(map(path_of, self.tasks)), len(self.methods) + 1
        at = task_places(rows, names) if "dataset" in rows.column_names else places_among(rows["task"], names)
        own = task_places(self.results, names) * width + places_among(self.results["method"], self.methods)
        has_result = np.isin(at * width + places_among(rows["method"], self.methods), own)
        is_reduced = np.array([name in self.instances for name in self.tasks] + [False])
        number = rows[instance].to_numpy().astype(np.int64)
        most = number.max(initial=0) + 1
        counted = [
            place * most + self.instances[self.tasks[place]] for place in np.flatnonzero(is_reduced).tolist()
        ]
        is_common = np.isin(at * most + number, np.concatenate([[-1], *counted]))
        return rows.filter(pa.array(has_result & (is_common | ~is_reduced[at])))


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
