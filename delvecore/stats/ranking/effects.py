"""Effect sizes of all pairs of methods with intervals, and tests of equivalence.

Mean and median differences, win rate, Vargha and Delaney's A, Hedges' g, rank-biserial correlation, Cliff's
delta; two one-sided tests (TOST) of equivalence. Effect sizes are of the original values, a minus b. Their
intervals have the confidence of the scan; they are not adjusted for the number of pairs. Source: Vargha and
Delaney 2000; Hedges 1981; Cumming and Finch 2001; Kerby 2014; Cliff 1993."""

import math

import numpy as np
from scipy.special import nctdtrinc, ndtri, stdtr, stdtrit

from delvecore.stats.array_types import Floats
from delvecore.stats.choose import DEFAULT_MARGIN as DEFAULT_MARGIN
from delvecore.stats.interval import Interval
from delvecore.stats.ranking.ranks import without_noise
from delvecore.stats.ranking.wilcoxon import PairScan

_CELLS_AT_ONCE = 1 << 18


def mean_difference(scan: PairScan) -> Interval[Floats]:
    """Mean difference with Student's interval; no ends if differences do not vary.

    Examples
    --------
    >>> from delvecore.stats.ranking.score_table import ScoreTable
    >>> from delvecore.stats.ranking.wilcoxon import scan_pairs
    >>> table = ScoreTable(tuple("tuvw"), ("a", "b"), np.array([[1.0, 0], [2, 0], [3, 0], [-4, 0]]))
    >>> mean_difference(scan_pairs(table)).estimate.tolist()
    [0.5]
    """
    tasks = scan.tasks
    with np.errstate(invalid="ignore"):
        reach = stdtrit(max(tasks - 1, 1), (1 + scan.level) / 2) * scan.deviation / math.sqrt(tasks)
    reach = np.where(scan.constant, np.nan, reach)
    return Interval(scan.mean, scan.mean - reach, scan.mean + reach)


def median_difference(scan: PairScan) -> Interval[Floats]:
    """Median difference with the interval of the sign test.

    The ends are infinite with too few tasks, and NaN if differences do not vary.
    """
    ends = (np.where(scan.constant, np.nan, end) for end in scan.median_ends)
    return Interval(scan.median, *ends)


def win_rate(scan: PairScan) -> Interval[Floats]:
    """Share of tasks where a is better, counting a tie as one half, with Wilson's interval.

    Examples
    --------
    >>> from delvecore.stats.ranking.score_table import ScoreTable
    >>> from delvecore.stats.ranking.wilcoxon import scan_pairs
    >>> table = ScoreTable(tuple("tuvw"), ("a", "b"), np.array([[1.0, 0], [2, 0], [3, 0], [-4, 0]]))
    >>> win_rate(scan_pairs(table)).estimate.tolist()  # of losses
    [0.25]
    """
    a_better, _, b_better = scan.wins
    rate = (1 + (a_better - b_better) / scan.tasks) / 2
    return Interval(rate, *wilson_interval(rate, scan.tasks, level=scan.level))


