"""Tests of all pairs of methods that do not depend on which other methods are in the table, and their power.

How many instances of a task would make a difference significant takes the difference and the spread seen
for the true ones. Such answers plan a further study; for the tests made they say no more than p-values."""

import math
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from scipy.special import nctdtr, ndtr, ndtri, stdtr, stdtrit

from delvecore.stats.adjust import adjust
from delvecore.stats.ranking.pair_scan import MOST_EXACT, PairScan

__all__ = [
    "METHODS",
    "PairedT",
    "SignedRanks",
    "instances_needed",
    "paired_t",
    "signed_ranks",
    "smallest_signed_rank_p",
]

METHODS = ("exact", "normal", "all differences zero")


@dataclass(frozen=True, eq=False)
class SignedRanks:
    """Wilcoxon's signed-rank test of all pairs first < second; arrays, one entry a pair.

    n: differences that are not zero; zeros: those that are. rank_sum_a, rank_sum_b: sums of the ranks of the
    tasks where the value of a, or of b, is larger; statistic: the smaller of the two. method: 0 exact,
    1 normal, 2 all differences zero (then p is 1); words in `METHODS`. p_holm: over all pairs. z: of the sum
    of a by the normal approximation, 0 without differences."""

    zeros_treatment: str
    first: np.ndarray
    second: np.ndarray
    n: np.ndarray
    zeros: np.ndarray
    rank_sum_a: np.ndarray
    rank_sum_b: np.ndarray
    statistic: np.ndarray
    p: np.ndarray
    p_holm: np.ndarray
    method: np.ndarray
    z: np.ndarray


@dataclass(frozen=True, eq=False)
class PairedT:
    """Student's paired t-test of all pairs; difference: mean of a less b over the tasks.

    test_share: above 0 for the corrected resampled t-test. Where differences do not vary there is no t:
    statistic is not a number, p is 1, and `undefined` says so."""

    test_share: float
    df: int
    first: np.ndarray
    second: np.ndarray
    difference: np.ndarray
    standard_error: np.ndarray
    statistic: np.ndarray
    p: np.ndarray
    p_holm: np.ndarray
    undefined: np.ndarray


def signed_ranks(scan: PairScan) -> SignedRanks:
    """Is one method of a pair better on more, or on more telling, tasks than the other?

    Two-sided. Exact given the ties up to 50 differences that are not zero, then normal with the variance
    corrected for ties and no correction for continuity. Source: Wilcoxon 1945; Pratt 1959; Hollander and
    Wolfe 1999, section 3.1."""
    n = scan.positive + scan.negative
    ranked_zeros = scan.zero if scan.zeros == "pratt" else np.zeros_like(scan.zero)
    every = (n + ranked_zeros).astype(float)
    total = every * (every + 1) / 2 - ranked_zeros * (ranked_zeros + 1) / 2
    squares = _squares(every) - _squares(ranked_zeros.astype(float)) - scan.tie_term / 12
    with np.errstate(invalid="ignore", divide="ignore"):
        z = (scan.rank_sum - total / 2) / np.sqrt(squares / 4)
    p = np.where(np.isnan(scan.exact_p), 2 * ndtr(-np.abs(z)), scan.exact_p)
    p = np.where(n == 0, 1.0, p)
    method = np.where(n == 0, 2, np.where(np.isnan(scan.exact_p), 1, 0))
    sums = (scan.rank_sum, total - scan.rank_sum)
    counts = (scan.first, scan.second, n, scan.zero)
    return SignedRanks(scan.zeros, *counts, *sums, np.minimum(*sums), p, adjust(p), method, np.nan_to_num(z))


def smallest_signed_rank_p(units: int) -> float:
    """Return the smallest p of Wilcoxon's signed-rank test of one pair over so many units, whatever the data.

    Examples
    --------
    >>> smallest_signed_rank_p(8)
    0.0078125
    """
    if units <= MOST_EXACT:
        return 2.0 ** (1 - units)
    return float(2 * ndtr(-math.sqrt(3 * units * (units + 1) / (2 * (2 * units + 1)))))


def paired_t(scan: PairScan, *, test_share: float = 0.0) -> PairedT:
    """Is the mean over the tasks of one method's values above that of the other? Two-sided.

    The values of the tasks must mean the same, and their differences be about normal. test_share: where the
    rows of the table are not tasks but overlapping training sets, as in cross-validation or random
    subsampling, the share of cases in each test set (1/10 for 10 folds). The variance is then corrected by
    1/n + share / (1 - share): the corrected resampled t-test. Raises ValueError for one task and a share
    outside [0, 1). Source: Nadeau and Bengio 2003, Machine Learning 52, section 3."""
    error = scan.standard_error(test_share)
    df = scan.tasks - 1
    with np.errstate(invalid="ignore", divide="ignore"):
        t = np.where(scan.constant, np.nan, scan.mean / error)
    p = np.where(scan.constant, 1.0, np.minimum(2 * stdtr(df, -np.abs(t)), 1.0))
    numbers = (scan.first, scan.second, scan.mean, error, t, p, adjust(p), scan.constant)
    return PairedT(test_share, df, *numbers)


def _squares(n: np.ndarray) -> np.ndarray:
    """The sum of the squares of the ranks 1 to n."""
    return n * (n + 1) * (2 * n + 1) / 6


MOST = 1_000_000
"""Beyond so many, the answer is infinite."""
_LARGEST_SHIFT = 37.0


def instances_needed(comparisons: pa.Table, *, alpha: float = 0.05, power: float = 0.8) -> np.ndarray:
    """With how many training sets would each comparison on a task find its difference so probably?

    comparisons: rows of `tables.COMPARISONS`. Disjoint test sets: a further instance brings further
    test cases, and the t-test's answer is exact. A common test set stays as it is: its cases' share of the
    error remains however many instances there are, and where that is too much the answer is infinite (by
    normal quantiles). Not a number where a comparison has no error, infinite beyond `MOST`. Source: Cohen
    1988, section 2; the noncentral t distribution."""
    _check(alpha, power)
    errors = ("difference", "standard_error", "sd_training", "sd_cases", "sd_residual")
    names = (*errors, "instances", "test_cases")
    columns = {name: np.array(comparisons[name].to_pylist(), dtype=float) for name in names}
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


def _check(alpha: float, power: float) -> None:
    """Raise ValueError unless both are probabilities with power above alpha."""
    if not 0 < alpha < power < 1:
        raise ValueError(f"expected 0 < level < power < 1, got {alpha} and {power}")


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
