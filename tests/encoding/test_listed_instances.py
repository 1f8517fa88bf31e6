"""Non-standard task instances, attribute 0 and commonality indexes, from files."""

import pytest

from delvecore.encoding.prototask_cases import prototask_cases
from delvecore.encoding.task_instances import instances_text, task_instances
from delvecore.errors import DelveError
from delvecore.model import Task
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import read_dataset, read_prototask, read_task
from tests.archives import prototask_text, small_archive, write_tree

SERIES = "Origin: natural\nUsage: assessment\nOrder: informative\nAttributes:\n1 RAIN u [0,Inf) ?\n2 FLOW u (0,Inf)\n"
FLOW = prototask_text("0 1", "2", 4, "3", 4, order="sequential\nMaximum-Dependency-Range: 2")
PRIOR = "0 N integer\n1 N real\n2 N real\nDependency-Strength: L\nDependency-Range: 2\n"


@pytest.fixture
def series(tmp_path):
    lines = "".join(f"{n}.5 {n + 1}\n" for n in range(12))
    files = {"Dataset.spec": SERIES, "Dataset.data": lines}
    files |= {"flow/Prototask.spec": FLOW, "flow/std.prior": PRIOR}
    root = write_tree(tmp_path / "delve-river", {f"data/river/{name}": text for name, text in files.items()})
    (root / "methods").mkdir()
    return root


def read_cases(root, dataset="river", prototask="flow"):
    hierarchy = Hierarchy([str(root)])
    described = read_dataset(hierarchy, dataset)
    return hierarchy, prototask_cases(hierarchy, described, read_prototask(hierarchy, described, prototask))


def instances_of(root, dataset="river", prototask="flow", prior="std", size=3):
    hierarchy, cases = read_cases(root, dataset, prototask)
    return task_instances(hierarchy, cases, Task(dataset, prototask, prior, size))


def test_case_numbers_are_with_respect_to_the_ordering_of_the_original_dataset(tmp_path):
    # Manual, section 6.3. The prototask shade has the order 1 6 11 16 21 2 7 12 17 22 3 ...
    root = small_archive(tmp_path)
    text = "Instance: 0\nTraining: 2 1 3\nTest: 6-7\n"
    write_tree(root, {"data/demo/shade/std.3.instances": text})
    (instance,) = instances_of(root, "demo", "shade")
    assert instance.training.tolist() == [5, 0, 10]
    assert instance.test.tolist() == [1, 6]
    assert len(instance.unused) == 24 - 5


def test_validation_cases_are_some_of_the_training_cases_and_survive_writing(series):
    text = "Instance: 0\nTraining: 1-4\nValidation: 4 2\nTest: 10\n"
    write_tree(series, {"data/river/flow/std.4.instances": text})
    (instance,) = instances_of(series, size=4)
    assert (instance.training.tolist(), instance.validation.tolist()) == ([0, 1, 2, 3], [3, 1])
    assert instances_text([instance], read_cases(series)[1].case_numbers) == text


def test_standard_instances_may_be_written_as_a_file_and_read_back(series):
    _, cases = read_cases(series)
    expected = instances_of(series)
    text = instances_text(expected, cases.case_numbers)
    assert text.startswith("Instance: 0\nTraining: 7-9\nTest: 1-4\n")
    write_tree(series, {"data/river/flow/std.3.instances": text})
    sets = [[one.training.tolist() for one in some] for some in (instances_of(series), expected)]
    assert sets[0] == sets[1]


def test_cases_just_far_enough_are_allowed(series):
    write_tree(series, {"data/river/flow/std.3.instances": "Instance: 0\nTraining: 1-3 9-12\nTest: 6\n"})
    (instance,) = instances_of(series)
    assert (instance.training.tolist(), instance.test.tolist()) == ([0, 1, 2, 8, 9, 10, 11], [5])


def test_a_task_may_have_a_non_standard_size_where_a_file_lists_its_instances(series):
    # Manual, section 6.3.
    hierarchy = Hierarchy([str(series)])
    with pytest.raises(DelveError, match="expected a training set size among 3, found 5"):
        read_task(hierarchy, "river", "flow", "std.5")
    write_tree(series, {"data/river/flow/std.5.instances": "Instance: 0\nTraining: 1-5\nTest: 9\n"})
    assert read_task(hierarchy, "river", "flow", "std.5")[3].training_size == 5
    assert [one.training.tolist() for one in instances_of(series, size=5)] == [[0, 1, 2, 3, 4]]


def test_attribute_0_is_the_index_of_the_case_in_the_original_ordering(series):
    # Manual, section 4.1: starting with one for the first case.
    specification = series / "data/river/flow/Prototask.spec"
    text = FLOW.replace("Order: sequential\nMaximum-Dependency-Range: 2\n", "Order: Backward\n")
    specification.write_text(text)
    write_tree(series, {"data/river/flow/Backward": "".join(f"{n}\n" for n in range(12, 0, -1))})
    cases = read_cases(series)[1]
    assert list(cases.columns[0].words) == [str(n) for n in range(12, 0, -1)]
    assert list(cases.columns[2].words) == [str(n) for n in range(12, 0, -1)]


def test_prototask_data_holds_attribute_0_like_any_other(series):
    cases = read_cases(series)[1]
    rows = zip(*(cases.columns[number].words for number in (0, 1, 2)), strict=True)
    write_tree(series, {"data/river/flow/Prototask.data": "".join(" ".join(row) + "\n" for row in rows)})
    (series / "data/river/Dataset.data").unlink()
    series_cases = read_cases(series)[1]
    assert list(series_cases.columns[0].words) == list(cases.columns[0].words)
    assert series_cases.case_numbers.tolist() == list(range(1, 13))


def indexed(series, *, declared):
    text = FLOW.replace("Order: sequential\nMaximum-Dependency-Range: 2\n", "Order: retain\n")
    line = "Commonality indexes are present\n" * declared
    files = {
        "data/river/Dataset.spec": SERIES.replace("Attributes", line + "Attributes"),
        "data/river/Dataset.data": "".join(f"{n} {n + 1} @{n // 5}\n" for n in range(12)),
        "data/river/flow/Prototask.spec": text,
        "data/river/flow/std.prior": PRIOR.replace("Dependency-Range: 2\n", ""),
    }
    return write_tree(series, files)


def test_cases_with_the_same_commonality_index_are_used_either_for_training_or_for_testing(series):
    # Manual, section 3.2: the fifth case has the index of the four test cases.
    first, second = instances_of(indexed(series, declared=True))
    assert (first.training.tolist(), first.test.tolist()) == ([5, 6, 7], [0, 1, 2, 3])
    assert second.training.tolist() == [8, 9, 10]
    assert first.gap.tolist() == [4, 11]


def test_commonality_indexes_that_are_not_declared_are_ignored(series):
    # Manual, section 3.4: old files may include them, but no line of the specification says so.
    first, _ = instances_of(indexed(series, declared=False))
    assert first.training.tolist() == [4, 5, 6]


def test_a_listing_is_parsed_once_for_the_same_cases_and_again_if_it_changes(series):
    name = "data/river/flow/std.3.instances"
    write_tree(series, {name: "Instance: 0\nTraining: 1-3\nTest: 10\n"})
    hierarchy, cases = read_cases(series)
    task = Task("river", "flow", "std", 3)
    first, again = (task_instances(hierarchy, cases, task) for _ in range(2))
    assert again[0] is first[0]
    write_tree(series, {name: "Instance: 0\nTraining: 1-3\nTest: 11\n"})
    assert task_instances(hierarchy, cases, task)[0].test.tolist() == [10]
