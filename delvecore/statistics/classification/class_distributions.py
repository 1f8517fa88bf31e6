"""How accurate would a classifier be where the classes are distributed otherwise than in the test set?

The recalls of the classes are taken to stay as they are. Source: Flach, Machine Learning (2012), section
12.1.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ["ExpectedAccuracy", "accuracy_at", "expected_accuracy", "random_split_accuracy"]


@dataclass(frozen=True)
class ExpectedAccuracy:
    """mean: of the accuracy over class distributions; standard_deviation: how much it varies from one class
    distribution to another (this is no error of estimation)."""

    mean: float
    standard_deviation: float


def accuracy_at(recalls: Sequence[float], shares: Sequence[float]) -> float:
    """Return the accuracy where the classes have these shares of the cases: acc = sum of share x recall.

    Raises ValueError for shares that are negative, do not sum to 1 or are not as many as the recalls.
    """
    weights = np.asarray(shares, dtype=np.float64)
    if weights.shape != (len(recalls),) or not (weights >= 0).all() or abs(weights.sum() - 1) > 1e-9:
        raise ValueError(f"expected {len(recalls)} shares that sum to 1, got {weights.tolist()}")
    needed = weights > 0
    return float(np.dot(np.asarray(recalls, dtype=np.float64)[needed], weights[needed]))


def expected_accuracy(
    recalls: Sequence[float], *, concentration: Sequence[float] | None = None
) -> ExpectedAccuracy:
    """Return what accuracy to expect where the class distribution itself is uncertain.

    concentration: parameters of a Dirichlet distribution (for two classes a beta distribution) over class
    distributions; None for all ones: every class distribution is equally likely, and the mean is the average
    recall. Raises ValueError for a parameter that is not positive, or not one a class.
    """
    values = np.asarray(recalls, dtype=np.float64)
    weights = np.ones(len(values)) if concentration is None else np.asarray(concentration, dtype=np.float64)
    if weights.shape != values.shape or not (weights > 0).all() or not np.isfinite(weights).all():
        raise ValueError(f"expected {len(values)} positive parameters, got {weights.tolist()}")
    total = weights.sum()
    mean = float(np.dot(weights, values) / total)
    variance = float(np.dot(weights / total, (values - mean) ** 2) / (total + 1))
    return ExpectedAccuracy(mean, math.sqrt(variance))


def random_split_accuracy(auc: float, *, cases: int, positive_share: float = 0.5) -> float:
    """Return the expected accuracy of a ranking that is split at a place drawn from all cases + 1 places.

    E[acc] = 1/2 + n / (n + 1) x pi (1 - pi) (2 AUC - 1), with pi the share of positives. Flach prints the
    case of pi = 1/2, where pi (1 - pi) is 1/4, without saying that it needs balanced classes.
    """
    if cases < 1 or not 0 <= positive_share <= 1:
        raise ValueError(f"expected cases and a share between 0 and 1, got {cases} and {positive_share}")
    return 0.5 + cases / (cases + 1) * positive_share * (1 - positive_share) * (2 * auc - 1)
