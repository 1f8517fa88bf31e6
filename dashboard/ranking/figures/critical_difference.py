"""Critical-difference diagram: methods on an axis of mean ranks, and bars over those not told apart."""

import itertools
import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import plotly.graph_objects as go

from dashboard.frame import theme, words
from dashboard.ranking.figures.critical_difference_layout import (
    ENDS,
    GAP,
    MANY,
    NARROWEST,
    Label,
    Layout,
    arrange,
)
from dashboard.ranking.figures.rows import Trace

__all__ = ["Diagram", "DiagramMethod", "critical_difference_figure", "layout_of"]

INK = "#69747F"
BAR, THIN = 5, 1.5
SLIM = 0.7
"""Lines and marks of diagrams with many methods, as a share of others."""
FAINT = "rgba(47,148,204,0.16)"
Points = tuple[list[float | None], list[float | None]]
"""Places x and y on lines, None between two lines."""


Mark = Literal["", "control", "different"]


class DiagramMethod(NamedTuple):
    """A method at its mean rank. p: against another, not a number for that itself; mark: of its label."""

    method: str
    rank: float
    p: float
    mark: Mark
    style: theme.MethodStyle


class Diagram(NamedTuple):
    """All that the diagram draws.

    methods: best rank first; groups: places of methods that are not told apart; cd: the critical difference,
    None where the test has none; control: place of the control, around which cd then lies, or None;
    against: which method p-values are against; note: said below.
    """

    methods: tuple[DiagramMethod, ...]
    groups: tuple[tuple[int, ...], ...]
    cd: float | None
    control: int | None
    against: str
    note: str

    @property
    def ranks(self) -> list[float]:
        """The mean ranks."""
        return [one.rank for one in self.methods]

    def hover(self, one: DiagramMethod) -> str:
        """Return what the mouse shows of a method."""
        text = f"{words.plot_text(one.method)}: mean rank {one.rank:.2f} of {len(self.methods)}"
        if math.isnan(one.p):
            return text
        return (
            f"{text}<br>against {words.plot_text(self.against)}: {words.p_value(one.p).replace('<', '&lt;')}"
        )


def layout_of(
    diagram: Diagram, *, width: float | None = None, room: float = NARROWEST, font: float = 13
) -> Layout:
    """Return where everything lies in a diagram, see `critical_difference_figure`."""
    return arrange(
        [one.method for one in diagram.methods],
        diagram.ranks,
        diagram.groups,
        cd=diagram.cd,
        control=diagram.control,
        note=diagram.note,
        width=width,
        room=room,
        font=font,
    )


