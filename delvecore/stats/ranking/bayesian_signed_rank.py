"""Bayesian signed-rank test of pairs of methods, with a region of practical equivalence.

It uses a Dirichlet process. The difference on a new task has the distribution sum w_i delta(z_i) over the
observed differences and one of zero. The weights w are normalized independent gamma numbers. Each draw of
weights gives the probabilities that the sum of two such differences is below, in or above the region. These
probabilities are quadratic forms of the weights. From `DRAWN_BELOW` tasks on, they are treated as jointly
normal, to first order in the deviations of the weights. This is as accurate as the draws. The probability
that each is the largest is an integral over a quarter of a plane. Source: Benavoli and others 2014, ICML 32,
and 2017, JMLR 18(77), section 4.2.
"""

from itertools import combinations_with_replacement

import numpy as np
from scipy.special import ndtr, owens_t

from delvecore.stats.ranking.bayesian_sign import (
    DRAWN,
    PairPosterior,
    check_rope,
    equal_decimals,
    without_region,
)
from delvecore.stats.ranking.ranks import runs_of_equals, task_decimals, without_noise
from delvecore.stats.ranking.wilcoxon import PairScan, sorted_keys

RANK_PRIOR = 0.5
"""Weight of the difference of zero that represents the prior of the signed-rank test."""


def signed_rank_draws(
    differences: np.ndarray, *, rope: float, draws: int = DRAWN, seed: int = 0
) -> np.ndarray:
    """Return draws of the probabilities that the mean of two differences is below, in or above the region.

    Arguments and shape as in `sign_draws`. A mean at an end of the region counts half on either side. If the
    rope is zero, a mean of zero counts half for each method. Source: as `bayesian_signed_rank`.
    """
    check_rope(rope)
    z = np.append(equal_decimals(differences), 0.0)
    parameters = np.append(np.ones(len(z) - 1), RANK_PRIOR)
    order = np.argsort(z, kind="stable")
    z = z[order]
    gamma = np.random.default_rng(seed).standard_gamma(parameters, size=(draws, len(z)))[:, order]
    weights = gamma / gamma.sum(axis=1, keepdims=True)
    up_to = np.concatenate([np.zeros((draws, 1)), np.cumsum(weights, axis=1)], axis=1)
    below = _chance_below(z, weights, up_to, -2 * rope)
    above = 1 - (_chance_below(z, weights, up_to, 2 * rope) if rope else below)
    shares: np.ndarray = np.clip(np.stack([below, 1 - below - above, above], axis=1), 0.0, 1.0)
    return shares


def _chance_below(z: np.ndarray, weights: np.ndarray, up_to: np.ndarray, limit: float) -> np.ndarray:
    """The probability that a sum of two differences is below the limit, for each draw; a sum at the limit
    counts half.
    """
    rest = limit - z
    if np.abs(z).max(initial=0.0) > 0:
        rest = equal_decimals(rest, largest=2 * np.abs(z).max())
    left, right = np.searchsorted(z, rest, side="left"), np.searchsorted(z, rest, side="right")
    chance: np.ndarray = (weights * (up_to[:, left] + up_to[:, right])).sum(axis=1) / 2
    return chance


DRAWS = 10_000
DRAWN_BELOW = 100
"""Minimum number of tasks for the normal approximation, which draws no weights."""
_FAR = 38.0
"""Number of standard deviations that is practically infinite."""
_NEAR = 1e-12
_Form = tuple[np.ndarray, np.ndarray]
"""A value per group, and a value per pair for the difference of zero."""


def bayesian_signed_rank(
    scan: PairScan, *, rope: float = 0.0, draws: int = DRAWS, seed: int = 0
) -> PairPosterior:
    """Bayesian signed-rank test: probability that a method is better on a new task, or equivalent.

    Parameters
    ----------
    scan : PairScan
        The differences of all pairs.
    rope : float
        Half the width of the region of practical equivalence, in units of the values.
    draws, seed : int
        The same seed gives the same result; its standard error is at most 0.5 / sqrt(draws).

    Returns
    -------
    PairPosterior
        Three probabilities per pair. Methods that are equal on all tasks have 1/2 each without a region.

    Raises
    ------
    ValueError
        For a negative rope.

    References
    ----------
    Benavoli and others (2014), ICML 32; (2017), JMLR 18(77), section 4.2.

    Examples
    --------
    >>> from delvecore.stats.ranking.score_table import ScoreTable
    >>> from delvecore.stats.ranking.wilcoxon import scan_pairs
    >>> table = ScoreTable(tuple("tuvwx"), ("a", "b"), np.array([[1.0, 2]] * 4 + [[2, 1]]))
    >>> bayesian_signed_rank(scan_pairs(table)).a_better.round(2).tolist()
    [0.94]
    """
    check_rope(rope)
    decimals = min(int(task_decimals(scan.table.values).max(initial=0)), 15)
    parts = scan.oriented_differences()
    shares: tuple[np.ndarray, ...]
    if scan.tasks < DRAWN_BELOW:
        posterior = _Drawn(scan.tasks, rope, decimals, draws, np.random.default_rng(seed))
        posteriors = [posterior(row) for part in parts for row in np.sort(part, axis=1)]
        drawn = np.array(posteriors, dtype=float).reshape(-1, 3).T
        shares = tuple(drawn) if rope else without_region(drawn)
    elif rope:
        chances = [chances_of_region(part, rope, RANK_PRIOR, decimals) for part in parts]
        shares = tuple(np.concatenate(chances).T)
    else:
        a_better = np.concatenate([_chance_of_negative(part, RANK_PRIOR) for part in parts])
        shares = (a_better, np.zeros(len(a_better)), 1 - a_better)
    return PairPosterior("signed rank", rope, *shares)


