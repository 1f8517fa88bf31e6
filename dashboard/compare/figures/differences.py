"""Differences: each method less the reference, with its confidence interval and p-value."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.frame import rows, theme, words

__all__ = ["differences_figure"]

RIGHT = 168
SETTLED = ("better", "worse")


def differences_figure(table: pd.DataFrame) -> go.Figure:
    """Draw one row a method: full marks where the difference is settled, open ones where it is not.

    table: columns method, reference, difference, lower, upper, verdict, text, colour, symbol; attrs axis.
    The line at zero is the reference.
    """
    if table.empty:
        return theme.empty_figure("No differences to show", height=160)
    figure = rows.row_figure(len(table), right=RIGHT)
    for row, line in enumerate(table.itertuples()):
        if np.isfinite(line.difference) and line.verdict != "reference":
            _add_method(figure, row, line)
    rows.label_rows(figure, table["method"])
    rows.add_right_texts(figure, table["text"])
    reference = words.plot_text(table["reference"].iloc[0], longest=24)
    rows.add_vertical_line(figure, 0, text=f"same as {reference}", dash="solid")
    _scale(figure, table)
    return figure


def _add_method(figure, row, line):
    known = np.isfinite(line.lower) and np.isfinite(line.upper)
    if known:
        figure.add_scatter(
            x=[line.lower, line.upper],
            y=[row, row],
            mode="lines",
            line={"color": line.colour, "width": 2.5},
            hoverinfo="skip",
        )
    is_open = line.verdict not in SETTLED
    interval = f"<br>{words.number(line.lower)} to {words.number(line.upper)}" if known else ""
    figure.add_scatter(
        x=[line.difference],
        y=[row],
        mode="markers",
        marker={
            "color": line.colour,
            "symbol": f"{line.symbol}-open" if is_open else line.symbol,
            "size": 12,
            "line": {"width": 2.5, "color": line.colour},
        },
        hovertext=f"{words.plot_text(line.method)}: {words.number(line.difference)}{interval}<br>{line.text}",
        hoverinfo="text",
    )


def _scale(figure, table):
    ends = pd.concat([table["difference"], table["lower"], table["upper"]])
    ends = ends[np.isfinite(ends)].abs()
    reach = 1.12 * ends.max() if len(ends) and ends.max() > 0 else 1
    low, high = table[["difference", "lower"]].min().min(), table[["difference", "upper"]].max().max()
    figure.update_xaxes(
        title_text=f"← better   {table.attrs.get('axis', '')}",
        range=[-reach if low < 0 else -0.15 * reach, reach if high > 0 else 0.15 * reach],
    )
