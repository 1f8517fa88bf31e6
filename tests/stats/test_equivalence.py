"""Two one-sided tests: by hand, by simulation at the margin, and that p and interval agree."""

import numpy as np
import pytest

from delvecore.stats.ranking.effects import two_one_sided_tests


def test_both_tests_are_students():
    # d = 0.002, SE = 0.004, margin 0.01, 9 degrees of freedom: t = -2 and 3, of which -2 decides; p = 0.03828.
    found = two_one_sided_tests(np.array([0.002]), np.array([0.004]), np.array([9.0]))
    assert found.p == pytest.approx([0.038276], abs=1e-6)
    assert found.equivalent.tolist() == [True]
    assert found.level == 0.9


@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_p_and_interval_agree(alpha):
    generator = np.random.default_rng(3)
    differences, errors = generator.normal(0, 0.01, 500), generator.gamma(1, 0.004, 500)
    found = two_one_sided_tests(differences, errors, np.full(500, 7.0), alpha=alpha, adjustment="none")
    inside = (found.lower > -found.margin) & (found.upper < found.margin)
    assert (found.equivalent == inside).all()
    assert 0 < inside.sum() < 500


def test_methods_at_the_margin_are_called_equivalent_as_rarely_as_promised():
    generator, size, draws = np.random.default_rng(5), 8, 20000
    samples = generator.normal(0.01, 0.004, (draws, size))
    errors = samples.std(axis=1, ddof=1) / np.sqrt(size)
    found = two_one_sided_tests(samples.mean(axis=1), errors, np.full(draws, 7.0), adjustment="none")
    assert found.equivalent.mean() == pytest.approx(0.05, abs=0.006)


def test_no_difference_found_is_no_equivalence():
    found = two_one_sided_tests(np.zeros(2), np.array([1.0, np.nan]), np.array([9.0, 9.0]))
    assert found.equivalent.tolist() == [False, False]
    assert np.isnan(found.p[1])


def test_all_pairs_are_paid_for():
    found = two_one_sided_tests(np.zeros(3), np.full(3, 0.004), np.full(3, 9.0))
    assert found.p_adjusted == pytest.approx(np.minimum(3 * found.p, 1))


def test_a_margin_of_nothing_is_refused():
    with pytest.raises(ValueError, match="a margin above 0"):
        two_one_sided_tests(np.zeros(1), np.ones(1), np.ones(1), margin=0)
