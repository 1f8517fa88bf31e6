"""How large is a difference on average, and how much does it vary between units beyond the errors of each?

Every unit has an estimate y with a variance v, and a true difference of its own: y = mu + u + e, u with the
variance tau^2, e with v. Rows of matrices are pairs, columns units."""

from dataclasses import dataclass, fields

import numpy as np
from scipy.special import chdtri, ndtr, stdtr, stdtrit

__all__ = ["RandomEffects", "dersimonian_laird", "random_effects", "restricted_likelihood"]

_NODES = 48
"""So many equally probable values stand for what is known of tau^2."""
_ROUNDS = 200
_STEPS = 12
_HALVINGS = 50
_CLOSE = 1e-10
_CELLS_AT_ONCE = 1 << 15
"""Units times pairs, so few that what is computed of them stays in a processor's cache."""


@dataclass(frozen=True, eq=False)
class RandomEffects:
    """Arrays with one entry a pair; not a number where there are too few units.

    units: that have an estimate with a variance; mean: mu; lower, upper: its interval, from two units on; p:
    of mu = 0, which agrees with the interval; tau; next_lower, next_upper: between which values the true
    difference of a further unit lies, from three units on."""

    units: np.ndarray
    mean: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    p: np.ndarray
    tau: np.ndarray
    next_lower: np.ndarray
    next_upper: np.ndarray


