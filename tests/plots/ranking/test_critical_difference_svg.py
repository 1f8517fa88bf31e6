"""The diagram without a browser: well-formed SVG of all methods, and a picture that plain LaTeX sets."""

import math
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET

import pytest

from delvecore.plots import theme
from delvecore.plots.ranking.critical_difference_layout import Diagram, DiagramMethod
from delvecore.plots.ranking.critical_difference_svg import latex_picture, still_of, svg_text

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = ("lin_1", "a<b>&\"c'", "50 %", "ß \\ {x}", "$y$ #1")


def made(names=HOSTILE, *, cd=1.5, control=None, note=""):
    styles = theme.styles_of(names)
    methods = tuple(
        DiagramMethod(name, 1.0 + place, math.nan, "", style)
        for place, (name, style) in enumerate(zip(names, styles, strict=True))
    )
    return Diagram(methods, ((0, 1), (2, 3, 4)), cd, control=control, against=names[0], note=note)


def texts(svg):
    return [element.text for element in ET.fromstring(svg).iter(f"{SVG}text")]


def test_every_method_has_a_label_with_its_rank_and_a_mark():
    svg = svg_text(still_of(made()), alt="ranks")
    for place, name in enumerate(HOSTILE):
        assert any(name in text and f"{1 + place:.2f}" in text for text in texts(svg))
    shapes = [
        element.tag
        for element in ET.fromstring(svg).iter()
        if element.tag in (f"{SVG}circle", f"{SVG}polygon")
    ]
    assert len(shapes) == len(HOSTILE)


def test_the_bar_of_the_critical_difference_is_as_long_as_it():
    still = still_of(made(cd=1.5))
    ticks = {one.text: one.x for one in still.letters if one.anchor == "middle"}
    bar = next(one for one in still.strokes if one.width == 2)
    assert bar.x[1] - bar.x[0] == pytest.approx(1.5 * (ticks["2"] - ticks["1"]))
    assert "CD = 1.50" in [one.text for one in still.letters]


def test_the_reach_of_a_control_ends_with_the_axis():
    still = still_of(made(cd=1.5, control=0))
    ticks = {one.text: one.x for one in still.letters if one.anchor == "middle"}
    reach = max((one for one in still.strokes if one.width == 5), key=lambda one: one.x[1] - one.x[0])
    assert reach.x == pytest.approx((ticks["1"], ticks["1"] + 1.5 * (ticks["2"] - ticks["1"])))


def test_nothing_is_drawn_beyond_the_edges():
    still = still_of(made(note="No method is shown to differ."))
    assert all(0 <= x <= still.width for one in still.strokes for x in one.x)
    assert all(0 <= y <= still.height for one in still.strokes for y in one.y)


def test_alt_text_and_letters_beyond_ascii_are_characters_of_the_page():
    svg = svg_text(still_of(made(("Größe", "b", "c", "d", "e"))), alt="Größe <best>")
    assert svg.isascii()
    assert ET.fromstring(svg).find(f"{SVG}title").text == "Größe <best>"
    assert any("Größe" in text for text in texts(svg))


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex was found to set the picture with")
def test_latex_sets_the_picture_within_a_column(tmp_path):
    picture = latex_picture(still_of(made(note="Nothing <differs> & more"), width=460))
    head = "\\documentclass{article}\n\\begin{document}\n\\noindent\n"
    (tmp_path / "a.tex").write_text(head + picture + "\\end{document}\n")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "a.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-500:]
    assert not re.search("Overfull|Missing character", done.stdout)