class _Drawn:
    """Probabilities of draws of the weights.

    All pairs use the same draws. Weights with equal parameters are exchangeable, so their assignment to
    differences does not matter.
    """

    def __init__(
        self, tasks: int, rope: float, decimals: float, draws: int, generator: np.random.Generator
    ) -> None:
        self.rope, self.decimals = rope, decimals
        weights = generator.standard_exponential((tasks, draws), dtype=np.float32)
        prior = generator.standard_gamma(RANK_PRIOR, (1, draws), dtype=np.float32)
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
        """The probability that a sum is below the limit, for each draw; a sum at the limit counts half."""
        left, right = self._partners(z, limit)
        reach = self.up_to[left]
        if not np.array_equal(left, right):
            reach = (reach + self.up_to[right]) / 2
        # Zero is last. The others' sums with zero count twice, and its sum with itself once.
        with_zero = 2 * reach[-1] + self.weights[-1] * ((limit > 0) + 0.5 * (limit == 0))
        chance: np.ndarray = (
            np.einsum("is,is->s", self.weights[:-1], reach[:-1]) + self.weights[-1] * with_zero
        )
        return chance

    def _partners(self, z: np.ndarray, limit: float) -> tuple[np.ndarray, np.ndarray]:
        """Return (left, right): for each i, the number of z_j with z_i + z_j below the limit, and at or below
        it.

        The last i belongs to an extra difference of zero.
        """
        rest = without_noise(limit - np.append(z, 0.0), np.array(self.decimals))
        return np.searchsorted(z, rest, side="left"), np.searchsorted(z, rest, side="right")


def _chance_of_negative(differences: np.ndarray, prior: float) -> np.ndarray:
    """Probability that the sum of two differences on new tasks is more often below zero than above.

    differences: shape (pairs, tasks); prior: the weight of a difference of zero. 1/2 if all are zero. The
    probability is a quadratic form of the weights. For each difference, the number of smaller differences of
    either sign gives its mean and, to first order, its variance. One sort of the absolute differences gives
    these numbers.
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
    # Number of sums with another difference that are below zero, minus half of all; a sum at zero counts
    # half.
    of_negative = (negatives + zeros)[row] + before[1] + positive / 2 - every / 2
    of_positive = negatives[row] - before[0] - negative / 2 - every / 2
    of_zero = negatives + zeros / 2 - every / 2
    excess = np.bincount(row, weights=negative * of_negative + positive * of_positive, minlength=pairs)
    excess += zeros * of_zero
    mean = excess / every
    # The sum of a difference with itself is below zero if the difference is negative.
    excess += negatives + zeros / 2 - every / 2
    squares = negative * np.square(of_negative) + positive * np.square(of_positive)
    spread = np.bincount(row, weights=squares, minlength=pairs) + zeros * np.square(of_zero)
    # Only the shares of the weights count: their common part does not vary.
    spread = np.maximum(spread - every * np.square(mean), 0.0) * (every + 1) / every
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(negatives + positives > 0, ndtr(excess / (2 * np.sqrt(spread))), 0.5)


def _groups(differences: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (row, number of negatives, number of positives) of each group of equal sizes except zero."""
    tasks = differences.shape[1]
    keys = sorted_keys(differences)
    sizes = keys >> 1
    starts, count = runs_of_equals(sizes)
    kept = sizes.ravel()[starts] > 0
    positive = np.add.reduceat((keys & 1).ravel(), starts)[kept].astype(float)
    return starts[kept] // tasks, count[kept] - positive, positive


