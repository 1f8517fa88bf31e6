"""Meta-analysis over tasks of DELVE's own comparisons, each with its training sets and test cases.

A table of scores has one number per task; here each task has its own test.

Random effects: every unit has an estimate y with a variance v, and its own true difference:
y = mu + u + e, u with the variance tau^2, e with v. Rows of matrices are pairs, columns units. Units have
equal weights. Weights from estimated variances would find differences that do not exist.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy.special import chdtrc, ndtr, ndtri, stdtr, stdtrit

from delvecore.number_format.columns import name_codes, path_codes
from delvecore.stats.choose import DEFAULT_SETTING, RELIABLE_INSTANCES, SIGNIFICANT, Setting, is_significant
from delvecore.stats.p_adjustment import adjust
from delvecore.stats.verdicts import bounds_by_verdict, interval_significance, verdicts
from delvecore.tables import values_in

_LEAST_P = 1e-300


@dataclass(frozen=True, eq=False)
class RandomEffects:
    """Arrays with one entry per pair; NaN with too few units.

    Attributes
    ----------
    units : array
        Number of units with an estimate and a variance.
    mean : array
        Estimate of mu.
    lower, upper : array
        Interval of mu, with at least two units.
    p : array
        p of mu = 0, which agrees with the interval.
    tau : array
        Standard deviation of u.
    next_lower, next_upper : array
        Prediction interval for the difference of a new unit, with at least two units.
    """

    units: np.ndarray
    mean: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    p: np.ndarray
    tau: np.ndarray
    next_lower: np.ndarray
    next_upper: np.ndarray


def random_effects(y: np.ndarray, v: np.ndarray, *, level: float) -> RandomEffects:
    """Random-effects mean of the units of each pair, all of equal weight.

    Interval and p are Student's, with units - 1 degrees of freedom. tau^2 is the excess of the variance of y
    over the mean of v, at least zero. The prediction interval is Student's for a new estimate. A true
    difference varies less, so the interval covers it at least as often.

    Parameters
    ----------
    y, v : arrays of shape (pairs, units)
        Estimates and their variances; NaN if missing.
    level : float
        Confidence of the intervals.

    Returns
    -------
    RandomEffects
        One entry per pair; no intervals or p if all estimates are equal.

    Examples
    --------
    >>> result = random_effects(np.array([[1.0, 2.0, 3.0]]), np.full((1, 3), 0.19), level=0.95)
    >>> result.mean.tolist(), result.tau.tolist()
    ([2.0], [0.9])
    """
    known = np.isfinite(y) & np.isfinite(v)
    count = known.sum(axis=1)
    df = np.maximum(count - 1, 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(known, y, 0.0).sum(axis=1) / count
        squares = np.where(known, np.square(y - mean[:, None]), 0.0).sum(axis=1)
        variance = np.where(count > 1, squares / df, np.nan)
        tau = np.sqrt(np.maximum(variance - np.where(known, v, 0.0).sum(axis=1) / count, 0.0))
        deviation = np.where(variance > 0, np.sqrt(variance), np.nan)
        error = deviation / np.sqrt(count)
        p = np.minimum(2 * stdtr(df, -np.abs(mean / error)), 1.0)
        quantile = stdtrit(df, (1 + level) / 2)
        reach, further = quantile * error, quantile * deviation * np.sqrt(1 + 1 / count)
    ends = {"lower": mean - reach, "upper": mean + reach}
    ends |= {"next_lower": mean - further, "next_upper": mean + further}
    return RandomEffects(count, mean, p=p, tau=tau, **ends)


COUNTS = ("tasks", "untested", "wins", "ties", "losses", "wins_over_tasks", "losses_over_tasks")
_NUMBERS = (
    *("expected", "p_adjusted", "stouffer", "p_stouffer", "p_holm", "weighted", "p_weighted"),
    *("fisher", "p_fisher"),
)
COMBINED = pa.schema(
    [
        *((name, pa.string()) for name in ("method_a", "method_b")),
        *((name, pa.int64()) for name in COUNTS),
        *((name, pa.float64()) for name in _NUMBERS),
        *((one.name, pa.int64() if one.name == "units" else pa.float64()) for one in fields(RandomEffects)),
    ]
)
"""Schema of pairs of methods with the tests of single tasks, combined over tasks."""


def combine_comparisons(
    comparisons: pa.Table, *, units: Mapping[str, str] | None = None, setting: Setting = DEFAULT_SETTING
) -> pa.Table:
    """Meta-analysis of DELVE's comparisons over tasks: wins, random-effects mean, Stouffer, Fisher.

    comparisons: rows of `tables.COMPARISONS` for one loss. units: {full path of a task: unit}; None: each
    task is a unit. setting: setting for intervals and p over all units. Equal losses are a tie with p = 1.
    Raises ValueError for rows of several losses. Source: Stouffer and others 1949; Fisher 1932; DELVE manual,
    section 8.

    Schema `COMBINED`, one row per pair, in alphabetical order; NaN marks a missing number.

    - tasks, untested: numbers of tasks with and without a test, for example with a single training set.
    - wins, ties, losses: numbers of tasks where a is better, not different, and worse.
    - wins_over_tasks, losses_over_tasks: the same after a further adjustment of p, by Benjamini and Hochberg,
      over the tasks of the pair.
    - expected: approximate number of tasks significant by chance if a and b are equally good.
    - p_adjusted: p of the mean, adjusted over all pairs, with simultaneous intervals.
    - stouffer: sum of the tasks' z divided by the root of their number, positive if a is better. weighted:
      the same with weights 1 / standard error of each standardized difference. p_stouffer, p_weighted:
      two-sided p. p_holm: p_stouffer adjusted over all pairs. These methods treat tasks as independent and
      their p as exact. They are NaN if a unit has several tasks, or a task has fewer than four training sets.
    - fisher: Fisher's statistic, -2 times the sum of the logs of p. p_fisher: p of the hypothesis that a and
      b differ on no task, in either direction.
    - The fields of `RandomEffects`, of the standardized differences a minus b over units, negative if a is
      better.
    """
    losses = values_in(comparisons, "loss")
    if len(losses) > 1:
        raise ValueError(f"expected comparisons under one loss, got {', '.join(sorted(losses))}")
    names_a, names_b, pair, flipped = _pairs(comparisons)
    sign = np.where(flipped, -1.0, 1.0)
    difference, p = _numbers(comparisons, "difference") * sign, _numbers(comparisons, "p")
    p[difference == 0] = 1.0  # Pairs without a difference have no test.
    tested = np.isfinite(_numbers(comparisons, "p_adjusted")) | (difference == 0)
    differ = pa.array(SIGNIFICANT, pa.string())
    decided = pc.is_in(comparisons["verdict"], value_set=differ).to_numpy()
    outcomes = {"tasks": tested, "untested": ~tested, "wins": decided & (difference < 0)}
    outcomes |= {"ties": tested & ~decided, "losses": decided & (difference > 0)}
    over_tasks = _significant_over_tasks(comparisons, pair, len(names_a), tested, setting)
    outcomes |= {"wins_over_tasks": over_tasks & (difference < 0)}
    outcomes |= {"losses_over_tasks": over_tasks & (difference > 0)}
    paths, places = path_codes(comparisons)
    names = np.array([units[path] if units else path for path in paths], dtype=str)
    unit, scaled = (
        np.unique(names, return_inverse=True)[1][places],
        _numbers(comparisons, "standardized_difference") * sign,
    )
    errors = np.where(difference == 0, 0.0, _numbers(comparisons, "standardized_error"))
    known = np.isfinite(p) & np.isfinite(scaled) & np.isfinite(errors)
    shape = (len(names_a), int(unit.max(initial=-1)) + 1)
    # Tasks of a unit share cases: their errors are averaged as if they were fully dependent.
    y, of_units = (_unit_means(one[known], pair[known], unit[known], shape) for one in (scaled, errors))
    effects = random_effects(y, np.square(of_units), level=setting.level)
    p_adjusted = adjust(effects.p, method=setting.adjust, untested=True)
    # Intervals of the means are simultaneous for all pairs, and exclude zero if p_adjusted is significant.
    alpha = interval_significance(p_adjusted, method=setting.adjust, alpha=setting.alpha)
    df = np.maximum(effects.units - 1, 1)
    wider = stdtrit(df, 1 - alpha / 2) / stdtrit(df, 1 - setting.alpha / 2)
    lower, upper = (effects.mean + wider * (end - effects.mean) for end in (effects.lower, effects.upper))
    decisions = verdicts(effects.mean, p_adjusted, level=setting.level)
    lower, upper = bounds_by_verdict(lower, upper, decisions)
    columns: dict[str, np.ndarray] = {
        name: np.bincount(pair[where], minlength=len(names_a)) for name, where in outcomes.items()
    }
    columns["expected"] = setting.alpha * np.bincount(pair[tested], minlength=len(names_a))
    columns |= {"p_adjusted": p_adjusted}
    columns |= _sums(comparisons, pair, unit, difference, p, pairs=len(names_a))
    columns |= {one.name: getattr(effects, one.name) for one in fields(effects)}
    columns |= {"lower": lower, "upper": upper}
    return pa.table({"method_a": names_a, "method_b": names_b} | columns, schema=COMBINED)


def _significant_over_tasks(
    comparisons: pa.Table, pair: np.ndarray, pairs: int, tested: np.ndarray, setting: Setting
) -> np.ndarray:
    """Return the comparisons that are significant after adjustment over the tasks of each pair.

    Source: Benjamini and Hochberg 1995: the expected share of false positives among them is at most alpha."""
    p, is_different = _numbers(comparisons, "p_adjusted"), np.zeros(len(pair), dtype=bool)
    for rows in np.split(np.argsort(pair, kind="stable"), np.cumsum(np.bincount(pair, minlength=pairs))[:-1]):
        tested_rows = rows[tested[rows]]
        adjusted = adjust(np.nan_to_num(p[tested_rows], nan=1.0), method="benjamini-hochberg")
        is_different[tested_rows] = is_significant(adjusted, setting.alpha)
    return is_different


def _unit_means(values: np.ndarray, pair: np.ndarray, unit: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """Return the means of values by pair (rows) and unit (columns), both given by number."""
    place, size = np.ravel_multi_index((pair, unit), shape), shape[0] * shape[1]
    with np.errstate(invalid="ignore", divide="ignore"):
        sums = np.bincount(place, weights=values, minlength=size)
        return (sums / np.bincount(place, minlength=size)).reshape(shape)


def _sums(
    comparisons: pa.Table,
    pair: np.ndarray,
    unit: np.ndarray,
    difference: np.ndarray,
    p: np.ndarray,
    *,
    pairs: int,
) -> dict[str, np.ndarray]:
    """Return the columns of `COMBINED` from `stouffer` to `p_fisher`."""

    def sums(values: np.ndarray) -> np.ndarray:
        return np.bincount(pair, weights=np.asarray(values, dtype=float), minlength=pairs)

    tested, error = np.isfinite(p), _numbers(comparisons, "standardized_error")
    tasks = sums(tested)
    z = np.where(tested, np.sign(-difference) * -ndtri(np.maximum(p, _LEAST_P) / 2), 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        weights = np.where(tested & (error > 0), 1 / error, 0.0)
        stouffer = sums(z) / np.sqrt(tasks)
        weighted = sums(weights * z) / np.sqrt(sums(weights**2))
    fisher = -2 * sums(np.log(np.maximum(np.where(tested, p, 1.0), _LEAST_P)))
    p_fisher = np.where(tasks > 0, chdtrc(2 * np.maximum(tasks, 1), np.maximum(fisher, 0.0)), 1.0)
    p_stouffer = _two_sided(stouffer)
    statistics = {"stouffer": stouffer, "p_stouffer": p_stouffer, "p_holm": adjust(p_stouffer)}
    statistics |= {"weighted": weighted, "p_weighted": _two_sided(weighted)}
    statistics |= {"fisher": fisher, "p_fisher": p_fisher}
    few = sums(tested & (_numbers(comparisons, "instances") < RELIABLE_INSTANCES)) > 0
    seen = np.unique(np.stack([pair, unit])[:, tested], axis=1)[0]
    related = np.bincount(seen, minlength=pairs) < tasks
    return {name: np.where(few | related, np.nan, one) for name, one in statistics.items()}


def _pairs(comparisons: pa.Table) -> tuple[tuple[str, ...], tuple[str, ...], np.ndarray, np.ndarray]:
    """Return (names of a, names of b, number of each row's pair, whether the row has them reversed)."""
    rows = comparisons.num_rows
    ends = pa.chunked_array([*comparisons["method_a"].chunks, *comparisons["method_b"].chunks], pa.string())
    names, codes = name_codes(ends)
    first, second = codes[:rows], codes[rows:]
    key = np.minimum(first, second) * len(names) + np.maximum(first, second)
    used, pair = np.unique(key, return_inverse=True)
    lower, upper = np.divmod(used, max(len(names), 1))
    named = np.array(names, dtype=object)
    return tuple(named[lower].tolist()), tuple(named[upper].tolist()), pair, first > second


def _two_sided(z: np.ndarray) -> np.ndarray:
    return np.where(np.isnan(z), 1.0, 2 * ndtr(-np.abs(z)))


def _numbers(table: pa.Table, name: str) -> np.ndarray:
    numbers: np.ndarray = table[name].to_numpy(zero_copy_only=False).astype(float).copy()
    return numbers
