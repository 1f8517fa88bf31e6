"""Which cases go to which training and test set? Source: DELVE manual, sections 6.2 and 6.3."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dashboard.datasets.figures.case_map import CaseMap
from delvecore.encoding.instances import Instance

__all__ = ["COLUMNS", "MOST_RUNS", "TaskCases", "case_map"]

COLUMNS = ["bar", "training_size", "use", "instance", "first", "last"]
MOST_RUNS = 1200
"""More runs than this in a bar are drawn as so many strips, each showing what most of its cases do."""
UNUSED, GAP = -1, -2
SHARED_TEST = -3


@dataclass(frozen=True)
class TaskCases:
    """A task of a prototask, or all its standard tasks of one size: what the picture draws as one bar.

    is_listed: do the instances come from a file of their own?
    """

    label: str
    training_size: int
    instances: Sequence[Instance]
    is_listed: bool = False


def case_map(tasks: Sequence[TaskCases], case_count: int) -> CaseMap:
    """Return runs of consecutive cases with the same use, for each task.

    bar: the task's label; a task in whose instances some case has several uses has a bar an instance. use:
    training, test, gap (kept free, since these cases may depend on others that are used) or unused; instance:
    number from 0, or -1 where all share a test set or none uses the cases; first, last: positions from 1 in
    the prototask's order.
    """
    rows, strip = [], 1
    for task in tasks:
        for label, instances in _bars(task):
            uses, width = _coarse(_uses(instances, case_count))
            strip = max(strip, width)
            rows += [(label, task.training_size, *run) for run in _runs(uses, width, case_count)]
    return CaseMap(pd.DataFrame(rows, columns=COLUMNS).astype({"training_size": "Int64"}), strip)


def _bars(task: TaskCases) -> list[tuple[str, Sequence[Instance]]]:
    if _disjoint(task.instances):
        return [(task.label, task.instances)]
    return [(f"{task.label}, instance {one.number}", [one]) for one in task.instances]


def _disjoint(instances: Sequence[Instance]) -> bool:
    """Has every case one use? A test set that all share is one use."""
    tests = [one.test for one in instances]
    if all(np.array_equal(test, tests[0]) for test in tests):
        tests = tests[:1]
    together = np.concatenate([*(one.training for one in instances), *tests])
    return len(np.unique(together)) == len(together)


def _uses(instances: Sequence[Instance], case_count: int) -> np.ndarray:
    """Return the use of each case as a number: 2n trains and 2n + 1 tests instance n."""
    uses = np.full(case_count, UNUSED, dtype=np.int64)
    shared = len(instances) > 1 and all(np.array_equal(one.test, instances[0].test) for one in instances)
    for one in instances:
        uses[one.gap] = GAP
        uses[one.training] = 2 * one.number
        uses[one.test] = SHARED_TEST if shared else 2 * one.number + 1
    return uses


def _coarse(uses: np.ndarray) -> tuple[np.ndarray, int]:
    """Return (uses, 1), or one use a strip and the width of strips where there are too many runs."""
    if np.count_nonzero(np.diff(uses)) < MOST_RUNS:
        return uses, 1
    width = -(-len(uses) // MOST_RUNS)
    strips = (uses[start : start + width] for start in range(0, len(uses), width))
    found = (np.unique(strip, return_counts=True) for strip in strips)
    return np.array([values[counts.argmax()] for values, counts in found]), width


def _runs(uses: np.ndarray, width: int, case_count: int) -> Iterator[tuple[str, int, int, int]]:
    starts = np.flatnonzero(np.diff(uses, prepend=uses[0] - 1)).tolist() if len(uses) else []
    ends = [*starts[1:], len(uses)]
    for start, end in zip(starts, ends, strict=True):
        yield (*_use(int(uses[start])), int(start) * width + 1, min(int(end) * width, case_count))


def _use(code: int) -> tuple[str, int]:
    if code in (UNUSED, GAP, SHARED_TEST):
        return {UNUSED: "unused", GAP: "gap", SHARED_TEST: "test"}[code], -1
    return ("test" if code % 2 else "training"), code // 2
