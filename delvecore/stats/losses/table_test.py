"""The test of the tables for one comparison that `mstats` made, which is safe with few training sets."""

from typing import NamedTuple

import numpy as np

from delvecore.stats.choose import DEFAULT_LEVEL, significance
from delvecore.stats.designs import Design
from delvecore.stats.kinds import Floats
from delvecore.stats.losses.anova import MeanSquares, components
from delvecore.stats.losses.comparisons import analyse_pairs, confidence_bounds
from delvecore.stats.losses.mean_squares import PairSquares, mean_squares_many
from delvecore.stats.losses.mstats_records import Comparison, Estimate
from delvecore.stats.losses.overlapping import (
    harmonic_mean,
    instance_squares,
    pair_instance_squares,
    raised,
    shared_notes,
    with_counts,
)
from delvecore.stats.losses.percentiles import percentile_bounds, percentile_p
from delvecore.stats.losses.sums import Rows
from delvecore.stats.notes import Note

__all__ = ["SafeTest", "overlapping_estimate", "overlapping_test", "safe_test"]


class SafeTest(NamedTuple):
    """p of a difference, and the interval that leaves zero out where p is below 1 - level."""

    p: float
    lower: float
    upper: float
    level: float


def safe_test(comparison: Comparison, *, test_cases: float, level: float = DEFAULT_LEVEL) -> SafeTest | None:
    """Is the difference sure? None where nothing can be tested.

    test_cases: of each training set; their harmonic mean where they differ. Instances must not share cases
    but for one common test set."""
    if comparison.squares is None:
        return None
    mean, training, cases, residual = comparison.squares
    squares = MeanSquares(
        np.array([mean]),
        np.array([training]),
        None if cases is None else np.array([cases]),
        np.array([residual]),
    )
    return _tested(squares, instances=comparison.instances, test_cases=test_cases, level=level)


def overlapping_estimate(rows: Rows, design: Design) -> Estimate:
    """What is the mean of losses, or of differences, where instances share cases, and its error?"""
    sizes = np.array(list(map(len, rows)))
    if design.is_common:
        squares = raised(mean_squares_many(np.array([rows]), design=design.selection), len(rows), design)
    else:
        squares = instance_squares(np.concatenate(rows)[np.newaxis], sizes, design)
    found = components(squares, instances=len(rows), test_cases=harmonic_mean(sizes))
    mean, error = float(squares.mean[0]), float(found.error_variance[0]) ** 0.5
    shown = float(sizes[0]) if (sizes == sizes[0]).all() else None
    known, sure = mean if np.isfinite(mean) else None, error if np.isfinite(error) else None
    return Estimate(len(rows), shown, known, standard_error=sure)


def overlapping_test(
    rows: Rows, others: Rows, design: Design, *, level: float = DEFAULT_LEVEL
) -> tuple[SafeTest | None, tuple[Note, ...]]:
    """Is the difference of two methods sure where instances share cases, and what is to be said of it? None
    where nothing can be tested.

    rows, others: losses of the instances that both have; see `overlapping`."""
    sizes = np.array(list(map(len, rows)))
    losses = np.array([np.concatenate(one) for one in (rows, others)])
    design = with_counts(design, losses)
    said = shared_notes(losses, len(rows), design)
    if design.is_common:
        difference = (losses[0] - losses[1]).reshape(1, len(rows), -1)
        squares = raised(mean_squares_many(difference, design=design.selection), len(rows), design)
    else:
        pairs = pair_instance_squares(losses, sizes, design)
        if pairs.samples is not None:
            return _of_samples(pairs.samples[0], level), said
        squares = pairs.squares
    test_cases = harmonic_mean(sizes)
    tested = _tested(squares, instances=len(rows), test_cases=test_cases, design=design, level=level)
    return tested, said


def _of_samples(samples: Floats, level: float) -> SafeTest | None:
    if not np.isfinite(samples).all() or not samples.any():
        return None
    bounds = percentile_bounds(samples, alpha=significance(level))
    return SafeTest(percentile_p(samples), *bounds, level)


def _tested(
    squares: MeanSquares[Floats],
    *,
    instances: int,
    test_cases: float,
    level: float,
    design: Design | None = None,
) -> SafeTest | None:
    place, nothing = np.zeros(1, dtype=int), np.zeros(1)
    pairs = PairSquares(place, place, nothing, nothing, squares=squares, identical=nothing > 0)
    most_df = design.most_df if design else np.inf
    found = analyse_pairs(pairs, instances=instances, test_cases=np.array([test_cases]), most_df=most_df)
    if np.isnan(found.p[0]):
        return None
    lower, upper = confidence_bounds(found, alpha=significance(level))
    return SafeTest(float(found.p[0]), float(lower[0]), float(upper[0]), level)
