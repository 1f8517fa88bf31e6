"""Rank intervals: the mean rank of each method and how far it would move with other tasks."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.frame import theme, words
from dashboard.frame.text_boxes import text_width

__all__ = ["rank_intervals_figure", "right_texts"]

ROW_HEIGHT, FEW_ROWS_HEIGHT, FEW = 22, 34, 12
TOP, BOTTOM = 12, 52
MOST_TICKS = 8


def rank_intervals_figure(table: pd.DataFrame) -> go.Figure:
    """Draw one row a method: a dot at its mean rank, a bar over its interval, both in digits at the right.

    table: columns method, rank, lower, upper (not a number where there is no interval), text, colour,
    symbol; best rank first.
    """
    if table.empty:
        return theme.empty_figure("No ranks to show", height=160)
    height = FEW_ROWS_HEIGHT if len(table) <= FEW else ROW_HEIGHT
    figure = theme.new_figure(height=TOP + BOTTOM + height * len(table))
    right = 20 + max(text_width(text, 13) for text in table["text"])
    figure.update_layout(margin={"l": 8, "r": right, "t": TOP, "b": 8}, showlegend=False, hovermode="closest")
    numbered = table.assign(row=range(len(table)))
    size = 11 if len(table) <= FEW else 7
    figure.add_traces([_rows(colour, part, size) for colour, part in numbered.groupby("colour", sort=False)])
    names = [words.plot_text(name, longest=24) + " " for name in table["method"]]
    figure.update_yaxes(
        tickvals=list(range(len(table))), ticktext=names, range=[len(table) - 0.5, -0.5], showgrid=True
    )
    ends = np.concatenate([table["rank"], table["lower"].dropna(), table["upper"].dropna()])
    low, high = min(1, ends.min()) - 0.15, ends.max() * 1.02 + 0.1
    step = next((step for step in (1, 2, 5, 10, 20) if high / step <= MOST_TICKS), 50)
    ticks = [1, *range(step if step > 1 else 2, int(high) + 1, step)]
    figure.update_xaxes(title_text="← better   mean rank", range=[low, high], tickvals=ticks)
    figure.add_trace(right_texts(high, table["text"]))
    return figure


def _rows(colour, part, size):
    """Return the rows of one colour as one trace."""
    known = np.isfinite(part["lower"]) & np.isfinite(part["upper"])
    above, below = part["upper"] - part["rank"], part["rank"] - part["lower"]
    return {
        "type": "scatter",
        "x": part["rank"].tolist(),
        "y": part["row"].tolist(),
        "mode": "markers",
        "marker": {"color": colour, "symbol": part["symbol"].tolist(), "size": size},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": np.where(known, above, 0.0).tolist(),
            "arrayminus": np.where(known, below, 0.0).tolist(),
            "thickness": 2.5 if size > 7 else 1.5,
            "width": size / 2,
            "color": colour,
        },
        "hovertext": [f"{words.plot_text(line.method)}: {line.text}" for line in part.itertuples()],
        "hoverinfo": "text",
    }


def right_texts(x: float, texts: Sequence[str]) -> dict:
    """Return the trace of a text right of each row, beyond the axis's end x.

    One trace: as many annotations would take many times as long to draw.
    """
    return {
        "type": "scatter",
        "x": [x] * len(texts),
        "y": list(range(len(texts))),
        "mode": "text",
        "text": [f"  {text}" for text in texts],
        "textposition": "middle right",
        "textfont": {"size": 13},
        "cliponaxis": False,
        "hoverinfo": "skip",
    }
