"""Pair matrix: the difference between every two methods, its p-value, and whether it is settled."""

from typing import NamedTuple

import plotly.graph_objects as go

from dashboard.frame import theme, words

__all__ = ["Cell", "PairMatrix", "pair_matrix_figure"]

CELL_HEIGHT = 60
HEAD_HEIGHT = 44
SHADES = {"better": -1.0, "worse": 1.0}
SIGNS = {"better": "▼ better", "worse": "▲ worse", "not settled": "not settled"}


class Cell(NamedTuple):
    """The method `row` less the method `column`; NaN for what there is not; shown: the difference."""

    row: str
    column: str
    difference: float
    p: float
    verdict: str
    shown: str
    p_shown: str


class PairMatrix(NamedTuple):
    """methods: in the order of rows and columns."""

    cells: tuple[Cell, ...]
    methods: tuple[str, ...]


def pair_matrix_figure(found: PairMatrix) -> go.Figure:
    """Draw a cell for each ordered pair: the row's method less the column's; shaded only where settled.

    Every cell says in words whether the row's method is better, worse, or not settled.
    """
    if not found.cells:
        return theme.empty_figure("Two methods are needed for a pair", height=160)
    methods = found.methods
    figure = theme.new_figure(height=HEAD_HEIGHT + CELL_HEIGHT * len(methods))
    _add_shades(figure, found)
    _add_texts(figure, found)
    figure.update_layout(margin={"t": HEAD_HEIGHT - 8}, hovermode="closest")
    names = [words.plot_text(name, longest=16) for name in methods]
    places = list(range(len(methods)))
    figure.update_xaxes(
        side="top", tickvals=places, ticktext=names, showgrid=False, range=[-0.5, len(names) - 0.5]
    )
    figure.update_yaxes(
        tickvals=places, ticktext=[f"{n} " for n in names], showgrid=False, range=[len(names) - 0.5, -0.5]
    )
    return figure


def _add_shades(figure: go.Figure, found: PairMatrix) -> None:
    shades = {(cell.row, cell.column): SHADES.get(cell.verdict, 0.0) for cell in found.cells}
    figure.add_heatmap(
        z=[[shades.get((row, column)) for column in found.methods] for row in found.methods],
        zmin=-1,
        zmax=1,
        colorscale=theme.DIVERGING,
        showscale=False,
        xgap=3,
        ygap=3,
        hoverinfo="skip",
    )


def _add_texts(figure: go.Figure, found: PairMatrix) -> None:
    figure.add_scatter(
        x=[found.methods.index(cell.column) for cell in found.cells],
        y=[found.methods.index(cell.row) for cell in found.cells],
        mode="text",
        text=[_text(cell) for cell in found.cells],
        textfont={"size": 12},
        hovertext=[
            f"{words.plot_text(cell.row)} less {words.plot_text(cell.column)}: {cell.shown}<br>"
            f"{_harmless(cell.p_shown)}, {cell.verdict}"
            for cell in found.cells
        ],
        hoverinfo="text",
        showlegend=False,
    )


def _text(cell: Cell) -> str:
    if cell.verdict == "identical":
        return "identical"
    if cell.verdict == "no test":
        return f"{cell.shown}<br>no test"
    sign = SIGNS.get(cell.verdict, cell.verdict)
    return f"{cell.shown}<br>{_harmless(cell.p_shown)}<br>{sign}"


def _harmless(text: str) -> str:
    return text.replace("<", "&lt;")
