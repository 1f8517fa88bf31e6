"""Critical-difference diagrams: where everything lies, and what Plotly, SVG and LaTeX draw."""

import itertools
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from dataclasses import dataclass

import numpy as np
import pytest

from delvecore.plots import theme
from delvecore.plots.critical_difference import (
    GAP,
    LINE,
    MANY,
    MOST_LANES,
    WIDTH,
    Diagram,
    critical_difference_figure,
    in_pixels,
    lanes_of,
    latex_picture,
    layout_of,
    svg_text,
)
from delvecore.plots.theme import text_width

MILLIMETERS = {85: (321, 10, 8), 178: (673, 12, 10)}
"""Widths of one and of two columns of a paper in pixels, and sizes of letters for few and for many methods."""


def diagram_of(count, *, seed=0, cd=1.2, groups=None, control=None, names=None, ranks=None, marks=None):
    rng = np.random.default_rng(seed)
    if ranks is None:
        ranks = np.sort(rng.uniform(1, count, count)) if count > 1 else np.array([1.0])
    if groups is None:
        groups = tuple(tuple(range(start, min(start + 4, count))) for start in range(0, count - 1, 3))
    names = names or [f"method-{number}-cv-{'x' * (number % 9)}" for number in range(count)]
    columns = tuple(names), tuple(map(float, ranks)), (np.nan,) * count, tuple(marks or [""] * count)
    return Diagram(*columns, tuple(theme.styles_of(names)), groups, cd, control, names[0], note="")


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels, y downwards."""

    left: float
    top: float
    right: float
    bottom: float


def label_boxes(diagram, layout, width):
    """The boxes of all labels, their ranks included, in a figure of this width."""
    boxes = []
    for label, rank in zip(layout.labels, diagram.ranks, strict=True):
        reach = text_width(f"{label.text}  {rank:.2f}", layout.font) + GAP
        is_left = label.anchor == "end"
        edge = layout.left - GAP if is_left else width - layout.right + GAP
        start, end = (edge - reach, edge) if is_left else (edge, edge + reach)
        boxes.append(Box(start, label.y - layout.font * 0.6, end, label.y + layout.font * 0.6))
    return boxes


def tick_boxes(layout, width):
    """The boxes of the axis's numbers in a figure of this width."""
    boxes = []
    for rank, text in layout.ticks:
        half, x = text_width(text, layout.font) / 2, layout.place(rank, width)
        top = layout.axis_y - GAP - LINE * layout.font
        boxes.append(Box(x - half, top, x + half, top + LINE * layout.font))
    return boxes


def overlaps(boxes):
    """Which pairs of boxes, by place, have more than an edge in common?"""
    return [
        (i, j)
        for i, one in enumerate(boxes)
        for j, other in enumerate(boxes[:i])
        if one.left < other.right
        and other.left < one.right
        and one.top < other.bottom
        and other.top < one.bottom
    ]


def texts_of(figure):
    """All texts of a figure."""
    labels = [text for trace in figure.plotly().data if trace.mode == "text" for text in trace.text]
    return [*labels, *(item.text for item in figure.plotly().layout.annotations)]


@pytest.mark.parametrize("millimeters", MILLIMETERS)
@pytest.mark.parametrize("count", [2, 13, 40, 300])
def test_labels_numbers_and_bars_never_overlap_and_stay_in_the_diagram(millimeters, count):
    width, *fonts = MILLIMETERS[millimeters]
    font = fonts[count > MANY]
    diagram = diagram_of(count)
    layout = layout_of(diagram, width=width, font=font)
    labels = label_boxes(diagram, layout, width)
    assert (len(labels), len(layout.ticks) > 1) == (count, True)
    assert overlaps([*tick_boxes(layout, width), *labels]) == []
    assert min(box.left for box in labels) >= 0
    assert max(box.right for box in labels) <= width
    assert max(box.bottom for box in labels) <= layout.height
    bars = []
    for y, group in layout.lanes:
        assert layout.axis_y < y < min(box.top for box in labels)
        ends = (layout.place(diagram.ranks[place], width) for place in (group[0], group[-1]))
        bars.append(Box(next(ends), y - 3, next(ends), y + 3))
    assert overlaps(bars) == []


@pytest.mark.parametrize("millimeters", MILLIMETERS)
def test_equal_ranks_and_very_long_names_do_not_make_labels_overlap(millimeters):
    width, _, font = MILLIMETERS[millimeters]
    names = [f"gradient-boosted-trees-with-every-option-{number}" for number in range(40)]
    diagram = diagram_of(40, names=names, ranks=np.full(40, 20.5))
    layout = layout_of(diagram, width=width, font=font)
    assert overlaps(label_boxes(diagram, layout, width)) == []
    assert max(box.right for box in label_boxes(diagram, layout, width)) <= width
    assert len({label.text for label in layout.labels}) == 40
    assert width - layout.left - layout.right >= width / 4, "the axis keeps its part"
    assert all("…" in label.text for label in layout.labels)


