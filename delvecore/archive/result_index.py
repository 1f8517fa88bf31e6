"""Index of an archive's results, with names as numbers. It is made once, so that questions process a million
results as a few arrays instead of single rows."""

import functools
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import pyarrow as pa

from delvecore.losses.spec import loss_order
from delvecore.model import TaskId
from delvecore.number_format.columns import name_codes
from delvecore.stats.array_types import Mask, Whole, Words
from delvecore.tables import rows_of

Names = tuple[str, ...]
Made = TypeVar("Made")
_NONE = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class ResultIndex:
    """Positions of results among tasks, methods and losses.

    Attributes
    ----------
    tasks : tuple of TaskId
        Tasks with results, in order of appearance.
    methods : Names
        Sorted names of methods.
    losses : Names
        Losses in the order of `loss_order`.
    task, method, loss : Whole
        Position of each row of the results in `tasks`, `methods` and `losses`.
    """

    tasks: tuple[TaskId, ...]
    methods: Names
    losses: Names
    task: Whole
    method: Whole
    loss: Whole

    @functools.cached_property
    def paths(self) -> Names:
        """The full paths of the tasks, such as `/demo/age/std.128`."""
        return tuple(task.path for task in self.tasks)

    @functools.cached_property
    def loss_counts(self) -> Counter[str]:
        counts = np.bincount(self.loss, minlength=len(self.losses)).tolist()
        return Counter(dict(zip(self.losses, counts, strict=True)))

    @functools.cached_property
    def first_rows(self) -> Whole:
        _, order, starts = self._by_task
        return order[starts[:-1]]

    @functools.cached_property
    def _by_task(self) -> tuple[dict[TaskId, int], Whole, Whole]:
        """Return positions of tasks, the rows in their order, and the boundaries between tasks."""
        places = {names: place for place, names in enumerate(self.tasks)}
        order = np.argsort(self.task, kind="stable")
        return places, order, np.searchsorted(self.task[order], np.arange(len(self.tasks) + 1))

    def rows_of(self, task: TaskId, loss: str | None = None) -> Whole:
        """Return the row numbers of a task's results, under one loss or all, in the order of the table."""
        places, order, starts = self._by_task
        place = places.get(task)
        if place is None:
            return _NONE
        rows = order[starts[place] : starts[place + 1]]
        if loss is None:
            return rows
        return rows[self.loss[rows] == self.losses.index(loss)] if loss in self.losses else _NONE

    def rows_under(self, loss: str) -> Whole:
        return np.flatnonzero(self.loss == self.losses.index(loss)) if loss in self.losses else _NONE

    @functools.cached_property
    def tasks_done(self) -> dict[str, frozenset[str]]:
        """The full paths of the tasks with results, by method; methods with the same tasks share one
        object."""
        tasks, kept = np.array(self.paths, dtype=object), dict[bytes, frozenset[str]]()
        pairs = _distinct(self.method.astype(np.int64) * max(len(tasks), 1) + self.task)
        methods, places = np.divmod(pairs, max(len(tasks), 1))
        ends = np.searchsorted(methods, np.arange(1, len(self.methods)))
        done = np.split(places, ends) if len(self.methods) else []
        return {
            method: _named(kept, own, tasks, frozenset)
            for method, own in zip(self.methods, done, strict=True)
        }

    @functools.cached_property
    def methods_on(self) -> dict[TaskId, dict[str, Names]]:
        """The methods with results, sorted, by task and loss; the losses of a task in their order."""
        return self.methods_where(np.ones(len(self.task), dtype=bool))

    def methods_where(self, chosen: Mask) -> dict[TaskId, dict[str, Names]]:
        """Return the part of `methods_on` for the chosen rows."""
        width, names = len(self.methods), np.array(self.methods, dtype=object)
        key = (self.task.astype(np.int64) * len(self.losses) + self.loss) * width + self.method
        key = _distinct(key[chosen])
        methods_by_task: dict[TaskId, dict[str, Names]] = {}
        if not len(key):
            return methods_by_task
        groups, methods = np.divmod(key, width)
        starts = np.flatnonzero(np.diff(groups, prepend=-1))
        kept: dict[bytes, Names] = {}
        for group, own in zip(groups[starts].tolist(), np.split(methods, starts[1:]), strict=True):
            task, loss = divmod(group, len(self.losses))
            methods_by_task.setdefault(self.tasks[task], {})[self.losses[loss]] = _named(
                kept, own, names, tuple
            )
        return methods_by_task


def _named(
    kept: dict[bytes, Made], places: Whole, names: Words, made: Callable[[Iterable[str]], Made]
) -> Made:
    """Return the names at these places, cached for the same places."""
    key = places.tobytes()
    if key not in kept:
        kept[key] = made(names[places].tolist())
    return kept[key]


def index_of(results: pa.Table) -> ResultIndex:
    """Return the index of a table with the columns of `results`."""
    codes = np.zeros(results.num_rows, dtype=np.int64)
    for column in TaskId._fields:
        names, places = name_codes(results[column])
        codes = codes * len(names) + places
    _, first, places = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first)
    tasks = rows_of(results.select(TaskId._fields).take(first[order]), TaskId._fields)
    methods, method = name_codes(results["method"])
    losses, loss = name_codes(results["loss"])
    ranked = sorted(range(len(losses)), key=lambda place: loss_order(losses[place]))
    return ResultIndex(
        tuple(map(TaskId._make, tasks)),
        tuple(methods),
        tuple(losses[place] for place in ranked),
        task=_small(np.argsort(order)[places]),
        method=_small(method),
        loss=_small(np.argsort(np.array(ranked, dtype=np.int64))[loss]),
    )


def used_codes(codes: Whole, count: int) -> tuple[Whole, Whole]:
    """Return the distinct codes below count in order of appearance, and the position of each code among
    them."""
    first = np.full(count, len(codes))
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    there = np.flatnonzero(first < len(codes))
    used = there[np.argsort(first[there])]
    places = np.zeros(count, dtype=np.int64)
    places[used] = np.arange(len(used))
    return used, places[codes]


def _distinct(numbers: Whole) -> Whole:
    """Return the distinct values of nonnegative numbers, sorted: sorting is much faster than hashing."""
    ordered = np.sort(numbers)
    return ordered[np.diff(ordered, prepend=-1) > 0]


def _small(codes: Whole) -> Whole:
    return codes.astype(np.int32)
