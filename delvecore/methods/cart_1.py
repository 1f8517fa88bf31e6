"""cart-1: one tree, pruned by cross-validation. What it does in detail is said in its description."""

import numpy as np

from delvecore.methods.inputs import usable_inputs
from delvecore.methods.pruning import PrunedTree, prune, trial_strengths
from delvecore.methods.scikit import Model, ScikitMethod, smoothed, state
from delvecore.methods.standard import InputMethod, first_best, gaussian_prediction, make_folds
from delvecore.methods.targets import ClassProblem, NumberPrediction, NumberProblem

__all__ = ["Cart1"]

FOLDS = 5
LEAF = 5
"""The least number of training cases in a leaf."""


class Cart1(ScikitMethod, InputMethod):
    """A tree of cuts across single inputs; as much of it is cut off as predicts left-out cases best."""

    name = "cart-1"

    def predict_number(self, problem: NumberProblem, rng: np.random.Generator) -> NumberPrediction:
        from sklearn.tree import DecisionTreeRegressor

        train, test = usable_inputs(problem.instance)
        model, values = _unfitted(DecisionTreeRegressor, rng), problem.values
        whole = prune(model, train, values)
        strengths = trial_strengths(whole.collapse)
        squares = np.zeros((len(train), len(strengths)))
        for learn, held in make_folds(len(train), FOLDS, rng):
            part = prune(model, train[learn], values[learn])
            found = part.values[part.nodes(train[held], strengths), 0]
            squares[held] = (found - values[held, np.newaxis]) ** 2
        errors = np.mean(squares, axis=0)
        best = first_best(errors)
        own, asked = (whole.nodes(cases, strengths[[best]])[:, 0] for cases in (train, test))
        return gaussian_prediction(whole.values[asked, 0], errors[best], _medians(values, own)[asked])

    def predict_classes(self, problem: ClassProblem, rng: np.random.Generator) -> np.ndarray:
        from sklearn.tree import DecisionTreeClassifier

        train, test = usable_inputs(problem.instance)
        model, classes = _unfitted(DecisionTreeClassifier, rng), problem.classes
        whole = prune(model, train, classes)
        known, strengths = model.classes_, trial_strengths(whole.collapse)
        losses = np.zeros((len(train), len(strengths)))
        for learn, held in make_folds(len(train), FOLDS, rng):
            part = prune(model, train[learn], classes[learn])
            table = _node_probabilities(part, model.classes_, classes[learn], problem.count)
            nodes = part.nodes(train[held], strengths)
            losses[held] = -np.log(table[nodes, classes[held, np.newaxis]])
        best = first_best(np.mean(losses, axis=0))
        table = _node_probabilities(whole, known, classes, problem.count)
        return table[whole.nodes(test, strengths[[best]])[:, 0]]


def _unfitted(kind: type, rng: np.random.Generator) -> Model:
    """Return an unfitted tree; a random number decides between cuts that are equally good."""
    return kind(min_samples_leaf=LEAF, random_state=state(rng))


def _medians(values: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """Return the median training target by number of the node; NaN for nodes without training cases.

    nodes: the node that predicts each training case.
    """
    medians = np.full(nodes.max() + 1, np.nan)
    for node in np.unique(nodes):
        medians[node] = np.median(values[nodes == node])
    return medians


def _node_probabilities(pruned: PrunedTree, known: np.ndarray, classes: np.ndarray, count: int) -> np.ndarray:
    """Return probabilities of all values at each node: the training set counts as one case more there."""
    everyone = smoothed(np.ones((1, 1)), known[:1], classes, count, weight=1.0)
    cases = pruned.cases[:, np.newaxis]
    shares = np.zeros((len(cases), count))
    shares[:, known] = pruned.values
    return (cases * shares + everyone) / (cases + 1)
