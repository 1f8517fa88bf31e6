"""Further tests of whether methods differ at all, which use more of the values than ranks within tasks."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc, fdtrc

from delvecore.statistics.ranking.ranks import rank_rows, task_decimals, task_ranks, without_noise
from delvecore.statistics.ranking.score_table import ScoreTable

__all__ = ["AlignedRanks", "Quade", "SkillingsMack", "aligned_ranks", "quade", "skillings_mack"]


@dataclass(frozen=True)
class Quade:
    """f with df1 and df2 degrees of freedom; infinite with p = 0 where all tasks rank alike."""

    f: float
    df1: int
    df2: int
    p: float


@dataclass(frozen=True)
class AlignedRanks:
    """chi2 with df degrees of freedom."""

    chi2: float
    df: int
    p: float


@dataclass(frozen=True)
class SkillingsMack:
    """chi2: corrected for ties; df: methods less groups of methods that no task compares.

    tasks: how many have values of two methods at least, and so count.
    """

    chi2: float
    df: int
    p: float
    chi2_uncorrected: float
    tasks: int


def quade(table: ScoreTable) -> Quade:
    """Do methods differ, when tasks count by the range of their values?

    The values of the tasks must be comparable. Where no task tells methods apart, f is 0 and p 1.
    Raises ValueError for missing values, one task or one method. Source: Quade 1979; Conover 1999, 5.8.
    """
    tasks, methods = _shape(table)
    ranks = task_ranks(table).ranks
    decimals = task_decimals(table.values)
    ranges = without_noise(np.ptp(table.values, axis=1), decimals)
    weights = rank_rows(ranges[None, :])[0][0]
    scores = weights[:, None] * (ranks - (methods + 1) / 2)
    every = float(np.square(scores).sum())
    between = float(np.square(scores.sum(axis=0)).sum()) / tasks
    df1, df2 = methods - 1, (methods - 1) * (tasks - 1)
    if every - between <= 1e-12 * every:
        f = math.inf if every else 0.0
    else:
        f = (tasks - 1) * between / (every - between)
    return Quade(f, df1, df2, float(fdtrc(df1, df2, f)))


def aligned_ranks(table: ScoreTable) -> AlignedRanks:
    """Do methods differ, when all values are ranked together after each task's mean was subtracted?

    The values of the tasks must be comparable. Without any difference chi2 is 0 and p 1. Raises ValueError as
    `quade`. Source: Hodges and Lehmann 1962; Garcia and others 2010, Information Sciences 180, section 3.1.
    """
    tasks, methods = _shape(table)
    losses = without_noise(table.losses, task_decimals(table.values)[:, None])
    # Times the number of methods, values less their mean are sums of decimals, and tie as they should.
    about_mean = losses * methods - losses.sum(axis=1, keepdims=True)
    about_mean = without_noise(about_mean, task_decimals(table.values)[:, None])
    ranks = rank_rows(about_mean.reshape(1, -1))[0].reshape(tasks, methods)
    count = tasks * methods
    about_middle = ranks.sum(axis=0) - tasks * (count + 1) / 2
    spread = count * (count + 1) * (2 * count + 1) / 6 - np.square(ranks.sum(axis=1)).sum() / methods
    between = float(about_middle @ about_middle)
    chi2 = float((methods - 1) * between / spread) if between else 0.0
    return AlignedRanks(chi2, methods - 1, float(chdtrc(methods - 1, chi2)))


def skillings_mack(table: ScoreTable) -> SkillingsMack:
    """Do methods differ, by all values that there are, when some are missing?

    A task counts with the methods that have a value; values must be missing for reasons that have nothing to
    do with how good they would have been. On a table without gaps this is Friedman's test. Raises ValueError
    where no task has two values. Source: Skillings and Mack 1981; ties as in Friedman's test.
    """
    present = ~np.isnan(table.values)
    counted = present.sum(axis=1) > 1
    if not counted.any():
        raise ValueError("expected a task with values of two methods, got none")
    present, values = present[counted], table.losses[counted]
    values = without_noise(values, task_decimals(table.values[counted])[:, None])
    ranks, ties = rank_rows(np.where(present, values, np.inf))
    size = present.sum(axis=1)
    gaps = present.shape[1] - size
    untied = 1 - (ties - (gaps**3 - gaps)) / (size**3 - size)
    weighted = np.where(present, ranks - (size[:, None] + 1) / 2, 0.0) * np.sqrt(12 / (size[:, None] + 1))
    total = weighted.sum(axis=0)
    chi2, df = _quadratic(total, present, untied)
    uncorrected, _ = _quadratic(total, present, np.ones(len(size)))
    p = float(chdtrc(df, chi2)) if df else 1.0
    return SkillingsMack(chi2, df, p, uncorrected, int(counted.sum()))


def _quadratic(total: np.ndarray, present: np.ndarray, untied: np.ndarray) -> tuple[float, int]:
    """Return total' covariance^- total and the rank of the covariance."""
    shown = present.astype(float)
    covariance = -(shown.T * untied) @ shown
    np.fill_diagonal(covariance, 0.0)
    np.fill_diagonal(covariance, -covariance.sum(axis=1))
    values, vectors = np.linalg.eigh(covariance)
    kept = values > 1e-9 * max(values[-1], 1.0)
    return float((np.square(vectors[:, kept].T @ total) / values[kept]).sum()), int(kept.sum())


def _shape(table: ScoreTable) -> tuple[int, int]:
    tasks, methods = table.values.shape
    if table.missing or min(tasks, methods) < 2:
        found = f"{tasks} tasks, {methods} methods and {table.missing} missing values"
        raise ValueError(f"expected two tasks and methods at least and no gaps, got {found}")
    return tasks, methods
