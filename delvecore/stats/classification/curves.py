"""Curves of classifiers: ROC and coverage curves with areas compared, reliability; McNemar's test.

Sources: Flach, Machine Learning (2012), section 2.2; DeLong, DeLong and Clarke-Pearson 1988."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import bdtr, ndtr, ndtri

from delvecore.stats.array_types import Floats, Mask, Whole
from delvecore.stats.ranking.effects import wilson_interval


@dataclass(frozen=True)
class McNemar:
    """only_a, only_b: cases that only one of the two classifies right; the others say nothing. exact:
    two-sided p of the sign test, which never errs more often than it says; mid_p: less the probability of
    what was seen, which errs about as often as it says, and is the one to use."""

    only_a: int
    only_b: int
    exact: float
    mid_p: float


def mcnemar(only_a: int, only_b: int) -> McNemar:
    """McNemar test: do two classifiers differ, by the cases that only one of them classifies right?

    It takes cases for independent and the classifiers as they are: it says nothing of other training sets.

    Parameters
    ----------
    only_a, only_b : int
        Cases that only one of the two classifies right.

    Returns
    -------
    McNemar
        The exact p and the mid-p; both are 1 without such cases.

    References
    ----------
    McNemar (1947); Fagerland, Lydersen and Laake (2013), mid-p.

    Examples
    --------
    >>> found = mcnemar(1, 5)  # 2 (1 + 6) / 64, less 6 / 64 for the mid-p
    >>> round(found.exact, 5), found.mid_p
    (0.21875, 0.125)
    """
    count, fewer = only_a + only_b, min(only_a, only_b)
    tail = float(bdtr(fewer, count, 0.5))
    below = float(bdtr(fewer - 1, count, 0.5)) if fewer else 0.0
    return McNemar(only_a, only_b, min(1.0, 2 * tail), tail + below)


BINS = 10
DRAWS = 1_000
OUTCOMES = 4
"""So many times as often outcomes are drawn: one seed for all would else raise or lower every p alike."""
_AT_ONCE = 1 << 20


@dataclass(frozen=True, eq=False)
class Reliability:
    """Arrays with one entry a bin that has cases, by ascending probability.

    cases: how many; said: mean probability; held: share that came true, lower, upper: with Wilson's interval.
    error: the expected calibration error, mean distance of said and held, each case counting alike;
    error_lower, error_upper: its interval, wide at the lower end, since chance alone makes an error. chance:
    what error probabilities that come true would show on average with so many cases; p: how probably at least
    the error found."""

    level: float
    cases: Whole
    said: Floats
    held: Floats
    lower: Floats
    upper: Floats
    error: float
    error_lower: float
    error_upper: float
    chance: float
    p: float


def reliability(
    said: Floats, held: Mask, *, bins: int = BINS, level: float = 0.95, draws: int = DRAWS, seed: int = 0
) -> Reliability:
    """How far are probabilities from the shares of what comes true?

    said: probability of each case, 0 to 1, such as that of the predicted class; held: did it come true? bins:
    of equal width. Upper end: normal, by the spread of the cases. Lower end: less the sum over bins of how
    far a bootstrap of cases moves each, by which the error can at most be too large. p by drawing outcomes
    from the probabilities, OUTCOMES times as often. Raises ValueError without cases, and for what is no
    probability. Source: Guo and others 2017, section 2; Broecker and Smith 2007 (outcomes drawn from the
    probabilities)."""
    said, held = np.asarray(said, dtype=float), np.asarray(held, dtype=float)
    if not len(said) or not ((said >= 0) & (said <= 1)).all():
        raise ValueError(f"expected probabilities from 0 to 1 of cases, got {len(said)} cases")
    _, place = np.unique(np.minimum((said * bins).astype(int), bins - 1), return_inverse=True)
    cases = np.bincount(place)
    mean, share = (np.bincount(place, weights=one) / cases for one in (said, held))
    error = float(cases @ np.abs(mean - share) / len(said))
    lower, upper = _interval(place, said - held, level, draws, seed)
    calibrated = _errors_by_chance(place, said, OUTCOMES * draws, seed)
    return Reliability(
        level,
        *(cases, mean, share, *wilson_interval(share, cases, level=level)),
        error=error,
        error_lower=lower,
        error_upper=upper,
        chance=float(calibrated.mean()),
        p=float((1 + (calibrated >= error - 1e-12).sum()) / (len(calibrated) + 1)),
    )


def _errors_by_chance(place: Whole, said: Floats, draws: int, seed: int) -> Floats:
    """Return the errors that outcomes drawn from the probabilities show. place: the bin of each case."""
    order = np.argsort(place, kind="stable")
    starts, ordered = np.flatnonzero(np.diff(place[order], prepend=-1)), said[order]
    generator, rows = np.random.default_rng(seed), max(1, _AT_ONCE // len(said))
    found = []
    for start in range(0, draws, rows):
        held = generator.random((min(rows, draws - start), len(said))) < ordered
        found.append(np.abs(np.add.reduceat(ordered - held, starts, axis=1)).sum(axis=1))
    return np.concatenate(found) / len(said)


def _interval(place: Whole, gaps: Floats, level: float, draws: int, seed: int) -> tuple[float, float]:
    """gaps: said less held of each case, whose means in the bins, in size, add up to the error."""
    generator, count = np.random.default_rng(seed), len(gaps)
    sums, moved = np.bincount(place, weights=gaps), np.empty(draws)
    for draw in range(draws):
        times = np.bincount(generator.integers(0, count, count), minlength=count)
        moved[draw] = np.abs(np.bincount(place, weights=times * gaps) - sums).sum() / count
    error = np.abs(sums).sum() / count
    reach = float(ndtri((1 + level) / 2)) * float(np.std(np.sign(sums)[place] * gaps)) / math.sqrt(count)
    return max(float(error - np.quantile(moved, (1 + level) / 2)), 0.0), float(error + reach)


@dataclass(frozen=True, eq=False)
class Coverage:
    """The corners of a coverage curve, from (0, 0): how many negatives, and positives, have at least each
    score, from the highest on. Equal scores make one slanted step. A ROC curve is the same in shares
    of all negatives and positives."""

    negatives: Whole
    positives: Whole

    @property
    def rates(self) -> tuple[Floats, Floats]:
        """False and true positive rates: the ROC curve."""
        return self.negatives / self.negatives[-1], self.positives / self.positives[-1]

    @property
    def area(self) -> float:
        """Under the ROC curve: how probably a positive is ranked before a negative, ties as one half."""
        x, y = self.rates
        return float(np.trapezoid(y, x))

    @property
    def hull(self) -> "Coverage":
        """The corners that some distribution of classes and costs makes the best: the upper convex hull."""
        kept: list[int] = []
        for place in range(len(self.negatives)):
            while len(kept) > 1 and not self._turns_right(kept[-2], kept[-1], place):
                kept.pop()
            kept.append(place)
        return Coverage(self.negatives[kept], self.positives[kept])

    def _turns_right(self, a: int, b: int, c: int) -> bool:
        x, y = self.negatives, self.positives
        return bool((x[b] - x[a]) * (y[c] - y[a]) < (y[b] - y[a]) * (x[c] - x[a]))


def coverage_curve(scores: Floats, positive: Mask) -> Coverage:
    """Return the coverage curve of scores, of which the highest are predicted to be positive first.

    Raises ValueError unless there are positives and negatives."""
    scores, positive = _checked(scores, positive)
    order = np.argsort(-scores, kind="stable")
    last = np.append(np.flatnonzero(np.diff(scores[order])), len(scores) - 1)
    true = np.append(0, np.cumsum(positive[order])[last])
    return Coverage(np.append(0, last + 1) - true, true)


@dataclass(frozen=True)
class AreasCompared:
    """area_a, area_b: under the ROC curves; difference: a less b, with its standard error and interval. p:
    two-sided, not a number without an error."""

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
        reach = float(ndtri((1 + level) / 2)) * standard_error
        p = 2 * float(ndtr(-abs(difference) / standard_error)) if standard_error > 0 else math.nan
        ends = difference - reach, difference + reach
        return cls(level, area_a, area_b, difference, standard_error, *ends, p)


def areas_compared(
    scores_a: Floats, scores_b: Floats, positive: Mask, *, level: float = 0.95
) -> AreasCompared:
    """Does one score rank the same cases better than another? DeLong's test.

    It takes cases for independent and the classifiers as they are: it says nothing of other training sets.
    Raises ValueError unless there are two positives and two negatives."""
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
    """Return (for each positive the share of negatives below it, for each negative that of positives
    above)."""
    high, low = scores[positive], scores[~positive]
    above, below = _ordinals(low, high), _ordinals(high, low)
    return above / len(low), 1 - below / len(high)


def _ordinals(among: Floats, scores: Floats) -> Floats:
    """How many among these are below each score? Equal ones count half."""
    ordered = np.sort(among)
    ends: Floats = (np.searchsorted(ordered, scores) + np.searchsorted(ordered, scores, "right")) / 2
    return ends
