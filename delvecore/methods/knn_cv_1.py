"""knn-cv-1: nearest neighbours, their number by leave-one-out. Detail is said in its description."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from delvecore.methods.distributions import Gaussian
from delvecore.methods.inputs import input_codings, usable_inputs
from delvecore.methods.protocol import LearningInstance, TaskView
from delvecore.methods.standard import SMALLEST_ERROR, first_best
from delvecore.methods.targets import ClassProblem, NumberPrediction, NumberProblem, PerTargetMethod
from delvecore.model import Coding

__all__ = ["KnnCv1", "neighbour_counts", "squared_distances"]

DISTANCE_DIGITS = 10


class KnnCv1(PerTargetMethod):
    """Mean, median, commonest value or frequencies of the nearest neighbours in the space of coded inputs."""

    name = "knn-cv-1"

    def codings(self, task: TaskView) -> dict[int, Coding]:
        """Return `copy` for integer inputs with a finite range."""
        return input_codings(task)

    def predict_number(self, problem: NumberProblem, rng: np.random.Generator) -> NumberPrediction:
        neighbours = find_neighbours(problem.instance)
        values = problem.values
        mean, squares = _chosen(neighbours, values, _means, lambda guess: (guess - values) ** 2)
        median, _ = _chosen(neighbours, values, _medians, lambda guess: np.abs(guess - values))
        mode = None
        if problem.step is not None:
            mode = _modes_of_numbers(neighbours, values)
        deviation = max(float(np.sqrt(squares)), SMALLEST_ERROR)
        return NumberPrediction(mean, median, Gaussian(mean, np.full(len(mean), deviation)), mode)

    def predict_classes(self, problem: ClassProblem, rng: np.random.Generator) -> np.ndarray:
        neighbours, classes = find_neighbours(problem.instance), problem.classes
        members = np.eye(problem.count)[classes]
        others = (members.sum(axis=0) - members + 1) / (len(classes) - 1 + problem.count)
        own = np.arange(len(classes))
        scores = [
            float(np.mean(-np.log(_frequencies(members[neighbours.training[:, :k]], others)[own, classes])))
            for k in neighbours.counts
        ]
        best = neighbours.counts[first_best(scores)]
        everyone = (members.sum(axis=0) + 1) / (len(classes) + problem.count)
        return _frequencies(members[neighbours.test[:, :best]], everyone)

    def guess_classes(self, problem: ClassProblem, probabilities: np.ndarray) -> np.ndarray:
        """Return the commonest value among as many neighbours as are best under 0-1 loss."""
        neighbours, classes = find_neighbours(problem.instance), problem.classes
        guess, _ = _chosen(
            neighbours,
            classes,
            lambda near: _commonest(near, problem.count),
            lambda guessed: (guessed != classes).astype(float),
        )
        return guess


@dataclass(frozen=True)
class Neighbours:
    """Training cases by distance, int positions, nearest first, the earlier of equally near ones first.

    training: of each training case, itself left out; test: of each test case; counts: how many neighbours
    are tried.
    """

    training: np.ndarray
    test: np.ndarray
    counts: tuple[int, ...]


def find_neighbours(instance: LearningInstance) -> Neighbours:
    """Return the neighbours of an instance's cases."""
    train, test = usable_inputs(instance)
    counts = neighbour_counts(len(train) - 1)
    own = squared_distances(train, train)
    np.fill_diagonal(own, -1.0)
    return Neighbours(
        _nearest(own, counts[-1] + 1)[:, 1:], _nearest(squared_distances(test, train), counts[-1]), counts
    )


def neighbour_counts(most: int) -> tuple[int, ...]:
    """Return 1 to 8, then numbers that grow by a fifth (rounded down, at least one more), then most."""
    counts, count = [], 1
    while count < most:
        counts.append(count)
        count = count + 1 if count < 8 else max(count + 1, count * 6 // 5)
    return (*counts, most)


def squared_distances(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return squared Euclidean distances, shape (cases of first, cases of second), rounded to 10 decimals.

    Column by column, so that equal cases are at equal distances on every machine.
    """
    distances = np.zeros((len(first), len(second)))
    for column in range(first.shape[1]):
        distances += (first[:, column, np.newaxis] - second[np.newaxis, :, column]) ** 2
    return np.round(distances, DISTANCE_DIGITS)


def _nearest(distances: np.ndarray, count: int) -> np.ndarray:
    return np.argsort(distances, axis=1, kind="stable")[:, :count]


def _chosen(
    neighbours: Neighbours,
    values: np.ndarray,
    predict: Callable[[np.ndarray], np.ndarray],
    loss: Callable[[np.ndarray], np.ndarray],
) -> tuple[np.ndarray, float]:
    """Return the predictions for the test cases, and the mean leave-one-out loss of their neighbour count."""
    scores = [float(np.mean(loss(predict(values[neighbours.training[:, :k]])))) for k in neighbours.counts]
    best = first_best(scores)
    return predict(values[neighbours.test[:, : neighbours.counts[best]]]), scores[best]


def _means(near: np.ndarray) -> np.ndarray:
    return np.mean(near, axis=1)


def _medians(near: np.ndarray) -> np.ndarray:
    return np.median(near, axis=1)


def _modes_of_numbers(neighbours: Neighbours, values: np.ndarray) -> np.ndarray:
    """Return the commonest neighbouring values, as many neighbours as are best under 0-1 loss."""
    found, classes = np.unique(values, return_inverse=True)
    guess, _ = _chosen(
        neighbours,
        classes,
        lambda near: _commonest(near, len(found)),
        lambda guessed: (guessed != classes).astype(float),
    )
    return found[guess]


def _commonest(near: np.ndarray, count: int) -> np.ndarray:
    """Return the commonest class of each row; of equally common ones that with the nearest member."""
    scores = np.zeros((len(near), count))
    rows, places = np.arange(len(near)), near.shape[1]
    for place in reversed(range(places)):
        classes = near[:, place]
        whole = np.floor(scores[rows, classes]) + 1
        scores[rows, classes] = whole + (places - place) / (places + 2)
    return np.argmax(scores, axis=1)


def _frequencies(members: np.ndarray, everyone: np.ndarray) -> np.ndarray:
    """Return class frequencies among neighbours; the frequencies of everyone count as one neighbour more.

    members: shape (cases, neighbours, classes), zeros and ones.
    """
    return (members.sum(axis=1) + everyone) / (members.shape[1] + 1)
