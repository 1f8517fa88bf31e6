"""Critical-difference diagram: methods on an axis of mean ranks, bars over groups without a difference."""

import itertools
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from delvecore.plots import theme, words
from delvecore.plots.ranking.critical_difference_layout import (
    ENDS,
    GAP,
    MANY,
    NARROWEST,
    Diagram,
    DiagramMethod,
    Label,
    Layout,
    layout_of,
)
from delvecore.plots.theme import Trace
from delvecore.report.verdict_words import NO_DIFFERENCE

__all__ = ["critical_difference_figure"]

INK = "#69747F"
BAR, THIN = 5, 1.5
SLIM = 0.7
"""Lines and marks of diagrams with many methods, as a share of others."""
FAINT = "rgba(47,148,204,0.16)"
TICK = 17
"""Least pixels of a number of the axis."""
Points = tuple[list[float | None], list[float | None]]
"""Places x and y on lines, None between two lines."""


def critical_difference_figure(
    diagram: Diagram, *, width: float | None = None, room: float = NARROWEST, font: float = 13
) -> go.Figure:
    """Draw each method at its mean rank, with a label at a side, and a bar over each group.

    width: in pixels, None: as wide as there is room, at least `room`; font: size in pixels."""
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
    )
    figure.update_xaxes(range=[layout.low, layout.high], visible=False)
    figure.update_yaxes(range=[layout.height, 0], visible=False)
    lines = [_axis(layout), *_elbows(diagram, layout), *_bars(diagram, layout), _marks(diagram, layout)]
    lines += [trace for side in ("left", "right") for trace in _labels(diagram, layout, side)]
    figure.add_traces([*_difference(diagram, layout), *lines])
    figure.update_layout(annotations=_texts(diagram, layout), shapes=_band(diagram, layout))
    if width is None:
        theme.needs_width(figure, max(room, layout.left + layout.right + TICK * len(layout.ticks)))
    return figure


def _line(x: Sequence[float | None], y: Sequence[float | None], *, colour: str, width: float) -> Trace:
    return theme.trace("lines", x, y, line={"color": colour, "width": width}, cliponaxis=False)


def _slim(layout: Layout) -> float:
    return SLIM if len(layout.labels) > MANY else 1.0


def _axis(layout: Layout) -> Trace:
    x: list[float | None] = [layout.low, layout.high, None]
    y: list[float | None] = [layout.axis_y, layout.axis_y, None]
    for rank, _ in layout.ticks:
        x += [rank, rank, None]
        y += [layout.axis_y, layout.axis_y - 6, None]
    return _line(x, y, colour=INK, width=THIN)


def _elbows(diagram: Diagram, layout: Layout) -> list[Trace]:
    """A line from each method's place on the axis down and out to its label; one trace a colour."""
    found: dict[str, tuple[list[float | None], list[float | None], list[str]]] = {}
    for label, one in zip(layout.labels, diagram.methods, strict=True):
        x, y, names = found.setdefault(one.style.colour, ([], [], []))
        end = layout.low if label.side == "left" else layout.high
        x += [label.rank, label.rank, end, None]
        y += [layout.axis_y, label.y, label.y, None]
        names += [one.method] * 4
    width = THIN * _slim(layout)
    return [
        _line(x, y, colour=colour, width=width) | {"ids": names} for colour, (x, y, names) in found.items()
    ]


def _bars(diagram: Diagram, layout: Layout) -> list[Trace]:
    """The bars of groups; where a method in between belongs to no such group, the bar is only a thin line."""
    thick: Points = ([], [])
    thin: Points = ([], [])
    dots: list[tuple[float, float, str]] = []
    ranks = diagram.ranks
    for y, group in layout.lanes:
        names = [words.plot_text(diagram.methods[place].method, longest=24) for place in group]
        for before, after in itertools.pairwise(group):
            x, ys = thick if after == before + 1 else thin
            x += [ranks[before], ranks[after], None]
            ys += [y, y, None]
        dots += [(ranks[place], y, _broken(f"{NO_DIFFERENCE}: " + ", ".join(names))) for place in group]
    bar = BAR * _slim(layout)
    dotted = _line(*thin, colour=INK, width=1) | {"name": "gap"}
    dotted["line"]["dash"] = "dot"
    places, levels, said = ([dot[part] for dot in dots] for part in range(3))
    more = {"line": {"color": INK, "width": 0}, "marker": {"color": INK, "size": bar + 1, "symbol": "circle"}}
    ends = theme.trace("markers", places, levels, hover=said, cliponaxis=False, **more)
    return [trace for trace in (_line(*thick, colour=INK, width=bar), dotted, ends) if trace["x"]]


def _broken(text: str, most: int = 70) -> str:
    """Break a long hover text between names."""
    lines = [""]
    for name in text.split(", "):
        if len(lines[-1]) + len(name) > most:
            lines.append("")
        lines[-1] += f"{name}, "
    return "<br>".join(lines).removesuffix(", ")


