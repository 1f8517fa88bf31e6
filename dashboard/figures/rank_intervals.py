"""Rank intervals: the mean rank of each method and how far it would move with other tasks."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard import theme, words

__all__ = ["rank_intervals_figure"]

ROW_HEIGHT, FEW_ROWS_HEIGHT, FEW = 22, 34, 12
TOP, BOTTOM = 12, 52
RIGHT = 130


def rank_intervals_figure(table: pd.DataFrame) -> go.Figure:
    """Draw one row a method: a dot at its mean rank, a bar over its interval, both in digits at the right.

    table: columns method, rank, lower, upper (not a number where there is no interval), text, colour,
    symbol; best rank first.
    """
    if table.empty:
        return theme.empty_figure("No ranks to show", height=160)
    height = FEW_ROWS_HEIGHT if len(table) <= FEW else ROW_HEIGHT
    figure = theme.new_figure(height=TOP + BOTTOM + height * len(table))
    figure.update_layout(margin={"l": 8, "r": RIGHT, "t": TOP, "b": 8}, showlegend=False, hovermode="closest")
    figure.add_traces([_row(row, line) for row, line in enumerate(table.itertuples())])
    names = [words.plot_text(name, longest=24) + " " for name in table["method"]]
    figure.update_yaxes(
        tickvals=list(range(len(table))), ticktext=names, range=[len(table) - 0.5, -0.5], showgrid=True
    )
    ends = np.concatenate([table["rank"], table["lower"].dropna(), table["upper"].dropna()])
    figure.update_xaxes(
        title_text="← better   mean rank", range=[min(1, ends.min()) - 0.15, ends.max() * 1.02 + 0.1]
    )
    figure.update_layout(annotations=[_right_text(row, text) for row, text in enumerate(table["text"])])
    return figure


def _row(row, line):
    error = None
    if np.isfinite(line.lower) and np.isfinite(line.upper):
        error = {
            "type": "data",
            "symmetric": False,
            "array": [line.upper - line.rank],
            "arrayminus": [line.rank - line.lower],
            "thickness": 2.5,
            "width": 5,
            "color": line.colour,
        }
    return {
        "type": "scatter",
        "x": [line.rank],
        "y": [row],
        "mode": "markers",
        "marker": {"color": line.colour, "symbol": line.symbol, "size": 11},
        "hovertext": [f"{words.plot_text(line.method)}: {line.text}"],
        "hoverinfo": "text",
        **({"error_x": error} if error else {}),
    }


def _right_text(row, text):
    return {
        "text": text,
        "showarrow": False,
        "x": 1,
        "xref": "paper",
        "xanchor": "left",
        "xshift": 8,
        "y": row,
        "font": {"size": 13},
    }
