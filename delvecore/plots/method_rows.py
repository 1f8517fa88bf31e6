"""Figures with one row per method: places, verdicts of tasks, values, ranks without a family of tasks."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from delvecore.answers.answer import FigureData, Table
from delvecore.answers.ranking_figures import MOST_VALUES
from delvecore.plots import theme
from delvecore.plots.figure import Figure, Trace
from delvecore.plots.rows import rows_figure, stacked_bar
from delvecore.plots.theme import MethodStyle, text_width
from delvecore.render.numbers import rank_text, significant
from delvecore.report import words

Styles = Mapping[str, MethodStyle]
HEIGHTS = (34, 22)
MOST_OUT = 12
"""Maximum number of dots beyond the whiskers, if not all values have dots."""
PARTS = (
    ("wins", "+ better", theme.BLUE, "#ffffff"),
    ("ties", "not significant", "rgba(127,135,144,0.35)", None),
    ("losses", "− worse", theme.VERMILION, "#101418"),
    ("untested", "no test", "rgba(127,135,144,0.12)", None),
)
"""Columns, names, colors, and a readable color of text on them: None for the page's own."""


def task_verdicts_figure(table: Table, drawn: FigureData, _styles: Styles) -> Figure:
    """Verdicts of single tasks: numbers of tasks on which each method is better or worse than a reference.

    Examples
    --------
    >>> from delvecore.answers.answer import table_of
    >>> columns = [(key, key, "count") for key in ("method", "wins", "ties", "losses", "untested")]
    >>> drawn = FigureData("task verdicts", subject="lin-1")
    >>> figure = task_verdicts_figure(table_of([("gp-1", 3, 2, 0, 0)], columns), drawn, {})
    >>> [trace.get("x") for trace in figure.data]
    [[3], [2]]
    """
    if not len(table):
        return theme.empty_figure("No task has a test of two of these methods", height=160)
    methods = list(table["method"])
    figure = rows_figure(methods, top=36, heights=HEIGHTS, showgrid=None, showlegend=True)
    for name, title, color, text_color in PARTS:
        if any(counts := list(table[name])):
            tasks = zip(methods, (words.count(count, "task") for count in counts), strict=True)
            bar = stacked_bar(
                title,
                counts,
                range(len(counts)),
                text=[str(count) if count else "" for count in counts],
                textangle=0,
                textfont={"size": 12, **({"color": text_color} if text_color else {})},
                marker={"color": color},
                hovertext=[f"{words.plot_text(method)}: {title} on {count}" for method, count in tasks],
            )
            figure.add_trace(bar)
    figure.update_layout(barmode="stack", bargap=0.3, legend={"traceorder": "normal"})
    reference = words.plot_text(drawn.subject, longest=24)
    figure.update_xaxes(title={"text": f"Tasks, each method against {reference}"}, rangemode="tozero")
    return figure


def score_boxes_figure(_table: Table, drawn: FigureData, styles: Styles) -> Figure:
    """Box plots of the values of methods on tasks. Every value has a dot if there are at most 400 tasks.

    Whiskers reach the last value within 1.5 times the length of the box.

    Examples
    --------
    >>> from delvecore.stats.ranking.score_table import ScoreTable
    >>> scores = ScoreTable(("t1", "t2"), ("lin-1",), np.array([[0.5], [0.25]]))
    >>> styles = {"lin-1": MethodStyle("#2A7EFF", "circle")}
    >>> score_boxes_figure(Table(()), FigureData("values", "loss", data=scores), styles).data[0]["x"]
    [0.5, 0.25]
    """
    scores, baseline = drawn.data, drawn.baseline
    if not scores.methods or not scores.tasks:
        return theme.empty_figure("No values to show", height=160)
    figure = rows_figure(scores.methods, top=28, bottom=56, heights=(52, 30), showgrid=False)
    tasks = [words.plot_text(task) for task in scores.tasks]
    for row, (name, values) in enumerate(zip(scores.methods, scores.values.T, strict=True)):
        figure.add_traces(_box(row, name, values, tasks, styles[name]))
    figure.update_yaxes(range=[len(scores.methods) - 0.45, -0.55])
    low, high = float(scores.values.min()), float(scores.values.max())
    if baseline is not None:
        low, high = min(low, baseline.value, 0.0), max(high, baseline.value)
        figure.add_vline(x=baseline.value, line={"color": theme.LINE_GRAY, "width": 1.5, "dash": "dash"})
        theme.add_text(figure, baseline.text, baseline.value, 1, yref="paper", yanchor="bottom")
    reach = (high - low) or 1.0
    figure.update_xaxes(title={"text": drawn.quantity}, range=[low - 0.02 * reach, high + 0.03 * reach])
    return figure


