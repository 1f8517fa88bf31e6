"""Figures of a comparison on one task: losses, differences, training sets, pairs, cases, classifiers."""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import isfinite
from typing import Any

from delvecore.answers.classification import Bin, Rankings
from delvecore.answers.compare_methods import (
    REFERENCE,
    Difference,
    ErrorShare,
    ErrorSources,
    Estimate,
    InstanceLoss,
    Lines,
    Pair,
    PairMatrix,
)
from delvecore.answers.compare_pair import CaseBin, CaseHistogram
from delvecore.plots import rows, theme
from delvecore.plots.figure import Figure, Trace
from delvecore.plots.highlighted_method import name_places
from delvecore.plots.theme import MethodStyle, text_width
from delvecore.report import words

SOURCES = {
    "hierarchical": {"training": "Training sets", "residual": "Test cases and the rest"},
    "common": {"training": "Training sets", "cases": "Test cases", "residual": "Interaction and the rest"},
}
LOOKS = {
    "training": (theme.BLUE, "", "#ffffff"),
    "cases": (theme.ORANGE, "/", "#101418"),
    "residual": (theme.GREY, "", "#101418"),
}
"""Colour of a source, its pattern, and a colour in which text is read on it."""
SMALLEST_LABELLED = 0.09
MARK, BAR = 8, {"thickness": 2, "width": 6}
"""Pixels of a mark, and of the ends of its interval, which are higher than the mark."""
CELL_HEIGHT, HEAD_HEIGHT = 60, 44
CELL_WIDTH, NAMES = 84, 120
MOST_WIDE = 10
"""Of more methods cells are narrow and high, so that twelve fit a window of 1280 pixels. A verdict has a line
a word."""
NARROW_WIDTH, NARROW_HEIGHT = 70, 76
"""Pixels that the texts of a cell, and the names of rows, need."""
SHADES = {"better": -1.0, "worse": 1.0}
SIGNS = {"better": "▼ better", "worse": "▲ worse"}
HIGHER_SIGNS = {"better": "▲ better", "worse": "▼ worse"}
"""In which direction the row's method lies, where lower values are better, and where higher ones are."""
HISTOGRAM = 300


def estimates_figure(found: Lines[Estimate]) -> Figure:
    """Mean losses of methods: a dot at each loss, a bar of one standard error to either side.

    Parameters
    ----------
    found : Lines of Estimate
        A row a method. A published one is hollow; an infinite loss, or none, has its text only.

    Returns
    -------
    Figure
        One trace a method, with loss and error in digits at the right.

    Examples
    --------
    >>> looks = theme.method_styles(["lin-1"])
    >>> drawn = Lines((Estimate("lin-1", 0.5, 0.1, "0.50 ± 0.10"),), looks, axis="loss")
    >>> estimates_figure(drawn).data[0]["x"]
    [0.5]
    """
    if not found.lines:
        return theme.empty_figure("No results to show", height=160)
    right = max(124, *(16 + text_width(line.text, 13) for line in found.lines))
    figure = rows.rows_figure([line.method for line in found.lines], bottom=8, right=right)
    ends: list[float] = []
    for row, line in enumerate(found.lines):
        if isfinite(line.loss):
            look, error = found.looks[line.method], line.standard_error
            bar = {"array": [error], **BAR, "color": look.colour}
            said = f"{words.plot_text(line.method)}: {line.text}"
            marker = look.marker(MARK)
            if line.source:
                said += f"<br>{words.plot_text(line.source, longest=120)}"
                marker |= {"symbol": f"{look.symbol}-open", "line": {"width": 2, "color": look.colour}}
            more = {
                "meta": line.method,
                "marker": marker,
                "error_x": bar if isfinite(error) and error else None,
            }
            figure.add_trace(theme.trace("markers", [line.loss], [row], hover=said, **more))
            ends += [line.loss - error, line.loss + error] if error == error else [line.loss]
    rows.add_right_texts(figure, [line.text for line in found.lines])
    rows.title_axis(figure, found.axis)
    if found.baseline is not None:
        ends.append(found.baseline.value)
        rows.add_vertical_line(figure, found.baseline.value, text=found.baseline.text)
    if ends and min(ends) >= 0:
        figure.update_xaxes(range=[0, 1.06 * max(ends) or 1])
    elif ends:
        reach = (max(ends) - min(ends)) or 1
        figure.update_xaxes(range=[min(ends) - 0.06 * reach, max(ends) + 0.06 * reach])
    return figure


