"""The equations of the analysis of variance of losses: manual sections 8.1 and 8.2, each written once.

The losses y_ij of I task instances (training sets) with J test cases each enter as mean squares. Only plain
arithmetic is used, so that every function takes floats and NumPy arrays alike.
"""

from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from delvecore.statistics.kinds import Floats, Mask

__all__ = [
    "DESIGNS",
    "Components",
    "Interval",
    "MeanSquares",
    "QuasiF",
    "TStatistic",
    "common_components",
    "common_interval",
    "components",
    "hierarchical_components",
    "hierarchical_interval",
    "interaction_dominates",
    "quasi_f",
    "t_statistic",
]

DESIGNS = ("hierarchical", "common")
Number = TypeVar("Number", float, "Floats")


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
    training_clipped: "bool | Mask"
    cases_clipped: "bool | Mask | None"
    error_variance: Number


class TStatistic(NamedTuple, Generic[Number]):
    """Eq. 9."""

    t: Number
    df: float | Number


class QuasiF(NamedTuple, Generic[Number]):
    """Eqs. 19 to 21."""

    f: Number
    df1: Number
    df2: Number


class Interval(NamedTuple, Generic[Number]):
    """A standard error and its degrees of freedom: mean +- t quantile x error is a confidence interval."""

    error: Number
    df: float | Number


def _positive_part(x: Number) -> Number:
    return (x + abs(x)) / 2


def hierarchical_components(
    squares: MeanSquares[Number], *, instances: float | Number, test_cases: float | Number
) -> Components[Number]:
    """Which variances explain losses on disjoint test sets? Equations 7 and 3."""
    between = (squares.training - squares.residual) / test_cases
    training = _positive_part(between)
    error_variance = training / instances + squares.residual / (instances * test_cases)
    return Components(training, None, squares.residual, between < 0, None, error_variance)


def common_components(
    squares: MeanSquares[Number], *, instances: float | Number, test_cases: float | Number
) -> Components[Number]:
    """Which variances explain losses on one common test set? Equations 17 and 12."""
    between_training = (squares.training - squares.residual) / test_cases
    between_cases = (squares.between_cases - squares.residual) / instances
    training, cases = _positive_part(between_training), _positive_part(between_cases)
    error_variance = squares.residual / (instances * test_cases) + cases / test_cases + training / instances
    return Components(
        training, cases, squares.residual, between_training < 0, between_cases < 0, error_variance
    )


def components(
    squares: MeanSquares[Number], *, design: str, instances: float | Number, test_cases: float | Number
) -> Components[Number]:
    """Return the variance components of either design; `design` is one of `DESIGNS`."""
    solve = hierarchical_components if design == "hierarchical" else common_components
    return solve(squares, instances=instances, test_cases=test_cases)


def t_statistic(
    squares: MeanSquares[Number], *, instances: float | Number, test_cases: float | Number
) -> TStatistic[Number]:
    """How many of its standard errors is the mean difference from zero? Equation 9.

    The first form of the equation is right and used; its second prints J(I-1) where J I is meant.
    MS_a must not be zero.
    """
    return TStatistic(squares.mean / (squares.training / (instances * test_cases)) ** 0.5, instances - 1)


def quasi_f(
    squares: MeanSquares[Number], *, instances: float | Number, test_cases: float | Number
) -> QuasiF[Number]:
    """Is the mean difference large against its error, on one common test set? Equations 19, 20 and 21.

    MS_a + MS_b must not be zero. The degrees of freedom come from shares, so that no square under- or
    overflows.
    """
    effect = instances * test_cases * squares.mean * squares.mean
    numerator, denominator = effect + squares.residual, squares.training + squares.between_cases
    # Without effect and residual F is 0, whatever its degrees of freedom: the comparison adds 1 to such a
    # numerator.
    share = squares.residual / (numerator + (numerator == 0))
    df1 = 1 / ((1 - share) ** 2 + share**2 / ((instances - 1) * (test_cases - 1)))
    share_training, share_cases = squares.training / denominator, squares.between_cases / denominator
    df2 = 1 / (share_training**2 / (instances - 1) + share_cases**2 / (test_cases - 1))
    return QuasiF(numerator / denominator, df1, df2)


def interaction_dominates(squares: MeanSquares[Number]) -> "bool | Mask":
    """Is the residual of a common test set so large that the quasi-F statistic rejects by itself?"""
    return squares.residual > squares.training + squares.between_cases


def hierarchical_interval(
    squares: MeanSquares[Number], *, instances: float | Number, test_cases: float | Number
) -> Interval[Number]:
    """Return the error of eq. 9, sqrt(MS_a / (I J)), with I - 1 degrees of freedom: as sure as the t-test."""
    return Interval((squares.training / (instances * test_cases)) ** 0.5, instances - 1)


def common_interval(
    squares: MeanSquares[Number], *, instances: float | Number, test_cases: float | Number
) -> Interval[Number]:
    """Return the standard error of eq. 12 with Satterthwaite's degrees of freedom.

    With negative components set to zero, I J SE^2 is MS_e + max(MS_a - MS_e, 0) + max(MS_b - MS_e, 0): a sum
    of mean squares with whole coefficients, which has (sum)^2 / sum of ((coefficient MS)^2 / df) degrees of
    freedom. The mean squares must not all be zero.
    """
    ms_a, ms_b, ms_e = squares.training, squares.between_cases, squares.residual
    use_a, use_b = 1.0 * (ms_a > ms_e), 1.0 * (ms_b > ms_e)
    total = ms_e + use_a * (ms_a - ms_e) + use_b * (ms_b - ms_e)
    inverse_df = (
        (use_a * ms_a / total) ** 2 / (instances - 1)
        + (use_b * ms_b / total) ** 2 / (test_cases - 1)
        + ((1 - use_a - use_b) * ms_e / total) ** 2 / ((instances - 1) * (test_cases - 1))
    )
    return Interval((total / (instances * test_cases)) ** 0.5, 1 / inverse_df)
