"""Critical-difference diagram: methods on an axis of mean ranks, and bars over those not told apart."""

import itertools

import pandas as pd
import plotly.graph_objects as go

from dashboard.frame import theme, words
from dashboard.ranking.figures.critical_difference_layout import (
    ENDS,
    GAP,
    MANY,
    NARROWEST,
    Layout,
    arrange,
)

__all__ = ["critical_difference_figure", "layout_of"]

INK = "#69747F"
BAR, THIN = 5, 1.5
SLIM = 0.7
"""Lines and marks of diagrams with many methods, as a share of others."""
FAINT = "rgba(47,148,204,0.16)"


def layout_of(
    table: pd.DataFrame, *, width: float | None = None, room: float = NARROWEST, font: float = 13
) -> Layout:
    """Return where everything lies in the diagram of a table, see `critical_difference_figure`."""
    return arrange(
        table["method"].tolist(),
        table["rank"].tolist(),
        table.attrs["groups"],
        cd=table.attrs["cd"],
        control=table.attrs["control"],
        note=table.attrs["note"],
        width=width,
        room=room,
        font=font,
    )


def critical_difference_figure(
    table: pd.DataFrame, *, width: float | None = None, room: float = NARROWEST, font: float = 13
) -> go.Figure:
    """Draw each method at its mean rank, with a label at a side, and a bar over each group.

    table: columns method, rank, mark (`control`, `different` or empty), hover, colour, symbol; best rank
    first. attrs: groups (tuples of rows that are not told apart), cd (None where the test has none), control
    (row of the control, around which cd then lies, or None), note (said below), axis. width: in pixels, None:
    as wide as there is room, at least `room`; font: size in pixels.
    """
    if len(table) < 2:
        return theme.empty_figure("Two methods are needed for a diagram", height=160)
    layout = layout_of(table, width=width, room=room, font=font)
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
    lines = [_axis(layout), *_elbows(table, layout), *_bars(table, layout), _marks(table, layout)]
    lines += [trace for side in ("left", "right") for trace in _labels(table, layout, side)]
    figure.add_traces([*_difference(table, layout), *lines])
    figure.update_layout(annotations=_texts(table, layout), shapes=_band(table, layout))
    return figure


def _line(x, y, *, colour, width, **more):
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


def _slim(layout):
    return SLIM if len(layout.labels) > MANY else 1.0


def _axis(layout):
    x, y = [layout.low, layout.high, None], [layout.axis_y, layout.axis_y, None]
    for rank, _ in layout.ticks:
        x += [rank, rank, None]
        y += [layout.axis_y, layout.axis_y - 6, None]
    return _line(x, y, colour=INK, width=THIN)


def _elbows(table, layout):
    """A line from each method's place on the axis down and out to its label; one trace a colour."""
    found: dict[str, tuple[list, list]] = {}
    for label, colour in zip(layout.labels, table["colour"], strict=True):
        x, y = found.setdefault(colour, ([], []))
        end = layout.low if label.side == "left" else layout.high
        x += [label.rank, label.rank, end, None]
        y += [layout.axis_y, label.y, label.y, None]
    width = THIN * _slim(layout)
    return [_line(x, y, colour=colour, width=width) for colour, (x, y) in found.items()]


def _bars(table, layout):
    """The bars of groups; where a method in between belongs to no such group, the bar is only a thin line."""
    thick, thin, dots = ([], []), ([], []), ([], [], [])
    ranks, names = table["rank"].tolist(), table["method"].tolist()
    for y, group in layout.lanes:
        text = "not told apart: " + ", ".join(words.plot_text(names[place], longest=24) for place in group)
        for before, after in itertools.pairwise(group):
            x, ys = thick if after == before + 1 else thin
            x += [ranks[before], ranks[after], None]
            ys += [y, y, None]
        for place in group:
            for values, value in zip(dots, (ranks[place], y, _broken(text)), strict=True):
                values.append(value)
    bar = BAR * _slim(layout)
    drawn = [_line(*thick, colour=INK, width=bar), _line(*thin, colour=INK, width=1, name="gap")]
    drawn[1]["line"]["dash"] = "dot"
    marker = {"color": INK, "size": bar + 1, "symbol": "circle"}
    drawn.append(
        _line(*dots[:2], colour=INK, width=0)
        | {"mode": "markers", "marker": marker, "hovertext": dots[2], "hoverinfo": "text"}
    )
    return [trace for trace in drawn if trace["x"]]


def _broken(text, most=70):
    """Break a long hover text between names."""
    lines, names = [""], text.split(", ")
    for name in names:
        if len(lines[-1]) + len(name) > most:
            lines.append("")
        lines[-1] += f"{name}, "
    return "<br>".join(lines).removesuffix(", ")


