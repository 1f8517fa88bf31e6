"""Does the order hold? Mean ranks of all methods with one family of tasks left out after another."""

import pandas as pd
import plotly.graph_objects as go

from dashboard.frame import theme, words
from dashboard.frame.text_boxes import text_width

__all__ = ["leave_out_figure"]

ROW_HEIGHT = 36
TOP, BOTTOM = 44, 52


def leave_out_figure(table: pd.DataFrame) -> go.Figure:
    """Draw one row for all tasks and one for each family left out, a mark at each method's mean rank.

    table: columns row (what is left out, in words; the first: nothing), method, rank, place, hover, colour,
    symbol; attrs texts (one a row, at its right). A line joins a method's marks; lines cross where places
    change.
    """
    if table.empty:
        return theme.empty_figure("One family of tasks only: there is nothing to leave out", height=160)
    rows = list(dict.fromkeys(table["row"]))
    figure = theme.new_figure(height=TOP + BOTTOM + ROW_HEIGHT * len(rows))
    place = {row: number for number, row in enumerate(rows)}
    right = 16 + max(text_width(text, 13) for text in table.attrs["texts"])
    figure.add_traces([_method(name, part, place) for name, part in table.groupby("method", sort=False)])
    figure.update_layout(
        margin={"l": 8, "r": right, "t": TOP, "b": 8},
        hovermode="closest",
        showlegend=table["method"].nunique() <= 8,
        legend={"y": 1 + 8 / (ROW_HEIGHT * len(rows)), "yanchor": "bottom", "x": 0},
    )
    figure.update_yaxes(
        tickvals=list(range(len(rows))),
        ticktext=[words.plot_text(row, longest=34) + " " for row in rows],
        range=[len(rows) - 0.5, -0.5],
    )
    low, high = table["rank"].min(), table["rank"].max()
    figure.update_xaxes(title_text="← better   mean rank", range=[min(1, low) - 0.1, high + 0.1])
    for row, text in enumerate(table.attrs["texts"]):
        figure.add_annotation(
            text=text, showarrow=False, x=1, xref="paper", xanchor="left", xshift=8, y=row, font={"size": 13}
        )
    return figure


def _method(name, part, place):
    colour = part["colour"].iloc[0]
    return {
        "type": "scatter",
        "name": words.plot_text(name, longest=24),
        "x": part["rank"].tolist(),
        "y": [place[row] for row in part["row"]],
        "mode": "lines+markers",
        "line": {"color": colour, "width": 1.5},
        "marker": {"color": colour, "symbol": part["symbol"].iloc[0], "size": 9},
        "hovertext": part["hover"].tolist(),
        "hoverinfo": "text",
    }
