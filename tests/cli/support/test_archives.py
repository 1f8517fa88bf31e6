"""Files of scores given to commands: from standard input too, with the options that say how they are read."""

import io
import sys

import pandas as pd
import pytest

from delvecore.cli import delve, mtable
from delvecore.cli.subcommands import rank
from delvecore.cli.support.score_options import score_options
from delvecore.render.provenance import reading_words
from delvecore.score_tables.options import ScoreOptions
from tests.scores_files import folds_csv


@pytest.fixture
def folds(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return folds_csv(tmp_path / "folds.csv", ("iris", "wine", "heart", "glass"))


class Bytes(io.StringIO):
    """A standard input of bytes."""

    def __init__(self, content):
        super().__init__()
        self.buffer = io.BytesIO(content)


def test_standard_input_is_read_as_a_file_is(folds, run_command, monkeypatch):
    of_file = run_command(delve.main, "rank", "folds.csv", "--format", "csv").out
    monkeypatch.setattr(sys, "stdin", Bytes(folds.read_bytes()))
    assert run_command(delve.main, "rank", "-", "--format", "csv").out == of_file != ""


def test_a_table_of_folds_has_the_scores_themselves_and_the_highest_is_the_best(folds, run_command):
    text = run_command(delve.main, "table", "folds.csv", "--format", "csv").out
    shown = pd.read_csv(io.StringIO(text), comment="#").query("row_kind == 'task'")
    means = pd.read_csv(folds).groupby(["dataset", "method"])["accuracy"].mean()
    series = shown.set_index(["row", "method"])["value"].sort_index()
    assert series.to_numpy() == pytest.approx(means.to_numpy())
    best = shown[shown["standing"] == "best"].set_index("row")["value"]
    assert best.to_dict() == pytest.approx(means.groupby(level=0).max().to_dict())
    rows = pd.read_csv(io.StringIO(run_command(mtable.main, "folds.csv", "-f", "csv").out), comment="#")
    assert rows["value"].tolist() == shown["value"].tolist()
    assert rows["standing"].tolist() == shown["standing"].tolist()


def test_options_of_files_without_a_file_are_refused(folds, run_command):
    outcome = run_command(delve.main, "rank", "--higher-is-better")
    assert (outcome.code, outcome.err) == (
        1,
        "delve rank: expected a file of scores, since options for scores are used, found none\n",
    )


@pytest.mark.parametrize("command", ["rank", "dashboard"])
def test_a_file_that_is_not_there_is_told_with_the_nearest_name(command, folds, tmp_path, run_command):
    outcome = run_command(delve.main, command, "fold.csv")
    given, nearest = ("fold.csv", "folds.csv")
    if command == "dashboard":
        given, nearest = str(tmp_path / given), str(tmp_path / nearest)
    said = f"{given}: expected a file or directory, found none; is it {nearest}?"
    assert outcome == (1, "", f"delve {command}: {said}\n")
    absent = str(tmp_path / "nowhere" / "t.csv")
    outcome = run_command(delve.main, command, absent)
    assert (
        outcome.err
        == f"delve {command}: {absent}: expected a file or directory, found none; check the path\n"
    )


def test_the_rows_that_are_asked_for_stand_in_commands_that_are_shown():
    rows = (("metric", ("auc", "f1")), ("dataset", ("iris",)))
    for options in (
        ScoreOptions(where=rows),
        ScoreOptions(keep=("mean", "-x"), drop=("a b",), transpose=False, sheet="S 1", decimal=","),
    ):
        assert score_options(rank.command().parse_args(["t.csv", *reading_words(options)])) == options


@pytest.mark.parametrize("command", ["rank", "report", "table", "top", "array"])
@pytest.mark.parametrize("first", ["--higher-is-better", "--lower-is-better"])
def test_two_directions_are_refused(command, first, folds, capsys):
    flags = sorted(["--higher-is-better", "--lower-is-better"], key=lambda flag: flag != first)
    with pytest.raises(SystemExit) as caught:
        delve.main([command, "folds.csv", *flags])
    out, error = capsys.readouterr()
    assert (caught.value.code, out) == (2, "")
    expected = f"delve {command}: {flags[1]}: not allowed with argument {first}; see delve {command} --help\n"
    assert error == expected


def test_two_directions_are_refused_by_a_classic_command(folds, run_command):
    outcome = run_command(mtable.main, "folds.csv", "--higher-is-better", "--lower-is-better")
    assert outcome == (1, "", "mtable: --lower-is-better: not allowed with argument --higher-is-better\n")
