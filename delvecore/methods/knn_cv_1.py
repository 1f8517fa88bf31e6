"""knn-cv-1: nearest neighbors, their number by leave-one-out. Its description has the details."""

from collections.abc import Callable
from functools import partial

import numpy as np

from delvecore.methods.protocol import LearningInstance
from delvecore.methods.standard import SMALLEST_ERROR, CodedInputsMethod, first_best, usable_inputs
from delvecore.methods.stopwatch import predicting
from delvecore.methods.targets import Distribution, NumberPrediction, TargetProblem, frequencies

DISTANCE_DIGITS = 10


class KnnCv1(CodedInputsMethod):
    """Mean, median, commonest value or frequencies of the nearest neighbors in the space of coded inputs."""

    name = "knn-cv-1"

    def predict_number(self, problem: TargetProblem, rng: np.random.Generator) -> NumberPrediction:
        neighbors, values = find_neighbors(problem.instance), problem.values
        mean, squares = _chosen(
            neighbors, values, partial(np.average, axis=1), lambda one: (one - values) ** 2
        )
        median, _ = _chosen(neighbors, values, partial(np.median, axis=1), lambda one: np.abs(one - values))
        mode = None
        if problem.step is not None:
            found, classes = np.unique(values, return_inverse=True)
            mode = found[_best_classes(neighbors, classes, len(found))]
        deviation = max(float(np.sqrt(squares)), SMALLEST_ERROR)
        return NumberPrediction(mean, median, Distribution(mean, np.full(len(mean), deviation)), mode)

    def predict_classes(self, problem: TargetProblem, rng: np.random.Generator) -> np.ndarray:
        (near_training, near_test), classes = find_neighbors(problem.instance), problem.values
        members = np.eye(problem.count)[classes]
        others = (members.sum(axis=0) - members + 1) / (len(classes) - 1 + problem.count)
        own, counts = np.arange(len(classes)), neighbor_counts(near_training.shape[1])
        scores = [
            float(np.mean(-np.log(_mixed(members[near_training[:, :k]], others)[own, classes])))
            for k in counts
        ]
        best = counts[first_best(scores)]
        with predicting():
            return _mixed(members[near_test[:, :best]], frequencies(classes, problem.count))

    def guess_classes(self, problem: TargetProblem, probabilities: np.ndarray) -> np.ndarray:
        """Return the commonest value among as many neighbors as are best under 0-1 loss."""
        return _best_classes(find_neighbors(problem.instance), problem.values, problem.count)


Neighbors = tuple[np.ndarray, np.ndarray]
"""Neighbors of each training case, without the case itself, and of each test case.

Rows are positions of training cases, nearest first. Equally near cases keep their order."""


def find_neighbors(instance: LearningInstance) -> Neighbors:
    train, test = usable_inputs(instance)
    most = len(train) - 1
    own = squared_distances(train, train)
    np.fill_diagonal(own, -1.0)
    others = np.argsort(own, axis=1, kind="stable")[:, 1 : most + 1]
    with predicting():
        nearest = np.argsort(squared_distances(test, train), axis=1, kind="stable")[:, :most]
    return others, nearest


def neighbor_counts(most: int) -> tuple[int, ...]:
    """Return numbers of neighbors to try: 1 to 8, then steps of a fifth (at least one more), then most."""
    counts, count = [], 1
    while count < most:
        counts.append(count)
        count = count + 1 if count < 8 else max(count + 1, count * 6 // 5)
    return (*counts, most)


def squared_distances(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return squared Euclidean distances, shape (cases of first, cases of second), rounded to 10 decimals.

    They are added column by column, so that equal cases have equal distances on every machine."""
    distances = np.zeros((len(first), len(second)))
    for column in range(first.shape[1]):
        distances += (first[:, column, np.newaxis] - second[np.newaxis, :, column]) ** 2
    return np.round(distances, DISTANCE_DIGITS)


def _chosen(
    neighbors: Neighbors,
    values: np.ndarray,
    predict: Callable[[np.ndarray], np.ndarray],
    loss: Callable[[np.ndarray], np.ndarray],
) -> tuple[np.ndarray, float]:
    """Return the predictions for the test cases, and the mean leave-one-out loss of their neighbor count."""
    training, test = neighbors
    counts = neighbor_counts(training.shape[1])
    scores = [float(np.mean(loss(predict(values[training[:, :k]])))) for k in counts]
    best = first_best(scores)
    with predicting():
        return predict(values[test[:, : counts[best]]]), scores[best]


def _best_classes(neighbors: Neighbors, classes: np.ndarray, count: int) -> np.ndarray:
    """Return the commonest neighboring classes, as many neighbors as are best under 0-1 loss."""
    commonest = partial(_commonest, count=count)
    return _chosen(neighbors, classes, commonest, lambda guessed: (guessed != classes).astype(float))[0]


def _commonest(near: np.ndarray, count: int) -> np.ndarray:
    """Return the commonest class of each row; ties go to the class with the nearest member."""
    scores = np.zeros((len(near), count))
    rows, places = np.arange(len(near)), near.shape[1]
    for place in reversed(range(places)):
        classes = near[:, place]
        whole = np.floor(scores[rows, classes]) + 1
        scores[rows, classes] = whole + (places - place) / (places + 2)
    return np.argmax(scores, axis=1)


def _mixed(members: np.ndarray, everyone: np.ndarray) -> np.ndarray:
    """Return class frequencies among neighbors; those of all cases (`everyone`) count as one neighbor.

    members: shape (cases, neighbors, classes), zeros and ones."""
    return (members.sum(axis=1) + everyone) / (members.shape[1] + 1)
