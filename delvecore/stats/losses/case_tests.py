"""Tests of methods with one run on the same test cases, such as language models on the same questions.

The cases vary, or groups of dependent cases: passages with several questions, or subjects with several
measurements. A test over cases or groups compares these models on such cases. One run has no information
about other training runs. Losses are subtracted case by case.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri, stdtrit

from delvecore.stats.array_types import Floats, Whole
from delvecore.stats.classification.mcnemar import mcnemar
from delvecore.stats.losses.anova import MeanSquares, PairSquares
from delvecore.stats.ranking.sign_flips import MOST_EXACT, all_signs

POWER = 0.8
_STEPS, _CLOSE = 60, 1e-10
_PAIRS_AT_ONCE = 256


def units_of_cases(losses: Floats, groups: tuple[int, ...]) -> tuple[Floats, Whole]:
    """Return sums over groups of cases, and the number of cases of each.

    losses: shape (methods, cases); groups: number of the group of each case, from 0; empty without groups."""
    if not groups:
        return losses, np.ones(losses.shape[1], dtype=np.int64)
    order, numbers = np.argsort(groups, kind="stable"), np.sort(groups)
    starts = np.flatnonzero(np.diff(numbers, prepend=-1))
    sums: Floats = np.add.reduceat(losses[:, order], starts, axis=1)
    return sums, np.diff(starts, append=len(numbers))


def case_errors(sums: Floats, sizes: Whole) -> Floats:
    """Return standard errors of means over cases, from sums over groups of dependent cases.

    NaN with one group. For groups of one case each, it is the standard deviation divided by the root of the
    number of cases.
    """
    count, cases = len(sizes), sizes.sum()
    if count < 2:
        return np.full(len(sums), np.nan)
    with np.errstate(invalid="ignore", over="ignore"):
        about = sums - sums.sum(axis=1, keepdims=True) / cases * sizes
        errors: Floats = np.sqrt(count / (count - 1) * np.square(about).sum(axis=1)) / cases
    return errors


def case_p(sums: Floats, *, step: float = 0.0) -> Floats:
    """Two-sided p of paired differences over cases: do two methods have the same mean loss?

    If all differences have the same size, as for losses 0 or 1, the test is McNemar's exact test. Otherwise
    it uses all sign flips of up to 15 differences. More differences use the saddlepoint approximation, which
    is accurate to a few percent.

    Parameters
    ----------
    sums : array of shape (pairs, units)
        Differences by case, or their sums over groups of cases.
    step : float
        Common divisor of all differences, such as 0.5 for scores of 0, 0.5 and 1; 0 if there is none.

    Returns
    -------
    array of shape (pairs,)
        1 for a pair without differences; NaN if one is not finite.

    References
    ----------
    McNemar (1947); Fisher (1935); Robinson (1982), Saddlepoint approximations for permutation tests, JRSS B.

    Examples
    --------
    >>> case_p(np.array([[1.0, 1.0, 1.0, 1.0, 1.0, -1.0, 0.0]])).round(5).tolist()  # 2 (1 + 6) / 64
    [0.21875]
    """
    p = np.full(len(sums), np.nan)
    sizes = np.abs(sums)
    largest = sizes.max(axis=1, initial=0.0)
    noise = 1e-9 * largest[:, None]
    there = sizes > noise
    of_one_size = (~there | (np.abs(sizes - largest[:, None]) <= noise)).all(axis=1)
    many, finite = [], np.isfinite(largest)
    alike = np.flatnonzero(finite & of_one_size)
    signs = np.stack([((side * sums[alike]) > noise[alike]).sum(axis=1) for side in (1, -1)], axis=1)
    counts, place = np.unique(signs, axis=0, return_inverse=True)
    p[alike] = np.array([mcnemar(*one)[0] for one in counts.tolist()])[place.ravel()]
    for pair in np.flatnonzero(finite & ~of_one_size).tolist():
        row = sums[pair][there[pair]]
        if len(row) <= MOST_EXACT:
            reached = abs(row.sum()) * (1 - 1e-9)
            p[pair] = np.mean(np.abs(all_signs(len(row)) @ row) >= reached)
        else:
            many.append(pair)
    for start in range(0, len(many), _PAIRS_AT_ONCE):
        rows = many[start : start + _PAIRS_AT_ONCE]
        p[rows] = _saddlepoint_p(sums[rows], step)
    return p


def smallest_case_p(units: int) -> float:
    """Return the smallest possible `case_p` of a number of cases or groups of cases, which occurs if all
    differences have the same sign.
    """
    return float(2.0 ** (1 - max(units, 1)))


def _saddlepoint_p(sums: Floats, step: float) -> Floats:
    """Lugannani and Rice's tail of the sum of differences with random signs, with the cumulant function log
    cosh. Newton's method reaches the saddlepoint from below, because the slope decreases."""
    sizes = np.abs(sums)
    squares = np.square(sizes).sum(axis=1)
    reached = np.abs(sums.sum(axis=1)) - step  # half the distance of adjacent sums
    whole = sizes.sum(axis=1)
    alone = reached + step >= whole * (1 - 1e-12)  # All signs are the same.
    wanted = np.clip(reached, 0.0, whole * (1 - 1e-9))
    at = wanted / squares
    for _ in range(_STEPS):
        slopes = np.tanh(at[:, None] * sizes)
        curve = (np.square(sizes) * (1 - np.square(slopes))).sum(axis=1)
        move = (wanted - (sizes * slopes).sum(axis=1)) / np.maximum(curve, np.finfo(float).tiny)
        at = at + move
        if (np.abs(move) <= _CLOSE * (at + 1e-300)).all():
            break
    turns = at[:, None] * sizes
    logs = (np.logaddexp(turns, -turns) - np.log(2)).sum(axis=1)
    curve = np.square(sizes / np.cosh(np.minimum(turns, 300.0))).sum(axis=1)
    root = np.sqrt(np.maximum(2 * (at * wanted - logs), 0.0))
    scale = at * np.sqrt(curve)
    with np.errstate(divide="ignore", invalid="ignore"):
        density = np.exp(-(root**2) / 2) / np.sqrt(2 * np.pi)
        tail = ndtr(-root) + density * (1 / scale - 1 / root)
    near = root < 1e-3
    tail = np.where(near, ndtr(-wanted / np.sqrt(squares)), tail)
    p: Floats = np.clip(2 * tail, 0.0, 1.0)
    fewest = 2.0 ** (1 - np.count_nonzero(sizes, axis=1).astype(float))
    p = np.where(alone, fewest, np.maximum(p, fewest))
    return p


