"""Whole tasks as arrays, and codings that any values suit."""

import numpy as np
import pytest

from delvecore.encoding.encode import suited
from delvecore.errors import DelveError
from delvecore.model import Coding
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.results import CONSTANTS, parse_normalization
from delvecore.readers.specifications import read_task
from delvecore.runner.one_instance import learning_instance
from tests.archives import prototask_text, write_tree
from tests.encoded import constants_of, encoded_task, task_plan
from tests.shared import SESSION, shared_cases

RECORDED_TASKS = [f"titanic/survived/std.{size}" for size in (20, 160)]
RECORDED_TASKS += [f"kin-8nm/dist/std.{size}" for size in (64, 1024)]


def encode(root, path, **options):
    hierarchy = Hierarchy([str(root)])
    dataset, prototask, prior, task = read_task(hierarchy, *path.split("/"))
    return encoded_task(hierarchy, dataset, prototask, prior, task.training_size, **options)


@pytest.mark.parametrize(
    "path",
    shared_cases(SESSION, RECORDED_TASKS),
)
def test_arrays_are_those_of_the_recorded_files(golden_session, path):
    root = golden_session / "delve-golden"
    place = root / "methods/lin" / path
    for part in encode(root, path).instances:
        n = part.number
        training = np.hstack([part.train_inputs, part.train_targets])
        assert np.array_equal(training, np.loadtxt(place / f"train.{n}"))
        assert np.array_equal(part.test_inputs, np.loadtxt(place / f"test.{n}"))
        assert np.array_equal(part.test_targets, np.loadtxt(place / f"targets.{n}", ndmin=2))
        recorded = parse_normalization((place / f"normalize.{n}").read_text(), str(place))
        assert {
            number: dict(zip(CONSTANTS, one, strict=True)) for number, one in constants_of(part).items()
        } == recorded


def test_columns_have_the_names_of_attributes_and_values(archive):
    task = encode(archive, "demo/age/std.8")
    names = ("SEX", "KIDS", "sin(k*HOUR)", "cos(k*HOUR)", "SHADE:blue", "SHADE:red")
    assert task.input_names == names
    assert task.target_names == ("AGE",)


def test_first_case_is_encoded_as_worked_by_hand(archive):
    # Case 9 (first training case): female 30.5 0 16 red. Ages of cases 9 to 16 have median 32 and absolute
    # deviation 42 / 7; numbers of children 0 1 2 3 0 1 2 3 have median 1.5 and absolute deviation 8 / 7.
    first = encode(archive, "demo/age/std.8").instances[0]
    angle = 2 * np.pi * 16 / 24
    expected = [1, -1.5 * 7 / 8, np.sin(angle), np.cos(angle), 0, 1]
    assert first.train_inputs[0] == pytest.approx(expected, abs=1e-8)
    assert first.train_targets[0] == pytest.approx([-0.25])
    assert first.test_targets[:, 0] == pytest.approx([-11.5 / 6, -4.5 / 6, 2.5 / 6, 9.5 / 6], abs=1e-8)
    assert first.train_inputs.shape == (8, 6)
    assert first.test_inputs.shape == (4, 6)


def test_other_codings_replace_the_default_ones(archive):
    codings = {4: Coding("HOUR", "ignore", ()), 2: Coding("AGE", "copy", ())}
    task = encode(archive, "demo/age/std.8", codings=codings)
    assert task.input_names == ("SEX", "KIDS", "SHADE:blue", "SHADE:red")
    assert task.instances[0].train_targets[0] == [30.5]


def test_copied_words_are_no_numbers(archive):
    with pytest.raises(DelveError, match="expected numbers in every column of SEX AGE KIDS, found words"):
        encode(
            archive,
            "demo/shade/std.4",
            codings={1: Coding("SEX", "copy", ()), 5: Coding("SHADE", "copy", ())},
        )


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
PROTOTASK = prototask_text("1 2 3 4 5", "6", 4, "4", 2)
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
    return task_plan(Hierarchy([str(root)]), "all", "p", "std.4")


def test_each_attribute_gets_what_its_values_need_in_any_instance(plan):
    by_attribute = {one.attribute: (one.coding, dict(one.options)) for one in suited(plan).codings.values()}
    assert by_attribute == {
        "x": ("nm-abs", {"missing": "indicator"}),
        "same": ("copy", {}),
        "rare": ("copy", {"missing": "indicator"}),  # all 0 where known, in the first training set
        "kind": ("-1/+1", {"missing": "indicator"}),
        "late": ("nm-abs", {"censored": "bound"}),
        "y": ("nm-abs", {}),
    }


def test_training_cases_without_targets_are_passed_over_and_missing_true_ones_are_filled_in(plan):
    # Training cases 5 to 8, the second without a target. Median of x in 5, 7, 9: 7; absolute deviation (2+0+2)/2.
    encoded = learning_instance(suited(plan), suited(plan).instances[0])
    assert encoded.train_inputs[:, :2].tolist() == [[-1, 0], [0, 1], [1, 0]]
    assert len(encoded.train_targets) == 3
    assert len(encoded.test_targets) == len(encoded.test_inputs) == 4
    assert encoded.test_targets[1] == encoded.train_targets[0]
