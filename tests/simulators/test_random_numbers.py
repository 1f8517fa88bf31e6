"""The generators' random numbers are the seed's alone, and distributed as they should be."""

import numpy as np
import pytest

from delvecore.simulators.random_numbers import Draws


def test_uniform_draws_are_numpys_own():
    # NumPy documents `Generator.random` as the upper 53 bits of a word; an independent way to the same numbers.
    expected = np.random.Generator(np.random.PCG64(5)).random((3, 4))
    assert np.array_equal(Draws(5).uniform(3, 4), expected)


def test_normal_draws_have_the_moments_of_the_normal_distribution():
    # Mean 0, variance 1, third moment 0, fourth 3; standard errors of 40,000 draws 0.005, 0.007, 0.019, 0.049.
    draws = Draws(6).normal(40_000)
    moments = [(draws**power).mean() for power in (1, 2, 3, 4)]
    assert moments == pytest.approx([0, 1, 0, 3], abs=0.15)
    assert moments[:2] == pytest.approx([0, 1], abs=0.02)


def test_exponential_draws_have_mean_and_standard_deviation_one():
    draws = Draws(7).exponential(40_000)
    assert (draws.mean(), draws.std()) == pytest.approx((1, 1), abs=0.03)
    assert draws.min() >= 0


def test_an_order_is_a_permutation_that_the_seed_decides():
    order = Draws(8).order(100)
    assert sorted(order) == list(range(1, 101)) != order
    assert Draws(8).order(100) == order != Draws(9).order(100)
