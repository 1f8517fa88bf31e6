"""Cost against loss on a task-array: seconds of an instance, and the mean loss, by size of training sets."""

from itertools import pairwise
from math import log10

import pandas as pd
import plotly.graph_objects as go

from dashboard.frame import theme, words

__all__ = ["costs_figure"]

HEIGHT, TOP = 480, 34
DRAWN_WIDTH, DRAWN_HEIGHT = 700, 390
"""Of the plot on a page 1280 wide, in pixels: where names are looked for room."""
LONGEST = 14
FAR = tuple((right, up) for up in (-30, 34, -52, 56, -76, 80) for right in (30, -30, 62, -62, 0))
"""How far from its mark a name may stand where it is crowded: right and up, in pixels, the nearest first."""
UNITS = ((1e-3, "1 ms"), (1e-2, "10 ms"), (0.1, "0.1 s"), (1, "1 s"), (10, "10 s"), (60, "1 min"))
UNITS += ((600, "10 min"), (3600, "1 h"), (36000, "10 h"))


def costs_figure(table: pd.DataFrame) -> go.Figure:
    """Draw a path a method: one mark a size of training sets, from the smallest (small) to the largest.

    table: columns method, training_size, seconds, loss, colour, symbol, dash, drawn, hover; attrs title,
    baseline, baseline_text. The seconds are on a logarithmic axis; grey methods have thin paths.
    """
    if table.empty:
        return theme.empty_figure("No costs are recorded for these methods", height=200)
    figure = theme.new_figure(height=HEIGHT)
    figure.add_traces(
        [_path(path) for _, path in table[table["drawn"] == "grey"].groupby("method", sort=False)]
    )
    coloured = table[table["drawn"] == "colour"]
    figure.add_traces([_path(path) for _, path in coloured.groupby("method", sort=False)])
    spans = _scale(figure, table)
    _label_ends(figure, coloured, *spans)
    theme.title_y_axis(figure, table.attrs["title"])
    figure.update_layout(
        margin={"l": 44, "r": 16, "t": TOP, "b": 8}, showlegend=False, hovermode="closest", hoverdistance=14
    )
    return figure


def _path(path):
    first = path.iloc[0]
    is_grey = first["drawn"] == "grey"
    colour = theme.GREY if is_grey else first["colour"]
    sizes = [5 + 6 * n / max(len(path) - 1, 1) for n in range(len(path))]
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": words.plot_text(first["method"]),
        "x": path["seconds"].tolist(),
        "y": path["loss"].tolist(),
        "line": {
            "color": colour,
            "width": 1 if is_grey else 1.8,
            "dash": "solid" if is_grey else first["dash"],
        },
        "marker": {
            "color": colour,
            "symbol": first["symbol"],
            "size": 4 if is_grey else sizes,
            "line": {"width": 0},
        },
        "opacity": 0.6 if is_grey else 1,
        "hovertext": path["hover"].tolist(),
        "hoverinfo": "text",
    }


def _label_ends(figure, table, across, down):
    """Write each method's name beside the end of its path, where neither names nor marks are in the way.

    across, down: the ranges of the axes. A name without room beside its mark stands farther off, joined to it
    by a thin line; one without room there is left to the mouse and to the legend.
    """
    paths = [path for _, path in table.groupby("method", sort=False)]
    marks = [box for path in paths for box in _boxes_of_marks(path, across, down)]
    lines = [box for path in paths for box in _boxes_of_lines(path, across, down)]
    names: list[tuple] = []
    for path in paths:
        last = path.iloc[-1]
        places = _places(*_pixels(last, across, down), width=8 + 6.6 * min(len(last["method"]), LONGEST))
        obstacles = (*marks, *names, *lines)
        free = [place for place in places if not _in_the_way(place[0], obstacles)]
        if free:
            names.append(free[0][0])
            figure.add_annotation(_name(last, free[0][1]))


def _in_the_way(box, obstacles):
    outside = box[2] > DRAWN_WIDTH or box[0] < 0 or box[1] < 0
    return outside or any(
        box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]
        for other in obstacles
    )


