"""Means and mean squares of losses in pure Python, to the last digits, and the two answers of `mstats`.

A sum of squares about a mean is taken after an origin was subtracted, so that losses that are equal give
exactly zero and small variations keep their digits; `math.dist` sums the squares without loss.

Why not `mean_squares`, which does the same with arrays: `mstats` is to start in 100 ms and in a third of what
importing pandas takes. NumPy alone takes a fifth of that, as much as all else that `mstats` imports, and the
two together miss the third. What follows from mean squares, `anova`, is shared.
"""

from collections.abc import Sequence
from itertools import chain, repeat
from math import dist, fsum, inf, isfinite, nan
from operator import add, eq, sub

from delvecore.statistics.losses.anova import DESIGNS, MeanSquares
from delvecore.statistics.losses.records import Comparison, Estimate, compare, estimate

__all__ = ["compare_losses", "difference_mean_squares", "estimate_loss", "mean_squares", "squares_about_mean"]

Rows = Sequence[Sequence[float]]
"""Losses by training set and test case."""


def estimate_loss(rows: Rows, *, design: str) -> Estimate:
    """What is a method's expected loss on a task, and how sure is that?

    rows: a list of losses for each training set, all of one length. design: `hierarchical` (every training
    set has its own test set) or `common`. Returns an `Estimate`. Raises ValueError for rows of different
    lengths or none.
    """
    instances, test_cases = _shape(rows)
    squares = mean_squares(rows, design=design)
    return estimate(squares, design=design, instances=instances, test_cases=test_cases)


def compare_losses(rows_a: Rows, rows_b: Rows, *, design: str) -> Comparison:
    """Which of two methods has the smaller expected loss, and is it sure?

    rows_a, rows_b: as in `estimate_loss`, for the same training sets and test cases in the same order. The
    difference is a less b. Returns a `Comparison`. Raises ValueError if the shapes differ.
    """
    instances, test_cases = _shape(rows_a)
    if _shape(rows_b) != (instances, test_cases):
        raise ValueError(f"cannot compare {_describe(rows_a)} with {_describe(rows_b)}")
    return compare(
        difference_mean_squares(rows_a, rows_b, design=design),
        _mean(rows_a),
        _mean(rows_b),
        design=design,
        instances=instances,
        test_cases=test_cases,
        identical=all(map(eq, rows_a, rows_b)),
    )


def mean_squares(rows: Rows, *, design: str) -> MeanSquares[float]:
    """What are the mean and the mean squares of eqs. 3 to 6 (hierarchical) or 13 to 16 (common)?

    rows: as in `estimate_loss`. The mean squares are not a number with one training set or one test case or a
    sum of losses that is not finite, and infinite where they exceed the largest double.
    """
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
    return mean_squares([list(map(sub, a, b)) for a, b in zip(rows_a, rows_b, strict=True)], design=design)


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
    # A row less its first loss keeps the effects of test cases; a row less the first row those of training
    # sets.
    columns = list(map(fsum, zip(*map(_from_first, rows), strict=True)))
    shifted = [list(map(sub, row, rows[0])) for row in rows]
    training = squares_about_mean(list(map(fsum, shifted))) / (test_cases * (instances - 1))
    cases = squares_about_mean(columns) / (instances * (test_cases - 1))
    interaction = _interaction([_from_first(row) for row in shifted])
    return MeanSquares(mean, training, cases, interaction / ((instances - 1) * (test_cases - 1)))


def _from_first(row: Sequence[float]) -> list[float]:
    return list(map(sub, row, repeat(row[0])))


def _interaction(rows: Rows) -> float:
    """Sum of squares of what neither row nor column means explain; first row and first column must be zeros.

    An error of a mean enters the sum only squared, so that plain sums do for the means.
    """
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
