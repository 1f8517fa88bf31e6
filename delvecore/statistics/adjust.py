"""p-values adjusted for how many hypotheses are tested together: the only place that does."""

import numpy as np

from delvecore.statistics.kinds import Floats

__all__ = ["ADJUSTMENTS", "adjust"]


def adjust(p: Floats, *, method: str = "holm", untested: bool = False) -> Floats:
    """Return p-values adjusted for all of them being looked at; monotone, at most 1.

    method: `bonferroni`, `holm` (both hold the probability of any error, whatever the dependence),
    `hochberg` (likewise, for tests that depend positively), `benjamini-hochberg` (the expected share of
    errors among what is called different) or `none`. untested: is what is not a number no test, which stays
    so and does not count? Raises ValueError for another method, and for p-values that are not between 0 and
    1: a test without a result counts with p = 1.
    Source: Holm 1979; Hochberg 1988; Benjamini and Hochberg 1995.
    """
    if method not in ADJUSTMENTS:
        raise ValueError(f"expected one of {', '.join(ADJUSTMENTS)}, got {method!r}")
    p = np.asarray(p, dtype=float)
    if untested:
        adjusted, tested = np.full(p.shape, np.nan), ~np.isnan(p)
        adjusted[tested] = adjust(p[tested], method=method)
        return adjusted
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError("expected p-values between 0 and 1; a test without a result counts with p = 1")
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(p.shape)
    adjusted[order] = np.minimum(ADJUSTMENTS[method](p[order]), 1.0)
    return adjusted


def _none(ascending: Floats) -> Floats:
    return ascending


def _bonferroni(ascending: Floats) -> Floats:
    return ascending * len(ascending)


def _holm(ascending: Floats) -> Floats:
    left = np.arange(len(ascending), 0, -1)
    return np.maximum.accumulate(ascending * left)


def _hochberg(ascending: Floats) -> Floats:
    left = np.arange(len(ascending), 0, -1)
    return np.minimum.accumulate((ascending * left)[::-1])[::-1]


def _benjamini_hochberg(ascending: Floats) -> Floats:
    count = len(ascending)
    share = count / np.arange(1, count + 1)
    return np.minimum.accumulate((ascending * share)[::-1])[::-1]


ADJUSTMENTS = {
    "none": _none,
    "bonferroni": _bonferroni,
    "holm": _holm,
    "hochberg": _hochberg,
    "benjamini-hochberg": _benjamini_hochberg,
}
