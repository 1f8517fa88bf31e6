"""Figures of a comparison on one task: losses, differences, training sets, pairs, cases, classifiers."""

import math
from collections.abc import Mapping
from itertools import groupby
from math import isfinite
from operator import itemgetter
from typing import Any

import numpy as np

from delvecore.answers.answer import Answer
from delvecore.answers.compare_methods import DIFFERENCE, ELSEWHERE, MEAN_AND_ERROR
from delvecore.answers.compare_pair import TaskFigure, verdict_text
from delvecore.plots import rows, theme
from delvecore.plots.figure import Figure, Trace
from delvecore.plots.highlighted_method import name_places
from delvecore.plots.theme import MethodStyle, text_width
from delvecore.render.numbers import percentage, probability_text, rounded, signed
from delvecore.report import words
from delvecore.stats.choose import SIGNIFICANT

SOURCES = {
    "hierarchical": {"training": "Training sets", "residual": "Test cases and the rest"},
    "common": {"training": "Training sets", "cases": "Test cases", "residual": "Interaction and the rest"},
}
LOOKS = {
    "training": (theme.BLUE, "", "#ffffff"),
    "cases": (theme.ORANGE, "/", "#101418"),
    "residual": (theme.GRAY, "", "#101418"),
}
"""Color of a source, its pattern, and a readable color of text on it."""
SMALLEST_LABELED = 0.09
ROW_HEIGHTS, PANEL, MIDDLE = (34, 28), 130, 0.485
"""Pixels of a row if there are few rows or many, and of the narrowest axis; end of the left axis."""
MARK, BAR = 8, {"thickness": 2, "width": 6}
"""Pixels of a mark, and of the ends of its interval, which are taller than the mark."""
CELL_HEIGHT, HEAD_HEIGHT = 60, 44
CELL_WIDTH, NAMES = 84, 120
MOST_WIDE = 10
"""Maximum number of methods with wide cells.

Cells of more methods are narrow and tall, so that twelve fit a window of 1280 pixels. A verdict has a line
per word.
"""
NARROW_WIDTH, NARROW_HEIGHT = 70, 76
"""Pixels that the texts of a cell, and the names of rows, need."""
SHADES = {"better": -1.0, "worse": 1.0}
SIGNS = {"better": "− better", "worse": "+ worse"}
HIGHER_SIGNS = {"better": "+ better", "worse": "− worse"}
"""Direction of the row's method if lower values are better, and if higher values are."""
HISTOGRAM = 300


def overview_figure(answer: Answer) -> Figure:
    """Methods in rows: the loss with its standard error on the left, the difference on the right.

    Columns: method, mean, standard error, reference, difference, ends of its interval, p, verdict and source.
    Marks of significant differences are filled. A published mean, which has a source, is hollow. Values that
    are not finite appear as text only. One method has no differences.
    """
    methods: list[str] = list(answer.table["method"])
    if not methods:
        return theme.empty_figure("No results to show", height=160)
    has_pairs = len(set(answer.table["verdict"]) - {ELSEWHERE}) > 1
    about: TaskFigure = answer.figure
    values = [_value_text(*row) for row in answer.table.select("mean", "standard_error", "source").rows]
    texts = [verdict_text(*row) for row in answer.table.select("verdict", "p_adjusted").rows]
    room = max(text_width(text, 13) for text in texts) + 16 if has_pairs else 16
    figure = rows.rows_figure(methods, right=room, heights=ROW_HEIGHTS)
    rows.add_left_texts(figure, values, methods)
    needed = figure.layout["margin"]["l"] + figure.layout["margin"]["r"] + PANEL * (1 + has_pairs)
    theme.needs_width(figure, needed)
    left = [
        _loss_mark(about, row, *one) for row, one in enumerate(_columns(answer, MEAN_AND_ERROR, "source"))
    ]
    figure.add_traces(filter(None, left))
    _span_losses(figure, answer, about)
    if not has_pairs:
        rows.title_axis(figure, about.axis)
        return figure
    figure.update_layout(xaxis={"domain": [0, MIDDLE]})
    figure.update_layout(xaxis2={**figure.layout["xaxis"], "domain": [1 - MIDDLE, 1], "anchor": "y"})
    rows.add_right_texts(figure, texts)
    right = [
        _difference_mark(about, row, *one)
        for row, one in enumerate(_columns(answer, DIFFERENCE, "p_adjusted", "verdict"))
    ]
    figure.add_traces(filter(None, right))
    _span_differences(figure, answer)
    rows.title_axis(figure, about.axis, words.better_side("difference", higher=about.is_higher))
    return figure


