"""Panels of a task-array: one for each combination of levels, the first factors across, the others down.

All panels of a row lie on one pair of axes, each panel one unit wide, so that a line needs one trace a row
and a figure of thirty methods stays quick. Rows share the range of their vertical axes.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil, prod

import plotly.graph_objects as go

from dashboard.frame import theme, words

__all__ = [
    "ABSENT",
    "EMPTY",
    "GAP",
    "PanelGrid",
    "frame_panels",
    "head_height",
    "panel_grid",
    "panel_left",
    "row_figure_of",
]

GAP = 0.10
"""Between two panels, in widths of a panel."""
MOST_COLUMNS = 8
LINE_HEIGHT = 20
TITLE_HEIGHT = 24
ROW_TITLE = 26
ROW_GAP = 14
ABSENT, EMPTY = "no such task", "no results"
FRAME = "rgba(127,135,144,0.09)"


@dataclass(frozen=True)
class PanelGrid:
    """columns, rows: combinations of levels (their names); column_labels, row_labels: those in words.

    absent: (row, column) of the panels without a member.
    """

    columns: tuple[tuple[str, ...], ...]
    rows: tuple[tuple[str, ...], ...]
    column_labels: tuple[tuple[str, ...], ...]
    row_labels: tuple[tuple[str, ...], ...]
    absent: frozenset[tuple[int, int]] = frozenset()

    def place(self, levels: Sequence[str]) -> tuple[int, int]:
        """Return (row, column) of a combination of levels."""
        across = len(self.columns[0])
        return self.rows.index(tuple(levels[across:])), self.columns.index(tuple(levels[:across]))


def panel_grid(
    factors: Sequence[Sequence[tuple[str, str]]], present: frozenset[tuple[str, ...]] | None = None
) -> PanelGrid:
    """Divide an array into panels. factors: the (name, label) of each one's levels, one factor or more.

    The first half of the factors goes across, fewer where that were more than eight columns. present: the
    combinations of levels with a member, None for all.
    """
    across = ceil(len(factors) / 2)
    while across > 1 and prod(map(len, factors[:across])) > MOST_COLUMNS:
        across -= 1
    sides = [list(product(*side)) for side in (factors[:across], factors[across:])]
    names = [tuple(tuple(name for name, _ in levels) for levels in side) for side in sides]
    labels = [tuple(tuple(label for _, label in levels) for levels in side) for side in sides]
    absent = frozenset(
        (row, column)
        for row, below in enumerate(names[1])
        for column, above in enumerate(names[0])
        if present is not None and (*above, *below) not in present
    )
    return PanelGrid(names[0], names[1], labels[0], labels[1], absent)


def panel_left(column: int) -> float:
    """Return where a column's panels begin; they are 1 wide."""
    return column * (1 + GAP)


def head_height(grid: PanelGrid) -> int:
    """How many pixels do the names of the columns take?"""
    return LINE_HEIGHT * len(grid.columns[0]) + TITLE_HEIGHT + 8


def _title_height(grid):
    return ROW_TITLE if grid.row_labels[0] else 0


def row_figure_of(
    grid: PanelGrid, *, row_height: int, left: int, right: int, below: int
) -> tuple[go.Figure, list[tuple[float, float]]]:
    """Return an empty figure with an axis a row, and the rows' domains.

    left, right, below: pixels of margins.
    """
    title, rows = _title_height(grid), len(grid.rows)
    top = head_height(grid)
    inner = rows * (row_height + title) + (rows - 1) * ROW_GAP
    figure = theme.new_figure(height=top + inner + below)
    domains = []
    for row in range(rows):
        upper = inner - row * (row_height + title + ROW_GAP) - title
        domains.append(((upper - row_height) / inner, upper / inner))
    figure.update_layout(
        margin={"l": left, "r": right, "t": top, "b": below, "pad": 0},
        showlegend=False,
        hovermode="closest",
        hoverdistance=12,
    )
    end = panel_left(len(grid.columns) - 1) + 1
    axes = {f"yaxis{row + 1 if row else ''}": {"domain": domain} for row, domain in enumerate(domains)}
    figure.update_layout(xaxis={"range": [-0.015, end + 0.015], "showgrid": False}, **axes)
    figure.update_layout(xaxis={"anchor": f"y{rows if rows > 1 else ''}", "automargin": False})
    figure.update_yaxes(automargin=False, fixedrange=True)
    return figure, domains


def frame_panels(
    figure: go.Figure,
    grid: PanelGrid,
    domains: Sequence[tuple[float, float]],
    *,
    title: str,
    empty: Collection[tuple[int, int]] = (),
) -> None:
    """Shade the panels, name columns and rows, and say on top what is drawn.

    Panels without a member, and empty ones (row, column), are dashed and have a word instead.
    """
    shapes, notes = [], []
    for row, (low, high) in enumerate(domains):
        for column in range(len(grid.columns)):
            absent = (row, column) in grid.absent
            hole = absent or (row, column) in empty
            shapes.append(_panel_shape(column, low, high, hole))
            if hole:
                text = ABSENT if absent else EMPTY
                notes.append(_note(text, panel_left(column) + 0.5, (low + high) / 2, anchor="middle"))
        if grid.row_labels[row]:
            text = words.plot_text(", ".join(grid.row_labels[row]), longest=90)
            notes.append(_note(f"<b>{text}</b>", 0, high, anchor="bottom", xanchor="left", yshift=2, size=13))
    notes += _column_heads(grid)
    notes.append(
        _note(title, 0, 1, anchor="bottom", xanchor="left", yshift=head_height(grid) - TITLE_HEIGHT + 2)
        | {"xref": "paper", "xshift": -figure.layout.margin.l + 4}
    )
    figure.update_layout(shapes=shapes, annotations=notes)


def _panel_shape(column, low, high, hole):
    dashed = {"color": theme.LINE_GREY, "width": 1, "dash": "dash"}
    return {
        "type": "rect",
        "xref": "x",
        "yref": "paper",
        "x0": panel_left(column),
        "x1": panel_left(column) + 1,
        "y0": low,
        "y1": high,
        "layer": "below",
        "line": dashed if hole else {"width": 0},
        "fillcolor": "rgba(0,0,0,0)" if hole else FRAME,
    }


def _note(text, x, y, *, anchor, xanchor="center", yshift=0, size=12):
    return {
        "text": text,
        "x": x,
        "y": y,
        "xref": "x",
        "yref": "paper",
        "xanchor": xanchor,
        "yanchor": anchor,
        "yshift": yshift,
        "showarrow": False,
        "font": {"size": size},
    }


def _column_heads(grid):
    """Name each level of each factor across, once over all panels that share it."""
    heads, depth = [], len(grid.columns[0])
    for level in range(depth):
        shift = LINE_HEIGHT * (depth - 1 - level) + 4
        for first, last in _runs([labels[: level + 1] for labels in grid.column_labels]):
            text = words.plot_text(grid.column_labels[first][level], longest=30)
            centre = (panel_left(first) + panel_left(last) + 1) / 2
            bold = f"<b>{text}</b>" if level == 0 else text
            heads.append(_note(bold, centre, 1, anchor="bottom", yshift=shift, size=13))
    return heads


def _runs(items):
    """Return (first, last) of each run of equal items."""
    starts = [n for n in range(len(items)) if n == 0 or items[n] != items[n - 1]]
    return list(zip(starts, [*(n - 1 for n in starts[1:]), len(items) - 1], strict=True))
