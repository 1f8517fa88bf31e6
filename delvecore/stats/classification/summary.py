"""Evaluation of a method as a classifier on a task: all training sets together, each one, and calibration.

Contingency tables of the training sets are added. A binomial interval of the sum needs test cases that are
used only once, so there is none for a common test set.
"""

import functools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.special import ndtri

from delvecore.stats.array_types import Floats, Mask, Whole
from delvecore.stats.choose import DEFAULT_LEVEL
from delvecore.stats.classification.contingency import (
    ContingencyTable,
    NullTest,
    areas_under_curves,
    contingency_table,
    expected_accuracy,
    null_test,
    pool_tables,
    share_intervals,
)
from delvecore.stats.classification.roc_curves import areas_compared, difference_of_areas
from delvecore.stats.designs import COMMON, Design
from delvecore.stats.interval import Interval
from delvecore.stats.losses.mstats import Estimate
from delvecore.stats.losses.results import method_estimates
from delvecore.stats.notes import Note
from delvecore.stats.ranking.effects import wilson_interval

BINS = 10
DRAWS = 1_000
OUTCOMES = 4
"""Factor for the number of drawn outcomes: otherwise one seed for all would shift every p in the same
direction.
"""
NO_SPREAD = 1e-12
"""Tolerance for equal probabilities."""
_OUTCOMES_AT_ONCE = 1 << 20


@dataclass(frozen=True, eq=False)
class InstancePredictions:
    """Predictions for the test cases of one task instance.

    Attributes
    ----------
    actual, guessed : array
        Positions of classes.
    probabilities : array or None
        Shape (cases, classes), or None.
    """

    instance: int
    actual: np.ndarray
    guessed: np.ndarray
    probabilities: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class Reliability:
    """Arrays with one entry per bin with cases, by ascending probability.

    Attributes
    ----------
    cases : Whole
        Number of cases.
    said : Floats
        Mean probability.
    held : Floats
        Observed share.
    lower, upper : Floats
        Wilson's interval of the observed share.
    error : float
        Expected calibration error: mean distance of probability and share, with equal weights of cases.
    error_lower, error_upper : float
        Interval of the error. Its lower part is wide, because calibrated probabilities also have an error.
    chance : float
        Mean error of calibrated probabilities with this number of cases.
    p : float
        Probability that calibrated probabilities have at least the observed error.
    """

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


@dataclass(frozen=True)
class ClassificationSummary:
    """Everything about one method on one task.

    Attributes
    ----------
    table : ContingencyTable
        Table of all training sets together.
    independent : bool
        Whether no test case is used twice.
    areas : tuple of float or None
        AUC of each class against the rest, mean over training sets; None without probabilities.
    expected : tuple[float, float]
        See `expected_accuracy`.
    intervals, null
        Intervals and null test of the overall accuracy; empty and None if test cases are used twice.
    null_share : float
        Share of the most frequent class.
    beaten : float
        Accuracy of the null hypothesis: a requested share, or that of the most frequent class.
    spreads : mapping of str to Estimate
        Accuracy, average recall and mean AUC over training sets, by name. There is no standard error with
        fewer than two training sets that have the measure, or with a common test set. The error of the
        accuracy is from the analysis of variance, which includes test sets (docs/statistics.md, 3 and 12).
    tables : tuple of ContingencyTable
        Table of each training set, in the order of `predictions`.
    notes : tuple of Note
        How errors were corrected.
    level : float
        Level of intervals.
    """

    classes: tuple[str, ...]
    independent: bool
    table: ContingencyTable
    areas: tuple[float, ...] | None
    expected: tuple[float, float]
    intervals: tuple[Interval[float], ...]
    null_share: float
    beaten: float
    null: NullTest | None
    spreads: Mapping[str, Estimate]
    tables: tuple[ContingencyTable, ...]
    notes: tuple[Note, ...] = ()
    level: float = DEFAULT_LEVEL
    predictions: tuple[InstancePredictions, ...] = field(default=(), repr=False, compare=False)

    @functools.cached_property
    def set_nulls(self) -> tuple[NullTest | None, ...]:
        """Null test of each training set, None if the accuracy to be beaten is 0 or 1."""
        return tuple(_null_test(table, self.beaten) for table in self.tables)

    @functools.cached_property
    def set_areas(self) -> tuple[tuple[float, ...] | None, ...]:
        """AUC of each class against the rest for each training set, None without probabilities."""
        return tuple(_areas_of(one) for one in self.predictions)

    @functools.cached_property
    def calibration(self) -> Reliability | None:
        """Calibration of the probabilities of the predicted classes.

        None without probabilities, and if test cases are used twice, so that they are not independent.
        """
        known = [one for one in self.predictions if one.probabilities is not None and len(one.actual)]
        if len(known) < len(self.predictions) or not known or not (self.independent or len(known) == 1):
            return None
        confidences = [
            np.clip(np.asarray(one.probabilities)[np.arange(len(one.guessed)), one.guessed], 0.0, 1.0)
            for one in known
        ]
        held = [one.actual == one.guessed for one in known]
        return reliability(np.concatenate(confidences), np.concatenate(held), level=self.level)


