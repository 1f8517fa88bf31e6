"""Bayesian hierarchical model: probability that a method is better on the next task, or practically
equivalent.

The Bayesian hierarchical model of Corani and others (2017), without sampling. Task i gives a mean difference
d_i with its standard error s_i and degrees of freedom n_i, which account for the overlap of training sets:

    (d_i - delta_i) / s_i ~ Student(n_i)      delta_i ~ Student(nu; delta_0, sigma_0)

The priors are flat on delta_0, and on sigma_0 up to ten times the spread of the d_i, and Gamma(2, 0.1) on nu.
The posterior of (delta_0, sigma_0, nu) is computed on a grid around its mass. A task contributes the density
of a sum of two Student variables, from a table over its location and the ratio of the scales.
"""

import functools
import math

import numpy as np
from scipy.special import gammaln, stdtr

from delvecore.stats.array_types import Floats, Mask, Whole
from delvecore.stats.interval import Interval
from delvecore.stats.ranking.bayesian_sign import PairPosterior

DEFAULT_REGION = 0.01
"""Default region of standardized losses: 1 % of the loss of predicting the mean."""
LEAST_TASKS = 3
_NU = np.array([0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0])
_NU_LOG_PRIOR = np.log(_NU**2) - 0.1 * _NU
"""Weights of Gamma(2, 0.1). The values are evenly spaced on a logarithmic scale, which adds a factor nu."""
_TASK_DF = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 9.0, 15.0, 31.0, 1000.0])
_LOOKS, _LAST_LOOK = ((21, 12), (21, 14)), (41, 28)
"""Number of values of delta_0 and sigma_0: wide grids locate the mass, and the last grid is summed."""
_NEGLIGIBLE = 1e-7
_NODES = np.linspace(-7, 7, 61)
_Z, _R = np.linspace(0, math.asinh(1e4), 241), np.linspace(0, math.log(1e4), 49)


TaskPairs = tuple[Floats, Floats, Floats]
"""Differences a minus b of standardized losses, errors and degrees of freedom of all pairs on all units,
shape (pairs, units). Student's t with these errors gives the interval of the task's own test. NaN without a
test.
"""


def tasks_with_errors(differences: Floats, errors: Floats) -> Mask:
    """Return the tasks of each pair that have a difference and an error, shape (pairs, tasks)."""
    return np.asarray(np.isfinite(differences) & (errors > 0))


def hierarchical_pairs(
    differences: Floats, errors: Floats, df: Floats, *, region: float = DEFAULT_REGION, level: float = 0.95
) -> tuple[PairPosterior, PairPosterior, Interval[Floats]]:
    """Bayesian hierarchical model of pairs over tasks, weighted by their precision.

    Parameters
    ----------
    differences, errors, df : arrays of shape (pairs, tasks)
        Standardized; NaN if a task has no error; such a task is omitted. df is rounded down to one of a few
        values.
    region : float
        Half the width of the region of practical equivalence.
    level : float
        Confidence of the intervals.

    Returns
    -------
    PairPosterior
        Probabilities that the next task's expected difference is below, in and above the region.
    PairPosterior
        Probabilities that each of the three is the most probable outcome on the next task; these decide.
    Interval
        Typical difference delta_0. All are NaN for a pair with fewer than `LEAST_TASKS` tasks.

    Raises
    ------
    ValueError
        For a negative region.

    References
    ----------
    Corani, Benavoli, Demsar, Mangili and Zaffalon (2017), Machine Learning 106.

    Examples
    --------
    >>> errors, df = np.full((1, 4), 0.02), np.full((1, 4), 9.0)
    >>> hierarchical_pairs(np.array([[0.1, 0.2, 0.15, 0.12]]), errors, df)[0].b_better.round(2).tolist()
    [0.94]
    """
    if not region >= 0:
        raise ValueError(f"expected a region of at least 0, got {region:g}")
    rows = np.full((len(differences), 9), np.nan)
    parts = zip(rows, differences, errors, df, tasks_with_errors(differences, errors), strict=True)
    for row, *of_tasks, known in parts:
        if known.sum() >= LEAST_TASKS:
            row[:] = _compare(*(part[known] for part in of_tasks), region=region, level=level)
    columns = rows.T
    next_task, decided = (
        PairPosterior(test, region, *shares)
        for test, shares in (("hierarchical", columns[:3]), ("most likely", columns[3:6]))
    )
    return next_task, decided, Interval(*columns[6:])


def _compare(d: Floats, s: Floats, df: Floats, *, region: float, level: float) -> Floats:
    """Return the three probabilities, the probabilities of being most probable, and delta_0 with its
    interval."""
    places, spreads, weights = _posterior(d, s, df)
    scaled = (np.array([-region, region])[:, None, None, None] - places) / spreads[:, None]
    below, within = stdtr(_NU[:, None, None], scaled)
    shares = np.array([below, within - below, 1 - within])
    first = shares == shares.max(axis=0)
    decided = (weights * first / first.sum(axis=0)).sum(axis=(1, 2, 3))
    of_place = weights.sum(axis=(0, 1))
    ends = np.interp([(1 - level) / 2, (1 + level) / 2], of_place.cumsum() - of_place / 2, places)
    return np.array([*(weights * shares).sum(axis=(1, 2, 3)), *decided, of_place @ places, *ends])


