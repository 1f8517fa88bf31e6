"""Tables of the Compare page: what can be compared, estimates, pairs, losses by instance and by case.

All numbers come from `delvecore.statistics`; here they are chosen, ordered and put in units of the baseline.
Cached by the archive's state and small values, as in `dashboard.server.archive`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow.compute as pc

from dashboard.compare.verdict import STANDARDIZED
from dashboard.frame import words
from dashboard.server import archive as opened
from delvecore.losses.spec import loss_order
from delvecore.statistics.losses.case_differences import CaseDifferences, case_differences
from delvecore.statistics.losses.pairs import compare_all
from delvecore.statistics.losses.standardization import (
    standardized_mean,
    standardized_spread,
    usable_constant,
)

__all__ = [
    "ComparedTask",
    "can_standardize",
    "compared_tasks",
    "estimates",
    "in_unit",
    "instance_losses",
    "oriented",
    "pair_differences",
    "pairs",
    "pairs_against",
]

PLACE = ("dataset", "prototask", "task")
_SPREADS = ("sd_training", "sd_cases", "sd_residual")
_TURNED = (("method_a", "method_b"), ("mean_a", "mean_b"), ("standardized_mean_a", "standardized_mean_b"))
_NEGATED = ("difference", "standardized_difference")
_BOUNDS = (("lower", "upper"), ("standardized_lower", "standardized_upper"))


@dataclass(frozen=True)
class ComparedTask:
    """A task with results. path: full path; losses: {letter: names of the methods that have it, sorted}."""

    path: str
    dataset: str
    prototask: str
    prior: str
    training_size: int
    design: str
    losses: Mapping[str, tuple[str, ...]]

    @property
    def place(self) -> tuple[str, str, str]:
        """Dataset, prototask, and the task's name such as `std.128`."""
        return tuple(self.path.strip("/").split("/"))


@opened.cached
def compared_tasks(state: str) -> dict[str, ComparedTask]:
    """Every task with results, by full path, sorted by dataset, prototask, prior and training size."""
    found: dict[tuple, dict[str, set]] = {}
    for row in opened.rows(state, "results"):
        key = (row["dataset"], row["prototask"], row["prior"], row["training_size"], row["task"])
        found.setdefault(key, {}).setdefault(row["loss"], set()).add(row["method"])
    designs = {
        tuple(row[name] for name in PLACE): row["test_set_selection"] for row in opened.rows(state, "tasks")
    }
    tasks = {}
    for key in sorted(found):
        dataset, prototask, prior, size, task = key
        path = words.task_path(dataset, prototask, task)
        losses = {loss: tuple(sorted(found[key][loss])) for loss in sorted(found[key], key=loss_order)}
        design = designs.get((dataset, prototask, task), "hierarchical")
        tasks[path] = ComparedTask(path, dataset, prototask, prior, size, design, losses)
    return tasks


@opened.cached
def estimates(state: str, task: str, loss: str) -> tuple[dict, ...]:
    """The methods' expected losses on a task, lowest first; those without a mean last, equals by name.

    The columns of `results`, with the standard deviations in units of the baseline as
    `standardized_sd_training` and so on.
    """
    place = compared_tasks(state)[task].place
    rows = [
        row
        for row in opened.rows(state, "results")
        if row["loss"] == loss and tuple(row[name] for name in PLACE) == place
    ]
    found = [row | _standardized_spreads(row) for row in rows]
    return tuple(sorted(found, key=lambda row: (row["mean"] is None, row["mean"] or 0.0, row["method"])))


def _standardized_spreads(row):
    return {
        f"standardized_{name}": standardized_spread(row["loss"], row[name], row["standardizer"])
        for name in _SPREADS
    }


@opened.cached
def pairs(state: str, task: str, loss: str, level: float) -> tuple[dict, ...]:
    """All pairs of methods on a task, the columns of `archive.comparisons`, lower and upper for this level.

    Means, bounds and standard deviations in units of the baseline are added as `standardized_...`.
    """
    archive = opened.archive_of(state)
    constants = {
        (*(row[name] for name in PLACE), row["loss"]): row["standardizer"]
        for row in estimates(state, task, loss)
    }
    table = compare_all(_task_losses(state, task, loss), archive.tasks, constants, loss=loss, level=level)
    return tuple(_with_standardized(row) for row in table.to_pylist())


