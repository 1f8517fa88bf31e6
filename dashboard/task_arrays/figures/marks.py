"""What the figures of task-arrays have in common: how a method looks, a baseline, an estimate's interval."""

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any, NamedTuple

from dashboard.frame import theme

__all__ = ["STAYS", "UNSEEN", "Baseline", "Estimate", "Look", "estimate_trace"]

Details = Mapping[str, Any]

STAYS: Details = {name: {"marker": {"opacity": 1}} for name in ("selected", "unselected")}
UNSEEN: Details = {name: {"marker": {"opacity": 0}} for name in ("selected", "unselected")}
"""Marks that a click does not change, and marks that are not seen and only clicked."""


class Look(NamedTuple):
    """How a method is drawn. is_grey: thin, in grey, below the others."""

    colour: str
    symbol: str
    dash: str = "solid"
    is_grey: bool = False

    @property
    def shown_colour(self) -> str:
        return theme.GREY if self.is_grey else self.colour

    def line(self, width: float) -> dict[str, Any]:
        """Return a line in this look; a grey one is thin and unbroken."""
        return {
            "color": self.shown_colour,
            "width": 1 if self.is_grey else width,
            "dash": "solid" if self.is_grey else self.dash,
        }


class Baseline(NamedTuple):
    """What a method without any skill loses. text: what that is."""

    value: float
    text: str


class Estimate(NamedTuple):
    """A number with its interval, whose ends are not a number where there is none; is it significant?"""

    value: float
    lower: float
    upper: float
    settled: bool
    hover: str


def estimate_trace(
    estimates: Sequence[Estimate],
    looks: Sequence[Look],
    *,
    x: Sequence[float],
    y: Sequence[float],
    bar: Details,
    size: int,
    unit: float = 1.0,
) -> dict[str, Any]:
    """Return marks with intervals, filled where significant. bar: details of the intervals; unit: what one
    on the axis is of them."""
    symbols = zip(estimates, looks, strict=True)
    return {
        "type": "scatter",
        "mode": "markers",
        "x": list(x),
        "y": list(y),
        "marker": {
            "color": [look.colour for look in looks],
            "symbol": [look.symbol if one.settled else f"{look.symbol}-open" for one, look in symbols],
            "size": size,
        },
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [_length(one.upper - one.value, unit) for one in estimates],
            "arrayminus": [_length(one.value - one.lower, unit) for one in estimates],
            **bar,
        },
        "hovertext": [one.hover for one in estimates],
        "hoverinfo": "text",
    }


def _length(difference: float, unit: float) -> float | None:
    return None if isnan(difference) else difference / unit
