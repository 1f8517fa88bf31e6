"""Critical-difference diagram: methods on an axis of mean ranks, bars over groups without a difference.

Labels follow the order of ranks, so that lines to labels do not cross. `layout_of` computes all positions.
Plotly, SVG and LaTeX draw the same diagram; the latter two need no browser.

Source of the diagram: J. Demšar, Statistical comparisons of classifiers over multiple data sets, Journal of
Machine Learning Research 7 (2006)."""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Literal, NamedTuple

from delvecore.plots import theme
from delvecore.plots.figure import Figure, Trace
from delvecore.plots.theme import BOLD, shortened, text_width
from delvecore.render.latex import latex_escape
from delvecore.render.numbers import coordinate, difference_of_ranks, integer, parameter, rank_text
from delvecore.report import words
from delvecore.report.verdict_words import NO_DIFFERENCE

NARROWEST = 340
"""Minimum width in pixels of a figure without a fixed width."""
WIDTH, NARROW = 720.0, 460.0
"""Width in pixels of a drawing made without a browser: for a page, and for a column of a paper."""
SHARE_OF_LABELS = 0.37
LINE = 1.5
"""Height of a line of text, in font sizes."""
GAP = 4
LANE = 9
MOST_LANES = 24
MANY = 20
"""Maximum number of methods with normal lines, marks and lanes; more methods have thinner ones."""
ENDS = {"left": "← better", "right": "mean rank"}
"""Labels at the ends of the axis."""
MOST_LETTERS = 70
"""Maximum characters of a hover line."""
WHOLE_AXIS = 12
"""Maximum number of methods for an axis with all possible ranks."""
INK, BLACK, FAINT = "#69747F", "#1b232b", "rgba(47,148,204,0.16)"
BAR, THIN, SLIM = 5.0, 1.5, 0.7
"""Widths of bars and lines, and the factor for diagrams with many methods."""
MARK = 0.7
"""Width of a method's mark, in font sizes."""
REACH = 11.7
"""Distance in pixels from the axis down to the bar for the critical difference around a control."""
TICK = 17
"""Minimum width in pixels of a number on the axis."""
POINTS = 0.75
"""LaTeX points per pixel."""

Mark = Literal["", "control", "different"]
Anchor = Literal["start", "middle", "end"]
Level = Literal["middle", "bottom"]
SIDES: tuple[tuple[str, Anchor], ...] = (("left", "end"), ("right", "start"))
"""Sides of labels, and the anchors of their texts."""
Kind = Literal["difference", "axis", "elbow", "bar", "gap", "dot"]


class Diagram(NamedTuple):
    """Content of the diagram.

    Attributes
    ----------
    methods : tuple of str
        Names, best rank first.
    ranks : tuple of float
        Their mean ranks.
    p : tuple of float
        p of each method against the reference method, NaN for that method.
    marks : tuple of Mark
        Marks of their labels.
    groups : tuple of tuple of int
        Places of methods that do not differ significantly.
    cd : float or None
        The critical difference, None if the test has none.
    control : int or None
        Place of the control, the center of cd, or None.
    against : str
        Reference method of p-values.
    note : str
        Text for a caption, not drawn.
    total : int or None
        Number of ranked methods, None if all are shown.
    """

    methods: tuple[str, ...]
    ranks: tuple[float, ...]
    p: tuple[float, ...]
    marks: tuple[Mark, ...]
    styles: tuple[theme.MethodStyle, ...]
    groups: tuple[tuple[int, ...], ...]
    cd: float | None
    control: int | None
    against: str
    note: str
    total: int | None = None

    @property
    def hovers(self) -> list[str]:
        """The hover texts of the methods."""
        texts = []
        for method, rank, p in zip(self.methods, self.ranks, self.p, strict=True):
            text = (
                f"{words.plot_text(method)}: mean rank {rank_text(rank)} of {self.total or len(self.methods)}"
            )
            if not math.isnan(p):
                shown = words.p_value(p).replace("<", "&lt;")
                text += f"<br>against {words.plot_text(self.against)}: {shown}"
            texts.append(text)
        return texts


