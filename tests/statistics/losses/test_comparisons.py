"""All pairs at once say what `compare_losses` says of each."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from delvecore.statistics.losses.anova import DESIGNS
from delvecore.statistics.losses.comparisons import compare_many, confidence_bounds, remark_notes
from delvecore.statistics.losses.records import confidence_interval
from delvecore.statistics.losses.sums import compare_losses
from tests.statistics.stacks import KINDS, loss_stack

SAME = (
    "mean_a",
    "mean_b",
    "standard_error",
    "sd_training",
    "sd_cases",
    "sd_residual",
    "statistic",
    "df1",
    "df2",
)


def assert_pairs_are_as_compared_alone(stack, design):
    found = compare_many(stack, design=design)
    lower, upper = confidence_bounds(found)
    for k, (a, b) in enumerate(zip(found.first, found.second, strict=True)):
        alone = compare_losses(stack[a].tolist(), stack[b].tolist(), design=design)
        # A mean of differences that cancel carries 1e-16 of the differences, and so do the figures from it.
        with np.errstate(invalid="ignore"):
            noise = 1e-15 * np.abs(stack[a] - stack[b]).max()
        error = alone.interval.error if alone.interval else 1.0
        same_number(found.difference[k], alone.difference, absolute=noise)
        for name in SAME:
            absolute = noise / error if name == "statistic" else 0
            same_number(getattr(found, name)[k], getattr(alone, name), absolute=absolute)
        same_number(found.p[k], alone.p, relative=1e-8, absolute=noise / error)
        bounds = confidence_interval(alone) or (None, None)
        for value, bound in zip((lower[k], upper[k]), bounds, strict=True):
            same_number(value, bound, absolute=noise + 1e-9 * error)
        assert remark_notes(int(found.remarks[k])) == (*alone.notes, *filter(None, [alone.reason]))


def same_number(found, expected, *, relative=1e-9, absolute=0.0):
    if expected is None:
        assert np.isnan(found)
    else:
        assert found == pytest.approx(expected, rel=relative, abs=absolute)


@settings(deadline=None, max_examples=200)
@given(
    seed=st.integers(0, 10_000),
    kinds=st.lists(st.sampled_from(KINDS), min_size=1, max_size=3),
    instances=st.integers(1, 5),
    test_cases=st.integers(1, 30),
    design=st.sampled_from(DESIGNS),
)
def test_pairs_are_as_compared_alone(seed, kinds, instances, test_cases, design):
    assert_pairs_are_as_compared_alone(loss_stack(seed, kinds, instances, test_cases), design)


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan, 1e200])
def test_losses_out_of_reach_are_said_to_be(design, bad):
    stack = loss_stack(7, ["ordinary", "ordinary", "identical"], 3, 8)
    stack[1, 2, 3] = bad
    stack[2, 2, 3] = bad
    assert_pairs_are_as_compared_alone(stack, design)


def test_one_method_has_no_pairs():
    found = compare_many(np.ones((1, 3, 4)), design="common")
    assert found.p.shape == found.remarks.shape == (0,)


@pytest.mark.parametrize("design", DESIGNS)
def test_p_values_keep_their_digits_in_the_far_tail_and_next_to_one(design):
    generator = np.random.default_rng(0)
    noise = generator.normal(size=(2, 16, 400))
    for shift in (30.0, 1e-7):
        stack = noise.copy()
        stack[1] += stack[0].mean() - stack[1].mean() + shift
        p = compare_many(stack, design=design).p[0]
        exact = compare_losses(*stack.tolist(), design=design).p
        assert p == pytest.approx(exact, rel=1e-9, abs=0)
        assert p < 1e-20 or p > 0.99
