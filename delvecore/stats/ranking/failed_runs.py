"""Are failed runs concentrated in some methods? An exact test of their counts.

Means over common runs leave out a run for all methods if one fails. That is fair if the same runs are hard
for all methods. If only one method fails on some runs, it omits its worst values, while the others omit
arbitrary ones.
"""

import functools
import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from delvecore.stats.array_types import Floats, Whole
from delvecore.stats.choose import is_significant
from delvecore.stats.ranking.score_table import CommonRuns

LEVEL = 0.05
LARGEST_GROUP = 6
"""Maximum size of a tested group of methods."""


class Concentration(NamedTuple):
    """The group of methods whose share of the failed runs is least probable.

    Attributes
    ----------
    methods : tuple of str
        Most failed runs first.
    failed, of : int
        Numbers of failed runs of the group, and of all methods.
    p : float
        p of the group, adjusted for its selection.
    """

    methods: tuple[str, ...]
    failed: int
    of: int
    p: float


def concentration_test(counts: Whole, methods: Sequence[str]) -> Concentration | None:
    """Exact permutation test: do some methods have more failed runs than expected by chance?

    If all methods fail equally often, each order of a dataset's counts among the methods is equally probable,
    and datasets are independent. The failed runs of `s` methods are then a sum over datasets of `s` counts
    drawn without replacement. Its distribution is a convolution. The group of `s` methods with the most
    failed runs is tested, for each `s` below the number of methods `k`, up to `LARGEST_GROUP`. The
    probability of its count or more is multiplied by the number of groups of that size, `k` over `s`, and
    divided by the share of the level that the size has (weighted Bonferroni). Each size has half the share of
    the next smaller size. Folds of a dataset may fail together, because only whole datasets are exchanged.

    Parameters
    ----------
    counts : array of shape (datasets, methods)
        Failed runs, of two methods or more. Runs in which all methods fail do not change p.
    methods : sequence of str
        Names of the methods.

    Returns
    -------
    Concentration or None
        None without failed runs.

    References
    ----------
    Cochran (1950), Biometrika 37, 256-266, permutes failures within matched samples in the same way. If each
    dataset has one failed run, a method's count is binomial with probability 1/k.

    Examples
    --------
    On each of four datasets only the first of 3 methods fails. The probability is (1/3)^4, there are 3
    groups, and single methods have two thirds of the level.

    >>> result = concentration_test(np.array([[1, 0, 0], [2, 0, 0], [1, 0, 0], [1, 0, 0]]), ("a", "b", "c"))
    >>> result.methods, result.failed, result.of, round(result.p / (3 ** -4 * 3 * 3 / 2), 9)
    (('a',), 5, 5, 1.0)
    """
    if not counts.any():
        return None
    totals = counts.sum(axis=0)
    order = np.argsort(-totals, kind="stable")
    sizes = range(1, min(len(methods) - 1, LARGEST_GROUP) + 1)
    patterns = Counter(tuple(sorted(filter(None, row))) for row in counts.tolist())
    tests = []
    for size in sizes:
        most = int(totals[order[:size]].sum())
        tail = _upper_tail(patterns, len(methods), size, most)
        share = 2.0**-size / (1 - 2.0 ** -len(sizes))
        p = min(1.0, math.comb(len(methods), size) * tail / share)
        group = tuple(methods[place] for place in order[:size].tolist())
        tests.append(Concentration(group, most, int(totals.sum()), p))
    return min(tests, key=lambda test: (test.p, len(test.methods)))


def _upper_tail(patterns: Counter[tuple[int, ...]], methods: int, size: int, most: int) -> float:
    """Return the probability that a group of this size has at least this number of failed runs."""
    whole = np.ones(1)
    for pattern, datasets in patterns.items():
        of_one = _draws(pattern, methods, size)
        for _ in range(datasets):
            whole = np.convolve(whole, of_one)
    return float(whole[most:].sum())


def _draws(pattern: Sequence[int], methods: int, size: int) -> Floats:
    """Return the distribution of the sum of `size` of a dataset's counts, drawn without replacement.

    pattern: the nonzero counts; the other methods have none."""
    ways = np.zeros((size + 1, sum(sorted(pattern)[-size:]) + 1))
    ways[0, 0] = 1.0
    for count, several in Counter(pattern).items():
        before = ways.copy()
        for drawn in range(1, min(several, size) + 1):
            shift = drawn * count
            if shift < ways.shape[1]:
                chosen = before[: size + 1 - drawn, : ways.shape[1] - shift]
                ways[drawn:, shift:] += math.comb(several, drawn) * chosen
    zeros = methods - len(pattern)
    rest = np.array([math.comb(zeros, size - drawn) for drawn in range(size + 1)], dtype=float)
    distribution: Floats = rest @ ways / math.comb(methods, size)
    return distribution


@functools.lru_cache(maxsize=256)
def failure_concentration(runs: CommonRuns, methods: tuple[str, ...] | None = None) -> Concentration | None:
    """Return the methods with concentrated failed runs; None if the test finds none at `LEVEL`.

    methods: the methods that are compared in the end; None: those that share the common runs.
    """
    names = runs.compared if methods is None else methods
    if not runs.failures or len(names) < 2:
        return None
    places = {name: place for place, name in enumerate(names)}
    datasets: dict[str, Whole] = {}
    for dataset, methods_without, count in runs.failures:
        failing = [places[name] for name in methods_without if name in places]
        if len(failing) < len(names):
            row = datasets.setdefault(dataset, np.zeros(len(names), dtype=np.int64))
            row[failing] += count
    test = concentration_test(np.array([*datasets.values()]), names) if datasets else None
    return test if test is not None and is_significant(test.p, LEVEL) else None
