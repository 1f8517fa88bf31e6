"""All statistics of the methods in a table of scores, computed once."""

import functools
import hashlib
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from delvecore.stats.array_types import Whole
from delvecore.stats.choose import FlipStatistic, checked_adjustment, is_significant
from delvecore.stats.ranking.aligned_ranks import aligned_ranks
from delvecore.stats.ranking.bayesian_correlated_t import correlated_t
from delvecore.stats.ranking.bayesian_sign import PairPosterior, bayesian_sign, check_rope
from delvecore.stats.ranking.bayesian_signed_rank import bayesian_signed_rank
from delvecore.stats.ranking.bonferroni_dunn import bonferroni_dunn
from delvecore.stats.ranking.friedman import OmnibusTest, friedman, iman_davenport
from delvecore.stats.ranking.nemenyi import Groups, nemenyi
from delvecore.stats.ranking.pair_test import PairTest
from delvecore.stats.ranking.paired_t import paired_t
from delvecore.stats.ranking.performance_profiles import is_best
from delvecore.stats.ranking.quade import quade
from delvecore.stats.ranking.ranks import (
    DATASET,
    FAMILY,
    LEAST_FAMILIES,
    TASK,
    TaskRanks,
    choose_unit,
    comparable_methods,
    is_one_dataset,
    task_ranks,
    unit_names,
    unit_ranks,
    unit_table,
)
from delvecore.stats.ranking.score_table import ScoreTable, complete_table
from delvecore.stats.ranking.sign_flips import SignFlips, default_statistic, scaled_table, sign_flips
from delvecore.stats.ranking.skillings_mack import skillings_mack
from delvecore.stats.ranking.wilcoxon import (
    PairScan,
    check_share,
    check_zeros,
    scan_pairs,
    signed_ranks,
)

MOST_METHODS = 2000
"""Maximum number of methods: every method is compared with every other one."""
MOST_LACKING = 4
"""Maximum number of methods with missing results that a message names."""
LEAST_ALPHA = 1e-15
"""Smallest level. Confidence is 1 - alpha, and a smaller alpha would make it equal to 1."""


_FLIPS: weakref.WeakValueDictionary[str, SignFlips] = weakref.WeakValueDictionary()
"""Cache of sign flips, by their inputs, shared by pages that analyze the same table."""


def _flips_key(units: ScoreTable, zeros: str, statistic: FlipStatistic) -> str:
    # The names of units do not matter, only their order.
    values = hashlib.sha256(np.ascontiguousarray(units.values).tobytes()).hexdigest()
    return "\0".join((*units.methods, values, str(units.higher_is_better), zeros, statistic.value))


