"""Figures of further questions: chances of pairs, profiles, cost against loss."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import plotly.graph_objects as go

from delvecore.figures import theme, words
from delvecore.figures.rows import HEIGHTS, NAMES, rows_figure
from delvecore.figures.text_boxes import shortened, text_width
from delvecore.figures.theme import MethodStyle

__all__ = ["Chance", "Profile", "Profiles", "Spot", "chances_figure", "front_figure", "profiles_figure"]

CHANCES = (
    ("a_better", "first better", theme.BLUE),
    ("same", "practically the same", "rgba(127,135,144,0.45)"),
    ("b_better", "second better", theme.VERMILION),
)


LEGEND, MOST_NAME = 56, 150
"""Pixels of a legend beside its names, and of a name."""
MOST_MARKS = 8
"""On a line of many steps."""
FACTORS = (1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0, 1000.0)
LEAST_GAP = 0.12
"""Ticks of an axis of ratios, and how much of it lies at least between two of them."""
LEFT_AND_LINE, TICK = 90, 34
"""Pixels of the shares at the left and a line of the legend, and of a ratio at the axis."""


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
    above = {"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0, "traceorder": "normal"}
    figure.update_layout(barmode="stack", legend=above)
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
    figure = _framed("share within this distance", height=320)
    x = [1 + at for at in found.at] if found.is_ratio else list(found.at)
    for row in found.rows:
        figure.add_traces([*_band(x, row), _profile(x, row, found)])
    # Beside the lines, best first: above them it would cover the axis' title.
    beside = {"orientation": "v", "x": 1.01, "y": 1, "yanchor": "top", "traceorder": "normal"}
    longest = max(text_width(row.method, 13) for row in found.rows)
    margin = {"r": min(longest, MOST_NAME) + LEGEND}
    figure.update_layout(showlegend=True, legend=beside, margin=margin)
    if found.is_ratio:
        ticks = _factors(x[-1])
        axis = {"type": "log", "tickvals": ticks, "ticktext": [f"{one:g}×" for one in ticks]}
        figure.update_xaxes(title_text="loss, in those of the best →", **axis)
        names = max(text_width(words.plot_text(row.method), 13) for row in found.rows)
        theme.needs_width(figure, LEFT_AND_LINE + names + TICK / LEAST_GAP)
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


def _framed(title: str, *, height: int = 420) -> go.Figure:
    """Return a figure to draw lines or marks in, with the title of its vertical axis above it."""
    figure = theme.new_figure(height=height)
    theme.title_y_axis(figure, title)
    figure.update_layout(margin={"t": 32}, hovermode="closest", showlegend=False)
    return figure


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
    figure = _framed("loss (lower is better)")
    front = sorted((row.cost[0], row.loss[0]) for row in rows if row.on_front)
    line = {"color": theme.LINE_GREY, "width": 1.5, "dash": "dash", "shape": "hv"}
    figure.add_trace(
        theme.trace("lines", [x for x, _ in front], [y for _, y in front], line=line, showlegend=False)
    )
    for row in rows:
        figure.add_trace(_spot(row))
    figure.update_xaxes(title_text="seconds of learning and predicting one instance", type="log", dtick=1)
    return figure


def _spot(row: Spot) -> theme.Trace:
    errors = {}
    for axis, (value, lower, upper) in (("error_x", row.cost), ("error_y", row.loss)):
        bars = {"array": [upper - value], "arrayminus": [value - lower], "thickness": 1.5, "width": 4}
        errors[axis] = {"type": "data", "symmetric": False, "color": row.style.colour, **bars}
    name = words.plot_text(row.method)
    hover = f"{name}: {row.cost[0]:.3g} s, loss {row.loss[0]:.3g}, on the front in {100 * row.sure:.0f} %"
    symbol = row.style.symbol if row.on_front else f"{row.style.symbol}-open"
    marker = {"color": row.style.colour, "symbol": symbol, "size": 12}
    text = {"text": [f" {name}"], "textposition": "top right", "textfont": {"size": 12}}
    look = {"marker": marker, "meta": row.method, "cliponaxis": False, **text, **errors}
    return theme.trace("markers+text", [row.cost[0]], [row.loss[0]], hover=[hover], **look)
