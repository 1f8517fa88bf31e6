"""Choice of the analysis, its name, and significance. No other module makes these decisions.

`level` is a confidence everywhere, such as 0.95; alpha is the significance, 1 - level. Numbers and arrays
follow the same rules. The module imports nothing that is slow to load.
"""

from collections.abc import Collection
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, overload

if TYPE_CHECKING:
    from delvecore.stats.array_types import Mask, Numbers

DEFAULT_LEVEL = 0.95
"""Default confidence of intervals and verdicts."""
ADJUSTMENTS = {
    "holm": "Holm",
    "none": "none",
    "bonferroni": "Bonferroni",
    "hochberg": "Hochberg",
    "benjamini-hochberg": "Benjamini-Hochberg",
}
"""Adjustments of p for the number of compared pairs: name in options, and title."""
DEFAULT_ADJUSTMENT = "holm"
UNITS = {
    "task": "each task",
    "dataset": "the dataset, with all its tasks",
    "family": "the family (the task-array), with all its datasets",
}
"""Units that may count once over many tasks, the finest first: name in options, and in words."""
ROUGH_P = 0.05
RELIABLE_INSTANCES = 4
FEWEST_COMMON_CASES = 7
"""Minimum number of cases for a test on a common test set.

The error rate at a level of 5 % is about 6 % or more with fewer cases.
"""


class Analysis(NamedTuple):
    """Comparison of methods on a task.

    Attributes
    ----------
    test : str
        Code in tables.
    name : str
        Name of the test in `mstats`.
    words : str
        Words in notes of tables.
    """

    test: str
    name: str
    words: str


ANALYSES = {
    "hierarchical": Analysis(
        "t", "t-test", "a paired t-test over the training sets (hierarchical test sets)"
    ),
    "common": Analysis(
        "crossed", "F-test", "a Behrens-Fisher test over training sets and test cases (a common test set)"
    ),
    "resampled": Analysis(
        "resampled", "t-test", "a corrected resampled t-test over the training sets (which overlap)"
    ),
    "one split": Analysis("runs", "t-test", "a paired t-test over the runs on one split"),
    "unpaired": Analysis("welch", "Welch's t-test", "Welch's t-test over runs that are not paired"),
    "one test set": Analysis(
        "sets", "t-test", "a paired t-test over the training sets, of this test set only"
    ),
    "leave-one-out": Analysis("cases", "t-test", "a corrected t-test over the test cases (leave-one-out)"),
    "mcnemar": Analysis(
        "mcnemar", "McNemar's test", "a corrected McNemar's test over the test cases (leave-one-out)"
    ),
    "cases": Analysis(
        "flips",
        "permutation test",
        "a permutation test by sign flips over the test cases (McNemar's for 0 or 1)",
    ),
    "right or wrong": Analysis("exact", "McNemar's test", "McNemar's exact test over the test cases"),
    "case groups": Analysis(
        "groups", "permutation test", "a permutation test by sign flips over groups of test cases"
    ),
    "bootstrap": Analysis("percentile", "percentiles", "percentiles of bootstrap samples"),
}
"""Analyses by the selection of test sets if instances share no cases (DELVE manual, sections 8.1 and 8.2),
otherwise by their overlap (see `designs.Design.analysis`).
"""


class FlipStatistic(StrEnum):
    """Statistic of sign flips: differences divided by the scale of their unit, signed ranks, or raw
    differences for values on one scale.
    """

    SCALED = "scaled"
    RANKS = "ranks"
    MEANS = "means"


class Setting(NamedTuple):
    """Rule for significant differences: the single setting that pages, commands and files share.

    Attributes
    ----------
    level : float
        Confidence of verdicts and intervals.
    adjust : str
        Adjustment of p for all compared pairs, one of ADJUSTMENTS.
    """

    level: float = DEFAULT_LEVEL
    adjust: str = DEFAULT_ADJUSTMENT

    @property
    def alpha(self) -> float:
        """The significance that belongs to the level."""
        return significance(self.level)


DEFAULT_SETTING = Setting()


class Verdict(StrEnum):
    """Result of a comparison for its first method."""

    BETTER = "better"
    WORSE = "worse"
    NOT_SIGNIFICANT = "not significant"
    NOT_TESTED = "not tested"


SIGNIFICANT = (Verdict.BETTER, Verdict.WORSE)
"""Verdicts of a significant difference."""
_TURNED = {one: one for one in Verdict} | dict(zip(SIGNIFICANT, SIGNIFICANT[::-1], strict=True))


def words_of_tests(tests: Collection[str | None]) -> str:
    """Return the tests with these codes: `a paired t-test over ... or a Behrens-Fisher test over ...`."""
    return " or ".join(one.words for one in ANALYSES.values() if one.test in tests)


