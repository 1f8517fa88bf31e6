"""Error rates of the tests of whether methods differ at all, and of all pairs or against a control."""

import functools
import math

import numpy as np
from scipy.integrate import quad
from scipy.special import ndtr, ndtri
from scipy.stats import norm

from benchmarks.error_rate import ALPHA, ErrorRate, named, null_values
from delvecore.stats.p_adjustment import adjust
from delvecore.stats.ranking.aligned_ranks import aligned_ranks
from delvecore.stats.ranking.bonferroni_dunn import bonferroni_dunn
from delvecore.stats.ranking.friedman import exact_upper_tail, friedman, iman_davenport
from delvecore.stats.ranking.nemenyi import nemenyi
from delvecore.stats.ranking.paired_t import paired_t
from delvecore.stats.ranking.quade import quade
from delvecore.stats.ranking.ranks import TaskRanks, task_ranks
from delvecore.stats.ranking.skillings_mack import skillings_mack
from delvecore.stats.ranking.wilcoxon import scan_pairs, signed_ranks

TASKS, METHODS = 100, 5
SMALL_TASKS, SMALL_METHODS = 10, 3
MISSING = 0.1
ADJUSTED = ("bonferroni", "holm", "hochberg", "benjamini-hochberg")


def measure(part: int, tables: int) -> list[ErrorRate]:
    """Simulate the tests on tables of several methods."""
    draws = np.random.default_rng([1, part])
    found = _Found()
    for _ in range(tables):
        _one_table(found, null_values(draws, (TASKS, METHODS), decimals=2))
        _one_incomplete(found, draws)
        _one_small(found, draws)
    return found.lines()


def _one_table(found, values):
    table = named(values)
    ranks, what = task_ranks(table), f"{METHODS} methods, {TASKS} tasks, some ties"
    f = iman_davenport(ranks)
    found.add("Friedman, chi-square corrected for ties", what, "nominal", ALPHA, friedman(ranks).p)
    found.add("Iman-Davenport", what, "nominal", ALPHA, f.p)
    found.add("Quade", what, "nominal", ALPHA, quade(table).p)
    found.add("Friedman aligned ranks", what, "nominal", ALPHA, aligned_ranks(table).p)
    found.add("Nemenyi, any pair", what, "nominal", ALPHA, nemenyi(ranks, alpha=ALPHA).p.min())
    control = bonferroni_dunn(ranks, 0, alpha=ALPHA)
    name, level = "against a control, any method", _control_level()
    found.add(f"Bonferroni-Dunn {name}", what, "nominal", level, 0.0 if control.different.any() else 1.0)
    found.add(f"Holm by mean ranks {name}", what, "nominal", level, control.p_holm.min())
    scan = scan_pairs(table)
    for test, tests in (("Wilcoxon", signed_ranks(scan)), ("paired t", paired_t(scan))):
        for method in ADJUSTED:
            p = adjust(tests.p, method=method).min()
            found.add(f"{test}, {method}, any pair", what, "at most", ALPHA, p)


def _one_incomplete(found, draws):
    values = null_values(draws, (TASKS, METHODS), decimals=2)
    values[draws.random(values.shape) < MISSING] = np.nan
    what = f"{METHODS} methods, {TASKS} tasks, {MISSING:.0%} of the values missing"
    found.add("Skillings-Mack", what, "nominal", ALPHA, skillings_mack(named(values)).p)


def _one_small(found, draws):
    ranks = task_ranks(named(null_values(draws, (SMALL_TASKS, SMALL_METHODS))))
    what = f"{SMALL_METHODS} methods, {SMALL_TASKS} tasks"
    found.add("Friedman, exact", what, "attainable", _exact_level(), friedman(ranks).exact_p)


class _Found:
    """p-values by test, in the order in which tests were first made."""

    def __init__(self):
        self._facts, self._p = {}, {}

    def add(self, test, what, kind, level, p):
        self._facts.setdefault(test, (what, kind, level))
        self._p.setdefault(test, []).append(float(p))

    def lines(self):
        return [
            ErrorRate(test, *facts, np.array(self._p[test]) <= ALPHA) for test, facts in self._facts.items()
        ]


@functools.cache
def _control_level():
    """P(any |Z_i - Z_0| / sqrt(2) beyond the quantile): Bonferroni ignores that all share the control."""
    reach = -ndtri(ALPHA / (2 * (METHODS - 1))) * math.sqrt(2)

    def all_near(z):
        return norm.pdf(z) * (ndtr(z + reach) - ndtr(z - reach)) ** (METHODS - 1)

    return 1 - quad(all_near, -12, 12, epsabs=1e-12)[0]


@functools.cache
def _exact_level():
    """The largest attainable probability of p <= alpha: the least chi-square whose tail is at most alpha."""
    tails = [exact_upper_tail(ranks) for ranks in _rank_sums()]
    return max(tail for tail in tails if tail <= ALPHA)


def _rank_sums():
    """Yield ranks without ties that reach every sum of squares."""
    draws = np.random.default_rng(0)
    seen = set()
    for _ in range(3000):
        lean = draws.normal(0, 3, SMALL_METHODS) * draws.random()
        values = draws.normal(0, 1, (SMALL_TASKS, SMALL_METHODS)) + lean
        ranks = np.argsort(np.argsort(values, axis=1), axis=1) + 1.0
        squares = int(np.square(ranks.sum(axis=0)).sum())
        if squares not in seen:
            seen.add(squares)
            yield TaskRanks(("",) * SMALL_TASKS, ("",) * SMALL_METHODS, ranks, np.zeros(SMALL_TASKS)).ranks
