"""Are two methods as good as each other? Only a test of that can say so: no difference found is no proof.

Two one-sided tests: the difference is neither as low as less the margin nor as high as the margin."""

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr, stdtrit

from delvecore.stats.adjust import adjust
from delvecore.stats.choose import level_of
from delvecore.stats.kinds import Floats, Mask

__all__ = ["DEFAULT_MARGIN", "Equivalence", "level_for_pairs", "two_one_sided_tests"]

DEFAULT_MARGIN = 0.01
"""Of standardized losses: a hundredth of what predicting the mean loses."""


@dataclass(frozen=True, eq=False)
class Equivalence:
    """Arrays with one entry a pair a, b; differences are losses of a less b.

    p_not_worse: of a being worse than b by the margin or more; p_not_better: of its being better by as
    much; p: the larger of the two, of their not being equivalent; p_adjusted: over all pairs. lower, upper:
    the interval with twice the significance, which lies inside of the margins where p is below alpha. Not a
    number where there is no error."""

    margin: float
    alpha: float
    p_not_worse: Floats
    p_not_better: Floats
    p: Floats
    p_adjusted: Floats
    lower: Floats
    upper: Floats

    @property
    def equivalent(self) -> Mask:
        """Which pairs are as good as each other?"""
        return self.p_adjusted < self.alpha

    @property
    def level(self) -> float:
        """The confidence of the intervals."""
        return level_of(2 * self.alpha)


def level_for_pairs(level: float, methods: int) -> float:
    """Return the confidence of each pair's interval that lies inside of the margins where two one-sided tests
    find methods as good as each other, adjusted by Bonferroni's inequality for all pairs."""
    return 1 - 2 * (1 - level) / max(methods * (methods - 1) // 2, 1)


def two_one_sided_tests(
    differences: Floats,
    errors: Floats,
    df: Floats,
    *,
    margin: float = DEFAULT_MARGIN,
    alpha: float = 0.05,
    adjustment: str = "holm",
) -> Equivalence:
    """Which pairs of methods differ by less than the margin?

    differences: means of a less b, over training sets or over tasks, with their standard errors and degrees
    of freedom of Student's t. adjustment: see `adjust`; pairs without an error, or with differences that do
    not vary, have no test and count as none. Raises ValueError for a margin that is not positive.
    Source: Schuirmann 1987; Wellek 2010, section 1.6."""
    if not margin > 0:
        raise ValueError(f"expected a margin above 0, got {margin:g}")
    known = errors > 0
    with np.errstate(invalid="ignore", divide="ignore"):
        above = np.where(known, stdtr(df, (differences - margin) / errors), np.nan)
        below = np.where(known, stdtr(df, -(differences + margin) / errors), np.nan)
        reach = np.where(known, stdtrit(df, 1 - alpha) * errors, np.nan)
    p = np.maximum(above, below)
    adjusted = adjust(p, method=adjustment, untested=True)
    ends = (differences - reach, differences + reach)
    return Equivalence(margin, alpha, *(above, below, p, adjusted), *ends)
