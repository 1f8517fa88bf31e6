"""Learning curves on a task-array: small multiples of values by the size of training sets."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from math import isfinite, isnan, log2, log10, nan
from typing import Any, NamedTuple

import numpy as np

from delvecore.answers.answer import Table, plain_columns, table_of
from delvecore.answers.task_array import ArrayFacts
from delvecore.losses.published import PUBLISHED_SIGN, PublishedResult
from delvecore.measures import Baseline
from delvecore.model import TaskArray
from delvecore.plots import theme
from delvecore.plots.figure import Figure, Trace
from delvecore.plots.task_arrays import panels
from delvecore.plots.task_arrays.panels import DASHED, PanelGrid, against_words, as_number, task_of
from delvecore.plots.theme import STAYS, MethodStyle
from delvecore.render.numbers import integer, significant
from delvecore.report import words
from delvecore.stats.arrays.estimates import Crossing
from delvecore.stats.arrays.results import LEFT_OUT, GridCell
from delvecore.tables import rows_of

ROW_HEIGHT, ONE_ROW_HEIGHT = 230, 320
LEFT, RIGHT = 52, 118
LABEL_HEIGHT = 15
LABEL_DISTANCE = 0.03
"""Gap between the last panel and the labels, in widths of all panels together."""
INSET = 0.06
"""Margin within a panel, left of the smallest and right of the largest size, in widths of a panel."""
MARK = 7
"""Width of a mark in pixels."""
POINT = ("row", "column", "size", "value", "error", "hover", "task", "method")
"""Columns of points. row, column: position of the panel; value, error: NaN if missing."""
LOG_TICKS = tuple(digit * 10.0**power for power in range(-6, 7) for digit in (1, 2, 5))


class _Axis(NamedTuple):
    """Axes of a row of panels: ascending sizes across, ends of the values, height in pixels."""

    sizes: Sequence[float]
    row: int
    low: float
    high: float
    is_log: bool
    height: int

    @property
    def name(self) -> str:
        return panels.axis_of(self.row)

    def x(self, points: Table) -> list[float | None]:
        """Return the positions of points, None between panels."""
        places = points.select("column", "size").rows
        return [
            None if column < 0 else panels.panel_left(column) + _inner(self.sizes, size)
            for column, size in places
        ]

    def at(self, value: float) -> float:
        """Return the position of a value on the axis, which may be logarithmic."""
        return log10(value) if self.is_log else value

    def is_seen(self, value: float, error: float) -> bool:
        """Is a point's error longer than its mark? Drawing an invisible bar takes time."""
        if isnan(error) or isnan(value) or (self.is_log and value <= 0):
            return False
        longer = log10(1 + error / value) if self.is_log else error
        return longer / (self.at(self.high) - self.at(self.low)) * self.height > MARK / 2

    def bars(self, points: Table, color: str) -> dict[str, Any]:
        seen = [error if self.is_seen(value, error) else None for value, error in _values(points)]
        return {"array": seen, "thickness": 1.3, "width": 0, "color": color}

    def trace(self, mode: str, points: Table, y: Sequence[float | None] = (), **more: Any) -> Trace:
        """Return a trace of points with hover texts. y: replaces values; more: parts of the trace."""
        return theme.trace(
            mode,
            self.x(points),
            list(y or points["value"]),
            hover=list(points["hover"]),
            yaxis=self.name,
            customdata=[list(one) for one in points.select("task", "method").rows],
            **more,
            **STAYS,
        )


def _values(points: Table) -> list[tuple[float, float]]:
    """Return the values of points with their errors."""
    return points.select("value", "error").rows


def _where(points: Table, holds: Iterable[bool]) -> Table:
    """Return the points that satisfy a condition."""
    return points.take([number for number, one in enumerate(holds) if one])


def _inner(sizes: Sequence[float], size: float) -> float:
    """Return the position of a training size within a panel, on a log2 scale; 0 (unknown) counts as 1."""
    low, high, here = (log2(max(one, 1)) for one in (sizes[0], sizes[-1], size))
    return INSET + (1 - 2 * INSET) * (here - low) / (high - low) if high > low else 0.5


