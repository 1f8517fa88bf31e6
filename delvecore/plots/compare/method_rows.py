"""Figures of the Compare page with one row a method: losses, differences, training sets, sources of error."""

from collections.abc import Mapping
from math import isfinite
from typing import Generic, NamedTuple, TypeVar

import plotly.graph_objects as go

from delvecore.plots import rows, theme, words
from delvecore.plots.text_boxes import text_width
from delvecore.plots.words import Baseline

__all__ = [
    *("REFERENCE", "Difference", "ErrorShare", "ErrorSources", "Estimate", "InstanceLoss", "Lines"),
    *("differences_figure", "error_bars_figure", "estimates_figure", "instances_figure"),
]

Line = TypeVar("Line")
REFERENCE = "reference"
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


class Lines(NamedTuple, Generic[Line]):
    """A figure's lines with the looks of methods. axis: title of the axis of losses or differences; baseline:
    where there is a line, None for raw losses; is_higher: are higher values better, as of some metrics?"""

    lines: tuple[Line, ...]
    looks: Mapping[str, theme.MethodStyle]
    axis: str
    baseline: Baseline | None = None
    is_higher: bool = False


class Estimate(NamedTuple):
    """A method's loss; NaN for a loss or an error that there is not. source: where it was published, with the
    standard deviation over its runs as its error; empty for one of the archive's own."""

    method: str
    loss: float
    standard_error: float
    text: str
    source: str = ""


def estimates_figure(found: Lines[Estimate]) -> go.Figure:
    """Draw one row a method: a dot at its loss, a bar of one standard error to either side, both in digits. A
    published one is hollow.

    An infinite loss or none has its text only."""
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


class Difference(NamedTuple):
    """A method less the reference; NaN for what there is not. verdict: REFERENCE for the reference itself."""

    method: str
    reference: str
    difference: float
    standard_error: float
    lower: float
    upper: float
    p: float
    verdict: str
    text: str


def differences_figure(found: Lines[Difference]) -> go.Figure:
    """Draw one row a method: full marks where the difference is significant, open ones where it is not.

    The line at zero is the reference."""
    if not found.lines:
        return theme.empty_figure("No differences to show", height=160)
    figure = rows.rows_figure([line.method for line in found.lines], bottom=8, right=168)
    for row, line in enumerate(found.lines):
        if isfinite(line.difference) and line.verdict != REFERENCE:
            figure.add_trace(_difference(row, line, found.looks[line.method]))
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


def _difference(row: int, line: Difference, look: theme.MethodStyle) -> theme.Trace:
    """Return a mark with its interval, whose ends are higher than the mark, so that a short one is seen."""
    interval, bar = "", None
    if isfinite(line.lower) and isfinite(line.upper):
        interval = f"<br>{words.number(line.lower)} to {words.number(line.upper)}"
        ends = {"array": [line.upper - line.difference], "arrayminus": [line.difference - line.lower]}
        bar = {"symmetric": False, **ends, **BAR, "color": look.colour}
    marker = look.marker(MARK) | {"line": {"width": 2, "color": look.colour}}
    if line.verdict not in ("better", "worse"):
        marker["symbol"] = f"{look.symbol}-open"
    said = f"{words.plot_text(line.method)}: {words.number(line.difference)}{interval}<br>{line.text}"
    more = {"marker": marker, "meta": line.method, "error_x": bar}
    return theme.trace("markers", [line.difference], [row], hover=said, **more)


class InstanceLoss(NamedTuple):
    """A method's mean loss on a training set; NaN where there is none."""

    method: str
    instance: int
    loss: float


def instances_figure(found: Lines[InstanceLoss]) -> go.Figure:
    """Draw one row a method, a mark for each training set; a line joins the marks of a training set.

    Lines that all lean the same way say that one method is better whatever the training set."""
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
    figure.update_xaxes(title_text=found.axis)
    return figure


class ErrorShare(NamedTuple):
    """What one source adds to a difference's squared standard error, as a share of it."""

    method: str
    source: str
    share: float
    standard_error: float


class ErrorSources(NamedTuple):
    """design: `hierarchical` or `common`."""

    lines: tuple[ErrorShare, ...]
    design: str


def error_bars_figure(found: ErrorSources) -> go.Figure:
    """Draw one stacked bar a method: how much training sets, test cases and the rest add to the squared
    standard error of its difference."""
    if not found.lines:
        return theme.empty_figure("No standard errors to take apart", height=160)
    methods = list(dict.fromkeys(line.method for line in found.lines))
    figure = rows.rows_figure(methods, top=34, bottom=66, showlegend=True)
    for source, title in SOURCES[found.design].items():
        lines = [line for line in found.lines if line.source == source]
        figure.add_trace(_bars(title, lines, methods, LOOKS[source]))
    figure.update_layout(barmode="stack", bargap=0.35, legend={"traceorder": "normal"})
    figure.update_xaxes(range=[0, 1], tickformat=".0%", title_text="Share of the squared standard error")
    return figure


def _bars(title: str, lines: list[ErrorShare], methods: list[str], look: tuple[str, str, str]) -> theme.Trace:
    colour, shape, text_colour = look
    pattern = {"shape": shape, "size": 6, "solidity": 0.15, "fillmode": "overlay", "fgcolor": "#ffffff"}
    names = [f"{words.plot_text(line.method)}: {title.lower()}" for line in lines]
    shares = [line.share for line in lines]
    return {
        "type": "bar",
        "orientation": "h",
        "name": title,
        "x": shares,
        "y": [methods.index(line.method) for line in lines],
        "text": [f"{100 * share:.0f} %" if share >= SMALLEST_LABELLED else "" for share in shares],
        "textposition": "inside",
        "insidetextanchor": "middle",
        "textfont": {"color": text_colour, "size": 13},
        "marker": {"color": colour, "pattern": pattern},
        "hovertext": [f"{name}, {100 * share:.1f} %" for name, share in zip(names, shares, strict=True)],
        "hoverinfo": "text",
    }