def chances_of_region(differences: np.ndarray, rope: float, prior: float, decimals: float) -> np.ndarray:
    """Probability that the sum of two differences on new tasks is most often below, in, or above the region.

    differences: shape (pairs, tasks), may be changed; rope: half the width of the region, above zero; prior:
    the weight of a difference of zero; decimals: significant decimals of a sum. Shape (pairs, 3)."""
    pairs, tasks = differences.shape
    differences.sort(axis=1)
    # Groups of equal differences, all pairs in one array: pair, number of smaller differences, group size.
    starts, sizes = runs_of_equals(differences)
    row, before = np.divmod(starts, tasks)
    value, count, every = differences.ravel()[starts], sizes.astype(float), tasks + prior
    at = np.append(0, np.cumsum(np.bincount(row, minlength=pairs)))

    def by_pair(values: np.ndarray) -> np.ndarray:
        return np.add.reduceat(values, at[:-1])

    def smaller_than(partners: np.ndarray) -> np.ndarray:
        """For each partner, count the smaller differences of the pair. An equal one counts half."""
        smaller = np.empty(len(partners))
        for start, end in zip(at[:-1].tolist(), at[1:].tolist(), strict=True):
            row, sought = value[start:end], partners[start:end]
            place = np.searchsorted(row, sought)
            equal = row.take(place, mode="clip") == sought
            if end - start == tasks:
                np.multiply(equal, 0.5, out=smaller[start:end])
                smaller[start:end] += place
                continue
            fewer = np.append(before[start:end], tasks)
            smaller[start:end] = fewer[place] + 0.5 * equal * count[start:end].take(place, mode="clip")
        return smaller

    def sums_below(limit: float) -> tuple[_Form, np.ndarray]:
        """For each group, and for zero, return the probability that a sum with it is below the limit; also
        return the mean of the quadratic form.

        A sum at the limit counts half. Probabilities are measured in weights; zero has one probability per
        pair.
        """
        partners = without_noise(limit - value, np.array(decimals))
        with_zero = _below(value, limit)
        zero_alone = prior * _below(0.0, limit)
        of_zero = by_pair(count * with_zero) + zero_alone
        with_itself = _below(value, limit / 2)
        with_zero *= prior
        reach = with_zero
        reach += smaller_than(partners)
        with_itself += reach
        with_itself *= count
        return (reach, of_zero), by_pair(with_itself) + prior * of_zero + zero_alone

    (below, mean_below), (up_to, mean_up_to) = sums_below(-2 * rope), sums_below(2 * rope)
    means = (mean_below, mean_up_to - mean_below, every * every + every - mean_up_to)
    # The common part of all weights does not vary: only their shares count.
    ends = []
    for of_groups, of_zero in (below, up_to):
        mean = (by_pair(count * of_groups) + prior * of_zero) / every
        ends.append((of_groups - mean[row], of_zero - mean))
    low, mixed, high = (
        by_pair(count * one[0] * other[0]) + prior * one[1] * other[1]
        for one, other in combinations_with_replacement(ends, 2)
    )
    # Forms of (below, inside, above), from those of the region's ends.
    rows = (
        (low, mixed - low, -mixed),
        (mixed - low, low - 2 * mixed + high, mixed - high),
        (-mixed, mixed - high, high),
    )
    return _largest(np.stack(means), 4 * (1 + 1 / every) * np.array(rows))


def _below(values: np.ndarray | float, limit: float) -> np.ndarray:
    """1 for values below the limit, 1/2 for values at the limit."""
    shares = np.multiply(np.equal(values, limit), 0.5)
    shares += np.less(values, limit)
    return shares


def _largest(means: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    """Probability that each of three jointly normal numbers is the largest. Shape (pairs, 3)."""
    probabilities = []
    for k in range(3):
        others = [other for other in range(3) if other != k]
        lead, other_lead = (means[k] - means[i] for i in others)
        ((v, c), (_, w)) = (
            [covariance[k, k] - covariance[k, i] - covariance[k, j] + covariance[i, j] for j in others]
            for i in others
        )
        probabilities.append(_both_positive(lead, other_lead, v, w, c))
    shares = np.clip(np.stack(probabilities, axis=1), 0.0, 1.0)
    result: np.ndarray = shares / shares.sum(axis=1, keepdims=True)
    return result


def _both_positive(
    mean: np.ndarray,
    other_mean: np.ndarray,
    variance: np.ndarray,
    other_variance: np.ndarray,
    covariance: np.ndarray,
) -> np.ndarray:
    """Probability that two jointly normal numbers are both positive. Source: Owen 1956."""
    h, k = _in_deviations(mean, variance), _in_deviations(other_mean, other_variance)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = covariance / np.sqrt(variance * other_variance)
    r = np.clip(np.where(np.isfinite(r), r, 0.0), -1 + _NEAR, 1 - _NEAR)
    rest = np.sqrt((1 - r) * (1 + r))
    corners = owens_t(h, (k - r * h) / (h * rest)) + owens_t(k, (h - r * k) / (k * rest))
    chance: np.ndarray = (ndtr(h) + ndtr(k) - ((h > 0) != (k > 0))) / 2 - corners
    return chance


def _in_deviations(mean: np.ndarray, variance: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore", divide="ignore"):
        deviates = mean / np.sqrt(np.maximum(variance, 0.0))
    deviates = np.clip(np.where(np.isnan(deviates), 0.0, deviates), -_FAR, _FAR)
    # Owen's function depends on the sign, so exact zeros become a tiny positive number.
    return np.where(np.abs(deviates) < _NEAR, _NEAR, deviates)