def critical_difference_figure(
    diagram: Diagram, *, width: float | None = None, room: float = NARROWEST, font: float = 13
) -> go.Figure:
    """Draw each method at its mean rank, with a label at a side, and a bar over each group.

    width: in pixels, None: as wide as there is room, at least `room`; font: size in pixels.
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
    )
    figure.update_xaxes(range=[layout.low, layout.high], visible=False)
    figure.update_yaxes(range=[layout.height, 0], visible=False)
    lines = [_axis(layout), *_elbows(diagram, layout), *_bars(diagram, layout), _marks(diagram, layout)]
    lines += [trace for side in ("left", "right") for trace in _labels(diagram, layout, side)]
    figure.add_traces([*_difference(diagram, layout), *lines])
    figure.update_layout(annotations=_texts(diagram, layout), shapes=_band(diagram, layout))
    return figure


def _line(
    x: Sequence[float | None], y: Sequence[float | None], *, colour: str, width: float, **more: Any
) -> Trace:
    return {
        "type": "scatter",
        "x": x,
        "y": y,
        "mode": "lines",
        "line": {"color": colour, "width": width},
        "hoverinfo": "skip",
        "cliponaxis": False,
        **more,
    }


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
    found: dict[str, Points] = {}
    for label, one in zip(layout.labels, diagram.methods, strict=True):
        x, y = found.setdefault(one.style.colour, ([], []))
        end = layout.low if label.side == "left" else layout.high
        x += [label.rank, label.rank, end, None]
        y += [layout.axis_y, label.y, label.y, None]
    width = THIN * _slim(layout)
    return [_line(x, y, colour=colour, width=width) for colour, (x, y) in found.items()]


def _bars(diagram: Diagram, layout: Layout) -> list[Trace]:
    """The bars of groups; where a method in between belongs to no such group, the bar is only a thin line."""
    thick: Points = ([], [])
    thin: Points = ([], [])
    dots: list[tuple[float, float, str]] = []
    ranks = diagram.ranks
    for y, group in layout.lanes:
        text = "not told apart: " + ", ".join(
            words.plot_text(diagram.methods[place].method, longest=24) for place in group
        )
        for before, after in itertools.pairwise(group):
            x, ys = thick if after == before + 1 else thin
            x += [ranks[before], ranks[after], None]
            ys += [y, y, None]
        dots += [(ranks[place], y, _broken(text)) for place in group]
    bar = BAR * _slim(layout)
    drawn = [_line(*thick, colour=INK, width=bar), _line(*thin, colour=INK, width=1, name="gap")]
    drawn[1]["line"]["dash"] = "dot"
    marker = {"color": INK, "size": bar + 1, "symbol": "circle"}
    ends = {"mode": "markers", "marker": marker, "hovertext": [dot[2] for dot in dots], "hoverinfo": "text"}
    line = _line([dot[0] for dot in dots], [dot[1] for dot in dots], colour=INK, width=0)
    drawn.append(line | ends)
    return [trace for trace in drawn if trace["x"]]


def _broken(text: str, most: int = 70) -> str:
    """Break a long hover text between names."""
    lines, names = [""], text.split(", ")
    for name in names:
        if len(lines[-1]) + len(name) > most:
            lines.append("")
        lines[-1] += f"{name}, "
    return "<br>".join(lines).removesuffix(", ")


def _marks(diagram: Diagram, layout: Layout) -> Trace:
    return {
        "type": "scatter",
        "x": diagram.ranks,
        "y": [layout.axis_y] * len(diagram.methods),
        "mode": "markers",
        "marker": {
            "color": [one.style.colour for one in diagram.methods],
            "symbol": [one.style.symbol for one in diagram.methods],
            "size": 0.7 * layout.font * _slim(layout),
        },
        "hovertext": [diagram.hover(one) for one in diagram.methods],
        "hoverinfo": "text",
        "cliponaxis": False,
    }


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
    reach = _reach(diagram, layout)
    if reach is None:
        return []
    return [
        {
            "type": "rect",
            "x0": reach[0],
            "x1": reach[1],
            "y0": layout.axis_y - 6,
            "y1": layout.axis_y + 11.7,
            "fillcolor": FAINT,
            "line": {"width": 0},
            "layer": "below",
        }
    ]


def _texts(diagram: Diagram, layout: Layout) -> list[dict[str, Any]]:
    """Numbers of the axis, critical difference, what the axis shows, and the note."""
    font = layout.font
    found = [_text(rank, layout.axis_y - 7, text, font, yanchor="bottom") for rank, text in layout.ticks]
    left: dict[str, Any] = {"xref": "paper", "xanchor": "right", "xshift": -2 * GAP}
    right: dict[str, Any] = {"xref": "paper", "xanchor": "left", "xshift": 2 * GAP}
    found.append(_text(0, layout.axis_y, ENDS["left"], font, **left))
    found.append(_text(1, layout.axis_y, ENDS["right"], font, **right))
    if diagram.cd is not None:
        found.append(_difference_text(diagram, layout, diagram.cd))
    for row, line in enumerate(layout.note):
        y = layout.note_y + row * 1.5 * font
        shift: dict[str, Any] = {"xref": "paper", "xanchor": "left", "xshift": GAP - layout.left}
        found.append(_text(0, y, words.plot_text(line, longest=400), font * 0.95, yanchor="top", **shift))
    return found


def _difference_text(diagram: Diagram, layout: Layout, cd: float) -> dict[str, Any]:
    """`CD = 1.37` above the bar, or above the control that it is drawn around."""
    text, font = f"CD = {cd:.2f}", layout.font
    if diagram.control is None:
        return _text(layout.low, layout.bar_y - 5, text, font, xanchor="left", yanchor="bottom")
    rank = diagram.methods[diagram.control].rank
    return _text(rank, layout.bar_y + 3, f"± {text}", font, xanchor="center", yanchor="bottom")


def _text(x: float, y: float, text: str, size: float, **more: Any) -> dict[str, Any]:
    return {"x": x, "y": y, "text": text, "showarrow": False, "font": {"size": size}, **more}


def _labels(diagram: Diagram, layout: Layout, side: str) -> list[Trace]:
    """Return the labels of one side as a trace, for many annotations take long to draw."""
    at_left = side == "left"
    rows = zip(layout.labels, diagram.methods, strict=True)
    shown = [(label, one) for label, one in rows if label.side == side]
    if not shown:
        return []
    return [
        {
            "type": "scatter",
            "x": [layout.low if at_left else layout.high] * len(shown),
            "y": [label.y for label, _ in shown],
            "mode": "text",
            "text": [_label_text(label, one.mark) for label, one in shown],
            "textposition": "middle left" if at_left else "middle right",
            "textfont": {"size": layout.font},
            "hovertext": [diagram.hover(one) for _, one in shown],
            "hoverinfo": "text",
            "cliponaxis": False,
        }
    ]


def _label_text(label: Label, mark: str) -> str:
    name = words.plot_text(label.text)
    name = {"control": f"<b>{name}</b>", "different": f"<i>{name}</i>"}.get(mark, name)
    return f"{name}  {label.rank_text} " if label.side == "left" else f" {label.rank_text}  {name}"
