"""The numbers of the Task-arrays page: tables of `delvecore.statistics`, cached as in `server.archive`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.frame import words
from dashboard.server import archive as opened
from dashboard.task_arrays.choice import Request
from delvecore.losses.spec import loss_order
from delvecore.model import TaskArray
from delvecore.statistics.arrays.costs import array_costs, method_costs
from delvecore.statistics.arrays.effects import array_effects
from delvecore.statistics.arrays.estimates import array_differences, array_estimates
from delvecore.statistics.arrays.learning_curves import learning_slopes
from delvecore.statistics.arrays.results import (
    ArrayResults,
    GridCell,
    array_cells,
    array_comparisons,
    array_results,
)
from delvecore.statistics.arrays.winners import array_winners

__all__ = [
    "Coverage",
    "all_above_zero",
    "array_of",
    "arrays",
    "cell_words",
    "cells",
    "costs",
    "costs_of_methods",
    "coverage",
    "differences",
    "effects",
    "estimates",
    "level_words",
    "losses_known",
    "member_words",
    "ranked",
    "results",
    "slopes",
    "task_of",
    "winners",
]

PLACE = ("dataset", "prototask", "task")


@opened.cached
def arrays(state: str) -> dict[str, TaskArray]:
    """The task-arrays of the archive, by name."""
    return {array.name: array for array in opened.archive_of(state).arrays}


def array_of(state: str, name: str) -> TaskArray:
    return arrays(state)[name]


@opened.cached
def cells(state: str, array: str) -> tuple[GridCell, ...]:
    """The grid of an array: a cell for each combination of levels and each size, holes too."""
    return array_cells(array_of(state, array), opened.archive_of(state).tasks)


@opened.cached
def losses_known(state: str) -> dict[str, dict[str, tuple[str, ...]]]:
    """Which methods have results on which array? {array: {loss: methods}}; {array: {}} where none has."""
    places: dict[tuple[str | None, ...], list[str]] = {}
    for name in arrays(state):
        for cell in cells(state, name):
            if cell.missing is None:
                places.setdefault(cell.place, []).append(name)
    found: dict[str, dict[str, set[str]]] = {name: {} for name in arrays(state)}
    for row in opened.rows(state, "results"):
        for name in places.get(tuple(row[column] for column in PLACE), ()):
            if row["standardized_mean"] is not None:
                found[name].setdefault(row["loss"], set()).add(row["method"])
    return {
        name: {loss: tuple(sorted(losses[loss])) for loss in sorted(losses, key=loss_order)}
        for name, losses in found.items()
    }


@opened.cached
def _comparisons(state: str, array: str, loss: str) -> pa.Table:
    archive = opened.archive_of(state)
    tables = {"tasks": archive.tasks, "results": archive.results, "losses": archive.losses}
    return array_comparisons(cells(state, array), loss=loss, **tables)


@opened.cached
def results(state: str, array: str, loss: str, methods: tuple[str, ...] | None = None) -> ArrayResults:
    """What is known of an array under a loss; with methods given, of these only, without covariances."""
    archive = opened.archive_of(state)
    return array_results(
        array_of(state, array),
        loss=loss,
        tasks=archive.tasks,
        results=archive.results,
        losses=archive.losses if methods is None else None,
        comparisons=_comparisons(state, array, loss),
        methods=methods,
    )


@opened.cached
def ranked(state: str, array: str, loss: str) -> tuple[str, ...]:
    """The methods with a loss on an array, best first: by their mean place among those on the same task.

    The place is 0 for the lowest loss and 1 for the highest of the task, whatever the number of methods.
    """
    known = losses_known(state)[array].get(loss, ())
    value = results(state, array, loss, known).value
    places = np.full(value.shape, np.nan)
    for row, losses in enumerate(value):
        found = np.flatnonzero(np.isfinite(losses))
        if len(found) > 1:
            order = losses[found].argsort().argsort()
            places[row, found] = order / (len(found) - 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.nansum(places, axis=0) / np.isfinite(places).sum(axis=0)
    means = np.where(np.isnan(means), 2.0, means)
    return tuple(known[number] for number in np.lexsort((np.array(known), means)))


def _results(request: Request) -> ArrayResults:
    return results(request.state, request.array, request.loss, request.methods)


def _compared(request: Request) -> ArrayResults:
    return results(request.state, request.array, request.loss, request.compared)


def _with_covariances(request: Request) -> ArrayResults:
    return results(request.state, request.array, request.loss)


def all_above_zero(request: Request) -> bool:
    """Can the methods' losses stand on a logarithmic axis?"""
    return not (_results(request).value <= 0).any()


