"""Delve directories merged into one, own ones beside that which ships with the program, and what path names
mean: manual, appendix C."""

import os
from pathlib import Path

import pytest

import delvecore
from delvecore.cli.delve import main
from delvecore.errors import DelveError, ParseError
from delvecore.readers import hierarchy as readers_hierarchy
from delvecore.readers.hierarchy import Hierarchy, active_directories, find_directories
from delvecore.readers.specifications import (
    dataset_names,
    method_datasets,
    method_tasks,
    parse_task_name,
    prior_names,
    prototask_names,
    read_dataset,
    read_prototask,
    read_task,
    tasks_among,
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
    assert [task.name for task in tasks_among(prototask, ["std", "vague"], [])] == [
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
    return "/" + "/".join(hierarchy.locate(argument, directory, part=part))


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
    directories = find_directories([tmp_path, tmp_path / "delve-a"])
    assert directories == [str(tmp_path / "delve-a"), str(tmp_path / "delve-b")]


@pytest.mark.parametrize(
    ("make", "actual"),
    [
        (None, "expected a file or directory, found none; check the path"),
        ("file", "found a file; check the path"),
        ("empty", "found neither"),
    ],
)
def test_what_is_no_delve_directory_is_refused_in_words(tmp_path, make, actual):
    place = tmp_path / "delve-x"
    if make == "file":
        place.write_text("")
    if make == "empty":
        place.mkdir()
    with pytest.raises(DelveError, match=actual):
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


OWN_DATA = {"data/demo/Dataset.spec": "Origin: natural\nUsage: ?\nOrder: ?\nAttributes:\n1 A u 0..9\n"}
OWN_DATA |= {"data/demo/Dataset.data": "1\n2\n", "data/demo/Summary": "Mine.\n"}
OWN_RESULTS = {"methods/one/demo/age/std.8/loss.S.0": "1\n2\n3\n4\n", "methods/one/Summary": "Changed.\n"}


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    root = small_archive(tmp_path, "delve")
    monkeypatch.setattr(readers_hierarchy, "default_directories", lambda: [str(root)])
    return root


def own(tmp_path, files):
    root = write_tree(tmp_path / "delve-own", files)
    for part in ("data", "methods"):
        (root / part).mkdir(exist_ok=True)
    return root


def problems(*roots):
    return delvecore.open([str(root) for root in roots], cache=False).problems.to_pylist()


@pytest.mark.parametrize("first", ["own", "shipped"])
def test_an_own_dataset_hides_the_shipped_one_and_all_results_on_it(first, tmp_path, shipped):
    mine = own(tmp_path, OWN_DATA)
    roots = [mine, shipped] if first == "own" else [shipped, mine]
    hierarchy = Hierarchy(map(str, roots))
    assert hierarchy.find("data", "demo", "Dataset.spec") == str(mine / "data/demo/Dataset.spec")
    assert hierarchy.directories("data", "demo", "age") == []
    assert hierarchy.directories("methods", "one", "demo") == []
    assert hierarchy.find("methods", "one", "Summary") == str(shipped / "methods/one/Summary")
    archive = delvecore.open([str(root) for root in roots], cache=False)
    assert archive.datasets["dataset"].to_pylist() == ["demo"]
    assert archive.losses.num_rows == 0


def test_own_results_and_summaries_hide_shipped_ones_task_by_task(tmp_path, shipped):
    mine = own(tmp_path, OWN_RESULTS)
    hierarchy = Hierarchy([str(mine), str(shipped)])
    assert hierarchy.find("methods", "one", "Summary") == str(mine / "methods/one/Summary")
    assert hierarchy.files("methods", "one")["Summary"] == str(mine / "methods/one/Summary")
    assert hierarchy.directories("methods", "one", "demo", "age", "std.8") == [
        str(mine / "methods/one/demo/age/std.8")
    ]
    assert method_tasks(hierarchy, "one", "demo", "shade") == ["std.4"]


def test_what_is_hidden_is_named_once_as_a_notice(tmp_path, shipped):
    mine = own(tmp_path, OWN_RESULTS)
    pairs = [(one["kind"], one["message"]) for one in problems(mine, shipped) if one["kind"] == "notice"]
    hidden, used = shipped / "methods/one/demo/age/std.8", mine / "methods/one/demo/age/std.8"
    said = f"{hidden}: expected a name of its own, found the same at {used}, which is used instead"
    assert pairs == [("notice", f"{said}; rename one to use both")]
    mine = own(tmp_path / "further", OWN_DATA)
    notices = [one for one in problems(mine, shipped) if one["kind"] == "notice"]
    assert [one["source"] for one in notices if "/data/" in one["source"]] == [str(shipped / "data/demo")]


def test_two_copies_among_own_directories_stay_a_fault(tmp_path, shipped):
    first, second = own(tmp_path / "a", OWN_DATA), own(tmp_path / "b", OWN_DATA)
    with pytest.raises(ParseError, match="expected one copy of the file"):
        Hierarchy([str(first), str(second), str(shipped)]).find("data", "demo", "Summary")
    assert "file" in {one["kind"] for one in problems(first, second, shipped)}


def test_a_check_with_notices_alone_finds_no_fault(tmp_path, shipped, run_command):
    mine = own(tmp_path, OWN_DATA | {"data/demo/Source/Notes": "Mine.\n"})
    outcome = run_command(main, "check", str(mine), str(shipped), "--no-cache")
    kinds = [one["kind"] for one in problems(mine, shipped)]
    assert (outcome.code, set(kinds)) == (0, {"notice"}), outcome.out


def test_an_empty_directory_of_a_task_hides_nothing(tmp_path, shipped):
    mine = own(tmp_path, {"methods/one/Summary": "The first method.\n"})
    (mine / "methods/one/demo/age/std.8").mkdir(parents=True)
    hierarchy = Hierarchy([str(mine), str(shipped)])
    places = [str(root / "methods/one/demo/age/std.8") for root in (mine, shipped)]
    assert hierarchy.directories("methods", "one", "demo", "age", "std.8") == places
    assert hierarchy.find("methods", "one", "demo", "age", "std.8", "loss.S.0") == f"{places[1]}/loss.S.0"
    hidden = [one["source"] for one in problems(mine, shipped) if one["kind"] == "notice"]
    assert not any("std.8" in path for path in hidden)


def made_losses(tmp_path, shipped):
    """Losses of one's own, as `mloss` makes them for a shipped method: those of a letter for all instances."""
    text = (shipped / "methods/one/demo/age/std.8/loss.S.0").read_text()
    place = "methods/one/demo/age/std.8"
    return own(tmp_path, {f"{place}/loss.{loss}.{number}": text for loss in "SA" for number in range(2)})


@pytest.mark.parametrize("first", ["own", "shipped"])
def test_losses_made_of_shipped_predictions_add_to_the_shipped_results(first, tmp_path, shipped):
    mine = made_losses(tmp_path, shipped)
    roots = [mine, shipped] if first == "own" else [shipped, mine]
    hierarchy, place = Hierarchy(map(str, roots)), ("methods", "one", "demo", "age", "std.8")
    assert hierarchy.find(*place, "loss.A.1") == str(mine.joinpath(*place) / "loss.A.1")
    assert hierarchy.find(*place, "loss.S.0") == str(mine.joinpath(*place) / "loss.S.0")
    assert hierarchy.files(*place)["Test-set-stats"] == str(shipped.joinpath(*place) / "Test-set-stats")
    archive = delvecore.open([str(root) for root in roots], cache=False)
    results = [row for row in archive.results.to_pylist() if row["method"] == "one" and row["loss"] == "A"]
    assert [(row["instances"], row["task"]) for row in results] == [(2, "std.8")]
    assert not [one for one in archive.problems.to_pylist() if one["kind"] == "notice"]
