"""Means and mean squares of losses in pure Python, to the last digits, and the answers of `mstats`; no NumPy.

A sum of squares about a mean is taken after an origin was subtracted, so that losses that are equal give
exactly zero and small variations keep their digits; `math.dist` sums the squares without loss.

Why not `mean_squares`, which does the same with arrays: `mstats` is to start in 100 ms and in a third of what
importing pandas takes. NumPy alone takes a fifth of that, as much as all else that `mstats` imports, and the
two together miss the third. What follows from mean squares, `anova`, is shared.

Where the test sets of instances, all different, do not hold equally many cases, the model of eq. 1 stays and
every instance counts alike. With the mean m_i of the losses of instance i, the expected loss is the mean of
the m_i, and J becomes the harmonic mean of the sizes J_i, so that MS_a = J sum (m_i - m)^2 / (I - 1) has the
expectation of eq. 5, and MS_e pools what varies within instances, sum (y_ij - m_i)^2 / sum (J_i - 1). With
equal sizes these are eqs. 3 to 6. Source: the analysis of unweighted means (F. Yates, 1934)."""

from array import array
from collections.abc import Sequence
from itertools import chain, repeat
from math import dist, fsum, inf, isfinite, nan
from operator import add, eq, sub

from delvecore.stats.losses.anova import DESIGNS, MeanSquares
from delvecore.stats.losses.mstats_records import Comparison, Estimate, compare, estimate

__all__ = ["Rows", "compare_losses", "compare_unequal", "estimate_loss", "estimate_unequal", "harmonic_size"]
__all__ += ["ROUNDING", "mean_squares", "unequal_mean_squares", "without_rounding"]

Rows = Sequence[Sequence[float]]
"""Losses by training set and test case."""


def estimate_loss(rows: Rows, *, design: str) -> Estimate:
    """What is a method's expected loss on a task, and how sure is that?

    rows: a list of losses for each training set, all of one length. design: `hierarchical` (every training
    set has its own test set) or `common`. Returns an `Estimate`. Raises ValueError for rows of different
    lengths or none."""
    instances, test_cases = _shape(rows)
    return estimate(mean_squares(rows, design=design), instances=instances, test_cases=test_cases)


def compare_losses(rows_a: Rows, rows_b: Rows, *, design: str) -> Comparison:
    """Which of two methods has the smaller expected loss, and is it sure?

    rows_a, rows_b: as in `estimate_loss`, for the same training sets and test cases in the same order. The
    difference is a less b. Returns a `Comparison`. Raises ValueError if the shapes differ."""
    instances, test_cases = _shape(rows_a)
    if _shape(rows_b) != (instances, test_cases):
        raise ValueError(f"cannot compare {_describe(rows_a)} with {_describe(rows_b)}")
    return compare(
        difference_mean_squares(rows_a, rows_b, design=design),
        _mean(rows_a),
        _mean(rows_b),
        instances=instances,
        test_cases=test_cases,
        identical=all(map(eq, rows_a, rows_b)),
    )


def mean_squares(rows: Rows, *, design: str) -> MeanSquares[float]:
    """What are the mean and the mean squares of eqs. 3 to 6 (hierarchical) or 13 to 16 (common)?

    rows: as in `estimate_loss`. The mean squares are not a number with one training set or one test case or a
    sum of losses that is not finite, and infinite where they exceed the largest double."""
    if design not in DESIGNS:
        raise ValueError(f"the design must be one of {', '.join(DESIGNS)}, got {design!r}")
    instances, test_cases = _shape(rows)
    mean = _mean(rows)
    undefined = nan if design == "common" else None
    if instances < 2 or test_cases < 2 or not isfinite(mean):
        return MeanSquares(mean, nan, undefined, nan)
    try:
        return _common(rows, mean) if design == "common" else _hierarchical(rows, mean)
    except (OverflowError, ValueError):
        # fsum's two complaints about sums beyond the largest double: the mean squares are out of reach.
        return MeanSquares(mean, inf, inf if design == "common" else None, inf)


def difference_mean_squares(rows_a: Rows, rows_b: Rows, *, design: str) -> MeanSquares[float]:
    """What are the mean and mean squares of the differences a less b, case by case (eqs. 8 and 18)?"""
    differences = [array("d", map(sub, a, b)) for a, b in zip(rows_a, rows_b, strict=True)]
    return without_rounding(mean_squares(differences, design=design), rows_a, rows_b)


ROUNDING = 1e-24
"""Mean squares of differences may be nothing but rounding below this share of the losses' sum of squares."""


def without_rounding(squares: MeanSquares[float], rows_a: Rows, rows_b: Rows) -> MeanSquares[float]:
    """Return mean squares of the differences a less b, exactly zero where these do not vary as decimals:
    0.3 - 0.2 is 0.2 - 0.1. Exact arithmetic is used only where what is there may be rounding."""
    size = sum(value * value for value in chain(*rows_a, *rows_b))
    if not any(0 < value < ROUNDING * size for value in squares[1:] if value is not None):
        return squares
    from fractions import Fraction

    exact_a, exact_b = (
        [[Fraction(repr(float(value))) for value in row] for row in one] for one in (rows_a, rows_b)
    )
    rows = [list(map(sub, a, b)) for a, b in zip(exact_a, exact_b, strict=True)]
    equal_means = len({sum(row) / len(row) for row in rows}) == 1
    shifted = [[value - row[0] for value in row] for row in rows]
    if squares.cases is None:
        return squares._replace(
            training=0.0 if equal_means else squares.training,
            residual=squares.residual if any(map(any, shifted)) else 0.0,
        )
    equal_columns = len(set(map(sum, zip(*rows, strict=True)))) == 1
    return squares._replace(
        training=0.0 if equal_means else squares.training,
        cases=0.0 if equal_columns else squares.cases,
        residual=0.0 if all(row == shifted[0] for row in shifted) else squares.residual,
    )


