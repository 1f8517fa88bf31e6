"""A losses table of a large study: 10 methods, 40 tasks, 2 losses, 8 instances of 512 test cases each."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from delvecore.tables import SCHEMAS

METHODS = tuple(f"method-{number}" for number in range(10))
LETTERS = ("L", "S")
SIZES = (64, 128, 256, 512, 1024)
INSTANCES, TEST_CASES = 8, 512
PLACE = ("dataset", "prototask", "task", "prior", "training_size")
SEED = 1996


def made_study(*, methods: Sequence[str] = METHODS) -> tuple[pa.Table, pa.Table]:
    """Return (losses, tasks): half of the tasks have a common test set, half one for each instance.

    A loss is the sum of effects of method, training set and test case and of noise, so that all variance
    components are there; the difference between two methods is small against the losses, as in real studies.
    """
    random = np.random.Generator(np.random.PCG64(SEED))
    losses, tasks = [], []
    for dataset in range(4):
        for prototask, selection in (("one", "common"), ("two", "hierarchical")):
            for size in SIZES:
                place = (f"made-{dataset}", prototask, f"std.{size}", "std", size)
                tasks.append((*place, selection))
                losses += [(*place, letter, _effects(random, size, len(methods))) for letter in LETTERS]
    return _loss_table(losses, methods), _task_table(tasks)


def made_standardizers(tasks: pa.Table) -> dict[tuple[str, str, str, str], float]:
    """Return a constant for each task and loss."""
    places = zip(*(tasks[name].to_pylist() for name in ("dataset", "prototask", "task")), strict=True)
    return {(*place, letter): 1.5 for place in places for letter in LETTERS}


def _effects(random, size, count):
    methods = random.normal(1.0, 0.1, (count, 1, 1))
    training_sets = random.normal(0.0, size**-0.5, (count, INSTANCES, 1))
    cases = random.gamma(1.0, 1.0, (1, 1, TEST_CASES))
    noise = random.normal(0.0, 0.3, (count, INSTANCES, TEST_CASES))
    return methods + training_sets + cases + noise


def _loss_table(blocks, methods):
    repeats = len(methods) * INSTANCES
    columns = {name: [] for name in SCHEMAS["losses"].names if name != "values"}
    for *place, letter, _ in blocks:
        for name, value in zip(
            ("dataset", "prototask", "task", "prior", "training_size"), place, strict=True
        ):
            columns[name] += [value] * repeats
        columns["loss"] += [letter] * repeats
        columns["method"] += [method for method in methods for _ in range(INSTANCES)]
        columns["instance"] += list(range(INSTANCES)) * len(methods)
    values = np.concatenate([block[-1].reshape(-1) for block in blocks])
    offsets = np.arange(0, len(values) + 1, TEST_CASES, dtype=np.int32)
    columns["values"] = pa.ListArray.from_arrays(offsets, values)
    return pa.table({name: columns[name] for name in SCHEMAS["losses"].names}, schema=SCHEMAS["losses"])


def _task_table(rows):
    names = (*PLACE, "test_set_selection")
    return pa.table(dict(zip(names, zip(*rows, strict=True), strict=True)))
