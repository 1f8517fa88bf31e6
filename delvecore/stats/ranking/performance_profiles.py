"""Profiles of methods over tasks: regret, interquartile mean, probability of improvement, strengths in duels.

Regret profiles say on which share of the tasks a method is near the best. The interquartile mean and the
probability of improvement go by single training sets. Strengths are those of Bradley and Terry. Mean ranks
and regret are also given within groups of tasks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri, stdtrit

from delvecore.stats.array_types import Floats, Mask, Whole
from delvecore.stats.ranking.effects import wilson_interval
from delvecore.stats.ranking.ranks import (
    DIGITS,
    LEAST_UNITS,
    TaskRanks,
    rank_intervals,
    stretch,
    task_ranks,
    unit_averages,
    unit_names,
    unit_ranks,
)
from delvecore.stats.ranking.score_table import ScoreTable

DRAWS = 2_000


@dataclass(frozen=True, eq=False)
class RegretProfile:
    """at: distances from the best, ascending, from 0. share, lower, upper: shape (methods, distances), of the
    units on which a method is within that distance. regrets: shape (units, methods). ratio: are distances
    ratios less 1, so that 0.1 is a loss of 1.1 times the lowest?"""

    ratio: bool
    level: float
    at: Floats
    share: Floats
    lower: Floats
    upper: Floats
    regrets: Floats


def regret_profile(
    losses: Floats, *, at: Sequence[float] | None = None, ratio: bool | None = None, level: float = 0.95
) -> RegretProfile:
    """Performance profile: on which share of the units is each method within x of the best one?

    Bands are pointwise. What drawing the units anew gives for a share is binomial, and Wilson's interval of
    it holds near 0 and 1, too.

    Parameters
    ----------
    losses : array of shape (units, methods)
        Complete, lower is better.
    at : sequence of floats, optional
        Distances; None: all at which a share changes.
    ratio : bool, optional
        Of the loss to the lowest, less 1, instead of the difference; needs losses above 0. None: where all
        are.
    level : float
        Confidence of the bands.

    Returns
    -------
    RegretProfile
        Shares with bands by method and distance, and the distances of all methods on all units.

    Raises
    ------
    ValueError
        For ratios of losses that are not positive.

    References
    ----------
    Dolan and More (2002), Mathematical Programming 91.

    Examples
    --------
    >>> regret_profile(np.array([[1.0, 1.1], [2.0, 2.0], [4.0, 3.0]]), at=(0, 0.2)).share.round(2).tolist()
    [[0.67, 0.67], [0.67, 1.0]]
    """
    lowest = losses.min(axis=1, keepdims=True)
    if ratio is None:
        ratio = bool((lowest > 0).all())
    elif ratio and not (lowest > 0).all():
        raise ValueError("expected losses above 0 for ratios to the lowest, got others; use differences")
    regrets = losses / lowest - 1 if ratio else losses - lowest
    # 0.3 - 0.1 is 0.2: noise in the last digits puts nobody off the best.
    scale = 1.0 if ratio else np.abs(losses).max(initial=0.0)
    regrets = np.where(regrets <= scale * 10.0 ** (1 - DIGITS), 0.0, regrets)
    where = np.unique(np.append(regrets, 0.0)) if at is None else np.asarray(at, dtype=float)
    share = (regrets[:, :, None] <= where).mean(axis=0)
    lower, upper = wilson_interval(share, len(losses), level=level)
    bands = {"share": share, "lower": lower, "upper": upper}
    return RegretProfile(ratio, level, where, **bands, regrets=regrets)


def is_best(losses: Floats) -> Mask:
    """Return on which units no other method loses less, shape (units, methods); noise in the last digits does
    not count. losses: complete, lower is better."""
    best: Mask = regret_profile(losses, at=(0.0,)).regrets == 0
    return best


@dataclass(frozen=True, eq=False)
class Aggregates:
    """iqm, iqm_lower, iqm_upper: one entry a method, mean of the middle half of all losses. first, second:
    places of pairs; improvement, improvement_lower, improvement_upper: how probably is a run of a better than
    one of b on the same task, mean over tasks, ties as one half."""

    level: float
    iqm: Floats
    iqm_lower: Floats
    iqm_upper: Floats
    first: Whole
    second: Whole
    improvement: Floats
    improvement_lower: Floats
    improvement_upper: Floats


def aggregates(
    runs: Sequence[Floats],
    *,
    inflations: Sequence[float] | None = None,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> Aggregates:
    """What would the middle half of the results, and who wins, be with other training sets of these tasks?

    runs: for each task the losses of its training sets, shape (training sets, methods), two training sets or
    more; every task counts alike, however many it has. inflations: of each task, see `Design.inflation`; None
    where no training sets overlap. Intervals are percentiles of a bootstrap that draws training sets within
    each task, the same for all methods, one less than there are, so that variances of few are not too small
    (Rao and Wu 1988), divided by the inflation, and are widened as Student's t is. They say nothing about
    other tasks. Raises ValueError for a task of which not one training set would be drawn. Source: Agarwal
    and others 2021, sections 4.2 and 4.3."""
    sizes = drawn_sets([len(task) for task in runs], inflations)
    if min(sizes) < 1:
        raise ValueError("expected two training sets or more on each task, got one, or too few that overlap")
    generator = np.random.default_rng(seed)
    pairs = np.triu_indices(runs[0].shape[1], 1)
    weights = np.concatenate([np.full(len(task), 1 / len(task)) for task in runs])
    middle = _middle_means(np.concatenate(runs), weights[None])[0]
    better = [_better(task, pairs) for task in runs]
    estimate = np.mean([one.mean(axis=(1, 2)) for one in better], axis=0)
    counts = [_drawn(generator, len(task), size, draws=draws) for task, size in zip(runs, sizes, strict=True)]
    drawn = _middle_means(np.concatenate(runs), np.concatenate(counts, axis=1))
    wins = np.zeros((draws, len(estimate)))
    for one, times in zip(better, counts, strict=True):
        wins += np.einsum("di,pij,dj->dp", times, one, times, optimize=True) / len(runs)
    ends = [(1 - level) / 2, (1 + level) / 2]
    # About half of the training sets make the middle half: as many degrees of freedom as they have.
    free = max(sum(len(task) - 1 for task in runs) / 2, 1.0)
    wider = float(stdtrit(free, ends[1]) / ndtri(ends[1]))
    iqm = middle + wider * (np.quantile(drawn, ends, axis=0) - middle)
    improvement = np.clip(estimate + wider * (np.quantile(wins, ends, axis=0) - estimate), 0.0, 1.0)
    ends_of_iqm, ends_of_wins = (iqm[0], iqm[1]), (improvement[0], improvement[1])
    return Aggregates(level, middle, *ends_of_iqm, *pairs, estimate, *ends_of_wins)


def drawn_sets(sizes: Sequence[int], inflations: Sequence[float] | None = None) -> list[int]:
    """How many training sets are drawn of each task that has so many? None of those from which nothing can be
    told. S^2 (n - 1) / (n m), the variance of a mean of m, is to be S^2 / n times the inflation."""
    return [int((n - 1) / more) for n, more in zip(sizes, inflations or [1.0] * len(sizes), strict=True)]


def _drawn(generator: np.random.Generator, size: int, count: int, *, draws: int) -> Floats:
    """Return the share that each of `size` training sets has in each draw of `count`, shape (draws, size)."""
    taken = generator.integers(0, size, (draws, count)) + size * np.arange(draws)[:, None]
    return np.bincount(taken.ravel(), minlength=draws * size).reshape(draws, size) / count


def _better(task: Floats, pairs: tuple[np.ndarray, np.ndarray]) -> Floats:
    """Return shape (pairs, runs of a, runs of b): 1 where a loses less, 1/2 where as much."""
    a, b = task.T[pairs[0]][:, :, None], task.T[pairs[1]][:, None, :]
    found: Floats = (a < b) + (a == b) / 2
    return found


def _middle_means(values: Floats, weights: Floats) -> Floats:
    """Return the weighted means between the quartiles, shape (draws, methods).

    values: shape (runs, methods); weights: shape (draws, runs). A value at a quartile counts with what of its
    weight lies inside."""
    found = np.empty((len(weights), values.shape[1]))
    for method, column in enumerate(values.T):
        order = np.argsort(column, kind="stable")
        ends = np.cumsum(weights[:, order], axis=1)
        total = ends[:, -1:]
        inside = np.diff(np.clip(ends, total / 4, 3 * total / 4), axis=1, prepend=total / 4)
        found[:, method] = inside @ column[order] / inside.sum(axis=1)
    return found


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


NEAR = (0.01, 0.1)
"""How much more than the best a method that is near it loses."""


@dataclass(frozen=True, eq=False)
class GroupRanks:
    """The methods on a group of tasks: arrays with an entry a method, in the order of the table.

    aspect, name: by what the tasks were grouped, and the group; tasks: their names; unit, units: what counts
    once, and how many there are; average, lower, upper: mean rank with its interval, of units; first: the
    share of units on which nothing is better; near: for each of `NEAR` the share on which a method is so near
    the best, see `regret_profile`; ratio: is that a part of the best loss, as where all are above 0, or a
    difference?"""

    aspect: str
    name: str
    tasks: tuple[str, ...]
    unit: str
    units: int
    methods: tuple[str, ...]
    average: Floats
    lower: Floats
    upper: Floats
    first: Floats
    near: tuple[Floats, ...]
    ratio: bool

    @property
    def has_intervals(self) -> bool:
        """Are there units enough for intervals?"""
        return self.units >= LEAST_UNITS

    @property
    def order(self) -> tuple[int, ...]:
        """Places of the methods, best mean rank first."""
        return tuple(np.argsort(self.average, kind="stable").tolist())

    def place(self, method: int) -> int:
        """Which place has a method there? 1 for the best mean rank, shared by those that tie."""
        return 1 + int((self.average < self.average[method]).sum())


def group_ranks(
    table: ScoreTable,
    groups: Mapping[str, Mapping[str, Sequence[str]]],
    *,
    unit: str,
    level: float = 0.95,
) -> tuple[GroupRanks, ...]:
    """How do the methods do within each group of tasks?

    table: without gaps; groups: {aspect: {name: tasks}}, of which those count that are in the table; unit:
    what counts once. Ranks within a task do not depend on the others, so nothing is ranked anew. Intervals
    are those of `rank_intervals`, not a number below three units."""
    ranks, units = task_ranks(table), np.array(unit_names(table, unit), dtype=object)
    ratio = bool((table.losses > 0).all())
    place, found = {task: row for row, task in enumerate(table.tasks)}, []
    for aspect, levels in groups.items():
        for name, tasks in levels.items():
            rows = [place[task] for task in tasks if task in place]
            if not rows:
                continue
            own = tuple(units[rows].tolist())
            counted = unit_ranks(_of_rows(ranks, rows), own)
            ends = rank_intervals(counted, level=level)
            losses = unit_averages(own, table.losses[rows])[1]
            shares = regret_profile(losses, at=(0.0, *NEAR), ratio=ratio, level=level).share
            names = tuple(table.tasks[row] for row in rows)
            found.append(
                GroupRanks(
                    aspect=aspect,
                    name=name,
                    tasks=names,
                    unit=unit,
                    units=len(counted.tasks),
                    methods=table.methods,
                    average=counted.average,
                    lower=ends.lower,
                    upper=ends.upper,
                    first=shares[:, 0],
                    near=tuple(shares[:, 1:].T),
                    ratio=ratio,
                )
            )
    return tuple(found)


def _of_rows(ranks: TaskRanks, rows: list[int]) -> TaskRanks:
    tasks = tuple(ranks.tasks[row] for row in rows)
    return TaskRanks(tasks, ranks.methods, ranks.ranks[rows], ranks.tie_terms[rows])


def resemblance(table: ScoreTable) -> Floats:
    """Return the correlations of the methods' ranks over the tasks, shape (methods, methods).

    Ranks, as losses go up and down with the tasks for all methods alike. Ranks of a task have a fixed sum, so
    that of k methods without anything in common a correlation is -1 / (k - 1). Not a number where a method's
    rank never changes. Raises ValueError for a table with gaps. Source: Spearman 1904, within tasks."""
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = np.corrcoef(task_ranks(table).ranks, rowvar=False)
    return np.atleast_2d(found)