def _shape(rows: Rows) -> tuple[int, int]:
    lengths = set(map(len, rows))
    if len(lengths) != 1 or 0 in lengths:
        raise ValueError(f"every training set needs equally many losses, at least one; got {_describe(rows)}")
    return len(rows), lengths.pop()


def _describe(rows: Rows) -> str:
    return f"{len(rows)} instances of {' '.join(map(str, map(len, rows)))} losses"


def _mean(rows: Rows) -> float:
    try:
        return fsum(chain.from_iterable(rows)) / (len(rows) * len(rows[0]))
    except OverflowError:
        return sum(chain.from_iterable(rows)) / (len(rows) * len(rows[0]))
    except ValueError:
        return nan


def _hierarchical(rows: Rows, mean: float) -> MeanSquares[float]:
    """Equations 5 and 6."""
    origin = rows[0][0]
    totals = [fsum(map(sub, row, repeat(origin))) for row in rows]
    instances, test_cases = len(rows), len(rows[0])
    training = squares_about_mean(totals) / (test_cases * (instances - 1))
    residual = fsum(map(squares_about_mean, rows)) / (instances * (test_cases - 1))
    return MeanSquares(mean, training, None, residual)


def _common(rows: Rows, mean: float) -> MeanSquares[float]:
    """Equations 14, 15 and 16."""
    instances, test_cases = len(rows), len(rows[0])
    # A row less its first loss keeps the effects of test cases; less the first row those of training sets.
    columns = list(map(fsum, zip(*map(_from_first, rows), strict=True)))
    shifted = [array("d", map(sub, row, rows[0])) for row in rows]
    training = squares_about_mean(list(map(fsum, shifted))) / (test_cases * (instances - 1))
    cases = squares_about_mean(columns) / (instances * (test_cases - 1))
    interaction = _interaction(list(map(_from_first, shifted)))
    return MeanSquares(mean, training, cases, interaction / ((instances - 1) * (test_cases - 1)))


def _from_first(row: Sequence[float]) -> "array[float]":
    return array("d", map(sub, row, repeat(row[0])))


def _interaction(rows: Rows) -> float:
    """Sum of squares of what neither row nor column means explain; first row and first column must be zeros.

    An error of a mean enters the sum only squared, so that plain sums do for the means."""
    column_means = [total / len(rows) for total in map(sum, zip(*rows, strict=True))]
    mean = sum(column_means) / len(column_means)
    total = 0.0
    for row in rows:
        effect = sum(row) / len(row) - mean
        distance = dist(row, list(map(add, column_means, repeat(effect))))
        total += distance * distance
    return total


def squares_about_mean(values: Sequence[float]) -> float:
    """Return the sum of squares of values about their mean; exactly zero for equal values."""
    shifted = _from_first(values)
    distance = dist(shifted, [fsum(shifted) / len(shifted)] * len(shifted))
    return distance * distance


def harmonic_size(rows: Rows) -> float:
    """Return the harmonic mean of the numbers of test cases."""
    return len(rows) / fsum(1 / len(row) for row in rows)


def estimate_unequal(rows: Rows) -> Estimate:
    """As `estimate_loss`, of training sets with test sets of different sizes; `test_cases` is None."""
    found = estimate(unequal_mean_squares(rows), instances=len(rows), test_cases=harmonic_size(rows))
    return found._replace(test_cases=None)


def compare_unequal(rows_a: Rows, rows_b: Rows) -> Comparison:
    """As `compare_losses`, of training sets with test sets of different sizes; `test_cases` is None."""
    if list(map(len, rows_a)) != list(map(len, rows_b)):
        raise ValueError("cannot compare losses of different numbers of cases")
    found = compare(
        without_rounding(
            unequal_mean_squares([array("d", map(sub, a, b)) for a, b in zip(rows_a, rows_b, strict=True)]),
            rows_a,
            rows_b,
        ),
        _mean_of_means(rows_a),
        _mean_of_means(rows_b),
        instances=len(rows_a),
        test_cases=harmonic_size(rows_a),
        identical=rows_a == rows_b,
    )
    return found._replace(test_cases=None)


def unequal_mean_squares(rows: Rows) -> MeanSquares[float]:
    """What are the mean and the mean squares of training sets with test sets of different sizes?

    Mean squares are not numbers where nothing can vary."""
    mean = _mean_of_means(rows)
    within = sum(len(row) - 1 for row in rows)
    if len(rows) < 2 or not within or not isfinite(mean):
        return MeanSquares(mean, nan, None, nan)
    try:
        means = [fsum(row) / len(row) for row in rows]
        training = harmonic_size(rows) * squares_about_mean(means) / (len(rows) - 1)
        return MeanSquares(mean, training, None, fsum(map(squares_about_mean, rows)) / within)
    except (OverflowError, ValueError):
        return MeanSquares(mean, inf, None, inf)


def _mean_of_means(rows: Rows) -> float:
    """Return the mean of the means, as far as doubles go."""
    try:
        return fsum(fsum(row) / len(row) for row in rows) / len(rows)
    except OverflowError:
        return inf
    except ValueError:
        return nan
