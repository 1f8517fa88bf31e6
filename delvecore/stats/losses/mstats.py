"""Results of `mstats` for a method and for a pair of methods on one task, and the tables' test of the pair.

A result that cannot be computed is None, with its reason as a Note.
"""

from math import isfinite
from typing import NamedTuple

import numpy as np

from delvecore.stats import notes
from delvecore.stats.array_types import Whole
from delvecore.stats.choose import DEFAULT_LEVEL, is_significant, significance
from delvecore.stats.designs import Design
from delvecore.stats.losses import anova
from delvecore.stats.losses.anova import (
    MeanSquares,
    PairSquares,
    Rows,
    harmonic_mean,
    mean_squares,
    pair_of_rows,
)
from delvecore.stats.losses.comparisons import (
    PairComparisons,
    analyze_pairs,
    compare_rows,
    confidence_bounds,
    remark_notes,
)
from delvecore.stats.losses.resampled_t import percentile_bounds, percentile_p, smallest_percentile_p
from delvecore.stats.losses.results import method_estimates
from delvecore.stats.notes import Note


class Estimate(NamedTuple):
    """The expected loss of a method on a task, or the expected difference of two methods, a minus b.

    Values are in the loss's units; lower is better.

    Attributes
    ----------
    instances : int
        Number of training sets.
    test_cases : float or None
        Number of test cases of each instance (hierarchical) or of the common test set, None if instances
        differ.
    mean : float or None
        Expected loss or difference.
    sd_training, sd_cases, sd_residual : float or None
        Standard deviations; a negative variance estimate is set to zero. sd_cases is None for the
        hierarchical design.
    reason : Note or None
        Reason for a missing standard error, or for a missing p of a difference.
    mean_a, mean_b : float or None
        Expected losses of the two methods.
    test : str or None
        `t`, or `F` for the quasi-F test of DELVE 1.1, the source of p.
    dominated : bool
        Whether the residual is so large that it alone makes the quasi-F test reject.
    pair : PairComparisons or None
        The pair as in tables.
    sd_stochastic : float or None
        Standard deviation from runs on the same training set, if it is separate from that of training sets.
    """

    instances: int
    test_cases: float | None
    mean: float | None
    standard_error: float | None = None
    sd_training: float | None = None
    sd_cases: float | None = None
    sd_residual: float | None = None
    reason: Note | None = None
    mean_a: float | None = None
    mean_b: float | None = None
    test: str | None = None
    p: float | None = None
    dominated: bool = False
    pair: PairComparisons | None = None
    sd_stochastic: float | None = None


SafeTest = tuple[float, float, float]
"""p of a difference, and the interval that excludes zero if p is below 1 - DEFAULT_LEVEL."""


def estimate_loss(rows: Rows, *, design: str) -> Estimate:
    """Estimated expected loss of a method on a task, with its standard error.

    rows, design: as for `mean_squares`. Source: DELVE manual, sections 8.1 and 8.2.

    Examples
    --------
    >>> result = estimate_loss(np.array([[1.0, 3.0], [5.0, 7.0]]), design="hierarchical")
    >>> result.mean, result.standard_error  # MS_a = 16, MS_e = 2: sqrt(7 / 2 + 2 / 4)
    (4.0, 2.0)
    """
    squares, sizes = mean_squares(rows, design=design), _sizes(rows)
    loss_estimate = estimate(squares, instances=len(rows), test_cases=harmonic_mean(sizes))
    return loss_estimate._replace(test_cases=_common_size(sizes))


def estimate(squares: MeanSquares[float], *, instances: int, test_cases: float) -> Estimate:
    """Return the expected loss, its standard error, and its components.

    squares: mean squares of the losses.
    """
    mean = squares.mean
    record = Estimate(instances, test_cases, _known(mean))
    reason = notes.UNDEFINED_MEAN if mean != mean else None if isfinite(mean) else notes.INFINITE_MEAN
    if reason is None and instances < 2:
        reason = notes.ONE_TRAINING_SET
    if reason is None and squares.residual != squares.residual:
        reason = notes.ONE_TEST_CASE
    if reason is None and not all(isfinite(value) for value in squares if value is not None):
        reason = notes.TOO_LARGE
    if reason:
        return record._replace(reason=reason)
    components, error_variance = anova.components(squares, instances=instances, test_cases=test_cases)
    return record._replace(
        standard_error=error_variance**0.5,
        sd_training=components.training**0.5,
        sd_cases=None if components.cases is None else components.cases**0.5,
        sd_residual=components.residual**0.5,
    )


