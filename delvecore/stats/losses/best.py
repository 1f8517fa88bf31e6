"""Which methods may be the best of a task? A multiple comparison with the best, from comparisons of pairs.

The best is not known, so that each method is held against all others in turn; but only for the true best must
the comparison not fail, so that k methods cost as much as k - 1 comparisons with a control."""

from dataclasses import dataclass

import numpy as np

from delvecore.stats.kinds import Floats, Mask, Whole

__all__ = ["WithBest", "compare_with_best", "level_for_best"]


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
    """Return the confidence of the two-sided intervals of pairs that `compare_with_best` needs."""
    return 1 - 2 * (1 - level) / max(methods - 1, 1)


def compare_with_best(
    pairs: tuple[Whole, Whole], bounds: tuple[Floats, Floats], p: Floats, *, differences: Floats, alpha: float
) -> WithBest:
    """Which methods may have the lowest expected loss, and how much can each lose against the best other one?

    pairs: places of methods a and b, each pair once. bounds: lower and upper ends of the intervals of the
    loss of a less that of b, at `level_for_best`; not a number where a pair has no test, which then excludes
    nothing. p: two-sided, of pairs, from the same tests. differences: of a less b; 0 without a test are
    identical losses. Bonferroni's inequality stands for the correlations of differences, whose variances need
    not be equal. Source: Hsu 1996, section 4.2 (constrained intervals from one-sided comparisons with each
    method as the control)."""
    first, second = pairs
    methods = int(max(first.max(), second.max())) + 1
    known = ~np.isnan(p)
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
