"""Learning curves on a task-array: small multiples of standardized losses by the size of training sets."""

from collections.abc import Sequence
from math import isfinite, log2, log10

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.frame import theme, words
from dashboard.task_arrays.figures.panels import PanelGrid, frame_panels, panel_left, row_figure_of

__all__ = ["LINEAR", "LOG", "curves_figure", "size_ticks", "spread_labels"]

LINEAR, LOG = "Linear", "Logarithmic"
ROW_HEIGHT, ONE_ROW_HEIGHT = 230, 320
LEFT, RIGHT, BELOW = 52, 118, 50
LABEL_HEIGHT = 15
LABEL_DISTANCE = 0.03
"""Between the last panel and the labels, in widths of all panels together."""
INSET = 0.06
"""Within a panel, left of the smallest and right of the largest size, in widths of a panel."""
MOST_TICKS = 24
MARK = 7
"""The width of a mark, in pixels."""
LOG_TICKS = tuple(digit * 10.0**power for power in range(-6, 7) for digit in (1, 2, 5))


def curves_figure(table: pd.DataFrame) -> go.Figure:
    """Draw a panel for each combination of levels and in it a line a method, with standard errors.

    table: columns levels, training_size, method, loss, error, colour, symbol, dash, drawn (`colour` or
    `grey`), hover, task; attrs grid (a PanelGrid), sizes, scale, axis, baseline, baseline_text. Methods drawn
    in grey have thin lines below the others and no errors. A click gives the point's customdata: task and
    method.
    """
    if table.empty:
        return theme.empty_figure("No results under this loss", height=200)
    grid: PanelGrid = table.attrs["grid"]
    height = ROW_HEIGHT if len(grid.rows) > 1 else ONE_ROW_HEIGHT
    figure, domains = row_figure_of(grid, row_height=height, left=LEFT, right=RIGHT, below=BELOW)
    low, high = _range(table)
    frame_panels(figure, grid, domains, title=table.attrs["axis"], empty=_without_results(table))
    _scale(figure, table, low, high)
    _label_sizes(figure, grid, table.attrs["sizes"])
    table = _with_seen_errors(table, low, high, height)
    traces = [trace for row in range(len(grid.rows)) for trace in _row_traces(table, grid, row, high)]
    figure.add_traces(sorted(traces, key=lambda trace: trace["meta"] == "colour"))
    _add_baseline(figure, table, low, high)
    for row in range(len(grid.rows)):
        _label_ends(figure, table, grid, row, (low, high), height)
    theme.clickable(figure)
    return figure


def _without_results(table):
    """Return the (row, column) of panels in which nothing is drawn."""
    grid = table.attrs["grid"]
    known = {grid.place(levels) for levels in table["levels"][table["loss"].notna()]}
    return {(row, column) for row in range(len(grid.rows)) for column in range(len(grid.columns))} - known


def _range(table):
    """Return the ends of the shared loss axis: what lies above is drawn at the upper edge."""
    loss, error = table["loss"], table["error"].fillna(0)
    baseline = table.attrs["baseline"]
    above = loss + error
    limit = max(np.nanpercentile(above, 90) * 1.4, baseline * 1.3) if baseline else above.max()
    high = min(above.max(), limit)
    if table.attrs["scale"] == LOG:
        return loss[loss > 0].min() / 1.15, max(high, baseline) * 1.1
    low = min(0.0, (loss - error).min())
    return low - 0.04 * (high - low) * (low < 0), max(high, baseline) * 1.05


def _with_seen_errors(table, low, high, height):
    """Leave out the errors that their marks would cover: a bar that nobody sees costs time to draw."""
    loss, error = table["loss"], table["error"]
    if table.attrs["scale"] == LOG:
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = np.log10(1 + error / loss) / log10(high / low)
    else:
        reach = error / (high - low)
    return table.assign(error=error.where(reach * height > MARK / 2))


def _scale(figure, table, low, high):
    is_log = table.attrs["scale"] == LOG
    span = [log10(low), log10(high)] if is_log else [low, high]
    axis = {"type": "log" if is_log else "linear", "range": span, "tickfont": {"size": 12}}
    if is_log:
        ticks = [tick for tick in LOG_TICKS if low <= tick <= high]
        axis |= {"tickvals": ticks, "ticktext": [f"{tick:g}" for tick in ticks]}
    figure.update_yaxes(**axis)


