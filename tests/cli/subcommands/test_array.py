"""The command `delve array`: the tables of a task-array in every format."""

import csv
import io

import pytest

import delvecore
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
    starts = {"text": "Two priors (/toy)", "csv": "", "json": "{", "latex": "% \\usepackage{booktabs}"}
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
        (["gone"], "gone: expected a task-array, found none of this name; there are toy"),
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
