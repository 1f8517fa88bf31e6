"""Learning curves on a task-array: small multiples of values by the size of training sets."""

from collections.abc import Iterator, Mapping, Sequence
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
from delvecore.render.numbers import integer, significant
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
    """A method on a task, or a crossing of curves. value, error: not a number where there is none; task: its
    full path."""

    panel: Panel
    size: float
    value: float
    error: float
    hover: str
    task: str | None
    method: str = ""


class _Axis(NamedTuple):
    """Axes of a row of panels: sizes of training sets across, ascending; ends of the values; height in
    pixels."""

    sizes: Sequence[float]
    row: int
    low: float
    high: float
    is_log: bool
    height: int

    @property
    def name(self) -> str:
        return panels.axis_of(self.row)

    def x(self, point: CurvePoint) -> float:
        return panels.panel_left(point.panel[1]) + _inner(self.sizes, point.size)

    def at(self, value: float) -> float:
        """Return where a value lies in the axis's own numbers."""
        return log10(value) if self.is_log else value

    def is_seen(self, point: CurvePoint) -> bool:
        """Is a point's error longer than its mark? A bar that nobody sees costs time to draw."""
        if isnan(point.error) or isnan(point.value) or (self.is_log and point.value <= 0):
            return False
        longer = log10(1 + point.error / point.value) if self.is_log else point.error
        return longer / (self.at(self.high) - self.at(self.low)) * self.height > MARK / 2

    def bars(self, points: Sequence[CurvePoint], colour: str) -> dict[str, Any]:
        seen = [point.error if self.is_seen(point) else None for point in points]
        return {"array": seen, "thickness": 1.3, "width": 0, "color": colour}

    def trace(self, mode: str, points: Sequence[CurvePoint], **more: Any) -> Trace:
        """Return a trace of points, which answer to the mouse. more: parts of the trace."""
        return theme.trace(
            mode,
            more.pop("x", [self.x(point) for point in points]),
            more.pop("y", [point.value for point in points]),
            hover=[point.hover for point in points],
            yaxis=self.name,
            customdata=[[point.task, point.method] for point in points],
            **more,
            **STAYS,
        )


def _inner(sizes: Sequence[float], size: float) -> float:
    """Where within a panel, on a scale of log2, does a size of training sets lie? 0, which is that of unknown
    ones, lies where 1 does."""
    low, high, here = (log2(max(one, 1)) for one in (sizes[0], sizes[-1], size))
    return INSET + (1 - 2 * INSET) * (here - low) / (high - low) if high > low else 0.5


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
    own = []
    for row in table.to_pylist():
        if row["method"] in scene.looks and row["missing"] not in LEFT_OUT and scene.shows(row["levels"]):
            value, error = as_number(row["standardized_mean"]), as_number(row["standardized_error"])
            panel, text = scene.grid.place(row["levels"]), _curve_hover(scene, row) + hint
            place = panel, row["training_size"], value, error
            own.append(CurvePoint(*place, text, task_of(row), row["method"]))
    if not own:
        return theme.empty_figure("No results under this measure", height=200)
    elsewhere = [_published_point(scene, *one) for one in published if scene.shows(one[0]["levels"])]
    crossed = [_crossing_dot(scene.grid, one) for one in crossings if scene.shows(one.before.levels)]
    grid, baseline, sizes = scene.grid, scene.measure.baseline, sorted({int(point.size) for point in own})
    height = ROW_HEIGHT if len(grid.rows) > 1 else ONE_ROW_HEIGHT
    empty = grid.without(point.panel for point in (*elsewhere, *own) if not isnan(point.value))
    title = words.vertical_axis(scene.measure)
    figure = panels.panel_figure(grid, row_height=height, title=title, empty=empty, left=LEFT, right=RIGHT)
    shown = panels.size_ticks(sizes, grid)
    ticks = [(_inner(sizes, size), str(size or "")) for size in shown]
    panels.label_panels(figure, grid, ticks, "training cases" if any(shown) else "")
    traces: list[Trace] = []
    for row in range(len(grid.rows)):
        mine, others, dots = (
            [point for point in points if point.panel[0] == row] for points in (own, elsewhere, crossed)
        )
        ends = _ends_of_values([*others, *mine], baseline, is_log=is_log)
        axis = _Axis(sizes, row, *ends, is_log, height)
        _label_values(figure, axis)
        traces += _row_traces(axis, scene.looks, mine, others, dots)
        if baseline and axis.low <= baseline.value <= axis.high:
            _add_baseline(figure, grid, baseline, axis)
        if row == 0:
            _label_ends(figure, grid, scene.looks, mine, axis)
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


def _crossing_dot(grid: PanelGrid, one: Crossing) -> CurvePoint:
    ends = one.before.training_size, one.after.training_size
    low, high = (log2(max(size, 1)) for size in ends)
    name, other = words.plot_text(one.ahead), words.plot_text(one.behind)
    hover = (
        f"<b>{name}</b> overtakes {other}<br>between {integer(ends[0])} and {integer(ends[1])} training cases"
    )
    size = 2 ** (low + one.share * (high - low))
    return CurvePoint(grid.place(one.before.levels), size, one.value, nan, hover, None)


