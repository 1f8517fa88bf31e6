"""Cost against quality of methods, over tasks and by size of training sets."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import log10
from typing import Any

import numpy as np

from delvecore.answers.answer import FigureData, Table
from delvecore.answers.leaderboard import Costs
from delvecore.plots import theme
from delvecore.plots.figure import Figure, Trace
from delvecore.plots.rows import hollow
from delvecore.plots.theme import MethodStyle
from delvecore.render.numbers import percentage, seconds_text, significant
from delvecore.report import words

Ends = tuple[float, float]
Spot = tuple[str, Sequence[float], Sequence[float]]
"""A method with its cost and its mean, each with the ends of its interval."""
Box = tuple[float, float, float, float]
"""Left, lower, right and upper edge, in pixels of the plot."""
DRAWN = (620, 390)
"""Width and height of a plot in pixels, for the placement of names."""
ROOM = 680
"""Pixels of a figure with such a plot. On a narrower page it scrolls sideways."""
LONGEST = 14
JOINED = {"showarrow": True, "arrowhead": 0, "arrowwidth": 1, "arrowcolor": theme.LINE_GRAY, "standoff": 6}
PLACES: tuple[tuple[int, float, int, dict[str, Any]], ...] = (
    (7, 0, -8, {"xanchor": "left", "yanchor": "middle", "xshift": 7}),
    (0, 0.5, 6, {"xanchor": "center", "yanchor": "bottom", "yshift": 5}),
    (0, 0.5, -22, {"xanchor": "center", "yanchor": "top", "yshift": -5}),
    (-7, 1, -8, {"xanchor": "right", "yanchor": "middle", "xshift": -7}),
    (3, 0, 4, {"xanchor": "left", "yanchor": "bottom", "xshift": 3, "yshift": 3}),
    (-3, 1, -20, {"xanchor": "right", "yanchor": "top", "xshift": -3, "yshift": -3}),
    *(
        (right, 0.5, up - 8, {**JOINED, "ax": right, "ay": -up, "xanchor": "center", "yanchor": "middle"})
        for up in (-30, 34, -52, 56, -76, 80)
        for right in (30, -30, 62, -62, 0)
    ),
)
"""Possible positions of a name, best first: pixels right of its mark, share of the name left of that point,
pixels up to its lower edge, anchors. A line joins distant names in crowded plots to their marks."""


def label_marks(
    figure: Figure, marks: Mapping[str, Ends], lines: Sequence[Box], across: Ends, down: Ends
) -> None:
    """Write each mark's name next to it, or farther away with a line, or omit it if there is no room.

    marks: seconds and mean by name; across, down: ends of the axes, `across` in logarithms."""
    pixels = [pixels_of_cost(seconds, mean, across, down) for seconds, mean in marks.values()]
    taken = [(x - 6, y - 6, x + 6, y + 6) for x, y in pixels]
    taken += lines
    written = []
    for (name, (seconds, mean)), at in zip(marks.items(), pixels, strict=True):
        width = 8 + 6.6 * min(len(name), LONGEST)
        boxes = ((_box(*at, width, *place), anchors) for *place, anchors in PLACES)
        box, anchors = next((one for one in boxes if not _in_the_way(one[0], taken)), (None, {}))
        if box:
            taken.append(box)
            text = words.plot_text(name, longest=LONGEST)
            place = {"x": log10(seconds), "y": mean, "showarrow": False, **anchors}
            written.append({"text": text, "name": name, "font": {"size": 12}, **place})
    figure.add_annotations(written)


def _box(x: float, y: float, width: float, right: float, left: float, up: float) -> Box:
    start = x + right - left * width
    return start, y + up, start + width, y + up + 16


def _in_the_way(box: Box, taken: Sequence[Box]) -> bool:
    left, low, right, _ = box
    if right > DRAWN[0] or left < 0 or low < 0:
        return True
    return any(left < one[2] and one[0] < right and low < one[3] and one[1] < box[3] for one in taken)


def pixels_of_cost(seconds: float, mean: float, across: Ends, down: Ends) -> tuple[float, float]:
    """Return the position of a cost and a mean on a page of usual width. across: range of logarithms."""
    x = (log10(seconds) - across[0]) / (across[1] - across[0])
    return x * DRAWN[0], (mean - down[0]) / (down[1] - down[0]) * DRAWN[1]


def boxes_of_line(places: Sequence[tuple[float, float]]) -> Iterator[Box]:
    """Return boxes that cover a line through places, in pixels."""
    for (x, y), (to_x, to_y) in pairwise(places):
        steps = int(max(abs(to_x - x), abs(to_y - y)) / 6) + 1
        for step in range(1, steps):
            at = x + (to_x - x) * step / steps, y + (to_y - y) * step / steps
            yield at[0] - 2, at[1] - 2, at[0] + 2, at[1] + 2


FRONT_HEIGHT = 420
LEAST_SPAN = 0.5
"""Minimum length of an axis of seconds in powers of ten, so that it has a number."""
REACH = 100.0
"""Intervals are drawn to at most this factor below the cheapest or above the most expensive method."""


def front_figure(_table: Table, drawn: FigureData, styles: Mapping[str, MethodStyle]) -> Figure:
    """Cost against quality: each method with both intervals. A line joins the Pareto front.

    Parameters
    ----------
    drawn : FigureData
        Its data are the `Costs`: seconds, means, and the probability that each method is on the front.
    styles : mapping
        Looks of the methods.

    Returns
    -------
    Figure
        The front, then one trace per method; seconds are on a logarithmic axis.
    """
    costs: Costs = drawn.data
    cost_front, quantity = costs.front, words.plot_text(costs.quality)
    figure = theme.new_figure(height=FRONT_HEIGHT)
    theme.title_y_axis(figure, f"{'↑' if costs.measure.higher_is_better else '↓'} better   {quantity}")
    figure.update_layout(margin={"t": 32}, hovermode="closest", showlegend=False)
    # Longer intervals would compress the rest of the figure.
    ends = np.array([cost_front.cost_lower, cost_front.cost_upper])
    cost = np.array(
        [cost_front.cost, *ends.clip(cost_front.cost.min() / REACH, cost_front.cost.max() * REACH)]
    )
    mean = costs.means
    front = sorted(
        zip(cost[0][cost_front.on_front].tolist(), mean[0][cost_front.on_front].tolist(), strict=True)
    )
    line = {"color": theme.LINE_GRAY, "width": 1.5, "dash": "dash", "shape": "hv"}
    figure.add_trace(theme.trace("lines", *map(list, zip(*front, strict=True)), line=line, showlegend=False))
    spots = [*zip(costs.methods, cost.T.tolist(), mean.T.tolist(), strict=True)]
    for (name, cost_of, mean_of), on_front, sure in zip(
        spots, cost_front.on_front, cost_front.sure, strict=True
    ):
        (x, *_), (y, *_) = cost_of, mean_of
        where = f"on the front in {percentage(sure)} of draws"
        text = f"{words.plot_text(name)}: {seconds_text(x)} s, {quantity} {significant(y)}, {where}"
        figure.add_trace(_spot(name, cost_of, mean_of, styles[name], text, is_hollow=not on_front))
    across, down = ends_of(np.log10(cost), least=LEAST_SPAN), ends_of(mean)
    figure.update_yaxes(range=down)
    title, ticks = "← cheaper   seconds of learning and predicting one instance", _seconds(across)
    axis = {"tickvals": ticks, "ticktext": [significant(tick, 6) for tick in ticks]}
    figure.update_xaxes(title={"text": title}, type="log", range=across, **axis)
    _name_spots(figure, spots, front, across, down)
    theme.needs_width(figure, ROOM)
    return figure


def _name_spots(
    figure: Figure, spots: Sequence[Spot], front: Sequence[Ends], across: Ends, down: Ends
) -> None:
    """Write names next to the marks, clear of the steps of the front and of the finite intervals."""
    lines = [[corner for (x, y), (to, end) in pairwise(front) for corner in ((x, y), (to, y), (to, end))]]
    for _, (x, *x_ends), (y, *y_ends) in spots:
        bars = [(end, y) for end in x_ends], [(x, end) for end in y_ends]
        lines += [bar for bar in bars if np.isfinite(bar).all()]
    crossed: list[Box] = []
    for corners in lines:
        places = [pixels_of_cost(*place, across, down) for place in corners]
        crossed += boxes_of_line(places)
        crossed += [(x - 4, y - 4, x + 4, y + 4) for x, y in places]
    label_marks(figure, {name: (x, y) for name, (x, *_), (y, *_) in spots}, crossed, across, down)


def _spot(
    name: str,
    cost: Sequence[float],
    mean: Sequence[float],
    style: MethodStyle,
    hover: str,
    *,
    is_hollow: bool,
) -> Trace:
    """Return a method's mark with its finite intervals. cost, mean: (value, lower, upper)."""
    errors = {
        axis: theme.interval_bars([(ends[0], ends[1], ends[2])], color=style.color, thickness=1.5, width=4)
        for axis, ends in (("error_x", cost), ("error_y", mean))
        if np.isfinite(ends).all()
    }
    marker = {"color": style.color, "symbol": hollow(style.symbol, is_hollow), "size": 10}
    look: Trace = {"marker": marker, "meta": name, "cliponaxis": False, **errors}
    return theme.trace("markers", [cost[0]], [mean[0]], hover=[hover], **look)


def _seconds(across: tuple[float, float]) -> list[float]:
    """Return powers of ten between two logarithms; on a short axis, also 2 and 5 times these."""
    digits = (1,) if across[1] - across[0] > 2 else (1, 2, 5)
    powers = range(math.floor(across[0]), math.ceil(across[1]))
    ticks = [digit * 10.0**power for power in powers for digit in digits]
    return [tick for tick in ticks if across[0] <= log10(tick) <= across[1]]


def ends_of(values: Any, *, least: float = 0.0) -> Ends:
    """Return the ends of an axis with some room around its values. least: minimum length."""
    known = np.asarray(values, float)[np.isfinite(values)]
    first, last = float(known.min()), float(known.max())
    short = max(least - last + first, 0.0)
    low, high = first - short / 2, last + short / 2
    room = 0.06 * ((high - low) or 1.0)
    return low - room, high + room
