"""Mistyped commands, options and values: one line with what was expected and the likely word; other names of commands."""

import subprocess
import sys

import pytest

from delvecore.cli import delve
from delvecore.cli.delve import CLASSIC

SCORES = "dataset,a,b\none,1,2\ntwo,3,4\nthree,5,6\n"


@pytest.fixture
def scores(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_text(SCORES, encoding="utf-8")
    return "scores.csv"


def line_of(capsys, *words):
    try:
        code = delve.main(list(words))
    except SystemExit as end:
        code = end.code
    out, error = capsys.readouterr()
    assert (code, out, error.count("\n")) == (2, "", 1), error
    return error


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("ranks", "rank"),
        ("compare", "rank"),
        ("dashbord", "dashboard"),
        ("chek", "check"),
        ("mstat", "mstats"),
    ],
)
def test_a_mistyped_command_gets_the_likely_one(typed, meant, capsys):
    assert line_of(capsys, typed).endswith(f"found '{typed}'; did you mean delve {meant}?\n")


@pytest.mark.parametrize(
    ("option", "value", "choices"),
    [
        ("--test", "foo", "flips, wilcoxon, nemenyi, control"),
        ("--format", "latx", "text, json, csv, latex"),
        ("--unit", "fold", "task, dataset, family"),
    ],
)
def test_a_wrong_value_is_one_line_with_the_choices(option, value, choices, scores, capsys):
    error = line_of(capsys, "rank", scores, option, value)
    assert error.startswith(f"delve rank: {option}: expected one of {choices}, found '{value}'")


def test_a_mistyped_option_gets_the_likely_one(scores, capsys):
    error = line_of(capsys, "rank", scores, "--higher-is-beter")
    assert error == (
        "delve rank: unknown option --higher-is-beter; did you mean --higher-is-better?; see delve rank --help\n"
    )


def test_the_check_of_a_file_of_scores_names_the_command_that_reads_it(scores, capsys):
    assert delve.main(["check", scores]) == 1
    error = capsys.readouterr().err
    assert "scores.csv: expected a delve directory, found a file of scores; delve rank " in error
    assert "higher_is_better" not in error


@pytest.mark.parametrize("name", CLASSIC)
def test_commands_of_delve_run_behind_delve_too(name, capsys):
    assert delve.main([name, "-v"]) == 0
    assert capsys.readouterr().out.startswith(f"DELVE-compatible {name} ")


def test_python_runs_the_package_as_the_command():
    answer = subprocess.run([sys.executable, "-m", "delvecore", "--version"], capture_output=True, text=True)
    assert (answer.returncode, answer.stdout.split()[0]) == (0, "delve")
