"""The Bayesian signed-rank test: which of two methods is better on a new task, by a Dirichlet process.

The difference on a new task has the distribution sum w_i delta(z_i) over the differences seen and one of
zero; the weights w are those of independent gamma numbers. For each draw of weights the chances that the sum
of two such differences lies below, in or above the region are compared. From `DRAWN_BELOW` tasks on, the
three chances are taken as jointly normal, which is as exact as the draws are. Source: Benavoli and others
2014, ICML 32, and 2017, JMLR 18(77), section 4.2.

The Bayesian signed-rank test without a region, for many tasks, for a chunk of pairs at once.

The chance that the sum of two differences lies below zero is a quadratic form of the weights of
`bayes_signed_rank`; its mean and, to first order, its variance follow from how many smaller differences of
either sign each difference has, and so from one sort of the sizes.

Draws from what two Bayesian tests believe of one pair of methods, for pictures of that belief.

A draw is a triple of shares that add up to 1: a is better, both are as good, b is better.
"""

import numpy as np
from scipy.special import ndtr

from delvecore.statistics.ranking.pair_scan import PairChunks, sorted_keys
from delvecore.statistics.ranking.posteriors import PRIOR as SIGN_PRIOR
from delvecore.statistics.ranking.posteriors import PairPosterior, check_rope, without_region
from delvecore.statistics.ranking.ranks import DIGITS, task_decimals, without_noise
from delvecore.statistics.ranking.score_table import ScoreTable
from delvecore.statistics.ranking.signed_rank_region import chances_of_region

__all__ = [
    "DRAWN",
    "DRAWN_BELOW",
    "DRAWS",
    "PRIOR",
    "bayesian_signed_rank",
    "chance_of_negative",
    "sign_draws",
    "signed_rank_draws",
]

DRAWS = 10_000
DRAWN_BELOW = 100
"""From so many tasks on, nothing is drawn from the weights."""
PRIOR = 0.5
"""Weight of the difference of zero that stands for what was believed before."""


def bayesian_signed_rank(
    table: ScoreTable,
    *,
    rope: float = 0.0,
    draws: int = DRAWS,
    seed: int = 0,
    pairs: tuple[np.ndarray, np.ndarray] | None = None,
) -> PairPosterior:
    """How probable is it that a method is better than another on a new task, or as good?

    rope: half the width of the region of practical equivalence, in units of the values. draws, seed: the same
    seed gives the same result; its standard error is at most 0.5 / sqrt(draws). Methods that are equal on all
    tasks have 1/2 each without a region. Raises ValueError for a negative rope and missing values.
    """
    check_rope(rope)
    chunks = PairChunks(table, pairs)
    decimals = min(task_decimals(table.values).max(initial=0.0), 15.0)
    tasks = len(table.tasks)
    if rope == 0 and tasks >= DRAWN_BELOW:
        parts = [chance_of_negative(part, PRIOR) for part in chunks.loss_differences()]
        a_better = np.concatenate(parts)
        return _posterior(chunks, rope, a_better, np.zeros(len(a_better)), 1 - a_better)
    if tasks >= DRAWN_BELOW:
        parts = [chances_of_region(part, rope, PRIOR, decimals) for part in chunks.loss_differences()]
        return _posterior(chunks, rope, *np.concatenate(parts).T)
    posterior = _Drawn(tasks, rope, decimals, draws, np.random.default_rng(seed))
    found = [posterior(row) for part in chunks.loss_differences() for row in np.sort(part, axis=1)]
    a_better, equivalent, b_better = np.array(found, dtype=float).reshape(-1, 3).T
    if rope == 0:
        a_better, equivalent, b_better = without_region(a_better, b_better)
    return _posterior(chunks, rope, a_better, equivalent, b_better)


def _posterior(chunks: PairChunks, rope: float, *shares: np.ndarray) -> PairPosterior:
    a_better, equivalent, b_better = shares
    return PairPosterior("signed rank", rope, chunks.first, chunks.second, a_better, equivalent, b_better)


