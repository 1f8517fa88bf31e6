"""Figures of one method: its losses on all tasks, and the training of its networks."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from delvecore.answers.answer import FigureData, Table
from delvecore.measures import Baseline, Measure
from delvecore.model import TaskId
from delvecore.plots import rows, theme
from delvecore.plots.figure import Figure, Trace
from delvecore.plots.theme import MethodStyle
from delvecore.readers.training import TrainingRecord
from delvecore.render.numbers import integer, significant
from delvecore.report import words

ROW_HEIGHT = 22
TITLE = 120
"""Height in pixels of a line of the axis's title."""
TOP = 72
FARTHEST = 3.0
"""Losses farther than this beyond the baseline are drawn at the edge, with their value."""


def method_losses_figure(tasks: pd.DataFrame, method: str, measure: Measure, style: MethodStyle) -> Figure:
    """Dot plot of one method: a row per task with its loss, the standard error, and the best of all methods.

    Parameters
    ----------
    tasks : DataFrame
        Numbered from 0: task, dataset, prototask, prior, training_size, loss, standard_error, best_method,
        best_loss, best_error.
    method, measure, style : str, Measure, MethodStyle
        The method, the measure of its losses, and its look.

    Returns
    -------
    Figure
        A click gives the point's customdata: task and best method.

    Examples
    --------
    >>> from delvecore.losses.standard_losses import LOSS_SPECS
    >>> names = "task dataset prototask prior training_size loss standard_error".split()
    >>> row = ("/d/p/std.8", "d", "p", "std", 8, 0.5, 0.1, "gp-1", 0.4, 0.1)
    >>> table = pd.DataFrame([row], columns=[*names, "best_method", "best_loss", "best_error"])
    >>> look = MethodStyle("#2A7EFF", "circle")
    >>> method_losses_figure(table, "lin-1", LOSS_SPECS["S"], look).data[1]["x"]
    [0.5]
    """
    if tasks.empty:
        return theme.empty_figure("No results under this loss", height=160)
    figure = theme.new_figure(height=TOP + ROW_HEIGHT * len(tasks) + 8)
    low, high = _range(tasks, measure.baseline)
    _add_bands(figure, tasks)
    figure.add_traces(_traces(tasks, method, style, high))
    _label(figure, tasks, measure, low, high)
    return figure


def _range(tasks: pd.DataFrame, baseline: Baseline | None) -> tuple[float, float]:
    """Return the ends of the loss axis: from 0, or the lowest loss if it is negative, to the largest drawn
    loss."""
    values, errors = tasks["loss"], tasks["standard_error"].fillna(0)
    shown = pd.concat([values - errors, values + errors, tasks["best_loss"]])
    shown = shown[np.isfinite(shown)]
    far = baseline.value + FARTHEST if baseline is not None else np.inf
    top = min(max([*shown, baseline.value if baseline is not None else 0.0]), far)
    low = min([0.0, *shown])
    return low - 0.03 * (top - low) * (low < 0), top + 0.04 * (top - low)


def _add_bands(figure: Figure, table: pd.DataFrame) -> None:
    """Shade every other prototask, so that its tasks appear together."""
    places = table[["dataset", "prototask", "prior"]]
    number = places.ne(places.shift()).any(axis=1).cumsum()
    look = {"type": "rect", "xref": "x domain", "x0": 0, "x1": 1, "fillcolor": "rgba(127,135,144,0.10)"}
    groups = [group for _, group in table.groupby(number)][1::2]
    ends = [{"y0": group.index[0] - 0.5, "y1": group.index[-1] + 0.5} for group in groups]
    figure.update_layout(shapes=[look | end | {"line": {"width": 0}} for end in ends])


def _traces(tasks: pd.DataFrame, method: str, style: MethodStyle, high: float) -> list[Trace]:
    """Return the best losses, those of the method, and at the edge of the axis the losses beyond it."""
    best, own = (tasks[np.isfinite(tasks[name]) & (tasks[name] <= high)] for name in ("best_loss", "loss"))
    far = tasks[tasks["loss"] > high]
    errors = [None if np.isnan(error) else error for error in own["standard_error"]]
    line = {"symbol": "line-ns-open", "size": 13, "color": theme.GRAY, "line": {"width": 2.5}}
    bars = {"array": errors, "thickness": 2, "width": 4, "color": style.color}
    edge = {"symbol": "triangle-right", "size": 11, "color": style.color}
    written = map(words.with_error, far["loss"], far["standard_error"])
    texts = {"text": [f"{text}  " for text in written], "textposition": "middle left"}
    beyond: dict[str, Any] = {"marker": edge, "showlegend": False, "cliponaxis": False, **texts}
    about: dict[str, Any] = {"name": words.plot_text(method), "marker": style.marker(10), "error_x": bars}
    traces = [
        _trace(best, best["best_loss"].tolist(), own=False, name="best of all methods", marker=line),
        _trace(own, own["loss"].tolist(), **about),
    ]
    return [*traces, _trace(far, [high] * len(far), "markers+text", **beyond)] if len(far) else traces


