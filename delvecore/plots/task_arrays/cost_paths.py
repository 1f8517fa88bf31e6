"""Cost against loss on a task-array: seconds of an instance, and the mean loss, by size of training sets."""

from collections.abc import Sequence
from math import log10
from typing import NamedTuple

import plotly.graph_objects as go

from delvecore.plots import labels, theme
from delvecore.plots.task_arrays.panels import DASHED, Look
from delvecore.plots.theme import Trace
from delvecore.report import words
from delvecore.report.words import Baseline

Ends = tuple[float, float]

HEIGHT, TOP = 480, 34
UNITS: tuple[tuple[float, str], ...] = (
    *((1e-3, "1 ms"), (1e-2, "10 ms"), (0.1, "0.1 s"), (1, "1 s"), (10, "10 s"), (60, "1 min")),
    *((600, "10 min"), (3600, "1 h"), (36000, "10 h")),
)


class CostPoint(NamedTuple):
    """A method with one size of training sets: seconds of an instance, mean loss."""

    seconds: float
    loss: float
    hover: str


class CostPath(NamedTuple):
    """A method's points, the smallest training sets first."""

    method: str
    look: Look
    points: tuple[CostPoint, ...]


class CostsFigure(NamedTuple):
    """All that is drawn. title: of the loss axis; compared: the number of tasks that the means are over;
    without: methods without costs; apart: those not drawn, for they share too few tasks with the others."""

    paths: tuple[CostPath, ...]
    title: str
    baseline: Baseline | None
    compared: int
    without: tuple[str, ...]
    apart: tuple[str, ...]


def costs_figure(drawn: CostsFigure) -> go.Figure:
    """Cost against loss by size of training sets: a path a method, from the smallest sets to the largest.

    Parameters
    ----------
    drawn : CostsFigure
        The paths, the title of the loss axis, and the baseline.

    Returns
    -------
    Figure
        Seconds are on a logarithmic axis; grey methods have thin paths.

    Examples
    --------
    >>> points = CostPoint(0.5, 0.75, ""), CostPoint(2.0, 0.5, "")
    >>> path = CostPath("lin-1", Look("#2A7EFF", "circle"), points)
    >>> costs_figure(CostsFigure((path,), "loss", None, compared=1, without=(), apart=())).data[0].x
    (0.5, 2.0)
    """
    if not drawn.paths:
        return theme.empty_figure("No costs are recorded for these methods", height=200)
    figure = theme.new_figure(height=HEIGHT)
    figure.add_traces([_trace(path) for path in sorted(drawn.paths, key=lambda path: not path.look.is_grey)])
    across, down = _scale(figure, drawn)
    _label_ends(figure, [path for path in drawn.paths if not path.look.is_grey], across, down)
    theme.title_y_axis(figure, drawn.title)
    theme.needs_width(figure, labels.ROOM)
    margin = {"l": 44, "r": 16, "t": TOP, "b": 8}
    figure.update_layout(margin=margin, showlegend=False, hovermode="closest", hoverdistance=14)
    return figure


def _trace(path: CostPath) -> Trace:
    look, last = path.look, max(len(path.points) - 1, 1)
    sizes = 4 if look.is_grey else [5 + 6 * n / last for n in range(len(path.points))]
    return theme.trace(
        "lines+markers",
        [point.seconds for point in path.points],
        [point.loss for point in path.points],
        hover=[point.hover for point in path.points],
        name=words.plot_text(path.method),
        meta=path.method,
        line=look.line(1.8),
        marker={"color": look.shown_colour, "symbol": look.symbol, "size": sizes, "line": {"width": 0}},
        opacity=0.6 if look.is_grey else 1,
    )


def _label_ends(figure: go.Figure, paths: Sequence[CostPath], across: Ends, down: Ends) -> None:
    """Write each method's name beside the end of its path. across, down: the ranges of the axes."""
    drawn = [[_pixels(point, across, down) for point in path.points] for path in paths]
    crossed = [box for places in drawn for box in labels.boxes_of_line(places)]
    crossed += [(x - 6, y - 6, x + 6, y + 6) for places in drawn for x, y in places]
    ends = [(path.method, path.points[-1], places[-1]) for path, places in zip(paths, drawn, strict=True)]
    marks = [labels.Named(name, at, log10(last.seconds), last.loss) for name, last, at in ends]
    labels.label_marks(figure, marks, crossed)


def _pixels(point: CostPoint, across: Ends, down: Ends) -> tuple[float, float]:
    """Return where a point is drawn, on a page of usual width."""
    return (
        labels.DRAWN[0] * (log10(point.seconds) - across[0]) / (across[1] - across[0]),
        labels.DRAWN[1] * (point.loss - down[0]) / (down[1] - down[0]),
    )


def _scale(figure: go.Figure, drawn: CostsFigure) -> tuple[Ends, Ends]:
    """Set both axes and return their ranges, seconds as logarithms."""
    seconds = [point.seconds for path in drawn.paths for point in path.points]
    across = log10(min(seconds) / 1.5), log10(max(seconds) * 2.5)
    shown = [(value, text) for value, text in UNITS if across[0] <= log10(value) <= across[1]]
    figure.update_xaxes(
        type="log",
        range=across,
        tickvals=[value for value, _ in shown],
        ticktext=[text for _, text in shown],
        title={"text": "← cheaper   median seconds of the processor, an instance", "font": {"size": 12}},
    )
    ends = [point.loss for path in drawn.paths for point in path.points]
    ends += [drawn.baseline.value] if drawn.baseline else []
    low = min(0.0, *ends)
    down = low * 1.05, low + (max(ends) - low) * 1.08 or 1.0
    figure.update_yaxes(range=down)
    if drawn.baseline:
        value, text = drawn.baseline
        figure.add_hline(y=value, line=DASHED, layer="below")
        theme.add_text(figure, text, 0.995, value, size=11, xref="paper", xanchor="right", yanchor="bottom")
    return across, down