def pair_case_squares(losses: Floats, groups: tuple[int, ...]) -> tuple[PairSquares, int]:
    """Return means, errors and p of all pairs of methods, and the number of units.

    losses: shape (methods, cases). Errors are mean squares over cases. The t of the difference
    divided by its error has this p, so the interval of that t excludes zero if p is small. The error is the
    plain one if p is above one half, or if the plain error is larger."""
    first, second = np.triu_indices(len(losses), 1)
    sums, sizes = units_of_cases(losses, groups)
    units, step = len(sizes), _step_of(losses)
    columns = []
    for method in range(len(losses) - 1):
        with np.errstate(invalid="ignore"):
            differences = sums[method] - sums[method + 1 :]
        differences[np.abs(differences) < 1e-12 * np.abs(sums[method]).max(initial=0.0)] = 0.0
        columns.append((case_p(differences, step=step), case_errors(differences, sizes)))
    p, errors = (np.concatenate(parts) for parts in zip(*columns, strict=True))
    mean = losses.mean(axis=1)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        difference = mean[first] - mean[second]
        of_p = np.abs(difference) / -stdtrit(max(units - 1, 1), p / 2)
        errors = np.where(p < 0.5, np.fmax(errors, of_p), errors)
        training = np.square(errors) * units
    if units < 2:
        training, p = np.full(len(p), np.nan), np.full(len(p), np.nan)
    residual = np.where(np.isnan(training), np.nan, 0.0)
    squares = MeanSquares(difference, training, None, residual)
    same = np.concatenate([(losses[at] == losses[at + 1 :]).all(axis=1) for at in range(len(losses) - 1)])
    return PairSquares(first, second, mean[first], mean[second], squares, same, p=p), units


