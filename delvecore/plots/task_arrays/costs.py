"""Costs and values of methods on a task-array by size of training sets: a path per method."""

from collections.abc import Mapping, Sequence
from math import exp, log, log10
from typing import Any

import pyarrow as pa

from delvecore.answers.answer import Table, plain_columns, table_of
from delvecore.answers.task_array import ArrayFacts
from delvecore.measures import Baseline
from delvecore.plots import theme
from delvecore.plots.cost_quality import (
    ROOM,
    Box,
    Ends,
    boxes_of_line,
    ends_of,
    label_marks,
    pixels_of_cost,
)
from delvecore.plots.figure import Figure
from delvecore.plots.task_arrays.panels import DASHED
from delvecore.plots.theme import MethodStyle
from delvecore.report import words
from delvecore.tables import rows_of

HEIGHT, TOP = 480, 34
UNITS: tuple[tuple[float, str], ...] = (
    *((1e-3, "1 ms"), (1e-2, "10 ms"), (0.1, "0.1 s"), (1, "1 s"), (10, "10 s"), (60, "1 min")),
    *((600, "10 min"), (3600, "1 h"), (36000, "10 h")),
)
COST = ("method", "size", "seconds", "mean", "tasks")
"""Columns of paths."""


def methods_with_costs(table: pa.Table, methods: Sequence[str]) -> list[str]:
    """Return the methods with costs and a value on a task. table: numbers of the question `costs`."""
    there = {method for method, *_ in _usable(table)}
    return [name for name in methods if name in there]


def _usable(table: pa.Table) -> list[tuple[Any, ...]]:
    """Return method, levels, size, seconds and mean of each task that has all of these."""
    names = ("method", "levels", "training_size", "median_seconds", "standardized_mean")
    return [row for row in rows_of(table, names) if row[3] and row[4] is not None]


def cost_means(table: pa.Table, methods: Sequence[str]) -> Table:
    """Seconds and means of methods by size of training sets, in the columns of COST.

    Only tasks with costs and values of all drawn methods count, so that means are comparable. Seconds are the
    geometric mean over these tasks of the median over instances. A method with fewer than half as many tasks
    as another one is omitted, since it would remove other tasks from all means. If there is no common task,
    the methods with the fewest tasks are omitted.
    """
    usable = _usable(table)
    done = {
        name: {(*levels, size) for method, levels, size, *_ in usable if method == name}
        for name in methods_with_costs(table, methods)
    }
    most = max(map(len, done.values()), default=0)
    drawn = [name for name in done if 2 * len(done[name]) >= most]
    while len(drawn) > 1 and not set.intersection(*(done[name] for name in drawn)):
        drawn.remove(min(reversed(drawn), key=lambda name: len(done[name])))
    shared = set.intersection(*(done[name] for name in drawn)) if drawn else set()
    paths = []
    for name in drawn:
        for of_size in sorted({cell[-1] for cell in shared}):
            cells = [
                (seconds, mean)
                for method, levels, size, seconds, mean in usable
                if (method, size) == (name, of_size) and (*levels, size) in shared
            ]
            seconds = exp(sum(log(one) for one, _ in cells) / len(cells))
            paths.append((name, of_size, seconds, sum(mean for _, mean in cells) / len(cells), len(cells)))
    return table_of(paths, plain_columns("number", *COST))


def costs_figure(array_table: ArrayFacts, styles: Mapping[str, MethodStyle]) -> Figure:
    """Cost against quality by size of training sets: a path per method, from the smallest sets to the
    largest.

    Parameters
    ----------
    array_table : ArrayFacts
        Numbers of the question `costs`.
    styles : mapping
        Looks of the methods.

    Returns
    -------
    Figure
        Seconds are on a logarithmic axis; gray methods have thin paths.
    """
    means = cost_means(array_table.table, list(styles))
    if not len(means):
        return theme.empty_figure("No costs are recorded for these methods", height=200)
    figure, noun = theme.new_figure(height=HEIGHT), words.plot_text(array_table.measure.noun)
    paths = {
        name: means.take([row for row, one in enumerate(means["method"]) if one == name])
        for name in dict.fromkeys(means["method"])
    }
    for name, path in sorted(paths.items(), key=lambda one: not styles[one[0]].is_gray):
        look, last = styles[name], max(len(path) - 1, 1)
        sizes = 4 if look.is_gray else [5 + 6 * n / last for n in range(len(path))]
        hover = [
            f"<b>{words.plot_text(name)}</b>, {words.count(size, 'training case')}<br>"
            f"{words.number(seconds, digits=3)} s per instance, mean {noun} "
            f"{words.number(mean, digits=3)}<br>"
            f"over {words.count(tasks, 'task')}"
            for _, size, seconds, mean, tasks in path.rows
        ]
        path_trace = theme.trace(
            "lines+markers",
            list(path["seconds"]),
            list(path["mean"]),
            hover=hover,
            name=words.plot_text(name),
            meta=name,
            line=look.line(1.8),
            marker={"color": look.shown_color, "symbol": look.symbol, "size": sizes, "line": {"width": 0}},
            opacity=0.6 if look.is_gray else 1,
        )
        figure.add_trace(path_trace)
    across, down = _scale(figure, means, array_table.measure.baseline)
    _label_ends(
        figure, {name: path for name, path in paths.items() if not styles[name].is_gray}, across, down
    )
    theme.title_y_axis(figure, words.vertical_axis(array_table.measure))
    theme.needs_width(figure, ROOM)
    margin = {"l": 44, "r": 16, "t": TOP, "b": 8}
    figure.update_layout(margin=margin, showlegend=False, hovermode="closest", hoverdistance=14)
    return figure


def _label_ends(figure: Figure, paths: Mapping[str, Table], across: Ends, down: Ends) -> None:
    """Write each method's name next to the end of its path. across, down: ranges of both axes."""
    lines, boxes, marks = list[Box](), list[Box](), dict[str, Ends]()
    for name, path in paths.items():
        ends: list[Ends] = path.select("seconds", "mean").rows
        places = [pixels_of_cost(seconds, mean, across, down) for seconds, mean in ends]
        lines += boxes_of_line(places)
        boxes += [(x - 6, y - 6, x + 6, y + 6) for x, y in places]
        marks[name] = ends[-1]
    label_marks(figure, marks, [*lines, *boxes], across, down)


def _scale(figure: Figure, means: Table, baseline: Baseline | None) -> tuple[Ends, Ends]:
    """Set both axes and return their ranges, seconds as logarithms."""
    across = log10(min(means["seconds"]) / 1.5), log10(max(means["seconds"]) * 2.5)
    shown = [(value, text) for value, text in UNITS if across[0] <= log10(value) <= across[1]]
    figure.update_xaxes(
        type="log",
        range=across,
        tickvals=[value for value, _ in shown],
        ticktext=[text for _, text in shown],
        title={"text": "← cheaper   median processor seconds per instance", "font": {"size": 12}},
    )
    if baseline is None:  # The zero of the values may have no meaning.
        down = ends_of(means["mean"])
    else:
        value, text = baseline.value, baseline.text
        low, high = min(0.0, value, *means["mean"]), max(value, *means["mean"])
        down = low * 1.05, low + (high - low) * 1.08 or 1.0
        figure.add_hline(y=value, line=DASHED, layer="below")
        theme.add_text(figure, text, 0.995, value, size=11, xref="paper", xanchor="right", yanchor="bottom")
    figure.update_yaxes(range=down)
    return across, down
