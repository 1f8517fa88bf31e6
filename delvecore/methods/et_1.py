"""et-1: extremely randomised trees by scikit-learn. What it does in detail is said in its description."""

import numpy as np

from delvecore.methods.inputs import usable_inputs
from delvecore.methods.scikit import Model, ScikitMethod, smoothed, state
from delvecore.methods.standard import InputMethod, first_best, gaussian_prediction, make_folds
from delvecore.methods.targets import ClassProblem, NumberPrediction, NumberProblem

__all__ = ["Et1"]

TREES = 150
FOLD_TREES = 30
FOLDS = 3
LEAF_SIZES = (1, 3, 9)


class Et1(ScikitMethod, InputMethod):
    """Trees on the whole training set with random cuts; the size of their leaves by cross-validation."""

    name = "et-1"

    def predict_number(self, problem: NumberProblem, rng: np.random.Generator) -> NumberPrediction:
        from sklearn.ensemble import ExtraTreesRegressor

        train, test = usable_inputs(problem.instance)
        squares = np.zeros((len(LEAF_SIZES), len(train)))
        for learn, held in make_folds(len(train), FOLDS, rng):
            for place, size in enumerate(LEAF_SIZES):
                trees = _trees(ExtraTreesRegressor, FOLD_TREES, size, 1.0, rng)
                trees.fit(train[learn], problem.values[learn])
                squares[place, held] = (trees.predict(train[held]) - problem.values[held]) ** 2
        errors = np.mean(squares, axis=1)
        best = first_best(errors)
        trees = _trees(ExtraTreesRegressor, TREES, LEAF_SIZES[best], 1.0, rng)
        return gaussian_prediction(trees.fit(train, problem.values).predict(test), errors[best])

    def predict_classes(self, problem: ClassProblem, rng: np.random.Generator) -> np.ndarray:
        from sklearn.ensemble import ExtraTreesClassifier

        train, test = usable_inputs(problem.instance)
        losses = np.zeros((len(LEAF_SIZES), len(train)))
        for learn, held in make_folds(len(train), FOLDS, rng):
            for place, size in enumerate(LEAF_SIZES):
                trees = _trees(ExtraTreesClassifier, FOLD_TREES, size, "sqrt", rng)
                found = _probabilities(trees, train[learn], problem.classes[learn], train[held], problem)
                losses[place, held] = -np.log(found[np.arange(len(held)), problem.classes[held]])
        best = first_best(np.mean(losses, axis=1))
        trees = _trees(ExtraTreesClassifier, TREES, LEAF_SIZES[best], "sqrt", rng)
        return _probabilities(trees, train, problem.classes, test, problem)


def _trees(kind: type, count: int, size: int, columns: float | str, rng: np.random.Generator) -> Model:
    """Return unfitted trees; columns: the share of the inputs that each node tries, or a rule's name."""
    return kind(n_estimators=count, min_samples_leaf=size, max_features=columns, random_state=state(rng))


def _probabilities(
    trees: Model, train: np.ndarray, classes: np.ndarray, test: np.ndarray, problem: ClassProblem
) -> np.ndarray:
    """Return probabilities of all values; the training set's frequencies count as one of TREES + 1."""
    trees.fit(train, classes)
    shares = trees.predict_proba(test)
    return smoothed(shares, trees.classes_, classes, problem.count, weight=1 / (TREES + 1))
