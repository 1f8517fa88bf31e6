"""How many tasks, or instances of a task, would settle a difference as large as the one that was seen?

The answers take the difference and the spread that were seen for the true ones. They plan a further study;
for the tests that were made they say no more than their p-values.
"""

import numpy as np
import pyarrow as pa
from scipy.special import nctdtr, ndtri, stdtrit

from delvecore.statistics.ranking.pair_scan import PairScan

__all__ = ["MOST", "instances_needed", "tasks_needed", "tasks_needed_of_signed_ranks"]

MOST = 1_000_000
"""Beyond so many, the answer is infinite."""
_SIGNED_RANKS_EFFICIENCY = 3 / np.pi
_LARGEST_SHIFT = 37.0


def tasks_needed(scan: PairScan, *, alpha: float = 0.05, power: float = 0.8) -> np.ndarray:
    """With how many tasks would a paired t-test at level alpha find each pair's difference so probably?

    Returns whole numbers, at least 2, infinite beyond `MOST` or where there is no difference; not a number
    where the spread is unknown. By the noncentral t distribution. Source: Cohen 1988, section 2.
    """
    check(alpha, power)
    with np.errstate(invalid="ignore", divide="ignore"):
        effect = np.abs(scan.mean) / scan.deviation
    effect = np.where(scan.constant, np.where(scan.mean == 0, 0.0, np.inf), effect)
    return _least(effect, alpha, power)


def tasks_needed_of_signed_ranks(scan: PairScan, *, alpha: float = 0.05, power: float = 0.8) -> np.ndarray:
    """The same for Wilcoxon's test, if differences are about normal: pi / 3 times as many."""
    return np.ceil(tasks_needed(scan, alpha=alpha, power=power) / _SIGNED_RANKS_EFFICIENCY)


def instances_needed(comparisons: pa.Table, *, alpha: float = 0.05, power: float = 0.8) -> np.ndarray:
    """With how many training sets would each comparison on a task find its difference so probably?

    comparisons: rows of `tables.COMPARISONS`. Disjoint test sets: a further instance brings further
    test cases, and the t-test's answer is exact. A common test set stays as it is: its cases' share of the
    error remains however many instances there are, and where that is too much the answer is infinite (by
    normal quantiles). Not a number where a comparison has no error.
    """
    check(alpha, power)
    columns = {name: _numbers(comparisons, name) for name in _NEEDED}
    found = np.full(comparisons.num_rows, np.nan)
    known = np.isfinite(columns["standard_error"]) & np.isfinite(columns["difference"])
    difference = np.abs(columns["difference"])
    disjoint = known & np.isnan(columns["sd_cases"])
    with np.errstate(invalid="ignore", divide="ignore"):
        effect = difference / (columns["standard_error"] * np.sqrt(columns["instances"]))
        effect[difference == 0] = 0.0
        found[disjoint] = _least(effect[disjoint], alpha, power)
        common = known & ~disjoint
        allowed = np.square(difference / (ndtri(1 - alpha / 2) + ndtri(power)))
        left = allowed - np.square(columns["sd_cases"]) / columns["test_cases"]
        by_instance = np.square(columns["sd_training"])
        by_instance = by_instance + np.square(columns["sd_residual"]) / columns["test_cases"]
        count = np.where(left > 0, np.maximum(np.ceil(by_instance / left), 2), np.inf)
    found[common] = np.where(count > MOST, np.inf, count)[common]
    return found


_NEEDED = (
    "difference",
    "standard_error",
    "sd_training",
    "sd_cases",
    "sd_residual",
    "instances",
    "test_cases",
)


def check(alpha: float, power: float) -> None:
    """Raise ValueError unless both are probabilities with power above alpha."""
    if not 0 < alpha < power < 1:
        raise ValueError(f"expected 0 < level < power < 1, got {alpha} and {power}")


def _numbers(table: pa.Table, name: str) -> np.ndarray:
    return np.array(table[name].to_pylist(), dtype=float)


def _least(effect: np.ndarray, alpha: float, power: float) -> np.ndarray:
    """The least n from 2 on whose t-test has the power; effect: differences in units of their deviation."""
    z = ndtri(1 - alpha / 2)
    with np.errstate(divide="ignore"):
        # With the deviation known: a lower bound, and close to the answer.
        known = np.minimum(np.square((z + ndtri(power)) / effect), MOST)
    low = np.maximum(np.floor(known) - 1, 1.0)
    high = np.minimum(np.ceil(known) + 2 * z * z + 20, MOST)
    high = np.where(_power(high, effect, alpha) >= power, high, MOST)
    while (high - low > 1).any():
        middle = np.floor((low + high) / 2)
        is_open = high - low > 1
        enough = _power(middle, effect, alpha) >= power
        high = np.where(is_open & enough, middle, high)
        low = np.where(is_open & ~enough, middle, low)
    found = np.where(_power(high, effect, alpha) >= power, high, np.inf)
    return np.where(np.isnan(effect), np.nan, np.ceil(found))


def _power(n: np.ndarray, effect: np.ndarray, alpha: float) -> np.ndarray:
    """The probability that |t| exceeds its critical value; a huge effect is always found."""
    df = np.maximum(n - 1, 1)
    critical = stdtrit(df, 1 - alpha / 2)
    shift = np.minimum(np.nan_to_num(effect, posinf=_LARGEST_SHIFT) * np.sqrt(n), _LARGEST_SHIFT)
    # Tails that are too small for the noncentral t distribution come as not a number.
    missed = np.nan_to_num(nctdtr(df, shift, critical))
    return 1 - missed + np.nan_to_num(nctdtr(df, shift, -critical))
