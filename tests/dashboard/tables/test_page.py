"""The Tables page: what it says, what it offers, and that its files are those of `delve table`."""

import shlex
from dataclasses import replace

import pytest

import delvecore
from dashboard.server import archive as opened
from dashboard.tables import data as table_data
from dashboard.tables.page import basis, heading
from delvecore.archive.score_tables import paper_table
from delvecore.cli import delve
from delvecore.render.grid import BEST, EQUAL, UNTESTED, WORSE
from delvecore.render.spans import plain
from delvecore.report.paper.table import (
    PAPER_FORMATS,
    Head,
    PaperCell,
    PaperRequest,
    PaperTable,
    paper_table_bytes,
)
from delvecore.score_tables.options import ScoreOptions
from tests.cli.running import Runner
from tests.dashboard.compare_archive import AGE, compared_archive
from tests.dashboard.conftest import Pages
from tests.dashboard.reading import answer

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    return compared_archive(tmp_path_factory.mktemp("compared"))


def page_text(app):
    return "\n".join(element.value for element in (*app.markdown, *app.info, *app.caption, *app.code))


def test_the_page_shows_the_table_its_file_and_its_command(compared, run_page):
    page = Pages(compared[0], run_page)
    app = page("tables", loss="S", tasks=[AGE])
    assert "the best average rank" not in page_text(app)  # there is one task only
    assert app.title[0].value == "4 methods on 1 task"
    assert r"\begin{table}" in page_text(app)
    assert f"delve table --format latex --loss S --methods 'far near one two' --top 4 {AGE}" in page_text(app)
    chosen = {"rows": ["size"], "layout": "rows", "marks": "best", "adjust": "bonferroni", "level": "0.9"}
    chosen |= {"methods": ["two", "far"], "reference": "two", "tasks": ["/demo/age"]}
    app = page("tables", loss="S", **chosen, digits="3", ranks="left out", format="text")
    options = (
        "--methods 'two far' --reference two --adjust bonferroni --methods-in rows --digits 3 --level 0.9 "
        "--marks 'best reference' --by size --no-ranks /demo/age"
    )
    assert f"delve table --loss S {options}" in page_text(app)


@pytest.mark.parametrize(
    "asked",
    [
        {"by": ("size",), "methods_in": "rows", "digits": "3", "ranks": False},
        {"marks": ("best", "reference"), "adjust": "none", "raw": True, "reference": "far", "level": 0.9},
    ],
)
def test_a_download_and_its_command_are_the_same_bytes(asked, compared, tmp_path, monkeypatch, capfdbinary):
    path, archive = compared
    asked = PaperRequest(paths=("/demo",), loss="S", methods=("near", "far"), **asked)
    table = table_data.table_of(archive, asked)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    for form in PAPER_FORMATS:
        chosen = () if form == "text" else ("--format", form)
        command = table.provenance.command(*chosen)
        words = [*shlex.split(command)[1:], "--output", str(tmp_path / form)]
        outcome = Runner(monkeypatch, capfdbinary)(delve.main, *words, path=path)
        assert (outcome.code, outcome.err) == (0, ""), form
        assert (tmp_path / form).read_bytes() == paper_table_bytes(table, form), form


def test_pairs_are_compared_once_for_all_levels_and_ways_of_showing_them(compared, monkeypatch):
    path, archive = compared
    asked = PaperRequest(paths=("/demo",), loss="S", methods=("near", "far", "one"))
    made, make = [], delvecore.archive.compare_all
    counting = lambda *args, **more: made.append(more) or make(*args, **more)  # noqa: E731
    monkeypatch.setattr(delvecore.archive, "compare_all", counting)
    several = [replace(asked, level=level) for level in (0.9, 0.95, 0.99)]
    several += [replace(asked, top=1), replace(asked, marks=()), replace(asked, methods_in="rows")]
    tables = [table_data.table_of(archive, one) for one in several]
    assert len(made) == 1
    alone = [paper_table(delvecore.open(path, cache=False), one) for one in several]
    assert [table.cells for table in tables] == [table.cells for table in alone]
    table_data.table_of(archive, replace(asked, adjust="none"))
    assert len(made) == 2 + len(several)


