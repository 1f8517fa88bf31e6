"""Tail probabilities against closed forms, exact fractions and 60-digit arithmetic."""

from fractions import Fraction
from math import atan, comb, inf, pi, sqrt

import pytest

from delvecore.stats.losses.anova import f_upper_tail, student_t_two_sided

# Computed with mpmath, 60 digits: betainc(df/2, 1/2, 0, df/(df + t^2), regularized=True).
STUDENT = [
    (2.5, 7, 0.0409922185857528969),
    (0.001, 3, 0.999264894969460938),
    (12.5, 2.5, 0.00256438454190786316),
    (37.7, 10000.0, 6.00268916383375744e-291),
    (1e150, 2, 1.00000000000000004e-300),
    (2.4, 88143.71875, 0.016397132896320232),
    (1e-08, 7, 0.999999992300170983),
    (3e100, 1.25, 1.72559248044438931e-126),
]
# The same: betainc(df2/2, df1/2, 0, df2/(df2 + df1 f), regularized=True).
FISHER = [
    (4.5, 1.5, 17.25, 0.0355108464613449906),
    (0.1, 20.0, 7.5, 0.999980633731150684),
    (1.0, 3.0, 60.0, 0.39915761217946844),
    (745.5, 2.0, 4095.0, 7.95638449971153725e-277),
    (1292916721.5, 3.0, 34.25, 5.66649370491954514e-138),
    (20.0, 1.25, 189.5, 2.19010041439349467e-6),
    (0.75, 100.5, 1000.25, 0.966209542439685659),
    (1e100, 7.0, 6.0, 9.09183673469387712e-300),
    (1e-09, 2.5, 3.5, 0.999999999992907591),
]


@pytest.mark.parametrize(("t", "df", "expected"), STUDENT)
def test_student_tail_has_ten_digits_even_at_1e_minus_300(t, df, expected):
    assert student_t_two_sided(t, df) == pytest.approx(expected, rel=1e-10, abs=0)
    assert student_t_two_sided(-t, df) == student_t_two_sided(t, df)


@pytest.mark.parametrize(("f", "df1", "df2", "expected"), FISHER)
def test_f_tail_has_ten_digits_even_at_1e_minus_300(f, df1, df2, expected):
    assert f_upper_tail(f, df1, df2) == pytest.approx(expected, rel=1e-10, abs=0)


@pytest.mark.parametrize("t", [1e-6, 0.3, 1.0, 4.0, 1e3])
def test_one_and_two_degrees_of_freedom_have_closed_forms(t):
    assert student_t_two_sided(t, 1) == pytest.approx(2 / pi * atan(1 / t), rel=1e-13, abs=0)
    root = sqrt(2 + t * t)
    assert student_t_two_sided(t, 2) == pytest.approx(2 / (root * (root + t)), rel=1e-13, abs=0)


@pytest.mark.parametrize("half_df1", [1, 2, 5])
@pytest.mark.parametrize("half_df2", [1, 3, 20])
def test_even_degrees_of_freedom_give_the_binomial_sum(half_df1, half_df2):
    # I_x(a, b) for whole a, b is the probability of at least a successes in a + b - 1 trials (DLMF 8.17.5).
    a, b = half_df2, half_df1
    trials = a + b - 1
    for f in (Fraction(1, 8), Fraction(1), Fraction(9, 4), Fraction(1000)):
        x = a / (a + b * f)
        exact = sum(comb(trials, k) * x**k * (1 - x) ** (trials - k) for k in range(a, trials + 1))
        assert f_upper_tail(float(f), 2 * b, 2 * a) == pytest.approx(float(exact), rel=1e-13)


def test_tails_at_the_ends_are_one_and_zero():
    assert (student_t_two_sided(0.0, 3), student_t_two_sided(-inf, 3)) == (1.0, 0.0)
    assert (f_upper_tail(0.0, 2, 3), f_upper_tail(inf, 2, 3)) == (1.0, 0.0)
