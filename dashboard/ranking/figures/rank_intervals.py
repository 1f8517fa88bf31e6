"""Rank intervals: the mean rank of each method and how far it would move with other tasks."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import plotly.graph_objects as go

from dashboard.frame import theme, words
from dashboard.ranking.figures.rows import FEW, Trace, right_texts, room_for, rows_figure

__all__ = ["RankInterval", "rank_intervals_figure"]

MOST_TICKS = 8


class RankInterval(NamedTuple):
    """A method's mean rank; lower, upper: not a number where there is no interval; best: how often it was the
    best one when tasks were drawn anew; text: rank and interval as written."""

    method: str
    rank: float
    lower: float
    upper: float
    best: float
    text: str
    style: theme.MethodStyle


def rank_intervals_figure(rows: Sequence[RankInterval]) -> go.Figure:
    """Draw one row a method: a dot at its mean rank, a bar over its interval, both in digits at the right.

    rows: best mean rank first.
    """
    if not rows:
        return theme.empty_figure("No ranks to show", height=160)
    texts = [row.text for row in rows]
    figure = rows_figure([row.method for row in rows], top=12, right=room_for(texts))
    by_colour: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        by_colour.setdefault(row.style.colour, []).append(place)
    size = 11 if len(rows) <= FEW else 7
    figure.add_traces([_rows(colour, rows, places, size) for colour, places in by_colour.items()])
    figure.update_yaxes(showgrid=True)
    ends = [end for row in rows for end in (row.rank, row.lower, row.upper) if not math.isnan(end)]
    low, high = min(1, *ends) - 0.15, max(ends) * 1.02 + 0.1
    step = next((step for step in (1, 2, 5, 10, 20) if high / step <= MOST_TICKS), 50)
    ticks = [1, *range(step if step > 1 else 2, int(high) + 1, step)]
    figure.update_xaxes(title_text="← better   mean rank", range=[low, high], tickvals=ticks)
    figure.add_trace(right_texts(high, texts))
    return figure


def _rows(colour: str, rows: Sequence[RankInterval], places: list[int], size: int) -> Trace:
    """Return the rows of one colour as one trace."""
    part = [rows[place] for place in places]
    known = [math.isfinite(row.lower) and math.isfinite(row.upper) for row in part]
    return {
        "type": "scatter",
        "x": [row.rank for row in part],
        "y": places,
        "mode": "markers",
        "marker": {"color": colour, "symbol": [row.style.symbol for row in part], "size": size},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [row.upper - row.rank if one else 0.0 for row, one in zip(part, known, strict=True)],
            "arrayminus": [
                row.rank - row.lower if one else 0.0 for row, one in zip(part, known, strict=True)
            ],
            "thickness": 2.5 if size > 7 else 1.5,
            "width": size / 2,
            "color": colour,
        },
        "hovertext": [f"{words.plot_text(row.method)}: {row.text}" for row in part],
        "hoverinfo": "text",
    }