def _box(row: int, method: str, values: np.ndarray, tasks: list[str], style: MethodStyle) -> list[Trace]:
    """Return the box of a method. If there are many values, only those farthest beyond the whiskers have
    dots."""
    about: Trace = {"name": words.plot_text(method, longest=24), "meta": method}
    about["marker"] = style.marker(6) | {"opacity": 0.75}
    look = {"fillcolor": "rgba(127,135,144,0.14)", "line": {"color": theme.LINE_GRAY, "width": 1.5}}
    box = {"type": "box", "orientation": "h", "width": 0.5, **look, **about}
    if len(values) <= MOST_VALUES:
        box |= {"boxpoints": "all", "jitter": 0.5, "pointpos": 0, "hoveron": "points"}
        dots = {"x": values.tolist(), "y": [row] * len(values), "text": tasks}
        return [box | dots | {"hovertemplate": "%{text}: %{x:.4g}<extra></extra>"}]
    low, middle, high = np.quantile(values, (0.25, 0.5, 0.75)).tolist()
    least, most = low - 1.5 * (high - low), high + 1.5 * (high - low)
    within = values[(values >= least) & (values <= most)]
    numbers = {"q1": [low], "median": [middle], "q3": [high], "y": [row], "hoverinfo": "x"}
    numbers |= {"lowerfence": [float(within.min())], "upperfence": [float(within.max())]}
    beyond = np.maximum(least - values, values - most)
    farthest = np.argsort(-beyond, kind="stable")[: min(MOST_OUT, int((beyond > 0).sum()))]
    hover = [f"{tasks[place]}: {significant(values[place], 4)}" for place in farthest]
    dots = theme.trace("markers", values[farthest].tolist(), [row] * len(farthest), hover=hover, **about)
    return [box | numbers, dots]


def leave_out_figure(table: Table, _drawn: FigureData, styles: Styles) -> Figure:
    """Mean ranks without each family of tasks in turn. A line joins a method's mean ranks.

    Examples
    --------
    >>> from delvecore.answers.answer import table_of
    >>> columns = [(key, key, "number") for key in ("row", "method", "rank", "place", "change")]
    >>> rows = [("all tasks", "a", 1.0, 1, "12 tasks"), ("without kin", "a", 1.5, 1, "8 tasks, same order")]
    >>> styles = {"a": MethodStyle("#2A7EFF", "circle")}
    >>> leave_out_figure(table_of(rows, columns), FigureData("leave out"), styles).data[0]["x"]
    [1.0, 1.5]
    """
    changes = dict(table.select("row", "change").rows)
    titles, methods = list(changes), list(dict.fromkeys(table["method"]))
    # Two lines, for the number of tasks and the change, leave room for the ranks on a phone.
    texts = [text.replace(", ", ",<br>") for text in changes.values()]
    right = 16 + max(text_width(line, 13) for text in texts for line in text.split("<br>"))
    few = len(methods) <= 8
    more: dict[str, Any] = {"heights": (46, 46), "longest": 34, "showgrid": None, "showlegend": few}
    figure = rows_figure(titles, top=44 if few else 12, right=right, **more)
    ranks, places = (np.reshape(table[key], (len(titles), -1)) for key in ("rank", "place"))
    for name, of_method, at in zip(methods, ranks.T.tolist(), places.T.tolist(), strict=True):
        known = zip(titles, of_method, at, strict=True)
        hover = [
            f"{words.plot_text(name)}, {words.plot_text(title)}: mean rank {rank_text(rank)}, place {place}"
            for title, rank, place in known
        ]
        look = {"line": {"color": styles[name].color, "width": 1.5}, "marker": styles[name].marker(9)}
        about = {"name": words.plot_text(name, longest=24), "meta": name, "hover": hover}
        figure.add_trace(theme.trace("lines+markers", of_method, list(range(len(titles))), **about, **look))
    ends = [min(1.0, float(ranks.min())) - 0.1, float(ranks.max()) + 0.1]
    figure.update_xaxes(title={"text": "← better   mean rank"}, range=ends)
    beside = {"xref": "paper", "xanchor": "left", "xshift": 8, "align": "left"}
    for place, text in enumerate(texts):
        theme.add_text(figure, text, 1, place, size=13, **beside)
    return figure
