"""Cochran-Cox test of two independent samples, from their means, standard deviations and sizes.

Cochran and Cox's approximation for unequal variances: the critical value is that of each sample's own t
distribution, weighted by the squared standard errors. Source: G. W. Snedecor and W. G. Cochran, Statistical
Methods, section 6.11 (7th edition); SAS's procedure `ttest`, which L. Prechelt, PROBEN1, technical report
21/94, Universität Karlsruhe 1994, section 3.3.4, uses."""

from math import copysign, exp, inf, isfinite, log, sqrt
from typing import NamedTuple

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


class Sample(NamedTuple):
    """Mean, standard deviation and size of a sample.

    Attributes
    ----------
    deviation : float
        Standard deviation with n - 1.
    size : int
        Number of values.
    """

    mean: float
    deviation: float
    size: int


def of_logarithms(sample: Sample) -> Sample:
    """Mean and deviation of the logarithms of a sample, if it is log-normal.

    Raises Fault for a mean that is not positive.

    Examples
    --------
    >>> found = of_logarithms(Sample(2.0, 0.0, 10))
    >>> round(found.mean, 4), found.deviation
    (0.6931, 0.0)
    """
    if not sample.mean > 0:
        raise Fault("the mean of a log-normal sample", "a positive number", f"{sample.mean:g}")
    variance = log(1 + (sample.deviation / sample.mean) ** 2)
    return Sample(log(sample.mean) - variance / 2, sqrt(variance), sample.size)


def without_outliers(values: Floats) -> tuple[Sample, int, bool]:
    """Remove the fewest values farthest from the median so that the others are normal: PROBEN1, sections 2.8
    and 3.3.4.

    At most a tenth is removed, and none if that is not enough. Raises Fault below three values.

    Returns the sample without outliers, the number of removed values, and whether the rest is normal."""
    from scipy.stats import shapiro  # The import takes a while, and few callers need it.

    if len(values) < 3:
        raise Fault("a sample", "three values or more", f"{len(values)}")
    order = np.argsort(np.abs(values - np.median(values)), kind="stable")
    for removed in range(int(MOST_OUTLIERS * len(values)) + 1):
        kept = values[order[: len(values) - removed]]
        if np.ptp(kept) == 0 or shapiro(kept).pvalue >= NOT_NORMAL:
            return _sample(kept), removed, True
    return _sample(values), 0, False


def _sample(values: Floats) -> Sample:
    return Sample(float(np.mean(values)), float(np.std(values, ddof=1)), len(values))


def cochran_cox(first: Sample, second: Sample) -> tuple[float, float]:
    """Cochran-Cox test: do two samples have the same mean, with any variances?

    Returns t, with the sign of the first mean minus the second, and the two-sided p. Raises Fault for a
    sample of fewer than two values, or without a deviation. p is 0 if neither sample varies and the means
    differ.

    Examples
    --------
    >>> [round(one, 4) for one in cochran_cox(Sample(5.0, 1.0, 10), Sample(4.0, 1.0, 10))]
    [2.2361, 0.0522]
    """
    for sample in (first, second):
        if sample.size < 2 or not (isfinite(sample.deviation) and sample.deviation >= 0):
            raise Fault("a sample", "two values or more with a standard deviation", str(sample))
    difference = first.mean - second.mean
    error = sqrt(sum(sample.deviation**2 / sample.size for sample in (first, second)))
    if error == 0:
        return (copysign(inf, difference), 0.0) if difference else (0.0, 1.0)
    t = difference / error
    return t, _p_of(abs(t), first, second)


def critical_value(p: float, first: Sample, second: Sample) -> float:
    """Critical value of Cochran and Cox: the t beyond which a difference has a p below this one."""
    weights = [sample.deviation**2 / sample.size for sample in (first, second)]
    own = [float(-stdtrit(sample.size - 1, p / 2)) for sample in (first, second)]
    return sum(w * t for w, t in zip(weights, own, strict=True)) / sum(weights)


def _p_of(t: float, first: Sample, second: Sample) -> float:
    if first.size == second.size:
        return student_t_two_sided(t, first.size - 1)
    bounds = [student_t_two_sided(t, sample.size - 1) for sample in (first, second)]
    low, high = (log(max(bound, 1e-300)) for bound in sorted(bounds))
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if critical_value(exp(middle), first, second) > t else (low, middle)
    return exp((low + high) / 2)
