"""The critical-difference diagram without Plotly and without a browser: as SVG, and as a picture of LaTeX."""

import itertools
import math
from collections.abc import Iterator
from html import escape
from typing import Literal, NamedTuple

from delvecore.plots.ranking.critical_difference_layout import (
    ENDS,
    GAP,
    MANY,
    Diagram,
    DiagramMethod,
    Label,
    Layout,
    layout_of,
)
from delvecore.report.writers.latex_text import latex_escape

__all__ = ["Letters", "Mark", "Still", "Stroke", "latex_picture", "still_of", "svg_text"]

INK, BLACK = "#69747F", "#1b232b"
WIDTH, NARROW = 720.0, 460.0
"""Pixels: for a page, and for a column of a paper."""
POINTS = 0.75
"""Of LaTeX a pixel."""
BAR, THIN, SLIM = 5.0, 1.5, 0.7
Anchor = Literal["start", "middle", "end"]
ANCHORS: dict[Anchor, str] = {"start": "l", "middle": "", "end": "r"}
_RAYS = [(turn * math.pi / 5, (1.2, 0.5)[turn % 2]) for turn in range(10)]
_STAR = [(math.sin(angle) * reach, -math.cos(angle) * reach) for angle, reach in _RAYS]
_PLUS = [(-0.35, -1.0), (0.35, -1.0), (0.35, -0.35), (1.0, -0.35), (1.0, 0.35), (0.35, 0.35)]
_PLUS += [(0.35, 1.0), (-0.35, 1.0), (-0.35, 0.35), (-1.0, 0.35), (-1.0, -0.35), (-0.35, -0.35)]
SHAPES = {
    "square": [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
    "diamond": [(0.0, -1.2), (1.2, 0.0), (0.0, 1.2), (-1.2, 0.0)],
    "triangle-up": [(0.0, -1.1), (1.1, 0.9), (-1.1, 0.9)],
    "triangle-down": [(0.0, 1.1), (1.1, -0.9), (-1.1, -0.9)],
    "cross": _PLUS,
    "x": [((x - y) * 0.5**0.5, (x + y) * 0.5**0.5) for x, y in _PLUS],
    "star": _STAR,
}
"""Corners of the marks about their middles, for a mark that is two wide; a circle has none."""


class Stroke(NamedTuple):
    """A straight line."""

    x: tuple[float, float]
    y: tuple[float, float]
    colour: str
    width: float


class Mark(NamedTuple):
    """A method on the axis. size: its width."""

    x: float
    y: float
    size: float
    colour: str
    symbol: str


class Letters(NamedTuple):
    """A text on a line, about whose middle y is; weight: as `DiagramMethod.mark` has it."""

    x: float
    y: float
    text: str
    anchor: Anchor = "start"
    weight: str = ""


class Still(NamedTuple):
    """A drawing, in pixels from its upper left corner. font: size of its letters."""

    width: float
    height: float
    font: float
    strokes: tuple[Stroke, ...]
    marks: tuple[Mark, ...]
    letters: tuple[Letters, ...]


def still_of(diagram: Diagram, *, width: float = WIDTH, font: float = 13) -> Still:
    """Return the diagram as lines, marks and texts, which lie where `critical_difference_figure` has them."""
    layout = layout_of(diagram, width=width, font=font)
    slim = SLIM if len(layout.labels) > MANY else 1.0
    strokes = [*_elbows(diagram, layout, THIN * slim), *_axis(layout), *_bars(diagram, layout, BAR * slim)]
    marks = tuple(
        Mark(_at(layout, one.rank), layout.axis_y, 0.7 * font * slim, one.style.colour, one.style.symbol)
        for one in diagram.methods
    )
    lines = (*strokes, *_difference(diagram, layout))
    letters = (*_texts(diagram, layout), *_labels(diagram, layout))
    return Still(width, layout.height, font, strokes=lines, marks=marks, letters=letters)


def _at(layout: Layout, rank: float) -> float:
    return layout.place(rank, layout.width or WIDTH)


def _flat(layout: Layout, ends: tuple[float, float], y: float, width: float) -> Stroke:
    return Stroke((_at(layout, ends[0]), _at(layout, ends[1])), (y, y), INK, width)


def _axis(layout: Layout) -> Iterator[Stroke]:
    yield _flat(layout, (layout.low, layout.high), layout.axis_y, THIN)
    for rank, _ in layout.ticks:
        yield Stroke((_at(layout, rank),) * 2, (layout.axis_y, layout.axis_y - 6), INK, THIN)


def _elbows(diagram: Diagram, layout: Layout, width: float) -> Iterator[Stroke]:
    for label, one in zip(layout.labels, diagram.methods, strict=True):
        x, end = _at(layout, label.rank), layout.low if label.side == "left" else layout.high
        yield Stroke((x, x), (layout.axis_y, label.y), one.style.colour, width)
        yield Stroke((x, _at(layout, end)), (label.y, label.y), one.style.colour, width)


def _bars(diagram: Diagram, layout: Layout, width: float) -> Iterator[Stroke]:
    """Yield the bars of groups, thin beside a method that is not of the group; a group of one is a dot."""
    for y, group in layout.lanes:
        ranks = [(place, diagram.ranks[place]) for place in group]
        for (before, low), (after, high) in itertools.pairwise(ranks):
            yield _flat(layout, (low, high), y, width if after == before + 1 else 1.0)
        for _, rank in ranks:
            x = _at(layout, rank)
            yield Stroke((x - width / 2, x + width / 2), (y, y), INK, width)


def _difference(diagram: Diagram, layout: Layout) -> Iterator[Stroke]:
    """Yield the bar of the critical difference, or, with a control, its reach around that."""
    if diagram.cd is None:
        return
    if diagram.control is not None:
        rank = diagram.methods[diagram.control].rank
        ends = max(rank - diagram.cd, layout.low), min(rank + diagram.cd, layout.high)
        yield _flat(layout, ends, layout.axis_y + 11.7, BAR)
        return
    yield _flat(layout, (layout.low, layout.low + diagram.cd), layout.bar_y, 2)
    for rank in (layout.low, layout.low + diagram.cd):
        yield Stroke((_at(layout, rank),) * 2, (layout.bar_y - 4, layout.bar_y + 4), INK, 2)


def _texts(diagram: Diagram, layout: Layout) -> Iterator[Letters]:
    above = layout.axis_y - 7 - layout.font * 0.6
    for rank, text in layout.ticks:
        yield Letters(_at(layout, rank), above, text, "middle")
    yield Letters(_at(layout, layout.low) - 2 * GAP, layout.axis_y, ENDS["left"], "end")
    yield Letters(_at(layout, layout.high) + 2 * GAP, layout.axis_y, ENDS["right"])
    if diagram.cd is not None and diagram.control is None:
        yield Letters(_at(layout, layout.low), layout.bar_y - 5 - layout.font * 0.6, f"CD = {diagram.cd:.2f}")
    elif diagram.cd is not None and diagram.control is not None:
        x = _at(layout, diagram.methods[diagram.control].rank)
        yield Letters(x, layout.bar_y + 3 - layout.font * 0.6, f"± CD = {diagram.cd:.2f}", "middle")
    for row, line in enumerate(layout.note):
        yield Letters(GAP, layout.note_y + (row + 0.6) * 1.5 * layout.font, line)


def _labels(diagram: Diagram, layout: Layout) -> Iterator[Letters]:
    for label, one in zip(layout.labels, diagram.methods, strict=True):
        yield _label(layout, label, one)


def _label(layout: Layout, label: Label, one: DiagramMethod) -> Letters:
    if label.side == "left":
        x, text = _at(layout, layout.low) - GAP, f"{label.text}  {label.rank_text}"
        return Letters(x, label.y, text, "end", one.mark)
    return Letters(
        _at(layout, layout.high) + GAP, label.y, f"{label.rank_text}  {label.text}", "start", one.mark
    )


def svg_text(still: Still, *, alt: str) -> str:
    """Return the drawing as an `svg` element to be put into a page, or to be a file; alt: what it shows, in
    words. It is as wide as there is room, and its background is white."""
    box = f"0 0 {still.width:g} {still.height:.2f}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{still.width:g}" '
        f'height="{still.height:.2f}" style="max-width: 100%; background: #ffffff" role="img" '
        f'font-family="Inter, Helvetica, Arial, sans-serif" font-size="{still.font:g}" fill="{BLACK}">',
        f"<title>{_xml(alt)}</title>",
    ]
    lines += map(_svg_stroke, still.strokes)
    lines += map(_svg_mark, still.marks)
    lines += map(_svg_letters, still.letters)
    return "\n".join([*lines, "</svg>", ""])


