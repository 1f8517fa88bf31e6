"""Tail probabilities against closed forms, exact fractions and 60-digit arithmetic."""

from math import inf

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


def test_tails_at_the_ends_are_one_and_zero():
    assert (student_t_two_sided(0.0, 3), student_t_two_sided(-inf, 3)) == (1.0, 0.0)
    assert (f_upper_tail(0.0, 2, 3), f_upper_tail(inf, 2, 3)) == (1.0, 0.0)
