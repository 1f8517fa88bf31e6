"""Figures of classifiers: do probabilities come true, and how well do they rank the cases of a class?"""

from collections.abc import Sequence

import plotly.graph_objects as go

from delvecore.answers.classification import Bin, Rankings
from delvecore.plots import theme
from delvecore.plots.theme import MethodStyle
from delvecore.report import words

HEIGHT = 380


def reliability_figure(bins: Sequence[Bin], style: MethodStyle) -> go.Figure:
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
    >>> reliability_figure(bins, MethodStyle("#2A7EFF", "circle")).data[1].y
    (0.8,)
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
    figure.update_xaxes(title_text="probability of the predicted class", range=[0, 1.03], tickformat=".0%")
    figure.update_yaxes(range=[0, 1.03], tickformat=".0%")
    return figure


def ranking_figure(found: Rankings, style: MethodStyle) -> go.Figure:
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
    >>> ranking_figure(Rankings((curve,), in_counts=False), MethodStyle("#2A7EFF", "circle")).data[1].x
    (0.0, 1.0)
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
    figure.update_xaxes(title_text=f"false positive {kind}", rangemode="tozero")
    figure.update_yaxes(rangemode="tozero")
    return figure


def _diagonal(figure: go.Figure, x: float, y: float) -> None:
    line = {"color": theme.LINE_GREY, "width": 1.5, "dash": "dash"}
    figure.add_trace(theme.trace("lines", [0, x], [0, y], line=line, showlegend=False))
