"""The equations of the analysis of variance of losses: manual sections 8.1 and 8.2, each written once.

The losses y_ij of I task instances (training sets) with J test cases each enter as mean squares. Only plain
arithmetic is used, so that every function takes floats and NumPy arrays alike."""

from typing import Generic, NamedTuple, TypeVar

from delvecore.stats.kinds import Floats, Mask

__all__ = [
    "DESIGNS",
    "Components",
    "MeanSquares",
    "components",
    "error_sources",
    "interaction_dominates",
    "quasi_f",
    "t_statistic",
]

DESIGNS = ("hierarchical", "common")
Number = TypeVar("Number", float, Floats)


class MeanSquares(NamedTuple, Generic[Number]):
    """The mean and the mean squares MS_a, MS_b and MS_e: eqs. 3 to 6 (`cases` is None) or eqs. 13 to 16."""

    mean: Number
    training: Number
    cases: Number | None
    residual: Number

    @property
    def between_cases(self) -> Number:
        """MS_b. Raises ValueError where every training set has a test set of its own."""
        if self.cases is None:
            raise ValueError("expected mean squares of a common test set, found none of test cases")
        return self.cases


class Components(NamedTuple, Generic[Number]):
    """Variance components, which of them were negative and so set to zero, and the mean's squared error."""

    training: Number
    cases: Number | None
    residual: Number
    training_clipped: bool | Mask
    cases_clipped: bool | Mask | None
    error_variance: Number


def _positive_part(x: Number) -> Number:
    return (x + abs(x)) / 2


def components(
    squares: MeanSquares[Number], *, instances: float | Number, test_cases: float | Number
) -> Components[Number]:
    """Which variances explain losses on disjoint test sets (eqs. 7 and 3), or on a common one (17, 12)?"""
    between = (squares.training - squares.residual) / test_cases
    training = _positive_part(between)
    cases, cases_clipped = None, None
    error_variance = squares.residual / (instances * test_cases)
    if squares.cases is not None:
        between_cases = (squares.cases - squares.residual) / instances
        cases, cases_clipped = _positive_part(between_cases), between_cases < 0
        error_variance = error_variance + cases / test_cases
    error_variance = error_variance + training / instances
    return Components(
        training, cases, squares.residual, between < 0, cases_clipped, error_variance=error_variance
    )


def t_statistic(
    squares: MeanSquares[Number], *, instances: float | Number, test_cases: float | Number
) -> tuple[Number, float | Number]:
    """How many of its standard errors is the mean difference from zero? (t, degrees of freedom): equation 9.

    The first form of the equation is right and used; its second prints J(I-1) where J I is meant.
    MS_a must not be zero."""
    return squares.mean / (squares.training / (instances * test_cases)) ** 0.5, instances - 1


def quasi_f(
    squares: MeanSquares[Number], *, instances: float | Number, test_cases: float | Number
) -> tuple[Number, Number, Number]:
    """Is the mean difference large against its error, on one common test set? (F, df1, df2): eqs. 19 to 21.

    MS_a + MS_b must not be zero. The degrees of freedom come from shares, so that no square under- or
    overflows."""
    effect = instances * test_cases * squares.mean * squares.mean
    numerator, denominator = effect + squares.residual, squares.training + squares.between_cases
    # Without effect and residual F is 0, whatever its degrees of freedom: the comparison then adds 1.
    share = squares.residual / (numerator + (numerator == 0))
    df1 = 1 / ((1 - share) ** 2 + share**2 / ((instances - 1) * (test_cases - 1)))
    share_training, share_cases = squares.training / denominator, squares.between_cases / denominator
    df2 = 1 / (share_training**2 / (instances - 1) + share_cases**2 / (test_cases - 1))
    return numerator / denominator, df1, df2


def interaction_dominates(squares: MeanSquares[Number]) -> bool | Mask:
    """Is the residual of a common test set so large that the quasi-F statistic rejects by itself?"""
    return squares.residual > squares.training + squares.between_cases


class ErrorSources(NamedTuple):
    """What each source adds to the squared standard error of an estimate or a difference.

    cases is None for the hierarchical design, where the residual holds the test cases, too."""

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
    test sets differ in size test_cases is None, and the residual's part is what is left of standard_error."""
    if sd_training is None or sd_residual is None:
        return None
    if test_cases is None:
        if standard_error is None:
            return None
        training = sd_training**2 / instances
        return ErrorSources(training, None, max(standard_error**2 - training, 0.0))
    cases = None if sd_cases is None else sd_cases**2 / test_cases
    return ErrorSources(sd_training**2 / instances, cases, sd_residual**2 / (instances * test_cases))
