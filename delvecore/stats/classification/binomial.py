"""How sure is a share such as accuracy, and is it more than chance? Intervals and tests of a binomial share.

All of this takes each case for an independent trial: it says nothing of how other training sets would do.
Source: Flach, Machine Learning (2012), section 12.3; Wilson (1927); Clopper and Pearson (1934)."""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

__all__ = ["NullTest", "ShareInterval", "exact_interval", "normal_interval", "null_test", "wilson_interval"]

WILSON = "Wilson"
EXACT = "exact (Clopper-Pearson)"
NORMAL = "normal, as in Flach"
LEAST_VARIANCE = 5
"""The book's limit: below it, for n a (1 - a), the normal interval is no good."""


@dataclass(frozen=True)
class ShareInterval:
    """A two-sided interval of a share. caution: why it should not be used here, or None."""

    method: str
    level: float
    lower: float
    upper: float
    caution: str | None = None


@dataclass(frozen=True)
class NullTest:
    """Is the share equal to `null`? p-values of the exact binomial and of the normal distribution.

    greater: the probability of a share as large or larger; two_sided: of one as improbable or more so
    (normal: as far away or farther). The alternative is chosen before the data are seen."""

    null: float
    greater: float
    two_sided: float
    normal_greater: float
    normal_two_sided: float


def wilson_interval(successes: int, trials: int, *, level: float = 0.95) -> ShareInterval:
    """Return Wilson's score interval: the shares that a normal test with their own variance keeps."""
    z, share = _checked(successes, trials, level), successes / trials
    middle = share + z * z / (2 * trials)
    half = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    lower = 0.0 if successes == 0 else (middle - half) / scale
    upper = 1.0 if successes == trials else (middle + half) / scale
    return ShareInterval(WILSON, level, lower, upper)


def exact_interval(successes: int, trials: int, *, level: float = 0.95) -> ShareInterval:
    """Return Clopper and Pearson's interval: it covers the true share at least as often as it says."""
    _checked(successes, trials, level)
    tail, failures = (1 - level) / 2, trials - successes
    lower = 0.0 if successes == 0 else float(special.betaincinv(successes, failures + 1, tail))
    upper = 1.0 if failures == 0 else float(special.betainccinv(successes + 1, failures, tail))
    return ShareInterval(EXACT, level, lower, upper)


def normal_interval(successes: int, trials: int, *, level: float = 0.95) -> ShareInterval:
    """Return share +- z sqrt(share (1 - share) / n), as Flach's example 12.5 has it, with z of the level.

    The ends are not cut at 0 and 1, so that the interval shows where it makes no sense; the caution says so.
    """
    z, share = _checked(successes, trials, level), successes / trials
    variance = trials * share * (1 - share)
    half = z * math.sqrt(share * (1 - share) / trials)
    caution = None
    if variance < LEAST_VARIANCE:
        caution = f"n a (1 - a) = {variance:.2g} is below {LEAST_VARIANCE}: too few cases for it"
    return ShareInterval(NORMAL, level, share - half, share + half, caution)


def null_test(successes: int, trials: int, *, null: float) -> NullTest:
    """Test the hypothesis that the true share is `null`, which must lie between 0 and 1 (ValueError)."""
    _checked(successes, trials, 0.5)
    if not 0 < null < 1:
        raise ValueError(f"expected a null hypothesis between 0 and 1, got {null}")
    z = (successes / trials - null) / math.sqrt(null * (1 - null) / trials)
    greater = float(special.betainc(successes, trials - successes + 1, null)) if successes else 1.0
    normal, both = float(special.ndtr(-z)), 2 * float(special.ndtr(-abs(z)))
    return NullTest(null, greater, _two_sided(successes, trials, null), normal, both)


def _two_sided(successes: int, trials: int, null: float) -> float:
    """Sum the probabilities of all counts that are at most as probable as the one observed."""
    counts = np.arange(trials + 1)
    logs = special.gammaln(trials + 1) - special.gammaln(counts + 1) - special.gammaln(trials - counts + 1)
    logs += counts * math.log(null) + (trials - counts) * math.log1p(-null)
    # Counts that are equally probable but for rounding count as equally probable.
    chosen = logs <= logs[successes] + 1e-7
    return min(1.0, float(np.exp(logs[chosen]).sum()))


def _checked(successes: int, trials: int, level: float) -> float:
    """Return the normal quantile of a two-sided level; ValueError for what is no count or level."""
    if not 0 <= successes <= trials or trials < 1:
        raise ValueError(f"expected between 0 and {trials} successes of 1 trial or more, got {successes}")
    if not 0 < level < 1:
        raise ValueError(f"expected a level between 0 and 1, got {level}")
    return float(special.ndtri(0.5 + level / 2))
