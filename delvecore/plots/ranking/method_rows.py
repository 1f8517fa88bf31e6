"""Figures with one row a method: mean ranks, wins, verdicts of tasks, values; ranks without a family."""

import math
from collections.abc import Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
import plotly.graph_objects as go

from delvecore.plots import theme, words
from delvecore.plots.rows import FEW, add_vertical_line, hollow, rows_figure
from delvecore.plots.text_boxes import text_width
from delvecore.plots.theme import MethodStyle, Trace

__all__ = [
    *(
        "MOST_DOTS",
        "AgainstOne",
        "LeaveOut",
        "RankInterval",
        "RanksWithout",
        "ScoreAxis",
        "ScoreDistributions",
        "Scores",
    ),
    *("TaskVerdicts", "WinRate", "leave_out_figure", "rank_intervals_figure", "score_distributions_figure"),
    *("task_verdicts_figure", "win_rates_figure"),
]

Row = TypeVar("Row")
HEIGHTS = (34, 22)
MOST_TICKS = 8
MOST_DOTS, MOST_OUT = 400, 12
"""Up to so many values of a row are all dots; of more these, of those beyond the whiskers."""
PARTS = (
    ("wins", "▼ better", theme.BLUE, "#ffffff"),
    ("ties", "not significant", "rgba(127,135,144,0.35)", None),
    ("losses", "▲ worse", theme.VERMILION, "#101418"),
    ("untested", "no test", "rgba(127,135,144,0.12)", None),
)
"""Fields, names, colours, and a colour in which text is read on them: None for the page's own."""


class AgainstOne(NamedTuple, Generic[Row]):
    """All methods but the reference, best mean rank first, each in a record of its own."""

    reference: str
    rows: tuple[Row, ...]


def _room_for(texts: Sequence[str]) -> float:
    """How many pixels do texts need at the right?"""
    return 20 + max(text_width(text, 13) for text in texts)


def _right_texts(x: float, texts: Sequence[str]) -> Trace:
    """Return the trace of a text right of each row, beyond the axis's end x.

    One trace: as many annotations would take many times as long to draw."""
    said = {"text": [f"  {text}" for text in texts], "textposition": "middle right", "textfont": {"size": 13}}
    return theme.trace("text", [x] * len(texts), list(range(len(texts))), cliponaxis=False, **said)


class RankInterval(NamedTuple):
    """A method's mean rank; lower, upper: not a number where there is no interval; best: how often it was the
    best one when tasks were drawn anew; text: rank and interval as written."""

    method: str
    rank: float
    lower: float
    upper: float
    best: float
    text: str
    style: MethodStyle


def rank_intervals_figure(rows: Sequence[RankInterval]) -> go.Figure:
    """Draw one row a method: a dot at its mean rank, a bar over its interval, both in digits at the right.

    Without an interval the dot is hollow. rows: best mean rank first."""
    if not rows:
        return theme.empty_figure("No ranks to show", height=160)
    texts = [row.text for row in rows]
    figure = rows_figure([row.method for row in rows], top=12, right=_room_for(texts), heights=HEIGHTS)
    by_colour: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        by_colour.setdefault(row.style.colour, []).append(place)
    figure.add_traces([_intervals(colour, rows, places) for colour, places in by_colour.items()])
    ends = [end for row in rows for end in (row.rank, row.lower, row.upper) if not math.isnan(end)]
    low, high = min(1, *ends) - 0.15, max(ends) * 1.02 + 0.1
    step = next((step for step in (1, 2, 5, 10, 20) if high / step <= MOST_TICKS), 50)
    ticks = [1, *range(step if step > 1 else 2, int(high) + 1, step)]
    figure.update_xaxes(title_text="← better   mean rank", range=[low, high], tickvals=ticks)
    figure.add_trace(_right_texts(high, texts))
    return figure


