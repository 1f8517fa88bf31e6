"""F measures, Matthews' correlation and kappa: by hand, published, and those of scikit-learn."""

import math

import pytest

from delvecore.stats.classification.contingency import ContingencyTable, agreement_of


def agreement(*counts):
    return agreement_of(ContingencyTable(tuple(map(str, range(len(counts)))), counts))


def test_two_classes_by_hand():
    # tp 60, fn 15, fp 10, tn 15: (60 * 15 - 15 * 10) / sqrt(75 * 70 * 25 * 30) = 750 / 1984.3.
    found = agreement((60, 15), (10, 15))
    assert found.matthews == pytest.approx(750 / math.sqrt(75 * 70 * 25 * 30))
    # Kappa: agreement 0.75, by chance 0.75 * 0.7 + 0.25 * 0.3 = 0.6.
    assert found.kappa == pytest.approx((0.75 - 0.6) / 0.4)
    assert found.macro_f == pytest.approx((120 / 145 + 30 / 55) / 2)
    assert found.micro_f == 0.75


def test_three_classes_are_as_scikit_learn_has_them():
    # sklearn.metrics 1.9.1 of 10 2 1 / 3 7 4 / 1 8 14: f1_score(average="macro"), matthews_corrcoef and
    # cohen_kappa_score.
    found = agreement((10, 2, 1), (3, 7, 4), (1, 8, 14))
    expected = (0.619673436877738, 0.4251994670797729, 0.4217894096165551)
    assert (found.macro_f, found.matthews, found.kappa) == pytest.approx(expected)


def test_a_class_that_never_occurs_does_not_count():
    assert agreement((5, 1, 0), (1, 5, 0), (0, 0, 0)).macro_f == pytest.approx(5 / 6)


def test_what_is_undefined_is_no_number():
    found = agreement((5, 0), (3, 0))
    assert math.isnan(found.matthews)
    assert found.kappa == 0
    assert all(math.isnan(value) for value in vars(agreement((0, 0), (0, 0))).values())
