"""Effects of a task-array's factors on the values of one method and of several; slopes of learning curves."""

from math import floor, isnan, log, log10
from typing import Any, NamedTuple

from delvecore.measures import Measure
from delvecore.plots import rows, theme
from delvecore.plots.figure import Figure
from delvecore.plots.highlighted_method import name_places
from delvecore.plots.task_arrays import panels
from delvecore.plots.task_arrays.panels import DASHED, Estimate, Look, Panel, PanelGrid, estimate_trace
from delvecore.report import words
from delvecore.stats.orientation import oriented

RIGHT = 84
CELL_HEIGHT, SLOPE_HEIGHT = 32, 22
HEAD = 34
LABELS, COLUMN = 240, 72
"""Pixels of the effects' names, and of a column that can be read."""
LOWERS, RAISES = "▼", "▲"
NOTHING = "No effects can be estimated: too few tasks have results"
FACTORS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 5, 10, 20, 50, 100)
MOST_FACTORS, MOST_TICKS = 9, 16


class EffectRow(NamedTuple):
    """One effect. share: what is written at the right."""

    label: str
    effect: Estimate
    share: str


class EffectsFigure(NamedTuple):
    """All that is drawn. is_factor: effects multiply the values, and 1 is none; else 0; axis: its title."""

    rows: tuple[EffectRow, ...]
    look: Look
    is_factor: bool
    axis: str


def effects_figure(drawn: EffectsFigure) -> Figure:
    """Effects of the factors of a task-array on one method, the first on top: a dot with its interval.

    Parameters
    ----------
    drawn : EffectsFigure
        A row an effect. Factors, which multiply the values, have a logarithmic axis.

    Returns
    -------
    Figure
        Dots are filled where the effect is significant.

    Examples
    --------
    >>> effect = Estimate(0.5, 0.25, 0.75, significant=True, hover="")
    >>> row = EffectRow("noise", effect, "10 %")
    >>> drawn = EffectsFigure((row,), Look("#2A7EFF", "circle"), is_factor=False, axis="effect")
    >>> effects_figure(drawn).data[0]["x"]
    [0.5]
    """
    if not drawn.rows:
        return theme.empty_figure(NOTHING, height=160)
    count, values = len(drawn.rows), [row.effect.value for row in drawn.rows]
    figure = rows.rows_figure([row.label for row in drawn.rows], right=RIGHT, longest=48)
    marks = [(row.effect, drawn.look) for row in drawn.rows]
    bar = {"thickness": 2, "width": 5, "color": drawn.look.colour}
    figure.add_trace(estimate_trace(marks, values, list(range(count)), bar=bar, size=8))
    rows.add_right_texts(figure, [row.share for row in drawn.rows])
    rows.add_vertical_line(figure, 1 if drawn.is_factor else 0)
    above: dict[str, Any] = {"yref": "paper", "yanchor": "bottom"}
    theme.add_text(figure, "no effect", 0, 1, **above)
    theme.add_text(figure, "share", 1, 1, xref="paper", xanchor="left", xshift=8, **above)
    figure.update_xaxes(title={"text": drawn.axis})
    if drawn.is_factor:
        ends = [1.0, *(end for row in drawn.rows for end in row.effect.known)]
        low, high = min(ends) / 1.08, max(ends) * 1.08
        shown = _factor_ticks(low, high)
        texts = [f"× {tick:g}" for tick in shown]
        figure.update_xaxes(type="log", range=[log10(low), log10(high)], tickvals=shown, ticktext=texts)
    return figure


def _factor_ticks(low: float, high: float) -> list[float]:
    """Return factors between the ends for a logarithmic axis, 1 among them, none too near to another."""
    least = log10(high / low) / MOST_FACTORS
    shown = [1.0]
    middle = FACTORS.index(1)
    for tick in (*FACTORS[middle + 1 :], *FACTORS[:middle][::-1]):
        if low <= tick <= high and all(abs(log10(tick / other)) >= least for other in shown):
            shown.append(tick)
    return sorted(shown)


class EffectCell(NamedTuple):
    """An effect on one method. row, column: numbers of its label and its method."""

    row: int
    column: int
    effect: Estimate


class EffectsMap(NamedTuple):
    """All that is drawn. labels, methods: of the rows and columns; is_factor: effects multiply the values;
    measure: of the values."""

    cells: tuple[EffectCell, ...]
    labels: tuple[str, ...]
    methods: tuple[str, ...]
    is_factor: bool
    measure: Measure


