"""`mloss` with several processes or on a Dask cluster makes what it makes alone."""

import shutil
from pathlib import Path

import pytest

from delvecore.cli import mgendata, mloss
from tests.archives import write_tree

pytestmark = pytest.mark.slow

TASKS = ("demo/age/std.4", "demo/age/std.8", "demo/sex/std.4")


@pytest.fixture
def predicted(small, run_command):
    """The methods of a delve directory, of which one has predictions on three tasks."""
    for number, task in enumerate(TASKS):
        directory = small / "methods/one" / task
        directory.mkdir(parents=True)
        assert run_command(mgendata.main, "-q", directory=directory).code == 0
        for instance in range(len(list(directory.glob("targets.*")))):
            lines = len((directory / f"targets.{instance}").read_text().splitlines())
            kind, word = ("guess", "male") if "sex" in task else ("cguess", f"0.{number}")
            write_tree(directory, {f"{kind}.{instance}": f"{word}\n" * lines})
    return small / "methods"


def files(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def made_alone(methods: Path, run_command, *options: str):
    """What `mloss` in one process says and writes in a copy, under the same path."""
    kept = methods.parents[1] / "kept"
    shutil.copytree(methods, kept)
    made_files = made_by(methods, run_command, *options)
    shutil.rmtree(methods)
    kept.rename(methods)
    return made_files


def made_by(methods: Path, run_command, *options: str):
    return run_command(mloss.main, *options, directory=methods / "one"), files(methods)


def test_processes_make_the_same_files_and_lines_as_one(predicted, run_command):
    alone = made_alone(predicted, run_command)
    assert made_by(predicted, run_command, "-j", "2") == alone
    assert len([name for name in alone[1] if "/loss." in name]) > 10


def test_a_cluster_makes_the_same_files_and_lines_as_one_process(predicted, run_command, dask):
    alone = made_alone(predicted, run_command, "-i", "0 1")
    assert made_by(predicted, run_command, "-i", "0 1", "--scheduler", dask.scheduler_address) == alone
    # A bad file stops it where it stops one process.
    bad = predicted / "one/demo/age/std.8/cguess.1"
    bad.write_text("0\nnan\n0\n0\n")
    alone = made_alone(predicted, run_command)
    assert alone[0].err.splitlines()[-1] == f"mloss: {bad}:2: expected a number, found 'nan'"
    assert made_by(predicted, run_command, "--scheduler", dask.scheduler_address) == alone


def test_options_that_do_not_go_together_are_refused(predicted, run_command):
    for options, message in (
        (
            ("-j", "2", "--scheduler", "x"),
            "-j: expected no -j with --scheduler, because the cluster sets the number of processes",
        ),
        (("-j", "0"), "-j: expected a number of processes of at least 1, found '0'"),
        (("-j", "-1"), "-j: expected a number of processes of at least 1, found '-1'"),
        (("--scheduler",), "option --scheduler needs a value (ADDRESS); -h explains it"),
    ):
        outcome = run_command(mloss.main, *options, directory=predicted / "one")
        assert outcome == (1, "", f"mloss: {message}\n")
