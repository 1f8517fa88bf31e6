"""lin-1 against independent computations: NumPy's least squares, SciPy's t, scikit-learn, integration."""

import numpy as np
import pytest
from scipy import integrate, stats

from delvecore.methods import lin_1
from delvecore.methods.lin_1 import Lin1, evidence_ridge, fit_least_squares, fit_logistic, softmax
from tests.methods.problems import RNG, class_problem, number_problem, spread_inputs

TRAIN, TEST = spread_inputs(20, 3), spread_inputs(5, 3, seed=2)
VALUES = TRAIN @ [1.0, -2.0, 0.5] + 3 + 0.3 * spread_inputs(20, 1, seed=3)[:, 0]


def with_ones(inputs):
    return np.hstack([np.ones((len(inputs), 1)), inputs])


def test_guesses_are_those_of_least_squares():
    weights = np.linalg.lstsq(with_ones(TRAIN), VALUES, rcond=None)[0]
    prediction = Lin1().predict_number(number_problem(TRAIN, VALUES, TEST), RNG)
    np.testing.assert_allclose(prediction.mean, with_ones(TEST) @ weights, rtol=1e-12)
    np.testing.assert_array_equal(prediction.mean, prediction.median)


def test_the_predictive_distribution_is_students_t_of_the_textbook():
    # Scale s (1 + x (X'X)^-1 x')^(1/2) with the column of ones in X, n - 4 degrees of freedom.
    design, new = with_ones(TRAIN), with_ones(TEST)
    weights = np.linalg.lstsq(design, VALUES, rcond=None)[0]
    variance = np.sum((VALUES - design @ weights) ** 2) / (20 - 4)
    scale = np.sqrt(variance * (1 + np.sum(new @ np.linalg.inv(design.T @ design) * new, axis=1)))
    prediction = Lin1().predict_number(number_problem(TRAIN, VALUES, TEST), RNG)
    expected = stats.t(16, new @ weights, scale).logpdf(np.arange(5.0))
    np.testing.assert_allclose(prediction.distribution.log_density(np.arange(5.0)), expected, rtol=1e-10)


def test_collinear_and_constant_inputs_change_nothing():
    plain = Lin1().predict_number(number_problem(TRAIN, VALUES, TEST), RNG)
    twice = [np.hstack([x, 2 * x[:, :1] - x[:, 1:2], np.ones((len(x), 1))]) for x in (TRAIN, TEST)]
    prediction = Lin1().predict_number(number_problem(twice[0], VALUES, twice[1]), RNG)
    np.testing.assert_allclose(prediction.mean, plain.mean, rtol=1e-10)
    assert prediction.distribution.degrees == plain.distribution.degrees == 16


def test_two_degrees_of_freedom_are_kept_with_more_inputs_than_cases():
    fit = fit_least_squares(spread_inputs(6, 10) - spread_inputs(6, 10).mean(axis=0), np.arange(6.0))
    assert (fit.degrees, fit.directions.shape) == (2, (10, 3))


CLASSES = np.argmax(TRAIN + 0.8 * spread_inputs(20, 3, seed=5), axis=1)


def test_logistic_weights_are_those_of_scikit_learn():
    linear_model = pytest.importorskip("sklearn.linear_model", reason="it is compared with scikit-learn")
    # There the penalty is the same for every weight: a constant input of sqrt(ridge / 0.01) has a weight
    # that is penalized as an intercept with ridge 0.01.
    ridge = 0.5
    constant = np.full((20, 1), (ridge / lin_1.INTERCEPT_RIDGE) ** 0.5)
    theirs = linear_model.LogisticRegression(C=1 / ridge, fit_intercept=False, tol=1e-10, max_iter=10_000)
    theirs.fit(np.hstack([constant, TRAIN]), CLASSES)
    expected = theirs.predict_proba(np.hstack([constant[:5], TEST]))
    weights, _ = fit_logistic(TRAIN, CLASSES, 3, ridge)
    np.testing.assert_allclose(softmax(with_ones(TEST) @ weights), expected, atol=1e-6)


def test_the_gradient_vanishes_at_the_weights_found():
    weights, _ = fit_logistic(TRAIN, CLASSES, 3, 0.1)
    errors = softmax(with_ones(TRAIN) @ weights) - np.eye(3)[CLASSES]
    penalty = np.array([0.01, 0.1, 0.1, 0.1])[:, np.newaxis] * weights
    np.testing.assert_allclose(with_ones(TRAIN).T @ errors + penalty, 0, atol=1e-9)


@pytest.mark.slow
def test_the_evidence_is_close_to_the_integral_it_approximates():
    # Without inputs two intercepts are left: integrate likelihood times prior over both.
    classes = np.repeat([0, 1], [12, 8])

    def integrand(second, first):
        chosen = softmax(np.array([[first, second]]))[0]
        prior = stats.norm.pdf([first, second], scale=lin_1.INTERCEPT_RIDGE**-0.5)
        return chosen[0] ** 12 * chosen[1] ** 8 * prior.prod()

    integral = integrate.dblquad(integrand, -50, 50, lambda b: b - 8, lambda b: b + 8, epsabs=1e-10)[0]
    _, evidence = fit_logistic(np.zeros((20, 0)), classes, 2, 1.0)
    assert evidence == pytest.approx(np.log(integral), abs=0.05)


def test_the_evidence_prefers_strong_ridges_for_noise_and_weak_ones_for_signal():
    inputs = spread_inputs(60, 4, seed=7)
    noise = np.arange(60) % 2
    signal = (inputs[:, 0] > 0).astype(int)
    assert evidence_ridge(inputs, noise, 2) > 5
    assert evidence_ridge(inputs, signal, 2) < 0.5


def test_a_value_that_the_training_set_lacks_keeps_some_probability():
    prediction = Lin1().predict_classes(class_problem(TRAIN, CLASSES % 2, TEST), RNG)
    assert (prediction[:, 2] > 0).all()
    assert (prediction[:, 2] < 0.1).all()
