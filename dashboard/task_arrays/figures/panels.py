"""Panels of a task-array: one for each combination of levels, the first factors across, the others down.

All panels of a row lie on one pair of axes, each panel one unit wide, so that a line needs one trace a row
and a figure of thirty methods stays quick. Rows share the range of their vertical axes.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil, prod
from typing import Any

import plotly.graph_objects as go

from dashboard.frame import theme, words

__all__ = [
    "ABSENT",
    "EMPTY",
    "GAP",
    "Panel",
    "PanelGrid",
    "axis_of",
    "frame_panels",
    "label_methods",
    "label_panels",
    "panel_grid",
    "panel_left",
    "row_figure_of",
    "size_ticks",
]

Panel = tuple[int, int]
"""Row and column of a panel."""

GAP = 0.10
"""Between two panels, in widths of a panel."""
MOST_COLUMNS = 8
LINE_HEIGHT = 20
TITLE_HEIGHT = 24
ROW_TITLE = 26
ROW_GAP = 14
ABSENT, EMPTY = "no such task", "no results"
MOST_TICKS = 24
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
    absent: frozenset[Panel] = frozenset()

    def place(self, levels: Sequence[str]) -> Panel:
        """Return (row, column) of a combination of levels."""
        across = len(self.columns[0])
        return self.rows.index(tuple(levels[across:])), self.columns.index(tuple(levels[:across]))

    def without(self, known: Iterable[Panel]) -> set[Panel]:
        """Return all panels but these."""
        return {*product(range(len(self.rows)), range(len(self.columns)))} - {*known}

    @property
    def end(self) -> float:
        """Where the last column's panels end."""
        return panel_left(len(self.columns) - 1) + 1


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


def axis_of(row: int) -> str:
    """Return the name of the vertical axis of a row of panels."""
    return f"y{row + 1}" if row else "y"


def _head_height(grid: PanelGrid) -> int:
    """How many pixels do the names of the columns take?"""
    return LINE_HEIGHT * len(grid.columns[0]) + TITLE_HEIGHT + 8


def _title_height(grid: PanelGrid) -> int:
    return ROW_TITLE if grid.row_labels[0] else 0


def row_figure_of(
    grid: PanelGrid, *, row_height: int, left: int, right: int, below: int
) -> tuple[go.Figure, list[tuple[float, float]]]:
    """Return an empty figure with an axis a row, and the rows' domains.

    left, right, below: pixels of margins.
    """
    title, rows = _title_height(grid), len(grid.rows)
    top = _head_height(grid)
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
    axes = {f"yaxis{row + 1 if row else ''}": {"domain": domain} for row, domain in enumerate(domains)}
    across = {"range": [-0.015, grid.end + 0.015], "showgrid": False, "automargin": False}
    figure.update_layout(xaxis={**across, "anchor": axis_of(rows - 1)}, **axes)
    figure.update_yaxes(automargin=False, fixedrange=True)
    return figure, domains


def frame_panels(
    figure: go.Figure,
    grid: PanelGrid,
    domains: Sequence[tuple[float, float]],
    *,
    title: str,
    empty: Collection[Panel] = (),
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
        _note(title, 0, 1, anchor="bottom", xanchor="left", yshift=_head_height(grid) - TITLE_HEIGHT + 2)
        | {"xref": "paper", "xshift": -figure.layout.margin.l + 4}
    )
    figure.update_layout(shapes=shapes, annotations=notes)


def label_panels(figure: go.Figure, grid: PanelGrid, ticks: Sequence[tuple[float, str]], title: str) -> None:
    """Write the same texts below each column's panels. ticks: where within a panel, and what."""
    figure.update_xaxes(
        tickvals=[panel_left(column) + place for column in range(len(grid.columns)) for place, _ in ticks],
        ticktext=[text for _ in grid.columns for _, text in ticks],
        tickfont={"size": 11},
        title={"text": title, "font": {"size": 12}, "standoff": 6},
    )


def size_ticks(sizes: Sequence[int], columns: int) -> list[int]:
    """Which sizes are written below a panel? All, every other, or the ends, as many as there is room for."""
    if columns * len(sizes) <= MOST_TICKS or len(sizes) <= 2:
        return list(sizes)
    every_other = list(sizes[::-2])[::-1]
    return every_other if columns * len(every_other) <= MOST_TICKS else [sizes[0], sizes[-1]]


def label_methods(figure: go.Figure, methods: Sequence[str]) -> None:
    """Write the methods' names left of each row of panels, the first at the top."""
    figure.update_yaxes(
        tickvals=list(range(len(methods))),
        ticktext=[f"{words.plot_text(name, longest=15)}  " for name in methods],
        tickfont={"size": 12},
        range=[len(methods) - 0.5, -0.5],
    )


def _panel_shape(column: int, low: float, high: float, hole: bool) -> dict[str, Any]:
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


def _note(
    text: str,
    x: float,
    y: float,
    *,
    anchor: str,
    xanchor: str = "center",
    yshift: float = 0,
    size: int = 12,
) -> dict[str, Any]:
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


def _column_heads(grid: PanelGrid) -> list[dict[str, Any]]:
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


def _runs(items: Sequence[object]) -> list[tuple[int, int]]:
    """Return (first, last) of each run of equal items."""
    starts = [n for n in range(len(items)) if n == 0 or items[n] != items[n - 1]]
    return list(zip(starts, [*(n - 1 for n in starts[1:]), len(items) - 1], strict=True))
