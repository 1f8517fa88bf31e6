"""Differences to a reference: on each task of an array, which methods are better or worse, and is it sure?"""

from collections.abc import Sequence
from math import copysign, isnan
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from dashboard.frame import theme, words
from dashboard.task_arrays.figures import panels
from dashboard.task_arrays.figures.marks import UNSEEN
from dashboard.task_arrays.figures.panels import Panel, PanelGrid

__all__ = ["DifferenceCell", "DifferencesFigure", "differences_map_figure"]

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
FARTHEST = 95
"""Percentile of the absolute differences that gets the full colour: one extreme must not pale all others."""


class DifferenceCell(NamedTuple):
    """A method on a task, less the reference. difference: not a number where there is none; sign: what is
    written where it is significant; task: its full path."""

    panel: Panel
    size: int
    method: str
    difference: float
    sign: str
    hover: str
    task: str | None


class DifferencesFigure(NamedTuple):
    """All that is drawn. sizes: of the training sets, ascending; methods: in their order; title: on top."""

    cells: tuple[DifferenceCell, ...]
    grid: PanelGrid
    sizes: tuple[int, ...]
    methods: tuple[str, ...]
    title: str

    def x(self, cell: DifferenceCell) -> float:
        return panels.panel_left(cell.panel[1]) + (self.sizes.index(cell.size) + 0.5) / len(self.sizes)


def differences_map_figure(drawn: DifferencesFigure) -> go.Figure:
    """Draw a panel for each combination of levels, in it a row a method and a column a size of training sets.

    Colours tell the difference to the reference, deeper with its square root, so that small ones show beside
    large ones; a sign that it is significant; a dash that there is none for want of results. A click gives
    the point's customdata: task and method.
    """
    if not drawn.cells:
        return theme.empty_figure("Choose a second method to compare with the reference", height=200)
    grid = drawn.grid
    height = max(ROW_HEIGHT * len(drawn.methods), 60)
    figure, domains = panels.row_figure_of(grid, row_height=height, left=LEFT, right=RIGHT, below=BELOW)
    known = [cell for cell in drawn.cells if not isnan(cell.difference)]
    empty = grid.without(cell.panel for cell in known)
    panels.frame_panels(figure, grid, domains, title=drawn.title, empty=empty)
    reach = _reach([cell.difference for cell in known])
    for row in range(len(grid.rows)):
        part = [cell for cell in drawn.cells if cell.panel[0] == row]
        figure.add_trace(_shades(drawn, part, row, reach))
        figure.add_trace(_marks(drawn, part, row, empty))
    _label(figure, drawn)
    _label_colours(figure, reach)
    theme.clickable(figure)
    figure.update_layout(hoverdistance=20)
    return figure


def _reach(known: Sequence[float]) -> float:
    """Return the difference, to either side of none, that gets the full colour."""
    return float(np.percentile(np.abs(known), FARTHEST)) or 1.0 if known else 1.0


def _shades(
    drawn: DifferencesFigure, part: Sequence[DifferenceCell], row: int, reach: float
) -> dict[str, Any]:
    columns, sizes = len(drawn.grid.columns), len(drawn.sizes)
    shades: list[list[float | None]] = [[None] * ((sizes + 1) * columns - 1) for _ in drawn.methods]
    for cell in part:
        across = cell.panel[1] * (sizes + 1) + drawn.sizes.index(cell.size)
        shades[drawn.methods.index(cell.method)][across] = _shade(cell.difference, reach)
    return {
        "type": "heatmap",
        # The edges of all cells; the gaps between panels are cells, too.
        "x": [panels.panel_left(n) + step / sizes for n in range(columns) for step in range(sizes + 1)],
        "y": list(range(len(drawn.methods))),
        "z": shades,
        "yaxis": panels.axis_of(row),
        "zmin": -1,
        "zmax": 1,
        "colorscale": theme.DIVERGING,
        "showscale": row == 0,
        "colorbar": COLOUR_BAR,
        "xgap": 1,
        "ygap": 1,
        "hoverinfo": "skip",
    }


def _shade(difference: float, reach: float) -> float | None:
    """Return where a difference lies on the scale of colours, from -1 to 1."""
    return None if isnan(difference) else copysign(min(abs(difference) / reach, 1.0) ** 0.5, difference)


def _label_colours(figure: go.Figure, reach: float) -> None:
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


def _marks(
    drawn: DifferencesFigure, part: Sequence[DifferenceCell], row: int, empty: set[Panel]
) -> dict[str, Any]:
    """The marks of significance are also what is clicked: a heatmap's own cells cannot be selected."""
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": [drawn.x(cell) for cell in part],
        "y": [drawn.methods.index(cell.method) for cell in part],
        "yaxis": panels.axis_of(row),
        "text": [_mark(cell, empty) for cell in part],
        "textfont": {"size": 12},
        "hovertext": [cell.hover for cell in part],
        "hoverinfo": "text",
        "customdata": [[cell.task, cell.method] for cell in part],
        "marker": {"symbol": "square", "size": 18, "opacity": 0},
        **UNSEEN,
    }


def _mark(cell: DifferenceCell, empty: set[Panel]) -> str:
    if isnan(cell.difference):
        return "" if cell.panel in empty else NO_RESULT
    return cell.sign


def _label(figure: go.Figure, drawn: DifferencesFigure) -> None:
    sizes = drawn.sizes
    shown = panels.size_ticks(sizes, len(drawn.grid.columns))
    ticks = [((sizes.index(size) + 0.5) / len(sizes), str(size)) for size in shown]
    panels.label_panels(figure, drawn.grid, ticks, "training cases")
    figure.update_xaxes(range=[-panels.GAP / 8, drawn.grid.end + panels.GAP / 8])
    panels.label_methods(figure, drawn.methods)
    figure.update_yaxes(showgrid=False)