def _positions(sizes: Sequence[int]) -> dict[int, float]:
    """Where within a panel, on a scale of log2, does each size of training sets lie?"""
    if len(sizes) == 1:
        return {sizes[0]: 0.5}
    ends = log2(sizes[0]), log2(sizes[-1])
    width = 1 - 2 * INSET
    return {size: INSET + width * (log2(size) - ends[0]) / (ends[1] - ends[0]) for size in sizes}


def size_ticks(sizes: Sequence[int], columns: int) -> list[int]:
    """Which sizes are written below a panel? All, every other, or the ends, as many as there is room for."""
    if columns * len(sizes) <= MOST_TICKS or len(sizes) <= 2:
        return list(sizes)
    every_other = list(sizes[::-2])[::-1]
    return every_other if columns * len(every_other) <= MOST_TICKS else [sizes[0], sizes[-1]]


def _label_sizes(figure, grid, sizes):
    shown, at = size_ticks(sizes, len(grid.columns)), _positions(sizes)
    figure.update_xaxes(
        tickvals=[panel_left(column) + at[size] for column in range(len(grid.columns)) for size in shown],
        ticktext=[str(size) for _ in grid.columns for size in shown],
        tickfont={"size": 11},
        title={"text": "training cases", "font": {"size": 12}, "standoff": 6},
    )


def _row_traces(table, grid, row, high):
    at = _positions(table.attrs["sizes"])
    placed = [grid.place(levels) for levels in table["levels"]]
    part = table.assign(
        column=[column for _, column in placed],
        x=[
            panel_left(column) + at[size]
            for (_, column), size in zip(placed, table["training_size"], strict=True)
        ],
    )[[place[0] == row for place in placed]]
    for _, lines in part.groupby("method", sort=False):
        yield _line(lines, row)
    beyond = part[part["loss"] > high]
    if not beyond.empty:
        yield _beyond(beyond, row, high)


def _line(lines, row):
    """Return a method's line through a row of panels, broken between them and where results are missing."""
    columns = {name: [] for name in ("x", "loss", "error", "hover", "task")}
    before = None
    for line in lines.itertuples():
        if before not in (None, line.column):
            _append(columns, None, None, None, "", None)
        value = line.loss if isfinite(line.loss) else None
        _append(columns, line.x, value, line.error if isfinite(line.error) else None, line.hover, line.task)
        before = line.column
    first = lines.iloc[0]
    is_grey = first["drawn"] == "grey"
    colour = theme.GREY if is_grey else first["colour"]
    trace = {
        "type": "scatter",
        "mode": "lines" if is_grey and _is_joined(columns["loss"]) else "lines+markers",
        "meta": first["drawn"],
        "name": words.plot_text(first["method"]),
        "x": columns["x"],
        "y": columns["loss"],
        "yaxis": f"y{row + 1}" if row else "y",
        "line": {
            "color": colour,
            "width": 1 if is_grey else 2,
            "dash": "solid" if is_grey else first["dash"],
        },
        "marker": {"color": colour, "symbol": first["symbol"], "size": 3 if is_grey else MARK},
        "opacity": 0.55 if is_grey else 1,
        "hovertext": columns["hover"],
        "hoverinfo": "text",
        "customdata": [[task, first["method"]] for task in columns["task"]],
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
    }
    if not is_grey:
        trace["error_y"] = {"array": columns["error"], "thickness": 1.3, "width": 0, "color": colour}
    return trace


def _is_joined(values):
    """Is every value next to another, so that a line without marks shows them all?"""
    around = [None, *values, None]
    return all(
        value is None or before is not None or after is not None
        for before, value, after in zip(around, values, around[2:], strict=False)
    )


def _append(columns, *values):
    for column, value in zip(columns.values(), values, strict=True):
        column.append(value)


