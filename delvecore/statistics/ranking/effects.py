"""How large are the differences between methods, with intervals: what a p-value does not tell."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri, stdtrit

from delvecore.statistics.ranking.pair_scan import PairScan, scan_pairs
from delvecore.statistics.ranking.score_table import ScoreTable
from delvecore.statistics.ranking.superiority import superiority

__all__ = ["EffectSizes", "Interval", "effect_sizes", "effect_sizes_of", "wilson_interval"]


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
    return effect_sizes_of(scan_pairs(table, level=level, pairs=pairs), table)


def effect_sizes_of(scan: PairScan, table: ScoreTable) -> EffectSizes:
    """As `effect_sizes`, from a scan of the table's pairs, with its level."""
    tasks, level = scan.tasks, scan.level
    with np.errstate(invalid="ignore"):
        reach = stdtrit(max(tasks - 1, 1), (1 + level) / 2) * scan.deviation / math.sqrt(tasks)
    signs = (scan.positive - scan.negative) * (1.0 if table.higher_is_better else -1.0)
    rate = (1 + signs / tasks) / 2
    return EffectSizes(
        level,
        scan.first,
        scan.second,
        Interval(scan.mean, scan.mean - reach, scan.mean + reach),
        Interval(scan.median, scan.median_lower, scan.median_upper),
        Interval(rate, *wilson_interval(rate, tasks, level=level)),
        _superiority(table, scan, level),
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


def _superiority(table, scan, level):
    """Wilson's interval with as many tasks as a share of independent ones would need for the variance."""
    estimate, variance = superiority(table, scan.first, scan.second)
    share = estimate * (1 - estimate)
    with np.errstate(invalid="ignore", divide="ignore"):
        effective = np.where((variance > 0) & (share > 0), share / variance, scan.tasks)
    return Interval(estimate, *wilson_interval(estimate, effective, level=level))
