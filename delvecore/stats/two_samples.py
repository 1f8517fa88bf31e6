"""Do two independent samples differ, when only their means, deviations and sizes are known?

Cochran and Cox's approximation for unequal variances: the critical value is that of each sample's own t
distribution, weighted by the squared standard errors. Source: G. W. Snedecor and W. G. Cochran, Statistical
Methods, section 6.11 (7th edition); SAS's procedure `ttest`, which L. Prechelt, PROBEN1, technical report
21/94, Universität Karlsruhe 1994, section 3.3.4, uses."""

from math import exp, inf, isfinite, log, sqrt
from typing import NamedTuple

from scipy.special import stdtrit

from delvecore.errors import Fault
from delvecore.stats.losses.distributions import student_t_two_sided

__all__ = ["Sample", "TwoSamples", "cochran_cox", "critical_value", "of_logarithms"]

HALVINGS = 80


class Sample(NamedTuple):
    """deviation: standard deviation with n - 1; size: n."""

    mean: float
    deviation: float
    size: int


class TwoSamples(NamedTuple):
    """difference: of the means, first less second; p: two-sided."""

    difference: float
    standard_error: float
    t: float
    p: float


def of_logarithms(sample: Sample) -> Sample:
    """Return what the logarithms of a sample have as mean and deviation, if it is log-normal. Raises Fault
    for a mean that is not positive."""
    if not sample.mean > 0:
        raise Fault("the mean of a log-normal sample", "a positive number", f"{sample.mean:g}")
    variance = log(1 + (sample.deviation / sample.mean) ** 2)
    return Sample(log(sample.mean) - variance / 2, sqrt(variance), sample.size)


def cochran_cox(first: Sample, second: Sample) -> TwoSamples:
    """Test whether two samples have the same mean, whatever their variances. Raises Fault for a sample of
    fewer than two, or without a deviation; p is 0 where neither sample varies and the means differ."""
    for sample in (first, second):
        if sample.size < 2 or not (isfinite(sample.deviation) and sample.deviation >= 0):
            raise Fault("a sample", "two values or more with a standard deviation", str(sample))
    difference = first.mean - second.mean
    error = sqrt(sum(sample.deviation**2 / sample.size for sample in (first, second)))
    if error == 0:
        return TwoSamples(difference, 0.0, 0.0 if difference == 0 else inf, float(difference == 0))
    t = difference / error
    return TwoSamples(difference, error, t, _p_of(abs(t), first, second))


def critical_value(p: float, first: Sample, second: Sample) -> float:
    """Return the t beyond which a difference has a two-sided p below this one."""
    weights = [sample.deviation**2 / sample.size for sample in (first, second)]
    own = [_quantile(p, sample.size - 1) for sample in (first, second)]
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


def _quantile(p: float, degrees: int) -> float:
    return float(-stdtrit(degrees, p / 2))
