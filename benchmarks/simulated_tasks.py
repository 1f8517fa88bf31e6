"""Simulations of tests on one task: common test sets, instances that share cases, and single pairs.

All learners are equally good, so that a test errs if it finds a difference. `error_rates` runs them."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from scipy.stats import binom, norm, t

from benchmarks.simulated_rankings import ALPHA, Each, ErrorRate, LearnerRate, highest, named, table_text
from delvecore.encoding.schemes import bootstrap
from delvecore.model import Scheme
from delvecore.readers.instances import overlap_of
from delvecore.stats.classification.mcnemar import mcnemar
from delvecore.stats.designs import COMMON, Design
from delvecore.stats.losses.anova import MeanSquares, PairSquares, mean_squares_many, pair_mean_squares
from delvecore.stats.losses.comparisons import PairComparisons, analyze_pairs, confidence_bounds
from delvecore.stats.losses.resampled_t import (
    correct_for_overlap,
    instance_squares,
    percentile_p,
    sample_means,
)
from delvecore.stats.p_adjustment import adjust
from delvecore.stats.ranking.bayesian_correlated_t import correlated_t
from delvecore.stats.ranking.bayesian_sign import bayesian_sign, largest_share
from delvecore.stats.ranking.bayesian_signed_rank import bayesian_signed_rank
from delvecore.stats.ranking.effects import mean_difference, median_difference, superiority, win_rate
from delvecore.stats.ranking.paired_t import paired_t
from delvecore.stats.ranking.random_effects import combine_comparisons
from delvecore.stats.ranking.wilcoxon import scan_pairs, signed_ranks, upper_tails
from delvecore.stats.verdicts import verdicts

# A common test set


SHAPES = ((2, 7), (2, 16), (2, 256), (2, 1024), (3, 64), (4, 16), (4, 1024), (8, 7), (8, 16), (8, 256))
COMMON_SOURCES = ((0, 0), (0, 3), (1, 1), (10, 0), (10, 1), (10, 10), (100, 3), (1, 100))
POWER, STRICT = 0.9, 0.05 / 66
COMMON_SEED = 1996


class Common(NamedTuple):
    """training, cases: the variances J s_a^2 and I s_b^2 of which MS_a and MS_b are, in units of s_e^2."""

    instances: int
    test_cases: int
    training: float
    cases: float

    @property
    def variance(self) -> float:
        """Of the mean difference, with s_e = 1."""
        return (self.training + self.cases + 1) / (self.instances * self.test_cases)


class Rates(NamedTuple):
    """Shares of the draws: p below alpha (and by the quasi-F test), intervals that cover, differences found
    of a size that the normal test with known variances finds with probability POWER; how many draws."""

    error: float
    error_at_1: float
    quasi_f_error: float
    covered: float
    covered_strictly: float
    power: float
    quasi_f_power: float
    draws: int

    @property
    def holds(self) -> bool:
        """Is the error at most the level, within two standard errors of the simulation?"""
        return self.error <= highest(self.draws)


def draw(common: Common, draws: np.random.Generator, count: int, *, shift: float = 0.0) -> MeanSquares:
    """Return mean differences and mean squares. shift: of the mean, in units of its standard deviation."""
    free = common.instances - 1, common.test_cases - 1
    expected = ((1 + common.training, free[0]), (1 + common.cases, free[1]), (1, free[0] * free[1]))
    mean = (draws.normal(0, 1, count) + shift) * common.variance**0.5
    return MeanSquares(mean, *(size * draws.chisquare(df, count) / df for size, df in expected))


def analyzed(common: Common, squares: MeanSquares) -> PairComparisons:
    """Return the comparisons as an archive has them."""
    places, nothing = np.arange(len(squares.mean)), np.zeros(len(squares.mean))
    pairs = PairSquares(places, places, squares.mean, nothing, squares=squares, identical=nothing > 0)
    return analyze_pairs(pairs, instances=common.instances, test_cases=common.test_cases)


def rates(common: Common, draws: np.random.Generator, count: int) -> Rates:
    analysis = analyzed(common, draw(common, draws, count))
    covered = []
    for alpha in (ALPHA, STRICT):
        lower, upper = confidence_bounds(analysis, alpha=alpha)
        covered.append(float(np.mean((lower <= 0) & (upper >= 0))))
    better = analyzed(common, draw(common, draws, count, shift=norm.isf(ALPHA / 2) + norm.ppf(POWER)))
    errors = (float(np.mean(p)) for p in (analysis.p < ALPHA, analysis.p < 0.01, analysis.p_delve < ALPHA))
    power = (float(np.mean(p < ALPHA)) for p in (better.p, better.p_delve))
    return Rates(*errors, *covered, *power, draws=count)


def measure_common(count: int, each: Each = map) -> list[tuple[Common, Rates]]:
    """Simulate all settings."""
    settings = [Common(*shape, *sources) for shape in SHAPES for sources in COMMON_SOURCES]
    draws = [np.random.default_rng([COMMON_SEED, place]) for place in range(len(settings))]
    return list(zip(settings, each(rates, settings, draws, [count] * len(settings)), strict=True))


_COMMON_SECTION = """## One task, few training sets, a common test set

