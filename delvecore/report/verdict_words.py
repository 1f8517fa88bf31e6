"""The words of verdicts in sentences: one vocabulary for commands, files, reports and pages.

Tables use the codes of `Verdict`: `better`, `worse`, `not significant`, `not tested`."""

from delvecore.stats.choose import FlipStatistic, Verdict
from delvecore.stats.verdicts import RankTest

NO_DIFFERENCE = "no significant difference"
PHRASES = {
    Verdict.BETTER: "significantly better",
    Verdict.WORSE: "significantly worse",
    Verdict.NOT_SIGNIFICANT: NO_DIFFERENCE,
    Verdict.NOT_TESTED: "not tested",
}
"""What a comparison says of its first method, without naming the second."""
THAN = {
    Verdict.BETTER: "significantly better than",
    Verdict.WORSE: "significantly worse than",
    Verdict.NOT_SIGNIFICANT: "not significantly different from",
    Verdict.NOT_TESTED: "not tested against",
}
"""The same before the names of the other methods."""


FLIPPED = {FlipStatistic.RANKS: "signed ranks", FlipStatistic.MEANS: "mean differences"}


def test_words(test: RankTest, statistic: FlipStatistic | None) -> str:
    """Return a test in a sentence: `sign flips of signed ranks`. statistic: of sign flips, where it is told.

    Examples
    --------
    >>> test_words(RankTest.FLIPS, FlipStatistic.MEANS)
    'sign flips of mean differences'
    """
    return test.in_words if statistic is None else f"{test.in_words} of {FLIPPED[statistic]}"


def not_tested(reason: str) -> str:
    """Return `not tested (reason)`; without a reason `not tested`.

    Examples
    --------
    >>> not_tested("not testable with 5 datasets")
    'not tested (not testable with 5 datasets)'
    """
    return f"{PHRASES[Verdict.NOT_TESTED]} ({reason})" if reason else PHRASES[Verdict.NOT_TESTED]
