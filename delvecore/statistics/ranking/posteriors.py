"""How probable is it that a method is better than another, by the data and a region of practical equivalence?

Differences are losses of a less those of b: below -rope a is better, above rope b, between they are as good.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import gammainc, gammaln, stdtr

from delvecore.statistics.ranking.pair_scan import PairChunks, PairScan, scan_pairs
from delvecore.statistics.ranking.score_table import ScoreTable

__all__ = [
    "PairPosterior",
    "bayesian_sign",
    "bayesian_sign_of",
    "correlated_t",
    "correlated_t_of",
    "largest_share",
]

PRIOR = 1.0
"""Strength of the prior of the sign test: so many tasks on which the two methods are as good."""
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(160)


@dataclass(frozen=True, eq=False)
class PairPosterior:
    """Probabilities of all pairs first < second; they add up to 1, and equivalent is 0 where rope is 0.

    test: `sign`, `signed rank` or `correlated t`; rope: half the width of the region, in units of the values.
    """

    test: str
    rope: float
    first: np.ndarray
    second: np.ndarray
    a_better: np.ndarray
    equivalent: np.ndarray
    b_better: np.ndarray


def correlated_t(table: ScoreTable, *, rope: float = 0.0, test_share: float = 0.0) -> PairPosterior:
    """How probably does the mean difference lie below, in or above the region? Exact, from Student's t.

    test_share: which share of the cases each test set of overlapping training sets has, 1/10 in 10-fold
    cross-validation; 0 where the tasks share no cases. Differences that do not vary are taken as certain, and
    1/2 each where they are zero. Raises ValueError for a share outside [0, 1), a negative rope and one task.
    Source: Corani and Benavoli 2015, Machine Learning 100, equation 12.
    """
    return correlated_t_of(scan_pairs(table), table, rope=rope, test_share=test_share)


def correlated_t_of(
    scan: PairScan, table: ScoreTable, *, rope: float = 0.0, test_share: float = 0.0
) -> PairPosterior:
    """As `correlated_t`, from a scan of the table's pairs."""
    check_rope(rope)
    if not 0 <= test_share < 1:
        raise ValueError(f"expected a share of at least 0 and below 1, got {test_share}")
    if scan.tasks < 2:
        raise ValueError(f"expected at least 2 tasks, got {scan.tasks}")
    mean = -scan.mean if table.higher_is_better else scan.mean
    scale = scan.deviation * np.sqrt(1 / scan.tasks + test_share / (1 - test_share))
    a_better = _below(-rope - mean, scale, scan)
    b_better = _below(mean - rope, scale, scan)
    a_better, b_better = _certain_where_constant(a_better, b_better, mean, rope, scan.constant)
    equivalent = np.maximum(1 - a_better - b_better, 0.0) if rope else np.zeros(len(mean))
    return PairPosterior("correlated t", rope, scan.first, scan.second, a_better, equivalent, b_better)


def bayesian_sign(
    table: ScoreTable, *, rope: float = 0.0, pairs: tuple[np.ndarray, np.ndarray] | None = None
) -> PairPosterior:
    """How probably is each outcome the most frequent on tasks such as these?

    The shares of tasks where a is better, both are as good, b is better have a Dirichlet distribution with
    the counts, and `PRIOR` on equivalence, as parameters. Without a region only the first and the last are
    weighed. By integration, not by drawing. Raises ValueError for a negative rope and missing values.
    Source: Benavoli and others 2017, JMLR 18(77), section 4.1.
    """
    check_rope(rope)
    chunks = PairChunks(table, pairs)
    counts = [_counts(part, rope) for part in chunks.loss_differences()]
    return _sign(np.concatenate(counts), rope, chunks)


def bayesian_sign_of(scan: PairScan, table: ScoreTable, *, rope: float = 0.0) -> PairPosterior:
    """As `bayesian_sign`, from a scan of the table's pairs."""
    if rope != 0:
        return bayesian_sign(table, rope=rope, pairs=(scan.first, scan.second))
    a_larger_first = (scan.positive, scan.zero, scan.negative)
    return _sign(np.stack(a_larger_first[:: 1 if table.higher_is_better else -1], axis=1), rope, scan)


def _sign(counts: np.ndarray, rope: float, pairs: PairScan | PairChunks) -> PairPosterior:
    triples, where = np.unique(counts, axis=0, return_inverse=True)
    shares = largest_share(triples + np.array([0.0, PRIOR, 0.0]))
    a_better, equivalent, b_better = shares[where.ravel()].T
    if rope == 0:
        a_better, equivalent, b_better = without_region(a_better, b_better)
    return PairPosterior("sign", rope, pairs.first, pairs.second, a_better, equivalent, b_better)


def largest_share(parameters: np.ndarray) -> np.ndarray:
    """How probably is each of the shares of a Dirichlet distribution the largest?

    parameters: shape (distributions, shares), zero or positive; a share with zero is always zero. The shares
    are those of independent gamma numbers: int f_k(x) prod F_j(x) dx, by Gauss and Legendre's rule.
    """
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


def without_region(a_better: np.ndarray, b_better: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (a better, 0, b better) that add up to 1; 1/2 each where both are zero."""
    either = a_better + b_better
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where(either > 0, a_better / either, 0.5)
    return share, np.zeros(len(share)), 1 - share


def check_rope(rope: float) -> None:
    """Raise ValueError for a region that is negative or no number."""
    if not 0 <= rope < np.inf:
        raise ValueError(f"expected a region of practical equivalence of at least 0, got {rope}")


def _counts(differences: np.ndarray, rope: float) -> np.ndarray:
    a_better = (differences < -rope).sum(axis=1)
    b_better = (differences > rope).sum(axis=1)
    return np.stack([a_better, differences.shape[1] - a_better - b_better, b_better], axis=1)


def _below(distance: np.ndarray, scale: np.ndarray, scan: PairScan) -> np.ndarray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return stdtr(scan.tasks - 1, distance / scale)


def _certain_where_constant(
    a_better: np.ndarray, b_better: np.ndarray, mean: np.ndarray, rope: float, constant: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    split = 0.5 if rope == 0 else 0.0
    certain = {-1: mean < -rope, 1: mean > rope}
    neither = ~(certain[-1] | certain[1])
    sides = [np.where(neither, split, certain[side].astype(float)) for side in (-1, 1)]
    return np.where(constant, sides[0], a_better), np.where(constant, sides[1], b_better)
