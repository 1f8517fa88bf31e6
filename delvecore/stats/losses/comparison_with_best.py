"""Which methods may be the best of a task? A multiple comparison with the best, from comparisons of pairs.

The best is not known, so that each method is held against all others in turn; but only for the true best must
the comparison not fail, so that k methods cost as much as k - 1 comparisons with a control."""

from dataclasses import dataclass

import numpy as np

from delvecore.stats.array_types import Floats, Mask, Whole


@dataclass(frozen=True, eq=False)
class WithBest:
    """Arrays with one entry a method. lower, upper: of its expected loss less the lowest of the others', at
    once for all methods with the confidence asked for; lower is 0 or below, upper 0 or above. A method may be
    the best where lower is below 0, or 0 for want of any difference; it is the best where upper is 0. p: of
    its being the best, adjusted for the other methods."""

    lower: Floats
    upper: Floats
    may_be_best: Mask
    p: Floats


def level_for_best(level: float, methods: int) -> float:
    """Confidence of the two-sided intervals of pairs that `compare_with_best` needs (Bonferroni).

    Examples
    --------
    >>> round(level_for_best(0.95, 6), 2)
    0.98
    """
    return 1 - 2 * (1 - level) / max(methods - 1, 1)


def compare_with_best(
    pairs: tuple[Whole, Whole], bounds: tuple[Floats, Floats], p: Floats, *, differences: Floats, alpha: float
) -> WithBest:
    """Hsu's multiple comparison with the best: which methods may have the lowest expected loss?

    Bonferroni's inequality stands for the correlations of differences, whose variances need not be equal.

    Parameters
    ----------
    pairs : tuple of arrays
        Places of methods a and b, each pair once.
    bounds : tuple of arrays
        Lower and upper ends of the intervals of the loss of a less that of b, at `level_for_best`; not a
        number where a pair has no test, which then excludes nothing.
    p : array
        Two-sided, of pairs, from the same tests.
    differences : array
        Of a less b; 0 without a test are identical losses.
    alpha : float
        Level.

    Returns
    -------
    WithBest
        One entry a method: which may be best, and how much each loses at most against the best other one.

    References
    ----------
    Hsu (1996), section 4.2: constrained intervals from one-sided comparisons with each method as the control.

    Examples
    --------
    >>> pairs = np.array([0, 0, 1]), np.array([1, 2, 2])
    >>> bounds = np.array([-1.0, -3.0, -2.5]), np.array([0.5, -1.0, -0.5])
    >>> found = compare_with_best(
    ...     pairs, bounds, np.array([0.3, 0.001, 0.004]), differences=np.array([-0.2, -2, -1.5]), alpha=0.05
    ... )
    >>> found.may_be_best.tolist()
    [True, True, False]
    """
    first, second = pairs
    methods = int(max(first.max(), second.max())) + 1
    known = ~np.isnan(p) & ~np.isnan(bounds[0])
    same = ~known & (differences == 0)
    least = np.where(known, bounds[0], np.where(same, 0.0, -np.inf))
    most = np.where(known, bounds[1], np.where(same, 0.0, np.inf))
    low, high = np.full((2, methods, methods), np.nan)
    low[first, second], high[first, second] = least, most
    low[second, first], high[second, first] = -most, -least
    lower = np.nanmax(low, axis=1)
    worse = np.full((methods, methods), np.nan)
    one_sided = np.where(known, p, 1.0) / 2
    worse[first, second] = np.where(differences > 0, one_sided, 1 - one_sided)
    worse[second, first] = np.where(differences < 0, one_sided, 1 - one_sided)
    p_best = np.minimum((methods - 1) * np.nanmin(worse, axis=1), 1.0)
    candidates = p_best >= alpha
    among = np.where(candidates, high, np.nan)
    np.fill_diagonal(among, -np.inf)
    upper = np.maximum(np.nanmax(among, axis=1), 0.0)
    return WithBest(np.minimum(lower, 0.0), upper, candidates, p_best)
