"""Contingency tables of predicted and actual classes, their measures of agreement, intervals of a share.

Intervals and tests of a binomial share, such as accuracy, treat each case as an independent trial. They do
not apply to other training sets. Sources: Flach, Machine Learning (2012), sections 12.1 and 12.3;
Wilson (1927); Clopper and Pearson (1934)."""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from delvecore.stats.interval import Interval

INTERVALS = ("Wilson", "exact (Clopper-Pearson)", "normal, as in Flach")
"""Names of the intervals of a share, in the order of `share_intervals`."""
LEAST_VARIANCE = 5
"""Flach's minimum of n a (1 - a) for the normal interval."""


@dataclass(frozen=True)
class NullTest:
    """Test of whether a share equals `null`: p-values by the exact binomial and the normal distribution.

    The alternative is chosen before the data are seen.

    Attributes
    ----------
    greater : float
        Probability of a share as large or larger.
    two_sided : float
        Probability of all shares that are at most as probable (normal: at least as far away) as the observed
        one.
    """

    null: float
    greater: float
    two_sided: float
    normal_greater: float
    normal_two_sided: float


def share_intervals(
    successes: int, trials: int, *, level: float = 0.95
) -> tuple[Interval[float], Interval[float], Interval[float]]:
    """Wilson score interval, Clopper-Pearson interval and normal interval of a share.

    Wilson's interval contains each share that a normal test with the variance of that share does not reject.
    The interval of Clopper and Pearson covers the true share at least as often as the level states. The
    normal interval is share +- z sqrt(share (1 - share) / n). Its ends may lie outside [0, 1]; see
    `normal_caution`.

    Parameters
    ----------
    successes, trials : int
        Cases with the property, and all cases.
    level : float
        Confidence.

    Returns
    -------
    tuple of Interval
        In the order of `INTERVALS`.

    Raises
    ------
    ValueError
        For an invalid count or level.

    References
    ----------
    Wilson (1927); Clopper and Pearson (1934); Flach (2012), example 12.5.

    Examples
    --------
    >>> for name, result in zip(INTERVALS, share_intervals(80, 100)):
    ...     print(name, round(result.lower, 4), round(result.upper, 4))
    Wilson 0.7112 0.8666
    exact (Clopper-Pearson) 0.7082 0.8733
    normal, as in Flach 0.7216 0.8784
    """
    z, share, failures = _checked(successes, trials, level), successes / trials, trials - successes
    middle, scale = share + z * z / (2 * trials), 1 + z * z / trials
    half = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    lower = 0.0 if successes == 0 else (middle - half) / scale
    upper = 1.0 if failures == 0 else (middle + half) / scale
    tail, wilson = (1 - level) / 2, Interval(share, lower, upper)
    lower = 0.0 if successes == 0 else float(special.betaincinv(successes, failures + 1, tail))
    upper = 1.0 if failures == 0 else float(special.betainccinv(successes + 1, failures, tail))
    half = z * math.sqrt(share * (1 - share) / trials)
    return wilson, Interval(share, lower, upper), Interval(share, share - half, share + half)


def normal_caution(successes: int, trials: int) -> str | None:
    """Return the reason not to use the normal interval of a share, or None."""
    share = successes / trials
    variance = trials * share * (1 - share)
    if variance < LEAST_VARIANCE:
        return f"n a (1 - a) = {variance:.2g} is below {LEAST_VARIANCE}: too few cases"
    return None


def null_test(successes: int, trials: int, *, null: float) -> NullTest:
    """Binomial test of the hypothesis that the true share is `null`.

    Parameters
    ----------
    successes, trials : int
        Cases with the property, and all cases.
    null : float
        Share of the hypothesis.

    Returns
    -------
    NullTest
        p of the exact binomial and of the normal distribution, one-sided and two-sided.

    Raises
    ------
    ValueError
        For an invalid count, and unless `null` is between 0 and 1.

    Examples
    --------
    >>> result = null_test(8, 10, null=0.5)  # (45 + 10 + 1) / 1024, and twice that
    >>> round(result.greater, 6), round(result.two_sided, 6)
    (0.054688, 0.109375)
    """
    _checked(successes, trials, 0.5)
    if not 0 < null < 1:
        raise ValueError(f"expected a null hypothesis between 0 and 1, got {null}")
    z = (successes / trials - null) / math.sqrt(null * (1 - null) / trials)
    greater = float(special.betainc(successes, trials - successes + 1, null)) if successes else 1.0
    normal, both = float(special.ndtr(-z)), 2 * float(special.ndtr(-abs(z)))
    return NullTest(null, greater, _two_sided(successes, trials, null), normal, both)


def _two_sided(successes: int, trials: int, null: float) -> float:
    """Sum the probabilities of all counts that are at most as probable as the one observed."""
    counts = np.arange(trials + 1)
    logs = special.gammaln(trials + 1) - special.gammaln(counts + 1) - special.gammaln(trials - counts + 1)
    logs += counts * math.log(null) + (trials - counts) * math.log1p(-null)
    # Tolerance for rounding: equally probable counts must count as such.
    chosen = logs <= logs[successes] + 1e-7
    return min(1.0, float(np.exp(logs[chosen]).sum()))


