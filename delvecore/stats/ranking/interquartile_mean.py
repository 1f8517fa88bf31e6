"""Interquartile mean and probability of improvement, from single training sets."""

from collections.abc import Sequence

import numpy as np
from scipy.special import ndtri, stdtrit

from delvecore.stats.array_types import Floats
from delvecore.stats.interval import Interval
from delvecore.stats.ranking.ranks import without_noise

DRAWS = 2_000


def interquartile_mean(
    runs: Sequence[Floats],
    *,
    inflations: Sequence[float] | None = None,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> Interval[Floats]:
    """Interquartile mean of each method: mean of the middle half of all losses, with intervals for other
    training sets.

    runs: for each task the losses of its training sets, shape (training sets, methods), with at least two
    training sets. Every task has the same weight. inflations: inflation of each task, see `Design.inflation`;
    None if no training sets overlap. Intervals do not generalize to other tasks. They are percentiles of a
    bootstrap within each task, with the same draws for all methods. It draws one training set fewer than
    there are, divided by the inflation, so that variances of few training sets are not too small (Rao and Wu
    1988). The intervals are widened like Student's t, and NaN if nothing varies. Raises ValueError if a task
    would have no draws. Source: Agarwal and others 2021, section 4.3.

    Examples
    --------
    >>> interquartile_mean([np.array([[1.0, 2.0], [3, 4]]), np.array([[5.0, 5], [6, 4]])]).estimate.tolist()
    [4.0, 4.0]
    """
    sizes = _checked_sizes(runs, inflations)
    generator = np.random.default_rng(seed)
    weights = np.concatenate([np.full(len(task), 1 / len(task)) for task in runs])
    middle = _middle_means(np.concatenate(runs), weights[None])[0]
    counts = []  # The share of each training set of a task in each draw.
    for task, size in zip(runs, sizes, strict=True):
        taken = generator.integers(0, len(task), (draws, size)) + len(task) * np.arange(draws)[:, None]
        times = np.bincount(taken.ravel(), minlength=draws * len(task))
        counts.append(times.reshape(draws, len(task)) / size)
    drawn = _middle_means(np.concatenate(runs), np.concatenate(counts, axis=1))
    ends = [(1 - level) / 2, (1 + level) / 2]
    # About half of the training sets form the middle half; they set the degrees of freedom.
    free = max(sum(len(task) - 1 for task in runs) / 2, 1.0)
    wider = float(stdtrit(free, ends[1]) / ndtri(ends[1]))
    is_fixed = without_noise(drawn.min(axis=0)) == without_noise(drawn.max(axis=0))
    iqm = np.where(is_fixed, np.nan, middle + wider * (np.quantile(drawn, ends, axis=0) - middle))
    return Interval(middle, *iqm)


def probability_of_improvement(
    runs: Sequence[Floats], *, inflations: Sequence[float] | None = None, level: float = 0.95
) -> Interval[Floats]:
    """Probability of improvement of each pair: probability that a run of a is better than a run of b on a
    task.

    Mean over tasks, with ties as one half. runs, inflations, errors: as for `interquartile_mean`. Intervals
    are normal, with the binomial variance of each task after adding one win and one defeat (Agresti and Caffo
    2000). Percentiles would have no width if a method wins with all training sets. Source: Agarwal and others
    2021, section 4.2.

    Examples
    --------
    >>> runs = [np.array([[1.0, 2.0], [3, 4]]), np.array([[5.0, 5], [6, 4]])]
    >>> probability_of_improvement(runs).estimate.tolist()  # a wins 3 of 4 comparisons, then half of one
    [0.4375]
    """
    _checked_sizes(runs, inflations)
    pairs = np.triu_indices(runs[0].shape[1], 1)
    ends = ([task.T[pairs[0]][:, :, None], task.T[pairs[1]][:, None, :]] for task in runs)
    wins = np.array([((a < b) + (a == b) / 2).mean(axis=(1, 2)) for a, b in ends])
    sets = np.array(
        [[len(task) / more] for task, more in zip(runs, inflations or [1.0] * len(runs), strict=True)]
    )
    shares = (sets * wins + 1) / (sets + 2)
    reach = ndtri((1 + level) / 2) * np.sqrt((shares * (1 - shares) / sets).sum(axis=0)) / len(runs)
    estimate = wins.mean(axis=0)
    return Interval(estimate, np.maximum(estimate - reach, 0.0), np.minimum(estimate + reach, 1.0))


def _checked_sizes(runs: Sequence[Floats], inflations: Sequence[float] | None) -> list[int]:
    """Return the number of drawn training sets of each task."""
    sizes = drawn_sets([len(task) for task in runs], inflations)
    if min(sizes) < 1:
        raise ValueError(
            "expected two training sets or more on each task, got one, or too few overlapping ones"
        )
    return sizes


def drawn_sets(sizes: Sequence[int], inflations: Sequence[float] | None = None) -> list[int]:
    """Return the number of drawn training sets of each task, given its number of training sets.

    Tasks without information have no draws. The variance of a mean of m, S^2 (n - 1) / (n m), must equal S^2
    / n times the inflation.
    """
    return [int((n - 1) / more) for n, more in zip(sizes, inflations or [1.0] * len(sizes), strict=True)]


def _middle_means(values: Floats, weights: Floats) -> Floats:
    """Return the weighted means between the quartiles, shape (draws, methods).

    values: shape (runs, methods); weights: shape (draws, runs). A value at a quartile counts with the part of
    its weight that is between the quartiles.
    """
    means = np.empty((len(weights), values.shape[1]))
    for method, column in enumerate(values.T):
        order = np.argsort(column, kind="stable")
        ends = np.cumsum(weights[:, order], axis=1)
        total = ends[:, -1:]
        inside = np.diff(np.clip(ends, total / 4, 3 * total / 4), axis=1, prepend=total / 4)
        means[:, method] = inside @ column[order] / inside.sum(axis=1)
    return means
