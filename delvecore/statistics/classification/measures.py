"""What does a contingency table say? Accuracy, average recall, precision, recall, F, predicted positive rate.

Source: Flach, Machine Learning (2012), section 12.1 and table 2.3. Higher is better for all of them but the
predicted positive rate, which has no better or worse. A ratio of nothing to nothing is NaN, never 0 or 1.
"""

import math
from dataclasses import dataclass

from delvecore.statistics.classification.contingency import ContingencyTable

__all__ = ["ClassMeasures", "Measures", "measures_of"]


@dataclass(frozen=True)
class ClassMeasures:
    """One class as the positive one, all others as the negative one.

    cases: test cases of the class; predicted: predictions of it; recall: also the true positive rate;
    specificity: the true negative rate, that is the recall of the rest; f: the harmonic mean of precision
    and recall; predicted_positive_rate: share of the predictions that are of this class.
    """

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
        table.classes[place],
        hits + missed,
        hits + alarms,
        _ratio(hits, hits + missed),
        _ratio(rejections, rejections + alarms),
        _ratio(hits, hits + alarms),
        _ratio(2 * hits, 2 * hits + missed + alarms),
        _ratio(hits + alarms, table.total),
    )


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else math.nan
