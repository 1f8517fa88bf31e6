"""Pages of very many tasks and methods: what is computed and sent is what a reader can see, and is said so."""

import numpy as np
import pytest

from dashboard.server import archive as opened
from dashboard.tables import page as table_page
from dashboard.ui import blocks, findings
from delvecore.archive import Archive
from delvecore.errors import Problem
from tests.dashboard.conftest import Pages
from tests.dashboard.reading import figures, texts

TASKS, METHODS = 450, 70


@pytest.fixture(scope="module")
def values():
    """One score of each method on each task; methods differ."""
    random = np.random.default_rng(7)
    return 0.5 + (random.normal(size=(TASKS, METHODS)) + np.linspace(0, 1, METHODS)) / 16


@pytest.fixture(scope="module")
def page(values, tmp_path_factory, run_page):
    lines = [
        f"data-{task},m-{method},{value:.4f}"
        for task, row in enumerate(values)
        for method, value in enumerate(row)
    ]
    path = tmp_path_factory.mktemp("many") / "many.csv"
    path.write_text("\n".join(["dataset,method,accuracy", *lines]) + "\n")
    return Pages(path, run_page)


def test_the_losses_of_a_method_are_shown_a_part_at_a_time_the_farthest_from_the_lowest_first(values, page):
    app = page("methods", **{"method": "m-0", "method-part": "Losses"})
    (figure,) = figures(app)
    above = values.max(axis=1) - values[:, 0]
    own = next(trace for trace in figure["data"] if trace["name"] == "m-0")
    first = np.argsort(-above, kind="stable")[:50]
    assert [place.split("/")[1] for place, _ in own["customdata"]] == [f"data-{task}" for task in first]
    assert app.selectbox(key="local-tasks-shown").options[0] == f"1 to 50 of {TASKS}"


def test_of_a_long_table_the_file_is_made_of_the_part_that_is_seen_and_whole_when_asked(page, monkeypatch):
    written, write = [], table_page.paper_table_bytes
    monkeypatch.setattr(
        table_page, "paper_table_bytes", lambda table, form: written.append(table) or write(table, form)
    )
    app = page("tables")
    assert [len(table.rows) for table in written] == [50]
    assert "This is the file of the visible part; the download has all." in texts(app)
    assert len(app.multiselect(key="local-tasks").options) == TASKS


def test_a_single_score_a_task_is_never_tested(page, monkeypatch):
    monkeypatch.setattr(Archive, "compare", None)
    page("ranking", **{"ranking-part": "One pair"})
    app = page("ranking", **{"ranking-part": "Robustness"})
    assert "No task here can be tested." in texts(app)


def test_ranking_sends_no_more_rows_than_are_read(page):
    app = page("ranking", **{"ranking-part": "Robustness"})
    assert f"The 30 of {TASKS} without which most places change." in texts(app)
    order = next(
        one for one in figures(app) if any(trace.get("mode") == "lines+markers" for trace in one["data"])
    )
    assert max(len(trace["y"]) for trace in order["data"]) == 1 + 30
    app = page("ranking", drawn="best 60")
    assert "Shown: the first 60 of 70 methods by mean rank; choose others above." in texts(app)


def test_of_many_problems_a_thousand_are_sent_and_the_file_has_all(small, run_page, monkeypatch):
    problems = [Problem("result", f"/file-{n}", 1, "a number", "x", "mend it") for n in range(1500)]
    files, button = [], blocks.csv_button
    monkeypatch.setattr(findings, "known_findings", lambda state: problems)
    monkeypatch.setattr(blocks, "csv_button", lambda table, name: files.append(table) or button(table, name))
    app = run_page("file_check")
    assert [len(table.value) for table in app.dataframe] == [1000]
    assert [len(table) for table in files] == [1500 + len(opened.open_archive().archive.problems)]
