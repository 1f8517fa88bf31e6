"""Percentiles of bootstrap samples: how sure is a difference that was measured once on each of them?

Source: B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), section 13.3; improvements on
cross-validation: the .632+ bootstrap method, JASA 92 (1997), pages 548-560."""

import numpy as np

from delvecore.stats.designs import Design
from delvecore.stats.kinds import Floats

__all__ = ["percentile_bounds", "percentile_p", "sample_means", "weighted_mean"]

RESUBSTITUTION = 1 - 0.632
"""The weight of the loss on the training cases."""


def weighted_mean(means: Floats, design: Design) -> Floats:
    """Return the expected loss of each method. means: of each instance, shape (methods, instances).

    Of bootstrap .632 it is 0.368 of the first instance's, of resubstitution, and 0.632 of the samples'."""
    if not design.resubstitutes:
        return means.mean(axis=1)
    return RESUBSTITUTION * means[:, 0] + (1 - RESUBSTITUTION) * means[:, 1:].mean(axis=1)


def sample_means(means: Floats, design: Design) -> Floats:
    """Return what varies over the instances: their means; of .632 those of the samples, about its mean.

    So .632 is as sure as e0. Scaled by 0.632 its percentiles would be too narrow: see docs/statistics.md."""
    if not design.resubstitutes:
        return means
    samples = means[:, 1:]
    return samples + (weighted_mean(means, design) - samples.mean(axis=1))[:, None]


def percentile_p(samples: Floats) -> float:
    """Return twice the share of samples on the rarer side of zero, zeros with it, and of the data themselves:
    2 (k + 1) / (B + 1), at most 1."""
    rarer = int(min(np.count_nonzero(samples <= 0), np.count_nonzero(samples >= 0)))
    return min(1.0, 2 * (rarer + 1) / (len(samples) + 1))


def percentile_bounds(samples: Floats, *, alpha: float) -> tuple[float, float]:
    """Return the interval that leaves zero out where `percentile_p` is below alpha, and only there: from the
    k-th smallest sample to the k-th largest, k next below (B + 1) alpha / 2. Where the samples are too few
    for one it has all of them, and zero."""
    order = np.sort(samples)
    place = int(np.ceil(alpha * (len(order) + 1) / 2 - 1e-9)) - 2
    if place < 0:
        return float(min(order[0], 0.0)), float(max(order[-1], 0.0))
    return float(order[place]), float(order[-1 - place])
