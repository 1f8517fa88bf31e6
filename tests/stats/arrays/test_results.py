"""What is known of a task-array: its grid, the estimates of an archive, and where there is none."""

import numpy as np
import pytest

from delvecore.stats.arrays.results import NO_MEMBER, NO_RESULTS, NO_SIZE, NO_TASK, array_cells
from tests.stats.made_arrays import FULL, array_of, results_of, task_table

# Means of the instances 1 and 3 (twice), so the mean is 2 and the standard error sqrt(2 / 2) = 1.
ROWS = [[0.0, 2.0], [2.0, 4.0]]


def test_holes_are_cells_with_a_reason():
    array = array_of(("8", "m"), ("8", "h"), ("32", "m"))
    tasks = task_table(array)
    tasks = tasks.filter([row["dataset"] != "toy-32m" for row in tasks.to_pylist()])
    tasks = tasks.filter([(row["dataset"], row["task"]) != ("toy-8h", "std.64") for row in tasks.to_pylist()])
    missing = [cell.missing for cell in array_cells(array, tasks)]
    assert missing == [None, None, NO_SIZE, None, NO_TASK, NO_TASK, NO_MEMBER, NO_MEMBER]


def test_estimates_are_those_of_the_results_in_units_of_the_standardizer():
    data = results_of(FULL, ("toy-8m", 64, "a", ROWS), constant=2.0)
    assert (data.value[0, 0], data.error[0, 0], data.instances[0, 0]) == (1.0, 0.5, 2)
    assert data.missing[1, 0] == NO_RESULTS
    assert np.isnan(data.value[1:]).all()


def test_degrees_of_freedom_are_those_of_the_instances():
    # MS_a = 2 * ((1 - 2)^2 + (3 - 2)^2) = 4 exceeds MS_e = 2, so that the error rests on MS_a.
    assert results_of(FULL, ("toy-8m", 64, "a", ROWS)).degrees[0, 0] == 1


def test_degrees_of_freedom_are_those_of_the_cases_where_training_sets_do_not_differ():
    # MS_a = 0 is less than MS_e = 2: the error rests on MS_e, with 2 (2 - 1) degrees of freedom.
    data = results_of(FULL, ("toy-8m", 64, "a", [[0.0, 2.0], [2.0, 0.0]]))
    assert data.degrees[0, 0] == 2


def test_degrees_of_freedom_of_a_common_test_set_are_satterthwaites():
    # y = [[0, 6], [4, 14]]: mean 6, MS_a = 2 (9 + 9) = 36, MS_b = 2 (16 + 16) = 64, residuals 1 -1 -1 1, so
    # MS_e = 4; I J SE^2 = 36 + 64 - 4 = 96 and n = 96^2 / (36^2 + 64^2 + 4^2) = 9216 / 5408.
    tasks = task_table(FULL, selection="common")
    data = results_of(FULL, ("toy-8m", 64, "a", [[0.0, 6.0], [4.0, 14.0]]), tasks=tasks)
    assert data.error[0, 0] == pytest.approx((96 / 4) ** 0.5)
    assert data.degrees[0, 0] == pytest.approx(9216 / 5408)


def test_an_unknown_method_is_named():
    with pytest.raises(ValueError, match="expected one of the methods a, got 'z'"):
        results_of(FULL, ("toy-8m", 64, "a", ROWS)).method_number("z")
