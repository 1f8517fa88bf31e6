"""Why there is no result: what a method itself says of a task."""

import pytest

from delvecore.readers.hierarchy import Hierarchy
from delvecore.runner.choice import NOT_RUN, why_missing
from tests.archives import small_archive, write_tree


@pytest.mark.parametrize(
    ("method", "place", "reason"),
    [
        ("gp-1", ("demo", "shade"), "cannot: its target SHADE is ordinal"),
        ("gp-1", ("demo", "age"), NOT_RUN),
        ("of-nobody", ("demo", "shade"), NOT_RUN),
        ("gp-1", ("nowhere",), NOT_RUN),
    ],
)
def test_the_reason_is_that_of_the_method(method, place, reason, tmp_path):
    assert why_missing(Hierarchy([str(small_archive(tmp_path))]), method, *place) == reason


def test_the_first_failed_instance_says_why_where_the_method_could_have_run(tmp_path):
    failures = {"methods/three/demo/age/std.8/Failures": "1 MemoryError: out of memory\n2 killed\n"}
    hierarchy = Hierarchy([str(write_tree(small_archive(tmp_path), failures))])
    assert why_missing(hierarchy, "three", "demo") == "failed: MemoryError: out of memory"
    assert why_missing(hierarchy, "three", "demo", "shade") == NOT_RUN