@pytest.mark.parametrize("unit", ["dataset", "family"])
def test_scores_of_datasets_alone_are_counted_by_dataset_as_on_ranking(unit, run_page, tmp_path):
    scores = tmp_path / "scores.csv"
    lines = [f"d{number},0.{number},0.9\n" for number in range(1, 9)]
    scores.write_text("dataset,a,b\n" + "".join(lines))
    opened.choose_paths([str(scores)], scores=ScoreOptions(higher_is_better=False))
    app = run_page("tables", unit=unit)
    assert "There is no such table" not in page_text(app)
    assert "8 tasks" in page_text(app)
    assert not [one for one in app.code if "--unit" in one.value]
    scores.write_text("dataset,a,b\nd1,0.1,0.9\n")  # as a copy that is not finished
    opened.look()
    del app.session_state["shown"]
    app.run()
    assert not app.exception


def table_of_cells(ranks, rows):
    """A table of methods a, b, ... with these standings."""
    names = "abcdefgh"[: len(ranks)]
    heads = [Head("rank", ("Average rank",))]
    heads += [Head("task", (f"t{number}",), (f"/t{number}/y/std.8",)) for number in range(len(rows))]
    cells = tuple(tuple(PaperCell(1.5, standing=one) for one in row) for row in (ranks, *rows))
    columns = tuple(Head("method", (name,)) for name in names)
    decimals = ((2,) * len(ranks),) * len(heads)
    return PaperTable(
        "Losses.", "Losses", ("Task",), ("Method",), tuple(heads), columns, cells, decimals, (), (), "tab:x",
        ranked_tasks=len(rows), methods=len(ranks),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("ranks", "rows", "claim"),
    [
        (
            (BEST, EQUAL),
            [(BEST, WORSE)] * 8,
            "By average rank no other is significantly worse. b is significantly worse than the best in 8 of 8 rows.",
        ),
        (
            (BEST, EQUAL, WORSE),
            [(BEST, EQUAL, WORSE), (WORSE, BEST, UNTESTED)],
            "By average rank b is not significantly worse. b is significantly worse than the best in 0 of 2 rows, "
            "c in 1 of 1.",
        ),
        (
            (BEST, UNTESTED, UNTESTED),
            [(BEST, UNTESTED, UNTESTED)] * 2,
            "Differences of average ranks are not tested.",
        ),
        ((BEST, WORSE), [(BEST, UNTESTED)] * 2, "By average rank all others are significantly worse."),
        (
            (BEST, WORSE, WORSE, WORSE, WORSE),
            [(BEST, EQUAL, WORSE, WORSE, WORSE), (BEST, EQUAL, EQUAL, EQUAL, WORSE)],
            "By average rank all others are significantly worse. Each of the others is significantly worse than "
            "the best in 0 to 2 of 2 rows.",
        ),
    ],
)
def test_the_first_line_says_what_the_cells_say(ranks, rows, claim):
    table = table_of_cells(ranks, rows)
    for one in (table, table.transposed):
        assert plain(heading(one)) == f"a has the best average rank of {len(ranks)} methods"
        assert plain(basis(one)) == f"Average rank 1.50 over {len(rows)} tasks. {claim}"


def test_average_ranks_that_are_not_tested_are_not_called_significantly_worse(array_page):
    app = array_page("tables", tasks=["/plot-1s", "/plot-1d"])
    expected = (
        "over 4 tasks, based on the 3 with results of all methods. Differences of average ranks are not tested. "
        "pear is significantly worse than the best in 4 of 4 rows, quince in 3 of 3."
    )
    assert answer(app).endswith(expected)
