"""Which cases go where: the example of the manual, section 6.2, with 500 cases, 340 of them for testing."""

from dashboard.case_map import case_map_table
from delvecore.model import Prototask


def prototask(**changes) -> Prototask:
    facts = {
        "dataset": "d",
        "name": "p",
        "origin": "natural",
        "cases": "all",
        "order": "retain",
        "inputs": (1,),
        "targets": (2,),
        "test_set_size": 340,
        "training_set_sizes": (80,),
        "test_set_selection": "hierarchical",
        "maximum_instances": 8,
    }
    return Prototask(**(facts | changes))


def runs(problem: Prototask, cases: int) -> list[tuple]:
    return list(case_map_table(problem, cases).itertuples(index=False, name=None))


def test_each_training_set_has_its_own_test_set():
    assert runs(prototask(), 500) == [
        (80, "test", 0, 1, 170),
        (80, "test", 1, 171, 340),
        (80, "training", 0, 341, 420),
        (80, "training", 1, 421, 500),
    ]


def test_a_common_test_set_is_one_run_and_what_is_left_is_unused():
    problem = prototask(test_set_selection="common", maximum_instances=1)
    assert runs(problem, 500) == [
        (80, "test", -1, 1, 340),
        (80, "training", 0, 341, 420),
        (80, "unused", -1, 421, 500),
    ]


def test_too_few_cases_give_no_runs():
    assert runs(prototask(), 350) == []
    assert runs(prototask(), 0) == []


def test_every_case_is_in_one_run_of_each_size():
    table = case_map_table(prototask(training_set_sizes=(20, 40, 80)), 500)
    for _, size in table.groupby("training_size"):
        assert size["first"].tolist() == [1, *(size["last"].iloc[:-1] + 1)]
        assert size["last"].iloc[-1] == 500
