"""Scores of methods on tasks: the table that every statistic over many tasks starts from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from delvecore.losses.metrics import LARGEST
from delvecore.stats.ranking.common_runs import CommonRuns

__all__ = ["LARGEST", "ScoreTable", "Units", "complete_table"]

DROPS = ("tasks", "methods")


class Units(NamedTuple):
    """Which tasks belong together? Names for each task of a table.

    datasets: of which each is; families: of these, datasets of one simulator or survey; a dataset without
    such a family is its own. known_by: what says so, the archive, a column of the table or the tasks' names.
    """

    datasets: tuple[str, ...]
    families: tuple[str, ...]
    known_by: Literal["archive", "column", "names"] = "archive"


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """One score of each method on each task.

    tasks, methods: names, each once. values: shape (tasks, methods), finite or not a number where a method
    has no score, at most `LARGEST` in size. higher_is_better: the direction, which is stated and never
    guessed. quantity: what the values are, such as `standardized loss S`, for headings. units: which tasks
    belong together, None where that is not known. standardized: are all values on one scale, such as losses
    in units of a baseline's? test_share: where the rows are no tasks but training sets of one task that share
    cases, what `pair_tests.paired_t` needs to know of it. runs: over which runs the values are means, None
    where each is one number. Raises ValueError for a table that is not so."""

    tasks: tuple[str, ...]
    methods: tuple[str, ...]
    values: np.ndarray
    higher_is_better: bool = False
    quantity: str = ""
    units: Units | None = None
    standardized: bool = False
    test_share: float = 0.0
    runs: CommonRuns | None = None

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
                raise ValueError(f"expected each of the {kind} once, got {_repeated(names)!r} again")
        if self.units and any(len(names) != len(self.tasks) for names in self.units[:2]):
            raise ValueError(f"expected a dataset and a family for each of {len(self.tasks)} tasks")
        if (np.abs(values) > LARGEST).any():
            raise ValueError(f"expected values up to {LARGEST:g}, or nan for missing ones, got a larger one")

    @property
    def missing(self) -> int:
        """The number of cells without a value."""
        return int(np.isnan(self.values).sum())

    @property
    def losses(self) -> np.ndarray:
        """The values with the sign that makes lower better."""
        return -self.values if self.higher_is_better else self.values

    def select(
        self, *, tasks: Iterable[str] | None = None, methods: Iterable[str] | None = None
    ) -> "ScoreTable":
        """Return the table of these tasks and methods, by name, in the order given.

        Raises KeyError for a name that is not in the table."""
        tasks = self.tasks if tasks is None else tuple(tasks)
        methods = self.methods if methods is None else tuple(methods)
        rows = _places(self.tasks, tasks)
        values = self.values[np.ix_(rows, _places(self.methods, methods))]
        units = self.units
        if units is not None:
            datasets, families = (tuple(names[row] for row in rows) for names in units[:2])
            units = Units(datasets, families, units.known_by)
        return replace(self, tasks=tasks, methods=methods, values=values, units=units)


class CompleteTable(NamedTuple):
    """A table without missing values, and what was left out to make it so."""

    table: ScoreTable
    dropped_tasks: tuple[str, ...]
    dropped_methods: tuple[str, ...]


def complete_table(table: ScoreTable, *, drop: str = "tasks") -> CompleteTable:
    """Which tasks and methods have all values?

    drop: leave out the `tasks` where a method's value is missing, or the `methods` that miss one. Nothing is
    ever filled in. Raises ValueError for another word."""
    if drop not in DROPS:
        raise ValueError(f"expected one of {', '.join(DROPS)} to drop, got {drop!r}")
    missing = np.isnan(table.values)
    # A task on which nobody has a value says nothing about any method.
    no_task = missing.any(axis=1) if drop == "tasks" else missing.all(axis=1)
    no_method = missing[~no_task].any(axis=0)
    if not missing.any():
        return CompleteTable(table, (), ())
    tasks, gone_tasks = _split(table.tasks, no_task)
    methods, gone_methods = _split(table.methods, no_method)
    return CompleteTable(table.select(tasks=tasks, methods=methods), gone_tasks, gone_methods)


def _repeated(names: Sequence[str]) -> str:
    return next(name for place, name in enumerate(names) if name in names[:place])


def _places(known: Sequence[str], names: Iterable[str]) -> list[int]:
    where = {name: place for place, name in enumerate(known)}
    return [where[name] for name in names]


def _split(names: Sequence[str], gone: np.ndarray) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return (names that stay, names that go)."""
    every = np.array(names, dtype=object)
    return tuple(every[~gone]), tuple(every[gone])
