"""Counts of an attribute's values; which cases go where, by the manual's section 6.2; what is special about a prototask."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from delvecore.answers import dataset_cases
from delvecore.answers.dataset_cases import (
    TaskCases,
    data_sentences,
    dependency_sentences,
    read_prototask_view,
    value_counts,
)
from delvecore.encoding.instances import Instance, standard_instances
from delvecore.encoding.prototask_cases import PrototaskCases, prototask_cases
from delvecore.model import Prototask
from delvecore.plan import Plan
from delvecore.plots.cases import case_map_figure
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import read_dataset, read_prototask
from delvecore.render.spans import markdown
from tests.archives import write_tree
from tests.feature_files import feature_files


def shown(sentences):
    """Sentences as pages write them."""
    return [markdown(one) for one in sentences]


def counted(table: pa.Table, **details) -> list[tuple]:
    return value_counts(table, "AGE", **details).select("label", "cases", "group").rows


def test_categories_come_in_the_order_of_the_range_with_empty_ones():
    codes = pa.array([2, 0, 2], type=pa.int32())
    values = pa.DictionaryArray.from_arrays(codes, pa.array(["low", "mid", "high"]))
    assert counted(pa.table({"AGE": values})) == [
        ("low", 1, "value"),
        ("mid", 0, "value"),
        ("high", 2, "value"),
    ]


def test_many_numbers_are_counted_by_interval_and_none_is_lost():
    bars = value_counts(pa.table({"AGE": [float(n) for n in range(100)]}), "AGE", bins=10)
    assert bars["cases"] == [10] * 10
    assert (bars["low"][0], bars["high"][-1]) == (0, 99)


def test_missing_and_censored_values_stand_apart():
    table = pa.table(
        {
            "AGE": [1, None, None, 7],
            "AGE missing": [None, "?", "?refused", None],
            "AGE censored": [None, None, None, "at least"],
        }
    )
    assert counted(table) == [
        ("1", 1, "value"),
        ("censored: at least", 1, "censored"),
        ("missing: ?", 1, "missing"),
        ("missing: ?refused", 1, "missing"),
    ]


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
    return list(dataset_cases.case_map(tasks, cases)[0][columns].itertuples(index=False, name=None))


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


def test_the_gap_of_a_sequential_prototask_is_told_from_what_is_left_over():
    # Section 6.2: a gap as long as the maximum range; 345 to 424 train once, the other 76 do not suffice.
    problem = prototask(order="sequential", maximum_dependency_range=4, test_set_selection="common")
    assert runs(standard(problem, 500), 500) == [
        ("size 80", "test", 0, 1, 340),
        ("size 80", "gap", -1, 341, 344),
        ("size 80", "training", 0, 345, 424),
        ("size 80", "unused", -1, 425, 500),
    ]


@pytest.mark.parametrize("cases", [59, 60])
def test_too_many_runs_are_joined_to_strips_that_show_one_of_their_cases(monkeypatch, cases):
    monkeypatch.setattr(dataset_cases, "MOST_RUNS", 20)
    # Training and test cases take turns in the first half, the second half is unused.
    task = listed((list(range(0, 30, 2)), list(range(1, 30, 2))))
    table, strip = dataset_cases.case_map([task], cases)
    assert strip == 3
    assert set(table["use"][:-1]) == {"training", "test"}
    assert table[["use", "first", "last"]].iloc[-1].tolist() == ["unused", 31, cases]


def test_scattered_folds_keep_their_share_and_test_each_strip_once(monkeypatch):
    # Every fifth of 600 cases tests: in strips of five the majority trains, yet about a fifth of them test.
    monkeypatch.setattr(dataset_cases, "MOST_RUNS", 600)
    folds = [range(start, 600, 5) for start in range(5)]
    task = listed(*(([case for case in range(600) if case not in set(fold)], [*fold]) for fold in folds))
    table, strip = dataset_cases.case_map([task], 600)
    assert strip == 5
    tests = table[table["use"] == "test"]
    tested = [case for row in tests.itertuples() for case in range(row.first, row.last + 1)]
    assert sorted(tested) == [*range(1, 601)]
    for _, fold in tests.groupby("bar"):
        assert 60 <= (fold["last"] - fold["first"] + 1).sum() <= 180


def test_a_case_that_trains_twice_is_told_from_one_that_trains_once():
    # Bootstrap samples: cases 1, 1 and 3 train, 2 and 4 test.
    table = dataset_cases.case_map([listed(([0, 0, 2], [1, 3]), ([1, 1, 1], [0, 2, 3]))], 4)[0]
    first = table[table["bar"] == "std.2 (listed), instance 0"]
    assert first[["use", "times"]].values.tolist() == [
        ["training", 2],
        ["test", 0],
        ["training", 1],
        ["test", 0],
    ]


def test_the_resubstitution_instance_is_trained_and_tested_on():
    table = dataset_cases.case_map([listed(([0, 1], [0, 1]), ([0, 0], [1]))], 2)[0]
    assert table[["use", "first", "last"]].iloc[0].tolist() == ["both", 1, 2]


def test_validation_cases_are_told_from_those_trained_on():
    (instance,) = listed(([0, 1, 2, 3], [4])).instances
    task = listed(([0, 1, 2, 3], [4]))
    held = replace(task, instances=[replace(instance, validation=np.array([2, 3]))])
    table, _ = dataset_cases.case_map([held], 5)
    assert table[["use", "first", "last"]].values.tolist() == [
        ["training", 1, 2],
        ["validation", 3, 4],
        ["test", 5, 5],
    ]
    assert [trace.name for trace in case_map_figure(table).plotly().data] == [
        "test sets",
        "training sets",
        "validation sets",
    ]


def test_runs_on_one_partition_have_one_bar():
    assert runs([listed(*[([0, 1], [2])] * 5)], 3) == [
        ("std.2 (listed), 5 runs", "training", 0, 1, 2),
        ("std.2 (listed), 5 runs", "test", 0, 3, 3),
    ]


def test_the_plan_of_listed_instances_stands_with_the_command_that_makes_them():
    task = replace(listed(*[([one], [one + 1, 40]) for one in range(30)]), plan=Plan("e0", 30))
    assert shown(dataset_cases.plan_sentences("/d/p", [task])) == [
        r"**std\.2**: bootstrap e0, 30 samples, seed 1 (the first 12 of 30 instances are drawn), "
        "by `delve instances /d/p --bootstrap e0 30`."
    ]
    (other,) = shown(dataset_cases.plan_sentences("/d/p", [replace(task, label="vague.2 (listed)")]))
    assert "--bootstrap e0 30 --prior vague`" in other


@pytest.fixture
def hierarchy(tmp_path):
    root = write_tree(tmp_path / "delve-features", {**feature_files(), "methods/.keep": ""})
    return Hierarchy([str(root)])


def view(hierarchy, dataset, prototask, *sizes):
    rows = [
        {"dataset": dataset, "prototask": prototask, "prior": "std", "training_size": size} for size in sizes
    ]
    return read_prototask_view(hierarchy, dataset, prototask, rows)


def cases_of(hierarchy, dataset, prototask) -> PrototaskCases:
    facts = read_dataset(hierarchy, dataset)
    return prototask_cases(hierarchy, facts, read_prototask(hierarchy, facts, prototask))


def test_groups_are_counted_and_said_not_to_be_split(hierarchy):
    sentence, *_ = shown(view(hierarchy, "speech", "word", 4, 8).sentences)
    assert sentence == (
        "**Groups**: 9 groups of up to 4 cases share a commonality index. No group is both trained and tested "
        "on. None is in two training sets either."
    )


def test_listed_instances_that_split_a_group_are_named(hierarchy):
    split = [Instance(0, np.arange(4, 10), np.arange(6))]
    (sentence,) = shown(
        data_sentences(cases_of(hierarchy, "speech", "word"), [TaskCases("std.6", 6, split, True)])
    )[:1]
    assert "**Groups are both trained and tested on** in std\\.6." in sentence


def test_sequences_index_transformations_and_own_instances_are_told(hierarchy):
    data_view = view(hierarchy, "river", "flow", 10, 20, 15)
    assert [sentence.partition("**")[2].partition("**")[0] for sentence in shown(data_view.sentences)] == [
        "Sequential",
        "INDEX",
        "Transformed",
        "Separate instances",
    ]
    assert "5 unused cases keep training cases away from test cases" in shown(data_view.sentences)[0]
    assert "log(LEVEL) and squeeze(RAIN)" in shown(data_view.sentences)[2]
    assert [task.label for task in data_view.tasks] == ["size 10", "size 20", "std.15 (listed)"]


def test_strata_and_how_test_sets_are_balanced_are_told(hierarchy):
    first, second = shown(view(hierarchy, "shapes", "shape", 3, 6).sentences)
    assert first.startswith(
        "**Stratified** by SHAPE: each training set has the same number of cases of round, square"
    )
    assert second == "**Test sets** have the same number of cases of each value, by selection."


def test_a_size_with_too_few_cases_says_why_and_costs_only_itself(hierarchy):
    data_view = view(hierarchy, "river", "flow", 10, 500)
    assert [task.label for task in data_view.tasks] == ["size 10"]
    assert "expected at least 520 cases" in data_view.reasons[0]


def test_unreadable_data_leave_what_the_specification_says(hierarchy):
    (Path(hierarchy.roots[0]) / "data/river/Dataset.data").unlink()
    data_view = view(hierarchy, "river", "flow", 10)
    assert shown(data_view.sentences)[0].startswith("**Sequential**")
    assert (data_view.tasks, data_view.case_count, len(data_view.reasons)) == ((), 0, 1)


def test_weights_that_balance_test_sets_and_groups_that_training_sets_share_are_told(hierarchy):
    weighted = [Instance(0, np.arange(3), np.arange(3, 6), np.array([1.5, 0.75, 0.75]))]
    (said,) = shown(
        data_sentences(cases_of(hierarchy, "shapes", "shape"), [TaskCases("size 3", 3, weighted)])
    )
    assert "(size 3): weights make the values equally likely" in said
    # Groups of four cases follow each other, so training sets of 13 to 18 and 19 to 24 share one.
    shared = [Instance(0, np.arange(12, 18), np.arange(10)), Instance(1, np.arange(18, 24), np.arange(10))]
    said, *_ = shown(data_sentences(cases_of(hierarchy, "speech", "word"), [TaskCases("size 6", 6, shared)]))
    assert said.endswith("because there are too few cases to separate them (size 6: 1 group).")


def test_priors_tell_how_cases_may_depend_on_each_other():
    row = {"prior": "std", "dependency_strength": "LM", "dependency_range": 5}
    other = {"prior": "no", "dependency_strength": None, "dependency_range": None}
    assert shown(dependency_sentences([row, row, other])) == [
        "**std**: the strength of dependencies between cases is low or medium (LM), over up to 5 cases."
    ]
