"""Tests of the differences between all pairs of methods on a task, as arrays: manual sections 8.1 and 8.2."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import betainc, betaincc, stdtrit

from delvecore.statistics import notes
from delvecore.statistics.choose import DEFAULT_LEVEL
from delvecore.statistics.kinds import Floats, Mask, Whole
from delvecore.statistics.losses.anova import (
    Components,
    MeanSquares,
    common_interval,
    components,
    hierarchical_interval,
    interaction_dominates,
    quasi_f,
    t_statistic,
)
from delvecore.statistics.losses.mean_squares import PairSquares, pair_mean_squares

__all__ = ["REMARKS", "PairComparisons", "analyse_pairs", "compare_many", "confidence_bounds", "remark_notes"]

# What may be said of a comparison; bit k of `PairComparisons.remarks` stands for REMARKS[k].
REMARKS = (
    notes.CLIPPED["training"],
    notes.CLIPPED["cases"],
    notes.DOMINATED,
    notes.IDENTICAL,
    notes.NOT_FINITE,
    notes.ONE_TRAINING_SET,
    notes.ONE_TEST_CASE,
    notes.TOO_LARGE,
    notes.ZERO_VARIANCE,
)
_BIT = {note: 1 << k for k, note in enumerate(REMARKS)}
_Tests = tuple[float | Floats, ...]


@dataclass(frozen=True, slots=True)
class PairComparisons:
    """The pairs first < second of methods as arrays: what `records.Comparison` holds for one pair.

    difference: mean loss of first less that of second; below zero first is better. Not a number: there is
    none, see `remark_notes(remarks)`. The statistic is t with df1 degrees of freedom (hierarchical; df2 is
    not a number) or F.
    """

    first: Whole
    second: Whole
    mean_a: Floats
    mean_b: Floats
    difference: Floats
    standard_error: Floats
    sd_training: Floats
    sd_cases: Floats
    sd_residual: Floats
    statistic: Floats
    df1: Floats
    df2: Floats
    p: Floats
    interval_error: Floats
    interval_df: Floats
    remarks: Whole


def compare_many(stack: Floats, *, design: str) -> PairComparisons:
    """Which methods differ in their expected loss on a task? All pairs at once, exact to 1e-9.

    stack: losses of shape (methods, instances, test cases), lower is better. design: `hierarchical` or
    `common`. Raises ValueError for another design or an empty stack. Source: DELVE manual, equations 3 to 9
    and 12 to 21.
    """
    pairs = pair_mean_squares(stack, design=design)
    _, instances, test_cases = np.shape(stack)
    return analyse_pairs(pairs, design=design, instances=instances, test_cases=test_cases)


def analyse_pairs(
    pairs: PairSquares, *, design: str, instances: int | Floats, test_cases: int | Floats
) -> PairComparisons:
    """Test the differences whose mean squares are given; instances and test cases may vary by pair."""
    shape = {"instances": instances, "test_cases": test_cases}
    squares = pairs.squares
    finite = np.isfinite(np.array([s for s in squares if s is not None])).all(axis=0)
    spread = squares.training if squares.cases is None else squares.training + squares.cases
    with np.errstate(all="ignore"):
        found = components(squares, design=design, **shape)
        tested = finite & (spread > 0)
        run = _t_tests if design == "hierarchical" else _f_tests
        tests = np.array(np.broadcast_arrays(*run(squares, shape)), dtype=float)
    cases = np.full(len(finite), np.nan) if found.cases is None else found.cases
    variances = np.array([found.error_variance, found.training, cases, found.residual])
    variances[:, ~finite] = np.nan
    tests[:, ~tested] = np.nan
    remarks = _remarks(pairs, found, finite, tested, shape)
    return PairComparisons(*[*pairs[:4], squares.mean, *variances**0.5, *tests, remarks])


def confidence_bounds(comparisons: PairComparisons, *, level: float = DEFAULT_LEVEL) -> tuple[Floats, Floats]:
    """Between which values do the expected differences lie with this confidence? (lower, upper).

    Hierarchical: t with I - 1 degrees of freedom on sqrt(MS_a / (I J)), as in eq. 9. Common: the standard
    error of eq. 12 with Satterthwaite's degrees of freedom. Not a number where there is no p.
    """
    degrees, where = np.unique(comparisons.interval_df, return_inverse=True)
    reach = stdtrit(degrees, (1 + level) / 2)[where] * comparisons.interval_error
    return comparisons.difference - reach, comparisons.difference + reach


def remark_notes(remarks: int) -> tuple[notes.Note, ...]:
    """Return the remarks of a set of bits."""
    return tuple(note for note in REMARKS if _BIT[note] & remarks)


def _t_tests(squares: MeanSquares[Floats], shape: Mapping[str, int | Floats]) -> _Tests:
    """Return statistic, df1, df2, p, and the interval's error and degrees of freedom."""
    t, df = t_statistic(squares, **shape)
    p = _f_upper_tail(t * t, 1, df)
    return (t, df, np.nan, p, *hierarchical_interval(squares, **shape))


def _f_tests(squares: MeanSquares[Floats], shape: Mapping[str, int | Floats]) -> _Tests:
    f, df1, df2 = quasi_f(squares, **shape)
    return (f, df1, df2, _f_upper_tail(f, df1, df2), *common_interval(squares, **shape))


def _f_upper_tail(f: Floats, df1: float | Floats, df2: float | Floats) -> Floats:
    """P(F >= f). Near f = 0 it is 1 less something small, which only the complement has in full."""
    a, b, f = np.broadcast_arrays(df2 / 2, df1 / 2, f)
    tail = np.empty(f.shape)
    small = f < 1
    tail[small] = betaincc(b[small], a[small], b[small] * f[small] / (a[small] + b[small] * f[small]))
    large = ~small
    tail[large] = betainc(a[large], b[large], a[large] / (a[large] + b[large] * f[large]))
    return tail


def _remarks(
    pairs: PairSquares,
    found: Components[Floats],
    finite: Mask,
    tested: Mask,
    shape: Mapping[str, int | Floats],
) -> Whole:
    """What was set to zero, what to beware of, and why there is no test (first that holds), in bits."""
    squares = pairs.squares
    remarks = np.where(finite & found.training_clipped, _BIT[notes.CLIPPED["training"]], 0)
    if found.cases_clipped is not None:
        remarks |= np.where(finite & found.cases_clipped, _BIT[notes.CLIPPED["cases"]], 0)
        remarks |= np.where(tested & interaction_dominates(squares), _BIT[notes.DOMINATED], 0)
    reasons = {
        notes.IDENTICAL: pairs.identical,
        notes.NOT_FINITE: ~np.isfinite(pairs.mean_a) | ~np.isfinite(pairs.mean_b),
        notes.ONE_TRAINING_SET: np.broadcast_to(np.less(shape["instances"], 2), finite.shape),
        notes.ONE_TEST_CASE: np.broadcast_to(np.less(shape["test_cases"], 2), finite.shape),
        notes.TOO_LARGE: ~finite,
        notes.ZERO_VARIANCE: ~tested,
    }
    holding = [~tested & holds for holds in reasons.values()]
    return remarks | np.select(holding, [_BIT[note] for note in reasons], 0)
