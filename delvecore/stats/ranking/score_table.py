"""Tables of scores, methods on tasks: the input of every statistic over many tasks.

Means are compared over the runs that all compared methods have. A run is one method on one instance
(fold, seed, training set) of a task. Otherwise, a method that fails on hard instances would have a good mean
over the easy ones. The comparison is fair if the same runs are hard for all methods; see `failed_runs`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
import pyarrow as pa

from delvecore.losses.metrics import LARGEST
from delvecore.model import TaskId
from delvecore.number_format.columns import places_among, task_places
from delvecore.stats.array_types import Floats, Mask, Whole
from delvecore.stats.choose import DROPS
from delvecore.stats.orientation import oriented

FEW_RUNS = "too few runs"
NO_COMMON_RUN = "no common run"


class Partial(NamedTuple):
    """A method with missing runs, or a task with excluded instances.

    Attributes
    ----------
    name : str
        Name of the method or task.
    there, expected : int
        Actual and expected number of runs or instances.
    """

    name: str
    there: int
    expected: int


Failures = tuple[str, tuple[str, ...], int]
"""A dataset, some of the compared methods, and the number of runs in which exactly these have no value."""


@dataclass(frozen=True)
class CommonRuns:
    """The runs behind the means of a table.

    Attributes
    ----------
    runs, failed : int
        Number of all runs of the requested methods, and of those without a value.
    unranked : tuple of Partial
        Methods with fewer than half of their runs, which the table omits.
    cells : tuple[tuple[str, str], ...]
        Pairs (task, method) without a value, because the method has fewer than half of the task's instances.
    reduced : tuple of Partial
        Tasks with excluded instances; a task without any instances left has no values.
    compared : tuple of str
        The methods that share the runs.
    failures : tuple of Failures
        Sets of methods that fail together, without the runs in which all fail.
    """

    runs: int
    failed: int
    unranked: tuple[Partial, ...] = ()
    cells: tuple[tuple[str, str], ...] = ()
    reduced: tuple[Partial, ...] = ()
    compared: tuple[str, ...] = ()
    failures: tuple[Failures, ...] = ()

    @property
    def without(self) -> tuple[str, ...]:
        """The tasks without a common instance of the methods."""
        return tuple(one.name for one in self.reduced if not one.there)

    def missing(self, task: str, method: str) -> str | None:
        """Return the reason why a method with runs on a task has no value there, or None."""
        if (task, method) in self.cells:
            return FEW_RUNS
        return NO_COMMON_RUN if task in self.without else None

    def with_names(self, names: Mapping[str, str]) -> "CommonRuns":
        """Return a copy with renamed tasks; names that are not in `names` stay."""
        renamed = tuple(one._replace(name=names.get(one.name, one.name)) for one in self.reduced)
        cells = tuple((names.get(task, task), method) for task, method in self.cells)
        return replace(self, cells=cells, reduced=renamed)


@dataclass(frozen=True, eq=False)
class CommonResults:
    """Results under one loss, with means over the instances that all methods have.

    Attributes
    ----------
    results : pyarrow.Table
        Table with the schema `RESULTS`.
    tasks, methods
        Compared tasks and methods, including those without a result.
    runs : CommonRuns
        Runs behind the means.
    instances : mapping of TaskId to Whole
        Included instances of the tasks where some are excluded.
    """

    results: pa.Table
    tasks: Sequence[TaskId]
    methods: Sequence[str]
    runs: CommonRuns
    instances: Mapping[TaskId, Whole]

    def of(self, rows: pa.Table, *, instance: str = "instance") -> pa.Table:
        """Return the rows of losses, or of scores after each training set, behind the means of the results.

        instance: the column of instances.
        """
        names, width = [task.path for task in self.tasks], len(self.methods) + 1
        at = task_places(rows, names) if "dataset" in rows.column_names else places_among(rows["task"], names)
        cells = task_places(self.results, names) * width + places_among(self.results["method"], self.methods)
        has_result = np.isin(at * width + places_among(rows["method"], self.methods), cells)
        is_reduced = np.array([name in self.instances for name in self.tasks] + [False])
        number = rows[instance].to_numpy().astype(np.int64)
        most = number.max(initial=0) + 1
        counted = [
            place * most + self.instances[self.tasks[place]] for place in np.flatnonzero(is_reduced).tolist()
        ]
        is_common = np.isin(at * most + number, np.concatenate([[-1], *counted]))
        return rows.filter(pa.array(has_result & (is_common | ~is_reduced[at])))


def enough_runs(there: Whole, expected: Whole, *, keep: Mask) -> Mask:
    """Return the methods, along the last axis, with at least half of their runs.

    there, expected: number of runs with a value, and of all runs; keep: methods that need only one run.

    Examples
    --------
    >>> enough_runs(np.array([5, 4, 1, 0]), np.array(10), keep=np.array([False, False, True, True]))
    array([ True, False,  True, False])
    """
    enough: Mask = (there > 0) & ((2 * there >= expected) | keep)
    return enough


class Units(NamedTuple):
    """Grouping of the tasks of a table, as names for each task.

    Attributes
    ----------
    datasets : tuple of str
        Dataset of each task.
    families : tuple of str
        Family of each task, which joins datasets of one simulator or survey; a dataset without a family is
        its own.
    known_by : Literal['archive', 'column', 'names']
        Source of the grouping: the archive, a column of the table or the names of tasks.
    """

    datasets: tuple[str, ...]
    families: tuple[str, ...]
    known_by: Literal["archive", "column", "names"] = "archive"


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """One score of each method on each task.

    Raises ValueError for an invalid table.

    Attributes
    ----------
    tasks, methods : tuple of str
        Unique names.
    values : array
        Shape (tasks, methods), finite with an absolute value of at most `LARGEST`, or NaN if a method has no
        score.
    higher_is_better : bool
        The direction, which is stated and never guessed.
    best : float or None
        The best possible value, None without a bound.
    paths : tuple of str
        Paths of the tasks in an archive, empty if these equal the names.
    quantity : str
        Name of the values, such as `standardized loss S`, for headings.
    units : Units or None
        Grouping of the tasks, None if unknown.
    standardized : bool
        Whether all values are on one scale, such as losses in units of a baseline's loss.
    test_share : float
        Argument of `paired_t`, if the rows are training sets of one task that share cases.
    runs : CommonRuns or None
        The runs behind the means, None if each value is one number.
    failed_worst : array or None
        The values if each failed run has the worst value of its task; None without failed runs.
    """

    tasks: tuple[str, ...]
    methods: tuple[str, ...]
    values: np.ndarray
    higher_is_better: bool = False
    quantity: str = ""
    units: Units | None = None
    standardized: bool = False
    test_share: float = 0.0
    runs: CommonRuns | None = None
    best: float | None = None
    paths: tuple[str, ...] = ()
    failed_worst: np.ndarray | None = None

    def __post_init__(self) -> None:
        values = np.array(self.values, dtype=float)
        values.flags.writeable = False
        object.__setattr__(self, "tasks", tuple(self.tasks))
        object.__setattr__(self, "methods", tuple(self.methods))
        object.__setattr__(self, "values", values)
        expected = (len(self.tasks), len(self.methods))
        if values.shape != expected:
            raise ValueError(f"expected values of shape {expected}, got {values.shape}")
        for kind in ("tasks", "methods"):
            names = getattr(self, kind)
            if len(set(names)) < len(names):
                twice = next(name for place, name in enumerate(names) if name in names[:place])
                raise ValueError(f"expected each of the {kind} once, got {twice!r} again")
        if self.units and any(len(names) != len(self.tasks) for names in self.units[:2]):
            raise ValueError(f"expected a dataset and a family for each of {len(self.tasks)} tasks")
        if (np.abs(values) > LARGEST).any():
            raise ValueError(f"expected values up to {LARGEST:g}, or nan for missing ones, got a larger one")

    @property
    def missing(self) -> int:
        """The number of cells without a value."""
        return int(np.isnan(self.values).sum())

    @property
    def oriented(self) -> Floats:
        """The values, with a sign that makes lower better."""
        return oriented(self.values, self)

    @property
    def shortfall(self) -> Floats:
        """Distance of the values from the best possible one; oriented values if it is unknown."""
        return self.oriented + (self.best or 0.0) if self.higher_is_better else self.values

    @property
    def task_paths(self) -> tuple[str, ...]:
        """The paths of the tasks in their archive."""
        return self.paths or self.tasks

    def select(
        self, *, tasks: Iterable[str] | None = None, methods: Iterable[str] | None = None
    ) -> "ScoreTable":
        """Return the table of these tasks and methods, by name, in this order.

        Raises KeyError for a name that is not in the table."""
        tasks = self.tasks if tasks is None else tuple(tasks)
        methods = self.methods if methods is None else tuple(methods)
        rows = _places(self.tasks, tasks)
        cells = np.ix_(rows, _places(self.methods, methods))
        values, worst = self.values[cells], None if self.failed_worst is None else self.failed_worst[cells]
        units = self.units
        if units is not None:
            datasets, families = (tuple(names[row] for row in rows) for names in units[:2])
            units = Units(datasets, families, units.known_by)
        paths = tuple(self.paths[row] for row in rows) if self.paths else ()
        return replace(
            self, tasks=tasks, methods=methods, values=values, units=units, paths=paths, failed_worst=worst
        )


def complete_table(table: ScoreTable, *, drop: str = "tasks") -> ScoreTable:
    """Return the table of the tasks and methods without gaps.

    drop: omit the `tasks` with a missing value, or the `methods` with one. Missing values are never imputed.
    Raises ValueError for any other word.
    """
    if drop not in DROPS:
        raise ValueError(f"expected one of {', '.join(DROPS)} to drop, got {drop!r}")
    missing = np.isnan(table.values)
    # A task without any value has no information about any method.
    no_task = missing.any(axis=1) if drop == "tasks" else missing.all(axis=1)
    no_method = missing[~no_task].any(axis=0)
    if not missing.any():
        return table
    tasks, methods = (np.array(names, dtype=object) for names in (table.tasks, table.methods))
    return table.select(tasks=tasks[~no_task], methods=methods[~no_method])


def complete_shape(table: ScoreTable) -> tuple[int, int]:
    """Return the number of tasks and of methods. Raises ValueError for gaps, and for fewer than two."""
    tasks, methods = table.values.shape
    if table.missing or min(tasks, methods) < 2:
        actual = f"{tasks} tasks, {methods} methods and {table.missing} missing values"
        raise ValueError(f"expected at least two tasks and methods and no gaps, got {actual}")
    return tasks, methods


def _places(known: Sequence[str], names: Iterable[str]) -> list[int]:
    where = {name: place for place, name in enumerate(known)}
    return [where[name] for name in names]
