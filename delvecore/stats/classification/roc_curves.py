"""ROC and coverage curves of classifiers, and their areas compared.

Sources: Flach, Machine Learning (2012), section 2.2; DeLong, DeLong and Clarke-Pearson 1988."""

import math

import numpy as np
from scipy.special import ndtr, ndtri

from delvecore.stats.array_types import Floats, Mask, Whole
from delvecore.stats.losses.mstats import Estimate


def coverage_curve(scores: Floats, positive: Mask) -> tuple[Whole, Whole]:
    """Coverage curve of scores, with the highest scores predicted positive first. As rates, it is the ROC
    curve.

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
    """Return false and true positive rates of a coverage curve; `np.trapezoid` gives the area under them."""
    return negatives / negatives[-1], positives / positives[-1]


def difference_of_areas(area_a: float, area_b: float, error: float, *, sets: int = 1) -> Estimate:
    """Return the difference of two areas, with this error and a normal p.

    sets: number of training sets. p is NaN without an error, for example if both areas are 1."""
    difference = area_a - area_b
    p = 2 * float(ndtr(-abs(difference) / error)) if error > 0 else math.nan
    return Estimate(sets, None, difference, error, mean_a=area_a, mean_b=area_b, p=p)


def normal_ends(estimate: Estimate, *, level: float) -> tuple[float, float]:
    """Return the ends of the normal interval of an estimate, NaN without an error."""
    mean, error = estimate.mean or 0.0, estimate.standard_error or 0.0
    reach = float(ndtri((1 + level) / 2)) * error if error > 0 else math.nan
    return mean - reach, mean + reach


def areas_compared(scores_a: Floats, scores_b: Floats, positive: Mask) -> Estimate:
    """DeLong's test: does one score rank the same cases better than another, by the areas under ROC curves?

    The test treats cases as independent and the classifiers as fixed: it does not generalize to other
    training sets. Raises ValueError unless there are two positives and two negatives.

    Examples
    --------
    >>> result = areas_compared(np.arange(6.0), np.array([3.0, 1, 2, 5, 0, 4]), np.arange(6) > 2)
    >>> result.mean_a, round(result.mean_b, 3), round(result.p, 3)
    (1.0, 0.667, 0.317)
    """
    places = [_placements(*_checked(scores, positive)) for scores in (scores_a, scores_b)]
    (above_a, below_a), (above_b, below_b) = places
    if min(len(above_a), len(below_a)) < 2:
        raise ValueError("expected two positive and two negative cases or more to compare areas")
    parts = (above_a - above_b, below_a - below_b)
    error = math.sqrt(sum(float(part.var(ddof=1)) / len(part) for part in parts))
    return difference_of_areas(float(above_a.mean()), float(above_b.mean()), error)


def _checked(scores: Floats, positive: Mask) -> tuple[Floats, Mask]:
    scores, positive = np.asarray(scores, dtype=float), np.asarray(positive, dtype=bool)
    if scores.shape != positive.shape or not positive.any() or positive.all():
        raise ValueError("expected a score for each case, positives and negatives among them")
    return scores, positive


def _placements(scores: Floats, positive: Mask) -> tuple[Floats, Floats]:
    """Return the share of negatives below each positive, and the share of positives above each negative."""
    high, low = scores[positive], scores[~positive]
    above, below = _ordinals(low, high), _ordinals(high, low)
    return above / len(low), 1 - below / len(high)


def _ordinals(among: Floats, scores: Floats) -> Floats:
    """Count the scores below each score. Equal ones count half."""
    ordered = np.sort(among)
    ends: Floats = (np.searchsorted(ordered, scores) + np.searchsorted(ordered, scores, "right")) / 2
    return ends