def _boxes_of_marks(path, across, down):
    for line in path.itertuples():
        x, y = _pixels(line, across, down)
        yield x - 6, y - 6, x + 6, y + 6


def _boxes_of_lines(path, across, down):
    marks = [_pixels(line, across, down) for line in path.itertuples()]
    for (x, y), (to_x, to_y) in pairwise(marks):
        steps = int(max(abs(to_x - x), abs(to_y - y)) / 6) + 1
        for step in range(1, steps):
            at = x + (to_x - x) * step / steps, y + (to_y - y) * step / steps
            yield at[0] - 2, at[1] - 2, at[0] + 2, at[1] + 2


def _pixels(point, across, down):
    """Return where a point is drawn, on a page of usual width."""
    return (
        DRAWN_WIDTH * (log10(point.seconds) - across[0]) / (across[1] - across[0]),
        DRAWN_HEIGHT * (point.loss - down[0]) / (down[1] - down[0]),
    )


def _places(x, y, *, width):
    """Return where a name may stand beside a mark, the best first: its box, and how it is anchored."""
    right = {"xanchor": "left", "yanchor": "middle", "xshift": 7}
    left = {"xanchor": "right", "yanchor": "middle", "xshift": -7}
    above = {"xanchor": "center", "yanchor": "bottom", "yshift": 5}
    below = {"xanchor": "center", "yanchor": "top", "yshift": -5}
    beside = {"xanchor": "left", "yanchor": "bottom", "xshift": 3, "yshift": 3}
    under = {"xanchor": "right", "yanchor": "top", "xshift": -3, "yshift": -3}
    near = (
        ((x + 7, y - 8, x + 7 + width, y + 8), right),
        ((x - width / 2, y + 6, x + width / 2, y + 22), above),
        ((x - width / 2, y - 22, x + width / 2, y - 6), below),
        ((x - 7 - width, y - 8, x - 7, y + 8), left),
        ((x + 3, y + 4, x + 3 + width, y + 20), beside),
        ((x - 3 - width, y - 20, x - 3, y - 4), under),
    )
    return *near, *(_far(x, y, right, up, width) for right, up in FAR)


def _far(x, y, right, up, width):
    """Return a name's place so many pixels off, and the line that joins it to its mark."""
    half = width / 2
    box = (x + right - half, y + up - 8, x + right + half, y + up + 8)
    line = {"showarrow": True, "arrowhead": 0, "arrowwidth": 1, "arrowcolor": theme.LINE_GREY, "standoff": 6}
    return box, line | {"ax": right, "ay": -up, "xanchor": "center", "yanchor": "middle"}


def _name(last, anchors):
    return {
        "x": log10(last["seconds"]),
        "y": last["loss"],
        "text": words.plot_text(last["method"], longest=LONGEST),
        "showarrow": False,
        "font": {"size": 12},
        **anchors,
    }


def _scale(figure, table):
    """Set both axes and return their ranges, seconds as logarithms."""
    least, most = table["seconds"].min(), table["seconds"].max()
    across = log10(least / 1.5), log10(most * 2.5)
    shown = [(value, text) for value, text in UNITS if across[0] <= log10(value) <= across[1]]
    figure.update_xaxes(
        type="log",
        range=across,
        tickvals=[value for value, _ in shown],
        ticktext=[text for _, text in shown],
        title={"text": "← cheaper   median seconds of the processor, an instance", "font": {"size": 12}},
    )
    baseline = table.attrs["baseline"]
    ends = [*table["loss"], *([] if baseline is None else [baseline])]
    low = min(0.0, min(ends))
    down = low * 1.05, low + (max(ends) - low) * 1.08 or 1.0
    figure.update_yaxes(range=down)
    if baseline is not None:
        _add_baseline(figure, baseline, table.attrs["baseline_text"])
    return across, down


def _add_baseline(figure, baseline, text):
    line = {"color": theme.LINE_GREY, "width": 1.2, "dash": "dash"}
    figure.add_hline(y=baseline, line=line, layer="below")
    figure.add_annotation(
        text=text, x=0.005, xref="paper", y=baseline, xanchor="left", yanchor="bottom", showarrow=False,
        font={"size": 11},
    )  # fmt: skip
