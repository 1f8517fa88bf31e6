"""Estimates, differences, winners and costs of a task-array as tables, and where learning curves cross."""

import pyarrow as pa
import pytest

from delvecore.measures import column_measure
from delvecore.stats.arrays.estimates import (
    ARRAY_COSTS,
    ARRAY_DIFFERENCES,
    ARRAY_ESTIMATES,
    ARRAY_WINNERS,
    METHOD_COSTS,
    ONE_INSTANCE,
    ONE_METHOD,
    TALLIED,
    array_costs,
    array_differences,
    array_estimates,
    array_tallies,
    array_winners,
    crossings,
    method_costs,
)
from delvecore.stats.arrays.results import NO_MEMBER, NO_RESULTS, best_first
from delvecore.stats.choose import Setting
from delvecore.stats.ranking.ranks import DATASET
from tests.stats.made_arrays import FULL, array_of, results_of, task_table

# Means of the three instances: a 1, 2, 3; b 1.1, 2.1, 3.4; c 2, 3.1, 4.
A = [[0.0, 2.0], [1.0, 3.0], [2.0, 4.0]]
B = [[0.1, 2.1], [1.1, 3.1], [2.4, 4.4]]
C = [[1.0, 3.0], [2.1, 4.1], [3.0, 5.0]]
SOME = tuple(("toy-8m", 64, name, rows) for name, rows in {"a": A, "b": B, "c": C}.items())
# Differences to a of the instances, as t tests with 2 degrees of freedom: b 0.1 0.1 0.4, c 1 1.1 1.
T_B, T_C = 0.2 / (0.03 / 3) ** 0.5, 31 / 3 / 10 / ((0.01 / 3) / 3) ** 0.5


def p_two(t: float) -> float:
    """The two-sided tail of t with 2 degrees of freedom, which has a closed form."""
    return 1 - t / (2 + t * t) ** 0.5


def test_every_cell_and_method_has_its_row():
    table = array_estimates(results_of(FULL, *SOME), reference="a")
    assert (table.schema, table.num_rows) == (ARRAY_ESTIMATES, 8 * 3)
    row = table.to_pylist()[1]
    assert (row["levels"], row["task"], row["method"], row["instances"]) == (["8", "m"], "std.64", "b", 3)
    assert (row["standardized_mean"], row["difference"]) == pytest.approx((2.2, 0.2))
    assert row["p"] == pytest.approx(p_two(T_B))
    assert (row["reference"], row["test"], row["missing"]) == ("a", "t", None)


def test_differences_stand_to_the_reference_by_their_p():
    table = array_differences(results_of(FULL, *SOME), reference="a")
    assert table.schema == ARRAY_DIFFERENCES
    rows = table.to_pylist()
    assert [row["verdict"] for row in rows[:4]] == [None, "not significant", "worse", None]
    assert rows[2]["p"] == pytest.approx(p_two(T_C))
    assert rows[2]["p_adjusted"] == pytest.approx(3 * p_two(T_C))  # of three pairs
    assert rows[1]["p_adjusted"] == pytest.approx(p_two(T_B))


def test_the_winner_has_the_lowest_loss_and_a_set_that_is_not_worse():
    table = array_winners(results_of(FULL, *SOME))
    assert (table.schema, table.num_rows) == (ARRAY_WINNERS, 8)
    row = table.to_pylist()[0]
    assert (row["best"], row["not_worse"], row["worse"], row["untested"]) == ("a", ["b"], ["c"], [])
    assert row["not_worse_p"] == pytest.approx([p_two(T_B)])
    assert (row["significant_pairs"], row["tested_pairs"], row["note"]) == (2, 3, None)


def test_the_adjustment_counts_the_pairs_of_the_task():
    # p of c is 0.00104: three times that is above 0.0015, itself below.
    def worse(adjust, methods=None):
        data = results_of(FULL, *SOME, methods=methods, setting=Setting(0.9985, adjust))
        return array_winners(data).to_pylist()[0]["worse"]

    assert (worse("none"), worse("holm"), worse("holm", ["a", "c"])) == (["c"], [], ["c"])


def test_tallies_say_on_how_many_tasks_a_method_is_significantly_better():
    rows = array_tallies(results_of(FULL, *SOME)).to_pylist()
    by_method = {(row["method"], row["other"]): [row[name] for name in TALLIED] for row in rows}
    assert by_method["a", "c"] == by_method["b", "c"] == [1, 0, 0, 0]
    assert (by_method["c", "a"], by_method["a", "b"]) == ([0, 1, 0, 0], [0, 0, 1, 0])


