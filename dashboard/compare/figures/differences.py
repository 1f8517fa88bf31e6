"""Differences: each method less the reference, with its confidence interval and p-value."""

from collections.abc import Mapping
from math import isfinite
from typing import NamedTuple

import plotly.graph_objects as go

from dashboard.frame import rows, theme, words

__all__ = ["REFERENCE", "Difference", "Differences", "differences_figure"]

RIGHT = 168
SETTLED = ("better", "worse")
REFERENCE = "reference"


class Difference(NamedTuple):
    """A method less the reference; NaN for what there is not. verdict: REFERENCE for the reference itself."""

    method: str
    reference: str
    difference: float
    standard_error: float
    lower: float
    upper: float
    p: float
    verdict: str
    text: str


class Differences(NamedTuple):
    """axis: title of the axis of differences."""

    lines: tuple[Difference, ...]
    looks: Mapping[str, theme.MethodStyle]
    axis: str


def differences_figure(found: Differences) -> go.Figure:
    """Draw one row a method: full marks where the difference is settled, open ones where it is not.

    The line at zero is the reference.
    """
    if not found.lines:
        return theme.empty_figure("No differences to show", height=160)
    figure = rows.row_figure(len(found.lines), right=RIGHT)
    for row, line in enumerate(found.lines):
        if isfinite(line.difference) and line.verdict != REFERENCE:
            _add_method(figure, row, line, found.looks[line.method])
    rows.label_rows(figure, [line.method for line in found.lines])
    rows.add_right_texts(figure, [line.text for line in found.lines])
    reference = words.plot_text(found.lines[0].reference, longest=24)
    rows.add_vertical_line(figure, 0, text=f"same as {reference}", dash="solid")
    _scale(figure, found)
    return figure


def _add_method(figure: go.Figure, row: int, line: Difference, look: theme.MethodStyle) -> None:
    known = isfinite(line.lower) and isfinite(line.upper)
    if known:
        figure.add_scatter(
            x=[line.lower, line.upper],
            y=[row, row],
            mode="lines",
            line={"color": look.colour, "width": 2.5},
            hoverinfo="skip",
        )
    is_open = line.verdict not in SETTLED
    interval = f"<br>{words.number(line.lower)} to {words.number(line.upper)}" if known else ""
    figure.add_scatter(
        x=[line.difference],
        y=[row],
        mode="markers",
        marker={
            "color": look.colour,
            "symbol": f"{look.symbol}-open" if is_open else look.symbol,
            "size": 12,
            "line": {"width": 2.5, "color": look.colour},
        },
        hovertext=f"{words.plot_text(line.method)}: {words.number(line.difference)}{interval}<br>{line.text}",
        hoverinfo="text",
    )


def _scale(figure: go.Figure, found: Differences) -> None:
    ends = [end for line in found.lines for end in (line.difference, line.lower, line.upper)]
    reach = 1.12 * max((abs(end) for end in ends if isfinite(end)), default=0) or 1
    is_below = any(line.difference < 0 or line.lower < 0 for line in found.lines)
    is_above = any(line.difference > 0 or line.upper > 0 for line in found.lines)
    figure.update_xaxes(
        title_text=f"← better   {found.axis}",
        range=[-reach if is_below else -0.15 * reach, reach if is_above else 0.15 * reach],
    )
