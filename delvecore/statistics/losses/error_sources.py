"""Which source of variation makes an estimate unsure? The terms of the manual's equations 3 and 12."""

from typing import NamedTuple

__all__ = ["ErrorSources", "error_sources"]


class ErrorSources(NamedTuple):
    """What each source adds to the squared standard error of an estimate or a difference.

    cases is None for the hierarchical design, where the residual holds the test cases, too.
    """

    training: float
    cases: float | None
    residual: float


def error_sources(
    *,
    sd_training: float | None,
    sd_cases: float | None,
    sd_residual: float | None,
    instances: int,
    test_cases: float | None,
    standard_error: float | None = None,
) -> ErrorSources | None:
    """Return the parts of a squared standard error, which sum to it; None where there is no standard error.

    The standard deviations are those that `mstats` prints. instances: I task instances (training sets);
    test_cases: J of each instance (hierarchical, sd_cases is None) or of the common test set. Eq. 3:
    training / I + residual / (I J); eq. 12: training / I + cases / J + residual / (I J), all squared. Where
    test sets differ in size test_cases is None, and the residual's part is what is left of standard_error.
    """
    if sd_training is None or sd_residual is None:
        return None
    if test_cases is None:
        if standard_error is None:
            return None
        training = sd_training**2 / instances
        return ErrorSources(training, None, max(standard_error**2 - training, 0.0))
    cases = None if sd_cases is None else sd_cases**2 / test_cases
    return ErrorSources(sd_training**2 / instances, cases, sd_residual**2 / (instances * test_cases))
