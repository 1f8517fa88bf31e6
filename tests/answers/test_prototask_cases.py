"""What is special about a prototask, in sentences and in the picture of its cases."""

from pathlib import Path

import numpy as np
import pytest

from delvecore.answers.dataset_cases import (
    TaskCases,
    data_sentences,
    dependency_sentences,
    read_prototask_view,
)
from delvecore.encoding.instances import Instance
from delvecore.encoding.prototask_cases import PrototaskCases, prototask_cases
from delvecore.encoding.task_instances import task_instances
from delvecore.model import Task
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import read_dataset, read_prototask
from tests.archives import write_tree
from tests.feature_files import feature_files


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
    sentence, *_ = view(hierarchy, "speech", "word", 4, 8).sentences
    assert sentence == (
        "**Groups**: 9 groups of up to 4 cases share a commonality index. No group is both trained and tested "
        "on. None is in two training sets either."
    )


def test_groups_that_training_sets_share_are_counted_by_task(hierarchy):
    # Groups of four cases follow each other, so training sets of 13 to 18 and 19 to 24 share one.
    shared = [Instance(0, np.arange(12, 18), np.arange(10)), Instance(1, np.arange(18, 24), np.arange(10))]
    sentence, *_ = data_sentences(cases_of(hierarchy, "speech", "word"), [TaskCases("size 6", 6, shared)])
    assert sentence.endswith(
        "Training sets share groups where cases are too few to keep them apart (size 6: 1 group)."
    )


def test_missing_values_are_counted_by_attribute(hierarchy):
    assert view(hierarchy, "speech", "word", 4).sentences[1] == "**Missing**: PITCH in 2 cases."


def test_listed_instances_that_split_a_group_are_named(hierarchy):
    split = [Instance(0, np.arange(4, 10), np.arange(6))]
    (sentence,) = data_sentences(cases_of(hierarchy, "speech", "word"), [TaskCases("std.6", 6, split, True)])[
        :1
    ]
    assert "**Groups are both trained and tested on** in std\\.6." in sentence


def test_sequences_index_transformations_and_own_instances_are_told(hierarchy):
    found = view(hierarchy, "river", "flow", 10, 20, 15)
    assert [sentence.partition("**")[2].partition("**")[0] for sentence in found.sentences] == [
        "Sequential",
        "INDEX",
        "Transformed",
        "Instances of their own",
    ]
    assert "5 unused cases keep training cases away from test cases" in found.sentences[0]
    assert "log(LEVEL) and squeeze(RAIN)" in found.sentences[2]
    assert [task.label for task in found.tasks] == ["size 10", "size 20", "std.15 (listed)"]


def test_strata_and_how_test_sets_are_balanced_are_told(hierarchy):
    first, second = view(hierarchy, "shapes", "shape", 3, 6).sentences
    assert first.startswith(
        "**Stratified** by SHAPE: each training set has equally many cases of round, square"
    )
    assert second == "**Test sets** have equally many cases of each value, by selection."


def test_weights_that_balance_test_sets_are_told(hierarchy):
    cases = cases_of(hierarchy, "shapes", "shape")
    weighted = [Instance(0, np.arange(3), np.arange(3, 6), np.array([1.5, 0.75, 0.75]))]
    (sentence,) = data_sentences(cases, [TaskCases("size 3", 3, weighted)])
    assert (
        sentence
        == "**Test sets** have too few cases of some value (size 3): weights make the values equally likely."
    )


def test_a_prototask_without_features_has_nothing_to_say(hierarchy):
    root = hierarchy.roots[0]
    plain = feature_files()["data/shapes/shape/Prototask.spec"].replace("Stratified: yes\n", "")
    write_tree(Path(root), {"data/shapes/shape/Prototask.spec": plain})
    found = view(hierarchy, "shapes", "shape", 6)
    assert (found.sentences, found.reasons, len(found.tasks)) == ((), (), 1)


def test_the_picture_has_the_instances_that_the_commands_use(hierarchy):
    found = view(hierarchy, "river", "flow", 15).tasks[0]
    cases = cases_of(hierarchy, "river", "flow")
    expected = task_instances(hierarchy, cases, Task("river", "flow", "std", 15))
    for shown, used in zip(found.instances, expected, strict=True):
        assert shown.training.tolist() == used.training.tolist()
        assert shown.test.tolist() == used.test.tolist()


def test_a_size_with_too_few_cases_says_why_and_costs_only_itself(hierarchy):
    found = view(hierarchy, "river", "flow", 10, 500)
    assert [task.label for task in found.tasks] == ["size 10"]
    assert "expected at least 520 cases" in found.reasons[0]


def test_unreadable_data_leave_what_the_specification_says(hierarchy):
    (Path(hierarchy.roots[0]) / "data/river/Dataset.data").unlink()
    found = view(hierarchy, "river", "flow", 10)
    assert found.sentences[0].startswith("**Sequential**")
    assert (found.tasks, found.case_count, len(found.reasons)) == ((), 0, 1)


def test_priors_tell_how_cases_may_depend_on_each_other():
    row = {"prior": "std", "dependency_strength": "LM", "dependency_range": 5}
    other = {"prior": "no", "dependency_strength": None, "dependency_range": None}
    grouped = {"prior": "grouped", "dependency_strength": "H", "dependency_range": None}
    assert dependency_sentences([row, row, other, grouped]) == [
        "**std**: the strength of dependencies between cases is low or medium (LM), over up to 5 cases.",
        "**grouped**: the strength of dependencies between cases is high (H).",
    ]
