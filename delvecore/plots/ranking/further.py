"""Figures of further questions: chances of pairs, profiles, cost against loss."""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import log10
from typing import NamedTuple

import plotly.graph_objects as go

from delvecore.plots import labels, theme, words
from delvecore.plots.rows import HEIGHTS, NAMES, rows_figure
from delvecore.plots.text_boxes import shortened
from delvecore.plots.theme import MethodStyle

__all__ = ["Chance", "Profile", "Profiles", "Spot", "chances_figure", "front_figure", "profiles_figure"]

CHANCES = (
    ("a_better", "first better", theme.BLUE),
    ("same", "practically the same", "rgba(127,135,144,0.45)"),
    ("b_better", "second better", theme.VERMILION),
)


FRONT_HEIGHT = 420
LEAST_SPAN = 0.5
"""Powers of ten that an axis of seconds has at least, so that there is a number at it."""
REACH = 100.0
"""How many times below the cheapest and above the dearest method intervals of costs are drawn."""
MOST_NAME = 150
"""Pixels of a name in a legend."""
MOST_MARKS = 8
"""On a line of many steps."""
FACTORS = (1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0, 1000.0)
LEAST_GAP = 0.12
"""Ticks of an axis of ratios, and how much of it lies at least between two of them."""
SHARES, TICK = 50, 32
"""Pixels of the shares at the left, and of a ratio at the axis."""


class Chance(NamedTuple):
    """Two methods, and how probably the next unit has the first better, practically the same, the second."""

    first: str
    second: str
    a_better: float
    same: float
    b_better: float


def chances_figure(rows: Sequence[Chance]) -> go.Figure:
    """Draw one bar a pair, of three parts that fill it."""
    if not rows:
        return theme.empty_figure("No pairs to show", height=160)
    names = [f"{row.first} – {row.second}" for row in rows]
    figure = rows_figure(names, top=36, heights=HEIGHTS, longest=NAMES, showlegend=True, showgrid=None)
    for field, title, colour in CHANCES:
        values = [getattr(row, field) for row in rows]
        hover = [
            f"{words.plot_text(name)}: {title} {100 * value:.0f} %"
            for name, value in zip(names, values, strict=True)
        ]
        figure.add_bar(
            x=values,
            y=list(range(len(rows))),
            orientation="h",
            name=title,
            marker={"color": colour, "line": {"width": 0}},
            hovertext=hover,
            hoverinfo="text",
        )
    figure.update_layout(barmode="stack", legend={"traceorder": "normal"})
    figure.update_xaxes(title_text="probability on the next one", range=[0, 1], tickformat=".0%")
    return figure


class Profile(NamedTuple):
    """A method's share of units within each distance from the best; lower, upper: an interval of each share,
    drawn where there is one."""

    method: str
    share: tuple[float, ...]
    style: MethodStyle
    lower: tuple[float, ...] = ()
    upper: tuple[float, ...] = ()


class Profiles(NamedTuple):
    """All that the figure draws. at: distances from the best, from 0; is_ratio: are they shares of the best
    one's loss, so that 0.1 is 1.1 times it? rows: best first."""

    at: tuple[float, ...]
    is_ratio: bool
    rows: tuple[Profile, ...]


def profiles_figure(found: Profiles) -> go.Figure:
    """Draw one stepped line a method: higher on the left is better."""
    if not found.rows or not found.at:
        return theme.empty_figure("Nothing to show", height=300)
    figure = theme.new_figure(height=360)
    theme.title_y_axis_over_legend(figure, "share within this distance")
    x = [1 + at for at in found.at] if found.is_ratio else list(found.at)
    for row in found.rows:
        figure.add_traces([*_band(x, row), _profile(x, row, found)])
    figure.update_layout(legend={"traceorder": "normal"}, hovermode="closest")
    if found.is_ratio:
        ticks = _factors(x[-1])
        axis = {"type": "log", "tickvals": ticks, "ticktext": [f"{one:g}×" for one in ticks]}
        figure.update_xaxes(title_text="loss, in those of the best →", **axis)
        theme.needs_width(figure, SHARES + TICK / LEAST_GAP)
    else:
        figure.update_xaxes(title_text="distance from the best →", rangemode="tozero")
    figure.update_yaxes(range=[0, 1.02], tickformat=".0%")
    return figure


