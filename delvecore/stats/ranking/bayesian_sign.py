"""Bayesian sign test of pairs of methods, with a region of practical equivalence, and shared parts of such
tests.

Differences are losses of a minus those of b: a is better below -rope, b is better above rope, and both are
equivalent in between.
"""

import functools
import math
from dataclasses import dataclass

import numpy as np
from scipy.special import gammainc, gammaln

from delvecore.stats.ranking.ranks import DIGITS, without_noise
from delvecore.stats.ranking.wilcoxon import PairScan

DRAWN = 1_000
PRIOR = 1.0
"""Strength of the prior of the sign test: number of pseudo-tasks on which the two methods are equivalent."""


@dataclass(frozen=True, eq=False)
class PairPosterior:
    """Probabilities of the pairs of a scan; they sum to 1, and equivalent is 0 if rope is 0.

    Attributes
    ----------
    test : str
        `sign`, `signed rank`, `correlated t`, `hierarchical` or `most likely`.
    rope : float
        Half the width of the region, in units of the values.
    a_better, equivalent, b_better : array
        Probabilities of a better, practical equivalence, and b better.
    """

    test: str
    rope: float
    a_better: np.ndarray
    equivalent: np.ndarray
    b_better: np.ndarray


def without_region(shares: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Remove equivalence from three shares: return (a better, 0, b better) with sum 1, or 1/2 each if both
    are zero."""
    a_better, _, b_better = shares
    either = a_better + b_better
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where(either > 0, a_better / either, 0.5)
    return share, np.zeros(len(share)), 1 - share


def check_rope(rope: float) -> None:
    """Raise ValueError for a region that is negative or NaN."""
    if not 0 <= rope < np.inf:
        raise ValueError(f"expected a region of practical equivalence of at least 0, got {rope}")


def equal_decimals(values: np.ndarray, *, largest: float | None = None) -> np.ndarray:
    """Round values, so that equal decimals are equal numbers."""
    values = np.asarray(values, dtype=float)
    largest = np.abs(values).max(initial=0.0) if largest is None else largest
    if largest == 0:
        return values
    return without_noise(values, np.array(DIGITS - 1 - math.floor(math.log10(largest))))


def bayesian_sign(scan: PairScan, *, rope: float = 0.0) -> PairPosterior:
    """Bayesian sign test: the probability that each outcome is the most frequent on tasks such as these.

    The shares of tasks where a is better, both are equivalent, or b is better have a Dirichlet distribution.
    Its parameters are the counts, plus `PRIOR` on equivalence. Without a region, only the first and the last
    outcome are compared. The probabilities come from integration instead of sampling.

    Parameters
    ----------
    scan : PairScan
        The differences of all pairs.
    rope : float
        Half the width of the region of practical equivalence, in units of the values.

    Returns
    -------
    PairPosterior
        Three probabilities per pair.

    Raises
    ------
    ValueError
        For a negative rope.

    References
    ----------
    Benavoli and others (2017), JMLR 18(77), section 4.1.

    Examples
    --------
    >>> from delvecore.stats.ranking.score_table import ScoreTable
    >>> from delvecore.stats.ranking.wilcoxon import scan_pairs
    >>> table = ScoreTable(tuple("tuvwx"), ("a", "b"), np.array([[1.0, 2]] * 4 + [[2, 1]]))
    >>> bayesian_sign(scan_pairs(table)).a_better.round(3).tolist()
    [0.94]
    """
    check_rope(rope)
    a_better, _, b_better = scan.wins
    if rope:
        ends = [
            ((part < -rope).sum(axis=1), (part > rope).sum(axis=1)) for part in scan.oriented_differences()
        ]
        a_better, b_better = np.concatenate(ends, axis=1)
    counts = np.stack([a_better, scan.tasks - a_better - b_better, b_better], axis=1)
    triples, where = np.unique(counts, axis=0, return_inverse=True)
    probabilities = largest_share(triples + np.array([0.0, PRIOR, 0.0]))[where.ravel()].T
    return PairPosterior("sign", rope, *(probabilities if rope else without_region(probabilities)))


def largest_share(parameters: np.ndarray) -> np.ndarray:
    """Probability that each share of a Dirichlet distribution is the largest.

    parameters: shape (distributions, shares), zero or positive; a parameter of zero makes its share zero. The
    shares are those of independent gamma numbers: int f_k(x) prod F_j(x) dx, by Gauss-Legendre quadrature."""
    largest = parameters.max(axis=1, keepdims=True)
    low = np.maximum(largest - 10 * np.sqrt(largest), 0.0)
    high = largest + 10 * np.sqrt(largest) + 25
    nodes, weights = _legendre(160)
    x = low + (high - low) * (nodes + 1) / 2
    shape = parameters[:, :, None]
    below = np.where(shape > 0, gammainc(np.maximum(shape, 1e-300), x[:, None, :]), 1.0)
    probabilities = np.zeros(parameters.shape)
    for k in range(parameters.shape[1]):
        a = shape[:, k]
        with np.errstate(divide="ignore", invalid="ignore"):
            density = np.where(a > 0, np.exp((a - 1) * np.log(x) - x - gammaln(a)), 0.0)
        others = np.delete(below, k, axis=1).prod(axis=1)
        probabilities[:, k] = (density * others) @ weights
    shares: np.ndarray = probabilities / probabilities.sum(axis=1, keepdims=True)
    return shares


@functools.cache
def _legendre(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the nodes and weights of Gauss-Legendre quadrature, computed at the first use."""
    return np.polynomial.legendre.leggauss(count)


def sign_draws(differences: np.ndarray, *, rope: float, draws: int = DRAWN, seed: int = 0) -> np.ndarray:
    """Return draws of the shares of tasks on which a is better, both are equivalent, or b is better.

    differences: losses of a minus those of b, one per task; rope: half the width of the region of practical
    equivalence. Shape (draws, 3). The same seed gives the same draws. Raises ValueError as `bayesian_sign`.
    """
    check_rope(rope)
    differences = equal_decimals(differences)
    a, b = int((differences < -rope).sum()), int((differences > rope).sum())
    parameters = np.array([a, len(differences) - a - b + PRIOR, b], dtype=float)
    gamma = np.random.default_rng(seed).standard_gamma(parameters, size=(draws, 3))
    shares: np.ndarray = gamma / gamma.sum(axis=1, keepdims=True)
    return shares
