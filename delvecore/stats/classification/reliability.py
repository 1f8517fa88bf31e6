"""Reliability curves: how far are probabilities from the shares of what comes true?"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from delvecore.stats.array_types import Floats, Mask, Whole
from delvecore.stats.ranking.effects import wilson_interval

BINS = 10
DRAWS = 1_000
OUTCOMES = 4
"""So many times as often outcomes are drawn: one seed for all would else raise or lower every p alike."""
_AT_ONCE = 1 << 20


@dataclass(frozen=True, eq=False)
class Reliability:
    """Arrays with one entry a bin that has cases, by ascending probability.

    cases: how many; said: mean probability; held: share that came true, lower, upper: with Wilson's interval.
    error: the expected calibration error, mean distance of said and held, each case counting alike;
    error_lower, error_upper: its interval, wide at the lower end, since chance alone makes an error. chance:
    what error probabilities that come true would show on average with so many cases; p: how probably at least
    the error found."""

    level: float
    cases: Whole
    said: Floats
    held: Floats
    lower: Floats
    upper: Floats
    error: float
    error_lower: float
    error_upper: float
    chance: float
    p: float


def reliability(
    said: Floats, held: Mask, *, bins: int = BINS, level: float = 0.95, draws: int = DRAWS, seed: int = 0
) -> Reliability:
    """Expected calibration error and reliability curve: do probabilities come true?

    said: probability of each case, 0 to 1, such as that of the predicted class; held: did it come true? bins:
    of equal width. Upper end: normal, by the spread of the cases. Lower end: less the sum over bins of how
    far a bootstrap of cases moves each, by which the error can at most be too large. p by drawing outcomes
    from the probabilities, OUTCOMES times as often. Raises ValueError without cases, and for what is no
    probability. Source: Guo and others 2017, section 2; Broecker and Smith 2007 (outcomes drawn from the
    probabilities).

    Examples
    --------
    >>> found = reliability(np.array([0.55, 0.59, 0.91, 0.95, 1.0]), np.array([1, 0, 1, 1, 0]))
    >>> found.cases.tolist(), round(found.error, 4)  # (2 x 0.07 + 3 x 0.2867) / 5
    ([2, 3], 0.2)
    """
    said, held = np.asarray(said, dtype=float), np.asarray(held, dtype=float)
    if not len(said) or not ((said >= 0) & (said <= 1)).all():
        raise ValueError(f"expected probabilities from 0 to 1 of cases, got {len(said)} cases")
    _, place = np.unique(np.minimum((said * bins).astype(int), bins - 1), return_inverse=True)
    cases = np.bincount(place)
    mean, share = (np.bincount(place, weights=one) / cases for one in (said, held))
    error = float(cases @ np.abs(mean - share) / len(said))
    lower, upper = _interval(place, said - held, level, draws, seed)
    calibrated = _errors_by_chance(place, said, OUTCOMES * draws, seed)
    return Reliability(
        level,
        *(cases, mean, share, *wilson_interval(share, cases, level=level)),
        error=error,
        error_lower=lower,
        error_upper=upper,
        chance=float(calibrated.mean()),
        p=float((1 + (calibrated >= error - 1e-12).sum()) / (len(calibrated) + 1)),
    )


def _errors_by_chance(place: Whole, said: Floats, draws: int, seed: int) -> Floats:
    """Return the errors that outcomes drawn from the probabilities show. place: the bin of each case."""
    order = np.argsort(place, kind="stable")
    starts, ordered = np.flatnonzero(np.diff(place[order], prepend=-1)), said[order]
    generator, rows = np.random.default_rng(seed), max(1, _AT_ONCE // len(said))
    found = []
    for start in range(0, draws, rows):
        held = generator.random((min(rows, draws - start), len(said))) < ordered
        found.append(np.abs(np.add.reduceat(ordered - held, starts, axis=1)).sum(axis=1))
    return np.concatenate(found) / len(said)


def _interval(place: Whole, gaps: Floats, level: float, draws: int, seed: int) -> tuple[float, float]:
    """gaps: said less held of each case, whose means in the bins, in size, add up to the error."""
    generator, count = np.random.default_rng(seed), len(gaps)
    sums, moved = np.bincount(place, weights=gaps), np.empty(draws)
    for draw in range(draws):
        times = np.bincount(generator.integers(0, count, count), minlength=count)
        moved[draw] = np.abs(np.bincount(place, weights=times * gaps) - sums).sum() / count
    error = np.abs(sums).sum() / count
    reach = float(ndtri((1 + level) / 2)) * float(np.std(np.sign(sums)[place] * gaps)) / math.sqrt(count)
    return max(float(error - np.quantile(moved, (1 + level) / 2)), 0.0), float(error + reach)
