"""The Bayesian signed-rank test without a region, for many tasks, for a chunk of pairs at once.

The chance that the sum of two differences lies below zero is a quadratic form of the weights of
`bayes_signed_rank`; its mean and, to first order, its variance follow from how many smaller differences of
either sign each difference has, and so from one sort of the sizes.
"""

import numpy as np
from scipy.special import ndtr

from delvecore.statistics.ranking.pair_scan import sorted_keys

__all__ = ["chance_of_negative"]


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


def _groups(differences):
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
