"""Wilcoxon's signed-rank test and Student's paired t-test of all pairs of methods.

Neither test depends on the other methods in the table. Both follow from one pass over the differences of all
pairs, `scan_pairs`, which effect sizes, sign flips and Bayesian tests also use. Pairs are processed in chunks
that fit a processor's cache. Absolute differences are rounded, so their last bit can store the sign. One sort
of whole numbers then ranks them and keeps the signs.

The exact distribution of the sum of signed ranks is conditional on the ties; each sign is random."""

import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import bdtr, ndtr

from delvecore.parallel.processes import in_threads
from delvecore.stats.orientation import oriented
from delvecore.stats.ranking.pair_test import PairTest
from delvecore.stats.ranking.ranks import decimals_of, runs_of_equals, without_noise
from delvecore.stats.ranking.score_table import ScoreTable

MOST_EXACT = 50
"""Maximum number of nonzero differences for an exact p."""


@functools.lru_cache(maxsize=256)
def upper_tails(doubled_ranks: tuple[int, ...]) -> np.ndarray:
    """Exact distribution of the signed-rank sum: P(sum >= s) for each s from 0 on, over all 2^n sign
    patterns.

    Examples
    --------
    >>> upper_tails((1, 2)).tolist()  # sums 0, 1, 2 and 3 are equally probable
    [1.0, 0.75, 0.5, 0.25]
    """
    counts = np.zeros(sum(doubled_ranks) + 1, dtype=np.int64)
    counts[0], top = 1, 0
    for rank in doubled_ranks:
        counts[rank : top + rank + 1] += counts[: top + 1].copy()
        top += rank
    return np.cumsum(counts[::-1])[::-1] / 2.0 ** len(doubled_ranks)


ZEROS = ("drop", "pratt")
_CELLS_AT_ONCE = 1 << 18