def _with_standardized(row):
    loss, constant = row["loss"], row["standardizer"]
    more = _standardized_spreads(row)
    for name in ("mean_a", "mean_b"):
        more[f"standardized_{name}"] = standardized_mean(loss, row[name], constant)
    for name in ("lower", "upper"):
        more[f"standardized_{name}"] = standardized_spread(loss, row[name], constant)
    return row | more


@opened.cached
def _task_losses(state, task, loss):
    """The losses table's rows of one task and loss."""
    table = opened.archive_of(state).losses
    chosen = pc.equal(table["loss"], loss)
    for name, value in zip(PLACE, compared_tasks(state)[task].place, strict=True):
        chosen = pc.and_(chosen, pc.equal(table[name], value))
    return table.filter(chosen)


def oriented(pair: Mapping, first: str) -> dict:
    """Return a pair with the method `first` as method_a: differences change their sign with the order."""
    if pair["method_a"] == first:
        return dict(pair)
    turned = dict(pair)
    for a, b in _TURNED:
        turned[a], turned[b] = pair[b], pair[a]
    for name in _NEGATED:
        turned[name] = _negative(pair[name])
    for low, high in _BOUNDS:
        turned[low], turned[high] = _negative(pair[high]), _negative(pair[low])
    if pair["test"] == "t":
        turned["statistic"] = _negative(pair["statistic"])
    return turned


def _negative(value):
    return value if value is None or value == 0 else -value


def pairs_against(found: Sequence[Mapping], reference: str, methods: Sequence[str]) -> list[dict]:
    """Return the pairs of each method (a) with the reference (b), in the order of methods."""
    by_names = {frozenset((pair["method_a"], pair["method_b"])): pair for pair in found}
    return [
        oriented(by_names[frozenset((method, reference))], method)
        for method in methods
        if method != reference and frozenset((method, reference)) in by_names
    ]


def can_standardize(constant: float | None, loss: str) -> bool:
    """Can losses be put in units of the baseline with this constant?"""
    return usable_constant(loss, constant) is not None


def in_unit(value: float, loss: str, constant: float | None, unit: str) -> float | None:
    """Return a mean loss in the unit asked for."""
    return standardized_mean(loss, value, constant) if unit == STANDARDIZED else value


@opened.cached
def instance_losses(state: str, task: str, loss: str) -> dict[str, dict[int, float]]:
    """Mean loss of each method on the test cases of each task instance: {method: {instance: mean}}."""
    table = _task_losses(state, task, loss)
    found: dict[str, dict[int, float]] = {}
    columns = (table[name].to_pylist() for name in ("method", "instance"))
    for method, instance, values in zip(*columns, table["values"], strict=True):
        found.setdefault(method, {})[instance] = float(np.mean(values.values.to_numpy()))
    return found


@opened.cached
def pair_differences(
    state: str, task: str, loss: str, method_a: str, method_b: str
) -> tuple[CaseDifferences | None, tuple[int, ...]]:
    """Return (differences case by case, the instances that both methods have), None where they do not fit."""
    rows_a, rows_b = (_rows_of(state, task, loss, method) for method in (method_a, method_b))
    shared = tuple(sorted(rows_a.keys() & rows_b.keys()))
    lengths = {len(rows[number]) for rows in (rows_a, rows_b) for number in shared}
    if len(lengths) != 1:
        return None, shared
    stacks = (np.array([rows[number] for number in shared]) for rows in (rows_a, rows_b))
    return case_differences(*stacks, design=compared_tasks(state)[task].design), shared


def _rows_of(state, task, loss, method):
    table = _task_losses(state, task, loss)
    table = table.filter(pc.equal(table["method"], method))
    numbers = table["instance"].to_pylist()
    return {n: values.values.to_numpy() for n, values in zip(numbers, table["values"], strict=True)}