def _columns(answer: Answer, numbers: tuple[str, ...], *more: str) -> list[tuple[Any, ...]]:
    return answer.table.select("method", *numbers, *more).rows


def _value_text(mean: float | None, error: float | None, source: str) -> str:
    if not source:
        return words.with_error(mean, error)
    decimals = words.decimals_for(error)
    spread = f" (SD {rounded(error, decimals)})" if error else ""
    return f"{rounded(mean, decimals)}{spread}".replace("-", "−")


def _loss_mark(
    about: TaskFigure, row: int, name: str, loss: float | None, error: float | None, source: str
) -> Trace | None:
    if loss is None or not isfinite(loss):
        return None
    look = about.looks[name]
    hover, marker = f"{words.plot_text(name)}: {_value_text(loss, error, source)}", look.marker(MARK)
    if source:
        hover += f"<br>{words.plot_text(source, longest=120)}"
        marker |= {"symbol": f"{look.symbol}-open", "line": {"width": 2, "color": look.color}}
    bar = {"array": [error], **BAR, "color": look.color} if error and isfinite(error) else None
    return theme.trace("markers", [loss], [row], hover=hover, meta=name, marker=marker, error_x=bar)


def _span_losses(figure: Figure, answer: Answer, about: TaskFigure) -> None:
    """Set the range of losses, from zero unless some are negative, and draw the baseline."""
    losses = [(loss, error) for loss, error in answer.table.select(*MEAN_AND_ERROR).rows if loss is not None]
    reach = [(loss, error if error is not None and isfinite(error) else 0.0) for loss, error in losses]
    ends = [loss + side * error for loss, error in reach if isfinite(loss) for side in (-1, 1)]
    baseline = about.baseline
    ends += [] if baseline is None else [baseline.value]
    if not ends:
        return
    low, high = min(ends), max(ends)
    margin = 0.06 * ((high - low) or 1)
    low, high = (0, 1.06 * high or 1) if low >= 0 else (low - margin, high + margin)
    figure.update_xaxes(range=[low, high])
    if baseline is not None:
        is_right = baseline.value > (low + high) / 2
        rows.add_vertical_line(figure, baseline.value, text=baseline.text, is_right=is_right)


def _difference_mark(
    about: TaskFigure,
    row: int,
    name: str,
    difference: float | None,
    lower: float | None,
    upper: float | None,
    p: float | None,
    verdict: str,
) -> Trace | None:
    if difference is None or not isfinite(difference):
        return None
    look, interval, bar = about.looks[name], "", None
    if lower is not None and upper is not None and isfinite(upper - lower):
        interval = f"<br>{words.number(lower)} to {words.number(upper)}"
        # Its ends are taller than the mark, so that even a short interval can be seen.
        bar = theme.interval_bars([(difference, lower, upper)], **BAR, color=look.color)
    marker = look.marker(MARK) | {"line": {"width": 2, "color": look.color}}
    if verdict not in SIGNIFICANT:
        marker["symbol"] = f"{look.symbol}-open"
    verdict_label = verdict_text(verdict, p).replace("<", "&lt;")
    text = f"{words.plot_text(name)}: {words.number(difference)}{interval}<br>{verdict_label}"
    more = {"marker": marker, "meta": name, "error_x": bar, "xaxis": "x2"}
    return theme.trace("markers", [difference], [row], hover=text, **more)


