"""The equations, on an example worked by hand: losses 1 2 3 and 3 6 9 (two training sets, three test cases).

Row means 2 and 6, column means 2 4 6, mean 4: MS_a = 3 (4 + 4) = 24, MS_b = 2/2 (4 + 0 + 4) = 8, interactions
1 0 -1 and -1 0 1, so MS_e = 4/2 = 2 in the common design; hierarchical MS_e = (2 + 18)/(2 x 2) = 5.

Many methods at once, unequal test sets, the parts of an error, and tail probabilities.
"""

import tracemalloc
from fractions import Fraction
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from delvecore.stats.losses import anova
from delvecore.stats.losses.anova import (
    DESIGNS,
    MeanSquares,
    PairSquares,
    error_sources,
    f_upper_tail,
    harmonic_mean,
    mean_squares,
    mean_squares_many,
    pair_mean_squares,
    pair_of_rows,
    student_t_two_sided,
)
from delvecore.stats.losses.comparisons import analyze_pairs, remark_notes
from delvecore.stats.losses.mstats import estimate_loss
from delvecore.stats.notes import CLIPPED
from tests.stats.stacks import KINDS, loss_stack

SHAPE = {"instances": 2, "test_cases": 3}
HIERARCHICAL = MeanSquares(4.0, 24.0, None, 5.0)
COMMON = MeanSquares(4.0, 24.0, 8.0, 2.0)


def first_squares(pairs):
    """Return the mean squares of the first pair as numbers."""
    return MeanSquares(*(None if one is None else float(one[0]) for one in pairs.squares))


def test_components_follow_equations_3_and_7():
    variances, error_variance = anova.components(HIERARCHICAL, **SHAPE)
    assert variances.training == pytest.approx(19 / 3)
    assert (variances.residual, variances.cases) == (5.0, None)
    assert error_variance == pytest.approx(19 / 6 + 5 / 6)


def test_components_follow_equations_12_and_17():
    variances, error_variance = anova.components(COMMON, **SHAPE)
    assert (variances.training, variances.cases, variances.residual) == pytest.approx((22 / 3, 3.0, 2.0))
    assert error_variance == pytest.approx(2 / 6 + 3 / 3 + 22 / 6)


def test_negative_components_are_set_to_zero_and_said_to_be():
    squares = MeanSquares(1.0, 1.0, 2.0, 3.0)
    variances, error_variance = anova.components(squares, **SHAPE)
    assert (variances.training, variances.cases) == (0.0, 0.0)
    zero = np.zeros(1)
    pairs = PairSquares(zero, zero + 1, zero, zero, anova.as_arrays(squares), identical=zero > 0)
    assert remark_notes(int(analyze_pairs(pairs, **SHAPE).remarks[0]))[:2] == tuple(CLIPPED.values())
    assert error_variance == pytest.approx(3 / 6)


def test_quasi_f_follows_equations_19_to_21():
    # SS_m = 6 x 16 = 96: F = 98/32, df1 = 98^2 / (96^2 + 2^2/2), df2 = 32^2 / (24^2 + 8^2/2).
    expected = (Fraction(98, 32), Fraction(9604, 9218), Fraction(1024, 608))
    assert anova.quasi_f(COMMON, **SHAPE) == pytest.approx(tuple(map(float, expected)))


@pytest.mark.parametrize("scale", [1e-80, 1e80])
def test_quasi_f_does_not_depend_on_the_unit_of_the_loss(scale):
    scaled = MeanSquares(4.0 * scale, *(square * scale * scale for square in COMMON[1:]))
    assert anova.quasi_f(scaled, **SHAPE) == pytest.approx(anova.quasi_f(COMMON, **SHAPE))


STACKS = {
    "seed": st.integers(0, 10_000),
    "kinds": st.lists(st.sampled_from(KINDS), min_size=1, max_size=4),
    "instances": st.integers(1, 5),
    "test_cases": st.integers(1, 40),
    "design": st.sampled_from(DESIGNS),
}


def assert_same(actual, expected):
    for name, array in actual.items():
        exact = [getattr(squares, name) for squares in expected]
        if array is None:
            assert set(exact) == {None}
        else:
            assert array.tolist() == pytest.approx(exact, rel=1e-9, abs=0, nan_ok=True), name


@pytest.mark.slow
@settings(deadline=None, max_examples=80)
@given(**STACKS)
def test_methods_have_the_mean_squares_of_exact_sums(seed, kinds, instances, test_cases, design):
    stack = loss_stack(seed, kinds, instances, test_cases)
    squares = mean_squares_many(stack, design=design)
    assert_same(squares._asdict(), [mean_squares(rows, design=design) for rows in stack])


