"""What was published elsewhere, in an archive."""

import os

import pytest

import delvecore
from delvecore.checks.datasets import dataset_problems
from delvecore.checks.methods import method_problems
from delvecore.importers.proben1 import REPORT
from delvecore.readers.hierarchy import Hierarchy
from tests.importers.proben1_files import PUMP, written
from tests.shared import shared_path

pytestmark = pytest.mark.slow

RESULT = "tree-1999 /proben1-pump/pump1/std.240 classification-error 12.5 0.4 10 table 2\n"


@pytest.fixture
def pump(tmp_path):
    return written(tmp_path, PUMP).roots[0]


def add(root, place, text):
    with open(f"{root}/{place}/Published", "w", encoding="utf-8") as file:
        file.write(f"Source: A paper, 1999\n{text}")


def messages(root):
    return [one.expected for one in dataset_problems(Hierarchy([root]), "proben1-pump")]


def test_an_archive_without_such_files_has_an_empty_table(pump):
    archive = delvecore.open(pump, cache=False)
    assert archive.published.num_rows == 0
    assert archive.to_frame("published").empty


def test_results_of_datasets_and_methods_are_a_table_and_never_results(pump):
    add(pump, "data/proben1-pump", RESULT)
    os.makedirs(f"{pump}/methods/net-2001")
    add(pump, "methods/net-2001", "net-2001 /proben1-pump/pump2/std.240 Z 0.2 ? ?\n")
    archive = delvecore.open(pump, cache=False)
    rows = archive.published.to_pylist()
    assert [(row["method"], row["task"], row["mean"], row["deviation"], row["runs"]) for row in rows] == [
        ("tree-1999", "std.240", 12.5, 0.4, 10),
        ("net-2001", "std.240", 0.2, None, None),
    ]
    assert rows[0]["source"] == "A paper, 1999"
    assert archive.results.num_rows == 0
    assert archive.problems.num_rows == 0
    assert messages(pump) == []
    assert {one.kind for one in method_problems(Hierarchy([pump]), "net-2001")} == {"documentation"}


def test_a_result_on_a_task_that_is_not_there_is_a_problem(pump):
    add(pump, "data/proben1-pump", RESULT + RESULT.replace("std.240", "std.10"))
    archive = delvecore.open(pump, cache=False)
    assert archive.published.num_rows == 1
    (problem,) = archive.problems.to_pylist()
    assert (problem["line"], problem["expected"]) == (3, "a task of the dataset")
    assert messages(pump) == ["a task of the dataset"]


@pytest.mark.shared
def test_an_imported_problem_has_the_figures_of_the_report(tmp_path):
    # Tables 3, 8 and 10: 9.98 (0.10) and 46.04 (2.21), 10 runs, page 25.
    root = written(tmp_path, shared_path("data/proben1/glass")).roots[0]
    archive = delvecore.open(root, cache=False)
    rows = archive.published.to_pylist()
    assert len(rows) == 3 * 3 * 8 - 3, "linear networks have no correlation"
    own = [row for row in rows if row["method"] == "rprop-linear-1994" and row["prototask"] == "glass1"]
    listed_rows = [
        row for row in own if row["measure"] in ("squared-error-percentage", "classification-error")
    ]
    rest = {row["measure"]: (row["mean"], row["deviation"]) for row in own if row not in listed_rows}
    assert rest["generalization-loss"] == (3.81, 0.42)
    assert rest["total-epochs"] == (129, 13)
    assert [(row["measure"], row["mean"], row["deviation"], row["runs"]) for row in listed_rows] == [
        ("squared-error-percentage", 9.98, 0.1, 10),
        ("classification-error", 46.04, 2.21, 10),
    ]
    assert {(row["source"], row["where"]) for row in listed_rows} == {(REPORT, "table 3, page 25")}
    assert dataset_problems(Hierarchy([root]), "proben1-glass") == []
