"""How large are the differences between methods, with intervals: what a p-value does not tell."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri, stdtrit
from scipy.stats import binom

from delvecore.statistics.ranking.pair_scan import PairChunks
from delvecore.statistics.ranking.rounding_noise import task_decimals, without_noise
from delvecore.statistics.ranking.score_table import ScoreTable

__all__ = ["EffectSizes", "Interval", "effect_sizes", "wilson_interval"]


@dataclass(frozen=True, eq=False)
class Interval:
    """Estimates with the ends of their confidence intervals, arrays with one entry a pair."""

    estimate: np.ndarray
    lower: np.ndarray
    upper: np.ndarray


@dataclass(frozen=True, eq=False)
class EffectSizes:
    """Effects for all pairs a = first < b = second, from the values as they are (a less b).

    mean: of the differences, with Student's interval; median, with that of the sign test, infinite where the
    tasks are too few. win_rate: share of tasks where a is better, a tie as one half, with Wilson's interval.
    superiority: Vargha and Delaney's A, the chance that a on one task is better than b on another, ties as
    one half; it means something where the values of the tasks do mean the same.
    """

    level: float
    first: np.ndarray
    second: np.ndarray
    mean: Interval
    median: Interval
    win_rate: Interval
    superiority: Interval


def effect_sizes(
    table: ScoreTable, *, level: float = 0.95, pairs: tuple[np.ndarray, np.ndarray] | None = None
) -> EffectSizes:
    """By how much do methods differ, and how often is one better? Intervals have the confidence `level`.

    They are not adjusted for the number of pairs. Raises ValueError for a level that is not between 0 and 1
    and for missing values. Source: Vargha and Delaney 2000; DeLong and others 1988 for its variance.
    """
    if not 0 < level < 1:
        raise ValueError(f"expected a level between 0 and 1, got {level}")
    chunks = PairChunks(table, pairs)
    parts = [_of_chunk(differences, level) for differences in chunks.differences()]
    mean, median, signs = (np.concatenate(one, axis=-1) for one in zip(*parts, strict=True))
    tasks = len(table.tasks)
    rate = (1 + (-signs if table.higher_is_better else signs) / tasks) / 2
    return EffectSizes(
        level,
        chunks.first,
        chunks.second,
        Interval(*mean),
        Interval(*median),
        Interval(rate, *wilson_interval(rate, tasks, level=level)),
        _superiority(table, chunks, level),
    )


def wilson_interval(
    share: np.ndarray, count: float | np.ndarray, *, level: float = 0.95
) -> tuple[np.ndarray, np.ndarray]:
    """Between which values does the true share lie? (lower, upper). Source: Wilson 1927."""
    z = float(-ndtri((1 - level) / 2))
    weight = z * z / np.asarray(count, dtype=float)
    middle = (share + weight / 2) / (1 + weight)
    reach = np.sqrt(weight * share * (1 - share) + weight * weight / 4) / (1 + weight)
    # Rounding must not exclude a share of exactly 0 or 1.
    return np.clip(middle - reach, 0.0, share), np.clip(middle + reach, share, 1.0)


def _of_chunk(differences, level):
    """Return (mean, median: estimate, lower, upper; how many are negative less positive) for each row."""
    tasks = differences.shape[1]
    mean = differences.mean(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        deviation = differences.std(axis=1, ddof=1) if tasks > 1 else np.full(len(mean), np.nan)
        reach = stdtrit(max(tasks - 1, 1), (1 + level) / 2) * deviation / math.sqrt(tasks)
    signs = ((differences < 0).sum(axis=1) - (differences > 0).sum(axis=1)).astype(float)
    differences.sort(axis=1)
    median = (differences[:, (tasks - 1) // 2] + differences[:, tasks // 2]) / 2
    place = int(binom.ppf((1 - level) / 2, tasks, 0.5))
    infinite = np.full(len(mean), np.inf)
    lower = differences[:, place - 1] if place else -infinite
    upper = differences[:, tasks - place] if place else infinite
    return np.array([mean, mean - reach, mean + reach]), np.array([median, lower, upper]), signs


def _superiority(table, chunks, level):
    values = without_noise(table.losses, task_decimals(table.values)[:, None]).T
    ordered = np.sort(values, axis=1)
    tasks = values.shape[1]
    estimate, effective = np.empty(len(chunks.first)), np.empty(len(chunks.first))
    for pair, (a, b) in enumerate(zip(chunks.first.tolist(), chunks.second.tolist(), strict=True)):
        # For each task: the share of the other method's tasks that a beats, and that b is beaten by.
        beats = 1 - _share_below(ordered[b], values[a])
        beaten = _share_below(ordered[a], values[b])
        estimate[pair] = beats.mean()
        variance = (beats + beaten).var(ddof=1) / tasks if tasks > 1 else 0.0
        share = estimate[pair] * (1 - estimate[pair])
        effective[pair] = share / variance if variance > 0 and share > 0 else tasks
    return Interval(estimate, *wilson_interval(estimate, effective, level=level))


def _share_below(ordered, values):
    """The share of ordered values below each value; one that is equal counts half."""
    left = np.searchsorted(ordered, values, side="left")
    return (left + np.searchsorted(ordered, values, side="right")) / (2 * len(ordered))
