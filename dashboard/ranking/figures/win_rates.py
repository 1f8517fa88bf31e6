"""Win rates: on which share of tasks is each method better than one other, with intervals."""

import pandas as pd
import plotly.graph_objects as go

from dashboard.frame import theme, words
from dashboard.frame.rows import add_vertical_line
from dashboard.frame.text_boxes import text_width
from dashboard.ranking.figures.rank_intervals import (
    BOTTOM,
    FEW,
    FEW_ROWS_HEIGHT,
    ROW_HEIGHT,
    right_texts,
)

__all__ = ["win_rates_figure"]

TOP = 28
FADED = 0.55


def win_rates_figure(table: pd.DataFrame) -> go.Figure:
    """Draw one bar a method, from 0 to its win rate, with its interval, and a line at one half.

    table: columns method, rate, lower, upper (shares from 0 to 1), text, colour; attrs reference.
    """
    if table.empty:
        return theme.empty_figure("No other method to win against", height=160)
    height = FEW_ROWS_HEIGHT if len(table) <= FEW else ROW_HEIGHT
    figure = theme.new_figure(height=TOP + BOTTOM + height * len(table))
    right = 20 + max(text_width(text, 13) for text in table["text"])
    figure.update_layout(
        margin={"l": 8, "r": right, "t": TOP, "b": 8}, showlegend=False, hovermode="closest", bargap=0.35
    )
    rows = list(range(len(table)))
    figure.add_bar(
        orientation="h",
        x=table["rate"].tolist(),
        y=rows,
        marker={"color": table["colour"].tolist(), "opacity": FADED},
        error_x={
            "type": "data",
            "symmetric": False,
            "array": (table["upper"] - table["rate"]).tolist(),
            "arrayminus": (table["rate"] - table["lower"]).tolist(),
            "color": "#69747F",
            "thickness": 2,
            "width": 4,
        },
        hovertext=[f"{words.plot_text(line.method)}: {line.text}" for line in table.itertuples()],
        hoverinfo="text",
    )
    names = [words.plot_text(name, longest=24) + " " for name in table["method"]]
    figure.update_yaxes(tickvals=rows, ticktext=names, range=[len(rows) - 0.5, -0.5])
    reference = words.plot_text(table.attrs["reference"], longest=24)
    figure.update_xaxes(
        range=[0, 1.005], tickformat=".0%", title_text=f"Tasks won against {reference}, ties half   better →"
    )
    add_vertical_line(figure, 0.5, text="as good as it")
    figure.add_trace(right_texts(1.005, table["text"]))
    return figure
