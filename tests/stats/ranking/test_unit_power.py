"""Plans of how many units find a difference keep what they promise."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import studentized_range

from delvecore.stats.power import Components, planned_power, smallest_size
from delvecore.stats.ranking.analysis import analyze
from delvecore.stats.ranking.unit_power import level_of_one_pair, open_pairs, plan_units
from delvecore.stats.verdicts import DEFAULT_TEST, RankTest, pair_verdicts
from tests.stats.tables import score_table

# Methods, difference in standard deviations between units.
SETTINGS = [(2, 0.8), (3, 0.8), (5, 0.8), (5, 1.5), (8, 0.6), (12, 0.8)]


def level(methods, test=RankTest.FLIPS, control=None, adjustment="largest statistic"):
    return level_of_one_pair(
        SimpleNamespace(test=test, control=control, alpha=0.05, adjustment=adjustment), methods
    )


def found_share(methods, units, difference, *, times):
    """The share of simulated tables in which the first pair differs significantly."""
    random, count = np.random.default_rng(methods), 0
    for _ in range(times):
        values = 3 * random.standard_normal((units, 1))
        values = values + random.standard_normal((units, methods)) / np.sqrt(2)
        values[:, 0] += difference
        count += bool(pair_verdicts(analyze(score_table(values)), DEFAULT_TEST).different[0])
    return count / times


@pytest.mark.wide
@pytest.mark.parametrize(("methods", "difference"), SETTINGS)
def test_planned_units_have_the_planned_power(methods, difference):
    one = {"instances": 0, "test_cases": 2, "level": 1 - level(methods)}
    spread = Components(1.0, None, 0.0)
    units = smallest_size(lambda count: planned_power(spread, difference, **one | {"instances": count}))
    planned = planned_power(spread, difference, **one | {"instances": units})
    share = found_share(methods, units, difference, times=1000)
    print(f"{methods} methods, {difference}: {units} units, planned {planned:.3f}, measured {share:.3f}")
    assert planned - 0.1 <= share <= planned + 0.15


def test_the_level_of_a_pair_is_that_which_the_adjustment_leaves():
    # The normal tail of the studentized range over the square root of 2, twice.
    q = studentized_range.ppf(0.95, 4, np.inf)
    assert studentized_range.sf(q, 4, np.inf) == pytest.approx(0.05)
    assert level(4) == pytest.approx(2 * 0.5 * (1 - _erf(q / 2)), rel=1e-3)
    assert level(2) == pytest.approx(0.05, rel=1e-3)
    assert level(4, test=RankTest.WILCOXON) == pytest.approx(0.05 / 6)
    assert level(4, control=1) == pytest.approx(0.05 / 3)
    assert level(4, test=RankTest.WILCOXON, adjustment="none") == 0.05


def _erf(value):
    from math import erf

    return erf(value)


def test_more_spread_needs_more_units_and_a_larger_difference_fewer():
    random = np.random.default_rng(1)
    values = random.standard_normal((8, 3)) * np.array([1.0, 1.0, 4.0])
    analysis = analyze(score_table(values))
    verdicts = pair_verdicts(analysis, DEFAULT_TEST)
    assert open_pairs(analysis, verdicts).all()
    small, large = (plan_units(analysis, verdicts, size)[2] for size in (0.5, 1.0))
    assert (large < small).all()
    assert np.argmax(analysis.scan.deviation[:3]) == np.argmax(small)
    # By Cohen's rule of thumb about (z(level) + z(power))^2 / d^2 units, and a few more for t.
    z = 2.39 + 0.84
    assert small[0] == pytest.approx((z * analysis.scan.deviation[0] / 0.5) ** 2, rel=0.2, abs=6)


def test_fewer_units_than_signs_can_decide_are_never_enough():
    values = np.array([[0.0, 0.1], [0.0, -0.1], [0.0, 0.1], [0.0, -0.1]])
    analysis = analyze(score_table(values))
    _, power, units = plan_units(analysis, pair_verdicts(analysis, DEFAULT_TEST), 10.0)
    # Five pairs of signs give 2/32 at best, six 2/64.
    assert units.tolist() == [6.0]
    assert power.tolist() == [0.0]