def _svg_stroke(one: Stroke) -> str:
    (x1, x2), (y1, y2) = one.x, one.y
    return (
        f'<line x1="{x1:.2f}" y1="{y1:.2f}" x2="{x2:.2f}" y2="{y2:.2f}" stroke="{one.colour}" '
        f'stroke-width="{one.width:g}"/>'
    )


def _svg_mark(one: Mark) -> str:
    half = one.size / 2
    if one.symbol not in SHAPES:
        return f'<circle cx="{one.x:.2f}" cy="{one.y:.2f}" r="{half:.2f}" fill="{one.colour}"/>'
    points = " ".join(f"{one.x + half * x:.2f},{one.y + half * y:.2f}" for x, y in SHAPES[one.symbol])
    return f'<polygon points="{points}" fill="{one.colour}"/>'


def _svg_letters(one: Letters) -> str:
    style = {"control": ' font-weight="bold"', "different": ' font-style="italic"'}.get(one.weight, "")
    place = f'x="{one.x:.2f}" y="{one.y:.2f}" dy="0.36em" text-anchor="{one.anchor}"'
    return f'<text {place}{style} xml:space="preserve">{_xml(one.text)}</text>'


def _xml(text: str) -> str:
    """Return a text so that SVG and HTML show exactly its characters, in ASCII."""
    return escape(text).encode("ascii", "xmlcharrefreplace").decode()


