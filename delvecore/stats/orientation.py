"""Orientation of values for tests, so that lower is better. No other module changes signs."""

from typing import Protocol, TypeVar

from delvecore.stats.array_types import Floats

Values = TypeVar("Values", float, Floats)


class Directed(Protocol):
    """Object with a direction: a Measure, or a table of scores."""

    @property
    def higher_is_better(self) -> bool: ...


def oriented_interval(lower: Values, upper: Values, measure: Directed) -> tuple[Values, Values]:
    """Return the ends of an interval with the sign that makes lower better, the lower one first.

    A second call restores the ends.

    Examples
    --------
    >>> from delvecore.measures import column_measure
    >>> oriented_interval(0.25, 0.5, column_measure("accuracy", True))
    (-0.5, -0.25)
    """
    ends = oriented(lower, measure), oriented(upper, measure)
    return ends[::-1] if measure.higher_is_better else ends


def oriented(values: Values, measure: Directed) -> Values:
    """Return values, or differences of values, with the sign that makes lower better.

    A second call restores the values of the measure.

    Examples
    --------
    >>> from delvecore.measures import column_measure
    >>> oriented(0.25, column_measure("accuracy", True)), oriented(0.25, column_measure("error", False))
    (-0.25, 0.25)
    """
    return 0.0 - values if measure.higher_is_better else values