def _beyond(lines, row, high):
    """Return arrowheads at the upper edge for losses that lie beyond it."""
    return {
        "type": "scatter",
        "mode": "markers",
        "meta": "colour",
        "x": lines["x"].tolist(),
        "y": [high] * len(lines),
        "yaxis": f"y{row + 1}" if row else "y",
        "cliponaxis": False,
        "marker": {"symbol": "triangle-up-open", "size": 10, "color": lines["colour"].tolist()},
        "hovertext": lines["hover"].tolist(),
        "hoverinfo": "text",
        "customdata": lines[["task", "method"]].values.tolist(),
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
    }


def _add_baseline(figure, table, low, high):
    baseline, is_log = table.attrs["baseline"], table.attrs["scale"] == LOG
    if baseline is None or not low <= baseline <= high:
        return
    grid = table.attrs["grid"]
    for row in range(len(grid.rows)):
        axis = f"y{row + 1}" if row else "y"
        end = panel_left(len(grid.columns) - 1) + 1
        figure.add_shape(
            type="line",
            x0=0,
            x1=end,
            y0=baseline,
            y1=baseline,
            yref=axis,
            layer="below",
            line={"color": theme.LINE_GREY, "width": 1.2, "dash": "dash"},
        )
    figure.add_annotation(
        text=table.attrs["baseline_text"],
        x=0.02,
        y=log10(baseline) if is_log else baseline,
        yref="y",
        xanchor="left",
        yanchor="top" if baseline > low + 0.9 * (high - low) else "bottom",
        showarrow=False,
        font={"size": 11},
    )


def spread_labels(places: Sequence[float], *, gap: float, low: float, high: float) -> list[float]:
    """Return places (in their order) moved as little as is easy so that none is nearer than gap to another.

    low, high: the ends of the room, which is left only where it is too small.
    """
    order = sorted(range(len(places)), key=lambda number: places[number])
    groups: list[list] = []
    for number in order:
        groups.append([min(max(places[number], low), high), 1])
        while len(groups) > 1 and _too_near(groups[-2], groups[-1], gap):
            (upper, more), (lower, some) = groups.pop(), groups.pop()
            groups.append([(upper * more + lower * some) / (more + some), more + some])
            reach = (more + some - 1) * gap / 2
            groups[-1][0] = max(min(groups[-1][0], high - reach), low + reach)
    moved = [centre + gap * (n - (size - 1) / 2) for centre, size in groups for n in range(size)]
    result = [0.0] * len(places)
    for number, place in zip(order, moved, strict=True):
        result[number] = place
    return result


def _too_near(lower, upper, gap):
    return upper[0] - lower[0] < gap * (lower[1] + upper[1]) / 2 - 1e-9


def _label_ends(figure, table, grid, row, span, height):
    """Write the coloured methods' names right of a row, joined to where their lines end in its last panel."""
    ends = _ends(table, grid, row)
    if not ends:
        return
    is_log = table.attrs["scale"] == LOG
    low, high = (log10(end) for end in span) if is_log else span
    at = _positions(table.attrs["sizes"])
    last = panel_left(len(grid.columns) - 1)
    values = [min(log10(line.loss) if is_log else line.loss, high) for line in ends]
    places = [height * (value - low) / (high - low) for value in values]
    moved = spread_labels(places, gap=LABEL_HEIGHT, low=2, high=height - 4)
    for line, value, place, target in zip(ends, values, places, moved, strict=True):
        figure.add_annotation(
            x=last + at[line.training_size],
            y=value,
            yref=f"y{row + 1}" if row else "y",
            text=words.plot_text(line.method, longest=15),
            font={"size": 12},
            showarrow=True,
            arrowhead=0,
            arrowwidth=1,
            arrowcolor=line.colour,
            standoff=4,
            axref="x",
            ax=last + 1 + LABEL_DISTANCE * len(grid.columns),
            ayref="pixel",
            ay=place - target,
            xanchor="left",
            yanchor="middle",
        )


def _ends(table, grid, row):
    """Return the last point of each coloured method in the last panel of a row."""
    last = len(grid.columns) - 1
    here = np.array([grid.place(levels) == (row, last) for levels in table["levels"]])
    part = table[here & (table["drawn"] == "colour") & table["loss"].notna()]
    return list(part.groupby("method", sort=False).tail(1).itertuples())
