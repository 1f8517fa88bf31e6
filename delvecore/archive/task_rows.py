"""Rows of the tasks table: how many instances a task has, and how their cases are chosen.

Source: DELVE manual, sections 6.2 (standard instances) and 6.3 (instances listed in a file).
"""

from collections.abc import Mapping

import numpy as np

from delvecore.archive.stored import Row
from delvecore.encoding.instances import Instance, shared_test
from delvecore.encoding.prototask_cases import PrototaskCases
from delvecore.encoding.task_instances import instances_of_task
from delvecore.errors import DelveError
from delvecore.model import Prototask, Task
from delvecore.readers.instances import INSTANCE_SUFFIX
from delvecore.readers.specifications import listed_tasks, with_listed

__all__ = ["standard_numbers", "task_rows"]

SELECTION, WEIGHTS = "selection", "weights"


def task_rows(
    files: Mapping[str, str],
    prototask: Prototask,
    cases: PrototaskCases | None,
    *,
    priors: list[str],
    case_count: int | None,
    task_type: str,
) -> tuple[list[Row], dict[str, tuple[int, ...]]]:
    """Return the rows of a prototask's tasks, and the sizes of the test sets of those where they differ.

    files: of the prototask's directory, true path by plain name; cases: those of the prototask, None where
    they cannot be had; case_count: how many there are, which may be known all the same.
    """
    rows, sizes = [], {}
    for task in with_listed(prototask, priors, listed_tasks(files)):
        path = files.get(task.name + INSTANCE_SUFFIX)
        if path is None and _is_plain(prototask, cases):
            facts = _plain_facts(prototask, task.training_size, case_count)
        else:
            facts, lengths = _facts(path, prototask, cases, task)
            if len(set(lengths)) > 1:
                sizes[task.name] = lengths
        rows.append({**_names(task), "task_type": task_type, "standard": path is None, **facts})
    return rows, sizes


def _names(task: Task) -> Row:
    names = {"dataset": task.dataset, "prototask": task.prototask, "task": task.name, "prior": task.prior}
    return {**names, "training_size": task.training_size}


def _is_plain(prototask: Prototask, cases: PrototaskCases | None) -> bool:
    """Do counts alone tell the instances?"""
    special = prototask.is_sequential or prototask.stratified
    return not special and (cases is None or cases.groups is None)


def standard_numbers(
    prototask: Prototask, training_size: int, case_count: int | None
) -> tuple[int | None, int | None]:
    """Return (instances, test cases of each) of a standard task without gaps, (None, None) without data."""
    if case_count is None:
        return None, None
    left = case_count - prototask.test_set_size
    instances = max(0, min(prototask.maximum_instances, left // training_size))
    if prototask.test_set_selection == "common":
        return instances, prototask.test_set_size
    return instances, prototask.test_set_size // instances if instances else 0


def _plain_facts(prototask: Prototask, size: int, case_count: int | None) -> Row:
    instances, test_cases = standard_numbers(prototask, size, case_count)
    unused = None
    if instances is not None and test_cases is not None and case_count is not None:
        tests = test_cases if prototask.test_set_selection == "common" else test_cases * instances
        unused = case_count - (tests + size * instances if instances else 0)
    numbers = {"instances": instances, "test_cases": test_cases, "unused_cases": unused}
    gap = None if instances is None else 0
    selection = prototask.test_set_selection
    return {"test_set_selection": selection, **numbers, "gap_cases": gap, "balance": None, "overlap": None}


def _facts(
    path: str | None, prototask: Prototask, cases: PrototaskCases | None, task: Task
) -> tuple[Row, tuple[int, ...]]:
    """Return the facts of a task whose instances have to be made to be known, and their test set sizes."""
    names = ("instances", "test_cases", "unused_cases", "gap_cases", "balance", "overlap")
    unknown = {"test_set_selection": prototask.test_set_selection, **dict.fromkeys(names)}
    if cases is None:
        return unknown, ()
    try:
        instances = instances_of_task(path, cases, task)
    except DelveError:  # among the archive's problems
        return {**unknown, "instances": 0, "test_cases": 0}, ()
    lengths = tuple(len(one.test) for one in instances)
    facts = {
        "test_set_selection": _selection(instances, prototask),
        "instances": len(instances),
        "test_cases": lengths[0] if len(set(lengths)) == 1 else None,
        "unused_cases": len(instances[0].unused),
        "gap_cases": len(instances[0].gap),
        "balance": _balance(instances, prototask, path),
        "overlap": _overlap(instances),
    }
    return facts, lengths


def _selection(instances: list[Instance], prototask: Prototask) -> str:
    if len(instances) < 2:
        return prototask.test_set_selection
    return "common" if shared_test(instances) else "hierarchical"


def _balance(instances: list[Instance], prototask: Prototask, path: str | None) -> str | None:
    """How are all values of a stratified target made equally likely in test sets? None where they are not."""
    if not prototask.stratified or path is not None:
        return None
    return SELECTION if instances[0].weights is None else WEIGHTS


def _overlap(instances: list[Instance]) -> str | None:
    """Which sets of different instances share cases? A common test set is meant to be shared."""
    training = _share([one.training for one in instances])
    test = not shared_test(instances) and _share([one.test for one in instances])
    return ("both" if test else "training") if training else "test" if test else None


def _share(sets: list[np.ndarray]) -> bool:
    together = np.concatenate(sets)
    return len(np.unique(together)) < len(together)
