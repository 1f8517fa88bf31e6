"""One pass over the differences of all pairs of methods, from which every test of pairs follows.

Pairs are taken in chunks that fit a processor's cache. A difference's sign is kept in the last bit of its
size, which rounding has freed, so that one fast sort of whole numbers ranks sizes and keeps their signs.

The exact distribution of a sum of signed ranks, given the ties: every sign falls either way by chance."""

import functools
import hashlib
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
from scipy.special import bdtr

from delvecore.stats.ranking.rank_tests import pair_places
from delvecore.stats.ranking.ranks import runs_of_equals, task_decimals
from delvecore.stats.ranking.score_table import ScoreTable

__all__ = [
    "MOST_EXACT",
    "PairScan",
    "check_share",
    "check_zeros",
    "pair_differences",
    "scan_pairs",
    "sorted_keys",
    "upper_tails",
]

MOST_EXACT = 50
"""Up to this many differences that are not zero, p is exact."""


@functools.lru_cache(maxsize=256)
def upper_tails(doubled_ranks: tuple[int, ...]) -> np.ndarray:
    """Return P(sum >= s) for each s from 0 on, from the counts of all 2^n signs as whole numbers."""
    counts = np.zeros(sum(doubled_ranks) + 1, dtype=np.int64)
    counts[0], top = 1, 0
    for rank in doubled_ranks:
        counts[rank : top + rank + 1] += counts[: top + 1].copy()
        top += rank
    return np.cumsum(counts[::-1])[::-1] / 2.0 ** len(doubled_ranks)


ZEROS = ("drop", "pratt")
_CELLS_AT_ONCE = 1 << 18
_SCANS_KEPT = 2
"""Of all pairs of a table: another confidence asks for the same ranks."""


