"""What is shown while nothing was chosen."""

import pytest

from dashboard.server import archive as opened
from dashboard.ui.archive_facts import largest_array, middle, typical_task
from tests.dashboard.array_archive import opened_array


def test_the_typical_task_has_the_middle_size_in_the_middle_member_of_those_with_most_methods(tmp_path):
    # Of the sizes 8 and 16 the first is the middle one. One bed in the sun lacks a method at that size; one bed
    # in the dark, two beds and three beds in the sun have all.
    opened_array(tmp_path)
    archive = opened.open_archive().archive
    assert largest_array(archive, ["garden"]) == "garden"
    assert typical_task(archive) == "/plot-2s/yield/std.8"


def test_without_an_array_no_task_is_typical(small):
    assert typical_task(opened.open_archive().archive) is None


@pytest.mark.parametrize(("items", "found"), [("a", "a"), ("ab", "a"), ("abc", "b")])
def test_of_two_in_the_middle_the_first_is_taken(items, found):
    assert middle(items) == found