def _span_differences(figure: Figure, answer: Answer) -> None:
    """Set the range of differences, and draw the line of the reference at zero."""
    ends = [0.0, *(end for row in answer.table.select(*DIFFERENCE).rows for end in row if end is not None)]
    ends = [end for end in ends if isfinite(end)]
    reach = 1.12 * max(map(abs, ends)) or 1
    low = -reach if min(ends) < 0 else -0.15 * reach
    high = reach if max(ends) > 0 else 0.15 * reach
    figure.update_layout(xaxis2={"range": [low, high]})
    text = f"same as {words.plot_text(answer.table['reference'][0], longest=24)}"
    rows.add_vertical_line(figure, 0, text=text, dash="solid", axis="x2", is_right=low + high < 0)


def instances_figure(answer: Answer) -> Figure:
    """Mean losses by training set: a row per method. A line joins the marks of a training set.

    Columns: method, training set and mean. Infinite means are omitted. If all lines between two rows lean to
    the same side, one of the two methods is better on every training set.
    """
    means = [row for row in answer.table.rows if row[2] is not None and isfinite(row[2])]
    if not means:
        return theme.empty_figure("No finite losses to show", height=160)
    about: TaskFigure = answer.figure
    methods = list(dict.fromkeys(name for name, _, _ in means))
    figure = rows.rows_figure(methods)
    for instance in sorted({instance for _, instance, _ in means}):
        same = [(loss, methods.index(name)) for name, number, loss in means if number == instance]
        gray = {"line": {"color": theme.LINE_GRAY, "width": 1}, "opacity": 0.7}
        x, y = map(list, zip(*same, strict=True))
        figure.add_trace(theme.trace("lines", x, y, hover=f"training set {instance}", **gray))
    for row, name in enumerate(methods):
        losses = {instance: loss for method, instance, loss in means if method == name}
        title = words.plot_text(name)
        hover = [f"{title}, training set {n}: {words.number(loss)}" for n, loss in losses.items()]
        look = {"marker": about.looks[name].marker(9), "meta": name}
        figure.add_trace(
            theme.trace("markers", list(losses.values()), [row] * len(losses), hover=hover, **look)
        )
    figure.update_xaxes(title={"text": about.axis})
    return figure


def error_bars_figure(answer: Answer) -> Figure:
    """Sources of error: contributions of training sets, test cases and the rest to a squared standard error.

    Columns: both methods, source and its share. The figure has one stacked bar per method."""
    table = answer.table
    if not len(table):
        return theme.empty_figure("No standard errors to divide into shares", height=160)
    methods = list(dict.fromkeys(table["method_a"]))
    figure = rows.rows_figure(methods, top=34, bottom=66, showlegend=True)
    for source, title in SOURCES[answer.figure.design].items():
        lines = zip(table["method_a"], table["source"], table["share"], strict=True)
        shares = {name: share for name, of, share in lines if of == source}
        figure.add_trace(_bars(title, shares, methods, LOOKS[source]))
    figure.update_layout(barmode="stack", bargap=0.35, legend={"traceorder": "normal"})
    figure.update_xaxes(range=[0, 1], tickformat=".0%", title={"text": "Share of the squared standard error"})
    return figure


def _bars(title: str, shares: Mapping[str, float], methods: list[str], look: tuple[str, str, str]) -> Trace:
    color, shape, text_color = look
    pattern = {"shape": shape, "size": 6, "solidity": 0.15, "fillmode": "overlay", "fgcolor": "#ffffff"}
    texts = [percentage(share) if share >= SMALLEST_LABELED else "" for share in shares.values()]
    return rows.stacked_bar(
        title,
        list(shares.values()),
        list(map(methods.index, shares)),
        text=texts,
        textfont={"color": text_color, "size": 13},
        marker={"color": color, "pattern": pattern},
        hovertext=[
            f"{words.plot_text(name)}: {title.lower()}, {percentage(share, 1)}"
            for name, share in shares.items()
        ],
    )