@dataclass(frozen=True, eq=False)
class PairScan:
    """The differences a less b of a table's values, for pairs of methods a = first < b = second, as arrays.

    mean, deviation (with tasks - 1; not a number for one task), median; constant: whether all differences are
    equal. positive, negative, zero: how many. rank_sum: sum of the ranks of the positive ones; tie_term: sum
    of t^3 - t over the ties among those that are not zero. exact_p: of the signed ranks, not a number beyond
    `MOST_EXACT` differences. zeros: `drop` or `pratt`. level: of confidence, of the intervals of medians."""

    table: ScoreTable
    zeros: str
    level: float
    first: np.ndarray
    second: np.ndarray
    mean: np.ndarray
    deviation: np.ndarray
    median: np.ndarray
    constant: np.ndarray
    positive: np.ndarray
    negative: np.ndarray
    zero: np.ndarray
    rank_sum: np.ndarray
    tie_term: np.ndarray
    exact_p: np.ndarray

    @property
    def tasks(self) -> int:
        return len(self.table.tasks)

    @functools.cached_property
    def median_ends(self) -> tuple[np.ndarray, np.ndarray]:
        """The ends of the interval of each median, by the sign test; infinite where the tasks are too few."""
        outside = _below_interval(self.tasks, self.level)
        if not outside:
            infinite = np.full(len(self.first), np.inf)
            return -infinite, infinite
        places = (outside - 1, self.tasks - outside)
        pieces = pair_differences(self.table, self.first, self.second)
        ends = np.concatenate([np.partition(piece, places, axis=1)[:, places] for piece in pieces])
        return ends[:, 0], ends[:, 1]

    @property
    def wins(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For each pair the number of tasks where a is better, where they are equal, where b is better."""
        larger = (self.positive, self.zero, self.negative)
        return larger if self.table.higher_is_better else larger[::-1]

    def loss_differences(self) -> Iterator[np.ndarray]:
        """Yield the differences with the sign that makes lower better, shape (pairs, tasks), a few pairs at a
        time; they may be changed."""
        for differences in pair_differences(self.table, self.first, self.second):
            differences *= -1.0 if self.table.higher_is_better else 1.0
            yield differences

    def standard_error(self, test_share: float) -> np.ndarray:
        """Return that of the mean differences; test_share: see `paired_t`. Raises ValueError for one task and
        for a share outside [0, 1)."""
        if self.tasks < 2:
            raise ValueError(f"expected at least 2 tasks for a t-test, got {self.tasks}")
        share = check_share(test_share)
        return self.deviation * np.sqrt(1 / self.tasks + share / (1 - share))


def check_share(share: float) -> float:
    """Return a share of cases in a test set. Raises ValueError for what is none."""
    if not 0 <= share < 1:
        raise ValueError(f"expected a share of at least 0 and below 1, got {share}")
    return share


def check_zeros(zeros: str) -> None:
    """Raise ValueError for another word than those of `ZEROS`."""
    if zeros not in ZEROS:
        raise ValueError(f"expected one of {', '.join(ZEROS)} for zeros, got {zeros!r}")


def scan_pairs(
    table: ScoreTable,
    *,
    zeros: str = "drop",
    level: float = 0.95,
    pairs: tuple[np.ndarray, np.ndarray] | None = None,
) -> PairScan:
    """Go over the differences of all pairs, or of those given by places (first, second).

    zeros: `drop` differences of zero before ranking (Wilcoxon) or rank them and drop their ranks (`pratt`).
    level: confidence of the intervals of medians. Differences that agree in 12 digits of a task's largest
    value are equal. Raises ValueError for another word, a level that is not between 0 and 1, and a table with
    missing values or without tasks."""
    check_zeros(zeros)
    if not 0 < level < 1:
        raise ValueError(f"expected a level between 0 and 1, got {level}")
    if table.missing or not table.tasks:
        raise ValueError(f"expected tasks and no missing values, got {len(table.tasks)} and {table.missing}")
    if pairs is None:
        digest = hashlib.sha256(repr(table.values.shape).encode() + table.values.tobytes()).digest()
        return PairScan(table, zeros, level, *_all_pairs(_Content(digest, MOST_EXACT, table), zeros))
    return PairScan(table, zeros, level, *pairs, *_columns(table, zeros, pairs))


@dataclass(frozen=True)
class _Content:
    """A table, the same as any other with the same values. exact: up to how many differences p is."""

    digest: bytes
    exact: int
    table: ScoreTable = field(compare=False)


@functools.lru_cache(maxsize=_SCANS_KEPT)
def _all_pairs(content: _Content, zeros: str) -> tuple[np.ndarray, ...]:
    """Return the columns of a PairScan from `first` on, which nobody may change."""
    pairs = pair_places(len(content.table.methods))
    columns = (*pairs, *_columns(content.table, zeros, pairs))
    for column in columns:
        column.flags.writeable = False
    return columns


def _columns(table: ScoreTable, zeros: str, pairs: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, ...]:
    """Return the columns of a PairScan behind `second`."""
    pieces = _pieces(table, *pairs)
    with ThreadPoolExecutor(min(len(pieces), os.cpu_count() or 1)) as pool:
        parts = list(pool.map(lambda piece: _scan(piece(), zeros), pieces))
    return tuple(map(np.concatenate, zip(*parts, strict=True)))


def _below_interval(tasks: int, level: float) -> int:
    """How many of the ordered differences lie below the interval of the median, and as many above? The least
    of which so many or fewer fall there with probability (1 - level) / 2 or more."""
    chances = bdtr(np.arange(tasks + 1), tasks, 0.5)
    return int(np.searchsorted(chances, (1 - level) / 2))


def pair_differences(table: ScoreTable, first: np.ndarray, second: np.ndarray) -> Iterator[np.ndarray]:
    """Yield values of first less second without noise, shape (pairs, tasks), a few pairs at a time."""
    for piece in _pieces(table, first, second):
        yield piece()


def _pieces(table: ScoreTable, first: np.ndarray, second: np.ndarray) -> list[Callable[[], np.ndarray]]:
    """Return functions that make what `pair_differences` yields."""
    values, decimals = np.ascontiguousarray(table.values.T), task_decimals(table.values)
    size = max(1, _CELLS_AT_ONCE // values.shape[1])
    return [
        functools.partial(_differences, values, decimals, first[at : at + size], second[at : at + size])
        for at in range(0, max(len(first), 1), size)
    ]


def _differences(
    values: np.ndarray, decimals: np.ndarray, first: np.ndarray, second: np.ndarray
) -> np.ndarray:
    """Return values of first less second without noise; see `rounding_noise`, here in place."""
    differences = values[first]
    differences -= values[second]
    up, down = 10.0 ** np.clip(decimals, 0, 300), 10.0 ** np.clip(-decimals, 0, 300)
    differences *= up
    if decimals.min(initial=0) < 0:
        differences /= down
        np.rint(differences, out=differences)
        differences *= down
    else:
        np.rint(differences, out=differences)
    differences /= up
    return differences


def _scan(differences: np.ndarray, zeros: str) -> tuple[np.ndarray, ...]:
    """Return the columns of a PairScan behind `second` for a matrix of shape (pairs, tasks)."""
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
    """Return sizes as whole numbers in the order of the doubles, ascending, the last bit 1 where positive."""
    keys = np.abs(differences).view(np.int64)
    keys &= ~1
    keys |= differences > 0
    keys.sort(axis=1)
    return keys


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
    exact = _exact(sizes, zero, left_out, rank_sum)
    return positive, tasks - positive - zero, zero, rank_sum, tie_term, exact


def _ties(sizes: np.ndarray, signs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (what plain positions give too much to the positive, sum of t^3 - t), each for each row.

    In a group of t equal sizes the p positive ones stand last; the mean rank gives each (t - p) / 2 less."""
    rows, tasks = sizes.shape
    goes_on = np.zeros((rows, tasks + 1), dtype=bool)  # is a size that of the one before?
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


def _exact(sizes: np.ndarray, zero: np.ndarray, left_out: np.ndarray, rank_sum: np.ndarray) -> np.ndarray:
    """Return exact p-values where there are few differences, else not a number: how probable is a rank sum at
    least this far from its mean? Ranks are doubled, so that they are whole also with ties."""
    tasks = sizes.shape[1]
    p = np.full(len(sizes), np.nan)
    for row in np.flatnonzero(tasks - zero <= MOST_EXACT):
        starts, counts = runs_of_equals(sizes[row : row + 1, zero[row] :])
        doubled = np.repeat(2 * (starts + zero[row] - left_out[row]) + counts + 1, counts)
        tails, observed = upper_tails(tuple(doubled.tolist())), round(2 * rank_sum[row])
        p[row] = min(1.0, 2 * float(tails[max(observed, int(doubled.sum()) - observed)]))
    return p
