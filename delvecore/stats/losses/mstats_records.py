"""What `mstats` reports of a method and of a pair of methods, as records of floats; no NumPy.

Whatever cannot be computed is None and has its reason as a Note."""

from math import isfinite
from typing import NamedTuple, TypeVar

from delvecore.stats import notes
from delvecore.stats.losses import anova
from delvecore.stats.losses.anova import Components, MeanSquares
from delvecore.stats.losses.distributions import f_upper_tail, student_t_two_sided
from delvecore.stats.notes import Note

__all__ = ["Comparison", "Estimate", "compare", "estimate"]


class Estimate(NamedTuple):
    """The expected loss of a method on a task, in the loss's units; lower is better.

    test_cases: of each instance (hierarchical) or of the one common test set. sd_cases is None for the
    hierarchical design. clipped: which of `training` and `cases` had a negative variance estimate, set to
    zero. reason: why there is no standard error, a Note, or None."""

    instances: int
    test_cases: float | None
    mean: float | None
    standard_error: float | None = None
    sd_training: float | None = None
    sd_cases: float | None = None
    sd_residual: float | None = None
    clipped: tuple[str, ...] = ()
    reason: Note | None = None


class Comparison(NamedTuple):
    """The difference between the expected losses of two methods, a less b; below zero a is better.

    test: `t` (df1 degrees of freedom, df2 is None) or `F`. clipped: as in `Estimate`. notes: cautions.
    reason: why no p, a Note, or None. squares: of the differences, where there is p."""

    instances: int
    test_cases: float | None
    mean_a: float | None
    mean_b: float | None
    difference: float | None
    standard_error: float | None = None
    sd_training: float | None = None
    sd_cases: float | None = None
    sd_residual: float | None = None
    test: str | None = None
    statistic: float | None = None
    df1: float | None = None
    df2: float | None = None
    p: float | None = None
    clipped: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    reason: Note | None = None
    squares: MeanSquares[float] | None = None


_Record = TypeVar("_Record", Estimate, Comparison)


def estimate(squares: MeanSquares[float], *, instances: int, test_cases: float) -> Estimate:
    """What is the expected loss, how sure is it, and what makes it vary?

    squares: the `MeanSquares` of the losses, with those of test cases for a common test set."""
    mean = squares.mean
    record = Estimate(instances, test_cases, _known(mean))
    reason = notes.UNDEFINED_MEAN if mean != mean else None if isfinite(mean) else notes.INFINITE_MEAN
    reason = reason or _variance_reason(squares, instances, test_cases)
    if reason:
        return record._replace(reason=reason)
    return _with_errors(record, anova.components(squares, instances=instances, test_cases=test_cases))


def compare(
    squares: MeanSquares[float],
    mean_a: float,
    mean_b: float,
    *,
    instances: int,
    test_cases: float,
    identical: bool,
) -> Comparison:
    """Does one method lose less than another?

    squares: the `MeanSquares` of the differences a less b. identical: are all losses of a and b the same?"""
    record = Comparison(instances, test_cases, _known(mean_a), _known(mean_b), _known(squares.mean))
    reason = None if isfinite(mean_a) and isfinite(mean_b) else notes.NOT_FINITE
    reason = reason or _variance_reason(squares, instances, test_cases)
    if reason:
        return record._replace(reason=notes.IDENTICAL if identical else reason)
    shape = {"instances": instances, "test_cases": test_cases}
    record = _with_errors(record, anova.components(squares, **shape))
    cautions = tuple(notes.CLIPPED[name] for name in record.clipped)
    if squares.training + (squares.cases or 0) == 0:
        reason = notes.IDENTICAL if identical else notes.ZERO_VARIANCE
        return record._replace(notes=cautions, reason=reason)
    record = record._replace(squares=squares)
    if squares.cases is None:
        t, df = anova.t_statistic(squares, **shape)
        p = student_t_two_sided(t, df)
        return record._replace(notes=cautions, test="t", statistic=t, df1=df, p=p)
    f, df1, df2 = anova.quasi_f(squares, **shape)
    cautions += (notes.DOMINATED,) if anova.interaction_dominates(squares) else ()
    p = f_upper_tail(f, df1, df2)
    return record._replace(notes=cautions, test="F", statistic=f, df1=df1, df2=df2, p=p)


def _variance_reason(squares: MeanSquares[float], instances: int, test_cases: float) -> Note | None:
    if instances < 2:
        return notes.ONE_TRAINING_SET
    if test_cases < 2:
        return notes.ONE_TEST_CASE
    return None if all(isfinite(value) for value in squares if value is not None) else notes.TOO_LARGE


def _known(mean: float) -> float | None:
    return mean if mean == mean else None


def _with_errors(record: _Record, found: Components[float]) -> _Record:
    flags = (("training", found.training_clipped), ("cases", found.cases_clipped))
    return record._replace(
        standard_error=found.error_variance**0.5,
        sd_training=found.training**0.5,
        sd_cases=None if found.cases is None else found.cases**0.5,
        sd_residual=found.residual**0.5,
        clipped=tuple(name for name, is_clipped in flags if is_clipped),
    )
