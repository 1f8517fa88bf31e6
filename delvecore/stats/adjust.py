"""p-values adjusted for how many hypotheses are tested together, and the verdicts by them: the only place."""

import numpy as np
from numpy.typing import NDArray

from delvecore.stats.choose import Verdict, checked_adjustment, is_significant, significance
from delvecore.stats.kinds import Floats, Whole

__all__ = ["NEXT_TO_ZERO", "adjust", "bounds_by_verdict", "interval_significance", "verdicts"]

NEXT_TO_ZERO = 1e-300
"""Where an interval that leaves out zero ends, if nothing more is sure."""

_FROM_THE_LARGEST = ("hochberg", "benjamini-hochberg")


def adjust(p: Floats, *, method: str = "holm", untested: bool = False) -> Floats:
    """Return p-values adjusted for all of them being looked at; monotone, at most 1.

    method: `bonferroni`, `holm` (both hold the probability of any error, whatever the dependence),
    `hochberg` (likewise, for tests that depend positively), `benjamini-hochberg` (the expected share of
    errors among what is called different) or `none`. untested: is what is not a number no test, which stays
    so and does not count? Raises ValueError for another method, and for p-values that are not between 0 and
    1: a test without a result counts with p = 1.
    Source: Holm 1979; Hochberg 1988; Benjamini and Hochberg 1995."""
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


def interval_significance(p_adjusted: Floats, *, method: str, alpha: float) -> float:
    """Which significance gives intervals that hold together, and leave out zero only where p is significant?

    p_adjusted: of all hypotheses tested together, not a number for those without a test. Bonferroni's for the
    procedures that hold the probability of any error: where a step-down procedure rejects more than
    Bonferroni's, the interval is to be cut at zero. Benjamini-Hochberg: that of the share of hypotheses
    rejected (false coverage rate). Source: Guilbaud 2008; Benjamini and Yekutieli 2005."""
    tested = int(np.count_nonzero(~np.isnan(p_adjusted)))
    if method == "none" or not tested:
        return alpha
    rejected = (
        int(np.count_nonzero(is_significant(p_adjusted, alpha))) if method == "benjamini-hochberg" else 1
    )
    return alpha * max(rejected, 1) / tested


def verdicts(difference: Floats, p: Floats, *, level: float) -> NDArray[np.object_]:
    """Return what `choose.verdict` says of each difference; not a number: there is none."""
    found = is_significant(p, significance(level))
    holds = [np.isnan(p) | np.isnan(difference), found & (difference < 0), found & (difference > 0)]
    names = np.array(
        [Verdict.NOT_TESTED, Verdict.BETTER, Verdict.WORSE, Verdict.NOT_SIGNIFICANT], dtype=object
    )
    return names[np.select(holds, [0, 1, 2], 3)]


def bounds_by_verdict(lower: Floats, upper: Floats, said: NDArray[np.object_]) -> tuple[Floats, Floats]:
    """Return the ends of intervals that leave out zero exactly where a difference is significant. said: by
    `verdicts`; what a step-wise procedure rejects beyond Bonferroni's has an interval that ends at zero."""
    below, above = said == Verdict.BETTER, said == Verdict.WORSE
    lower = np.select([above, below], [np.maximum(lower, NEXT_TO_ZERO), lower], np.minimum(lower, 0.0))
    upper = np.select([below, above], [np.minimum(upper, -NEXT_TO_ZERO), upper], np.maximum(upper, 0.0))
    return lower, upper
