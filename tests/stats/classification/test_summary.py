"""All training sets of a task together, worked by hand; calibration by hand and by simulation."""

import math

import numpy as np
import pytest

from delvecore.stats.classification.summary import (
    InstancePredictions,
    compare_classifiers,
    reliability,
    summarize,
)
from delvecore.stats.designs import Design

ACTUAL = np.array([0, 0, 0, 1])
GUESSES = ([0, 0, 1, 1], [0, 0, 0, 0])
"""Accuracies 3/4 and 3/4, average recalls (2/3 + 1) / 2 = 5/6 and (1 + 0) / 2 = 1/2."""


def predictions(*, probabilities=False):
    rows = np.array([[0.9, 0.1], [0.6, 0.4], [0.4, 0.6], [0.3, 0.7]]) if probabilities else None
    return [InstancePredictions(n, ACTUAL, np.array(one), rows) for n, one in enumerate(GUESSES)]


def summary(**options):
    return summarize(predictions(), classes=("a", "b"), **{"independent": True, **options})


def test_measures_over_training_sets_have_their_standard_errors():
    recall = summary().spreads["average recall"]
    assert recall.instances == 2
    # Mean of 5/6 and 1/2; half their distance is the standard error of two.
    assert (recall.mean, recall.standard_error) == pytest.approx((2 / 3, 1 / 6))


def test_the_accuracy_has_the_error_of_the_analysis_of_variance():
    accuracy = summary().spreads["accuracy"]
    # Both training sets have 3/4: no variance between them; within: 1/4 of 8 cases wrong, eq. 6 and 3.
    within = 8 * (3 / 4) * (1 / 4) / 6
    assert (accuracy.mean, accuracy.standard_error) == pytest.approx((0.75, math.sqrt(within / 8)))


def test_the_null_hypothesis_is_always_guessing_the_most_frequent_class():
    summarized = summary()
    assert (summarized.null_share, summarized.null.null) == (0.75, 0.75)
    # P(X >= 6) for 8 trials of 3/4.
    expected = sum(math.comb(8, k) * 0.75**k * 0.25 ** (8 - k) for k in (6, 7, 8))
    assert summarized.null.greater == pytest.approx(expected)


def test_test_cases_that_are_shared_give_no_binomial_interval_of_all_together():
    summarized = summary(independent=False)
    assert (summarized.intervals, summarized.null) == ((), None)
    assert [null.null for null in summarized.set_nulls] == [0.75, 0.75]
    assert summarized.spreads["average recall"].standard_error is None


def test_areas_are_means_over_training_sets():
    summaries = summarize(predictions(probabilities=True), classes=("a", "b"), independent=True)
    assert summaries.areas == (1, 1)
    assert summaries.spreads["mean AUC"].mean == 1
    assert summary().areas is None


def test_training_sets_that_overlap_raise_the_errors_and_say_so():
    # Ten folds: 1/2 + 1/9 in place of 1/2, of the mean of 5/6 and 1/2.
    summarized = summary(design=Design("hierarchical", "cross-validation", 0.1))
    recall = summarized.spreads["average recall"]
    assert recall.standard_error == pytest.approx(1 / 6 * (11 / 9) ** 0.5)
    assert summarized.spreads["accuracy"].standard_error == 0  # both have 3/4
    assert list(map(str, summarized.notes)) == ["cross_validation(0.1)"]
    assert summary().notes == ()


def probable(probabilities, instance=0, actual=(0, 0, 1, 1)):
    probabilities, actual = np.array(probabilities), np.array(actual)
    return InstancePredictions(instance, actual, probabilities.argmax(axis=1), probabilities)


A = [[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.6, 0.4]]
B = [[0.4, 0.6], [0.7, 0.3], [0.2, 0.8], [0.9, 0.1]]


def test_probabilities_are_held_against_what_was_right():
    calibration = summarize([probable(A)], classes=("a", "b"), independent=True).calibration
    assert calibration.cases.tolist() == [1, 1, 1, 1]
    assert calibration.error == pytest.approx((0.1 + 0.2 + 0.3 + 0.6) / 4)
    twice = summarize([probable(A), probable(A, 1)], classes=("a", "b"), independent=False)
    assert twice.calibration is None


def test_two_classifiers_are_compared_on_the_same_cases():
    one, other = (
        summarize(
            [probable(part), probable(part[::-1], 1, (1, 1, 0, 0))], classes=("a", "b"), independent=True
        )
        for part in (A, B)
    )
    counts, areas = compare_classifiers(one, other)
    # The first case of the first training set, the last of the second: only a has them right.
    assert counts == (2, 0)
    # Positives 0.9, 0.8 above negatives 0.3, 0.6: 1; of b 0.4 and 0.7 against 0.2 and 0.9: 1/2.
    assert areas[0].mean == pytest.approx(1 / 2)
    assert areas[1].mean == pytest.approx(1 / 2)


def test_other_test_cases_cannot_be_compared():
    one = summarize([probable(A)], classes=("a", "b"), independent=True)
    other = summarize([probable(B, actual=(1, 0, 0, 1))], classes=("a", "b"), independent=True)
    with pytest.raises(ValueError, match="the same test cases"):
        compare_classifiers(one, other)
    twice = summarize([probable(A), probable(A, 1)], classes=("a", "b"), independent=False)
    with pytest.raises(ValueError, match="a separate test set"):
        compare_classifiers(twice, twice)


def test_certain_probabilities_that_all_come_true_have_no_interval():
    calibration = reliability(np.ones(20), np.ones(20), draws=50)
    assert calibration.error == 0
    assert np.isnan([calibration.error_lower, calibration.error_upper]).all()


@pytest.mark.slow
def test_probabilities_that_come_true_are_called_wrong_as_rarely_as_promised():
    generator, rejected, covered = np.random.default_rng(1), 0, 0
    for _ in range(80):
        said = generator.uniform(0.5, 1, 400)
        calibration = reliability(said, generator.random(400) < said, draws=200)
        rejected += calibration.p < 0.05
        covered += calibration.error_lower == 0
        assert calibration.chance > 0.02  # what is well calibrated shows an error, too
    # Two standard deviations of 5 % and 95 % of 80 are 3.9.
    assert rejected <= 7
    assert covered >= 73


@pytest.mark.slow
def test_overconfidence_is_found_and_its_size_held():
    generator, held = np.random.default_rng(2), 0
    for _ in range(80):
        said = generator.uniform(0.6, 1, 500)
        calibration = reliability(said, generator.random(500) < said - 0.1, draws=200)
        assert calibration.p < 0.05
        held += calibration.error_lower <= 0.1 <= calibration.error_upper
    assert held >= 73


@pytest.mark.slow
def test_what_is_no_probability_is_refused():
    for said in ([], [1.2], [np.nan]):
        with pytest.raises(ValueError, match="probabilities from 0 to 1"):
            reliability(np.array(said), np.ones(len(said)))