def effects_map_figure(drawn: EffectsMap) -> Figure:
    """Effects of the factors of a task-array on several methods: a row an effect and a column a method.

    Parameters
    ----------
    drawn : EffectsMap
        The cells, the labels of rows, and the methods.

    Returns
    -------
    Figure
        Cells are shaded by size, blue for better, with a triangle where significant.

    Examples
    --------
    >>> from delvecore.measures import column_measure
    >>> effect = Estimate(0.5, 0.25, 0.75, significant=True, hover="")
    >>> cells, cost = (EffectCell(0, 0, effect),), column_measure("cost", False)
    >>> drawn = EffectsMap(cells, ("noise",), ("lin-1",), is_factor=False, measure=cost)
    >>> effects_map_figure(drawn).data[1]["text"]
    ['0.5 ▲']
    """
    if not drawn.cells:
        return theme.empty_figure(NOTHING, height=160)
    figure = theme.new_figure(height=HEAD + CELL_HEIGHT * len(drawn.labels) + 8)
    sizes = [log(cell.effect.value) if drawn.is_factor else cell.effect.value for cell in drawn.cells]
    shades: list[list[float | None]] = [[None] * len(drawn.methods) for _ in drawn.labels]
    for cell, size in zip(drawn.cells, sizes, strict=True):
        shades[cell.row][cell.column] = oriented(size, drawn.measure)
    reach = max(map(abs, sizes)) or 1.0
    figure.add_trace(theme.shades(shades, gap=2, least=-reach, zmax=reach))
    effects = [cell.effect for cell in drawn.cells]
    texts = [_text(*one, drawn.is_factor) for one in zip(effects, sizes, strict=True)]
    x, y = [cell.column for cell in drawn.cells], [cell.row for cell in drawn.cells]
    small, hover = {"size": 12}, [effect.hover for effect in effects]
    figure.add_trace(theme.trace("text", x, y, hover=hover, text=texts, textfont=small, showlegend=False))
    names = [words.plot_text(name, longest=48) + " " for name in drawn.labels]
    theme.name_rows(figure, names, showgrid=False)
    methods = [words.plot_text(name, longest=12) for name in drawn.methods]
    theme.needs_width(figure, LABELS + COLUMN * len(methods))
    theme.name_columns(figure, methods, tickfont=small)
    name_places(figure, x=drawn.methods)
    figure.update_layout(margin={"t": HEAD, "b": 8}, hovermode="closest", hoverdistance=40)
    return figure


def _text(effect: Estimate, size: float, is_factor: bool) -> str:
    shown = f"× {effect.value:.2f}" if is_factor else words.number(effect.value, digits=2)
    if not effect.significant or not size:
        return shown
    return f"{shown} {RAISES if size > 0 else LOWERS}"


class SlopeMark(NamedTuple):
    """The slope of a method in a panel; its estimate is not a number where it has none."""

    panel: Panel
    method: str
    look: Look
    slope: Estimate


class SlopesFigure(NamedTuple):
    """All that is drawn. title: on top; axis: what stands below; suffix: of the numbers on the axis."""

    marks: tuple[SlopeMark, ...]
    grid: PanelGrid
    methods: tuple[str, ...]
    title: str
    axis: str
    suffix: str


def slopes_figure(drawn: SlopesFigure) -> Figure:
    """Slopes of learning curves: a panel for each combination of levels, in it a row a method.

    Parameters
    ----------
    drawn : SlopesFigure
        The slopes with their intervals, the panels, and the methods.

    Returns
    -------
    Figure
        Marks are filled where the slope is significant.

    Examples
    --------
    >>> grid, slope = panels.panel_grid([[("n", "low noise")]]), Estimate(-0.5, -0.75, -0.25, True, "")
    >>> mark = SlopeMark((0, 0), "lin-1", Look("#2A7EFF", "circle"), slope)
    >>> slopes_figure(SlopesFigure((mark,), grid, ("lin-1",), "change", "slope", " %")).data[0]["y"]
    [0]
    """
    marks = [mark for mark in drawn.marks if not isnan(mark.slope.value)]
    if not marks:
        return theme.empty_figure("There are no slopes: they need results at two sizes or more", height=200)
    grid, empty = drawn.grid, drawn.grid.without(mark.panel for mark in marks)
    height, sides = max(SLOPE_HEIGHT * len(drawn.methods), 60), {"left": 116, "right": 16}
    figure = panels.panel_figure(grid, row_height=height, title=drawn.title, empty=empty, **sides)
    ends = [0.0, *(number for mark in marks for number in mark.slope.known)]
    margin = 0.06 * (max(ends) - min(ends) or 1.0)
    low, high = min(ends) - margin, max(ends) + margin
    ticks = _ticks(low, high, max(2, min(4, MOST_TICKS // len(grid.columns))))
    texts = [words.number(tick, digits=3) + (drawn.suffix if tick else "") for tick in ticks]
    places = [(tick - low) / (high - low) for tick in ticks]
    panels.label_panels(figure, grid, list(zip(places, texts, strict=True)), drawn.axis)
    panels.label_rows(figure, drawn.methods, tickfont={"size": 12})
    bar = {"thickness": 1.5, "width": 5, "color": theme.GREY}
    for row in range(len(grid.rows)):
        axis = panels.axis_of(row)
        for column in range(len(grid.columns)):
            at = panels.panel_left(column) + (0.0 - low) / (high - low)
            line = {"type": "line", "x0": at, "x1": at, "y0": 0, "y1": 1, "yref": f"{axis} domain"}
            figure.add_shape(layer="below", line=DASHED, **line)
        part = [mark for mark in marks if mark.panel[0] == row]
        across = [(mark.slope.value - low) / (high - low) for mark in part]
        x = [panels.panel_left(mark.panel[1]) + place for mark, place in zip(part, across, strict=True)]
        y = [drawn.methods.index(mark.method) for mark in part]
        shown = [(mark.slope, mark.look) for mark in part]
        trace = estimate_trace(shown, x, y, bar=bar, size=7, unit=high - low)
        figure.add_trace(trace | {"yaxis": axis})
    return figure


def _ticks(low: float, high: float, most: int) -> list[float]:
    """Return round numbers between the ends, zero among them, at most so many."""
    for power in range(floor(log10(high - low)) - 1, 9):
        for step in (10.0**power, 2 * 10.0**power, 5 * 10.0**power):
            ticks = [step * n for n in range(int(low / step) - 1, int(high / step) + 2)]
            shown = [tick for tick in ticks if low <= tick <= high]
            if len(shown) <= most:
                return shown
    return [0.0]
