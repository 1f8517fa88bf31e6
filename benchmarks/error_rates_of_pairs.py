"""Error rates of tests of one pair of methods, and how often intervals miss what they are of.

Every pair is a table of its own; all are computed in one call, as pairs of one large table.
"""

import numpy as np
import pyarrow as pa
from scipy.stats import binom, t

from benchmarks.error_rate import ALPHA, ErrorRate, named
from delvecore.stats.ranking.bayesian_correlated_t import correlated_t
from delvecore.stats.ranking.bayesian_sign import bayesian_sign, largest_share
from delvecore.stats.ranking.bayesian_signed_rank import bayesian_signed_rank
from delvecore.stats.ranking.effects import EffectSizes
from delvecore.stats.ranking.paired_t import paired_t
from delvecore.stats.ranking.random_effects import combine_comparisons
from delvecore.stats.ranking.wilcoxon import scan_pairs, signed_ranks, upper_tails
from delvecore.stats.verdicts import verdicts

FEW, MANY, FOLDS = 20, 200, 10
SHARE = 1 / FOLDS
COMBINED_TASKS, INSTANCES = 20, 8


def measure(part: int, tables: int) -> list[ErrorRate]:
    """Simulate the tests of pairs."""
    draws = np.random.default_rng([2, part])
    return [
        *_signed_ranks(draws, tables),
        *_resampled(draws, tables),
        *_bayesian(draws, tables),
        *_intervals(draws, tables),
        *_combined(draws, tables),
    ]


def _pairs(draws, tables, tasks, *, decimals=None, noise=None):
    """Return (table of two methods a pair, (places of the first, places of the second))."""
    values = draws.normal(0, 1, (tasks, tables, 1)) + draws.normal(0, 1, (tasks, tables, 2))
    if noise is not None:
        values[:, :, 0] += noise
    values = values.reshape(tasks, 2 * tables)
    places = np.arange(0, 2 * tables, 2)
    return named(values if decimals is None else values.round(decimals)), (places, places + 1)


def _signed_ranks(draws, tables):
    table, pairs = _pairs(draws, tables, FEW)
    scan = scan_pairs(table, pairs=pairs)
    what, level = f"2 methods, {FEW} tasks", _attainable()
    yield ErrorRate("Wilcoxon, exact", what, "attainable", level, signed_ranks(scan).p <= ALPHA)
    yield ErrorRate("paired t", what, "nominal", ALPHA, paired_t(scan).p <= ALPHA)
    table, pairs = _pairs(draws, tables, FEW, decimals=0)
    for zeros in ("drop", "pratt"):
        p = signed_ranks(scan_pairs(table, zeros=zeros, pairs=pairs)).p
        test = f"Wilcoxon, exact with ties and zeros ({zeros})"
        yield ErrorRate(test, f"{what}, values of one digit", "at most", ALPHA, p <= ALPHA)
    table, pairs = _pairs(draws, tables, MANY, decimals=1)
    for zeros in ("drop", "pratt"):
        p = signed_ranks(scan_pairs(table, zeros=zeros, pairs=pairs)).p
        what = f"2 methods, {MANY} tasks, ties and zeros"
        yield ErrorRate(f"Wilcoxon, normal ({zeros})", what, "nominal", ALPHA, p <= ALPHA)


def _attainable():
    """Return the level of Wilcoxon's exact test of FEW tasks without ties."""
    tails = upper_tails(tuple(range(2, 2 * FEW + 1, 2)))
    return 2 * max(tail for tail in tails.tolist() if 2 * tail <= ALPHA)


def _resampled(draws, tables):
    """Differences of overlapping training sets: correlated by the share of cases in a test set."""
    what = f"2 methods, {FOLDS} overlapping training sets, correlation {SHARE:g}"
    common = draws.normal(0, np.sqrt(2 * SHARE / (1 - SHARE)), (1, tables))
    table, pairs = _pairs(draws, tables, FOLDS, noise=common)
    scan = scan_pairs(table, pairs=pairs)
    p = paired_t(scan, test_share=SHARE).p
    yield ErrorRate("corrected resampled t", what, "nominal", ALPHA, p <= ALPHA)
    posterior = correlated_t(scan, test_share=SHARE)
    yield ErrorRate("Bayesian correlated t, either better", what, "nominal", ALPHA, _decided(posterior))


