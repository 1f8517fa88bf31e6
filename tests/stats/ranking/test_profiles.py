"""Regret, the interquartile mean and the probability of improvement: by hand and by simulation."""

import numpy as np
import pytest
from scipy.stats import trim_mean

from delvecore.stats.ranking.interquartile_mean import aggregates, drawn_sets
from delvecore.stats.ranking.performance_profiles import regret_profile


def test_a_profile_counts_units_within_a_distance():
    losses = np.array([[0.1, 0.3], [0.5, 0.4], [0.2, 0.2], [0.0, 1.0]])
    found = regret_profile(losses, at=[0, 0.1, 0.2, 1])
    assert found.share.tolist() == [[0.75, 1, 1, 1], [0.5, 0.5, 0.75, 1]]
    # Wilson 1927 for 3 of 4.
    assert (found.lower[0, 0], found.upper[0, 0]) == pytest.approx((0.3006, 0.9544), abs=1e-4)


def test_rounding_noise_puts_nobody_off_the_best():
    losses = np.array([[0.3 - 0.1, 0.2], [0.7, 0.7]])
    assert regret_profile(losses, at=[0]).share.tolist() == [[1], [1]]


def test_ratios_are_those_of_dolan_and_more():
    found = regret_profile(np.array([[1.0, 1.5], [4.0, 2.0]]), ratio=True)
    assert found.at.tolist() == [0, 0.5, 1]
    assert found.share.tolist() == [[0.5, 0.5, 1], [0.5, 1, 1]]
    with pytest.raises(ValueError, match="above 0"):
        regret_profile(np.array([[0.0, 1.0]]), ratio=True)


def test_the_interquartile_mean_is_the_mean_with_a_quarter_trimmed_off_each_end():
    generator = np.random.default_rng(1)
    runs = [generator.normal(size=(4, 3)) for _ in range(5)]
    found = aggregates(runs, draws=10)
    assert found.iqm == pytest.approx(trim_mean(np.concatenate(runs), 0.25))


def test_a_task_counts_alike_however_many_training_sets_it_has():
    runs = [np.full((2, 2), 1.0), np.full((6, 2), 2.0), np.full((3, 2), 3.0), np.full((3, 2), 4.0)]
    assert aggregates(runs, draws=10).iqm == pytest.approx([2.5, 2.5])


def test_improvement_compares_all_runs_of_a_task():
    # Task 1: a wins 3 of 4 comparisons; task 2: one tie of 4 and no win.
    runs = [np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[5.0, 5.0], [6.0, 4.0]])]
    assert aggregates(runs, draws=10).improvement == pytest.approx([(3 / 4 + 1 / 8) / 2])


def test_one_training_set_is_refused():
    with pytest.raises(ValueError, match="two training sets or more"):
        aggregates([np.ones((1, 2))])


@pytest.mark.slow
@pytest.mark.parametrize("sets", [3, 8])
def test_intervals_hold_the_means_over_all_training_sets(sets):
    generator, tasks = np.random.default_rng(sets), 12
    middle = np.repeat(np.linspace(0, 1, tasks)[:, None], 2, axis=1)
    endless = aggregates([row + generator.normal(0, 0.3, (4000, 2)) for row in middle], draws=1)
    covered, wins = [], []
    for _ in range(200):
        found = aggregates([row + generator.normal(0, 0.3, (sets, 2)) for row in middle], draws=300)
        covered.append((found.iqm_lower <= endless.iqm) & (endless.iqm <= found.iqm_upper))
        wins.append((found.improvement_lower <= 0.5) & (found.improvement_upper >= 0.5))
    assert np.mean(covered) >= 0.92
    assert np.mean(wins) >= 0.92


def test_training_sets_that_overlap_have_wider_intervals():
    generator = np.random.default_rng(4)
    runs = [generator.normal(size=(10, 2)) for _ in range(12)]
    # Of ten training sets nine are drawn, of those that vary together (10-fold: 2.1 times) four.
    assert drawn_sets([10, 10, 10, 1], [1.0, 2.1, 10.0, 1.0]) == [9, 4, 0, 0]
    alone, together = (aggregates(runs, inflations=[more] * 12, draws=500) for more in (1.0, 2.1))
    assert together.iqm.tolist() == alone.iqm.tolist()
    width = (together.iqm_upper - together.iqm_lower) / (alone.iqm_upper - alone.iqm_lower)
    assert width == pytest.approx([(9 / 4) ** 0.5] * 2, rel=0.15)
    with pytest.raises(ValueError, match="too few that overlap"):
        aggregates(runs, inflations=[10.0] * 12)
