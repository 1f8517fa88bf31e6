"""ROC and coverage curves of classifiers, and their areas compared.

Sources: Flach, Machine Learning (2012), section 2.2; DeLong, DeLong and Clarke-Pearson 1988."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from delvecore.stats.array_types import Floats, Mask, Whole


def coverage_curve(scores: Floats, positive: Mask) -> tuple[Whole, Whole]:
    """Coverage curve of scores, with the highest scores predicted positive first; a ROC curve if in rates.

    Returns its corners from (0, 0): the number of negatives, and positives, with at least each score. Equal
    scores make one slanted step. Raises ValueError unless there are positives and negatives.

    Examples
    --------
    >>> negatives, positives = coverage_curve(np.array([0.9, 0.8, 0.8, 0.3]), np.array([1, 1, 0, 0]))
    >>> negatives.tolist(), positives.tolist()
    ([0, 0, 1, 2], [0, 1, 2, 2])
    """
    scores, positive = _checked(scores, positive)
    order = np.argsort(-scores, kind="stable")
    last = np.append(np.flatnonzero(np.diff(scores[order])), len(scores) - 1)
    true = np.append(0, np.cumsum(positive[order])[last])
    return np.append(0, last + 1) - true, true


def roc_curve(negatives: Whole, positives: Whole) -> tuple[Floats, Floats]:
    """Return false and true positive rates of a coverage curve; `np.trapezoid` has the area under them."""
    return negatives / negatives[-1], positives / positives[-1]


@dataclass(frozen=True)
class AreasCompared:
    """Two areas under ROC curves and their difference.

    Attributes
    ----------
    area_a, area_b : float
        Areas under the ROC curves.
    difference : float
        A minus b, with its standard error and interval.
    p : float
        Two-sided p. p and the ends are NaN without an error, for example if both areas are 1.
    """

    level: float
    area_a: float
    area_b: float
    difference: float
    standard_error: float
    lower: float
    upper: float
    p: float

    @classmethod
    def of(
        cls, area_a: float, area_b: float, difference: float, standard_error: float, *, level: float
    ) -> "AreasCompared":
        """Return the comparison with the normal interval and p of a difference with this error."""
        reach = float(ndtri((1 + level) / 2)) * standard_error if standard_error > 0 else math.nan
        p = 2 * float(ndtr(-abs(difference) / standard_error)) if standard_error > 0 else math.nan
        ends = difference - reach, difference + reach
        return cls(level, area_a, area_b, difference, standard_error, *ends, p)


def areas_compared(
    scores_a: Floats, scores_b: Floats, positive: Mask, *, level: float = 0.95
) -> AreasCompared:
    """DeLong's test: does one score rank the same cases better than another, by the areas under ROC curves?

    The test treats cases as independent and the classifiers as fixed: it does not generalize to other
    training sets. Raises ValueError unless there are two positives and two negatives.

    Examples
    --------
    >>> found = areas_compared(np.arange(6.0), np.array([3.0, 1, 2, 5, 0, 4]), np.arange(6) > 2)
    >>> found.area_a, round(found.area_b, 3), round(found.p, 3)
    (1.0, 0.667, 0.317)
    """
    places = [_placements(*_checked(scores, positive)) for scores in (scores_a, scores_b)]
    (above_a, below_a), (above_b, below_b) = places
    if min(len(above_a), len(below_a)) < 2:
        raise ValueError("expected two positive and two negative cases or more to compare areas")
    parts = (above_a - above_b, below_a - below_b)
    error = math.sqrt(sum(float(part.var(ddof=1)) / len(part) for part in parts))
    difference = float(above_a.mean() - above_b.mean())
    return AreasCompared.of(float(above_a.mean()), float(above_b.mean()), difference, error, level=level)


def _checked(scores: Floats, positive: Mask) -> tuple[Floats, Mask]:
    scores, positive = np.asarray(scores, dtype=float), np.asarray(positive, dtype=bool)
    if scores.shape != positive.shape or not positive.any() or positive.all():
        raise ValueError("expected a score for each case, positives and negatives among them")
    return scores, positive


def _placements(scores: Floats, positive: Mask) -> tuple[Floats, Floats]:
    """Return (for each positive the share of negatives below it, for each negative the share of positives
    above).
    """
    high, low = scores[positive], scores[~positive]
    above, below = _ordinals(low, high), _ordinals(high, low)
    return above / len(low), 1 - below / len(high)


def _ordinals(among: Floats, scores: Floats) -> Floats:
    """Count the scores below each score. Equal ones count half."""
    ordered = np.sort(among)
    ends: Floats = (np.searchsorted(ordered, scores) + np.searchsorted(ordered, scores, "right")) / 2
    return ends
