"""knn-cv-1 by hand and against plain loops."""

import numpy as np
import pytest

from delvecore.methods.knn_cv_1 import KnnCv1, neighbor_counts
from tests.methods.problems import RNG, class_problem, number_problem, spread_inputs


def test_the_nearest_case_is_followed_where_neighbors_agree_in_pairs():
    # Pairs of near cases with equal targets: one neighbor predicts every training case exactly.
    inputs = np.array([[0.0], [0.1], [5.0], [5.1], [10.0], [10.1]])
    values = np.array([1.0, 1.0, -3.0, -3.0, 8.0, 8.0])
    prediction = KnnCv1().predict_number(number_problem(inputs, values, [[0.2], [9.0]]), RNG)
    assert prediction.mean.tolist() == [1.0, 8.0]
    assert prediction.distribution.scale.tolist() == [1e-6, 1e-6], "an error of zero has a least deviation"


def loops(inputs, values, test, predict, loss):
    """The same choice of k and prediction, written as plain loops."""
    scores = {}
    for count in neighbor_counts(len(inputs) - 1):
        losses = []
        for case in range(len(inputs)):
            others = [other for other in range(len(inputs)) if other != case]
            others.sort(key=lambda other: (np.sum((inputs[other] - inputs[case]) ** 2), other))
            losses.append(loss(predict(values[others[:count]]), values[case]))
        scores[count] = np.mean(losses)
    best = min(scores, key=scores.get)
    guesses = []
    for case in test:
        near = sorted(range(len(inputs)), key=lambda other: np.sum((inputs[other] - case) ** 2))
        guesses.append(predict(values[near[:best]]))
    return guesses, scores[best]


def test_means_and_medians_have_the_neighbors_that_leave_one_out_prefers():
    inputs, test = spread_inputs(25, 2), spread_inputs(6, 2, seed=2)
    values = np.sin(2 * inputs[:, 0]) + 0.3 * spread_inputs(25, 1, seed=3)[:, 0]
    prediction = KnnCv1().predict_number(number_problem(inputs, values, test), RNG)
    means, error = loops(inputs, values, test, np.mean, lambda guess, value: (guess - value) ** 2)
    medians, _ = loops(inputs, values, test, np.median, lambda guess, value: abs(guess - value))
    np.testing.assert_allclose(prediction.mean, means)
    np.testing.assert_allclose(prediction.median, medians)
    np.testing.assert_allclose(prediction.distribution.location, means)
    np.testing.assert_allclose(prediction.distribution.scale, error**0.5)


def test_probabilities_count_the_whole_training_set_as_one_neighbor_more():
    # Three far groups of four, a class each: leave-one-out prefers the three neighbors of the own group.
    inputs = np.repeat([[0.0], [100.0], [200.0]], 4, axis=0) + np.tile([[0], [1], [2], [3]], (3, 1))
    problem = class_problem(inputs, np.repeat([0, 1, 2], 4), [[1.2]])
    # Each class has (4 + 1) / (12 + 3) = 1/3 of the whole training set: (3 + 1/3) / 4, (0 + 1/3) / 4.
    assert KnnCv1().predict_classes(problem, RNG).tolist()[0] == pytest.approx([10 / 12, 1 / 12, 1 / 12])


def test_of_equally_common_classes_the_one_with_the_nearest_member_is_guessed():
    from delvecore.methods.knn_cv_1 import _commonest

    near = np.array([[2, 0, 0, 2], [1, 0, 0, 2], [0, 1, 2, 1], [1, 0, 2, 2]])
    assert _commonest(near, 3).tolist() == [2, 0, 1, 2]


def test_equally_near_cases_come_in_the_order_of_the_training_set():
    # All cases at one place: whatever k is chosen, the first ones are the neighbors of a test case.
    from delvecore.methods.knn_cv_1 import find_neighbors

    problem = number_problem(np.zeros((6, 2)), np.arange(6.0), np.ones((1, 2)))
    training, test = find_neighbors(problem.instance)
    assert test.tolist() == [[0, 1, 2, 3, 4]]
    assert training[0].tolist() == [1, 2, 3, 4, 5]
    assert training[3].tolist() == [0, 1, 2, 4, 5]
