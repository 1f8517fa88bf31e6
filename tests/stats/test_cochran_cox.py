"""Tests of two samples from their summaries."""

import math

import numpy as np
import pytest
from scipy import stats
from scipy.special import ndtri

from delvecore.errors import Fault
from delvecore.stats.cochran_cox import (
    cochran_cox,
    critical_value,
    from_summaries,
    of_logarithms,
    without_outliers,
)

PRECISE, QUICK = (25, 24, 25, 26), (23, 18, 22, 28, 17, 25, 19, 16)


def test_the_example_of_snedecor_and_cochran():
    # Statistical Methods, a precise and a quick method: t' = 4 / 1.54 (squared errors 0.17 and 2.21), beyond
    # the 5 % point (0.17 x 3.182 + 2.21 x 2.365) / 2.38 = 2.42.
    t, p = cochran_cox(np.array(PRECISE), np.array(QUICK))
    deviations, sizes = (np.std(PRECISE, ddof=1), np.std(QUICK, ddof=1)), (4, 8)
    assert round(4 / t, 2) == 1.54
    assert round(critical_value(0.05, deviations, sizes), 2) == 2.42
    assert critical_value(p, deviations, sizes) == pytest.approx(t)
    assert p < 0.05


def test_samples_of_one_size_have_the_degrees_of_one_of_them():
    # n = 60 each: the critical value is that of t with 59 degrees of freedom, whatever the weights.
    t, p = from_summaries((1.0, 1.2), (0.5, 0.1), (60, 60))
    assert p == pytest.approx(2 * stats.t.sf(abs(t), 59))
    # The t itself is Welch's.
    welch = stats.ttest_ind_from_stats(1.0, 0.5, 60, 1.2, 0.1, 60, equal_var=False)
    assert t == pytest.approx(welch.statistic)


def test_the_logarithms_of_a_log_normal_sample():
    # exp of a normal with mean m and deviation s has mean exp(m + s^2/2), variance (exp(s^2) - 1) mean^2.
    mean = math.exp(0.7 + 0.3**2 / 2)
    made = of_logarithms(mean, mean * math.sqrt(math.exp(0.3**2) - 1))
    assert made == pytest.approx((0.7, 0.3))


def test_what_cannot_be_tested_is_refused():
    with pytest.raises(Fault, match="two values or more"):
        from_summaries((1, 1), (1, 1), (1, 60))
    with pytest.raises(Fault, match="a positive number"):
        of_logarithms(0.0, 1.0)
    assert from_summaries((1, 2), (0, 0), (2, 2)) == (-math.inf, 0)
    assert from_summaries((1, 1), (0, 0), (2, 2)) == (0, 1)


def test_the_fewest_outliers_are_removed_and_none_where_the_rest_is_not_normal():
    # Report, sections 2.8 and 3.3.4: at most 6 of 60, and never from a sample that is not normal without them.
    normal = ndtri((np.arange(58) + 0.5) / 58)
    sample, removed, is_normal = without_outliers(np.append(normal, [6.0, -7.0]))
    assert (removed, len(sample), is_normal) == (2, 58, True)
    assert sample.mean() == pytest.approx(0, abs=1e-12)
    two_humps = np.append(normal[:30] - 6, normal[28:] + 6)
    sample, removed, is_normal = without_outliers(two_humps)
    assert (removed, len(sample), is_normal) == (0, 60, False)
