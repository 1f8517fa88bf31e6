"""Slopes of learning curves: how the loss of each method changes with each doubling of training cases."""

from collections.abc import Sequence
from math import floor, isnan, log10
from typing import NamedTuple

import plotly.graph_objects as go

from dashboard.frame import theme, words
from dashboard.task_arrays.figures import panels
from dashboard.task_arrays.figures.marks import Estimate, Look, estimate_trace
from dashboard.task_arrays.figures.panels import Panel, PanelGrid

__all__ = ["SlopeMark", "SlopesFigure", "slopes_figure"]

ROW_HEIGHT = 22
LEFT, RIGHT, BELOW = 116, 16, 50
MOST_TICKS = 16


class SlopeMark(NamedTuple):
    """The slope of a method in a panel; its estimate is not a number where it has none."""

    panel: Panel
    method: str
    look: Look
    slope: Estimate


class SlopesFigure(NamedTuple):
    """All that is drawn. title: on top; axis: what stands below; suffix: of the numbers on the axis."""

    marks: tuple[SlopeMark, ...]
    grid: PanelGrid
    methods: tuple[str, ...]
    title: str
    axis: str
    suffix: str


def slopes_figure(drawn: SlopesFigure) -> go.Figure:
    """Draw a panel for each combination of levels, in it a row a method: its slope with an interval.

    Marks are filled where the slope is significant.
    """
    marks = [mark for mark in drawn.marks if not isnan(mark.slope.value)]
    if not marks:
        return theme.empty_figure("There are no slopes: they need results at two sizes or more", height=200)
    grid = drawn.grid
    height = max(ROW_HEIGHT * len(drawn.methods), 60)
    figure, domains = panels.row_figure_of(grid, row_height=height, left=LEFT, right=RIGHT, below=BELOW)
    empty = grid.without(mark.panel for mark in marks)
    panels.frame_panels(figure, grid, domains, title=drawn.title, empty=empty)
    ends = _ends([mark.slope for mark in marks])
    ticks = _ticks(ends, max(2, MOST_TICKS // len(grid.columns)))
    texts = [words.number(tick, digits=3) + (drawn.suffix if tick else "") for tick in ticks]
    places = [_across(tick, ends) for tick in ticks]
    panels.label_panels(figure, grid, list(zip(places, texts, strict=True)), drawn.axis)
    panels.label_methods(figure, drawn.methods)
    _mark_no_change(figure, grid, _across(0.0, ends))
    for row in range(len(grid.rows)):
        part = [mark for mark in marks if mark.panel[0] == row]
        trace = estimate_trace(
            [mark.slope for mark in part],
            [mark.look for mark in part],
            x=[panels.panel_left(mark.panel[1]) + _across(mark.slope.value, ends) for mark in part],
            y=[drawn.methods.index(mark.method) for mark in part],
            bar={"thickness": 1.5, "width": 0, "color": theme.GREY},
            size=9,
            unit=ends[1] - ends[0],
        )
        figure.add_trace(trace | {"yaxis": panels.axis_of(row)})
    return figure


def _ends(slopes: Sequence[Estimate]) -> tuple[float, float]:
    """Return the range of all panels, which shows no change, too."""
    found = [number for one in slopes for number in (one.value, one.lower, one.upper) if not isnan(number)]
    low, high = min(*found, 0.0), max(*found, 0.0)
    margin = 0.06 * (high - low or 1.0)
    return low - margin, high + margin


def _across(value: float, ends: tuple[float, float]) -> float:
    """Return where within a panel a slope lies."""
    return (value - ends[0]) / (ends[1] - ends[0])


def _ticks(ends: tuple[float, float], most: int) -> list[float]:
    """Return round numbers between the ends, zero among them, at most so many."""
    for power in range(floor(log10(ends[1] - ends[0])) - 1, 9):
        for step in (10.0**power, 2 * 10.0**power, 5 * 10.0**power):
            ticks = [step * n for n in range(int(ends[0] / step) - 1, int(ends[1] / step) + 2)]
            shown = [tick for tick in ticks if ends[0] <= tick <= ends[1]]
            if len(shown) <= most:
                return shown
    return [0.0]


def _mark_no_change(figure: go.Figure, grid: PanelGrid, place: float) -> None:
    for row in range(len(grid.rows)):
        for column in range(len(grid.columns)):
            at = panels.panel_left(column) + place
            figure.add_shape(
                type="line",
                x0=at,
                x1=at,
                y0=0,
                y1=1,
                yref=f"{panels.axis_of(row)} domain",
                layer="below",
                line={"color": theme.LINE_GREY, "width": 1.2, "dash": "dash"},
            )
