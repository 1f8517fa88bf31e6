"""The Bayesian signed-rank test with a region, for many tasks, for a chunk of pairs at once.

The chances that the sum of two differences lies below, in or above the region are quadratic forms of the
weights of `bayes_signed_rank`. To first order in the weights' deviations they are jointly normal, and add up
to a constant; how probably each of them is the largest is an integral over a quarter of a plane.
"""

from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
from scipy.special import ndtr, owens_t

from delvecore.statistics.ranking.ranks import without_noise

__all__ = ["chances_of_region"]

_FAR = 38.0
"""So many standard deviations are as good as infinitely many."""
_NEAR = 1e-12
_Form = tuple[np.ndarray, np.ndarray]
"""A number of each group, and one of each pair for the difference of zero."""


def chances_of_region(differences: np.ndarray, rope: float, prior: float, decimals: float) -> np.ndarray:
    """How probably is the sum of two differences on new tasks most often below, in, above the region?

    differences: shape (pairs, tasks), may be changed; rope: half the width of the region, above zero; prior:
    the weight of a difference of zero; decimals: how many of a sum count. Shape (pairs, 3).
    """
    groups = _grouped(differences)
    below, mean_below = _sums_below(groups, -2 * rope, prior, decimals)
    up_to, mean_up_to = _sums_below(groups, 2 * rope, prior, decimals)
    every = groups.tasks + prior
    means = (mean_below, mean_up_to - mean_below, every * every + every - mean_up_to)
    # What all weights have in common does not vary: only their shares count.
    ends = [_centred(groups, one, prior) for one in (below, up_to)]
    one_end, mixed, other_end = [
        _weighted_sum(groups, one, other, prior) for one, other in combinations_with_replacement(ends, 2)
    ]
    return _largest(np.stack(means), _covariance(one_end, mixed, other_end, 4 * (1 + 1 / every)))


@dataclass(frozen=True, eq=False)
class _Groups:
    """Groups of equal differences, all pairs in one array: row is that of the pair, count the size.

    at: where the groups of each pair begin and the last ones end; before: how many differences of the same
    pair are smaller.
    """

    pairs: int
    tasks: int
    row: np.ndarray
    value: np.ndarray
    count: np.ndarray
    at: np.ndarray
    before: np.ndarray


def _grouped(differences: np.ndarray) -> _Groups:
    pairs, tasks = differences.shape
    differences.sort(axis=1)
    is_new = np.ones(differences.shape, dtype=bool)
    is_new[:, 1:] = differences[:, 1:] != differences[:, :-1]
    starts = np.flatnonzero(is_new)
    of_pairs = is_new.sum(axis=1)
    row = np.repeat(np.arange(pairs), of_pairs)
    at = np.append(0, np.cumsum(of_pairs))
    count = np.diff(np.append(starts, differences.size)).astype(float)
    return _Groups(pairs, tasks, row, differences.ravel()[starts], count, at, starts - row * tasks)


def _sums_below(groups: _Groups, limit: float, prior: float, decimals: float) -> tuple[_Form, np.ndarray]:
    """Return (chance of each group, of zero) that a sum with it is below the limit, and the mean form.

    One at the limit counts half. The chances are in weights; those of zero are one for each pair.
    """
    partners = without_noise(limit - groups.value, np.array(decimals))
    with_zero = _below(groups.value, limit)
    zero_alone = prior * _below(0.0, limit)
    of_zero = _sum(groups, groups.count * with_zero) + zero_alone
    with_itself = _below(groups.value, limit / 2)
    with_zero *= prior
    reach = with_zero
    reach += _smaller(groups, partners)
    with_itself += reach
    with_itself *= groups.count
    return (reach, of_zero), _sum(groups, with_itself) + prior * of_zero + zero_alone