def _posterior(d: Floats, s: Floats, df: Floats) -> tuple[Floats, Floats, Floats]:
    """Return (values of delta_0, of sigma_0, weights of shape (nu, sigma_0, delta_0)) around the mass."""
    outer = max(float(d.std(ddof=1)), float(np.median(s)))
    middle, widest = float(np.median(d)), 10 * outer
    low, high, least, most = middle - 5 * outer, middle + 5 * outer, 0.0, widest
    for look in _LOOKS:
        places, spreads = _grid((low, high), (least, most), look)
        weights = _weights((d, s, df), places, spreads)
        low, high = _support(places, weights.sum(axis=(0, 1)))
        least, most = _support(spreads, weights.sum(axis=(0, 2)))
        least = 0.0 if least == spreads[0] else least
        most = widest if most == spreads[-1] else most
    places, spreads = _grid((low, high), (least, most), _LAST_LOOK)
    return places, spreads, _weights((d, s, df), places, spreads)


def _grid(
    ends: tuple[float, float], spreads: tuple[float, float], counts: tuple[int, int]
) -> tuple[Floats, Floats]:
    """Return evenly spaced values of delta_0, and values of sigma_0 that are dense at the lower end, near
    zero.
    """
    share = np.square(np.arange(0.5, counts[1]) / counts[1])
    return np.linspace(*ends, counts[0]), spreads[0] + (spreads[1] - spreads[0]) * share


def _support(grid: Floats, weights: Floats) -> tuple[float, float]:
    """Return the range of values with relevant mass, plus one value on either side."""
    within = np.flatnonzero(weights > _NEGLIGIBLE * weights.max())
    return float(grid[max(within[0] - 1, 0)]), float(grid[min(within[-1] + 1, len(grid) - 1)])


def _weights(tasks: tuple[Floats, Floats, Floats], places: Floats, spreads: Floats) -> Floats:
    d, s, df = tasks
    log = np.zeros((len(_NU), len(spreads), len(places)))
    classes = np.searchsorted(_TASK_DF, df, side="right") - 1
    for number in np.unique(classes):
        mine = classes == number
        z, r = np.abs(d[mine, None] - places) / s[mine, None], spreads[:, None] / s[mine]
        log += _log_densities(z, r, float(_TASK_DF[number]))
    log += _NU_LOG_PRIOR[:, None, None] + np.log(np.gradient(spreads))[:, None]
    weights = np.exp(log - log.max())
    total: Floats = weights / weights.sum()
    return total


def _log_densities(z: Floats, r: Floats, df: float) -> Floats:
    """Return the sums over tasks of the log densities of Student(df) + r Student(nu) at z.

    z: shape (tasks, places); r: shape (spreads, tasks). Returns shape (nu, spreads, places)."""
    column, right = _between(np.log1p(r), _R)
    row, below = _between(np.arcsinh(z / (1 + r[:, :, None])), _Z)
    tables = np.stack([_log_table(df, float(nu)) for nu in _NU])
    kernel = -np.log1p(r).sum(axis=1)[None, :, None] * np.ones((len(_NU), 1, z.shape[1]))
    column, right = column[:, :, None], right[:, :, None]
    flat = row * len(_R) + column
    parts = ((1 - below) * (1 - right), (1 - below) * right, below * (1 - right), below * right)
    for table, sums in zip(tables.reshape(len(_NU), -1), kernel, strict=True):
        for step, part in zip((0, 1, len(_R), len(_R) + 1), parts, strict=True):
            sums += np.einsum("stp,stp->sp", table[flat + step], part)
    result: Floats = kernel
    return result


def _between(values: Floats, grid: Floats) -> tuple[Whole, Floats]:
    """Return (position of the grid value below, fraction of the way to the next one)."""
    scaled = np.minimum(values * ((len(grid) - 1) / grid[-1]), len(grid) - 1.000001)
    place = scaled.astype(np.int64)
    return place, scaled - place


@functools.cache
def _log_table(df: float, nu: float) -> Floats:
    """Return the log densities of Student(df) + r Student(nu) at z = (1 + r) sinh(place), times 1 + r.

    Shape (places, ratios). The product of both densities is summed at nodes around the center of each
    density, weighted by the spacing of the nodes.
    """
    r = np.maximum(np.expm1(_R), 1e-9)
    z = np.sinh(_Z)[:, None] * (1 + r)
    total = np.zeros(z.shape)
    for node, step in zip(np.sinh(_NODES), np.cosh(_NODES) * (_NODES[1] - _NODES[0]), strict=True):
        turned = z - r * node
        for y, width, far in ((node, 1.0, r**2 + (z - node) ** 2), (turned, r, 1 + turned**2)):
            # Squared distances of the nodes: `near` from this center, `far` from the other one.
            near = np.square(width) * (1 + node * node)
            share = 1 / (1 + np.square(near / far))
            total += share * step * width * _student(y, df) * _student((z - y) / r, nu) / r
    total[:, 0] = _student(z[:, 0], df)
    table: Floats = np.log(np.maximum(total * (1 + r), 1e-300))
    return table


def _student(x: float | Floats, df: float) -> Floats:
    scale = gammaln((df + 1) / 2) - gammaln(df / 2) - math.log(df * math.pi) / 2
    density: Floats = np.exp(scale - (df + 1) / 2 * np.log1p(np.square(x) / df))
    return density