def superiority(scan: PairScan) -> Interval[Floats]:
    """Vargha and Delaney's A: probability that a on one task is better than b on another, ties as one
    half.

    A makes sense only if values have the same meaning on all tasks. The variance treats the tasks as a
    sample, and the two values of a task as dependent. Wilson's interval uses the number of independent
    tasks with the same variance. It covers values of two different tasks. Source: Vargha and Delaney
    2000; for the variance DeLong and others 1988.
    """
    rate = win_rate(scan).estimate
    table, tasks = scan.table, scan.tasks
    values = without_noise(table.oriented).T
    # Sums, and sums of squares, of the difference of two counts, doubled to be whole numbers.
    total, squares = np.zeros((2, len(scan.first)))
    for method in np.unique(scan.first).tolist():
        pairs = np.flatnonzero(scan.first == method)
        for some in np.array_split(pairs, len(pairs) * tasks // _CELLS_AT_ONCE + 1):
            differences = _doubled_counts(values[method], values[scan.second[some]])
            total[some] = differences.sum(axis=1)
            squares[some] = np.einsum("ij,ij->i", differences, differences)
    estimate = 0.5 + total / (4 * tasks * tasks)
    mean = total / tasks
    # Exclude pairs within one task: they are not independent and would make nearly equal methods differ.
    apart = (tasks * estimate - rate) / max(tasks - 1, 1)
    share = apart * (1 - apart)
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = (squares - tasks * mean * mean) / np.float64(tasks - 1) / (4 * tasks * tasks) / tasks
        effective = np.where((variance > 0) & (share > 0), share / variance, tasks)
    half = (1 + scan.level) / 2
    effective *= (ndtri(half) / stdtrit(max(tasks - 1, 1), half)) ** 2
    lower, upper = wilson_interval(apart, effective, level=scan.level)
    return Interval(estimate, np.minimum(lower, estimate), np.maximum(upper, estimate))


def standardized_difference(scan: PairScan) -> Interval[Floats]:
    """Mean difference divided by its standard deviation, with the interval of the noncentral t.

    Hedges' approximation J = 1 - 3 / (4 df - 1) corrects the estimate for few units, but not the
    interval. Hedges' exact J is gamma(df / 2) / (sqrt(df / 2) gamma((df - 1) / 2)); the approximation is
    within 1.3 % if there are at least two degrees of freedom. NaN if differences do not vary, and with
    fewer than three units.
    """
    df = scan.tasks - 1
    with np.errstate(invalid="ignore", divide="ignore"):
        raw = np.where(scan.constant, np.nan, scan.mean / scan.deviation)
    few = 1 - 3 / (4 * df - 1) if df > 1 else np.nan
    shares, root = np.array([[(1 + scan.level) / 2], [(1 - scan.level) / 2]]), np.sqrt(scan.tasks)
    return Interval(few * raw, *np.where(df > 1, nctdtrinc(df, shares, raw * root) / root, np.nan))


def rank_biserial(scan: PairScan) -> Floats:
    """Difference of the rank sums of positive and negative differences, divided by their total.

    From -1 to 1, above 0 if values of a are larger. NaN if all differences are zero.

    Examples
    --------
    >>> from delvecore.stats.ranking.score_table import ScoreTable
    >>> from delvecore.stats.ranking.wilcoxon import scan_pairs
    >>> table = ScoreTable(tuple("tuvw"), ("a", "b"), np.array([[1.0, 0], [2, 0], [3, 0], [-4, 0]]))
    >>> rank_biserial(scan_pairs(table)).round(3).tolist()  # (1 + 2 + 3 - 4) / 10
    [0.2]
    """
    ranked = scan.differing
    with np.errstate(invalid="ignore", divide="ignore"):
        every = ranked + (scan.zero if scan.zeros == "pratt" else 0)
        total = (every * (every + 1) - (every - ranked) * (every - ranked + 1)) / 2
        return np.where(ranked > 0, 2 * scan.rank_sum / total - 1, np.nan)


def cliff_delta(scan: PairScan) -> Interval[Floats]:
    """Cliff's delta: among all pairs of values, the share in which a is larger minus the share in which b is
    larger."""
    wins = superiority(scan)
    estimate, *ends = (2 * share - 1 for share in (wins.estimate, wins.lower, wins.upper))
    if scan.table.higher_is_better:
        return Interval(estimate, *ends)
    return Interval(-estimate, -ends[1], -ends[0])


def wilson_interval(
    share: np.ndarray, count: float | np.ndarray, *, level: float = 0.95
) -> tuple[np.ndarray, np.ndarray]:
    """Wilson score interval of shares in independent trials: lower and upper ends. Wilson 1927.

    Examples
    --------
    >>> [float(end.round(4)) for end in wilson_interval(np.array(0.5), 10)]
    [0.2366, 0.7634]
    """
    z = float(-ndtri((1 - level) / 2))
    weight = z * z / np.asarray(count, dtype=float)
    middle = (share + weight / 2) / (1 + weight)
    reach = np.sqrt(weight * share * (1 - share) + weight * weight / 4) / (1 + weight)
    # Rounding must not exclude a share of exactly 0 or 1.
    return np.clip(middle - reach, 0.0, share), np.clip(middle + reach, share, 1.0)


def _doubled_counts(values: Floats, others: Floats) -> Floats:
    """For each task, return twice the number of `values` below its other value, minus twice the number of
    `others` below its value.

    Equal values count once. others: shape (methods, tasks).
    """
    tasks = len(values)
    order = np.argsort(values, kind="stable")
    ends = np.array([np.searchsorted(values[order], others, side) for side in ("left", "right")])
    # Cumulative counts of the insertion points give the number of `others` below each of `values`.
    rows = (tasks + 1) * np.arange(len(others))[:, None]
    passed = sum(np.bincount((rows + end).ravel(), minlength=rows.size * (tasks + 1)) for end in ends)
    below = np.cumsum(np.reshape(passed, (len(others), tasks + 1)), axis=1)[:, :-1]
    counts: Floats = ends.sum(axis=0).astype(float)
    counts[:, order] -= below
    return counts


def level_for_pairs(level: float, methods: int) -> float:
    """Return the confidence of a pair's interval for two one-sided tests, with Bonferroni's adjustment for
    all pairs.

    The methods are equivalent if the interval lies inside the margins.
    """
    return 1 - 2 * (1 - level) / max(methods * (methods - 1) // 2, 1)


def two_one_sided_tests(
    differences: Floats,
    errors: Floats,
    df: Floats,
    *,
    margin: float = DEFAULT_MARGIN,
    alpha: float = 0.05,
) -> tuple[Interval[Floats], Floats]:
    """Two one-sided tests (TOST) of equivalence: which pairs of methods differ by less than the margin?

    Parameters
    ----------
    differences, errors, df : arrays of shape (pairs,)
        Means of a minus b over training sets or over tasks, their standard errors, and degrees of freedom of
        Student's t. Pairs without an error, or with constant differences, have no test.
    margin : float
        Smallest relevant difference.
    alpha : float
        Significance.

    Returns
    -------
    Interval
        Interval of the differences, with twice the significance. It lies inside the margins if p is below
        alpha.
    array
        p of non-equivalence: the larger p of two hypotheses, that a is worse or better by at least the
        margin. p is not adjusted, and NaN without an error.

    Raises
    ------
    ValueError
        For a margin that is not positive.

    References
    ----------
    Schuirmann (1987); Wellek (2010), section 1.6.

    Examples
    --------
    >>> _, p = two_one_sided_tests(np.array([0.002]), np.array([0.004]), np.array([9.0]))
    >>> p.round(4).tolist()  # t = (0.002 - 0.01) / 0.004 = -2
    [0.0383]
    """
    if not margin > 0:
        raise ValueError(f"expected a margin above 0, got {margin:g}")
    known = errors > 0
    with np.errstate(invalid="ignore", divide="ignore"):
        above = np.where(known, stdtr(df, (differences - margin) / errors), np.nan)
        below = np.where(known, stdtr(df, -(differences + margin) / errors), np.nan)
        reach = np.where(known, stdtrit(df, 1 - alpha) * errors, np.nan)
    return Interval(differences, differences - reach, differences + reach), np.maximum(above, below)
