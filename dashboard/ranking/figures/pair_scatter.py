"""Two methods on all tasks: one dot a task, and the diagonal on which both are as good."""

from typing import Literal, NamedTuple

import plotly.graph_objects as go

from dashboard.frame import theme, words
from dashboard.ranking.figures.rows import Trace

__all__ = ["PairScatter", "Settled", "TaskPoint", "pair_scatter_figure"]

Settled = Literal["first", "second", "open"]
HEIGHT = 460
LOOKS: dict[Settled, tuple[str, str]] = {
    "first": (theme.COLOURS[0], "triangle-down"),
    "second": (theme.COLOURS[1], "triangle-up"),
    "open": (theme.GREY, "circle-open"),
}
"""Colour and marker of tasks where a test settles it for one of the two, and of the others."""


class TaskPoint(NamedTuple):
    """The values of two methods on a task. settled: by the task's own test, whose p is not a number where
    there is none; path: None for a task that has no page."""

    task: str
    first: float
    second: float
    settled: Settled
    p: float
    path: str | None


class PairScatter(NamedTuple):
    """Two methods on all tasks. tested: is there a test of each task?"""

    names: tuple[str, str]
    points: tuple[TaskPoint, ...]
    quantity: str
    higher_is_better: bool
    tested: bool


def pair_scatter_figure(found: PairScatter) -> go.Figure:
    """Draw a dot for each task; filled where the task's own test finds a difference.

    A click gives the task's path as customdata.
    """
    if not found.points:
        return theme.empty_figure("No task that both methods have", height=HEIGHT)
    figure = theme.new_figure(height=HEIGHT)
    low, high = _ends(found.points)
    figure.add_trace(_diagonal(low, high))
    figure.add_traces(
        [_dots(found, kind) for kind in LOOKS if any(point.settled == kind for point in found.points)]
    )
    first, second = (words.plot_text(name, longest=24) for name in found.names)
    below, above = ("better →", "better ↑") if found.higher_is_better else ("← better", "↓ better")
    figure.update_xaxes(title_text=f"{first}: {found.quantity}   {below}", range=[low, high], showgrid=True)
    figure.update_yaxes(range=[low, high], showgrid=True)
    theme.title_y_axis(figure, f"{second}: {found.quantity}   {above}")
    legend = {"y": 1 + 28 / (HEIGHT - 110), "yanchor": "bottom", "x": 1, "xanchor": "right"}
    figure.update_layout(
        margin={"t": 58, "r": 16}, legend=legend, showlegend=found.tested, hovermode="closest"
    )
    _name_sides(figure, first, second, higher=found.higher_is_better)
    return figure


def _ends(points: tuple[TaskPoint, ...]) -> tuple[float, float]:
    values = [value for point in points for value in (point.first, point.second)]
    low, high = min(values), max(values)
    low = 0.0 if 0 <= low < 0.5 * high else low
    reach = (high - low) or abs(high) or 1.0
    return low - 0.03 * reach, high + 0.04 * reach


def _diagonal(low: float, high: float) -> Trace:
    return {
        "type": "scatter",
        "x": [low, high],
        "y": [low, high],
        "mode": "lines",
        "line": {"color": theme.LINE_GREY, "width": 1.5, "dash": "dash"},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _dots(found: PairScatter, kind: Settled) -> Trace:
    colour, symbol = LOOKS[kind]
    names = dict(zip(("first", "second"), found.names, strict=True))
    points = [point for point in found.points if point.settled == kind]
    return {
        "type": "scatter",
        "name": f"{words.plot_text(names[kind], longest=18)} better" if kind in names else "not settled",
        "x": [point.first for point in points],
        "y": [point.second for point in points],
        "mode": "markers",
        "marker": {"color": colour, "symbol": symbol, "size": 9, "line": {"width": 1.4, "color": colour}},
        "customdata": [point.path for point in points],
        "hovertext": [_hover(found.names, point) for point in points],
        "hoverinfo": "text",
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
    }


def _hover(names: tuple[str, str], point: TaskPoint) -> str:
    values = zip(names, (point.first, point.second), strict=True)
    said = ", ".join(f"{words.plot_text(name)} {words.number(value)}" for name, value in values)
    if point.p == point.p:
        said += f"<br>{words.p_value(point.p)} on this task".replace("<br>p <", "<br>p &lt;")
    return f"{words.plot_text(point.task)}<br>{said}"


def _name_sides(figure: go.Figure, first: str, second: str, *, higher: bool) -> None:
    """Say in each corner who is better there: above the diagonal the first has the lower value."""
    above, below = (second, first) if higher else (first, second)
    for text, x, y in ((f"{above} better", 0.03, 0.97), (f"{below} better", 0.97, 0.03)):
        figure.add_annotation(
            text=text,
            showarrow=False,
            xref="paper",
            yref="paper",
            x=x,
            y=y,
            xanchor="left" if x < 0.5 else "right",
            yanchor="top" if y > 0.5 else "bottom",
            font={"size": 12},
        )
