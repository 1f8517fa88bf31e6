"""Figures of the Compare page of pairs of methods: all of them as a matrix, the test cases of one."""

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import plotly.graph_objects as go

from delvecore.plots import theme, words
from delvecore.plots.highlighted_method import name_places

__all__ = ["CaseBin", "CaseHistogram", "Cell", "PairMatrix", "case_histogram_figure", "pair_matrix_figure"]

CELL_HEIGHT, HEAD_HEIGHT = 60, 44
CELL_WIDTH, NAMES = 84, 120
"""Pixels that the texts of a cell, and the names of rows, need."""
SHADES = {"better": -1.0, "worse": 1.0}
SIGNS = {"better": "▼ better", "worse": "▲ worse"}
HIGHER_SIGNS = {"better": "▲ better", "worse": "▼ worse"}
"""In which direction the row's method lies, where lower values are better, and where higher ones are."""
HISTOGRAM = 300


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
    """methods: in the order of rows and columns; is_higher: are higher values better?"""

    cells: tuple[Cell, ...]
    methods: tuple[str, ...]
    is_higher: bool = False


def pair_matrix_figure(found: PairMatrix) -> go.Figure:
    """Draw a cell for each ordered pair: the row's method less the column's; shaded only where significant.

    Every cell says in words whether the row's method is better, worse, or not significant."""
    if not found.cells:
        return theme.empty_figure("Two methods are needed for a pair", height=160)
    methods = found.methods
    figure = theme.new_figure(height=HEAD_HEIGHT + CELL_HEIGHT * len(methods))
    shades = {(cell.row, cell.column): SHADES.get(cell.verdict, 0.0) for cell in found.cells}
    z = [[shades.get((row, column)) for column in methods] for row in methods]
    colours = {"zmin": -1, "zmax": 1, "colorscale": theme.DIVERGING, "showscale": False}
    figure.add_heatmap(z=z, xgap=3, ygap=3, hoverinfo="skip", **colours)
    x = [methods.index(cell.column) for cell in found.cells]
    y = [methods.index(cell.row) for cell in found.cells]
    signs = HIGHER_SIGNS if found.is_higher else SIGNS
    texts, hover = zip(*(_texts(cell, signs) for cell in found.cells), strict=True)
    more = {"text": texts, "textfont": {"size": 12}, "showlegend": False}
    figure.add_trace(theme.trace("text", x, y, hover=hover, **more))
    figure.update_layout(margin={"t": HEAD_HEIGHT - 8}, hovermode="closest")
    names, ends = [words.plot_text(name, longest=16) for name in methods], len(methods) - 0.5
    common = {"tickvals": list(range(len(methods))), "showgrid": False}
    figure.update_xaxes(side="top", ticktext=names, range=[-0.5, ends], **common)
    figure.update_yaxes(ticktext=[f"{name} " for name in names], range=[ends, -0.5], **common)
    name_places(figure, x=methods, y=methods)
    theme.needs_width(figure, NAMES + CELL_WIDTH * len(methods))
    return figure


def _texts(cell: Cell, signs: Mapping[str, str]) -> tuple[str, str]:
    """Return what stands in a cell, and what the mouse shows of it."""
    p = cell.p_shown.replace("<", "&lt;")
    text = f"{cell.shown}<br>{p}<br>{signs.get(cell.verdict, cell.verdict)}"
    text = {"identical": "identical", "not tested": f"{cell.shown}<br>not tested"}.get(cell.verdict, text)
    names = f"{words.plot_text(cell.row)} less {words.plot_text(cell.column)}"
    return text, f"{names}: {cell.shown}<br>{p}, {cell.verdict}"


class CaseBin(NamedTuple):
    """How many cases have a difference in an interval (low equals high: a value). beyond: an interval at an
    end, which holds the few cases that lie outside, too."""

    low: float
    high: float
    cases: int
    beyond: bool

    @property
    def middle(self) -> float:
        return (self.low + self.high) / 2


class CaseHistogram(NamedTuple):
    """axis: title of the axis of differences; names: of both methods; mean: NaN without cases."""

    bins: tuple[CaseBin, ...]
    names: tuple[str, str]
    mean: float
    axis: str


def case_histogram_figure(found: CaseHistogram) -> go.Figure:
    """Draw test cases by their difference, left where the first method loses less; the mean as a line.

    Hatched bars at the ends hold the cases beyond, too."""
    bins = found.bins
    if not any(one.cases for one in bins):
        return theme.empty_figure("No differences between test cases to show", height=HISTOGRAM)
    figure = theme.new_figure(height=HISTOGRAM)
    width = max(one.high - one.low for one in bins)
    shapes = ["/" if one.beyond else "" for one in bins]
    pattern = {"shape": shapes, "fillmode": "overlay", "fgcolor": "#ffffff"}
    figure.add_bar(
        x=[one.middle for one in bins],
        y=[one.cases for one in bins],
        width=width or min((0.6 * (after.low - one.low) for one, after in pairwise(bins)), default=0.5),
        marker={"color": [_colour(one) for one in bins], "line": {"width": 0}, "pattern": pattern},
        hovertext=[_bin_hover(one) for one in bins],
        hoverinfo="text",
        showlegend=False,
    )
    _add_sides(figure, found)
    figure.update_xaxes(title_text=found.axis)
    figure.update_layout(margin={"t": 52}, bargap=0.05)
    return figure


def _colour(one: CaseBin) -> str:
    if abs(one.middle) < 1e-12 or one.low < 0 < one.high:
        return theme.GREY
    return theme.BLUE if one.middle < 0 else theme.VERMILION


def _bin_hover(one: CaseBin) -> str:
    cases = words.count(one.cases, "case")
    if one.low == one.high:
        return f"difference {words.number(one.low)}: {cases}"
    beyond = " and beyond" if one.beyond else ""
    return f"{words.number(one.low)} to {words.number(one.high)}{beyond}: {cases}"


def _add_sides(figure: go.Figure, found: CaseHistogram) -> None:
    first, second = (words.plot_text(name, longest=24) for name in found.names)
    above: dict[str, Any] = {"yref": "paper", "yanchor": "bottom"}
    for x, anchor, text in ((0, "left", f"◀ {first} loses less"), (1, "right", f"{second} loses less ▶")):
        theme.add_text(figure, text, x, 1, size=13, xref="paper", xanchor=anchor, yshift=24, **above)
    if not math.isnan(mean := found.mean):
        figure.add_vline(x=mean, line={"color": theme.LINE_GREY, "width": 2, "dash": "dash"})
        theme.add_text(figure, f"mean {words.number(mean, digits=3)}", mean, 1, **above)