def _checked(successes: int, trials: int, level: float) -> float:
    """Return the normal quantile of a two-sided level. Raises ValueError for an invalid count or level."""
    if not 0 <= successes <= trials or trials < 1:
        raise ValueError(f"expected between 0 and {trials} successes of 1 trial or more, got {successes}")
    if not 0 < level < 1:
        raise ValueError(f"expected a level between 0 and 1, got {level}")
    return float(special.ndtri(0.5 + level / 2))


@dataclass(frozen=True)
class ContingencyTable:
    """Counts of test cases: rows are actual classes, columns predicted ones, both in the order of `classes`.

    Undefined measures, such as those of an empty table, are NaN. Measures of classes compare each class with
    all others. Raises ValueError for negative counts, and for counts whose shape is not classes x classes.
    Source: Sokolova and Lapalme 2009 (F); Gorodkin 2004 (Matthews' correlation of several classes); Cohen
    1960.

    Examples
    --------
    >>> result = ContingencyTable(("a", "b"), ((30, 10), (5, 55)))
    >>> result.accuracy, round(result.average_recall, 4), round(result.kappa, 4)
    (0.85, 0.8333, 0.6809)
    """

    classes: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        size = len(self.classes)
        if len(self.counts) != size or any(len(row) != size for row in self.counts):
            raise ValueError(f"expected counts of {size} x {size} classes, got {self.counts}")
        if size < 2 or any(count < 0 for row in self.counts for count in row):
            raise ValueError(f"expected two classes or more and no negative counts, got {self.counts}")

    @property
    def actual(self) -> tuple[int, ...]:
        """The right margin: cases of each class."""
        return tuple(map(sum, self.counts))

    @property
    def predicted(self) -> tuple[int, ...]:
        """The lower margin: predictions of each class."""
        return tuple(map(sum, zip(*self.counts, strict=True)))

    @property
    def total(self) -> int:
        return sum(self.actual)

    @property
    def correct(self) -> int:
        return sum(row[place] for place, row in enumerate(self.counts))

    def against_rest(self, place: int) -> tuple[int, int, int, int]:
        """Return (true positives, false negatives, false positives, true negatives) of one class against all
        others."""
        hits = self.counts[place][place]
        missed, alarms = self.actual[place] - hits, self.predicted[place] - hits
        return hits, missed, alarms, self.total - hits - missed - alarms

    @functools.cached_property
    def _each_against_rest(self) -> list[tuple[int, int, int, int]]:
        return [self.against_rest(place) for place in range(len(self.classes))]

    @property
    def recall(self) -> tuple[float, ...]:
        """True positive rate of each class."""
        return tuple(_ratio(hits, hits + missed) for hits, missed, _, _ in self._each_against_rest)

    @property
    def specificity(self) -> tuple[float, ...]:
        """True negative rate of each class: the recall of the rest."""
        return tuple(_ratio(right, right + alarms) for _, _, alarms, right in self._each_against_rest)

    @property
    def precision(self) -> tuple[float, ...]:
        """Share of the predictions of each class that are right."""
        return tuple(_ratio(hits, hits + alarms) for hits, _, alarms, _ in self._each_against_rest)

    @property
    def f(self) -> tuple[float, ...]:
        """Harmonic mean of precision and recall of each class."""
        counts = self._each_against_rest
        return tuple(_ratio(2 * hits, 2 * hits + missed + alarms) for hits, missed, alarms, _ in counts)

    @property
    def predicted_positive_rate(self) -> tuple[float, ...]:
        """Share of each class in the predictions."""
        return tuple(_ratio(count, self.total) for count in self.predicted)

    @property
    def accuracy(self) -> float:
        """Share of the cases with the right prediction."""
        return _ratio(self.correct, self.total)

    @property
    def average_recall(self) -> float:
        """Mean of the recalls of the classes with cases, with equal weights."""
        recalls = [recall for recall in self.recall if not math.isnan(recall)]
        return _ratio(math.fsum(recalls), len(recalls))

    @property
    def macro_f(self) -> float:
        """Mean of the F measures of the classes with cases or predictions, with equal weights."""
        if not self.total:
            return math.nan
        hits = np.diag(np.array(self.counts, dtype=float))
        both = np.array(self.actual, dtype=float) + np.array(self.predicted, dtype=float)
        return float((2 * hits[both > 0] / both[both > 0]).mean())

    @property
    def micro_f(self) -> float:
        """F of the added counts of all classes, which equals the accuracy if each case has one class."""
        return self.accuracy

    @property
    def matthews(self) -> float:
        """Correlation of predicted and actual classes, -1 to 1. Undefined if all predictions, or all cases,
        are of one class."""
        if not self.total:
            return math.nan
        actual, predicted = np.array(self.actual, dtype=float), np.array(self.predicted, dtype=float)
        squared = self.total**2
        spread = (1 - actual @ actual / squared) * (1 - predicted @ predicted / squared)
        return float((self.accuracy - self._by_chance) / math.sqrt(spread)) if spread > 0 else math.nan

    @property
    def kappa(self) -> float:
        """Cohen's agreement beyond chance."""
        chance = self._by_chance
        return float((self.accuracy - chance) / (1 - chance)) if chance < 1 else math.nan

    @property
    def _by_chance(self) -> float:
        """Accuracy of predictions that are independent of the classes."""
        actual, predicted = np.array(self.actual, dtype=float), np.array(self.predicted, dtype=float)
        return float(actual @ predicted / self.total**2) if self.total else math.nan


