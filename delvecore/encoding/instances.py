"""One task instance: which cases it trains on, which it tests on, and which stay unused.

Source: DELVE manual, sections 4.2 (equally likely values), 6.2 (gaps).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

__all__ = ["Instance", "shared_test", "test_union", "test_weights", "with_unused"]


def _none() -> np.ndarray:
    return np.empty(0, dtype=np.int64)


@dataclass(frozen=True)
class Instance:
    """One task instance: its number (from 0) and the positions (from 0, in the prototask's order) of its
    training and test cases, int64.

    weights: of the test cases, float64 of mean 1, which make all values of a stratified target equally
    likely; None where every case counts alike. unused: the positions that no instance of the task uses; gap:
    those of them that keep dependent cases apart. Both are the same for all instances of a task.
    """

    number: int
    training: np.ndarray
    test: np.ndarray
    weights: np.ndarray | None = None
    unused: np.ndarray = field(default_factory=_none)
    gap: np.ndarray = field(default_factory=_none)


def with_unused(
    instances: list[Instance], gap: np.ndarray, case_count: int, groups: np.ndarray | None = None
) -> list[Instance]:
    """Return the instances of a task that know which cases none of them uses, and which of these form gaps.

    gap: positions known to form one; unused cases in a group of a case in use do so too.
    """
    used = np.zeros(case_count, dtype=bool)
    for instance in instances:
        used[instance.training] = used[instance.test] = True
    is_gap = np.zeros(case_count, dtype=bool)
    is_gap[gap] = True
    if groups is not None:
        is_gap |= ~used & np.isin(groups, groups[used])
    unused = np.flatnonzero(~used)
    return [replace(one, unused=unused, gap=np.flatnonzero(is_gap)) for one in instances]


def test_union(instances: Sequence[Instance]) -> np.ndarray:
    """Return the positions of all cases that any instance tests on, each once, ascending."""
    return np.unique(np.concatenate([instance.test for instance in instances]))


def shared_test(instances: Sequence[Instance]) -> bool:
    """Have all instances the same test cases, in the same order?"""
    return all(np.array_equal(one.test, instances[0].test) for one in instances)


def test_weights(instances: Sequence[Instance]) -> np.ndarray | None:
    """Return the weight of each case of `test_union`, or None where every case counts alike."""
    if all(instance.weights is None for instance in instances):
        return None
    union = test_union(instances)
    weights = np.ones(len(union))
    for instance in instances:
        weights[np.searchsorted(union, instance.test)] = instance.weights
    return weights


for _function in (test_union, test_weights):
    vars(_function)["__test__"] = False  # their names mean something else to pytest
