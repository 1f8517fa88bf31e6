"""Learning curves on a task-array: small multiples of values by the size of training sets."""

from collections.abc import Sequence
from itertools import groupby
from math import isfinite, isnan, log2, log10, nan
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from delvecore.answers.task_array_sentences import Row
from delvecore.losses.published import PUBLISHED_SIGN, PublishedValue
from delvecore.measures import Baseline
from delvecore.plots import theme
from delvecore.plots.figure import Figure, Trace
from delvecore.plots.task_arrays import panels
from delvecore.plots.task_arrays.panels import (
    DASHED,
    Look,
    Panel,
    PanelGrid,
    Scene,
    against_words,
    as_number,
    task_of,
)
from delvecore.plots.theme import STAYS
from delvecore.report import words
from delvecore.stats.arrays.estimates import Crossing
from delvecore.stats.arrays.results import LEFT_OUT

ROW_HEIGHT, ONE_ROW_HEIGHT = 230, 320
LEFT, RIGHT = 52, 118
LABEL_HEIGHT = 15
LABEL_DISTANCE = 0.03
"""Between the last panel and the labels, in widths of all panels together."""
INSET = 0.06
"""Within a panel, left of the smallest and right of the largest size, in widths of a panel."""
MARK = 7
"""The width of a mark, in pixels."""
LOG_TICKS = tuple(digit * 10.0**power for power in range(-6, 7) for digit in (1, 2, 5))


class CurvePoint(NamedTuple):
    """A method on a task. value, error: not a number where there is none; task: its full path."""

    panel: Panel
    size: int
    value: float
    error: float
    hover: str
    task: str | None


class CrossingDot(NamedTuple):
    """Where two curves cross. size: of the training sets there, between two that there are."""

    panel: Panel
    size: float
    value: float
    hover: str


class Curve(NamedTuple):
    """A method's points, panel by panel, sizes ascending."""

    method: str
    look: Look
    points: tuple[CurvePoint, ...]


class _Curves(NamedTuple):
    """All that is drawn. sizes: of the training sets, ascending; published: results from elsewhere."""

    curves: tuple[Curve, ...]
    grid: PanelGrid
    sizes: tuple[int, ...]
    is_log: bool
    baseline: Baseline | None
    published: tuple[CurvePoint, ...] = ()
    crossings: tuple[CrossingDot, ...] = ()

    def inner(self, size: float) -> float:
        """Where within a panel, on a scale of log2, does a size of training sets lie? 0, which is that of
        unknown ones, lies where 1 does."""
        low, high, here = (log2(max(one, 1)) for one in (self.sizes[0], self.sizes[-1], size))
        return INSET + (1 - 2 * INSET) * (here - low) / (high - low) if high > low else 0.5

    def x(self, point: CurvePoint | CrossingDot) -> float:
        return panels.panel_left(point.panel[1]) + self.inner(point.size)


class _Axis(NamedTuple):
    """The vertical axis that the panels of a row share: its ends as values, and its height in pixels."""

    low: float
    high: float
    is_log: bool
    height: int

    def at(self, value: float) -> float:
        """Return where a value lies in the axis's own numbers."""
        return log10(value) if self.is_log else value

    def is_seen(self, point: CurvePoint) -> bool:
        """Is a point's error longer than its mark? A bar that nobody sees costs time to draw."""
        if isnan(point.error) or isnan(point.value) or (self.is_log and point.value <= 0):
            return False
        longer = log10(1 + point.error / point.value) if self.is_log else point.error
        return longer / (self.at(self.high) - self.at(self.low)) * self.height > MARK / 2


