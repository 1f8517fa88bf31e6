"""The multiple comparison with the best: by hand, by simulation, and that its parts agree."""

import numpy as np
import pytest
from scipy.stats import t as student

from delvecore.stats.losses.comparison_with_best import compare_with_best, level_for_best


def compared(losses, level=0.95):
    """losses: shape (training sets, methods); paired t-tests of all pairs."""
    sets, methods = losses.shape
    first, second = np.triu_indices(methods, 1)
    differences = losses[:, first] - losses[:, second]
    mean, error = differences.mean(axis=0), differences.std(axis=0, ddof=1) / np.sqrt(sets)
    reach = student.ppf((1 + level_for_best(level, methods)) / 2, sets - 1) * error
    with np.errstate(invalid="ignore"):
        p = 2 * student.sf(np.abs(mean / error), sets - 1)
    ends = np.where(np.isnan(p), np.nan, [mean - reach, mean + reach])
    return compare_with_best((first, second), tuple(ends), p, differences=mean, alpha=1 - level)


def test_two_methods_are_one_one_sided_test():
    # Differences 1, 2, 3: t = 2 sqrt 3 with 2 degrees of freedom, one-sided p 0.0371; 95 % quantile 2.91999.
    lower, upper, p = compared(np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]]))
    assert p == pytest.approx([0.037090, 0.962910], abs=1e-6)
    assert (p >= 0.05).tolist() == [False, True]
    # The first loses at most 2 + 2.91999 / sqrt 3 more; the second is the best, so that nothing is lost.
    assert upper == pytest.approx([2 + 2.919986 / 3**0.5, 0])
    assert lower == pytest.approx([0, -(2 + 2.919986 / 3**0.5)])


def test_a_noisy_method_may_be_the_best_and_a_worse_one_may_not():
    generator = np.random.default_rng(4)
    losses = generator.normal([0.0, 0.0, 1.0], 0.1, (8, 3))
    lower, upper, p = compared(losses)
    assert (p >= 0.05).tolist() == [True, True, False]
    assert lower[2] == 0
    assert 0.8 < upper[2] < 1.3


def test_a_pair_without_a_test_excludes_nothing():
    nothing = np.array([np.nan])
    pairs = np.array([0]), np.array([1])
    _, upper, p = compare_with_best(
        pairs, (nothing, nothing), nothing, differences=np.array([0.5]), alpha=0.05
    )
    assert (p >= 0.05).all()
    assert upper.tolist() == [np.inf, np.inf]


def test_identical_methods_lose_nothing_against_each_other():
    losses = np.random.default_rng(1).normal(size=(6, 1)) * np.ones((1, 3)) + [0.0, 0.0, 2.0]
    losses[:, 2] += np.random.default_rng(2).normal(0, 0.01, 6)
    _, upper, p = compared(losses)
    assert (p >= 0.05).tolist() == [True, True, False]
    assert upper[:2].tolist() == [0, 0]


@pytest.mark.slow
@pytest.mark.parametrize("spread", [(1, 1, 1, 1, 1, 1), (1, 1, 2, 4, 8, 0.1)])
def test_the_best_is_in_the_set_and_all_intervals_hold_as_often_as_promised(spread):
    generator = np.random.default_rng(20)
    truth = np.array([0.0, 0.0, 0.1, 0.3, 0.5, 1.0])
    others = np.array([np.delete(truth, place).min() for place in range(6)])
    kept = covered = 0
    for _ in range(500):
        losses = truth + generator.normal(size=(5, 6)) * spread + generator.normal(size=(5, 1))
        lower, upper, p = compared(losses)
        kept += bool((p[:2] >= 0.05).all())
        gap = truth - others
        covered += bool(((lower <= gap + 1e-12) & (gap - 1e-12 <= upper)).all())
    # 95 % of 500 and 90 %, for two methods are the best, less two standard deviations: 475 - 10, 450 - 13.
    assert covered >= 465
    assert kept >= 437
