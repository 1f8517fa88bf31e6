"""An archive looked at by hand: in five lines, below a place, as data frames, as learning curves."""

import pytest

import delvecore
from delvecore.errors import DelveError
from tests.archives import small_archive
from tests.dashboard.array_archive import ARRAY, METHODS, array_archive


@pytest.fixture
def archive(tmp_path):
    return delvecore.open(small_archive(tmp_path), cache=False)


def test_an_archive_introduces_itself_in_five_lines(archive):
    lines = repr(archive).splitlines()
    assert len(lines) == 5
    assert lines[0].startswith("Archive of ")
    assert "to_frame()" in lines[-1]


def test_a_table_that_is_none_is_refused_with_those_there_are(archive):
    with pytest.raises(
        DelveError, match="'result': expected a table of an archive, found none; there are datasets"
    ):
        archive.to_frame("result")


def test_the_pairs_of_one_task_are_those_of_all_tasks_on_it(archive):
    every = archive.compare()
    row = every.to_pylist()[0]
    place = f"/{row['dataset']}/{row['prototask']}/{row['task']}"
    below = [
        one for one in every.to_pylist() if place == f"/{one['dataset']}/{one['prototask']}/{one['task']}"
    ]
    assert archive.compare(place).to_pylist() == below
    assert archive.compare(f"/{row['dataset']}").num_rows >= len(below) > 0


def test_a_place_is_not_one_whose_name_only_begins_so(archive):
    with pytest.raises(DelveError, match="expected a place with tasks and their results, found none"):
        archive.compare(f"/{archive.results['dataset'][0].as_py()[:-1]}")


def test_an_array_that_is_not_there_is_told_in_one_line(archive):
    with pytest.raises(
        DelveError, match="'kin': expected a task-array of this archive, found none; there is none"
    ):
        archive.array("kin")


@pytest.fixture
def garden(tmp_path):
    return delvecore.open(array_archive(tmp_path), cache=False).array(ARRAY)


def test_the_curves_of_an_array_are_its_estimates_best_first(garden):
    frame = garden.to_frame()
    known = frame[frame["standardized_mean"].notna()]
    assert garden.order == METHODS
    assert set(known["reference"]) == {"apple"}
    drawn = {round(y, 9) for one in garden.curves().data for y in one.y or () if y is not None and y == y}
    assert set(known["standardized_mean"].round(9)) <= drawn


def test_an_array_introduces_itself(garden):
    assert repr(garden) == (
        "Task-array garden: beds (3) x light (2), 10 tasks\nloss S, 3 methods: apple, pear, quince"
    )


def test_a_loss_or_method_without_results_on_an_array_is_refused(garden):
    with pytest.raises(DelveError, match=r"loss Q9: .* there are S"):
        garden.archive.array(ARRAY, loss="Q9")
    with pytest.raises(DelveError, match=r"method nobody: .* there are apple, pear, quince"):
        garden.archive.array(ARRAY, methods=["nobody"])
