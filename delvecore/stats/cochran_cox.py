"""Cochran-Cox test of two independent samples, from their values or from means, deviations and sizes.

Cochran and Cox's approximation for unequal variances: the critical value is the mean of the critical values
of both samples' t distributions, weighted by the squared standard errors. Source: G. W. Snedecor and W. G.
Cochran, Statistical Methods, section 6.11 (7th edition); SAS's procedure `ttest`, as used by L. Prechelt,
PROBEN1, technical report 21/94, Universität Karlsruhe 1994, section 3.3.4."""

from math import copysign, exp, inf, isfinite, log, sqrt

import numpy as np
from scipy.special import stdtrit

from delvecore.errors import Fault
from delvecore.stats.array_types import Floats
from delvecore.stats.losses.anova import student_t_two_sided

HALVINGS = 80
MOST_OUTLIERS = 0.1
"""Maximum share of removed values of a sample: PROBEN1, section 2.8."""
NOT_NORMAL = 0.05
"""Minimum p of the Shapiro-Wilk test for a normal sample; the report names no test."""


def of_logarithms(mean: float, deviation: float) -> tuple[float, float]:
    """Mean and standard deviation of the logarithms of a sample, if it is log-normal.

    Raises Fault for a mean that is not positive.

    Examples
    --------
    >>> mean, deviation = of_logarithms(2.0, 0.0)
    >>> round(mean, 4), deviation
    (0.6931, 0.0)
    """
    if not mean > 0:
        raise Fault("the mean of a log-normal sample", "a positive number", f"{mean:g}")
    variance = log(1 + (deviation / mean) ** 2)
    return log(mean) - variance / 2, sqrt(variance)


def without_outliers(values: Floats) -> tuple[Floats, int, bool]:
    """Remove as few of the values farthest from the median as possible, so that the rest is normal: PROBEN1,
    sections 2.8 and 3.3.4.

    At most a tenth is removed, and none if removing a tenth is not enough. Raises Fault for fewer than three
    values.

    Returns the values without outliers, the number of removed values, and whether the rest is normal."""
    from scipy.stats import shapiro  # The import takes a while, and few callers need it.

    if len(values) < 3:
        raise Fault("a sample", "three values or more", f"{len(values)}")
    order = np.argsort(np.abs(values - np.median(values)), kind="stable")
    for removed in range(int(MOST_OUTLIERS * len(values)) + 1):
        kept = values[order[: len(values) - removed]]
        if np.ptp(kept) == 0 or shapiro(kept).pvalue >= NOT_NORMAL:
            return kept, removed, True
    return values, 0, False


def cochran_cox(first: Floats, second: Floats) -> tuple[float, float]:
    """Cochran-Cox test: do two samples have the same mean, whatever their variances? See `from_summaries`.

    Examples
    --------
    >>> t, p = cochran_cox(np.array([4.0, 5, 6]), np.array([1.0, 2, 3]))
    >>> round(t, 4), round(p, 4)
    (3.6742, 0.0667)
    """
    means, deviations = (
        [float(one) for one in map(function, (first, second))]
        for function in (np.mean, lambda values: np.std(values, ddof=1))
    )
    return from_summaries((means[0], means[1]), (deviations[0], deviations[1]), (len(first), len(second)))


def from_summaries(
    means: tuple[float, float], deviations: tuple[float, float], sizes: tuple[int, int]
) -> tuple[float, float]:
    """Cochran-Cox test from the means, standard deviations (with n - 1) and sizes of two samples.

    Returns t, with the sign of the first mean minus the second, and the two-sided p. Raises Fault for a
    sample of fewer than two values, or without a deviation. p is 0 if neither sample varies and the means
    differ.

    Examples
    --------
    >>> [round(one, 4) for one in from_summaries((5.0, 4.0), (1.0, 1.0), (10, 10))]
    [2.2361, 0.0522]
    """
    for deviation, size in zip(deviations, sizes, strict=True):
        if size < 2 or not (isfinite(deviation) and deviation >= 0):
            actual = f"{size} with the standard deviation {deviation:g}"
            raise Fault("a sample", "two values or more with a standard deviation", actual)
    difference = means[0] - means[1]
    error = sqrt(sum(deviation**2 / size for deviation, size in zip(deviations, sizes, strict=True)))
    if error == 0:
        return (copysign(inf, difference), 0.0) if difference else (0.0, 1.0)
    t = difference / error
    return t, _p_of(abs(t), deviations, sizes)


def critical_value(p: float, deviations: tuple[float, float], sizes: tuple[int, int]) -> float:
    """Critical value of Cochran and Cox: the t beyond which a difference has a p below this one."""
    weights = [deviation**2 / size for deviation, size in zip(deviations, sizes, strict=True)]
    quantiles = [float(-stdtrit(size - 1, p / 2)) for size in sizes]
    return sum(w * t for w, t in zip(weights, quantiles, strict=True)) / sum(weights)


def _p_of(t: float, deviations: tuple[float, float], sizes: tuple[int, int]) -> float:
    if sizes[0] == sizes[1]:
        return student_t_two_sided(t, sizes[0] - 1)
    bounds = [student_t_two_sided(t, size - 1) for size in sizes]
    low, high = (log(max(bound, 1e-300)) for bound in sorted(bounds))
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if critical_value(exp(middle), deviations, sizes) > t else (low, middle)
    return exp((low + high) / 2)
