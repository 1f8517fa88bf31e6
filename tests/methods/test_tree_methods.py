"""cart-1, et-1 and gbt-1: what they add to scikit-learn's trees."""

import numpy as np
import pytest

from delvecore.methods import cart_1, ensembles
from delvecore.methods.standard import smoothed
from tests.methods.problems import class_problem, number_problem, spread_inputs

pytest.importorskip("sklearn", reason="the trees are scikit-learn's")

INPUTS, TEST = spread_inputs(60, 3), spread_inputs(8, 3, seed=2)
KINDS = [cart_1.Cart1, ensembles.Et1, ensembles.Gbt1]


def generator(seed: int = 1):
    return np.random.Generator(np.random.PCG64(seed))


def test_a_step_is_found_and_the_rest_of_the_tree_cut_off():
    # Ten cases below zero have the target 2, ten above 7; nothing else is to be learned. As every split has
    # at least 5 cases a side, further cuts are possible, but save nothing.
    inputs = np.linspace(-1, 1, 20)[:, np.newaxis]
    problem = number_problem(inputs, np.where(inputs[:, 0] > 0, 7.0, 2.0), [[-3.0], [-0.1], [0.1], [9.0]])
    found = cart_1.Cart1().predict_number(problem, generator())
    assert found.mean.tolist() == [2, 2, 7, 7]
    assert found.median.tolist() == [2, 2, 7, 7]


def test_an_unpruned_tree_predicts_as_scikit_learn_does():
    from sklearn.tree import DecisionTreeRegressor

    values = np.where(INPUTS[:, 0] > 0, 4.0, 0.0) + np.where(INPUTS[:, 1] > 0, 2.0, 0.0)
    found = cart_1.Cart1().predict_number(number_problem(INPUTS, values, TEST), generator())
    expected = DecisionTreeRegressor(min_samples_leaf=5, max_leaf_nodes=4).fit(INPUTS, values)
    np.testing.assert_allclose(found.mean, expected.predict(TEST))


def test_the_median_of_a_leaf_is_that_of_its_training_targets():
    medians = cart_1._medians(np.array([1.0, 5.0, 2.0, 9.0]), np.array([2, 0, 2, 2]))
    assert medians[[0, 2]].tolist() == [5, 2]
    assert np.isnan(medians[1])


def test_noise_leaves_nothing_but_the_root():
    noise = spread_inputs(60, 1, seed=11)[:, 0]
    found = cart_1.Cart1().predict_number(number_problem(INPUTS, noise, TEST), generator())
    assert found.mean == pytest.approx([noise.mean()] * 8)
    assert found.median == pytest.approx([np.median(noise)] * 8)


def test_the_training_set_counts_as_one_case_more_in_a_leaf():
    # Two classes at either side of zero, 10 cases each; the third has no case: f = 11/23, 11/23, 1/23.
    inputs = np.linspace(-1, 1, 20)[:, np.newaxis]
    problem = class_problem(inputs, (inputs[:, 0] > 0).astype(int), [[0.5]])
    found = cart_1.Cart1().predict_classes(problem, generator())
    assert found.tolist()[0] == pytest.approx([11 / 23 / 11, (10 + 11 / 23) / 11, 1 / 23 / 11])


def test_frequencies_are_mixed_in_with_their_weight():
    # Counts 3, 0, 1: f = 4/7, 1/7, 2/7. Shares for the classes 0 and 2.
    found = smoothed(np.array([[0.25, 0.75]]), np.array([0, 2]), np.array([0, 0, 2, 0]), 3, weight=0.1)
    assert found.tolist()[0] == pytest.approx([0.225 + 0.4 / 7, 0.1 / 7, 0.675 + 0.2 / 7])


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_class_that_one_case_has_or_all_cases_have_is_no_obstacle(kind):
    for classes in (np.r_[np.zeros(59, int), 2], np.ones(60, int)):
        found = kind().predict_classes(class_problem(INPUTS, classes, TEST), generator())
        np.testing.assert_allclose(found.sum(axis=1), 1)
        assert (found > 0).all()
        assert (found.argmax(axis=1) == np.bincount(classes).argmax()).mean() > 0.8


@pytest.mark.slow
def test_boosting_learns_an_additive_function_better_than_one_tree():
    inputs, test = spread_inputs(300, 3), spread_inputs(100, 3, seed=4)
    error = {}
    for method in (cart_1.Cart1(), ensembles.Gbt1()):
        found = method.predict_number(number_problem(inputs, np.sin(inputs).sum(axis=1), test), generator())
        error[method.name] = np.mean((found.mean - np.sin(test).sum(axis=1)) ** 2)
    assert error["gbt-1"] < 0.5 * error["cart-1"]
