"""The page Tables: what it says, what it offers, and that its files are those of `delve table`."""

import shlex
from dataclasses import replace

import pytest

import delvecore
from dashboard.server import archive as opened
from dashboard.tables import data as table_data
from delvecore.archive.score_tables import paper_table
from delvecore.cli import delve
from delvecore.report.paper.table import PAPER_FORMATS, PaperRequest, paper_table_bytes
from delvecore.score_tables.options import ScoreOptions
from tests.cli.running import Runner
from tests.dashboard.compare_archive import AGE, compared_archive
from tests.dashboard.conftest import Pages

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
    assert "methods on 1 task" in page_text(app)
    assert r"\begin{table}" in page_text(app)
    assert (
        f"delve table --format latex --loss S --methods 'far near one two' --digits column --top 4 {AGE}"
        in page_text(app)
    )
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
