"""A map of a task-array for one method: where is it the best, by how much, and how far is it behind?"""

from collections.abc import Sequence
from math import copysign, isnan
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from delvecore.plots import theme, words
from delvecore.plots.task_arrays import panels
from delvecore.plots.task_arrays.panels import UNSEEN
from delvecore.stats.choose import Verdict

ROW_HEIGHT, CELL_WIDTH = 46, 136
HEAD, FOOT = 44, 8
FARTHEST = 95
"""Percentile of the sizes that gets the full colour: one extreme must not pale all others."""
SIGNS = {Verdict.BETTER: "▼ ", Verdict.WORSE: "▲ "}


class RegretCell(NamedTuple):
    """A method on a task. behind: its loss less that of the best other method, below zero where it is the
    best itself, not a number for a hole; error: the standard error of that; other: the method; verdict: is
    this one significantly better or worse? missing: why there is nothing, else None; task: its full path."""

    row: int
    column: int
    behind: float
    error: float
    other: str
    verdict: str | None
    missing: str | None
    hover: str
    task: str | None


class RegretsFigure(NamedTuple):
    """All that is drawn. rows: their names; sizes: of the training sets, a column each."""

    cells: tuple[RegretCell, ...]
    rows: tuple[str, ...]
    sizes: tuple[int, ...]


def regrets_figure(drawn: RegretsFigure) -> go.Figure:
    """Draw a row for each combination of levels and a column for each size of training sets.

    A cell says how far the method is ahead or behind, with the standard error, and of whom; blue where it is
    the best, orange where it is behind, deeper with the square root; a sign where significant. A click
    gives the point's customdata: the task."""
    known = [cell for cell in drawn.cells if not isnan(cell.behind)]
    if not known:
        return theme.empty_figure("No tasks with results of this method and another", height=200)
    figure = theme.new_figure(height=HEAD + FOOT + ROW_HEIGHT * len(drawn.rows))
    figure.add_traces([_shades(drawn, known), _texts(drawn.cells)])
    figure.update_layout(margin={"r": 4, "t": HEAD, "b": FOOT, "pad": 0}, hoverdistance=60)
    title = {"text": "training cases", "font": {"size": 12}, "standoff": 4}
    panels.label_columns(figure, [str(size) for size in drawn.sizes], title=title, automargin=False)
    left = panels.label_members(figure, drawn.rows)
    theme.needs_width(figure, left + CELL_WIDTH * len(drawn.sizes))
    theme.clickable(figure)
    return figure


def _shades(drawn: RegretsFigure, known: Sequence[RegretCell]) -> theme.Trace:
    reach = float(np.percentile([abs(cell.behind) for cell in known], FARTHEST)) or 1.0
    shades: list[list[float | None]] = [[None] * len(drawn.sizes) for _ in drawn.rows]
    for cell in known:
        shades[cell.row][cell.column] = copysign(min(abs(cell.behind) / reach, 1.0) ** 0.5, cell.behind)
    colours = {"zmin": -1, "zmax": 1, "colorscale": theme.DIVERGING, "showscale": False}
    return {"type": "heatmap", "z": shades, "xgap": 3, "ygap": 3, "hoverinfo": "skip", **colours}


def _texts(cells: Sequence[RegretCell]) -> theme.Trace:
    """What stands in the cells; each answers to the mouse as a whole."""
    return theme.trace(
        "markers+text",
        [cell.column for cell in cells],
        [cell.row for cell in cells],
        hover=[cell.hover for cell in cells],
        text=[_text(cell) for cell in cells],
        textfont={"size": 11.5},
        customdata=[[cell.task] for cell in cells],
        marker={"symbol": "square", "size": 40, "opacity": 0},
        showlegend=False,
        **UNSEEN,
    )


def _text(cell: RegretCell) -> str:
    """`▼ 0.074 ± 0.020` over `before et-1`, `▲ 0.12 ± 0.02` over `behind gp-1`."""
    if isnan(cell.behind):
        return cell.missing or ""
    size = words.with_error(abs(cell.behind), None if isnan(cell.error) else cell.error)
    sign = SIGNS.get(Verdict(cell.verdict), "") if cell.verdict else ""
    where = "before" if cell.behind < 0 else "behind" if cell.behind else "as"
    return f"{sign}{size}<br>{where} {words.plot_text(cell.other, longest=12)}"