@pytest.mark.slow
@settings(deadline=None, max_examples=80)
@given(**STACKS)
def test_pairs_have_the_mean_squares_of_their_differences(seed, kinds, instances, test_cases, design):
    stack = loss_stack(seed, kinds, instances, test_cases)
    pair_squares = pair_mean_squares(stack, design=design)
    rows = stack.tolist()
    pairs = list(zip(pair_squares.first.tolist(), pair_squares.second.tolist(), strict=True))
    assert pairs == [(a, b) for a in range(len(rows)) for b in range(a + 1, len(rows))]
    exact = [first_squares(pair_of_rows(stack[a], stack[b], design=design)) for a, b in pairs]
    # The mean of differences that cancel is known to 1e-16 of the differences, in whatever way it is summed.
    tolerance = [1e-15 * np.abs(stack[a] - stack[b]).max() for a, b in pairs]
    for value, squares, limit in zip(pair_squares.squares.mean, exact, tolerance, strict=True):
        assert value == pytest.approx(squares.mean, rel=1e-9, abs=limit)
    squares = pair_squares.squares._asdict()
    del squares["mean"]
    assert_same(squares, exact)
    assert pair_squares.identical.tolist() == [rows[a] == rows[b] for a, b in pairs]


@pytest.mark.parametrize("shape", [(2, 3), (1, 2, 0)])
def test_other_shapes_are_refused(shape):
    with pytest.raises(ValueError, match="losses of shape"):
        mean_squares_many(np.zeros(shape), design="common")


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("function", [mean_squares_many, pair_mean_squares])
def test_many_losses_are_taken_some_test_cases_at_a_time(design, function, monkeypatch):
    # Twice the doubles of all deviations, which were held at once, would be 26 MB.
    stack = np.random.default_rng(5).gamma(1.0, 1.0, (4, 2, 200_000)) + np.arange(4.0)[:, None, None]
    at_once = function(stack, design=design)
    monkeypatch.setattr("delvecore.stats.losses.anova._LOSSES_AT_ONCE", 1 << 16)
    monkeypatch.setattr("delvecore.stats.losses.anova._EXACT_AT_MOST", 1 << 16)
    tracemalloc.start()
    try:
        stack_squares = function(stack, design=design)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < (8e6 if function is pair_mean_squares else 4e6)  # differences of one pair are held
    squares = [one.squares if function is pair_mean_squares else one for one in (at_once, stack_squares)]
    for one, other in zip(*squares, strict=True):
        assert one is other is None or np.allclose(one, other, rtol=1e-11, atol=0)


def test_pairs_that_differ_little_are_found_different_in_any_number_at_once(monkeypatch):
    stack = np.random.default_rng(5).gamma(1.0, 1.0, (1, 3, 50)) + 1e-7 * np.arange(6.0)[:, None, None]
    stack += 1e-7 * np.random.default_rng(6).normal(size=stack.shape)
    expected = pair_mean_squares(stack, design="common")
    monkeypatch.setattr("delvecore.stats.losses.anova._PAIRS_AT_ONCE", 2)
    squares = pair_mean_squares(stack, design="common")
    assert all(map(np.array_equal, squares.squares, expected.squares))


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("values", [[[1.5] * 300] * 4, [[0.1 * n for n in range(300)]] * 4])
def test_very_many_losses_that_do_not_vary_are_found_without_exact_sums(design, values, monkeypatch):
    # A shift of 0.1 is no decimal of a double: what its differences vary by is rounding.
    stack = np.round([values, np.array(values) + 0.1, np.array(values) * 2], 1)
    expected = pair_mean_squares(stack, design=design)
    monkeypatch.setattr("delvecore.stats.losses.anova._EXACT_AT_MOST", 100)
    squares = pair_mean_squares(stack, design=design)
    assert expected.squares.residual[0] == expected.squares.training[0] == 0
    for one, other in zip(squares.squares, expected.squares, strict=True):
        assert one is other is None or np.allclose(one, other, rtol=1e-9, atol=1e-25)


def arrays(*rows):
    return [np.array(row) for row in rows]


def test_mean_squares_worked_by_hand():
    # Means 2, 5: harmonic size 2 / (1/3 + 1/1) = 1.5; MS_a = 1.5 x 4.5; MS_e = (1 + 0 + 1) / 2.
    rows = arrays([1.0, 2.0, 3.0], [5.0])
    assert harmonic_mean(np.array([3, 1])) == pytest.approx(1.5)
    assert mean_squares(rows, design="hierarchical") == pytest.approx((3.5, 6.75, None, 1.0))


def test_one_test_case_of_some_instances_leaves_a_residual():
    # Sizes 1 and 2 with the harmonic mean 4/3; means 1, 3: MS_a = 4/3 x 2, MS_e = 2, so that the variance between
    # training sets is 1/2.
    estimate = estimate_loss(arrays([1.0], [2.0, 4.0]), design="hierarchical")
    assert (estimate.sd_training, estimate.sd_residual) == pytest.approx((0.5**0.5, 2**0.5))


def test_parts_worked_by_hand():
    # 4 training sets, 10 test cases: 2^2/4, 3^2/10 and 4^2/40.
    sources = error_sources(sd_training=2, sd_cases=3, sd_residual=4, instances=4, test_cases=10)
    assert sources == pytest.approx((1.0, 0.9, 0.4))


def test_where_test_sets_differ_in_size_the_residual_is_the_rest():
    # 2^2/4 of 1.5^2 is due to training sets.
    known = {"sd_training": 2, "sd_cases": None, "sd_residual": 4, "instances": 4, "test_cases": None}
    assert error_sources(**known, standard_error=1.5) == (1.0, None, 1.25)


def test_without_a_standard_error_there_are_no_parts():
    assert error_sources(sd_training=None, sd_cases=None, sd_residual=None, instances=1, test_cases=9) is None


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
