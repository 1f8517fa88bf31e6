"""Which cases go where: the example of the manual, section 6.2, with 500 cases, 340 of them for testing."""

from dataclasses import replace

import numpy as np
import pytest

from delvecore.answers import dataset_cases
from delvecore.answers.dataset_cases import TaskCases
from delvecore.encoding.instances import Instance, standard_instances
from delvecore.model import Prototask
from delvecore.plan import Plan
from delvecore.plots.cases import case_map_figure


def prototask(**changes) -> Prototask:
    facts = {
        "dataset": "d",
        "name": "p",
        "origin": "natural",
        "cases": "all",
        "order": "retain",
        "inputs": (1,),
        "targets": (2,),
        "test_set_size": 340,
        "training_set_sizes": (80,),
        "test_set_selection": "hierarchical",
        "maximum_instances": 8,
    }
    return Prototask(**(facts | changes))


def standard(problem: Prototask, cases: int) -> list[TaskCases]:
    sizes = problem.training_set_sizes
    return [TaskCases(f"size {size}", size, standard_instances(problem, cases, size)) for size in sizes]


def runs(tasks: list[TaskCases], cases: int) -> list[tuple]:
    columns = ["bar", "use", "instance", "first", "last"]
    return list(dataset_cases.case_map(tasks, cases).runs[columns].itertuples(index=False, name=None))


def listed(*instances: tuple[list[int], list[int]]) -> TaskCases:
    """A task whose instances have these training and test positions, from 0."""
    made = [Instance(n, *(np.array(part) for part in both)) for n, both in enumerate(instances)]
    return TaskCases("std.2 (listed)", 2, made, is_listed=True)


def test_each_training_set_has_its_own_test_set():
    assert runs(standard(prototask(), 500), 500) == [
        ("size 80", "test", 0, 1, 170),
        ("size 80", "test", 1, 171, 340),
        ("size 80", "training", 0, 341, 420),
        ("size 80", "training", 1, 421, 500),
    ]


def test_a_common_test_set_is_one_run_and_what_is_left_is_unused():
    problem = prototask(test_set_selection="common", training_set_sizes=(70,))
    assert runs(standard(problem, 500), 500) == [
        ("size 70", "test", -1, 1, 340),
        ("size 70", "training", 0, 341, 410),
        ("size 70", "training", 1, 411, 480),
        ("size 70", "unused", -1, 481, 500),
    ]


def test_the_gap_of_a_sequential_prototask_is_told_from_what_is_left_over():
    # Section 6.2: a gap as long as the maximum range; 345 to 424 train once, the other 76 do not suffice.
    problem = prototask(order="sequential", maximum_dependency_range=4, test_set_selection="common")
    assert runs(standard(problem, 500), 500) == [
        ("size 80", "test", 0, 1, 340),
        ("size 80", "gap", -1, 341, 344),
        ("size 80", "training", 0, 345, 424),
        ("size 80", "unused", -1, 425, 500),
    ]


def test_instances_that_share_cases_have_a_bar_each():
    task = listed(([0, 1], [3]), ([1, 2], [4]))
    assert runs([task], 5) == [
        ("std.2 (listed), instance 0", "training", 0, 1, 2),
        ("std.2 (listed), instance 0", "unused", -1, 3, 3),
        ("std.2 (listed), instance 0", "test", 0, 4, 4),
        ("std.2 (listed), instance 0", "unused", -1, 5, 5),
        ("std.2 (listed), instance 1", "unused", -1, 1, 1),
        ("std.2 (listed), instance 1", "training", 1, 2, 3),
        ("std.2 (listed), instance 1", "unused", -1, 4, 4),
        ("std.2 (listed), instance 1", "test", 1, 5, 5),
    ]


def test_cases_between_a_window_and_what_it_is_trained_by_are_kept_free():
    task = replace(listed(([0, 1], [3]), ([1, 2], [4])), plan=Plan("sliding", number=2))
    assert runs([task], 5)[:4] == [
        ("std.2 (listed), instance 0", "training", 0, 1, 2),
        ("std.2 (listed), instance 0", "gap", -1, 3, 3),
        ("std.2 (listed), instance 0", "test", 0, 4, 4),
        ("std.2 (listed), instance 0", "unused", -1, 5, 5),
    ]


def test_a_case_that_trains_one_instance_and_tests_another_is_in_two_bars():
    assert {run[0] for run in runs([listed(([0, 1], [2]), ([2, 3], [0]))], 4)} == {
        "std.2 (listed), instance 0",
        "std.2 (listed), instance 1",
    }


def test_no_tasks_give_no_runs():
    assert runs([], 350) == []
    assert runs([], 0) == []


def test_every_case_is_in_one_run_of_each_size():
    table = dataset_cases.case_map(standard(prototask(training_set_sizes=(20, 40, 80)), 500), 500).runs
    for _, size in table.groupby("bar"):
        assert size["first"].tolist() == [1, *(size["last"].iloc[:-1] + 1)]
        assert size["last"].iloc[-1] == 500