def _factors(largest: float) -> list[float]:
    """Return the ratios to be written at an axis that ends at this one, as many as have room."""
    found = [1.0]
    for one in FACTORS:
        if one <= largest and math.log(one / found[-1]) > LEAST_GAP * math.log(largest):
            found.append(one)
    return found


def _profile(x: Sequence[float], row: Profile, found: Profiles) -> theme.Trace:
    line = {"color": row.style.colour, "width": 2, "shape": "hv"}
    marker = {"symbol": row.style.symbol, "size": 7, "color": row.style.colour, "maxdisplayed": MOST_MARKS}
    ends = zip(row.lower, row.upper, strict=True) if row.lower else [(math.nan, math.nan)] * len(x)
    steps = zip(found.at, row.share, ends, strict=True)
    hover = [_within(found, at, row, (share, *pair)) for at, share, pair in steps]
    name = words.plot_text(shortened(row.method, 13, MOST_NAME))
    more = {"line": line, "marker": marker, "name": name, "meta": row.method, "showlegend": True}
    return theme.trace("lines+markers", list(x), list(row.share), hover=hover, **more)


def _within(found: Profiles, at: float, row: Profile, numbers: tuple[float, float, float]) -> str:
    share, lower, upper = (100 * one for one in numbers)
    distance = (
        f"{1 + at:.3g} times the best" if found.is_ratio else f"{words.number(at, digits=2)} of the best"
    )
    interval = "" if math.isnan(lower) else f" ({lower:.0f} to {upper:.0f} %)"
    return f"{words.plot_text(row.method)}: within {distance} on {share:.0f} %{interval}"


def _band(x: Sequence[float], row: Profile) -> list[theme.Trace]:
    """Return the interval of each share as an area, of a method that has them."""
    if not row.lower:
        return []
    edge = {"width": 0, "shape": "hv"}
    red, green, blue = bytes.fromhex(row.style.colour.removeprefix("#"))
    fill = {"fill": "tonexty", "fillcolor": f"rgba({red},{green},{blue},0.14)"}
    more = {"line": edge, "showlegend": False}
    lower, upper = (list(ends) for ends in (row.lower, row.upper))
    return [
        theme.trace("lines", list(x), lower, **more),
        theme.trace("lines", list(x), upper, **more, **fill),
    ]


class Spot(NamedTuple):
    """A method at its cost and loss, each as (value, lower, upper); on_front: is no other better in both?"""

    method: str
    cost: tuple[float, float, float]
    loss: tuple[float, float, float]
    sure: float
    on_front: bool
    style: MethodStyle


def front_figure(rows: Sequence[Spot]) -> go.Figure:
    """Draw each method at its cost and loss with both intervals; a line joins those on the front."""
    if not rows:
        return theme.empty_figure("No costs are known", height=300)
    rows = _within_reach(rows)
    figure = theme.new_figure(height=FRONT_HEIGHT)
    theme.title_y_axis(figure, "↓ better   loss")
    figure.update_layout(margin={"t": 32}, hovermode="closest", showlegend=False)
    front = sorted((row.cost[0], row.loss[0]) for row in rows if row.on_front)
    line = {"color": theme.LINE_GREY, "width": 1.5, "dash": "dash", "shape": "hv"}
    figure.add_trace(
        theme.trace("lines", [x for x, _ in front], [y for _, y in front], line=line, showlegend=False)
    )
    for row in rows:
        figure.add_trace(_spot(row))
    across = _ends([log10(end) for row in rows for end in row.cost], least=LEAST_SPAN)
    down = _ends([end for row in rows for end in row.loss])
    figure.update_yaxes(range=down)
    title, ticks = "← cheaper   seconds of learning and predicting one instance", _seconds(across)
    axis = {"tickvals": ticks, "ticktext": [f"{tick:g}" for tick in ticks]}
    figure.update_xaxes(title_text=title, type="log", range=across, **axis)
    _name_spots(figure, rows, across, down)
    theme.needs_width(figure, labels.ROOM)
    return figure


