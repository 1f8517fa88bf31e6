"""Many methods at once give the figures that exact sums give for each."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from delvecore.stats.losses.anova import (
    DESIGNS,
    mean_squares,
    mean_squares_many,
    pair_mean_squares,
    pair_of_rows,
)
from tests.stats.intervals import first_squares
from tests.stats.stacks import KINDS, loss_stack

STACKS = {
    "seed": st.integers(0, 10_000),
    "kinds": st.lists(st.sampled_from(KINDS), min_size=1, max_size=4),
    "instances": st.integers(1, 5),
    "test_cases": st.integers(1, 40),
    "design": st.sampled_from(DESIGNS),
}


def assert_same(found, expected):
    for name, array in found.items():
        exact = [getattr(squares, name) for squares in expected]
        if array is None:
            assert set(exact) == {None}
        else:
            assert array.tolist() == pytest.approx(exact, rel=1e-9, abs=0, nan_ok=True), name


@pytest.mark.slow
@settings(deadline=None, max_examples=150)
@given(**STACKS)
def test_methods_have_the_mean_squares_of_exact_sums(seed, kinds, instances, test_cases, design):
    stack = loss_stack(seed, kinds, instances, test_cases)
    found = mean_squares_many(stack, design=design)
    assert_same(found._asdict(), [mean_squares(rows, design=design) for rows in stack])


@pytest.mark.slow
@settings(deadline=None, max_examples=150)
@given(**STACKS)
def test_pairs_have_the_mean_squares_of_their_differences(seed, kinds, instances, test_cases, design):
    stack = loss_stack(seed, kinds, instances, test_cases)
    found = pair_mean_squares(stack, design=design)
    rows = stack.tolist()
    pairs = list(zip(found.first.tolist(), found.second.tolist(), strict=True))
    assert pairs == [(a, b) for a in range(len(rows)) for b in range(a + 1, len(rows))]
    exact = [first_squares(pair_of_rows(stack[a], stack[b], design=design)) for a, b in pairs]
    # The mean of differences that cancel is known to 1e-16 of the differences, in whatever way it is summed.
    tolerance = [1e-15 * np.abs(stack[a] - stack[b]).max() for a, b in pairs]
    for value, squares, limit in zip(found.squares.mean, exact, tolerance, strict=True):
        assert value == pytest.approx(squares.mean, rel=1e-9, abs=limit)
    squares = found.squares._asdict()
    del squares["mean"]
    assert_same(squares, exact)
    assert found.identical.tolist() == [rows[a] == rows[b] for a, b in pairs]


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS)
def test_at_the_size_of_real_tasks_nearly_equal_methods_keep_nine_digits(design):
    kinds = [
        "ordinary",
        "nearly equal",
        "close",
        "equal but for one case",
        "identical",
        "raised by a constant",
    ]
    stack = loss_stack(1, kinds, 8, 512)
    found = pair_mean_squares(stack, design=design)
    pairs = zip(found.first, found.second, strict=True)
    exact = [first_squares(pair_of_rows(stack[a], stack[b], design=design)) for a, b in pairs]
    assert_same(found.squares._asdict(), exact)


@pytest.mark.parametrize("design", DESIGNS)
def test_constant_losses_have_mean_squares_of_exactly_zero(design):
    found = mean_squares_many(np.full((2, 3, 7), 0.1), design=design)
    assert not any(np.any(array) for array in found[1:] if array is not None)


@pytest.mark.parametrize("design", DESIGNS)
def test_losses_that_are_not_finite_spoil_only_their_own_method(design):
    stack = loss_stack(3, ["ordinary", "ordinary"], 3, 9)
    stack[1, 0, 0] = np.inf
    found = mean_squares_many(stack, design=design)
    assert (found.mean[1], np.isnan(found.training[1])) == (np.inf, True)
    assert np.isfinite(found.training[[0, 2]]).all()
    pairs = pair_mean_squares(stack, design=design)
    assert np.isfinite(pairs.squares.residual).tolist() == [False, True, False]


def test_mean_squares_beyond_the_largest_double_are_infinite():
    stack = np.array([[[1e200, -1e200], [1.0, 2.0]], [[1.0, 2.0], [3.0, 4.0]]])
    assert np.isinf(mean_squares_many(stack, design="hierarchical").residual).tolist() == [True, False]
    assert np.isinf(pair_mean_squares(stack, design="hierarchical").squares.residual).all()


def test_the_stack_is_not_changed():
    stack = loss_stack(5, ["identical", "constant"], 3, 4)
    before = stack.copy()
    stack.flags.writeable = False
    pair_mean_squares(stack, design="common")
    mean_squares_many(stack, design="common")
    assert (stack == before).all()


@pytest.mark.parametrize("shape", [(2, 3), (0, 2, 2), (1, 2, 0)])
def test_other_shapes_are_refused(shape):
    with pytest.raises(ValueError, match="losses of shape"):
        mean_squares_many(np.zeros(shape), design="common")


def test_an_unknown_design_is_refused():
    with pytest.raises(ValueError, match="the design must be one of hierarchical, common, got 'nested'"):
        pair_mean_squares(np.zeros((2, 2, 2)), design="nested")


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
        found = function(stack, design=design)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < (8e6 if function is pair_mean_squares else 4e6)  # differences of one pair are held
    squares = [one.squares if function is pair_mean_squares else one for one in (at_once, found)]
    for one, other in zip(*squares, strict=True):
        assert one is other is None or np.allclose(one, other, rtol=1e-11, atol=0)


def test_pairs_that_differ_little_are_found_different_in_any_number_at_once(monkeypatch):
    stack = np.random.default_rng(5).gamma(1.0, 1.0, (1, 3, 50)) + 1e-7 * np.arange(6.0)[:, None, None]
    stack += 1e-7 * np.random.default_rng(6).normal(size=stack.shape)
    expected = pair_mean_squares(stack, design="common")
    monkeypatch.setattr("delvecore.stats.losses.anova._PAIRS_AT_ONCE", 2)
    found = pair_mean_squares(stack, design="common")
    assert all(map(np.array_equal, found.squares, expected.squares))


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("values", [[[1.5] * 300] * 4, [[0.1 * n for n in range(300)]] * 4])
def test_very_many_losses_that_do_not_vary_are_found_without_exact_sums(design, values, monkeypatch):
    # A shift of 0.1 is no decimal of a double: what its differences vary by is rounding.
    stack = np.round([values, np.array(values) + 0.1, np.array(values) * 2], 1)
    expected = pair_mean_squares(stack, design=design)
    monkeypatch.setattr("delvecore.stats.losses.anova._EXACT_AT_MOST", 100)
    found = pair_mean_squares(stack, design=design)
    assert expected.squares.residual[0] == expected.squares.training[0] == 0
    for one, other in zip(found.squares, expected.squares, strict=True):
        assert one is other is None or np.allclose(one, other, rtol=1e-9, atol=1e-25)