class _Drawn:
    """Chances of draws of the weights. All pairs use the same draws: weights of equal parameters may be
    exchanged, so that it is no matter which belongs to which difference."""

    def __init__(
        self, tasks: int, rope: float, decimals: float, draws: int, generator: np.random.Generator
    ) -> None:
        self.rope, self.decimals = rope, decimals
        weights = generator.standard_exponential((tasks, draws), dtype=np.float32)
        prior = generator.standard_gamma(PRIOR, (1, draws), dtype=np.float32)
        self.weights = np.concatenate([weights, prior])
        self.up_to = np.concatenate([np.zeros((1, draws), np.float32), np.cumsum(weights, axis=0)])
        self.total = np.square(self.up_to[-1] + prior[0])

    def __call__(self, z: np.ndarray) -> tuple[float, ...]:
        if z[0] == z[-1] == 0:
            return (0.0, 1.0, 0.0)
        below = self._below(z, -2 * self.rope)
        above = self.total - (self._below(z, 2 * self.rope) if self.rope else below)
        inside = self.total - below - above if self.rope else np.zeros_like(below)
        winner = np.argmax([below, inside, above], axis=0)
        return tuple(np.bincount(winner, minlength=3) / len(winner))

    def _below(self, z: np.ndarray, limit: float) -> np.ndarray:
        """The chance that a sum lies below the limit, for each draw; one at the limit counts half."""
        left, right = self._partners(z, limit)
        reach = self.up_to[left]
        if not np.array_equal(left, right):
            reach = (reach + self.up_to[right]) / 2
        # Zero is the last: the others' sums with it count twice, its sum with itself once.
        with_zero = 2 * reach[-1] + self.weights[-1] * ((limit > 0) + 0.5 * (limit == 0))
        return np.einsum("is,is->s", self.weights[:-1], reach[:-1]) + self.weights[-1] * with_zero

    def _partners(self, z: np.ndarray, limit: float) -> tuple[np.ndarray, np.ndarray]:
        """Return (left, right): with how many z_j is z_i + z_j below limit, and below or at it, for each i.

        The last is for a difference of zero.
        """
        rest = without_noise(limit - np.append(z, 0.0), np.array(self.decimals))
        return np.searchsorted(z, rest, side="left"), np.searchsorted(z, rest, side="right")


def chance_of_negative(differences: np.ndarray, prior: float) -> np.ndarray:
    """How probably is the sum of two differences on new tasks more often below zero than above?

    differences: shape (pairs, tasks); prior: the weight of a difference of zero. 1/2 where all are zero.
    """
    pairs, tasks = differences.shape
    row, negative, positive = _groups(differences)
    negatives, positives = (np.bincount(row, weights=one, minlength=pairs) for one in (negative, positive))
    zeros = tasks - negatives - positives + prior
    every = tasks + prior
    before = np.cumsum(negative) - negative, np.cumsum(positive) - positive
    before = (
        before[0] - (np.cumsum(negatives) - negatives)[row],
        before[1] - (np.cumsum(positives) - positives)[row],
    )
    # How many sums with another difference lie below zero, less half of all; one at zero counts half.
    of_negative = (negatives + zeros)[row] + before[1] + positive / 2 - every / 2
    of_positive = negatives[row] - before[0] - negative / 2 - every / 2
    of_zero = negatives + zeros / 2 - every / 2
    excess = np.bincount(row, weights=negative * of_negative + positive * of_positive, minlength=pairs)
    excess += zeros * of_zero
    mean = excess / every
    # A difference with itself: below zero where it is negative.
    excess += negatives + zeros / 2 - every / 2
    squares = negative * np.square(of_negative) + positive * np.square(of_positive)
    spread = np.bincount(row, weights=squares, minlength=pairs) + zeros * np.square(of_zero)
    # Of the weights only their shares count: what all of them have in common does not vary.
    spread = np.maximum(spread - every * np.square(mean), 0.0) * (every + 1) / every
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(negatives + positives > 0, ndtr(excess / (2 * np.sqrt(spread))), 0.5)


