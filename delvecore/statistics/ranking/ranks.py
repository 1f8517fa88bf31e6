"""Ranks of methods within tasks.

Numbers that are equal as decimals made equal as doubles, so that they tie.
"""

from dataclasses import dataclass

import numpy as np

from delvecore.statistics.ranking.score_table import ScoreTable

__all__ = [
    "DIGITS",
    "TaskRanks",
    "average_ranks",
    "rank_rows",
    "task_decimals",
    "task_ranks",
    "without_noise",
]

DIGITS = 12
"""Digits that count, from the first of the largest value of a task."""
_MOST_DECIMALS = 300


def without_noise(values: np.ndarray, decimals: np.ndarray) -> np.ndarray:
    """Return values rounded to decimals (broadcast), equal decimals as one and the same double.

    0.3 - 0.1 and 0.2 differ in their last bit; as scores of a table they are the same. A whole number below
    2^53 times or over a power of ten below 10^23 is rounded once, so that the double depends only on the
    decimal, not on how many decimals it was rounded to.
    """
    up = 10.0 ** np.clip(decimals, 0, _MOST_DECIMALS)
    down = 10.0 ** np.clip(-decimals, 0, _MOST_DECIMALS)
    with np.errstate(over="ignore", invalid="ignore"):
        rounded = np.rint(values * up / down) * down / up
    return np.where(np.isfinite(rounded), rounded, values) + 0.0


def task_decimals(values: np.ndarray) -> np.ndarray:
    """How many decimals of each task's values count? Shape (tasks,); `DIGITS` from its largest value on."""
    with np.errstate(divide="ignore"):
        largest = np.nanmax(np.abs(values), axis=1, initial=0.0)
        exponent = np.floor(np.log10(np.where(largest > 0, largest, 1.0)))
    return DIGITS - 1 - exponent


@dataclass(frozen=True, eq=False)
class TaskRanks:
    """Ranks of the methods on each task, 1 for the best; ties share the mean of their ranks.

    ranks: shape (tasks, methods). tie_terms: for each task the sum of t^3 - t over its groups of t equal
    values, zero without ties.
    """

    tasks: tuple[str, ...]
    methods: tuple[str, ...]
    ranks: np.ndarray
    tie_terms: np.ndarray

    @property
    def average(self) -> np.ndarray:
        """The mean rank of each method."""
        # Sums of half-integers are exact, so that methods with equal sums have equal means.
        return self.ranks.sum(axis=0) / len(self.tasks)


def task_ranks(table: ScoreTable) -> TaskRanks:
    """Which method is first, second, ... on each task?

    Values that agree in 12 digits, counted from the largest of the task, are equal. Raises ValueError for a
    table with missing values (see `complete_table`) or with nothing in it.
    """
    if table.missing or not table.values.size:
        raise ValueError(f"expected a table without gaps, got {table.missing} missing of {table.values.size}")
    losses = without_noise(table.losses, task_decimals(table.values)[:, None])
    ranks, tie_terms = rank_rows(losses)
    return TaskRanks(table.tasks, table.methods, ranks, tie_terms)


def average_ranks(table: ScoreTable) -> dict[str, float]:
    """Which methods are good on average over the tasks? {method: mean rank}, 1 is best."""
    found = task_ranks(table)
    return dict(zip(found.methods, found.average.tolist(), strict=True))


def rank_rows(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rank each row of a matrix from its lowest value on: (ranks, sum of t^3 - t over a row's ties)."""
    rows, columns = values.shape
    order = np.argsort(values, axis=1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=1)
    is_new = np.ones((rows, columns), dtype=bool)
    is_new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    starts = np.flatnonzero(is_new)
    sizes = np.diff(np.append(starts, values.size))
    mean_rank = starts % columns + (sizes + 1) / 2
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, np.repeat(mean_rank, sizes).reshape(values.shape), axis=1)
    size = sizes.astype(float)
    tie_terms = np.bincount(starts // columns, weights=size**3 - size, minlength=rows)
    return ranks, tie_terms
