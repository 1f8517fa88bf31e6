"""The Pareto front of cost and quality: by hand and by simulation."""

import numpy as np
import pytest

from delvecore.stats.ranking.pareto_front import cost_front


def test_a_method_that_another_beats_in_both_is_not_on_the_front():
    losses = np.tile([0.5, 0.3, 0.4, 0.3], (4, 1))
    costs = np.tile([1.0, 10.0, 20.0, 10.0], (4, 1))
    front = cost_front(losses, costs, draws=20)
    assert front.on_front.tolist() == [True, True, False, True]
    assert front.sure.tolist() == [1, 1, 0, 1]
    assert front.cost == pytest.approx([1, 10, 20, 10])


def test_intervals_hold_mean_loss_and_cost():
    generator, held, geometric = np.random.default_rng(3), [], np.exp([0, 2])
    for _ in range(200):
        losses = generator.normal([0.5, 0.7], 0.2, (40, 2))
        front = cost_front(losses, np.exp(generator.normal([0, 2], 1, (40, 2))), draws=300)
        held.append((front.loss_lower <= [0.5, 0.7]) & (front.loss_upper >= [0.5, 0.7]))
        held.append((front.cost_lower <= geometric) & (front.cost_upper >= geometric))
    assert 0.92 <= np.mean(held) <= 0.975


def test_two_units_have_no_intervals():
    front = cost_front(np.array([[0.1, 0.4], [0.2, 0.3]]), np.array([[1.0, 9.0], [2.0, 5.0]]))
    for ends in (front.loss_lower, front.loss_upper, front.cost_lower, front.cost_upper):
        assert np.isnan(ends).all()
    assert front.loss == pytest.approx([0.15, 0.35])


def test_intervals_of_losses_end_at_the_limits():
    losses = np.array([[0.0, 0.9], [1.0, 0.8], [0.1, 1.0]])
    front = cost_front(losses, np.ones((3, 2)), limits=(0.0, 1.0))
    assert (front.loss_lower >= 0).all()
    assert (front.loss_upper <= 1).all()
    assert front.loss_lower[0] == 0
    assert front.loss_upper[1] == 1


def test_the_interval_of_a_cost_is_students_of_the_logarithms():
    # Logarithms 0, 1, 2: mean 1, standard error 1 / sqrt(3); t with 2 degrees of freedom is 4.303.
    front = cost_front(np.zeros((3, 1)), np.exp([[0.0], [1.0], [2.0]]))
    reach = 4.3027 / 3**0.5
    assert np.log([front.cost_lower[0], front.cost_upper[0]]) == pytest.approx(
        [1 - reach, 1 + reach], abs=1e-4
    )


def test_a_cost_of_nothing_is_refused():
    with pytest.raises(ValueError, match="above 0"):
        cost_front(np.ones((2, 2)), np.array([[0.0, 1.0], [1.0, 1.0]]))


def test_values_that_do_not_vary_have_no_interval():
    losses = np.array([[0.3, 0.1], [0.1 + 0.2, 0.2], [0.3, 0.4], [0.3, 0.2]])
    front = cost_front(losses, np.array([[1.0, 5.0], [2.0, 5.0], [3.0, 5.0], [4.0, 5.0]]))
    assert np.isnan([front.loss_lower, front.loss_upper]).tolist() == [[True, False]] * 2
    assert np.isnan([front.cost_lower, front.cost_upper]).tolist() == [[False, True]] * 2
