"""Codings that any values suit: what is missing, censored or constant in any instance is told apart or copied."""

import pytest

from delvecore.encoding.encode import encode_instance, plan_task, suited
from delvecore.encoding.prototask_cases import prototask_cases
from delvecore.model import Coding
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import read_task
from tests.archives import write_tree

DATASET = """Title: All that may be
Origin: artificial
Usage: development
Order: uninformative
Attributes:
1 x u [0,Inf) ?
2 same u 0..Inf
3 rare u [0,Inf) ?
4 kind u a b ?
5 late u [0,Inf)
6 y u (-Inf,Inf) ?
"""
PROTOTASK = """Cases: all
Origin: artificial
Order: retain
Inputs: 1 2 3 4 5
Targets: 6
Test-Set-Size: 4
Training-Set-Sizes: 4
Test-Set-Selection: common
Maximum-Number-Of-Instances: 2
"""
PRIOR = "1 N real\n2 N integer\n3 N real\n4 N binary\n5 N real\n6 N real\n"
CASES = """1 7 0 a 3 1
2 7 0 b 4 ?
? 7 ? a 5 3
4 7 0 ? 6: 4
5 7 0 a 1 5
7 7 0 b 2 ?
? 7 0 a 3 8
9 7 ? a 4 9
1 7 0 a 1 1
2 7 1 b 2 2
3 7 2 a 3 4
4 7 3 b 4 7
"""


@pytest.fixture
def plan(tmp_path):
    files = {
        "Dataset.spec": DATASET,
        "Dataset.data": CASES,
        "p/Prototask.spec": PROTOTASK,
        "p/std.prior": PRIOR,
    }
    root = write_tree(tmp_path / "delve-all", {f"data/all/{name}": text for name, text in files.items()})
    hierarchy = Hierarchy([str(root)])
    dataset, prototask, prior, task = read_task(hierarchy, "all", "p", "std.4")
    return plan_task(hierarchy, prototask_cases(hierarchy, dataset, prototask), prior, task.training_size)


def test_each_attribute_gets_what_its_values_need_in_any_instance(plan):
    found = {one.attribute: (one.coding, dict(one.options)) for one in suited(plan).codings.values()}
    assert found == {
        "x": ("nm-abs", {"missing": "indicator"}),
        "same": ("copy", {}),
        "rare": ("copy", {"missing": "indicator"}),  # all 0 where known, in the first training set
        "kind": ("-1/+1", {"missing": "indicator"}),
        "late": ("nm-abs", {"censored": "bound"}),
        "y": ("nm-abs", {}),
    }


def test_codings_that_are_said_stay(plan):
    ignored = Coding("x", "ignore", ())
    assert suited(plan, fixed=[2]).codings[2].coding == "nm-abs"
    assert suited(plan).codings[1] != ignored


def test_training_cases_without_targets_are_passed_over_and_missing_true_ones_are_filled_in(plan):
    # Training cases 5 to 8, the second without a target. Median of x in 5, 7, 9: 7; absolute deviation (2+0+2)/2.
    encoded = encode_instance(suited(plan), suited(plan).instances[0])
    assert encoded.train_inputs[:, :2].tolist() == [[-1, 0], [0, 1], [1, 0]]
    assert len(encoded.train_targets) == 3
    assert len(encoded.test_targets) == len(encoded.test_inputs) == 4
    assert encoded.test_targets[1] == encoded.train_targets[0]