def curves_figure(
    array_table: ArrayFacts,
    styles: Mapping[str, MethodStyle],
    *,
    is_log: bool = False,
    hint: str = "",
    published: Sequence[tuple[GridCell, PublishedResult]] = (),
    crossings: Sequence[Crossing] = (),
    grid: PanelGrid | None = None,
) -> Figure:
    """Learning curves: a panel for each combination of levels, with a line and standard errors per method.

    Parameters
    ----------
    array_table : ArrayFacts
        Numbers of the question `estimates`, against a reference.
    styles : mapping
        Looks of methods. Gray methods have thin lines without errors.
    is_log : bool
        Whether the axis of values is logarithmic.
    hint : str
        Last line of hover texts.
    published : sequence
        Values from elsewhere, each with its cell, in the unit of the estimates.
    crossings : sequence of Crossing
        Crossings of curves, which are marked with rings.
    grid : PanelGrid, optional
        The panels; None for those of a page.

    Returns
    -------
    Figure
        A click gives the point's customdata: task and method.
    """
    grid = grid or panels.panel_grid(array_table.array)
    own = _estimates(array_table, styles, grid, hint)
    if not len(own):
        return theme.empty_figure("No results under this measure", height=200)
    elsewhere = _points(
        _published_point(array_table.array, grid, *one) for one in published if grid.shows(one[0].levels)
    )
    crossed = _points(_crossing_dot(grid, one) for one in crossings if grid.shows(one.before.levels))
    baseline, sizes = array_table.measure.baseline, sorted({int(size) for size in own["size"]})
    height = ROW_HEIGHT if len(grid.rows) > 1 else ONE_ROW_HEIGHT
    every = [*elsewhere.select("row", "column", "value").rows, *own.select("row", "column", "value").rows]
    empty = grid.without((row, column) for row, column, value in every if not isnan(value))
    title = words.vertical_axis(array_table.measure)
    figure = panels.panel_figure(grid, row_height=height, title=title, empty=empty, left=LEFT, right=RIGHT)
    shown = panels.size_ticks(sizes, grid)
    ticks = [(_inner(sizes, size), str(size or "")) for size in shown]
    panels.label_panels(figure, grid, ticks, "training cases" if any(shown) else "")
    traces: list[Trace] = []
    for row in range(len(grid.rows)):
        mine, others, dots = (
            _where(points, (one == row for one in points["row"])) for points in (own, elsewhere, crossed)
        )
        ends = _ends_of_values([*_values(others), *_values(mine)], baseline, is_log=is_log)
        axis = _Axis(sizes, row, *ends, is_log, height)
        _label_values(figure, axis)
        traces += _row_traces(axis, styles, mine, others, dots)
        if baseline and axis.low <= baseline.value <= axis.high:
            _add_baseline(figure, grid, baseline, axis)
        if row == 0:
            _label_ends(figure, grid, styles, mine, axis)
    figure.add_traces(sorted(traces, key=lambda trace: trace.get("opacity", 1) == 1))
    theme.clickable(figure)
    return figure


def _points(rows: Iterable[Sequence[Any]]) -> Table:
    return table_of(rows, plain_columns("number", *POINT))


def _estimates(array_table: ArrayFacts, styles: Collection[str], grid: PanelGrid, hint: str) -> Table:
    """Return the points of methods."""
    points = []
    names = ("method", "reference", "levels", "training_size", "dataset", "prototask", "task")
    numbers = ("standardized_mean", "standardized_error", "difference", "difference_error", "p_adjusted")
    for (
        method,
        reference,
        levels,
        size,
        *place,
        missing,
        instances,
        value,
        error,
        less,
        less_error,
        p,
    ) in rows_of(array_table.table, (*names, "missing", "instances", *numbers)):
        if method in styles and missing not in LEFT_OUT and grid.shows(levels):
            where, name = panels.place_words(array_table.array, levels, size), words.plot_text(method)
            hover = f"<b>{name}</b>: {missing}<br>{where}"
            if value is not None:
                against = "the reference"
                if method != reference:
                    against = against_words(less, less_error, p, reference)
                sets = words.count(instances, "training set")
                hover = f"<b>{name}</b> {words.with_error(value, error)}, {sets}<br>{against}<br>{where}"
            ends = (as_number(value), as_number(error), hover + hint, task_of(*place), method)
            points.append((*grid.place(levels), size, *ends))
    return _points(points)