def curves_figure(
    table: pa.Table,
    scene: Scene,
    *,
    is_log: bool = False,
    hint: str = "",
    published: Sequence[tuple[Row, PublishedValue]] = (),
    crossings: Sequence[Crossing] = (),
) -> Figure:
    """Learning curves: a panel for each combination of levels, in it a line a method with standard errors.

    Parameters
    ----------
    table : pa.Table
        Numbers of the question `estimates`, against a reference.
    scene : Scene
        Panels, and looks of methods. Those in grey have thin lines without errors.
    is_log : bool
        Are values on a logarithmic axis?
    hint : str
        Last line where the mouse is.
    published : sequence
        Values from elsewhere, each with the row of its cell, in the unit of the estimates.
    crossings : sequence of Crossing
        Get a ring.

    Returns
    -------
    Figure
        A click gives the point's customdata: task and method.
    """
    points_of: dict[str, list[CurvePoint]] = {name: [] for name in scene.looks}
    for row in table.to_pylist():
        if row["method"] in points_of and row["missing"] not in LEFT_OUT:
            value, error = as_number(row["standardized_mean"]), as_number(row["standardized_error"])
            panel, text = scene.grid.place(row["levels"]), _curve_hover(scene, row) + hint
            point = CurvePoint(panel, row["training_size"], value, error, text, task_of(row))
            points_of[row["method"]].append(point)
    drawn = _Curves(
        curves=tuple(Curve(name, look, tuple(points_of[name])) for name, look in scene.looks.items()),
        grid=scene.grid,
        sizes=tuple(sorted({point.size for points in points_of.values() for point in points})),
        is_log=is_log,
        baseline=scene.measure.baseline,
        published=tuple(_published_point(scene, *one) for one in published),
        crossings=tuple(_crossing_dot(scene.grid, one) for one in crossings),
    )
    points = [*drawn.published, *(point for curve in drawn.curves for point in curve.points)]
    if not any(curve.points for curve in drawn.curves):
        return theme.empty_figure("No results under this measure", height=200)
    grid, rows = drawn.grid, range(len(drawn.grid.rows))
    height = ROW_HEIGHT if len(rows) > 1 else ONE_ROW_HEIGHT
    empty = grid.without(point.panel for point in points if not isnan(point.value))
    sides = {"left": LEFT, "right": RIGHT}
    figure = panels.panel_figure(
        grid, row_height=height, title=words.vertical_axis(scene.measure), empty=empty, **sides
    )
    shown = panels.size_ticks(drawn.sizes, grid)
    ticks = [(drawn.inner(size), str(size or "")) for size in shown]
    panels.label_panels(figure, grid, ticks, "training cases" if any(shown) else "")
    traces = []
    for row in rows:
        axis = _axis(drawn, [point for point in points if point.panel[0] == row], height)
        _label_values(figure, axis, row)
        traces += _row_traces(drawn, axis, row)
        if drawn.baseline and axis.low <= drawn.baseline.value <= axis.high:
            _add_baseline(figure, grid, drawn.baseline, axis, row)
        _label_ends(figure, drawn, axis, row)
    figure.add_traces(sorted(traces, key=lambda trace: trace.get("opacity", 1) == 1))
    theme.clickable(figure)
    return figure


def _curve_hover(scene: Scene, row: Row) -> str:
    where, name = scene.place(row), words.plot_text(row["method"])
    if row["standardized_mean"] is None:
        return f"<b>{name}</b>: {row['missing']}<br>{where}"
    shown = words.with_error(row["standardized_mean"], row["standardized_error"])
    instances = words.count(row["instances"], "training set")
    return f"<b>{name}</b> {shown}, {instances}<br>{against_words(row)}<br>{where}"


def _published_point(scene: Scene, row: Row, value: PublishedValue) -> CurvePoint:
    name, spread = words.plot_text(f"{value.method}{PUBLISHED_SIGN}"), value.deviation
    shown = words.number(value.mean) + (f" (SD {words.number(spread)})" if spread else "")
    origin = words.lines(f"published, not tested: {value.origin}", longest=60)
    hover = f"<b>{name}</b> {shown}<br>{origin}<br>{scene.place(row)}"
    panel, size = scene.grid.place(row["levels"]), row["training_size"]
    return CurvePoint(panel, size, value.mean, as_number(spread), hover=hover, task=task_of(row))


def _crossing_dot(grid: PanelGrid, one: Crossing) -> CrossingDot:
    ends = one.before.training_size, one.after.training_size
    low, high = (log2(max(size, 1)) for size in ends)
    name, other = words.plot_text(one.ahead), words.plot_text(one.behind)
    hover = f"<b>{name}</b> overtakes {other}<br>between {ends[0]:,} and {ends[1]:,} training cases"
    return CrossingDot(grid.place(one.before.levels), 2 ** (low + one.share * (high - low)), one.value, hover)


def _axis(drawn: _Curves, points: Sequence[CurvePoint], height: int) -> _Axis:
    """Return the vertical axis of a row of panels: what lies above it is drawn at the upper edge."""
    if not any(isfinite(point.value) for point in points):
        return _Axis(0.1, 1.0, drawn.is_log, height)
    value, error = (np.array([getattr(point, name) for point in points]) for name in ("value", "error"))
    error = np.nan_to_num(error, nan=0.0, posinf=np.inf)
    baseline = drawn.baseline.value if drawn.baseline else 0.0
    most = float(np.nanmax(value + error))
    usual = max(float(np.nanpercentile(value + error, 90)) * 1.4, baseline * 1.3) if baseline else most
    high = min(most, usual)
    if drawn.is_log:
        return _Axis(float(value[value > 0].min()) / 1.15, high * 1.1, True, height)
    low = float(np.nanmin(value - error))
    if drawn.baseline is None:  # whose zero need not mean anything
        room = 0.05 * (high - low) or 0.05 * abs(high) or 1.0
        return _Axis(low - room, high + room, False, height)
    low = min(0.0, low)
    return _Axis(low - 0.04 * (high - low) * (low < 0), high * 1.05, False, height)


