"""Which tasks paths stand for."""

import shutil
from pathlib import Path

import pytest

from delvecore.packaging.pack import pack_method
from delvecore.readers.hierarchy import Hierarchy
from delvecore.runner.choice import NOT_RUN, choose_tasks, why_missing, without_results_elsewhere
from tests.archives import small_archive, write_tree
from tests.runner.archive import data_archive

AGE = ["std.4", "std.8", "vague.4", "vague.8"]


def chosen(root: Path, *places: tuple[str, ...]):
    return choose_tasks(Hierarchy([str(root)]), places)


def paths(tasks) -> list[str]:
    return [task.path for *_, task in tasks]


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (("demo", "age", "vague.4"), ["/demo/age/vague.4"]),
        (("demo", "age"), [f"/demo/age/{task}" for task in AGE]),
        ((), [*(f"/demo/age/{task}" for task in AGE), "/demo/shade/std.4"]),
    ],
)
def test_a_place_stands_for_all_tasks_below_it(tmp_path, place, expected):
    assert paths(chosen(data_archive(tmp_path), place)[0]) == expected


def test_a_broken_prototask_does_not_hide_the_others(tmp_path):
    root = data_archive(tmp_path)
    specification = root / "data/demo/age/Prototask.spec"
    specification.write_text(specification.read_text().replace("Targets: 2", "Targets: 9"))
    tasks, (fault,) = chosen(root, ())
    assert paths(tasks) == ["/demo/shade/std.4"]
    assert "Prototask.spec:5" in fault


def test_tasks_with_results_in_another_delve_directory_are_left_out_and_counted(tmp_path):
    root = data_archive(tmp_path)
    write_tree(root, {"methods/one/demo/age/std.8/loss.S.0": "1\n"})
    mine = tmp_path / "delve-mine"
    for part in ("data", "methods"):
        (mine / part).mkdir(parents=True)
    hierarchy = Hierarchy([str(mine), str(root)])
    tasks, _ = choose_tasks(hierarchy, [("demo", "age")])
    kept, elsewhere = without_results_elsewhere(tasks, hierarchy, "one", str(mine))
    assert paths(kept) == ["/demo/age/std.4", "/demo/age/vague.4", "/demo/age/vague.8"]
    assert elsewhere == {str(root): 1}
    assert without_results_elsewhere(tasks, hierarchy, "one", str(root)) == (tasks, {})


def test_packed_results_are_results_elsewhere_even_in_the_same_delve_directory(tmp_path):
    root = data_archive(tmp_path)
    write_tree(root, {"methods/one/demo/age/std.8/loss.S.0": "1\n"})
    packed, *_ = pack_method(Hierarchy([str(root)]), "one", str(tmp_path))[0]
    shutil.rmtree(root / "methods/one")
    shutil.move(packed, root / "methods")
    hierarchy = Hierarchy([str(root)])
    tasks, _ = choose_tasks(hierarchy, [("demo", "age")])
    kept, elsewhere = without_results_elsewhere(tasks, hierarchy, "one", str(root))
    assert len(kept) == 3
    assert elsewhere == {str(root): 1}


@pytest.mark.parametrize(
    ("method", "place", "reason"),
    [
        ("gp-1", ("demo", "shade"), "cannot: its target SHADE is ordinal"),
        ("gp-1", ("demo", "age"), NOT_RUN),
        ("of-nobody", ("nowhere",), NOT_RUN),
    ],
)
def test_the_reason_is_that_of_the_method(method, place, reason, tmp_path):
    assert why_missing(Hierarchy([str(small_archive(tmp_path))]), method, *place) == reason


def test_the_first_failed_instance_says_why_where_the_method_could_have_run(tmp_path):
    failures = {"methods/three/demo/age/std.8/Failures": "1 MemoryError: out of memory\n2 killed\n"}
    hierarchy = Hierarchy([str(write_tree(small_archive(tmp_path), failures))])
    assert why_missing(hierarchy, "three", "demo") == "failed: MemoryError: out of memory"
    assert why_missing(hierarchy, "three", "demo", "shade") == NOT_RUN
