"""Contingency tables and their measures, intervals and tests of shares, areas under curves.

Numbers: Flach, Machine Learning (2012), sections 12.1 and 12.3; Newcombe (1998), table I; SciPy, scikit-learn.
"""

import math

import numpy as np
import pytest
from scipy import stats

from delvecore.stats.classification.contingency import (
    ContingencyTable,
    area_under_curve,
    areas_under_curves,
    contingency_table,
    expected_accuracy,
    normal_caution,
    null_test,
    pool_tables,
    random_split_accuracy,
    share_intervals,
)

SIGNS = ("+", "-")
FIRST = ContingencyTable(SIGNS, ((60, 20), (0, 20)))
SECOND = ContingencyTable(SIGNS, ((75, 5), (10, 10)))
MANY_NEGATIVES = ContingencyTable(SIGNS, ((75, 5), (10, 910)))


def test_margins_are_those_of_example_12_1():
    assert (FIRST.actual, FIRST.predicted, FIRST.total) == ((80, 20), (60, 40), 100)
    assert (SECOND.actual, SECOND.predicted, SECOND.total) == ((80, 20), (85, 15), 100)


def test_example_12_1_the_first_classifier():
    found = FIRST
    assert (found.recall[0], found.specificity[0], found.accuracy) == (0.75, 1, 0.8)
    assert found.average_recall == 0.875  # printed 0.88


def test_example_12_1_the_second_classifier():
    found = SECOND
    assert (found.recall[0], found.specificity[0]) == (0.9375, 0.5)  # printed 0.94, 0.50
    assert (found.accuracy, found.average_recall) == (0.85, 0.71875)  # printed 0.85, 0.72


def test_example_12_2_f_does_not_see_the_true_negatives():
    few, many = SECOND, MANY_NEGATIVES
    for table in (few, many):
        assert table.precision[0] == pytest.approx(75 / 85)  # printed 0.88
        assert table.recall[0] == pytest.approx(75 / 80)  # printed 0.94
        assert table.f[0] == pytest.approx(150 / 165)  # printed 0.91
    assert many.accuracy == 0.985  # printed 0.99
    assert many.specificity[0] == pytest.approx(910 / 920)  # printed 0.99


def test_predicted_positive_rate_is_that_of_section_12_1():
    # ppr = (TP + FP) / n = pos tpr + (1 - pos) fpr
    found = SECOND
    assert found.predicted_positive_rate[0] == pytest.approx(0.8 * 0.9375 + 0.2 * 0.5) == 0.85


def test_f_is_the_harmonic_mean_of_precision_and_recall():
    found = SECOND
    assert found.f[0] == pytest.approx(2 / (1 / found.precision[0] + 1 / found.recall[0]))


def test_counts_are_by_actual_and_predicted_class():
    table = contingency_table(np.array([0, 0, 1, 2, 2]), np.array([0, 1, 1, 0, 2]), classes=("a", "b", "c"))
    assert table.counts == ((1, 1, 0), (0, 1, 0), (1, 0, 1))
    assert (table.correct, table.against_rest(0)) == (3, (1, 1, 1, 2))


def test_ratios_of_nothing_to_nothing_are_undefined():
    table = ContingencyTable(("a", "b", "c"), ((2, 0, 0), (1, 0, 0), (0, 0, 0)))
    assert math.isnan(table.precision[1])  # never predicted
    assert math.isnan(table.recall[2])  # no cases
    assert math.isnan(table.f[2])
    assert table.average_recall == 0.5  # of the two classes that have cases


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


def agreement(*counts):
    return ContingencyTable(tuple(map(str, range(len(counts)))), counts)


def test_two_classes_by_hand():
    # tp 60, fn 15, fp 10, tn 15: (60 * 15 - 15 * 10) / sqrt(75 * 70 * 25 * 30) = 750 / 1984.3.
    measures = agreement((60, 15), (10, 15))
    assert measures.matthews == pytest.approx(750 / math.sqrt(75 * 70 * 25 * 30))
    # Kappa: agreement 0.75, by chance 0.75 * 0.7 + 0.25 * 0.3 = 0.6.
    assert measures.kappa == pytest.approx((0.75 - 0.6) / 0.4)
    assert measures.macro_f == pytest.approx((120 / 145 + 30 / 55) / 2)
    assert measures.micro_f == 0.75


def test_three_classes_are_as_scikit_learn_has_them():
    # sklearn.metrics 1.9.1 of 10 2 1 / 3 7 4 / 1 8 14: f1_score(average="macro"), matthews_corrcoef and
    # cohen_kappa_score.
    measures = agreement((10, 2, 1), (3, 7, 4), (1, 8, 14))
    expected = (0.619673436877738, 0.4251994670797729, 0.4217894096165551)
    assert (measures.macro_f, measures.matthews, measures.kappa) == pytest.approx(expected)


