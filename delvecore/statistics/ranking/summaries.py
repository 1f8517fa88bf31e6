"""Plain summaries of a table: spread by method, the best of each task."""

from dataclasses import dataclass

import numpy as np

from delvecore.statistics.ranking.rounding_noise import task_decimals, without_noise
from delvecore.statistics.ranking.score_table import ScoreTable

__all__ = ["MethodSummary", "Place", "leaders", "summarize"]


@dataclass(frozen=True)
class MethodSummary:
    """A method's values over the tasks; not a number where there are too few (std: two)."""

    method: str
    count: int
    missing: int
    mean: float
    std: float
    median: float
    iqr: float
    min: float
    max: float


@dataclass(frozen=True)
class Place:
    """A method's place on a task: rank, from 1; equal values share the lowest."""

    rank: int
    method: str
    value: float


def summarize(table: ScoreTable) -> tuple[MethodSummary, ...]:
    """What are the mean and the spread of each method's values? In the order of the table.

    std: with n - 1; iqr: between the quartiles by linear interpolation. Missing values are counted.
    """
    return tuple(_summary(*one) for one in zip(table.methods, table.values.T, strict=True))


def leaders(table: ScoreTable, *, top: int = 5) -> dict[str, tuple[Place, ...]]:
    """Which methods are best on each task? {task: its first places}, as many as are among the top.

    Equal values share a rank, so that there may be more than `top`; methods without a value have no place.
    """
    losses = without_noise(table.losses, task_decimals(table.values)[:, None])
    rows = zip(table.tasks, losses, table.values, strict=True)
    return {task: _places(table.methods, row, values, top) for task, row, values in rows}


def _summary(method, values):
    known = values[~np.isnan(values)]
    if not len(known):
        return MethodSummary(method, 0, len(values), *[float("nan")] * 6)
    low, middle, high = np.quantile(known, [0.25, 0.5, 0.75])
    std = known.std(ddof=1) if len(known) > 1 else float("nan")
    numbers = (known.mean(), std, middle, high - low, known.min(), known.max())
    return MethodSummary(method, len(known), len(values) - len(known), *map(float, numbers))


def _places(methods, losses, values, top):
    known = [place for place in np.argsort(losses, kind="stable") if not np.isnan(losses[place])]
    ranked = [(1 + int((losses[known] < losses[place]).sum()), place) for place in known]
    return tuple(Place(rank, methods[place], float(values[place])) for rank, place in ranked if rank <= top)
