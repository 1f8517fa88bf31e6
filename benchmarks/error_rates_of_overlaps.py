"""How often are equally good learners called different by instances that share cases, such as folds?

Learners are trained and tested as on any task: one sees the first half of the inputs, the other one the
second half, which say as much of the target. Their differences are analysed as those of an archive."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from benchmarks.error_rate import ALPHA, Each, LearnerRate, highest, table_text
from delvecore.readers.instances import overlap_of
from delvecore.stats.designs import COMMON, Design
from delvecore.stats.losses.anova import PairSquares, mean_squares_many
from delvecore.stats.losses.comparisons import analyse_pairs
from delvecore.stats.losses.resampled_t import correct_for_overlap, instance_squares

INPUTS, NEIGHBOURS, RIDGE = 4, 3, 1.0
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


def measure(tables: int, each: Each = map) -> list[LearnerRate]:
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
    found = []
    for inputs, targets in drawn(plan.cases, rule, tables, seed=seed, weaker=weaker):
        sets = zip(plan.training, plan.test, strict=True)
        found.append([lost_by(inputs, targets, *one, rule) for one in sets])
    return np.concatenate([np.stack(one, axis=1) for one in found])


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
    """The mean of the nearest neighbours."""
    squares = np.square(seen).sum(axis=2)[:, None, :] - 2 * asked @ seen.swapaxes(1, 2)
    near = np.argpartition(squares, NEIGHBOURS, axis=2)[:, :, :NEIGHBOURS]
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
    Rule("nearest neighbours", nearest),
    Rule("a tree of one split", one_split),
    Rule("a tree of 16 leaves", cells),
    Rule("nearest neighbours, two classes", nearest, of_classes=True),
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
    return analyse_pairs(pairs, **sizes, most_df=design.most_df).p


_SECTION = """## Instances that share cases

Two learners that are equally good on average, each on its half of the inputs, with {tables:,} tables a
line. The *rate* says how often one is called better at {alpha:g}; it may be {most:.4f}, and {held} of
{lines} lines hold that.

- *uncorrected*: the rate of the same test for instances that share no cases
- *power*: how often a learner is found worse whose inputs tell {weaker:g} times as much, on a tenth as many
  tables
- *resampled, leave-one-out, common test set*: the analysis that the design asks for ([which
  one](statistics.md#instances-that-share-cases))
- *nearest neighbours*: the mean of the nearest three
- *two classes*: guesses are right or wrong

Leave-one-out, and 20 folds or more, of losses 0 or 1 are not tested: no correction keeps the level. A tree
of one split errs there in 0.2 (leave-one-out of 50 cases) and 0.074 (20 folds of 100 cases). With ten folds
it errs in 0.059 of 20,000 further tables.

"""
_PERCENTILES = """
Percentiles of bootstrap samples, with the same learners:

"""


def section(folds: Sequence[LearnerRate], samples: Sequence[LearnerRate]) -> str:
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
    text = _SECTION.format(**facts) + table_text(titles, lines)
    return text + _PERCENTILES + table_text(("samples", "learner", "estimate", "rate", "power"), others)
