"""Seconds and values of methods by size of training sets."""

from collections.abc import Sequence
from math import exp, log
from typing import Any

import pyarrow as pa

from delvecore.answers.task_array_sentences import Row
from delvecore.plots.cost_quality import CostPath, CostPoint, CostsFigure
from delvecore.plots.task_arrays.panels import Scene
from delvecore.report import words


def cost_paths(table: pa.Table, scene: Scene) -> CostsFigure:
    """Seconds and means of methods by size of training sets.

    Only tasks on which all the methods drawn have costs and a value count, so that their means compare.
    Seconds: the geometric mean over these tasks of the median instance's."""
    rows = table.to_pylist()
    usable = [row for row in rows if row["median_seconds"] and row["standardized_mean"] is not None]
    with_costs = [name for name in scene.looks if any(row["method"] == name for row in usable)]
    drawn, shared = _sharing(usable, with_costs)
    counted = [row for row in usable if _cell(row) in shared]
    shown, sizes = scene.looks, sorted({size for _, size in shared})
    noun = scene.measure.noun
    points = {name: tuple(_cost_point(name, size, counted, noun) for size in sizes) for name in drawn}
    return CostsFigure(
        paths=tuple(CostPath(name, shown[name], found) for name, found in points.items()),
        title=words.vertical_axis(scene.measure),
        baseline=scene.measure.baseline,
        compared=len(shared),
        without=tuple(name for name in scene.looks if name not in with_costs),
        apart=tuple(name for name in with_costs if name not in drawn),
    )


def _cell(row: Row) -> tuple[tuple[str, ...], int]:
    return tuple(row["levels"]), row["training_size"]


def _sharing(rows: Sequence[Row], methods: Sequence[str]) -> tuple[list[str], set[Any]]:
    """Return the methods to draw, and the tasks that they have in common.

    A method on less than half of the tasks of another would take the other tasks from all means, and is left
    out; so are, where all have none in common, those with the fewest tasks."""
    done = {name: {_cell(row) for row in rows if row["method"] == name} for name in methods}
    most = max(map(len, done.values()), default=0)
    left = [name for name in methods if 2 * len(done[name]) >= most]
    while len(left) > 1 and not set.intersection(*(done[name] for name in left)):
        left.remove(min(reversed(left), key=lambda name: len(done[name])))
    return left, set.intersection(*(done[name] for name in left)) if left else set()


def _cost_point(method: str, size: int, rows: Sequence[Row], noun: str) -> CostPoint:
    own = [row for row in rows if (row["method"], row["training_size"]) == (method, size)]
    seconds = exp(sum(log(row["median_seconds"]) for row in own) / len(own))
    mean = sum(row["standardized_mean"] for row in own) / len(own)
    hover = (
        f"<b>{words.plot_text(method)}</b>, {words.count(size, 'training case')}<br>"
        f"{words.number(seconds, digits=3)} s an instance, mean {words.plot_text(noun)} "
        f"{words.number(mean, digits=3)}<br>"
        f"over {words.count(len(own), 'task')}"
    )
    return CostPoint(seconds, mean, hover)
