"""cart-1, et-1 and gbt-1: what they add to scikit-learn's trees."""

import numpy as np
import pytest

from delvecore.methods import cart_1, ensembles
from delvecore.methods.cart_1 import prune, trial_strengths
from delvecore.methods.standard import smoothed
from tests.methods.problems import class_problem, generator, number_problem, spread_inputs

pytest.importorskip("sklearn", reason="the trees are scikit-learn's")

INPUTS, TEST = spread_inputs(60, 3), spread_inputs(8, 3, seed=2)
KINDS = [cart_1.Cart1, ensembles.Et1, ensembles.Gbt1]


def test_a_step_is_found_and_the_rest_of_the_tree_cut_off():
    # Ten cases below zero have the target 2, ten above 7; nothing else is to be learned. As every split has
    # at least 5 cases a side, further cuts are possible, but save nothing.
    inputs = np.linspace(-1, 1, 20)[:, np.newaxis]
    problem = number_problem(inputs, np.where(inputs[:, 0] > 0, 7.0, 2.0), [[-3.0], [-0.1], [0.1], [9.0]])
    prediction = cart_1.Cart1().predict_number(problem, generator())
    assert prediction.mean.tolist() == [2, 2, 7, 7]
    assert prediction.median.tolist() == [2, 2, 7, 7]


def test_an_unpruned_tree_predicts_as_scikit_learn_does():
    from sklearn.tree import DecisionTreeRegressor

    values = np.where(INPUTS[:, 0] > 0, 4.0, 0.0) + np.where(INPUTS[:, 1] > 0, 2.0, 0.0)
    prediction = cart_1.Cart1().predict_number(number_problem(INPUTS, values, TEST), generator())
    expected = DecisionTreeRegressor(min_samples_leaf=5, max_leaf_nodes=4).fit(INPUTS, values)
    np.testing.assert_allclose(prediction.mean, expected.predict(TEST))


def test_the_median_of_a_leaf_is_that_of_its_training_targets():
    medians = cart_1._medians(np.array([1.0, 5.0, 2.0, 9.0]), np.array([2, 0, 2, 2]))
    assert medians[[0, 2]].tolist() == [5, 2]
    assert np.isnan(medians[1])


def test_noise_leaves_nothing_but_the_root():
    noise = spread_inputs(60, 1, seed=11)[:, 0]
    prediction = cart_1.Cart1().predict_number(number_problem(INPUTS, noise, TEST), generator())
    assert prediction.mean == pytest.approx([noise.mean()] * 8)
    assert prediction.median == pytest.approx([np.median(noise)] * 8)


def test_the_training_set_counts_as_one_case_more_in_a_leaf():
    # Two classes at either side of zero, 10 cases each; the third has no case: f = 11/23, 11/23, 1/23.
    inputs = np.linspace(-1, 1, 20)[:, np.newaxis]
    problem = class_problem(inputs, (inputs[:, 0] > 0).astype(int), [[0.5]])
    prediction = cart_1.Cart1().predict_classes(problem, generator())
    assert prediction.tolist()[0] == pytest.approx([11 / 23 / 11, (10 + 11 / 23) / 11, 1 / 23 / 11])


def test_frequencies_are_mixed_in_with_their_weight():
    # Counts 3, 0, 1: f = 4/7, 1/7, 2/7. Shares for the classes 0 and 2.
    shares = smoothed(np.array([[0.25, 0.75]]), np.array([0, 2]), np.array([0, 0, 2, 0]), 3, weight=0.1)
    assert shares.tolist()[0] == pytest.approx([0.225 + 0.4 / 7, 0.1 / 7, 0.675 + 0.2 / 7])


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_class_that_one_case_has_or_all_cases_have_is_no_obstacle(kind):
    for classes in (np.r_[np.zeros(59, int), 2], np.ones(60, int)):
        prediction = kind().predict_classes(class_problem(INPUTS, classes, TEST), generator())
        np.testing.assert_allclose(prediction.sum(axis=1), 1)
        assert (prediction > 0).all()
        assert (prediction.argmax(axis=1) == np.bincount(classes).argmax()).mean() > 0.8


FOREST_INPUTS, FOREST_TEST = spread_inputs(40, 3), spread_inputs(6, 3, seed=2)


def test_medians_have_half_of_the_weight_at_or_below_them():
    values = np.array([1.0, 2.0, 5.0])
    weights = np.array([[0.2, 0.3, 0.5], [0.2, 0.2, 0.6], [0.7, 0.2, 0.1]])
    assert ensembles._medians(values, weights).tolist() == [2.0, 5.0, 1.0]