@dataclass(frozen=True, eq=False)
class Analysis:
    """Results on the tasks where all methods have a value.

    Attributes
    ----------
    given : ScoreTable
        The original table.
    table : ScoreTable
        The analyzed part.
    dropped_tasks, dropped_methods : tuple of str
        Tasks and methods left out because of missing values.
    unit : str
        Unit that counts once, one of `UNITS`.
    alpha : float
        Level of every verdict.
    adjustment : str
        Adjustment of p for all pairs, see `adjust`.
    rope, test_share : float
        See `correlated_t` and `paired_t`.
    control : int or None
        Position of the control in the methods of `table`; None without a control, so that `bonferroni_dunn`
        is also None.
    zeros : str
        Treatment of zero differences in signed ranks, `drop` or `pratt`.
    statistic : FlipStatistic
        Statistic of sign flips.
    one_dataset : bool
        Whether all tasks are of one dataset and no unit was chosen, so that there are no tests.
    base : Analysis or None
        The same analysis at another level, if there is one. Results of pairs have one entry for each pair of
        positions first < second, in the same order.
    incomplete : tuple of str
        Dropped methods with too few results for a comparison.
    """

    given: ScoreTable
    table: ScoreTable
    dropped_tasks: tuple[str, ...]
    dropped_methods: tuple[str, ...]
    unit: str
    alpha: float
    adjustment: str
    rope: float
    test_share: float
    control: int | None
    zeros: str
    statistic: FlipStatistic
    one_dataset: bool = False
    base: "Analysis | None" = None
    incomplete: tuple[str, ...] = ()

    def at_level(self, alpha: float) -> "Analysis":
        """Return the analysis at another level, which reuses all results that do not depend on the level."""
        return self if alpha == self.alpha else replace(self, alpha=alpha, base=self.base or self)

    @functools.cached_property
    def units(self) -> ScoreTable:
        """The mean values of each unit, the input of all tests."""
        if self.base:
            return self.base.units
        return self.table if self.unit == TASK else unit_table(self.table, self.unit)

    @functools.cached_property
    def ranks(self) -> TaskRanks:
        """The mean ranks of each unit."""
        if self.base:
            return self.base.ranks
        return unit_ranks(task_ranks(self.table), unit_names(self.table, self.unit))

    @functools.cached_property
    def nemenyi(self) -> PairTest:
        return nemenyi(self.ranks, alpha=self.alpha)

    @functools.cached_property
    def bonferroni_dunn(self) -> PairTest | None:
        return None if self.control is None else bonferroni_dunn(self.ranks, self.control, alpha=self.alpha)

    @functools.cached_property
    def scan(self) -> PairScan:
        """The differences of all pairs over the units."""
        return scan_pairs(self.units, zeros=self.zeros, level=1 - self.alpha)

    @functools.cached_property
    def wilcoxon(self) -> PairTest:
        return signed_ranks(self.scan)

    @functools.cached_property
    def t_tests(self) -> PairTest:
        return paired_t(self.scan)

    @functools.cached_property
    def corrected_t_tests(self) -> PairTest:
        return paired_t(self.scan, test_share=self.test_share)

    @functools.cached_property
    def friedman(self) -> OmnibusTest:
        return friedman(self.ranks)

    @functools.cached_property
    def iman_davenport(self) -> OmnibusTest:
        return iman_davenport(self.ranks)

    @functools.cached_property
    def quade(self) -> OmnibusTest:
        return quade(self.units)

    @functools.cached_property
    def aligned_ranks(self) -> OmnibusTest:
        return aligned_ranks(self.units)

    @functools.cached_property
    def skillings_mack(self) -> OmnibusTest:
        """The test of the original table, with its gaps."""
        return skillings_mack(unit_table(self.given, self.unit))

    @functools.cached_property
    def sign_flips(self) -> SignFlips:
        """Permutation tests of all pairs."""
        if self.base:
            return self.base.sign_flips
        units, is_scaled = self.units, self.statistic == FlipStatistic.SCALED
        if is_scaled and len(units.tasks) < len(self.table.tasks):
            # Scale the tasks of a unit before taking their mean.
            units = unit_table(scaled_table(self.table), self.unit)
        # Pages have units and methods in different orders; they share the flips of one order.
        units = units.select(tasks=sorted(units.tasks), methods=sorted(units.methods))
        key = _flips_key(units, self.zeros, self.statistic)
        flips = _FLIPS.get(key)
        if flips is None:
            flips = _FLIPS[key] = sign_flips(units, zeros=self.zeros, statistic=self.statistic)
        place = {method: number for number, method in enumerate(units.methods)}
        return flips.in_order(np.array([place[method] for method in self.units.methods]))

    @functools.cached_property
    def by_family(self) -> "Analysis | None":
        """The more general claim: each family counts once.

        None without enough families, or if families are the unit.
        """
        families = self.table.units and set(self.table.units.families)
        if not families or not LEAST_FAMILIES <= len(families) < len(self.units.tasks):
            return None
        if self.base and self.base.by_family:
            return self.base.by_family.at_level(self.alpha)
        return self._by(FAMILY)

    @functools.cached_property
    def by_dataset(self) -> "Analysis | None":
        """The narrower claim: each dataset counts once, assuming independent datasets.

        None unless families count.
        """
        if self.unit != FAMILY:
            return None
        if self.base and self.base.by_dataset:
            return self.base.by_dataset.at_level(self.alpha)
        return self._by(DATASET)

    def _by(self, unit: str) -> "Analysis":
        return replace(
            self, given=self.table, dropped_tasks=(), dropped_methods=(), incomplete=(), unit=unit, base=None
        )

    @functools.cached_property
    def with_failed_worst(self) -> "Analysis | None":
        """The analysis with the worst value for each failed run; None without failed runs."""
        given = self.given
        if given.failed_worst is None:
            return None
        return analyze(
            replace(given, values=given.failed_worst, failed_worst=None, runs=None),
            unit=self.unit,
            control=None if self.control is None else self.table.methods[self.control],
            alpha=self.alpha,
            adjustment=self.adjustment,
            zeros=self.zeros,
            rope=self.rope,
            test_share=self.test_share,
            statistic=self.statistic,
        )

    @functools.cached_property
    def bayes(self) -> tuple[PairPosterior, ...]:
        """Probability that a method of a pair is better, by the signed-rank, sign and correlated t-test."""
        return (
            bayesian_signed_rank(self.scan, rope=self.rope),
            bayesian_sign(self.scan, rope=self.rope),
            correlated_t(self.scan, rope=self.rope, test_share=self.test_share),
        )

    @functools.cached_property
    def best_on(self) -> Whole:
        """Number of units on which each method has the lowest mean loss."""
        counts: Whole = is_best(self.units.oriented).sum(axis=0)
        return counts

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
        """Does the global test (Friedman's, exact if an exact p is available) find any difference?"""
        p = self.friedman.p if self.friedman.exact_p is None else self.friedman.exact_p
        return is_significant(p, self.alpha)

    @functools.cached_property
    def pair_numbers(self) -> NDArray[np.intp]:
        """Position of each pair in the results of pairs, in either order: methods x methods.

        The diagonal has no meaning.
        """
        low, high = np.sort(np.indices((len(self.table.methods),) * 2), axis=0)
        numbers: NDArray[np.intp] = low * len(self.table.methods) - low * (low + 1) // 2 + high - low - 1
        return numbers

    def names(self, groups: Groups) -> list[list[str]]:
        """Return the names of the methods of each group."""
        return [[self.table.methods[place] for place in members] for members in groups]


