"""Probability triangle: where a Bayesian test puts its belief between one method, the other, and neither."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from dashboard.frame import theme, words
from dashboard.ranking.figures.rows import Trace

__all__ = ["BayesTriangle", "bayes_triangle_figure", "corner_text"]

HEIGHT = 400
TALL = math.sqrt(3) / 2
CORNERS = {"first": (0.0, 0.0), "second": (1.0, 0.0), "same": (0.5, TALL)}
MIDDLE = (0.5, TALL / 3)


class BayesTriangle(NamedTuple):
    """draws: shape (draws, 3): shares of the first, neither and the second, which add up to 1; texts: at the
    corners of the first, the second, and neither."""

    draws: np.ndarray
    texts: tuple[str, str, str]


def bayes_triangle_figure(found: BayesTriangle) -> go.Figure:
    """Draw one dot a draw from the posterior distribution, nearer to a corner the more it speaks for it.

    Lines part the triangle by what is most probable.
    """
    figure = theme.new_figure(height=HEIGHT)
    figure.update_xaxes(visible=False, range=[-0.32, 1.32])
    figure.update_yaxes(visible=False, range=[-0.2, TALL + 0.14], scaleanchor="x")
    figure.update_layout(margin={"l": 0, "r": 0, "t": 0, "b": 0}, showlegend=False, hovermode=False)
    figure.add_traces([_frame(), _borders()])
    if len(found.draws):
        figure.add_trace(_draws(found.draws))
    places = (("first", -0.04, "top"), ("second", -0.04, "top"), ("same", 0.03, "bottom"))
    for text, (corner, shift, anchor) in zip(found.texts, places, strict=True):
        x, y = CORNERS[corner]
        figure.add_annotation(text=text, showarrow=False, x=x, y=y + shift, yanchor=anchor, font={"size": 13})
    return figure


def _line(points: Sequence[tuple[float, float] | None], *, width: float, dash: str = "solid") -> Trace:
    return {
        "type": "scatter",
        "x": [point[0] if point else None for point in points],
        "y": [point[1] if point else None for point in points],
        "mode": "lines",
        "line": {"color": theme.LINE_GREY, "width": width, "dash": dash},
        "hoverinfo": "skip",
    }


def _frame() -> Trace:
    corners = [CORNERS[name] for name in ("first", "second", "same", "first")]
    return _line(corners, width=1.5)


def _borders() -> Trace:
    """From the middle to the middles of the sides: there two of the three are as probable as each other."""
    sides = (("first", "second"), ("first", "same"), ("second", "same"))
    points: list[tuple[float, float] | None] = []
    for one, other in sides:
        (a, b), (c, d) = CORNERS[one], CORNERS[other]
        points += [MIDDLE, ((a + c) / 2, (b + d) / 2), None]
    return _line(points, width=1, dash="dash")


def _draws(draws: np.ndarray) -> Trace:
    colours = [
        theme.COLOURS[0] if a >= max(b, c) else theme.COLOURS[1] if c >= b else theme.GREY
        for a, b, c in draws.tolist()
    ]
    return {
        "type": "scatter",
        "x": (draws[:, 2] + draws[:, 1] / 2).round(4).tolist(),
        "y": (draws[:, 1] * TALL).round(4).tolist(),
        "mode": "markers",
        "marker": {"color": colours, "size": 3.5, "opacity": 0.35},
        "hoverinfo": "skip",
    }


def corner_text(name: str, probability: float, *, better: bool = True) -> str:
    """`gp-1 better<br>p = 0.98`, for a corner."""
    said = f"{words.plot_text(name, longest=22)} better" if better else name
    shown = (
        f"{probability:.3f}"
        if 0.0005 <= probability <= 0.9995
        else ("> 0.999" if probability > 0.5 else "< 0.001")
    )
    return f"{said}<br><b>{shown.replace('<', '&lt;').replace('>', '&gt;')}</b>"