def test_what_is_undefined_is_no_number():
    measures = agreement((5, 0), (3, 0))
    assert math.isnan(measures.matthews)
    assert measures.kappa == 0
    empty = agreement((0, 0), (0, 0))
    assert all(math.isnan(getattr(empty, name)) for name in ("macro_f", "micro_f", "matthews", "kappa"))


COUNTS = [(0, 10), (1, 29), (15, 148), (20, 263), (81, 263), (5, 5), (80, 100), (9990, 10000)]


def ends(interval):
    return interval.lower, interval.upper


def test_example_12_5_a_hundred_cases():
    # Printed: 68 % [0.76, 0.84], 95 % [0.72, 0.88]; the latter with two standard deviations for 1.96.
    assert ends(share_intervals(80, 100, level=0.6827)[2]) == pytest.approx((0.76, 0.84), abs=1e-5)
    intervals = share_intervals(80, 100)[2]
    assert [round(end, 2) for end in ends(intervals)] == [0.72, 0.88]
    assert normal_caution(80, 100) is None  # n a (1 - a) = 16


def test_example_12_5_fifty_cases_is_wider_in_the_book_than_it_is():
    # Printed [0.68, 0.92]: twice the standard deviation rounded to 0.06, which is 0.0566.
    assert ends(share_intervals(40, 50, level=0.9545)[2]) == pytest.approx((0.687, 0.913), abs=5e-4)
    assert ends(share_intervals(40, 50)[2]) == pytest.approx((0.689, 0.911), abs=5e-4)


def test_the_p_value_of_section_12_3_is_two_sided_though_the_text_asks_for_one_side():
    # "The probability of obtaining a measurement of 0.80 or higher": printed 1.9732e-9, which is twice that.
    test = null_test(80, 100, null=0.5)
    assert test.normal_two_sided == pytest.approx(1.9732e-9, rel=1e-4)
    assert test.normal_greater == pytest.approx(9.8659e-10, rel=1e-4)
    assert test.greater == pytest.approx(5.5795e-10, rel=1e-4)


@pytest.mark.parametrize(
    ("counts", "wilson", "exact"),
    [
        # Newcombe (1998), Statistics in Medicine 17, table I, methods 3 and 5.
        ((81, 263), (0.2553, 0.3662), (0.2527, 0.3676)),
        ((15, 148), (0.0624, 0.1605), (0.0578, 0.1617)),
        ((0, 20), (0.0000, 0.1611), (0.0000, 0.1684)),
        ((1, 29), (0.0061, 0.1718), (0.0009, 0.1776)),
    ],
)
def test_intervals_are_those_of_newcombes_table(counts, wilson, exact):
    intervals = share_intervals(*counts)
    assert ends(intervals[0]) == pytest.approx(wilson, abs=5e-5)
    assert ends(intervals[1]) == pytest.approx(exact, abs=5e-5)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize(("successes", "trials"), COUNTS)
def test_intervals_agree_with_scipy(successes, trials, level):
    test = stats.binomtest(successes, trials)
    intervals = share_intervals(successes, trials, level=level)
    for interval, method in zip(intervals, ("wilson", "exact"), strict=False):
        expected = test.proportion_ci(level, method=method)
        assert ends(interval) == pytest.approx((expected.low, expected.high), abs=1e-10)


@pytest.mark.parametrize("null", [0.02, 0.5, 0.8])
@pytest.mark.parametrize(("successes", "trials"), COUNTS)
def test_exact_tests_agree_with_scipy(successes, trials, null):
    test = null_test(successes, trials, null=null)
    greater = stats.binomtest(successes, trials, null, alternative="greater").pvalue
    both = stats.binomtest(successes, trials, null).pvalue
    assert test.greater == pytest.approx(greater, rel=1e-9)
    assert test.two_sided == pytest.approx(both, rel=1e-9, abs=1e-300)


def test_a_normal_interval_of_few_cases_says_that_it_is_no_good():
    assert "too few cases" in (normal_caution(9, 10) or "")


def test_what_is_no_count_level_or_null_hypothesis_is_refused():
    for successes, trials in ((-1, 5), (6, 5), (0, 0)):
        with pytest.raises(ValueError, match="successes"):
            share_intervals(successes, trials)
    with pytest.raises(ValueError, match="level"):
        share_intervals(1, 2, level=1)
    with pytest.raises(ValueError, match="null hypothesis"):
        null_test(1, 2, null=1)


def test_example_12_1_every_class_distribution_equally_likely():
    assert expected_accuracy([0.75, 1])[0] == 0.875
    assert expected_accuracy([75 / 80, 0.5])[0] == 0.71875


def test_accuracy_varies_over_class_distributions_as_the_uniform_distribution_does():
    # acc = 1 - 0.25 pos with pos uniform: standard deviation 0.25 / sqrt(12).
    assert expected_accuracy([0.75, 1])[1] == pytest.approx(0.25 / math.sqrt(12))


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
