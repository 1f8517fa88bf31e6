"""What is printed of a ranking."""

from collections.abc import Sequence
from dataclasses import dataclass

from delvecore.statistics.ranking.analysis import Analysis
from delvecore.statistics.ranking.combined import CombinedPairs
from delvecore.statistics.ranking.pair_verdicts import PairVerdicts

__all__ = ["RankingReport"]


@dataclass(frozen=True, eq=False)
class RankingReport:
    """found: the analysis; verdicts: of the test chosen, which every first line and mark goes by; combined:
    DELVE's own comparisons over the same tasks, of an archive, for text and JSON; said: what is to be said of
    the tasks' numbers; is_whole: is everything printed, however many methods there are?"""

    found: Analysis
    verdicts: PairVerdicts
    combined: CombinedPairs | None = None
    said: Sequence[str] = ()
    is_whole: bool = False
