"""A method with results on few tasks blocks no other one: it is left out, and named first."""

import json

import numpy as np
import pandas as pd
import pytest

import delvecore
from delvecore import DelveError
from delvecore.cli import delve, mgendata, mgendir, mloss
from delvecore.stats.ranking.analysis import analyze
from delvecore.stats.ranking.score_table import ScoreTable
from tests.packed import ROOT

FIRST = "Left out, with too few results: mine (1 of 8 tasks). --missing tasks keeps it."


@pytest.fixture
def table():
    """Three methods on eight tasks, of which the own one has a result on one."""
    values = np.array([[0.5, 0.6, np.nan]] * 8) + np.arange(8)[:, None] / 100
    values[3, 2] = 0.9
    return pd.DataFrame(values, columns=["a", "b", "mine"], index=pd.Index([*"stuvwxyz"], name="dataset"))


@pytest.fixture
def file(table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table.to_csv("table.csv")
    return "table.csv", "--higher-is-better", "--keep", "mine"


def test_an_incomplete_method_is_left_out_and_named_first(table):
    ranking = delvecore.rank(table, higher_is_better=True, keep="mine")
    assert ranking.methods == ("b", "a")
    assert ranking.sentence.startswith(f"{FIRST} b has the best mean rank of 2, ")
    assert "Mean rank 1.00 over 8 tasks" in ranking.sentence
    assert (ranking.analysis.dropped_methods, ranking.analysis.dropped_tasks) == (("mine",), ())


def test_it_can_be_kept(table):
    table.loc["t", "mine"] = 0.1
    kept = delvecore.rank(table, higher_is_better=True, keep="mine", missing="tasks")
    assert set(kept.methods) == {"a", "b", "mine"}
    assert kept.analysis.table.tasks == ("t", "v")
    assert "Left out" not in kept.sentence


def test_commands_name_it_before_the_ranking(file, run_command):
    text = run_command(delve.main, "rank", *file).out
    _, first, *_ = text.split("\n\n")
    assert " ".join(first.split()).startswith(f"{FIRST} b has the best mean rank")
    record = json.loads(run_command(delve.main, "rank", *file, "--format", "json").out)
    assert record["dropped_methods"] == ["mine"]
    assert record["answer"].startswith(FIRST)
    assert f"# {FIRST}\n" in run_command(delve.main, "rank", *file, "--format", "csv").out
    board = " ".join(run_command(delve.main, "rank", *file, "--show", "leaderboard").out.split())
    assert board.index(FIRST) < board.index("b is best of 2 on 8 tasks")
    report = " ".join(run_command(delve.main, "report", *file).out.split())
    assert report.index("Methods without a value on most tasks were left out (mine)") > 0
    assert report.index(FIRST) < report.index("b has the best mean rank")


def test_two_incomplete_methods_are_counted_each(table):
    table["other"] = [np.nan] * 6 + [0.1, 0.2]
    ranking = delvecore.rank(table, higher_is_better=True, keep=["mine", "other"])
    first = "Left out, with too few results: mine (1 of 8 tasks) and other (2 of 8 tasks). --missing tasks keeps them."
    assert ranking.sentence.startswith(first)
    assert ranking.methods == ("b", "a")


def test_a_method_with_most_results_stays(table):
    table["mine"] = [np.nan, np.nan, *[0.9] * 6]
    ranking = delvecore.rank(table, higher_is_better=True)
    assert set(ranking.methods) == {"a", "b", "mine"}
    assert len(ranking.analysis.dropped_tasks) == 2


def test_a_control_that_is_incomplete_is_told(table):
    with pytest.raises(DelveError, match=r"a control with results on most tasks, got 'mine', .* on 1 of 8"):
        delvecore.rank(table, higher_is_better=True, control="mine")


def test_nothing_is_left_out_of_a_whole_table():
    whole = ScoreTable(("s", "t"), ("a", "b"), np.array([[1.0, 2], [3, 4]]))
    analysis = analyze(whole, drop=None)
    assert (analysis.incomplete, analysis.dropped_methods) == ((), ())


@pytest.mark.slow
def test_one_task_of_an_own_method_does_not_block_the_shipped_ones(tmp_path, monkeypatch, run_command):
    """The manual's tutorial: predictions of zero on one task."""
    place = tmp_path / "delve" / "methods" / "mymethod" / "demo" / "age" / "std.256"
    (tmp_path / "delve" / "data").mkdir(parents=True)
    (tmp_path / "delve" / "methods").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("DELVE_PATH", f"{tmp_path / 'delve'}:{ROOT / 'data' / 'delve'}")
    assert run_command(mgendir.main, str(place.relative_to(tmp_path))).code == 0
    monkeypatch.chdir(place)
    assert run_command(mgendata.main).code == 0
    for cases in place.glob("test.*"):
        zeros = "0\n" * len(cases.read_text().splitlines())
        (place / f"cguess{cases.suffix}").write_text(zeros)
    assert run_command(mloss.main, "-q").code == 0
    monkeypatch.chdir(tmp_path)
    outcome = run_command(delve.main, "rank", "/demo")
    assert outcome.code == 0
    assert outcome.out.startswith("Left out, with too few results: mymethod (1 of 1")
    shown = json.loads(run_command(delve.main, "rank", "/demo", "--format", "json").out)
    assert shown["dropped_methods"] == ["mymethod"]
    assert len(shown["methods"]) > 10
    assert len(shown["tasks"]) > 10
