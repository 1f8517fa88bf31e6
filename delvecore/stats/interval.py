"""The record of estimates with confidence intervals."""

from dataclasses import dataclass

from delvecore.stats.array_types import Floats


@dataclass(frozen=True, eq=False)
class Interval:
    """Estimates with the ends of their confidence intervals, arrays of one shape.

    Ends are NaN without an interval.

    Attributes
    ----------
    estimate : Floats
        Estimates.
    lower, upper : Floats
        Ends of their confidence intervals, NaN without an interval.
    """

    estimate: Floats
    lower: Floats
    upper: Floats