def differences_figure(found: Lines[Difference]) -> Figure:
    """Differences of methods to a reference, with intervals; the line at zero is the reference.

    Parameters
    ----------
    found : Lines of Difference
        A row a method. Marks are full where the difference is significant, else open.

    Returns
    -------
    Figure
        One trace a method but the reference.

    Examples
    --------
    >>> one = Difference("lin-1", "gp-1", 0.5, 0.25, 0.75, p=0.01, verdict="worse", text="p = 0.01")
    >>> differences_figure(Lines((one,), theme.method_styles(["lin-1"]), axis="difference")).data[0]["x"]
    [0.5]
    """
    if not found.lines:
        return theme.empty_figure("No differences to show", height=160)
    figure = rows.rows_figure([line.method for line in found.lines], bottom=8, right=168)
    figure.add_traces(
        [
            _difference(row, line, found.looks[line.method])
            for row, line in enumerate(found.lines)
            if isfinite(line.difference) and line.verdict != REFERENCE
        ]
    )
    rows.add_right_texts(figure, [line.text for line in found.lines])
    reference = words.plot_text(found.lines[0].reference, longest=24)
    rows.add_vertical_line(figure, 0, text=f"same as {reference}", dash="solid")
    ends = [end for line in found.lines for end in (line.difference, line.lower, line.upper)]
    reach = 1.12 * max((abs(end) for end in ends if isfinite(end)), default=0) or 1
    low = -reach if any(end < 0 for end in ends) else -0.15 * reach
    high = reach if any(end > 0 for end in ends) else 0.15 * reach
    rows.title_axis(figure, words.better_side(found.axis, higher=found.is_higher))
    figure.update_xaxes(range=[low, high])
    return figure


def _difference(row: int, line: Difference, look: theme.MethodStyle) -> Trace:
    """Return a mark with its interval, whose ends are higher than the mark, so that a short one is seen."""
    interval, bar = "", None
    if isfinite(line.lower) and isfinite(line.upper):
        interval = f"<br>{words.number(line.lower)} to {words.number(line.upper)}"
        bar = theme.interval_bars([(line.difference, line.lower, line.upper)], **BAR, color=look.colour)
    marker = look.marker(MARK) | {"line": {"width": 2, "color": look.colour}}
    if line.verdict not in ("better", "worse"):
        marker["symbol"] = f"{look.symbol}-open"
    said = f"{words.plot_text(line.method)}: {words.number(line.difference)}{interval}<br>{line.text}"
    more = {"marker": marker, "meta": line.method, "error_x": bar}
    return theme.trace("markers", [line.difference], [row], hover=said, **more)


def instances_figure(found: Lines[InstanceLoss]) -> Figure:
    """Mean losses by training set: a row a method, a line joins the marks of a training set.

    Lines that all lean the same way say that one method is better whatever the training set.

    Parameters
    ----------
    found : Lines of InstanceLoss
        A method's loss on a training set; those that are not finite are left out.

    Returns
    -------
    Figure
        A trace for each training set, then one for each method.

    Examples
    --------
    >>> drawn = Lines((InstanceLoss("lin-1", 0, 0.5),), theme.method_styles(["lin-1"]), axis="loss")
    >>> [trace.get("mode") for trace in instances_figure(drawn).data]
    ['lines', 'markers']
    """
    lines = [line for line in found.lines if isfinite(line.loss)]
    if not lines:
        return theme.empty_figure("No finite losses to show", height=160)
    methods = list(dict.fromkeys(line.method for line in lines))
    figure = rows.rows_figure(methods)
    for instance in sorted({line.instance for line in lines}):
        same = [line for line in lines if line.instance == instance]
        x, y = [line.loss for line in same], [methods.index(line.method) for line in same]
        grey = {"line": {"color": theme.LINE_GREY, "width": 1}, "opacity": 0.7}
        figure.add_trace(theme.trace("lines", x, y, hover=f"training set {instance}", **grey))
    for row, name in enumerate(methods):
        own = [line for line in lines if line.method == name]
        title = words.plot_text(name)
        said = [f"{title}, training set {line.instance}: {words.number(line.loss)}" for line in own]
        x, y = [line.loss for line in own], [row] * len(own)
        look = {"marker": found.looks[name].marker(9), "meta": name}
        figure.add_trace(theme.trace("markers", x, y, hover=said, **look))
    figure.update_xaxes(title={"text": found.axis})
    return figure


