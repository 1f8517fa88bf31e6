"""Simulations of rankings: error rates of tests over many tasks, of answers and of warnings.

All methods are equally good, so that a test errs if it finds a difference. `error_rates` runs them."""

import functools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd
from scipy.integrate import quad
from scipy.special import ndtr, ndtri, stdtr, stdtrit
from scipy.stats import norm

from delvecore.stats.array_types import Floats
from delvecore.stats.choose import FlipStatistic, Verdict
from delvecore.stats.classification.summary import reliability
from delvecore.stats.losses.comparison_with_best import compare_with_best, level_for_best
from delvecore.stats.orientation import oriented
from delvecore.stats.p_adjustment import adjust, bergmann_hommel, shaffer
from delvecore.stats.ranking.aligned_ranks import aligned_ranks
from delvecore.stats.ranking.analysis import Analysis, analyze
from delvecore.stats.ranking.bayesian_hierarchical import hierarchical_pairs
from delvecore.stats.ranking.bonferroni_dunn import bonferroni_dunn
from delvecore.stats.ranking.bradley_terry import bradley_terry
from delvecore.stats.ranking.effects import two_one_sided_tests
from delvecore.stats.ranking.failed_runs import concentration_test
from delvecore.stats.ranking.friedman import exact_upper_tail, friedman, iman_davenport
from delvecore.stats.ranking.interquartile_mean import interquartile_mean
from delvecore.stats.ranking.nemenyi import nemenyi
from delvecore.stats.ranking.paired_t import paired_t
from delvecore.stats.ranking.pareto_front import cost_front
from delvecore.stats.ranking.places import place_sets
from delvecore.stats.ranking.quade import quade
from delvecore.stats.ranking.random_effects import random_effects
from delvecore.stats.ranking.ranks import TaskRanks, task_ranks
from delvecore.stats.ranking.score_table import ScoreTable, Units
from delvecore.stats.ranking.sign_flips import MOST_EXACT, all_signs, sign_flips, unit_scales
from delvecore.stats.ranking.skillings_mack import skillings_mack
from delvecore.stats.ranking.wilcoxon import scan_pairs, signed_ranks
from delvecore.stats.verdicts import DEFAULT_TEST, PairVerdicts, RankTest, pair_verdicts

# Shared: tables without differences, and lines of the report


ALPHA, TABLES = 0.05, 8_000
PARTS = 16
"""Into so many parts the tables of a section without lines of equal work are divided."""
ScoresDraw: TypeAlias = Callable[[np.random.Generator, int, int], Floats]
"""Scores of equal methods: a generator, units and methods in, an array of this shape out."""
Each: TypeAlias = Callable[..., Iterable[Any]]
"""`map`, or that of several processes: calls a function of a module with elements of some lists."""


class Simulated(NamedTuple):
    """A section of docs/error-rates.md.

    Attributes
    ----------
    text : str
        With its heading.
    holds : bool
        Is every rate within its limit?
    tables : int
        Number of tables per line or cell.
    each : str
        What has so many: `line` or `cell`.
    """

    text: str
    holds: bool
    tables: int
    each: str = "line"


@dataclass(frozen=True, eq=False)
class ErrorRate:
    """A test, its tables, what it promises, and the tables where it found a difference.

    kind: `nominal`, `attainable` or `at most`; level: the probability that is promised.
    """

    test: str
    tables: str
    kind: str
    level: float
    rejected: np.ndarray


@dataclass(frozen=True)
class LearnerRate:
    """Two equally good learners on instances that share cases: how often is one called better?

    rate: share of the tables in which the analysis finds a difference; uncorrected: that of the test for
    instances that share no cases; power: share in which it finds a learner that is worse."""

    instances: str
    learner: str
    analysis: str
    rate: float
    power: float
    tables: int
    uncorrected: float | None = None

    @property
    def holds(self) -> bool:
        """Is the rate at most the level, within two standard errors?"""
        return self.rate <= highest(self.tables)


def standard_error(tables: int, level: float = ALPHA) -> float:
    """Return the standard error of a rate of so many tables."""
    return float((level * (1 - level) / tables) ** 0.5)


def noise(tables: int, level: float = ALPHA) -> float:
    """Return two standard errors of a rate of so many tables."""
    return 2 * standard_error(tables, level)


def highest(tables: int) -> float:
    """Return the highest rate that is 5 % within two standard errors of a simulation of so many tables."""
    return ALPHA + noise(tables)


def in_parts(measure: Callable[[int, int], list[ErrorRate]], tables: int, each: Each) -> list[ErrorRate]:
    """Simulate tables in parts, each with its number and how many tables it has; return the lines of all."""
    sizes = [len(part) for part in np.array_split(np.arange(tables), PARTS) if len(part)]
    parts = list(each(measure, range(len(sizes)), sizes))
    return [
        replace(lines[0], rejected=np.concatenate([line.rejected for line in lines]))
        for lines in zip(*parts, strict=True)
    ]


def null_values(draws: np.random.Generator, shape: tuple[int, ...], *, decimals: int | None = None):
    """Return values of equally good methods, shape (..., tasks, methods); tasks differ in difficulty.

    decimals: round to so many, for ties.
    """
    difficulty = draws.normal(0.0, 1.0, (*shape[:-1], 1))
    values = difficulty + draws.normal(0.0, 1.0, shape)
    return values if decimals is None else values.round(decimals)


def named(values: np.ndarray) -> ScoreTable:
    """Return values of shape (tasks, methods) as a table."""
    tasks, methods = values.shape
    return ScoreTable(tuple(f"t{k}" for k in range(tasks)), tuple(f"m{k}" for k in range(methods)), values)


def rate_text(rate: float | None) -> str:
    """Return a rate with four decimals, a dash for None."""
    return "–" if rate is None else f"{rate:.4f}"


