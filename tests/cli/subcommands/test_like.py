"""`delve like`: the nearest tasks of the shipped archive and the ranking on them, in all formats."""

import csv
import json
import re

import numpy as np
import pandas as pd
import pytest

import delvecore
from delvecore.cli.delve import main
from delvecore.cli.subcommands import like, rank
from delvecore.datasets import to_frame
from delvecore.errors import DelveError


@pytest.fixture(autouse=True)
def shipped(whole_archive, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(whole_archive))


@pytest.fixture
def kin(tmp_path):
    """500 cases of an archive's dataset, as a file with another name."""
    path = tmp_path / "arm.csv"
    to_frame("/kin-8nm/dist").sample(500, random_state=1).to_csv(path, index=False)
    return path


def printed(run_command, *words):
    outcome = run_command(like.main, *map(str, words))
    assert (outcome.code, outcome.err) == (0, "")
    return outcome.out


def test_cases_of_an_archive_are_nearest_to_their_dataset(kin, run_command):
    record = json.loads(printed(run_command, kin, "--target", "distance", "--format", "json"))
    assert next(iter(record)) == "assumed"
    assert record["assumed"][0] == "Target distance: regression."
    own, nearest, *_ = record["tasks"]["rows"]
    assert own["data"] == "arm.csv"
    assert nearest["data"] == "/kin-8nm/dist/std.512"
    assert nearest["distance"] < 0.3
    assert record["is_near"] is True
    assert len(record["tasks"]["rows"]) == 1 + 8


def test_the_ranking_is_that_of_delve_rank_on_the_same_tasks(kin, run_command):
    record = json.loads(printed(run_command, kin, "--target", "distance", "--format", "json"))
    tasks = [row["data"] for row in record["tasks"]["rows"][1:]]
    text = run_command(rank.main, *tasks, "--show", "leaderboard", "--format", "json").out
    assert record["methods"]["rows"] == json.loads(text)["rows"]


def test_text_begins_with_what_was_assumed(kin, run_command):
    text = printed(run_command, kin, "--target", "distance", "--nearest", "4")
    assert text.startswith("Target distance: regression.\nInputs: 8 real, 0 integer, 0 categorical.\n")
    assert re.search(r"arm\.csv has 8 inputs, \d+ % noise by gp-1, non-linearity 0\.\d\d\.", text)
    assert " ranks first of 12 on 4 regression datasets" in text or "Four datasets are too few" in text


@pytest.mark.parametrize(
    "form",
    ["csv", *(pytest.param(one, marks=pytest.mark.wide) for one in ("html", "latex", "markdown", "typst"))],
)
def test_other_formats_have_one_table(form, kin, run_command):
    methods = printed(run_command, kin, "--target", "distance", "--format", form).replace("\\", "")
    tasks = printed(run_command, kin, "--target", "distance", "--format", form, "--show", "tasks").replace(
        "\\", ""
    )
    assert "svr-cv-1" in methods
    assert "kin-8nm" not in methods
    assert "kin-8nm" in tasks
    if form == "csv":
        assert tasks.startswith("# Target distance: regression.\n")
        rows = list(csv.DictReader(line for line in tasks.splitlines() if not line.startswith("#")))
        assert [row["data"] for row in rows][:2] == ["arm.csv", "/kin-8nm/dist/std.512"]


def test_data_unlike_all_have_a_warning_with_numbers():
    # A single integer input of a function without any linear part: no dataset of the archive is like it.
    inputs = np.random.default_rng(1).integers(-20, 21, 400)
    similar = delvecore.like(pd.DataFrame({"x": inputs, "y": inputs**2.0}), "y")
    assert similar.nearness.is_far
    assert re.search(
        r"Nothing in the archive is near: the nearest task is at a distance of \d\.\d\d, farther than \d+ of the "
        r"archive's 31 prototasks",
        similar.sentence,
    )
    assert similar.to_frame()["method"].tolist() == list(similar.methods.table["method"])


def test_classes_are_ranked_on_tasks_of_classes():
    inputs = np.random.default_rng(2).normal(size=(200, 3))
    frame = pd.DataFrame(inputs, columns=["a", "b", "c"])
    frame["kind"] = np.where(inputs[:, 0] > 0, "up", "down")
    similar = delvecore.like(frame, "kind")
    assert repr(similar).startswith(similar.sentence)
    assert len(repr(similar)) < 3000
    assert all(row for row in similar.tasks.table["classes"])
    assert "/titanic/survived/std.160" in similar.tasks.table["data"]
    said = "These 8 prototasks are all that the archive has with a target of classes. The ranking covers all of them"
    assert any(note.startswith(said) for note in similar.tasks.notes)
    few = delvecore.like(frame, "kind", nearest=3)
    assert not any("all that the archive has" in note for note in few.tasks.notes)


def test_the_advice_says_that_it_was_not_shown_to_help(kin, run_command):
    text = " ".join(printed(run_command, kin, "--target", "distance").split())
    assert (
        "winners on the nearest tasks were not significantly better than the method that is best overall"
        in text
    )
    assert "all that the archive has" not in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "target: expected one of x, y, found none; name the column to predict"),
        (["--target", "z"], "target z: expected the name of a column, found none of x, y"),
        (["--target", "y", "--nearest", "1"], "--nearest: expected at least 2 tasks, found 1"),
        (["--target", "y", "--loss", "nothing"], "nothing"),
    ],
)
def test_what_cannot_be_done_is_one_line(words, message, tmp_path, capsys):
    path = tmp_path / "a.csv"
    path.write_text("x,y\n" + "".join(f"{n * 7 % 40},{n * 13 % 40}.5\n" for n in range(40)))
    assert main(["like", str(path), *words]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1


def test_an_archive_without_such_tasks_is_refused(archive):
    frame = pd.DataFrame({"x": [n * 7 % 40 for n in range(40)], "y": [n / 3 for n in range(40)]})
    with pytest.raises(DelveError, match="expected"):
        delvecore.like(frame, "y", archive=str(archive))