def error_bars_figure(found: ErrorSources) -> Figure:
    """Sources of error: how much training sets, test cases and the rest add to a squared standard error.

    Parameters
    ----------
    found : ErrorSources
        Shares of the squared standard error of each difference, and the design they are of.

    Returns
    -------
    Figure
        One stacked bar a method.

    Examples
    --------
    >>> shares = (ErrorShare("lin-1", "training", 0.75, 0.1), ErrorShare("lin-1", "residual", 0.25, 0.1))
    >>> [trace.get("x") for trace in error_bars_figure(ErrorSources(shares, "hierarchical")).data]
    [[0.75], [0.25]]
    """
    if not found.lines:
        return theme.empty_figure("No standard errors to take apart", height=160)
    methods = list(dict.fromkeys(line.method for line in found.lines))
    figure = rows.rows_figure(methods, top=34, bottom=66, showlegend=True)
    for source, title in SOURCES[found.design].items():
        lines = [line for line in found.lines if line.source == source]
        figure.add_trace(_bars(title, lines, methods, LOOKS[source]))
    figure.update_layout(barmode="stack", bargap=0.35, legend={"traceorder": "normal"})
    figure.update_xaxes(range=[0, 1], tickformat=".0%", title={"text": "Share of the squared standard error"})
    return figure


def _bars(title: str, lines: list[ErrorShare], methods: list[str], look: tuple[str, str, str]) -> Trace:
    colour, shape, text_colour = look
    pattern = {"shape": shape, "size": 6, "solidity": 0.15, "fillmode": "overlay", "fgcolor": "#ffffff"}
    names = [f"{words.plot_text(line.method)}: {title.lower()}" for line in lines]
    shares = [line.share for line in lines]
    return rows.stacked_bar(
        title,
        shares,
        [methods.index(line.method) for line in lines],
        text=[f"{100 * share:.0f} %" if share >= SMALLEST_LABELLED else "" for share in shares],
        textfont={"color": text_colour, "size": 13},
        marker={"color": colour, "pattern": pattern},
        hovertext=[f"{name}, {100 * share:.1f} %" for name, share in zip(names, shares, strict=True)],
    )


def pair_matrix_figure(found: PairMatrix) -> Figure:
    """Matrix of all pairs on one task: the row's method less the column's, shaded where significant.

    Parameters
    ----------
    found : PairMatrix
        A cell for each ordered pair, and the order of the methods.

    Returns
    -------
    Figure
        Each cell says in words whether the row's method is better, worse, or not significant.

    Examples
    --------
    >>> cell = Pair("lin-1", "gp-1", 0.5, 0.01, "worse", "+0.50", "p = 0.01")
    >>> pair_matrix_figure(PairMatrix((cell,), ("lin-1", "gp-1"))).data[1]["text"]
    ('+0.50<br>p = 0.01<br>▲ worse',)
    """
    if not found.cells:
        return theme.empty_figure("Two methods are needed for a pair", height=160)
    methods = found.methods
    is_narrow = len(methods) > MOST_WIDE
    width, height = (NARROW_WIDTH, NARROW_HEIGHT) if is_narrow else (CELL_WIDTH, CELL_HEIGHT)
    figure = theme.new_figure(height=HEAD_HEIGHT + height * len(methods))
    shades = {(cell.row, cell.column): SHADES.get(cell.verdict, 0.0) for cell in found.cells}
    z = [[shades.get((row, column)) for column in methods] for row in methods]
    figure.add_trace(theme.shades(z, gap=3))
    x = [methods.index(cell.column) for cell in found.cells]
    y = [methods.index(cell.row) for cell in found.cells]
    signs = HIGHER_SIGNS if found.is_higher else SIGNS
    texts, hover = zip(*(_texts(cell, signs, is_narrow=is_narrow) for cell in found.cells), strict=True)
    more = {"text": texts, "textfont": {"size": 12}, "showlegend": False}
    figure.add_trace(theme.trace("text", x, y, hover=hover, **more))
    figure.update_layout(margin={"t": HEAD_HEIGHT - 8}, hovermode="closest")
    names = [words.plot_text(name, longest=16) for name in methods]
    theme.name_columns(figure, names)
    theme.name_rows(figure, [f"{name} " for name in names], showgrid=False)
    name_places(figure, x=methods, y=methods)
    theme.needs_width(figure, NAMES + width * len(methods))
    return figure