def pair_matrix_figure(answer: Answer) -> Figure:
    """Matrix of all pairs on one task: the row's method minus the column's, shaded if significant.

    Columns: both methods, difference, its standard error, p and verdict, for each ordered pair. Each cell
    states in words whether the row's method is better.
    """
    about, cells = answer.figure, answer.table.rows
    if not cells:
        return theme.empty_figure("Two methods are needed for a pair", height=160)
    methods = list(dict.fromkeys(row[0] for row in cells))
    is_narrow = len(methods) > MOST_WIDE
    width, height = (NARROW_WIDTH, NARROW_HEIGHT) if is_narrow else (CELL_WIDTH, CELL_HEIGHT)
    figure = theme.new_figure(height=HEAD_HEIGHT + height * len(methods))
    shades = {(a, b): SHADES.get(verdict, 0.0) for a, b, *_, verdict in cells}
    z = [[shades.get((row, column)) for column in methods] for row in methods]
    figure.add_trace(theme.shades(z, gap=3))
    x, y = ([methods.index(cell[place]) for cell in cells] for place in (1, 0))
    signs = HIGHER_SIGNS if about.is_higher else SIGNS
    texts, hover = zip(*(_texts(*cell, signs=signs, is_narrow=is_narrow) for cell in cells), strict=True)
    more = {"text": texts, "textfont": {"size": 12}, "showlegend": False}
    figure.add_trace(theme.trace("text", x, y, hover=hover, **more))
    figure.update_layout(margin={"t": HEAD_HEIGHT - 8}, hovermode="closest")
    names = [words.plot_text(name, longest=16) for name in methods]
    theme.name_columns(figure, names)
    theme.name_rows(figure, [f"{name} " for name in names], showgrid=False)
    name_places(figure, x=methods, y=methods)
    theme.needs_width(figure, NAMES + width * len(methods))
    return figure


def _texts(
    a: str,
    b: str,
    difference: float | None,
    error: float | None,
    p: float | None,
    verdict: str,
    *,
    signs: Mapping[str, str],
    is_narrow: bool,
) -> tuple[str, str]:
    """Return the text of a cell, and its hover text."""
    shown = words.number(difference)
    if difference is not None and error is not None:
        shown = signed(difference, error)
    p_shown = "no p" if p is None else words.p_value(p).replace("<", "&lt;")
    sign = signs.get(verdict, verdict.replace(" ", "<br>") if is_narrow else verdict)
    text = f"{shown}<br>{p_shown}<br>{sign}"
    text = {"identical": "identical", "not tested": f"{shown}<br>not tested"}.get(verdict, text)
    return text, f"{words.plot_text(a)} minus {words.plot_text(b)}: {shown}<br>{p_shown}, {verdict}"


def case_histogram_figure(answer: Answer) -> Figure:
    """Histogram of test cases by the difference of two methods.

    Labels above it name the better method on each side.

    Columns: ends of each interval, its cases, and whether it includes all cases beyond (hatched bars)."""
    about: TaskFigure = answer.figure
    low, high, cases = (np.asarray(answer.table[key]) for key in ("low", "high", "cases"))
    if not cases.any():
        return theme.empty_figure("No differences between test cases to show", height=HISTOGRAM)
    figure = theme.new_figure(height=HISTOGRAM)
    middle = (low + high) / 2
    first_wins = (middle > 0) == about.is_higher
    is_tie = (np.abs(middle) < 1e-12) | ((low < 0) & (high > 0))
    shapes = ["/" if beyond else "" for beyond in answer.table["beyond"]]
    figure.add_bar(
        x=middle.tolist(),
        y=cases.tolist(),
        width=float((high - low).max()) or float(min(0.6 * np.diff(low), default=0.5)),
        marker={
            "color": np.where(is_tie, theme.GRAY, np.where(first_wins, theme.BLUE, theme.VERMILION)).tolist(),
            "line": {"width": 0},
            "pattern": {"shape": shapes, "fillmode": "overlay", "fgcolor": "#ffffff"},
        },
        hovertext=[_bin_hover(*row) for row in answer.table.rows],
        hoverinfo="text",
        showlegend=False,
    )
    _add_sides(figure, about)
    figure.update_xaxes(title={"text": about.axis})
    figure.update_layout(margin={"t": 52}, bargap=0.05)
    return figure


