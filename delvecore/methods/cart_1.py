"""cart-1: one tree, pruned by cross-validation. Its description has the details.

Trees are pruned at their weakest links: Breiman, Friedman, Olshen and Stone, "Classification and Regression
Trees", 1984, section 3.3."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from delvecore.methods.standard import (
    ScikitMethod,
    first_best,
    gaussian_prediction,
    learner,
    make_folds,
    of_all_classes,
    usable_inputs,
)
from delvecore.methods.stopwatch import predicting
from delvecore.methods.targets import NumberPrediction, TargetProblem, frequencies

Tree = Any
"""A tree of scikit-learn, or its nodes. The library has no type hints."""


@dataclass(frozen=True)
class PrunedTree:
    """A fitted tree of scikit-learn with all its pruned versions.

    Attributes
    ----------
    collapse : array
        For each node, the strength of pruning that removes everything below it; zero for leaves.
    """

    tree: Tree
    collapse: np.ndarray

    @property
    def values(self) -> np.ndarray:
        """Prediction of each node: shape (nodes, 1 or the classes known to the tree)."""
        return self.tree.value[:, 0, :]

    def nodes(self, inputs: np.ndarray, strengths: np.ndarray) -> np.ndarray:
        """Return the number of the node that predicts each case, shape (cases, strengths)."""
        tree, here = self.tree, np.zeros(len(inputs), dtype=int)
        path, rows = [here], np.arange(len(inputs))  # from the root to the leaf, which is repeated
        single = inputs.astype(np.float32)  # scikit-learn's trees compare inputs of this precision
        for _ in range(tree.max_depth):
            is_leaf = tree.children_left[here] < 0
            goes_left = single[rows, np.maximum(tree.feature[here], 0)] <= tree.threshold[here]
            below = np.where(goes_left, tree.children_left[here], tree.children_right[here])
            here = np.where(is_leaf, here, below)
            path.append(here)
        nodes = np.stack(path, axis=1)
        depth = np.sum(self.collapse[nodes][:, :, np.newaxis] > strengths, axis=1)
        return np.take_along_axis(nodes, depth, axis=1)


def trial_strengths(collapse: np.ndarray) -> np.ndarray:
    """Return a strength for each pruned version of a tree, from the root alone to the whole tree.

    It is the geometric mean of the strengths between which a version is best, as Breiman et al. propose."""
    limits = np.unique(np.append(collapse, 0.0))
    return np.append(limits[-1:], np.sqrt(limits[:-1] * limits[1:])[::-1])


def prune(model: Tree, inputs: np.ndarray, targets: np.ndarray) -> PrunedTree:
    """Fit a tree of scikit-learn and find its pruned versions.

    The strength of pruning is the training loss (mean impurity) that a further leaf has to save. Trees grow
    depth first, so that the nodes below a node directly follow it."""
    tree = model.fit(inputs, targets).tree_
    links = _Links(tree)
    collapse, strength = np.zeros(tree.node_count), 0.0
    while links.inner.any():
        node, link = links.weakest()
        strength = max(strength, link)
        below = slice(node, node + links.sizes[node])
        collapse[below][links.inner[below]] = strength
        links.cut(node, below)
    return PrunedTree(tree, collapse)


class _Links:
    """Facts about the nodes of a tree during pruning.

    cost: training loss of the node as a leaf; saved: loss that its branch saves; leaves: number of leaves of
    its branch; sizes: number of nodes of its branch in the whole tree, itself included; inner: does it still
    have a branch?"""

    def __init__(self, tree: Tree) -> None:
        self.cost = tree.impurity * tree.weighted_n_node_samples / tree.weighted_n_node_samples[0]
        self.inner = tree.children_left >= 0
        self.parents = np.full(tree.node_count, -1)
        self.leaves = np.where(self.inner, 0, 1)
        self.sizes = np.ones(tree.node_count, dtype=int)
        below = np.where(self.inner, 0.0, self.cost)
        for node in reversed(range(tree.node_count)):
            for child in (tree.children_left[node], tree.children_right[node]):
                if child >= 0:
                    self.parents[child] = node
                    self.leaves[node] += self.leaves[child]
                    self.sizes[node] += self.sizes[child]
                    below[node] += below[child]
        self.saved = self.cost - below

    def weakest(self) -> tuple[int, float]:
        """Return the node whose branch saves least per further leaf, and this saving."""
        links = np.full(len(self.cost), np.inf)
        links[self.inner] = self.saved[self.inner] / (self.leaves[self.inner] - 1)
        node = int(np.argmin(links))
        return node, float(links[node])

    def cut(self, node: int, below: slice) -> None:
        """Make a node a leaf."""
        saved, fewer = self.saved[node], self.leaves[node] - 1
        self.inner[below] = False
        while node >= 0:
            self.saved[node] -= saved
            self.leaves[node] -= fewer
            node = self.parents[node]


FOLDS = 5
LEAF = 5
"""The least number of training cases in a leaf."""


class Cart1(ScikitMethod):
    """A tree of cuts on single inputs, pruned so that it predicts held-out cases best."""

    name = "cart-1"

    def predict_number(self, problem: TargetProblem, rng: np.random.Generator) -> NumberPrediction:
        train, test = usable_inputs(problem.instance)
        model, values = learner("tree.DecisionTreeRegressor", rng, min_samples_leaf=LEAF), problem.values
        whole = prune(model, train, values)
        strengths = trial_strengths(whole.collapse)
        squares = np.zeros((len(train), len(strengths)))
        for learn, held in make_folds(len(train), FOLDS, rng):
            part = prune(model, train[learn], values[learn])
            predicted = part.values[part.nodes(train[held], strengths), 0]
            squares[held] = (predicted - values[held, np.newaxis]) ** 2
        errors = np.mean(squares, axis=0)
        best = first_best(errors)
        medians = _medians(values, whole.nodes(train, strengths[[best]])[:, 0])
        with predicting():
            nodes = whole.nodes(test, strengths[[best]])[:, 0]
            return gaussian_prediction(whole.values[nodes, 0], errors[best], medians[nodes])

    def predict_classes(self, problem: TargetProblem, rng: np.random.Generator) -> np.ndarray:
        train, test = usable_inputs(problem.instance)
        model, classes = learner("tree.DecisionTreeClassifier", rng, min_samples_leaf=LEAF), problem.values
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
        with predicting():
            return table[whole.nodes(test, strengths[[best]])[:, 0]]


def _medians(values: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """Return the median of the training cases of each node, NaN without such cases."""
    medians = np.full(nodes.max() + 1, np.nan)
    for node in np.unique(nodes):
        medians[node] = np.median(values[nodes == node])
    return medians


def _node_probabilities(pruned: PrunedTree, known: np.ndarray, classes: np.ndarray, count: int) -> np.ndarray:
    """Return probabilities of all values at each node; frequencies of the training set count as one case."""
    cases = pruned.tree.n_node_samples[:, np.newaxis]
    shares = of_all_classes(pruned.values, known, count)
    return (cases * shares + frequencies(classes, count)) / (cases + 1)
