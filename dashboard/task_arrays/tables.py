"""What the figures of losses on the Task-arrays page draw: one record a figure, made from the request.

Effects and slopes are in `drivers`."""

import textwrap
from collections.abc import Sequence
from math import exp, log, nan
from typing import Any

from dashboard.server import archive as opened
from dashboard.server.archive import Row
from dashboard.task_arrays import data as array_data
from dashboard.task_arrays.choice import MOST_COLOURED, Request
from delvecore.figures import theme, words
from delvecore.figures.task_arrays.costs import CostPath, CostPoint, CostsFigure
from delvecore.figures.task_arrays.curves import Curve, CurvePoint, CurvesFigure
from delvecore.figures.task_arrays.maps import DifferenceCell, DifferencesFigure, WinnerCell, WinnersFigure
from delvecore.figures.task_arrays.panels import ABSENT, EMPTY, Look, PanelGrid, panel_grid
from delvecore.model import TaskArray
from delvecore.statistics.arrays.results import LEFT_OUT, NO_MEMBER, NO_SIZE, NO_TASK
from delvecore.statistics.choose import Verdict

__all__ = ["costs", "curves", "differences", "grid_of", "html_p", "looks", "loss_title", "winners"]

HOLES = {NO_MEMBER: ABSENT, NO_TASK: "no such task here", NO_SIZE: "no such size"}
"""Why a cell of the grid is no task, in a few words."""
DASHES = ("6px,2px", "3px,2px", "8px,2px,2px,2px")
SIGNS = {Verdict.BETTER: "▼", Verdict.WORSE: "▲"}


@opened.cached
def grid_of(state: str, array: str) -> PanelGrid:
    """The panels of an array."""
    found = array_data.array_of(state, array)
    factors = [
        [(level.name, array_data.level_words(found, number, level.name)) for level in factor.levels]
        for number, factor in enumerate(found.factors)
    ]
    return panel_grid(factors, frozenset(member.levels for member in found.members))


def looks(request: Request, *, every: bool = False) -> dict[str, Look]:
    """Return how the methods look: those beyond eight grey, unless every one stands for itself."""
    styles, found = theme.method_styles(opened.choices(request.state).methods), {}
    for number, name in enumerate(request.methods):
        colour, symbol = styles[name].colour, styles[name].symbol
        # Lines of methods that share a colour differ: the markers tell which of them came first.
        turn = (theme.SYMBOLS.index(symbol) - theme.COLOURS.index(colour)) % len(theme.SYMBOLS)
        dash = DASHES[turn % len(DASHES)] if turn else "solid"
        found[name] = Look(colour, symbol, dash, not every and number >= MOST_COLOURED)
    return found


def loss_title(loss: str, arrow: str = "↓ better   ") -> str:
    """Return what stands above figures whose vertical axis is the loss; an arrow points to the better end."""
    return words.loss_axis(loss, standardized=True).replace("← better   ", arrow)


def _number(value: float | None) -> float:
    return nan if value is None else value


def html_p(p: float | None) -> str:
    """Return a p-value in words for a hover text."""
    return words.p_value(p).replace("<", "&lt;")


def _where(array: TaskArray, row: Row) -> str:
    return words.plot_text(array_data.cell_words(array, row), longest=160)


def _against(row: Row) -> str:
    """`0.12 ± 0.01 less than lin-1, p = 0.003`."""
    if row["method"] == row["reference"]:
        return "the reference"
    if row["difference"] is None:
        return f"not comparable with {words.plot_text(row['reference'])}"
    direction = "less" if row["difference"] < 0 else "more"
    size = words.with_error(abs(row["difference"]), row["difference_error"])
    return f"{size} {direction} than {words.plot_text(row['reference'])}, {html_p(row['p_adjusted'])}"


def _curve_hover(array: TaskArray, row: Row) -> str:
    where, name = _where(array, row), words.plot_text(row["method"])
    if row["standardized_mean"] is None:
        return f"<b>{name}</b>: {row['missing']}<br>{where}"
    shown = words.with_error(row["standardized_mean"], row["standardized_error"])
    instances = words.count(row["instances"], "training set")
    return f"<b>{name}</b> {shown}, {instances}<br>{_against(row)}<br>{where}<br>Click to compare"


