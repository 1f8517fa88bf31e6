"""Confidence intervals of single comparisons, slow and exact: what those of all pairs are held against."""

from scipy import stats

from delvecore.stats.choose import DEFAULT_LEVEL
from delvecore.stats.losses import behrens_fisher
from delvecore.stats.losses.anova import MeanSquares


def first_squares(pairs):
    """Return the mean squares of the first pair as numbers."""
    return MeanSquares(*(None if one is None else float(one[0]) for one in pairs.squares))


def confidence_interval(comparison, *, level=DEFAULT_LEVEL):
    """Between which values does the expected difference lie with this confidence?

    Returns (lower, upper), or None where there is no p.
    """
    if comparison.p is None:
        return None
    reference = comparison.pair.reference
    if comparison.test == "t":
        reach = stats.t.isf((1 - level) / 2, reference.df[0]) * reference.error[0]
    else:
        reach = behrens_fisher.half_width(reference, round(1 - level, 15))[0]
    return comparison.difference - reach, comparison.difference + reach
