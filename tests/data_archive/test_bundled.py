"""The datasets from scikit-learn hold its values unchanged, and what their notes say about them is true."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from generators.proben1 import PROBLEM, pump_files

from tests.data_archive.archive import DATASETS, numeric_cases, rows_of
from tests.shared import shared_path


@pytest.mark.parametrize(
    ("dataset", "loader"), [("breast-cancer", "load_breast_cancer"), ("wine", "load_wine")]
)
def test_inputs_are_the_bundled_numbers(dataset, loader):
    datasets = pytest.importorskip("sklearn.datasets", reason="compares with scikit-learn's copy")
    inputs = np.array([row[:-1] for row in rows_of(dataset)], dtype=float)
    assert np.array_equal(inputs, getattr(datasets, loader)().data)


def test_diabetes_has_its_442_patients():
    # Efron and others (2004), Table 1: the first patient is 59, of sex 2, BMI 32.1, ..., 4.9 (LTG), 87, with response 151.
    cases = numeric_cases("diabetes")
    assert cases.shape == (442, 11)
    assert cases[0].tolist() == [59, 2, 32.1, 101, 157, 93.2, 38, 4, 4.8598, 87, 151]


def test_classes_have_their_published_sizes():
    # UCI repository: 357 benign and 212 malignant; 59, 71 and 48 wines.
    assert Counter(row[-1] for row in rows_of("breast-cancer")) == {"benign": 357, "malignant": 212}
    assert Counter(row[-1] for row in rows_of("wine")) == {"first": 59, "second": 71, "third": 48}


def test_diagnoses_of_breast_cancer_stand_together_as_the_notes_say():
    # Runs test: of n = a + b cases, 2ab/n + 1 = 267.0 runs are expected, standard deviation 11.1.
    labels = [row[-1] for row in rows_of("breast-cancer")]
    runs = 1 + sum(first != second for first, second in pairwise(labels))
    assert runs == 214


def test_progressions_of_neighbors_are_uncorrelated_as_the_notes_say():
    progression = numeric_cases("diabetes")[:, -1]
    centered = progression - progression.mean()
    correlation = (centered[1:] * centered[:-1]).sum() / (centered**2).sum()
    assert correlation == pytest.approx(0.04, abs=0.005)


def test_outer_columns_of_digits_are_as_empty_as_the_notes_say():
    inked = (numeric_cases("digits")[:, :64] != 0).mean(axis=0).reshape(8, 8)
    outer = inked[:, [0, 7]]
    assert ((outer == 0).sum(), ((outer > 0) & (outer < 0.05)).sum()) == (3, 11)
    assert inked[:, 1:7].min() > 0.12


def test_digits_stand_in_the_sequence_that_the_notes_describe():
    digits = [row[-1] for row in rows_of("digits")]
    assert "".join(digits[:20]) == "01234567890123456789"


def test_margins_are_the_published_ones():
    # Dawson (1995): 325, 285 and 706 passengers by class, 885 crew; 109 children; 470 females; 711 survived.
    columns = [Counter(column) for column in zip(*rows_of("titanic"), strict=True)]
    assert columns[0] == {"1st": 325, "2nd": 285, "3rd": 706, "crew": 885}
    assert columns[1] == {"child": 109, "adult": 2092}
    assert columns[2] == {"female": 470, "male": 1731}
    assert columns[3] == {"yes": 711, "no": 1490}


def test_survivors_by_class_are_the_published_ones():
    # Dawson (1995): 203 of the first class survived, 118 of the second, 178 of the third, 212 of the crew.
    survivors = Counter(row[0] for row in rows_of("titanic") if row[3] == "yes")
    assert survivors == {"1st": 203, "2nd": 118, "3rd": 178, "crew": 212}


@pytest.mark.shared
def test_cases_are_those_of_the_original_dataset_in_an_order_of_our_own():
    original = shared_path("data/natural/titanic/Dataset.data").read_text().splitlines()
    assert Counter(map(tuple, rows_of("titanic"))) == Counter(tuple(line.split()) for line in original)
    order = shared_path("data/natural/titanic/survived/Random-order").read_text()
    assert (DATASETS / "titanic" / "survived" / "Random-order").read_text() != order


def test_the_files_of_the_made_problem_are_as_generated():
    assert {path.name: path.read_text() for path in PROBLEM.glob("*.dt")} == pump_files()
