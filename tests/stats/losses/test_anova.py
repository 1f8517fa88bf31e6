"""The equations, on an example worked by hand: losses 1 2 3 and 3 6 9 (two training sets, three test cases).

Row means 2 and 6, column means 2 4 6, mean 4: MS_a = 3 (4 + 4) = 24, MS_b = 2/2 (4 + 0 + 4) = 8, interactions
1 0 -1 and -1 0 1, so MS_e = 4/2 = 2 in the common design; hierarchical MS_e = (2 + 18)/(2 x 2) = 5.
"""

from fractions import Fraction

import numpy as np
import pytest

from delvecore.stats.losses import anova
from delvecore.stats.losses.anova import MeanSquares

SHAPE = {"instances": 2, "test_cases": 3}
HIERARCHICAL = MeanSquares(4.0, 24.0, None, 5.0)
COMMON = MeanSquares(4.0, 24.0, 8.0, 2.0)


def test_components_follow_equations_3_and_7():
    found = anova.components(HIERARCHICAL, **SHAPE)
    assert found.training == pytest.approx(19 / 3)
    assert (found.residual, found.cases, found.training_clipped) == (5.0, None, False)
    assert found.error_variance == pytest.approx(19 / 6 + 5 / 6)


def test_components_follow_equations_12_and_17():
    found = anova.components(COMMON, **SHAPE)
    assert (found.training, found.cases, found.residual) == pytest.approx((22 / 3, 3.0, 2.0))
    assert found.error_variance == pytest.approx(2 / 6 + 3 / 3 + 22 / 6)
    assert not found.training_clipped
    assert not found.cases_clipped


def test_negative_components_are_set_to_zero_and_said_to_be():
    found = anova.components(MeanSquares(1.0, 1.0, 2.0, 3.0), **SHAPE)
    assert (found.training, found.cases) == (0.0, 0.0)
    assert found.training_clipped
    assert found.cases_clipped
    assert found.error_variance == pytest.approx(3 / 6)


def test_quasi_f_follows_equations_19_to_21():
    # SS_m = 6 x 16 = 96: F = 98/32, df1 = 98^2 / (96^2 + 2^2/2), df2 = 32^2 / (24^2 + 8^2/2).
    expected = (Fraction(98, 32), Fraction(9604, 9218), Fraction(1024, 608))
    assert anova.quasi_f(COMMON, **SHAPE) == pytest.approx(tuple(map(float, expected)))


def test_quasi_f_of_no_effect_and_no_residual_is_zero():
    assert anova.quasi_f(MeanSquares(0.0, 3.0, 0.0, 0.0), **SHAPE) == (0.0, 1.0, 1.0)


@pytest.mark.parametrize("scale", [1e-80, 1e80])
def test_quasi_f_does_not_depend_on_the_unit_of_the_loss(scale):
    scaled = MeanSquares(4.0 * scale, *(square * scale * scale for square in COMMON[1:]))
    assert anova.quasi_f(scaled, **SHAPE) == pytest.approx(anova.quasi_f(COMMON, **SHAPE))


def test_interaction_dominates_when_it_exceeds_both_other_mean_squares():
    assert not anova.interaction_dominates(COMMON)
    assert anova.interaction_dominates(MeanSquares(0.0, 1.0, 1.0, 2.5))


EQUATIONS = {
    "hierarchical": (anova.components,),
    "common": (anova.components, anova.quasi_f),
}


@pytest.mark.parametrize("design", anova.DESIGNS)
def test_arrays_give_what_floats_give(design):
    squares = (
        [HIERARCHICAL, HIERARCHICAL._replace(training=1.0)] if design == "hierarchical" else [COMMON] * 2
    )
    columns = (None if None in values else np.array(values) for values in zip(*squares, strict=True))
    together = MeanSquares(*columns)
    for equation in EQUATIONS[design]:
        many = equation(together, **SHAPE)
        for k, one in enumerate(squares):
            for array, value in zip(many, equation(one, **SHAPE), strict=True):
                found = None if array is None else np.broadcast_to(array, 2)[k]
                assert found == value
