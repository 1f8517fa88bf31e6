"""Who has results where: the index says what the rows of the results say."""

import numpy as np
import pyarrow as pa
import pytest

from delvecore.archive.result_index import ResultIndex, index_of
from delvecore.tables import SCHEMAS, table_of

ROWS = (
    ("b", "far", "S"),
    ("b", "near", "S"),
    ("b", "near", "A"),
    ("a", "near", "S"),
    ("a", "far", "Z"),
)


@pytest.fixture
def index() -> ResultIndex:
    empty = dict.fromkeys(SCHEMAS["results"].names)
    rows = [
        empty | {"dataset": "demo", "prototask": "age", "task": task, "method": method, "loss": loss}
        for task, method, loss in ROWS
    ]
    return index_of(table_of(rows, SCHEMAS["results"]))


def test_numbers_stand_for_the_names_of_the_rows(index):
    found = [
        (index.tasks[task][2], index.methods[method], index.losses[loss])
        for task, method, loss in zip(index.task, index.method, index.loss, strict=True)
    ]
    assert found == list(ROWS)
    assert index.paths == ("/demo/age/b", "/demo/age/a")


def test_results_are_counted_by_loss_and_rows_found_by_task_and_loss(index):
    assert dict(index.loss_counts) == {"S": 3, "A": 1, "Z": 1}
    assert index.rows_of(("demo", "age", "b"), "S").tolist() == [0, 1]
    assert index.rows_of(("demo", "age", "a")).tolist() == [3, 4]
    assert index.rows_of(("demo", "age", "b"), "Q").tolist() == index.rows_of(("other",)).tolist() == []
    assert index.rows_under("Z").tolist() == [4]
    assert index.first_rows.tolist() == [0, 3]


def test_methods_and_tasks_with_results_are_those_of_the_rows(index):
    on_b, on_a = {"S": ("far", "near"), "A": ("near",)}, {"S": ("near",), "Z": ("far",)}
    assert index.methods_on == {("demo", "age", "b"): on_b, ("demo", "age", "a"): on_a}
    assert index.methods_where(np.array([0, 1, 0, 0, 0], dtype=bool)) == {
        ("demo", "age", "b"): {"S": ("near",)}
    }
    both = frozenset(index.paths)
    assert index.tasks_done == {"far": both, "near": both}


def test_methods_with_the_same_tasks_share_one_set_of_them(index):
    assert index.tasks_done["far"] is index.tasks_done["near"]


def test_nothing_is_known_where_there_are_no_results():
    index = index_of(pa.table(SCHEMAS["results"].empty_table()))
    assert (index.tasks, index.methods, index.losses, index.methods_on) == ((), (), (), {})
    assert index.tasks_done == {}
    assert not index.loss_counts
