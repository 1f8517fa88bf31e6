"""Paired losses: the mean loss of each method on each training set, a line for each training set."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.frame import rows, theme, words

__all__ = ["instances_figure"]


def instances_figure(table: pd.DataFrame) -> go.Figure:
    """Draw one row a method, a mark for each training set; a line joins the marks of a training set.

    Lines that all lean the same way say that one method is better whatever the training set. table: columns
    method, instance, loss, colour, symbol; attrs axis.
    """
    table = table[np.isfinite(table["loss"].astype(float))]
    if table.empty:
        return theme.empty_figure("No finite losses to show", height=160)
    methods = list(dict.fromkeys(table["method"]))
    figure = rows.row_figure(len(methods))
    for instance, group in table.groupby("instance", sort=True):
        _add_training_set(figure, instance, group, methods)
    for row, (name, group) in enumerate(table.groupby("method", sort=False)):
        _add_method(figure, row, name, group)
    rows.label_rows(figure, methods)
    figure.update_xaxes(title_text=table.attrs.get("axis"))
    return figure


def _add_training_set(figure, instance, group, methods):
    figure.add_scatter(
        x=group["loss"].tolist(),
        y=[methods.index(name) for name in group["method"]],
        mode="lines",
        line={"color": theme.LINE_GREY, "width": 1},
        opacity=0.7,
        hovertext=f"training set {instance}",
        hoverinfo="text",
    )


def _add_method(figure, row, name, group):
    figure.add_scatter(
        x=group["loss"].tolist(),
        y=[row] * len(group),
        mode="markers",
        marker={"color": group["colour"].iloc[0], "symbol": group["symbol"].iloc[0], "size": 9},
        hovertext=[
            f"{words.plot_text(name)}, training set {line.instance}: {words.number(line.loss)}"
            for line in group.itertuples()
        ],
        hoverinfo="text",
    )
