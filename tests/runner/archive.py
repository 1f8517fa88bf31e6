"""A small archive without results, and methods for trying the runner."""

from pathlib import Path

import numpy as np

from delvecore.methods.base_1 import Base1
from delvecore.readers.hierarchy import Hierarchy
from delvecore.runner.choice import choose_tasks
from delvecore.runner.runs import PlannedRun, plan_run, run_methods
from tests.archives import small_archive


class Failing(Base1):
    """base-1, but it fails on one instance; it counts the instances that it was given."""

    name = "failing"

    def __init__(self, number: int | None = 1) -> None:
        self.number, self.seen = number, []

    def fit_predict(self, instance, rng):
        self.seen.append(instance.number)
        if instance.number == self.number:
            raise ZeroDivisionError("the training set\nis odd")
        return super().fit_predict(instance, rng)


class Random(Base1):
    """Guesses at random."""

    name = "random"

    def predict_number(self, problem, rng):
        prediction = super().predict_number(problem, rng)
        noise = rng.normal(size=len(prediction.mean))
        return type(prediction)(noise, noise, prediction.distribution)


def data_archive(parent: Path, name: str = "delve-data") -> Path:
    """The data of `small_archive`, and no methods."""
    root = small_archive(parent, name)
    for path in sorted((root / "methods").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    return root


def plan(root: Path, method, *tasks: str, **options) -> PlannedRun:
    """What has to be done for a method on tasks of an archive, with results in the same archive."""
    hierarchy = Hierarchy([str(root)])
    places = [tuple(task.strip("/").split("/")) if task != "/" else () for task in tasks]
    specified, faults = choose_tasks(hierarchy, places)
    return plan_run(hierarchy, method, specified, str(root), faults=faults, **options)


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def numbers(path: Path) -> np.ndarray:
    return np.loadtxt(path, ndmin=1)


def result_files(root: Path, method: str) -> dict[str, bytes]:
    """The contents of all files of a method, by name, without the costs, which the clock decides."""
    directory = root / "methods" / method
    paths = (path for path in sorted(directory.rglob("*")) if path.is_file() and path.name != "Costs")
    return {str(path.relative_to(directory)): path.read_bytes() for path in paths}


def run_method(run: PlannedRun, outcomes: list | None = None, **options) -> list[str]:
    """Run all planned instances of one method in this process; add their outcomes to a list."""
    kept = [] if outcomes is None else outcomes
    return run_methods([run], notify=lambda request, outcome: kept.append(outcome), **options)
