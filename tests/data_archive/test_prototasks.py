"""The prototasks of all datasets can be used as the manual says, sections 4 and 6.2."""

from pathlib import Path

import numpy as np
import pytest

from tests.data_archive.archive import DATASETS, keys_of, numbers_of, numeric_cases, rows_of

STORED = sorted(path.parent for path in DATASETS.glob("*/Dataset.data"))
PROTOTASKS = sorted(path.parent for dataset in STORED for path in dataset.glob("*/Prototask.spec"))
NAMES = [f"{path.parent.name}/{path.name}" for path in PROTOTASKS]


def case_count(prototask: Path) -> int:
    """How many cases a prototask uses: all, those it lists, or those whose inputs are known."""
    cases = keys_of(prototask / "Prototask.spec")["Cases"]
    if cases == "all":
        return len(rows_of(prototask.parent.name))
    if cases == "no missing":
        inputs = numbers_of(keys_of(prototask / "Prototask.spec")["Inputs"])
        rows = rows_of(prototask.parent.name)
        return sum(not any(row[number - 1].startswith("?") for number in inputs) for row in rows)
    return len([line for line in (prototask / cases).read_text().splitlines() if line[0] != "#"])


@pytest.mark.parametrize("prototask", PROTOTASKS, ids=NAMES)
def test_every_task_has_at_least_two_instances(prototask):
    keys = keys_of(prototask / "Prototask.spec")
    left = case_count(prototask) - int(keys["Test-Set-Size"])
    assert left >= 2 * max(numbers_of(keys["Training-Set-Sizes"]))


@pytest.mark.parametrize("prototask", PROTOTASKS, ids=NAMES)
def test_training_set_sizes_are_powers_of_two_apart(prototask):
    sizes = numbers_of(keys_of(prototask / "Prototask.spec")["Training-Set-Sizes"])
    assert [size // sizes[0] for size in sizes] == [2**power for power in range(len(sizes))]


@pytest.mark.parametrize("prototask", PROTOTASKS, ids=NAMES)
def test_an_order_file_is_a_permutation_of_the_cases(prototask):
    order = keys_of(prototask / "Prototask.spec")["Order"]
    cases = case_count(prototask)
    if order in ("retain", "sequential"):
        assert not (prototask / "Random-order").exists()
    else:
        indexes = numbers_of((prototask / order).read_text())
        assert sorted(indexes) == list(range(1, cases + 1)) != indexes


@pytest.mark.parametrize("prototask", PROTOTASKS, ids=NAMES)
def test_the_standard_prior_lists_the_inputs_and_then_the_targets(prototask):
    keys = keys_of(prototask / "Prototask.spec")
    lines = (prototask / "std.prior").read_text().splitlines()
    prior = [line.split() for line in lines if not line.startswith("Dependency-")]
    assert [int(words[0]) for words in prior] == numbers_of(keys["Inputs"]) + numbers_of(keys["Targets"])
    assert {words[1] for words in prior} == {"NLMH"}


def test_every_digit_and_varying_pixels_are_in_every_training_set():
    prototask = DATASETS / "digits" / "digit"
    keys = keys_of(prototask / "Prototask.spec")
    order = np.array(numbers_of((prototask / "Random-order").read_text())) - 1
    inputs = np.array(numbers_of(keys["Inputs"])) - 1
    training = numeric_cases("digits")[order][int(keys["Test-Set-Size"]) :]
    smallest = [training[start : start + 64] for start in range(0, 8 * 64, 64)]
    assert all(len(set(cases[:, -1])) == 10 for cases in smallest)
    assert all((np.ptp(cases[:, inputs], axis=0) > 0).all() for cases in smallest)


def test_every_cultivar_and_diagnosis_is_in_every_training_set():
    for dataset, prototask, size, classes in (
        ("wine", "cultivar", 12, 3),
        ("breast-cancer", "diagnosis", 16, 2),
    ):
        directory = DATASETS / dataset / prototask
        test_size = int(keys_of(directory / "Prototask.spec")["Test-Set-Size"])
        labels = [row[-1] for row in rows_of(dataset)]
        training = [labels[i - 1] for i in numbers_of((directory / "Random-order").read_text())][test_size:]
        sets = [training[start : start + size] for start in range(0, 8 * size, size)]
        assert [len(set(labels)) for labels in sets] == [classes] * 8
