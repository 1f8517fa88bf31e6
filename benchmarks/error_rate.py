"""What the simulations of error rates share: tables without differences, and lines of the report."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from delvecore.stats.ranking.score_table import ScoreTable

ALPHA, TABLES = 0.05, 8_000
PARTS = 16
"""Into so many parts the tables of a section without lines of equal work are divided."""
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
        How many tables a line or a cell has.
    each : str
        What has so many: `line` or `cell`.
    """

    text: str
    holds: bool
    tables: int
    each: str = "line"


@dataclass(frozen=True, eq=False)
class ErrorRate:
    """One line: of which test, on which tables, what is promised, and in which tables it found a difference.

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


def table_text(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [titles, ["---"] * len(titles), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