def random_effects(
    y: np.ndarray, v: np.ndarray, *, level: float, rough: np.ndarray | None = None
) -> RandomEffects:
    """Random-effects mean of the units of each pair.

    tau^2 by restricted maximum likelihood; interval and p by Student's t with units - 1 degrees of freedom on
    the error of Hartung, Knapp, Sidik and Jonkman, which is never taken for less than that of known variances
    (Rover and others 2015). Weights by variances of few degrees of freedom find differences that are not
    there: where variances are rough all units weigh alike, and interval and p are Student's of the
    differences. A unit whose differences do not vary is taken for no surer than the surest other one of the
    pair. For the interval of a further unit see `_next`.

    Parameters
    ----------
    y, v : arrays of shape (pairs, units)
        Estimates and their variances, not a number where there is none.
    level : float
        Confidence of the intervals.
    rough : array of bool of shape (pairs,), optional
        Do the variances of a pair rest on few training sets? None: those of no pair do.

    Returns
    -------
    RandomEffects
        One entry a pair; without interval and p where rough variances meet equal estimates.

    Examples
    --------
    >>> found = random_effects(np.array([[1.0, 2.0, 3.0]]), np.full((1, 3), 0.1), level=0.95)
    >>> found.mean.tolist()
    [2.0]
    """
    rough = np.zeros(len(y), dtype=bool) if rough is None else rough
    rows = max(1, _CELLS_AT_ONCE // max(y.shape[1], 1))
    parts = [slice(start, start + rows) for start in range(0, max(len(y), 1), rows)]
    found = [_random_effects(y[part], v[part], rough[part], level) for part in parts]
    names = [field.name for field in fields(RandomEffects)]
    return RandomEffects(*(np.concatenate([getattr(one, name) for one in found]) for name in names))


def _random_effects(y: np.ndarray, v: np.ndarray, rough: np.ndarray, level: float) -> RandomEffects:
    v = _with_variance(y, v)
    known = np.isfinite(y) & np.isfinite(v)
    y, v = np.where(known, y, np.nan), np.where(known, v, np.nan)
    count = known.sum(axis=1)
    with np.errstate(invalid="ignore"):
        mean_v = np.where(known, v, 0.0).sum(axis=1) / count
    v = np.where(known & rough[:, None], mean_v[:, None], v)
    tau2 = restricted_likelihood(y, v)
    with np.errstate(invalid="ignore", divide="ignore"):
        w = np.where(known, 1 / (v + tau2[:, None]), 0.0)
        total = w.sum(axis=1)
        mean = np.where(known, w * y, 0.0).sum(axis=1) / total
        squares = np.where(known, w * np.square(y - mean[:, None]), 0.0)
        ratio = squares.sum(axis=1) / (count - 1)
        ratio = np.where(rough, np.where(ratio > 0, ratio, np.nan), np.maximum(ratio, 1.0))
        error = np.where(count > 1, np.sqrt(ratio / total), np.nan)
        df = np.maximum(count - 1, 1)
        p = np.minimum(2 * stdtr(df, -np.abs(mean / error)), 1.0)
        reach = stdtrit(df, (1 + level) / 2) * error
    tau = np.where(count > 1, np.sqrt(tau2), np.nan)
    lower, upper = _next(y, v, level)
    ends = {"lower": mean - reach, "upper": mean + reach, "next_lower": lower, "next_upper": upper}
    return RandomEffects(count, mean, p=p, tau=tau, **ends)


def _with_variance(y: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return v with the least positive variance of its row in the place of zeros."""
    positive = np.where(np.isfinite(y) & (v > 0), v, np.inf).min(axis=1, initial=np.inf)
    least = np.where(np.isfinite(positive), positive, np.nan)
    return np.where(v > 0, v, np.where(v == 0, least[:, None], np.nan))


def _next(y: np.ndarray, v: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """Between which values does the true difference of a further unit lie, from three units on?

    tau^2 is not taken for known: by the chi-square distribution of the weighted squares about the mean, which
    is exact, each of `_NODES` values is as probable (Viechtbauer 2007; Nagashima and others 2019 draw them).
    Given one, the difference is normal with tau^2 + 1 / sum of weights, (n + 1) / (n - 1) times which is
    taken, as simulated intervals cover too little by 0.01 without. Quantiles of all these together."""
    known = np.isfinite(y) & np.isfinite(v)
    count, y, v = known.sum(axis=1), np.where(known, y, 0.0), np.where(known, v, np.inf)
    tau2 = np.zeros(len(y))
    means, errors = np.empty((2, _NODES, len(y)))
    with np.errstate(invalid="ignore", divide="ignore"):
        for node in range(_NODES):
            # From many squares, and little variance, on.
            wanted = chdtri(np.maximum(count - 1, 1), (node + 0.5) / _NODES)
            tau2 = _at_squares(y, v, tau2, wanted)
            w = 1 / (v + tau2[:, None])
            total = w.sum(axis=1)
            means[node], errors[node] = (w * y).sum(axis=1) / total, np.sqrt(tau2 + 1 / total)
    means, errors = np.where(count > 2, means, np.nan), np.where(count > 2, errors, np.nan)
    errors *= np.sqrt((count + 1) / np.maximum(count - 1, 1))
    lower, upper = (_quantile(means, errors, share) for share in ((1 - level) / 2, (1 + level) / 2))
    return lower, upper


def _at_squares(y: np.ndarray, v: np.ndarray, start: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Return the tau^2, from `start` on, at which the weighted squares about the mean are as wanted."""
    tau2 = start
    for _ in range(_STEPS):
        w = 1 / (v + tau2[:, None])
        about = y - ((w * y).sum(axis=1) / w.sum(axis=1))[:, None]
        squares, slope = (w * about**2).sum(axis=1), (w**2 * about**2).sum(axis=1)
        # One over the squares is nearly a straight line.
        step = (squares / wanted - 1) * squares / slope
        tau2 = np.maximum(tau2 + np.where(np.isfinite(step), step, 0.0), 0.0)
    return tau2


def _quantile(means: np.ndarray, errors: np.ndarray, share: float) -> np.ndarray:
    """Return, for each column, that of equally probable normal distributions, by halving."""
    reach = 40 * errors.max(axis=0)
    low, high = means.min(axis=0) - reach, means.max(axis=0) + reach
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        below = ndtr((middle - means) / errors).mean(axis=0) < share
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return (low + high) / 2


def dersimonian_laird(y: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return tau^2 of each row by moments. Source: DerSimonian and Laird 1986."""
    known = np.isfinite(y) & np.isfinite(v)
    with np.errstate(invalid="ignore", divide="ignore"):
        w = np.where(known, 1 / v, 0.0)
        total = w.sum(axis=1)
        mean = np.where(known, w * y, 0.0).sum(axis=1) / total
        q = np.where(known, w * np.square(y - mean[:, None]), 0.0).sum(axis=1)
        tau2 = (q - (known.sum(axis=1) - 1)) / (total - np.square(w).sum(axis=1) / total)
    return np.where(np.isfinite(tau2), np.maximum(tau2, 0.0), 0.0)


def restricted_likelihood(y: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return tau^2 of each row by restricted maximum likelihood, zero where less would be likelier.

    By Fisher's scoring from the moments' estimate on. Source: Viechtbauer 2005, section 2."""
    tau2 = dersimonian_laird(y, v)
    known = np.isfinite(y) & np.isfinite(v)
    y, v = np.where(known, y, 0.0), np.where(known, v, np.inf)
    moving = np.flatnonzero(known.sum(axis=1) > 1)
    for _ in range(_ROUNDS):
        if not len(moving):
            break
        w = 1 / (v[moving] + tau2[moving, None])
        total = w.sum(axis=1)
        mean = (w * y[moving]).sum(axis=1) / total
        powers = [(w**power).sum(axis=1) / total for power in (2, 3)]
        score = np.square(w * (y[moving] - mean[:, None])).sum(axis=1) - (total - powers[0])
        information = powers[0] * total - 2 * powers[1] + powers[0] ** 2
        changed = np.maximum(tau2[moving] + score / information, 0.0)
        is_far = np.abs(changed - tau2[moving]) > _CLOSE * (changed + 1 / total)
        tau2[moving] = changed
        moving = moving[is_far]
    return tau2