class Stroke(NamedTuple):
    """A line through places: x are ranks or, in SVG and LaTeX, pixels; y are pixels from the upper edge.

    A dot is a line as wide as it is long.

    Attributes
    ----------
    hover : str
        Text on hover, or the method of the line.
    """

    kind: Kind
    x: tuple[float, ...]
    y: tuple[float, ...]
    color: str
    width: float
    hover: str = ""


class Text(NamedTuple):
    """A text on a line, at a rank or, in SVG and LaTeX, a pixel.

    Attributes
    ----------
    shift : float
        Pixels to the right of x.
    level : Level
        Part of the letters that is at y.
    mark : Mark
        Mark of the method whose label it is.
    """

    x: float
    y: float
    text: str
    anchor: Anchor = "start"
    level: Level = "middle"
    shift: float = 0.0
    mark: Mark = ""


@dataclass(frozen=True, slots=True)
class Layout:
    """All places, in pixels from the upper edge.

    Attributes
    ----------
    low, high : float
        Ends of the axis, as ranks.
    left, right : float
        Margins, which hold the labels.
    ticks : tuple[tuple[float, str], ...]
        Pairs (rank, text).
    lanes : tuple[tuple[float, tuple of int], ...]
        Pairs (y, members) of each group's bar.
    labels : tuple of Text
        Name of each method, shortened if necessary; a name on the left has its end at its position.
    """

    height: float
    left: float
    right: float
    font: float
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    bar_y: float
    axis_y: float
    lanes: tuple[tuple[float, tuple[int, ...]], ...]
    labels: tuple[Text, ...]

    def place(self, rank: float, width: float) -> float:
        """Return the distance of a rank from the left edge of a figure of this width, in pixels."""
        room = width - self.left - self.right
        return self.left + room * (rank - self.low) / (self.high - self.low)

    @property
    def slim(self) -> float:
        """Factor for widths, below 1 for many methods."""
        return SLIM if len(self.labels) > MANY else 1.0


def layout_of(
    diagram: Diagram, *, width: float | None = None, room: float = NARROWEST, font: float = 13
) -> Layout:
    """Return the places of all parts. width: in pixels, None for the available width, at least `room`."""
    cd, ranks, band, room = diagram.cd, diagram.ranks, diagram.control is not None, width or room
    low, high = _axis_ends(ranks, None if band else cd)
    line, lane = LINE * font, LANE * (1.0 if len(ranks) <= MANY else 0.75)
    bar_y = line + 2 * GAP if cd is not None else 0
    axis_y = bar_y + line + 2 * GAP + 6
    numbered = lanes_of(diagram.groups, ranks)
    lanes = tuple((axis_y + lane * (number + 1.3), group) for number, group in numbered)
    lowest = max([axis_y + LANE * (1.3 if band else 0), *(y for y, _ in lanes)])
    labels, left, right = _placed_labels(
        diagram, (low, high), first_row=lowest + LANE + line / 2, font=font, room=room
    )
    return Layout(
        height=max(label.y for label in labels) + line / 2 + 2 * GAP,
        left=left,
        right=right,
        font=font,
        low=low,
        high=high,
        ticks=whole_ticks(low, high, room - left - right, font),
        bar_y=bar_y,
        axis_y=axis_y,
        lanes=lanes,
        labels=labels,
    )


def _axis_ends(ranks: Sequence[float], cd: float | None) -> tuple[float, float]:
    """Return the ends of the axis: all possible ranks, or the actual range for many methods."""
    few = len(ranks) <= WHOLE_AXIS
    low = 1.0 if few else float(math.floor(min(ranks)))
    high = float(max(math.ceil(max(ranks)), len(ranks) if few else 1))
    # The bar of the critical difference is drawn from the low end and must end within the axis.
    return low, max(high, low + 1, math.ceil(low + cd) if cd is not None else low)


