"""Error rates of the default unit of a ranking: tasks of one dataset, and datasets of declared families.

All methods are equally good. Each has an effect of its own in each family and in each dataset, which the
tasks there share. The default unit is compared with `--unit dataset` and `--unit task` on the same tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from benchmarks.error_rate import ALPHA, Each, highest, table_text
from delvecore.stats.choose import Verdict
from delvecore.stats.orientation import oriented
from delvecore.stats.ranking.analysis import Analysis, analyse
from delvecore.stats.ranking.score_table import ScoreTable, Units
from delvecore.stats.verdicts import PairVerdicts, RankTest, pair_verdicts

METHODS = (2, 6, 12)
ONE_DATASET = (15,)
"""Tasks of each dataset of each family where there is one of both."""
MANY, FEW = (3, 4, 3, 4, 3, 4, 3, 4), (3, 4, 3)
"""Datasets of each family where the family counts by default, and where the dataset does."""
TASKS = 2
"""Tasks of each of these datasets."""
CORRELATIONS = (0.12, 0.3)
"""Of tasks of one family and two datasets."""
WITHIN_DATASET = 0.58
"""Correlation of the tasks of a dataset, near that of the shipped archive."""
FEWER = 4
"""Other units than the default one are simulated on so many times fewer tables."""
SEED = 27
Floats = np.ndarray


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
    return list(each(one_dataset, METHODS, [tables] * len(METHODS)))


def measure(tables: int, each: Each = map) -> list[FamilyRates]:
    """Simulate tables of many and of few families."""
    settings = [(*one, tables) for one in product((MANY, FEW), CORRELATIONS, METHODS)]
    return list(each(family_rates, *zip(*settings, strict=True)))


def one_dataset(methods: int, tables: int) -> OneDataset:
    """Simulate tables whose tasks are of one dataset."""
    draws = np.random.default_rng([SEED, methods])
    rows = []
    for _ in range(tables):
        table, _ = drawn_table(draws, ONE_DATASET, methods, 0.0, datasets=[1])
        verdicts = flips_of(analyse(table))
        by_task = flips_of(analyse(table, unit="task"))
        rows.append((has_verdict(verdicts), verdicts.tested == 0, has_verdict(by_task)))
    return OneDataset(methods, *np.mean(rows, axis=0).tolist())


def family_rates(datasets: Sequence[int], correlation: float, methods: int, tables: int) -> FamilyRates:
    """Simulate tables of families with so many datasets each."""
    draws = np.random.default_rng([SEED, len(datasets), methods, round(100 * correlation)])
    rows, others, unit = [], [], ""
    for number in range(tables):
        table, truth = drawn_table(draws, [TASKS] * sum(datasets), methods, correlation, datasets=datasets)
        analysis = analyse(table)
        verdicts, unit = flips_of(analysis), analysis.unit
        rows.append((has_verdict(verdicts), is_against(analysis, verdicts, truth)))
        if number % FEWER == 0:
            others.append([has_verdict(flips_of(analyse(table, unit=one))) for one in ("dataset", "task")])
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

Tables of {tasks} tasks of one dataset on which no method is better. A test over tasks of one dataset says
nothing about other datasets, and so no verdict is given. {held} of {lines} lines hold that.

- *any verdict*: tables in which some pair is called different by default
- *not tested*: tables in which no pair is tested by default
- *--unit task*: tables in which some pair is called different if each task counts

"""
_FAMILIES = """## Families of datasets

Tables with columns `dataset` and `family` on which no method is better. A family has three or four datasets,
a dataset two tasks. Tasks of one dataset correlate by {within:g}, those of two datasets of a family by
*correlation*. A table errs where some pair is called different at {alpha:g}; the rate may be {most:.4f}.
{held} of {lines} lines of both tables hold that.

- *default*: errors of the unit that counts where nobody chooses
- *--unit dataset, --unit task*: errors where each dataset, or each task, counts, in a quarter of the tables

"""
_FEW = """
With three families the claim is about these families only. In each of them methods differ, though not in
all families together. A verdict errs if its direction is not that of the true difference over the datasets
of the families.

- *wrong direction*: tables with such a verdict
- *any pair different*: errors if verdicts were about other families, too

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


def section(lines: Sequence[FamilyRates]) -> str:
    """Return the section of docs/error-rates.md on families."""
    facts = {"within": WITHIN_DATASET, "alpha": ALPHA, "most": highest(lines[0].tables)}
    facts |= {"held": sum(line.holds for line in lines), "lines": len(lines)}
    titles = ("families", "methods", "correlation", "unit")
    many, few = ([line for line in lines if line.families == len(one)] for one in (MANY, FEW))
    rows = [(*_head(line), *map(_rate, (line.default, line.by_dataset, line.by_task))) for line in many]
    text = _FAMILIES.format(**facts) + table_text((*titles, "default", "--unit dataset", "--unit task"), rows)
    rows = [(*_head(line), *map(_rate, (line.against, line.default))) for line in few]
    return text + _FEW + table_text((*titles, "wrong direction", "any pair different"), rows)


def _head(line: FamilyRates) -> tuple[str, ...]:
    return str(line.families), str(line.methods), f"{line.correlation:g}", line.unit


def _rate(rate: float) -> str:
    return f"{rate:.4f}"
