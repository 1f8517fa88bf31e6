"""What is printed of a ranking."""

from collections.abc import Sequence
from dataclasses import dataclass

from delvecore.report.ranking.questions import MOST_PAIRS, MOST_TESTS
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.combined import CombinedPairs
from delvecore.stats.ranking.pair_verdicts import PairVerdicts

__all__ = ["RankingReport"]


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
