"""Where everything in a critical-difference diagram lies, in pixels, before anything is drawn.

From top to bottom: the bar of the critical difference, the axis of mean ranks, bars of groups in lanes,
labels in rows at either side, a note. Better methods are left; labels stand in the order of ranks, so that no
line to a label crosses another."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from delvecore.plots import theme, words
from delvecore.plots.text_boxes import BOLD, Box, shortened, text_width, wrapped

__all__ = [
    *("ENDS", "GAP", "MANY", "MOST_LANES", "NARROWEST"),
    *("Diagram", "DiagramMethod", "Label", "Layout", "Mark", "lanes_of", "layout_of"),
]

NARROWEST = 340
"""Pixels that a figure without a fixed width is sure to have."""
SHARE_OF_LABELS = 0.37
LINE = 1.5
"""Height of a line of text, in font sizes."""
GAP = 4
LANE = 9
MOST_LANES = 24
MANY = 20
"""Of more methods than this, lines, marks and lanes are thinner."""
ENDS = {"left": "← better", "right": "mean rank"}
"""What stands at the ends of the axis."""
WHOLE_AXIS = 12
"""Up to so many methods the axis shows all ranks that there could be."""


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

    methods: best rank first; groups: places of methods of which no pair differs; cd: the critical difference,
    None where the test has none; control: place of the control, around which cd then lies, or None;
    against: which method p-values are against; note: said below; total: of methods that were ranked, None
    where all are shown."""

    methods: tuple[DiagramMethod, ...]
    groups: tuple[tuple[int, ...], ...]
    cd: float | None
    control: int | None
    against: str
    note: str
    total: int | None = None

    @property
    def ranks(self) -> list[float]:
        """The mean ranks."""
        return [one.rank for one in self.methods]

    def hover(self, one: DiagramMethod) -> str:
        """Return what the mouse shows of a method."""
        text = f"{words.plot_text(one.method)}: mean rank {one.rank:.2f} of {self.total or len(self.methods)}"
        if math.isnan(one.p):
            return text
        p = words.p_value(one.p).replace("<", "&lt;")
        return f"{text}<br>against {words.plot_text(self.against)}: {p}"


@dataclass(frozen=True, slots=True)
class Label:
    """A method's label: name as shown, mean rank as shown, its side, and the middle of its line of text."""

    text: str
    rank_text: str
    rank: float
    side: str
    y: float


@dataclass(frozen=True, slots=True)
class Layout:
    """All places, in pixels from the upper edge; width None: as wide as there is room.

    low, high: ends of the axis, as ranks; left, right: margins, which hold the labels; ticks: (rank, text).
    lanes: (y, members) of each group's bar."""

    width: float | None
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
    labels: tuple[Label, ...]
    note_y: float
    note: tuple[str, ...]

    def place(self, rank: float, width: float) -> float:
        """Return the pixel from the left edge at which a rank lies in a figure of this width."""
        room = width - self.left - self.right
        return self.left + room * (rank - self.low) / (self.high - self.low)

    def label_boxes(self, width: float) -> list[Box]:
        """Return the boxes of all labels, their ranks included, in a figure of this width."""
        boxes = []
        for label in self.labels:
            reach = text_width(f"{label.text}  {label.rank_text}", self.font) + GAP
            edge = self.left - GAP if label.side == "left" else width - self.right + GAP
            start, end = (edge - reach, edge) if label.side == "left" else (edge, edge + reach)
            boxes.append(Box(start, label.y - self.font * 0.6, end, label.y + self.font * 0.6))
        return boxes

    def tick_boxes(self, width: float) -> list[Box]:
        """Return the boxes of the axis's numbers in a figure of this width."""
        boxes = []
        for rank, text in self.ticks:
            half, x = text_width(text, self.font) / 2, self.place(rank, width)
            top = self.axis_y - GAP - LINE * self.font
            boxes.append(Box(x - half, top, x + half, top + LINE * self.font))
        return boxes


