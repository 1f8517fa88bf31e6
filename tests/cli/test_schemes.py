"""Schemes of instances from their files to what tables, commands and rankings say of them."""

import re

import pytest

import delvecore
from delvecore.cli import dcheck, mgendata, mgendir, mstats
from delvecore.plan import Plan
from delvecore.stats.choose import Setting
from tests.schemes_archive import PLACES, schemes_archive

pytestmark = pytest.mark.slow

SCHEMES = {
    "/demo/age/std.24": (
        "bootstrap .632",
        "percentile",
        "bootstrap .632: 0.368 of the loss on training cases",
    ),
    "/demo/age/std.16": ("one split", "runs", "the error is that of runs on this split only"),
    "/demo/age/std.18": ("repeated cross-validation", "resampled", "corrected resampled t, correlation"),
    "/demo/age/std.6": ("resampled", "resampled", "corrected resampled t, correlation"),
    "/demo/shade/std.23": ("leave-one-out", None, "not tested: leave-one-out of losses 0 or 1"),
    "/demo/shade/std.24": ("bootstrap e0", "percentile", "percentiles of samples drawn with replacement"),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return schemes_archive(tmp_path_factory.mktemp("made"))


def rows_at(table, path):
    names = ("dataset", "prototask", "task")
    return [row for row in table.to_pylist() if "/" + "/".join(row[name] for name in names) == path]


def pair(archive, path):
    rows = rows_at(archive.compare(setting=Setting(adjust="none")), path)
    return next(row for row in rows if {row["method_a"], row["method_b"]} == {"one", "two"})


def test_each_scheme_is_in_the_tasks_table_and_has_its_test(root):
    archive = delvecore.open(root)
    for path, (scheme, test, note) in SCHEMES.items():
        (task,) = rows_at(archive.tasks, path)
        row = pair(archive, path)
        assert (task["scheme"], task["test_set_selection"], row["test"]) == (scheme, "hierarchical", test)
        assert note in row["note"]


def test_what_was_made_by_a_plan_holds_what_its_scheme_promises(root, run_command):
    assert run_command(dcheck.main, "/demo").out == ""


@pytest.mark.parametrize("path", SCHEMES)
def test_mstats_and_the_tables_have_the_same_p_and_say_the_same(root, run_command, path):
    loss, row = PLACES[path][1], pair(delvecore.open(root), path)
    text = run_command(mstats.main, "-l", loss, "-c", "two", f"/one{path}").out
    sign = 1 if row["method_a"] == "one" else -1
    safe = re.search(r"Safe test, p = (\S+), 95 % interval (\S+) to (\S+)", text)
    assert (safe is None) == (row["p"] is None)
    if safe is not None:
        bounds = sorted(sign * row[name] for name in ("lower", "upper"))
        assert [float(one) for one in safe.groups()] == pytest.approx([row["p"], *bounds], rel=1e-7)
    assert row["note"] in " ".join(text.split())
    mean = re.search(r"expected loss for one: +(\S+)", text)[1]
    assert float(mean) == pytest.approx(row["mean_a"] if sign > 0 else row["mean_b"], rel=1e-7)


def test_mstats_of_a_bootstrap_has_the_estimate_and_error_of_the_archive(root, run_command):
    for path in ("/demo/age/std.24", "/demo/shade/std.24"):
        outcome = run_command(mstats.main, "-l", PLACES[path][1], f"/one{path}")
        row = next(row for row in rows_at(delvecore.open(root).results, path) if row["method"] == "one")
        numbers = [
            float(re.search(rf"{title} +(\S+)", outcome.out)[1])
            for title in ("expected loss:", "Standard error for estimate:")
        ]
        assert numbers == pytest.approx([row["mean"], row["standard_error"]], rel=1e-7)
        assert (outcome.err, "bootstrap" in outcome.out) == ("", True)


def test_a_case_that_is_drawn_twice_has_two_lines_in_the_training_file(own, run_command, monkeypatch):
    directory = own / "methods/own/demo/age/std.24"
    directory.parent.mkdir(parents=True)
    monkeypatch.chdir(own)
    assert run_command(mgendir.main, str(directory)).code == 0
    assert run_command(mgendata.main, str(directory)).code == 0
    drawn = re.search(r"Instance: 1\nTraining: (.*)\n", (own / "data/demo/age/std.24.instances").read_text())[
        1
    ]
    times = sorted(int(word.partition("*")[2] or 1) for word in drawn.split() if "-" not in word)
    lines = (directory / "train.1").read_text().splitlines()
    assert len(lines) == 24
    alike = sorted(lines.count(line) for line in set(lines))
    assert alike[-1] == times[-1] > 1
    assert len((directory / "train.0").read_text().splitlines()) == 24


@pytest.mark.parametrize("plan", [Plan("e0", 30), Plan("632", 30)])
def test_mstats_of_few_bootstrap_samples_tests_nothing(plan, tmp_path, monkeypatch, run_command):
    place = "/demo/age/std.24"
    root = schemes_archive(tmp_path, {place: (plan, "S")})
    monkeypatch.setenv("DELVE_PATH", str(root))
    printed = " ".join(run_command(mstats.main, "-l", "S", "-c", "two", f"/one{place}").out.split())
    assert "Significance of difference (percentiles), p = undefined" in printed
    assert "Safe test, p = undefined Bootstrap" in printed or "Safe test, p = undefined bootstrap" in printed
    # 2 / 31 of a single pair
    assert "not tested: not testable with 30 bootstrap samples (smallest adjusted p 0.065)." in printed
    rows = rows_at(delvecore.open(root).compare(), place)
    assert {(row["verdict"], row["p_adjusted"], row["lower"]) for row in rows} == {("not tested", None, None)}
    # 3 x 2 / 31 of three pairs
    reason = "not tested: not testable with 30 bootstrap samples (smallest adjusted p 0.19)"
    assert all(row["note"].endswith(reason) for row in rows)
