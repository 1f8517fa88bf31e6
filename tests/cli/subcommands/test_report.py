"""`delve report`: a whole file for a paper; and the figure, methods and top of `delve rank`."""

import re
import xml.etree.ElementTree as ET

import pytest

from delvecore.cli import delve
from delvecore.plots import pictures
from tests.library.frames import long_frame


@pytest.fixture
def scores(tmp_path, monkeypatch):
    """A long table of accuracies of three methods on twelve datasets."""
    monkeypatch.chdir(tmp_path)
    long_frame().to_csv(tmp_path / "scores.csv", index=False)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "start"),
    [("a.html", "<!DOCTYPE html>"), ("a.md", "# "), ("a.tex", "% DELVE"), ("a.txt", "3 METHODS")],
)
def test_a_report_is_written_in_the_format_of_its_name(run_command, scores, name, start):
    outcome = run_command(delve.main, "report", "scores.csv", "-o", name)
    assert outcome.code == 0, outcome.err
    text = (scores / name).read_text(encoding="utf-8")
    assert text.startswith(start)
    words = " ".join(text.split())
    assert "We compared 3 methods on 12 tasks by accuracy" in words
    assert "Bonferroni" not in words
    assert f"delve report scores.csv -o {name}" in words


def test_a_report_of_html_is_one_file_with_its_diagram(run_command, scores):
    run_command(delve.main, "report", "scores.csv", "-o", "a.html")
    text = (scores / "a.html").read_text(encoding="utf-8")
    svg = re.search(r"<svg.*?</svg>", text, re.DOTALL)[0]
    assert "ada" in "".join(ET.fromstring(svg).itertext())
    assert "http" not in re.sub(r'xmlns="[^"]*"', "", text)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("report", "scores.csv", "-o", "a.doc"),
            "--output a.doc: expected a name that ends in .html, .md, .tex, .txt",
        ),
        (
            ("rank", "scores.csv", "--figure", "cd.jpg"),
            "--figure cd.jpg: expected a name that ends in .pdf, .svg, .png or .html",
        ),
    ],
)
def test_what_cannot_be_written_or_ranked_is_told_in_one_line(run_command, scores, words, message):
    outcome = run_command(delve.main, *words)
    assert outcome.code == 1
    assert message in outcome.err


@pytest.mark.slow
def test_without_a_browser_a_picture_is_refused_and_html_is_not(run_command, scores, monkeypatch):
    monkeypatch.setattr(pictures, "can_draw", lambda: False)
    outcome = run_command(delve.main, "rank", "scores.csv", "--figure", "cd.pdf")
    assert (outcome.code, outcome.err.count("\n")) == (1, 1)
    assert "--figure cd.pdf: expected a Chromium or Chrome to draw with" in outcome.err
    assert run_command(delve.main, "rank", "scores.csv", "--figure", "cd.html").code == 0
    assert "plotly" in (scores / "cd.html").read_text(encoding="utf-8").lower()


@pytest.mark.slow
@pytest.mark.skipif(not pictures.can_draw(), reason="no Chromium or Chrome was found to draw pictures with")
def test_the_diagram_is_drawn_beside_the_text_with_its_command_inside(run_command, scores):
    outcome = run_command(delve.main, "rank", "scores.csv", "--figure", "cd.svg")
    assert "ada is the best of 3" in outcome.out
    assert "delve rank scores.csv --figure cd.svg" in (scores / "cd.svg").read_text(encoding="utf-8")
