"""Ranks of methods within tasks."""

from dataclasses import dataclass

import numpy as np

from delvecore.statistics.ranking.rounding_noise import task_decimals, without_noise
from delvecore.statistics.ranking.score_table import ScoreTable

__all__ = ["TaskRanks", "average_ranks", "rank_rows", "task_ranks"]


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
