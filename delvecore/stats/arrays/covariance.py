"""How far do the estimates of one method on tasks of different training sizes vary together?

All tasks of a member are tested on the same cases, so a hard test case raises the losses of all sizes. Errors
of averages and contrasts over sizes must count that. Disjoint test sets are divided evenly and in order, so
that the sets of a task with 4 instances are pairs of those of a task with 8: blocks of test cases that all
sizes have are the replicates. With a common test set the cases themselves are."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

import numpy as np
import pyarrow as pa

from delvecore.stats.designs import Design
from delvecore.stats.kinds import Floats, Place, Whole
from delvecore.stats.losses.blocks import read_losses
from delvecore.stats.losses.results import designs_by_task

__all__ = ["Covariance", "method_covariances"]


@dataclass(frozen=True, slots=True, eq=False)
class Covariance:
    """matrix: of the estimates, (methods, cells, cells); unit: number of the group of cells that vary
    together, degrees: its degrees of freedom, both (methods, cells). Different units are independent."""

    matrix: Floats
    unit: Whole
    degrees: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _Task:
    """Instances (of so many of the task) with their losses, which may lie in a file, and mean losses."""

    count: int
    instances: Whole
    means: Floats
    losses: Sequence[Floats]

    @property
    def cases(self) -> Floats | None:
        """The mean losses of cases where all instances have the same number."""
        return np.mean(self.losses, axis=0) if len(set(map(len, self.losses))) == 1 else None


def method_covariances(
    losses: pa.Table | None,
    tasks: pa.Table,
    *,
    loss: str,
    groups: Sequence[Sequence[tuple[int, Place]]],
    methods: Sequence[str],
    errors: Floats,
    degrees: Floats,
    units: Floats,
) -> Covariance:
    """Return the covariances of the estimates of each method.

    losses: of the array, as `blocks.read_losses` needs them; None: all cells are taken for independent.
    groups: for each member the (number of the cell, (dataset, prototask, task)) of its sizes. errors,
    degrees: standard errors and their degrees of freedom, standardized, (cells, methods). units: what a mean
    loss is multiplied with to standardize it, by cell and method. Members whose sizes have instances that do
    not match keep independent errors."""
    cells = len(errors)
    matrix = np.array([np.diag(errors[:, number] ** 2) for number in range(len(methods))])
    matrix = matrix.reshape(len(methods), cells, cells)
    found = Covariance(matrix, np.tile(np.arange(cells), (len(methods), 1)), degrees.T.copy())
    if losses is None:
        return found
    known, designs = (
        _tasks_by_method(losses, tasks, loss),
        dict[Place, Design | None](designs_by_task(tasks, loss=loss).items()),
    )
    for number, method in enumerate(methods):
        for group in groups:
            some = [(cell, place) for cell, place in group if (place, method) in known]
            kinds = {designs.get(place) for _, place in some}
            if len(some) > 1 and len(kinds) == 1:
                at = np.array([cell for cell, _ in some])
                _enter(
                    found=found,
                    number=number,
                    at=at,
                    of_tasks=[known[place, method] for _, place in some],
                    design=kinds.pop(),
                    units=units,
                )
    return found


def _enter(
    found: Covariance, number: int, at: Whole, of_tasks: Sequence[_Task], design: Design | None, units: Floats
) -> None:
    if design is None or design.overlaps:
        return
    if design.is_common:
        part, degrees = _case_covariance(of_tasks), np.nanmin(found.degrees[number, at], initial=np.inf)
    else:
        part, degrees = block_covariance([(t.count, t.instances, t.means) for t in of_tasks])
    if part is None or not np.isfinite(degrees):
        return
    part = part * np.outer(units[at, number], units[at, number])
    if design.is_common:
        np.fill_diagonal(part, found.matrix[number, at, at])
    found.matrix[number][np.ix_(at, at)] = part
    found.unit[number, at], found.degrees[number, at] = at[0], degrees


def block_covariance(tasks: Sequence[tuple[int, Whole, Floats]]) -> tuple[Floats | None, float]:
    """Return the covariances of the means of tasks on the same test cases, and their degrees of freedom.

    tasks: for each (how many instances the task has, which are there, their mean losses). The test cases are
    divided in order: with g the greatest common divisor of the numbers of instances, there are g blocks of
    cases that every task has. The means over the instances of each block are the replicates. None where there
    are fewer than two blocks with instances of all tasks."""
    blocks = gcd(*(count for count, _, _ in tasks))
    table = np.full((len(tasks), blocks), np.nan)
    for row, (count, instances, means) in zip(table, tasks, strict=True):
        block = instances * blocks // count
        present = np.bincount(block, minlength=blocks)
        with np.errstate(invalid="ignore"):
            row[:] = np.bincount(block, means, minlength=blocks) / present
    table = table[:, np.isfinite(table).all(axis=0)]
    replicates = table.shape[1]
    if replicates < 2:
        return None, np.nan
    return np.atleast_2d(np.cov(table)) / replicates, replicates - 1.0


def _case_covariance(tasks: Sequence[_Task]) -> Floats | None:
    """Return the covariances of means over the same cases; the variances themselves are no matter of it."""
    cases = [found for task in tasks if (found := task.cases) is not None]
    if len(cases) < len(tasks) or len(set(map(len, cases))) != 1:
        return None
    table = np.array(cases)
    return np.cov(table) / table.shape[1] if table.shape[1] > 1 else None


def _tasks_by_method(losses: pa.Table, tasks: pa.Table, loss: str) -> dict[tuple[Place, str], _Task]:
    """Return {((dataset, prototask, task), method): _Task}."""
    counts: dict[Place, int] = {}
    if "instances" in tasks.column_names:
        names = ("dataset", "prototask", "task", "instances")
        counts = {row[:3]: row[3] for row in zip(*(tasks[name].to_pylist() for name in names), strict=True)}
    data = read_losses(losses, loss=loss)
    found: dict[tuple[Place, str], _Task] = {}
    for block in data.blocks:
        for number, method in enumerate(block.methods):
            rows = range(block.starts[number], block.starts[number + 1])
            values = [data.lists.span(r, r + 1) for r in rows]
            if all(len(value) for value in values):
                instances, means = data.instances[list(rows)], np.array([value.mean() for value in values])
                count = counts.get(block.task) or int(instances.max()) + 1
                found[block.task, method] = _Task(count, instances, means, values)
    return found
