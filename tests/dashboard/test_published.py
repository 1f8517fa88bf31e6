"""Published results on the pages Compare, Tables, Datasets and Task-arrays: shown, never tested or ranked."""

import pytest

import delvecore
from dashboard.compare import data
from dashboard.server import archive as opened
from dashboard.task_arrays import data as array_data
from dashboard.ui.request import Request
from delvecore.archive.score_tables import paper_table
from delvecore.cli import dinfo, mtable
from delvecore.losses.published import PublishedResult
from delvecore.plots.comparison import overview_figure
from delvecore.report.paper.table import PaperRequest, paper_table_bytes
from tests.archives import write_tree
from tests.dashboard.array_archive import ARRAY, array_archive
from tests.dashboard.compare_archive import AGE, SHADE, compared_archive
from tests.dashboard.conftest import Pages
from tests.dashboard.reading import codes, opened_archive, texts

pytestmark = pytest.mark.slow

PUBLISHED = f"""\
Source: A. Author, A paper, 1999
net-1999 {AGE} S 5 0.5 25 table 2, page 7
net-1999 {SHADE} classification-error 50 10 4 table 3
tree-1999 {AGE} mae 1 0.1 25 table 2, page 7
"""


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    """(path, known) of an archive with published results."""
    path, _ = compared_archive(tmp_path_factory.mktemp("published"))
    write_tree(path, {"data/demo/Published": PUBLISHED})
    opened.choose_paths([str(path)])
    return path, opened.open_archive().archive


def request_of(known, task, loss, *, is_raw=True):
    methods = tuple(data.ranked(known, task, loss))
    return Request(known, loss, tasks=(task,), methods=methods, reference=methods[0], is_raw=is_raw)


def test_published_results_have_hollow_marks_with_their_deviation(known):
    request = request_of(known[1], AGE, "S")
    answer = data.answer_about(request, "overview")
    *own, (name, *numbers, verdict, source) = answer.table.rows
    assert [source for *_, source in own] == [""] * len(request.methods)
    assert (name, numbers[:2], verdict) == ("net-1999†", [5.0, 0.5], "published, not tested")
    assert source == "A. Author, A paper, 1999, table 2, page 7"
    drawn = overview_figure(answer).plotly()
    assert "5.00 (SD 0.50)" in [each.text for each in drawn.layout.annotations]
    (mark,) = (trace for trace in drawn.data if trace.meta == "net-1999†")
    assert mark.marker.symbol.endswith("-open")


def test_nothing_compares_them(known):
    request = request_of(known[1], AGE, "S")
    apart = data.answer_about(request, "overview").table
    assert apart.select("difference", "p_adjusted").rows[-1] == (None, None)
    pairs = data.comparison_of(request).pairs
    assert "net-1999" not in {pair[f"method_{side}"] for pair in pairs for side in "ab"}


def test_a_table_has_them_with_a_sign_a_footnote_and_no_rank_or_does_without(known):
    archive = delvecore.open(str(known[0]), cache=False)
    request = PaperRequest(paths=("/demo",), loss="S", raw=True, digits="2")
    table = paper_table(archive, request)
    text = paper_table_bytes(table, "text", bare=True).decode()
    assert "net-1999†" in text
    assert "5.00 ± 0.10" in " ".join(text.split())
    assert "† A. Author, A paper, 1999: net-1999 (table 2, page 7)." in " ".join(text.split())
    column = [head.labels for head in table.columns].index(("net-1999",))
    ranks = [
        cells[column] for head, cells in zip(table.rows, table.cells, strict=True) if head.kind == "rank"
    ]
    assert all(cell.value is None for cell in ranks)
    latex = paper_table_bytes(table, "latex", bare=True).decode()
    assert r"net-1999\dag{}" in latex
    request = PaperRequest(paths=("/demo",), loss="S", published=False)
    assert "--no-published" in request.arguments
    assert "net-1999" not in paper_table_bytes(paper_table(archive, request), "text").decode()


def test_pages_show_them_with_their_source(known, run_page):
    page = Pages(known[0], run_page)
    said = texts(page("compare", task=AGE, loss="S")).replace("\\", "")
    assert "A paper, 1999: net-1999 (table 2, page 7)" in said
    table = page("datasets", dataset="demo", part="Results").dataframe[-1].value
    assert table[["method", "measure", "mean"]].values.tolist() == [
        ["net-1999", "S", 5.0],
        ["net-1999", "classification-error", 50.0],
        ["tree-1999", "mae", 1.0],
    ]
    assert any("net-1999" in text for text in codes(page("tables", loss="S")))


def test_mtable_has_them_with_a_dagger_and_in_its_csv_and_dinfo_a_line_a_method(
    known, monkeypatch, run_command
):
    monkeypatch.setenv("DELVE_PATH", str(known[0]))
    assert "net-1999†" in run_command(mtable.main, "-l", "S", "/demo").out
    lines = run_command(mtable.main, "-l", "S", "-f", "csv", "/demo").out.splitlines()
    assert any(",published," in line for line in lines if "net-1999" in line)
    said = " ".join(run_command(dinfo.main, "/demo").out.split())
    assert "net-1999: S, classification-error on 2 tasks (A. Author, A paper, 1999)" in said


def test_published_results_are_hollow_marks_in_units_of_the_baseline_and_the_page_says_so(tmp_path, run_page):
    path = array_archive(tmp_path)
    opened.choose_paths([str(path)])
    task = array_data.tasks_of(opened.open_archive().archive, ARRAY)[0]
    text = f"Source: A. Author, A paper, 1999\nnet-1999 {task} S 2 0.5 25 table 2\n"
    write_tree(path, {f"data/{task.split('/')[1]}/Published": text})
    archive = opened_archive(path)
    methods = array_data.ranked(archive, ARRAY, "S")
    request = Request(archive, "S", array=ARRAY, methods=methods, available=methods, reference=methods[0])
    (cell, value), *others = array_data.published(request)
    assert (others, cell.task, type(value)) == ([], task.split("/")[-1], PublishedResult)
    results = request.archive.to_frame("results", loss="S")
    own = results[(results["dataset"] == cell.dataset) & (results["task"] == cell.task)]
    constant = own["standardizer"].iloc[0]
    assert (value.mean, value.deviation) == (pytest.approx(2 / constant), pytest.approx(0.5 / constant))
    traces = array_data.curves(request).plotly().data
    hollow = [one for one in traces if one.marker.symbol == "diamond-open"]
    assert [one.y for one in hollow] == [(value.mean,)]
    assert "net-1999†" in str(hollow[0].to_plotly_json())
    assert "net-1999" not in {one.meta for one in traces}
    app = run_page("task_arrays", array=ARRAY, loss="S")
    assert (
        "were published elsewhere and are never tested. Their bars are one standard deviation over runs."
        in texts(app)
    )
