"""gp-1 against scikit-learn's process with the same covariance, and against finite differences."""

import numpy as np
import pytest
from scipy import optimize, stats

from delvecore.methods import gp_1
from delvecore.methods.gp_1 import Process, Settings, fit_process
from tests.methods.problems import spread_inputs

INPUTS, TEST = spread_inputs(30, 2), spread_inputs(7, 2, seed=2)
VALUES = np.sin(INPUTS[:, 0]) + INPUTS[:, 1] ** 2 + 0.1 * spread_inputs(30, 1, seed=3)[:, 0]
PACKED = np.array([0.2, -1.5, -2.0, 0.1, 0.6])


def sklearn_process():
    """The covariance of PACKED in scikit-learn's words."""
    kernels = pytest.importorskip("sklearn.gaussian_process.kernels", reason="an independent program")
    from sklearn.gaussian_process import GaussianProcessRegressor

    curved, linear, noise = np.exp(PACKED[:3])
    kernel = (
        kernels.ConstantKernel(1.0)
        + kernels.ConstantKernel(linear) * kernels.DotProduct(sigma_0=1e-9)
        + kernels.ConstantKernel(curved) * kernels.RBF(np.exp(PACKED[3:]))
        + kernels.WhiteKernel(noise)
    )
    return GaussianProcessRegressor(kernel, optimizer=None, alpha=gp_1.JITTER).fit(INPUTS, VALUES)


def own_process():
    from scipy import linalg

    settings = Settings.unpacked(PACKED)
    noisy = gp_1.covariance(INPUTS, INPUTS, settings) + np.eye(30) * (np.exp(PACKED[2]) + gp_1.JITTER)
    factor = linalg.cholesky(noisy, lower=True)
    return Process(settings, INPUTS, factor, linalg.cho_solve((factor, True), VALUES))


def test_predictions_are_those_of_scikit_learn():
    mean, deviation = sklearn_process().predict(TEST, return_std=True)
    predictions = own_process().predict(TEST)
    np.testing.assert_allclose(predictions[0], mean, rtol=1e-8)
    np.testing.assert_allclose(predictions[1], deviation, rtol=1e-6)


def test_the_objective_is_the_likelihood_of_scikit_learn_and_the_priors():
    means, deviations = gp_1.prior(2)
    objective = gp_1._objective(PACKED, INPUTS, VALUES, means, deviations)[0]
    likelihood = sklearn_process().log_marginal_likelihood_value_
    priors = stats.norm(means, deviations).logpdf(PACKED) - stats.norm(means, deviations).logpdf(means)
    constant = 15 * np.log(2 * np.pi)
    assert objective == pytest.approx(-likelihood - constant - priors.sum())


def test_the_gradient_is_that_of_finite_differences():
    arguments = (INPUTS, VALUES, *gp_1.prior(2))
    objective = gp_1._objective(PACKED, *arguments)[1]
    expected = optimize.approx_fprime(PACKED, lambda at: gp_1._objective(at, *arguments)[0], 1e-6)
    np.testing.assert_allclose(objective, expected, rtol=1e-3, atol=1e-4)


def test_the_parameters_found_are_a_maximum_with_three_decimals():
    settings = fit_process(INPUTS, VALUES).settings
    packed = np.array([settings.curved, settings.linear, settings.noise, *settings.lengths])
    np.testing.assert_array_equal(packed, np.round(packed, 3))
    gradient = gp_1._objective(packed, INPUTS, VALUES, *gp_1.prior(2))[1]
    assert np.abs(gradient).max() < 0.1
