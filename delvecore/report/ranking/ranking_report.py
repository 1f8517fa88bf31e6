"""A ranking with all that is printed of it, and the notes below its tables."""

from collections.abc import Sequence
from dataclasses import dataclass

from delvecore.report.ranking.sentences import unit_source, units_name
from delvecore.report.verdict_words import FLIPPED
from delvecore.report.writers.text import counted
from delvecore.stats.choose import FlipStatistic, adjustment_words
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.random_effects import CombinedPairs
from delvecore.stats.ranking.ranks import DATASET, LEAST_UNITS, TASK, holds_several
from delvecore.stats.ranking.sign_flips import MOST_EXACT, flips_made
from delvecore.stats.verdicts import PairVerdicts

MOST_PAIRS = 1000
"""So many pairs of methods, those of 45, JSON lists where nobody asks for them."""
MOST_TESTS = 500_000
"""So many pairs times tasks are tested one by one where nobody asks for them."""


@dataclass(frozen=True, eq=False)
class RankingReport:
    """found: the analysis; verdicts: of the test chosen, which every first line and mark goes by; combined:
    DELVE's own comparisons over the same tasks, of an archive, for text and JSON; said: what is to be said of
    the tasks' numbers; is_whole: is everything printed, however many methods there are? top: so many methods,
    those of the best mean ranks, are shown; the others count, and are not shown. pairs: are all pairs wanted,
    however many there are? counts_failed: does the text say how many runs have no value, which nothing before
    it says?"""

    found: Analysis
    verdicts: PairVerdicts
    combined: CombinedPairs | None = None
    said: Sequence[str] = ()
    is_whole: bool = False
    top: int | None = None
    pairs: bool = False
    counts_failed: bool = True

    @property
    def lists_pairs(self) -> bool:
        """Does JSON list the pairs?"""
        return self.pairs or len(self.found.nemenyi.first) <= MOST_PAIRS

    @property
    def tests_tasks(self) -> bool:
        """Is each pair to be tested on each task by itself, for `combined`?"""
        count = len(self.found.nemenyi.first) * len(self.found.table.tasks)
        return self.pairs or self.is_whole or count <= MOST_TESTS

    @property
    def shown(self) -> tuple[int, ...]:
        """The places of the methods to be shown, best mean rank first: down to the control, at least."""
        order, control = self.found.order, self.found.control
        if self.top is None:
            return order
        return order[: max(self.top, 0 if control is None else order.index(control) + 1)]


def ranking_notes(found: Analysis) -> list[str]:
    """Return sentences for below a table, those that hold in every case last."""
    notes = []
    if found.dropped_tasks:
        notes.append(
            f"{counted(len(found.dropped_tasks), 'task')} of {len(found.given.tasks)} left out, where a "
            f"method has no value: {listed(found.dropped_tasks)}."
        )
    if found.dropped_methods:
        notes.append(f"Methods left out, without a value on every task: {listed(found.dropped_methods)}.")
    if len(found.units.tasks) < LEAST_UNITS:
        notes.append(f"Intervals of mean ranks need {LEAST_UNITS} {units_name(found)}, and there are fewer.")
    better = "higher" if found.table.higher_is_better else "lower"
    is_pratt = found.wilcoxon.zeros_treatment == "pratt"
    zeros = "ranked with the others, and their ranks left out (Pratt)" if is_pratt else "dropped"
    return [
        *notes,
        f"Ranks: 1 is best, {better} values are better; equal values share the mean of their ranks.",
        "Mean ranks, and Nemenyi's and Bonferroni-Dunn's tests of them, depend on which methods are in the "
        "table; wins, Wilcoxon's test and the t-test of a pair do not.",
        f"Wilcoxon: two-sided, differences of zero {zeros}; exact up to 50 others, then normal. p is "
        f"{adjustment_words(found.adjustment)}; other tests allow for all their comparisons by themselves.",
        flips_words(found),
        *filter(None, [_on_units(found), unit_source(found)]),
    ]


def flips_words(found: Analysis) -> str:
    """Say how the permutation test by sign flips is made: its statistic, and how many flips."""
    units = len(found.units.tasks)
    flips = flips_made(units, len(found.nemenyi.p))
    how = f"all {flips:,}" if units <= MOST_EXACT else f"{flips:,} drawn with a fixed seed"
    why = (
        "values are on one scale"
        if found.statistic == FlipStatistic.MEANS
        else "units have scales of their own"
    )
    return (
        f"Sign flips: a permutation test of {FLIPPED[found.statistic]}, as {why}; {how} flips of "
        f"{units_name(found)}, p adjusted for all pairs by the largest statistic (Westfall and Young 1993)."
    )


def critical_difference_words(found: Analysis) -> str:
    """Say what Nemenyi's critical difference is: with the variance that the mean
    ranks have here, and as Demsar has it where that differs."""
    nemenyi = found.nemenyi
    text = f"Nemenyi's critical difference of mean ranks at {found.alpha:g}: {nemenyi.cd:.3f}"
    if nemenyi.spread == 1:
        return f"{text} (Demsar 2006)."
    return (
        f"{text}, with {nemenyi.spread:.3f} of the variance of ranks from 1 to "
        f"{len(found.table.methods)}, as ranks are averaged within each {found.unit} (as for ties: Conover "
        f"1999, section 5.8). Without that factor it is {nemenyi.full_cd:.3f} (Demsar 2006)."
    )


def _on_units(found: Analysis) -> str:
    """Say what counts once, and what is taken for independent."""
    if holds_several(found.table, found.unit):
        name = found.unit
        return (
            f"Ranks, and values, are averaged over the tasks of each {name} before all tests. Intervals of "
            f"mean ranks resample {units_name(found)}, which count as independent."
        )
    text = f"All p-values take the {units_name(found)} for independent"
    related = found.unit == TASK and holds_several(found.table, DATASET)
    return f"{text}{'; those of one dataset are not, and p is too small' if related else ''}."


def listed(names: Sequence[str], most: int = 10) -> str:
    """Return `a, b, c`, or the first of them and how many more there are."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
