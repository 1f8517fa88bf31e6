"""The Compare page's numbers are those of mstats."""

import numpy as np
import pytest

from dashboard.compare import data as compare_data
from dashboard.server import archive as opened
from dashboard.ui.request import Request
from delvecore.answers.compare_pair import bins_of
from delvecore.model import TaskId
from delvecore.stats.choose import DEFAULT_SETTING
from tests.archives import feature_archive
from tests.dashboard.compare_archive import AGE, SHADE, compared_archive
from tests.dashboard.reading import opened_archive

METHODS = ("<b>", "far", "near", "one", "two")


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    """(path, archive)."""
    return compared_archive(tmp_path_factory.mktemp("compared"))


@pytest.fixture
def known(compared):
    return compared[1]


def test_only_pairs_of_the_methods_shown_are_made_and_they_are_those_of_the_whole_family(known):
    every = compare_data.pairs(known, SHADE, "Z", METHODS, DEFAULT_SETTING, frozenset(METHODS))
    shown = frozenset(METHODS[1:3])
    pairs = compare_data.pairs(known, SHADE, "Z", METHODS, DEFAULT_SETTING, shown)
    assert list(pairs) == [pair for pair in every if {pair["method_a"], pair["method_b"]} == shown]
    request = Request(
        known,
        "Z",
        tasks=(SHADE,),
        methods=tuple(sorted(shown)),
        available=METHODS,
        reference=METHODS[1],
    )
    assert compare_data.comparison_of(request).pairs == pairs


def test_losses_by_training_set_are_means_over_its_test_cases(tmp_path):
    _, known = compared_archive(tmp_path, {"near": {AGE: [[1.0, 2.0, 3.0, 6.0], [0.0, 0.0, 0.0, 2.0]]}})
    # Standardized by the variance of the targets.
    request = Request(known, "S", tasks=(AGE,), methods=("near",), reference="near")
    table = compare_data.answer_about(request, "instance_losses").table
    assert table["mean"] == pytest.approx([3 / 57.8392857, 0.5 / 57.8392857])


def test_methods_are_ordered_by_their_mean_and_tasks_know_who_was_there(known):
    tasks = compare_data.compared_tasks(known)
    assert list(tasks) == [AGE, SHADE]
    assert known.index.methods_on[tasks[SHADE].id] == {"Z": ("far", "near", "one", "two")}
    designs = [compare_data.design_of(Request(known, "S", tasks=(task,))) for task in tasks]
    assert designs == ["hierarchical", "common"]
    means = [row["mean"] for row in compare_data.estimates(known, SHADE, "Z")]
    assert means == sorted(means)


def test_a_histogram_counts_every_case_once(tmp_path):
    rows = [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]
    other = [[0.0, 2.0, 5.0, 4.0], [5.0, 6.0, 7.0, 7.0]]
    _, known = compared_archive(tmp_path, {"near": {AGE: rows}, "far": {AGE: other}})
    request = Request(known, "S", tasks=(AGE,), methods=("near", "far"), reference="far", is_raw=True)
    answer = compare_data.cases_answer(request, "near")
    assert answer.table.select("low", "cases").rows == [(-2, 1), (0, 5), (1, 2)]
    assert (answer.figure.mean, answer.figure.names) == (0.0, ("near", "far"))


def test_many_different_values_are_counted_in_intervals_with_the_rest_at_the_ends():
    values = [float(n) for n in range(-500, 500)] + [1e6]
    bins = bins_of(np.array(values))
    assert sum(bins["cases"]) == 1001
    assert [*bins["beyond"][:2], bins["beyond"][-1]] == [True, False, True]
    assert bins["high"][-1] < 1000


def test_test_cases_that_do_not_count_are_told_with_the_reason(small):
    path = small / "data/demo/Dataset.data"
    path.write_text(path.read_text().replace(".5 ", ".5: ", 2))
    opened.choose_paths([str(small)])
    known, place = opened.open_archive().archive, TaskId("demo", "age", "std.8")
    assert compare_data.left_out(known, place, "S", 3) == "1 more left out for censored targets"
    assert compare_data.left_out(known, place, "S", 4) == ""
    assert compare_data.left_out(known, place, "L", 3) == ""


@pytest.fixture(scope="module")
def features(tmp_path_factory):
    return opened_archive(feature_archive(tmp_path_factory.mktemp("features")))


def test_attribute_0_is_shown_as_the_number_of_the_case(features):
    prototask = next(row for row in features.prototasks.to_pylist() if row["dataset"] == "river")
    assert "INDEX" in prototask["inputs"]
    request = Request(
        features,
        "S",
        tasks=("/river/flow/std.15",),
        methods=("bold", "careful"),
        reference="careful",
    )
    table = compare_data.deciding_table(request, most=1)
    (shown,) = table.to_dict("records")
    assert {"FLOW", "LEVEL", "RAIN"} <= set(table.columns)
    assert "INDEX" not in table.columns
    case = features.cases("river").to_pylist()[shown["Case"] - 1]
    assert {name: shown[name] for name in ("FLOW", "LEVEL")} == {
        name: case[name] for name in ("FLOW", "LEVEL")
    }
