"""Are two classifiers equally good on the same test cases? McNemar's test, and DeLong's of the areas."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from delvecore.stats.classification.curves import AreasCompared, areas_compared
from delvecore.stats.classification.mcnemar import McNemar, mcnemar
from delvecore.stats.classification.summary import ClassificationSummary, InstancePredictions

__all__ = ["PairOfClassifiers", "compare_classifiers"]


@dataclass(frozen=True)
class PairOfClassifiers:
    """mcnemar: of all test cases. areas: of each class against the others, the mean over training sets of a
    less b, None where a class has no test: too few cases, or no probabilities."""

    mcnemar: McNemar
    areas: tuple[AreasCompared | None, ...]


def compare_classifiers(
    a: ClassificationSummary, b: ClassificationSummary, *, level: float = 0.95
) -> PairOfClassifiers:
    """Compare two methods on the test cases of a task.

    Both tests take cases for independent and the classifiers as they are: they say nothing of other training
    sets. Raises ValueError for test cases that are used twice, and for other cases in b than in a."""
    if not (a.independent and b.independent) and len(a.predictions) > 1:
        raise ValueError(
            "expected a test set of its own for each training set: cases used twice are not independent"
        )
    shared = list(zip(a.predictions, b.predictions, strict=False))
    alike = len(a.predictions) == len(b.predictions) and all(
        one.instance == other.instance and np.array_equal(one.actual, other.actual) for one, other in shared
    )
    if not alike or a.classes != b.classes:
        raise ValueError("expected predictions of the same test cases of both methods, got others")
    right_a, right_b = (
        np.concatenate([part.actual == part.guessed for part in one.predictions]) for one in (a, b)
    )
    counts = int((right_a & ~right_b).sum()), int((~right_a & right_b).sum())
    areas = tuple(_areas(shared, place, level) for place in range(len(a.classes)))
    return PairOfClassifiers(mcnemar(*counts), areas)


def _areas(
    shared: Sequence[tuple[InstancePredictions, InstancePredictions]], place: int, level: float
) -> AreasCompared | None:
    found = []
    for one, other in shared:
        if one.probabilities is None or other.probabilities is None:
            return None
        try:
            found.append(
                areas_compared(
                    one.probabilities[:, place], other.probabilities[:, place], one.actual == place
                )
            )
        except ValueError:
            return None
    count = len(found)
    area_a, area_b = (math.fsum(getattr(one, name) for one in found) / count for name in ("area_a", "area_b"))
    error = math.sqrt(math.fsum(one.standard_error**2 for one in found)) / count
    difference, reach = area_a - area_b, float(ndtri((1 + level) / 2)) * error
    p = 2 * float(ndtr(-abs(difference) / error)) if error > 0 else math.nan
    ends = {"lower": difference - reach, "upper": difference + reach}
    areas = {"area_a": area_a, "area_b": area_b, "difference": difference}
    return AreasCompared(level, **areas, standard_error=error, **ends, p=p)
