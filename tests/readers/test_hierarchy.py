"""Delve directories merged into one, and what path names mean: manual, appendix C."""

import os
from pathlib import Path

import pytest

from delvecore.errors import DelveError, ParseError
from delvecore.readers.hierarchy import Hierarchy, active_directories, find_directories
from delvecore.readers.specifications import (
    dataset_names,
    list_tasks,
    method_datasets,
    method_tasks,
    parse_task_name,
    prior_names,
    prototask_names,
    read_dataset,
    read_prototask,
    read_task,
)
from tests.archives import small_archive, write_tree


@pytest.fixture
def two(tmp_path):
    """The small archive and a second delve directory with a further dataset and results."""
    first = small_archive(tmp_path)
    second = write_tree(
        tmp_path / "delve-mine",
        {
            "data/other/Dataset.spec": "Origin: natural\nUsage: ?\nOrder: ?\nAttributes:\n1 A u 0 1\n",
            "methods/one/demo/age/std.4/loss.S.0": "1\n2\n",
            "methods/three/Summary": "x\n",
        },
    )
    return Hierarchy([str(first), str(second)])


def test_directory_named_by_a_symbolic_link_as_well_is_one(tmp_path):
    first = small_archive(tmp_path)
    link = tmp_path / "delve-link"
    link.symlink_to(first.name)
    assert find_directories([first, link]) == [str(first)]
    assert active_directories(str(first / "data"), str(link), []) == [str(first)]


def test_directories_merge(two):
    assert dataset_names(two) == ["demo", "other"]
    assert two.subdirectories("methods") == ["one", "three", "two"]
    assert method_tasks(two, "one", "demo", "age") == ["std.4", "std.8"]
    assert len(two.directories("methods", "one")) == 2


def test_names_of_every_level(two):
    assert prototask_names(two, "demo") == ["age", "shade"]
    assert prior_names(two, "demo", "age") == ["std", "vague"]
    assert method_datasets(two, "one") == ["demo"]


def test_tasks_follow_the_specification_s_order_of_sizes(two):
    prototask = read_prototask(two, read_dataset(two, "demo"), "age")
    assert [task.name for task in list_tasks(prototask, ["std", "vague"])] == [
        "std.4",
        "std.8",
        "vague.4",
        "vague.8",
    ]


def test_a_file_in_two_directories_is_an_error_that_names_both(two):
    write_tree(Path(two.roots[1]), {"data/demo/Summary": "again\n"})
    with pytest.raises(ParseError) as error:
        two.find("data", "demo", "Summary")
    first, second = (os.path.join(root, "data/demo/Summary") for root in two.roots)
    assert (
        str(error.value) == f"{first}: expected one copy of the file, found another at {second}; remove one"
    )


def locate(hierarchy, argument, inside, part):
    directory = os.path.join(hierarchy.roots[0], inside)
    return hierarchy.locate(argument, directory, part=part).path


def test_absolute_data_paths(two):
    assert locate(two, "/demo/age", "", "data") == "/demo/age"


def test_an_absolute_method_path_stands_for_its_data_path(two):
    assert locate(two, "/one/demo/age/std.8", "", "data") == "/demo/age/std.8"


def test_relative_paths_are_those_of_the_working_directory(two):
    assert locate(two, ".", "data/demo", "data") == "/demo"
    assert locate(two, "..", "data/demo/age", "data") == "/demo"
    assert locate(two, ".", "methods/one/demo/age", "data") == "/demo/age"
    assert locate(two, "demo", "methods/one", "methods") == "/one/demo"


def test_a_path_that_leaves_the_hierarchy_is_refused(two):
    with pytest.raises(DelveError, match=r"expected a path inside the hierarchy, found '\.\.'"):
        locate(two, "/demo/../../etc/passwd", "", "data")
    with pytest.raises(DelveError, match="expected a path inside the data or methods of an active delve"):
        locate(two, "../../..", "data/demo", "data")


def test_a_data_path_where_a_method_path_is_needed_is_refused(two):
    with pytest.raises(DelveError, match="expected a path in a methods directory, found one in data"):
        locate(two, ".", "data/demo", "methods")


def test_the_directory_around_the_working_directory_comes_first_then_the_path(tmp_path):
    first, second = small_archive(tmp_path, "delve-a"), small_archive(tmp_path, "delve-b")
    listed = os.pathsep.join([str(first), str(second)])
    assert active_directories(str(second / "data" / "demo"), listed, []) == [str(second), str(first)]
    assert active_directories(str(tmp_path), listed, []) == [str(first), str(second)]
    assert active_directories(str(tmp_path), None, [str(second)]) == [str(second)]


def test_the_default_list_does_not_join_the_directory_that_one_works_in(tmp_path):
    first, second = small_archive(tmp_path, "delve-a"), small_archive(tmp_path, "delve-b")
    assert active_directories(str(first / "data"), None, [str(second)]) == [str(first)]


def test_a_directory_that_holds_delve_directories_stands_for_them(tmp_path):
    small_archive(tmp_path, "delve-b")
    small_archive(tmp_path, "delve-a")
    found = find_directories([tmp_path, tmp_path / "delve-a"])
    assert found == [str(tmp_path / "delve-a"), str(tmp_path / "delve-b")]


@pytest.mark.parametrize(
    ("make", "found"),
    [
        (None, "expected a file or directory, found none; check the path"),
        ("file", "found a file; check the path"),
        ("empty", "found neither"),
    ],
)
def test_what_is_no_delve_directory_is_refused_in_words(tmp_path, make, found):
    place = tmp_path / "delve-x"
    if make == "file":
        place.write_text("")
    if make == "empty":
        place.mkdir()
    with pytest.raises(DelveError, match=found):
        find_directories([place])


@pytest.mark.parametrize("name", ["std", "std.", ".128", "std.0", "std.012", "std.x", "Source"])
def test_what_is_no_task_name(name):
    assert parse_task_name(name) is None


def test_a_prior_may_have_a_dot_in_its_name():
    assert parse_task_name("no.age.64") == ("no.age", 64)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("demo", "age", "std"), "expected a task such as std.128, found 'std'"),
        (("demo", "age", "std.5"), "expected a training set size among 4 8, found 5"),
        (("demo", "age", "no.4"), "expected a prior, found no no.prior"),
        (("demo", "nothing", "std.4"), "expected a prototask, found no Prototask.spec"),
        (("nothing", "age", "std.4"), "expected a dataset, found no Dataset.spec"),
    ],
)
def test_a_task_that_is_not_there_is_said_in_words(two, names, message):
    with pytest.raises(DelveError, match=message):
        read_task(two, *names)


def test_a_directory_that_is_not_there_is_a_fault(two):
    assert two.directory("data", "demo") == f"{two.roots[0]}/data/demo"
    with pytest.raises(ParseError, match="/gone/away: expected a directory in methods, found none"):
        two.directory("methods", "gone", "away")
