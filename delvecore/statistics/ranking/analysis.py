"""Everything that a table of scores says about its methods, computed once."""

from dataclasses import dataclass

import numpy as np

from delvecore.statistics.ranking.friedman import Friedman, ImanDavenport, friedman, iman_davenport
from delvecore.statistics.ranking.groups import Groups, maximal_cliques
from delvecore.statistics.ranking.pair_scan import PairScan, scan_pairs
from delvecore.statistics.ranking.pair_tests import PairedT, SignedRanks, paired_t_of, signed_ranks_of
from delvecore.statistics.ranking.rank_tests import BonferroniDunn, Nemenyi, bonferroni_dunn, nemenyi
from delvecore.statistics.ranking.ranks import TaskRanks, task_ranks
from delvecore.statistics.ranking.score_table import ScoreTable, complete_table

__all__ = ["Analysis", "analyse"]


@dataclass(frozen=True, eq=False)
class Analysis:
    """What was found on the tasks where all methods have a value.

    given: the table as it was; table: what of it was used. alpha: the level of every verdict. control: place
    of the control among the methods of `table`, or None; then `bonferroni_dunn` is None too. Pair results
    hold one entry for each pair of places first < second, all in the same order. cliques: sets in which
    Wilcoxon's test with Holm's adjustment finds no pair different.
    """

    given: ScoreTable
    table: ScoreTable
    dropped_tasks: tuple[str, ...]
    dropped_methods: tuple[str, ...]
    alpha: float
    control: int | None
    ranks: TaskRanks
    friedman: Friedman
    iman_davenport: ImanDavenport
    nemenyi: Nemenyi
    bonferroni_dunn: BonferroniDunn | None
    scan: PairScan
    wilcoxon: SignedRanks
    t_tests: PairedT
    cliques: Groups

    @property
    def average_ranks(self) -> dict[str, float]:
        """{method: mean rank}, 1 is best, in the order of the table."""
        return dict(zip(self.ranks.methods, self.ranks.average.tolist(), strict=True))

    @property
    def order(self) -> tuple[int, ...]:
        """Places of the methods, best mean rank first; equal ones in the order of the table."""
        return tuple(np.argsort(self.ranks.average, kind="stable").tolist())

    @property
    def is_significant(self) -> bool:
        """Does the global test (Friedman's, exact where there is an exact p) find any difference?"""
        p = self.friedman.p if self.friedman.exact_p is None else self.friedman.exact_p
        return p < self.alpha

    @property
    def wins(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For each pair the number of tasks where a is better, where they are equal, where b is better."""
        a_larger, b_larger = self.scan.positive, self.scan.negative
        if self.table.higher_is_better:
            return a_larger, self.scan.zero, b_larger
        return b_larger, self.scan.zero, a_larger

    def names(self, groups: Groups) -> list[list[str]]:
        """Return the names of the methods of each group."""
        return [[self.table.methods[place] for place in members] for members in groups.members]


def analyse(
    table: ScoreTable,
    *,
    control: str | None = None,
    alpha: float = 0.05,
    zeros: str = "drop",
    drop: str = "tasks",
) -> Analysis:
    """Which methods are best over the tasks, and how sure is that?

    control: the method that others are held against, chosen before the data were seen. alpha: level. zeros:
    see `scan_pairs`. drop: see `complete_table`. Raises ValueError for a level that is not between 0 and 1, a
    control that is not among the methods, and fewer than two tasks or methods without gaps.
    """
    if not 0 < alpha < 1:
        raise ValueError(f"expected a level between 0 and 1, got {alpha}")
    complete = complete_table(table, drop=drop)
    used = complete.table
    if min(used.values.shape) < 2:
        tasks, methods = used.values.shape
        raise ValueError(f"expected two tasks and two methods without gaps, got {tasks} and {methods}")
    if control is not None and control not in used.methods:
        raise ValueError(f"expected a control among {', '.join(used.methods)}, got {control!r}")
    place = None if control is None else used.methods.index(control)
    ranks, scan = task_ranks(used), scan_pairs(used, zeros=zeros)
    wilcoxon = signed_ranks_of(scan)
    return Analysis(
        table,
        used,
        complete.dropped_tasks,
        complete.dropped_methods,
        alpha,
        place,
        ranks,
        friedman(ranks),
        iman_davenport(ranks),
        nemenyi(ranks, alpha=alpha),
        None if place is None else bonferroni_dunn(ranks, place, alpha=alpha),
        scan,
        wilcoxon,
        paired_t_of(scan),
        maximal_cliques(_matrix(wilcoxon, alpha), ranks.average),
    )


def _matrix(tests, alpha):
    """Which pairs differ, as a symmetric matrix."""
    methods = int(tests.second.max()) + 1
    different = np.zeros((methods, methods), dtype=bool)
    different[tests.first, tests.second] = tests.p_holm < alpha
    return different | different.T
