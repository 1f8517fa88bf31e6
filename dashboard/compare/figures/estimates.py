"""Estimates: the expected loss of each method on a task, with its standard error."""

from collections.abc import Mapping
from math import isfinite
from typing import NamedTuple

import plotly.graph_objects as go

from dashboard.frame import rows, theme, words
from dashboard.frame.words import Baseline

__all__ = ["Estimate", "Estimates", "estimates_figure"]

RIGHT = 124
HEADROOM = 1.06


class Estimate(NamedTuple):
    """A method's loss; NaN for a loss or an error that there is not."""

    method: str
    loss: float
    standard_error: float
    text: str


class Estimates(NamedTuple):
    """axis: title of the loss axis; baseline: None for raw losses."""

    lines: tuple[Estimate, ...]
    looks: Mapping[str, theme.MethodStyle]
    axis: str
    baseline: Baseline | None


def estimates_figure(found: Estimates) -> go.Figure:
    """Draw one row a method: a dot at its loss, a bar of one standard error to either side, both in digits.

    An infinite loss or none has its text only.
    """
    if not found.lines:
        return theme.empty_figure("No results to show", height=160)
    figure = rows.row_figure(len(found.lines), right=RIGHT)
    for row, line in enumerate(found.lines):
        if isfinite(line.loss):
            _add_method(figure, row, line, found.looks[line.method])
    rows.label_rows(figure, [line.method for line in found.lines])
    rows.add_right_texts(figure, [line.text for line in found.lines])
    _scale(figure, found)
    return figure


def _add_method(figure: go.Figure, row: int, line: Estimate, look: theme.MethodStyle) -> None:
    error = line.standard_error if isfinite(line.standard_error) else None
    figure.add_scatter(
        x=[line.loss],
        y=[row],
        mode="markers",
        marker={"color": look.colour, "symbol": look.symbol, "size": 12},
        error_x={"array": [error], "thickness": 2.5, "width": 5, "color": look.colour} if error else None,
        hovertext=f"{words.plot_text(line.method)}: {line.text}",
        hoverinfo="text",
    )


def _scale(figure: go.Figure, found: Estimates) -> None:
    ends: list[float] = []
    for line in found.lines:
        if isfinite(line.loss):
            error = line.standard_error if line.standard_error == line.standard_error else 0.0
            ends += [line.loss - error, line.loss + error]
    figure.update_xaxes(title_text=found.axis)
    if found.baseline is not None:
        ends.append(found.baseline.value)
        rows.add_vertical_line(figure, found.baseline.value, text=found.baseline.text)
    if ends and min(ends) >= 0:
        figure.update_xaxes(range=[0, HEADROOM * max(ends) or 1])
    elif ends:
        reach = (max(ends) - min(ends)) or 1
        figure.update_xaxes(range=[min(ends) - 0.06 * reach, max(ends) + 0.06 * reach])