def _label_values(figure: Figure, axis: _Axis, row: int) -> None:
    ticks: dict[str, Any] = {"type": "linear"}
    if axis.is_log:
        shown = [tick for tick in LOG_TICKS if axis.low <= tick <= axis.high]
        ticks = {"type": "log", "tickvals": shown, "ticktext": [f"{tick:g}" for tick in shown]}
    place = {"range": [axis.at(axis.low), axis.at(axis.high)], "tickfont": {"size": 12}}
    figure.update_layout(**{panels.axis_of(row).replace("y", "yaxis"): {**place, **ticks}})


def _row_traces(drawn: _Curves, axis: _Axis, row: int) -> list[Trace]:
    """Return the lines through a row of panels, and arrowheads for values that lie beyond its upper edge."""
    parts = [
        curve._replace(points=tuple(point for point in curve.points if point.panel[0] == row))
        for curve in drawn.curves
    ]
    traces = [_line(drawn, part, axis, row) for part in parts if part.points]
    elsewhere = [point for point in drawn.published if point.panel[0] == row and point.value <= axis.high]
    traces += [_elsewhere(drawn, elsewhere, axis, row)] if elsewhere else []
    crossed = [dot for dot in drawn.crossings if dot.panel[0] == row and dot.value <= axis.high]
    traces += [_crossed(drawn, crossed, row)] if crossed else []
    beyond = [(point, part) for part in parts for point in part.points if point.value > axis.high]
    if beyond:
        traces.append(_beyond(drawn, sorted(beyond, key=lambda one: one[0][:2]), axis, row))
    return traces


def _line(drawn: _Curves, curve: Curve, axis: _Axis, row: int) -> Trace:
    """Return a method's line through a row of panels, broken between them and where results are missing."""
    look, broken = curve.look, CurvePoint(panel=(row, -1), size=0, value=nan, error=nan, hover="", task=None)
    groups = groupby(curve.points, lambda point: point.panel)
    points = [point for _, panel in groups for point in (broken, *panel)][1:]
    values = [point.value if isfinite(point.value) else None for point in points]
    errors: dict[str, Any] = {}
    if not look.is_grey:
        seen = [point.error if axis.is_seen(point) else None for point in points]
        errors = {"error_y": {"array": seen, "thickness": 1.3, "width": 0, "color": look.colour}}
    return theme.trace(
        "lines" if look.is_grey and _is_joined(values) else "lines+markers",
        [None if point is broken else drawn.x(point) for point in points],
        values,
        hover=[point.hover for point in points],
        meta=curve.method,
        name=words.plot_text(curve.method),
        yaxis=panels.axis_of(row),
        line=look.line(2),
        marker={"color": look.shown_colour, "symbol": look.symbol, "size": 3 if look.is_grey else MARK},
        opacity=0.55 if look.is_grey else 1,
        customdata=[[point.task, curve.method] for point in points],
        **errors,
        **STAYS,
    )


def _elsewhere(drawn: _Curves, points: Sequence[CurvePoint], axis: _Axis, row: int) -> Trace:
    """Return the hollow marks of what was published on a row of panels."""
    look = theme.ELSEWHERE
    seen = [point.error if axis.is_seen(point) else None for point in points]
    return theme.trace(
        "markers",
        [drawn.x(point) for point in points],
        [point.value for point in points],
        hover=[point.hover for point in points],
        yaxis=panels.axis_of(row),
        marker={"symbol": f"{look.symbol}-open", "size": MARK + 2, "color": look.colour},
        error_y={"array": seen, "thickness": 1.3, "width": 0, "color": look.colour},
        customdata=[[point.task, ""] for point in points],
        **STAYS,
    )


def _crossed(drawn: _Curves, dots: Sequence[CrossingDot], row: int) -> Trace:
    """Return a ring around each point where curves cross."""
    return theme.trace(
        "markers",
        [drawn.x(dot) for dot in dots],
        [dot.value for dot in dots],
        hover=[dot.hover for dot in dots],
        name="crossings",
        yaxis=panels.axis_of(row),
        marker={"symbol": "circle-open", "size": 2 * MARK, "color": theme.LINE_GREY, "line": {"width": 2}},
        customdata=[[None, ""]] * len(dots),
        **STAYS,
    )