def latex_picture(still: Still) -> str:
    """Return the drawing as a `picture` environment, which needs no package; it is black."""
    lines = [rf"\begingroup\setlength{{\unitlength}}{{{POINTS}pt}}\fontsize{{9}}{{11}}\selectfont"]
    lines.append(rf"\begin{{picture}}({still.width:.2f},{still.height:.2f})")
    lines += [_rule(one, still.height) for one in still.strokes]
    lines += [
        rf"\put({one.x:.2f},{still.height - one.y:.2f}){{\circle*{{{one.size * 0.8:.2f}}}}}"
        for one in still.marks
    ]
    lines += [_latex_letters(one, still.height) for one in still.letters]
    return "\n".join([*lines, r"\end{picture}\endgroup", ""])


def _rule(one: Stroke, height: float) -> str:
    """Return a line, which is level or upright, as a black box of its width."""
    thick = one.width * 0.6
    (left, right), (high, low) = sorted(one.x), sorted(one.y)
    if low - high > right - left:
        left, right = left - thick / 2, left + thick / 2
    else:
        high, low = high - thick / 2, high + thick / 2
    size = rf"\rule{{{(right - left) * POINTS:.2f}pt}}{{{(low - high) * POINTS:.2f}pt}}"
    return rf"\put({left:.2f},{height - low:.2f}){{{size}}}"


def _latex_letters(one: Letters, height: float) -> str:
    shown = latex_escape(one.text.replace("←", "<-")).replace("  ", r"\quad ")
    shown = shown.replace(latex_escape("<-"), r"$\leftarrow$")
    style = {"control": r"\bfseries ", "different": r"\itshape "}.get(one.weight, "")
    place = ANCHORS[one.anchor]
    align = f"[{place}]" if place else ""
    return rf"\put({one.x:.2f},{height - one.y:.2f}){{\makebox(0,0){align}{{{style}{shown}}}}}"