def test_tallies_by_dataset_count_those_on_most_of_whose_tasks_it_holds():
    # c is significantly worse at 64 cases and has no more results; a and b are alike at 64, and not significantly different at 128.
    data = results_of(FULL, *SOME, ("toy-8m", 128, "a", A), ("toy-8m", 128, "b", A))
    rows = array_tallies(data, unit=DATASET).to_pylist()
    by_method = {(row["method"], row["other"]): [row[name] for name in TALLIED] for row in rows}
    assert (by_method["a", "c"], by_method["c", "b"]) == ([1, 0, 0, 0], [0, 1, 0, 0])
    # On one of two tasks not significant, on the other not tested: neither on most, so open.
    assert by_method["a", "b"] == by_method["b", "a"] == [0, 0, 1, 0]


def test_one_instance_cannot_be_tested():
    losses = [("toy-8m", 64, name, rows[:1]) for name, rows in {"a": A, "b": B}.items()]
    row = array_winners(results_of(FULL, *losses)).to_pylist()[0]
    assert (row["best"], row["not_worse"], row["untested"], row["note"]) == ("a", [], ["b"], ONE_INSTANCE)
    assert row["standardized_error"] is None


def test_identical_methods_are_untested_and_the_best_is_the_first_by_name():
    row = array_winners(results_of(FULL, ("toy-8m", 64, "b", A), ("toy-8m", 64, "a", A))).to_pylist()[0]
    assert (row["best"], row["untested"]) == ("a", ["b"])
    assert "b" in row["note"]


def test_holes_and_lonely_methods_say_what_they_are():
    array = array_of(("8", "m"), ("8", "h"), ("32", "m"))
    rows = array_winners(results_of(array, ("toy-8m", 64, "a", A))).to_pylist()
    assert [(row["best"], row["note"]) for row in (rows[0], rows[1], rows[-1])] == [
        ("a", ONE_METHOD),
        (None, NO_RESULTS),
        (None, NO_MEMBER),
    ]


def test_an_array_without_results_has_its_cells_all_the_same():
    rows = array_winners(results_of(FULL, *SOME, methods=[])).to_pylist()
    assert [row["note"] for row in rows] == [NO_RESULTS] * 8
    assert array_estimates(results_of(FULL, *SOME, methods=[])).num_rows == 0


ROWS = [[1.0, 3.0], [3.0, 5.0]]
DATA = results_of(FULL, ("toy-8m", 64, "a", ROWS), ("toy-8h", 64, "a", ROWS), ("toy-8m", 64, "b", ROWS))
COSTS = pa.table(
    {
        "method": ["a", "a", "a", "a", "b", "a"],
        "dataset": ["toy-8m"] * 3 + ["toy-8h", "toy-8m", "elsewhere"],
        "prototask": ["out"] * 6,
        "task": ["std.64"] * 6,
        "instance": [0, 1, 2, 0, 0, 0],
        "seconds": [1.0, 2.0, 6.0, 3.0, 0.5, 1000.0],
        "megabytes": [90.0, None, 95.0, 80.0, None, 1.0],
    }
)


def test_costs_of_a_task_stand_beside_its_loss():
    table = array_costs(DATA, COSTS)
    row = table.to_pylist()[0]
    assert (table.schema, table.num_rows) == (ARRAY_COSTS, 16)
    assert (row["instances"], row["median_seconds"], row["total_seconds"]) == (3, 2.0, 9.0)
    assert (row["most_megabytes"], row["standardized_mean"], row["missing"]) == (95.0, 3.0, None)


def test_costs_of_a_method_are_those_of_all_its_instances_in_the_array():
    table = method_costs(DATA, COSTS)
    first, second = table.to_pylist()
    assert table.schema == METHOD_COSTS
    assert (first["tasks"], first["instances"], first["total_seconds"]) == (2, 4, 12.0)
    assert first["median_seconds"] == pytest.approx(2.5)
    assert (second["instances"], second["most_megabytes"]) == (1, None)


def test_methods_are_compared_on_the_tasks_that_all_have():
    first, second = method_costs(DATA, COSTS).to_pylist()
    assert first["compared_tasks"] == second["compared_tasks"] == 1
    assert first["mean_loss"] == second["mean_loss"] == 3.0


NEAR = ([0.0, 0.2], [-0.2, 0.0], [0.1, -0.1])
"""What is added to the losses of three training sets: mean 0."""


def losses(dataset, size, method, mean):
    return dataset, size, method, [[mean + more for more in row] for row in NEAR]


