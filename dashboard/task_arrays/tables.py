"""What the figures of losses on the Task-arrays page draw: one record a figure, made from the request.

Effects and slopes are in `drivers`."""

import textwrap
from collections.abc import Sequence
from math import exp, log
from typing import Any

from dashboard.server import archive as opened
from dashboard.server.archive import Row
from dashboard.server.method_styles import look_order
from dashboard.task_arrays import data as array_data
from dashboard.task_arrays.choice import Request
from delvecore.plots import words
from delvecore.plots.task_arrays import plot_data
from delvecore.plots.task_arrays.cost_paths import CostPath, CostPoint, CostsFigure
from delvecore.plots.task_arrays.curves import CurvesFigure
from delvecore.plots.task_arrays.maps import DifferenceCell, DifferencesFigure, WinnerCell, WinnersFigure
from delvecore.plots.task_arrays.panels import ABSENT, EMPTY, Look, PanelGrid
from delvecore.plots.task_arrays.plot_data import (
    against_words,
    cell_words,
    html_p,
    loss_title,
    member_words,
    number,
    place_words,
    task_of,
)
from delvecore.stats.arrays.results import NO_MEMBER, NO_SIZE, NO_TASK
from delvecore.stats.choose import Verdict
from delvecore.task_arrays import TaskArray

__all__ = ["costs", "costs_words", "curves", "differences", "grid_of", "looks", "member_names"]
__all__ += ["missing_words", "places", "sizes_of", "winners"]

HOLES = {NO_MEMBER: ABSENT, NO_TASK: "no such task here", NO_SIZE: "no such size"}
"""Why a cell of the grid is no task, in a few words."""
SIGNS = {Verdict.BETTER: "▼", Verdict.WORSE: "▲"}


@opened.cached
def grid_of(state: str, array: str) -> PanelGrid:
    """The panels of an array."""
    return plot_data.grid_of(array_data.array_of(state, array))


@opened.cached
def places(request: Request) -> dict[str, str]:
    """The tasks with results, in words, by path: what a click into a figure opens."""
    array = array_data.array_of(request.state, request.array)
    rows = [row for row in array_data.winners(request).to_pylist() if row["best"]]
    return {str(task_of(row)): cell_words(array, row) for row in rows}


def looks(request: Request, *, every: bool = False) -> dict[str, Look]:
    """Return how the methods look: those beyond eight grey, unless every one stands for itself."""
    coloured = request.methods if every else request.coloured
    return plot_data.looks_of(request.methods, known=look_order(request.state), coloured=coloured)


@opened.cached
def curves(request: Request) -> CurvesFigure:
    """Every method on every task of the array."""
    return plot_data.curves_of(
        array_data.array_of(request.state, request.array),
        array_data.estimates(request).to_pylist(),
        looks(request),
        loss=request.loss,
        is_log=request.is_log,
        hint="<br>Click to compare",
        published=array_data.published(request),
    )


def _winner_hover(array: TaskArray, row: Row) -> str:
    shown = words.with_error(row["standardized_mean"], row["standardized_error"])
    lines = [place_words(array, row), f"<b>{words.plot_text(row['best'])}</b> is best: {shown}"]
    for column, title in (("not_worse", "not significantly worse"), ("worse", "significantly worse")):
        if row[column]:
            tested = zip(row[column], row[f"{column}_p"], strict=True)
            told = ", ".join(f"{words.plot_text(name)} ({html_p(p)})" for name, p in tested)
            lines.append(f"{title}: {told}")
    if row["untested"]:
        lines.append(f"not tested: {', '.join(map(words.plot_text, row['untested']))}")
    return "<br>".join(textwrap.fill(line, 90).replace("\n", "<br>") for line in [*lines, "Click to compare"])


def sizes_of(request: Request) -> tuple[int, ...]:
    """The sizes of the training sets of the array, ascending."""
    return tuple(sorted({cell.training_size for cell in array_data.cells(request.state, request.array)}))


def member_names(request: Request) -> dict[tuple[str, ...], str]:
    """The combinations of levels, in their order, with their words: the rows of maps."""
    array = array_data.array_of(request.state, request.array)
    cells = array_data.cells(request.state, request.array)
    return {cell.levels: member_words(array, cell.levels) for cell in cells}


def missing_words(note: str | None) -> str:
    """Say why there is nothing in a cell, in a few words."""
    return HOLES.get(note or "", EMPTY)