def _is_joined(values: Sequence[float | None]) -> bool:
    """Is every value next to another, so that a line without marks shows them all?"""
    around = zip([None, *values], values, [*values[1:], None], strict=False)
    return all(value is None or (before, after) != (None, None) for before, value, after in around)


def _beyond(drawn: _Curves, found: Sequence[tuple[CurvePoint, Curve]], axis: _Axis, row: int) -> Trace:
    colours = [curve.look.colour for _, curve in found]
    return theme.trace(
        "markers",
        [drawn.x(point) for point, _ in found],
        [axis.high] * len(found),
        hover=[point.hover for point, _ in found],
        yaxis=panels.axis_of(row),
        cliponaxis=False,
        marker={"symbol": "triangle-up-open", "size": 10, "color": colours},
        customdata=[[point.task, curve.method] for point, curve in found],
        **STAYS,
    )


def _add_baseline(figure: Figure, grid: PanelGrid, baseline: Baseline, axis: _Axis, row: int) -> None:
    ends = {"type": "line", "x0": 0, "x1": grid.end, "y0": baseline.value, "y1": baseline.value}
    figure.add_shape(yref=panels.axis_of(row), layer="below", line=DASHED, **ends)
    anchor = "top" if baseline.value > axis.low + 0.9 * (axis.high - axis.low) else "bottom"
    # Off the marks of a method that is as good as the baseline, which lie on the line.
    shift = -4 if anchor == "top" else 4
    place = {"yref": panels.axis_of(row), "xanchor": "left", "yanchor": anchor, "yshift": shift}
    theme.add_text(figure, baseline.text, 0.02, axis.at(baseline.value), size=11, **place)


def _label_ends(figure: Figure, drawn: _Curves, axis: _Axis, row: int) -> None:
    """Write the coloured methods' names right of a row, joined to where their lines end in its last panel."""
    grid = drawn.grid
    ends = _ends(drawn, (row, len(grid.columns) - 1))
    low, high = axis.at(axis.low), axis.at(axis.high)
    values = [min(axis.at(point.value), high) for point, _ in ends]
    places = [axis.height * (value - low) / (high - low) for value in values]
    moved = _spread(places, gap=LABEL_HEIGHT, low=2, high=axis.height - 4)
    place_of_name = {"ax": grid.end + LABEL_DISTANCE * len(grid.columns), "axref": "x", "ayref": "pixel"}
    arrow = {"showarrow": True, "arrowhead": 0, "arrowwidth": 1, "standoff": 4, **place_of_name}
    written = [
        {
            "x": drawn.x(point),
            "y": value,
            "yref": panels.axis_of(row),
            "text": words.plot_text(curve.method, longest=15),
            "name": curve.method,
            "font": {"size": 12},
            "arrowcolor": curve.look.colour,
            "ay": place - target,
            "xanchor": "left",
            "yanchor": "middle",
            **arrow,
        }
        for (point, curve), value, place, target in zip(ends, values, places, moved, strict=True)
    ]
    figure.add_annotations(written)


def _ends(drawn: _Curves, panel: Panel) -> list[tuple[CurvePoint, Curve]]:
    """Return the last point of each coloured method in a panel."""
    ends = []
    for curve in drawn.curves:
        known = [point for point in curve.points if point.panel == panel and not isnan(point.value)]
        if known and not curve.look.is_grey:
            ends.append((known[-1], curve))
    return sorted(ends, key=lambda end: end[0].size)


def _spread(places: Sequence[float], *, gap: float, low: float, high: float) -> list[float]:
    """Return places (in their order) moved as little as is easy so that none is nearer than gap to another.

    low, high: the ends of the room, which is left only where it is too small."""
    order = sorted(range(len(places)), key=lambda number: places[number])
    groups: list[tuple[float, int]] = []
    for number in order:
        groups.append((min(max(places[number], low), high), 1))
        while len(groups) > 1 and _too_near(groups[-2], groups[-1], gap):
            (upper, more), (lower, some) = groups.pop(), groups.pop()
            centre, reach = (upper * more + lower * some) / (more + some), (more + some - 1) * gap / 2
            groups.append((max(min(centre, high - reach), low + reach), more + some))
    moved = [centre + gap * (n - (size - 1) / 2) for centre, size in groups for n in range(size)]
    return [place for _, place in sorted(zip(order, moved, strict=True))]


def _too_near(lower: tuple[float, int], upper: tuple[float, int], gap: float) -> bool:
    return upper[0] - lower[0] < gap * (lower[1] + upper[1]) / 2 - 1e-9
