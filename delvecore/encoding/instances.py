"""Which cases does a task instance train on, and which does it test on?

Source: DELVE manual, section 6.2; the division of test cases as DELVE 1.1 does it.
"""

from dataclasses import dataclass

import numpy as np

from delvecore.errors import DelveError
from delvecore.model import Prototask

__all__ = ["Instance", "instance_count", "standard_instances", "test_union"]


@dataclass(frozen=True)
class Instance:
    """One task instance: its number (from 0) and the positions (from 0, in the prototask's order) of its
    training and test cases, int64."""

    number: int
    training: np.ndarray
    test: np.ndarray


def instance_count(prototask: Prototask, case_count: int, training_size: int) -> int:
    """How many instances has a task? As many whole training sets as the cases behind the test set give, but
    no more than the prototask allows.

    Raises DelveError where the cases do not suffice for one instance.
    """
    left = case_count - prototask.test_set_size
    count = min(prototask.maximum_instances, left // training_size)
    if count < 1:
        raise DelveError(
            f"{prototask.path}: expected at least {prototask.test_set_size + training_size} cases "
            f"({prototask.test_set_size} for testing and {training_size} for one training set), "
            f"found {case_count}; add cases or make the sizes smaller"
        )
    return count


def standard_instances(prototask: Prototask, case_count: int, training_size: int) -> list[Instance]:
    """Return the standard instances of the task with this training set size.

    The first cases are for testing, then training sets follow each other. With a hierarchical test set the
    test cases are divided evenly, consecutively; what is left over tests nothing. Raises DelveError where
    there are too few cases.
    """
    count = instance_count(prototask, case_count, training_size)
    share, step = prototask.test_set_size, 0
    if prototask.test_set_selection == "hierarchical":
        share = step = prototask.test_set_size // count
    if not share:
        raise DelveError(
            f"{prototask.path}: expected a test case for each of {count} instances, found "
            f"{prototask.test_set_size} test cases; make Test-Set-Size larger"
        )
    first = prototask.test_set_size
    return [
        Instance(
            number,
            np.arange(first + number * training_size, first + (number + 1) * training_size),
            np.arange(number * step, number * step + share),
        )
        for number in range(count)
    ]


def test_union(instances: list[Instance]) -> np.ndarray:
    """Return the positions of all cases that any instance tests on, each once, ascending."""
    return np.unique(np.concatenate([instance.test for instance in instances]))


test_union.__test__ = False  # its name means something else to pytest