def _ends_of_values(
    points: Sequence[CurvePoint], baseline: Baseline | None, *, is_log: bool
) -> tuple[float, float]:
    """Return the ends of the axis of a row of panels: what lies above them is drawn at the upper edge."""
    if not any(isfinite(point.value) for point in points):
        return 0.1, 1.0
    value, error = (np.array([getattr(point, name) for point in points]) for name in ("value", "error"))
    error = np.nan_to_num(error, nan=0.0, posinf=np.inf)
    least = baseline.value if baseline else 0.0
    most = float(np.nanmax(value + error))
    usual = max(float(np.nanpercentile(value + error, 90)) * 1.4, least * 1.3) if least else most
    high = min(most, usual)
    if is_log:
        return float(value[value > 0].min()) / 1.15, high * 1.1
    low = float(np.nanmin(value - error))
    if baseline is None:  # whose zero need not mean anything
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
    axis: _Axis,
    looks: Mapping[str, Look],
    own: Sequence[CurvePoint],
    elsewhere: Sequence[CurvePoint],
    crossed: Sequence[CurvePoint],
) -> Iterator[Trace]:
    """Yield the lines through a row of panels, hollow marks of published values, a ring around each crossing,
    and arrowheads for values beyond its upper edge."""
    for name, look in looks.items():
        if points := [point for point in own if point.method == name]:
            yield _line(axis, look, points)
    if shown := [point for point in elsewhere if point.value <= axis.high]:
        symbol, colour = f"{theme.ELSEWHERE.symbol}-open", theme.ELSEWHERE.colour
        marker = {"symbol": symbol, "size": MARK + 2, "color": colour}
        yield axis.trace("markers", shown, marker=marker, error_y=axis.bars(shown, colour))
    if shown := [point for point in crossed if point.value <= axis.high]:
        ring = {"symbol": "circle-open", "size": 2 * MARK, "color": theme.LINE_GREY, "line": {"width": 2}}
        yield axis.trace("markers", shown, name="crossings", marker=ring)
    if beyond := sorted((point for point in own if point.value > axis.high), key=lambda one: one[:2]):
        colours = [looks[point.method].colour for point in beyond]
        marker = {"symbol": "triangle-up-open", "size": 10, "color": colours}
        yield axis.trace("markers", beyond, y=[axis.high] * len(beyond), cliponaxis=False, marker=marker)


def _line(axis: _Axis, look: Look, own: Sequence[CurvePoint]) -> Trace:
    """Return a method's line through a row of panels, broken between them and where results are missing."""
    broken = CurvePoint((axis.row, -1), 0, nan, nan, "", None, own[0].method)
    groups = groupby(own, lambda point: point.panel)
    points = [point for _, panel in groups for point in (broken, *panel)][1:]
    values = [point.value if isfinite(point.value) else None for point in points]
    return axis.trace(
        "lines" if look.is_grey and _is_joined(values) else "lines+markers",
        points,
        x=[None if point is broken else axis.x(point) for point in points],
        y=values,
        meta=broken.method,
        name=words.plot_text(broken.method),
        line=look.line(2),
        marker={"color": look.shown_colour, "symbol": look.symbol, "size": 3 if look.is_grey else MARK},
        opacity=0.55 if look.is_grey else 1,
        error_y=None if look.is_grey else axis.bars(points, look.colour),
    )


def _is_joined(values: Sequence[float | None]) -> bool:
    """Is every value next to another, so that a line without marks shows them all?"""
    around = zip([None, *values], values, [*values[1:], None], strict=False)
    return all(value is None or (before, after) != (None, None) for before, value, after in around)


def _add_baseline(figure: Figure, grid: PanelGrid, baseline: Baseline, axis: _Axis) -> None:
    ends = {"type": "line", "x0": 0, "x1": grid.end, "y0": baseline.value, "y1": baseline.value}
    figure.add_shape(yref=axis.name, layer="below", line=DASHED, **ends)
    anchor = "top" if baseline.value > axis.low + 0.9 * (axis.high - axis.low) else "bottom"
    # Off the marks of a method that is as good as the baseline, which lie on the line.
    shift = -4 if anchor == "top" else 4
    place = {"yref": axis.name, "xanchor": "left", "yanchor": anchor, "yshift": shift}
    theme.add_text(figure, baseline.text, 0.02, axis.at(baseline.value), size=11, **place)


def _label_ends(
    figure: Figure, grid: PanelGrid, looks: Mapping[str, Look], own: Sequence[CurvePoint], axis: _Axis
) -> None:
    """Write the coloured methods' names right of a row, joined to where their lines end in its last panel."""
    last = [one for one in own if one.panel[1] == len(grid.columns) - 1 and not isnan(one.value)]
    of_methods = {point.method: point for point in last if not looks[point.method].is_grey}
    ends = sorted((of_methods[name] for name in looks if name in of_methods), key=lambda point: point.size)
    low, high = axis.at(axis.low), axis.at(axis.high)
    values = [min(axis.at(point.value), high) for point in ends]
    places = [axis.height * (value - low) / (high - low) for value in values]
    moved = _spread(places, gap=LABEL_HEIGHT, low=2, high=axis.height - 4)
    place_of_name = {"ax": grid.end + LABEL_DISTANCE * len(grid.columns), "axref": "x", "ayref": "pixel"}
    arrow = {"showarrow": True, "arrowhead": 0, "arrowwidth": 1, "standoff": 4, **place_of_name}
    written = [
        {
            "x": axis.x(point),
            "y": value,
            "yref": axis.name,
            "text": words.plot_text(point.method, longest=15),
            "name": point.method,
            "font": {"size": 12},
            "arrowcolor": looks[point.method].colour,
            "ay": place - target,
            "xanchor": "left",
            "yanchor": "middle",
            **arrow,
        }
        for point, value, place, target in zip(ends, values, places, moved, strict=True)
    ]
    figure.add_annotations(written)


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
