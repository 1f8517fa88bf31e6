"""Measures: the quantities that results are measured in, and which direction of each is better."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Baseline:
    """Method that ignores the inputs. Its mean loss is the unit of standardized losses.

    Attributes
    ----------
    value : float
        Standardized loss of the baseline: 1, or 0 for a log probability.
    text : str
        What the baseline does, such as `predicting the mean`.
    """

    value: float
    text: str


@dataclass(frozen=True)
class Measure:
    """Quantity that results are measured in: a loss of DELVE, a metric, or a column of scores.

    Attributes
    ----------
    key : str
        Name in files, options and addresses: `S`, `accuracy`, `1 - AUC`.
    title : str
        Name in words: `Squared error`.
    higher_is_better : bool
        Direction in which values are better.
    best : float or None
        Value that no result can beat, such as 100 for an accuracy in percent. None without a bound.
    baseline : Baseline or None
        Baseline that standardizes a loss of single test cases. None for single numbers, which have no other
        unit.
    """

    key: str
    title: str
    higher_is_better: bool = False
    best: float | None = None
    baseline: Baseline | None = None

    @property
    def is_loss(self) -> bool:
        """Is it a loss of single test cases, which a baseline standardizes?"""
        return self.baseline is not None

    @property
    def noun(self) -> str:
        """Return the name of a value: `loss`, or the title of a metric."""
        return "loss" if self.is_loss else self.title

    @property
    def direction(self) -> str:
        """Return `higher is better` or `lower is better`."""
        return f"{'higher' if self.higher_is_better else 'lower'} is better"

    @property
    def short_name(self) -> str:
        """Return the letter of a DELVE loss, such as `S`; for other measures, the name in files."""
        return self.key if self.is_loss else self.title


Measures = Mapping[str, Measure]
"""Measures by key."""


def column_measure(name: str, higher_is_better: bool, best: float | None = None) -> Measure:
    """Return the measure of a column of scores, with the name that the column has in its file.

    Examples
    --------
    >>> column_measure("accuracy", True, 1.0).direction
    'higher is better'
    """
    return Measure(name, name, higher_is_better, best)
