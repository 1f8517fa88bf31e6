"""Names beside marks of a figure, where neither marks nor other names are in the way."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import plotly.graph_objects as go

from delvecore.plots import theme
from delvecore.report import words

Box = tuple[float, float, float, float]
"""Left, lower, right and upper edge, in pixels of the plot."""
DRAWN = (620, 390)
"""Width and height of a plot, in pixels: where names are looked for room."""
ROOM = 680
"""Pixels of a figure with such a plot: on a narrower page it moves sideways."""
LONGEST = 14
JOINED = {"showarrow": True, "arrowhead": 0, "arrowwidth": 1, "arrowcolor": theme.LINE_GREY, "standoff": 6}
PLACES: tuple[tuple[int, float, int, dict[str, Any]], ...] = (
    (7, 0, -8, {"xanchor": "left", "yanchor": "middle", "xshift": 7}),
    (0, 0.5, 6, {"xanchor": "center", "yanchor": "bottom", "yshift": 5}),
    (0, 0.5, -22, {"xanchor": "center", "yanchor": "top", "yshift": -5}),
    (-7, 1, -8, {"xanchor": "right", "yanchor": "middle", "xshift": -7}),
    (3, 0, 4, {"xanchor": "left", "yanchor": "bottom", "xshift": 3, "yshift": 3}),
    (-3, 1, -20, {"xanchor": "right", "yanchor": "top", "xshift": -3, "yshift": -3}),
    *(
        (right, 0.5, up - 8, {**JOINED, "ax": right, "ay": -up, "xanchor": "center", "yanchor": "middle"})
        for up in (-30, 34, -52, 56, -76, 80)
        for right in (30, -30, 62, -62, 0)
    ),
)
"""Where a name may stand, the best first: pixels right of its mark, the share of it that lies left of there,
pixels up to its lower edge, its anchors. Farther ones, where it is crowded, are joined to the mark."""


class Named(NamedTuple):
    """A mark: its name, where it is in pixels of the plot, and x and y of an annotation at it."""

    name: str
    pixels: tuple[float, float]
    x: float
    y: float


def label_marks(figure: go.Figure, marks: Sequence[Named], lines: Sequence[Box]) -> None:
    """Write each mark's name beside it, where neither names nor marks are in the way, nor lines, as boxes.

    A name without room beside its mark stands farther off, joined to it by a thin line; one without room
    there is left to the mouse."""
    taken = [(x - 6, y - 6, x + 6, y + 6) for x, y in (mark.pixels for mark in marks)]
    taken += lines
    for mark in marks:
        width = 8 + 6.6 * min(len(mark.name), LONGEST)
        boxes = ((_box(*mark.pixels, width, *place), anchors) for *place, anchors in PLACES)
        box, anchors = next((one for one in boxes if not _in_the_way(one[0], taken)), (None, {}))
        if box:
            taken.append(box)
            text = words.plot_text(mark.name, longest=LONGEST)
            place = {"x": mark.x, "y": mark.y, "showarrow": False, **anchors}
            figure.add_annotation(text=text, name=mark.name, font={"size": 12}, **place)


def _box(x: float, y: float, width: float, right: float, left: float, up: float) -> Box:
    start = x + right - left * width
    return start, y + up, start + width, y + up + 16


def _in_the_way(box: Box, taken: Sequence[Box]) -> bool:
    left, low, right, _ = box
    if right > DRAWN[0] or left < 0 or low < 0:
        return True
    return any(left < one[2] and one[0] < right and low < one[3] and one[1] < box[3] for one in taken)


def boxes_of_line(places: Sequence[tuple[float, float]]) -> Iterator[Box]:
    """Return boxes that cover a line through places, in pixels."""
    for (x, y), (to_x, to_y) in pairwise(places):
        steps = int(max(abs(to_x - x), abs(to_y - y)) / 6) + 1
        for step in range(1, steps):
            at = x + (to_x - x) * step / steps, y + (to_y - y) * step / steps
            yield at[0] - 2, at[1] - 2, at[0] + 2, at[1] + 2
