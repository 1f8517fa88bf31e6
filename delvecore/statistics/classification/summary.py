"""What is a method worth as a classifier on a task? All training sets together, and one by one.

Arrays of one task in, frozen results out. Contingency tables of the training sets are added; a binomial
interval of that sum needs test cases that are not used twice, so that a common test set has none.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from delvecore.statistics.classification.binomial import (
    NullTest,
    ShareInterval,
    exact_interval,
    normal_interval,
    null_test,
    wilson_interval,
)
from delvecore.statistics.classification.class_distributions import ExpectedAccuracy, expected_accuracy
from delvecore.statistics.classification.contingency import ContingencyTable, contingency_table, pooled
from delvecore.statistics.classification.measures import Measures, measures_of
from delvecore.statistics.classification.ranking_quality import areas_under_curves
from delvecore.statistics.losses.anova import components
from delvecore.statistics.losses.mean_squares import mean_squares_many

__all__ = ["ClassificationSummary", "InstancePredictions", "InstanceSummary", "Spread", "summarize"]


@dataclass(frozen=True, eq=False)
class InstancePredictions:
    """Predictions for the test cases of one task instance.

    actual, guessed: places of classes; probabilities: shape (cases, classes), None where there are none.
    """

    instance: int
    actual: np.ndarray
    guessed: np.ndarray
    probabilities: np.ndarray | None = None


@dataclass(frozen=True)
class InstanceSummary:
    """interval: Wilson's, of the accuracy; areas: AUC of each class against the rest, None without
    probabilities."""

    instance: int
    table: ContingencyTable
    measures: Measures
    interval: ShareInterval
    areas: tuple[float, ...] | None


@dataclass(frozen=True)
class Spread:
    """A measure over training sets. standard_error: of the mean, None with fewer than two training sets that
    have the measure, and for a common test set, whose cases all training sets share; of the accuracy it is
    that of the analysis of variance, which knows both kinds of test set (docs/statistics.md, 3 and 12)."""

    name: str
    mean: float
    standard_error: float | None
    training_sets: int


@dataclass(frozen=True)
class ClassificationSummary:
    """Everything about one method on one task.

    table, measures: of all training sets together; independent: are no test cases used twice? intervals,
    null: of the accuracy of all together, empty and None where they are used twice; null_share: the share of
    the most frequent class, which the null hypothesis takes unless another one was asked for; expected:
    accuracy over class distributions that are all equally likely; spreads: accuracy, average recall and mean
    AUC over training sets.
    """

    classes: tuple[str, ...]
    independent: bool
    table: ContingencyTable
    measures: Measures
    areas: tuple[float, ...] | None
    expected: ExpectedAccuracy
    intervals: tuple[ShareInterval, ...]
    null_share: float
    null: NullTest | None
    spreads: tuple[Spread, ...]
    instances: tuple[InstanceSummary, ...]


def summarize(
    predictions: Sequence[InstancePredictions],
    *,
    classes: Sequence[str],
    independent: bool,
    level: float = 0.95,
    null: float | None = None,
) -> ClassificationSummary:
    """Return tables, measures, intervals and the test against a null hypothesis for one method and task.

    independent: does every training set have a test set of its own? null: the accuracy to be beaten, None for
    that of always guessing the most frequent class of the test cases. Raises ValueError without predictions.
    """
    parts = tuple(_instance(one, classes, level) for one in predictions)
    table = pooled([part.table for part in parts])
    measures = measures_of(table)
    share = max(table.actual) / table.total
    intervals: tuple[ShareInterval, ...] = ()
    test = None
    if independent or len(parts) == 1:
        counts = table.correct, table.total
        kinds = (wilson_interval, exact_interval, normal_interval)
        intervals = tuple(interval(*counts, level=level) for interval in kinds)
        wanted = share if null is None else null
        test = null_test(*counts, null=wanted) if 0 < wanted < 1 else None
    return ClassificationSummary(
        tuple(classes),
        independent,
        table,
        measures,
        _mean_areas(parts),
        _expected(measures),
        intervals,
        share,
        test,
        _spreads(predictions, parts, independent=independent),
        parts,
    )


def _instance(one: InstancePredictions, classes: Sequence[str], level: float) -> InstanceSummary:
    table = contingency_table(one.actual, one.guessed, classes=classes)
    areas = None if one.probabilities is None else areas_under_curves(one.probabilities, one.actual)
    interval = wilson_interval(table.correct, table.total, level=level)
    return InstanceSummary(one.instance, table, measures_of(table), interval, areas)


def _expected(measures: Measures) -> ExpectedAccuracy:
    recalls = [one.recall for one in measures.classes if not math.isnan(one.recall)]
    return expected_accuracy(recalls) if recalls else ExpectedAccuracy(math.nan, math.nan)


def _mean_areas(parts: Sequence[InstanceSummary]) -> tuple[float, ...] | None:
    """Return the mean over training sets of each class's area: rankings of different models do not mix."""
    known = [part.areas for part in parts if part.areas is not None]
    return tuple(_mean(values) for values in zip(*known, strict=True)) if len(known) == len(parts) else None


def _spreads(
    predictions: Sequence[InstancePredictions], parts: Sequence[InstanceSummary], *, independent: bool
) -> tuple[Spread, ...]:
    named = {"average recall": [part.measures.average_recall for part in parts]}
    areas = [part.areas for part in parts if part.areas is not None]
    if len(areas) == len(parts):
        named["mean AUC"] = list(map(_mean, areas))
    others = [_spread(name, values, independent) for name, values in named.items()]
    return (_accuracy(predictions, parts, independent), *others)


def _accuracy(
    predictions: Sequence[InstancePredictions], parts: Sequence[InstanceSummary], independent: bool
) -> Spread:
    """Return the accuracy over training sets, each of which counts alike."""
    found = _spread("accuracy", [part.measures.accuracy for part in parts], independent)
    hits = [one.actual == one.guessed for one in predictions]
    if len(hits) < 2 or len(set(map(len, hits))) > 1 or len(hits[0]) < 2:
        return found
    design = "hierarchical" if independent else "common"
    squares = mean_squares_many(np.stack(hits)[np.newaxis].astype(np.float64), design=design)
    found_of = components(squares, design=design, instances=len(hits), test_cases=len(hits[0]))
    return replace(found, standard_error=math.sqrt(float(found_of.error_variance[0])))


def _spread(name: str, values: Sequence[float], independent: bool) -> Spread:
    known = [value for value in values if not math.isnan(value)]
    mean = _mean(known)
    if len(known) < 2 or not independent:
        return Spread(name, mean, None, len(known))
    variance = math.fsum((value - mean) ** 2 for value in known) / (len(known) - 1)
    return Spread(name, mean, math.sqrt(variance / len(known)), len(known))


def _mean(values: Iterable[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return math.fsum(known) / len(known) if known else math.nan
