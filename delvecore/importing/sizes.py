"""How many cases train and test in the tasks of a prototask that somebody imports? One rule, for all.

The manual (section 4.2) asks for sizes that differ by factors of two, training sets that share no cases, and
an adequate test set. Half of the cases are for training; the largest size goes four times into them, two
times where there are few."""

from typing import NamedTuple

from delvecore.errors import Fault

__all__ = ["Sizes", "standard_sizes"]

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


def standard_sizes(cases: int) -> Sizes:
    """Return the sizes for so many cases. Raises Fault for too few of them."""
    if cases < FEWEST_CASES:
        raise Fault("", f"at least {FEWEST_CASES} cases with known targets", cases, "add cases")
    pool = cases // 2
    first = next(size for least, size in SMALLEST if cases >= least)
    repeats = REPEATS if cases >= MANY_CASES else FEW_REPEATS
    sizes = [first << step for step in range(MOST_SIZES)]
    training = tuple(size for size in sizes if size <= min(pool // repeats, LARGEST)) or (pool // 2,)
    used = training[-1] * min(MOST_INSTANCES, pool // training[-1])
    test = min(cases - used, MOST_TEST_CASES)
    selection = "hierarchical" if test >= FEWEST_OF_HIERARCHICAL else "common"
    return Sizes(test, training, selection, MOST_INSTANCES)
