"""DELVE's own comparisons, each with its training sets and test cases, put together over tasks.

A table of scores knows one number a task; here each task brings a test of its own, so that a difference that
is sure on one task counts for more than one that is not. Combining takes the tasks for independent: those
that share a dataset are not quite, and p is then too small.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy.special import chdtrc, ndtr, ndtri

from delvecore.statistics.adjust import adjust
from delvecore.statistics.choose import DEFAULT_LEVEL, is_settled

__all__ = ["CombinedPairs", "combine_comparisons"]

_LEAST_P = 1e-300


@dataclass(frozen=True, eq=False)
class CombinedPairs:
    """Pairs of methods by name, a before b in the alphabet; arrays with one entry a pair.

    tasks: how many had a test; untested: those that had none, say with a single training set. wins, ties,
    losses: of a, by the test of each task at the confidence `level`. stouffer: sum of the tasks' z over the
    root of their number, above zero for a; weighted: with 1 / standard error of each standardized difference
    as weights. p_stouffer, p_weighted: two-sided. p_fisher: do a and b differ on any task, whichever is
    better there? p_holm: of p_stouffer, over all pairs.
    """

    level: float
    methods_a: tuple[str, ...]
    methods_b: tuple[str, ...]
    tasks: np.ndarray
    untested: np.ndarray
    wins: np.ndarray
    ties: np.ndarray
    losses: np.ndarray
    stouffer: np.ndarray
    p_stouffer: np.ndarray
    p_holm: np.ndarray
    weighted: np.ndarray
    p_weighted: np.ndarray
    fisher: np.ndarray
    p_fisher: np.ndarray


def combine_comparisons(
    comparisons: pa.Table, *, level: float = DEFAULT_LEVEL, adjustment: str = "none"
) -> CombinedPairs:
    """Which methods are better on how many tasks, by DELVE's tests, and what do these say together?

    comparisons: rows of `tables.COMPARISONS`, of one loss. adjustment: of each task's p-values over
    its pairs before wins are counted, see `adjust`. Equal losses are a tie with p = 1. Raises ValueError for
    rows of several losses. Source: Stouffer and others 1949; Fisher 1932; DELVE manual, section 8.
    """
    losses = comparisons["loss"].unique().to_pylist()
    if len(losses) > 1:
        raise ValueError(f"expected comparisons under one loss, got {', '.join(sorted(losses))}")
    names_a, names_b, pair, flipped = _pairs(comparisons)
    difference = _numbers(comparisons, "difference") * np.where(flipped, -1.0, 1.0)
    p = _numbers(comparisons, "p")
    # Without a difference there is no test, and nothing to test.
    p[difference == 0] = 1.0
    tested = np.isfinite(p)
    sums = _Sums(pair, len(names_a))
    z = np.sign(-difference) * -ndtri(np.maximum(p, _LEAST_P) / 2)
    z = np.where(tested, z, 0.0)
    adjusted = _by_task(comparisons, p, tested, adjustment)
    tests, instances = comparisons["test"].to_numpy(zero_copy_only=False), _numbers(comparisons, "instances")
    decided = tested & is_settled(adjusted, level=level, test=tests, instances=instances)
    tasks = sums(tested)
    weights = _weights(comparisons, tested)
    with np.errstate(invalid="ignore", divide="ignore"):
        stouffer = sums(z) / np.sqrt(tasks)
        weighted = sums(weights * z) / np.sqrt(sums(weights**2))
    fisher = -2 * sums(np.where(tested, np.log(np.maximum(np.where(tested, p, 1.0), _LEAST_P)), 0.0))
    p_stouffer = _two_sided(stouffer)
    return CombinedPairs(
        level,
        names_a,
        names_b,
        tasks.astype(int),
        sums(~tested).astype(int),
        sums(decided & (difference < 0)).astype(int),
        sums(tested & ~decided).astype(int),
        sums(decided & (difference > 0)).astype(int),
        stouffer,
        p_stouffer,
        adjust(p_stouffer),
        weighted,
        _two_sided(weighted),
        fisher,
        np.where(tasks > 0, chdtrc(2 * np.maximum(tasks, 1), np.maximum(fisher, 0.0)), 1.0),
    )


class _Sums:
    """Sums of a column over the rows of each pair."""

    def __init__(self, pair: np.ndarray, count: int) -> None:
        self.pair, self.count = pair, count

    def __call__(self, values: np.ndarray) -> np.ndarray:
        return np.bincount(self.pair, weights=np.asarray(values, dtype=float), minlength=self.count)


def _pairs(comparisons: pa.Table) -> tuple[tuple[str, ...], tuple[str, ...], np.ndarray, np.ndarray]:
    """Return (names of a, names of b, number of each row's pair, whether the row has them in turn)."""
    a, b = (comparisons[name].to_pylist() for name in ("method_a", "method_b"))
    flipped = np.array([one > other for one, other in zip(a, b, strict=True)], dtype=bool)
    ordered = [(min(one, other), max(one, other)) for one, other in zip(a, b, strict=True)]
    numbers = {names: number for number, names in enumerate(sorted(set(ordered)))}
    pair = np.array([numbers[names] for names in ordered], dtype=np.int64)
    return tuple(one for one, _ in numbers), tuple(other for _, other in numbers), pair, flipped


def _by_task(comparisons: pa.Table, p: np.ndarray, tested: np.ndarray, adjustment: str) -> np.ndarray:
    """Return p adjusted over the pairs of each task."""
    adjusted = np.where(tested, p, 1.0)
    if adjustment == "none":
        return adjusted
    keys = [comparisons[name] for name in ("dataset", "prototask", "task")]
    places = pc.binary_join_element_wise(*keys, "/").combine_chunks().dictionary_encode().indices.to_numpy()
    for task in np.unique(places):
        rows = np.flatnonzero((places == task) & tested)
        adjusted[rows] = adjust(p[rows], method=adjustment)
    return adjusted


def _weights(comparisons: pa.Table, tested: np.ndarray) -> np.ndarray:
    error = _numbers(comparisons, "standardized_error")
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(tested & (error > 0), 1 / error, 0.0)


def _two_sided(z: np.ndarray) -> np.ndarray:
    return np.where(np.isnan(z), 1.0, 2 * ndtr(-np.abs(z)))


def _numbers(table: pa.Table, name: str) -> np.ndarray:
    return table[name].to_numpy(zero_copy_only=False).astype(float).copy()
