"""Multiple comparison with the best, from comparisons of pairs: which methods may be the best of a task?

The best method is unknown, so each method is compared with all others in turn. Only the comparisons of
the truly best method must not err, so the adjustment is for k - 1 comparisons with a control.
"""

import numpy as np

from delvecore.stats.array_types import Floats, Whole


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
) -> tuple[Floats, Floats, Floats]:
    """Hsu's multiple comparison with the best: which methods may have the lowest expected loss?

    Bonferroni's inequality replaces the correlations of differences, so variances need not be equal.

    Parameters
    ----------
    pairs : tuple of arrays
        Places of methods a and b, each pair once.
    bounds : tuple of arrays
        Lower and upper ends of the intervals of the loss of a minus that of b, at `level_for_best`. NaN if a
        pair has no test; it then excludes nothing.
    p : array
        Two-sided p of pairs, from the same tests.
    differences : array
        Differences a minus b; 0 without a test means identical losses.
    alpha : float
        Level.

    Returns
    -------
    lower, upper : array
        Simultaneous intervals of each method's expected loss minus the lowest one of the others; lower is at
        most 0, and upper at least 0. A method is the best if upper is 0.
    p : array
        p for being the best, adjusted for the other methods. A method may be the best unless p is below
        alpha.

    References
    ----------
    Hsu (1996), section 4.2: constrained intervals from one-sided comparisons with each method as the control.

    Examples
    --------
    >>> pairs = np.array([0, 0, 1]), np.array([1, 2, 2])
    >>> bounds = np.array([-1.0, -3.0, -2.5]), np.array([0.5, -1.0, -0.5])
    >>> *_, p = compare_with_best(
    ...     pairs, bounds, np.array([0.3, 0.001, 0.004]), differences=np.array([-0.2, -2, -1.5]), alpha=0.05
    ... )
    >>> (p >= 0.05).tolist()
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
    among = np.where(p_best >= alpha, high, np.nan)
    np.fill_diagonal(among, -np.inf)
    upper = np.maximum(np.nanmax(among, axis=1), 0.0)
    return np.minimum(lower, 0.0), upper, p_best
