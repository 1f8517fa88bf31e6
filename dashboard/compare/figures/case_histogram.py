"""Case histogram: how many test cases lie where between one method and another."""

import math
from itertools import pairwise
from typing import NamedTuple

import plotly.graph_objects as go

from dashboard.frame import theme, words

__all__ = ["CaseBin", "CaseHistogram", "case_histogram_figure"]

HEIGHT = 300
COLOURS = {"first": theme.COLOURS[0], "same": theme.GREY, "second": theme.COLOURS[1]}


class CaseBin(NamedTuple):
    """How many cases have a difference in an interval (low equals high: a value). beyond: an interval at an
    end, which holds the few cases that lie outside, too."""

    low: float
    high: float
    cases: int
    beyond: bool

    @property
    def middle(self) -> float:
        return (self.low + self.high) / 2


class CaseHistogram(NamedTuple):
    """axis: title of the axis of differences; names: of both methods; mean: NaN without cases."""

    bins: tuple[CaseBin, ...]
    names: tuple[str, str]
    mean: float
    axis: str


def case_histogram_figure(found: CaseHistogram) -> go.Figure:
    """Draw test cases by their difference, left where the first method loses less; the mean as a line.

    Hatched bars at the ends hold the cases beyond, too.
    """
    if not any(one.cases for one in found.bins):
        return theme.empty_figure("No differences between test cases to show", height=HEIGHT)
    figure = theme.new_figure(height=HEIGHT)
    figure.add_bar(
        x=[one.middle for one in found.bins],
        y=[one.cases for one in found.bins],
        width=_width(found.bins),
        marker={
            "color": [_colour(one) for one in found.bins],
            "line": {"width": 0},
            "pattern": {
                "shape": ["/" if one.beyond else "" for one in found.bins],
                "fillmode": "overlay",
                "fgcolor": "#ffffff",
            },
        },
        hovertext=[_hover(one) for one in found.bins],
        hoverinfo="text",
        showlegend=False,
    )
    _add_sides(figure, found)
    figure.update_xaxes(title_text=found.axis)
    figure.update_layout(margin={"t": 52}, bargap=0.05)
    return figure


def _width(bins: tuple[CaseBin, ...]) -> float:
    width = max(one.high - one.low for one in bins)
    if width > 0:
        return width
    return min((0.6 * (after.low - one.low) for one, after in pairwise(bins)), default=0.5)


def _colour(one: CaseBin) -> str:
    if abs(one.middle) < 1e-12 or one.low < 0 < one.high:
        return COLOURS["same"]
    return COLOURS["first" if one.middle < 0 else "second"]


def _hover(one: CaseBin) -> str:
    cases = words.count(one.cases, "case")
    if one.low == one.high:
        return f"difference {words.number(one.low)}: {cases}"
    beyond = " and beyond" if one.beyond else ""
    return f"{words.number(one.low)} to {words.number(one.high)}{beyond}: {cases}"


def _add_sides(figure: go.Figure, found: CaseHistogram) -> None:
    first, second = (words.plot_text(name, longest=24) for name in found.names)
    sides = ((0, "left", f"◀ {first} loses less"), (1, "right", f"{second} loses less ▶"))
    for x, anchor, text in sides:
        figure.add_annotation(
            text=text, x=x, xanchor=anchor, xref="paper", y=1, yref="paper", yanchor="bottom", yshift=24,
            showarrow=False, font={"size": 13},
        )  # fmt: skip
    mean = found.mean
    if not math.isnan(mean):
        figure.add_vline(x=mean, line={"color": theme.LINE_GREY, "width": 2, "dash": "dash"})
        figure.add_annotation(
            text=f"mean {words.number(mean, digits=3)}", x=mean, y=1, yref="paper", yanchor="bottom",
            showarrow=False, font={"size": 12},
        )  # fmt: skip
