"""Score distributions: a box and all single values of each method over the tasks."""

from typing import NamedTuple

import plotly.graph_objects as go

from dashboard.frame import theme, words
from dashboard.ranking.figures.rows import Trace, rows_figure

__all__ = ["ScoreAxis", "ScoreDistributions", "Scores", "score_distributions_figure"]


class Scores(NamedTuple):
    """The values of a method, one for each task."""

    method: str
    values: tuple[float, ...]
    style: theme.MethodStyle


class ScoreAxis(NamedTuple):
    """What an axis of values says; baseline: where there is a line, and the text at it."""

    title: str
    baseline: float | None = None
    baseline_text: str | None = None


class ScoreDistributions(NamedTuple):
    """The values of methods, in their order, on tasks."""

    methods: tuple[Scores, ...]
    tasks: tuple[str, ...]
    axis: ScoreAxis


def score_distributions_figure(found: ScoreDistributions) -> go.Figure:
    """Draw one row a method: its quartiles as a box, whiskers to the last value within 1.5 times its
    length, and every value as a dot."""
    if not found.methods or not found.tasks:
        return theme.empty_figure("No values to show", height=160)
    names = [scores.method for scores in found.methods]
    figure = rows_figure(names, top=28, bottom=56, heights=(52, 30))
    tasks = [words.plot_text(task) for task in found.tasks]
    figure.add_traces([_box(row, scores, tasks) for row, scores in enumerate(found.methods)])
    figure.update_yaxes(range=[len(names) - 0.45, -0.55], showgrid=False)
    _scale(figure, found)
    return figure


def _box(row: int, scores: Scores, tasks: list[str]) -> Trace:
    return {
        "type": "box",
        "orientation": "h",
        "x": list(scores.values),
        "y": [row] * len(scores.values),
        "width": 0.5,
        "boxpoints": "all",
        "jitter": 0.5,
        "pointpos": 0,
        "fillcolor": "rgba(127,135,144,0.14)",
        "line": {"color": theme.LINE_GREY, "width": 1.5},
        "marker": {
            "color": scores.style.colour,
            "symbol": scores.style.symbol,
            "size": 6,
            "opacity": 0.75,
        },
        "text": tasks,
        "name": words.plot_text(scores.method, longest=24),
        "hovertemplate": "%{text}: %{x:.4g}<extra></extra>",
        "hoveron": "points",
    }


def _scale(figure: go.Figure, found: ScoreDistributions) -> None:
    low = min(min(scores.values) for scores in found.methods)
    high = max(max(scores.values) for scores in found.methods)
    title, baseline, text = found.axis
    if baseline is not None:
        low, high = min(low, baseline), max(high, baseline)
        figure.add_vline(x=baseline, line={"color": theme.LINE_GREY, "width": 1.5, "dash": "dash"})
        figure.add_annotation(
            text=text, showarrow=False, x=baseline, y=1, yref="paper", yanchor="bottom", font={"size": 12}
        )
    low = min(low, 0.0) if low >= 0 and baseline is not None else low
    reach = (high - low) or 1.0
    figure.update_xaxes(title_text=title, range=[low - 0.02 * reach, high + 0.03 * reach])
