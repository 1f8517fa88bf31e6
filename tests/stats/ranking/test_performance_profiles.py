"""Regret, the interquartile mean and the probability of improvement: by hand and by simulation."""

import numpy as np
import pytest
from scipy.stats import norm, trim_mean

from delvecore.stats.ranking.interquartile_mean import (
    drawn_sets,
    interquartile_mean,
    probability_of_improvement,
)
from delvecore.stats.ranking.performance_profiles import (
    group_ranks,
    performance_profile,
    regrets_of,
    resemblance,
)
from delvecore.stats.ranking.score_table import ScoreTable, Units
from tests.stats.tables import score_table


def test_a_profile_counts_units_within_a_distance():
    losses = np.array([[0.1, 0.3], [0.5, 0.4], [0.2, 0.2], [0.0, 1.0]])
    interval = performance_profile(regrets_of(losses, ratio=False), [0, 0.1, 0.2, 1])
    assert interval.estimate.tolist() == [[0.75, 1, 1, 1], [0.5, 0.5, 0.75, 1]]
    # Wilson 1927 for 3 of 4.
    assert (interval.lower[0, 0], interval.upper[0, 0]) == pytest.approx((0.3006, 0.9544), abs=1e-4)


def test_ratios_are_those_of_dolan_and_more():
    regrets = regrets_of(np.array([[1.0, 1.5], [4.0, 2.0]]), ratio=True)
    assert regrets.tolist() == [[0, 0.5], [1, 0]]
    assert performance_profile(regrets, [0, 0.5, 1]).estimate.tolist() == [[0.5, 0.5, 1], [0.5, 1, 1]]
    with pytest.raises(ValueError, match="above 0"):
        regrets_of(np.array([[0.0, 1.0]]), ratio=True)


def test_the_interquartile_mean_is_the_mean_with_a_quarter_trimmed_off_each_end():
    generator = np.random.default_rng(1)
    runs = [generator.normal(size=(4, 3)) for _ in range(5)]
    iqms = interquartile_mean(runs, draws=10)
    assert iqms.estimate == pytest.approx(trim_mean(np.concatenate(runs), 0.25))


def test_a_task_counts_alike_however_many_training_sets_it_has():
    runs = [np.full((2, 2), 1.0), np.full((6, 2), 2.0), np.full((3, 2), 3.0), np.full((3, 2), 4.0)]
    assert interquartile_mean(runs, draws=10).estimate == pytest.approx([2.5, 2.5])


def test_one_training_set_is_refused():
    with pytest.raises(ValueError, match="two training sets or more"):
        interquartile_mean([np.ones((1, 2))])


@pytest.mark.slow
@pytest.mark.parametrize("sets", [3, 8])
def test_intervals_hold_the_means_over_all_training_sets(sets):
    generator, tasks = np.random.default_rng(sets), 12
    middle = np.repeat(np.linspace(0, 1, tasks)[:, None], 2, axis=1)
    endless = interquartile_mean([row + generator.normal(0, 0.3, (1000, 2)) for row in middle], draws=1)
    covered, wins = [], []
    for _ in range(80):
        runs = [row + generator.normal(0, 0.3, (sets, 2)) for row in middle]
        iqms, improvement = interquartile_mean(runs, draws=200), probability_of_improvement(runs)
        covered.append((iqms.lower <= endless.estimate) & (endless.estimate <= iqms.upper))
        wins.append((improvement.lower <= 0.5) & (improvement.upper >= 0.5))
    # Two standard errors of 80 tables are 0.05.
    assert np.mean(covered) >= 0.9
    assert np.mean(wins) >= 0.9


def test_training_sets_that_overlap_have_wider_intervals():
    generator = np.random.default_rng(4)
    runs = [generator.normal(size=(10, 2)) for _ in range(12)]
    # Of ten training sets nine are drawn, of those that vary together (10-fold: 2.1 times) four.
    assert drawn_sets([10, 10, 10, 1], [1.0, 2.1, 10.0, 1.0]) == [9, 4, 0, 0]
    alone, together = (interquartile_mean(runs, inflations=[more] * 12, draws=500) for more in (1.0, 2.1))
    assert together.estimate.tolist() == alone.estimate.tolist()
    width = (together.upper - together.lower) / (alone.upper - alone.lower)
    assert width == pytest.approx([(9 / 4) ** 0.5] * 2, rel=0.15)
    with pytest.raises(ValueError, match="too few overlapping ones"):
        interquartile_mean(runs, inflations=[10.0] * 12)


def test_a_method_that_wins_with_all_training_sets_has_an_interval_of_winning():
    # Two tasks of three training sets, all won: (3 + 1) / (3 + 2) = 0.8, variance 0.8 x 0.2 / 3 on each;
    # 1.95996 sqrt(2 x 0.16 / 3) / 2 = 0.32006.
    probabilities = probability_of_improvement([np.tile([0.1, 0.2], (3, 1)), np.tile([0.3, 0.5], (3, 1))])
    ends = (probabilities.estimate[0], probabilities.lower[0], probabilities.upper[0])
    assert ends == pytest.approx((1, 1 - 0.32006, 1), abs=1e-5)


def test_means_that_do_not_vary_between_training_sets_have_no_interval():
    # 0.1 + 0.2 and 0.3 differ in their last bit.
    iqms = interquartile_mean([np.array([[0.3, 0.1], [0.1 + 0.2, 0.4], [0.3, 0.2]])] * 4, draws=50)
    assert np.isnan(iqms.lower).tolist() == np.isnan(iqms.upper).tolist() == [True, False]


