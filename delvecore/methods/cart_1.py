"""cart-1: one tree, pruned by cross-validation. What it does in detail is said in its description.

Trees are cut back at their weakest links: Breiman, Friedman, Olshen and Stone, "Classification and Regression
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
from delvecore.methods.targets import ClassProblem, NumberPrediction, NumberProblem, frequencies

Tree = Any
"""A tree of scikit-learn, or its nodes: the library tells no types."""


@dataclass(frozen=True)
class PrunedTree:
    """A fitted tree of scikit-learn with all its pruned versions.

    Attributes
    ----------
    collapse : array
        For each node, the strength of pruning that leaves nothing below it; zero for leaves.
    """

    tree: Tree
    collapse: np.ndarray

    @property
    def values(self) -> np.ndarray:
        """What each node predicts: shape (nodes, 1 or the classes known to the tree)."""
        return self.tree.value[:, 0, :]

    def nodes(self, inputs: np.ndarray, strengths: np.ndarray) -> np.ndarray:
        """Return the number of the node that predicts each case, shape (cases, strengths)."""
        tree, here = self.tree, np.zeros(len(inputs), dtype=int)
        path, rows = [here], np.arange(len(inputs))  # from the root to the leaf, the leaf repeated
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
    """Return a strength for each pruned version of a tree, from only the root to the whole tree: geometric
    means of the strengths between which a version is best, as Breiman et al. propose."""
    found = np.unique(np.append(collapse, 0.0))
    return np.append(found[-1:], np.sqrt(found[:-1] * found[1:])[::-1])


def prune(model: Tree, inputs: np.ndarray, targets: np.ndarray) -> PrunedTree:
    """Fit a tree of scikit-learn and find its pruned versions. Strength of pruning: the loss in training
    (mean impurity) that a further leaf has to save. The nodes of a tree that grew depth first are numbered so
    that those below a node follow it directly."""
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
    """What cutting a tree back needs to know of each node, kept up to date. cost: loss in training if it were
    a leaf; saved: how much its branch saves; leaves: of its branch; sizes: nodes of its branch in the whole
    tree, itself included; inner: whether it still has a branch."""

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
        """Return the node whose branch saves least for each further leaf, and how much that is."""
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
    """A tree of cuts across single inputs; as much of it is cut off as predicts left-out cases best."""

    name = "cart-1"

    def predict_number(self, problem: NumberProblem, rng: np.random.Generator) -> NumberPrediction:
        train, test = usable_inputs(problem.instance)
        model, values = learner("tree.DecisionTreeRegressor", rng, min_samples_leaf=LEAF), problem.values
        whole = prune(model, train, values)
        strengths = trial_strengths(whole.collapse)
        squares = np.zeros((len(train), len(strengths)))
        for learn, held in make_folds(len(train), FOLDS, rng):
            part = prune(model, train[learn], values[learn])
            found = part.values[part.nodes(train[held], strengths), 0]
            squares[held] = (found - values[held, np.newaxis]) ** 2
        errors = np.mean(squares, axis=0)
        best = first_best(errors)
        medians = _medians(values, whole.nodes(train, strengths[[best]])[:, 0])
        with predicting():
            asked = whole.nodes(test, strengths[[best]])[:, 0]
            return gaussian_prediction(whole.values[asked, 0], errors[best], medians[asked])

    def predict_classes(self, problem: ClassProblem, rng: np.random.Generator) -> np.ndarray:
        train, test = usable_inputs(problem.instance)
        model, classes = learner("tree.DecisionTreeClassifier", rng, min_samples_leaf=LEAF), problem.classes
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
    """Return the median of the training cases that each node predicts, NaN if it predicts none."""
    medians = np.full(nodes.max() + 1, np.nan)
    for node in np.unique(nodes):
        medians[node] = np.median(values[nodes == node])
    return medians


def _node_probabilities(pruned: PrunedTree, known: np.ndarray, classes: np.ndarray, count: int) -> np.ndarray:
    """Return probabilities of all values at each node: the training set counts as one case more there."""
    cases = pruned.tree.n_node_samples[:, np.newaxis]
    shares = of_all_classes(pruned.values, known, count)
    return (cases * shares + frequencies(classes, count)) / (cases + 1)