def _bin_hover(low: float, high: float, count: int, is_beyond: bool) -> str:
    cases = words.count(count, "case")
    if low == high:
        return f"difference {words.number(low)}: {cases}"
    return f"{words.number(low)} to {words.number(high)}{' and beyond' * is_beyond}: {cases}"


def _add_sides(figure: Figure, about: TaskFigure) -> None:
    names = about.names[::-1] if about.is_higher else about.names
    left, right = (f"{words.plot_text(name, longest=24)} {about.wins}" for name in names)
    above: dict[str, Any] = {"yref": "paper", "yanchor": "bottom"}
    for x, anchor, text in ((0, "left", f"◀ {left}"), (1, "right", f"{right} ▶")):
        theme.add_text(figure, text, x, 1, size=13, xref="paper", xanchor=anchor, yshift=24, **above)
    if not math.isnan(mean := about.mean):
        figure.add_vline(x=mean, line={"color": theme.LINE_GRAY, "width": 2, "dash": "dash"})
        theme.add_text(figure, f"mean {words.number(mean, digits=3)}", mean, 1, **above)


HEIGHT = 380


def reliability_figure(answer: Answer, style: MethodStyle) -> Figure:
    """Reliability diagram: the correct share against the probability. They are equal on the diagonal.

    Columns: cases, their mean probability, the share of right predictions, and the ends of its interval."""
    bins = answer.table.rows
    if not bins:
        return theme.empty_figure("No probabilities of independent test cases", height=HEIGHT)
    figure = theme.new_figure(height=HEIGHT)
    _diagonal(figure, 1, 1)
    cases, x, y, *_ = map(list, zip(*bins, strict=True))
    error = theme.interval_bars([row[2:] for row in bins], color=style.color, thickness=2, width=5)
    hover = [
        f"{words.count(count, 'case')}: probability {percentage(probability)}, {percentage(right)} right"
        for count, probability, right in zip(cases, x, y, strict=True)
    ]
    marker = {"color": style.color, "symbol": style.symbol, "size": 7}
    line = {"color": style.color, "width": 1.5}
    more = {"marker": marker, "line": line, "error_y": error, "showlegend": False}
    figure.add_trace(theme.trace("lines+markers", x, y, hover=hover, **more))
    theme.title_y_axis(figure, "share that is right")
    figure.update_layout(margin={"t": 32}, hovermode="closest")
    figure.update_xaxes(
        title={"text": "probability of the predicted class"}, range=[0, 1.03], tickformat=".0%"
    )
    figure.update_yaxes(range=[0, 1.03], tickformat=".0%")
    return figure


def ranking_figure(answer: Answer, style: MethodStyle) -> Figure:
    """ROC curves or coverage plots, one per training set. The curve goes up for a case of the class, and
    right for any other case.

    Columns: training set, false and true positives of each point, and the area under its curve."""
    table, kind = answer.table, answer.figure
    if not len(table):
        return theme.empty_figure("No probabilities to rank cases by", height=HEIGHT)
    figure = theme.new_figure(height=HEIGHT)
    _diagonal(figure, max(table["false_positives"]), max(table["true_positives"]))
    for title, group in groupby(table.rows, key=itemgetter(0)):
        _, x, y, areas = map(list, zip(*group, strict=True))
        line = {"color": style.color, "width": 1.5}
        more = {"line": line, "showlegend": False, "opacity": 0.75}
        hover = [f"{words.plot_text(title)}: area {probability_text(area)}" for area in areas]
        figure.add_trace(theme.trace("lines", x, y, hover=hover, **more))
    theme.title_y_axis(figure, f"true positive {kind}")
    figure.update_layout(margin={"t": 32}, hovermode="closest")
    figure.update_xaxes(title={"text": f"false positive {kind}"}, rangemode="tozero")
    figure.update_yaxes(rangemode="tozero")
    return figure


def _diagonal(figure: Figure, x: float, y: float) -> None:
    line = {"color": theme.LINE_GRAY, "width": 1.5, "dash": "dash"}
    figure.add_trace(theme.trace("lines", [0, x], [0, y], line=line, showlegend=False))