def table_text(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [titles, ["---"] * len(titles), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


# Tests of all methods, of all pairs and against a control


TABLES_TASKS, TABLES_METHODS = 100, 5
SMALL_TASKS, SMALL_METHODS = 10, 3
MISSING = 0.1
ADJUSTED = ("bonferroni", "holm", "hochberg", "benjamini-hochberg")


def measure_tables(part: int, tables: int) -> list[ErrorRate]:
    """Simulate the tests on tables of several methods."""
    draws = np.random.default_rng([1, part])
    counts = _Found()
    for _ in range(tables):
        _one_table(counts, null_values(draws, (TABLES_TASKS, TABLES_METHODS), decimals=2))
        _one_incomplete(counts, draws)
        _one_small(counts, draws)
    return counts.lines()


def _one_table(counts, values):
    table = named(values)
    ranks, what = task_ranks(table), f"{TABLES_METHODS} methods, {TABLES_TASKS} tasks, some ties"
    f = iman_davenport(ranks)
    counts.add("Friedman, chi-square corrected for ties", what, "nominal", ALPHA, friedman(ranks).p)
    counts.add("Iman-Davenport", what, "nominal", ALPHA, f.p)
    counts.add("Quade", what, "nominal", ALPHA, quade(table).p)
    counts.add("Friedman aligned ranks", what, "nominal", ALPHA, aligned_ranks(table).p)
    counts.add("Nemenyi, any pair", what, "nominal", ALPHA, nemenyi(ranks, alpha=ALPHA).p.min())
    control = bonferroni_dunn(ranks, 0, alpha=ALPHA)
    name, level = "against a control, any method", _control_level()
    counts.add(f"Bonferroni-Dunn {name}", what, "nominal", level, 0.0 if control.different.any() else 1.0)
    counts.add(f"Holm by mean ranks {name}", what, "nominal", level, control.p_holm.min())
    scan = scan_pairs(table)
    for test, tests in (("Wilcoxon", signed_ranks(scan)), ("paired t", paired_t(scan))):
        for method in ADJUSTED:
            p = adjust(tests.p, method=method).min()
            counts.add(f"{test}, {method}, any pair", what, "at most", ALPHA, p)


def _one_incomplete(counts, draws):
    values = null_values(draws, (TABLES_TASKS, TABLES_METHODS), decimals=2)
    values[draws.random(values.shape) < MISSING] = np.nan
    what = f"{TABLES_METHODS} methods, {TABLES_TASKS} tasks, {MISSING:.0%} of the values missing"
    counts.add("Skillings-Mack", what, "nominal", ALPHA, skillings_mack(named(values)).p)


def _one_small(counts, draws):
    ranks = task_ranks(named(null_values(draws, (SMALL_TASKS, SMALL_METHODS))))
    what = f"{SMALL_METHODS} methods, {SMALL_TASKS} tasks"
    counts.add("Friedman, exact", what, "attainable", _exact_level(), friedman(ranks).exact_p)


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
    reach = -ndtri(ALPHA / (2 * (TABLES_METHODS - 1))) * math.sqrt(2)

    def all_near(z):
        return norm.pdf(z) * (ndtr(z + reach) - ndtr(z - reach)) ** (TABLES_METHODS - 1)

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


# Answers of `delve rank --show` and `delve measures`


QUESTIONS_DRAWS = 400
MARGIN = 0.01
THREE, ONE_AHEAD = np.array([0.6, 0.1, -0.7]), np.array([5.0, 0, 0, 0, 0, 0]) - 5 / 6


def measure_questions(part: int, tables: int) -> list[ErrorRate]:
    """Simulate every answer."""
    draws = np.random.default_rng([7, part])
    lines = [_equivalence(draws, tables), *_hierarchy(draws, tables), *_pairs(draws, tables)]
    lines += [_best(draws, tables, spread) for spread in ((1.0,) * 6, (1.0, 1.0, 2.0, 4.0, 8.0, 0.1))]
    for name, what, miss in (
        ("Bradley-Terry strengths, interval of one", "3 methods, 26 units", _strength),
        ("cost and loss, interval of one", "2 methods, 26 units", _cost),
        ("interquartile mean, interval of one", "2 methods, 12 tasks of 4 training sets", _middle),
        ("calibration test of calibrated probabilities", "400 cases", _calibrated),
    ):
        lines.append(_line(name, what, [miss(draws) for _ in range(tables)]))
    draws = np.random.default_rng([8, part])
    for units in (5, 10, 20):
        missed = [_strength(draws, ONE_AHEAD, units) for _ in range(tables)]
        lines.append(_line("Bradley-Terry strengths, one wins 99 %", f"6 methods, {units} units", missed))
    return lines


def _line(name: str, what: str, missed: list[float]) -> ErrorRate:
    return ErrorRate(name, what, "at most", ALPHA, np.array(missed))


def _equivalence(draws: np.random.Generator, tables: int) -> ErrorRate:
    """Methods that differ by the margin are not as good as each other."""
    samples = draws.normal(MARGIN, 0.004, (tables, 15))
    errors = samples.std(axis=1, ddof=1) / 15**0.5
    _, p = two_one_sided_tests(samples.mean(axis=1), errors, np.full(tables, 14.0))
    return ErrorRate("two one-sided tests, at the margin", "2 methods, 15 units", "nominal", ALPHA, p < ALPHA)


def _hierarchy(draws: np.random.Generator, tables: int) -> list[ErrorRate]:
    """Of methods without a typical difference neither is better; the interval holds the difference."""
    errors = draws.uniform(0.005, 0.03, (tables, 20))
    truth = 0.03 * draws.standard_t(8, (tables, 20))
    _, most_likely, typical = hierarchical_pairs(
        truth + errors * draws.standard_t(7, truth.shape), errors, np.full(truth.shape, 7.0)
    )
    sure = 1 - ALPHA / 2
    decided = (most_likely.a_better >= sure) | (most_likely.b_better >= sure)
    what = "2 methods, 20 units with errors"
    missed = (typical.lower > 0) | (typical.upper < 0)
    return [
        _line("hierarchical, an equal method called better", what, decided.tolist()),
        _line("hierarchical, interval of the typical difference", what, missed.tolist()),
    ]


def _pairs(draws: np.random.Generator, tables: int) -> list[ErrorRate]:
    first, second = np.triu_indices(5, 1)
    ways: dict[str, Callable[[Floats], Floats]] = {"Shaffer": shaffer, "Bergmann-Hommel": bergmann_hommel}
    rejected: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(tables):
        # Two equal pairs of methods, and one far off, so that sets of hypotheses matter.
        values = draws.normal([0, 0, 3, 3, 9], 1.0, (20, 5))
        differences = values[:, first] - values[:, second]
        t = differences.mean(axis=0) / (differences.std(axis=0, ddof=1) / 20**0.5)
        p = 2 * stdtr(19, -np.abs(t))
        for name, way in ways.items():
            adjusted = way(p)
            rejected[name].append(min(adjusted[0], adjusted[7]) < ALPHA)
    what = "5 methods, 20 units, two pairs equal"
    return [
        ErrorRate(f"{name}, paired t", what, "at most", ALPHA, np.array(missed))
        for name, missed in rejected.items()
    ]


def _best(draws: np.random.Generator, tables: int, spread: tuple[float, ...]) -> ErrorRate:
    """Do all intervals of the loss less the lowest of the others hold it?"""
    truth = np.array([0.0, 0.2, 0.2, 0.2, 0.2, 0.2])
    gap = truth - np.array([np.delete(truth, place).min() for place in range(6)])
    first, second = np.triu_indices(6, 1)
    scale, missed = stdtrit(4, (1 + level_for_best(1 - ALPHA, 6)) / 2), []
    for _ in range(tables):
        losses = truth + draws.normal(size=(5, 6)) * spread
        differences = losses[:, first] - losses[:, second]
        mean, error = differences.mean(axis=0), differences.std(axis=0, ddof=1) / 5**0.5
        bounds, p = (mean - scale * error, mean + scale * error), 2 * stdtr(4, -np.abs(mean / error))
        lower, upper, _ = compare_with_best((first, second), bounds, p, differences=mean, alpha=ALPHA)
        missed.append(not ((lower <= gap + 1e-12) & (gap - 1e-12 <= upper)).all())
    kind = "equal variances" if len(set(spread)) == 1 else "standard deviations 80 times apart"
    name = "multiple comparison with the best, all intervals"
    return ErrorRate(name, f"6 methods, 5 training sets, {kind}", "at most", ALPHA, np.array(missed))


def _strength(draws: np.random.Generator, truth: Floats = THREE, units: int = 26) -> float:
    strengths = bradley_terry(draws.exponential(np.exp(-truth), (units, len(truth))))
    return float(np.mean((strengths.lower > truth) | (truth > strengths.upper)))


def _cost(draws: np.random.Generator) -> float:
    losses, costs = draws.normal([0.5, 0.7], 0.2, (26, 2)), np.exp(draws.normal([0, 2], 1, (26, 2)))
    front = cost_front(losses, costs, draws=QUESTIONS_DRAWS)
    missed = (front.loss_lower > [0.5, 0.7]) | (front.loss_upper < [0.5, 0.7])
    of_costs = (front.cost_lower > np.exp([0, 2])) | (front.cost_upper < np.exp([0, 2]))
    return float(np.mean([missed, of_costs]))


def _middle(draws: np.random.Generator) -> float:
    """Tasks far apart: the middle half is that of the middle six of twelve."""
    middle = np.arange(12.0)
    runs = [task + draws.normal(0, 0.1, (4, 2)) for task in middle]
    iqms = interquartile_mean(runs)
    return float(np.mean((iqms.lower > middle[3:9].mean()) | (iqms.upper < middle[3:9].mean())))


def _calibrated(draws: np.random.Generator) -> float:
    said = draws.uniform(0.5, 1, 400)
    seed = int(draws.integers(1 << 32))
    return float(reliability(said, draws.random(400) < said, draws=QUESTIONS_DRAWS, seed=seed).p < ALPHA)


# Verdicts of a ranking


UNITS, RANKINGS_METHODS = (6, 10, 29), (2, 6, 20)
RANKINGS_DRAWS, RANKINGS_FEWER = 1_000, 10
"""How many flips of more than 15 units those by choice have; power is simulated on so many times fewer
archives."""
RANKINGS_SHIFT, FAR = 1.0, 3.0
"""Standard deviations by which one method is better where power is asked for, and half of them in a partial
null."""
RELATED, OF_FAMILY = 0.12, 3
"""Correlation of the datasets of a family, and the number of datasets in each."""
RANKINGS_SEED = 26


def _exchangeable(draws: np.random.Generator, units: int, methods: int) -> Floats:
    return draws.normal(size=(units, methods))


def _unequal_rankings(draws: np.random.Generator, units: int, methods: int) -> Floats:
    """A quarter of the methods, at least one, vary five times as much."""
    return draws.normal(size=(units, methods)) * np.where(np.arange(methods) < max(1, methods // 4), 5.0, 1.0)


def _own_scales(draws: np.random.Generator, units: int, methods: int) -> Floats:
    """Each unit has a scale of its own."""
    return draws.normal(size=(units, methods)) * np.exp(1.5 * draws.normal(size=(units, 1)))


def _related(draws: np.random.Generator, units: int, methods: int) -> Floats:
    """Datasets of a family are related; units are families, and rows of the result datasets."""
    family = np.repeat(draws.normal(size=(units, methods)), OF_FAMILY, axis=0)
    return np.sqrt(RELATED) * family + np.sqrt(1 - RELATED) * draws.normal(size=family.shape)


def _partial(draws: np.random.Generator, units: int, methods: int) -> Floats:
    """The second half of the methods are better, each by another amount."""
    values = draws.normal(size=(units, methods))
    half = (methods + 1) // 2
    values[:, half:] -= FAR * np.arange(1, methods - half + 1)
    return values


RANKINGS_NULLS: dict[str, ScoresDraw] = {
    "exchangeable": _exchangeable,
    "unequal variance": _unequal_rankings,
    "own scales": _own_scales,
    "related families": _related,
    "partial": _partial,
}
RANKINGS_TESTS = (
    "sign flips, default",
    "sign flips of means",
    "sign flips of ranks",
    "Wilcoxon, Holm",
    "Nemenyi",
)


@dataclass(frozen=True)
class RankingRates:
    """Of each of `TESTS`: errors, the share of archives in which equally good methods are called different;
    power: the share of pairs with a method that is better by SHIFT that are found; None where no data could
    reach the level. by_dataset: errors of sign flips of means where related datasets are flipped."""

    null: str
    units: int
    methods: int
    archives: int
    errors: tuple[float | None, ...]
    power: tuple[float | None, ...]
    by_dataset: float | None = None

    @property
    def holds(self) -> bool:
        """Is no error rate of sign flips above the level by more than two standard errors?"""
        return all(one is None or one <= highest(self.archives) for one in self.errors[:3])


def measure_rankings(archives: int, each: Each = map) -> list[RankingRates]:
    """Simulate all nulls."""
    every = product(RANKINGS_NULLS, UNITS, RANKINGS_METHODS)
    # A partial null of two methods has one pair, which differs.
    settings = [(*one, archives) for one in every if one[0] != "partial" or one[2] > 2]
    return list(each(rates_of, *zip(*settings, strict=True)))


def rates_of(null: str, units: int, methods: int, archives: int) -> RankingRates:
    """Simulate one null with so many units and methods."""
    draws = np.random.default_rng([RANKINGS_SEED, list(RANKINGS_NULLS).index(null), units, methods])
    # With few units no test could find anything, which one archive shows.
    archives = archives if 2.0 ** (1 - units) < ALPHA else 1
    verdicts = [_different(RANKINGS_NULLS[null](draws, units, methods), null) for _ in range(archives)]
    first, second = np.triu_indices(methods, 1)
    equal = second < (methods + 1) // 2 if null == "partial" else np.ones(len(first), dtype=bool)
    shifted = []
    for _ in range(max(archives // RANKINGS_FEWER, 1)):
        values = RANKINGS_NULLS[null](draws, units, methods)
        values[:, 0] -= (
            RANKINGS_SHIFT * np.abs(values[:, 0]).mean() if null == "own scales" else RANKINGS_SHIFT
        )
        shifted.append(_different(values, null))
    against = first == 0 if null != "partial" else (first == 0) & equal
    by_dataset = None
    if null == "related families" and archives > 1:
        tables = (named(_related(draws, units, methods)) for _ in range(archives))
        again = [[_flips(analyze(table), FlipStatistic.MEANS)] for table in tables]
        by_dataset = _rate_rankings(again, 0, np.ones(len(first), dtype=bool))
    columns = range(len(RANKINGS_TESTS))
    return RankingRates(
        null,
        units,
        methods,
        archives,
        errors=tuple(_rate_rankings(verdicts, test, equal) for test in columns),
        power=tuple(_power_rankings(shifted, test, against) for test in columns),
        by_dataset=by_dataset,
    )


def _rate_rankings(rates, test: int, equal: Floats) -> float | None:
    """Return the share of archives with an error; archives that are not testable have none."""
    different = [one[test][equal].any() for one in rates if one[test] is not None]
    return sum(different) / len(rates) if different and equal.any() else None


def _power_rankings(rates, test: int, pairs: Floats) -> float | None:
    different = [one[test][pairs].mean() for one in rates if one[test] is not None]
    return float(sum(different) / len(rates)) if different and pairs.any() else None


def _different(values: Floats, null: str) -> list[Floats | None]:
    """Return which pairs each of `TESTS` calls different, None where it could call none so."""
    if null == "related families":
        values = values.reshape(-1, OF_FAMILY, values.shape[1]).mean(axis=1)
    analysis = analyze(named(values))
    by_choice = [_flips(analysis, statistic) for statistic in (FlipStatistic.MEANS, FlipStatistic.RANKS)]
    tests = (RankTest.FLIPS, RankTest.WILCOXON, RankTest.NEMENYI)
    default, *others = (pair_verdicts(analysis, test) for test in tests)
    return [_where_testable(default), *by_choice, *map(_where_testable, others)]


def _where_testable(verdicts: PairVerdicts) -> Floats | None:
    return verdicts.different if verdicts.is_testable else None


def _flips(analysis: Analysis, statistic: FlipStatistic) -> Floats | None:
    if 2.0 ** (1 - analysis.scan.tasks) >= ALPHA:
        return None
    return sign_flips(analysis.units, statistic=statistic, draws=RANKINGS_DRAWS).p_all < ALPHA


_RANKINGS_SECTION = """## The verdicts of a ranking

Each line has {archives:,} archives with equally good methods. An archive errs if any pair is called
different at {alpha:g}. The rate may be at most {most:.4f}; sign flips stay within this limit on {held}
of {lines} lines. Nothing is testable with two units.

- *exchangeable*: all methods have the same distribution
- *unequal variance*: a quarter of the methods vary five times as much
- *own scales*: units differ in scale (log-normal, 1.5)
- *related families*: families of {of} datasets with a correlation of {related:g}; each family counts once
- *partial*: half of the methods are better; only pairs of the other methods count as errors
- *default*: sign flips of the default statistic; *means* and *ranks*: of the statistics that a user can
  choose
- *units*: datasets, or families
- *–*: not testable: no data could reach the level
- *power*: share of detected differences among pairs with a method that is better by {shift:g} standard
  deviation, in a tenth as many archives
"""
_RELATED = """
The next table has error rates of sign flips of means if datasets are flipped instead of families:

"""


def section_rankings(rates: list[RankingRates]) -> str:
    """Return the section of docs/error-rates.md."""
    archives = max(one.archives for one in rates)
    text = _RANKINGS_SECTION.format(
        archives=archives,
        of=OF_FAMILY,
        related=RELATED,
        alpha=ALPHA,
        most=highest(archives),
        held=sum(one.holds for one in rates),
        lines=len(rates),
        shift=RANKINGS_SHIFT,
    )
    titles = ["null", "units", "methods", *RANKINGS_TESTS, *(f"power: {test}" for test in RANKINGS_TESTS)]
    rows = []
    for one in rates:
        cells = [one.null, str(one.units), str(one.methods)]
        cells += ["–" if rate is None else f"{rate:.4f}" for rate in one.errors]
        cells += ["–" if rate is None else f"{rate:.2f}" for rate in one.power]
        rows.append(cells)
    text = f"{text}\n{table_text(titles, rows)}"
    related = [one for one in rates if one.by_dataset is not None]
    if related:
        rows = [(str(one.units), str(one.methods), f"{one.by_dataset:.4f}") for one in related]
        text += _RELATED + table_text(("families", "methods", "errors"), rows)
    return text


# Tasks of one dataset, and families of datasets


FAMILIES_METHODS = (2, 6, 12)
ONE_DATASET = (15,)
"""Tasks of each dataset of each family where there is one of both."""
MANY, FEW = (3, 4, 3, 4, 3, 4, 3, 4), (3, 4, 3)
"""Datasets of each family where the family counts by default, and where the dataset does."""
FAMILIES_TASKS = 2
"""Tasks of each of these datasets."""
CORRELATIONS = (0.12, 0.3)
"""Of tasks of one family and two datasets."""
WITHIN_DATASET = 0.58
"""Correlation of the tasks of a dataset, near that of the shipped archive."""
FAMILIES_FEWER = 4
"""Other units than the default one are simulated on so many times fewer tables."""
FAMILIES_SEED = 27


@dataclass(frozen=True)
class OneDataset:
    """Shares of the tables whose tasks are of one dataset: with a verdict on some pair, without any test, and
    with a verdict by `--unit task`."""

    methods: int
    verdict: float
    not_tested: float
    by_task: float

    @property
    def holds(self) -> bool:
        """Is there never a verdict?"""
        return self.verdict == 0


@dataclass(frozen=True)
class FamilyRates:
    """Shares of the tables of families in which some pair is called different.

    Attributes
    ----------
    families, methods : int
    correlation : float
        One of `CORRELATIONS`.
    unit : str
        What the default unit is.
    default, by_dataset, by_task : float
        By the default unit, by datasets and by tasks.
    against : float
        By the default unit, against the true order of two methods over the datasets of these families.
    tables : int
    """

    families: int
    methods: int
    correlation: float
    unit: str
    default: float
    by_dataset: float
    by_task: float
    against: float
    tables: int

    @property
    def holds(self) -> bool:
        """Is the rate of what the default unit claims at most the level, within two standard errors?"""
        claimed = self.against if self.families == len(FEW) else self.default
        return claimed <= highest(self.tables)


def measure_one_dataset(tables: int, each: Each = map) -> list[OneDataset]:
    """Simulate tables of one dataset."""
    return list(each(one_dataset, FAMILIES_METHODS, [tables] * len(FAMILIES_METHODS)))


def measure_families(tables: int, each: Each = map) -> list[FamilyRates]:
    """Simulate tables of many and of few families."""
    settings = [(*one, tables) for one in product((MANY, FEW), CORRELATIONS, FAMILIES_METHODS)]
    return list(each(family_rates, *zip(*settings, strict=True)))


def one_dataset(methods: int, tables: int) -> OneDataset:
    """Simulate tables whose tasks are of one dataset."""
    draws = np.random.default_rng([FAMILIES_SEED, methods])
    rows = []
    for _ in range(tables):
        table, _ = drawn_table(draws, ONE_DATASET, methods, 0.0, datasets=[1])
        verdicts = flips_of(analyze(table))
        by_task = flips_of(analyze(table, unit="task"))
        rows.append((has_verdict(verdicts), verdicts.tested == 0, has_verdict(by_task)))
    return OneDataset(methods, *np.mean(rows, axis=0).tolist())


def family_rates(datasets: Sequence[int], correlation: float, methods: int, tables: int) -> FamilyRates:
    """Simulate tables of families with so many datasets each."""
    draws = np.random.default_rng([FAMILIES_SEED, len(datasets), methods, round(100 * correlation)])
    rows, others, unit = [], [], ""
    for number in range(tables):
        table, truth = drawn_table(
            draws, [FAMILIES_TASKS] * sum(datasets), methods, correlation, datasets=datasets
        )
        analysis = analyze(table)
        verdicts, unit = flips_of(analysis), analysis.unit
        rows.append((has_verdict(verdicts), is_against(analysis, verdicts, truth)))
        if number % FAMILIES_FEWER == 0:
            others.append([has_verdict(flips_of(analyze(table, unit=one))) for one in ("dataset", "task")])
    default, against = np.mean(rows, axis=0).tolist()
    by_dataset, by_task = np.mean(others, axis=0).tolist()
    return FamilyRates(
        len(datasets), methods, correlation, unit, default, by_dataset, by_task, against, tables
    )


def drawn_table(
    draws: np.random.Generator,
    tasks: Sequence[int],
    methods: int,
    correlation: float,
    *,
    datasets: Sequence[int],
) -> tuple[ScoreTable, Floats]:
    """Return losses of equally good methods, and the mean effect of each one in the families drawn.

    tasks: of each dataset; datasets: of each family; correlation: of tasks of one family and two datasets."""
    family = np.repeat(np.arange(len(datasets)), datasets)
    effects = draws.normal(0, correlation**0.5, (len(datasets), methods))[family]
    shares = draws.normal(0, (WITHIN_DATASET - correlation) ** 0.5, effects.shape)
    dataset = np.repeat(np.arange(len(tasks)), tasks)
    noise = draws.normal(0, (1 - WITHIN_DATASET) ** 0.5, (len(dataset), methods))
    values = (effects + shares)[dataset] + noise + draws.normal(size=(len(dataset), 1))
    units = Units(
        tuple(f"dataset{place}" for place in dataset.tolist()),
        tuple(f"family{family[place]}" for place in dataset.tolist()),
        "column",
    )
    names = tuple(f"task{number}" for number in range(len(dataset)))
    table = ScoreTable(names, tuple(f"m{number}" for number in range(methods)), values, units=units)
    return table, effects.mean(axis=0)


def flips_of(analysis: Analysis) -> PairVerdicts:
    return pair_verdicts(analysis, RankTest.FLIPS)


def has_verdict(verdicts: PairVerdicts) -> bool:
    """Is some pair called different?"""
    return bool(np.isin(verdicts.verdict.astype(str), (Verdict.BETTER, Verdict.WORSE)).any())


def is_against(analysis: Analysis, verdicts: PairVerdicts, truth: Floats) -> bool:
    """Is some pair called different in the other direction than its true difference has?"""
    scan = analysis.scan
    is_better = oriented(truth[scan.first] - truth[scan.second], analysis.table) < 0
    wrong = np.where(is_better, Verdict.WORSE, Verdict.BETTER)
    return bool((verdicts.verdict == wrong).any())


_ONE_DATASET = """## Tasks of one dataset

The tables have {tasks} tasks of one dataset, and no method is better. A test over tasks of one dataset says
nothing about other datasets, so there must be no verdict. This holds on {held} of {lines} lines.

- *any verdict*: tables in which some pair is called different by default
- *not tested*: tables in which no pair is tested by default
- *--unit task*: tables in which some pair is called different if each task counts

"""
_FAMILIES = """## Families of datasets

The tables have the columns `dataset` and `family`, and no method is better. A family has three or four
datasets, and a dataset has two tasks. Tasks of one dataset correlate by {within:g}, and tasks of two
datasets of a family by *correlation*. A table errs if some pair is called different at {alpha:g}. The rate
may be at most {most:.4f}, which holds on {held} of {lines} lines of both tables.

- *default*: errors with the default unit
- *--unit dataset, --unit task*: errors if each dataset, or each task, counts, in a quarter of the tables

"""
_FEW = """
A claim from three families applies to these families only. Methods differ within each family, but not on
average over all families. A verdict errs if its direction is not that of the true difference over the
datasets of the three families.

- *wrong direction*: tables with such a verdict
- *any pair different*: tables with any verdict; each would be an error if verdicts applied to other families

"""


def section_of_one_dataset(lines: Sequence[OneDataset]) -> str:
    """Return the section of docs/error-rates.md on one dataset."""
    held = sum(line.holds for line in lines)
    text = _ONE_DATASET.format(tasks=ONE_DATASET[0], held=held, lines=len(lines))
    rows = [
        (str(line.methods), f"{line.verdict:.4f}", f"{line.not_tested:.4f}", f"{line.by_task:.4f}")
        for line in lines
    ]
    return text + table_text(("methods", "any verdict", "not tested", "--unit task"), rows)


def section_families(lines: Sequence[FamilyRates]) -> str:
    """Return the section of docs/error-rates.md on families."""
    facts = {"within": WITHIN_DATASET, "alpha": ALPHA, "most": highest(lines[0].tables)}
    facts |= {"held": sum(line.holds for line in lines), "lines": len(lines)}
    titles = ("families", "methods", "correlation", "unit")
    many, few = ([line for line in lines if line.families == len(one)] for one in (MANY, FEW))
    rows = [(*_head(line), *map(rate_text, (line.default, line.by_dataset, line.by_task))) for line in many]
    text = _FAMILIES.format(**facts) + table_text((*titles, "default", "--unit dataset", "--unit task"), rows)
    rows = [(*_head(line), *map(rate_text, (line.against, line.default))) for line in few]
    return text + _FEW + table_text((*titles, "wrong direction", "any pair different"), rows)


def _head(line: FamilyRates) -> tuple[str, ...]:
    return str(line.families), str(line.methods), f"{line.correlation:g}", line.unit


# Sign flips of scaled differences, and sets of places


FLIPS_SIZES = ((5, 4), (6, 4), (8, 8), (10, 4), (10, 12), (20, 5), (20, 8), (29, 12), (41, 30))
"""Units and methods."""
FLIPS_DRAWS = 1_000
PLACES = tuple((units, methods) for methods in (4, 8) for units in (5, 10, 20, 30))
FLIPS_SEED = 41


def _normal(draws: np.random.Generator, units: int, methods: int) -> Floats:
    return draws.normal(size=(units, methods))


def _unequal_flips(draws: np.random.Generator, units: int, methods: int) -> Floats:
    return _normal(draws, units, methods) * np.where(np.arange(methods) < max(1, methods // 3), 5.0, 1.0)


def _half_exponential(draws: np.random.Generator, units: int, methods: int) -> Floats:
    values, half = _normal(draws, units, methods), methods // 2
    values[:, :half] = draws.exponential(size=(units, half)) - 1
    return values


def _one_fails(draws: np.random.Generator, units: int, methods: int) -> Floats:
    values = _normal(draws, units, methods)
    values[:, 0] += np.where(draws.random(units) < 0.1, 9.0, -1.0)
    return values


def _near_copies(draws: np.random.Generator, units: int, methods: int) -> Floats:
    distance = 10.0 ** draws.uniform(-4, -1, (units, 1))
    values = draws.normal(size=(units, 1)) + distance * _normal(draws, units, methods)
    values[:, 0] = draws.normal(size=units)
    return values


def _clustered(draws: np.random.Generator, units: int, methods: int) -> Floats:
    """Each unit is a family of three datasets whose correlation is 0.3."""
    family = np.repeat(draws.normal(size=(units, 1, methods)), 3, axis=1)
    values = np.sqrt(0.3) * family + np.sqrt(0.7) * draws.normal(size=family.shape)
    return np.asarray((draws.lognormal(0, 0.8, (units, 3, 1)) * values).mean(axis=1))


def _missing(draws: np.random.Generator, units: int, methods: int) -> Floats:
    values = _normal(draws, units, methods)
    values[draws.random(values.shape) < 0.3 / methods] = np.nan
    return values


def _diverging(draws: np.random.Generator, units: int, methods: int) -> Floats:
    """About four cells in ten units are up to 1e14."""
    large = 10.0 ** draws.uniform(2, 14, (units, methods))
    return np.where(draws.random(large.shape) < 0.4 / methods, large, _normal(draws, units, methods))


def _one_better(draws: np.random.Generator, units: int, methods: int) -> Floats:
    values = _normal(draws, units, methods)
    values[:, 0] -= 1.5
    return values


def _better_than_copies(draws: np.random.Generator, units: int, methods: int) -> Floats:
    values = _near_copies(draws, units, methods)
    values[:, 0] -= 1.0
    return values


def _one_diverging(draws: np.random.Generator, units: int, methods: int) -> Floats:
    """The second method is better; the first one diverges on half of the units."""
    values = _normal(draws, units, methods)
    values[:, 1] -= 1.5
    values[:, 0] = np.where(draws.random(units) < 0.5, 10.0 ** draws.uniform(2, 14, units), values[:, 0])
    return values


FLIPS_NULLS: dict[str, ScoresDraw] = {
    "equal": _normal,
    "unequal variance": _unequal_flips,
    "Cauchy": lambda draws, units, methods: draws.standard_cauchy((units, methods)),
    "exponential": lambda draws, units, methods: draws.exponential(size=(units, methods)),
    "log-normal": lambda draws, units, methods: draws.lognormal(size=(units, methods)),
    "near copies": _near_copies,
    "clustered": _clustered,
    "missing cells": _missing,
    "ties": _normal,
    "diverging": _diverging,
}
"""Equal methods whose differences are symmetric about zero. Values of `ties` are whole numbers."""
SKEWED: dict[str, ScoresDraw] = {"half exponential": _half_exponential, "one fails on 10 %": _one_fails}
"""Methods of equal means whose differences are not symmetric: nothing is promised."""
ALTERNATIVES: dict[str, ScoresDraw] = {
    "ladder": lambda draws, units, methods: _normal(draws, units, methods) + np.linspace(0, 1.5, methods),
    "one better": _one_better,
    "near copies, one better": _better_than_copies,
    "one diverging": _one_diverging,
}
DRAWN = FLIPS_NULLS | SKEWED | ALTERNATIVES
SHIFTS: dict[str, Callable[[int], Floats]] = {
    "equal": lambda methods: np.zeros(methods),
    "one better by 2": lambda methods: np.where(np.arange(methods) > 0, 2.0, 0.0),
    "one better by 3": lambda methods: np.where(np.arange(methods) > 0, 3.0, 0.0),
    "ladder of 0.5": lambda methods: 0.5 * np.arange(methods),
    "ladder of 1": lambda methods: 1.0 * np.arange(methods),
}
"""True means, in standard deviations, for sets of places."""


DIFFERENT = {"one better": 1, "near copies, one better": 1, "one diverging": 2}
"""How many methods of an alternative differ, the first ones; the others are equal."""


@dataclass(frozen=True)
class FlipRates:
    """Shares of tables by size, None where no data could reach the level.

    name: of `NULLS`, `SKEWED` or `ALTERNATIVES`; any_pair: in which some pair is called different; errors: in
    which some equally good methods are; pairs: share of pairs; tables: how many were drawn."""

    name: str
    any_pair: tuple[float | None, ...]
    errors: tuple[float | None, ...]
    pairs: tuple[float | None, ...]
    tables: int

    @property
    def held(self) -> list[bool]:
        """Which errors of symmetric differences are at most the level, within two standard errors?"""
        promised = [] if self.name in SKEWED else self.errors
        return [rate <= highest(self.tables) for rate in promised if rate is not None]

    @property
    def holds(self) -> bool:
        return all(self.held)


@dataclass(frozen=True)
class PlaceRates:
    """Misses of sets of places, see `section_of_places`.

    misses: of all sets, of single ones, and of the best method, the first one of several; width: mean number
    of places in a set; tables: how many were drawn."""

    name: str
    units: int
    methods: int
    misses: tuple[float, float, float]
    width: float
    tables: int

    @property
    def holds(self) -> bool:
        """Is no rate above the level by more than two standard errors?"""
        return max(self.misses) <= highest(self.tables)


def measure_flips(tables: int, each: Each = map) -> list[FlipRates]:
    """Simulate all nulls and alternatives at all sizes."""
    names = list(DRAWN)
    cells = [(name, *size, tables) for name in names for size in FLIPS_SIZES]
    rates = list(each(cell_rates, *zip(*cells, strict=True)))
    rows = (rates[start : start + len(FLIPS_SIZES)] for start in range(0, len(rates), len(FLIPS_SIZES)))
    return [FlipRates(name, *zip(*row, strict=True), tables) for name, row in zip(names, rows, strict=True)]


def measure_places(tables: int, each: Each = map) -> list[PlaceRates]:
    """Simulate sets of places with all true means."""
    lines = [(name, *size, tables) for name in SHIFTS for size in PLACES]
    return list(each(place_rates, *zip(*lines, strict=True)))


def cell_rates(name: str, units: int, methods: int, tables: int) -> Sequence[float | None]:
    """Simulate one null or alternative at one size: shares of tables, of errors, and of pairs."""
    draws = np.random.default_rng([FLIPS_SEED, list(DRAWN).index(name), units, methods])
    first = np.triu_indices(methods, 1)[0]
    # All methods of a ladder differ; of a null none does.
    equal = first >= (DIFFERENT.get(name, methods) if name in ALTERNATIVES else 0)
    if 2.0 ** (1 - units) >= ALPHA:
        return None, None, None
    values = np.array(
        [
            different(with_scales(DRAWN[name](draws, units, methods), draws, name), draws)
            for _ in range(tables)
        ]
    )
    errors = float(values[:, equal].any(axis=1).mean()) if equal.any() else None
    return float(values.any(axis=1).mean()), errors, float(values.mean())


def with_scales(values: Floats, draws: np.random.Generator, name: str = "") -> Floats:
    """Return values with a scale and a difficulty for each unit."""
    units = (len(values), 1)
    made = np.asarray(3 * draws.normal(size=units) + draws.lognormal(0, 0.8, units) * values)
    return made.round() if name == "ties" else made


def different(values: Floats, draws: np.random.Generator) -> Floats:
    """Which pairs are significantly different by sign flips of scaled differences, as `sign_flips` has it?"""
    values = values[~np.isnan(values).any(axis=1)]
    units, methods = values.shape
    first, second = np.triu_indices(methods, 1)
    if units < 2:
        return np.zeros(len(first), dtype=bool)
    scales = unit_scales(values)
    # Differences of large values are exact if one method of the unit is zero.
    scaled = (values - np.median(values, axis=1, keepdims=True)) / np.where(scales > 0, scales, 1.0)[:, None]
    exact = units <= MOST_EXACT
    signs = all_signs(units) if exact else 2.0 * draws.integers(0, 2, (FLIPS_DRAWS, units), dtype=np.int8) - 1
    sums, total, one = signs @ scaled, scaled.sum(axis=0), 0 if exact else 1
    reached = np.abs(total[first] - total[second]) * (1 - 1e-9)
    largest = sums.max(axis=1) - sums.min(axis=1)
    if (np.count_nonzero(largest >= reached.max()) + one) / (len(signs) + one) >= ALPHA:
        return np.zeros(len(first), dtype=bool)
    order, of_method, running = np.argsort(reached), np.ascontiguousarray(sums.T), np.zeros(len(signs))
    p = np.empty(len(first))
    for place, pair in enumerate(order.tolist()):
        np.maximum(running, np.abs(of_method[first[pair]] - of_method[second[pair]]), out=running)
        p[place] = (np.count_nonzero(running >= reached[pair]) + one) / (len(signs) + one)
    zeros = np.zeros(len(first), dtype=bool)
    zeros[order] = np.maximum.accumulate(p[::-1])[::-1] < ALPHA
    return zeros


def place_rates(name: str, units: int, methods: int, tables: int) -> PlaceRates:
    """Simulate sets of places of methods with true means, by the functions of rankings."""
    draws = np.random.default_rng([FLIPS_SEED, list(SHIFTS).index(name), units, methods])
    shifts = SHIFTS[name](methods)
    # Equal methods share their places; the truth lies in a set that holds all of them.
    first = 1 + (shifts[:, None] > shifts).sum(axis=1)
    last = (shifts[:, None] >= shifts).sum(axis=1)
    missed = single = best = width = 0.0
    for _ in range(tables):
        flips = analyze(named(with_scales(draws.normal(size=(units, methods)) + shifts, draws))).sign_flips
        sets = place_sets(flips, higher_is_better=False, level=1 - ALPHA)
        own = place_sets(flips, higher_is_better=False, level=1 - ALPHA, single=True)
        missed += bool(((first < sets.lowest) | (last > sets.highest)).any())
        single += float(((first < own.lowest) | (last > own.highest)).mean())
        best += not sets.may_be_best[0]
        width += float((sets.highest - sets.lowest + 1).mean())
    misses = (missed / tables, single / tables, best / tables)
    return PlaceRates(name, units, methods, misses, width / tables, tables)


_FLIPS_SECTION = """## Scaled differences

Each cell has {tables:,} tables, whose units differ in scale and difficulty. A table errs if sign flips of
scaled differences call any pair of equally good methods different at {alpha:g}, with up to {draws:,} flips.
This test is the default for three methods or more. The rate may be at most {most:.4f}, which holds in
{held} of {cells} cells, including those of the last table. Nothing is testable with five units.

- *unequal variance*: a third of the methods vary five times as much
- *near copies*: all methods but one are copies of each other; their distance is 0.0001 to 0.1 standard
  deviations
- *clustered*: units are families of three datasets with a correlation of 0.3
- *missing cells*: units with a missing value are left out
- *ties*: whole numbers
- *diverging*: some values are up to 1e14

"""
_SKEWED = """
The test assumes symmetric differences. It errs more if methods have equal means but differences are skewed:

- *half exponential*: half of the methods have exponential values, the others normal ones
- *one fails on 10 %*: one method is 9 standard deviations worse on 10 % of the units, and 1 better on the
  others

"""
_POWER = """
The next table has the share of tables in which some pair is called different, and in parentheses the share
of pairs:

- *ladder*: equal steps from 0 to 1.5 standard deviations
- *one better*: one method is better by 1.5; among near copies, by 1
- *one diverging*: one method diverges on half of the units, another one is better by 1.5

"""
_ERRORS = """
The last table has the share of tables in which two of the equally good methods are called different:

"""
_PLACES = """## Confidence sets of places

Each line has {tables:,} tables, analyzed by the default sign flips of a ranking. Units differ in scale and
difficulty. The rates count misses. They may be at most {most:.4f}, which holds on {held} of {lines} lines.

- *all*: tables in which some method's place is not in its set
- *single*: share of methods whose place is not in their individual set
- *best*: tables in which the best method is not among those that may be best
- *places in a set*: mean number of places in a set

"""


def section_flips(rates: list[FlipRates]) -> str:
    """Return the section of docs/error-rates.md on errors and power."""
    by_name = {one.name: one for one in rates}
    nulls, tables = [by_name[name] for name in FLIPS_NULLS], rates[0].tables
    held = [cell for one in rates for cell in one.held]
    sizes = [f"{units} x {methods}" for units, methods in FLIPS_SIZES]
    facts = {"alpha": ALPHA, "draws": FLIPS_DRAWS, "most": highest(tables), "tables": tables}
    text = _FLIPS_SECTION.format(held=sum(held), cells=len(held), **facts)
    text += table_text(("null", *sizes), [(one.name, *map(rate_text, one.errors)) for one in nulls])
    rows = [(name, *map(rate_text, by_name[name].errors)) for name in SKEWED]
    text += _SKEWED + table_text(("skewed null", *sizes), rows)
    chosen_rates = [by_name[name] for name in ALTERNATIVES]
    rows = [(one.name, *map(_power_flips, one.any_pair, one.pairs)) for one in chosen_rates]
    text += _POWER + table_text(("alternative", *sizes), rows)
    rows = [(name, *map(rate_text, by_name[name].errors)) for name in DIFFERENT]
    return text + _ERRORS + table_text(("other pairs", *sizes), rows)


def section_of_places(rates: list[PlaceRates]) -> str:
    """Return the section of docs/error-rates.md on sets of places."""
    tables, held = rates[0].tables, sum(one.holds for one in rates)
    text = _PLACES.format(tables=tables, most=highest(tables), held=held, lines=len(rates))
    titles = ("true means", "units", "methods", "all", "single", "best", "places in a set")
    rows = [
        (one.name, str(one.units), str(one.methods), *map(rate_text, one.misses), f"{one.width:.2f}")
        for one in rates
    ]
    return text + table_text(titles, rows)


def _power_flips(any_pair: float | None, pairs: float | None) -> str:
    return "–" if any_pair is None or pairs is None else f"{any_pair:.2f} ({pairs:.2f})"


# Rankings whose tasks are related


SHARED = 0.58
DATASETS = tuple(np.random.default_rng(0).integers(1, 9, 26).tolist())
"""Tasks of each dataset."""
UNITS_FEWER = 4
"""Power is simulated on four times this fewer tables."""
FAMILIES = (8, 8, 8, 1, 1)
"""Datasets of each family, with five tasks each."""
UNITS_TESTS = (RankTest.NEMENYI, RankTest.WILCOXON, RankTest.FLIPS)
UNITS_SHIFT = 1.0
MEANS = tuple(product((2, 4, 8), (5, 10, 26), (0.3, 1.0)))
"""Training sets, units, and tau of the random-effects means."""
SETTINGS = (("dataset", 2), ("dataset", 3), ("dataset", 6), ("dataset", 12), ("family", 2), ("family", 12))
TASK = "each task"


@dataclass(frozen=True)
class UnitRates:
    """Shares of tables. friedman, and pairs by test: in which a difference is found where there is none;
    by_task: Friedman's if each task counts; power: pairs with a
    method that is better by SHIFT that are found, by test; tables: how many were drawn."""

    unit: str
    methods: int
    friedman: float
    by_task: float
    pairs: tuple[float, ...]
    power: tuple[float, ...]
    tables: int

    @property
    def holds(self) -> bool:
        """Are errors at most the level, within two standard errors?"""
        return max(self.friedman, *self.pairs) <= highest(self.tables)


@dataclass(frozen=True)
class MeanRates:
    """Random-effects means. error: share of p below ALPHA; further: of intervals that hold a further unit."""

    sets: int
    units: int
    tau: float
    error: float
    further: float
    tables: int

    @property
    def holds(self) -> bool:
        return self.error <= highest(self.tables) and self.further >= 1 - highest(self.tables)


def measure_units(tables: int, settings=SETTINGS, each: Each = map) -> list[UnitRates]:
    """Simulate rankings by dataset and by family."""
    return list(each(_rates, [tables] * len(settings), *zip(*settings, strict=True)))


def _rates(tables, unit, methods):
    draws = np.random.default_rng([4, methods, unit == "family"])
    # By default the dataset counts; five families count only by choice.
    chosen = unit if unit == "family" else None
    analysis = [analyze(_table(draws, unit, methods), unit=chosen) for _ in range(tables)]
    few = max(tables // UNITS_FEWER, 1)
    better = [
        analyze(_table(draws, unit, methods, UNITS_SHIFT), unit=chosen) for _ in range(max(few // 4, 1))
    ]
    return UnitRates(
        unit,
        methods,
        friedman=float(np.mean([one.is_significant for one in analysis])),
        by_task=float(np.mean([analyze(one.given, unit="task").is_significant for one in analysis])),
        pairs=tuple(
            float(np.mean([pair_verdicts(one, test).different.any() for one in analysis]))
            for test in UNITS_TESTS
        ),
        power=tuple(
            float(np.mean([pair_verdicts(one, test).different[one.scan.first == 0] for one in better]))
            for test in UNITS_TESTS
        ),
        tables=tables,
    )


def _table(draws, unit, methods, shift=0.0):
    """Return an archive's values; the first method is better by shift."""
    sizes = DATASETS if unit == "dataset" else tuple(5 * count for count in FAMILIES)
    groups = np.repeat(np.arange(len(sizes)), sizes)
    own = draws.normal(0, np.sqrt(SHARED), (len(sizes), methods))[groups]
    values = own + draws.normal(0, np.sqrt(1 - SHARED), own.shape)
    values[:, 0] -= shift
    names = tuple(f"{unit}{group}" for group in groups)
    datasets = names if unit == "dataset" else tuple(f"d{task // 5}" for task in range(len(groups)))
    tasks = tuple(f"t{task}" for task in range(len(groups)))
    return ScoreTable(tasks, tuple(f"m{k}" for k in range(methods)), values, units=Units(datasets, names))


def measure_means(tables: int) -> list[MeanRates]:
    """Simulate random-effects means of units whose errors come from few training sets."""
    draws, mean_rates = np.random.default_rng(5), []
    for sets, units, tau in MEANS:
        true = draws.uniform(0.3, 1.5, (tables, units)) ** 2
        y = draws.normal(0, tau, (tables, units)) + draws.normal(0, np.sqrt(true))
        v = true * draws.chisquare(sets - 1, (tables, units)) / (sets - 1)
        one = random_effects(y, v, level=1 - ALPHA)
        new = draws.normal(0, tau, tables)
        further = np.mean((one.next_lower <= new) & (new <= one.next_upper))
        error = np.mean(one.p < ALPHA)
        mean_rates.append(MeanRates(sets, units, tau, float(error), float(further), tables))
    return mean_rates


_UNITS_SECTION = """## Rankings whose tasks are related

Each line has {tables:,} archives in which no method is better. They have 26 datasets of 1 to 8 tasks
(dataset), or 26 datasets of five tasks in 5 families (family). The correlation within a dataset, or family,
is {shared:g}. Rates are familywise, at {alpha:g}, with Holm's adjustment for Wilcoxon's test. Each may be
at most {highest:.4f}, which holds on {held} of {lines} lines.

- *if each task counts*: error rate of Friedman's test over tasks
- *power*: share of detected differences among pairs with a method that is better by {shift:g} standard
  deviation of a task
"""
_MEANS = """
The last table is for random-effects means of units whose errors come from few training sets, with
{tables:,} draws per line. The rate of p below {alpha:g} may be at most {highest:.4f}. The prediction
interval of a new unit may miss its true difference just as often. Both hold on {held} of {lines} lines. The
interval is for measured differences, which vary more than true ones.
"""


def section_units(rankings: list[UnitRates], means: list[MeanRates]) -> str:
    """Return the section of docs/error-rates.md."""
    tables = rankings[0].tables
    facts = {"alpha": ALPHA, "tables": tables, "highest": highest(tables), "lines": len(rankings)}
    facts |= {"shared": SHARED, "shift": UNITS_SHIFT, "held": sum(one.holds for one in rankings)}
    lines = [
        _UNITS_SECTION.format(**facts),
    ]
    titles = [
        "unit",
        "methods",
        "if each task counts",
        "Friedman",
        *UNITS_TESTS,
        *(f"power: {test}" for test in UNITS_TESTS),
    ]
    rows = [
        [
            one.unit,
            str(one.methods),
            *(f"{share:.4f}" for share in (one.by_task, one.friedman, *one.pairs, *one.power)),
        ]
        for one in rankings
    ]
    lines.append(table_text(titles, rows).rstrip())
    tables, held = means[0].tables, sum(one.holds for one in means)
    facts = {"alpha": ALPHA, "tables": tables, "highest": highest(tables), "lines": len(means), "held": held}
    titles = ["training sets", "units", "tau", "p below 0.05", "interval of a new unit covers"]
    rows = [
        [str(mean.sets), str(mean.units), f"{mean.tau:g}", f"{mean.error:.4f}", f"{mean.further:.4f}"]
        for mean in means
    ]
    lines += [_MEANS.format(**facts), table_text(titles, rows)]
    return "\n".join(lines)


# Warnings of failed runs


Size = tuple[int, int, int]
FAILED_RUNS_SIZES: tuple[Size, ...] = ((2, 20, 10), (3, 20, 10), (5, 20, 10), (5, 12, 5))
"""Methods, datasets, folds."""
SHARE = 0.06
"""Of the runs of a method that fails."""
FAILED_RUNS_FEWER = 4
"""Rankings are made of so many times fewer tables."""
FailuresDraw = Callable[[np.random.Generator, np.ndarray], np.ndarray]
"""Which runs fail, by the part of errors that methods do not share, of shape (methods, datasets, folds)."""


@dataclass(frozen=True)
class WarningRate:
    """Shares of tables. shown: with a warning; better: in which the first method is called better than
    another; unwarned: in which it is, without a warning. The last two are None where all methods fail alike.
    """

    name: str
    size: Size
    shown: float
    better: float | None
    unwarned: float | None
    tables: int

    @property
    def holds(self) -> bool:
        return self.better is not None or self.shown <= highest(self.tables)


def _at_random(draws, unshared):
    return draws.random(unshared.shape) < SHARE


def _hard_folds(draws, unshared):
    """Folds are hard for all methods: each method fails on most of them."""
    hard = draws.random(unshared.shape[1:]) < 2 * SHARE
    return hard & (draws.random(unshared.shape) < 0.6)


def _whole_datasets(draws, unshared):
    """A method that fails on a dataset does so on a third of its folds or more."""
    fails = draws.random(unshared.shape[:2]) < 2 * SHARE
    return fails[..., None] & (draws.random(unshared.shape) < draws.uniform(0.34, 0.5, (*fails.shape, 1)))


def own_hard_folds(draws, unshared):
    """The first method fails on the folds that are hardest for it alone."""
    failed = np.zeros(unshared.shape, dtype=bool)
    failed[0] = unshared[0] >= np.quantile(unshared[0], 1 - SHARE)
    return failed


FAILED_RUNS_NULLS: dict[str, FailuresDraw] = {
    "at random": _at_random,
    "hard folds": _hard_folds,
    "many folds of a dataset": _whole_datasets,
}
OWN = "its own hard folds"


def table_of(draws: np.random.Generator, size: Size, fails: FailuresDraw) -> np.ndarray:
    """Return errors of equal methods, not a number where a run fails.

    Datasets have a level each; each fold is hard or easy for all methods, and for each method by itself."""
    _, datasets, folds = size
    shared = draws.normal(8, 1, (1, datasets, 1)) + draws.normal(0, 1, (1, datasets, folds))
    unshared = draws.normal(0, 1, size)
    return np.where(fails(draws, unshared), np.nan, shared + unshared)


def frame_of(errors: np.ndarray) -> pd.DataFrame:
    """Return a table of scores, a row a run."""
    names = [
        [f"{one}{place}" for place in range(many)] for one, many in zip("mdf", errors.shape, strict=True)
    ]
    index = pd.MultiIndex.from_product(names, names=["method", "dataset", "fold"])
    return pd.Series(errors.ravel(), index=index, name="error").reset_index()


def is_warned(errors: np.ndarray) -> bool:
    failed = np.isnan(errors)
    methods = [f"m{place}" for place in range(len(failed))]
    test = concentration_test((failed & ~failed.all(axis=0)).sum(axis=2).T, methods)
    return test is not None and test.p <= ALPHA


def _is_better(errors: np.ndarray) -> bool:
    """Is the first method called better than another over common runs?"""
    common = np.where(np.isnan(errors).any(axis=0), np.nan, errors)
    common = common[:, ~np.isnan(common[0]).all(axis=1)]
    tasks, methods = (tuple(map(str, range(many))) for many in (common.shape[1], len(common)))
    analysis = analyze(ScoreTable(tasks, methods, np.nanmean(common, axis=2).T))
    verdicts = pair_verdicts(analysis, DEFAULT_TEST)
    return bool((verdicts.different & verdicts.first_is_better & (analysis.scan.first == 0)).any())


def measure_failed_runs(tables: int, each: Each = map) -> list[WarningRate]:
    """Simulate tables of equal methods with failed runs."""
    return [
        rate
        for rates in each(size_rates, FAILED_RUNS_SIZES, [tables] * len(FAILED_RUNS_SIZES))
        for rate in rates
    ]


def size_rates(size: Size, tables: int) -> list[WarningRate]:
    """Simulate tables of one size."""
    draws, rates = np.random.default_rng([7, *size]), []
    for name, fails in FAILED_RUNS_NULLS.items():
        shown = np.mean([is_warned(table_of(draws, size, fails)) for _ in range(tables)])
        rates.append(WarningRate(name, size, float(shown), None, None, tables))
    drawn = [table_of(draws, size, own_hard_folds) for _ in range(tables)]
    warned = np.array([is_warned(one) for one in drawn])
    few = max(tables // FAILED_RUNS_FEWER, 1)
    better = np.array([_is_better(one) for one in drawn[:few]])
    shares = float(warned.mean()), float(better.mean()), float((better & ~warned[:few]).mean())
    return [*rates, WarningRate(OWN, size, *shares, tables)]


_FAILED_RUNS_SECTION = """## Failed runs

Each line has {tables:,} tables of equal methods. Folds differ in difficulty, partly for all methods
together and partly for each method. About {share:.0%} of the runs of a method fail. The *warning* reports
that failed runs are concentrated in some methods. It may appear in at most {most:.4f} of the tables in
which all methods fail equally, which holds on {held} of {lines} lines.

- *at random*: each run fails with the same probability
- *hard folds*: some folds are hard, and each method fails on most of them
- *many folds of a dataset*: a method that fails on a dataset fails on a third of its folds or more
- *its own hard folds*: only the first method fails, on the folds that are hardest for this method
- *better*: share of {few:,} tables in which the first method is significantly better than another, by the
  runs that all methods completed
- *unwarned*: the same share, counting only tables without a warning

"""


def section_failed_runs(rates: list[WarningRate]) -> str:
    """Return the section of docs/error-rates.md."""
    nulls, tables = [one for one in rates if one.better is None], rates[0].tables
    facts = {
        "tables": tables,
        "share": SHARE,
        "most": highest(tables),
        "few": max(tables // FAILED_RUNS_FEWER, 1),
    }
    text = _FAILED_RUNS_SECTION.format(held=sum(one.holds for one in nulls), lines=len(nulls), **facts)
    titles = ("failed runs", "methods", "datasets", "folds", "warning", "better", "unwarned")
    rows = [
        (one.name, *map(str, one.size), *map(rate_text, (one.shown, one.better, one.unwarned)))
        for one in rates
    ]
    return text + table_text(titles, rows)