def whole_ticks(low: float, high: float, room: float, font: float) -> tuple[tuple[float, str], ...]:
    """Return whole ranks with texts, as many as fit."""
    ranks: list[int] = []
    for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000):
        ranks = [rank for rank in range(int(low), int(high) + 1) if rank % step == 0 or rank == low]
        if len(ranks) > 2 and step > 1 and ranks[1] - ranks[0] < step * 0.75:
            del ranks[0]
        widest = text_width(integer(ranks[-1]), font) + 2 * GAP
        gaps = [after - before for before, after in itertools.pairwise(ranks)]
        if not gaps or min(gaps) / (high - low) * room >= widest:
            break
    return tuple((float(rank), integer(rank)) for rank in ranks)


def lanes_of(groups: Sequence[Sequence[int]], ranks: Sequence[float]) -> list[tuple[int, tuple[int, ...]]]:
    """Return (lane, group) for bars that do not touch within a lane.

    MOST_LANES lanes hold the largest groups.
    """
    reach = 0.02 * (max(ranks) - min(ranks)) if len(ranks) else 0.0
    kept: list[tuple[int, tuple[int, ...]]] = []
    ends: list[list[tuple[float, float]]] = []
    by_size = sorted(groups, key=lambda group: (-len(group), min(group)))
    most = sorted(by_size[: 4 * MOST_LANES], key=lambda group: (min(group), -len(group)))
    for group in most:
        low, high = ranks[min(group)] - reach, ranks[max(group)] + reach
        lane = next((i for i, taken in enumerate(ends) if all(high < a or b < low for a, b in taken)), None)
        if lane is None:
            if len(ends) == MOST_LANES:
                continue
            lane = len(ends)
            ends.append([])
        ends[lane].append((low, high))
        kept.append((lane, tuple(sorted(group))))
    return kept


def _placed_labels(
    diagram: Diagram, ends: tuple[float, float], *, first_row: float, font: float, room: float
) -> tuple[tuple[Text, ...], float, float]:
    """Return the labels, and the margins that hold them at the left and at the right."""
    count = len(diagram.methods)
    split = (count + 1) // 2
    most = SHARE_OF_LABELS * room
    labels, widest = [], [text_width(text, font) + 4 * GAP for text in ENDS.values()]
    for place, (method, rank, mark) in enumerate(
        zip(diagram.methods, diagram.ranks, diagram.marks, strict=True)
    ):
        is_right = place >= split
        row = count - 1 - place if is_right else place
        size = font * BOLD if place == diagram.control else font
        rest = text_width(f"  {rank_text(rank)}", font) + 2.5 * GAP
        text = shortened(method, size, most - rest)
        widest[is_right] = max(widest[is_right], text_width(text, size) + rest)
        y, anchor = first_row + row * LINE * font, SIDES[is_right][1]
        labels.append(Text(ends[is_right], y, text, anchor, shift=GAP if is_right else -GAP, mark=mark))
    return tuple(labels), widest[0], widest[1]


def strokes_of(diagram: Diagram, layout: Layout) -> list[Stroke]:
    """Return all lines of a diagram, with ranks as their x."""
    y = layout.axis_y
    axis = Stroke("axis", (layout.low, layout.high), (y, y), INK, THIN)
    ticks = (axis._replace(x=(rank, rank), y=(y, y - 6)) for rank, _ in layout.ticks)
    # A line from each method's place on the axis goes down, then out to its label.
    rows = zip(layout.labels, diagram.methods, diagram.ranks, diagram.styles, strict=True)
    elbows = (
        Stroke("elbow", (rank, rank, label.x), (y, label.y, label.y), style.color, THIN * layout.slim, method)
        for label, method, rank, style in rows
    )
    bars = _bars(diagram, layout, BAR * layout.slim)
    return [*elbows, axis, *ticks, *bars, *_difference(diagram, layout)]


def _bars(diagram: Diagram, layout: Layout, width: float) -> Iterator[Stroke]:
    """Yield the bars of groups. A bar is only a thin line at methods outside the group."""
    ranks = diagram.ranks
    for y, group in layout.lanes:
        for before, after in itertools.pairwise(group):
            ends = (ranks[before], ranks[after]), (y, y)
            is_next = after == before + 1
            yield Stroke("bar", *ends, INK, width) if is_next else Stroke("gap", *ends, INK, 1.0)
        names = [words.plot_text(diagram.methods[place], longest=24) for place in group]
        hover = _broken(f"{NO_DIFFERENCE}: " + ", ".join(names))
        for place in group:
            yield Stroke("dot", (ranks[place],) * 2, (y, y), INK, width, hover)


