"""Draws from what two Bayesian tests believe of one pair of methods, for pictures of that belief.

A draw is a triple of shares that add up to 1: a is better, both are as good, b is better.
"""

import numpy as np

from delvecore.statistics.ranking.bayes_signed_rank import PRIOR as PRIOR_WEIGHT
from delvecore.statistics.ranking.posteriors import PRIOR, check_rope
from delvecore.statistics.ranking.rounding_noise import DIGITS, without_noise

__all__ = ["DRAWN", "sign_draws", "signed_rank_draws"]

DRAWN = 1_000


def sign_draws(differences: np.ndarray, *, rope: float, draws: int = DRAWN, seed: int = 0) -> np.ndarray:
    """Return draws of the shares of tasks on which a is better, both are as good, b is better.

    differences: losses of a less those of b, one a task; rope: half the width of the region of practical
    equivalence. Shape (draws, 3). The same seed gives the same draws. Raises ValueError as `bayesian_sign`.
    """
    check_rope(rope)
    differences = _clean(differences)
    a, b = int((differences < -rope).sum()), int((differences > rope).sum())
    parameters = np.array([a, len(differences) - a - b + PRIOR, b], dtype=float)
    gamma = np.random.default_rng(seed).standard_gamma(parameters, size=(draws, 3))
    return gamma / gamma.sum(axis=1, keepdims=True)


def signed_rank_draws(
    differences: np.ndarray, *, rope: float, draws: int = DRAWN, seed: int = 0
) -> np.ndarray:
    """Return draws of the chances that the mean of two differences lies below, in or above the region.

    Arguments and shape as in `sign_draws`. A mean at an end of the region counts half on either side of it;
    with a rope of zero, a mean of zero counts half for each method. Source: as `bayesian_signed_rank`.
    """
    check_rope(rope)
    z = np.append(_clean(differences), 0.0)
    parameters = np.append(np.ones(len(z) - 1), PRIOR_WEIGHT)
    order = np.argsort(z, kind="stable")
    z = z[order]
    gamma = np.random.default_rng(seed).standard_gamma(parameters, size=(draws, len(z)))[:, order]
    weights = gamma / gamma.sum(axis=1, keepdims=True)
    up_to = np.concatenate([np.zeros((draws, 1)), np.cumsum(weights, axis=1)], axis=1)
    below = _chance_below(z, weights, up_to, -2 * rope)
    above = 1 - (_chance_below(z, weights, up_to, 2 * rope) if rope else below)
    return np.clip(np.stack([below, 1 - below - above, above], axis=1), 0.0, 1.0)


def _chance_below(z, weights, up_to, limit):
    """The chance that a sum of two differences lies below the limit, for each draw; at it counts half."""
    rest = limit - z
    if np.abs(z).max(initial=0.0) > 0:
        rest = _clean(rest, largest=2 * np.abs(z).max())
    left, right = np.searchsorted(z, rest, side="left"), np.searchsorted(z, rest, side="right")
    return (weights * (up_to[:, left] + up_to[:, right])).sum(axis=1) / 2


def _clean(values, *, largest=None):
    """Return values in which equal decimals are equal numbers."""
    values = np.asarray(values, dtype=float)
    largest = np.abs(values).max(initial=0.0) if largest is None else largest
    if largest == 0:
        return values
    return without_noise(values, np.array(DIGITS - 1 - np.floor(np.log10(largest))))
