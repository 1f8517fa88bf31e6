"""Mean ranks, and nearness to the best, within groups of tasks."""

import numpy as np
import pytest

from delvecore.stats.ranking.performance_profiles import group_ranks, resemblance
from delvecore.stats.ranking.score_table import ScoreTable, Units

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


def test_below_three_units_there_is_no_interval():
    x = group_ranks(made(units=UNITS), GROUPS, unit="dataset")[-1]
    assert x.units == 1
    assert not x.has_intervals
    assert np.isnan([x.lower, x.upper]).all()


def test_near_the_best_is_a_part_of_its_loss_or_a_difference_where_losses_may_be_negative():
    def near(values, higher=False):
        table = ScoreTable(("t", "u"), ("a", "b", "c"), np.array(values), higher_is_better=higher)
        (whole,) = group_ranks(table, {"": {"all": ["t", "u"]}}, unit="task")
        return whole.ratio, *(shares.tolist() for shares in (whole.first, *whole.near))

    assert near([[1, 1.005, 1.05], [2, 2.01, 4]]) == (True, [1, 0, 0], [1, 1, 0], [1, 1, 0.5])
    assert near([[0.90, 0.895, 0.5], [0.8, 0.75, 0.8]], higher=True) == (
        False,
        [1, 0, 0.5],
        [1, 0.5, 0.5],
        [1, 1, 0.5],
    )


def correlations(values):
    values = np.array(values, dtype=float)
    tasks, methods = (tuple(map(str, range(count))) for count in values.shape)
    return resemblance(ScoreTable(tasks, methods, values))


def test_methods_that_are_first_on_the_same_tasks_resemble_each_other():
    # Ranks 1 2 3 4 and 3 4 1 2, twice: two pairs that change places together.
    found = correlations([[1, 2, 30, 40], [30, 40, 1, 2], [100, 200, 300, 400], [300, 400, 100, 200]])
    assert found[0] == pytest.approx([1, 1, -1, -1])


def test_a_rank_that_never_changes_says_nothing():
    found = correlations([[1, 2, 3], [1, 3, 2]])
    assert np.isnan(found[0]).all()
    assert found[1, 2] == pytest.approx(-1)
