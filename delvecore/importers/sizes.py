"""Sizes of the training and test sets of an imported prototask, by one rule for all.

The manual (section 4.2) asks for sizes that differ by factors of two, training sets that share no cases, and
an adequate test set. Half of the cases are for training; the largest size goes four times into them, two
times where there are few."""

from collections.abc import Sequence
from typing import NamedTuple

from delvecore.errors import Fault

FEWEST_CASES = 12
SMALLEST = ((4096, 64), (512, 32), (128, 16), (0, 8))
"""(from so many cases on, the smallest training set)."""
LARGEST, MOST_SIZES, MOST_INSTANCES = 1024, 5, 8
REPEATS, MANY_CASES, FEW_REPEATS = 4, 2048, 2
MOST_TEST_CASES, FEWEST_OF_HIERARCHICAL = 8192, 1024


class Sizes(NamedTuple):
    """What a prototask says of its sizes. selection: `hierarchical` where there are enough test cases."""

    test: int
    training: tuple[int, ...]
    selection: str
    instances: int


def standard_sizes(cases: int, training: Sequence[int] = (), *, instances: int = MOST_INSTANCES) -> Sizes:
    """Return the sizes for so many cases.

    Parameters
    ----------
    cases : int
        Cases with known targets.
    training : sequence of int
        Sizes of training sets that were asked for; none to have those of the rule.
    instances : int
        At most so many training sets of a size.

    Raises
    ------
    Fault
        For fewer than 12 cases, and for sizes that are not positive, given twice, or leave no case for
        testing.

    Examples
    --------
    >>> standard_sizes(150)
    Sizes(test=86, training=(16, 32), selection='common', instances=8)
    >>> standard_sizes(150, (100, 10))
    Sizes(test=50, training=(10, 100), selection='common', instances=8)
    """
    if cases < FEWEST_CASES:
        raise Fault("", f"at least {FEWEST_CASES} cases with known targets", cases, "add cases")
    pool = cases // 2
    if training:
        sizes = _checked(training, cases)
    else:
        first = next(size for least, size in SMALLEST if cases >= least)
        repeats = REPEATS if cases >= MANY_CASES else FEW_REPEATS
        doubled = [first << step for step in range(MOST_SIZES)]
        sizes = tuple(size for size in doubled if size <= min(pool // repeats, LARGEST)) or (pool // 2,)
    used = sizes[-1] * min(instances, max(1, pool // sizes[-1]))
    test = min(cases - used, MOST_TEST_CASES)
    selection = "hierarchical" if test >= FEWEST_OF_HIERARCHICAL else "common"
    return Sizes(test, sizes, selection, instances)


def parse_sizes(text: str) -> tuple[int, ...]:
    """Return the sizes of training sets that a text such as `64,128` has. Raises Fault."""
    words = text.replace(",", " ").split()
    if not all(word.isascii() and word.isdigit() for word in words):
        raise Fault("sizes", "whole numbers with commas between, such as 64,128", repr(text))
    return tuple(map(int, words))


def _checked(training: Sequence[int], cases: int) -> tuple[int, ...]:
    sizes = tuple(sorted(training))
    shown = ", ".join(map(str, training))
    if sizes[0] < 1 or len(set(sizes)) < len(sizes):
        raise Fault("sizes", "different whole numbers from 1", shown)
    if sizes[-1] >= cases:
        raise Fault("sizes", f"sizes below {cases}, the number of cases with known targets", shown)
    return sizes