def compare_losses(rows_a: Rows, rows_b: Rows, *, design: str) -> Estimate:
    """Comparison of two methods on a task: difference a minus b, error, and p of the t-test or F-test.

    rows_a, rows_b: losses for the same training sets and test cases, in the same order; otherwise as for
    `mean_squares`. Source: DELVE manual, sections 8.1 and 8.2.

    Examples
    --------
    >>> losses = np.array([[1.0, 3.0], [5.0, 7.0]])
    >>> result = compare_losses(losses, np.zeros((2, 2)), design="hierarchical")
    >>> result.mean, round(result.p, 4)  # t = 4 / 2 with one degree of freedom
    (4.0, 0.2952)
    """
    pairs, sizes = pair_of_rows(rows_a, rows_b, design=design), _sizes(rows_a)
    comparison = compare(pairs, instances=len(rows_a), test_cases=harmonic_mean(sizes))
    return comparison._replace(test_cases=_common_size(sizes))


def compare(pairs: PairSquares, *, instances: int, test_cases: float) -> Estimate:
    """Compare the losses of two methods. pairs: the mean squares of their differences."""
    pair = analyze_pairs(pairs, instances=instances, test_cases=test_cases)
    p, cases = _known(float(pair.p_delve[0])), pairs.squares.cases
    reasons = (note for note in remark_notes(int(pair.remarks[0])) if note not in notes.CLIPPED.values())
    names = ("difference", "standard_error", "sd_training", "sd_cases", "sd_residual", "mean_a", "mean_b")
    *numbers, mean_a, mean_b = (_known(float(getattr(pair, name)[0])) for name in names)
    is_crossed = p is not None and cases is not None
    test = None if p is None else "F" if is_crossed else "t"
    dominated = is_crossed and bool(np.all(anova.interaction_dominates(pairs.squares)))
    reason = next(reasons, None) if p is None else None
    sizes = (instances, test_cases)
    return Estimate._make([*sizes, *numbers, reason, mean_a, mean_b, test, p, dominated, pair, None])


def safe_test(pair: PairComparisons) -> SafeTest | None:
    """Test the difference of a pair as in the tables; None if no test is possible."""
    if np.isnan(pair.p[0]):
        return None
    lower, upper = confidence_bounds(pair, alpha=significance(DEFAULT_LEVEL))
    return float(pair.p[0]), float(lower[0]), float(upper[0])


def overlapping_estimate(rows: Rows, design: Design) -> Estimate:
    """Return the mean of losses, or of differences, and its error, for instances that share cases."""
    mean, error = (
        one if isfinite(one) else None for one in method_estimates(list(rows), design)[2:4, 0].tolist()
    )
    return Estimate(len(rows), _common_size(_sizes(rows)), mean, standard_error=error)


def overlapping_test(rows_a: Rows, rows_b: Rows, design: Design) -> tuple[SafeTest | None, tuple[Note, ...]]:
    """Test the difference of two methods on instances that share cases, with its notes; None if no test is
    possible.

    rows_a, rows_b: losses of the instances that both have; see `resampled_t`."""
    piece = compare_rows(0, list(rows_a), list(rows_b), design)
    if piece.pairs.samples is not None:
        samples = piece.pairs.samples[0]
        smallest = smallest_percentile_p(len(samples))
        if not is_significant(smallest, significance(DEFAULT_LEVEL)):
            return None, (*piece.notes, notes.FEW_SAMPLES.of(len(samples), smallest))
        if not np.isfinite(samples).all() or not samples.any():
            return None, piece.notes
        bounds = percentile_bounds(samples, alpha=significance(DEFAULT_LEVEL))
        return (percentile_p(samples), *bounds), piece.notes
    shape = {"instances": piece.instances, "test_cases": piece.test_cases}
    pair = analyze_pairs(piece.pairs, **shape, most_df=design.most_df)
    return safe_test(pair), piece.notes


def _sizes(rows: Rows) -> Whole:
    return np.array(list(map(len, rows)))


def _common_size(sizes: Whole) -> int | None:
    return int(sizes[0]) if (sizes == sizes[0]).all() else None


def _known(number: float) -> float | None:
    return None if number != number else number
