"""Bradley-Terry strengths: the odds that one method beats another."""

import math

import numpy as np
from scipy.sparse.csgraph import connected_components
from scipy.special import expit, log_expit, stdtrit

from delvecore.stats.array_types import Floats
from delvecore.stats.interval import Interval
from delvecore.stats.ranking.ranks import DIGITS, LEAST_UNITS, rank_rows, without_noise

PRIOR_WINS = 0.5
"""Wins, and defeats, added for every method and divided among the others."""
_TOLERANCE = 1e-10
_MOST_ROUNDS = 200


def bradley_terry(losses: Floats, *, level: float = 0.95) -> Interval[Floats]:
    """Bradley-Terry strengths: the odds that a method beats another one on a new unit.

    Every method receives half a win and half a defeat, divided among the others. So a method that always wins
    has a finite strength, and its interval has a width. For two methods this is the adjusted logit of Gart
    and Zweifel.

    Duels on one unit depend on each other. The variance of a strength is the larger of two estimates. One
    comes from the variation of wins between units. The other comes from the model of a race, in which the
    methods on a unit finish after exponential times. The quantile is Student's with units - 1 degrees of
    freedom.

    Parameters
    ----------
    losses : array of shape (units, methods)
        Complete, lower is better; equal values tie, and a tie is half a win for both.
    level : float
        Confidence of each single interval.

    Returns
    -------
    Interval
        Strengths of the methods, logarithms with mean 0; no intervals with fewer than three units. a
        beats b with odds exp(strength of a - strength of b).

    References
    ----------
    Bradley and Terry (1952); Gart and Zweifel (1967) for the half wins; Plackett (1975) for the race; Varin,
    Reid and Firth (2011) for the variance with dependent duels.

    Examples
    --------
    >>> losses = np.array([[1.0, 2.0]] * 6 + [[2.0, 1.0]] * 2)
    >>> result = bradley_terry(losses)  # 6 wins and 2, plus half a win for each: odds of 6.5 / 2.5
    >>> float(np.exp(result.estimate[0] - result.estimate[1]).round(6))
    2.6
    """
    units, methods = losses.shape
    ranks = rank_rows(without_noise(losses))[0]
    wins = np.array([((row > ranks.T) + (row == ranks.T) / 2).sum(axis=1) for row in ranks.T]).T
    wins += PRIOR_WINS / (methods - 1)
    np.fill_diagonal(wins, 0)
    strength = fit_strengths(wins)
    beats = _chances(strength)
    reach = np.full(methods, math.nan)
    if units >= LEAST_UNITS:
        inverse = np.linalg.pinv(_information(beats, wins + wins.T), hermitian=True)
        parts = [inverse @ (units * one) @ inverse for one in (_race_covariance(strength), np.cov(ranks.T))]
        variance = np.max([np.diagonal(one) for one in parts], axis=0)
        reach = stdtrit(units - 1, (1 + level) / 2) * np.sqrt(variance)
    return Interval(strength, strength - reach, strength + reach)


def winning_chances(strength: Floats) -> Floats:
    """Return each method's mean probability of winning against another one."""
    chances: Floats = _chances(strength).sum(axis=1) / (len(strength) - 1)
    return chances


def fit_strengths(wins: Floats) -> Floats:
    """Return the maximum-likelihood strengths, logarithms with mean 0, by Newton's method.

    wins: shape (methods, methods), wins of the row's method over the column's. Raises ArithmeticError if some
    methods always beat the others: then no maximum exists (Ford 1957).
    """
    if connected_components(wins > 0, connection="strong")[0] > 1:
        raise ArithmeticError("expected every method to lose a duel, found methods that always win")
    duels, won = wins + wins.T, wins.sum(axis=1)

    def likelihood(strength: Floats) -> float:
        return float((wins * log_expit(strength[:, None] - strength)).sum())

    strength = np.zeros(len(wins))
    for _ in range(_MOST_ROUNDS):
        beats = _chances(strength)
        slope = won - (duels * beats).sum(axis=1)
        step = np.linalg.pinv(_information(beats, duels), hermitian=True) @ slope
        longest, least = np.abs(step).max(), (1 + _TOLERANCE) * likelihood(strength)
        while likelihood(strength + step) < least:
            step = step / 2
        strength = strength + step - (strength + step).mean()
        if longest < _TOLERANCE:
            # Rounding removes noise, so that equal methods have equal strengths.
            strengths: Floats = np.round(strength, DIGITS - 3) + 0.0
            return strengths
    raise ArithmeticError(f"the strengths of methods did not converge in {_MOST_ROUNDS} rounds")


def _chances(strength: Floats) -> Floats:
    """Return the probability that the row's method beats the column's; 0 on the diagonal."""
    beats: Floats = expit(strength[:, None] - strength)
    np.fill_diagonal(beats, 0)
    return beats


def _information(beats: Floats, duels: Floats) -> Floats:
    """Return Fisher's information on strengths, given the number of duels of each pair."""
    information: Floats = -duels * beats * beats.T
    np.fill_diagonal(information, -information.sum(axis=1))
    return information


def _race_covariance(strength: Floats) -> Floats:
    """Return the covariance of the numbers of methods that each one beats on one unit, in a race of all
    methods.

    Duels covary if they share a method: the last of three methods loses both of its duels.
    """
    beats = _chances(strength)
    with np.errstate(over="ignore"):
        odds = np.exp(strength - strength[:, None])
    total, last = beats.sum(axis=1), np.zeros_like(beats)
    for third in range(len(strength)):
        part = beats[:, third] / (1 + odds + odds[:, [third]])
        part[third] = part[:, third] = 0
        last += part + part.T
    both = beats * (total - beats.T)
    covariance: Floats = 2 * last - beats * beats.T - both - both.T - beats @ beats.T
    np.fill_diagonal(covariance, 0)
    np.fill_diagonal(covariance, -covariance.sum(axis=1))
    return covariance
