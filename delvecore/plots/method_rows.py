"""Figures with one row a method: mean ranks, wins, verdicts of tasks, values; ranks without a family."""

from collections.abc import Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from delvecore.measures import Baseline
from delvecore.plots import theme
from delvecore.plots.figure import Figure, Trace
from delvecore.plots.rows import Interval, Intervals, intervals_figure, rows_figure, stacked_bar
from delvecore.plots.theme import MethodStyle, text_width
from delvecore.report import words
from delvecore.report.ranking.sentences import TaskVerdicts

Row = TypeVar("Row")
HEIGHTS = (34, 22)
MOST_TICKS = 20
"""Up to so many places each have a tick."""
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


class PlaceRange(NamedTuple):
    """Places that a method may have.

    place: by its mean rank, the mean of places if some tie; lowest, highest: ends of the confidence set, NaN
    if nothing is testable; text: the places and the mean rank as written."""

    method: str
    place: float
    lowest: float
    highest: float
    rank: float
    text: str
    style: MethodStyle


def place_ranges_figure(rows: Sequence[PlaceRange]) -> Figure:
    """Places of methods with their confidence sets, a row a method.

    Parameters
    ----------
    rows : sequence of PlaceRange
        Best mean rank first.

    Returns
    -------
    Figure
        As of `intervals_figure`.

    Examples
    --------
    >>> one = PlaceRange("lin-1", 2.0, 1.0, 3.0, 1.9, "1 to 3", MethodStyle("#2A7EFF", "circle"))
    >>> place_ranges_figure([one]).data[0]["x"]
    [2.0]
    """
    drawn = [
        Interval(row.method, row.place, row.lowest, row.highest, row.style.colour, row.text, row.style.symbol)
        for row in rows
    ]
    figure = intervals_figure(Intervals(tuple(drawn), "← better   place"))
    last = max([row.highest for row in rows if row.highest == row.highest] + [row.place for row in rows])
    ticks = {"tickmode": "linear", "tick0": 1, "dtick": 1} if last <= MOST_TICKS else {}
    figure.update_xaxes(range=[0.5, last + 0.5], **ticks)
    return figure


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


def win_rates_figure(found: AgainstOne[WinRate]) -> Figure:
    """Win rates against a reference: the share of units on which each method wins, with its interval.

    Parameters
    ----------
    found : AgainstOne of WinRate
        The reference, and a row for each other method.

    Returns
    -------
    Figure
        As of `intervals_figure`, with a line at one half.

    Examples
    --------
    >>> one = WinRate("gp-1", 3, 0, 1, 0.75, 0.3, 0.95, "75 %", "#2A7EFF")
    >>> win_rates_figure(AgainstOne("lin-1", (one,))).data[0]["x"]
    [0.75]
    """
    rows = [Interval(row.method, row.rate, row.lower, row.upper, row.colour, row.text) for row in found.rows]
    title = f"Share won against {words.plot_text(found.reference, longest=24)}, ties half   better →"
    return intervals_figure(Intervals(tuple(rows), title, (0.5,), is_share=True))


def task_verdicts_figure(found: AgainstOne[TaskVerdicts]) -> Figure:
    """Verdicts of single tasks: on how many each method is better than a reference, or worse, or neither.

    Parameters
    ----------
    found : AgainstOne of TaskVerdicts
        The reference, and the counts of each other method.

    Returns
    -------
    Figure
        One stacked bar a method.

    Examples
    --------
    >>> found = AgainstOne("lin-1", (TaskVerdicts("gp-1", wins=3, ties=2, losses=0, untested=0),))
    >>> [trace.get("x") for trace in task_verdicts_figure(found).data]
    [[3], [2]]
    """
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
    figure.update_xaxes(title={"text": f"Tasks, each method against {reference}"}, rangemode="tozero")
    return figure


def _part(methods: list[str], counts: list[int], title: str, colour: str, text_colour: str | None) -> Trace:
    tasks = zip(methods, (words.count(count, "task") for count in counts), strict=True)
    return stacked_bar(
        title,
        counts,
        range(len(counts)),
        text=[str(count) if count else "" for count in counts],
        textangle=0,
        textfont={"size": 12, **({"color": text_colour} if text_colour else {})},
        marker={"color": colour},
        hovertext=[f"{words.plot_text(name)}: {title} on {count}" for name, count in tasks],
    )


class Scores(NamedTuple):
    """The values of a method, one for each task."""

    method: str
    values: tuple[float, ...]
    style: MethodStyle


class ScoreAxis(NamedTuple):
    """What an axis of values says, and where it has a line."""

    title: str
    baseline: Baseline | None = None


class ScoreDistributions(NamedTuple):
    """The values of methods, in their order, on tasks."""

    methods: tuple[Scores, ...]
    tasks: tuple[str, ...]
    axis: ScoreAxis


def score_distributions_figure(found: ScoreDistributions) -> Figure:
    """Box plots of the values of methods on tasks, every value as a dot.

    Whiskers reach to the last value within 1.5 times the length of the box.

    Parameters
    ----------
    found : ScoreDistributions
        Values by method and task, and what the axis says.

    Returns
    -------
    Figure
        A box a method; of more than 400 values those farthest out are dots.

    Examples
    --------
    >>> scores = Scores("lin-1", (0.5, 0.25), MethodStyle("#2A7EFF", "circle"))
    >>> drawn = ScoreDistributions((scores,), ("demo/age/std.8", "demo/age/std.16"), ScoreAxis("loss"))
    >>> score_distributions_figure(drawn).data[0]["x"]
    [0.5, 0.25]
    """
    if not found.methods or not found.tasks:
        return theme.empty_figure("No values to show", height=160)
    methods, many = [one.method for one in found.methods], (52, 30)
    figure = rows_figure(methods, top=28, bottom=56, heights=many, showgrid=False)
    tasks = [words.plot_text(task) for task in found.tasks]
    boxes = [_box(row, scores, tasks) for row, scores in enumerate(found.methods)]
    figure.add_traces([trace for traces in boxes for trace in traces])
    figure.update_yaxes(range=[len(found.methods) - 0.45, -0.55])
    values = [value for scores in found.methods for value in scores.values]
    title, baseline = found.axis
    low, high = min(values), max(values)
    if baseline is not None:
        low, high = min(low, baseline.value, 0.0), max(high, baseline.value)
        figure.add_vline(x=baseline.value, line={"color": theme.LINE_GREY, "width": 1.5, "dash": "dash"})
        theme.add_text(figure, baseline.text, baseline.value, 1, yref="paper", yanchor="bottom")
    reach = (high - low) or 1.0
    figure.update_xaxes(title={"text": title}, range=[low - 0.02 * reach, high + 0.03 * reach])
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


def leave_out_figure(found: LeaveOut) -> Figure:
    """Mean ranks with each family of tasks left out in turn: a mark at each method's mean rank.

    Parameters
    ----------
    found : LeaveOut
        A row for all tasks, then one for each family left out.

    Returns
    -------
    Figure
        A line joins a method's marks; lines cross where places change.

    Examples
    --------
    >>> every, fewer = RanksWithout("all tasks", "", (1.0,), (1,)), RanksWithout("no kin", "", (1.5,), (1,))
    >>> found = LeaveOut(("lin-1",), (MethodStyle("#2A7EFF", "circle"),), (every, fewer))
    >>> leave_out_figure(found).data[0]["x"]
    [1.0, 1.5]
    """
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
    figure.update_xaxes(
        title={"text": "← better   mean rank"}, range=[min(1, *ranks) - 0.1, max(ranks) + 0.1]
    )
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