def test_lines_to_labels_do_not_cross():
    # A line goes down from the axis at its rank, then out; it crosses that of another method where the
    # other's way down passes the line's row between the rank and the margin.
    diagram = diagram_of(24, seed=5)
    layout = layout_of(diagram, width=673, font=12)
    rows = zip(layout.labels, diagram.ranks, strict=True)
    for (one, rank), (other, other_rank) in itertools.permutations(rows, 2):
        if one.anchor == other.anchor == "end" and other_rank < rank:
            assert other.y < one.y
        if one.anchor == other.anchor == "start" and other_rank > rank:
            assert other.y < one.y


def test_of_very_many_groups_those_with_most_members_are_drawn():
    ranks = [1 + number * 0.01 for number in range(60)]
    groups = [tuple(range(start, start + 20 + start % 3)) for start in range(38)]
    lanes = lanes_of(groups, ranks)
    assert max(lane for lane, _ in lanes) < MOST_LANES
    assert len({group for _, group in lanes}) == len(lanes)


def test_a_bar_over_a_method_that_does_not_belong_is_dotted_there():
    figure = critical_difference_figure(diagram_of(4, cd=None, groups=((0, 1, 3),)))
    dotted = [trace for trace in figure.plotly().data if trace.line.dash == "dot"]
    ranks = diagram_of(4).ranks
    assert [value for value in dotted[0].x if value is not None] == [ranks[1], ranks[3]]


def test_the_critical_difference_is_as_long_as_it_says():
    figure = critical_difference_figure(diagram_of(5, cd=1.37))
    assert "CD = 1.370" in texts_of(figure)
    ends = [value for value in figure.plotly().data[0].x if value is not None]
    assert max(ends) - min(ends) == pytest.approx(1.37)
    longer = layout_of(diagram_of(3, cd=4.7), width=321, font=10)
    assert longer.low + 4.7 <= longer.high


SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = ("lin_1", "a<b>&\"c'", "50 %", "ß \\ {x}", "$y$ #1")


def made(names=HOSTILE, *, cd=1.5, control=None):
    groups, ranks = ((0, 1), (2, 3, 4)), range(1, len(names) + 1)
    return diagram_of(len(names), cd=cd, groups=groups, control=control, names=names, ranks=ranks)


def svg_texts(svg):
    return [element.text for element in ET.fromstring(svg).iter(f"{SVG}text")]


def test_every_method_has_a_label_with_its_rank_and_a_mark():
    svg = svg_text(made(), alt="ranks")
    for place, name in enumerate(HOSTILE):
        assert any(name in text and f"{1 + place:.2f}" in text for text in svg_texts(svg))
    shapes = [
        element.tag
        for element in ET.fromstring(svg).iter()
        if element.tag in (f"{SVG}circle", f"{SVG}polygon")
    ]
    assert len(shapes) == len(HOSTILE)


def test_the_reach_of_a_control_ends_with_the_axis():
    diagram = made(cd=1.5, control=0)
    strokes, texts = in_pixels(diagram, layout_of(diagram, width=WIDTH), WIDTH)
    ticks = {one.text: one.x for one in texts if one.anchor == "middle"}
    reach = max((one for one in strokes if one.width == 5), key=lambda one: one.x[1] - one.x[0])
    assert reach.x == pytest.approx((ticks["1"], ticks["1"] + 1.5 * (ticks["2"] - ticks["1"])))


def test_nothing_is_drawn_beyond_the_edges():
    layout = layout_of(made(), width=WIDTH)
    strokes, _ = in_pixels(made(), layout, WIDTH)
    assert all(0 <= x <= WIDTH for one in strokes for x in one.x)
    assert all(0 <= y <= layout.height for one in strokes for y in one.y)


def test_alt_text_and_letters_beyond_ascii_are_characters_of_the_page():
    svg = svg_text(made(("Größe", "b", "c", "d", "e")), alt="Größe <best>")
    assert svg.isascii()
    assert ET.fromstring(svg).find(f"{SVG}title").text == "Größe <best>"
    assert any("Größe" in text for text in svg_texts(svg))


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex was found to set the picture with")
def test_latex_sets_the_picture_within_a_column(tmp_path):
    picture = latex_picture(made(), width=460)
    head = "\\documentclass{article}\n\\begin{document}\n\\noindent\n"
    (tmp_path / "a.tex").write_text(head + picture + "\\end{document}\n")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "a.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-500:]
    assert not re.search("Overfull|Missing character", done.stdout)
