"""What `mstats` reports of a method and of a pair of methods, as records of floats; no NumPy.

Whatever cannot be computed is None and has its reason as a Note.
"""

from math import isfinite
from typing import NamedTuple, TypeVar

from delvecore.statistics import notes
from delvecore.statistics.choose import DEFAULT_LEVEL
from delvecore.statistics.losses.anova import (
    Components,
    Interval,
    MeanSquares,
    common_interval,
    components,
    hierarchical_interval,
    interaction_dominates,
    quasi_f,
    t_statistic,
)
from delvecore.statistics.losses.distributions import (
    f_upper_tail,
    student_t_quantile,
    student_t_two_sided,
)
from delvecore.statistics.notes import Note

__all__ = [
    "Comparison",
    "Estimate",
    "compare",
    "confidence_interval",
    "estimate",
]


class Estimate(NamedTuple):
    """The expected loss of a method on a task, in the loss's units; lower is better.

    test_cases: of each instance (hierarchical) or of the one common test set. sd_cases is None for the
    hierarchical design. clipped: which of `training` and `cases` had a negative variance estimate, set to
    zero. reason: why there is no standard error, a Note, or None.
    """

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

    test: `t` (df1 degrees of freedom, df2 is None) or `F`. interval: error and degrees of freedom for
    `confidence_interval`. clipped: as in `Estimate`. notes: cautions. reason: why no p, a Note, or None.
    """

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
    interval: Interval[float] | None = None
    clipped: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    reason: Note | None = None


_Record = TypeVar("_Record", Estimate, Comparison)


def estimate(squares: MeanSquares[float], *, design: str, instances: int, test_cases: float) -> Estimate:
    """What is the expected loss, how sure is it, and what makes it vary?

    squares: the `MeanSquares` of the losses. design: `hierarchical` or `common`.
    """
    record = Estimate(instances, test_cases, _known(squares.mean))
    reason = _mean_reason(squares.mean) or _variance_reason(squares, instances, test_cases)
    if reason:
        return record._replace(reason=reason)
    found = components(squares, design=design, instances=instances, test_cases=test_cases)
    return _with_errors(record, found)


def compare(
    squares: MeanSquares[float],
    mean_a: float,
    mean_b: float,
    *,
    design: str,
    instances: int,
    test_cases: float,
    identical: bool,
) -> Comparison:
    """Does one method lose less than another?

    squares: the `MeanSquares` of the differences a less b. identical: are all losses of a and b the same?
    """
    record = Comparison(instances, test_cases, _known(mean_a), _known(mean_b), _known(squares.mean))
    reason = None if isfinite(mean_a) and isfinite(mean_b) else notes.NOT_FINITE
    reason = reason or _variance_reason(squares, instances, test_cases)
    if reason:
        return record._replace(reason=notes.IDENTICAL if identical else reason)
    found = components(squares, design=design, instances=instances, test_cases=test_cases)
    record = _with_errors(record, found)
    record = record._replace(notes=tuple(notes.CLIPPED[name] for name in record.clipped))
    if squares.training + (squares.cases or 0) == 0:
        return record._replace(reason=notes.IDENTICAL if identical else notes.ZERO_VARIANCE)
    run = _t_test if design == "hierarchical" else _f_test
    return run(record, squares, instances, test_cases)


def confidence_interval(
    comparison: Comparison, *, level: float = DEFAULT_LEVEL
) -> tuple[float, float] | None:
    """Between which values does the expected difference lie with this confidence?

    Returns (lower, upper), or None where there is no p. Hierarchical: t with I - 1 degrees of freedom on
    sqrt(MS_a / (I J)), as in eq. 9. Common: the standard error of eq. 12 with Satterthwaite's degrees of
    freedom.
    """
    if comparison.interval is None or comparison.difference is None:
        return None
    error, df = comparison.interval
    reach = student_t_quantile((1 + level) / 2, df) * error
    return comparison.difference - reach, comparison.difference + reach


def _mean_reason(mean: float) -> Note | None:
    if mean != mean:
        return notes.UNDEFINED_MEAN
    return None if isfinite(mean) else notes.INFINITE_MEAN


def _variance_reason(squares: MeanSquares[float], instances: int, test_cases: float) -> Note | None:
    if instances < 2:
        return notes.ONE_TRAINING_SET
    if test_cases < 2:
        return notes.ONE_TEST_CASE
    present = (value for value in squares if value is not None)
    return None if all(map(isfinite, present)) else notes.TOO_LARGE


def _known(mean: float) -> float | None:
    return mean if mean == mean else None


def _with_errors(record: _Record, found: Components[float]) -> _Record:
    return record._replace(
        standard_error=found.error_variance**0.5,
        sd_training=found.training**0.5,
        sd_cases=None if found.cases is None else found.cases**0.5,
        sd_residual=found.residual**0.5,
        clipped=_clipped(found),
    )


def _clipped(found: Components[float]) -> tuple[str, ...]:
    flags = (("training", found.training_clipped), ("cases", found.cases_clipped))
    return tuple(name for name, is_clipped in flags if is_clipped)


def _t_test(record: Comparison, squares: MeanSquares[float], instances: int, test_cases: float) -> Comparison:
    t, df = t_statistic(squares, instances=instances, test_cases=test_cases)
    interval = hierarchical_interval(squares, instances=instances, test_cases=test_cases)
    return record._replace(test="t", statistic=t, df1=df, p=student_t_two_sided(t, df), interval=interval)


def _f_test(record: Comparison, squares: MeanSquares[float], instances: int, test_cases: float) -> Comparison:
    f, df1, df2 = quasi_f(squares, instances=instances, test_cases=test_cases)
    interval = common_interval(squares, instances=instances, test_cases=test_cases)
    cautions = (notes.DOMINATED,) if interaction_dominates(squares) else ()
    record = record._replace(test="F", statistic=f, df1=df1, df2=df2, p=f_upper_tail(f, df1, df2))
    return record._replace(interval=interval, notes=record.notes + cautions)
