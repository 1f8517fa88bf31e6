"""Maps of a task-array: best methods, differences to a reference, where one method is ahead or behind."""

from collections.abc import Mapping, Sequence
from math import copysign, isnan
from typing import Any, NamedTuple

import numpy as np

from delvecore.measures import Measure
from delvecore.plots import theme
from delvecore.plots.figure import Figure, Trace
from delvecore.plots.task_arrays import panels
from delvecore.plots.task_arrays.panels import DASHED, Look, Panel, PanelGrid
from delvecore.plots.theme import STAYS, UNSEEN
from delvecore.report import words
from delvecore.stats.orientation import oriented

WINNER_HEIGHT, DIFFERENCE_HEIGHT, REGRET_HEIGHT = 58, 22, 46
WINNER_WIDTH, REGRET_WIDTH = 122, 136
"""Of a row and of a cell of each map, in pixels."""
HEAD, FOOT = 44, 8
FIRST_SIGN, NEXT_SIGN = -0.40, 0.088
"""Where in a cell, one wide, the best method's marker is, and how far apart the others are."""
MOST_SIGNS = 8
UP, MIDDLE, DOWN = 0.25, 0.06, 0.31
"""Where in a cell, one high, its three lines are."""
CELL = 0.46
LEFT, RIGHT = 116, 92
BAR_LENGTH, BAR_GAP, BAR_WIDTH = 180, 14, 12
"""Of the colour bar, in pixels."""
NO_RESULT = "–"
COLOUR_BAR = {"len": BAR_LENGTH, "lenmode": "pixels", "thickness": BAR_WIDTH, "outlinewidth": 0}
COLOUR_BAR |= {"x": 1, "xpad": BAR_GAP, "y": 1, "yanchor": "top", "ypad": 0, "showticklabels": False}
FARTHEST = 95
"""Percentile of the absolute differences that gets the full colour: one extreme must not pale all others."""


class WinnerCell(NamedTuple):
    """A task, or a hole, where best is None and missing says why. others: those not significantly worse than
    the best; lead: by how much it is before the next, with the standard error, in words; task: its full path.
    """

    row: int
    column: int
    best: str | None
    others: tuple[str, ...]
    lead: str
    missing: str | None
    hover: str
    task: str | None


class WinnersFigure(NamedTuple):
    """All that is drawn. rows: their names; sizes: of the training sets, a column each; looks: of methods."""

    cells: tuple[WinnerCell, ...]
    rows: tuple[str, ...]
    sizes: tuple[int, ...]
    looks: Mapping[str, Look]


def winners_figure(drawn: WinnersFigure) -> Figure:
    """Map of the best methods: a row for each combination of levels, a column for each size of training sets.

    A cell has the marker and the name of the best method, by how much it is before the next, and the markers
    of the methods that are not significantly worse; a hole is dashed, with the reason.

    Parameters
    ----------
    drawn : WinnersFigure
        The cells, the names of rows, the sizes, and the looks of methods.

    Returns
    -------
    Figure
        A click gives the point's customdata: task and best method.

    Examples
    --------
    >>> cell = WinnerCell(0, 0, "lin-1", (), "by 0.1", None, "", "/kin-8nm/dist/std.64")
    >>> looks = {"lin-1": Look("#2A7EFF", "circle")}
    >>> winners_figure(WinnersFigure((cell,), ("8 inputs",), (64,), looks)).data[0]["text"]
    ['  lin-1']
    """
    if not drawn.cells:
        return theme.empty_figure("No tasks to show", height=200)
    figure = _map_of_tasks(drawn.rows, drawn.sizes, row_height=WINNER_HEIGHT, cell_width=WINNER_WIDTH)
    known = [(cell, cell.best) for cell in drawn.cells if cell.best is not None]
    holes = [cell for cell in drawn.cells if cell.best is None]
    signs = [_best(known, drawn.looks), _leads(known), _others(known, drawn.looks)]
    figure.add_traces([*signs, _reasons(holes), _targets(known)])
    shapes = [_shape(cell, drawn.looks) for cell in drawn.cells]
    figure.update_layout(shapes=shapes)
    return figure