def _broken(text: str) -> str:
    """Break a long hover text between names."""
    lines = [""]
    for name in text.split(", "):
        if len(lines[-1]) + len(name) > MOST_LETTERS:
            lines.append("")
        lines[-1] += f"{name}, "
    return "<br>".join(lines).removesuffix(", ")


def _reach(diagram: Diagram, layout: Layout) -> tuple[float, float] | None:
    """Return the ranks within the critical difference of the control, if both exist."""
    if diagram.cd is None or diagram.control is None:
        return None
    rank = diagram.ranks[diagram.control]
    return max(rank - diagram.cd, layout.low), min(rank + diagram.cd, layout.high)


def _difference(diagram: Diagram, layout: Layout) -> Iterator[Stroke]:
    """Yield the bar of the critical difference above the axis, or below it around a control."""
    if reach := _reach(diagram, layout):
        yield Stroke("difference", reach, (layout.axis_y + REACH,) * 2, INK, BAR)
    elif diagram.cd is not None:
        ends, y = (layout.low, layout.low + diagram.cd), layout.bar_y
        yield Stroke("difference", ends, (y, y), INK, 2)
        for end in ends:
            yield Stroke("difference", (end, end), (y - 4, y + 4), INK, 2)


def _texts(diagram: Diagram, layout: Layout) -> Iterator[Text]:
    """Yield the numbers and ends of the axis, and the critical difference."""
    for rank, text in layout.ticks:
        yield Text(rank, layout.axis_y - 7, text, "middle", "bottom")
    yield Text(layout.low, layout.axis_y, ENDS["left"], "end", shift=-2 * GAP)
    yield Text(layout.high, layout.axis_y, ENDS["right"], shift=2 * GAP)
    if diagram.cd is not None and diagram.control is None:
        yield Text(layout.low, layout.bar_y - 5, f"CD = {difference_of_ranks(diagram.cd)}", level="bottom")
    elif diagram.cd is not None and diagram.control is not None:
        rank = diagram.ranks[diagram.control]
        yield Text(rank, layout.bar_y + 3, f"± CD = {difference_of_ranks(diagram.cd)}", "middle", "bottom")


def critical_difference_figure(
    diagram: Diagram, *, width: float | None = None, room: float = NARROWEST, font: float = 13
) -> Figure:
    """Critical-difference diagram: methods at their mean ranks, bars over groups without a difference.

    Parameters
    ----------
    diagram : Diagram
        Methods, groups, and the critical difference, if the test has one.
    width : float, optional
        Width in pixels; None: the available width.
    room : float
        Minimum width in pixels if there is no fixed width.
    font : float
        Size of letters in pixels.

    Returns
    -------
    Figure
        A label at a side for each method; with fewer than two methods a text.

    References
    ----------
    Demšar (2006), JMLR 7.

    Examples
    --------
    >>> style = theme.MethodStyle("#2A7EFF", "circle")
    >>> columns = ("a", "b"), (1.0, 2.0), (math.nan, 0.2), ("", ""), (style, style)
    >>> diagram = Diagram(*columns, groups=((0, 1),), cd=None, control=None, against="a", note="")
    >>> [trace.get("name") for trace in critical_difference_figure(diagram).data][:2]
    ['axis', 'elbow']
    """
    if len(diagram.methods) < 2:
        return theme.empty_figure("Two methods are needed for a diagram", height=160)
    layout = layout_of(diagram, width=width, room=room, font=font)
    figure = theme.new_figure(height=round(layout.height))
    figure.update_layout(
        margin={"l": layout.left, "r": layout.right, "t": 0, "b": 0, "autoexpand": False},
        font={"size": font},
        width=width,
        showlegend=False,
        hovermode="closest",
        annotations=[_annotation(one, layout) for one in _texts(diagram, layout)],
        shapes=_band(diagram, layout),
    )
    figure.update_xaxes(range=[layout.low, layout.high], visible=False)
    figure.update_yaxes(range=[layout.height, 0], visible=False)
    lines = _lines(strokes_of(diagram, layout))
    figure.add_traces([*lines, _symbols(diagram, layout), *_labels(diagram, layout)])
    if width is None:
        theme.needs_width(figure, max(room, layout.left + layout.right + TICK * len(layout.ticks)))
    return figure


