"""Task directories that hold predictions but no losses: the archive computes what `mloss` would write."""

from pathlib import Path

import pytest

import delvecore
from delvecore.cli import mloss
from delvecore.methods import load_method
from delvecore.readers.results import parse_costs
from delvecore.runner.runs import run_methods
from tests.runner.archive import data_archive, plan

pytestmark = pytest.mark.slow

METHODS = ("base-1", "lin-1")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """An archive with the results of two methods, losses included."""
    root = data_archive(tmp_path)
    assert run_methods([plan(root, load_method(name), "/") for name in METHODS], workers=1) == []
    return root


def without_losses(root: Path) -> Path:
    for path in root.glob("methods/*/*/*/*/loss.*"):
        path.unlink()
    return root


def test_losses_and_results_are_those_of_the_loss_files(run):
    kept = delvecore.open(run, cache=False)
    made = delvecore.open(without_losses(run), cache=False)
    assert kept.losses.num_rows > 50
    assert made.losses.equals(kept.losses)
    assert made.results.equals(kept.results)
    assert made.problems.num_rows == kept.problems.num_rows == 0


def test_mloss_writes_the_same_numbers(run, monkeypatch):
    made = delvecore.open(without_losses(run), cache=False).losses
    monkeypatch.setenv("DELVE_PATH", str(run))
    for name in METHODS:
        assert mloss.main([str(run / "methods" / name)]) == 0
    assert delvecore.open(run, cache=False).losses.equals(made)


def test_a_bad_prediction_is_a_problem_of_its_task_alone(run):
    path = next(without_losses(run).glob("methods/lin-1/*/*/*/guess*.0"))
    lines = path.read_text().splitlines()
    path.write_text("\n".join(["x", *lines[1:]]) + "\n")
    archive = delvecore.open(run, cache=False)
    (message,) = archive.problems["message"].to_pylist()
    assert message.startswith(f"{path}:1: expected ")
    tasks = {
        (row["method"], row["dataset"], row["prototask"], row["task"]) for row in archive.results.to_pylist()
    }
    assert tuple(path.parts[-5:-1]) not in tasks
    assert ("base-1", *path.parts[-4:-1]) in tasks


def test_costs_are_a_table(run):
    archive = delvecore.open(run, cache=False)
    instances = {
        (row["dataset"], row["prototask"], row["task"]): row["instances"] for row in archive.tasks.to_pylist()
    }
    count = sum(instances.values())
    assert archive.costs.num_rows == 2 * count
    row = archive.costs.to_pylist()[0]
    assert row["method"] == "base-1"
    assert row["task"] == f"{row['prior']}.{row['training_size']}"
    assert row["seconds"] >= 0
    assert row["megabytes"] > 10


def test_costs_without_memory_are_read_and_faulty_lines_told():
    assert parse_costs("# instance seconds megabytes\n0 1.5 80.0\n1 2 -\n", "Costs") == {
        0: (1.5, 80.0, None),
        1: (2.0, None, None),
    }
    faults: list[Exception] = []
    assert parse_costs("0 1.5\n1 -1 3\n2 1 2\nx 1 2\n", "Costs", report=faults.append) == {
        2: (1.0, 2.0, None)
    }
    assert [str(fault) for fault in faults] == [
        f"Costs:{line}: expected a line 'INSTANCE SECONDS MEGABYTES TESTING-SECONDS', found {text!r}; run it again"
        for line, text in ((1, "0 1.5"), (2, "1 -1 3"), (4, "x 1 2"))
    ]


def test_opening_tells_how_far_it_is(run):
    steps: list = []
    delvecore.open(run, notify=steps.append)
    shares = [step.share for step in steps]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert steps[0].subject == "dataset demo"
    assert steps[-1].subject.startswith("results of lin-1 on ")
    again: list = []
    delvecore.open(run, notify=again.append)
    assert again == []
