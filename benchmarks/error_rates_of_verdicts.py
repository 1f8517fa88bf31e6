"""How often is some difference significant on a task where no method is better? The verdicts of all pairs.

Losses of all methods are drawn, with training sets, test cases and the rest that vary by method; they are
compared as an archive compares them, p adjusted by Holm's procedure over all pairs."""

from typing import NamedTuple

import numpy as np

from benchmarks.error_rate import ALPHA, Each, highest, table_text
from delvecore.stats.losses.anova import PairSquares, pair_mean_squares
from delvecore.stats.losses.comparisons import analyse_pairs
from delvecore.stats.p_adjustment import adjust

METHODS, INSTANCES, TEST_CASES = (2, 12), (2, 4, 8), 32
SOURCES = ((10.0, 0.0), (1.0, 1.0), (1.0, 100.0))
SEED = 13
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


def measure(tables: int, each: Each = map) -> list[tuple[Task, VerdictRates]]:
    """Simulate all tasks."""
    tasks = [
        Task(methods, instances, *design)
        for methods in METHODS
        for instances in INSTANCES
        for design in (("hierarchical", 1.0, 0.0), *(("common", *sources) for sources in SOURCES))
    ]
    draws = [np.random.default_rng([SEED, place]) for place in range(len(tasks))]
    return list(zip(tasks, each(verdict_rates, tasks, draws, [tables] * len(tasks)), strict=True))


def verdict_rates(task: Task, draws: np.random.Generator, tables: int) -> VerdictRates:
    null = _different(task, draws, tables)
    shifted = _different(task, draws, max(tables // 10, 1), better=True)
    return VerdictRates(float(null.any(axis=1).mean()), float(shifted[:, : task.methods - 1].mean()), tables)


def _different(task: Task, draws: np.random.Generator, tables: int, *, better: bool = False) -> np.ndarray:
    """Return which pairs differ significantly, shape (tables, pairs), those of the first method first."""
    found = [pair_mean_squares(_losses(task, draws, better), design=task.design) for _ in range(tables)]
    columns = zip(*(one.squares for one in found), strict=True)
    squares = type(found[0].squares)(*(None if one[0] is None else np.concatenate(one) for one in columns))
    names = ("first", "second", "mean_a", "mean_b", "identical")
    together = {name: np.concatenate([getattr(one, name) for one in found]) for name in names}
    pairs = PairSquares(**together, squares=squares)
    p = analyse_pairs(pairs, instances=task.instances, test_cases=TEST_CASES).p.reshape(tables, -1)
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


_SECTION = """## The verdicts of one task

{tables:,} tasks a line on which no method is better. The rate is the share on which *some* pair is called
better or worse at {alpha:g}; p is adjusted by Holm's procedure over all pairs. It may be {highest:.4f}, and
{held} of {lines} lines hold that. *training* and *cases* are as above, with {cases} test cases of each
training set (hierarchical) or of all (common). *Power* is the share found of the pairs with a method that
is better by {better:g} standard deviations of a mean difference.

"""
_TITLES = ("methods", "training sets", "test sets", "training", "cases", "some pair different", "power")


def section(found: list[tuple[Task, VerdictRates]], tables: int) -> str:
    """Return the section of docs/error-rates.md."""
    held = sum(rates.holds for _, rates in found)
    facts = {"alpha": ALPHA, "highest": highest(tables), "better": BETTER, "cases": TEST_CASES}
    rows = []
    for task, rates in found:
        numbers = (f"{task.training:g}", f"{task.cases:g}", f"{rates.familywise:.4f}", f"{rates.power:.2f}")
        rows.append((str(task.methods), str(task.instances), task.design, *numbers))
    text = _SECTION.format(tables=tables, held=held, lines=len(found), **facts)
    return text + table_text(_TITLES, rows)
