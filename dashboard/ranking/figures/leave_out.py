"""Does the order hold? Mean ranks of all methods with one family of tasks left out after another."""

from typing import NamedTuple

import plotly.graph_objects as go

from dashboard.frame import theme, words
from dashboard.frame.text_boxes import text_width
from dashboard.ranking.figures.rows import Trace, rows_figure

__all__ = ["LeaveOut", "RanksWithout", "leave_out_figure"]

ROW_HEIGHT = 36


class RanksWithout(NamedTuple):
    """Mean ranks and places of all methods. title: what is left out, in words; text: written at the right."""

    title: str
    text: str
    ranks: tuple[float, ...]
    places: tuple[int, ...]


class LeaveOut(NamedTuple):
    """Methods, best mean rank first; rows: the first leaves nothing out; none where nothing can be."""

    methods: tuple[str, ...]
    styles: tuple[theme.MethodStyle, ...]
    rows: tuple[RanksWithout, ...]


def leave_out_figure(found: LeaveOut) -> go.Figure:
    """Draw one row for all tasks and one for each family left out, a mark at each method's mean rank.

    A line joins a method's marks; lines cross where places change.
    """
    rows = found.rows
    if not rows:
        return theme.empty_figure("One family of tasks only: there is nothing to leave out", height=160)
    figure = rows_figure(
        [row.title for row in rows],
        top=44,
        right=16 + max(text_width(row.text, 13) for row in rows),
        heights=(ROW_HEIGHT, ROW_HEIGHT),
        longest=34,
        showlegend=len(found.methods) <= 8,
    )
    figure.add_traces([_method(found, place) for place in range(len(found.methods))])
    figure.update_layout(legend={"y": 1 + 8 / (ROW_HEIGHT * len(rows)), "yanchor": "bottom", "x": 0})
    ranks = [rank for row in rows for rank in row.ranks]
    figure.update_xaxes(title_text="← better   mean rank", range=[min(1, *ranks) - 0.1, max(ranks) + 0.1])
    for place, row in enumerate(rows):
        figure.add_annotation(
            text=row.text, showarrow=False, x=1, xref="paper", xanchor="left", xshift=8, y=place,
            font={"size": 13},
        )  # fmt: skip
    return figure


def _method(found: LeaveOut, place: int) -> Trace:
    name, style = words.plot_text(found.methods[place]), found.styles[place]
    return {
        "type": "scatter",
        "name": words.plot_text(found.methods[place], longest=24),
        "x": [row.ranks[place] for row in found.rows],
        "y": list(range(len(found.rows))),
        "mode": "lines+markers",
        "line": {"color": style.colour, "width": 1.5},
        "marker": {"color": style.colour, "symbol": style.symbol, "size": 9},
        "hovertext": [
            f"{name}, {words.plot_text(row.title)}: mean rank {row.ranks[place]:.2f}, "
            f"place {row.places[place]}"
            for row in found.rows
        ],
        "hoverinfo": "text",
    }