def _marks(diagram: Diagram, layout: Layout) -> Trace:
    styles = [one.style for one in diagram.methods]
    looks = {"color": [style.colour for style in styles], "symbol": [style.symbol for style in styles]}
    marker = {**looks, "size": 0.7 * layout.font * _slim(layout)}
    said = [diagram.hover(one) for one in diagram.methods]
    y = [layout.axis_y] * len(styles)
    names = [one.method for one in diagram.methods]
    return theme.trace("markers", diagram.ranks, y, hover=said, marker=marker, ids=names, cliponaxis=False)


def _reach(diagram: Diagram, layout: Layout) -> tuple[float, float] | None:
    """The ranks that are within the critical difference of the control, where both are."""
    if diagram.cd is None or diagram.control is None:
        return None
    rank = diagram.methods[diagram.control].rank
    return max(rank - diagram.cd, layout.low), min(rank + diagram.cd, layout.high)


def _difference(diagram: Diagram, layout: Layout) -> list[Trace]:
    """The bar of the critical difference above the axis, or, with a control, the reach around that."""
    if diagram.cd is None:
        return []
    if reach := _reach(diagram, layout):
        return [_line(reach, [layout.axis_y + 11.7] * 2, colour=INK, width=BAR)]
    low, high, y = layout.low, layout.low + diagram.cd, layout.bar_y
    x = [low, low, None, low, high, None, high, high]
    return [_line(x, [y - 4, y + 4, None, y, y, None, y - 4, y + 4], colour=INK, width=2)]


def _band(diagram: Diagram, layout: Layout) -> list[dict[str, Any]]:
    """Where a control is, the ranks that are within the critical difference of it, shaded."""
    if not (reach := _reach(diagram, layout)):
        return []
    place = {"x0": reach[0], "x1": reach[1], "y0": layout.axis_y - 6, "y1": layout.axis_y + 11.7}
    return [{"type": "rect", **place, "fillcolor": FAINT, "line": {"width": 0}, "layer": "below"}]


def _texts(diagram: Diagram, layout: Layout) -> list[dict[str, Any]]:
    """Numbers of the axis, critical difference, what the axis shows, and the note."""
    font = layout.font
    found = [_text(rank, layout.axis_y - 7, text, font, yanchor="bottom") for rank, text in layout.ticks]
    for x, side, anchor, gap in ((0, "left", "right", -2 * GAP), (1, "right", "left", 2 * GAP)):
        found.append(_text(x, layout.axis_y, ENDS[side], font, xref="paper", xanchor=anchor, xshift=gap))
    # Above the bar of the critical difference, or above the control that it is drawn around.
    if diagram.cd is not None and diagram.control is None:
        bar = {"xanchor": "left", "yanchor": "bottom"}
        found.append(_text(layout.low, layout.bar_y - 5, f"CD = {diagram.cd:.2f}", font, **bar))
    elif diagram.cd is not None and diagram.control is not None:
        rank, place = diagram.methods[diagram.control].rank, {"xanchor": "center", "yanchor": "bottom"}
        found.append(_text(rank, layout.bar_y + 3, f"± CD = {diagram.cd:.2f}", font, **place))
    for row, line in enumerate(layout.note):
        y = layout.note_y + row * 1.5 * font
        shift: dict[str, Any] = {"xref": "paper", "xanchor": "left", "xshift": GAP - layout.left}
        found.append(_text(0, y, words.plot_text(line, longest=400), font * 0.95, yanchor="top", **shift))
    return found


def _text(x: float, y: float, text: str, size: float, **more: Any) -> dict[str, Any]:
    return {"x": x, "y": y, "text": text, "showarrow": False, "font": {"size": size}, **more}


def _labels(diagram: Diagram, layout: Layout, side: str) -> list[Trace]:
    """Return the labels of one side as a trace, for many annotations take long to draw."""
    at_left = side == "left"
    rows = zip(layout.labels, diagram.methods, strict=True)
    shown = [(label, one) for label, one in rows if label.side == side]
    if not shown:
        return []
    x, y = [layout.low if at_left else layout.high] * len(shown), [label.y for label, _ in shown]
    more = {"textposition": f"middle {side}", "textfont": {"size": layout.font}, "cliponaxis": False}
    texts, said = [_label_text(*row) for row in shown], [diagram.hover(one) for _, one in shown]
    names = [one.method for _, one in shown]
    return [theme.trace("text", x, y, text=texts, hover=said, ids=names, **more)]


def _label_text(label: Label, one: DiagramMethod) -> str:
    name = words.plot_text(label.text)
    name = {"control": f"<b>{name}</b>", "different": f"<i>{name}</i>"}.get(one.mark, name)
    return f"{name}  {label.rank_text} " if label.side == "left" else f" {label.rank_text}  {name}"
