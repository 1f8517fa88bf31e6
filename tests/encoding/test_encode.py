"""Whole tasks as arrays."""

import numpy as np
import pytest

from delvecore.encoding.codings import ALLOWED
from delvecore.errors import DelveError
from delvecore.model import Coding
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.results import parse_normalization
from delvecore.readers.specifications import read_task
from tests.archives import small_archive
from tests.encoded import encoded_task
from tests.shared import SESSION, shared_cases


def encode(root, path, **options):
    hierarchy = Hierarchy([str(root)])
    dataset, prototask, prior, task = read_task(hierarchy, *path.split("/"))
    return encoded_task(hierarchy, dataset, prototask, prior, task.training_size, **options)


@pytest.fixture
def archive(tmp_path):
    return small_archive(tmp_path)


@pytest.mark.parametrize(
    "path",
    shared_cases(
        SESSION,
        [
            *("titanic/survived/std.20", "titanic/survived/std.160"),
            *("kin-8nm/dist/std.64", "kin-8nm/dist/std.1024"),
        ],
    ),
)
def test_arrays_are_those_of_the_recorded_files(golden_session, path):
    root = golden_session / "delve-golden"
    place = root / "methods/lin" / path
    for part in encode(root, path).instances:
        n = part.instance.number
        training = np.hstack([part.train_inputs, part.train_targets])
        assert np.array_equal(training, np.loadtxt(place / f"train.{n}"))
        assert np.array_equal(part.test_inputs, np.loadtxt(place / f"test.{n}"))
        assert np.array_equal(part.test_targets, np.loadtxt(place / f"targets.{n}", ndmin=2))
        recorded = parse_normalization((place / f"normalize.{n}").read_text(), str(place))
        assert {number: dict(one.items()) for number, one in part.normalization.items()} == recorded


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


def test_coding_that_does_not_suit_is_an_error(archive):
    with pytest.raises(DelveError) as caught:
        encode(archive, "demo/age/std.8", codings={2: Coding("AGE", "therm", ())})
    assert str(caught.value) == (
        f"/demo/age/std.8: expected for AGE, which is real, one of {', '.join(ALLOWED['real'])}, found "
        "'therm'; correct the coding"
    )


def test_copied_words_are_no_numbers(archive):
    with pytest.raises(DelveError, match="expected numbers in every column of SEX AGE KIDS, found words"):
        encode(
            archive,
            "demo/shade/std.4",
            codings={1: Coding("SEX", "copy", ()), 5: Coding("SHADE", "copy", ())},
        )


def test_attribute_that_is_constant_in_a_training_set_is_an_error_naming_the_instance(archive):
    data = archive / "data/demo/Dataset.data"
    lines = data.read_text().splitlines()
    lines[16:] = [" ".join([*line.split()[:2], "3", *line.split()[3:]]) for line in lines[16:]]
    data.write_text("\n".join(lines))
    with pytest.raises(DelveError) as caught:
        encode(archive, "demo/age/std.8")
    assert str(caught.value) == (
        "/demo/age/std.8 instance 1: KIDS: expected values that differ in the training set for nm-abs, found "
        "3.0 in every case; give it another coding, such as ignore or copy"
    )


def test_missing_value_is_an_error_naming_task_attribute_and_case(archive):
    data = archive / "data/demo/Dataset.data"
    data.write_text(data.read_text().replace(" 27.5 ", " ? "))
    with pytest.raises(DelveError, match="instance 0: AGE in case 2: expected a known value"):
        encode(archive, "demo/age/std.8")


def test_task_without_inputs_has_arrays_without_columns(archive):
    specification = archive / "data/demo/age/Prototask.spec"
    specification.write_text(specification.read_text().replace("Inputs: 1 3 4 5", "Inputs:"))
    task = encode(archive, "demo/age/std.8")
    assert task.input_names == ()
    assert task.instances[0].train_inputs.shape == (8, 0)
