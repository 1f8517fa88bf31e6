"""Networks that stop early, against finite differences and by hand; committees of them."""

import numpy as np
import pytest
from scipy import optimize

from delvecore.methods import mlp_ese_1
from delvecore.methods.mlp_ese_1 import LOGS, SQUARES, Network, hidden_units, train_network
from tests.methods.problems import generator, spread_inputs

INPUTS, TEST = spread_inputs(20, 2), spread_inputs(8, 2, seed=2)


def test_a_network_of_one_unit_computes_what_its_formula_says():
    # hidden: 1 + 2 x; direct: 3 - x; upper 5. At x = -0.5 the unit says tanh 0 = 0, at x = 0.5 tanh 2.
    packed = np.array([1.0, 2.0, 3.0, -1.0, 5.0])
    trained = Network.unpacked(SQUARES, packed, (2, 1, 1))
    outputs = trained.outputs(np.array([[-0.5], [0.5]]))
    assert outputs[:, 0] == pytest.approx([3.5, 2.5 + 5 * np.tanh(2)])


@pytest.mark.parametrize(
    ("loss", "targets"), [(SQUARES, INPUTS[:, :1] ** 2), (LOGS, np.eye(3)[np.arange(20) % 3])]
)
def test_the_gradient_is_that_of_finite_differences(loss, targets):
    rows, outputs = mlp_ese_1.with_ones(INPUTS), targets.shape[1]
    packed = generator().normal(size=3 * (4 + outputs) + 4 * outputs)
    arguments = (loss, (3, 4, outputs), rows, targets)
    gradient = mlp_ese_1._loss_and_gradient(packed, *arguments)[1]
    expected = optimize.approx_fprime(
        packed, lambda at: mlp_ese_1._loss_and_gradient(at, *arguments)[0], 1e-7
    )
    np.testing.assert_allclose(gradient, expected, rtol=1e-4, atol=1e-6)


def test_losses_are_half_squares_and_minus_log_probabilities():
    squares = mlp_ese_1._mean_loss(SQUARES, np.array([[1.0], [3.0]]), np.array([[0.0], [1.0]]))
    logs = mlp_ese_1._mean_loss(LOGS, np.array([[0.25, 0.75]]), np.array([[0.0, 1.0]]))
    assert (squares, logs) == pytest.approx((1.25, -np.log(0.75)))


def test_weights_are_kept_from_where_held_out_cases_were_predicted_best():
    # The held-out targets are the opposite of what there is to learn: no step is better than the start.
    targets = INPUTS[:, :1]
    trained = train_network(SQUARES, (INPUTS, targets), (TEST, -TEST[:, :1]), 4, generator())
    start = mlp_ese_1.FIRST_WEIGHTS * generator().normal(size=3 * 5 + 4)
    expected = Network.unpacked(SQUARES, start, (3, 4, 1)).outputs(TEST)
    np.testing.assert_array_equal(trained.outputs(TEST), expected)


def test_a_network_learns_what_is_no_sum_of_its_inputs():
    inputs = spread_inputs(300, 2, seed=5)
    targets = inputs[:, :1] * inputs[:, 1:]
    trained = train_network(
        SQUARES, (inputs[:200], targets[:200]), (inputs[200:], targets[200:]), 8, generator()
    )
    assert np.mean((trained.outputs(inputs) - targets) ** 2) < 0.05


def test_units_are_as_many_as_give_a_weight_for_every_case():
    # 8 inputs, one output: H units have 9 H + H + 9 weights. 170 cases: 10 H >= 161, H = 17.
    assert hidden_units(170, 8, 1) == 17
    assert hidden_units(20, 8, 1) == 4
    assert hidden_units(10_000, 8, 1) == 32
    # 3 outputs: 12 H + 27 weights for 3 times 100 cases: H >= 22.75.
    assert hidden_units(100, 8, 3) == 23
