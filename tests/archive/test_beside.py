"""An archive with further delve directories beside it: only what is new is read, nothing is cached."""

import os

import pytest

import delvecore
from delvecore.archive import building
from delvecore.errors import DelveError
from tests.archives import small_archive, write_tree


@pytest.fixture
def archive(tmp_path):
    return delvecore.open(small_archive(tmp_path))


@pytest.fixture
def more(tmp_path):
    files = {
        "methods/mine/demo/age/std.8/loss.S.0": "1\n2\n3\n4\n",
        "methods/mine/demo/age/std.8/loss.S.1": "1\n2\n3\n5\n",
    }
    files |= {"data/other/Dataset.spec": "Origin: natural\nUsage: ?\nOrder: ?\nAttributes:\n1 A u 0 1\n"}
    return write_tree(tmp_path / "delve-more", {**files, "data/other/Dataset.data": "0\n1\n"})


def test_the_tables_are_those_of_opening_all_directories(archive, more):
    together = delvecore.open([*archive.paths, more], cache=False)
    beside = archive.beside([more])
    assert (beside.paths, beside.state) == (together.paths, together.state)
    for name in ("datasets", "tasks", "results", "losses", "methods", "problems", "comparisons"):
        assert getattr(beside, name).equals(getattr(together, name)), name
    assert beside.cases("other").num_rows == 2
    assert beside.cases("demo").equals(archive.cases("demo"))


def test_only_what_is_new_is_read(archive, more, monkeypatch):
    read, really_read = [], building.read_dataset_unit

    def note(unit, *rest):
        read.append(unit.names[1])
        return really_read(unit, *rest)

    monkeypatch.setattr(building, "read_dataset_unit", note)
    (more / "methods/mine/demo").rename(more / "methods/mine/Source")
    archive.beside([more])
    assert read == ["other"]


def test_nothing_is_added_to_the_cache(archive, more, tmp_path):
    def cached():
        return sorted(
            os.path.join(place, name) for place, _, names in os.walk(tmp_path / "cache") for name in names
        )

    before = cached()
    archive.beside([more]).cases("other")
    assert cached() == before != []


def test_a_path_must_be_a_delve_directory(archive, tmp_path):
    with pytest.raises(DelveError, match="expected a file or directory"):
        archive.beside([tmp_path / "nothing"])
