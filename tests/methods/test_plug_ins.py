"""Methods that other distributions bring."""

import sys
from importlib.metadata import entry_points

import pytest

from delvecore.errors import DelveError
from delvecore.methods import GROUP, load_method, plug_ins
from delvecore.methods.objects import ObjectMethod
from tests.methods.learners import Whole

POINTS = """[delvecore.methods]
whole-1 = tests.methods.learners:Whole
mean-1 = tests.methods.learners:Mean
lin-1 = tests.methods.learners:Mean
lost-1 = tests.methods.learners:lost
"""


@pytest.fixture
def _installed(tmp_path, monkeypatch):
    """A distribution with four plug-ins, as an installer leaves it."""
    directory = tmp_path / "site" / "brought-1.2.dist-info"
    directory.mkdir(parents=True)
    (directory / "METADATA").write_text("Metadata-Version: 2.1\nName: brought\nVersion: 1.2\n")
    (directory / "entry_points.txt").write_text(POINTS)
    monkeypatch.setattr(sys, "path", [*sys.path, str(directory.parent)])


def test_the_project_itself_brings_none():
    assert [point for point in entry_points(group=GROUP) if point.value.startswith("delvecore")] == []


@pytest.mark.usefixtures("_installed")
def test_plug_ins_are_found_with_their_distribution():
    found = {name: plug_in.distribution for name, plug_in in plug_ins().items()}
    assert found == dict.fromkeys(("lin-1", "lost-1", "mean-1", "whole-1"), "brought 1.2")


@pytest.mark.usefixtures("_installed")
def test_plug_ins_are_loaded_by_name_and_those_of_the_project_come_first():
    assert isinstance(load_method("whole-1"), Whole)
    mean = load_method("mean-1")
    assert isinstance(mean, ObjectMethod)
    assert mean.name == "mean-1"
    assert type(load_method("lin-1")).__module__ == "delvecore.methods.lin_1"


@pytest.mark.usefixtures("_installed")
def test_a_plug_in_that_cannot_be_loaded_says_why():
    with pytest.raises(DelveError, match=r"tests\.methods\.learners:lost: expected an object that"):
        load_method("lost-1")
    with pytest.raises(DelveError, match=r"whole-1\), found 'nothing'"):
        load_method("nothing")
