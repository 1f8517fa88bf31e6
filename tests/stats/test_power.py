"""Planned power is the share of simulated experiments in which the test of a pair finds the difference."""

import numpy as np
import pytest

from delvecore.stats.losses.anova import Components, pair_mean_squares
from delvecore.stats.losses.comparisons import analyse_pairs
from delvecore.stats.power import plan, planned_power

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
        count += analyse_pairs(pairs, instances=instances, test_cases=test_cases).p[0] < 0.05
    return count / times


@pytest.mark.wide
@pytest.mark.parametrize("name", SETTINGS)
def test_planned_sizes_have_the_planned_power(name):
    spread, difference, test_cases = SETTINGS[name]
    task_plan = plan(spread, difference, instances=4, test_cases=test_cases)
    assert task_plan.instances is not None
    share = found_share(spread, difference, task_plan.instances, test_cases, times=1500)
    planned = planned_power(spread, difference, instances=task_plan.instances, test_cases=test_cases)
    print(f"{name}: {task_plan.instances} training sets, planned {planned:.3f}, measured {share:.3f}")
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


def test_a_plan_says_which_size_limits_and_where_no_number_is_enough():
    task_plan = plan(Components(1.0, None, 0.1), 0.5, instances=8, test_cases=100)
    assert task_plan.limit == "training"
    assert task_plan.test_cases is None
    assert task_plan.with_twice_cases == pytest.approx(task_plan.power, abs=0.001)
    assert task_plan.with_twice_sets > task_plan.power + 0.1
    assert (
        planned_power(Components(1.0, None, 0.1), 0.5, instances=task_plan.instances, test_cases=100) >= 0.8
    )
    assert (
        planned_power(Components(1.0, None, 0.1), 0.5, instances=task_plan.instances - 1, test_cases=100)
        < 0.8
    )
