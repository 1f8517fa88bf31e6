"""What methods cost on a task-array, beside what they lose."""

import pyarrow as pa
import pytest

from delvecore.stats.arrays.estimates import ARRAY_COSTS, METHOD_COSTS, NO_COSTS, array_costs, method_costs
from tests.stats.made_arrays import FULL, results_of

ROWS = [[1.0, 3.0], [3.0, 5.0]]
DATA = results_of(FULL, ("toy-8m", 64, "a", ROWS), ("toy-8h", 64, "a", ROWS), ("toy-8m", 64, "b", ROWS))
COSTS = pa.table(
    {
        "method": ["a", "a", "a", "a", "b", "a"],
        "dataset": ["toy-8m"] * 3 + ["toy-8h", "toy-8m", "elsewhere"],
        "prototask": ["out"] * 6,
        "task": ["std.64"] * 6,
        "instance": [0, 1, 2, 0, 0, 0],
        "seconds": [1.0, 2.0, 6.0, 3.0, 0.5, 1000.0],
        "megabytes": [90.0, None, 95.0, 80.0, None, 1.0],
    },
    schema=pa.schema(
        [(name, pa.string()) for name in ("method", "dataset", "prototask", "task")]
        + [("instance", pa.int64()), ("seconds", pa.float64()), ("megabytes", pa.float64())]
    ),
)


def test_costs_of_a_task_stand_beside_its_loss():
    table = array_costs(DATA, COSTS)
    row = table.to_pylist()[0]
    assert (table.schema, table.num_rows) == (ARRAY_COSTS, 16)
    assert (row["instances"], row["median_seconds"], row["total_seconds"]) == (3, 2.0, 9.0)
    assert (row["most_megabytes"], row["standardized_mean"], row["missing"]) == (95.0, 3.0, None)


def test_tasks_without_costs_say_so():
    rows = array_costs(DATA, COSTS).to_pylist()
    assert (rows[2]["instances"], rows[2]["median_seconds"], rows[2]["missing"]) == (None, None, NO_COSTS)
    assert rows[1]["most_megabytes"] is None


def test_costs_of_a_method_are_those_of_all_its_instances_in_the_array():
    table = method_costs(DATA, COSTS)
    first, second = table.to_pylist()
    assert table.schema == METHOD_COSTS
    assert (first["tasks"], first["instances"], first["total_seconds"]) == (2, 4, 12.0)
    assert first["median_seconds"] == pytest.approx(2.5)
    assert (second["instances"], second["most_megabytes"]) == (1, None)


def test_methods_are_compared_on_the_tasks_that_all_have():
    first, second = method_costs(DATA, COSTS).to_pylist()
    assert first["compared_tasks"] == second["compared_tasks"] == 1
    assert first["mean_loss"] == second["mean_loss"] == 3.0


def test_an_archive_without_costs_gives_losses_all_the_same():
    rows = method_costs(DATA, COSTS.slice(0, 0)).to_pylist()
    assert [row["note"] for row in rows] == [NO_COSTS, NO_COSTS]
    assert rows[0]["mean_loss"] == 3.0