@pytest.mark.slow
@pytest.mark.parametrize("sets", [2, 4, 10])
@pytest.mark.parametrize("chances", [[0.98] * 6, [0.5] * 6, [0.99, 0.5] * 3], ids=["high", "even", "both"])
def test_the_interval_of_improvement_holds_the_true_one(chances, sets):
    generator, held = np.random.default_rng(sets), []
    further = 2**0.5 * norm.ppf(chances)
    for _ in range(200):
        runs = [generator.normal([0, above], 1, (sets, 2)) for above in further]
        probabilities = probability_of_improvement(runs)
        held.append(probabilities.lower[0] <= np.mean(chances) <= probabilities.upper[0])
    # Two standard errors of 200 tables are 0.03.
    assert np.mean(held) >= 0.93


TASKS = ("x/1", "x/2", "y/1", "z/1")
# On x/1 and x/2 the order is a b c, on y/1 and z/1 it is c b a.
VALUES = np.array([[1, 2, 3], [1, 2, 3], [3, 2, 1], [3, 2, 1.0]])
UNITS = Units(("x", "x", "y", "z"), ("x", "x", "y", "z"))
GROUPS = {"size": {"small": ["x/1", "y/1"], "large": ["x/2", "z/1"]}, "kind": {"x": ["x/1", "x/2", "gone"]}}


def made(**more):
    return ScoreTable(TASKS, ("a", "b", "c"), VALUES, **more)


def test_ranks_are_those_of_the_tasks_of_a_group():
    small, large, x = group_ranks(made(), GROUPS, unit="task")
    assert (small.aspect, small.name, small.tasks, small.units) == ("size", "small", ("x/1", "y/1"), 2)
    assert small.average.tolist() == large.average.tolist() == [2, 2, 2]
    assert x.average.tolist() == [1, 2, 3]
    assert x.first.tolist() == [1, 0, 0]
    assert [x.place(method) for method in range(3)] == [1, 2, 3]


def test_tasks_of_a_dataset_count_once():
    # Over all: x once with rank 1 for a, y and z with rank 3: (1 + 3 + 3) / 3.
    (whole,) = group_ranks(made(units=UNITS), {"": {"all": TASKS}}, unit="dataset")
    assert whole.units == 3
    assert whole.average == pytest.approx([7 / 3, 2, 5 / 3])
    assert whole.first == pytest.approx([1 / 3, 0, 2 / 3])


def whole_group(values, **options):
    table = score_table(values, **options)
    (whole,) = group_ranks(table, {"": {"all": table.tasks}}, unit="task")
    return whole


def test_a_method_that_is_always_first_has_the_first_place_from_six_units_on():
    # All signs agree in 1 of the 2^5 flips that differ: p = 0.031; of five units it is 0.0625.
    six, five = (whole_group([[0.2, 0.3, 0.5]] * units) for units in (6, 5))
    assert [six.places_of(method) for method in range(3)] == [(1, 1), (2, 2), (3, 3)]
    assert five.places is None
    assert [five.places_of(method) for method in range(3)] == [None] * 3


def test_places_follow_the_direction_of_the_values():
    whole = whole_group([[0.2, 0.3]] * 6, higher_is_better=True)
    assert [whole.places_of(method) for method in range(2)] == [(2, 2), (1, 1)]


def test_equal_methods_have_no_places():
    assert whole_group(np.ones((8, 3))).places is None


def test_tasks_of_one_dataset_are_one_unit_of_a_set_of_places():
    # Twelve tasks of two datasets: with two units no p can be below 1/2.
    names = tuple(f"t{number}" for number in range(12))
    units = Units(("x",) * 6 + ("y",) * 6, ("x",) * 6 + ("y",) * 6)
    table = ScoreTable(names, ("a", "b"), np.tile([0.1, 0.2], (12, 1)), units=units)
    by_dataset, by_task = (
        group_ranks(table, {"": {"all": names}}, unit=unit)[0] for unit in ("dataset", "task")
    )
    assert by_dataset.places is None
    assert by_task.places_of(0) == (1, 1)


def test_near_the_best_is_a_part_of_its_loss_or_a_difference_where_losses_may_be_negative():
    def near(values, higher=False):
        table = score_table(values, higher_is_better=higher)
        (whole,) = group_ranks(table, {"": {"all": ["t0", "t1"]}}, unit="task")
        return whole.ratio, *(shares.tolist() for shares in (whole.first, *whole.near))

    assert near([[1, 1.005, 1.05], [2, 2.01, 4]]) == (True, [1, 0, 0], [1, 1, 0], [1, 1, 0.5])
    assert near([[0.90, 0.895, 0.5], [0.8, 0.75, 0.8]], higher=True) == (
        False,
        [1, 0, 0.5],
        [1, 0.5, 0.5],
        [1, 1, 0.5],
    )


def correlations(values):
    return resemblance(score_table(values))


def test_methods_that_are_first_on_the_same_tasks_resemble_each_other():
    # Ranks 1 2 3 4 and 3 4 1 2, twice: two pairs that change places together.
    matrix = correlations([[1, 2, 30, 40], [30, 40, 1, 2], [100, 200, 300, 400], [300, 400, 100, 200]])
    assert matrix[0] == pytest.approx([1, 1, -1, -1])