def _bayesian(draws, tables):
    table, pairs = _pairs(draws, tables, MANY)
    scan = scan_pairs(table, pairs=pairs)
    what = f"2 methods, {MANY} tasks"
    posterior = bayesian_signed_rank(scan)
    yield ErrorRate("Bayesian signed rank, either better", what, "nominal", ALPHA, _decided(posterior))
    wins = np.arange(MANY + 1)
    shares = largest_share(np.stack([wins, np.ones(MANY + 1), MANY - wins], axis=1).astype(float))
    share = shares[:, 0] / (shares[:, 0] + shares[:, 2])
    level = 2 * float(binom.pmf(wins, MANY, 0.5)[share >= 1 - ALPHA / 2].sum())
    posterior = bayesian_sign(scan)
    yield ErrorRate("Bayesian sign, either better", what, "attainable", level, _decided(posterior))


def _decided(posterior):
    """Is one of the two methods better with a probability of at least 1 - alpha / 2?"""
    return np.maximum(posterior.a_better, posterior.b_better) >= 1 - ALPHA / 2


def _intervals(draws, tables):
    table, pairs = _pairs(draws, tables, MANY)
    found = EffectSizes(scan_pairs(table, level=1 - ALPHA, pairs=pairs))
    what = f"2 methods, {MANY} tasks"
    outside = int(binom.ppf(ALPHA / 2, MANY, 0.5))
    missed = 2 * float(binom.cdf(outside - 1, MANY, 0.5))
    wins = np.arange(MANY + 1) / MANY
    z = 1.959963984540054
    wilson = np.abs(wins - 0.5) > z * 0.5 / np.sqrt(MANY)
    missed_rate = float(binom.pmf(np.arange(MANY + 1), MANY, 0.5)[wilson].sum())
    for name, interval, truth, kind, level in (
        ("mean difference (Student)", found.mean, 0.0, "nominal", ALPHA),
        ("median difference (sign test)", found.median, 0.0, "attainable", missed),
        ("win rate (Wilson)", found.win_rate, 0.5, "attainable", missed_rate),
        ("Vargha-Delaney A", found.superiority, 0.5, "nominal", ALPHA),
    ):
        missing = (interval.lower > truth) | (interval.upper < truth)
        yield ErrorRate(f"interval of the {name} misses", what, kind, level, missing)


def _combined(draws, tables):
    """DELVE's t-test on each task, put together over the tasks; each pair of methods is one table."""
    differences = draws.normal(0, 1, (tables, COMBINED_TASKS, INSTANCES))
    mean = differences.mean(axis=2).ravel()
    error = differences.std(axis=2, ddof=1).ravel() / np.sqrt(INSTANCES)
    p = 2 * t.sf(np.abs(mean / error), INSTANCES - 1)
    names = np.repeat([f"{number:06d}" for number in range(tables)], COMBINED_TASKS)
    tasks = [f"t{task}" for task in range(COMBINED_TASKS)] * tables
    # Weights must not depend on the draw of the difference: those of equal tasks.
    columns = dict.fromkeys(("dataset", "prototask", "task"), tasks)
    columns |= {"loss": ["S"] * len(p), "method_a": ["a" + name for name in names]}
    columns |= {"method_b": ["b" + name for name in names], "difference": mean, "p": p}
    columns |= {"verdict": verdicts(mean, p, level=1 - ALPHA), "p_adjusted": p}
    weights = np.tile(np.linspace(0.5, 2, COMBINED_TASKS), tables)
    columns |= {"standardized_difference": mean, "standardized_error": weights}
    columns["instances"] = np.full(len(p), INSTANCES)
    found = combine_comparisons(pa.table(columns))
    what = f"2 methods, {COMBINED_TASKS} tasks with {INSTANCES} training sets"
    decided = (found.wins + found.losses) / COMBINED_TASKS
    first = (p.reshape(tables, COMBINED_TASKS) < ALPHA)[:, 0]
    if not np.isclose(decided.mean(), (p < ALPHA).mean()):
        raise RuntimeError("wins and losses are not those of the tasks' tests")
    yield ErrorRate("DELVE's t-test, one task", what, "nominal", ALPHA, first)
    for test, values in (
        ("Stouffer", found.p_stouffer),
        ("Stouffer, weighted", found.p_weighted),
        ("Fisher", found.p_fisher),
    ):
        yield ErrorRate(f"{test}, over tasks", what, "nominal", ALPHA, values <= ALPHA)