def _published_point(
    array: TaskArray, grid: PanelGrid, cell: GridCell, value: PublishedResult
) -> tuple[Any, ...]:
    name, spread = words.plot_text(f"{value.method}{PUBLISHED_SIGN}"), value.deviation
    shown = words.number(value.mean) + (f" (SD {words.number(spread)})" if spread else "")
    origin = words.lines(f"published, not tested: {value.origin}", longest=60)
    hover = (
        f"<b>{name}</b> {shown}<br>{origin}<br>{panels.place_words(array, cell.levels, cell.training_size)}"
    )
    numbers = cell.training_size, value.mean, as_number(spread)
    return (*grid.place(cell.levels), *numbers, hover, task_of(*cell.place), "")


def _crossing_dot(grid: PanelGrid, one: Crossing) -> tuple[Any, ...]:
    ends = one.before.training_size, one.after.training_size
    low, high = (log2(max(size, 1)) for size in ends)
    name, other = words.plot_text(one.ahead), words.plot_text(one.behind)
    hover = (
        f"<b>{name}</b> overtakes {other}<br>between {integer(ends[0])} and {integer(ends[1])} training cases"
    )
    size = 2 ** (low + one.share * (high - low))
    return (*grid.place(one.before.levels), size, one.value, nan, hover, None, "")


def _ends_of_values(
    values: Sequence[tuple[float, float]], baseline: Baseline | None, *, is_log: bool
) -> tuple[float, float]:
    """Return the ends of the axis of a row of panels. Larger values are drawn at the upper edge.

    values: (value, error)."""
    if not any(isfinite(value) for value, _ in values):
        return 0.1, 1.0
    value, error = np.array(values).T
    error = np.nan_to_num(error, nan=0.0, posinf=np.inf)
    least = baseline.value if baseline else 0.0
    most = float(np.nanmax(value + error))
    usual = max(float(np.nanpercentile(value + error, 90)) * 1.4, least * 1.3) if least else most
    high = min(most, usual)
    if is_log:
        return float(value[value > 0].min()) / 1.15, high * 1.1
    low = float(np.nanmin(value - error))
    if baseline is None:  # Its zero may have no meaning.
        room = 0.05 * (high - low) or 0.05 * abs(high) or 1.0
        return low - room, high + room
    low = min(0.0, low)
    return low - 0.04 * (high - low) * (low < 0), high * 1.05


def _label_values(figure: Figure, axis: _Axis) -> None:
    ticks: dict[str, Any] = {"type": "linear"}
    if axis.is_log:
        shown = [tick for tick in LOG_TICKS if axis.low <= tick <= axis.high]
        ticks = {"type": "log", "tickvals": shown, "ticktext": [significant(tick, 6) for tick in shown]}
    place = {"range": [axis.at(axis.low), axis.at(axis.high)], "tickfont": {"size": 12}}
    figure.update_layout(**{axis.name.replace("y", "yaxis"): {**place, **ticks}})


def _row_traces(
    axis: _Axis, styles: Mapping[str, MethodStyle], own: Table, elsewhere: Table, crossed: Table
) -> Iterator[Trace]:
    """Yield lines, marks of published values, rings around crossings, and arrowheads at the upper edge."""
    for name, look in styles.items():
        points = _where(own, (one == name for one in own["method"]))
        if len(points):
            yield _line(axis, name, look, points)
    elsewhere, crossed = (
        _where(points, (value <= axis.high for value in points["value"])) for points in (elsewhere, crossed)
    )
    if len(elsewhere):
        symbol, color = f"{theme.ELSEWHERE.symbol}-open", theme.ELSEWHERE.color
        marker = {"symbol": symbol, "size": MARK + 2, "color": color}
        yield axis.trace("markers", elsewhere, marker=marker, error_y=axis.bars(elsewhere, color))
    if len(crossed):
        ring = {"symbol": "circle-open", "size": 2 * MARK, "color": theme.LINE_GRAY, "line": {"width": 2}}
        yield axis.trace("markers", crossed, name="crossings", marker=ring)
    beyond = _points(
        sorted((one for one in own.rows if one[3] > axis.high), key=lambda one: (one[0], one[1], one[2]))
    )
    if len(beyond):
        colors = [styles[name].color for name in beyond["method"]]
        marker = {"symbol": "triangle-up-open", "size": 10, "color": colors}
        yield axis.trace("markers", beyond, [axis.high] * len(beyond), cliponaxis=False, marker=marker)