def _trace(
    part: pd.DataFrame, x: list[float], mode: str = "markers", *, own: bool = True, **more: Any
) -> Trace:
    """Return marks on some tasks. own: whether hover texts also show the method's loss."""
    hover = []
    for row in part.itertuples():
        task = words.plot_text(row.task)
        best = f"best: {words.plot_text(row.best_method)} {words.with_error(row.best_loss, row.best_error)}"
        loss = words.with_error(row.loss, row.standard_error)
        hover.append(f"{task}: {loss}<br>{best}<br>click to compare" if own else f"{task}<br>{best}")
    data = part[["task", "best_method"]].values.tolist()
    return theme.trace(mode, x, part.index.tolist(), hover=hover, customdata=data, **theme.STAYS, **more)


def _label(figure: Figure, tasks: pd.DataFrame, measure: Measure, low: float, high: float) -> None:
    theme.name_rows(figure, _labels(tasks), showgrid=False, tickfont={"size": 12})
    figure.update_xaxes(range=[low, high], side="bottom")
    figure.update_layout(margin={"t": TOP, "r": 24}, hovermode="closest", legend={"entrywidth": 0})
    rows.title_axis(figure, words.measure_axis(measure, standardized=True), most=TITLE)
    if (baseline := measure.baseline) is not None:
        figure.add_vline(x=baseline.value, line={"color": theme.LINE_GRAY, "width": 1.5, "dash": "dash"})
        # In the right half the text extends to the left, so that a narrow page does not cut it.
        place: dict[str, Any] = {"yref": "paper", "yanchor": "bottom"}
        place["xanchor"] = "right" if baseline.value > (low + high) / 2 else "left"
        theme.add_text(figure, baseline.text, baseline.value, 1, **place)


def _labels(table: pd.DataFrame) -> list[str]:
    """Return the label of each task. Only the first task of a prototask includes the prototask's name."""
    labels: list[str] = []
    before = None
    for line in table.itertuples():
        group = (line.dataset, line.prototask, line.prior)
        if not line.training_size:
            labels.append(words.plot_text(TaskId.parse(line.task).title, longest=30) + " ")
            continue
        name = words.plot_text(words.task_path(line.dataset, line.prototask), longest=30)
        name += "" if line.prior == "std" else f", prior {words.plot_text(line.prior, longest=12)}"
        labels.append(f"{f'{name}   ' if group != before else ''}{integer(line.training_size)} ")
        before = group
    return labels


HEIGHT = 360


def training_figure(_table: Table, drawn: FigureData, styles: Mapping[str, MethodStyle]) -> Figure:
    """Learning curves of networks: errors of training and validation sets by epoch, with the kept weights.

    Examples
    --------
    >>> training_figure(Table(()), FigureData("training", data={}), {}).layout["annotations"][0]["text"]
    'There is no record of its training'
    """
    runs: Mapping[int, TrainingRecord] = drawn.data
    if not runs:
        return theme.empty_figure("There is no record of its training", height=160)
    figure = theme.new_figure(height=HEIGHT)
    color = styles[drawn.subject].color
    for name, of_set in (("training", theme.GRAY), ("validation", color)):
        figure.add_traces(_curves(runs, name, of_set))
    figure.add_traces(_stops(runs, color))
    figure.update_xaxes(title={"text": "Epochs"}, rangemode="tozero")
    ticks = [digit * 10.0**power for power in range(-4, 4) for digit in (1, 2, 5)]
    figure.update_yaxes(type="log", tickvals=ticks, ticktext=[significant(tick, 6) for tick in ticks])
    theme.title_y_axis_over_legend(figure, "Squared error percentage, log scale")
    figure.update_layout(hovermode="closest")
    return figure


def _curves(runs: Mapping[int, TrainingRecord], name: str, color: str) -> Iterator[Trace]:
    """Yield the errors of one set, a line per instance."""
    faint = max(0.2, len(runs) ** -0.5)
    line = {"color": color, "dash": "dot" if name == "training" else "solid", "width": 2}
    for place, (number, one) in enumerate(runs.items()):
        epochs, values = [one.epoch for one in one.curve], [getattr(strip, name) for strip in one.curve]
        pairs = zip(epochs, values, strict=True)
        hover = [
            f"instance {number}, epoch {integer(epoch)}: {name} error {significant(value, 4)} %"
            for epoch, value in pairs
        ]
        legend = {"name": f"{name} set", "legendgroup": name, "showlegend": not place}
        yield theme.trace("lines", epochs, values, hover=hover, line=line, opacity=faint, **legend)


def _stops(runs: Mapping[int, TrainingRecord], color: str) -> Iterator[Trace]:
    """Yield the marks of kept weights, and of the ends of training."""
    looks = (
        ("weights kept", [one.kept for one in runs.values()], {"symbol": "circle", "size": 9}),
        ("stopped", [one.curve[-1] for one in runs.values()], {"symbol": "line-ns-open", "size": 12}),
    )
    for name, strips, look in looks:
        pairs = zip(runs, strips, strict=True)
        hover = [
            f"instance {number}: {name} at epoch {integer(one.epoch)}<br>GL {significant(one.loss, 3)} "
            f"%, P {significant(one.progress, 3)} ‰"
            for number, one in pairs
        ]
        marker = {"color": color, "line": {"width": 2, "color": color}, **look}
        places = [one.epoch for one in strips], [one.validation for one in strips]
        yield theme.trace("markers", *places, hover=hover, marker=marker, name=name)