@opened.cached
def estimates(request: Request) -> pa.Table:
    """Every method, and the reference, on every cell of the grid: schema `ARRAY_ESTIMATES`."""
    return array_estimates(_compared(request), reference=request.reference)


@opened.cached
def winners(request: Request) -> pa.Table:
    """The best of the methods on each cell, and those not significantly worse: schema `ARRAY_WINNERS`."""
    return array_winners(_results(request), level=request.level, adjust=request.adjust)


@opened.cached
def differences(request: Request) -> pa.Table:
    """Each of the methods less the reference on each cell: schema `ARRAY_DIFFERENCES`."""
    return array_differences(
        _compared(request), reference=request.reference, level=request.level, adjust=request.adjust
    )


@opened.cached
def effects(request: Request) -> pa.Table:
    """What drives each of the methods' losses: schema `ARRAY_EFFECTS`."""
    return array_effects(_with_covariances(request), methods=request.methods, level=request.level)


@opened.cached
def slopes(request: Request) -> pa.Table:
    """How fast the methods learn: schema `LEARNING_SLOPES`."""
    table = learning_slopes(_with_covariances(request), level=request.level)
    return table.filter(pc.is_in(table["method"], value_set=pa.array(request.methods, pa.string())))


@opened.cached
def costs(request: Request) -> pa.Table:
    """What each of the methods costs on each cell: schema `ARRAY_COSTS`."""
    return array_costs(_results(request), opened.archive_of(request.state).costs)


@opened.cached
def costs_of_methods(request: Request) -> pa.Table:
    """What each of the methods costs on the whole array: schema `METHOD_COSTS`."""
    return method_costs(_results(request), opened.archive_of(request.state).costs)


@dataclass(frozen=True)
class Coverage:
    """How much of an array is there. cells: of the grid; tasks: cells with a task; done: tasks with a loss of
    any method; complete: methods with a loss on every task; partial: {method: tasks without a loss}."""

    cells: int
    tasks: int
    done: int
    complete: tuple[str, ...]
    partial: dict[str, int]


def coverage(request: Request) -> Coverage:
    """How much of the array do the methods' results cover?"""
    found = _results(request)
    is_task = np.array([cell.missing is None for cell in found.cells])
    known = np.isfinite(found.value)
    missing = (is_task[:, None] & ~known).sum(axis=0)
    return Coverage(
        len(found.cells),
        int(is_task.sum()),
        int(known.any(axis=1).sum()),
        tuple(name for name, left in zip(found.methods, missing, strict=True) if not left),
        {name: int(left) for name, left in zip(found.methods, missing, strict=True) if left},
    )


def level_words(array: TaskArray, factor: int, level: str) -> str:
    """Return a level in words: its label, or `noise: low` where the array gives it none. Not escaped."""
    label = array.factors[factor].label(level)
    return label if label != level else f"{array.factors[factor].name}: {level}"


def member_words(array: TaskArray, levels: Sequence[str]) -> str:
    """`8 inputs, fairly linear, medium noise`. Not escaped."""
    return ", ".join(level_words(array, number, level) for number, level in enumerate(levels))


def cell_words(array: TaskArray, row: Mapping[str, Any]) -> str:
    """`8 inputs, fairly linear, medium noise, 256 training cases`. Not escaped."""
    return f"{member_words(array, row['levels'])}, {words.count(row['training_size'], 'training case')}"


def task_of(row: Mapping[str, Any]) -> str | None:
    """Return the full path of a row's task, None for a hole."""
    return words.task_path(row["dataset"], row["prototask"], row["task"]) if row["task"] else None
