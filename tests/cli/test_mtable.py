"""The command `mtable`: methods x tasks with errors and significance."""

import re

import pytest

import delvecore
from delvecore.cli.mtable import main as mtable
from tests.archives import write_tree
from tests.score_texts import csv_rows


def rows_of(text):
    return list(csv_rows(text))


def test_without_options_there_is_a_table_for_each_loss_with_results(run_command, small):
    outcome = run_command(mtable, "/")
    assert outcome.code == 0
    titles = [line for line in outcome.out.splitlines() if "standardized: " in line]
    assert [title[: title.index(",")] for title in titles] == [
        "Absolute error (A)",
        "Negative Log probability (L)",
        "Squared error (S)",
        "Zero-one (Z)",
    ]


def test_values_are_those_of_the_archive_at_full_precision(run_command, small, monkeypatch):
    outcome = run_command(mtable, "-f", "csv", "-l", "S", "/demo/age")
    expected = {
        (f"/{row['dataset']}/{row['prototask']}/{row['task']}", row["method"]): row["standardized_mean"]
        for row in delvecore.open(small, cache=False).results.to_pylist()
        if row["loss"] == "S" and row["standardized_mean"] is not None
    }
    by_task = {(row["task"], row["method"]): row["value"] for row in rows_of(outcome.out)}
    assert {key: float(value) for key, value in by_task.items() if value} == pytest.approx(expected)
    assert by_task["/demo/age/std.8", "base"] == ""


@pytest.mark.parametrize("place", ["data/demo/age", "methods/line/demo/age"])
def test_without_a_path_the_current_directory_is_meant(run_command, small, place):
    assert run_command(mtable, directory=small / place).out == run_command(mtable, "/demo/age").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-f", "word"], "expected one of text, csv, latex, html, markdown after -f, found 'word'"),
        (["-l", "SX"], "expected losses among "),
        (["-a", "1"], "expected a level between 0 and 1 after -a, found '1'"),
    ],
)
def test_wrong_arguments_are_refused_in_one_line(run_command, small, arguments, message):
    outcome = run_command(mtable, *arguments)
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith(f"mtable: {message}")
    assert outcome.err.count("\n") == 1


FOLDS = "".join(
    f"{dataset},{method},{fold},{(10 * place + fold) / 100}\n"
    for dataset in ("heart", "wine")
    for place, method in enumerate(("tree", "svm", "knn"))
    for fold in range(3)
)


@pytest.fixture
def folds(tmp_path):
    (tmp_path / "folds.csv").write_text(f"dataset,method,fold,error\n{FOLDS}")
    return "folds.csv"


def test_a_table_of_scores_has_its_datasets_as_rows(run_command, small, folds):
    outcome = run_command(mtable, folds, "-r", "svm", "-m", "tree svm")
    lines = outcome.out.splitlines()
    assert lines.pop(0).startswith("Read: 3 methods (")
    lines = lines[lines.index("") + 1 :]
    assert (outcome.code, lines[2].split()) == (0, ["Task", "tree", "svm"])
    # Means of 0, 0.01, 0.02 and of 0.1, 0.11, 0.12.
    assert [line.split()[0] for line in lines[3:5]] == ["heart", "wine"]
    assert re.findall(r"(\S+) ±", lines[3]) == ["0.0100", "0.1100"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-m", "nobody"], "nobody: expected a method among tree, svm, knn, found none"),
        (["-l", "S"], "expected one of the losses error, found 'S'"),
    ],
)
def test_what_a_table_of_scores_does_not_have_is_told_in_one_line(
    run_command, small, folds, arguments, message
):
    outcome = run_command(mtable, folds, *arguments)
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.splitlines()[-1] == f"mtable: {message}"


def test_faults_in_the_files_are_counted_not_hidden(run_command, small):
    write_tree(small, {"methods/base/demo/age/std.4/loss.S.0": "1\nx\n"})
    outcome = run_command(mtable, "-l", "S", "/demo")
    assert outcome.code == 0
    assert "faults in the files are left out; delve check lists them" in outcome.err
