"""Sample size planning of a ranking: how many units are needed to detect a difference between two methods?

The test counts each unit once: families, datasets or tasks. The power is for a t-test of a pair's
differences, at the level that remains for one pair after adjustment for all pairs.
"""

from functools import partial

import numpy as np
from scipy.special import ndtr

from delvecore.stats.array_types import Floats, Mask, Whole
from delvecore.stats.losses.anova import Components
from delvecore.stats.power import POWER, planned_power, smallest_size
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.nemenyi import range_quantile
from delvecore.stats.verdicts import PairVerdicts, RankTest


def level_of_one_pair(verdicts: PairVerdicts, methods: int) -> float:
    """Return the level for the test of one pair after adjustment for all pairs.

    Sign flips and Nemenyi's test compare all pairs by the largest statistic, so they use the studentized
    range. Other tests, and tests with a control, divide the level by the number of comparisons.
    """
    if verdicts.adjustment == "none":
        return verdicts.alpha
    if verdicts.control is not None:
        return verdicts.alpha / max(methods - 1, 1)
    if verdicts.test in (RankTest.FLIPS, RankTest.NEMENYI):
        return float(2 * ndtr(-range_quantile(verdicts.alpha, methods) / np.sqrt(2)))
    return verdicts.alpha / max(methods * (methods - 1) // 2, 1)


def open_pairs(analysis: Analysis, verdicts: PairVerdicts) -> Mask:
    """Return the compared pairs with varying differences that are not significant."""
    places, control = np.array([analysis.scan.first, analysis.scan.second]), verdicts.control
    compared = np.ones(len(analysis.scan.first), bool) if control is None else (places == control).any(axis=0)
    open_ones = ~verdicts.different | (not verdicts.is_testable)
    return np.asarray(
        compared & open_ones & ~analysis.scan.constant & np.isfinite(analysis.scan.deviation), bool
    )


def plan_units(
    analysis: Analysis, verdicts: PairVerdicts, difference: float, *, power: float = POWER
) -> tuple[Whole, Floats, Floats]:
    """Plan the number of units needed to detect a difference of this size, for each pair without a
    significant difference.

    difference: the smallest difference that matters, in the unit of the values. Returns the positions of the
    pairs in the order of `Analysis.scan`, the power with the current units, and the number of units with the
    desired power, NaN if 100,000 are not enough. Raises ValueError for fewer than two units."""
    units, pairs = len(analysis.units.tasks), np.flatnonzero(open_pairs(analysis, verdicts))
    alpha = level_of_one_pair(verdicts, len(analysis.table.methods))
    # Fewer units cannot be significant, whatever the signs of their differences.
    least = max(2, int(np.ceil(1 - np.log2(alpha))))

    def power_of(deviation: float, count: int) -> float:
        spread = Components(deviation, None, 0.0)
        return planned_power(spread, difference, instances=count, test_cases=2, level=1 - alpha)

    now, wanted = [], []
    for deviation in analysis.scan.deviation[pairs].tolist():
        now.append(power_of(deviation, units) if units >= least else 0.0)
        size = smallest_size(partial(power_of, deviation), power=power)
        wanted.append(np.nan if size is None else float(max(size, least)))
    return pairs, np.array(now), np.array(wanted)
