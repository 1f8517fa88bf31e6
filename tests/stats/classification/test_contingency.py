"""Contingency tables and their measures. Tables: Flach, Machine Learning (2012), examples 12.1 and 12.2."""

import math

import numpy as np
import pytest

from delvecore.stats.classification.contingency import (
    ContingencyTable,
    contingency_table,
    measures_of,
    pool_tables,
)

SIGNS = ("+", "-")
FIRST = ContingencyTable(SIGNS, ((60, 20), (0, 20)))
SECOND = ContingencyTable(SIGNS, ((75, 5), (10, 10)))
MANY_NEGATIVES = ContingencyTable(SIGNS, ((75, 5), (10, 910)))


def test_margins_are_those_of_example_12_1():
    assert (FIRST.actual, FIRST.predicted, FIRST.total) == ((80, 20), (60, 40), 100)
    assert (SECOND.actual, SECOND.predicted, SECOND.total) == ((80, 20), (85, 15), 100)


def test_example_12_1_the_first_classifier():
    found = measures_of(FIRST)
    positive = found.classes[0]
    assert (positive.recall, positive.specificity, found.accuracy) == (0.75, 1, 0.8)
    assert found.average_recall == 0.875  # printed 0.88


def test_example_12_1_the_second_classifier():
    found = measures_of(SECOND)
    positive = found.classes[0]
    assert (positive.recall, positive.specificity) == (0.9375, 0.5)  # printed 0.94, 0.50
    assert (found.accuracy, found.average_recall) == (0.85, 0.71875)  # printed 0.85, 0.72


def test_example_12_2_f_does_not_see_the_true_negatives():
    few, many = measures_of(SECOND), measures_of(MANY_NEGATIVES)
    for found in (few, many):
        positive = found.classes[0]
        assert positive.precision == pytest.approx(75 / 85)  # printed 0.88
        assert positive.recall == pytest.approx(75 / 80)  # printed 0.94
        assert positive.f == pytest.approx(150 / 165)  # printed 0.91
    assert many.accuracy == 0.985  # printed 0.99
    assert many.classes[0].specificity == pytest.approx(910 / 920)  # printed 0.99


def test_predicted_positive_rate_is_that_of_section_12_1():
    # ppr = (TP + FP) / n = pos tpr + (1 - pos) fpr
    positive = measures_of(SECOND).classes[0]
    assert positive.predicted_positive_rate == pytest.approx(0.8 * 0.9375 + 0.2 * 0.5) == 0.85


def test_f_is_the_harmonic_mean_of_precision_and_recall():
    positive = measures_of(SECOND).classes[0]
    assert positive.f == pytest.approx(2 / (1 / positive.precision + 1 / positive.recall))


def test_counts_are_by_actual_and_predicted_class():
    found = contingency_table(np.array([0, 0, 1, 2, 2]), np.array([0, 1, 1, 0, 2]), classes=("a", "b", "c"))
    assert found.counts == ((1, 1, 0), (0, 1, 0), (1, 0, 1))
    assert (found.correct, found.against_rest(0)) == (3, (1, 1, 1, 2))


def test_ratios_of_nothing_to_nothing_are_undefined():
    found = measures_of(ContingencyTable(("a", "b", "c"), ((2, 0, 0), (1, 0, 0), (0, 0, 0))))
    assert math.isnan(found.classes[1].precision)  # never predicted
    assert math.isnan(found.classes[2].recall)  # no cases
    assert math.isnan(found.classes[2].f)
    assert found.average_recall == 0.5  # of the two classes that have cases


def test_an_empty_table_has_no_accuracy():
    assert math.isnan(measures_of(ContingencyTable(SIGNS, ((0, 0), (0, 0)))).accuracy)


def test_tables_of_the_same_classes_can_be_added():
    assert pool_tables([FIRST, SECOND]).counts == ((135, 25), (10, 30))
    with pytest.raises(ValueError, match="same classes"):
        pool_tables([FIRST, ContingencyTable(("-", "+"), ((1, 1), (1, 1)))])
    with pytest.raises(ValueError, match="one or more"):
        pool_tables([])


@pytest.mark.parametrize(
    ("actual", "predicted"), [([0, 1], [0]), ([0, 2], [0, 1]), ([0, 1], [-1, 1]), ([[0]], [[1]])]
)
def test_what_is_no_prediction_a_case_is_refused(actual, predicted):
    with pytest.raises(ValueError, match="expected"):
        contingency_table(np.array(actual), np.array(predicted), classes=SIGNS)


@pytest.mark.parametrize("counts", [((1, 2),), ((1, 2), (3,)), ((1, -2), (3, 4))])
def test_what_is_no_table_of_counts_is_refused(counts):
    with pytest.raises(ValueError, match="expected"):
        ContingencyTable(SIGNS, counts)