def analyze(
    table: ScoreTable,
    *,
    unit: str | None = None,
    control: str | None = None,
    alpha: float = 0.05,
    adjustment: str = "holm",
    zeros: str = "drop",
    drop: str | None = None,
    rope: float = 0.0,
    test_share: float | None = None,
    statistic: str | None = None,
) -> Analysis:
    """All statistics of a table of scores: ranks, tests of these ranks, comparisons of pairs.

    unit: the unit that counts once, one of `UNITS`; None: see `choose_unit`. control: the method that the
    others are compared with, chosen before seeing the data. alpha: level. adjustment: adjustment of the p of
    all pairs, see `adjust`. zeros: see `scan_pairs`. drop: see `complete_table`; None: drop methods without
    results on most tasks, as `comparable_methods` does, and then incomplete tasks. rope: half the width of
    the region of practical equivalence, in units of the values. test_share: see `paired_t`; None: the table's
    share. statistic: statistic of sign flips, one of `FlipStatistic`; None: see `default_statistic`. Results
    of all pairs, and slow results, are computed at first use. Raises ValueError for a level outside
    [`LEAST_ALPHA`, 1), an unknown control or unit, and fewer than two units or methods without gaps.

    Examples
    --------
    >>> values = np.array([[1.0, 2, 3]] * 5 + [[1, 3, 2], [2, 1, 3]])
    >>> result = analyze(ScoreTable(tuple("1234567"), ("a", "b", "c"), values))
    >>> round(result.friedman.statistic, 3), result.is_significant
    (10.286, True)
    """
    if not LEAST_ALPHA <= alpha < 1:
        raise ValueError(f"expected a level from {LEAST_ALPHA:g} to below 1, got {alpha:g}")
    check_rope(rope)
    checked_adjustment(adjustment)
    check_zeros(zeros)
    compared = comparable_methods(table) if drop is None else table
    incomplete = _left_out(table.methods, compared.methods)
    if control in incomplete:
        there = int((~np.isnan(table.values[:, table.methods.index(control)])).sum())
        actual = f"{control!r}, which has them on {there} of {len(table.tasks)}"
        raise ValueError(f"expected a control with results on most tasks, got {actual}")
    used = complete_table(compared, drop=drop or "tasks")
    one_dataset = unit is None and is_one_dataset(used)
    unit = unit or choose_unit(used)
    _check(table, used, unit, control)
    return Analysis(
        given=table,
        table=used,
        dropped_tasks=_left_out(compared.tasks, used.tasks),
        dropped_methods=(*incomplete, *_left_out(compared.methods, used.methods)),
        incomplete=incomplete,
        unit=unit,
        alpha=alpha,
        adjustment=adjustment,
        rope=rope,
        test_share=check_share(used.test_share if test_share is None else test_share),
        control=None if control is None else used.methods.index(control),
        zeros=zeros,
        statistic=FlipStatistic(statistic) if statistic else default_statistic(used),
        one_dataset=one_dataset,
    )


