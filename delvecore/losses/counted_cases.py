"""Which test cases count in a loss? All, unless the true value of a target is missing or censored.

A missing target says nothing: its case counts in no loss. A censored one contributes to log probability loss,
by the probability of the values beyond the bound; its case is left out of all other losses. Statistics need
equally many losses of every instance, so that cases are left out of an instance, the last ones first, until
it has no more than the instance with the fewest. All of this depends on the data alone: every method is
judged by the same cases. Source: DELVE manual, section 3.3 (missing and censored values); the decisions are
ours.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from delvecore.encoding.instances import Instance
from delvecore.encoding.prototask_cases import PrototaskCases
from delvecore.losses.spec import is_logarithmic
from delvecore.numerals.text_columns import CodeColumn, NumberColumn
from delvecore.readers.cases import Column, make_column

__all__ = ["LeftOut", "TrueTargets", "counted_positions", "left_out_text", "plan_positions"]


class LeftOut(NamedTuple):
    """How many test cases there are, how many do not count since a target is missing or censored, and how
    many more so that all instances have equally many."""

    total: int
    missing: int
    censored: int
    spare: int

    def plus(self, other: "LeftOut") -> "LeftOut":
        """Return the numbers of both together."""
        return LeftOut(*map(sum, zip(self, other, strict=True)))


def counted_positions(unknown: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return the positions, ascending, of the test cases of each instance that count.

    unknown: for each instance a bool a test case: does it hold a target that the loss cannot judge? Nothing
    is left out where there is none.
    """
    if not any(one.any() for one in unknown):
        return [np.arange(len(one)) for one in unknown]
    fewest = min(int((~one).sum()) for one in unknown)
    return [np.flatnonzero(~one)[:fewest] for one in unknown]


def plan_positions(cases: PrototaskCases, instances: Sequence[Instance], loss: str) -> list[np.ndarray]:
    """Return `counted_positions` of a loss for the instances of a task, from its cases."""
    unknown = np.zeros(cases.count, dtype=bool)
    for number in cases.prototask.targets:
        column = cases.columns[number]
        unknown |= column.missing | ((column.censored != 0) & (not is_logarithmic(loss)))
    return counted_positions([unknown[instance.test] for instance in instances])


def left_out_text(left: LeftOut) -> str:
    """Return how many test cases were left out, and why, in words."""
    reasons = []
    if left.missing:
        reasons.append(f"{left.missing} with missing targets")
    if left.censored:
        reasons.append(f"{left.censored} with censored targets")
    if left.spare:
        reasons.append(f"{left.spare} more so that all instances have equally many")
    count = left.missing + left.censored + left.spare
    return f"{count} of {left.total} test cases left out: {', '.join(reasons)}"


def _column(words: Sequence[str]) -> Column:
    """Return `make_column` of words, without looking at each where what they are made of is known."""
    if isinstance(words, NumberColumn):
        none = np.zeros(len(words), dtype=np.int8)
        return Column(words, words.numbers, none.astype(bool), none)
    if isinstance(words, CodeColumn):
        few, places = make_column(words.table), words.places
        return Column(words, few.numbers[places], few.missing[places], few.censored[places])
    return make_column(words)


@dataclass(frozen=True)
class TrueTargets:
    """The true targets of an instance's test cases. words: a list a target."""

    words: Sequence[Sequence[str]]

    @cached_property
    def columns(self) -> list[Column]:
        return [_column(words) for words in self.words]

    @cached_property
    def missing(self) -> np.ndarray:
        """In which cases is a target missing? bool."""
        return np.any([column.missing for column in self.columns], axis=0)

    @cached_property
    def censored(self) -> np.ndarray:
        """In which cases is a target censored? bool."""
        return np.any([column.censored != 0 for column in self.columns], axis=0)

    @property
    def count(self) -> int:
        return len(self.words[0])

    def unknown(self, loss: str) -> np.ndarray:
        """Which cases can the loss not judge? bool."""
        return self.missing if is_logarithmic(loss) else self.missing | self.censored

    def left_out(self, loss: str, counted: int) -> LeftOut:
        """Return what is left out where a loss counts so many of the cases."""
        missing, unknown = int(self.missing.sum()), int(self.unknown(loss).sum())
        return LeftOut(self.count, missing, unknown - missing, self.count - unknown - counted)

    def at(self, positions: np.ndarray) -> Sequence[Sequence[str]]:
        """Return the words of some cases."""
        if len(positions) == self.count:
            return self.words
        return [[words[place] for place in positions.tolist()] for words in self.words]

    def numbers(self, positions: np.ndarray) -> np.ndarray:
        """Return the values (or bounds) of some cases, float64 of shape (cases, targets)."""
        return np.stack([column.numbers[positions] for column in self.columns], axis=1)