def _intervals(colour: str, rows: Sequence[RankInterval], places: list[int]) -> Trace:
    """Return the rows of one colour as one trace."""
    part, size = [rows[place] for place in places], 11 if len(rows) <= FEW else 7
    reach = [(row.upper - row.rank, row.rank - row.lower) for row in part]
    ends = [pair if all(map(math.isfinite, pair)) else (0.0, 0.0) for pair in reach]
    bars = {"array": [above for above, _ in ends], "arrayminus": [below for _, below in ends]}
    look = {"thickness": 2.5 if size > 7 else 1.5, "width": size / 2, "color": colour}
    said = [f"{words.plot_text(row.method)}: {row.text}" for row in part]
    symbols = [hollow(row.style.symbol, math.isnan(row.lower)) for row in part]
    marker = {"color": colour, "symbol": symbols, "size": size}
    more = {"marker": marker}
    if not any(math.isnan(row.lower) for row in part):
        more["error_x"] = {"type": "data", "symmetric": False, **bars, **look}
    return theme.trace("markers", [row.rank for row in part], places, hover=said, **more)


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
    names, right = [row.method for row in rows], _room_for(texts)
    figure = rows_figure(names, top=28, right=right, heights=HEIGHTS, showgrid=None)
    figure.update_layout(bargap=0.35)
    above, below = [row.upper - row.rate for row in rows], [row.rate - row.lower for row in rows]
    ends = {"type": "data", "symmetric": False, "array": above, "arrayminus": below}
    figure.add_bar(
        orientation="h",
        x=[row.rate for row in rows],
        y=list(range(len(rows))),
        marker={"color": [row.colour for row in rows], "opacity": 0.55},
        error_x={**ends, "color": "#69747F", "thickness": 2, "width": 4},
        hovertext=[f"{words.plot_text(row.method)}: {row.text}" for row in rows],
        hoverinfo="text",
    )
    title = f"Share won against {words.plot_text(found.reference, longest=24)}, ties half   better →"
    figure.update_xaxes(range=[0, 1.005], tickformat=".0%", title_text=title)
    add_vertical_line(figure, 0.5, text="as good as it")
    figure.add_trace(_right_texts(1.005, texts))
    return figure


class TaskVerdicts(NamedTuple):
    """On how many tasks is a method better than the reference, not significant, worse, without a test?

    wins_over_tasks, losses_over_tasks: with p adjusted over tasks, too; expected: significant by chance."""

    method: str
    wins: int
    ties: int
    losses: int
    untested: int
    wins_over_tasks: int = 0
    losses_over_tasks: int = 0
    expected: float = 0.0

    def turned(self, method: str) -> "TaskVerdicts":
        """Return the counts of the reference as those of this method against it."""
        return self._replace(
            method=method,
            wins=self.losses,
            losses=self.wins,
            wins_over_tasks=self.losses_over_tasks,
            losses_over_tasks=self.wins_over_tasks,
        )


def task_verdicts_figure(found: AgainstOne[TaskVerdicts]) -> go.Figure:
    """Draw one bar a method, its parts the tasks on which it is significantly better, worse, or
    not at all."""
    if not found.rows:
        return theme.empty_figure("No task has a test of two of these methods", height=160)
    methods = [row.method for row in found.rows]
    figure = rows_figure(methods, top=36, heights=HEIGHTS, showgrid=None, showlegend=True)
    for name, title, colour, text_colour in PARTS:
        counts = [getattr(row, name) for row in found.rows]
        if any(counts):
            figure.add_trace(_part(methods, counts, title, colour, text_colour))
    figure.update_layout(barmode="stack", bargap=0.3, legend={"traceorder": "normal"})
    reference = words.plot_text(found.reference, longest=24)
    figure.update_xaxes(title_text=f"Tasks, each method against {reference}", rangemode="tozero")
    return figure


def _part(methods: list[str], counts: list[int], title: str, colour: str, text_colour: str | None) -> Trace:
    tasks = zip(methods, (words.count(count, "task") for count in counts), strict=True)
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
        "hovertext": [f"{words.plot_text(name)}: {title} on {count}" for name, count in tasks],
        "hoverinfo": "text",
    }