def summarize(
    predictions: Sequence[InstancePredictions],
    *,
    classes: Sequence[str],
    independent: bool,
    design: Design | None = None,
    level: float = 0.95,
    null: float | None = None,
) -> ClassificationSummary:
    """Return tables, measures, intervals and the test against a null hypothesis for one method and task.

    independent: whether every training set has a separate test set. design: design of instances that share
    cases, except those of a common test set. null: accuracy to be beaten; None for the share of the most
    frequent class of the test cases. Raises ValueError without predictions.

    Examples
    --------
    >>> one = InstancePredictions(0, np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]))
    >>> summarize([one], classes=("a", "b"), independent=True).table.accuracy
    0.75
    """
    tables = [contingency_table(one.actual, one.guessed, classes=classes) for one in predictions]
    table = pool_tables(tables)
    share = max(table.actual) / table.total
    wanted = share if null is None else null
    is_tested = independent or len(tables) == 1
    design = design or Design("hierarchical" if independent else COMMON)
    recalls = [recall for recall in table.recall if not math.isnan(recall)]
    # Each class has the mean over training sets: rankings of different models cannot be pooled.
    areas = [known for one in predictions if (known := _areas_of(one)) is not None]
    is_ranked = len(areas) == len(tables)
    spreads = {
        "accuracy": _accuracy(predictions, tables, design),
        "average recall": _spread([one.average_recall for one in tables], design),
    }
    if is_ranked:
        spreads["mean AUC"] = _spread(list(map(_mean, areas)), design)
    return ClassificationSummary(
        classes=tuple(classes),
        independent=independent,
        table=table,
        areas=tuple(map(_mean, zip(*areas, strict=True))) if is_ranked else None,
        expected=expected_accuracy(recalls) if recalls else (math.nan, math.nan),
        intervals=share_intervals(table.correct, table.total, level=level) if is_tested else (),
        null_share=share,
        beaten=wanted,
        null=_null_test(table, wanted) if is_tested else None,
        spreads=spreads,
        tables=tuple(tables),
        notes=tuple(filter(None, [design.note])),
        predictions=tuple(predictions),
        level=level,
    )


def _areas_of(one: InstancePredictions) -> tuple[float, ...] | None:
    return None if one.probabilities is None else areas_under_curves(one.probabilities, one.actual)


def _null_test(table: ContingencyTable, null: float) -> NullTest | None:
    return null_test(table.correct, table.total, null=null) if 0 < null < 1 else None


def _accuracy(
    predictions: Sequence[InstancePredictions], tables: Sequence[ContingencyTable], design: Design
) -> Estimate:
    """Return the accuracy over training sets, with equal weights."""
    accuracy = _spread([table.accuracy for table in tables], design)
    if design.overlaps and not (design.is_common and design.is_testable):
        return accuracy
    hits = [(one.actual == one.guessed).astype(np.float64) for one in predictions]
    if len(hits) < 2 or len(set(map(len, hits))) > 1 or len(hits[0]) < 2:
        return accuracy
    return accuracy._replace(standard_error=float(method_estimates(hits, design)[3, 0]))


def _spread(values: Sequence[float], design: Design) -> Estimate:
    known = [value for value in values if not math.isnan(value)]
    mean = _mean(known)
    if len(known) < 2 or design.is_common or not design.is_testable:
        return Estimate(len(known), None, mean)
    variance = math.fsum((value - mean) ** 2 for value in known) / (len(known) - 1)
    variance *= design.inflation(len(known))
    return Estimate(len(known), None, mean, math.sqrt(variance / len(known)))


