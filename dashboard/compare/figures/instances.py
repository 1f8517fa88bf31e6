"""Paired losses: the mean loss of each method on each training set, a line for each training set."""

from collections.abc import Mapping
from math import isfinite
from typing import NamedTuple

import plotly.graph_objects as go

from dashboard.frame import rows, theme, words

__all__ = ["InstanceLoss", "InstanceLosses", "instances_figure"]


class InstanceLoss(NamedTuple):
    """A method's mean loss on a training set; NaN where there is none."""

    method: str
    instance: int
    loss: float


class InstanceLosses(NamedTuple):
    """axis: title of the loss axis."""

    lines: tuple[InstanceLoss, ...]
    looks: Mapping[str, theme.MethodStyle]
    axis: str


def instances_figure(found: InstanceLosses) -> go.Figure:
    """Draw one row a method, a mark for each training set; a line joins the marks of a training set.

    Lines that all lean the same way say that one method is better whatever the training set.
    """
    lines = [line for line in found.lines if isfinite(line.loss)]
    if not lines:
        return theme.empty_figure("No finite losses to show", height=160)
    methods = list(dict.fromkeys(line.method for line in lines))
    figure = rows.row_figure(len(methods))
    for instance in sorted({line.instance for line in lines}):
        _add_training_set(figure, [line for line in lines if line.instance == instance], methods)
    for row, name in enumerate(methods):
        _add_method(figure, row, [line for line in lines if line.method == name], found.looks[name])
    rows.label_rows(figure, methods)
    figure.update_xaxes(title_text=found.axis)
    return figure


def _add_training_set(figure: go.Figure, lines: list[InstanceLoss], methods: list[str]) -> None:
    figure.add_scatter(
        x=[line.loss for line in lines],
        y=[methods.index(line.method) for line in lines],
        mode="lines",
        line={"color": theme.LINE_GREY, "width": 1},
        opacity=0.7,
        hovertext=f"training set {lines[0].instance}",
        hoverinfo="text",
    )


def _add_method(figure: go.Figure, row: int, lines: list[InstanceLoss], look: theme.MethodStyle) -> None:
    name = words.plot_text(lines[0].method)
    figure.add_scatter(
        x=[line.loss for line in lines],
        y=[row] * len(lines),
        mode="markers",
        marker={"color": look.colour, "symbol": look.symbol, "size": 9},
        hovertext=[f"{name}, training set {line.instance}: {words.number(line.loss)}" for line in lines],
        hoverinfo="text",
    )