def _seconds(across: tuple[float, float]) -> list[float]:
    """Return the powers of ten on an axis between two logarithms; twice and five times these, too, of few."""
    digits = (1,) if across[1] - across[0] > 2 else (1, 2, 5)
    powers = range(math.floor(across[0]), math.ceil(across[1]))
    ticks = [digit * 10.0**power for power in powers for digit in digits]
    return [tick for tick in ticks if across[0] <= log10(tick) <= across[1]]


def _within_reach(rows: Sequence[Spot]) -> list[Spot]:
    """Return the methods with intervals of costs that end 100 times below the cheapest and above the dearest:
    those of a few datasets have ends, on the scale of decades, that leave nothing else to be seen."""
    costs = [row.cost[0] for row in rows]
    low, high = min(costs) / REACH, max(costs) * REACH

    def cut(end: float) -> float:
        return end if math.isnan(end) else min(max(end, low), high)

    return [row._replace(cost=(row.cost[0], cut(row.cost[1]), cut(row.cost[2]))) for row in rows]


def _ends(values: Sequence[float], *, least: float = 0.0) -> tuple[float, float]:
    """Return the ends of an axis with some room about its values. least: how long it is at least."""
    known = [value for value in values if math.isfinite(value)]
    short = max(least - max(known) + min(known), 0.0)
    low, high = min(known) - short / 2, max(known) + short / 2
    room = 0.06 * ((high - low) or 1.0)
    return low - room, high + room


def _name_spots(
    figure: go.Figure, rows: Sequence[Spot], across: tuple[float, float], down: tuple[float, float]
) -> None:
    """Write each method's name where neither marks nor intervals are in the way."""

    def pixels(cost: float, loss: float) -> tuple[float, float]:
        x = (log10(cost) - across[0]) / (across[1] - across[0])
        return x * labels.DRAWN[0], (loss - down[0]) / (down[1] - down[0]) * labels.DRAWN[1]

    crossed: list[labels.Box] = []
    for line in _lines(rows):
        places = [pixels(*place) for place in line]
        crossed += labels.boxes_of_line(places)
        crossed += [(x - 4, y - 4, x + 4, y + 4) for x, y in places]
    spots = [(row.method, row.cost[0], row.loss[0]) for row in rows]
    marks = [labels.Named(name, pixels(cost, loss), log10(cost), loss) for name, cost, loss in spots]
    labels.label_marks(figure, marks, crossed)


def _lines(rows: Sequence[Spot]) -> Iterator[list[tuple[float, float]]]:
    """Return what is drawn beside the marks: the front in steps, and the intervals that have ends."""
    front = sorted((row.cost[0], row.loss[0]) for row in rows if row.on_front)
    yield [corner for (x, y), (to, low) in pairwise(front) for corner in ((x, y), (to, y), (to, low))]
    for row in rows:
        (cost, *costs), (loss, *losses) = row.cost, row.loss
        for line in ([(end, loss) for end in costs], [(cost, end) for end in losses]):
            if all(math.isfinite(number) for place in line for number in place):
                yield line


def _spot(row: Spot) -> theme.Trace:
    errors = {}
    for axis, (value, lower, upper) in (("error_x", row.cost), ("error_y", row.loss)):
        if math.isfinite(lower) and math.isfinite(upper):
            bars = {"array": [upper - value], "arrayminus": [value - lower], "thickness": 1.5, "width": 4}
            errors[axis] = {"type": "data", "symmetric": False, "color": row.style.colour, **bars}
    name = words.plot_text(row.method)
    hover = f"{name}: {row.cost[0]:.3g} s, loss {row.loss[0]:.3g}, on the front in {100 * row.sure:.0f} %"
    symbol = row.style.symbol if row.on_front else f"{row.style.symbol}-open"
    marker = {"color": row.style.colour, "symbol": symbol, "size": 10}
    look = {"marker": marker, "meta": row.method, "cliponaxis": False, **errors}
    return theme.trace("markers", [row.cost[0]], [row.loss[0]], hover=[hover], **look)
