"""Adjustment of p-values for multiple hypotheses.

Bonferroni, Holm, Hochberg, Benjamini and Hochberg; for all pairs of methods also Shaffer, Bergmann and
Hommel. The last two use the transitivity of equality: if a equals b and b equals c, then a equals c. So
three, one or none of three pairs may be equal, but not two. They control the probability of any error under
any dependence, and are never less powerful than Holm's. Equal means and equal mean ranks are transitive.
"""

import functools

import numpy as np

from delvecore.stats.array_types import Floats, Mask, Whole
from delvecore.stats.choose import checked_adjustment

_FROM_THE_LARGEST = ("hochberg", "benjamini-hochberg")


def adjust(p: Floats, *, method: str = "holm", untested: bool = False) -> Floats:
    """p-values adjusted for the number of tests; monotone, at most 1.

    Parameters
    ----------
    p : array
        p-values; a test without a result counts with p = 1.
    method : str
        `bonferroni` and `holm` control the probability of any error under any dependence. `hochberg` controls
        it for positively dependent tests. `benjamini-hochberg` controls the expected share of false
        positives. `none` leaves p unchanged.
    untested : bool
        Whether NaN means no test. It then stays NaN and does not count.

    Returns
    -------
    array
        In the order of p.

    Raises
    ------
    ValueError
        For an unknown method, and for p-values outside [0, 1].

    References
    ----------
    Holm (1979); Hochberg (1988); Benjamini and Hochberg (1995).

    Examples
    --------
    >>> adjust(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    checked_adjustment(method)
    p = np.asarray(p, dtype=float)
    if untested:
        adjusted, tested = np.full(p.shape, np.nan), ~np.isnan(p)
        adjusted[tested] = adjust(p[tested], method=method)
        return adjusted
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError("expected p-values between 0 and 1; a test without a result counts with p = 1")
    order, places = np.argsort(p, kind="stable"), np.arange(1, len(p) + 1)
    left = len(p) + 1 - places
    factors: dict[str, float | Floats | Whole] = {"none": 1, "bonferroni": len(p), "holm": left}
    factors |= {"hochberg": left, "benjamini-hochberg": len(p) / places}
    scaled = p[order] * factors[method]
    if method in _FROM_THE_LARGEST:
        scaled = np.minimum.accumulate(scaled[::-1])[::-1]
    adjusted = np.empty(p.shape)
    adjusted[order] = np.minimum(np.maximum.accumulate(scaled), 1.0)
    return adjusted


MOST_METHODS = 9
"""Maximum number of methods for the Bergmann-Hommel procedure, which tries every way to group them: 21,147
ways for nine methods.
"""


def shaffer(p: Floats) -> Floats:
    """Shaffer's static procedure: p-values of all pairs, adjusted; monotone, at most 1.

    Each p is multiplied by the maximum number of true hypotheses after rejection of those with smaller p.

    Parameters
    ----------
    p : array
        p-values of the pairs (0, 1), (0, 2), ... (1, 2), ...; a test without a result counts with p = 1.

    Returns
    -------
    array
        In the order of p.

    Raises
    ------
    ValueError
        If the number of p-values is not k (k - 1) / 2, and for invalid probabilities.

    References
    ----------
    Shaffer (1986); Garcia and Herrera (2008), section 2.1.

    Examples
    --------
    >>> shaffer(np.array([0.01, 0.04, 0.03])).tolist()  # of the two remaining hypotheses, at most one is true
    [0.03, 0.04, 0.03]
    """
    p, methods = _checked(p)
    possible = np.array(_true_counts(methods))
    left = len(p) - np.arange(len(p))
    factors = possible[np.searchsorted(possible, left, side="right") - 1]
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(p.shape)
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * factors), 1.0)
    return adjusted


def bergmann_hommel(p: Floats) -> Floats:
    """Bergmann-Hommel procedure: p-values of all pairs, adjusted, up to `MOST_METHODS` methods.

    It is the closed testing procedure based on Bonferroni's test. It rejects a hypothesis if each exhaustive
    set that contains it has a p-value below alpha divided by the size of the set. A set is exhaustive if its
    hypotheses, and no others, can be true at once.

    Parameters
    ----------
    p : array
        As for `shaffer`.

    Returns
    -------
    array
        In the order of p, at most 1.

    Raises
    ------
    ValueError
        As for `shaffer`, and for more methods.

    References
    ----------
    Bergmann and Hommel (1988); Garcia and Herrera (2008), section 2.1.

    Examples
    --------
    >>> bergmann_hommel(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.04, 0.03]
    """
    p, methods = _checked(p)
    if methods > MOST_METHODS:
        raise ValueError(f"expected at most {MOST_METHODS} methods for Bergmann-Hommel, got {methods}")
    sets = _exhaustive_sets(methods)
    least = np.where(sets, p, np.inf).min(axis=1)
    bound = sets.sum(axis=1) * least
    adjusted: Floats = np.minimum(np.where(sets, bound[:, None], 0.0).max(axis=0), 1.0)
    return adjusted


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
    """Return the possible numbers of equal pairs among a number of methods, ascending."""
    if methods < 2:
        return (0,)
    sizes = range(1, methods + 1)
    return tuple(sorted({n * (n - 1) // 2 + rest for n in sizes for rest in _true_counts(methods - n)}))


@functools.lru_cache(maxsize=MOST_METHODS)
def _exhaustive_sets(methods: int) -> Mask:
    """Return the possible sets of equal pairs, shape (sets, pairs), without the empty one.

    Each way to group the methods gives the pairs within its groups.
    """
    groups = np.zeros((1, 1), dtype=np.int8)
    for _ in range(methods - 1):
        # A further method joins one of the existing groups, or forms a new group.
        choices = groups.max(axis=1) + 2
        grown = np.repeat(groups, choices, axis=0)
        starts = np.repeat(np.cumsum(choices) - choices, choices)
        groups = np.column_stack([grown, np.arange(len(grown)) - starts]).astype(np.int8)
    first, second = np.triu_indices(methods, 1)
    sets: Mask = groups[:, first] == groups[:, second]
    return sets[sets.any(axis=1)]