def _step_of(losses: Floats) -> float:
    """Return the common divisor of all differences of losses, or 0."""
    levels = np.unique(losses[np.isfinite(losses)])
    apart = np.diff(levels)
    apart = apart[apart > 1e-9]
    if not len(apart):
        return 0.0
    times = (levels - levels[0]) / apart.min()
    return float(apart.min()) if (np.abs(times - np.round(times)) < 1e-6).all() else 0.0


def cases_needed(difference: float, error: float, cases: int, *, level: float) -> int | None:
    """Number of test cases that detect a difference of this size with a power of 80 %.

    difference, error: of the mean over the present cases. None without a difference, or without an error.

    Examples
    --------
    >>> cases_needed(0.05, 0.025, 220, level=0.95)  # 220 ((1.96 + 0.84) / 2)^2
    432
    """
    if not difference or not error:
        return None
    reach = float(ndtri((1 + level) / 2) + ndtri(POWER))
    return max(int(np.ceil(cases * (reach * error / difference) ** 2)), 1)


@dataclass(frozen=True, slots=True)
class CaseDifferences:
    """The differences a minus b between the losses of two methods, case by case; a is better below zero.

    Attributes
    ----------
    difference, loss_a, loss_b : Floats
        One value per test case, in the order of the test sets; means over training sets for a common test
        set.
    instance : Whole
        Task instance of each value, -1 for a mean over all.
    position : Whole
        Position in the test set of the instance, from 0. Differences of two equal infinities are NaN.
    """

    difference: Floats
    loss_a: Floats
    loss_b: Floats
    instance: Whole
    position: Whole

    @property
    def deciding_order(self) -> Whole:
        """Indexes of the differences except NaN, by descending absolute value; ties keep their order."""
        order = np.argsort(-np.abs(self.difference), kind="stable")
        return order[~np.isnan(self.difference[order])]

    @property
    def different(self) -> int:
        """Number of test cases on which the methods differ. NaN counts as no difference."""
        return int(np.count_nonzero(np.nan_to_num(self.difference)))

    def share_of_largest(self, count: int) -> float | None:
        """Share of the `count` largest differences in the sum of absolute differences.

        None if the largest ones are ambiguous: the next one is as large, or all are zero. Differences that
        are not finite are omitted.
        """
        sizes = np.sort(np.abs(self.difference[np.isfinite(self.difference)]))[::-1]
        if not len(sizes) or sizes[0] == 0 or (count < len(sizes) and sizes[count - 1] == sizes[count]):
            return None
        return float(sizes[:count].sum() / sizes.sum())


def case_differences(losses_a: Floats, losses_b: Floats, *, design: str) -> CaseDifferences:
    """Return the differences of losses of shape (instances, test cases), the same cases in both.

    design: `hierarchical` (each instance has separate test cases) or `common` (differences are averaged over
    training sets). Raises ValueError if the shapes differ."""
    a, b = np.asarray(losses_a, dtype=float), np.asarray(losses_b, dtype=float)
    if a.shape != b.shape or a.ndim != 2:
        raise ValueError(f"losses of the same shape (instances, cases) are needed, got {a.shape}, {b.shape}")
    cases = a.shape[1]
    with np.errstate(invalid="ignore"):
        if design == "common":
            difference = (a - b).mean(axis=0)
            a, b = a.mean(axis=0), b.mean(axis=0)
            instance, position = np.full(cases, -1), np.arange(cases)
        else:
            difference = (a - b).ravel()
            a, b = a.ravel(), b.ravel()
            instance, position = np.divmod(np.arange(a.size), cases)
    return CaseDifferences(difference, a, b, instance, position)
