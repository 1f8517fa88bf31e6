"""Planned power is the share of simulated experiments in which the test of a pair finds the difference."""

import numpy as np
import pytest

from delvecore.stats.losses.anova import Components, pair_mean_squares
from delvecore.stats.losses.comparisons import analyze_pairs
from delvecore.stats.power import planned_power, smallest_size

SETTINGS = {
    "training sets limit": (Components(1.0, None, 1.0), 0.9, 64),
    "test cases limit": (Components(0.0, None, 8.0), 0.5, 64),
    "both": (Components(0.5, None, 4.0), 0.5, 32),
    "common, training sets limit": (Components(1.0, 1.0, 1.0), 0.9, 200),
    "common, test cases limit": (Components(0.1, 3.0, 0.5), 0.6, 300),
    "common, interaction": (Components(0.3, 1.0, 4.0), 0.5, 100),
}


def found_share(spread, difference, instances, test_cases, *, times, seed=0):
    """The share of simulated data in which the test of the pair is significant."""
    random, count = np.random.default_rng(seed), 0
    design = "hierarchical" if spread.cases is None else "common"
    for _ in range(times):
        losses = difference + spread.training * random.standard_normal((instances, 1))
        losses = losses + (spread.cases or 0.0) * random.standard_normal((1, test_cases))
        losses = losses + spread.residual * random.standard_normal((instances, test_cases))
        pairs = pair_mean_squares(np.array([losses, np.zeros_like(losses)]), design=design)
        count += analyze_pairs(pairs, instances=instances, test_cases=test_cases).p[0] < 0.05
    return count / times


@pytest.mark.wide
@pytest.mark.parametrize("name", SETTINGS)
def test_planned_sizes_have_the_planned_power(name):
    spread, difference, test_cases = SETTINGS[name]
    sets = smallest_size(
        lambda count: planned_power(spread, difference, instances=count, test_cases=test_cases)
    )
    assert sets is not None
    share = found_share(spread, difference, sets, test_cases, times=1500)
    planned = planned_power(spread, difference, instances=sets, test_cases=test_cases)
    print(f"{name}: {sets} training sets, planned {planned:.3f}, measured {share:.3f}")
    assert share == pytest.approx(planned, abs=0.05)


def test_power_is_that_of_a_t_test_and_grows_with_both_sizes():
    # 10 pairs with a difference of one standard deviation: 0.803 in Cohen's tables for the paired t-test.
    assert planned_power(Components(1.0, None, 0.0), 1.0, instances=10, test_cases=9) == pytest.approx(
        0.803, abs=5e-4
    )
    spread = Components(0.5, 1.0, 4.0)
    powers = [planned_power(spread, 0.5, instances=n, test_cases=50) for n in (4, 8, 16)]
    assert powers == sorted(powers)
    assert planned_power(spread, 0.0, instances=8, test_cases=50) == pytest.approx(0.05, abs=0.01)
    assert found_share(Components(0.0, None, 1.0), 1.0, 4, 20, times=50) > 0.9


def test_the_smallest_size_is_the_first_with_this_power_if_any_number_is_enough():
    spread = Components(1.0, None, 0.1)

    def power_of(instances: int, test_cases: int) -> float:
        return planned_power(spread, 0.5, instances=instances, test_cases=test_cases)

    sets = smallest_size(lambda count: power_of(count, 100))
    assert power_of(sets - 1, 100) < 0.8 <= power_of(sets, 100)
    # Training sets cause nearly all of the error.
    assert smallest_size(lambda count: power_of(8, count)) is None
    assert power_of(8, 200) == pytest.approx(power_of(8, 100), abs=0.001)
    assert power_of(16, 100) > power_of(8, 100) + 0.1
