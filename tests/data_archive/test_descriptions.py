"""The descriptions that ship are those of the archive's data: no task is described at a first use."""

import pytest

from delvecore.locations import default_directories
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import dataset_names, prototask_names
from delvecore.runner import data_description
from delvecore.runner.data_description import describe_prototask, known_description, shipped_descriptions


@pytest.fixture
def hierarchy():
    return Hierarchy(default_directories())


def test_every_prototask_has_a_description_of_its_files(hierarchy, monkeypatch):
    monkeypatch.delattr(data_description, "describe_prototask")
    names = [(one, two) for one in dataset_names(hierarchy) for two in prototask_names(hierarchy, one)]
    file_names = {known_description(hierarchy, *place).name for place in names}
    assert file_names == {f"/{one}/{two}" for one, two in names}
    assert len(file_names) == len(shipped_descriptions())


def test_a_description_made_anew_is_the_one_that_ships(hierarchy):
    shipped = known_description(hierarchy, "wine", "cultivar")
    made = describe_prototask(hierarchy, "wine", "cultivar")
    assert made.errors == pytest.approx(shipped.errors, abs=0.005)
    assert (made.counts, made.classes, made.cases) == (shipped.counts, shipped.classes, shipped.cases)


def test_the_arrays_have_the_noise_and_non_linearity_of_their_names():
    # f is fairly linear (under 5 % missed), n is not; m has moderate noise (1 to 5 %), h high noise (over 25 %).
    # What is measured is an upper bound.
    for one in shipped_descriptions().values():
        family, _, name = one.name.split("/")[1].partition("-")
        if family not in ("bank", "kin", "pumadyn"):
            continue
        assert one.inputs == int(name[:-2])
        assert (one.nonlinearity < 0.05) == (name[-2] == "f")
        assert (one.noise > 0.25) == (name[-1] == "h")


def test_descriptions_of_other_data_are_kept_in_the_cache(archive, monkeypatch):
    hierarchy = Hierarchy([str(archive)])
    made = known_description(hierarchy, "demo", "age")
    monkeypatch.delattr(data_description, "describe_prototask")
    assert known_description(hierarchy, "demo", "age") == made
