"""Tests of all pairs of methods that do not depend on which other methods are in the table."""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, stdtr

from delvecore.statistics.adjust import adjust
from delvecore.statistics.ranking.pair_scan import PairScan, scan_pairs
from delvecore.statistics.ranking.score_table import ScoreTable

__all__ = ["METHODS", "PairedT", "SignedRanks", "paired_t", "paired_t_of", "signed_ranks", "signed_ranks_of"]

METHODS = ("exact", "normal", "all differences zero")


@dataclass(frozen=True, eq=False)
class SignedRanks:
    """Wilcoxon's signed-rank test of all pairs first < second; arrays, one entry a pair.

    n: differences that are not zero; zeros: those that are. rank_sum_a, rank_sum_b: sums of the ranks of the
    tasks where the value of a, or of b, is larger; statistic: the smaller of the two. method: 0 exact,
    1 normal, 2 all differences zero (then p is 1); words in `METHODS`. p_holm: over all pairs.
    """

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


@dataclass(frozen=True, eq=False)
class PairedT:
    """Student's paired t-test of all pairs; difference: mean of a less b over the tasks.

    test_share: above 0 for the corrected resampled t-test. Where differences do not vary there is no t:
    statistic is not a number, p is 1, and `undefined` says so.
    """

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


def signed_ranks(table: ScoreTable, *, zeros: str = "drop") -> SignedRanks:
    """Is one method of a pair better on more, or on more telling, tasks than the other?

    Two-sided. Exact given the ties up to 50 differences that are not zero, then normal with the variance
    corrected for ties and no correction for continuity. zeros, errors: as in `scan_pairs`.
    Source: Wilcoxon 1945; Pratt 1959; Hollander and Wolfe 1999, section 3.1.
    """
    return signed_ranks_of(scan_pairs(table, zeros=zeros))


def signed_ranks_of(scan: PairScan) -> SignedRanks:
    """As `signed_ranks`, from a scan of the pairs."""
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
    other = total - scan.rank_sum
    return SignedRanks(
        scan.zeros,
        scan.first,
        scan.second,
        n,
        scan.zero,
        scan.rank_sum,
        other,
        np.minimum(scan.rank_sum, other),
        p,
        adjust(p),
        method,
    )


def paired_t(table: ScoreTable, *, test_share: float = 0.0) -> PairedT:
    """Is the mean over the tasks of one method's values above that of the other? Two-sided.

    The values of the tasks must mean the same, and their differences be about normal. test_share: where the
    rows of the table are not tasks but overlapping training sets, as in cross-validation or random
    subsampling, the share of cases in each test set (1/10 for 10 folds). The variance is then corrected by
    1/n + share / (1 - share): the corrected resampled t-test. Raises ValueError for one task, a share
    outside [0, 1), and missing values. Source: Nadeau and Bengio 2003, Machine Learning 52, section 3.
    """
    return paired_t_of(scan_pairs(table), test_share=test_share)


def paired_t_of(scan: PairScan, *, test_share: float = 0.0) -> PairedT:
    """As `paired_t`, from a scan of the pairs."""
    if scan.tasks < 2:
        raise ValueError(f"expected at least 2 tasks for a t-test, got {scan.tasks}")
    if not 0 <= test_share < 1:
        raise ValueError(f"expected a share of at least 0 and below 1, got {test_share}")
    error = scan.deviation * np.sqrt(1 / scan.tasks + test_share / (1 - test_share))
    df = scan.tasks - 1
    with np.errstate(invalid="ignore", divide="ignore"):
        t = np.where(scan.constant, np.nan, scan.mean / error)
    p = np.where(scan.constant, 1.0, np.minimum(2 * stdtr(df, -np.abs(t)), 1.0))
    return PairedT(test_share, df, scan.first, scan.second, scan.mean, error, t, p, adjust(p), scan.constant)


def _squares(n: np.ndarray) -> np.ndarray:
    """The sum of the squares of the ranks 1 to n."""
    return n * (n + 1) * (2 * n + 1) / 6