@dataclass(frozen=True, eq=False)
class PairScan:
    """The differences a minus b of a table's values, for pairs of methods a = first < b = second, as arrays.

    Attributes
    ----------
    table : ScoreTable
        The compared values.
    zeros : str
        `drop` or `pratt`.
    level : float
        Confidence of the intervals of medians.
    first, second : array
        Positions of the methods of each pair.
    mean, deviation, median : array
        Summaries of the differences. The deviation divides by tasks - 1 and is NaN for one task.
    constant : array
        Whether all differences are equal.
    positive, negative, zero : array
        Counts of positive, negative and zero differences.
    rank_sum : array
        Sum of the ranks of positive differences.
    tie_term : array
        Sum of t^3 - t over the ties of nonzero differences.
    """

    table: ScoreTable
    zeros: str
    first: np.ndarray
    second: np.ndarray
    level: float
    mean: np.ndarray
    deviation: np.ndarray
    median: np.ndarray
    constant: np.ndarray
    positive: np.ndarray
    negative: np.ndarray
    zero: np.ndarray
    rank_sum: np.ndarray
    tie_term: np.ndarray

    @property
    def tasks(self) -> int:
        return len(self.table.tasks)

    @property
    def differing(self) -> np.ndarray:
        """Number of nonzero differences."""
        counts: np.ndarray = self.positive + self.negative
        return counts

    @property
    def rank_sums(self) -> tuple[np.ndarray, np.ndarray]:
        """Sums of the ranks of the tasks with a larger value of a, and of b."""
        zeros, every = self._ranked()
        total = every * (every + 1) / 2 - zeros * (zeros + 1) / 2
        return self.rank_sum, total - self.rank_sum

    @property
    def rank_z(self) -> np.ndarray:
        """Standardized sum of the signed ranks for the normal approximation; NaN without differences."""
        zeros, every = self._ranked()
        total = every * (every + 1) / 2 - zeros * (zeros + 1) / 2
        squares = _squares(every) - _squares(zeros.astype(float)) - self.tie_term / 12
        with np.errstate(invalid="ignore", divide="ignore"):
            z: np.ndarray = (self.rank_sum - total / 2) / np.sqrt(squares / 4)
        return z

    def _ranked(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the number of ranked zeros, and of all ranked differences."""
        zeros = self.zero if self.zeros == "pratt" else np.zeros_like(self.zero)
        return zeros, (self.differing + zeros).astype(float)

    @functools.cached_property
    def exact_p(self) -> np.ndarray:
        """Exact p of the signed ranks; NaN for pairs with more than `MOST_EXACT` differences."""
        if self.tasks - self.zero.max(initial=0) > MOST_EXACT:
            return np.full(len(self.first), np.nan)
        pieces = _pieces(self.table, self.first, self.second)
        parts = in_threads(lambda piece: _exact(sorted_keys(piece()), self.zeros), pieces)
        return np.concatenate(list(parts))

    @functools.cached_property
    def median_ends(self) -> tuple[np.ndarray, np.ndarray]:
        """The ends of the interval of each median, by the sign test; infinite with too few tasks."""
        # Smallest count whose binomial tail below the median's interval has this probability.
        chances = bdtr(np.arange(self.tasks + 1), self.tasks, 0.5)
        outside = int(np.searchsorted(chances, (1 - self.level) / 2))
        if not outside:
            infinite = np.full(len(self.first), np.inf)
            return -infinite, infinite
        places = (outside - 1, self.tasks - outside)
        pieces = pair_differences(self.table, self.first, self.second)
        ends = np.concatenate([np.partition(piece, places, axis=1)[:, places] for piece in pieces])
        return ends[:, 0], ends[:, 1]

    @property
    def wins(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For each pair, the number of tasks where a is better, both are equal, and b is better."""
        larger = (self.positive, self.zero, self.negative)
        return larger if self.table.higher_is_better else larger[::-1]

    def oriented_differences(self) -> Iterator[np.ndarray]:
        """Yield the differences, oriented so that lower is better, shape (pairs, tasks), a few pairs at a
        time. Callers may modify them.
        """
        for differences in pair_differences(self.table, self.first, self.second):
            yield oriented(differences, self.table)

    def standard_error(self, test_share: float) -> np.ndarray:
        """Return the standard error of the mean differences; test_share: see `paired_t`.

        Raises ValueError for one task and for a share outside [0, 1).
        """
        if self.tasks < 2:
            raise ValueError(f"expected at least 2 tasks for a t-test, got {self.tasks}")
        share = check_share(test_share)
        errors: np.ndarray = self.deviation * np.sqrt(1 / self.tasks + share / (1 - share))
        return errors


def check_share(share: float) -> float:
    """Return a share of cases in a test set. Raises ValueError outside [0, 1)."""
    if not 0 <= share < 1:
        raise ValueError(f"expected a share of at least 0 and below 1, got {share}")
    return share


def check_zeros(zeros: str) -> None:
    """Raise ValueError for a word that is not in `ZEROS`."""
    if zeros not in ZEROS:
        raise ValueError(f"expected one of {', '.join(ZEROS)} for zeros, got {zeros!r}")


def check_pairs(table: ScoreTable, zeros: str) -> None:
    """Raise ValueError for an unknown treatment of zeros, missing values, or a table without tasks."""
    check_zeros(zeros)
    if table.missing or not table.tasks:
        raise ValueError(f"expected tasks and no missing values, got {len(table.tasks)} and {table.missing}")


def scan_pairs(
    table: ScoreTable,
    *,
    zeros: str = "drop",
    level: float = 0.95,
    pairs: tuple[np.ndarray, np.ndarray] | None = None,
) -> PairScan:
    """Summarize the differences of all pairs, or of the pairs with places (first, second).

    zeros: `drop` differences of zero before ranking (Wilcoxon), or rank them and then drop their ranks
    (`pratt`). level: confidence of the intervals of medians. Differences that agree in 12 digits of the
    larger of their two values are equal. Raises ValueError for an unknown treatment, a level outside (0, 1),
    and a table with missing values or without tasks.
    """
    check_pairs(table, zeros)
    if not 0 < level < 1:
        raise ValueError(f"expected a level between 0 and 1, got {level}")
    first, second = np.triu_indices(len(table.methods), 1) if pairs is None else pairs
    pieces = _pieces(table, first, second)
    parts = list(in_threads(lambda piece: _scan(piece(), zeros), pieces))
    return PairScan(table, zeros, first, second, level, *map(np.concatenate, zip(*parts, strict=True)))


def pair_differences(table: ScoreTable, first: np.ndarray, second: np.ndarray) -> Iterator[np.ndarray]:
    """Yield values of first minus second without noise, shape (pairs, tasks), a few pairs at a time."""
    for piece in _pieces(table, first, second):
        yield piece()


def _pieces(table: ScoreTable, first: np.ndarray, second: np.ndarray) -> list[Callable[[], np.ndarray]]:
    """Return functions that compute the chunks of `pair_differences`."""
    values = np.ascontiguousarray(table.values.T)
    decimals = decimals_of(values)
    size = max(1, _CELLS_AT_ONCE // values.shape[1])

    def differences(at: int) -> np.ndarray:
        some = slice(at, at + size)
        a, b = first[some], second[some]
        return without_noise(values[a] - values[b], np.minimum(decimals[a], decimals[b]))

    return [functools.partial(differences, at) for at in range(0, max(len(first), 1), size)]


def _scan(differences: np.ndarray, zeros: str) -> tuple[np.ndarray, ...]:
    """Return the columns of a PairScan after `second` for a matrix of shape (pairs, tasks)."""
    tasks = differences.shape[1]
    mean = differences.mean(axis=1)
    keys = sorted_keys(differences)
    differences.sort(axis=1)
    median = (differences[:, (tasks - 1) // 2] + differences[:, tasks // 2]) / 2
    constant = differences[:, 0] == differences[:, -1]
    mean[constant] = differences[constant, 0]
    differences -= mean[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        deviation = np.sqrt(np.einsum("ij,ij->i", differences, differences) / np.float64(tasks - 1))
    return mean, deviation, median, constant, *_signed_ranks(keys, zeros)


def sorted_keys(differences: np.ndarray) -> np.ndarray:
    """Return sizes as whole numbers in ascending order, with a last bit of 1 for positive differences."""
    keys = np.abs(differences).view(np.int64)
    keys &= ~1
    keys |= differences > 0
    keys.sort(axis=1)
    sorted_values: np.ndarray = keys
    return sorted_values


def _signed_ranks(keys: np.ndarray, zeros: str) -> tuple[np.ndarray, ...]:
    pairs, tasks = keys.shape
    signs = keys & 1
    sizes = keys >> 1
    zero = (sizes == 0).sum(axis=1)
    positive = signs.sum(axis=1)
    left_out = zero if zeros == "drop" else np.zeros_like(zero)
    rank_sum = signs @ np.arange(1.0, tasks + 1) - left_out * positive
    tie_term = np.zeros(pairs)
    tied = np.flatnonzero((sizes[:, 1:] == sizes[:, :-1]).any(axis=1))
    if len(tied):
        surplus, tie_term[tied] = _ties(sizes[tied], signs[tied])
        rank_sum[tied] -= surplus
        tie_term -= zero.astype(float) ** 3 - zero
    return positive, tasks - positive - zero, zero, rank_sum, tie_term


def _ties(sizes: np.ndarray, signs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return for each row the excess of the positive rank sum that uses plain positions, and the sum of t^3 -
    t.

    The p positive differences are last in a group of t equal sizes, so the mean rank of each is lower by
    (t - p) / 2."""
    rows, tasks = sizes.shape
    goes_on = np.zeros((rows, tasks + 1), dtype=bool)  # Does a size equal the previous one?
    np.equal(sizes[:, 1:], sizes[:, :-1], out=goes_on[:, 1:-1])
    first = np.flatnonzero(goes_on[:, 1:] & ~goes_on[:, :-1])
    last = np.flatnonzero(goes_on[:, :-1] & ~goes_on[:, 1:])
    size = (last - first + 1).astype(float)
    signs = signs.ravel()
    counted = np.cumsum(signs)
    positive = (counted[last] - counted[first] + signs[first]).astype(float)
    row = first // tasks
    surplus = np.bincount(row, weights=positive * (size - positive) / 2, minlength=rows)
    return surplus, np.bincount(row, weights=size**3 - size, minlength=rows)


def _exact(keys: np.ndarray, zeros: str) -> np.ndarray:
    """Return exact p-values for few differences, otherwise NaN.

    p is the probability of a rank sum at least this far from its mean. Ranks are doubled, so that they are
    whole numbers even with ties.
    """
    _, _, zero, rank_sum, _ = _signed_ranks(keys, zeros)
    sizes, tasks = keys >> 1, keys.shape[1]
    left_out = zero if zeros == "drop" else np.zeros_like(zero)
    p = np.full(len(sizes), np.nan)
    is_plain = (zero == 0) & (sizes[:, 1:] != sizes[:, :-1]).all(axis=1) & (tasks <= MOST_EXACT)
    if is_plain.any():
        tails, total = upper_tails(tuple(range(2, 2 * tasks + 1, 2))), tasks * (tasks + 1)
        observed = np.rint(2 * rank_sum[is_plain]).astype(np.int64)
        p[is_plain] = np.minimum(1.0, 2 * tails[np.maximum(observed, total - observed)])
    for row in np.flatnonzero((tasks - zero <= MOST_EXACT) & ~is_plain):
        starts, counts = runs_of_equals(sizes[row : row + 1, zero[row] :])
        doubled = np.repeat(2 * (starts + zero[row] - left_out[row]) + counts + 1, counts)
        tails, observed = upper_tails(tuple(doubled.tolist())), round(2 * rank_sum[row])
        p[row] = min(1.0, 2 * float(tails[max(observed, int(doubled.sum()) - observed)]))
    return p


def signed_ranks(scan: PairScan) -> PairTest:
    """Wilcoxon signed-rank test of all pairs, two-sided.

    p is exact, given the ties, for up to 50 nonzero differences. Otherwise it is normal, with the variance
    corrected for ties and no continuity correction.

    Parameters
    ----------
    scan : PairScan
        The differences of all pairs, with the treatment of zeros.

    Returns
    -------
    PairTest
        The smaller of `scan.rank_sums`, and p, which is 1 for a pair without any difference.

    References
    ----------
    Wilcoxon (1945); Pratt (1959); Hollander and Wolfe (1999), section 3.1.

    Examples
    --------
    >>> values = np.column_stack([np.arange(1, 7), np.zeros(6)])
    >>> result = signed_ranks(scan_pairs(ScoreTable(tuple("tuvwxy"), ("a", "b"), values)))
    >>> float(result.statistic[0]), float(result.p[0])
    (0.0, 0.03125)
    """
    p = np.where(np.isnan(scan.exact_p), 2 * ndtr(-np.abs(scan.rank_z)), scan.exact_p)
    p = np.where(scan.differing == 0, 1.0, p)
    return PairTest(scan.first, scan.second, np.minimum(*scan.rank_sums), p, p)


def smallest_signed_rank_p(units: int) -> float:
    """Return the smallest possible p of Wilcoxon's signed-rank test of one pair with a number of units.

    Examples
    --------
    >>> smallest_signed_rank_p(8)
    0.0078125
    """
    if units <= MOST_EXACT:
        return 2.0 ** (1 - units)
    return float(2 * ndtr(-math.sqrt(3 * units * (units + 1) / (2 * (2 * units + 1)))))


def _squares(n: np.ndarray) -> np.ndarray:
    """The sum of the squares of the ranks 1 to n."""
    squares: np.ndarray = n * (n + 1) * (2 * n + 1) / 6
    return squares
