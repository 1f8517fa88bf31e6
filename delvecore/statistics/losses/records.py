"""What `mstats` reports of a method and of a pair of methods, as records of floats; no NumPy.

Whatever cannot be computed is None and has its reason as a Note.
"""

from collections import namedtuple
from math import isfinite

from delvecore.statistics import notes
from delvecore.statistics.losses.anova import (
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

__all__ = [
    "Comparison",
    "Estimate",
    "compare",
    "confidence_interval",
    "estimate",
]

_NO_TEST = {"test": None, "statistic": None, "df1": None, "df2": None, "p": None, "interval": None}
_NO_ERRORS = {"standard_error": None, "sd_training": None, "sd_cases": None, "sd_residual": None}


class Estimate(
    namedtuple(
        "Estimate",
        "instances test_cases mean standard_error sd_training sd_cases sd_residual clipped reason",
    )
):
    """The expected loss of a method on a task, in the loss's units; lower is better.

    test_cases: of each instance (hierarchical) or of the one common test set. sd_cases is None for the
    hierarchical design. clipped: which of `training` and `cases` had a negative variance estimate, set to
    zero. reason: why there is no standard error, a Note, or None.
    """

    __slots__ = ()


class Comparison(
    namedtuple(
        "Comparison",
        "instances test_cases mean_a mean_b difference standard_error sd_training sd_cases sd_residual "
        "test statistic df1 df2 p interval clipped notes reason",
    )
):
    """The difference between the expected losses of two methods, a less b; below zero a is better.

    test: `t` (df1 degrees of freedom, df2 is None) or `F`. interval: error and degrees of freedom for
    `confidence_interval`. clipped: as in `Estimate`. notes: cautions. reason: why no p, a Note, or None.
    """

    __slots__ = ()


def estimate(squares, *, design, instances, test_cases):
    """What is the expected loss, how sure is it, and what makes it vary? Returns an `Estimate`.

    squares: the `MeanSquares` of the losses. design: `hierarchical` or `common`.
    """
    mean = squares.mean if squares.mean == squares.mean else None
    reason = _mean_reason(squares.mean) or _variance_reason(squares, instances, test_cases)
    if reason:
        return Estimate(instances, test_cases, mean, **_NO_ERRORS, clipped=(), reason=reason)
    found = components(squares, design=design, instances=instances, test_cases=test_cases)
    return Estimate(instances, test_cases, mean, **_errors(found), clipped=_clipped(found), reason=None)


def compare(squares, mean_a, mean_b, *, design, instances, test_cases, identical):
    """Does one method lose less than another? Returns a `Comparison`.

    squares: the `MeanSquares` of the differences a less b. identical: are all losses of a and b the same?
    """
    means = tuple(value if value == value else None for value in (mean_a, mean_b, squares.mean))
    counted = (instances, test_cases, *means)
    reason = None if isfinite(mean_a) and isfinite(mean_b) else notes.NOT_FINITE
    reason = reason or _variance_reason(squares, instances, test_cases)
    if reason:
        reason = notes.IDENTICAL if identical else reason
        return Comparison(*counted, **_NO_ERRORS, **_NO_TEST, clipped=(), notes=(), reason=reason)
    found = components(squares, design=design, instances=instances, test_cases=test_cases)
    clipped = _clipped(found)
    reported = (*counted, *_errors(found).values())
    cautions = tuple(notes.CLIPPED[name] for name in clipped)
    if squares.training + (squares.cases or 0) == 0:
        reason = notes.IDENTICAL if identical else notes.ZERO_VARIANCE
        return Comparison(*reported, **_NO_TEST, clipped=clipped, notes=cautions, reason=reason)
    run = _t_test if design == "hierarchical" else _f_test
    tested, more = run(squares, instances, test_cases)
    return Comparison(*reported, **tested, clipped=clipped, notes=cautions + more, reason=None)


def confidence_interval(comparison, *, level=0.95):
    """Between which values does the expected difference lie with this confidence?

    Returns (lower, upper), or None where there is no p. Hierarchical: t with I - 1 degrees of freedom on
    sqrt(MS_a / (I J)), as in eq. 9. Common: the standard error of eq. 12 with Satterthwaite's degrees of
    freedom.
    """
    if comparison.interval is None:
        return None
    error, df = comparison.interval
    reach = student_t_quantile((1 + level) / 2, df) * error
    return comparison.difference - reach, comparison.difference + reach


def _mean_reason(mean):
    if mean != mean:
        return notes.UNDEFINED_MEAN
    return None if isfinite(mean) else notes.INFINITE_MEAN


def _variance_reason(squares, instances, test_cases):
    if instances < 2:
        return notes.ONE_TRAINING_SET
    if test_cases < 2:
        return notes.ONE_TEST_CASE
    present = (value for value in squares if value is not None)
    return None if all(map(isfinite, present)) else notes.TOO_LARGE


def _errors(found):
    return {
        "standard_error": found.error_variance**0.5,
        "sd_training": found.training**0.5,
        "sd_cases": None if found.cases is None else found.cases**0.5,
        "sd_residual": found.residual**0.5,
    }


def _clipped(found):
    flags = (("training", found.training_clipped), ("cases", found.cases_clipped))
    return tuple(name for name, is_clipped in flags if is_clipped)


def _t_test(squares, instances, test_cases):
    t, df = t_statistic(squares, instances=instances, test_cases=test_cases)
    interval = hierarchical_interval(squares, instances=instances, test_cases=test_cases)
    p = student_t_two_sided(t, df)
    return {"test": "t", "statistic": t, "df1": df, "df2": None, "p": p, "interval": interval}, ()


def _f_test(squares, instances, test_cases):
    f, df1, df2 = quasi_f(squares, instances=instances, test_cases=test_cases)
    interval = common_interval(squares, instances=instances, test_cases=test_cases)
    p = f_upper_tail(f, df1, df2)
    cautions = (notes.DOMINATED,) if interaction_dominates(squares) else ()
    return {"test": "F", "statistic": f, "df1": df1, "df2": df2, "p": p, "interval": interval}, cautions
