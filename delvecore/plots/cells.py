"""A table of numbers on shades, such as the mean rank of each method on each kind of task."""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from delvecore.plots import theme
from delvecore.plots.figure import Figure, Trace
from delvecore.plots.highlighted_method import name_places
from delvecore.plots.theme import text_width
from delvecore.report import words

ROW_HEIGHT, LINE_HEIGHT, HEAD_HEIGHT = 34, 17, 26
CELL_WIDTH = 40
LONGEST, WIDEST = 36, 12
"""Letters of a row's name, and about those of a line of a column's."""
PALE = 0.7
"""Opacity of numbers of little weight: text on either ground keeps a contrast of 4.5 to 1."""


class Cell(NamedTuple):
    """text: in the cell; shade: from 0 to 1; hover: what the mouse shows; target: what a click gives;
    is_pale: is it of little weight, and so without a shade?"""

    row: int
    column: int
    text: str
    shade: float
    hover: str
    target: tuple[Hashable, ...]
    is_pale: bool = False


class CellGrid(NamedTuple):
    """All that is drawn. methods: `x` or `y`, the axis where methods stand; empty: said of nothing."""

    rows: Sequence[str]
    columns: Sequence[str]
    cells: Sequence[Cell]
    methods: str
    empty: str


def cells_figure(grid: CellGrid) -> Figure:
    """Table of numbers on shades: a cell for each row and column.

    Parameters
    ----------
    grid : CellGrid
        Names of rows and columns, and the cells.

    Returns
    -------
    Figure
        One click on a cell gives the point's customdata, its target.

    Examples
    --------
    >>> cell = Cell(0, 0, "1.5", shade=0.5, hover="", target=("lin-1",))
    >>> cells_figure(CellGrid(["lin-1"], ["kin"], [cell], methods="y", empty="")).data[1]["text"]
    ['1.5']
    """
    if not grid.cells:
        return theme.empty_figure(grid.empty, height=160)
    heads = [words.lines(name, longest=WIDEST) for name in grid.columns]
    head = HEAD_HEIGHT + LINE_HEIGHT * max(text.count("<br>") for text in heads)
    figure = theme.new_figure(height=head + ROW_HEIGHT * len(grid.rows) + 8)
    shades = [[float("nan")] * len(grid.columns) for _ in grid.rows]
    for cell in grid.cells:
        shades[cell.row][cell.column] = float("nan") if cell.is_pale else cell.shade
    figure.add_trace(theme.shades(shades, gap=3, least=0, colours=theme.SEQUENTIAL))
    for pale, opacity in ((False, 1.0), (True, PALE)):
        if cells := [cell for cell in grid.cells if cell.is_pale == pale]:
            figure.add_trace(_numbers(cells) | {"opacity": opacity})
    figure.update_layout(hoverdistance=-1, hovermode="closest", margin={"t": head})
    name_places(figure, **{grid.methods: grid.columns if grid.methods == "x" else grid.rows})
    widest = max(text_width(line, 13) for text in heads for line in text.split("<br>"))
    rows = max(text_width(name, 13) for name in grid.rows)
    theme.needs_width(figure, rows + max(widest + 6, CELL_WIDTH) * len(heads))
    theme.name_columns(figure, heads)
    names = [words.plot_text(name, longest=LONGEST) for name in grid.rows]
    theme.name_rows(figure, names, showgrid=False)
    return figure


def _numbers(cells: Sequence[Cell]) -> Trace:
    """The numbers are also what is clicked: a heatmap's own cells cannot be selected."""
    return theme.trace(
        "markers+text",
        [cell.column for cell in cells],
        [cell.row for cell in cells],
        hover=[cell.hover for cell in cells],
        text=[cell.text for cell in cells],
        customdata=[list(cell.target) for cell in cells],
        marker={"symbol": "square", "size": 26, "opacity": 0},
        showlegend=False,
        **theme.UNSEEN,
    )
