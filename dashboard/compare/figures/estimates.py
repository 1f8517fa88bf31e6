"""Estimates: the expected loss of each method on a task, with its standard error."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.frame import rows, theme, words

__all__ = ["estimates_figure"]

RIGHT = 124
HEADROOM = 1.06


def estimates_figure(table: pd.DataFrame) -> go.Figure:
    """Draw one row a method: a dot at its loss, a bar of one standard error to either side, both in digits.

    table: columns method, loss, standard_error, text, colour, symbol; attrs axis, baseline, baseline_text.
    An infinite loss or none has its text only.
    """
    if table.empty:
        return theme.empty_figure("No results to show", height=160)
    figure = rows.row_figure(len(table), right=RIGHT)
    for row, line in enumerate(table.itertuples()):
        if np.isfinite(line.loss):
            _add_method(figure, row, line)
    rows.label_rows(figure, table["method"])
    rows.add_right_texts(figure, table["text"])
    _scale(figure, table)
    return figure


def _add_method(figure, row, line):
    error = line.standard_error if np.isfinite(line.standard_error) else None
    figure.add_scatter(
        x=[line.loss],
        y=[row],
        mode="markers",
        marker={"color": line.colour, "symbol": line.symbol, "size": 12},
        error_x={"array": [error], "thickness": 2.5, "width": 5, "color": line.colour} if error else None,
        hovertext=f"{words.plot_text(line.method)}: {line.text}",
        hoverinfo="text",
    )


def _scale(figure, table):
    finite = table[np.isfinite(table["loss"])]
    error = finite["standard_error"].fillna(0)
    baseline = table.attrs.get("baseline")
    ends = [*(finite["loss"] - error), *(finite["loss"] + error)]
    ends += [baseline] if baseline is not None else []
    figure.update_xaxes(title_text=table.attrs.get("axis"))
    if baseline is not None:
        rows.add_vertical_line(figure, baseline, text=table.attrs["baseline_text"])
    if ends and min(ends) >= 0:
        figure.update_xaxes(range=[0, HEADROOM * max(ends) or 1])
    elif ends:
        reach = (max(ends) - min(ends)) or 1
        figure.update_xaxes(range=[min(ends) - 0.06 * reach, max(ends) + 0.06 * reach])