def _smaller(groups: _Groups, partners: np.ndarray) -> np.ndarray:
    """How many differences of its pair are smaller than each partner? An equal one counts half."""
    smaller = np.empty(len(partners))
    for start, end in zip(groups.at[:-1].tolist(), groups.at[1:].tolist(), strict=True):
        values, sought = groups.value[start:end], partners[start:end]
        place = np.searchsorted(values, sought)
        equal = values.take(place, mode="clip") == sought
        if end - start == groups.tasks:
            np.multiply(equal, 0.5, out=smaller[start:end])
            smaller[start:end] += place
            continue
        before = np.append(groups.before[start:end], groups.tasks)
        smaller[start:end] = before[place] + 0.5 * equal * groups.count[start:end].take(place, mode="clip")
    return smaller


def _below(values: np.ndarray | float, limit: float) -> np.ndarray:
    """1 for values below the limit, 1/2 at it."""
    found = np.multiply(np.equal(values, limit), 0.5)
    found += np.less(values, limit)
    return found


def _sum(groups: _Groups, values: np.ndarray) -> np.ndarray:
    """Return the sum over the groups of each pair."""
    return np.add.reduceat(values, groups.at[:-1])


def _centred(groups: _Groups, form: _Form, prior: float) -> _Form:
    of_groups, of_zero = form
    mean = (_sum(groups, groups.count * of_groups) + prior * of_zero) / (groups.tasks + prior)
    return of_groups - mean[groups.row], of_zero - mean


def _weighted_sum(groups: _Groups, one: _Form, other: _Form, prior: float) -> np.ndarray:
    return _sum(groups, groups.count * one[0] * other[0]) + prior * one[1] * other[1]


def _covariance(below: np.ndarray, mixed: np.ndarray, up_to: np.ndarray, factor: float) -> np.ndarray:
    """Return that of (below, inside, above), shape (3, 3, pairs), from those of the region's ends."""
    inside = below - 2 * mixed + up_to
    rows = (
        (below, mixed - below, -mixed),
        (mixed - below, inside, mixed - up_to),
        (-mixed, mixed - up_to, up_to),
    )
    return factor * np.array(rows)


def _largest(means: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    """How probably is each of three jointly normal numbers the largest? Shape (pairs, 3)."""
    found = []
    for k in range(3):
        others = [other for other in range(3) if other != k]
        lead, other_lead = (means[k] - means[i] for i in others)
        ((v, c), (_, w)) = (
            [covariance[k, k] - covariance[k, i] - covariance[k, j] + covariance[i, j] for j in others]
            for i in others
        )
        found.append(_both_positive(lead, other_lead, v, w, c))
    shares = np.clip(np.stack(found, axis=1), 0.0, 1.0)
    return shares / shares.sum(axis=1, keepdims=True)


def _both_positive(
    mean: np.ndarray,
    other_mean: np.ndarray,
    variance: np.ndarray,
    other_variance: np.ndarray,
    covariance: np.ndarray,
) -> np.ndarray:
    """How probably are both of two jointly normal numbers positive? Source: Owen 1956."""
    h, k = _in_deviations(mean, variance), _in_deviations(other_mean, other_variance)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = covariance / np.sqrt(variance * other_variance)
    r = np.clip(np.where(np.isfinite(r), r, 0.0), -1 + _NEAR, 1 - _NEAR)
    rest = np.sqrt((1 - r) * (1 + r))
    corners = owens_t(h, (k - r * h) / (h * rest)) + owens_t(k, (h - r * k) / (k * rest))
    return (ndtr(h) + ndtr(k) - ((h > 0) != (k > 0))) / 2 - corners


def _in_deviations(mean: np.ndarray, variance: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore", divide="ignore"):
        found = mean / np.sqrt(np.maximum(variance, 0.0))
    found = np.clip(np.where(np.isnan(found), 0.0, found), -_FAR, _FAR)
    # Owen's function of exactly zero has no side.
    return np.where(np.abs(found) < _NEAR, _NEAR, found)
