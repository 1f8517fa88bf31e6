"""How often does a ranking warn of failed runs that are concentrated in some methods?

Equal methods are drawn on datasets with folds, and some of their runs fail. The warning errs where failures
hit all methods alike. It should be shown where one method fails on its own hard folds, as rankings over
common runs then call this method better."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from benchmarks.error_rate import ALPHA, Each, highest, table_text
from delvecore.stats.ranking.analysis import analyse
from delvecore.stats.ranking.failed_runs import concentration_test
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.verdicts import DEFAULT_TEST, pair_verdicts

Size = tuple[int, int, int]
SIZES: tuple[Size, ...] = ((2, 20, 10), (3, 20, 10), (5, 20, 10), (5, 12, 5))
"""Methods, datasets, folds."""
SHARE = 0.06
"""Of the runs of a method that fails."""
FEWER = 4
"""Rankings are made of so many times fewer tables."""
Draw = Callable[[np.random.Generator, np.ndarray], np.ndarray]
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


NULLS: dict[str, Draw] = {
    "at random": _at_random,
    "hard folds": _hard_folds,
    "many folds of a dataset": _whole_datasets,
}
OWN = "its own hard folds"


def table_of(draws: np.random.Generator, size: Size, fails: Draw) -> np.ndarray:
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
    found = analyse(ScoreTable(tasks, methods, np.nanmean(common, axis=2).T))
    verdicts = pair_verdicts(found, DEFAULT_TEST)
    return bool((verdicts.different & verdicts.first_is_better & (found.scan.first == 0)).any())


def measure(tables: int, each: Each = map) -> list[WarningRate]:
    """Simulate tables of equal methods with failed runs."""
    return [rate for rates in each(size_rates, SIZES, [tables] * len(SIZES)) for rate in rates]


def size_rates(size: Size, tables: int) -> list[WarningRate]:
    """Simulate tables of one size."""
    draws, rates = np.random.default_rng([7, *size]), []
    for name, fails in NULLS.items():
        shown = np.mean([is_warned(table_of(draws, size, fails)) for _ in range(tables)])
        rates.append(WarningRate(name, size, float(shown), None, None, tables))
    drawn = [table_of(draws, size, own_hard_folds) for _ in range(tables)]
    warned = np.array([is_warned(one) for one in drawn])
    few = max(tables // FEWER, 1)
    better = np.array([_is_better(one) for one in drawn[:few]])
    shares = float(warned.mean()), float(better.mean()), float((better & ~warned[:few]).mean())
    return [*rates, WarningRate(OWN, size, *shares, tables)]


_SECTION = """## Failed runs

{tables:,} tables of equal methods a line. Folds are hard or easy for all methods, and for each method by
itself. About {share:.0%} of the runs of a method fail. The *warning* says that failed runs are concentrated
in some methods. It may be shown in {most:.4f} of the tables where all methods fail alike; {held} of
{lines} lines hold that.

- *at random*: each run fails with the same probability
- *hard folds*: some folds are hard, and each method fails on most of them
- *many folds of a dataset*: a method that fails on a dataset fails on a third of its folds or more
- *its own hard folds*: only the first method fails, on the folds that are hardest for it alone
- *better*: tables in which common runs make the first method significantly better than another, of
  {few:,} tables
- *unwarned*: the same without a warning

"""


def section(rates: list[WarningRate]) -> str:
    """Return the section of docs/error-rates.md."""
    nulls, tables = [one for one in rates if one.better is None], rates[0].tables
    facts = {"tables": tables, "share": SHARE, "most": highest(tables), "few": max(tables // FEWER, 1)}
    text = _SECTION.format(held=sum(one.holds for one in nulls), lines=len(nulls), **facts)
    titles = ("failed runs", "methods", "datasets", "folds", "warning", "better", "unwarned")
    rows = [
        (one.name, *map(str, one.size), *map(_rate, (one.shown, one.better, one.unwarned))) for one in rates
    ]
    return text + table_text(titles, rows)


def _rate(rate: float | None) -> str:
    return "–" if rate is None else f"{rate:.4f}"
