"""Where folds of a table of scores failed all commands, pages and functions compare the same means.

The numbers are worked by hand: three folds of `8-low` are common, and `c` has one of four on `8-high`."""

import io
import json
import re
import shlex

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import delvecore
from dashboard.server import archive as opened
from dashboard.task_arrays import data as array_data
from dashboard.ui.selection import Selection
from delvecore.cli import delve
from delvecore.errors import DelveError
from delvecore.report.paper.table import PAPER_FORMATS
from delvecore.score_tables.options import ScoreOptions
from tests.cli.running import Runner

pytestmark = pytest.mark.slow

SCORES = {
    ("8-low", "a"): (0.9, 0.8, 0.7, 0.2),
    ("8-low", "b"): (0.8, 0.7, 0.6, None),
    ("8-low", "c"): (0.7, 0.6, 0.5, 0.1),
    ("8-high", "a"): (0.5, 0.5, 0.5, 0.5),
    ("8-high", "b"): (0.6, 0.2, 0.6, 0.2),
    ("8-high", "c"): (0.9, None, None, None),
    ("16-low", "a"): (0.6, 0.6, 0.4, 0.4),
    ("16-low", "b"): (0.7, 0.7, 0.5, 0.5),
    ("16-low", "c"): (0.2, 0.2, 0.2, 0.2),
    ("16-high", "a"): (0.4, 0.4, 0.4, 0.4),
    ("16-high", "b"): (0.1, 0.2, 0.3, 0.4),
    ("16-high", "c"): (0.3, 0.3, 0.3, 0.3),
    **{(dataset, "d"): (0.9, None, None, None) for dataset in ("8-low", "8-high", "16-low", "16-high")},
}
MEANS = {
    ("8-low", "a"): 0.8,
    ("8-low", "b"): 0.7,
    ("8-low", "c"): 0.6,
    ("8-high", "a"): 0.5,
    ("8-high", "b"): 0.4,
    ("16-low", "a"): 0.5,
    ("16-low", "b"): 0.6,
    ("16-low", "c"): 0.2,
    ("16-high", "a"): 0.4,
    ("16-high", "b"): 0.25,
    ("16-high", "c"): 0.3,
}
RANKS = {"a": 4 / 3, "b": 2, "c": 8 / 3}
"""Over the three datasets where all have a value: 1, 2, 1; 2, 1, 3; 3, 3, 2."""
SAID = (
    "16 of 64 runs have no value; means are over the instances (folds, seeds or training sets) that all "
    "methods have, 3 of 4 on 8-low. 1 value is missing because the method has fewer than half of the task's instances. d has 4 of 16 runs and is not ranked; name it among the methods to rank it."
)


@pytest.fixture
def path(tmp_path):
    rows = [
        (dataset, method, fold, value)
        for (dataset, method), values in SCORES.items()
        for fold, value in enumerate(values)
        if value is not None
    ]
    table = pd.DataFrame(rows, columns=["dataset", "method", "fold", "accuracy"])
    table.to_csv(tmp_path / "scores.csv", index=False)
    return str(tmp_path / "scores.csv")


@pytest.fixture
def run_delve(monkeypatch, capfdbinary):
    """Run `delve`, or another command, and return what it prints."""
    run = Runner(monkeypatch, capfdbinary)
    return lambda *words, main=delve.main: run(main, *words).out


@pytest.fixture
def archive(path):
    opened.choose_paths([path], scores=ScoreOptions())
    return opened.open_archive().archive


def plain(text):
    return " ".join(re.sub(r"[\\%#]", "", text).replace("’", "'").split())


def close(expected):
    return pytest.approx(expected, nan_ok=True)


def csv_of(text):
    return pd.read_csv(io.StringIO(text), comment="#")


def of_paper_table(text):
    """Return the means, and the average ranks, of a table of a paper as CSV."""
    rows = csv_of(text)
    known = rows[rows["value"].notna()]
    ranks = known[known["row_kind"] == "rank"].set_index("method")["value"].to_dict()
    tasks = known[known["row_kind"] == "task"]
    return dict(zip(zip(tasks["row"], tasks["method"], strict=True), tasks["value"], strict=True)), ranks


def of_array(rows):
    """Return the means of the estimates of a task-array."""
    known = rows[rows["standardized_mean"].notna()]
    return {(row["dataset"], row["method"]): row["standardized_mean"] for row in known.to_dict("records")}


def array_request(archive, **chosen):
    return array_data.choose_request(archive, Selection(**chosen), [])


def test_rank_in_python_and_as_a_command(path, run_delve):
    ranking = delvecore.rank(path)
    table = ranking.analysis.given
    values = {
        (task, method): value
        for task, row in zip(table.tasks, table.values.tolist(), strict=True)
        for method, value in zip(table.methods, row, strict=True)
        if not np.isnan(value)
    }
    assert values == close(MEANS)
    assert dict(zip(ranking.analysis.table.methods, ranking.analysis.ranks.average, strict=True)) == close(
        RANKS
    )
    told = json.loads(run_delve("rank", path, "--format", "json"))
    assert told["runs"]["text"] == SAID
    assert told["average_ranks"] == close(RANKS)


