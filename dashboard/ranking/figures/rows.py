"""What figures with one row a method have in common: the methods' names at the left, texts at the right."""

from collections.abc import Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import plotly.graph_objects as go

from dashboard.frame import theme, words
from dashboard.frame.text_boxes import text_width

__all__ = ["FEW", "AgainstOne", "Trace", "right_texts", "room_for", "rows_figure"]

Row = TypeVar("Row")
Trace = dict[str, Any]
"""A trace as Plotly's own dictionary, which is made much faster than its objects."""
FEW = 12
"""Up to so many methods rows are high."""
BOTTOM = 52


class AgainstOne(NamedTuple, Generic[Row]):
    """All methods but the reference, best mean rank first, each in a record of its own."""

    reference: str
    rows: tuple[Row, ...]


def rows_figure(
    names: Sequence[str],
    *,
    top: int,
    bottom: int = BOTTOM,
    right: float = 16,
    heights: tuple[int, int] = (34, 22),
    longest: int = 24,
    showlegend: bool = False,
) -> go.Figure:
    """Return a figure with a row for each name, the first at the top.

    top, bottom: pixels above and below the rows; right: pixels at their right; heights: of a row where rows
    are few, and where they are many; longest: letters of a name.
    """
    figure = theme.new_figure(height=top + bottom + heights[len(names) > FEW] * len(names))
    margin = {"l": 8, "r": right, "t": top, "b": 8}
    figure.update_layout(margin=margin, showlegend=showlegend, hovermode="closest")
    figure.update_yaxes(
        tickvals=list(range(len(names))),
        ticktext=[words.plot_text(name, longest=longest) + " " for name in names],
        range=[len(names) - 0.5, -0.5],
    )
    return figure


def room_for(texts: Sequence[str]) -> float:
    """How many pixels do texts need at the right?"""
    return 20 + max(text_width(text, 13) for text in texts)


def right_texts(x: float, texts: Sequence[str]) -> Trace:
    """Return the trace of a text right of each row, beyond the axis's end x.

    One trace: as many annotations would take many times as long to draw.
    """
    return {
        "type": "scatter",
        "x": [x] * len(texts),
        "y": list(range(len(texts))),
        "mode": "text",
        "text": [f"  {text}" for text in texts],
        "textposition": "middle right",
        "textfont": {"size": 13},
        "cliponaxis": False,
        "hoverinfo": "skip",
    }
