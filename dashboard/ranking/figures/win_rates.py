"""Win rates: on which share of tasks is each method better than one other, with intervals."""

from typing import NamedTuple

import plotly.graph_objects as go

from dashboard.frame import theme, words
from dashboard.frame.rows import add_vertical_line
from dashboard.ranking.figures.rows import AgainstOne, right_texts, room_for, rows_figure

__all__ = ["WinRate", "win_rates_figure"]

FADED = 0.55


class WinRate(NamedTuple):
    """A method against the reference: tasks won, tied and lost; rate, lower, upper: shares from 0 to 1."""

    method: str
    wins: int
    ties: int
    losses: int
    rate: float
    lower: float
    upper: float
    text: str
    colour: str


def win_rates_figure(found: AgainstOne[WinRate]) -> go.Figure:
    """Draw one bar a method, from 0 to its win rate, with its interval, and a line at one half."""
    rows = found.rows
    if not rows:
        return theme.empty_figure("No other method to win against", height=160)
    texts = [row.text for row in rows]
    figure = rows_figure([row.method for row in rows], top=28, right=room_for(texts))
    figure.update_layout(bargap=0.35)
    figure.add_bar(
        orientation="h",
        x=[row.rate for row in rows],
        y=list(range(len(rows))),
        marker={"color": [row.colour for row in rows], "opacity": FADED},
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [row.upper - row.rate for row in rows],
            "arrayminus": [row.rate - row.lower for row in rows],
            "color": "#69747F",
            "thickness": 2,
            "width": 4,
        },
        hovertext=[f"{words.plot_text(row.method)}: {row.text}" for row in rows],
        hoverinfo="text",
    )
    reference = words.plot_text(found.reference, longest=24)
    figure.update_xaxes(
        range=[0, 1.005], tickformat=".0%", title_text=f"Tasks won against {reference}, ties half   better →"
    )
    add_vertical_line(figure, 0.5, text="as good as it")
    figure.add_trace(right_texts(1.005, texts))
    return figure
