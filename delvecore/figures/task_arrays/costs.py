"""Cost against loss on a task-array: seconds of an instance, and the mean loss, by size of training sets."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import log10
from typing import Any, NamedTuple

import plotly.graph_objects as go

from delvecore.figures import theme, words
from delvecore.figures.task_arrays.panels import DASHED, Look
from delvecore.figures.theme import Trace
from delvecore.figures.words import Baseline

__all__ = ["CostPath", "CostPoint", "CostsFigure", "costs_figure"]

Box = tuple[float, float, float, float]
"""Left, lower, right and upper edge, in pixels of the plot."""
Ends = tuple[float, float]

HEIGHT, TOP = 480, 34
DRAWN_WIDTH, DRAWN_HEIGHT = 700, 390
"""Of the plot on a page 1280 wide, in pixels: where names are looked for room."""
LONGEST = 14
JOINED = {"showarrow": True, "arrowhead": 0, "arrowwidth": 1, "arrowcolor": theme.LINE_GREY, "standoff": 6}
PLACES: tuple[tuple[int, float, int, dict[str, Any]], ...] = (
    (7, 0, -8, {"xanchor": "left", "yanchor": "middle", "xshift": 7}),
    (0, 0.5, 6, {"xanchor": "center", "yanchor": "bottom", "yshift": 5}),
    (0, 0.5, -22, {"xanchor": "center", "yanchor": "top", "yshift": -5}),
    (-7, 1, -8, {"xanchor": "right", "yanchor": "middle", "xshift": -7}),
    (3, 0, 4, {"xanchor": "left", "yanchor": "bottom", "xshift": 3, "yshift": 3}),
    (-3, 1, -20, {"xanchor": "right", "yanchor": "top", "xshift": -3, "yshift": -3}),
    *(
        (right, 0.5, up - 8, {**JOINED, "ax": right, "ay": -up, "xanchor": "center", "yanchor": "middle"})
        for up in (-30, 34, -52, 56, -76, 80)
        for right in (30, -30, 62, -62, 0)
    ),
)
"""Where a name may stand, the best first: pixels right of its mark, the share of it that lies left of there,
pixels up to its lower edge, its anchors. Farther ones, where it is crowded, are joined to the mark."""
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

    The seconds are on a logarithmic axis; grey methods have thin paths."""
    if not drawn.paths:
        return theme.empty_figure("No costs are recorded for these methods", height=200)
    figure = theme.new_figure(height=HEIGHT)
    figure.add_traces([_trace(path) for path in sorted(drawn.paths, key=lambda path: not path.look.is_grey)])
    across, down = _scale(figure, drawn)
    _label_ends(figure, [path for path in drawn.paths if not path.look.is_grey], across, down)
    theme.title_y_axis(figure, drawn.title)
    margin = {"l": 44, "r": 16, "t": TOP, "b": 8}
    figure.update_layout(margin=margin, showlegend=False, hovermode="closest", hoverdistance=14)
    return figure


def _trace(path: CostPath) -> Trace:
    look, last = path.look, max(len(path.points) - 1, 1)
    sizes = 4 if look.is_grey else [5 + 6 * n / last for n in range(len(path.points))]
    return theme.trace(
        "lines+markers",
        [point.seconds for point in path.points],
        [point.loss for point in path.points],
        hover=[point.hover for point in path.points],
        name=words.plot_text(path.method),
        meta=path.method,
        line=look.line(1.8),
        marker={"color": look.shown_colour, "symbol": look.symbol, "size": sizes, "line": {"width": 0}},
        opacity=0.6 if look.is_grey else 1,
    )


def _label_ends(figure: go.Figure, paths: Sequence[CostPath], across: Ends, down: Ends) -> None:
    """Write each method's name beside the end of its path, where neither names nor marks are in the way.

    across, down: the ranges of the axes. A name without room beside its mark stands farther off, joined to it
    by a thin line; one without room there is left to the mouse and to the legend."""
    drawn = [[_pixels(point, across, down) for point in path.points] for path in paths]
    taken = [(x - 6, y - 6, x + 6, y + 6) for places in drawn for x, y in places]
    taken += [box for places in drawn for box in _boxes_of_lines(places)]
    for path, ends in zip(paths, drawn, strict=True):
        width = 8 + 6.6 * min(len(path.method), LONGEST)
        boxes = ((_box(*ends[-1], width, *place), anchors) for *place, anchors in PLACES)
        box, anchors = next((one for one in boxes if not _in_the_way(one[0], taken)), (None, {}))
        if box:
            taken.append(box)
            text, last = words.plot_text(path.method, longest=LONGEST), path.points[-1]
            place = {"x": log10(last.seconds), "y": last.loss, "showarrow": False, **anchors}
            figure.add_annotation(text=text, name=path.method, font={"size": 12}, **place)


def _box(x: float, y: float, width: float, right: float, left: float, up: float) -> Box:
    start = x + right - left * width
    return start, y + up, start + width, y + up + 16


def _in_the_way(box: Box, taken: Sequence[Box]) -> bool:
    left, low, right, high = box
    if right > DRAWN_WIDTH or left < 0 or low < 0:
        return True
    return any(left < one[2] and one[0] < right and low < one[3] and one[1] < high for one in taken)


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


def _scale(figure: go.Figure, drawn: CostsFigure) -> tuple[Ends, Ends]:
    """Set both axes and return their ranges, seconds as logarithms."""
    seconds = [point.seconds for path in drawn.paths for point in path.points]
    across = log10(min(seconds) / 1.5), log10(max(seconds) * 2.5)
    shown = [(value, text) for value, text in UNITS if across[0] <= log10(value) <= across[1]]
    figure.update_xaxes(
        type="log",
        range=across,
        tickvals=[value for value, _ in shown],
        ticktext=[text for _, text in shown],
        title={"text": "← cheaper   median seconds of the processor, an instance", "font": {"size": 12}},
    )
    ends = [point.loss for path in drawn.paths for point in path.points]
    ends += [drawn.baseline.value] if drawn.baseline else []
    low = min(0.0, *ends)
    down = low * 1.05, low + (max(ends) - low) * 1.08 or 1.0
    figure.update_yaxes(range=down)
    if drawn.baseline:
        value, text = drawn.baseline
        figure.add_hline(y=value, line=DASHED, layer="below")
        theme.add_text(figure, text, 0.005, value, size=11, xref="paper", xanchor="left", yanchor="bottom")
    return across, down
