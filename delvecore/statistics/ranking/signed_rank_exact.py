"""The exact distribution of a sum of signed ranks, given the ties: every sign falls either way by chance."""

import functools

import numpy as np

__all__ = ["MOST_EXACT", "exact_two_sided", "upper_tails"]

MOST_EXACT = 50
"""Up to this many differences that are not zero, p is exact."""


def exact_two_sided(doubled_ranks: tuple[int, ...], doubled_sum: int) -> float:
    """How probable is a rank sum at least this far from its mean?

    doubled_ranks: twice the rank of each difference that is not zero, a whole number also with ties.
    doubled_sum: twice the sum of the ranks of the positive ones. Without differences the answer is 1.
    """
    tails = upper_tails(doubled_ranks)
    total = sum(doubled_ranks)
    return min(1.0, 2 * float(tails[max(doubled_sum, total - doubled_sum)]))


@functools.lru_cache(maxsize=256)
def upper_tails(doubled_ranks):
    """Return P(sum >= s) for each s from 0 on, from the counts of all 2^n signs as whole numbers."""
    counts = np.zeros(sum(doubled_ranks) + 1, dtype=np.int64)
    counts[0], top = 1, 0
    for rank in doubled_ranks:
        counts[rank : top + rank + 1] += counts[: top + 1].copy()
        top += rank
    return np.cumsum(counts[::-1])[::-1] / 2.0 ** len(doubled_ranks)
