"""Bradley and Terry's strengths: with which odds does one method beat another?"""

from dataclasses import dataclass

import numpy as np

from delvecore.stats.array_types import Floats
from delvecore.stats.ranking.ranks import stretch

BRADLEY_TERRY_DRAWS = 1_000
DEFAULT_PRIOR = 0.5
_TOLERANCE = 1e-10
_MOST_ROUNDS = 5_000


@dataclass(frozen=True, eq=False)
class Strengths:
    """Arrays with one entry a method. strength, lower, upper: logarithms, of mean 0: a beats b with odds
    exp(strength of a - strength of b). chance: mean probability of winning against another method."""

    level: float
    strength: Floats
    lower: Floats
    upper: Floats
    chance: Floats


def bradley_terry(
    losses: Floats,
    *,
    level: float = 0.95,
    prior: float = DEFAULT_PRIOR,
    draws: int = BRADLEY_TERRY_DRAWS,
    seed: int = 0,
) -> Strengths:
    """Bradley-Terry strengths: with which odds does each method beat each other one on a further unit?

    Intervals are percentiles of a bootstrap of units, stretched as those of mean ranks.

    Parameters
    ----------
    losses : array of shape (units, methods)
        Complete, lower is better; equal values tie, and a tie is half a win for both.
    level : float
        Confidence of the intervals.
    prior : float
        Wins that every method is given against every other, so that one that always wins has a strength, too.
    draws, seed : int
        Bootstrap samples; the same seed gives the same result.

    Returns
    -------
    Strengths
        One entry a method, logarithms of mean 0.

    Raises
    ------
    ArithmeticError
        Without a prior, where some methods always win.

    References
    ----------
    Bradley and Terry (1952); Hunter (2004), algorithm MM.

    Examples
    --------
    >>> losses = np.array([[1.0, 2.0]] * 6 + [[2.0, 1.0]] * 2)
    >>> found = bradley_terry(losses)  # 6 wins and 2, half a win more for both: odds of 6.5 / 2.5
    >>> float(np.exp(found.strength[0] - found.strength[1]).round(6))
    2.6
    """
    units, methods = losses.shape
    first, second = np.triu_indices(methods, 1)
    sign = np.sign(losses[:, second] - losses[:, first])
    times = np.random.default_rng(seed).multinomial(units, np.full(units, 1 / units), draws)
    found = []
    for weights in (np.ones((1, units)), times):
        won = weights @ sign
        wins = np.zeros((len(weights), methods, methods))
        wins[:, first, second] = (units + won) / 2 + prior
        wins[:, second, first] = (units - won) / 2 + prior
        found.append(fit_strengths(wins))
    strength = found[0][0]
    ends = np.quantile(found[1], [(1 - level) / 2, (1 + level) / 2], axis=0)
    lower, upper = strength + stretch(units, level) * (ends - strength)
    beats = 1 / (1 + np.exp(strength - strength[:, None]))
    chance = (beats.sum(axis=1) - 0.5) / (methods - 1)
    return Strengths(level, strength, lower, upper, chance)


def fit_strengths(wins: Floats) -> Floats:
    """Return the most likely strengths, logarithms of mean 0, shape (draws, methods).

    wins: shape (draws, methods, methods), of the row's method over the column's; every method must have won
    and lost something in each draw. Raises ArithmeticError where that does not converge: where methods
    fall into parts of which one always wins."""
    count, methods = wins.shape[:2]
    duels = wins + wins.transpose(0, 2, 1)
    won = wins.sum(axis=2)
    worth = np.ones((count, methods))
    for _ in range(_MOST_ROUNDS):
        share = duels / (worth[:, :, None] + worth[:, None, :])
        new = won / share.sum(axis=2)
        new /= np.exp(np.log(new).mean(axis=1, keepdims=True))
        converged = np.abs(new / worth - 1).max() < _TOLERANCE
        worth = new
        if converged:
            found: Floats = np.log(worth)
            return found
    raise ArithmeticError("the strengths of methods did not converge: some of them always win")
