"""What standardizes losses."""

import math

import numpy as np
import pytest

from delvecore.losses.baselines import target_statistics, test_set_statistics
from delvecore.readers.cases import make_column
from delvecore.readers.hierarchy import Hierarchy
from delvecore.writers.task_files import test_set_stats_text
from tests.encoded import task_plan
from tests.encoding.test_encode import RECORDED_TASKS
from tests.shared import SESSION, shared_cases


def test_statistics_of_numbers():
    # 1 2 3 6: variance 14 / 3, deviations from the median 2.5 sum to 6.
    statistics = target_statistics(make_column(["1", "2", "3", "6"]), "real")
    assert statistics["S"] == pytest.approx(14 / 3)
    assert statistics["A"] == pytest.approx(2)
    assert statistics["L"] == pytest.approx(-(math.log(2 * math.pi * 14 / 3) + 1) / 2, abs=2e-9)
    assert (statistics["Z"], statistics["Q"]) == (None, None)


def test_statistics_of_categories():
    # Shares 1/2 1/4 1/4.
    statistics = target_statistics(make_column(["a", "b", "a", "c"]), "nominal")
    assert statistics["Z"] == pytest.approx(0.5)
    assert statistics["Q"] == pytest.approx(1 - 6 / 16)
    assert statistics["L"] == pytest.approx(-1.5 * math.log(2))
    assert (statistics["S"], statistics["A"]) == (None, None)


def test_categories_of_an_integer_range_count_however_they_are_spelled():
    # 1 four times, 2 once: shares 4/5 1/5.
    column = make_column(["1", "1.0", "+1", "1e0", "2"])
    statistics = target_statistics(column, "nominal", None, ("1", "2", "3"))
    assert statistics["Z"] == pytest.approx(1 / 5)
    assert statistics["Q"] == pytest.approx(1 - 17 / 25)


def test_integers_have_a_commonest_value_as_well():
    statistics = target_statistics(make_column(["1", "1.0", "2"]), "integer")
    assert statistics["Z"] == pytest.approx(1 / 3)
    assert statistics["S"] == pytest.approx(1 / 3)
    assert statistics["Q"] is None


def test_the_log_probability_of_integers_is_that_of_discrete_values():
    # Shares 2/3 and 1/3; with weights 1/2 1/2 2 for 1 1 2 it is the other way round.
    column, expected = make_column(["1", "1.0", "2"]), 2 / 3 * math.log(2 / 3) + math.log(1 / 3) / 3
    assert target_statistics(column, "integer")["L"] == pytest.approx(expected)
    assert target_statistics(column, "integer", np.array([0.5, 0.5, 2.0]))["L"] == pytest.approx(expected)


def test_angles_have_log_probability_only():
    statistics = target_statistics(make_column(["1", "2"]), "angular")
    assert [loss for loss, value in statistics.items() if value is not None] == ["L"]


def test_values_that_are_all_the_same_leave_the_log_probability_undefined():
    statistics = target_statistics(make_column(["2", "2"]), "real")
    assert (statistics["S"], statistics["L"]) == (0.0, None)


@pytest.mark.parametrize("path", shared_cases(SESSION, RECORDED_TASKS))
def test_recorded_file_is_reproduced(golden_session, path):
    hierarchy = Hierarchy([str(golden_session / "delve-golden")])
    plan = task_plan(hierarchy, *path.split("/"))
    text = test_set_stats_text(test_set_statistics(plan.cases, plan.prior, plan.instances))
    recorded = golden_session / "delve-golden/methods/lin" / path / "Test-set-stats"
    assert text == recorded.read_text()
