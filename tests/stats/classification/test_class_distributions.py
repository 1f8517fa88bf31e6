"""Accuracy under other class distributions, and areas under curves. Source: Flach, section 12.1."""

import math

import numpy as np
import pytest

from delvecore.stats.classification.contingency import (
    area_under_curve,
    areas_under_curves,
    expected_accuracy,
    random_split_accuracy,
)


def test_example_12_1_every_class_distribution_equally_likely():
    assert expected_accuracy([0.75, 1]).mean == 0.875
    assert expected_accuracy([75 / 80, 0.5]).mean == 0.71875


def test_accuracy_varies_over_class_distributions_as_the_uniform_distribution_does():
    # acc = 1 - 0.25 pos with pos uniform: standard deviation 0.25 / sqrt(12).
    assert expected_accuracy([0.75, 1]).standard_deviation == pytest.approx(0.25 / math.sqrt(12))


def accuracies_of_all_splits(labels):
    """By counting: split a ranking (best first) at each of its n + 1 places."""
    n = len(labels)
    return [(sum(labels[:j]) + sum(not x for x in labels[j:])) / n for j in range(n + 1)]


def test_the_random_split_of_balanced_classes_is_the_formula_of_the_book():
    labels = [True, False, True, False]
    auc = area_under_curve(np.array([4.0, 3, 2, 1]), np.array(labels))
    book = len(labels) / (len(labels) + 1) * (2 * auc - 1) / 4 + 1 / 2
    assert random_split_accuracy(auc, cases=4) == pytest.approx(book)
    assert np.mean(accuracies_of_all_splits(labels)) == pytest.approx(book)


def test_the_random_split_of_other_classes_needs_their_share():
    labels = [True, True, False, True, True]
    auc = area_under_curve(np.array([5.0, 4, 3, 2, 1]), np.array(labels))
    counted = np.mean(accuracies_of_all_splits(labels))
    assert random_split_accuracy(auc, cases=5, positive_share=0.8) == pytest.approx(counted)
    # A perfect ranking: the book's formula would give 0.708 for these shares, counting gives 0.633.
    perfect = [True, True, True, True, False]
    assert np.mean(accuracies_of_all_splits(perfect)) == pytest.approx(19 / 30)
    assert random_split_accuracy(1, cases=5, positive_share=0.8) == pytest.approx(19 / 30)
    assert random_split_accuracy(1, cases=5) == pytest.approx(0.7083, abs=1e-4)


def test_area_under_the_curve_is_the_share_of_pairs_in_the_right_order():
    # Positives 3, 1; negatives 2, 1: pairs won 2 + 0, tied 1 of 4.
    assert area_under_curve(np.array([3.0, 1, 2, 1]), np.array([1, 1, 0, 0])) == 2.5 / 4


def test_areas_agree_with_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(1)
    scores, positive = rng.integers(0, 20, 300).astype(float), rng.random(300) < 0.3
    expected = metrics.roc_auc_score(positive, scores)
    assert area_under_curve(scores, positive) == pytest.approx(expected, abs=1e-12)


def test_a_class_without_cases_has_no_area():
    probabilities = np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1]])
    areas = areas_under_curves(probabilities, np.array([0, 1]))
    assert areas[:2] == (1, 1)
    assert math.isnan(areas[2])


def test_a_score_that_is_no_number_is_refused():
    with pytest.raises(ValueError, match="NaN"):
        area_under_curve(np.array([1.0, math.nan]), np.array([True, False]))