class Scores(NamedTuple):
    """The values of a method, one for each task."""

    method: str
    values: tuple[float, ...]
    style: MethodStyle


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
    length, and every value as a dot; of more than MOST_DOTS values those farthest out."""
    if not found.methods or not found.tasks:
        return theme.empty_figure("No values to show", height=160)
    methods, many = [one.method for one in found.methods], (52, 30)
    figure = rows_figure(methods, top=28, bottom=56, heights=many, showgrid=False)
    tasks = [words.plot_text(task) for task in found.tasks]
    boxes = [_box(row, scores, tasks) for row, scores in enumerate(found.methods)]
    figure.add_traces([trace for traces in boxes for trace in traces])
    figure.update_yaxes(range=[len(found.methods) - 0.45, -0.55])
    values = [value for scores in found.methods for value in scores.values]
    title, baseline, text = found.axis
    low, high = min(values), max(values)
    if baseline is not None:
        low, high = min(low, baseline), max(high, baseline)
        low = min(low, 0.0)
        figure.add_vline(x=baseline, line={"color": theme.LINE_GREY, "width": 1.5, "dash": "dash"})
        theme.add_text(figure, text or "", baseline, 1, yref="paper", yanchor="bottom")
    reach = (high - low) or 1.0
    figure.update_xaxes(title_text=title, range=[low - 0.02 * reach, high + 0.03 * reach])
    return figure


def _box(row: int, scores: Scores, tasks: list[str]) -> list[Trace]:
    name = words.plot_text(scores.method, longest=24)
    marker = scores.style.marker(6) | {"opacity": 0.75}
    box = {
        "type": "box",
        "orientation": "h",
        "width": 0.5,
        "fillcolor": "rgba(127,135,144,0.14)",
        "line": {"color": theme.LINE_GREY, "width": 1.5},
        "marker": marker,
        "name": name,
        "meta": scores.method,
    }
    if len(scores.values) > MOST_DOTS:
        return _summary(row, scores, tasks, box)
    box |= {"boxpoints": "all", "jitter": 0.5, "pointpos": 0, "hoveron": "points"}
    dots = {"x": list(scores.values), "y": [row] * len(scores.values), "text": tasks}
    return [box | dots | {"hovertemplate": "%{text}: %{x:.4g}<extra></extra>"}]


def _summary(row: int, scores: Scores, tasks: list[str], box: Trace) -> list[Trace]:
    """Return the box of many values, made of its numbers, and the values farthest beyond it."""
    values = np.array(scores.values)
    low, middle, high = np.quantile(values, (0.25, 0.5, 0.75)).tolist()
    least, most = low - 1.5 * (high - low), high + 1.5 * (high - low)
    within = values[(values >= least) & (values <= most)]
    numbers = {"q1": [low], "median": [middle], "q3": [high], "y": [row], "hoverinfo": "x"}
    numbers |= {"lowerfence": [float(within.min())], "upperfence": [float(within.max())]}
    beyond = np.maximum(least - values, values - most)
    farthest = np.argsort(-beyond, kind="stable")[: min(MOST_OUT, int((beyond > 0).sum()))]
    hover = [f"{tasks[place]}: {values[place]:.4g}" for place in farthest]
    about = {"name": box["name"], "meta": scores.method, "marker": box["marker"]}
    dots = theme.trace("markers", values[farthest].tolist(), [row] * len(farthest), hover=hover, **about)
    return [box | numbers, dots]


class RanksWithout(NamedTuple):
    """Mean ranks and places of all methods. title: what is left out, in words; text: written at the right."""

    title: str
    text: str
    ranks: tuple[float, ...]
    places: tuple[int, ...]


class LeaveOut(NamedTuple):
    """Methods, best mean rank first; rows: the first leaves nothing out; none where nothing can be."""

    methods: tuple[str, ...]
    styles: tuple[MethodStyle, ...]
    rows: tuple[RanksWithout, ...]


def leave_out_figure(found: LeaveOut) -> go.Figure:
    """Draw one row for all tasks and one for each family left out, a mark at each method's mean rank.

    A line joins a method's marks; lines cross where places change."""
    rows, count = found.rows, len(found.methods)
    if not rows:
        return theme.empty_figure("One family of tasks only: there is nothing to leave out", height=160)
    # In two lines, so that a telephone has room for the ranks: how many tasks, and what changes.
    texts = [row.text.replace(", ", ",<br>") for row in rows]
    right = 16 + max(text_width(line, 13) for text in texts for line in text.split("<br>"))
    titles, few = [row.title for row in rows], count <= 8
    top = 44 if few else 12
    more: dict[str, Any] = {"heights": (46, 46), "longest": 34, "showgrid": None, "showlegend": few}
    figure = rows_figure(titles, top=top, right=right, **more)
    figure.add_traces([_ranks(found, place) for place in range(count)])
    ranks = [rank for row in rows for rank in row.ranks]
    figure.update_xaxes(title_text="← better   mean rank", range=[min(1, *ranks) - 0.1, max(ranks) + 0.1])
    for place, text in enumerate(texts):
        beside = {"xref": "paper", "xanchor": "left", "xshift": 8, "align": "left"}
        theme.add_text(figure, text, 1, place, size=13, **beside)
    return figure


def _ranks(found: LeaveOut, place: int) -> Trace:
    name, style = words.plot_text(found.methods[place]), found.styles[place]
    known = [(words.plot_text(row.title), row.ranks[place], row.places[place]) for row in found.rows]
    return theme.trace(
        "lines+markers",
        [rank for _, rank, _ in known],
        list(range(len(known))),
        name=words.plot_text(found.methods[place], longest=24),
        meta=found.methods[place],
        line={"color": style.colour, "width": 1.5},
        marker=style.marker(9),
        hover=[f"{name}, {title}: mean rank {rank:.2f}, place {at}" for title, rank, at in known],
    )
