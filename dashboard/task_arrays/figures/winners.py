"""Map of winners: the best method of each task of an array, and those not significantly worse."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import plotly.graph_objects as go

from dashboard.frame import theme, words
from dashboard.task_arrays.figures.marks import STAYS, UNSEEN, Look

__all__ = ["WinnerCell", "WinnersFigure", "winners_figure"]

ROW_HEIGHT = 46
HEAD, BELOW = 44, 8
LABEL_WIDTH = 5.9
"""Of a character of a row's name, in pixels."""
MOST_LETTERS = 40
FIRST_SIGN, NEXT_SIGN = -0.40, 0.088
"""Where in a cell, one wide, the best method's marker is, and how far apart the others are."""
MOST_SIGNS = 8
CELL = 0.46


class WinnerCell(NamedTuple):
    """A task, or a hole, where best is None and missing says why. others: those not significantly worse than
    the best; task: its full path."""

    row: int
    column: int
    best: str | None
    others: tuple[str, ...]
    missing: str | None
    hover: str
    task: str | None


class WinnersFigure(NamedTuple):
    """All that is drawn. rows: their names; sizes: of the training sets, a column each; looks: of methods."""

    cells: tuple[WinnerCell, ...]
    rows: tuple[str, ...]
    sizes: tuple[int, ...]
    looks: Mapping[str, Look]


def winners_figure(drawn: WinnersFigure) -> go.Figure:
    """Draw a row for each combination of levels and a column for each size of training sets.

    A cell has the marker and the name of the best method and, below, the markers of the methods that are not
    significantly worse; a hole is dashed, with the reason. A click gives the point's customdata: task and
    best method.
    """
    if not drawn.cells:
        return theme.empty_figure("No tasks to show", height=200)
    figure = theme.new_figure(height=HEAD + BELOW + ROW_HEIGHT * len(drawn.rows))
    figure.update_layout(shapes=[_shape(cell, drawn.looks) for cell in drawn.cells])
    known = [(cell, cell.best) for cell in drawn.cells if cell.best is not None]
    figure.add_trace(_best(known, drawn.looks))
    figure.add_trace(_others(known, drawn.looks))
    figure.add_trace(_holes([cell for cell in drawn.cells if cell.best is None]))
    figure.add_trace(_targets(known))
    _label(figure, drawn.rows, drawn.sizes)
    theme.clickable(figure)
    return figure


def _shape(cell: WinnerCell, looks: Mapping[str, Look]) -> dict[str, Any]:
    hole = cell.best is None
    colour = theme.LINE_GREY if cell.best is None else looks[cell.best].colour
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return {
        "type": "rect",
        "x0": cell.column - 0.485,
        "x1": cell.column + 0.485,
        "y0": cell.row - CELL,
        "y1": cell.row + CELL,
        "layer": "below",
        "line": {"color": theme.LINE_GREY, "width": 1, "dash": "dash"} if hole else {"width": 0},
        "fillcolor": "rgba(0,0,0,0)" if hole else f"rgba({red},{green},{blue},0.14)",
    }


def _trace(cells: Sequence[tuple[WinnerCell, str]], **details: object) -> dict[str, Any]:
    """Return a trace of which each point tells about its cell, and leads to its task."""
    return {
        "type": "scatter",
        "showlegend": False,
        "hoverinfo": "text",
        "hovertext": [cell.hover for cell, _ in cells],
        "customdata": [[cell.task, best] for cell, best in cells],
        **details,
    }


def _signs(looks: Sequence[Look], size: int) -> dict[str, Any]:
    return {
        "symbol": [look.symbol for look in looks],
        "color": [look.colour for look in looks],
        "size": size,
        "opacity": 1,
    }


def _best(known: Sequence[tuple[WinnerCell, str]], looks: Mapping[str, Look]) -> dict[str, Any]:
    return _trace(
        known,
        x=[cell.column + FIRST_SIGN for cell, _ in known],
        y=[cell.row - (0.14 if cell.others else 0.0) for cell, _ in known],
        marker=_signs([looks[best] for _, best in known], 10),
        mode="markers+text",
        text=[f"  {words.plot_text(best, longest=14)}" for _, best in known],
        textposition="middle right",
        textfont={"size": 13},
        **STAYS,
    )


def _others(known: Sequence[tuple[WinnerCell, str]], looks: Mapping[str, Look]) -> dict[str, Any]:
    """Return the markers of the methods that are not significantly worse, and how many more there are."""
    signs = [(cell, best, number) for cell, best in known for number in range(len(cell.others[:MOST_SIGNS]))]
    left = [len(cell.others) - MOST_SIGNS if number == MOST_SIGNS - 1 else 0 for cell, _, number in signs]
    return _trace(
        [(cell, best) for cell, best, _ in signs],
        x=[cell.column + FIRST_SIGN + number * NEXT_SIGN for cell, _, number in signs],
        y=[cell.row + 0.24 for cell, _, _ in signs],
        marker=_signs([looks[cell.others[number]] for cell, _, number in signs], 7),
        mode="markers+text",
        text=[f" +{count}" if count > 0 else "" for count in left],
        textposition="middle right",
        textfont={"size": 11},
        **STAYS,
    )


def _holes(cells: Sequence[WinnerCell]) -> dict[str, Any]:
    """Return what is written into cells without a best method: why."""
    return {
        "type": "scatter",
        "mode": "text",
        "x": [cell.column for cell in cells],
        "y": [cell.row for cell in cells],
        "text": [cell.missing for cell in cells],
        "textfont": {"size": 11},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _targets(known: Sequence[tuple[WinnerCell, str]]) -> dict[str, Any]:
    """The whole cell of a best method answers to the mouse."""
    return _trace(
        known,
        x=[cell.column for cell, _ in known],
        y=[cell.row for cell, _ in known],
        mode="markers",
        marker={"symbol": "square", "size": 40, "opacity": 0},
        **UNSEEN,
    )


def _label(figure: go.Figure, rows: Sequence[str], sizes: Sequence[int]) -> None:
    names = [words.plot_text(name, longest=MOST_LETTERS) for name in rows]
    left = 20 + LABEL_WIDTH * max(min(len(name), MOST_LETTERS) for name in rows)
    figure.update_layout(
        margin={"l": left, "r": 4, "t": HEAD, "b": BELOW, "pad": 0},
        hovermode="closest",
        hoverdistance=60,
    )
    figure.update_xaxes(
        side="top",
        tickvals=list(range(len(sizes))),
        ticktext=[str(size) for size in sizes],
        title={"text": "training cases", "font": {"size": 12}, "standoff": 4},
        range=[-0.5, len(sizes) - 0.5],
        showgrid=False,
        automargin=False,
    )
    figure.update_yaxes(
        tickvals=list(range(len(rows))),
        ticktext=[f"{name}  " for name in names],
        range=[len(rows) - 0.5, -0.5],
        showgrid=False,
        automargin=False,
    )
