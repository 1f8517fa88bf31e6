"""p-values of all pairs of methods, adjusted with the logic of pairs: not every set of them can be equal.

If a equals b and b equals c, then a equals c: so of three pairs three may be equal, or one, or none, but not
two. Both procedures use this, hold the probability of any error whatever the dependence, and are never less
powerful than Holm's. They hold where equality is transitive, as equal means, and equal mean ranks, are."""

import functools

import numpy as np

from delvecore.stats.kinds import Floats, Mask

__all__ = ["MOST_METHODS", "bergmann_hommel", "shaffer"]

MOST_METHODS = 9
"""Bergmann and Hommel's procedure looks at every way to group the methods: 21,147 of them for nine."""


def shaffer(p: Floats) -> Floats:
    """Return p-values of all pairs adjusted by Shaffer's static procedure; monotone, at most 1.

    p: of the pairs (0, 1), (0, 2), ... (1, 2), ...; a test without a result counts with p = 1. Each is
    multiplied by how many hypotheses can at most be true once those with smaller p are rejected. Raises
    ValueError for a number of p-values that no number of methods has, and for what is no probability.
    Source: Shaffer 1986; Garcia and Herrera 2008, section 2.1."""
    p, methods = _checked(p)
    possible = np.array(_true_counts(methods))
    left = len(p) - np.arange(len(p))
    factors = possible[np.searchsorted(possible, left, side="right") - 1]
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(p.shape)
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * factors), 1.0)
    return adjusted


def bergmann_hommel(p: Floats) -> Floats:
    """Return p-values of all pairs adjusted by Bergmann and Hommel's procedure, up to `MOST_METHODS` methods.

    p: as for `shaffer`. A hypothesis is rejected if each set of hypotheses that can be all that is true, and
    that holds it, has a p-value below alpha over the size of the set: the closed test with Bonferroni's.
    Raises ValueError as `shaffer` does, and for more methods.
    Source: Bergmann and Hommel 1988; Garcia and Herrera 2008, section 2.1."""
    p, methods = _checked(p)
    if methods > MOST_METHODS:
        raise ValueError(f"expected at most {MOST_METHODS} methods for Bergmann-Hommel, got {methods}")
    sets = _exhaustive_sets(methods)
    least = np.where(sets, p, np.inf).min(axis=1)
    bound = sets.sum(axis=1) * least
    return np.minimum(np.where(sets, bound[:, None], 0.0).max(axis=0), 1.0)


def _checked(p: Floats) -> tuple[Floats, int]:
    """Return (p, number of methods)."""
    p = np.asarray(p, dtype=float)
    methods = round((1 + np.sqrt(1 + 8 * p.size)) / 2)
    if p.ndim != 1 or methods * (methods - 1) // 2 != p.size or not p.size:
        raise ValueError(f"expected p-values of all pairs, 1, 3, 6, 10 or more of them, got {p.size}")
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError("expected p-values between 0 and 1; a test without a result counts with p = 1")
    return p, methods


@functools.lru_cache(maxsize=4096)
def _true_counts(methods: int) -> tuple[int, ...]:
    """How many of the pairs of so many methods can be equal? Ascending."""
    if methods < 2:
        return (0,)
    sizes = range(1, methods + 1)
    return tuple(sorted({n * (n - 1) // 2 + rest for n in sizes for rest in _true_counts(methods - n)}))


@functools.lru_cache(maxsize=MOST_METHODS)
def _exhaustive_sets(methods: int) -> Mask:
    """Return the sets of pairs that can be all that are equal, shape (sets, pairs), without the empty one:
    for each way to group the methods the pairs within its groups."""
    groups = np.zeros((1, 1), dtype=np.int8)
    for _ in range(methods - 1):
        # A further method joins one of the groups that there are, or is a group of its own.
        choices = groups.max(axis=1) + 2
        grown = np.repeat(groups, choices, axis=0)
        starts = np.repeat(np.cumsum(choices) - choices, choices)
        groups = np.column_stack([grown, np.arange(len(grown)) - starts]).astype(np.int8)
    first, second = np.triu_indices(methods, 1)
    sets: Mask = groups[:, first] == groups[:, second]
    return sets[sets.any(axis=1)]