def _marks(table, layout):
    return {
        "type": "scatter",
        "x": table["rank"].tolist(),
        "y": [layout.axis_y] * len(table),
        "mode": "markers",
        "marker": {
            "color": table["colour"].tolist(),
            "symbol": table["symbol"].tolist(),
            "size": 0.7 * layout.font * _slim(layout),
        },
        "hovertext": table["hover"].tolist(),
        "hoverinfo": "text",
        "cliponaxis": False,
    }


def _difference(table, layout):
    """The bar of the critical difference above the axis, or, with a control, the reach around that."""
    cd, control = table.attrs["cd"], table.attrs["control"]
    if cd is None:
        return []
    if control is None:
        x, y = [layout.low, layout.low + cd], layout.bar_y
    else:
        rank = table["rank"].iloc[control]
        x, y = [max(rank - cd, layout.low), min(rank + cd, layout.high)], layout.axis_y + 11.7
        return [_line(x, [y, y], colour=INK, width=BAR)]
    ends = [x[0], x[0], None, x[0], x[1], None, x[1], x[1]]
    return [_line(ends, [y - 4, y + 4, None, y, y, None, y - 4, y + 4], colour=INK, width=2)]


def _band(table, layout):
    """Where a control is, the ranks that are within the critical difference of it, shaded."""
    cd, control = table.attrs["cd"], table.attrs["control"]
    if cd is None or control is None:
        return []
    rank = table["rank"].iloc[control]
    low, high = max(rank - cd, layout.low), min(rank + cd, layout.high)
    return [
        {
            "type": "rect",
            "x0": low,
            "x1": high,
            "y0": layout.axis_y - 6,
            "y1": layout.axis_y + 11.7,
            "fillcolor": FAINT,
            "line": {"width": 0},
            "layer": "below",
        }
    ]


def _texts(table, layout):
    """Numbers of the axis, critical difference, what the axis shows, and the note."""
    font = layout.font
    found = [_text(rank, layout.axis_y - 7, text, font, yanchor="bottom") for rank, text in layout.ticks]
    left = {"xref": "paper", "xanchor": "right", "xshift": -2 * GAP}
    right = {"xref": "paper", "xanchor": "left", "xshift": 2 * GAP}
    found.append(_text(0, layout.axis_y, ENDS["left"], font, **left))
    found.append(_text(1, layout.axis_y, ENDS["right"], font, **right))
    if table.attrs["cd"] is not None:
        found.append(_difference_text(table, layout))
    for row, line in enumerate(layout.note):
        y = layout.note_y + row * 1.5 * font
        shift = {"xref": "paper", "xanchor": "left", "xshift": GAP - layout.left, "yanchor": "top"}
        found.append(_text(0, y, words.plot_text(line, longest=400), font * 0.95, **shift))
    return found


def _difference_text(table, layout):
    """`CD = 1.37` above the bar, or above the control that it is drawn around."""
    text, control = f"CD = {table.attrs['cd']:.2f}", table.attrs["control"]
    if control is None:
        return _text(layout.low, layout.bar_y - 5, text, layout.font, xanchor="left", yanchor="bottom")
    rank = table["rank"].iloc[control]
    return _text(rank, layout.bar_y + 3, f"± {text}", layout.font, xanchor="center", yanchor="bottom")


def _text(x, y, text, size, **more):
    return {"x": x, "y": y, "text": text, "showarrow": False, "font": {"size": size}, **more}


def _labels(table, layout, side):
    """Return the labels of one side as a trace, for many annotations take long to draw."""
    at_left = side == "left"
    rows = zip(layout.labels, table["mark"], table["hover"], strict=True)
    shown = [(label, mark, hover) for label, mark, hover in rows if label.side == side]
    if not shown:
        return []
    return [
        {
            "type": "scatter",
            "x": [layout.low if at_left else layout.high] * len(shown),
            "y": [label.y for label, _, _ in shown],
            "mode": "text",
            "text": [_label_text(label, mark) for label, mark, _ in shown],
            "textposition": "middle left" if at_left else "middle right",
            "textfont": {"size": layout.font},
            "hovertext": [hover for _, _, hover in shown],
            "hoverinfo": "text",
            "cliponaxis": False,
        }
    ]


def _label_text(label, mark):
    name = words.plot_text(label.text)
    name = {"control": f"<b>{name}</b>", "different": f"<i>{name}</i>"}.get(mark, name)
    return f"{name}  {label.rank_text} " if label.side == "left" else f" {label.rank_text}  {name}"
