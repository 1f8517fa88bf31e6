"""Cost against loss on a task-array: seconds of an instance, and the mean loss, by size of training sets."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import log10
from typing import Any, NamedTuple

import plotly.graph_objects as go

from dashboard.frame import theme, words
from dashboard.task_arrays.figures.marks import Baseline, Look

__all__ = ["CostPath", "CostPoint", "CostsFigure", "costs_figure"]

Box = tuple[float, float, float, float]
"""Left, lower, right and upper edge, in pixels of the plot."""
Ends = tuple[float, float]

HEIGHT, TOP = 480, 34
DRAWN_WIDTH, DRAWN_HEIGHT = 700, 390
"""Of the plot on a page 1280 wide, in pixels: where names are looked for room."""
LONGEST = 14
FAR = tuple((right, up) for up in (-30, 34, -52, 56, -76, 80) for right in (30, -30, 62, -62, 0))
"""How far from its mark a name may stand where it is crowded: right and up, in pixels, the nearest first."""
UNITS: tuple[tuple[float, str], ...] = (
    *((1e-3, "1 ms"), (1e-2, "10 ms"), (0.1, "0.1 s"), (1, "1 s"), (10, "10 s"), (60, "1 min")),
    *((600, "10 min"), (3600, "1 h"), (36000, "10 h")),
)


class CostPoint(NamedTuple):
    """A method with one size of training sets: seconds of an instance, mean loss."""

    seconds: float
    loss: float
    hover: str


class CostPath(NamedTuple):
    """A method's points, the smallest training sets first."""

    method: str
    look: Look
    points: tuple[CostPoint, ...]


class CostsFigure(NamedTuple):
    """All that is drawn. title: of the loss axis; compared: the number of tasks that the means are over;
    without: methods without costs; apart: those not drawn, for they share too few tasks with the others."""

    paths: tuple[CostPath, ...]
    title: str
    baseline: Baseline | None
    compared: int
    without: tuple[str, ...]
    apart: tuple[str, ...]


def costs_figure(drawn: CostsFigure) -> go.Figure:
    """Draw a path a method: one mark a size of training sets, from the smallest (small) to the largest.

    The seconds are on a logarithmic axis; grey methods have thin paths.
    """
    if not drawn.paths:
        return theme.empty_figure("No costs are recorded for these methods", height=200)
    figure = theme.new_figure(height=HEIGHT)
    figure.add_traces([_trace(path) for path in sorted(drawn.paths, key=lambda path: not path.look.is_grey)])
    across, down = _scale(figure, drawn)
    _label_ends(figure, [path for path in drawn.paths if not path.look.is_grey], across, down)
    theme.title_y_axis(figure, drawn.title)
    figure.update_layout(
        margin={"l": 44, "r": 16, "t": TOP, "b": 8}, showlegend=False, hovermode="closest", hoverdistance=14
    )
    return figure


def _trace(path: CostPath) -> dict[str, Any]:
    look, count = path.look, len(path.points)
    sizes = [5 + 6 * n / max(count - 1, 1) for n in range(count)]
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": words.plot_text(path.method),
        "x": [point.seconds for point in path.points],
        "y": [point.loss for point in path.points],
        "line": look.line(1.8),
        "marker": {
            "color": look.shown_colour,
            "symbol": look.symbol,
            "size": 4 if look.is_grey else sizes,
            "line": {"width": 0},
        },
        "opacity": 0.6 if look.is_grey else 1,
        "hovertext": [point.hover for point in path.points],
        "hoverinfo": "text",
    }


def _label_ends(figure: go.Figure, paths: Sequence[CostPath], across: Ends, down: Ends) -> None:
    """Write each method's name beside the end of its path, where neither names nor marks are in the way.

    across, down: the ranges of the axes. A name without room beside its mark stands farther off, joined to it
    by a thin line; one without room there is left to the mouse and to the legend.
    """
    drawn = [[_pixels(point, across, down) for point in path.points] for path in paths]
    marks = [(x - 6, y - 6, x + 6, y + 6) for places in drawn for x, y in places]
    lines = [box for places in drawn for box in _boxes_of_lines(places)]
    names: list[Box] = []
    for path, ends in zip(paths, drawn, strict=True):
        places = _places(*ends[-1], width=8 + 6.6 * min(len(path.method), LONGEST))
        obstacles = (*marks, *names, *lines)
        free = [place for place in places if not _in_the_way(place[0], obstacles)]
        if free:
            names.append(free[0][0])
            figure.add_annotation(_name(path, free[0][1]))