def significance(level: float) -> float:
    """Return alpha, below which p is significant at this confidence: 0.05 for 0.95, without float noise."""
    return round(1 - level, 15)


@overload
def is_significant(p: float | None, alpha: float) -> bool: ...
@overload
def is_significant(p: "Numbers", alpha: float) -> "Mask": ...
def is_significant(p: "float | Numbers | None", alpha: float) -> "bool | Mask":
    """Is p small enough at this significance?

    p: adjusted if several methods are compared. None or NaN means no test and is never significant.
    """
    return p is not None and p < alpha


def level_of(alpha: float) -> float:
    """Return the confidence for this significance."""
    return round(1 - alpha, 15)


def checked_level(level: float) -> float:
    """Return a confidence. Raises ValueError for an invalid one, including 0.05 and the like, which are
    presumably meant as a significance.
    """
    if not 0.5 <= level < 1:
        raise ValueError(f"expected a level of confidence from 0.5 to below 1, found {level:g}")
    return level


def is_rough(p: float | None, *, test: str | None, instances: float | None) -> bool:
    """Does `mstats` print only `p < 0.05`?

    DELVE does so for F-tests of fewer than four training sets, because their p is too rough.

    p: None without a test. test: letter; instances: training sets that both methods have."""
    return p is not None and p < ROUGH_P and test == "F" and (instances or 0) < RELIABLE_INSTANCES


def verdict(difference: float | None, p: float | None, *, level: float) -> Verdict:
    """Verdict on the first of two methods compared. Losses: a difference below zero is better.

    p: as for `is_significant`.

    Examples
    --------
    >>> str(verdict(-0.2, 0.01, level=0.95))
    'better'
    """
    if p is None or difference is None:
        return Verdict.NOT_TESTED
    if not difference or not is_significant(p, significance(level)):
        return Verdict.NOT_SIGNIFICANT
    return Verdict.BETTER if difference < 0 else Verdict.WORSE


def turned_verdict(verdict: str) -> Verdict:
    """Turn the verdict on the first method of a comparison into that on the second."""
    return _TURNED[Verdict(verdict)]


def checked_adjustment(name: str) -> str:
    """Return the name of an adjustment. Raises ValueError for an unknown one."""
    if name not in ADJUSTMENTS:
        raise ValueError(f"expected one of {', '.join(ADJUSTMENTS)} to adjust p, found {name!r}")
    return name


def adjustment_words(adjust: str, pairs: int | None = None, *, what: str = "pairs") -> str:
    """Return how p is adjusted, in words: `adjusted by Holm's procedure over all 66 tested pairs`.

    pairs: number of tested pairs.
    """
    if adjust == "none":
        return "not adjusted for the number of comparisons"
    over = "one pair" if pairs == 1 else f"all {what}" if pairs is None else f"all {pairs} tested {what}"
    return f"adjusted by {ADJUSTMENTS[adjust]}'s procedure over {over}"


class RankTest(StrEnum):
    """Test that compares methods over many units.

    in_words: name in a sentence; own_adjustment: built-in adjustment for all comparisons, empty if the
    setting adjusts p; cites: key of its reference in `report.references`.
    """

    in_words: str
    own_adjustment: str
    cites: str

    FLIPS = "Sign flips", "sign flips", "largest statistic", "westfall1993"
    WILCOXON = "Wilcoxon", "Wilcoxon's signed-rank test", "", "benavoli2016"
    NEMENYI = "Nemenyi", "Nemenyi's test", "studentized range", "demsar2006"
    CONTROL = "Bonferroni-Dunn", "the Bonferroni-Dunn test", "bonferroni", "demsar2006"

    def __new__(cls, title: str, in_words: str = "", own_adjustment: str = "", cites: str = "") -> "RankTest":
        made = str.__new__(cls, title)
        made._value_, made.in_words, made.own_adjustment = title, in_words, own_adjustment
        made.cites = cites
        return made

    @property
    def word(self) -> str:
        """Name in options and files: `nemenyi`."""
        return self.name.lower()

    @property
    def adjusts_by_itself(self) -> bool:
        """Does the test have a built-in adjustment for all comparisons, independent of the chosen one?"""
        return bool(self.own_adjustment)


DEFAULT_TEST = RankTest.FLIPS
DEFAULT_MARGIN = 0.01
"""Default margin of equivalence of standardized losses: 1 % of the loss of predicting the mean."""
PLACES = SIMULTANEOUS, SINGLE = "all", "single"
"""Do confidence sets of places hold for all methods at once, or for one method at a time?"""
DROPS = ("tasks", "methods")
"""What a ranking may omit if values are missing."""