def test_weights_of_equal_values_are_added():
    by_value, weights = ensembles._by_value(np.array([3.0, 1.0, 3.0]), np.array([[0.2, 0.5, 0.3]]))
    assert (by_value.tolist(), weights.tolist()) == ([1.0, 3.0], [[0.5, 0.5]])


def test_the_training_set_smooths_like_one_tree_more():
    # Frequencies of 4 cases, 3 of class 0 and 1 of class 2: (3+1)/7, 1/7, 2/7; the forest knows 0 and 2 only.
    problem = class_problem(np.zeros((4, 1)), [0, 0, 2, 0], [[0.0]])
    shares = ensembles._smoothed_forest(np.array([[0.25, 0.75]]), np.array([0, 2]), problem)
    assert shares.tolist()[0] == pytest.approx([(50 + 4 / 7) / 201, (1 / 7) / 201, (150 + 2 / 7) / 201])


tree = pytest.importorskip("sklearn.tree")

PRUNED_INPUTS, PRUNED_TEST = spread_inputs(150, 3), spread_inputs(40, 3, seed=2)
VALUES = (
    np.sin(2 * PRUNED_INPUTS[:, 0]) + PRUNED_INPUTS[:, 1] ** 2 + 0.3 * spread_inputs(150, 1, seed=3)[:, 0]
)
CLASSES = (PRUNED_INPUTS[:, 0] > 0).astype(int) + (PRUNED_INPUTS[:, 1] > 0.5)


def test_a_tree_of_three_leaves_is_pruned_by_hand():
    # Targets 0 0 4 8 at 1 2 3 4. Squares about the mean 3: 9 + 9 + 1 + 25 = 44, over 4 cases: 11. The first
    # cut parts 0 0 from 4 8 (squares 8, over 4 cases: 2), the second 4 from 8. The second saves 2 for one
    # leaf more, the first 11 - 2 = 9: the whole tree below strength 2, two leaves below 9, then the root.
    inputs = np.array([[1.0], [2.0], [3.0], [4.0]])
    pruned = prune(tree.DecisionTreeRegressor(), inputs, np.array([0.0, 0.0, 4.0, 8.0]))
    assert sorted(pruned.collapse) == pytest.approx([0, 0, 0, 2, 9])
    values = pruned.values[pruned.nodes(inputs, np.array([9.5, 8.0, 1.0])), 0]
    assert values.tolist() == [[3, 0, 0], [3, 0, 0], [3, 6, 4], [3, 6, 8]]
    assert trial_strengths(pruned.collapse) == pytest.approx([9, 18**0.5, 0])


def test_predictions_at_every_strength_are_those_of_scikit_learn():
    pruned = prune(tree.DecisionTreeRegressor(min_samples_leaf=5, random_state=1), PRUNED_INPUTS, VALUES)
    strengths = trial_strengths(pruned.collapse)[::4]
    values = pruned.values[pruned.nodes(PRUNED_TEST, strengths), 0]
    for place, strength in enumerate(strengths[1:], start=1):
        expected = tree.DecisionTreeRegressor(min_samples_leaf=5, random_state=1, ccp_alpha=strength)
        np.testing.assert_allclose(values[:, place], expected.fit(PRUNED_INPUTS, VALUES).predict(PRUNED_TEST))
    assert values[:, 0] == pytest.approx(VALUES.mean())


def test_class_frequencies_at_every_strength_are_those_of_scikit_learn():
    pruned = prune(tree.DecisionTreeClassifier(random_state=1), PRUNED_INPUTS, CLASSES)
    for strength in trial_strengths(pruned.collapse)[1:]:
        expected = tree.DecisionTreeClassifier(random_state=1, ccp_alpha=strength).fit(PRUNED_INPUTS, CLASSES)
        values = pruned.values[pruned.nodes(PRUNED_TEST, np.array([strength]))[:, 0]]
        np.testing.assert_allclose(values, expected.predict_proba(PRUNED_TEST))


def test_a_tree_that_is_a_single_leaf_has_one_version():
    pruned = prune(tree.DecisionTreeRegressor(min_samples_leaf=100), PRUNED_INPUTS, VALUES)
    strengths = trial_strengths(pruned.collapse)
    assert strengths.tolist() == [0.0]
    assert pruned.nodes(PRUNED_TEST, strengths).tolist() == [[0]] * 40
