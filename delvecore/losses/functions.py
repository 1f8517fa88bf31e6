"""The standard losses of predictions, case by case; lower is better. Source: manual, section 5.2.

Arrays in, one loss a case out, float64. Point predictions and targets have shape (cases, targets): the
losses of several targets are added. Every shape must agree: ValueError otherwise.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

__all__ = [
    "GUESS_FUNCTIONS",
    "PROBABILITY_FUNCTIONS",
    "SHARE_STATISTICS",
    "absolute_error",
    "density_loss",
    "log_density_loss",
    "log_probability_beyond",
    "log_probability_loss",
    "normalized_probabilities",
    "squared_error",
    "squared_probability_loss",
    "zero_one_loss",
]


def squared_error(guesses: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """S: the square of the difference, for integer and real targets."""
    return np.sum((_same(guesses, targets) - targets) ** 2, axis=1)


def absolute_error(guesses: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """A: the absolute difference, for integer and real targets."""
    return np.sum(np.abs(_same(guesses, targets) - targets), axis=1)


def zero_one_loss(guesses: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Z: one for each guess that is not the target, for categorical and integer targets of any dtype."""
    return np.sum(_same(guesses, targets) != targets, axis=1).astype(np.float64)


def normalized_probabilities(probabilities: np.ndarray, *, logarithms: bool = False) -> np.ndarray:
    """Return rows of probabilities that sum to one.

    probabilities: shape (cases, combinations of target values), not negative; logarithms: natural logs
    (-inf allowed), from which each row's maximum is subtracted first, so that none overflows. Raises
    ValueError naming the first row (from 0) that holds no distribution.
    """
    rows = np.asarray(probabilities, dtype=np.float64)
    if logarithms:
        top = rows.max(axis=1, keepdims=True)
        rows = np.exp(rows - np.where(np.isfinite(top), top, 0.0))
    sums = rows.sum(axis=1)
    bad = ~((rows >= 0).all(axis=1) & (sums > 0) & np.isfinite(sums))
    if bad.any():
        raise ValueError(int(np.flatnonzero(bad)[0]))
    return rows / sums[:, np.newaxis]


def log_probability_loss(probabilities: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """L: minus the log of the target's probability, infinite where that is zero.

    probabilities: normalised rows; targets: int positions of the true values within a row.
    """
    return density_loss(_of_targets(probabilities, targets))


def log_probability_beyond(
    probabilities: np.ndarray, values: np.ndarray, bounds: np.ndarray, signs: np.ndarray
) -> np.ndarray:
    """L of censored targets: minus the log of the probability of all values at or beyond the bound.

    probabilities: normalised rows; values: float64, that of each column, NaN for words; bounds: float64, of
    each case; signs: above zero where the target is at least the bound, below where it is at most.
    """
    limits = bounds[:, np.newaxis]
    beyond = np.where(signs[:, np.newaxis] > 0, values >= limits, values <= limits)
    return density_loss(np.minimum(np.sum(probabilities * beyond, axis=1), 1.0))


def squared_probability_loss(probabilities: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Q: the squared distance of the distribution from certainty of the target, between 0 and 2.

    probabilities: normalised rows; targets: int positions of the true values within a row.
    """
    certain = np.zeros_like(probabilities)
    certain[np.arange(len(targets)), targets] = 1.0
    return np.sum((certain - probabilities) ** 2, axis=1)


def density_loss(densities: np.ndarray) -> np.ndarray:
    """L: minus the log of the probability or density of the true targets, infinite where that is zero."""
    with np.errstate(divide="ignore"):  # zero has a meaning here
        return 0.0 - np.log(densities)


def log_density_loss(log_densities: np.ndarray) -> np.ndarray:
    """L: minus the log probability or log density of the true targets."""
    return 0.0 - np.asarray(log_densities, dtype=np.float64)


def _same(guesses: np.ndarray, targets: np.ndarray) -> np.ndarray:
    if np.shape(guesses) != np.shape(targets) or np.ndim(targets) != 2:
        raise ValueError(f"shape (cases, targets) of both, got {np.shape(guesses)}, {np.shape(targets)}")
    return np.asarray(guesses)


def _of_targets(probabilities: np.ndarray, targets: np.ndarray) -> np.ndarray:
    if np.ndim(probabilities) != 2 or len(probabilities) != len(targets):
        raise ValueError(f"a row a case, got {np.shape(probabilities)} for {len(targets)} targets")
    return probabilities[np.arange(len(targets)), targets]


GUESS_FUNCTIONS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "A": absolute_error,
    "S": squared_error,
    "Z": zero_one_loss,
}
"""{letter: its function of guesses and targets}."""
PROBABILITY_FUNCTIONS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "L": log_probability_loss,
    "Q": squared_probability_loss,
}
"""{letter: its function of probabilities and places of the targets}."""
SHARE_STATISTICS: dict[str, Callable[[Sequence[float]], float]] = {
    "L": lambda shares: math.fsum(share * math.log(share) for share in shares),
    "Q": lambda shares: 1 - math.fsum(share * share for share in shares),
    "Z": lambda shares: 1 - max(shares),
}
"""{letter: what standardizes it where targets have values with these shares, none zero}."""
