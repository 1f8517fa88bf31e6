"""The tables of the test: one set of numbers, nine column names, two directions, and what pandas makes of it."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path

import pandas as pd

NAMES = (
    "score",
    "accuracy",
    "1 - score",
    "1-AUC",
    "-LL",
    "neg_error",
    "utility",
    "cost",
    "log_likelihood",
)
METHODS = ("ant", "bee", "cat", "dog")
PAIRS = tuple(combinations(METHODS, 2))
FOLDS = (1, 2, 3, 4)
DESIGNED = tuple(f"{a}-{b}-{c}" for a in ("low", "high") for b in ("linear", "curved") for c in (8, 32))
"""Datasets of a full factorial design, which are a task-array."""
SHIFTS = {"ant": 40, "bee": 0, "cat": 2, "dog": -30}
SECONDS = {"ant": 3.0, "bee": 2.0, "cat": 4.0, "dog": 5.0}
SHAPES = ("folds", "seeds", "means", "measures", "wide")
"""folds, seeds: a row per run; means: a row per dataset and method; measures: a column names the measure; wide: a
column per method."""
STATISTICS = ("mean", "median", "min", "max")
MIRRORS = {
    "as it is": lambda values: values,
    "1 - x": lambda values: 1 - values,
    "-x": lambda values: -values,
}


def numbers() -> pd.DataFrame:
    """Return runs in multiples of 1/256 between 0 and 1: sums, means of four, 1 - x and -x are exact."""
    drawn = random.Random(40)
    rows = []
    for place, dataset in enumerate(DESIGNED):
        base = 110 + 7 * place
        for method in METHODS:
            own = base + SHIFTS[method] + drawn.randint(-6, 6)
            for fold in FOLDS:
                seconds = SECONDS[method] + drawn.randint(0, 8) / 16
                rows.append((dataset, method, fold, (own + drawn.randint(-4, 4)) / 256, seconds))
    runs = pd.DataFrame(rows, columns=["dataset", "method", "fold", "value", "seconds"])
    # On one dataset two methods are equal in each fold.
    tied = runs["dataset"] == DESIGNED[0]
    runs.loc[tied & (runs["method"] == "cat"), "value"] = runs.loc[
        tied & (runs["method"] == "bee"), "value"
    ].to_numpy()
    return runs


@dataclass(frozen=True, eq=False)
class Expected:
    """What pandas says of runs with the columns path, method, run, value (as shown) and raw (as in a file)."""

    runs: pd.DataFrame
    higher_is_better: bool

    @cached_property
    def values(self) -> pd.DataFrame:
        """The mean of each method (columns) on each task (rows: paths); what is equal is so to the last bit."""
        means = self.runs.pivot_table(index="path", columns="method", values="value", aggfunc="mean")
        return means.round(12)

    @cached_property
    def ranks(self) -> pd.Series:
        """The mean rank of each method, 1 being the best."""
        return self.values.rank(axis=1, ascending=not self.higher_is_better).mean()

    @cached_property
    def statistics(self) -> dict[tuple[str, str | None, str, bool], float]:
        """By method, path, statistic, and whether of raw numbers. Without a path: of the means on the tasks."""
        statistics: dict[tuple[str, str | None, str, bool], float] = {}
        for raw, column in enumerate(("value", "raw")):
            for (method, path), values in self.runs.groupby(["method", "path"])[column]:
                statistics |= {
                    (method, path, name, bool(raw)): float(values.agg(name)) for name in STATISTICS
                }
        for row in self.runs.itertuples():
            statistics |= {(row.method, row.path, f"run {row.run}", True): row.raw}
        for method, values in self.values.items():
            statistics |= {(str(method), None, name, False): float(values.agg(name)) for name in STATISTICS}
        return statistics

    @property
    def best(self) -> str:
        return str(self.ranks.idxmin())

    def best_on(self, path: str) -> str:
        row = self.values.loc[path]
        return str(row.idxmax() if self.higher_is_better else row.idxmin())

    def difference(self, a: str, b: str, path: str | None = None, *, raw: bool = False) -> float:
        """Return the mean of a less that of b, on a task or over all."""
        return self.statistics[a, path, "mean", raw] - self.statistics[b, path, "mean", raw]

    def is_better(self, difference: float) -> bool:
        """Is a method better whose value less another's is this?"""
        return difference > 0 if self.higher_is_better else difference < 0


@dataclass(frozen=True, eq=False)
class Case:
    """One measure, in one direction, asked everywhere.

    name: of the column, or the letter of a loss; source: arguments of commands that name data and measure,
    of a table with `folds`; files: {shape: file}, none for losses."""

    name: str
    higher_is_better: bool
    expected: Expected
    directory: Path
    mirror: str = "as it is"
    is_loss: bool = False

    def __str__(self) -> str:
        end = "" if self.mirror == "as it is" else f", {self.mirror}"
        return f"{self.name}{end}, {'higher' if self.higher_is_better else 'lower'}"

    @property
    def direction(self) -> str:
        return "--higher-is-better" if self.higher_is_better else "--lower-is-better"

    def file(self, shape: str = "folds") -> str:
        return str(self.directory / f"{shape}.csv")

    def arguments(self, shape: str = "folds", *, single: bool = True) -> list[str]:
        """Return what a command is told about data and measure. single: does it take one loss only?"""
        if self.is_loss:
            return ["/", "--loss", self.name] if single else ["/", "--losses", self.name]
        named = [f"--metric={self.name}"] if shape in ("measures", "wide") else [f"--value={self.name}"]
        return [self.file(shape), *named, self.direction]


def table_case(directory: Path, name: str, higher_is_better: bool, mirror: str = "as it is") -> Case:
    """Write the numbers in all shapes under a column name, and return the case."""
    directory.mkdir(parents=True)
    runs = numbers()
    runs["value"] = MIRRORS[mirror](runs["value"])
    means = runs.groupby(["dataset", "method"], sort=False)["value"].mean().reset_index()
    wide = means.pivot_table(index="dataset", columns="method", values="value").reset_index()
    tables: Mapping[str, pd.DataFrame] = {
        "folds": runs.rename(columns={"value": name}),
        "seeds": runs.drop(columns="seconds").rename(columns={"value": name, "fold": "seed"}),
        "means": means.rename(columns={"value": name}),
        "measures": means.assign(metric=name)[["dataset", "method", "metric", "value"]],
        "wide": wide,
    }
    for shape, table in tables.items():
        table.to_csv(directory / f"{shape}.csv", index=False)
    known = runs.assign(path="/" + runs["dataset"] + "/scores/all", raw=runs["value"], run=runs["fold"] - 1)
    return Case(name, higher_is_better, Expected(known, higher_is_better), directory, mirror)
