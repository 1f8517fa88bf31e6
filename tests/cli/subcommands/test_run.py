"""`delve run` from end to end on a small archive."""

import re

import pytest

from delvecore.cli import delve
from delvecore.cli.subcommands import run as delve_run
from delvecore.runner import runs
from tests.runner.archive import Failing, data_archive

pytestmark = pytest.mark.slow


@pytest.fixture
def own(tmp_path, monkeypatch):
    """An empty delve directory of one's own, with an archive of data active as well."""
    archive = data_archive(tmp_path)
    root = tmp_path / "mine" / "delve"
    for part in ("data", "methods"):
        (root / part).mkdir(parents=True)
    monkeypatch.setenv("DELVE_PATH", str(archive))
    monkeypatch.chdir(root / "methods")
    return root


def test_results_go_into_the_delve_directory_around_the_working_directory(run_command, own):
    outcome = run_command(delve.main, "run", "base-1", "/demo/age/std.8")
    where = own / "methods" / "base-1"
    assert outcome.code == 0
    done, cost = outcome.out.splitlines()
    assert done == f"base-1: 2 instances run, 0 complete before, 0 failed; results in {where}"
    assert re.fullmatch(r"base-1: \S+ s an instance \(median\), \S+ s in all; at most \d+ MB of memory", cost)
    assert outcome.err == "base-1/demo/age/std.8  100%  0:00 left\n"
    assert (where / "demo/age/std.8/loss.S.1").is_file()


def test_again_is_refused_where_the_results_are_in_another_delve_directory(run_command, own):
    archive = own.parent.parent / "delve-data"
    words = "base-1", "/demo/age/std.8", "-q"
    assert run_command(delve_run.main, *words, "--into", str(archive)).code == 0
    again = run_command(delve.main, "run", *words, "--again", "--codings", "default")
    assert (again.code, again.out) == (1, "")
    assert again.err == (
        f"delve run: --again: base-1: {archive} already has results on 1 task, which cannot be "
        "replaced; write there "
        f"(--into {archive}), or remove it from DELVE_PATH\n"
    )


def test_a_failed_instance_is_reported_counted_and_makes_the_exit_code_one(run_command, own, monkeypatch):
    monkeypatch.setattr("delvecore.cli.actions.run.load_method", lambda name: Failing(1))
    outcome = run_command(delve_run.main, "failing", "/demo/age/std.8")
    assert outcome.code == 1
    message = "failing/demo/age/std.8 instance 1: ZeroDivisionError: the training set is odd"
    assert f"delve run: {message}\n" in outcome.err
    assert outcome.out.startswith("failing: 1 instance run, 0 complete before, 1 failed;")


def test_an_unsuitable_method_says_why(run_command, own):
    outcome = run_command(delve.main, "run", "gp-1", "/demo/shade")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.splitlines() == [
        "delve run: /demo/shade: gp-1 cannot be applied: its target SHADE is ordinal",
        "delve run: expected a task for gp-1, found none among the named ones",
    ]
    both = run_command(delve.main, "run", "gp-1", "/demo/shade", "/demo/age/std.4", "-q")
    assert (both.code, both.out[:20]) == (0, "gp-1: 4 instances ru")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("base-1", "/demo/sex"), "/demo/sex: expected a prototask, found no Prototask.spec; check the name"),
        (
            ("base-1", "/nothing"),
            "/nothing: expected a dataset in {own} {archive}, found none; check the name, or list "
            "other delve "
            "directories in DELVE_PATH",
        ),
    ],
)
def test_wrong_names_are_refused_in_one_line(run_command, own, arguments, message):
    places = {"own": own, "parent": own.parent, "archive": own.parent.parent / "delve-data"}
    outcome = run_command(delve.main, "run", *(word.format(**places) for word in arguments))
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == f"delve run: {message.format(**places)}\n"


def test_the_shipped_archive_is_not_written_into_unless_it_is_named(run_command, tmp_path, monkeypatch):
    shipped = data_archive(tmp_path)
    monkeypatch.setattr("delvecore.packaging.staging.default_directories", lambda: [str(shipped)])
    monkeypatch.setenv("DELVE_PATH", str(shipped))
    for directory in (tmp_path, shipped / "methods"):
        outcome = run_command(delve.main, "run", "base-1", "/demo/age/std.8", directory=directory)
        assert outcome.code == 1
        assert outcome.err.startswith("delve run: expected a writable active delve directory")
        assert "--into" in outcome.err
    assert list((shipped / "methods").iterdir()) == []
    named = run_command(delve.main, "run", "base-1", "/demo/age/std.8", "--into", str(shipped))
    assert named.code == 0


def test_without_a_path_the_working_directory_counts_or_everything(run_command, own):
    archive = own.parent.parent / "delve-data"
    inside = archive / "data" / "demo" / "age"
    below = run_command(delve_run.main, "base-1", "--into", str(own), "-q", directory=inside)
    assert below.out.startswith("base-1: 12 instances run, 0 complete before")
    everything = run_command(
        delve_run.main, "base-1", "--resume", "--into", str(own), "-q", directory=own.parent
    )
    assert "12 complete before" in everything.out
    assert not everything.out.startswith("base-1: 0 instances")


def test_an_interrupted_run_keeps_what_is_complete(run_command, own, monkeypatch):
    original = runs.run_instance

    def interrupted(method, plan, instance):
        if instance.number == 1:
            raise KeyboardInterrupt
        return original(method, plan, instance)

    monkeypatch.setattr(runs, "run_instance", interrupted)
    outcome = run_command(delve_run.main, "base-1", "/demo/age/std.8", "-q")
    assert (outcome.code, outcome.out) == (130, "")
    expected = "interrupted; complete instances are kept; repeat the command to continue"
    assert outcome.err == f"delve run: {expected}\n"
    monkeypatch.setattr(runs, "run_instance", original)
    rest = run_command(delve_run.main, "base-1", "/demo/age/std.8", "-q")
    assert rest.out.startswith("base-1: 1 instance run, 1 complete before, 0 failed;")


def test_a_run_that_is_refused_leaves_no_new_directory(run_command, own, tmp_path):
    new = tmp_path / "delve-new"
    for words in (("base-1", "/nowhere/age/std.8"), ("gp-1", "/demo/shade")):
        outcome = run_command(delve.main, "run", *words, "--into", str(new))
        assert outcome.code == 1
        assert not new.exists()
    assert run_command(delve.main, "run", "base-1", "/demo/age/std.8", "-q", "--into", str(new)).code == 0
    assert (new / "methods" / "base-1").is_dir()
