"""Pruned trees, against scikit-learn's own pruning and by hand."""

import numpy as np
import pytest

from delvecore.methods.cart_1 import prune, trial_strengths
from tests.methods.problems import spread_inputs

tree = pytest.importorskip("sklearn.tree", reason="the trees are scikit-learn's")

INPUTS, TEST = spread_inputs(150, 3), spread_inputs(40, 3, seed=2)
VALUES = np.sin(2 * INPUTS[:, 0]) + INPUTS[:, 1] ** 2 + 0.3 * spread_inputs(150, 1, seed=3)[:, 0]
CLASSES = (INPUTS[:, 0] > 0).astype(int) + (INPUTS[:, 1] > 0.5)


def test_a_tree_of_three_leaves_is_pruned_by_hand():
    # Targets 0 0 4 8 at 1 2 3 4. Squares about the mean 3: 9 + 9 + 1 + 25 = 44, over 4 cases: 11. The first
    # cut parts 0 0 from 4 8 (squares 8, over 4 cases: 2), the second 4 from 8. The second saves 2 for one
    # leaf more, the first 11 - 2 = 9: the whole tree below strength 2, two leaves below 9, then the root.
    inputs = np.array([[1.0], [2.0], [3.0], [4.0]])
    pruned = prune(tree.DecisionTreeRegressor(), inputs, np.array([0.0, 0.0, 4.0, 8.0]))
    assert sorted(pruned.collapse) == pytest.approx([0, 0, 0, 2, 9])
    found = pruned.values[pruned.nodes(inputs, np.array([9.5, 8.0, 1.0])), 0]
    assert found.tolist() == [[3, 0, 0], [3, 0, 0], [3, 6, 4], [3, 6, 8]]
    assert trial_strengths(pruned.collapse) == pytest.approx([9, 18**0.5, 0])


@pytest.mark.parametrize("least", [1, 5])
def test_predictions_at_every_strength_are_those_of_scikit_learn(least):
    pruned = prune(tree.DecisionTreeRegressor(min_samples_leaf=least, random_state=1), INPUTS, VALUES)
    strengths = trial_strengths(pruned.collapse)[::4]
    found = pruned.values[pruned.nodes(TEST, strengths), 0]
    for place, strength in enumerate(strengths[1:], start=1):
        expected = tree.DecisionTreeRegressor(min_samples_leaf=least, random_state=1, ccp_alpha=strength)
        np.testing.assert_allclose(found[:, place], expected.fit(INPUTS, VALUES).predict(TEST))
    assert found[:, 0] == pytest.approx(VALUES.mean())


def test_class_frequencies_at_every_strength_are_those_of_scikit_learn():
    pruned = prune(tree.DecisionTreeClassifier(random_state=1), INPUTS, CLASSES)
    for strength in trial_strengths(pruned.collapse)[1:]:
        expected = tree.DecisionTreeClassifier(random_state=1, ccp_alpha=strength).fit(INPUTS, CLASSES)
        found = pruned.values[pruned.nodes(TEST, np.array([strength]))[:, 0]]
        np.testing.assert_allclose(found, expected.predict_proba(TEST))


def test_a_tree_that_is_a_single_leaf_has_one_version():
    pruned = prune(tree.DecisionTreeRegressor(min_samples_leaf=100), INPUTS, VALUES)
    strengths = trial_strengths(pruned.collapse)
    assert strengths.tolist() == [0.0]
    assert pruned.nodes(TEST, strengths).tolist() == [[0]] * 40