def _line(axis: _Axis, name: str, look: MethodStyle, own: Table) -> Trace:
    """Return a method's line through a row of panels, broken between them and where results are missing."""
    broken = (axis.row, -1, 0, nan, nan, "", None, name)
    groups = groupby(own.rows, lambda point: point[:2])
    points = _points([point for _, panel in groups for point in (broken, *panel)][1:])
    values = [value if isfinite(value) else None for value in points["value"]]
    return axis.trace(
        "lines" if look.is_gray and _is_joined(values) else "lines+markers",
        points,
        values,
        meta=name,
        name=words.plot_text(name),
        line=look.line(2),
        marker={"color": look.shown_color, "symbol": look.symbol, "size": 3 if look.is_gray else MARK},
        opacity=0.55 if look.is_gray else 1,
        error_y=None if look.is_gray else axis.bars(points, look.color),
    )


def _is_joined(values: Sequence[float | None]) -> bool:
    """Does every value have a neighbor, so that a line without marks shows them all?"""
    around = zip([None, *values], values, [*values[1:], None], strict=False)
    return all(value is None or (before, after) != (None, None) for before, value, after in around)


def _add_baseline(figure: Figure, grid: PanelGrid, baseline: Baseline, axis: _Axis) -> None:
    ends = {"type": "line", "x0": 0, "x1": grid.end, "y0": baseline.value, "y1": baseline.value}
    figure.add_shape(yref=axis.name, layer="below", line=DASHED, **ends)
    anchor = "top" if baseline.value > axis.low + 0.9 * (axis.high - axis.low) else "bottom"
    # Marks of a method that equals the baseline are on the line.
    shift = -4 if anchor == "top" else 4
    place = {"yref": axis.name, "xanchor": "left", "yanchor": anchor, "yshift": shift}
    theme.add_text(figure, baseline.text, 0.02, axis.at(baseline.value), size=11, **place)


def _label_ends(
    figure: Figure, grid: PanelGrid, styles: Mapping[str, MethodStyle], own: Table, axis: _Axis
) -> None:
    """Write the colored methods' names right of a row, joined to the ends of their lines."""
    last, rows = len(grid.columns) - 1, enumerate(own.select("column", "value", "method").rows)
    of_methods = {
        name: row
        for row, (column, value, name) in rows
        if column == last and not isnan(value) and not styles[name].is_gray
    }
    ordered = (of_methods[name] for name in styles if name in of_methods)
    ends = own.take(sorted(ordered, key=lambda row: float(own["size"][row])))
    low, high = axis.at(axis.low), axis.at(axis.high)
    values = [min(axis.at(value), high) for value in ends["value"]]
    places = [axis.height * (value - low) / (high - low) for value in values]
    moved = _spread(places, gap=LABEL_HEIGHT, low=2, high=axis.height - 4)
    place_of_name = {"ax": grid.end + LABEL_DISTANCE * len(grid.columns), "axref": "x", "ayref": "pixel"}
    arrow = {"showarrow": True, "arrowhead": 0, "arrowwidth": 1, "standoff": 4, **place_of_name}
    written = [
        {
            "x": x,
            "y": value,
            "yref": axis.name,
            "text": words.plot_text(name, longest=15),
            "name": name,
            "font": {"size": 12},
            "arrowcolor": styles[name].color,
            "ay": place - target,
            "xanchor": "left",
            "yanchor": "middle",
            **arrow,
        }
        for name, x, value, place, target in zip(
            ends["method"], axis.x(ends), values, places, moved, strict=True
        )
    ]
    figure.add_annotations(written)


def _spread(places: Sequence[float], *, gap: float, low: float, high: float) -> list[float]:
    """Return places, slightly shifted to a minimum distance, between low and high if there is room."""
    order = sorted(range(len(places)), key=lambda number: places[number])
    groups: list[tuple[float, int]] = []
    for number in order:
        groups.append((min(max(places[number], low), high), 1))
        while len(groups) > 1:
            (lower, some), (upper, more) = groups[-2:]
            if upper - lower >= gap * (some + more) / 2 - 1e-9:
                break
            del groups[-2:]
            center, reach = (upper * more + lower * some) / (more + some), (more + some - 1) * gap / 2
            groups.append((max(min(center, high - reach), low + reach), more + some))
    moved = [center + gap * (n - (size - 1) / 2) for center, size in groups for n in range(size)]
    return [place for _, place in sorted(zip(order, moved, strict=True))]