def _mean(values: Iterable[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return math.fsum(known) / len(known) if known else math.nan


PairOfClassifiers = tuple[tuple[int, int], tuple[Estimate | None, ...]]
"""Numbers of test cases that only a, and only b, classifies correctly; for each class, the difference of
areas a minus b, mean over training sets. None if a class has no test: too few cases, or no probabilities."""


def compare_classifiers(a: ClassificationSummary, b: ClassificationSummary) -> PairOfClassifiers:
    """Compare two methods on the test cases of a task.

    Both tests treat cases as independent and the classifiers as fixed: they do not generalize to other
    training sets. Raises ValueError for test cases that are used twice, and for different cases in a and b.
    """
    if not (a.independent and b.independent) and len(a.predictions) > 1:
        raise ValueError(
            "expected a separate test set for each training set: cases used twice are not independent"
        )
    shared = list(zip(a.predictions, b.predictions, strict=False))
    alike = len(a.predictions) == len(b.predictions) and all(
        one.instance == other.instance and np.array_equal(one.actual, other.actual) for one, other in shared
    )
    if not alike or a.classes != b.classes:
        raise ValueError("expected predictions of both methods for the same test cases, got others")
    right_a, right_b = (
        np.concatenate([part.actual == part.guessed for part in one.predictions]) for one in (a, b)
    )
    counts = int((right_a & ~right_b).sum()), int((~right_a & right_b).sum())
    areas = tuple(_areas(shared, place) for place in range(len(a.classes)))
    return counts, areas


def _areas(shared: Sequence[tuple[InstancePredictions, InstancePredictions]], place: int) -> Estimate | None:
    areas = []
    for one, other in shared:
        if one.probabilities is None or other.probabilities is None:
            return None
        try:
            scores = one.probabilities[:, place], other.probabilities[:, place]
            areas.append(areas_compared(*scores, one.actual == place))
        except ValueError:
            return None
    count = len(areas)
    area_a, area_b = (math.fsum(getattr(one, name) for one in areas) / count for name in ("mean_a", "mean_b"))
    error = math.sqrt(math.fsum((one.standard_error or 0.0) ** 2 for one in areas)) / count
    return difference_of_areas(area_a, area_b, error, sets=count)


def reliability(
    probabilities: Floats, held: Mask, *, level: float = 0.95, draws: int = DRAWS, seed: int = 0
) -> Reliability:
    """Expected calibration error and reliability curve of probabilities.

    probabilities: one per case, 0 to 1, such as that of the predicted class; held: whether it came true. Bins
    have equal width. The upper end of the interval is normal, by the spread of the cases. The lower end is
    the error minus a quantile of the sum over bins of their shifts in a bootstrap of cases. The error can be
    too large by at most this sum. Ends are NaN if all cases have the same distance, for example if all
    probabilities are 1 and come true. p comes from OUTCOMES random outcomes drawn from the probabilities.
    Raises ValueError without cases, and for invalid probabilities. Source: Guo and others 2017, section 2;
    Broecker and Smith 2007 (outcomes drawn from the probabilities).

    Examples
    --------
    >>> result = reliability(np.array([0.55, 0.59, 0.91, 0.95, 1.0]), np.array([1, 0, 1, 1, 0]))
    >>> result.cases.tolist(), round(result.error, 4)  # (2 x 0.07 + 3 x 0.2867) / 5
    ([2, 3], 0.2)
    """
    probabilities, held = np.asarray(probabilities, dtype=float), np.asarray(held, dtype=float)
    if not len(probabilities) or not ((probabilities >= 0) & (probabilities <= 1)).all():
        raise ValueError(f"expected probabilities from 0 to 1 of cases, got {len(probabilities)} cases")
    _, place = np.unique(np.minimum((probabilities * BINS).astype(int), BINS - 1), return_inverse=True)
    cases = np.bincount(place)
    mean, share = (np.bincount(place, weights=one) / cases for one in (probabilities, held))
    error = float(cases @ np.abs(mean - share) / len(probabilities))
    lower, upper = _error_interval(place, probabilities - held, level, draws, seed)
    calibrated = _errors_by_chance(place, probabilities, OUTCOMES * draws, seed)
    return Reliability(
        level,
        *(cases, mean, share, *wilson_interval(share, cases, level=level)),
        error=error,
        error_lower=lower,
        error_upper=upper,
        chance=float(calibrated.mean()),
        p=float((1 + (calibrated >= error - 1e-12).sum()) / (len(calibrated) + 1)),
    )


def _errors_by_chance(place: Whole, probabilities: Floats, draws: int, seed: int) -> Floats:
    """Return the errors of outcomes drawn from the probabilities. place: bin of each case."""
    order = np.argsort(place, kind="stable")
    starts, ordered = np.flatnonzero(np.diff(place[order], prepend=-1)), probabilities[order]
    generator, rows = np.random.default_rng(seed), max(1, _OUTCOMES_AT_ONCE // len(probabilities))
    errors = []
    for start in range(0, draws, rows):
        held = generator.random((min(rows, draws - start), len(probabilities))) < ordered
        errors.append(np.abs(np.add.reduceat(ordered - held, starts, axis=1)).sum(axis=1))
    return np.concatenate(errors) / len(probabilities)


def _error_interval(place: Whole, gaps: Floats, level: float, draws: int, seed: int) -> tuple[float, float]:
    """Return the interval of the error. gaps: probability minus outcome of each case."""
    generator, count = np.random.default_rng(seed), len(gaps)
    sums, moved = np.bincount(place, weights=gaps), np.empty(draws)
    for draw in range(draws):
        times = np.bincount(generator.integers(0, count, count), minlength=count)
        moved[draw] = np.abs(np.bincount(place, weights=times * gaps) - sums).sum() / count
    error = np.abs(sums).sum() / count
    spread = float(np.std(np.sign(sums)[place] * gaps))
    if spread <= NO_SPREAD:
        return math.nan, math.nan
    reach = float(ndtri((1 + level) / 2)) * spread / math.sqrt(count)
    return max(float(error - np.quantile(moved, (1 + level) / 2)), 0.0), float(error + reach)
