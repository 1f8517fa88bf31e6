"""What is shown while nothing was chosen, and the way from a task-array to the ranking of its tasks and back."""

from dashboard.server import archive as opened
from dashboard.ui.archive_facts import array_of_datasets, largest_array, middle, ranking_filter, typical_task
from tests.archives import write_tree
from tests.dashboard.array_archive import ARRAY, array_files
from tests.dashboard.reading import opened_archive

PLOTS = {"plot-1s", "plot-1d", "plot-2s", "plot-3s"}
"""The datasets with results."""
OTHER = """Title: Another garden
Factors:
  light  s: sunny | d: dark
Members:
  plot-1s/yield/std  s
  plot-1d/yield/std  d
"""


def test_the_ranking_takes_the_family_or_the_datasets_and_knows_an_array_by_those_with_results(tmp_path):
    write_tree(tmp_path / "delve", array_files() | {"data/other/Array.spec": OTHER})
    archive = opened_archive(tmp_path / "delve")
    assert ranking_filter(archive, ARRAY) == {"family": [ARRAY]}
    assert ranking_filter(archive, "other") == {"data": ["plot-1d", "plot-1s"]}
    assert array_of_datasets(archive, PLOTS) == ARRAY
    assert array_of_datasets(archive, {"plot-1s", "plot-1d"}) == "other"
    assert array_of_datasets(archive, PLOTS - {"plot-3s"}) is None
    assert array_of_datasets(archive, ()) is None


def test_the_typical_task_has_the_middle_size_in_the_middle_member_of_those_with_most_methods(array_page):
    # Of the sizes 8 and 16 the first is the middle one. One bed in the sun lacks a method at that size; one bed
    # in the dark, two beds and three beds in the sun have all.
    archive = opened_archive(array_page.archive)
    assert largest_array(archive, ["garden"]) == "garden"
    assert typical_task(archive) == "/plot-2s/yield/std.8"


def test_without_an_array_no_task_is_typical(small):
    assert typical_task(opened.open_archive().archive) is None
    assert [middle(items) for items in ("a", "ab", "abc")] == ["a", "a", "b"]