def test_a_crossing_lies_where_straight_lines_meet():
    # b - a is 0.3 at 64 and -0.1 at 128: the lines meet at 3/4 of the way, where a is 1 + 3/4 * 0.2.
    known = [losses("toy-8m", 64, "a", 1.0), losses("toy-8m", 64, "b", 1.3)]
    known += [losses("toy-8m", 128, "a", 1.2), losses("toy-8m", 128, "b", 1.1)]
    (one,) = crossings(results_of(FULL, *known, methods=["a", "b"]))
    assert (one.behind, one.ahead) == ("a", "b")
    assert (one.before.training_size, one.after.training_size) == (64, 128)
    assert (one.share, one.value) == (pytest.approx(0.75), pytest.approx(1.15))


def test_curves_above_the_lowest_cross_too_where_all_pairs_are_asked_for():
    known = [losses("toy-8m", size, "best", 0.1) for size in (64, 128)]
    known += [losses("toy-8m", 64, "a", 1.0), losses("toy-8m", 64, "b", 1.3)]
    known += [losses("toy-8m", 128, "a", 1.2), losses("toy-8m", 128, "b", 1.1)]
    results = results_of(FULL, *known, methods=["best", "a", "b"])
    assert crossings(results) == []
    assert [(one.behind, one.ahead) for one in crossings(results, all_pairs=True)] == [("a", "b")]


SCORE = {
    "measure": column_measure("score", higher_is_better=True),
    "tasks": task_table(FULL, selection="common"),
}
"""Of one number per instance: on one test set the instances are the replicates."""
# Means of three instances: a 0.9, 0.8, 0.7; b is 0.01, 0.01, 0.04 below, c 0.30, 0.31, 0.30 below.
SCORES = tuple(
    ("toy-8m", 64, name, [[0.9 - one], [0.8 - two], [0.7 - three]])
    for name, (one, two, three) in {"a": (0, 0, 0), "b": (0.01, 0.01, 0.04), "c": (0.3, 0.31, 0.3)}.items()
)


def test_the_highest_score_wins_where_higher_is_better():
    data = results_of(FULL, *SCORES, **SCORE)
    row = array_winners(data).to_pylist()[0]
    assert (row["best"], row["not_worse"], row["worse"], row["loss"]) == ("a", ["b"], ["c"], "score")
    assert row["standardized_mean"] == pytest.approx(0.8)
    assert best_first(data) == ("a", "b", "c")
    tallies = {(one["method"], one["other"]): one["better"] for one in array_tallies(data).to_pylist()}
    assert (tallies["a", "c"], tallies["c", "a"]) == (1, 0)


def test_differences_of_scores_have_the_sign_of_their_values_and_verdicts_the_direction():
    data = results_of(FULL, *SCORES, **SCORE)
    rows = array_differences(data, reference="a").to_pylist()[:3]
    assert [row["difference"] for row in rows[1:]] == pytest.approx([-0.02, -0.91 / 3])
    assert [row["verdict"] for row in rows] == [None, "not significant", "worse"]
    rows = array_estimates(data, reference="c").to_pylist()[:3]
    assert [row["standardized_mean"] for row in rows] == pytest.approx([0.8, 0.78, 0.8 - 0.91 / 3])
    assert (rows[0]["difference"], rows[0]["verdict"]) == (pytest.approx(0.91 / 3), "better")


def test_a_method_whose_score_rises_above_another_overtakes_it():
    # b - a is -0.3 at 64 and 0.1 at 128: the lines meet at 3/4 of the way, where a is 0.5 + 3/4 * 0.2.
    means = {("a", 64): 0.5, ("b", 64): 0.2, ("a", 128): 0.7, ("b", 128): 0.8}
    near = (0.0, 0.001), (-0.001, 0.0), (0.001, -0.001)
    scores = [
        ("toy-8m", size, name, [[mean + one if name == "a" else mean + other] for one, other in near])
        for (name, size), mean in means.items()
    ]
    (one,) = crossings(results_of(FULL, *scores, **SCORE))
    assert (one.behind, one.ahead, one.is_significant) == ("a", "b", True)
    assert (one.share, one.value) == (pytest.approx(0.75), pytest.approx(0.65))
    (same,) = crossings(results_of(FULL, *scores, **SCORE), all_pairs=True)
    assert same == one


def test_a_mean_score_is_as_in_the_file():
    data = results_of(FULL, *SCORES, **SCORE)
    assert method_costs(data, COSTS)["mean_loss"][0].as_py() == pytest.approx(0.8)
