"""The datasets from scikit-learn hold its values unchanged, and what their notes say about them is true."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from tests.data_archive.archive import numeric_cases, rows_of


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


def test_progressions_of_neighbours_are_uncorrelated_as_the_notes_say():
    progression = numeric_cases("diabetes")[:, -1]
    centred = progression - progression.mean()
    correlation = (centred[1:] * centred[:-1]).sum() / (centred**2).sum()
    assert correlation == pytest.approx(0.04, abs=0.005)


def test_outer_columns_of_digits_are_as_empty_as_the_notes_say():
    inked = (numeric_cases("digits")[:, :64] != 0).mean(axis=0).reshape(8, 8)
    outer = inked[:, [0, 7]]
    assert ((outer == 0).sum(), ((outer > 0) & (outer < 0.05)).sum()) == (3, 11)
    assert inked[:, 1:7].min() > 0.12


def test_digits_stand_in_the_sequence_that_the_notes_describe():
    digits = [row[-1] for row in rows_of("digits")]
    assert "".join(digits[:20]) == "01234567890123456789"