def _map_of_tasks(rows: Sequence[str], sizes: Sequence[int], *, row_height: int, cell_width: int) -> Figure:
    """Return an empty map with a row for each combination of levels, a column for each size."""
    figure = theme.new_figure(height=HEAD + FOOT + row_height * len(rows))
    figure.update_layout(margin={"r": 4, "t": HEAD, "b": FOOT, "pad": 0}, hoverdistance=60)
    title = {"text": "training cases", "font": {"size": 12}, "standoff": 4}
    theme.name_columns(figure, [str(size) for size in sizes], title=title, automargin=False)
    left = panels.label_members(figure, rows)
    theme.needs_width(figure, left + cell_width * len(sizes))
    theme.clickable(figure)
    return figure


def _shape(cell: WinnerCell, looks: Mapping[str, Look]) -> dict[str, Any]:
    look: dict[str, Any] = {"line": {**DASHED, "width": 1}, "fillcolor": "rgba(0,0,0,0)"}
    if cell.best is not None:
        red, green, blue = (int(looks[cell.best].colour[k : k + 2], 16) for k in (1, 3, 5))
        look = {"line": {"width": 0}, "fillcolor": f"rgba({red},{green},{blue},0.14)"}
    across = {"x0": cell.column - 0.485, "x1": cell.column + 0.485}
    return {"type": "rect", **across, "y0": cell.row - CELL, "y1": cell.row + CELL, "layer": "below", **look}


def _trace(
    mode: str, cells: Sequence[tuple[WinnerCell, str]], x: Sequence[float], y: Sequence[float], **more: Any
) -> Trace:
    """Return a trace of which each point tells about its cell, and leads to its task."""
    hover, data = [cell.hover for cell, _ in cells], [[cell.task, best] for cell, best in cells]
    return theme.trace(mode, x, y, hover=hover, customdata=data, showlegend=False, **more)


def _signs(looks: Sequence[Look], size: int, text_size: int) -> dict[str, Any]:
    """Return marks with texts at their right."""
    colours = [look.colour for look in looks]
    marker = {"symbol": [look.symbol for look in looks], "color": colours, "size": size, "opacity": 1}
    return {"marker": marker, "textposition": "middle right", "textfont": {"size": text_size}, **STAYS}


def _best(known: Sequence[tuple[WinnerCell, str]], looks: Mapping[str, Look]) -> Trace:
    x = [cell.column + FIRST_SIGN for cell, _ in known]
    y = [cell.row - UP for cell, _ in known]
    text = [f"  {words.plot_text(best, longest=14)}" for _, best in known]
    signs = _signs([looks[best] for _, best in known], 10, 13)
    return _trace("markers+text", known, x, y, text=text, **signs)


def _leads(known: Sequence[tuple[WinnerCell, str]]) -> Trace:
    x, y = [cell.column + FIRST_SIGN - 0.05 for cell, _ in known], [cell.row + MIDDLE for cell, _ in known]
    look = {"textposition": "middle right", "textfont": {"size": 11}}
    return _trace("text", known, x, y, text=[cell.lead for cell, _ in known], **look)


def _others(known: Sequence[tuple[WinnerCell, str]], looks: Mapping[str, Look]) -> Trace:
    """Return the markers of the methods that are not significantly worse, and how many more there are."""
    signs = [(cell, best, number) for cell, best in known for number in range(len(cell.others[:MOST_SIGNS]))]
    left = [len(cell.others) - MOST_SIGNS if number == MOST_SIGNS - 1 else 0 for cell, _, number in signs]
    return _trace(
        "markers+text",
        [(cell, best) for cell, best, _ in signs],
        [cell.column + FIRST_SIGN + number * NEXT_SIGN for cell, _, number in signs],
        [cell.row + DOWN for cell, _, _ in signs],
        text=[f" +{count}" if count > 0 else "" for count in left],
        **_signs([looks[cell.others[number]] for cell, _, number in signs], 7, 11),
    )


def _reasons(holes: Sequence[WinnerCell]) -> Trace:
    x, y = [cell.column for cell in holes], [cell.row for cell in holes]
    text = [cell.missing for cell in holes]
    return theme.trace("text", x, y, text=text, textfont={"size": 11}, showlegend=False)