@opened.cached
def winners(request: Request) -> WinnersFigure:
    """The best method on every cell of the array's grid."""
    array, sizes = array_data.array_of(request.state, request.array), sizes_of(request)
    names = member_names(request)
    places = {levels: place for place, levels in enumerate(names)}
    found = tuple(
        WinnerCell(
            row=places[tuple(row["levels"])],
            column=sizes.index(row["training_size"]),
            best=row["best"],
            others=tuple(row["not_worse"]),
            lead=words.with_error(*lead) if lead and row["best"] else "",
            missing=None if row["best"] else missing_words(row["note"]),
            hover=_winner_hover(array, row) if row["best"] else "",
            task=task_of(row),
        )
        for row, lead in zip(array_data.winners(request).to_pylist(), array_data.leads(request), strict=True)
    )
    return WinnersFigure(found, tuple(names.values()), sizes, looks(request, every=True))


def _difference_hover(array: TaskArray, row: Row) -> str:
    where, name = place_words(array, row), words.plot_text(row["method"])
    if row["difference"] is None:
        return f"<b>{name}</b><br>{words.plot_text(row['note'] or EMPTY)}<br>{where}"
    return f"<b>{name}</b> loses {against_words(row)}<br>{row['verdict']}<br>{where}<br>Click to compare"


@opened.cached
def differences(request: Request) -> DifferencesFigure:
    """Each method less the reference on every task of the array."""
    array, grid = array_data.array_of(request.state, request.array), grid_of(request.state, request.array)
    cells = tuple(
        DifferenceCell(
            panel=grid.place(row["levels"]),
            size=row["training_size"],
            method=row["method"],
            difference=number(row["difference"]),
            sign=SIGNS.get(row["verdict"], ""),
            hover=_difference_hover(array, row),
            task=task_of(row),
        )
        for row in array_data.differences(request).to_pylist()
        if row["note"] not in HOLES and row["method"] != request.reference
    )
    methods = tuple(method for method in request.methods if method != request.reference)
    reference = words.plot_text(request.reference, longest=20)
    title = f"{loss_title(request.loss, '')} less that of {reference}"
    return DifferencesFigure(cells, grid, sizes_of(request), methods, title)


@opened.cached
def costs(request: Request) -> CostsFigure:
    """Seconds and mean losses of methods by size of training sets.

    Only tasks on which all the methods drawn have costs and a loss count, so that their means compare.
    Seconds: the geometric mean over these tasks of the median instance's."""
    rows = array_data.costs(request).to_pylist()
    usable = [row for row in rows if row["median_seconds"] and row["standardized_mean"] is not None]
    with_costs = [name for name in request.methods if any(row["method"] == name for row in usable)]
    drawn, shared = _sharing(usable, with_costs)
    counted = [row for row in usable if _cell(row) in shared]
    shown, sizes = looks(request), sorted({size for _, size in shared})
    points = {name: tuple(_cost_point(name, size, counted) for size in sizes) for name in drawn}
    return CostsFigure(
        paths=tuple(CostPath(name, shown[name], found) for name, found in points.items()),
        title=loss_title(request.loss),
        baseline=words.loss_baseline(request.loss),
        compared=len(shared),
        without=tuple(name for name in request.methods if name not in with_costs),
        apart=tuple(name for name in with_costs if name not in drawn),
    )


def costs_words(drawn: CostsFigure) -> str:
    """Say what each method costs and loses with the largest training sets, for those who do not see it."""
    told = [
        f"{path.method} {words.number(path.points[-1].seconds, digits=2)} s, loss "
        f"{words.number(path.points[-1].loss, digits=2)}"
        for path in drawn.paths
    ]
    return f"With the largest training sets: {'; '.join(told)}."


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


def _cost_point(method: str, size: int, rows: Sequence[Row]) -> CostPoint:
    own = [row for row in rows if (row["method"], row["training_size"]) == (method, size)]
    seconds = exp(sum(log(row["median_seconds"]) for row in own) / len(own))
    loss = sum(row["standardized_mean"] for row in own) / len(own)
    hover = (
        f"<b>{words.plot_text(method)}</b>, {words.count(size, 'training case')}<br>"
        f"{words.number(seconds, digits=3)} s an instance, mean loss {words.number(loss, digits=3)}<br>"
        f"over {words.count(len(own), 'task')}"
    )
    return CostPoint(seconds, loss, hover)
