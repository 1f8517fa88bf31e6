"""Everything that a table of scores says about its methods, computed once."""

import functools
from dataclasses import dataclass

import numpy as np

from delvecore.statistics.ranking.bayes_signed_rank import bayesian_signed_rank
from delvecore.statistics.ranking.effects import EffectSizes, effect_sizes_of
from delvecore.statistics.ranking.friedman import Friedman, ImanDavenport, friedman, iman_davenport
from delvecore.statistics.ranking.omnibus import (
    AlignedRanks,
    Quade,
    SkillingsMack,
    aligned_ranks,
    quade,
    skillings_mack,
)
from delvecore.statistics.ranking.pair_scan import PairScan, scan_pairs
from delvecore.statistics.ranking.pair_tests import PairedT, SignedRanks, paired_t_of, signed_ranks_of
from delvecore.statistics.ranking.posteriors import (
    PairPosterior,
    bayesian_sign_of,
    check_rope,
    correlated_t_of,
)
from delvecore.statistics.ranking.rank_intervals import RankIntervals, rank_intervals
from delvecore.statistics.ranking.rank_tests import (
    BonferroniDunn,
    Groups,
    Nemenyi,
    bonferroni_dunn,
    maximal_cliques,
    nemenyi,
)
from delvecore.statistics.ranking.ranks import TaskRanks, task_ranks
from delvecore.statistics.ranking.score_table import CompleteTable, ScoreTable, complete_table

__all__ = ["LEAST_ALPHA", "Analysis", "analyse"]

LEAST_ALPHA = 1e-15
"""Confidence is 1 - alpha; with less, it could not be told from certainty."""


@dataclass(frozen=True, eq=False)
class Analysis:
    """What was found on the tasks where all methods have a value.

    given: the table as it was; table: what of it was used. alpha: the level of every verdict. rope,
    test_share: see `posteriors` and `paired_t`. control: place of the control among the methods of `table`,
    or None; then `bonferroni_dunn` is None too. Pair results hold one entry for each pair of places first <
    second, all in the same order. cliques: sets in which Wilcoxon's test with Holm's adjustment finds no pair
    different.
    """

    given: ScoreTable
    table: ScoreTable
    dropped_tasks: tuple[str, ...]
    dropped_methods: tuple[str, ...]
    alpha: float
    rope: float
    test_share: float
    control: int | None
    ranks: TaskRanks
    friedman: Friedman
    iman_davenport: ImanDavenport
    nemenyi: Nemenyi
    bonferroni_dunn: BonferroniDunn | None
    scan: PairScan
    wilcoxon: SignedRanks
    t_tests: PairedT
    corrected_t_tests: PairedT
    cliques: Groups

    @functools.cached_property
    def quade(self) -> Quade:
        """The test that counts tasks by the range of their values."""
        return quade(self.table)

    @functools.cached_property
    def aligned_ranks(self) -> AlignedRanks:
        """The test that ranks all values together."""
        return aligned_ranks(self.table)

    @functools.cached_property
    def skillings_mack(self) -> SkillingsMack:
        """The test of the table as given, with its gaps."""
        return skillings_mack(self.given)

    @functools.cached_property
    def bayes(self) -> tuple[PairPosterior, PairPosterior, PairPosterior]:
        """Signed rank, sign and correlated t: how probable is it that a method of a pair is better?"""
        return (
            bayesian_signed_rank(self.table, rope=self.rope),
            bayesian_sign_of(self.scan, self.table, rope=self.rope),
            correlated_t_of(self.scan, self.table, rope=self.rope, test_share=self.test_share),
        )

    @functools.cached_property
    def effects(self) -> EffectSizes:
        """How large are the differences? Intervals with confidence 1 - alpha."""
        return effect_sizes_of(self.scan, self.table)

    @functools.cached_property
    def rank_intervals(self) -> RankIntervals:
        """Between which values would mean ranks lie with other tasks? Confidence 1 - alpha."""
        return rank_intervals(self.ranks, level=1 - self.alpha)

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
    rope: float = 0.0,
    test_share: float = 0.0,
) -> Analysis:
    """Which methods are best over the tasks, and how sure is that?

    control: the method that others are held against, chosen before the data were seen. alpha: level. zeros:
    see `scan_pairs`. drop: see `complete_table`. rope: half the width of the region of practical equivalence,
    in units of the values. test_share: see `paired_t`. What takes longer is computed when first asked for.
    Raises ValueError for a level below `LEAST_ALPHA` or not below 1, a control that is not among the methods,
    and fewer than two tasks or methods without gaps.
    """
    if not LEAST_ALPHA <= alpha < 1:
        raise ValueError(f"expected a level from {LEAST_ALPHA:g} to below 1, got {alpha:g}")
    check_rope(rope)
    complete = complete_table(table, drop=drop)
    used = complete.table
    _check_size(complete)
    if control is not None and control not in used.methods:
        raise ValueError(f"expected a control among {', '.join(used.methods)}, got {control!r}")
    place = None if control is None else used.methods.index(control)
    ranks, scan = task_ranks(used), scan_pairs(used, zeros=zeros, level=1 - alpha)
    wilcoxon = signed_ranks_of(scan)
    return Analysis(
        table,
        used,
        complete.dropped_tasks,
        complete.dropped_methods,
        alpha,
        rope,
        test_share,
        place,
        ranks,
        friedman(ranks),
        iman_davenport(ranks),
        nemenyi(ranks, alpha=alpha),
        None if place is None else bonferroni_dunn(ranks, place, alpha=alpha),
        scan,
        wilcoxon,
        paired_t_of(scan),
        paired_t_of(scan, test_share=test_share),
        maximal_cliques(_matrix(wilcoxon, alpha), ranks.average),
    )


def _check_size(complete: CompleteTable) -> None:
    """Raise ValueError where too little is left to compare."""
    tasks, methods = complete.table.values.shape
    if min(tasks, methods) >= 2:
        return
    without = ""
    if complete.dropped_tasks or complete.dropped_methods:
        left_out = f"{len(complete.dropped_tasks)} tasks and {len(complete.dropped_methods)} methods"
        without = f", without the {left_out} that have some"
    raise ValueError(f"expected two tasks and two methods without gaps, got {tasks} and {methods}{without}")


def _matrix(tests: SignedRanks, alpha: float) -> np.ndarray:
    """Which pairs differ, as a symmetric matrix."""
    methods = int(tests.second.max()) + 1
    different = np.zeros((methods, methods), dtype=bool)
    different[tests.first, tests.second] = tests.p_holm < alpha
    return different | different.T