def test_the_table_of_a_paper_says_it_in_every_format(path, tmp_path, run_delve):
    assert of_paper_table(run_delve("table", path, "--format", "csv")) == (close(MEANS), close(RANKS))
    for form in PAPER_FORMATS:
        target = tmp_path / form
        run_delve("table", path, "--format", form, "--bare", "--output", str(target))
        if form == "parquet":
            text = " ".join(json.loads(pq.read_schema(target).metadata[b"notes"]))
        else:
            text = target.read_text()
        assert SAID.split(";")[0] in plain(text), form
        assert "d has 4 of 16 runs and is not ranked" in plain(text), form
    text = run_delve("table", path)
    assert SAID in plain(text)
    assert "Not used: 1 method (d): under half of their runs have a value." in plain(text)
    assert "–: no number: the method has fewer than half of the task's instances." in plain(text)


def test_the_page_tables(path, archive, run_page, run_delve):
    app = run_page("tables", format="csv")
    shown = next(code.value for code in app.code if "row_kind" in code.value)
    assert of_paper_table(shown) == (close(MEANS), close(RANKS))
    assert SAID.split(";")[0] in plain(shown)
    command = next(code.value for code in app.code if code.value.startswith("delve table"))
    assert run_delve(*shlex.split(command)[1:]).rstrip("\n") == shown
    named = run_page("tables", format="csv", methods=["a", "b", "d"])
    assert "not ranked" not in next(code.value for code in named.code if "row_kind" in code.value)


def test_the_numbers_of_a_task_array(path, run_delve):
    rows = csv_of(run_delve("array", "design", path, "--format", "csv"))
    assert of_array(rows) == close(MEANS)
    missing = rows[rows["missing"].notna()]
    assert list(zip(missing["dataset"], missing["method"], missing["missing"], strict=True)) == [
        ("8-high", "c", "too few runs")
    ]
    assert SAID in plain(run_delve("array", "design", path))
    assert SAID.split(";")[0] in plain(run_delve("array", "design", path, "--format", "latex"))
    told = json.loads(run_delve("array", "design", path, "--format", "json"))
    assert told["runs"]["text"] == SAID
    named = csv_of(run_delve("array", "design", path, "--format", "csv", "--methods", "a d"))
    assert of_array(named)["8-low", "a"] == close(0.9)


def test_a_reference_with_few_runs_has_to_be_named_among_the_methods(path, run_delve):
    with pytest.raises(DelveError, match="d: expected a method with half of its runs, found none; 16 of 64"):
        delvecore.open([path], cache=False).array("design", reference="d").to_frame()
    view = delvecore.open([path], cache=False).array("design", reference="d", methods=["a", "d"])
    assert of_array(view.to_frame())["8-low", "a"] == close(0.9)


def test_the_page_of_task_arrays(path, archive, run_page, run_delve):
    app = run_page("task_arrays")
    assert SAID in plain(" ".join(caption.value for caption in app.caption))
    request = array_request(archive)
    assert (request.available[-1], set(request.methods)) == ("d", {"a", "b", "c"})
    assert of_array(array_data.answer("estimates", request).figure.table.to_pandas()) == close(MEANS)
    command = shlex.split(array_data.command("estimates", request))
    assert of_array(csv_of(run_delve(*command[1:], "--format", "csv"))) == close(MEANS)
    chosen = array_request(archive, methods=("a", "d"))
    assert of_array(array_data.answer("estimates", chosen).figure.table.to_pandas())["8-low", "a"] == close(
        0.9
    )
    run_page("task_arrays", methods=["a", "d"])


def test_the_best_methods_of_each_task(path, run_delve):
    rows = csv_of(run_delve("top", path, "--format", "csv"))
    values = dict(
        zip(zip(rows["task"].str.split("/").str[1], rows["method"], strict=True), rows["mean"], strict=True)
    )
    assert values == close(MEANS)
    best = rows[rows["rank"] == 1]
    assert dict(zip(best["task"].str.split("/").str[1], best["method"], strict=True)) == {
        "8-low": "a",
        "8-high": "a",
        "16-low": "b",
        "16-high": "a",
    }
    on_low = rows[rows["task"].str.startswith("/8-low/")].set_index("method")
    assert on_low["sets"].to_dict() == {"a": 3, "b": 3, "c": 3}
    assert on_low["missing"].to_dict() == {"a": 0, "b": 1, "c": 0}
    assert SAID in plain(run_delve("top", path))
    assert json.loads(run_delve("top", path, "--format", "json"))["runs"]["accuracy"]["text"] == SAID
    each = csv_of(run_delve("top", path, "--each"))
    assert len(each) == 48


def test_of_nothing_but_few_runs_the_message_says_what_to_do(tmp_path, monkeypatch, capfdbinary):
    lines = ["dataset,method,fold,accuracy", *(f"{name},{name},0,0.5" for name in "xyz")]
    (tmp_path / "sparse.csv").write_text("\n".join(lines))
    path = str(tmp_path / "sparse.csv")
    said = {
        "table": ("6 of 9 runs have no value", "name them among the methods to rank them"),
        "rank": ("x has results on 1 of 3 tasks", "say --failed worst"),
    }
    for command, texts in said.items():
        outcome = Runner(monkeypatch, capfdbinary)(delve.main, command, path)
        assert (outcome.code, outcome.out) == (1, "")
        assert all(text in outcome.err for text in texts), outcome.err
