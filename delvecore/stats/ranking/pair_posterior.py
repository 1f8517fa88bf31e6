"""How probable it is that one method of a pair is better: what the Bayesian tests have in common.

Differences are losses of a less those of b: below -rope a is better, above rope b, between both are as good.
"""

from dataclasses import dataclass

import numpy as np

from delvecore.stats.ranking.ranks import DIGITS, without_noise

DRAWN = 1_000


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


def equal_decimals(values: np.ndarray, *, largest: float | None = None) -> np.ndarray:
    """Return values in which equal decimals are equal numbers."""
    values = np.asarray(values, dtype=float)
    largest = np.abs(values).max(initial=0.0) if largest is None else largest
    if largest == 0:
        return values
    return without_noise(values, np.array(DIGITS - 1 - np.floor(np.log10(largest))))
