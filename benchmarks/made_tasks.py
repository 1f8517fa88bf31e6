"""A made dataset of the size that the benchmarks of encoding and losses use, and tasks of a method on it."""

import os
from collections.abc import Iterator

import numpy as np

from delvecore.number_format.columns import NumberColumn, joined_lines

CASES, ATTRIBUTES, CLASSES = 8192, 33, 33
SIZES = (64, 128, 256, 512, 1024)
TEST_CASES, MOST_INSTANCES = CASES // 2, 8
METHOD = "made"

_SPECIFICATION = """Title: made for benchmarks
Origin: artificial
Usage: development
Order: uninformative
Attributes:
"""
_PROTOTASK = f"""Cases: all
Origin: artificial
Order: retain
Test-Set-Size: {TEST_CASES}
Training-Set-Sizes: {" ".join(map(str, SIZES))}
Test-Set-Selection: hierarchical
Maximum-Number-Of-Instances: {MOST_INSTANCES}
"""


def instance_numbers(size: int) -> range:
    """How many instances has the task with this training set size?"""
    return range(min(MOST_INSTANCES, (CASES - TEST_CASES) // size))


def write_tasks(parent: str) -> str:
    """Write a delve directory and return it: dataset `numbers` with 33 real attributes, the last the target;
    dataset `classes` with 32 and a target of 33 values; empty directories of a method's tasks."""
    root = os.path.join(parent, "delve-tasks")
    random = np.random.default_rng(1996)
    values = random.normal(size=(CASES, ATTRIBUTES))
    labels = [f"class{value}" for value in random.integers(0, CLASSES, CASES)]
    numbers = [" ".join(f"{value:.9g}" for value in row) for row in values.tolist()]
    mixed = [f"{line.rpartition(' ')[0]} {label}" for line, label in zip(numbers, labels, strict=True)]
    _write_dataset(root, "numbers", numbers, "(-Inf,Inf)", "real")
    _write_dataset(root, "classes", mixed, " ".join(f"class{value}" for value in range(CLASSES)), "nominal")
    return root


def _write_dataset(root, name, lines, target_range, target_type):
    ranges = ["(-Inf,Inf)"] * (ATTRIBUTES - 1) + [target_range]
    described = [f"{number} x{number} u {limits}" for number, limits in enumerate(ranges, start=1)]
    types = ["real"] * (ATTRIBUTES - 1) + [target_type]
    inputs = " ".join(map(str, range(1, ATTRIBUTES)))
    files = {
        f"data/{name}/Dataset.spec": _SPECIFICATION + "\n".join(described) + "\n",
        f"data/{name}/Dataset.data": "\n".join(lines) + "\n",
        f"data/{name}/made/Prototask.spec": f"{_PROTOTASK}Inputs: {inputs}\nTargets: {ATTRIBUTES}\n",
        f"data/{name}/made/std.prior": "".join(
            f"{number} NLMH {kind}\n" for number, kind in enumerate(types, start=1)
        ),
    }
    for path, text in files.items():
        _write(os.path.join(root, path), text)
    for size in SIZES:
        os.makedirs(task_directory(root, name, size))


def task_directory(root: str, dataset: str, size: int) -> str:
    """Return the directory of a task of the method."""
    return os.path.join(root, "methods", METHOD, dataset, "made", f"std.{size}")


def write_probabilities(root: str) -> Iterator[str]:
    """Write a distribution over the classes for every test case of `classes`; yield the paths."""
    random = np.random.default_rng(8)
    for size in SIZES:
        count = TEST_CASES // len(instance_numbers(size))
        for number in instance_numbers(size):
            rows = random.dirichlet(np.ones(CLASSES), count)
            path = os.path.join(task_directory(root, "classes", size), f"prob.{number}")
            np.savetxt(path, rows, fmt="%.9g")
            yield path


def write_large_dataset(parent: str, cases: int) -> tuple[str, str]:
    """Write a delve directory with so many cases of 33 real attributes; return it and a task's directory.

    The prototask asks for a random order, which is not made. Half of the cases are for testing, and the other
    half make four training sets.
    """
    root, size = os.path.join(parent, "delve-large"), cases // 8
    _write_dataset(root, "large", [], "(-Inf,Inf)", "real")
    random = np.random.default_rng(1996)
    with open(os.path.join(root, "data", "large", "Dataset.data"), "wb") as file:
        for start in range(0, cases, CASES):
            values = random.normal(size=(min(CASES, cases - start), ATTRIBUTES))
            for piece in joined_lines([NumberColumn(column) for column in values.T], leading=False):
                file.write(piece)
    specification = os.path.join(root, "data", "large", "made", "Prototask.spec")
    inputs = " ".join(map(str, range(1, ATTRIBUTES)))
    lines = (
        f"Inputs: {inputs}\nTargets: {ATTRIBUTES}\nTest-Set-Size: {cases // 2}\nTraining-Set-Sizes: {size}\n"
    )
    order = "Cases: all\nOrigin: artificial\nOrder: Random-order\n"
    _write(specification, f"{order}{lines}Test-Set-Selection: hierarchical\nMaximum-Number-Of-Instances: 4\n")
    task = task_directory(root, "large", size)
    os.makedirs(task)
    return root, task


def _write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