def _groups(differences: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (row, how many are negative, how many positive) of each group of equal sizes, zero excepted."""
    tasks = differences.shape[1]
    keys = sorted_keys(differences)
    sizes = keys >> 1
    is_new = np.ones(keys.shape, dtype=bool)
    is_new[:, 1:] = sizes[:, 1:] != sizes[:, :-1]
    starts = np.flatnonzero(is_new)
    count = np.diff(np.append(starts, keys.size))
    positive = np.add.reduceat((keys & 1).ravel(), starts)
    kept = sizes.ravel()[starts] > 0
    positive = positive[kept].astype(float)
    return starts[kept] // tasks, count[kept] - positive, positive


DRAWN = 1_000


def sign_draws(differences: np.ndarray, *, rope: float, draws: int = DRAWN, seed: int = 0) -> np.ndarray:
    """Return draws of the shares of tasks on which a is better, both are as good, b is better.

    differences: losses of a less those of b, one a task; rope: half the width of the region of practical
    equivalence. Shape (draws, 3). The same seed gives the same draws. Raises ValueError as `bayesian_sign`.
    """
    check_rope(rope)
    differences = _clean(differences)
    a, b = int((differences < -rope).sum()), int((differences > rope).sum())
    parameters = np.array([a, len(differences) - a - b + SIGN_PRIOR, b], dtype=float)
    gamma = np.random.default_rng(seed).standard_gamma(parameters, size=(draws, 3))
    return gamma / gamma.sum(axis=1, keepdims=True)


def signed_rank_draws(
    differences: np.ndarray, *, rope: float, draws: int = DRAWN, seed: int = 0
) -> np.ndarray:
    """Return draws of the chances that the mean of two differences lies below, in or above the region.

    Arguments and shape as in `sign_draws`. A mean at an end of the region counts half on either side of it;
    with a rope of zero, a mean of zero counts half for each method. Source: as `bayesian_signed_rank`.
    """
    check_rope(rope)
    z = np.append(_clean(differences), 0.0)
    parameters = np.append(np.ones(len(z) - 1), PRIOR)
    order = np.argsort(z, kind="stable")
    z = z[order]
    gamma = np.random.default_rng(seed).standard_gamma(parameters, size=(draws, len(z)))[:, order]
    weights = gamma / gamma.sum(axis=1, keepdims=True)
    up_to = np.concatenate([np.zeros((draws, 1)), np.cumsum(weights, axis=1)], axis=1)
    below = _chance_below(z, weights, up_to, -2 * rope)
    above = 1 - (_chance_below(z, weights, up_to, 2 * rope) if rope else below)
    return np.clip(np.stack([below, 1 - below - above, above], axis=1), 0.0, 1.0)


def _chance_below(z: np.ndarray, weights: np.ndarray, up_to: np.ndarray, limit: float) -> np.ndarray:
    """The chance that a sum of two differences lies below the limit, for each draw; at it counts half."""
    rest = limit - z
    if np.abs(z).max(initial=0.0) > 0:
        rest = _clean(rest, largest=2 * np.abs(z).max())
    left, right = np.searchsorted(z, rest, side="left"), np.searchsorted(z, rest, side="right")
    return (weights * (up_to[:, left] + up_to[:, right])).sum(axis=1) / 2


def _clean(values: np.ndarray, *, largest: float | None = None) -> np.ndarray:
    """Return values in which equal decimals are equal numbers."""
    values = np.asarray(values, dtype=float)
    largest = np.abs(values).max(initial=0.0) if largest is None else largest
    if largest == 0:
        return values
    return without_noise(values, np.array(DIGITS - 1 - np.floor(np.log10(largest))))
