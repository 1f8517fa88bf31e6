"""Which classes were predicted for cases of which class?

Source: Flach, Machine Learning (2012), section 12.1."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ["ContingencyTable", "ExpectedAccuracy", "Measures", "areas_under_curves", "contingency_table"]
__all__ += ["expected_accuracy", "measures_of", "pooled", "random_split_accuracy"]


@dataclass(frozen=True)
class ContingencyTable:
    """Counts of test cases: rows are actual classes, columns predicted ones, both in the order of `classes`.

    Raises ValueError for counts that are negative or no square of as many rows as there are classes."""

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
        """Return (true positives, false negatives, false positives, true negatives) of one class as the
        positive one and all others together as the negative one."""
        hits = self.counts[place][place]
        missed, alarms = self.actual[place] - hits, self.predicted[place] - hits
        return hits, missed, alarms, self.total - hits - missed - alarms


def contingency_table(
    actual: np.ndarray, predicted: np.ndarray, *, classes: Sequence[str]
) -> ContingencyTable:
    """Count the cases by actual and predicted class.

    actual, predicted: places of the classes of each case, from 0. Raises ValueError for arrays of different
    lengths and for a place that is not one of a class."""
    actual, predicted = np.asarray(actual, dtype=np.int64), np.asarray(predicted, dtype=np.int64)
    if actual.shape != predicted.shape or actual.ndim != 1:
        raise ValueError(f"expected a prediction a case, got {predicted.shape} for {actual.shape}")
    size = len(classes)
    for places in (actual, predicted):
        if len(places) and not 0 <= places.min() <= places.max() < size:
            raise ValueError(f"expected places of classes from 0 to {size - 1}, got {np.unique(places)}")
    counts = np.bincount(actual * size + predicted, minlength=size * size).reshape(size, size)
    return ContingencyTable(tuple(classes), tuple(tuple(map(int, row)) for row in counts))


def pooled(tables: Sequence[ContingencyTable]) -> ContingencyTable:
    """Return the sum of tables of the same classes; ValueError for none, or for different classes."""
    if not tables or any(table.classes != tables[0].classes for table in tables):
        raise ValueError("expected tables of the same classes, one or more")
    rows = zip(*(table.counts for table in tables), strict=True)
    counts = tuple(tuple(map(sum, zip(*same, strict=True))) for same in rows)
    return ContingencyTable(tables[0].classes, counts)


@dataclass(frozen=True)
class ClassMeasures:
    """One class as the positive one, all others as the negative one.

    cases: test cases of the class; predicted: predictions of it; recall: also the true positive rate;
    specificity: the true negative rate, that is the recall of the rest; f: the harmonic mean of precision
    and recall; predicted_positive_rate: share of the predictions that are of this class."""

    name: str
    cases: int
    predicted: int
    recall: float
    specificity: float
    precision: float
    f: float
    predicted_positive_rate: float


@dataclass(frozen=True)
class Measures:
    """accuracy: share of the cases that are predicted right; average_recall: mean of the recalls of the
    classes that have cases, so that each class counts alike."""

    cases: int
    correct: int
    accuracy: float
    average_recall: float
    classes: tuple[ClassMeasures, ...]


def measures_of(table: ContingencyTable) -> Measures:
    """Return the measures of a table; those of an empty one are NaN."""
    classes = tuple(_class_measures(table, place) for place in range(len(table.classes)))
    recalls = [one.recall for one in classes if not math.isnan(one.recall)]
    average = _ratio(math.fsum(recalls), len(recalls))
    return Measures(table.total, table.correct, _ratio(table.correct, table.total), average, classes)


def _class_measures(table: ContingencyTable, place: int) -> ClassMeasures:
    hits, missed, alarms, rejections = table.against_rest(place)
    return ClassMeasures(
        name=table.classes[place],
        cases=hits + missed,
        predicted=hits + alarms,
        recall=_ratio(hits, hits + missed),
        specificity=_ratio(rejections, rejections + alarms),
        precision=_ratio(hits, hits + alarms),
        f=_ratio(2 * hits, 2 * hits + missed + alarms),
        predicted_positive_rate=_ratio(hits + alarms, table.total),
    )


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else math.nan


@dataclass(frozen=True)
class ExpectedAccuracy:
    """mean: of the accuracy over class distributions; standard_deviation: how much it varies from one class
    distribution to another (this is no error of estimation)."""

    mean: float
    standard_deviation: float


def expected_accuracy(
    recalls: Sequence[float], *, concentration: Sequence[float] | None = None
) -> ExpectedAccuracy:
    """Return what accuracy to expect where the class distribution itself is uncertain.

    concentration: parameters of a Dirichlet distribution (for two classes a beta distribution) over class
    distributions; None for all ones: every class distribution is equally likely, and the mean is the average
    recall. Raises ValueError for a parameter that is not positive, or not one a class."""
    values = np.asarray(recalls, dtype=np.float64)
    weights = np.ones(len(values)) if concentration is None else np.asarray(concentration, dtype=np.float64)
    if weights.shape != values.shape or not (weights > 0).all() or not np.isfinite(weights).all():
        raise ValueError(f"expected {len(values)} positive parameters, got {weights.tolist()}")
    total = weights.sum()
    mean = float(np.dot(weights, values) / total)
    variance = float(np.dot(weights / total, (values - mean) ** 2) / (total + 1))
    return ExpectedAccuracy(mean, math.sqrt(variance))


def random_split_accuracy(auc: float, *, cases: int, positive_share: float = 0.5) -> float:
    """Return the expected accuracy of a ranking that is split at a place drawn from all cases + 1 places.

    E[acc] = 1/2 + n / (n + 1) x pi (1 - pi) (2 AUC - 1), with pi the share of positives. Flach prints the
    case of pi = 1/2, where pi (1 - pi) is 1/4, without saying that it needs balanced classes."""
    if cases < 1 or not 0 <= positive_share <= 1:
        raise ValueError(f"expected cases and a share between 0 and 1, got {cases} and {positive_share}")
    return 0.5 + cases / (cases + 1) * positive_share * (1 - positive_share) * (2 * auc - 1)


def area_under_curve(scores: np.ndarray, positive: np.ndarray) -> float:
    """Return the share of pairs of a positive and a negative case in which the positive one scores higher.

    scores: float64 a case, higher for what looks more positive; positive: bool a case. Equal scores count one
    half. NaN where all cases are of one kind. Raises ValueError for NaN among the scores, or other shapes."""
    scores, positive = np.asarray(scores, dtype=np.float64), np.asarray(positive, dtype=bool)
    if scores.shape != positive.shape or scores.ndim != 1 or np.isnan(scores).any():
        raise ValueError(f"expected a score a case, none of them NaN, got {scores.shape}, {positive.shape}")
    count = int(positive.sum())
    if not 0 < count < len(scores):
        return math.nan
    _, places, sizes = np.unique(scores, return_inverse=True, return_counts=True)
    ends = np.cumsum(sizes)
    ranks = (ends - (sizes - 1) / 2)[places]
    return float((ranks[positive].sum() - count * (count + 1) / 2) / (count * (len(scores) - count)))


def areas_under_curves(probabilities: np.ndarray, actual: np.ndarray) -> tuple[float, ...]:
    """Return the area of each class against all others, ranked by the probability of that class.

    probabilities: shape (cases, classes); actual: places of the classes. NaN for a class without cases."""
    columns = np.asarray(probabilities, dtype=np.float64).T
    return tuple(area_under_curve(column, actual == place) for place, column in enumerate(columns))
