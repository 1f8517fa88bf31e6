"""Differences of pairs on scales that have no unit: standardized, of ranks, of order."""

from dataclasses import dataclass

import numpy as np
from scipy.special import nctdtrinc

from delvecore.stats.kinds import Floats
from delvecore.stats.ranking.effects import EffectSizes, Interval
from delvecore.stats.ranking.pair_scan import PairScan

__all__ = ["ScaledEffects", "scaled_effects"]


@dataclass(frozen=True, eq=False)
class ScaledEffects:
    """Each from -1 to 1 but the first, above 0 where values of a are the larger ones (a less b).

    standardized: mean difference over its deviation, corrected for few units (Hedges), with the interval of
    the noncentral t. rank_biserial: the difference of the sums of the ranks of positive and negative
    differences, over their sum; no interval. cliff: of all pairs of values, the share where a's is larger
    less the share where b's is."""

    standardized: Interval
    rank_biserial: Floats
    cliff: Interval


def scaled_effects(scan: PairScan, effects: EffectSizes) -> ScaledEffects:
    """How large are the differences, whatever their unit? effects: those of the same scan.

    Not a number where differences do not vary, or are all zero (rank_biserial).
    Source: Hedges 1981; Cumming and Finch 2001 (interval); Kerby 2014; Cliff 1993."""
    units, df = scan.tasks, scan.tasks - 1
    with np.errstate(invalid="ignore", divide="ignore"):
        raw = np.where(scan.constant, np.nan, scan.mean / scan.deviation)
        ranked = scan.positive + scan.negative
        every = ranked + (scan.zero if scan.zeros == "pratt" else 0)
        total = (every * (every + 1) - (every - ranked) * (every - ranked + 1)) / 2
        biserial = np.where(ranked > 0, 2 * scan.rank_sum / total - 1, np.nan)
    few = 1 - 3 / (4 * df - 1) if df > 1 else np.nan
    ends = (_shift(df, raw * np.sqrt(units), share) / np.sqrt(units) for share in _tails(scan.level))
    sign = 1.0 if scan.table.higher_is_better else -1.0
    order = [sign * (2 * end - 1) for end in _turned(effects.superiority, sign)]
    return ScaledEffects(Interval(few * raw, *ends), biserial, Interval(*order))


def _tails(level: float) -> tuple[float, float]:
    return (1 + level) / 2, (1 - level) / 2


def _turned(interval: Interval, sign: float) -> tuple[Floats, Floats, Floats]:
    ends = (interval.lower, interval.upper)
    return (interval.estimate, *(ends if sign > 0 else ends[::-1]))


def _shift(df: int, t: Floats, share: float) -> Floats:
    """Which noncentrality leaves this share below t?"""
    found: Floats = nctdtrinc(df, share, t)
    return found
