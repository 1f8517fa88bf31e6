"""Rows of the tasks table: how many instances a task has, and how their cases are chosen. Source: DELVE
manual, sections 6.2 (standard instances) and 6.3 (instances listed in a file)."""

from collections.abc import Mapping

import numpy as np

from delvecore.archive.stored import Row
from delvecore.encoding.instances import Instance, shared_test
from delvecore.encoding.prototask_cases import PrototaskCases
from delvecore.encoding.task_instances import instances_of_task
from delvecore.errors import DelveError
from delvecore.model import Prototask, Scheme, Task
from delvecore.readers.files import read_text
from delvecore.readers.instances import INSTANCE_SUFFIX, listed_facts, parse_instances
from delvecore.readers.overlaps import Overlap
from delvecore.readers.specifications import listed_tasks, with_listed

__all__ = ["task_rows"]

NUMBERS = ("instances", "test_cases", "unused_cases", "gap_cases", "balance", "overlap")
APART = {"scheme": Overlap().scheme, "share": Overlap().share}
"""Of standard instances."""


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
    they cannot be had; case_count: how many there are, which may be known all the same."""
    rows, sizes = [], {}
    special = prototask.is_sequential or prototask.stratified
    counts_tell = not special and (cases is None or cases.groups is None)
    for task in with_listed(prototask, priors, listed_tasks(files)):
        path = files.get(task.name + INSTANCE_SUFFIX)
        if path is None and counts_tell:
            facts = _plain_facts(prototask, task.training_size, case_count)
        else:
            facts, lengths = _facts(path, prototask, cases, task)
            if len(set(lengths)) > 1:
                sizes[task.name] = lengths
        names = {"dataset": task.dataset, "prototask": task.prototask, "task": task.name, "prior": task.prior}
        row = {**names, "training_size": task.training_size, "task_type": task_type}
        rows.append({**row, "standard": path is None, **facts})
    return rows, sizes


def _plain_facts(prototask: Prototask, size: int, case_count: int | None) -> Row:
    """Return the facts of a standard task without gaps, groups and strata; no numbers without data."""
    facts = {"test_set_selection": prototask.test_set_selection, **dict.fromkeys(NUMBERS), **APART}
    if case_count is None:
        return facts
    instances = max(0, min(prototask.maximum_instances, (case_count - prototask.test_set_size) // size))
    test_cases, tests = prototask.test_set_size, prototask.test_set_size
    if prototask.test_set_selection != "common":
        test_cases = test_cases // instances if instances else 0
        tests = test_cases * instances
    unused = case_count - (tests + size * instances if instances else 0)
    found = {"instances": instances, "test_cases": test_cases, "unused_cases": unused, "gap_cases": 0}
    return facts | found


def _facts(
    path: str | None, prototask: Prototask, cases: PrototaskCases | None, task: Task
) -> tuple[Row, tuple[int, ...]]:
    """Return the facts of a task whose instances have to be made to be known, and their test set sizes."""
    unknown = {"test_set_selection": prototask.test_set_selection, **dict.fromkeys(NUMBERS), **APART}
    try:
        if path is not None:
            unknown |= _shared_cases(path, prototask)
        if cases is None:
            return unknown, ()
        instances = instances_of_task(path, cases, task)
    except DelveError:  # among the archive's problems
        if path is not None:
            unknown |= {"scheme": None, "share": None}
        return {**unknown, "instances": 0, "test_cases": 0}, ()
    lengths = tuple(len(one.test) for one in instances)
    facts = {
        "instances": len(instances),
        "test_cases": lengths[0] if len(set(lengths)) == 1 else None,
        "unused_cases": len(instances[0].unused),
        "gap_cases": len(instances[0].gap),
        "overlap": _overlap(instances),
    }
    if len(instances) > 1:
        common = shared_test(instances) and unknown["scheme"] != Scheme.ONE_SPLIT
        facts["test_set_selection"] = "common" if common else "hierarchical"
    if prototask.stratified and path is None:  # how all values of the target are made equally likely in tests
        facts["balance"] = "selection" if instances[0].weights is None else "weights"
    return unknown | facts, lengths


def _shared_cases(path: str, prototask: Prototask) -> Row:
    """Return by which plan the instances of a file share cases."""
    listed = listed_facts(parse_instances(read_text(path), path), prototask.test_set_selection)
    return dict(listed.overlap._asdict())


def _overlap(instances: list[Instance]) -> str | None:
    """Which sets of different instances share cases? A common test set is meant to be shared."""
    training = _share([one.training for one in instances])
    test = not shared_test(instances) and _share([one.test for one in instances])
    return ("both" if test else "training") if training else "test" if test else None


def _share(sets: list[np.ndarray]) -> bool:
    together = np.concatenate(sets)
    return len(np.unique(together)) < len(together)