def contingency_table(
    actual: np.ndarray, predicted: np.ndarray, *, classes: Sequence[str]
) -> ContingencyTable:
    """Contingency table: the cases by actual and predicted class.

    actual, predicted: positions of the classes of each case, from 0. Raises ValueError for arrays of
    different lengths, and for an invalid position."""
    actual, predicted = np.asarray(actual, dtype=np.int64), np.asarray(predicted, dtype=np.int64)
    if actual.shape != predicted.shape or actual.ndim != 1:
        raise ValueError(f"expected one prediction per case, got {predicted.shape} for {actual.shape}")
    size = len(classes)
    for places in (actual, predicted):
        if len(places) and not 0 <= places.min() <= places.max() < size:
            raise ValueError(f"expected places of classes from 0 to {size - 1}, got {np.unique(places)}")
    counts = np.bincount(actual * size + predicted, minlength=size * size).reshape(size, size)
    return ContingencyTable(tuple(classes), tuple(tuple(map(int, row)) for row in counts))


def pool_tables(tables: Sequence[ContingencyTable]) -> ContingencyTable:
    """Sum of tables of the same classes. Raises ValueError for none, and for different classes."""
    if not tables or any(table.classes != tables[0].classes for table in tables):
        raise ValueError("expected tables of the same classes, one or more")
    rows = zip(*(table.counts for table in tables), strict=True)
    counts = tuple(tuple(map(sum, zip(*same, strict=True))) for same in rows)
    return ContingencyTable(tables[0].classes, counts)


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else math.nan


def expected_accuracy(recalls: Sequence[float]) -> tuple[float, float]:
    """Expected accuracy if every class distribution is equally likely: a flat Dirichlet distribution.

    Returns the mean of the accuracy, and its standard deviation over class distributions, which is not an
    estimation error.

    Examples
    --------
    >>> expected_accuracy([0.9, 0.5])[0]
    0.7
    """
    values, count = np.asarray(recalls, dtype=np.float64), len(recalls)
    mean = float(np.dot(np.ones(count), values) / count)
    variance = float(np.dot(np.full(count, 1 / count), (values - mean) ** 2) / (count + 1))
    return mean, math.sqrt(variance)


def random_split_accuracy(auc: float, *, cases: int, positive_share: float = 0.5) -> float:
    """Return the expected accuracy of a ranking that is split at random, at one of its (number of cases + 1)
    positions.

    E[acc] = 1/2 + n / (n + 1) x pi (1 - pi) (2 AUC - 1), where pi is the share of positives. Flach prints the
    formula for balanced classes, where pi (1 - pi) is 1/4. Raises ValueError without cases, and for a share
    outside [0, 1].

    Examples
    --------
    >>> random_split_accuracy(1.0, cases=99)
    0.7475
    """
    if cases < 1 or not 0 <= positive_share <= 1:
        raise ValueError(f"expected cases and a share between 0 and 1, got {cases} and {positive_share}")
    return 0.5 + cases / (cases + 1) * positive_share * (1 - positive_share) * (2 * auc - 1)


def area_under_curve(scores: np.ndarray, positive: np.ndarray) -> float:
    """Area under the ROC curve: the share of pairs of cases in which the positive one scores higher.

    scores: one number per case, higher for more positive cases; positive: one bool per case. Equal scores
    count one half. NaN if all cases are of one kind. Raises ValueError for NaN scores, or other shapes.

    Examples
    --------
    >>> area_under_curve(np.array([0.9, 0.4, 0.4, 0.1]), np.array([True, True, False, False]))
    0.875
    """
    scores, positive = np.asarray(scores, dtype=np.float64), np.asarray(positive, dtype=bool)
    if scores.shape != positive.shape or scores.ndim != 1 or np.isnan(scores).any():
        raise ValueError(
            f"expected a score for each case, none of them NaN, got {scores.shape}, {positive.shape}"
        )
    count = int(positive.sum())
    if not 0 < count < len(scores):
        return math.nan
    _, places, sizes = np.unique(scores, return_inverse=True, return_counts=True)
    ends = np.cumsum(sizes)
    ranks = (ends - (sizes - 1) / 2)[places]
    return float((ranks[positive].sum() - count * (count + 1) / 2) / (count * (len(scores) - count)))


def areas_under_curves(probabilities: np.ndarray, actual: np.ndarray) -> tuple[float, ...]:
    """Areas under the ROC curves of each class against all others, ranked by the probability of that class.

    probabilities: shape (cases, classes); actual: positions of the classes. NaN for a class without cases."""
    columns = np.asarray(probabilities, dtype=np.float64).T
    return tuple(area_under_curve(column, actual == place) for place, column in enumerate(columns))
