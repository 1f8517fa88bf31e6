"""Which test cases decide the difference between two methods on a task?"""

import math
from typing import NamedTuple

import numpy as np

from delvecore.answers.answer import Answer, Field
from delvecore.report import words
from delvecore.stats.array_types import Floats
from delvecore.stats.losses.case_tests import CaseDifferences
from delvecore.stats.losses.results import standardized_spread

BINS = 61
INSIDE = 0.99
FEW_VALUES = 12


class CaseBin(NamedTuple):
    """How many cases have a difference in an interval (low equals high: a value). beyond: an interval at an
    end, which holds the few cases that lie outside, too."""

    low: float
    high: float
    cases: int
    beyond: bool

    @property
    def middle(self) -> float:
        return (self.low + self.high) / 2


class CaseHistogram(NamedTuple):
    """axis: title of the axis of differences; names: of both methods; mean: NaN without cases."""

    bins: tuple[CaseBin, ...]
    names: tuple[str, str]
    mean: float
    axis: str


def deciding_cases(
    found: CaseDifferences,
    names: tuple[str, str],
    *,
    loss: str,
    constant: float | None = None,
    is_common: bool = False,
) -> Answer:
    """How is the difference of the first method less the second spread over test cases?

    constant: the baseline's loss, by which differences are standardized; None for raw ones; is_common: is
    there one test set for all training sets? The sentence is Markdown."""
    values = found.difference[np.isfinite(found.difference)]
    if constant is not None:
        spread = standardized_spread(loss, values, constant)
        values = values if spread is None else spread
    mean = float(values.mean()) if len(values) else math.nan
    axis = words.value_axis(loss, standardized=constant is not None, difference=True)
    bins = tuple(bins_of(values))
    less, more = (sum(one.cases for one in bins if side * one.middle > 0) for side in (-1, 1))
    said = (
        f"Test cases by the difference between {names[0]} and {names[1]}: {words.count(less, 'case')} with a "
        f"smaller loss, {more} with a larger one, mean difference {words.number(mean, digits=3)}"
    )
    fields = tuple(
        Field(name, name, "number", [getattr(one, name) for one in bins]) for name in CaseBin._fields
    )
    notes = ("Test cases by their difference; hatched bars hold those beyond, too.",)
    sentence = _sentence(found, names, is_common=is_common)
    figure = CaseHistogram(bins, names, mean, axis)
    return Answer("cases", sentence, fields, notes, figure, alt=said, is_markdown=True)


def _sentence(found: CaseDifferences, names: tuple[str, str], *, is_common: bool) -> str:
    values = found.difference
    total = len(values)
    less, more = int((values < 0).sum()), int((values > 0).sum())
    kind = "test case" if is_common else "tested case"
    less_on, more_on = (words.share(count, total) for count in (less, more))
    sides = (
        f"{words.escape(names[0])} loses less on {less_on} of {words.count(total, kind)}, more on {more_on}"
    )
    few = max(total // 100, 1)
    share = found.share_of_largest(few)
    if not found.different:
        return f"{sides}: they do not differ anywhere."
    if share is None:
        return f"{sides}; they differ on {words.count(found.different, kind)}, none of which stands out."
    carry = "case with the largest difference carries"
    carry = carry if few == 1 else f"{few} cases with the largest differences carry"
    return f"{sides}; the {carry} {words.share(round(1000 * share), 1000)} of all differences in size."


def bins_of(values: Floats) -> list[CaseBin]:
    """Count values: each by itself where few differ, else in BINS intervals that hold 99 % of them."""
    distinct, counts = np.unique(np.round(values, 12), return_counts=True)
    if len(distinct) <= FEW_VALUES:
        pairs = zip(distinct.tolist(), counts.tolist(), strict=True)
        return [CaseBin(value, value, count, beyond=False) for value, count in pairs]
    reach = np.quantile(np.abs(values), INSIDE) or np.abs(values).max()
    counts, edges = np.histogram(np.clip(values, -reach, reach), bins=BINS, range=(-reach, reach))
    beyond = [bool((values < -reach).any()), *[False] * (BINS - 2), bool((values > reach).any())]
    return list(map(CaseBin, edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), beyond))
