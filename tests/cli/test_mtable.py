"""The command `mtable`: methods x tasks with errors and significance."""

import re

import pytest

import delvecore
from delvecore.cli.mtable import FORMATS
from delvecore.cli.mtable import main as mtable
from delvecore.losses.standard_losses import LOSSES
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
    found = {(row["task"], row["method"]): row["value"] for row in rows_of(outcome.out)}
    assert {key: float(value) for key, value in found.items() if value} == pytest.approx(expected)
    assert found["/demo/age/std.8", "base"] == ""


def test_p_is_that_of_the_comparison_with_the_lowest(run_command, small):
    rows = rows_of(run_command(mtable, "-f", "csv", "-l", "Z", "/demo/sex").out)
    (pair,) = [
        row for row in delvecore.open(small, cache=False).comparisons.to_pylist() if row["loss"] == "Z"
    ]
    worse = next(row for row in rows if row["standing"] != "lowest")
    assert float(worse["p"]) == pytest.approx(pair["p"])
    assert float(worse["p_adjusted"]) == pytest.approx(pair["p_adjusted"])
    assert worse["test"] == "crossed"


def test_csv_of_several_losses_has_one_header(run_command, small):
    lines = run_command(mtable, "-f", "csv", "-l", "A S", "/").out.splitlines()
    assert [line for line in lines if line.startswith("loss,")] == lines[:1]
    assert {line[0] for line in lines[1:]} == {"A", "S"}


def test_methods_are_shown_in_the_order_asked_for_with_the_reference_among_them(run_command, small):
    out = run_command(mtable, "-l", "S", "-m", "line", "-r", "base", "/demo").out
    assert out.splitlines()[3].split() == ["Task", "base", "line"]


def test_a_path_of_a_method_stands_for_the_data_it_was_run_on(run_command, small):
    assert run_command(mtable, "/line/demo/age").out == run_command(mtable, "/demo/age").out


@pytest.mark.parametrize("place", ["data/demo/age", "methods/line/demo/age"])
def test_without_a_path_the_current_directory_is_meant(run_command, small, place):
    assert run_command(mtable, directory=small / place).out == run_command(mtable, "/demo/age").out


def test_outside_of_a_delve_directory_all_tasks_are_shown(run_command, small):
    assert run_command(mtable, directory=small.parent).out == run_command(mtable, "/").out


def test_several_paths_make_one_table(run_command, small):
    out = run_command(mtable, "-f", "csv", "-l", "S", "/demo/age/std.8", "/demo/age/std.4").out
    assert {row["task"] for row in rows_of(out)} == {"/demo/age/std.4", "/demo/age/std.8"}


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_ends_with_one_line_end(run_command, small, form):
    outcome = run_command(mtable, "-f", form, "/demo")
    assert outcome.code == 0
    assert outcome.out.endswith("\n")
    assert not outcome.out.endswith("\n\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-f", "word"], "expected one of text, csv, latex, html, markdown behind -f, found 'word'"),
        (
            ["-l", "SX"],
            f"expected losses among {' '.join(LOSSES)}, or specialized ones such as Z0.2N, behind -l, found 'X'",
        ),
        (
            ["-l", ""],
            f"expected losses among {' '.join(LOSSES)}, or specialized ones such as Z0.2N, behind -l, found none",
        ),
        (["-a", "1"], "expected a level between 0 and 1 behind -a, found '1'"),
        (["-a", "nan"], "expected a level between 0 and 1 behind -a, found 'nan'"),
        (["-m", ""], "expected names of methods behind -m, found none"),
        (["-m", "none"], "none: expected a method, found none; mls / lists the methods"),
        (["-r", "../x"], "../x: expected a method, found none; mls / lists the methods"),
        (["/nowhere"], "/nowhere: expected a place with tasks, found none; dls and dinfo list them"),
        (["-m", "base", "-l", "L", "/"], "/: expected losses of base under L, found none; mloss makes them"),
        (["/demo/age/std.8/x"], "/demo/age/std.8/x: expected a dataset, prototask or task"),
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
    assert lines.pop(0).startswith("Read: 3 methods on 2 datasets, ")
    lines = lines[lines.index("") + 1 :]
    assert (outcome.code, lines[2].split()) == (0, ["Task", "tree", "svm"])
    # Means of 0, 0.01, 0.02 and of 0.1, 0.11, 0.12.
    assert [line.split()[0] for line in lines[3:5]] == ["heart", "wine"]
    assert re.findall(r"(\S+) ±", lines[3]) == ["0.0100", "0.1100"]


def test_csv_of_scores_has_their_means_and_verdicts(run_command, small, folds):
    (first, *_) = rows_of(run_command(mtable, folds, "-f", "csv", "-l", "error").out)
    assert (first["loss"], first["task"], first["method"]) == ("error", "/heart/scores/all", "knn")
    assert float(first["value"]) == pytest.approx((0.20 + 0.21 + 0.22) / 3)


def test_files_beside_the_data_are_not_taken_for_scores(run_command, small):
    (small / "data/scores.csv").write_text(f"dataset,method,fold,error\n{FOLDS}")
    assert run_command(mtable, ".", directory=small / "data").out == run_command(mtable, "/").out


def test_single_scores_are_a_table_without_errors(run_command, small, tmp_path):
    (tmp_path / "wide.csv").write_text("dataset,tree,svm\nheart,0.5,0.75\nwine,0.25,0.125\n")
    outcome = run_command(mtable, "wide.csv", "--higher-is-better")
    rows = [line.split() for line in outcome.out.splitlines()]
    assert outcome.code == 0
    assert ["Task", "svm", "tree"] in rows
    assert ["heart", "0.750", "*", "0.500"] in rows
    assert ["wine", "0.125", "0.250", "*"] in rows


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-m", "nobody"], "nobody: expected a method among tree, svm, knn, found none"),
        (["-r", "nobody"], "nobody: expected a method among tree, svm, knn, found none"),
        (["-m", ""], "expected names of methods behind -m, found none"),
        (["-l", "S"], "expected one of the losses error, found 'S'"),
        (["-f", "word"], "expected one of text, csv, latex, html, markdown behind -f, found 'word'"),
        (["--share", "2"], "--share: expected a share of at least 0 and below 1, found '2'"),
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
    assert "faults in the files, of which delve check tells" in outcome.err
