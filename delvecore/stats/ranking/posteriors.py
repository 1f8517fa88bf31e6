"""How probable is it that a method is better than another, by the data and a region of practical equivalence?

Differences are losses of a less those of b: below -rope a is better, above rope b, between they are as good.
The test with signed ranks is in `bayes_signed_rank`; draws from what two tests believe are for pictures."""

from dataclasses import dataclass

import numpy as np
from scipy.special import gammainc, gammaln, stdtr

from delvecore.stats.ranking.pair_scan import PairScan
from delvecore.stats.ranking.ranks import DIGITS, without_noise

__all__ = ["RANK_PRIOR", "PairPosterior", "bayesian_sign", "check_rope", "correlated_t", "largest_share"]
__all__ += ["sign_draws", "signed_rank_draws", "without_region"]

PRIOR = 1.0
"""Strength of the prior of the sign test: so many tasks on which the two methods are as good."""
RANK_PRIOR = 0.5
"""Weight of the difference of zero that stands for what was believed before, in the signed-rank test."""
DRAWN = 1_000
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(160)


@dataclass(frozen=True, eq=False)
class PairPosterior:
    """Probabilities of the pairs of a scan; they add up to 1, and equivalent is 0 where rope is 0.

    test: `sign`, `signed rank` or `correlated t`; rope: half the width of the region, in units of the values.
    """

    test: str
    rope: float
    a_better: np.ndarray
    equivalent: np.ndarray
    b_better: np.ndarray


def correlated_t(scan: PairScan, *, rope: float = 0.0, test_share: float = 0.0) -> PairPosterior:
    """How probably does the mean difference lie below, in or above the region? Exact, from Student's t.

    test_share: which share of the cases each test set of overlapping training sets has, 1/10 in 10-fold
    cross-validation; 0 where the tasks share no cases. Differences that do not vary are taken as certain, and
    1/2 each where they are zero. Raises ValueError for a share outside [0, 1), a negative rope and one task.
    Source: Corani and Benavoli 2015, Machine Learning 100, equation 12."""
    check_rope(rope)
    mean, scale = -scan.mean if scan.table.higher_is_better else scan.mean, scan.standard_error(test_share)
    beyond = np.array([-rope - mean, mean - rope])
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = stdtr(scan.tasks - 1, beyond / scale)
    certain = np.where((beyond > 0).any(axis=0), beyond > 0, 0.0 if rope else 0.5)
    a_better, b_better = np.where(scan.constant, certain, shares)
    equivalent = np.maximum(1 - a_better - b_better, 0.0) if rope else np.zeros(len(mean))
    return PairPosterior("correlated t", rope, a_better, equivalent, b_better)


def bayesian_sign(scan: PairScan, *, rope: float = 0.0) -> PairPosterior:
    """How probable is each outcome the most frequent on tasks such as these?

    The shares of tasks where a is better, both are as good, b is better have a Dirichlet distribution with
    the counts, and `PRIOR` on equivalence, as parameters. Without a region only the first and the last are
    weighed. By integration, not by drawing. Raises ValueError for a negative rope.
    Source: Benavoli and others 2017, JMLR 18(77), section 4.1."""
    check_rope(rope)
    a_better, _, b_better = scan.wins
    if rope:
        ends = [((part < -rope).sum(axis=1), (part > rope).sum(axis=1)) for part in scan.loss_differences()]
        a_better, b_better = np.concatenate(ends, axis=1)
    counts = np.stack([a_better, scan.tasks - a_better - b_better, b_better], axis=1)
    triples, where = np.unique(counts, axis=0, return_inverse=True)
    found = largest_share(triples + np.array([0.0, PRIOR, 0.0]))[where.ravel()].T
    return PairPosterior("sign", rope, *(found if rope else without_region(found)))


def largest_share(parameters: np.ndarray) -> np.ndarray:
    """How probably is each of the shares of a Dirichlet distribution the largest?

    parameters: shape (distributions, shares), zero or positive; a share with zero is always zero. The shares
    are those of independent gamma numbers: int f_k(x) prod F_j(x) dx, by Gauss and Legendre's rule."""
    largest = parameters.max(axis=1, keepdims=True)
    low = np.maximum(largest - 10 * np.sqrt(largest), 0.0)
    high = largest + 10 * np.sqrt(largest) + 25
    x = low + (high - low) * (_NODES + 1) / 2
    shape = parameters[:, :, None]
    below = np.where(shape > 0, gammainc(np.maximum(shape, 1e-300), x[:, None, :]), 1.0)
    probabilities = np.zeros(parameters.shape)
    for k in range(parameters.shape[1]):
        a = shape[:, k]
        with np.errstate(divide="ignore", invalid="ignore"):
            density = np.where(a > 0, np.exp((a - 1) * np.log(x) - x - gammaln(a)), 0.0)
        others = np.delete(below, k, axis=1).prod(axis=1)
        probabilities[:, k] = (density * others) @ _WEIGHTS
    return probabilities / probabilities.sum(axis=1, keepdims=True)


def without_region(shares: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (a better, 0, b better) that add up to 1, of shares of three; 1/2 each where both are zero."""
    a_better, _, b_better = shares
    either = a_better + b_better
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where(either > 0, a_better / either, 0.5)
    return share, np.zeros(len(share)), 1 - share


def check_rope(rope: float) -> None:
    """Raise ValueError for a region that is negative or no number."""
    if not 0 <= rope < np.inf:
        raise ValueError(f"expected a region of practical equivalence of at least 0, got {rope}")


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
    with a rope of zero, a mean of zero counts half for each method. Source: as `bayesian_signed_rank`."""
    check_rope(rope)
    z = np.append(_clean(differences), 0.0)
    parameters = np.append(np.ones(len(z) - 1), RANK_PRIOR)
    order = np.argsort(z, kind="stable")
    z = z[order]
    gamma = np.random.default_rng(seed).standard_gamma(parameters, size=(draws, len(z)))[:, order]
    weights = gamma / gamma.sum(axis=1, keepdims=True)
    up_to = np.concatenate([np.zeros((draws, 1)), np.cumsum(weights, axis=1)], axis=1)
    below = _chance_below(z, weights, up_to, -2 * rope)
    above = 1 - (_chance_below(z, weights, up_to, 2 * rope) if rope else below)
    return np.clip(np.stack([below, 1 - below - above, above], axis=1), 0.0, 1.0)


def _chance_below(z: np.ndarray, weights: np.ndarray, up_to: np.ndarray, limit: float) -> np.ndarray:
    """The chance that a sum of two differences lies below the limit, for each draw; at it counts half."""
    rest = limit - z
    if np.abs(z).max(initial=0.0) > 0:
        rest = _clean(rest, largest=2 * np.abs(z).max())
    left, right = np.searchsorted(z, rest, side="left"), np.searchsorted(z, rest, side="right")
    return (weights * (up_to[:, left] + up_to[:, right])).sum(axis=1) / 2


def _clean(values: np.ndarray, *, largest: float | None = None) -> np.ndarray:
    """Return values in which equal decimals are equal numbers."""
    values = np.asarray(values, dtype=float)
    largest = np.abs(values).max(initial=0.0) if largest is None else largest
    if largest == 0:
        return values
    return without_noise(values, np.array(DIGITS - 1 - np.floor(np.log10(largest))))
