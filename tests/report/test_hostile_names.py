"""Hostile names through every export: each format, read again, gives the name or its escaped form, and nothing else
comes of it."""

import csv
import io
import re
from html.parser import HTMLParser
from itertools import product

import pytest

from delvecore.cli import delve
from delvecore.render.csv import csv_comment, csv_text
from delvecore.render.grid import Cell, Column, Grid, Row
from delvecore.render.markup import html_grid, markdown_escape, markdown_grid, typst_grid
from delvecore.render.text import text_grid
from delvecore.report.paper.table import PAPER_FORMATS
from tests.hostile_names import HOSTILE_NAMES, PRINTED_NAMES

pytestmark = pytest.mark.slow

TOLD_NAMES = [name for name in PRINTED_NAMES if not name.startswith("#")]
"""Those that a table of scores can hold: a line that begins with # is a comment there."""
TABLE = ("table", "--lower-is-better", "--keep", "`id`", "--keep", "$(id)")
FORMULA = re.compile(r"\s*[=+\-@＝＋－＠](?![\d.,]+$)")
"""A number is none, also with what stands behind its comma."""
TAGS = {
    *["table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "strong", "small", "sup", "br", "p"]
}
LINKED = re.compile(r"https?://|\bwww\.\w|\w@\w|(?<!\\)[<\[\]*_`]|:[\w+/-]+:", re.IGNORECASE)


def grid_of(names):
    """A table with the names everywhere: heads, labels, cells, caption, notes and provenance."""
    rows = tuple(Row((Cell(name), Cell("0.5", "0.1")), (name,)) for name in names)
    columns = Column(names[0]), Column(names[-1], "r", kind="estimate")
    details = {"notes": tuple(names), "stubs": (names[0],), "provenance": tuple(names)}
    return Grid(" ".join(names), columns, rows, **details)


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """{(`methods` or `tasks`, format): what `delve table` writes} of all names."""
    folder, exporteds = tmp_path_factory.mktemp("exports"), {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        patch.chdir(folder)
        for kind in ("methods", "tasks"):
            lines = [["task", *TOLD_NAMES], ["a", *(n % 7 for n, _ in enumerate(TOLD_NAMES))]]
            lines = [*map(list, zip(*lines, strict=True))] if kind == "tasks" else lines
            with (folder / f"{kind}.csv").open("w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows(lines)
            for form in PAPER_FORMATS:
                assert delve.main([*TABLE, f"{kind}.csv", "--format", form, "--output", "it"]) == 0
                exporteds[kind, form] = (folder / "it").read_bytes()
    return exporteds


class Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.texts, self.comments = set(), [""], 0

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        assert {name for name, _ in attrs} <= {"style", "colspan", "scope"}
        self.texts.append("")

    def handle_endtag(self, tag):
        self.texts.append("")

    def handle_data(self, data):
        self.texts[-1] += data

    def handle_comment(self, data):
        self.comments += 1


@pytest.mark.parametrize("kind", ["methods", "tasks"])
def test_csv_gives_every_name_and_no_formula_however_it_is_divided(kind, exported):
    text = exported[kind, "csv"].decode()
    table = [line for line in text.split("\n") if not line.startswith("#")]
    rows = csv.DictReader(io.StringIO("\n".join(table)))
    names = [row["method" if kind == "methods" else "row"] for row in rows if row["row_kind"] == "task"]
    assert [
        name for name in names if name.replace("'", "") not in {n.replace("'", "") for n in TOLD_NAMES}
    ] == []
    assert len(names) == len(TOLD_NAMES)
    # A spreadsheet divides a line where its country does, whatever program wrote it.
    for line, mark in product(text.split("\n"), ",;\t"):
        cells = next(csv.reader([line], delimiter=mark, strict=False), [])
        assert [cell for cell in cells if FORMULA.match(cell)] == []


def test_a_csv_cell_and_a_comment_hold_no_formula():
    for name in HOSTILE_NAMES:
        for text in (csv_text([name, 1.5], [[name, -1.5]]), csv_comment(name)):
            for line, mark in product(text.splitlines(), ",;\t"):
                cells = next(csv.reader([line], delimiter=mark), [])
                assert [cell for cell in cells if FORMULA.match(cell)] == []
        assert csv_text([name], []).count("\n") == 1


@pytest.mark.parametrize("kind", ["methods", "tasks"])
def test_html_gives_every_name_and_no_tag(kind, exported):
    reader = Reader()
    reader.feed(exported[kind, "html"].decode())
    assert reader.tags <= TAGS
    assert reader.comments == 3
    assert set(TOLD_NAMES) <= set(reader.texts)


@pytest.mark.parametrize("write", [html_grid, markdown_grid])
def test_no_comment_of_html_or_markdown_ends_early(write):
    for name in HOSTILE_NAMES:
        # Two readers: the standard's, where `--!>` ends a comment, too, and a plain search.
        comments = [line for line in write(grid_of([name])).split("\n") if line.startswith("<!-- ")]
        assert len(comments) == 1
        assert re.findall("--!?>", comments[0]) == ["-->"]
        assert comments[0].endswith(" -->")
        assert write(grid_of([name])).count("\n") == write(grid_of(["x"])).count("\n")


def test_markdown_shows_the_name_and_links_nothing():
    for name in TOLD_NAMES:
        escaped = markdown_escape(name)
        whole = " ".join(name.split())
        assert re.sub(r"\\(.)", r"\1", escaped.replace("<!-- -->", "")) == whole
        # Many readers look for addresses when the escapes are gone, in each run of text between markup.
        assert [run for run in escaped.split("<!-- -->") if LINKED.search(re.sub(r"\\.", " ", run))] == []


def test_every_line_of_text_is_printable():
    for name in HOSTILE_NAMES:
        text = text_grid(grid_of([name]))
        assert text.replace("\n", "").isprintable()


def test_typst_runs_nothing_of_a_name():
    for name in HOSTILE_NAMES:
        comment, *lines = typst_grid(grid_of([name])).split("\n")
        assert comment.startswith("// ")
        assert signs(lines) == signs(typst_grid(grid_of(["x"])).split("\n")[1:])


def signs(lines):
    """What is left of Typst without its escapes and letters."""
    return [re.sub(r"\\.|[^#\[\]$`@<>*_~\\/]", "", line) for line in lines]
