"""Figures of further questions: chances of pairs, profiles, cost against loss."""

from collections.abc import Sequence
from typing import NamedTuple

import plotly.graph_objects as go

from delvecore.figures import theme, words
from delvecore.figures.rows import HEIGHTS, NAMES, rows_figure
from delvecore.figures.theme import MethodStyle

__all__ = ["Chance", "Profile", "Spot", "chances_figure", "front_figure", "profiles_figure"]

CHANCES = (
    ("a_better", "first better", theme.BLUE),
    ("same", "practically the same", "rgba(127,135,144,0.45)"),
    ("b_better", "second better", theme.VERMILION),
)


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
    """A method's share of units within each distance from the best."""

    method: str
    at: tuple[float, ...]
    share: tuple[float, ...]
    style: MethodStyle


def profiles_figure(rows: Sequence[Profile]) -> go.Figure:
    """Draw one stepped line a method: higher on the left is better."""
    if not rows:
        return theme.empty_figure("Nothing to show", height=300)
    figure = _framed("share within this distance")
    for row in rows:
        line = {"color": row.style.colour, "width": 2, "shape": "hv"}
        marker = {"symbol": row.style.symbol, "size": 7, "color": row.style.colour}
        hover = [
            f"{words.plot_text(row.method)}: within {words.number(at, digits=2)} on {100 * share:.0f} %"
            for at, share in zip(row.at, row.share, strict=True)
        ]
        name = words.plot_text(row.method)
        more = {"line": line, "marker": marker, "name": name, "meta": row.method, "showlegend": True}
        figure.add_trace(theme.trace("lines+markers", list(row.at), list(row.share), hover=hover, **more))
    # Beside the lines, best first: above them it would cover the axis' title.
    beside = {"orientation": "v", "x": 1.01, "y": 1, "yanchor": "top"}
    figure.update_layout(showlegend=True, legend=beside)
    figure.update_xaxes(title_text="distance from the best →", rangemode="tozero")
    figure.update_yaxes(range=[0, 1.02], tickformat=".0%")
    return figure


def _framed(title: str) -> go.Figure:
    """Return a figure to draw lines or marks in, with the title of its vertical axis above it."""
    figure = theme.new_figure(height=420)
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
    look = {"marker": marker, "meta": row.method, **text, **errors}
    return theme.trace("markers+text", [row.cost[0]], [row.loss[0]], hover=[hover], **look)
