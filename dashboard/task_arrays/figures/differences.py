"""Differences to a reference: on each task of an array, which methods are better or worse, and is it sure?"""

from math import copysign, isnan

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.frame import theme, words
from dashboard.task_arrays.figures.curves import size_ticks
from dashboard.task_arrays.figures.panels import GAP, frame_panels, panel_left, row_figure_of

__all__ = ["differences_map_figure"]

ROW_HEIGHT = 22
LEFT, RIGHT, BELOW = 116, 92, 50
BAR_LENGTH, BAR_GAP, BAR_WIDTH = 180, 14, 12
"""Of the colour bar, in pixels."""
NO_RESULT = "–"
COLOUR_BAR = {
    "len": BAR_LENGTH,
    "lenmode": "pixels",
    "y": 1,
    "yanchor": "top",
    "ypad": 0,
    "x": 1,
    "xpad": BAR_GAP,
    "thickness": BAR_WIDTH,
    "outlinewidth": 0,
    "showticklabels": False,
}
SIGNS = {"better": "▼", "worse": "▲"}
FARTHEST = 95
"""Percentile of the absolute differences that gets the full colour: one extreme must not pale all others."""


def differences_map_figure(table: pd.DataFrame) -> go.Figure:
    """Draw a panel for each combination of levels, in it a row a method and a column a size of training sets.

    Colours tell the difference to the reference, deeper with its square root, so that small ones show beside
    large ones; a triangle (down better, up worse) that it is significant; a dash that there is none for want
    of results. table: columns levels, training_size, method, difference,
    verdict (`better`, `worse` or other words), hover, task; attrs grid, sizes, methods (in their order),
    title. A click gives the point's customdata: task and method.
    """
    if table.empty:
        return theme.empty_figure("Choose a second method to compare with the reference", height=200)
    grid, methods = table.attrs["grid"], table.attrs["methods"]
    height = max(ROW_HEIGHT * len(methods), 60)
    figure, domains = row_figure_of(grid, row_height=height, left=LEFT, right=RIGHT, below=BELOW)
    empty = _without_results(table)
    frame_panels(figure, grid, domains, title=table.attrs["title"], empty=empty)
    placed = _placed(table)
    reach = _reach(table["difference"])
    for row in range(len(grid.rows)):
        part = placed[placed["panel_row"] == row]
        figure.add_trace(_shades(part, table, row, reach))
        figure.add_trace(_marks(part, methods, row, empty))
    _label(figure, table)
    _label_colours(figure, reach)
    theme.clickable(figure)
    return figure


def _without_results(table):
    grid = table.attrs["grid"]
    known = {grid.place(levels) for levels in table["levels"][table["difference"].notna()]}
    return {(row, column) for row in range(len(grid.rows)) for column in range(len(grid.columns))} - known


def _reach(differences):
    """Return the difference, to either side of none, that gets the full colour."""
    known = differences.abs().dropna()
    return float(np.percentile(known, FARTHEST)) or 1.0 if len(known) else 1.0


def _placed(table):
    grid, sizes = table.attrs["grid"], table.attrs["sizes"]
    places = [grid.place(levels) for levels in table["levels"]]
    number = {size: place for place, size in enumerate(sizes)}
    x = [
        panel_left(column) + (number[size] + 0.5) / len(sizes)
        for (_, column), size in zip(places, table["training_size"], strict=True)
    ]
    return table.assign(
        panel_row=[row for row, _ in places], panel_column=[column for _, column in places], x=x
    )


def _edges(columns, sizes):
    """Return the edges of all cells of a row of panels; the gaps between panels are cells, too."""
    return [panel_left(column) + step / sizes for column in range(columns) for step in range(sizes + 1)]


def _shades(part, table, row, reach):
    grid, sizes, methods = (table.attrs[name] for name in ("grid", "sizes", "methods"))
    width = len(sizes) + 1
    shades = np.full((len(methods), width * len(grid.columns) - 1), np.nan)
    across = part["panel_column"] * width + part["training_size"].map({s: n for n, s in enumerate(sizes)})
    down = part["method"].map({name: number for number, name in enumerate(methods)})
    shades[down.to_numpy(int), across.to_numpy(int)] = part["difference"]
    return {
        "type": "heatmap",
        "x": _edges(len(grid.columns), len(sizes)),
        "y": list(range(len(methods))),
        "z": [[_shade(value, reach) for value in line] for line in shades.tolist()],
        "yaxis": f"y{row + 1}" if row else "y",
        "zmin": -1,
        "zmax": 1,
        "colorscale": theme.DIVERGING,
        "showscale": row == 0,
        "colorbar": COLOUR_BAR,
        "xgap": 1,
        "ygap": 1,
        "hoverinfo": "skip",
    }


def _shade(difference, reach):
    """Return where a difference lies on the scale of colours, from -1 to 1."""
    return None if isnan(difference) else copysign(min(abs(difference) / reach, 1.0) ** 0.5, difference)


def _label_colours(figure, reach):
    """Write beside the colour bar which differences its ends and quarters stand for."""
    for place, text in ((1.0, "<br>worse"), (0.5, ""), (0.0, ""), (-0.5, ""), (-1.0, "<br>better")):
        value = copysign(place * place * reach, place)
        figure.add_annotation(
            text=f"{words.number(value, digits=2) if place else '0'}{text}",
            x=1,
            xref="paper",
            xanchor="left",
            xshift=BAR_GAP + BAR_WIDTH + 5,
            y=1,
            yref="paper",
            yanchor="middle" if abs(place) < 1 else "top" if place > 0 else "bottom",
            yshift=BAR_LENGTH * (place - 1) / 2,
            align="left",
            showarrow=False,
            font={"size": 11},
        )


def _marks(part, methods, row, empty):
    """The marks of significance are also what is clicked: a heatmap's own cells cannot be selected."""
    number = {name: place for place, name in enumerate(methods)}
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": part["x"].tolist(),
        "y": [number[name] for name in part["method"]],
        "yaxis": f"y{row + 1}" if row else "y",
        "text": [_mark(line, empty) for line in part.itertuples()],
        "textfont": {"size": 12},
        "hovertext": part["hover"].tolist(),
        "hoverinfo": "text",
        "customdata": part[["task", "method"]].values.tolist(),
        "marker": {"symbol": "square", "size": 18, "opacity": 0},
        "selected": {"marker": {"opacity": 0}},
        "unselected": {"marker": {"opacity": 0}},
    }


def _mark(line, empty):
    if isnan(line.difference):
        return "" if (line.panel_row, line.panel_column) in empty else NO_RESULT
    return SIGNS.get(line.verdict, "")


def _label(figure, table):
    grid, sizes, methods = (table.attrs[name] for name in ("grid", "sizes", "methods"))
    shown = size_ticks(sizes, len(grid.columns))
    places = {size: (number + 0.5) / len(sizes) for number, size in enumerate(sizes)}
    figure.update_xaxes(
        tickvals=[panel_left(column) + places[size] for column in range(len(grid.columns)) for size in shown],
        ticktext=[str(size) for _ in grid.columns for size in shown],
        tickfont={"size": 11},
        title={"text": "training cases", "font": {"size": 12}, "standoff": 6},
        range=[-GAP / 8, panel_left(len(grid.columns) - 1) + 1 + GAP / 8],
    )
    figure.update_yaxes(
        tickvals=list(range(len(methods))),
        ticktext=[f"{words.plot_text(name, longest=15)}  " for name in methods],
        tickfont={"size": 12},
        range=[len(methods) - 0.5, -0.5],
        showgrid=False,
    )
    figure.update_layout(hoverdistance=20)
