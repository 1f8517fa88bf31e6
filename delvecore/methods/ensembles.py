"""rf-1, et-1, gbt-1: ensembles of trees by scikit-learn. Their descriptions have the details."""

from dataclasses import replace

import numpy as np

from delvecore.methods.standard import (
    SCORE_DIGITS,
    Model,
    ScikitMethod,
    first_best,
    gaussian_prediction,
    learner,
    make_folds,
    of_all_classes,
    smoothed,
    usable_inputs,
)
from delvecore.methods.stopwatch import predicting
from delvecore.methods.targets import NumberPrediction, TargetProblem, frequencies

FOREST_TREES = 200
FOREST_LEAF_SIZES = (1, 4, 16)


class Rf1(ScikitMethod):
    """Forests of 200 trees; the smallest out-of-bag error decides the size of leaves."""

    name = "rf-1"

    def predict_number(self, problem: TargetProblem, rng: np.random.Generator) -> NumberPrediction:
        train, test = usable_inputs(problem.instance)
        forests = _forests("RandomForestRegressor", max(1, train.shape[1] // 3), rng)
        errors = []
        for forest in forests:
            forest.fit(train, problem.values)
            errors.append(float(np.mean((forest.oob_prediction_ - problem.values) ** 2)))
        best = first_best(errors)
        with predicting():
            values, weights = _by_value(problem.values, _leaf_weights(forests[best], train, test))
            prediction = gaussian_prediction(
                forests[best].predict(test), errors[best], _medians(values, weights)
            )
            modes = values[np.argmax(np.round(weights, SCORE_DIGITS), axis=1)]
        return prediction if problem.step is None else replace(prediction, mode=modes)

    def predict_classes(self, problem: TargetProblem, rng: np.random.Generator) -> np.ndarray:
        train, test = usable_inputs(problem.instance)
        forests = _forests("RandomForestClassifier", max(1, round(train.shape[1] ** 0.5)), rng)
        own, errors = np.arange(len(train)), []
        for forest in forests:
            forest.fit(train, problem.values)
            probabilities = _smoothed_forest(forest.oob_decision_function_, forest.classes_, problem)
            errors.append(float(np.mean(-np.log(probabilities[own, problem.values]))))
        best = forests[first_best(errors)]
        with predicting():
            return _smoothed_forest(best.predict_proba(test), best.classes_, problem)


def _forests(kind: str, columns: int, rng: np.random.Generator) -> list[Model]:
    """Return unfitted forests, one per leaf size. columns: number of random inputs that each split tries."""
    options = {"n_estimators": FOREST_TREES, "max_features": columns, "oob_score": True}
    return [learner(f"ensemble.{kind}", rng, min_samples_leaf=size, **options) for size in FOREST_LEAF_SIZES]


def _smoothed_forest(shares: np.ndarray, known: np.ndarray, problem: TargetProblem) -> np.ndarray:
    """Return probabilities of all values; frequencies of the training set count as one more tree."""
    everyone = frequencies(problem.values, problem.count)
    return (FOREST_TREES * of_all_classes(shares, known, problem.count) + everyone) / (FOREST_TREES + 1)


def _leaf_weights(forest: Model, train: np.ndarray, test: np.ndarray) -> np.ndarray:
    """Return the weight of each training case for each test case, shape (test cases, training cases).

    Training cases in the leaf of the test case share the weight of the tree."""
    weights = np.zeros((len(test), len(train)))
    for leaves, own in zip(forest.apply(test).T, forest.apply(train).T, strict=True):
        shared = leaves[:, np.newaxis] == own
        weights += shared / (FOREST_TREES * shared.sum(axis=1, keepdims=True))
    return weights


def _by_value(values: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct values, ascending, and the weight of the cases with each value."""
    distinct, places = np.unique(values, return_inverse=True)
    members = np.zeros((len(values), len(distinct)))
    members[np.arange(len(values)), places] = 1.0
    return distinct, weights @ members


def _medians(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the weighted median of each row: the least value with half of the weight at or below it."""
    below = np.round(np.cumsum(weights, axis=1), SCORE_DIGITS)
    return values[np.argmax(below >= 0.5, axis=1)]


EXTRA_TREES = 150
FOLD_TREES = 30
FOLDS = 3
LEAF_SIZES = (1, 3, 9)


class Et1(ScikitMethod):
    """Trees of random cuts, each on the whole training set; cross-validation chooses the size of leaves."""

    name = "et-1"

    def predict_number(self, problem: TargetProblem, rng: np.random.Generator) -> NumberPrediction:
        train, test = usable_inputs(problem.instance)
        squares = np.zeros((len(LEAF_SIZES), len(train)))
        for learn, held in make_folds(len(train), FOLDS, rng):
            for place, size in enumerate(LEAF_SIZES):
                trees = _trees("ExtraTreesRegressor", FOLD_TREES, size, 1.0, rng)
                trees.fit(train[learn], problem.values[learn])
                squares[place, held] = (trees.predict(train[held]) - problem.values[held]) ** 2
        errors = np.mean(squares, axis=1)
        best = first_best(errors)
        trees = _trees("ExtraTreesRegressor", EXTRA_TREES, LEAF_SIZES[best], 1.0, rng)
        trees.fit(train, problem.values)
        with predicting():
            return gaussian_prediction(trees.predict(test), errors[best])

    def predict_classes(self, problem: TargetProblem, rng: np.random.Generator) -> np.ndarray:
        train, test = usable_inputs(problem.instance)
        losses = np.zeros((len(LEAF_SIZES), len(train)))
        for learn, held in make_folds(len(train), FOLDS, rng):
            for place, size in enumerate(LEAF_SIZES):
                trees = _trees("ExtraTreesClassifier", FOLD_TREES, size, "sqrt", rng)
                trees.fit(train[learn], problem.values[learn])
                found = _probabilities(trees, problem.values[learn], train[held], problem)
                losses[place, held] = -np.log(found[np.arange(len(held)), problem.values[held]])
        best = first_best(np.mean(losses, axis=1))
        trees = _trees("ExtraTreesClassifier", EXTRA_TREES, LEAF_SIZES[best], "sqrt", rng)
        trees.fit(train, problem.values)
        with predicting():
            return _probabilities(trees, problem.values, test, problem)


def _trees(kind: str, count: int, size: int, columns: float | str, rng: np.random.Generator) -> Model:
    """Return unfitted trees. columns: share of the inputs that each node tries, or the name of a rule."""
    options = {"n_estimators": count, "min_samples_leaf": size, "max_features": columns}
    return learner(f"ensemble.{kind}", rng, **options)


def _probabilities(trees: Model, classes: np.ndarray, test: np.ndarray, problem: TargetProblem) -> np.ndarray:
    """Return probabilities of all values; frequencies of the training set count as one more tree."""
    shares = trees.predict_proba(test)
    return smoothed(shares, trees.classes_, classes, problem.count, weight=1 / (EXTRA_TREES + 1))


RATE = 0.1
MOST_TREES = 250
MOST_CLASS_TREES = 500
"""Largest number of trees of all values together, so that many values mean fewer steps."""
DEPTHS = (2, 4)
SHARE_OF_CASES = 0.5
CLASS_WEIGHT = 0.01


class Gbt1(ScikitMethod):
    """Boosted trees; cross-validation chooses their depth and number."""

    name = "gbt-1"

    def predict_number(self, problem: TargetProblem, rng: np.random.Generator) -> NumberPrediction:
        train, test = usable_inputs(problem.instance)
        values = problem.values
        squares = np.zeros((len(DEPTHS), MOST_TREES, len(train)))
        for learn, held in make_folds(len(train), FOLDS, rng):
            for place, depth in enumerate(DEPTHS):
                boosted = _boosted("GradientBoostingRegressor", depth, MOST_TREES, rng)
                boosted.fit(train[learn], values[learn])
                for step, found in enumerate(boosted.staged_predict(train[held])):
                    squares[place, step, held] = (found - values[held]) ** 2
        errors = np.mean(squares, axis=2)
        best = first_best(errors)
        place, step = divmod(best, MOST_TREES)
        boosted = _boosted("GradientBoostingRegressor", DEPTHS[place], step + 1, rng)
        boosted.fit(train, values)
        with predicting():
            return gaussian_prediction(boosted.predict(test), errors.flat[best])

    def predict_classes(self, problem: TargetProblem, rng: np.random.Generator) -> np.ndarray:
        train, test = usable_inputs(problem.instance)
        classes = problem.values
        if len(np.unique(classes)) == 1:
            with predicting():
                return np.tile(frequencies(classes, problem.count), (len(test), 1))
        most = MOST_CLASS_TREES // problem.count
        losses = np.zeros((len(DEPTHS), most, len(train)))
        for learn, held in make_folds(len(train), FOLDS, rng):
            for place, depth in enumerate(DEPTHS):
                boosted = _boosted("GradientBoostingClassifier", depth, most, rng)
                losses[place, :, held] = _staged_losses(boosted, train, problem, learn, held).T
        place, step = divmod(first_best(np.mean(losses, axis=2)), most)
        boosted = _boosted("GradientBoostingClassifier", DEPTHS[place], step + 1, rng)
        boosted.fit(train, classes)
        with predicting():
            shares = boosted.predict_proba(test)
            return smoothed(shares, boosted.classes_, classes, problem.count, weight=CLASS_WEIGHT)


def _boosted(kind: str, depth: int, trees: int, rng: np.random.Generator) -> Model:
    """Return unfitted boosted trees; each node tries half of the inputs."""
    size = {"n_estimators": trees, "max_depth": depth, "learning_rate": RATE}
    return learner(f"ensemble.{kind}", rng, subsample=SHARE_OF_CASES, max_features=0.5, **size)


def _staged_losses(
    boosted: Model, train: np.ndarray, problem: TargetProblem, learn: np.ndarray, held: np.ndarray
) -> np.ndarray:
    """Return minus log probabilities of the held-out cases after each step: shape (steps, cases)."""
    classes, own = problem.values, np.arange(len(held))
    if len(np.unique(classes[learn])) == 1:
        shares, known = [np.ones((len(held), 1))] * boosted.n_estimators, classes[learn][:1]
    else:
        boosted.fit(train[learn], classes[learn])
        shares, known = boosted.staged_predict_proba(train[held]), boosted.classes_
    found = (smoothed(share, known, classes[learn], problem.count, weight=CLASS_WEIGHT) for share in shares)
    return np.array([-np.log(one[own, classes[held]]) for one in found])
