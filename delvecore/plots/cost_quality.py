"""Cost against loss: which methods are worth their cost?"""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import log10
from typing import NamedTuple

import plotly.graph_objects as go

from delvecore.plots import labels, theme
from delvecore.plots.theme import MethodStyle
from delvecore.report import words

FRONT_HEIGHT = 420
LEAST_SPAN = 0.5
"""Powers of ten that an axis of seconds has at least, so that there is a number at it."""
REACH = 100.0
"""How many times below the cheapest and above the dearest method intervals of costs are drawn."""


class Spot(NamedTuple):
    """A method at its cost and loss, each as (value, lower, upper); on_front: is no other better in both?"""

    method: str
    cost: tuple[float, float, float]
    loss: tuple[float, float, float]
    sure: float
    on_front: bool
    style: MethodStyle


def front_figure(rows: Sequence[Spot]) -> go.Figure:
    """Cost against loss: each method with both intervals; a line joins those that no other beats in both.

    Parameters
    ----------
    rows : sequence of Spot
        Seconds, losses, and how sure a place on the front is.

    Returns
    -------
    Figure
        The front, then one trace a method; seconds are on a logarithmic axis.

    Examples
    --------
    >>> spot = Spot("lin-1", (2.0, 1.0, 4.0), (0.5, 0.4, 0.6), 1.0, True, MethodStyle("#2A7EFF", "circle"))
    >>> front_figure([spot]).data[1].y
    (0.5,)
    """
    if not rows:
        return theme.empty_figure("No costs are known", height=300)
    rows = _within_reach(rows)
    figure = theme.new_figure(height=FRONT_HEIGHT)
    theme.title_y_axis(figure, "↓ better   loss")
    figure.update_layout(margin={"t": 32}, hovermode="closest", showlegend=False)
    front = sorted((row.cost[0], row.loss[0]) for row in rows if row.on_front)
    line = {"color": theme.LINE_GREY, "width": 1.5, "dash": "dash", "shape": "hv"}
    figure.add_trace(
        theme.trace("lines", [x for x, _ in front], [y for _, y in front], line=line, showlegend=False)
    )
    for row in rows:
        figure.add_trace(_spot(row))
    across = _ends([log10(end) for row in rows for end in row.cost], least=LEAST_SPAN)
    down = _ends([end for row in rows for end in row.loss])
    figure.update_yaxes(range=down)
    title, ticks = "← cheaper   seconds of learning and predicting one instance", _seconds(across)
    axis = {"tickvals": ticks, "ticktext": [f"{tick:g}" for tick in ticks]}
    figure.update_xaxes(title_text=title, type="log", range=across, **axis)
    _name_spots(figure, rows, across, down)
    theme.needs_width(figure, labels.ROOM)
    return figure


def _seconds(across: tuple[float, float]) -> list[float]:
    """Return the powers of ten on an axis between two logarithms; twice and five times these, too, of few."""
    digits = (1,) if across[1] - across[0] > 2 else (1, 2, 5)
    powers = range(math.floor(across[0]), math.ceil(across[1]))
    ticks = [digit * 10.0**power for power in powers for digit in digits]
    return [tick for tick in ticks if across[0] <= log10(tick) <= across[1]]


def _within_reach(rows: Sequence[Spot]) -> list[Spot]:
    """Return the methods with intervals of costs that end 100 times below the cheapest and above the dearest:
    those of a few datasets have ends, on the scale of decades, that leave nothing else to be seen."""
    costs = [row.cost[0] for row in rows]
    low, high = min(costs) / REACH, max(costs) * REACH

    def cut(end: float) -> float:
        return end if math.isnan(end) else min(max(end, low), high)

    return [row._replace(cost=(row.cost[0], cut(row.cost[1]), cut(row.cost[2]))) for row in rows]


def _ends(values: Sequence[float], *, least: float = 0.0) -> tuple[float, float]:
    """Return the ends of an axis with some room about its values. least: how long it is at least."""
    known = [value for value in values if math.isfinite(value)]
    short = max(least - max(known) + min(known), 0.0)
    low, high = min(known) - short / 2, max(known) + short / 2
    room = 0.06 * ((high - low) or 1.0)
    return low - room, high + room


def _name_spots(
    figure: go.Figure, rows: Sequence[Spot], across: tuple[float, float], down: tuple[float, float]
) -> None:
    """Write each method's name where neither marks nor intervals are in the way."""

    def pixels(cost: float, loss: float) -> tuple[float, float]:
        x = (log10(cost) - across[0]) / (across[1] - across[0])
        return x * labels.DRAWN[0], (loss - down[0]) / (down[1] - down[0]) * labels.DRAWN[1]

    crossed: list[labels.Box] = []
    for line in _lines(rows):
        places = [pixels(*place) for place in line]
        crossed += labels.boxes_of_line(places)
        crossed += [(x - 4, y - 4, x + 4, y + 4) for x, y in places]
    spots = [(row.method, row.cost[0], row.loss[0]) for row in rows]
    marks = [labels.Named(name, pixels(cost, loss), log10(cost), loss) for name, cost, loss in spots]
    labels.label_marks(figure, marks, crossed)


def _lines(rows: Sequence[Spot]) -> Iterator[list[tuple[float, float]]]:
    """Return what is drawn beside the marks: the front in steps, and the intervals that have ends."""
    front = sorted((row.cost[0], row.loss[0]) for row in rows if row.on_front)
    yield [corner for (x, y), (to, low) in pairwise(front) for corner in ((x, y), (to, y), (to, low))]
    for row in rows:
        (cost, *costs), (loss, *losses) = row.cost, row.loss
        for line in ([(end, loss) for end in costs], [(cost, end) for end in losses]):
            if all(math.isfinite(number) for place in line for number in place):
                yield line


def _spot(row: Spot) -> theme.Trace:
    errors = {}
    for axis, ends in (("error_x", row.cost), ("error_y", row.loss)):
        if all(map(math.isfinite, ends)):
            errors[axis] = theme.interval_bars([ends], color=row.style.colour, thickness=1.5, width=4)
    name = words.plot_text(row.method)
    hover = f"{name}: {row.cost[0]:.3g} s, loss {row.loss[0]:.3g}, on the frontier in {100 * row.sure:.0f} %"
    symbol = row.style.symbol if row.on_front else f"{row.style.symbol}-open"
    marker = {"color": row.style.colour, "symbol": symbol, "size": 10}
    look = {"marker": marker, "meta": row.method, "cliponaxis": False, **errors}
    return theme.trace("markers", [row.cost[0]], [row.loss[0]], hover=[hover], **look)
