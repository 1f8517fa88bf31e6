"""Slopes of learning curves: how the loss of each method changes with each doubling of training cases."""

from collections.abc import Sequence
from math import floor, isfinite, log10

import pandas as pd
import plotly.graph_objects as go

from dashboard.frame import theme, words
from dashboard.task_arrays.figures.panels import frame_panels, panel_left, row_figure_of

__all__ = ["slopes_figure"]

ROW_HEIGHT = 22
LEFT, RIGHT, BELOW = 116, 16, 50
MOST_TICKS = 16


def slopes_figure(table: pd.DataFrame) -> go.Figure:
    """Draw a panel for each combination of levels, in it a row a method: its slope with an interval.

    table: columns levels, method, value, lower, upper, colour, symbol, settled, hover; attrs grid, methods,
    title, axis, suffix (of the numbers on the axis). Marks are filled where the slope is significant.
    """
    if table.empty or not table["value"].notna().any():
        return theme.empty_figure("There are no slopes: they need results at two sizes or more", height=200)
    grid, methods = table.attrs["grid"], table.attrs["methods"]
    height = max(ROW_HEIGHT * len(methods), 60)
    figure, domains = row_figure_of(grid, row_height=height, left=LEFT, right=RIGHT, below=BELOW)
    places = [grid.place(levels) for levels in table["levels"]]
    known = {place for place, value in zip(places, table["value"], strict=True) if isfinite(value)}
    panels = {(row, column) for row in range(len(grid.rows)) for column in range(len(grid.columns))}
    frame_panels(figure, grid, domains, title=table.attrs["title"], empty=panels - known)
    ends = _ends(table)
    _label(figure, table, ends)
    placed = table.assign(panel_row=[row for row, _ in places], panel_column=[column for _, column in places])
    for row in range(len(grid.rows)):
        figure.add_trace(
            _marks(placed[placed["panel_row"] == row].dropna(subset="value"), methods, row, ends)
        )
    return figure


def _ends(table):
    """Return the range of all panels, which shows no change, too."""
    values = [*table["lower"].dropna(), *table["upper"].dropna(), *table["value"].dropna(), 0.0]
    margin = 0.06 * (max(values) - min(values) or 1.0)
    return min(values) - margin, max(values) + margin


def _across(column, value, ends):
    return panel_left(column) + (value - ends[0]) / (ends[1] - ends[0])


def _marks(part, methods, row, ends):
    number = {name: place for place, name in enumerate(methods)}
    x = [_across(line.panel_column, line.value, ends) for line in part.itertuples()]
    width = ends[1] - ends[0]
    known = [isfinite(value) for value in part["lower"]]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": x,
        "y": [number[name] for name in part["method"]],
        "yaxis": f"y{row + 1}" if row else "y",
        "marker": {
            "color": part["colour"].tolist(),
            "symbol": [line.symbol if line.settled else f"{line.symbol}-open" for line in part.itertuples()],
            "size": 9,
        },
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": _lengths(part["upper"] - part["value"], width, known),
            "arrayminus": _lengths(part["value"] - part["lower"], width, known),
            "thickness": 1.5,
            "width": 0,
            "color": theme.GREY,
        },
        "hovertext": part["hover"].tolist(),
        "hoverinfo": "text",
    }


def _lengths(values, width, known):
    return [value / width if there else None for value, there in zip(values, known, strict=True)]


def _ticks(ends: tuple[float, float], most: int) -> list[float]:
    """Return round numbers between the ends, zero among them, at most so many."""
    for power in range(floor(log10(ends[1] - ends[0])) - 1, 9):
        for step in (10.0**power, 2 * 10.0**power, 5 * 10.0**power):
            ticks = [step * n for n in range(int(ends[0] / step) - 1, int(ends[1] / step) + 2)]
            shown = [tick for tick in ticks if ends[0] <= tick <= ends[1]]
            if len(shown) <= most:
                return shown
    return [0.0]


def _label(figure, table, ends):
    grid, methods = table.attrs["grid"], table.attrs["methods"]
    columns = range(len(grid.columns))
    ticks = _ticks(ends, max(2, MOST_TICKS // len(grid.columns)))
    figure.update_xaxes(
        tickvals=[_across(column, tick, ends) for column in columns for tick in ticks],
        ticktext=[_tick_text(tick, table.attrs["suffix"]) for _ in columns for tick in ticks],
        tickfont={"size": 11},
        title={"text": table.attrs["axis"], "font": {"size": 12}, "standoff": 6},
    )
    figure.update_yaxes(
        tickvals=list(range(len(methods))),
        ticktext=[f"{words.plot_text(name, longest=15)}  " for name in methods],
        tickfont={"size": 12},
        range=[len(methods) - 0.5, -0.5],
    )
    _mark_no_change(figure, len(grid.rows), columns, ends)


def _tick_text(tick, suffix):
    return words.number(tick, digits=3) + (suffix if tick else "")


def _mark_no_change(figure, row_count: int, columns: Sequence[int], ends):
    for row in range(row_count):
        for column in columns:
            at = _across(column, 0.0, ends)
            figure.add_shape(
                type="line",
                x0=at,
                x1=at,
                y0=0,
                y1=1,
                yref=f"y{row + 1} domain" if row else "y domain",
                layer="below",
                line={"color": theme.LINE_GREY, "width": 1.2, "dash": "dash"},
            )