def layout_of(
    diagram: Diagram, *, width: float | None = None, room: float = NARROWEST, font: float = 13
) -> Layout:
    """Return the places of everything.

    width: in pixels, None: as wide as there is room, which is at least `room`; font: size in pixels."""
    cd, ranks, band, room = diagram.cd, diagram.ranks, diagram.control is not None, width or room
    low, high = _axis_ends(ranks, None if band else cd)
    line, lane = LINE * font, LANE * (1.0 if len(ranks) <= MANY else 0.75)
    bar_y = line + 2 * GAP if cd is not None else 0
    axis_y = bar_y + line + 2 * GAP + 6
    numbered = lanes_of(diagram.groups, ranks)
    lanes = tuple((axis_y + lane * (number + 1.3), group) for number, group in numbered)
    lowest = max([axis_y + LANE * (1.3 if band else 0), *(y for y, _ in lanes)])
    labels, left, right = _labels(diagram, first_row=lowest + LANE + line / 2, font=font, room=room)
    note_y = max(label.y for label in labels) + line / 2 + 2 * GAP
    note = tuple(wrapped(diagram.note, font * 0.95, room - 16)) if diagram.note else ()
    return Layout(
        width=width,
        height=note_y + len(note) * line + GAP,
        left=left,
        right=right,
        font=font,
        low=low,
        high=high,
        ticks=_ticks(low, high, room - left - right, font),
        bar_y=bar_y,
        axis_y=axis_y,
        lanes=lanes,
        labels=labels,
        note_y=note_y,
        note=note,
    )


def _axis_ends(ranks: Sequence[float], cd: float | None) -> tuple[float, float]:
    """Return the ends of the axis: all ranks there could be, or, of many methods, those there are."""
    few = len(ranks) <= WHOLE_AXIS
    low = 1.0 if few else float(math.floor(min(ranks)))
    high = float(max(math.ceil(max(ranks)), len(ranks) if few else 1))
    # The bar of the critical difference is drawn from the low end and must end within the axis.
    return low, max(high, low + 1, math.ceil(low + cd) if cd is not None else low)


def _ticks(low: float, high: float, room: float, font: float) -> tuple[tuple[float, str], ...]:
    """Return whole ranks with texts, as many as have room."""
    ranks: list[int] = []
    for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000):
        ranks = [rank for rank in range(int(low), int(high) + 1) if rank % step == 0 or rank == low]
        if len(ranks) > 2 and step > 1 and ranks[1] - ranks[0] < step * 0.75:
            del ranks[0]
        widest = text_width(f"{ranks[-1]:,}", font) + 2 * GAP
        gaps = [after - before for before, after in itertools.pairwise(ranks)]
        if not gaps or min(gaps) / (high - low) * room >= widest:
            break
    return tuple((float(rank), f"{rank:,}") for rank in ranks)


def lanes_of(groups: Sequence[Sequence[int]], ranks: Sequence[float]) -> list[tuple[int, tuple[int, ...]]]:
    """Return (lane, group) for the bars to be drawn, such that bars in one lane do not touch.

    Groups with most members come first; those that would need more than `MOST_LANES` are left out."""
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


def _labels(
    diagram: Diagram, *, first_row: float, font: float, room: float
) -> tuple[tuple[Label, ...], float, float]:
    """Return the labels, and the margins that hold them at the left and at the right."""
    count = len(diagram.methods)
    split = (count + 1) // 2
    most = SHARE_OF_LABELS * room
    labels, widest = [], {side: text_width(text, font) + 4 * GAP for side, text in ENDS.items()}
    for place, one in enumerate(diagram.methods):
        side = "left" if place < split else "right"
        row = place if side == "left" else count - 1 - place
        rank_text = f"{one.rank:.2f}"
        size = font * BOLD if place == diagram.control else font
        rest = text_width(f"  {rank_text}", font) + 2.5 * GAP
        text = shortened(one.method, size, most - rest)
        widest[side] = max(widest[side], text_width(text, size) + rest)
        labels.append(Label(text, rank_text, one.rank, side, first_row + row * LINE * font))
    return tuple(labels), widest["left"], widest["right"]