Two equal methods are compared on one task whose I training sets share their J test cases. Each line has
{count:,} draws. The tables of the program use the test *crossed* ([how it
works](statistics.md#confidence-intervals-and-the-test-of-a-common-test-set)); *quasi-F* is the test of DELVE
1.1. The error rate of *crossed* at 0.05 may be at most {most:.4f}, which holds on {held} of {lines} lines.
The quasi-F test has more power on some lines, but errs more on others, and the data do not show which line
applies.

- *training, cases*: variances of training sets and test cases relative to the residual: J s_a^2 / s_e^2 and
  I s_b^2 / s_e^2
- *covered*: how often the 0.95 interval contains the true difference; *strict*: the same for the Bonferroni
  interval of one of 66 pairs, 0.99924
- *power, quasi-F*: how often *crossed*, and the quasi-F test, detect a difference that a normal test with
  known variances detects with probability {power:g}

"""
_COMMON_TITLES = (
    *("I", "J", "training", "cases", "crossed at 0.05", "at 0.01", "quasi-F at 0.05", "covered, 0.95"),
    *("covered, strict", "power", "quasi-F"),
)


def section_common(rates: list[tuple[Common, Rates]], count: int) -> str:
    """Return the section of the report."""
    held = sum(one.holds for _, one in rates)
    head = {"count": count, "held": held, "lines": len(rates), "most": highest(count), "power": POWER}
    rows = [[*map(str, common), *(f"{rate:.4f}" for rate in one[:-1])] for common, one in rates]
    return _COMMON_SECTION.format(**head) + table_text(_COMMON_TITLES, rows)


# Instances that share cases, such as folds


INPUTS, NEIGHBORS, RIDGE = 4, 3, 1.0
AT_ONCE = 250
_SHUFFLE = 9
WEAKER = 0.4
"""By which the inputs of the second learner are less telling where the learners do differ."""
Learner = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""Guesses for inputs (tables, cases, INPUTS) after inputs and targets of training."""


class Plan(NamedTuple):
    """Instances: which of so many cases train, and which test."""

    name: str
    cases: int
    training: list[np.ndarray]
    test: list[np.ndarray]

    @property
    def design(self) -> Design:
        """The design that an archive would have from the lists."""
        runs = [[tuple((n, n) for n in one.tolist()) for one in sets] for sets in (self.training, self.test)]
        is_common = all(np.array_equal(one, self.test[0]) for one in self.test)
        return Design(COMMON if is_common else "hierarchical", *overlap_of(*runs))


def _folds(name: str, cases: int, count: int) -> Plan:
    every = np.arange(cases)
    tests = [every[fold::count] for fold in range(count)]
    return Plan(name, cases, [np.setdiff1d(every, one) for one in tests], tests)


def _holdout(name: str, cases: int, count: int, *, tested: int) -> Plan:
    draws = np.random.default_rng(5)
    orders = [draws.permutation(cases) for _ in range(count)]
    return Plan(name, cases, [order[tested:] for order in orders], [order[:tested] for order in orders])


def _repeated(name: str, cases: int, count: int, *, times: int) -> Plan:
    draws, every = np.random.default_rng(_SHUFFLE), np.arange(cases)
    orders = [draws.permutation(cases) for _ in range(times)]
    tests = [order[fold::count] for order in orders for fold in range(count)]
    return Plan(name, cases, [np.setdiff1d(every, one) for one in tests], tests)


def _common(name: str, pool: int, count: int, *, trained: int, tested: int) -> Plan:
    draws = np.random.default_rng(6)
    training = [draws.permutation(pool)[:trained] for _ in range(count)]
    return Plan(name, pool + tested, training, [np.arange(pool, pool + tested)] * count)


PLANS = (
    _folds("10-fold cross-validation of 100 cases", 100, 10),
    _folds("5-fold cross-validation of 40 cases", 40, 5),
    _folds("2-fold cross-validation of 100 cases", 100, 2),
    _holdout("10 x holdout of 30 of 100 cases", 100, 10, tested=30),
    _holdout("10 x holdout of 10 of 100 cases", 100, 10, tested=10),
    _repeated("10 x 10-fold cross-validation of 100 cases", 100, 10, times=10),
    _folds("leave-one-out of 50 cases", 50, 50),
    _common("8 training sets of 30 of 40 cases, 100 common test cases", 40, 8, trained=30, tested=100),
)


def measure_overlaps(tables: int, each: Each = map) -> list[LearnerRate]:
    """Simulate all plans with all learners."""
    lines = [
        (plan, rule, tables) for rule in RULES for plan in PLANS if not (rule.of_classes and _is_single(plan))
    ]
    return list(each(_line, *zip(*lines, strict=True)))


def _is_single(plan: Plan) -> bool:
    """Is one case left out at a time? What class most others have is then seldom that of the one."""
    return len(plan.test[0]) == 1


def _line(plan: Plan, rule: "Rule", tables: int) -> LearnerRate:
    null = differences(plan, rule, tables, seed=7)
    other = differences(plan, rule, max(tables // 10, 1), seed=8, weaker=WEAKER)
    uncorrected = Design(plan.design.selection)
    plain, power = (
        np.mean(p_values(lost, design) <= ALPHA)
        for lost, design in ((null, uncorrected), (other, plan.design))
    )
    analysis = "common test set" if plan.design.is_common else plan.design.analysis
    rate = float(np.mean(p_values(null, plan.design) <= ALPHA))
    return LearnerRate(plan.name, rule.name, analysis, rate, float(power), tables, float(plain))


def differences(plan: Plan, rule: "Rule", tables: int, *, seed: int, weaker: float = 1.0) -> np.ndarray:
    """Return differences of losses, shape (tables, instances, test cases).

    weaker: how much the inputs of the second learner tell, 1 for as much as those of the first."""
    samples = []
    for inputs, targets in drawn(plan.cases, rule, tables, seed=seed, weaker=weaker):
        sets = zip(plan.training, plan.test, strict=True)
        samples.append([lost_by(inputs, targets, *one, rule) for one in sets])
    return np.concatenate([np.stack(one, axis=1) for one in samples])


def drawn(
    cases: int, rule: "Rule", tables: int, *, seed: int, weaker: float
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield inputs and targets of some tables at a time."""
    draws = np.random.default_rng(seed)
    for start in range(0, tables, AT_ONCE):
        count = min(AT_ONCE, tables - start)
        inputs = draws.normal(size=(count, cases, 2 * INPUTS))
        told = inputs[:, :, :INPUTS].sum(axis=2) + weaker * inputs[:, :, INPUTS:].sum(axis=2)
        targets = told / INPUTS**0.5 + draws.normal(size=(count, cases))
        yield inputs, _classes(targets) if rule.of_classes else targets


def lost_by(
    inputs: np.ndarray, targets: np.ndarray, training: np.ndarray, test: np.ndarray, rule: "Rule"
) -> np.ndarray:
    """Return what the first learner loses more than the second, shape (tables, test cases)."""
    seen, asked, known, truth = inputs[:, training], inputs[:, test], targets[:, training], targets[:, test]
    halves = (slice(INPUTS), slice(INPUTS, None))
    guesses = [rule.learner(seen[:, :, half], known, asked[:, :, half]) for half in halves]
    first, second = (((_classes(one) if rule.of_classes else one) - truth) ** 2 for one in guesses)
    lost: np.ndarray = first - second
    return lost


def _classes(values: np.ndarray) -> np.ndarray:
    return np.where(values < 0, -1.0, 1.0)


def ridge(seen: np.ndarray, known: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """Linear regression with a penalty on all weights but the constant."""
    middle, level = seen.mean(axis=1, keepdims=True), known.mean(axis=1, keepdims=True)
    spread = seen - middle
    moments = np.einsum("dni,dnj->dij", spread, spread) + RIDGE * np.eye(seen.shape[2])
    weights = np.linalg.solve(moments, np.einsum("dni,dn->di", spread, known - level)[..., None])
    guesses: np.ndarray = ((asked - middle) @ weights)[..., 0] + level
    return guesses


def nearest(seen: np.ndarray, known: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """The mean of the nearest neighbors."""
    squares = np.square(seen).sum(axis=2)[:, None, :] - 2 * asked @ seen.swapaxes(1, 2)
    near = np.argpartition(squares, NEIGHBORS, axis=2)[:, :, :NEIGHBORS]
    guesses: np.ndarray = np.take_along_axis(known[:, None, :], near, axis=2).mean(axis=2)
    return guesses


def one_split(seen: np.ndarray, known: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """A tree with one split: the one that leaves the least sum of squares, and the means on its sides."""
    tables, cases, inputs = seen.shape
    order = np.argsort(seen, axis=1)
    values = np.take_along_axis(seen, order, axis=1)
    sums = np.cumsum(np.take_along_axis(known[:, :, None], order, axis=1), axis=1)
    below, total = np.arange(1, cases)[:, None], sums[:, -1:]
    gain = sums[:, :-1] ** 2 / below + (total - sums[:, :-1]) ** 2 / (cases - below)
    last, place = np.divmod(gain.reshape(tables, -1).argmax(axis=1), inputs)
    every = np.arange(tables)
    limit = (values[every, last, place] + values[every, last + 1, place]) / 2
    left, whole = sums[every, last, place], sums[every, -1, place]
    means = left / (last + 1), (whole - left) / (cases - last - 1)
    is_left = asked[every, :, place] <= limit[:, None]
    guesses: np.ndarray = np.where(is_left, means[0][:, None], means[1][:, None])
    return guesses


def cells(seen: np.ndarray, known: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """A tree with all splits at the medians of the inputs: means of its 2^INPUTS leaves, or of all cases."""
    middle, power = np.median(seen, axis=1, keepdims=True), 2 ** np.arange(INPUTS)
    leaves, asked_of = (((one > middle) * power).sum(axis=2) for one in (seen, asked))
    rows = np.arange(len(seen))[:, None]
    counts, sums = np.zeros((2, len(seen), 2**INPUTS))
    np.add.at(counts, (rows, leaves), 1.0)
    np.add.at(sums, (rows, leaves), known)
    means = np.where(counts > 0, sums / np.maximum(counts, 1), known.mean(axis=1, keepdims=True))
    guesses: np.ndarray = means[rows, asked_of]
    return guesses


class Rule(NamedTuple):
    """of_classes: are targets two classes, and losses 0 for a right guess and 4 for a wrong one?"""

    name: str
    learner: Learner
    of_classes: bool = False


RULES = (
    Rule("ridge regression", ridge),
    Rule("nearest neighbors", nearest),
    Rule("a tree of one split", one_split),
    Rule("a tree of 16 leaves", cells),
    Rule("nearest neighbors, two classes", nearest, of_classes=True),
    Rule("a tree of one split, two classes", one_split, of_classes=True),
    Rule("a tree of 16 leaves, two classes", cells, of_classes=True),
)


def p_values(lost: np.ndarray, design: Design) -> np.ndarray:
    """Return p as `archive.comparisons` has it. lost: as `differences` returns it."""
    tables, instances, test_cases = lost.shape
    if design.is_common:
        squares = correct_for_overlap(mean_squares_many(lost, design=COMMON), instances, design)
    else:
        squares = instance_squares(lost.reshape(tables, -1), np.full(instances, test_cases), design)
    places, nothing = np.arange(tables), np.zeros(tables)
    pairs = PairSquares(places, places, squares.mean, nothing, squares=squares, identical=nothing > 0)
    sizes = {"instances": np.full(tables, instances), "test_cases": np.full(tables, test_cases)}
    return analyze_pairs(pairs, **sizes, most_df=design.most_df).p


_OVERLAPS_SECTION = """## Instances that share cases

The two learners are equally good on average, and each one uses half of the inputs. Each line has {tables:,}
tables. The *rate* is the share of tables in which one learner is called better at {alpha:g}. It may be at
most {most:.4f}, which holds on {held} of {lines} lines.

- *uncorrected*: the rate of the same test for instances that share no cases
- *power*: share of tables in which a worse learner, whose inputs are {weaker:g} times as informative, is
  detected; from a tenth as many tables
- *resampled, leave-one-out, common test set*: the analysis for the design ([which
  one](statistics.md#instances-that-share-cases))
- *nearest neighbors*: the mean of the nearest three
- *two classes*: predictions are right or wrong

For 0-1 losses, leave-one-out and 20 folds or more are not tested, because no correction keeps the level. A
tree with one split has an error rate of 0.2 (leave-one-out of 50 cases) or 0.074 (20 folds of 100 cases).
Ten folds have a rate of 0.059 on 20,000 further tables.

"""
_PERCENTILES = """
The last table is for percentile intervals of bootstrap samples, with the same learners:

"""


def section_overlaps(folds: Sequence[LearnerRate], samples: Sequence[LearnerRate]) -> str:
    """Return the section of the report: of sets of cases, and of bootstrap samples."""
    tables = folds[0].tables
    facts = {"tables": tables, "alpha": ALPHA, "most": highest(tables), "weaker": WEAKER}
    facts |= {"held": sum(one.holds for one in [*folds, *samples]), "lines": len(folds) + len(samples)}
    titles = ("instances", "learner", "analysis", "rate", "uncorrected", "power")
    lines = [
        (
            one.instances,
            one.learner,
            one.analysis,
            f"{one.rate:.4f}",
            f"{one.uncorrected:.3f}",
            f"{one.power:.2f}",
        )
        for one in folds
    ]
    others = [
        (one.instances, one.learner, one.analysis, f"{one.rate:.4f}", f"{one.power:.2f}") for one in samples
    ]
    text = _OVERLAPS_SECTION.format(**facts) + table_text(titles, lines)
    return text + _PERCENTILES + table_text(("samples", "learner", "estimate", "rate", "power"), others)


# Bootstrap samples and runs


SAMPLES, RUNS, WRONG = 100, 10, 4.0
"""How many samples and runs there are; what a wrong guess of two classes loses more than a right one."""
DESIGNS = {
    "e0": Design("hierarchical", Scheme.BOOTSTRAP),
    ".632": Design("hierarchical", Scheme.BOOTSTRAP_632),
}


def measure_schemes(tables: int, each: Each = map) -> list[LearnerRate]:
    """Simulate bootstrap samples."""
    settings = [(rule, cases, tables) for rule in RULES for cases in (50, 100)]
    return [line for lines in each(_of_samples, *zip(*settings, strict=True)) for line in lines]


def _of_samples(rule: Rule, cases: int, tables: int) -> list[LearnerRate]:
    null = sample_differences(rule, cases, tables, seed=7)
    other = sample_differences(rule, cases, max(tables // 10, 1), seed=8, weaker=WEAKER)
    lines = []
    for kind, design in DESIGNS.items():
        rate, power = (float(np.mean(sample_p_values(one, design) < ALPHA)) for one in (null, other))
        about = f"{SAMPLES} samples of {cases} cases"
        lines.append(LearnerRate(about, rule.name, f"bootstrap {kind}", rate, power, tables))
    return lines


def sample_differences(rule: Rule, cases: int, tables: int, *, seed: int, weaker: float = 1.0) -> np.ndarray:
    """Return mean differences of losses, shape (tables, 1 + samples), that of resubstitution first."""
    splits = bootstrap(cases, SAMPLES, seed=1, resubstitution=True)
    samples = []
    for inputs, targets in drawn(cases, rule, tables, seed=seed, weaker=weaker):
        samples.append([lost_by(inputs, targets, *split, rule).mean(axis=1) for split in splits])
    return np.concatenate([np.stack(one, axis=1) for one in samples])


def sample_p_values(differences_of_samples: np.ndarray, design: Design) -> np.ndarray:
    """Return p of each table. differences_of_samples: as `sample_differences` returns them."""
    own = differences_of_samples if design.resubstitutes else differences_of_samples[:, 1:]
    return np.array([percentile_p(one) for one in sample_means(own, design)])


def mcnemar_p_values(lost: np.ndarray) -> np.ndarray:
    """Return p of McNemar's exact test of each table. lost: 1, 0 or -1, shape (tables, cases, 1)."""
    return np.array([mcnemar(int((one > 0).sum()), int((one < 0).sum()))[0] for one in lost])


def measure_runs(tables: int) -> list[ErrorRate]:
    """Simulate runs of two methods that are equally good on the partition, each by its own seeds."""
    values = np.random.default_rng(9).normal(size=(tables, RUNS, 1))
    rejected = p_values(values, Design("hierarchical", Scheme.ONE_SPLIT)) < ALPHA
    about = f"2 methods, {RUNS} runs on one partition, on which both are equally good"
    return [ErrorRate("t-test over the runs", about, "nominal", ALPHA, rejected)]


# Verdicts of all pairs on a task


METHODS, VERDICTS_INSTANCES, TEST_CASES = (2, 12), (2, 4, 8), 32
VERDICTS_SOURCES = ((10.0, 0.0), (1.0, 1.0), (1.0, 100.0))
VERDICTS_SEED = 13
BETTER = 3.0
"""By so many standard deviations of a mean difference the first method is better where power is asked for."""


class Task(NamedTuple):
    """design: of the test sets; training, cases: variances J s_a^2 and I s_b^2 in units of s_e^2."""

    methods: int
    instances: int
    design: str
    training: float
    cases: float


class VerdictRates(NamedTuple):
    """familywise: share of the tasks on which some equal pair is called different; power: share of
    the pairs with a better method that are found; tables: how many were drawn."""

    familywise: float
    power: float
    tables: int

    @property
    def holds(self) -> bool:
        """Is the rate at most the level, within two standard errors of the simulation?"""
        return self.familywise <= highest(self.tables)


def measure_verdicts(tables: int, each: Each = map) -> list[tuple[Task, VerdictRates]]:
    """Simulate all tasks."""
    tasks = [
        Task(methods, instances, *design)
        for methods in METHODS
        for instances in VERDICTS_INSTANCES
        for design in (("hierarchical", 1.0, 0.0), *(("common", *sources) for sources in VERDICTS_SOURCES))
    ]
    draws = [np.random.default_rng([VERDICTS_SEED, place]) for place in range(len(tasks))]
    return list(zip(tasks, each(verdict_rates, tasks, draws, [tables] * len(tasks)), strict=True))


def verdict_rates(task: Task, draws: np.random.Generator, tables: int) -> VerdictRates:
    null = _different(task, draws, tables)
    shifted = _different(task, draws, max(tables // 10, 1), better=True)
    return VerdictRates(float(null.any(axis=1).mean()), float(shifted[:, : task.methods - 1].mean()), tables)


def _different(task: Task, draws: np.random.Generator, tables: int, *, better: bool = False) -> np.ndarray:
    """Return which pairs differ significantly, shape (tables, pairs), those of the first method first."""
    pair_squares = [
        pair_mean_squares(_losses(task, draws, better), design=task.design) for _ in range(tables)
    ]
    columns = zip(*(one.squares for one in pair_squares), strict=True)
    squares = type(pair_squares[0].squares)(
        *(None if one[0] is None else np.concatenate(one) for one in columns)
    )
    names = ("first", "second", "mean_a", "mean_b", "identical")
    together = {name: np.concatenate([getattr(one, name) for one in pair_squares]) for name in names}
    pairs = PairSquares(**together, squares=squares)
    p = analyze_pairs(pairs, instances=task.instances, test_cases=TEST_CASES).p.reshape(tables, -1)
    return np.array([adjust(row) for row in p]) < ALPHA


def _losses(task: Task, draws: np.random.Generator, better: bool) -> np.ndarray:
    shape = (task.methods, task.instances, TEST_CASES)
    of_training = draws.normal(0, (task.training / TEST_CASES) ** 0.5, (*shape[:2], 1))
    of_cases = draws.normal(0, (task.cases / task.instances) ** 0.5, (shape[0], 1, shape[2]))
    losses: np.ndarray = draws.normal(size=shape) + of_training + of_cases
    if better:
        variance = (1 + task.training + task.cases) / (task.instances * TEST_CASES)
        losses[0] -= BETTER * (2 * variance) ** 0.5
    return losses


_VERDICTS_SECTION = """## The verdicts of one task

Each line has {tables:,} tasks on which no method is better. The rate is the share of tasks on which *some*
pair is called better or worse at {alpha:g}; p is adjusted by Holm's procedure over all pairs. It may be at
most {highest:.4f}, which holds on {held} of {lines} lines. The columns *training*
and *cases* are as above, with {cases} test cases for each training set (hierarchical) or for all
(common). The column *power* is the share of detected differences among pairs
with a method that is better by {better:g} standard deviations of a mean difference.

"""
_VERDICTS_TITLES = (
    "methods",
    "training sets",
    "test sets",
    "training",
    "cases",
    "some pair different",
    "power",
)


def section_verdicts(task_rates: list[tuple[Task, VerdictRates]], tables: int) -> str:
    """Return the section of docs/error-rates.md."""
    held = sum(rates.holds for _, rates in task_rates)
    facts = {"alpha": ALPHA, "highest": highest(tables), "better": BETTER, "cases": TEST_CASES}
    rows = []
    for task, rates in task_rates:
        numbers = (f"{task.training:g}", f"{task.cases:g}", f"{rates.familywise:.4f}", f"{rates.power:.2f}")
        rows.append((str(task.methods), str(task.instances), task.design, *numbers))
    text = _VERDICTS_SECTION.format(tables=tables, held=held, lines=len(task_rates), **facts)
    return text + table_text(_VERDICTS_TITLES, rows)


# Tests of one pair over many tasks


FEW, MANY, FOLDS = 20, 200, 10
SHARE = 1 / FOLDS
COMBINED_TASKS, PAIRS_INSTANCES = 20, 8


def measure_pairs(part: int, tables: int) -> list[ErrorRate]:
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
    scan = scan_pairs(table, level=1 - ALPHA, pairs=pairs)
    what = f"2 methods, {MANY} tasks"
    outside = int(binom.ppf(ALPHA / 2, MANY, 0.5))
    missed = 2 * float(binom.cdf(outside - 1, MANY, 0.5))
    wins = np.arange(MANY + 1) / MANY
    z = 1.959963984540054
    wilson = np.abs(wins - 0.5) > z * 0.5 / np.sqrt(MANY)
    missed_rate = float(binom.pmf(np.arange(MANY + 1), MANY, 0.5)[wilson].sum())
    for name, interval, truth, kind, level in (
        ("mean difference (Student)", mean_difference(scan), 0.0, "nominal", ALPHA),
        ("median difference (sign test)", median_difference(scan), 0.0, "attainable", missed),
        ("win rate (Wilson)", win_rate(scan), 0.5, "attainable", missed_rate),
        ("Vargha-Delaney A", superiority(scan), 0.5, "nominal", ALPHA),
    ):
        missing = (interval.lower > truth) | (interval.upper < truth)
        yield ErrorRate(f"interval of the {name} misses", what, kind, level, missing)


def _combined(draws, tables):
    """DELVE's t-test on each task, put together over the tasks; each pair of methods is one table."""
    differences = draws.normal(0, 1, (tables, COMBINED_TASKS, PAIRS_INSTANCES))
    mean = differences.mean(axis=2).ravel()
    error = differences.std(axis=2, ddof=1).ravel() / np.sqrt(PAIRS_INSTANCES)
    p = 2 * t.sf(np.abs(mean / error), PAIRS_INSTANCES - 1)
    names = np.repeat([f"{number:06d}" for number in range(tables)], COMBINED_TASKS)
    tasks = [f"t{task}" for task in range(COMBINED_TASKS)] * tables
    # Weights must not depend on the draw of the difference: those of equal tasks.
    columns = dict.fromkeys(("dataset", "prototask", "task"), tasks)
    columns |= {"loss": ["S"] * len(p), "method_a": ["a" + name for name in names]}
    columns |= {"method_b": ["b" + name for name in names], "difference": mean, "p": p}
    columns |= {"verdict": verdicts(mean, p, level=1 - ALPHA), "p_adjusted": p}
    weights = np.tile(np.linspace(0.5, 2, COMBINED_TASKS), tables)
    columns |= {"standardized_difference": mean, "standardized_error": weights}
    columns["instances"] = np.full(len(p), PAIRS_INSTANCES)
    combined = combine_comparisons(pa.table(columns))
    what = f"2 methods, {COMBINED_TASKS} tasks with {PAIRS_INSTANCES} training sets"
    decided = np.add(combined["wins"], combined["losses"]) / COMBINED_TASKS
    first = (p.reshape(tables, COMBINED_TASKS) < ALPHA)[:, 0]
    if not np.isclose(decided.mean(), (p < ALPHA).mean()):
        raise RuntimeError("wins and losses are not those of the tasks' tests")
    yield ErrorRate("DELVE's t-test, one task", what, "nominal", ALPHA, first)
    for test, values in (
        ("Stouffer", combined["p_stouffer"].to_numpy()),
        ("Stouffer, weighted", combined["p_weighted"].to_numpy()),
        ("Fisher", combined["p_fisher"].to_numpy()),
    ):
        yield ErrorRate(f"{test}, over tasks", what, "nominal", ALPHA, values <= ALPHA)
