"""Several processes give what one gives, and a process that dies costs its own instance only."""

import os
import signal
from pathlib import Path

import pytest

from delvecore.methods import load_method
from delvecore.methods.base_1 import Base1
from delvecore.runner import runs
from delvecore.runner.runs import run_methods
from tests.runner.archive import Random, data_archive, plan, result_files, run_method

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _others_help_at_once(monkeypatch):
    monkeypatch.setattr(runs, "ALONE", -1.0)


class DyingOnce(Base1):
    """base-1, but the first process that learns instance 1 is killed."""

    name = "dying-once"

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def fit_predict(self, instance, rng):
        if instance.number == 1 and not self.mark.exists():
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().fit_predict(instance, rng)


def test_any_number_of_processes_gives_the_same_bytes(tmp_path):
    results = []
    for workers in (1, 2):
        root = data_archive(tmp_path / str(workers))
        runs = [plan(root, method, "/demo/age/std.4") for method in (Random(), load_method("lin-1"))]
        assert run_methods(runs, workers=workers) == []
        results.append({method: result_files(root, method) for method in ("random", "lin-1")})
    assert results[0] == results[1]
    assert len(results[0]["random"]) > 10


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system")
def test_the_instance_of_a_process_that_was_killed_is_given_to_another(tmp_path):
    root = data_archive(tmp_path / "a")
    killed = DyingOnce(tmp_path / "mark")
    assert run_methods([plan(root, killed, "/demo/age/std.4")], workers=2) == []
    assert killed.mark.exists()
    other = data_archive(tmp_path / "b")
    assert run_methods([plan(other, killed, "/demo/age/std.4")]) == []
    assert result_files(root, "dying-once") == result_files(other, "dying-once")


def test_costs_of_each_instance_are_kept(tmp_path):
    root = data_archive(tmp_path)
    outcomes = []
    run_method(plan(root, Base1(), "/demo/age/std.8"), outcomes)
    heading, *lines = (root / "methods/base-1/demo/age/std.8" / "Costs").read_text().splitlines()
    assert heading == "# instance seconds megabytes testing-seconds"
    assert [line.split()[0] for line in lines] == [str(one.instance) for one in outcomes]
    for line, outcome in zip(lines, outcomes, strict=True):
        _, seconds, megabytes, _ = line.split()
        assert float(seconds) == pytest.approx(outcome.cost.seconds, abs=0.001)
        assert float(megabytes) == pytest.approx(outcome.cost.megabytes, abs=0.1)
        assert 10 < float(megabytes) < 10_000
