"""On how many tasks does each task's own test settle it for a method, against it, or not at all?"""

import pandas as pd
import plotly.graph_objects as go

from dashboard.frame import theme, words
from dashboard.ranking.figures.rank_intervals import BOTTOM, FEW, FEW_ROWS_HEIGHT, ROW_HEIGHT

__all__ = ["settled_tasks_figure"]

TOP = 36
PARTS = (
    ("wins", "▼ better", theme.COLOURS[0], "#ffffff"),
    ("ties", "not settled", "rgba(127,135,144,0.35)", None),
    ("losses", "▲ worse", theme.COLOURS[1], "#101418"),
    ("untested", "no test", "rgba(127,135,144,0.12)", None),
)
"""Columns, names, colours, and a colour in which text is read on them: None for the page's own."""


def settled_tasks_figure(table: pd.DataFrame) -> go.Figure:
    """Draw one bar a method, its parts the tasks where it is better than the reference, not settled, worse.

    table: columns method, wins, ties, losses, untested; attrs reference.
    """
    if table.empty:
        return theme.empty_figure("No task has a test of two of these methods", height=160)
    height = FEW_ROWS_HEIGHT if len(table) <= FEW else ROW_HEIGHT
    figure = theme.new_figure(height=TOP + BOTTOM + height * len(table))
    rows = list(range(len(table)))
    figure.add_traces([_part(table, rows, *part) for part in PARTS if table[part[0]].any()])
    figure.update_layout(
        barmode="stack",
        bargap=0.3,
        margin={"l": 8, "r": 16, "t": TOP, "b": 8},
        hovermode="closest",
        showlegend=True,
        legend={"traceorder": "normal"},
    )
    names = [words.plot_text(name, longest=24) + " " for name in table["method"]]
    figure.update_yaxes(tickvals=rows, ticktext=names, range=[len(rows) - 0.5, -0.5])
    reference = words.plot_text(table.attrs["reference"], longest=24)
    figure.update_xaxes(title_text=f"Tasks, each method against {reference}", rangemode="tozero")
    return figure


def _part(table, rows, column, title, colour, text_colour):
    counts = table[column].tolist()
    return {
        "type": "bar",
        "orientation": "h",
        "name": title,
        "x": counts,
        "y": rows,
        "text": [str(count) if count else "" for count in counts],
        "textposition": "inside",
        "insidetextanchor": "middle",
        "textangle": 0,
        "textfont": {"size": 12, **({"color": text_colour} if text_colour else {})},
        "marker": {"color": colour},
        "hovertext": [
            f"{words.plot_text(name)}: {title} on {words.count(count, 'task')}"
            for name, count in zip(table["method"], counts, strict=True)
        ],
        "hoverinfo": "text",
    }