def _lines(strokes: Sequence[Stroke]) -> Iterator[Trace]:
    """Yield one trace for all strokes of a kind and color; None separates lines."""
    kinds: tuple[Kind, ...] = ("difference", "axis", "elbow", "bar", "gap")
    for kind in kinds:
        by_color: dict[str, list[Stroke]] = {}
        for one in strokes:
            if one.kind == kind:
                by_color.setdefault(one.color, []).append(one)
        for color, some in by_color.items():
            x = [value for one in some for value in (*one.x, None)]
            y = [value for one in some for value in (*one.y, None)]
            line = {"color": color, "width": some[0].width} | ({"dash": "dot"} if kind == "gap" else {})
            more = {"ids": [one.hover for one in some for _ in (*one.x, None)]} if kind == "elbow" else {}
            yield theme.trace("lines", x, y, line=line, cliponaxis=False, name=kind, **more)
    if dots := [one for one in strokes if one.kind == "dot"]:
        x, y = [one.x[0] for one in dots], [one.y[0] for one in dots]
        marker = {"color": INK, "size": dots[0].width + 1, "symbol": "circle"}
        hover = [one.hover for one in dots]
        yield theme.trace("markers", x, y, hover=hover, marker=marker, cliponaxis=False)


def _symbols(diagram: Diagram, layout: Layout) -> Trace:
    colors, symbols = zip(*((style.color, style.symbol) for style in diagram.styles), strict=True)
    marker = {"color": [*colors], "symbol": [*symbols], "size": MARK * layout.font * layout.slim}
    more = {"marker": marker, "ids": [*diagram.methods], "cliponaxis": False}
    y = [layout.axis_y] * len(diagram.ranks)
    return theme.trace("markers", [*diagram.ranks], y, hover=diagram.hovers, **more)


def _band(diagram: Diagram, layout: Layout) -> list[dict[str, Any]]:
    """Shade the ranks within the critical difference of a control."""
    if not (reach := _reach(diagram, layout)):
        return []
    place = {"x0": reach[0], "x1": reach[1], "y0": layout.axis_y - 6, "y1": layout.axis_y + REACH}
    return [{"type": "rect", **place, "fillcolor": FAINT, "line": {"width": 0}, "layer": "below"}]


def _annotation(one: Text, layout: Layout) -> dict[str, Any]:
    """Return a text for Plotly; texts next to the axis are at its end."""
    place: dict[str, Any] = {"x": one.x}
    if one.shift:
        place = {"x": float(one.x > layout.low), "xref": "paper", "xshift": one.shift}
    return {
        **place,
        "y": one.y,
        "text": words.plot_text(one.text, longest=400),
        "showarrow": False,
        "font": {"size": layout.font},
        "xanchor": {"start": "left", "middle": "center", "end": "right"}[one.anchor],
        "yanchor": one.level,
    }


def _labels(diagram: Diagram, layout: Layout) -> Iterator[Trace]:
    """Yield the labels of each side as a trace, because many annotations are slow to draw."""
    rows = list(zip(layout.labels, diagram.methods, diagram.ranks, diagram.hovers, strict=True))
    for side, anchor in SIDES:
        shown = [row for row in rows if row[0].anchor == anchor]
        if not shown:
            continue
        labels, methods, ranks, hovers = zip(*shown, strict=True)
        x, y = [label.x for label in labels], [label.y for label in labels]
        more = {"textposition": f"middle {side}", "textfont": {"size": layout.font}, "cliponaxis": False}
        texts = list(map(_label_text, labels, ranks))
        yield theme.trace("text", x, y, text=texts, hover=[*hovers], ids=[*methods], **more)