def _texts(cell: Pair, signs: Mapping[str, str], *, is_narrow: bool) -> tuple[str, str]:
    """Return what stands in a cell, and what the mouse shows of it."""
    p = cell.p_shown.replace("<", "&lt;")
    verdict = signs.get(cell.verdict, cell.verdict.replace(" ", "<br>") if is_narrow else cell.verdict)
    text = f"{cell.shown}<br>{p}<br>{verdict}"
    text = {"identical": "identical", "not tested": f"{cell.shown}<br>not tested"}.get(cell.verdict, text)
    names = f"{words.plot_text(cell.row)} less {words.plot_text(cell.column)}"
    return text, f"{names}: {cell.shown}<br>{p}, {cell.verdict}"


def case_histogram_figure(found: CaseHistogram) -> Figure:
    """Histogram of test cases by the difference of two methods; above it which one is better on which side.

    Parameters
    ----------
    found : CaseHistogram
        Bins, the names of both methods, and the mean, which is a line.

    Returns
    -------
    Figure
        Hatched bars at the ends hold the cases beyond, too.

    Examples
    --------
    >>> bins = (CaseBin(-1.0, 0.0, 3, beyond=False), CaseBin(0.0, 1.0, 2, beyond=False))
    >>> case_histogram_figure(CaseHistogram(bins, ("lin-1", "gp-1"), -0.1, "difference")).data[0]["y"]
    [3, 2]
    """
    bins = found.bins
    if not any(one.cases for one in bins):
        return theme.empty_figure("No differences between test cases to show", height=HISTOGRAM)
    figure = theme.new_figure(height=HISTOGRAM)
    width = max(one.high - one.low for one in bins)
    shapes = ["/" if one.beyond else "" for one in bins]
    pattern = {"shape": shapes, "fillmode": "overlay", "fgcolor": "#ffffff"}
    figure.add_bar(
        x=[one.middle for one in bins],
        y=[one.cases for one in bins],
        width=width or min((0.6 * (after.low - one.low) for one, after in pairwise(bins)), default=0.5),
        marker={
            "color": [_colour(one, found.is_higher) for one in bins],
            "line": {"width": 0},
            "pattern": pattern,
        },
        hovertext=[_bin_hover(one) for one in bins],
        hoverinfo="text",
        showlegend=False,
    )
    _add_sides(figure, found)
    figure.update_xaxes(title={"text": found.axis})
    figure.update_layout(margin={"t": 52}, bargap=0.05)
    return figure


def _colour(one: CaseBin, is_higher: bool) -> str:
    if abs(one.middle) < 1e-12 or one.low < 0 < one.high:
        return theme.GREY
    return theme.BLUE if (one.middle > 0) == is_higher else theme.VERMILION


def _bin_hover(one: CaseBin) -> str:
    cases = words.count(one.cases, "case")
    if one.low == one.high:
        return f"difference {words.number(one.low)}: {cases}"
    beyond = " and beyond" if one.beyond else ""
    return f"{words.number(one.low)} to {words.number(one.high)}{beyond}: {cases}"


def _add_sides(figure: Figure, found: CaseHistogram) -> None:
    names = found.names[::-1] if found.is_higher else found.names
    left, right = (f"{words.plot_text(name, longest=24)} {found.wins}" for name in names)
    above: dict[str, Any] = {"yref": "paper", "yanchor": "bottom"}
    for x, anchor, text in ((0, "left", f"◀ {left}"), (1, "right", f"{right} ▶")):
        theme.add_text(figure, text, x, 1, size=13, xref="paper", xanchor=anchor, yshift=24, **above)
    if not math.isnan(mean := found.mean):
        figure.add_vline(x=mean, line={"color": theme.LINE_GREY, "width": 2, "dash": "dash"})
        theme.add_text(figure, f"mean {words.number(mean, digits=3)}", mean, 1, **above)


