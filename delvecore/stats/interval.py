"""The record of estimates with confidence intervals."""

from dataclasses import dataclass
from typing import Generic

from delvecore.stats.orientation import Values


@dataclass(frozen=True, eq=False)
class Interval(Generic[Values]):
    """Estimates with the ends of their confidence intervals: numbers, or arrays of one shape.

    Attributes
    ----------
    estimate : float or Floats
        Estimates.
    lower, upper : float or Floats
        Ends of their confidence intervals, NaN without an interval.
    """

    estimate: Values
    lower: Values
    upper: Values