def _label_text(label: Text, rank: float) -> str:
    name = words.plot_text(label.text)
    name = {"control": f"<b>{name}</b>", "different": f"<i>{name}</i>"}.get(label.mark, name)
    return f"{name}  {rank_text(rank)} " if label.anchor == "end" else f" {rank_text(rank)}  {name}"


def in_pixels(diagram: Diagram, layout: Layout, width: float) -> tuple[list[Stroke], list[Text]]:
    """Return all lines and texts of a drawing of this width in pixels, without a browser."""
    font, strokes = layout.font, []
    for stroke in strokes_of(diagram, layout):
        x = [layout.place(rank, width) for rank in stroke.x]
        if stroke.kind == "dot":
            x = [x[0] - stroke.width / 2, x[1] + stroke.width / 2]
        ends = zip(itertools.pairwise(x), itertools.pairwise(stroke.y), strict=True)
        strokes += [stroke._replace(x=line_x, y=line_y) for line_x, line_y in ends]
    labels = [
        one._replace(text=f"{one.text}  {rank}" if one.anchor == "end" else f"{rank}  {one.text}")
        for one, rank in zip(layout.labels, map(rank_text, diagram.ranks), strict=True)
    ]
    middle = {"bottom": -0.6 * font, "middle": 0.0}
    texts = [
        one._replace(x=layout.place(one.x, width) + one.shift, y=one.y + middle[one.level])
        for one in (*_texts(diagram, layout), *labels)
    ]
    return strokes, texts


_RAYS = [(turn * math.pi / 5, (1.2, 0.5)[turn % 2]) for turn in range(10)]
_STAR = [(math.sin(angle) * reach, -math.cos(angle) * reach) for angle, reach in _RAYS]
_PLUS = [(-0.35, -1.0), (0.35, -1.0), (0.35, -0.35), (1.0, -0.35), (1.0, 0.35), (0.35, 0.35)]
_PLUS += [(0.35, 1.0), (-0.35, 1.0), (-0.35, 0.35), (-1.0, 0.35), (-1.0, -0.35), (-0.35, -0.35)]
_HEXAGRAM = [
    (math.sin(turn * math.pi / 6) * reach, -math.cos(turn * math.pi / 6) * reach)
    for turn, reach in enumerate((1.2, 0.7) * 6)
]
_PENTAGON = [
    (math.sin(turn * math.pi * 0.4) * 1.1, -math.cos(turn * math.pi * 0.4) * 1.1) for turn in range(5)
]
_SHAPES = {
    "square": [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
    "diamond": [(0.0, -1.2), (1.2, 0.0), (0.0, 1.2), (-1.2, 0.0)],
    "triangle-up": [(0.0, -1.1), (1.1, 0.9), (-1.1, 0.9)],
    "triangle-down": [(0.0, 1.1), (1.1, -0.9), (-1.1, -0.9)],
    "cross": _PLUS,
    "x": [((x - y) * 0.5**0.5, (x + y) * 0.5**0.5) for x, y in _PLUS],
    "star": _STAR,
    "hexagram": _HEXAGRAM,
    "pentagon": _PENTAGON,
    "triangle-left": [(-1.1, 0.0), (0.9, -1.1), (0.9, 1.1)],
    "triangle-right": [(1.1, 0.0), (-0.9, -1.1), (-0.9, 1.1)],
}
"""Corners of marks of width 2, relative to their centers; a circle has none."""


def mark_corners(symbol: str) -> Sequence[tuple[float, float]]:
    """Return the corners of a mark of width 2 around its center; none for a circle."""
    return _SHAPES.get(symbol, ())


def svg_text(diagram: Diagram, *, alt: str, width: float = WIDTH) -> str:
    """Return the SVG of a diagram for a page or a separate file, in ASCII, on white. alt: its description."""
    layout = layout_of(diagram, width=width)
    strokes, texts = in_pixels(diagram, layout, width)
    box = f"0 0 {parameter(width)} {coordinate(layout.height)}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{parameter(width)}" '
        f'height="{coordinate(layout.height)}" style="max-width: 100%; background: #ffffff" role="img" '
        f'font-family="Inter, Helvetica, Arial, sans-serif" font-size="{parameter(layout.font)}" '
        f'fill="{BLACK}">',
        f"<title>{_xml(alt)}</title>",
    ]
    lines += map(_svg_line, strokes)
    size = MARK * layout.font * layout.slim
    for rank, style in zip(diagram.ranks, diagram.styles, strict=True):
        lines.append(_svg_mark(layout.place(rank, width), layout.axis_y, size / 2, style))
    lines += map(_svg_text, texts)
    return "\n".join([*lines, "</svg>", ""])


