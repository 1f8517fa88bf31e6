"""Trees cut back at their weakest links: which node of a tree predicts a case, at a strength of pruning?

Source: Breiman, Friedman, Olshen and Stone, "Classification and Regression Trees", 1984, section 3.3.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["PrunedTree", "collapse_strengths", "prune", "trial_strengths"]

Tree = Any
"""A tree of scikit-learn, or its nodes: the library tells no types."""


@dataclass(frozen=True)
class PrunedTree:
    """A fitted tree of scikit-learn with all its pruned versions.

    collapse: of each node, the strength of pruning from which nothing is left below it; zero for leaves.
    """

    tree: Tree
    collapse: np.ndarray

    @property
    def values(self) -> np.ndarray:
        """What each node predicts: shape (nodes, 1 or the classes known to the tree)."""
        return self.tree.value[:, 0, :]

    @property
    def cases(self) -> np.ndarray:
        """How many training cases each node has."""
        return self.tree.n_node_samples

    def nodes(self, inputs: np.ndarray, strengths: np.ndarray) -> np.ndarray:
        """Return the number of the node that predicts each case, shape (cases, strengths)."""
        path = self._paths(inputs)
        on_path = self.collapse[path]
        depth = np.sum(on_path[:, :, np.newaxis] > strengths, axis=1)
        return np.take_along_axis(path, depth, axis=1)

    def _paths(self, inputs: np.ndarray) -> np.ndarray:
        """Return the nodes from the root to the leaf of each case, the leaf repeated: (cases, depth + 1)."""
        tree, here = self.tree, np.zeros(len(inputs), dtype=int)
        path, rows = [here], np.arange(len(inputs))
        single = inputs.astype(np.float32)  # scikit-learn's trees compare inputs of this precision
        for _ in range(tree.max_depth):
            is_leaf = tree.children_left[here] < 0
            goes_left = single[rows, np.maximum(tree.feature[here], 0)] <= tree.threshold[here]
            below = np.where(goes_left, tree.children_left[here], tree.children_right[here])
            here = np.where(is_leaf, here, below)
            path.append(here)
        return np.stack(path, axis=1)


def prune(model: Tree, inputs: np.ndarray, targets: np.ndarray) -> PrunedTree:
    """Fit a tree of scikit-learn and find its pruned versions."""
    tree = model.fit(inputs, targets).tree_
    return PrunedTree(tree, collapse_strengths(tree))


def trial_strengths(collapse: np.ndarray) -> np.ndarray:
    """Return a strength for each pruned version of a tree, the strongest first.

    Each is the geometric mean of the strengths between which a version is best, as Breiman et al. propose;
    the first leaves only the root, the last the whole tree.
    """
    found = np.unique(np.append(collapse, 0.0))
    return np.append(found[-1:], np.sqrt(found[:-1] * found[1:])[::-1])


def collapse_strengths(tree: Tree) -> np.ndarray:
    """Return from which strength of pruning each node is a leaf (or is cut off).

    strength: the loss in training (mean impurity) that a further leaf has to save. The nodes of a tree that
    grew depth first are numbered so that those below a node follow it directly.
    """
    links = _Links(tree)
    collapse, strength = np.zeros(tree.node_count), 0.0
    while links.inner.any():
        node, link = links.weakest()
        strength = max(strength, link)
        below = slice(node, node + links.sizes[node])
        collapse[below][links.inner[below]] = strength
        links.cut(node, below)
    return collapse


class _Links:
    """What cutting a tree back needs to know of each node, kept up to date.

    cost: loss in training if it were a leaf; saved: how much its branch saves; leaves: of its branch; sizes:
    nodes of its branch in the whole tree, itself included; inner: whether it still has a branch.
    """

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