def _in_the_way(box: Box, obstacles: Sequence[Box]) -> bool:
    outside = box[2] > DRAWN_WIDTH or box[0] < 0 or box[1] < 0
    return outside or any(
        box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]
        for other in obstacles
    )


def _boxes_of_lines(places: Sequence[tuple[float, float]]) -> Iterator[Box]:
    for (x, y), (to_x, to_y) in pairwise(places):
        steps = int(max(abs(to_x - x), abs(to_y - y)) / 6) + 1
        for step in range(1, steps):
            at = x + (to_x - x) * step / steps, y + (to_y - y) * step / steps
            yield at[0] - 2, at[1] - 2, at[0] + 2, at[1] + 2


def _pixels(point: CostPoint, across: Ends, down: Ends) -> tuple[float, float]:
    """Return where a point is drawn, on a page of usual width."""
    return (
        DRAWN_WIDTH * (log10(point.seconds) - across[0]) / (across[1] - across[0]),
        DRAWN_HEIGHT * (point.loss - down[0]) / (down[1] - down[0]),
    )


def _places(x: float, y: float, *, width: float) -> tuple[tuple[Box, dict[str, Any]], ...]:
    """Return where a name may stand beside a mark, the best first: its box, and how it is anchored."""
    right = {"xanchor": "left", "yanchor": "middle", "xshift": 7}
    left = {"xanchor": "right", "yanchor": "middle", "xshift": -7}
    above = {"xanchor": "center", "yanchor": "bottom", "yshift": 5}
    below = {"xanchor": "center", "yanchor": "top", "yshift": -5}
    beside = {"xanchor": "left", "yanchor": "bottom", "xshift": 3, "yshift": 3}
    under = {"xanchor": "right", "yanchor": "top", "xshift": -3, "yshift": -3}
    near = (
        ((x + 7, y - 8, x + 7 + width, y + 8), right),
        ((x - width / 2, y + 6, x + width / 2, y + 22), above),
        ((x - width / 2, y - 22, x + width / 2, y - 6), below),
        ((x - 7 - width, y - 8, x - 7, y + 8), left),
        ((x + 3, y + 4, x + 3 + width, y + 20), beside),
        ((x - 3 - width, y - 20, x - 3, y - 4), under),
    )
    return *near, *(_far(x, y, right, up, width) for right, up in FAR)


def _far(x: float, y: float, right: int, up: int, width: float) -> tuple[Box, dict[str, Any]]:
    """Return a name's place so many pixels off, and the line that joins it to its mark."""
    half = width / 2
    box = (x + right - half, y + up - 8, x + right + half, y + up + 8)
    line = {"showarrow": True, "arrowhead": 0, "arrowwidth": 1, "arrowcolor": theme.LINE_GREY, "standoff": 6}
    return box, line | {"ax": right, "ay": -up, "xanchor": "center", "yanchor": "middle"}


def _name(path: CostPath, anchors: dict[str, Any]) -> dict[str, Any]:
    last = path.points[-1]
    return {
        "x": log10(last.seconds),
        "y": last.loss,
        "text": words.plot_text(path.method, longest=LONGEST),
        "showarrow": False,
        "font": {"size": 12},
        **anchors,
    }


def _scale(figure: go.Figure, drawn: CostsFigure) -> tuple[Ends, Ends]:
    """Set both axes and return their ranges, seconds as logarithms."""
    points = [point for path in drawn.paths for point in path.points]
    seconds, losses = [point.seconds for point in points], [point.loss for point in points]
    across = log10(min(seconds) / 1.5), log10(max(seconds) * 2.5)
    shown = [(value, text) for value, text in UNITS if across[0] <= log10(value) <= across[1]]
    figure.update_xaxes(
        type="log",
        range=across,
        tickvals=[value for value, _ in shown],
        ticktext=[text for _, text in shown],
        title={"text": "← cheaper   median seconds of the processor, an instance", "font": {"size": 12}},
    )
    ends = [*losses, *([drawn.baseline.value] if drawn.baseline else [])]
    low = min(0.0, *ends)
    down = low * 1.05, low + (max(ends) - low) * 1.08 or 1.0
    figure.update_yaxes(range=down)
    if drawn.baseline:
        _add_baseline(figure, *drawn.baseline)
    return across, down


def _add_baseline(figure: go.Figure, baseline: float, text: str) -> None:
    line = {"color": theme.LINE_GREY, "width": 1.2, "dash": "dash"}
    figure.add_hline(y=baseline, line=line, layer="below")
    figure.add_annotation(
        text=text, x=0.005, xref="paper", y=baseline, xanchor="left", yanchor="bottom", showarrow=False,
        font={"size": 11},
    )  # fmt: skip
