"""On how many tasks does each task's own test settle it for a method, against it, or not at all?"""

from typing import NamedTuple

import plotly.graph_objects as go

from dashboard.frame import theme, words
from dashboard.ranking.figures.rows import AgainstOne, Trace, rows_figure

__all__ = ["TaskVerdicts", "settled_tasks_figure"]

PARTS = (
    ("wins", "▼ better", theme.COLOURS[0], "#ffffff"),
    ("ties", "not settled", "rgba(127,135,144,0.35)", None),
    ("losses", "▲ worse", theme.COLOURS[1], "#101418"),
    ("untested", "no test", "rgba(127,135,144,0.12)", None),
)
"""Fields, names, colours, and a colour in which text is read on them: None for the page's own."""


class TaskVerdicts(NamedTuple):
    """On how many tasks is a method better than the reference, not settled, worse, without a test?"""

    method: str
    wins: int
    ties: int
    losses: int
    untested: int


def settled_tasks_figure(found: AgainstOne[TaskVerdicts]) -> go.Figure:
    """Draw one bar a method, its parts the tasks where it is better, not settled, worse."""
    if not found.rows:
        return theme.empty_figure("No task has a test of two of these methods", height=160)
    methods = [row.method for row in found.rows]
    figure = rows_figure(methods, top=36, showlegend=True)
    for name, title, colour, text_colour in PARTS:
        counts = [getattr(row, name) for row in found.rows]
        if any(counts):
            figure.add_trace(_part(methods, counts, title, colour, text_colour))
    figure.update_layout(barmode="stack", bargap=0.3, legend={"traceorder": "normal"})
    reference = words.plot_text(found.reference, longest=24)
    figure.update_xaxes(title_text=f"Tasks, each method against {reference}", rangemode="tozero")
    return figure


def _part(methods: list[str], counts: list[int], title: str, colour: str, text_colour: str | None) -> Trace:
    return {
        "type": "bar",
        "orientation": "h",
        "name": title,
        "x": counts,
        "y": list(range(len(counts))),
        "text": [str(count) if count else "" for count in counts],
        "textposition": "inside",
        "insidetextanchor": "middle",
        "textangle": 0,
        "textfont": {"size": 12, **({"color": text_colour} if text_colour else {})},
        "marker": {"color": colour},
        "hovertext": [
            f"{words.plot_text(name)}: {title} on {words.count(count, 'task')}"
            for name, count in zip(methods, counts, strict=True)
        ],
        "hoverinfo": "text",
    }
