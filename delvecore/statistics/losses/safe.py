"""The test of the tables for one comparison that `mstats` made, which is safe with few training sets."""

from typing import NamedTuple

import numpy as np

from delvecore.statistics.choose import DEFAULT_LEVEL, significance
from delvecore.statistics.designs import Design
from delvecore.statistics.kinds import Floats
from delvecore.statistics.losses.anova import MeanSquares
from delvecore.statistics.losses.comparisons import analyse_pairs, confidence_bounds
from delvecore.statistics.losses.mean_squares import PairSquares, mean_squares_many
from delvecore.statistics.losses.overlapping import harmonic_mean, pair_instance_squares, raised
from delvecore.statistics.losses.records import Comparison
from delvecore.statistics.losses.sums import Rows

__all__ = ["SafeTest", "overlapping_test", "safe_test"]


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


def overlapping_test(
    rows: Rows, others: Rows, design: Design, *, level: float = DEFAULT_LEVEL
) -> SafeTest | None:
    """Is the difference of two methods sure where instances share cases? None where nothing can be tested.

    rows, others: losses of the instances that both have; see `overlapping`."""
    sizes = np.array(list(map(len, rows)))
    losses = np.array([np.concatenate(one) for one in (rows, others)])
    if design.is_common:
        difference = (losses[0] - losses[1]).reshape(1, len(rows), -1)
        squares = raised(mean_squares_many(difference, design=design.selection), len(rows), design)
    else:
        squares = pair_instance_squares(losses, sizes, design).squares
    return _tested(squares, instances=len(rows), test_cases=harmonic_mean(sizes), design=design, level=level)


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
