"""Which analysis is made, what it is called, and what it settles: the only place that decides.

`level` is a confidence everywhere, such as 0.95; what is called alpha is the significance, 1 - level. Numbers
and arrays of numbers go by the same rules; nothing is imported that is slow to load.
"""

from collections.abc import Collection
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, overload

if TYPE_CHECKING:
    from delvecore.statistics.kinds import Mask, Numbers, Words

__all__ = [
    "ANALYSES",
    "DEFAULT_LEVEL",
    "ROUGH_P",
    "TOO_ROUGH",
    "Analysis",
    "Verdict",
    "checked_level",
    "is_rough",
    "is_settled",
    "level_of",
    "significance",
    "verdict",
    "words_of_tests",
]

DEFAULT_LEVEL = 0.95
"""The confidence of intervals and verdicts where none is chosen."""
ROUGH_P = 0.05
RELIABLE_INSTANCES = 4
TOO_ROUGH = "with fewer than four training sets the F-test is too rough for more than p < 0.05"


class Analysis(NamedTuple):
    """How methods are compared on a task. test: its letter in tables; name: as `mstats` has it; words: in
    notes of tables."""

    test: str
    name: str
    words: str


ANALYSES = {
    "hierarchical": Analysis(
        "t", "t-test", "a paired t-test over the training sets (hierarchical test sets)"
    ),
    "common": Analysis("F", "F-test", "a quasi-F test over training sets and test cases (a common test set)"),
}
"""By the selection of test sets. Source: DELVE manual, sections 8.1 and 8.2."""


class Verdict(StrEnum):
    """What a comparison says of its first method."""

    BETTER = "better"
    WORSE = "worse"
    NOT_SETTLED = "not settled"
    IDENTICAL = "identical"
    NO_TEST = "no test"


def words_of_tests(tests: Collection[str | None]) -> str:
    """Return the tests with these letters: `a paired t-test over ... or a quasi-F test over ...`."""
    return " or ".join(one.words for one in ANALYSES.values() if one.test in tests)


def significance(level: float) -> float:
    """Return alpha, below which p is significant at this confidence: 0.05 for 0.95, without float noise."""
    return round(1 - level, 15)


def level_of(alpha: float) -> float:
    """Return the confidence that leaves this significance."""
    return round(1 - alpha, 15)


def checked_level(level: float) -> float:
    """Return a confidence. Raises ValueError for what is none, and for one that is a significance by its
    size: nobody wants intervals of 5 %."""
    if not 0.5 <= level < 1:
        raise ValueError(f"expected a level of confidence from 0.5 to below 1, found {level:g}")
    return level


@overload
def is_rough(p: float | None, *, test: str | None, instances: float | None) -> bool: ...
@overload
def is_rough(p: "Numbers", *, test: "Words", instances: "Numbers") -> "Mask": ...
def is_rough(
    p: "float | Numbers | None", *, test: "str | Words | None", instances: "float | Numbers | None"
) -> "bool | Mask":
    """Is nothing but p < 0.05 known? So DELVE has it for F tests of fewer than four training sets.

    p: None or not a number where there is no test. test: letter; instances: training sets that both methods
    have.
    """
    if p is None:
        return False
    return (p < ROUGH_P) > _is_reliable(test, instances)  # and not: of numbers and of arrays


@overload
def is_settled(
    p: float | None, *, level: float, test: str | None = None, instances: float | None = None
) -> bool: ...
@overload
def is_settled(
    p: "Numbers", *, level: float, test: "Words | None" = None, instances: "Numbers | None" = None
) -> "Mask": ...
def is_settled(
    p: "float | Numbers | None",
    *,
    level: float,
    test: "str | Words | None" = None,
    instances: "float | Numbers | None" = None,
) -> "bool | Mask":
    """Is a difference significant at this confidence? What is rough never is above a confidence of 0.95.

    p: perhaps adjusted; None or not a number where there is no test. test, instances: as for `is_rough`;
    without them p is one of another test, which is not rough.
    """
    if p is None:
        return False
    alpha = significance(level)
    settled = p < alpha
    return settled if test is None or alpha >= ROUGH_P else settled & _is_reliable(test, instances)


def _is_reliable(test: "str | Words | None", instances: "float | Numbers | None") -> "bool | Mask":
    return (test != "F") | (instances is not None and instances >= RELIABLE_INSTANCES)


def verdict(
    difference: float | None,
    p: float | None,
    *,
    level: float,
    test: str | None = None,
    instances: float | None = None,
    identical: bool = False,
) -> Verdict:
    """What does the comparison of a method with another say? Losses: a difference below zero is better.

    p, test, instances: as for `is_settled`; identical: are all their losses the same?
    """
    if identical:
        return Verdict.IDENTICAL
    if p is None or difference is None:
        return Verdict.NO_TEST
    if not difference or not is_settled(p, level=level, test=test, instances=instances):
        return Verdict.NOT_SETTLED
    return Verdict.BETTER if difference < 0 else Verdict.WORSE
