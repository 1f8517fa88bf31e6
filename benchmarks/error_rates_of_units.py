"""Error rates of rankings whose tasks are related, by what counts once: what is said of equal methods.

Archives are drawn in which nothing differs: 26 datasets of 1 to 8 tasks, or 5 families with up to 8 datasets.
Methods have a share of their own in each dataset, or family, which its tasks have in common: a correlation of
0.58, near that of the shipped archive (0.62 with 154 tasks of 29 datasets).
"""

from dataclasses import dataclass
from itertools import product

import numpy as np

from benchmarks.error_rate import ALPHA, Each, highest, table_text
from delvecore.stats.ranking.analysis import analyse
from delvecore.stats.ranking.random_effects import random_effects
from delvecore.stats.ranking.score_table import ScoreTable, Units
from delvecore.stats.verdicts import RankTest, pair_verdicts

SHARED = 0.58
DATASETS = tuple(np.random.default_rng(0).integers(1, 9, 26).tolist())
"""Tasks of each dataset."""
FEWER = 4
"""Power is simulated on four times this fewer tables."""
FAMILIES = (8, 8, 8, 1, 1)
"""Datasets of each family, with five tasks each."""
TESTS = (RankTest.NEMENYI, RankTest.WILCOXON, RankTest.FLIPS)
SHIFT = 1.0
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


def measure(tables: int, settings=SETTINGS, each: Each = map) -> list[UnitRates]:
    """Simulate rankings by dataset and by family."""
    return list(each(_rates, [tables] * len(settings), *zip(*settings, strict=True)))


def _rates(tables, unit, methods):
    draws = np.random.default_rng([4, methods, unit == "family"])
    # By default the dataset counts; five families count only by choice.
    chosen = unit if unit == "family" else None
    found = [analyse(_table(draws, unit, methods), unit=chosen) for _ in range(tables)]
    few = max(tables // FEWER, 1)
    better = [analyse(_table(draws, unit, methods, SHIFT), unit=chosen) for _ in range(max(few // 4, 1))]
    return UnitRates(
        unit,
        methods,
        friedman=float(np.mean([one.is_significant for one in found])),
        by_task=float(np.mean([analyse(one.given, unit="task").is_significant for one in found])),
        pairs=tuple(
            float(np.mean([pair_verdicts(one, test).different.any() for one in found])) for test in TESTS
        ),
        power=tuple(
            float(np.mean([pair_verdicts(one, test).different[one.scan.first == 0] for one in better]))
            for test in TESTS
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
    draws, found = np.random.default_rng(5), []
    for sets, units, tau in MEANS:
        true = draws.uniform(0.3, 1.5, (tables, units)) ** 2
        y = draws.normal(0, tau, (tables, units)) + draws.normal(0, np.sqrt(true))
        v = true * draws.chisquare(sets - 1, (tables, units)) / (sets - 1)
        one = random_effects(y, v, level=1 - ALPHA)
        new = draws.normal(0, tau, tables)
        further = np.mean((one.next_lower <= new) & (new <= one.next_upper))
        error = np.mean(one.p < ALPHA)
        found.append(MeanRates(sets, units, tau, float(error), float(further), tables))
    return found


_SECTION = """## Rankings whose tasks are related

{tables:,} archives a line in which no method is better: 26 datasets of 1 to 8 tasks (dataset), or 26
datasets of five tasks in 5 families (family). The correlation within dataset, or family, is {shared:g}.
Rates are familywise, at {alpha:g}, with Holm's adjustment for Wilcoxon's test; each may be {highest:.4f}.
{held} of {lines} lines hold that.

- *if each task counts*: Friedman's rate without units
- *power*: share found of the pairs with a method that is better by {shift:g} standard deviation of a task
"""
_MEANS = """
Random-effects means of units whose errors come from few training sets, {tables:,} draws a line. A p below
{alpha:g} may have the rate {highest:.4f}, and the interval of a further unit may miss its true difference
as often. This holds on {held} of {lines} lines. The interval is one of measured differences, which vary
more.
"""


def section(rankings: list[UnitRates], means: list[MeanRates]) -> str:
    """Return the section of docs/error-rates.md."""
    tables = rankings[0].tables
    facts = {"alpha": ALPHA, "tables": tables, "highest": highest(tables), "lines": len(rankings)}
    facts |= {"shared": SHARED, "shift": SHIFT, "held": sum(one.holds for one in rankings)}
    lines = [
        _SECTION.format(**facts),
    ]
    titles = [
        "unit",
        "methods",
        "if each task counts",
        "Friedman",
        *TESTS,
        *(f"power: {test}" for test in TESTS),
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
    titles = ["training sets", "units", "tau", "p below 0.05", "that of a further unit covers"]
    rows = [
        [str(mean.sets), str(mean.units), f"{mean.tau:g}", f"{mean.error:.4f}", f"{mean.further:.4f}"]
        for mean in means
    ]
    lines += [_MEANS.format(**facts), table_text(titles, rows)]
    return "\n".join(lines)
