"""Coverage and ROC curves, the comparison of their areas, and McNemar's test."""

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from delvecore.stats.classification.mcnemar import mcnemar
from delvecore.stats.classification.roc_curves import areas_compared, coverage_curve, normal_ends, roc_curve


def area_under(curve):
    x, y = roc_curve(*curve)
    return np.trapezoid(y, x)


def test_equal_scores_make_one_slanted_step():
    # Flach 2012, section 2.2: from the best score on, up for a positive, right for a negative.
    curve = coverage_curve(np.array([0.9, 0.8, 0.8, 0.8, 0.3]), np.array([1, 1, 0, 0, 1], dtype=bool))
    negatives, positives = curve
    assert positives.tolist() == [0, 1, 2, 3]
    assert negatives.tolist() == [0, 0, 2, 2]
    # Positives before negatives: 2 + 2 * 1/2 + 0 of 6.
    assert area_under(curve) == pytest.approx(3 / 6)


def test_the_area_is_that_of_mann_and_whitney():
    generator = np.random.default_rng(1)
    scores, positive = generator.integers(0, 9, 80).astype(float), generator.random(80) < 0.4
    u = mannwhitneyu(scores[positive], scores[~positive]).statistic
    area = area_under(coverage_curve(scores, positive))
    assert area == pytest.approx(u / (positive.sum() * (~positive).sum()))
    assert areas_compared(scores, -scores, positive).mean_a == pytest.approx(area)


def test_delongs_error_is_that_of_the_jackknife():
    # DeLong's variance is, but for factors (n - 1) / n, the jackknife's, over positives and negatives apart.
    generator = np.random.default_rng(4)
    positive = np.arange(60) < 25
    a, b = generator.normal(size=(2, 60)) + positive * np.array([[1.2], [0.6]])
    comparison, variance = areas_compared(a, b, positive), 0.0
    for mine in (positive, ~positive):
        left = []
        for case in np.flatnonzero(mine):
            kept = np.arange(60) != case
            areas = [area_under(coverage_curve(one[kept], positive[kept])) for one in (a, b)]
            left.append(areas[0] - areas[1])
        count = len(left)
        variance += (count - 1) ** 2 / count**2 * np.var(left, ddof=1) * count**2 / count / (1)
    assert comparison.standard_error == pytest.approx(np.sqrt(variance), rel=1e-6)


def test_equal_rankings_are_called_different_as_rarely_as_promised():
    generator, rejected = np.random.default_rng(5), 0
    for _ in range(600):
        positive = np.arange(120) < 50
        shared = generator.normal(size=120) + positive
        a, b = shared + generator.normal(0, 0.7, (2, 120))
        rejected += areas_compared(a, b, positive).p < 0.05
    assert 0.025 <= rejected / 600 <= 0.075


def test_one_ranking_has_no_test_against_itself():
    comparison = areas_compared(np.arange(6.0), np.arange(6.0), np.array([0, 1, 0, 1, 0, 1], dtype=bool))
    assert comparison.mean == 0
    assert np.isnan(comparison.p)


def test_one_class_alone_has_no_curve():
    with pytest.raises(ValueError, match="positives and negatives"):
        coverage_curve(np.arange(3.0), np.ones(3, dtype=bool))


def test_mcnemars_p_values_are_those_published():
    # Fagerland, Lydersen and Laake 2013, airway hyper-responsiveness before and after: 1 and 7 discordant
    # pairs, exact p 0.070, mid-p 0.039.
    assert mcnemar(1, 7) == pytest.approx((18 / 256, 10 / 256))
    assert mcnemar(7, 1) == mcnemar(1, 7)


def test_as_many_on_either_side_and_none_at_all_have_p_1():
    assert mcnemar(4, 4) == pytest.approx((1, 1))
    assert mcnemar(0, 0) == (1, 1)


def test_areas_that_do_not_vary_have_no_interval():
    # Both rank all cases rightly, so that no placement varies.
    comparison = areas_compared(np.arange(6.0), np.arange(6.0) ** 2, np.array([0, 0, 0, 1, 1, 1], dtype=bool))
    assert (comparison.mean_a, comparison.mean_b, comparison.mean) == (1, 1, 0)
    assert np.isnan([*normal_ends(comparison, level=0.95), comparison.p]).all()
