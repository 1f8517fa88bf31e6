"""Variance of losses between runs of a method on the same training set with different random numbers.

DELVE manual, sections 8.1 and 8.2, does not include this. Each of I training sets has R runs, and the losses
y_irj of its J test cases follow the manual's model, with a run's effect s_ir within the set's:

    y_irj = mean + a_i + s_ir + (the part of the case, as in equations 1 and 10) + e_irj

Instance number r I + i is run r on training set i, so the first I instances are the first runs. Means
over the runs enter the manual's analysis; its variance of a_i then includes 1 / R of the variance of s_ir."""

from collections.abc import Mapping

import numpy as np

from delvecore.stats.array_types import Floats
from delvecore.stats.losses.anova import f_upper_tail, mean_squares
from delvecore.stats.losses.mstats import Estimate


def over_runs(losses: Mapping[int, Floats], sets: int) -> dict[int, Floats]:
    """Return the mean over the available runs on each training set. sets: number of training sets.

    Runs with different numbers of losses are not averaged: the first run represents its set."""
    rows_by_set: dict[int, list[Floats]] = {}
    for instance in sorted(losses):
        rows = rows_by_set.setdefault(instance % sets, [])
        if not rows or len(rows[0]) == len(losses[instance]):
            rows.append(losses[instance])
    return {number: np.mean(rows, axis=0) for number, rows in sorted(rows_by_set.items())}


def stochastic_training(losses: Mapping[int, Floats], sets: int, *, design: str) -> Estimate | None:
    """Estimate the variances of training sets and of runs within them, by expected mean squares.

    Parameters
    ----------
    losses : mapping of int to array of shape (test cases,)
        By the number of the instance.
    sets : int
        Training sets, I.
    design : str
        `hierarchical` or `common` test sets.

    Returns
    -------
    Estimate or None
        Standard deviations from training sets alone and from runs within them, zero if the estimated variance
        is negative. The p is that of the F-test of the latter, None if nothing varies. None with fewer than
        two training sets, runs or test cases, for losses that are not finite, and if sets have different
        numbers of runs or test cases.

    References
    ----------
    Searle, Casella and McCulloch (1992), Variance Components, sections 3.3 and 4.3: for balanced data the
    estimates equal restricted maximum likelihood if none is negative. The mean squares of runs, and of runs
    times cases, within sets have E(MS_s) = J var(s) + var(e), E(MS_e) = var(e).

    Examples
    --------
    >>> losses = {0: [1, 3], 1: [6, 4], 2: [5, 5], 3: [8, 10]}
    >>> arrays = {number: np.array(row, float) for number, row in losses.items()}
    >>> result = stochastic_training(arrays, 2, design="hierarchical")
    >>> round(result.sd_stochastic**2, 2), round(result.sd_training**2, 2), round(result.p, 4)
    (5.0, 3.5, 0.1667)
    """
    runs = len(losses) // sets if sets > 1 else 0
    is_whole = sorted(losses) == list(range(runs * sets)) and len(set(map(len, losses.values()))) == 1
    if runs < 2 or not is_whole or len(losses[0]) < 2:
        return None
    stack = np.stack([losses[number] for number in range(runs * sets)]).reshape(runs, sets, -1)
    if not np.isfinite(stack).all():
        return None
    cases, by_run, by_case = stack.shape[2], stack.mean(axis=2, keepdims=True), stack.mean(axis=0)
    by_set = by_case.mean(axis=1, keepdims=True)
    df1 = sets * (runs - 1)
    df2 = df1 * (cases - 1)
    of_runs = cases * float(((by_run - by_set) ** 2).sum()) / df1
    rest = float(((stack - by_run - by_case + by_set) ** 2).sum()) / df2
    averaged = mean_squares(list(by_case), design=design)
    stochastic = (of_runs - rest) / cases
    training = (averaged.training - averaged.residual) / cases - stochastic / runs
    p = float(f_upper_tail(of_runs / rest, df1, df2)) if rest else None
    of_sets, within = (max(variance, 0.0) ** 0.5 for variance in (training, stochastic))
    return Estimate(sets, cases, averaged.mean, sd_training=of_sets, sd_stochastic=within, test="F", p=p)
