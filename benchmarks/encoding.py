"""Encoding and writing tasks beside `numpy.savetxt`, losses of predictions beside `numpy.loadtxt`."""

import os
import tempfile

import numpy as np

from benchmarks.made_tasks import (
    ATTRIBUTES,
    CASES,
    METHOD,
    SIZES,
    task_directory,
    write_probabilities,
    write_tasks,
)
from benchmarks.results import Finding
from benchmarks.timing import in_turns
from delvecore.encoding.encode import TaskPlan, encode_instance, plan_task
from delvecore.encoding.prototask_cases import prototask_cases
from delvecore.losses.baselines import test_set_statistics
from delvecore.losses.compute import write_task_losses
from delvecore.losses.method_task import open_method_task
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import read_task
from delvecore.writers.task_files import write_task_data

GOAL = 10e6
"""Values a second."""

_ENCODING = (
    f"{CASES} cases of {ATTRIBUTES} real attributes, half of them for testing, training sets of "
    f"{', '.join(map(str, SIZES))}; all files of `mgendata` for these five tasks, from cases in memory "
    "into new directories. Beside it: `numpy.savetxt(fmt='%.9g')` of the same encoded numbers. Medians of "
    "{rounds} turns."
)
_LOSSES = (
    f"`prob` files with {ATTRIBUTES} probabilities a test case for the same division of {CASES} cases, and "
    "`targets` files with as many numbers; losses L and Q of all five tasks, written into new directories. "
    "Beside it: `numpy.loadtxt` of the same files, without any loss. Values: those read. Medians of {rounds} "
    "turns."
)


def measure(*, rounds: int = 7) -> list[Finding]:
    """Time both on made data."""
    with tempfile.TemporaryDirectory() as parent:
        root = write_tasks(parent)
        return [_encoding(root, rounds), _losses(root, rounds)]


def _encoding(root, rounds):
    plans = [_plan(root, "numbers", size) for size in SIZES]
    arrays = [_arrays(plan) for plan in plans]
    count = sum(array.size for one in arrays for array in one.values())

    def ours():
        for plan in plans:
            statistics = test_set_statistics(plan.cases, plan.prior, plan.instances)
            write_task_data(plan, tempfile.mkdtemp(dir=root), statistics)

    def savetxt():
        for one in arrays:
            directory = tempfile.mkdtemp(dir=root)
            for name, array in one.items():
                np.savetxt(os.path.join(directory, name), array, fmt="%.9g")

    taken = in_turns({"ours": ours, "beside": savetxt}, rounds=rounds)
    return _finding("encoding and writing five tasks", count, taken, _ENCODING.format(rounds=rounds))


def _losses(root, rounds):
    for size in SIZES:
        plan = _plan(root, "classes", size)
        statistics = test_set_statistics(plan.cases, plan.prior, plan.instances)
        write_task_data(plan, task_directory(root, "classes", size), statistics)
    paths = [
        path
        for probabilities in write_probabilities(root)
        for path in (probabilities, probabilities.replace("prob.", "targets."))
    ]
    count = sum(np.loadtxt(path).size for path in paths)

    def ours():
        for size in SIZES:
            task = open_method_task(Hierarchy([root]), METHOD, "classes", "made", f"std.{size}")
            write_task_losses(task, tempfile.mkdtemp(dir=root))

    def loadtxt():
        for path in paths:
            np.loadtxt(path)

    taken = in_turns({"ours": ours, "beside": loadtxt}, rounds=rounds)
    return _finding("losses of five tasks", count, taken, _LOSSES.format(rounds=rounds))


def _plan(root, dataset, size) -> TaskPlan:
    hierarchy = Hierarchy([root])
    described, prototask, prior, _ = read_task(hierarchy, dataset, "made", f"std.{size}")
    cases = prototask_cases(hierarchy, described, prototask)
    return plan_task(hierarchy, cases, prior, size)


def _arrays(plan) -> dict[str, np.ndarray]:
    """Return {name: the numbers of a data file} for `numpy.savetxt`."""
    arrays = {}
    for instance in plan.instances:
        encoded = encode_instance(plan, instance)
        training = np.hstack([encoded.train_inputs, encoded.train_targets])
        number = instance.number
        arrays[f"train.{number}"] = training
        arrays[f"test.{number}"], arrays[f"targets.{number}"] = encoded.test_inputs, encoded.test_targets
    return arrays


def _finding(what, count, taken, note):
    speed, beside = count / taken["ours"], count / taken["beside"]
    measured, other = (f"{value / 1e6:.1f} million values/s" for value in (speed, beside))
    ratio = f"{speed / beside:.1f}x as fast"
    return Finding(what, measured, other, ratio, "10 million values/s", speed >= GOAL, note)