def _targets(known: Sequence[tuple[WinnerCell, str]]) -> Trace:
    """The whole cell of a best method answers to the mouse."""
    x, y = [cell.column for cell, _ in known], [cell.row for cell, _ in known]
    return _trace("markers", known, x, y, marker={"symbol": "square", "size": 40, "opacity": 0}, **UNSEEN)


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
    """All that is drawn. sizes: of the training sets, ascending; methods: in their order; title: on top;
    measure: of the differences."""

    cells: tuple[DifferenceCell, ...]
    grid: PanelGrid
    sizes: tuple[int, ...]
    methods: tuple[str, ...]
    title: str
    measure: Measure

    def inner(self, size: int) -> float:
        """Where within a panel is the column of a size of training sets?"""
        return (self.sizes.index(size) + 0.5) / len(self.sizes)


def differences_map_figure(drawn: DifferencesFigure) -> Figure:
    """Map of differences to a reference: a panel for each combination of levels, in it a row a method.

    Blue is better than the reference, orange worse. Colours are deeper with the square root of the
    difference, so that small ones show beside large ones. A sign says that it is significant, a dash that
    results are missing.

    Parameters
    ----------
    drawn : DifferencesFigure
        The cells, the panels, the sizes of training sets (columns of a panel), and the methods.

    Returns
    -------
    Figure
        A click gives the point's customdata: task and method.

    Examples
    --------
    >>> from delvecore.measures import column_measure
    >>> grid, cost = panels.panel_grid([[("n", "low noise")]]), column_measure("cost", False)
    >>> cell = DifferenceCell((0, 0), 64, "lin-1", 0.5, "▲", "", "/kin-8nm/dist/std.64")
    >>> drawn = DifferencesFigure((cell,), grid, (64,), ("lin-1",), "cost less that of gp-1", cost)
    >>> differences_map_figure(drawn).data[1]["text"]
    ['▲']
    """
    if not drawn.cells:
        return theme.empty_figure("Choose a second method to compare with the reference", height=200)
    grid = drawn.grid
    known = [cell for cell in drawn.cells if not isnan(cell.difference)]
    empty = grid.without(cell.panel for cell in known)
    height = max(DIFFERENCE_HEIGHT * len(drawn.methods), 60)
    sides = {"left": LEFT, "right": RIGHT}
    figure = panels.panel_figure(grid, row_height=height, title=drawn.title, empty=empty, **sides)
    reach = _full_colour([cell.difference for cell in known])
    for row in range(len(grid.rows)):
        part = [cell for cell in drawn.cells if cell.panel[0] == row]
        figure.add_traces([_shades(drawn, part, row, reach), _marks(drawn, part, row, empty)])
    shown = panels.size_ticks(drawn.sizes, grid)
    panels.label_panels(figure, grid, [(drawn.inner(size), str(size)) for size in shown], "training cases")
    figure.update_xaxes(range=[-panels.GAP / 8, grid.end + panels.GAP / 8])
    panels.label_rows(figure, drawn.methods, tickfont={"size": 12}, showgrid=False)
    _label_colours(figure, reach, drawn.measure)
    theme.clickable(figure)
    figure.update_layout(hoverdistance=20)
    return figure


def _full_colour(differences: Sequence[float]) -> float:
    """Return the difference, to either side of none, that gets the full colour."""
    return float(np.percentile(np.abs(differences), FARTHEST)) or 1.0 if differences else 1.0


def _depth(difference: float, reach: float) -> float:
    """Return how deep a difference is coloured, from -1 to 1, with its square root."""
    return copysign(min(abs(difference) / reach, 1.0) ** 0.5, difference)


def _shades(drawn: DifferencesFigure, part: Sequence[DifferenceCell], row: int, reach: float) -> Trace:
    columns, sizes = len(drawn.grid.columns), len(drawn.sizes)
    shades: list[list[float | None]] = [[None] * ((sizes + 1) * columns - 1) for _ in drawn.methods]
    for cell in part:
        if not isnan(cell.difference):
            across = cell.panel[1] * (sizes + 1) + drawn.sizes.index(cell.size)
            behind = oriented(cell.difference, drawn.measure)
            shades[drawn.methods.index(cell.method)][across] = _depth(behind, reach)
    # The edges of all cells; the gaps between panels are cells, too.
    x = [panels.panel_left(n) + step / sizes for n in range(columns) for step in range(sizes + 1)]
    place: dict[str, Any] = {"x": x, "y": list(range(len(drawn.methods))), "yaxis": panels.axis_of(row)}
    return theme.shades(shades, gap=1, **place, colorbar=COLOUR_BAR, showscale=row == 0)