@opened.cached
def curves(request: Request) -> CurvesFigure:
    """Every method on every task of the array."""
    array, grid = array_data.array_of(request.state, request.array), grid_of(request.state, request.array)
    points: dict[str, list[CurvePoint]] = {name: [] for name in request.methods}
    for row in array_data.estimates(request).to_pylist():
        if row["method"] in points and row["missing"] not in LEFT_OUT:
            loss, error = _number(row["standardized_mean"]), _number(row["standardized_error"])
            panel, task = grid.place(row["levels"]), array_data.task_of(row)
            hover = _curve_hover(array, row)
            point = CurvePoint(panel, row["training_size"], loss, error, hover=hover, task=task)
            points[row["method"]].append(point)
    return CurvesFigure(
        curves=tuple(Curve(name, look, tuple(points[name])) for name, look in looks(request).items()),
        grid=grid,
        sizes=tuple(sorted({point.size for found in points.values() for point in found})),
        is_log=request.is_log,
        title=loss_title(request.loss),
        baseline=words.loss_baseline(request.loss),
    )


def _winner_hover(array: TaskArray, row: Row) -> str:
    shown = words.with_error(row["standardized_mean"], row["standardized_error"])
    lines = [_where(array, row), f"<b>{words.plot_text(row['best'])}</b> is best: {shown}"]
    for column, title in (("not_worse", "not significantly worse"), ("worse", "significantly worse")):
        if row[column]:
            tested = zip(row[column], row[f"{column}_p"], strict=True)
            told = ", ".join(f"{words.plot_text(name)} ({html_p(p)})" for name, p in tested)
            lines.append(f"{title}: {told}")
    if row["untested"]:
        lines.append(f"not tested: {', '.join(map(words.plot_text, row['untested']))}")
    return "<br>".join(textwrap.fill(line, 90).replace("\n", "<br>") for line in [*lines, "Click to compare"])


def _sizes(request: Request) -> tuple[int, ...]:
    return tuple(sorted({cell.training_size for cell in array_data.cells(request.state, request.array)}))


@opened.cached
def winners(request: Request) -> WinnersFigure:
    """The best method on every cell of the array's grid."""
    array, sizes = array_data.array_of(request.state, request.array), _sizes(request)
    cells = array_data.cells(request.state, request.array)
    names = {cell.levels: array_data.member_words(array, cell.levels) for cell in cells}
    places = {levels: place for place, levels in enumerate(names)}
    found = tuple(
        WinnerCell(
            row=places[tuple(row["levels"])],
            column=sizes.index(row["training_size"]),
            best=row["best"],
            others=tuple(row["not_worse"]),
            missing=None if row["best"] else HOLES.get(row["note"], EMPTY),
            hover=_winner_hover(array, row) if row["best"] else "",
            task=array_data.task_of(row),
        )
        for row in array_data.winners(request).to_pylist()
    )
    return WinnersFigure(found, tuple(names.values()), sizes, looks(request, every=True))


def _difference_hover(array: TaskArray, row: Row) -> str:
    where, name = _where(array, row), words.plot_text(row["method"])
    if row["difference"] is None:
        return f"<b>{name}</b><br>{words.plot_text(row['note'] or EMPTY)}<br>{where}"
    return f"<b>{name}</b> loses {_against(row)}<br>{row['verdict']}<br>{where}<br>Click to compare"


@opened.cached
def differences(request: Request) -> DifferencesFigure:
    """Each method less the reference on every task of the array."""
    array, grid = array_data.array_of(request.state, request.array), grid_of(request.state, request.array)
    cells = tuple(
        DifferenceCell(
            panel=grid.place(row["levels"]),
            size=row["training_size"],
            method=row["method"],
            difference=_number(row["difference"]),
            sign=SIGNS.get(row["verdict"], ""),
            hover=_difference_hover(array, row),
            task=array_data.task_of(row),
        )
        for row in array_data.differences(request).to_pylist()
        if row["note"] not in HOLES and row["method"] != request.reference
    )
    methods = tuple(method for method in request.methods if method != request.reference)
    reference = words.plot_text(request.reference, longest=20)
    title = f"{loss_title(request.loss, '')} less that of {reference}"
    return DifferencesFigure(cells, grid, _sizes(request), methods, title)


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
