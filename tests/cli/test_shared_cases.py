"""Instances that share cases, from their lists to what tables, commands and rankings say of them."""

import json
import re

import pytest

import delvecore
from delvecore.cli import mstats, mtable
from delvecore.cli.subcommands import rank as delve_rank
from delvecore.cli.subcommands import table as delve_table
from tests.archives import write_tree
from tests.overlapping_archive import overlapping_archive

pytestmark = pytest.mark.slow

CROSS_VALIDATION = "training sets overlap (cross-validation): corrected resampled t, correlation 0.1696"
LEAVE_ONE_OUT = "training sets overlap (leave-one-out): corrected t over the test cases, correlation 0.06069"
HOLDOUT = "instances overlap (resampled): corrected resampled t, correlation 0.375"
FOLDS = "/demo/age/std.21"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return overlapping_archive(tmp_path_factory.mktemp("made"))


def rows_of(table):
    return {row["task"]: row for row in table.to_pylist()}


def test_a_faulty_list_leaves_the_scheme_open_and_its_task_untested(own):
    write_tree(own, {"data/demo/age/std.21.instances": "Instance: 0\nTraining: 1-4\nTest: 4-8\n"})
    archive = delvecore.open(own)
    assert rows_of(archive.tasks)["std.21"]["scheme"] is None
    assert "std.21" not in rows_of(archive.comparisons) or rows_of(archive.comparisons)["std.21"]["p"] is None


def test_comparisons_and_results_of_an_archive_are_corrected_and_say_so(root):
    archive = delvecore.open(root)
    compared, estimated = rows_of(archive.comparisons), rows_of(archive.results)
    said = {
        "std.21": "cross_validation(0.1696)",
        "std.23": "leave_one_out(0.06069)",
        "std.18": "resampled(0.375)",
    }
    tests = {"std.21": "resampled", "std.23": "cases", "std.18": "resampled"}
    for task, code in said.items():
        assert compared[task]["test"] == tests[task]
        assert compared[task]["notes"] == estimated[task]["notes"] == [code]
    assert compared["std.21"]["note"] == CROSS_VALIDATION
    assert compared["std.23"]["note"] == LEAVE_ONE_OUT
    assert compared["std.18"]["note"] == HOLDOUT
    assert compared["std.8"]["notes"] == estimated["std.8"]["notes"] == []


@pytest.mark.parametrize("form", ["text", "html"])
@pytest.mark.parametrize("command", ["mtable", "delve table"])
def test_tables_say_how_their_numbers_were_corrected(root, run_command, command, form):
    if command == "mtable":
        outcome = run_command(mtable.main, "-l", "S", "-f", form, "/demo/age")
    else:
        outcome = run_command(delve_table.main, "--loss", "S", "--format", form, "/demo/age")
    assert outcome.code == 0
    for said in (CROSS_VALIDATION, LEAVE_ONE_OUT, HOLDOUT):
        assert said in " ".join(outcome.out.split())
    assert f"{FOLDS}: training" in " ".join(outcome.out.split())


ARRAY = """Title: Priors of one prototask
Factors:
  prior  s: known well | v: known vaguely
Members:
  demo/age/std    s
  demo/age/vague  v
"""


def test_a_ranking_says_which_tasks_were_corrected(root, run_command):
    for form in ("text", "latex"):
        out = run_command(delve_rank.main, "/demo/age", "--format", form).out
        assert f"{FOLDS}: {CROSS_VALIDATION}" in " ".join(out.split())
    record = json.loads(run_command(delve_rank.main, "/demo/age", "--format", "json").out)
    assert f"{FOLDS}: {CROSS_VALIDATION}." in record["notes"]
    out = run_command(delve_rank.main, "/demo/age", "--show", "same").out
    assert f"{FOLDS}: {CROSS_VALIDATION}" in " ".join(out.split())


@pytest.mark.parametrize("task", ["std.21", "std.23", "std.18"])
def test_mstats_prints_the_corrected_p_on_request(root, run_command, task):
    place = f"/one/demo/age/{task}"
    plain, safe = (run_command(mstats.main, *extra, "-c", "two", place) for extra in ((), ("--safe",)))
    assert "share cases; only the last lines are corrected for that" in safe.err
    assert all(line in safe.out.splitlines() for line in plain.out.splitlines())
    row = rows_of(delvecore.open(root).comparisons)[task]
    (line,) = [line for line in safe.out.splitlines() if line.startswith("    Safe test, p = ")]
    p, lower, upper = re.fullmatch(r"    Safe test, p = (\S+), 95 % interval (\S+) to (\S+)", line).groups()
    assert float(p) == pytest.approx(row["p"], rel=1e-8)
    assert (float(lower) < 0 < float(upper)) is (row["p"] >= 0.05)
    assert row["note"] in " ".join(safe.out.split())