@pytest.mark.parametrize("cases", [59, 60])
def test_too_many_runs_are_joined_to_strips_that_show_one_of_their_cases(monkeypatch, cases):
    monkeypatch.setattr(dataset_cases, "MOST_RUNS", 20)
    # Training and test cases take turns in the first half, the second half is unused.
    task = listed((list(range(0, 30, 2)), list(range(1, 30, 2))))
    table, strip, _ = dataset_cases.case_map([task], cases)
    assert strip == 3
    assert set(table["use"][:-1]) == {"training", "test"}
    assert table[["use", "first", "last"]].iloc[-1].tolist() == ["unused", 31, cases]


def test_scattered_folds_keep_their_share_and_test_each_strip_once(monkeypatch):
    # Every fifth of 600 cases tests: in strips of five the majority trains, yet about a fifth of them test.
    monkeypatch.setattr(dataset_cases, "MOST_RUNS", 600)
    folds = [range(start, 600, 5) for start in range(5)]
    task = listed(*(([case for case in range(600) if case not in set(fold)], [*fold]) for fold in folds))
    table, strip, _ = dataset_cases.case_map([task], 600)
    assert strip == 5
    tests = table[table["use"] == "test"]
    tested = [case for row in tests.itertuples() for case in range(row.first, row.last + 1)]
    assert sorted(tested) == [*range(1, 601)]
    for _, fold in tests.groupby("bar"):
        assert 60 <= (fold["last"] - fold["first"] + 1).sum() <= 180


def test_a_case_that_trains_twice_is_told_from_one_that_trains_once():
    # Bootstrap samples: cases 1, 1 and 3 train, 2 and 4 test.
    table = dataset_cases.case_map([listed(([0, 0, 2], [1, 3]), ([1, 1, 1], [0, 2, 3]))], 4).runs
    first = table[table["bar"] == "std.2 (listed), instance 0"]
    assert first[["use", "times"]].values.tolist() == [
        ["training", 2],
        ["test", 0],
        ["training", 1],
        ["test", 0],
    ]


def test_the_resubstitution_instance_is_trained_and_tested_on():
    table = dataset_cases.case_map([listed(([0, 1], [0, 1]), ([0, 0], [1]))], 2).runs
    assert table[["use", "first", "last"]].iloc[0].tolist() == ["both", 1, 2]


def test_validation_cases_are_told_from_those_trained_on():
    (instance,) = listed(([0, 1, 2, 3], [4])).instances
    task = listed(([0, 1, 2, 3], [4]))
    held = replace(task, instances=[replace(instance, validation=np.array([2, 3]))])
    table = dataset_cases.case_map([held], 5).runs
    assert table[["use", "first", "last"]].values.tolist() == [
        ["training", 1, 2],
        ["validation", 3, 4],
        ["test", 5, 5],
    ]
    assert [trace.name for trace in case_map_figure(dataset_cases.case_map([held], 5)).data] == [
        "test sets",
        "training sets",
        "validation sets",
    ]


def test_runs_on_one_partition_have_one_bar():
    assert runs([listed(*[([0, 1], [2])] * 5)], 3) == [
        ("std.2 (listed), 5 runs", "training", 0, 1, 2),
        ("std.2 (listed), 5 runs", "test", 0, 3, 3),
    ]


def test_of_many_instances_the_first_are_drawn():
    many = [([one], [one + 1, 40]) for one in range(30)]
    assert len({run[0] for run in runs([listed(*many)], 41)}) == dataset_cases.MOST_BARS


def test_the_picture_draws_how_often_cases_train_by_strength():
    cases = dataset_cases.case_map([listed(([0, 0, 2], [1, 3]), ([1, 1, 1], [0, 2, 3]))], 4)
    traces = {trace.name: trace for trace in case_map_figure(cases).data}
    assert set(traces) == {"test sets", "trained on once", "trained on twice", "trained on 3 times"}
    colours = [traces[f"trained on {often}"].marker.color[0] for often in ("once", "twice", "3 times")]
    assert len(set(colours)) == 3


def test_the_plan_of_listed_instances_stands_with_the_command_that_makes_them():
    task = replace(listed(*[([one], [one + 1, 40]) for one in range(30)]), plan=Plan("e0", 30))
    assert dataset_cases.plan_sentences("/d/p", [task]) == [
        r"**std\.2**: bootstrap e0, 30 samples, seed 1 (the first 12 of 30 instances are drawn), "
        "by `delve instances /d/p --bootstrap e0 30`."
    ]
    (other,) = dataset_cases.plan_sentences("/d/p", [replace(task, label="vague.2 (listed)")])
    assert "--bootstrap e0 30 --prior vague`" in other