HEIGHT = 380


def reliability_figure(bins: Sequence[Bin], style: MethodStyle) -> Figure:
    """Reliability diagram: the share that is right against the probability; on the diagonal they are equal.

    Parameters
    ----------
    bins : sequence of Bin
        Cases whose predicted class has about the same probability.
    style : MethodStyle
        Look of the method.

    Returns
    -------
    Figure
        A mark with its interval for each bin, joined by a line.

    Examples
    --------
    >>> bins = [Bin(cases=20, said=0.9, held=0.8, lower=0.6, upper=0.9)]
    >>> reliability_figure(bins, MethodStyle("#2A7EFF", "circle")).data[1]["y"]
    [0.8]
    """
    if not bins:
        return theme.empty_figure("No probabilities of independent test cases", height=HEIGHT)
    figure = theme.new_figure(height=HEIGHT)
    _diagonal(figure, 1, 1)
    ends = ((one.held, one.lower, one.upper) for one in bins)
    error = theme.interval_bars(ends, color=style.colour, thickness=2, width=5)
    hover = [
        f"{words.count(one.cases, 'case')}: {100 * one.said:.0f} % said, {100 * one.held:.0f} % right"
        for one in bins
    ]
    x, y = [one.said for one in bins], [one.held for one in bins]
    marker = {"color": style.colour, "symbol": style.symbol, "size": 7}
    line = {"color": style.colour, "width": 1.5}
    more = {"marker": marker, "line": line, "error_y": error, "showlegend": False}
    figure.add_trace(theme.trace("lines+markers", x, y, hover=hover, **more))
    theme.title_y_axis(figure, "share that is right")
    figure.update_layout(margin={"t": 32}, hovermode="closest")
    figure.update_xaxes(
        title={"text": "probability of the predicted class"}, range=[0, 1.03], tickformat=".0%"
    )
    figure.update_yaxes(range=[0, 1.03], tickformat=".0%")
    return figure


def ranking_figure(found: Rankings, style: MethodStyle) -> Figure:
    """ROC curves or coverage plots, one a training set: up for each case of the class, right for each other.

    Parameters
    ----------
    found : Rankings
        The curves, in counts or in rates.
    style : MethodStyle
        Look of the method.

    Returns
    -------
    Figure
        A line for each training set, and the diagonal.

    Examples
    --------
    >>> from delvecore.answers.classification import Ranking
    >>> curve = Ranking("training set 0", negatives=(0.0, 1.0), positives=(0.0, 1.0), area=0.5)
    >>> ranking_figure(Rankings((curve,), in_counts=False), MethodStyle("#2A7EFF", "circle")).data[1]["x"]
    [0.0, 1.0]
    """
    if not found.curves:
        return theme.empty_figure("No probabilities to rank cases by", height=HEIGHT)
    figure = theme.new_figure(height=HEIGHT)
    ends = (max(max(getattr(one, side)) for one in found.curves) for side in ("negatives", "positives"))
    _diagonal(figure, *ends)
    for one in found.curves:
        said = f"{words.plot_text(one.title)}: area {one.area:.3f}"
        line = {"color": style.colour, "width": 1.5}
        more = {"line": line, "showlegend": False, "opacity": 0.75}
        hover = [said] * len(one.negatives)
        figure.add_trace(theme.trace("lines", list(one.negatives), list(one.positives), hover=hover, **more))
    kind = "cases" if found.in_counts else "rate"
    theme.title_y_axis(figure, f"true positive {kind}")
    figure.update_layout(margin={"t": 32}, hovermode="closest")
    figure.update_xaxes(title={"text": f"false positive {kind}"}, rangemode="tozero")
    figure.update_yaxes(rangemode="tozero")
    return figure


def _diagonal(figure: Figure, x: float, y: float) -> None:
    line = {"color": theme.LINE_GREY, "width": 1.5, "dash": "dash"}
    figure.add_trace(theme.trace("lines", [0, x], [0, y], line=line, showlegend=False))