def _svg_line(one: Stroke) -> str:
    (x1, x2), (y1, y2) = one.x, one.y
    return (
        f'<line x1="{coordinate(x1)}" y1="{coordinate(y1)}" x2="{coordinate(x2)}" y2="{coordinate(y2)}" '
        f'stroke="{one.color}" '
        f'stroke-width="{parameter(one.width)}"/>'
    )


def _svg_mark(x: float, y: float, half: float, style: theme.MethodStyle) -> str:
    if not (corners := mark_corners(style.symbol)):
        place = f'cx="{coordinate(x)}" cy="{coordinate(y)}" r="{coordinate(half)}"'
        return f'<circle {place} fill="{style.color}"/>'
    points = " ".join(f"{coordinate(x + half * a)},{coordinate(y + half * b)}" for a, b in corners)
    return f'<polygon points="{points}" fill="{style.color}"/>'


def _svg_text(one: Text) -> str:
    style = {"control": ' font-weight="bold"', "different": ' font-style="italic"'}.get(one.mark, "")
    place = f'x="{coordinate(one.x)}" y="{coordinate(one.y)}" dy="0.36em" text-anchor="{one.anchor}"'
    return f'<text {place}{style} xml:space="preserve">{_xml(one.text)}</text>'


def _xml(text: str) -> str:
    """Escape a text in ASCII so that SVG and HTML show exactly its characters."""
    return escape(text).encode("ascii", "xmlcharrefreplace").decode()


def latex_picture(diagram: Diagram, *, width: float = NARROW) -> str:
    """Return the diagram as a black LaTeX `picture` in a separate group, which needs no package."""
    layout = layout_of(diagram, width=width)
    strokes, texts = in_pixels(diagram, layout, width)
    lines = [rf"\begingroup\setlength{{\unitlength}}{{{POINTS}pt}}\fontsize{{9}}{{11}}\selectfont"]
    lines.append(rf"\begin{{picture}}({coordinate(width)},{coordinate(layout.height)})")
    lines += [_rule(one, layout.height) for one in strokes]
    y, size = coordinate(layout.height - layout.axis_y), coordinate(MARK * layout.font * layout.slim * 0.8)
    lines += [
        rf"\put({coordinate(layout.place(rank, width))},{y}){{\circle*{{{size}}}}}" for rank in diagram.ranks
    ]
    lines += [_latex_text(one, layout.height) for one in texts]
    return "\n".join([*lines, r"\end{picture}\endgroup", ""])


def _rule(one: Stroke, height: float) -> str:
    """Return a horizontal or vertical line as a black box of its width."""
    thick = one.width * 0.6
    (left, right), (high, low) = sorted(one.x), sorted(one.y)
    if low - high > right - left:
        left, right = left - thick / 2, left + thick / 2
    else:
        high, low = high - thick / 2, high + thick / 2
    size = rf"\rule{{{coordinate((right - left) * POINTS)}pt}}{{{coordinate((low - high) * POINTS)}pt}}"
    return rf"\put({coordinate(left)},{coordinate(height - low)}){{{size}}}"


def _latex_text(one: Text, height: float) -> str:
    shown = latex_escape(one.text.replace("←", "<-")).replace("  ", r"\quad ")
    shown = shown.replace(latex_escape("<-"), r"$\leftarrow$")
    style = {"control": r"\bfseries ", "different": r"\itshape "}.get(one.mark, "")
    place = {"start": "l", "middle": "", "end": "r"}[one.anchor]
    align = f"[{place}]" if place else ""
    return (
        rf"\put({coordinate(one.x)},{coordinate(height - one.y)}){{\makebox(0,0){align}{{{style}{shown}}}}}"
    )
