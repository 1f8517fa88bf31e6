"""Losses of instances whose test sets, all different, do not hold equally many cases; no NumPy.

The model of eq. 1 stays; every instance counts alike. With the mean m_i of the losses of instance i, the
expected loss is the mean of the m_i, and J becomes the harmonic mean of the sizes J_i, so that
MS_a = J sum (m_i - m)^2 / (I - 1) has the expectation of eq. 5, and MS_e pools what varies within instances,
sum (y_ij - m_i)^2 / sum (J_i - 1). With equal sizes these are eqs. 3 to 6. Source: the analysis of unweighted
means (F. Yates, 1934).
"""

from math import fsum, inf, isfinite, nan
from operator import sub

from delvecore.statistics.losses.anova import MeanSquares
from delvecore.statistics.losses.records import Comparison, Estimate, compare, estimate
from delvecore.statistics.losses.sums import Rows, squares_about_mean

__all__ = ["compare_unequal", "estimate_unequal", "harmonic_size", "unequal_mean_squares"]

DESIGN = "hierarchical"


def harmonic_size(rows: Rows) -> float:
    """Return the harmonic mean of the numbers of test cases."""
    return len(rows) / fsum(1 / len(row) for row in rows)


def estimate_unequal(rows: Rows) -> Estimate:
    """What is a method's expected loss, and how sure is that?

    rows: a list of losses for each training set, none empty. Returns an `Estimate` whose `test_cases` is
    None.
    """
    squares = unequal_mean_squares(rows)
    found = estimate(squares, design=DESIGN, instances=len(rows), test_cases=harmonic_size(rows))
    return found._replace(test_cases=None)


def compare_unequal(rows_a: Rows, rows_b: Rows) -> Comparison:
    """Which of two methods has the smaller expected loss, and is it sure?

    rows_a, rows_b: as in `estimate_unequal`, for the same training sets and test cases in the same order.
    Returns a `Comparison` of a less b whose `test_cases` is None. Raises ValueError if the shapes differ.
    """
    if list(map(len, rows_a)) != list(map(len, rows_b)):
        raise ValueError("cannot compare losses of different numbers of cases")
    found = compare(
        unequal_mean_squares([list(map(sub, a, b)) for a, b in zip(rows_a, rows_b, strict=True)]),
        _mean(rows_a),
        _mean(rows_b),
        design=DESIGN,
        instances=len(rows_a),
        test_cases=harmonic_size(rows_a),
        identical=rows_a == rows_b,
    )
    return found._replace(test_cases=None)


def unequal_mean_squares(rows: Rows) -> MeanSquares[float]:
    """What are the mean and the mean squares? These are not numbers where nothing can vary."""
    mean = _mean(rows)
    within = sum(len(row) - 1 for row in rows)
    if len(rows) < 2 or not within or not isfinite(mean):
        return MeanSquares(mean, nan, None, nan)
    try:
        means = [fsum(row) / len(row) for row in rows]
        training = harmonic_size(rows) * squares_about_mean(means) / (len(rows) - 1)
        return MeanSquares(mean, training, None, fsum(map(squares_about_mean, rows)) / within)
    except (OverflowError, ValueError):
        return MeanSquares(mean, inf, None, inf)


def _mean(rows: Rows) -> float:
    """Return the mean of the means, as far as doubles go."""
    try:
        return fsum(fsum(row) / len(row) for row in rows) / len(rows)
    except OverflowError:
        return inf
    except ValueError:
        return nan
