"""The command `delve array`: the tables of a task-array in every format."""

import csv
import io

import pytest

import delvecore
from delvecore import __version__
from delvecore.cli import dinfo
from delvecore.cli.delve import main as delve
from delvecore.cli.subcommands.array import DEFINITION, TABLES

SPECIFICATION = """Title: Two priors
Factors:
  prior   std: the usual | vague: a vague one
  target  age: age | sex: sex | job: work
Defined:
  target job  what somebody does
Members:
  demo/age/std    std age
  demo/age/vague  vague age
  other/sex/std   std sex
"""


@pytest.fixture
def array(small):
    """The small archive with a task-array `toy` in its data."""
    place = small / "data" / "toy"
    place.mkdir()
    (place / "Array.spec").write_text(SPECIFICATION, encoding="utf-8")
    return small


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_without_a_name_the_arrays_are_listed(run_command, array):
    outcome = run_command(delve, "array")
    assert (outcome.code, outcome.out) == (0, "toy  Two priors (3 members; prior, target)\n")


def test_csv_has_a_column_for_each_factor_and_a_row_for_each_hole(run_command, array):
    rows = rows_of(run_command(delve, "array", "toy", "--format", "csv").out)
    assert list(rows[0])[:4] == ["prior", "target", "training_size", "dataset"]
    assert len(rows) == 2 * 2 * 2 * 2  # levels, levels, sizes, methods
    assert {row["missing"] for row in rows if row["target"] == "sex"} == {
        "the archive does not have the tasks of this member",
        "no such member of the array",
    }
    known = {
        (row["task"], row["method"]): float(row["standardized_mean"]) for row in rows if not row["missing"]
    }
    expected = {
        (row["task"], row["method"]): row["standardized_mean"]
        for row in delvecore.open(array, cache=False).results.to_pylist()
        if row["loss"] == "S"
    }
    assert known == pytest.approx(expected)


def test_a_level_that_no_member_has_is_defined_and_no_row(run_command, array):
    text = run_command(delve, "array", "toy").out
    assert "No member has work (what somebody does)." in text
    assert "job" not in text
    lines = run_command(delve, "array", "toy", "--table", "definition", "--format", "csv").out.splitlines()
    assert (lines[0], lines[-1]) == (
        "factor,level,label,meaning,members",
        "target,job,work,what somebody does,0",
    )
    assert "No member has work" in run_command(delve, "array", "toy", "--table", "definition").out
    assert "job (work: what somebody does)" in run_command(dinfo.main, "/toy").out


@pytest.mark.parametrize("table", [table for table in TABLES if table != DEFINITION])
def test_every_table_has_every_format(table, run_command, array):
    command = f"delve array toy --table {table} --format latex --reference base"
    starts = {"text": "Two priors (/toy)", "csv": "", "json": "{"}
    starts["latex"] = f"% DELVE for the browser {__version__}: {command}\n"
    for form, start in starts.items():
        outcome = run_command(
            delve, "array", "toy", "--table", table, "--format", form, "--reference", "base"
        )
        assert (outcome.code, outcome.err) == (0, "")
        assert outcome.out.startswith(start)
        assert "line" in outcome.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gone"], "'gone': expected a task-array of this archive, found none; there are toy"),
        (
            ["toy", "--table", "differences"],
            "expected --reference METHOD for the differences, found none; there are base, line",
        ),
    ],
)
def test_what_is_not_there_is_said_in_one_line(arguments, message, run_command, array):
    outcome = run_command(delve, "array", *arguments)
    assert (outcome.code, outcome.out, outcome.err) == (1, "", f"delve array: {message}\n")


def test_an_archive_without_arrays_says_so(run_command, small):
    assert "expected a task-array, found none" in run_command(delve, "array").err


NAMES = (
    *("score", "accuracy", "1 - score", "1-AUC", "-LL", "neg_error", "utility", "cost"),
    "log_likelihood",
)
SIZES, BEDS = ("8", "16"), ("low", "high")


def values_of(dataset):
    """Five folds of two methods: the mean of `more` is 0.3 above that of `less` on all datasets but one."""
    base = 0.1 * (dataset.startswith("16") + 2 * dataset.endswith("high"))
    means = {"less": base + 0.1, "more": base + (0.05 if dataset == "16-high" else 0.4)}
    return {
        name: [mean + fold * (1 + (name == "more")) % 3 / 100 for fold in range(5)]
        for name, mean in means.items()
    }


@pytest.mark.parametrize("higher", [True, False], ids=["higher", "lower"])
@pytest.mark.parametrize("name", NAMES)
def test_numbers_of_scores_are_those_of_their_file_whatever_they_are_called(
    name, higher, run_command, tmp_path
):
    datasets = [f"{size}-{bed}" for size in SIZES for bed in BEDS]
    rows = [
        (dataset, method, fold, value)
        for dataset in datasets
        for method, values in values_of(dataset).items()
        for fold, value in enumerate(values)
    ]
    lines = [f"dataset,method,fold,{name}", *(",".join(map(str, row)) for row in rows)]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(lines))
    means = {
        (dataset, method): sum(values) / 5
        for dataset in datasets
        for method, values in values_of(dataset).items()
    }

    def table(which, *options):
        direction = f"--{'higher' if higher else 'lower'}-is-better"
        outcome = run_command(
            delve, "array", "design", str(path), direction, "--table", which, "--format", "csv", *options
        )
        assert outcome.code == 0
        return rows_of("".join(line for line in outcome.out.splitlines(True) if line[0] != "#"))

    estimates = table("estimates", "--reference", "less")
    # A quote keeps spreadsheets from taking `-LL` for a formula.
    assert {row["loss"].removeprefix("'") for row in estimates} == {name}
    by_dataset = {(row["dataset"], row["method"]): float(row["standardized_mean"]) for row in estimates}
    assert by_dataset == pytest.approx(means)
    best = {row["dataset"]: row["best"] for row in table("winners")}
    assert best == {
        dataset: (max if higher else min)(("less", "more"), key=lambda method: means[dataset, method])
        for dataset in datasets
    }
    for row in table("differences", "--reference", "less"):
        if row["method"] == "more":
            difference = means[row["dataset"], "more"] - means[row["dataset"], "less"]
            assert float(row["difference"]) == pytest.approx(difference)
            expected = "better" if (difference > 0) == higher else "worse"
            assert row["verdict"] in (expected, "not significant")
            assert row["dataset"] == "16-high" or row["verdict"] == expected
    effects = {
        row["contrast"]: float(row["effect"])
        for row in table("effects", "--loss-scale", "raw", "--methods", "less")
        if row["kind"] == "term" and row["contrast"]
    }
    # `less` is 0.1 higher at 16 than at 8, and 0.2 at high than at low.
    assert sorted(map(abs, effects.values())) == pytest.approx([0.1, 0.2])
    signs = {contrast: effect > 0 for contrast, effect in effects.items()}
    assert all(is_up == contrast.endswith(("16", "high")) for contrast, is_up in signs.items())
