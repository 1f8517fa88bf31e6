"""Confidence intervals of single comparisons, slow and exact: what those of all pairs are held against."""

import numpy as np

from delvecore.stats.choose import DEFAULT_LEVEL
from delvecore.stats.losses import crossed
from delvecore.stats.losses.anova import MeanSquares
from delvecore.stats.losses.distributions import student_t_two_sided


def student_t_quantile(probability: float, df: float) -> float:
    """Below which value does a t statistic fall with this probability?

    The two-sided tail is bisected until two neighbouring doubles enclose the value.
    Raises ValueError unless 0 < probability < 1 and df is positive and finite.
    """
    if not 0 < probability < 1:
        raise ValueError(f"a probability between 0 and 1 is needed, got {probability}")
    if probability == 0.5:
        return 0.0
    if probability < 0.5:
        return -_size_with_tail(2 * probability, df)
    return _size_with_tail(2 * (1 - probability), df)


def _size_with_tail(tail: float, df: float) -> float:
    low, high = 0.0, 1.0
    while student_t_two_sided(high, df) > tail:
        low, high = high, 2 * high
    middle = (low + high) / 2
    while low < middle < high:
        if student_t_two_sided(middle, df) > tail:
            low = middle
        else:
            high = middle
        middle = (low + high) / 2
    return middle


def crossed_reference(comparison):
    """Return the reference distribution of one comparison on a common test set."""
    squares = MeanSquares(*(np.array([value]) for value in comparison.squares))
    sizes = (np.array([float(size)]) for size in (comparison.instances, comparison.test_cases))
    return crossed.reference(squares, **dict(zip(("instances", "test_cases"), sizes, strict=True)))


def confidence_interval(comparison, *, level=DEFAULT_LEVEL):
    """Between which values does the expected difference lie with this confidence?

    Returns (lower, upper), or None where there is no p.
    """
    if comparison.p is None:
        return None
    if comparison.test == "t":
        reach = student_t_quantile((1 + level) / 2, comparison.df1)
        reach *= (comparison.squares.training / (comparison.instances * comparison.test_cases)) ** 0.5
    else:
        reach = crossed.reach(crossed_reference(comparison), round(1 - level, 15))[0]
    return comparison.difference - reach, comparison.difference + reach
