"""rf-1: random forests by scikit-learn. What it does in detail is said in its description."""

from dataclasses import replace

import numpy as np

from delvecore.methods.inputs import usable_inputs
from delvecore.methods.scikit import Model, ScikitMethod, state
from delvecore.methods.standard import InputMethod, first_best, gaussian_prediction
from delvecore.methods.targets import ClassProblem, NumberPrediction, NumberProblem

__all__ = ["Rf1"]

TREES = 200
LEAF_SIZES = (1, 4, 16)
SCORE_DIGITS = 9


class Rf1(ScikitMethod, InputMethod):
    """Forests of 200 trees; the size of their leaves by the loss of the cases that each tree left out."""

    name = "rf-1"

    def predict_number(self, problem: NumberProblem, rng: np.random.Generator) -> NumberPrediction:
        from sklearn.ensemble import RandomForestRegressor

        train, test = usable_inputs(problem.instance)
        forests = _forests(RandomForestRegressor, max(1, train.shape[1] // 3), rng)
        errors = []
        for forest in forests:
            forest.fit(train, problem.values)
            errors.append(float(np.mean((forest.oob_prediction_ - problem.values) ** 2)))
        best = first_best(errors)
        mean = forests[best].predict(test)
        weights = _leaf_weights(forests[best], train, test)
        values, weights = _by_value(problem.values, weights)
        found = gaussian_prediction(mean, errors[best], _medians(values, weights))
        return found if problem.step is None else replace(found, mode=values[_first_largest(weights)])

    def predict_classes(self, problem: ClassProblem, rng: np.random.Generator) -> np.ndarray:
        from sklearn.ensemble import RandomForestClassifier

        train, test = usable_inputs(problem.instance)
        forests = _forests(RandomForestClassifier, max(1, round(train.shape[1] ** 0.5)), rng)
        own, errors = np.arange(len(train)), []
        for forest in forests:
            forest.fit(train, problem.classes)
            probabilities = _smoothed(forest.oob_decision_function_, forest.classes_, problem)
            errors.append(float(np.mean(-np.log(probabilities[own, problem.classes]))))
        best = forests[first_best(errors)]
        return _smoothed(best.predict_proba(test), best.classes_, problem)


def _forests(kind: type, columns: int, rng: np.random.Generator) -> list[Model]:
    """Return unfitted forests, one for each leaf size, with seeds of their own.

    columns: among how many randomly chosen inputs each split is sought.
    """
    return [
        kind(
            n_estimators=TREES,
            min_samples_leaf=size,
            max_features=columns,
            oob_score=True,
            random_state=state(rng),
        )
        for size in LEAF_SIZES
    ]


def _smoothed(shares: np.ndarray, known: np.ndarray, problem: ClassProblem) -> np.ndarray:
    """Return probabilities of all values from the forest's for the known ones: the frequencies of the whole
    training set, each count raised by one, have the weight of one more tree."""
    counts = np.bincount(problem.classes, minlength=problem.count)
    everyone = (counts + 1) / (len(problem.classes) + problem.count)
    probabilities = np.zeros((len(shares), problem.count))
    probabilities[:, known] = shares
    return (TREES * probabilities + everyone) / (TREES + 1)


def _leaf_weights(forest: Model, train: np.ndarray, test: np.ndarray) -> np.ndarray:
    """Return how much each training case counts for each test case, shape (test cases, training cases).

    In each tree, the training cases in the leaf of the test case share the weight of the tree.
    """
    weights = np.zeros((len(test), len(train)))
    for leaves, own in zip(forest.apply(test).T, forest.apply(train).T, strict=True):
        shared = leaves[:, np.newaxis] == own
        weights += shared / (TREES * shared.sum(axis=1, keepdims=True))
    return weights


def _by_value(values: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the different values, ascending, and the weights of all cases with each."""
    found, places = np.unique(values, return_inverse=True)
    members = np.zeros((len(values), len(found)))
    members[np.arange(len(values)), places] = 1.0
    return found, weights @ members


def _medians(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the smallest values at or below which at least half of the weight lies, row by row."""
    below = np.round(np.cumsum(weights, axis=1), SCORE_DIGITS)
    return values[np.argmax(below >= 0.5, axis=1)]


def _first_largest(weights: np.ndarray) -> np.ndarray:
    return np.argmax(np.round(weights, SCORE_DIGITS), axis=1)