def _label_colours(figure: Figure, reach: float, measure: Measure) -> None:
    """Write beside the colour bar which differences its ends and quarters stand for."""
    fixed: dict[str, Any] = {"xref": "paper", "yref": "paper", "xanchor": "left", "align": "left"}
    fixed["xshift"] = BAR_GAP + BAR_WIDTH + 5
    for place, text in ((1.0, "<br>worse"), (0.5, ""), (0.0, ""), (-0.5, ""), (-1.0, "<br>better")):
        behind = copysign(place * place * reach, place)
        value = words.number(oriented(behind, measure), digits=2) if place else "0"
        anchor = "middle" if abs(place) < 1 else "top" if place > 0 else "bottom"
        shift = BAR_LENGTH * (place - 1) / 2
        theme.add_text(figure, value + text, 1, 1, size=11, yanchor=anchor, yshift=shift, **fixed)


def _marks(drawn: DifferencesFigure, part: Sequence[DifferenceCell], row: int, empty: set[Panel]) -> Trace:
    """The marks of significance are also what is clicked: a heatmap's own cells cannot be selected."""
    blank = {True: "", False: NO_RESULT}
    return theme.trace(
        "markers+text",
        [panels.panel_left(cell.panel[1]) + drawn.inner(cell.size) for cell in part],
        [drawn.methods.index(cell.method) for cell in part],
        hover=[cell.hover for cell in part],
        yaxis=panels.axis_of(row),
        text=[blank[cell.panel in empty] if isnan(cell.difference) else cell.sign for cell in part],
        textfont={"size": 12},
        customdata=[[cell.task, cell.method] for cell in part],
        marker={"symbol": "square", "size": 18, "opacity": 0},
        **UNSEEN,
    )


class RegretCell(NamedTuple):
    """A method on a task. behind: by how much the best other method is better, below zero where this one is
    the best, not a number for a hole; error: the standard error of that; other: the method; sign: what is
    written where the difference is significant; missing: why there is nothing, else None; task: its full
    path."""

    row: int
    column: int
    behind: float
    error: float
    other: str
    sign: str
    missing: str | None
    hover: str
    task: str | None


class RegretsFigure(NamedTuple):
    """All that is drawn. rows: their names; sizes: of the training sets, a column each."""

    cells: tuple[RegretCell, ...]
    rows: tuple[str, ...]
    sizes: tuple[int, ...]


def regrets_figure(drawn: RegretsFigure) -> Figure:
    """Map of one method: how far it is ahead of the best other method, or behind it, on each task.

    It is blue where the method is the best, orange where it is behind, deeper with the square root; a sign
    says that it is significant.

    Parameters
    ----------
    drawn : RegretsFigure
        The cells, the names of rows, and the sizes of training sets.

    Returns
    -------
    Figure
        A click gives the point's customdata: the task.

    Examples
    --------
    >>> cell = RegretCell(0, 0, -0.5, 0.1, "gp-1", "▼", None, "", "/kin-8nm/dist/std.64")
    >>> regrets_figure(RegretsFigure((cell,), ("8 inputs",), (64,))).data[1]["text"]
    ['▼ 0.50 ± 0.10<br>before gp-1']
    """
    known = [cell for cell in drawn.cells if not isnan(cell.behind)]
    if not known:
        return theme.empty_figure("No tasks with results of this method and another", height=200)
    figure = _map_of_tasks(drawn.rows, drawn.sizes, row_height=REGRET_HEIGHT, cell_width=REGRET_WIDTH)
    figure.add_traces([_regret_shades(drawn, known), _texts(drawn.cells)])
    return figure


def _regret_shades(drawn: RegretsFigure, known: Sequence[RegretCell]) -> Trace:
    reach = _full_colour([cell.behind for cell in known])
    shades: list[list[float | None]] = [[None] * len(drawn.sizes) for _ in drawn.rows]
    for cell in known:
        shades[cell.row][cell.column] = _depth(cell.behind, reach)
    return theme.shades(shades, gap=3)


def _texts(cells: Sequence[RegretCell]) -> Trace:
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
    where = "before" if cell.behind < 0 else "behind" if cell.behind else "as"
    return f"{cell.sign} {size}".lstrip() + f"<br>{where} {words.plot_text(cell.other, longest=12)}"
