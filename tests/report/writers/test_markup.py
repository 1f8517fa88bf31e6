"""Tables as HTML and Markdown: what comes from files stays text."""

import re
from html.parser import HTMLParser

from delvecore.report.grid import Cell, Column, Grid, Row
from delvecore.report.writers.markup import html_grid, markdown_escape, markdown_grid

HOSTILE = '<script>alert("x")</script> & a|b\n*c* [d](e)'


def grid(title, label, cell, **details):
    """A table of one cell, below a title and behind a label."""
    return Grid(columns=(Column(title, "r"),), rows=(Row((cell,), (label,)),), stubs=("Task",), **details)


class Reader(HTMLParser):
    """Collects tags and text."""

    def __init__(self):
        super().__init__()
        self.tags, self.texts = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.texts.append(data)


def test_html_shows_hostile_text_as_it_is():
    reader = Reader()
    reader.feed(html_grid(grid(HOSTILE, HOSTILE, Cell("1"), caption=HOSTILE, notes=(HOSTILE,))))
    assert "script" not in reader.tags
    assert reader.texts.count(HOSTILE.replace("\n", " ")) == 4


def test_html_is_ascii_and_has_headings_for_columns_and_rows():
    text = html_grid(grid("ä", "x", Cell("1 ± 2", bold=True), caption="Losses"))
    assert text.isascii()
    assert text.count('scope="col"') == 2
    assert text.count('scope="row"') == 1
    assert "<strong>1 &#177; 2</strong>" in text


def test_markdown_keeps_a_cell_on_one_line_and_its_bars_inside():
    text = markdown_grid(grid(HOSTILE, HOSTILE, Cell("1"), caption="Losses"))
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert [len(re.findall(r"(?<!\\)\|", row)) for row in rows] == [3, 3, 3]
    assert "<script>" not in text.replace(r"\<", "")


def test_markdown_escapes_what_would_be_markup():
    assert markdown_escape("a_b *c* `d` <e> [f]") == r"a\_b \*c\* \`d\` \<e\> \[f\]"