def _left_out(names: tuple[str, ...], kept: tuple[str, ...]) -> tuple[str, ...]:
    stay = set(kept)
    return tuple(name for name in names if name not in stay)


class TooFewResultsError(ValueError):
    """Error for fewer than two units or methods with results.

    Attributes
    ----------
    are_failed : bool
        Whether failed runs are the reason.
    """

    def __init__(self, message: str, *, are_failed: bool) -> None:
        super().__init__(message)
        self.are_failed = are_failed


def _lacking(table: ScoreTable) -> Iterator[str]:
    """List incomplete methods with their number of tasks with results, the fewest first."""
    total = len(table.tasks)
    there = dict(zip(table.methods, (~np.isnan(table.values)).sum(axis=0).tolist(), strict=True))
    runs = table.runs.unranked if table.runs else ()
    single = {one.name: one.there for one in runs if one.expected == total}
    few = sorted(((count, name) for name, count in (there | single).items() if count < total))
    for count, name in few[:MOST_LACKING]:
        yield f"{name} has results on {count} of {total} tasks"
    for one in runs:
        if one.name not in single:
            yield f"{one.name} has results of {one.there} of {one.expected} runs"


def _check(table: ScoreTable, used: ScoreTable, unit: str, control: str | None) -> None:
    """Raise ValueError for fewer than two units or methods, too many methods, or an unknown control."""
    if len(used.methods) > MOST_METHODS:
        raise ValueError(f"expected at most {MOST_METHODS} methods, got {len(used.methods)}; choose some")
    count = len(set(unit_names(used, unit)))
    if min(count, len(used.methods)) < 2:
        names = {"task": "tasks", "dataset": "datasets", "family": "families"}[unit]
        units = f"1 {unit}" if count == 1 else f"{count} {names}"
        methods = "1 method" if len(used.methods) == 1 else f"{len(used.methods)} methods"
        lacking = "; ".join(_lacking(table))
        actual = f"{units} with results of {methods}" + f": {lacking}" * bool(lacking)
        are_failed = table.runs is not None and table.runs.failed > 0
        message = f"expected two {names} with results of two methods, found {actual}"
        raise TooFewResultsError(message, are_failed=are_failed)
    if control is not None and control not in used.methods:
        raise ValueError(f"expected a control among {', '.join(used.methods)}, got {control!r}")
