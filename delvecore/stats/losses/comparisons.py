"""Tests of the differences between all pairs of methods on a task, as arrays: manual sections 8.1 and 8.2."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from delvecore.stats import notes
from delvecore.stats.choose import FEWEST_COMMON_CASES
from delvecore.stats.kinds import Floats, Mask, Whole
from delvecore.stats.losses import anova, crossed
from delvecore.stats.losses.anova import MeanSquares
from delvecore.stats.losses.distributions import f_upper_tail
from delvecore.stats.losses.mean_squares import PairSquares

__all__ = [
    "CaseDifferences",
    "PairComparisons",
    "analyse_pairs",
    "case_differences",
    "chosen",
    "confidence_bounds",
    "joined",
    "remark_notes",
]

# What may be said of a comparison; bit k of `PairComparisons.remarks` stands for REMARKS[k].
REMARKS = (
    *(*notes.CLIPPED.values(), notes.IDENTICAL, notes.NOT_FINITE),
    *(notes.ONE_TRAINING_SET, notes.ONE_TEST_CASE, notes.TOO_LARGE, notes.ZERO_VARIANCE),
    notes.FEW_TEST_CASES,
)
_BIT = {note: 1 << k for k, note in enumerate(REMARKS)}


@dataclass(frozen=True, slots=True)
class PairComparisons:
    """The pairs first < second of methods as arrays: what `records.Comparison` holds for one pair.

    difference: mean loss of first less that of second; below zero first is better. Not a number: there is
    none, see `remark_notes(remarks)`. The statistic is the difference over the error of `reference`, from
    which p is; df1: degrees of freedom of the training sets; df2: of the test cases, not a number where every
    training set has its own. p_delve: as DELVE 1.1 has it, by its quasi-F test on a common test set, also
    where there are too few test cases for p."""

    first: Whole
    second: Whole
    mean_a: Floats
    mean_b: Floats
    difference: Floats
    standard_error: Floats
    sd_training: Floats
    sd_cases: Floats
    sd_residual: Floats
    statistic: Floats
    df1: Floats
    df2: Floats
    p: Floats
    p_delve: Floats
    remarks: Whole
    reference: crossed.Reference


def analyse_pairs(
    pairs: PairSquares,
    *,
    instances: float | Floats,
    test_cases: float | Floats,
    most_df: float | Floats = np.inf,
) -> PairComparisons:
    """Test the differences whose mean squares are given, exact to 1e-9; instances, test cases and the most
    degrees of freedom over disjoint test sets (see `Design.most_df`) may vary by pair. Source: DELVE manual,
    equations 3 to 9 and 12 to 21."""
    shape = {"instances": instances, "test_cases": test_cases}
    squares = pairs.squares
    finite = np.isfinite(np.array([s for s in squares if s is not None])).all(axis=0)
    spread = squares.training if squares.cases is None else squares.training + squares.cases
    with np.errstate(all="ignore"):
        found = anova.components(squares, **shape)
        tested = finite & (spread > 0)
        enough = tested & (squares.cases is None or np.greater_equal(test_cases, FEWEST_COMMON_CASES))
        reference = _reference(squares, enough, most_df, **shape)
        statistic = squares.mean / reference.error
        if squares.cases is None:
            p = p_delve = f_upper_tail(statistic**2, 1, reference.df)
        else:
            p, p_delve = crossed.two_sided(reference, squares.mean), _quasi_f_tail(squares, **shape)
        tests = np.array([statistic, reference.df, reference.cases_df, p, p_delve])
    cases = np.full(len(finite), np.nan) if found.cases is None else found.cases
    variances = np.array([found.error_variance, found.training, cases, found.residual])
    variances[:, ~finite] = np.nan
    tests[:-1, ~enough] = tests[-1, ~tested] = np.nan
    remarks = _remarks(pairs, found, finite, tested, shape)
    remarks |= np.where(tested & ~enough, _BIT[notes.FEW_TEST_CASES], 0)
    return joined([*pairs[:4], squares.mean, *variances**0.5, *tests, remarks], reference)


def joined(columns: Iterable[Any], reference: crossed.Reference) -> PairComparisons:
    """Return comparisons of their columns, in the order of the fields."""
    names = [field.name for field in fields(PairComparisons)][:-1]
    return PairComparisons(**dict(zip(names, columns, strict=True)), reference=reference)


def chosen(found: PairComparisons, kept: Mask) -> PairComparisons:
    """Return some of the rows."""
    names = [field.name for field in fields(PairComparisons)][:-1]
    reference = crossed.Reference(*(column[kept] for column in found.reference))
    return joined([getattr(found, name)[kept] for name in names], reference)


def _reference(
    squares: MeanSquares[Floats],
    tested: Mask,
    most_df: float | Floats,
    *,
    instances: float | Floats,
    test_cases: float | Floats,
) -> crossed.Reference:
    """Return the distribution of each difference; not a number where there is no test."""
    every = [np.broadcast_to(np.asarray(one, dtype=float), tested.shape) for one in (instances, test_cases)]
    if squares.cases is None:
        error = (squares.training / (every[0] * every[1])) ** 0.5
        nothing, df = np.zeros_like(error), np.minimum(every[0] - 1, most_df)
        found = crossed.Reference(error, df, nothing * np.nan, nothing + 1, *[nothing] * 3)
    else:
        found = crossed.reference(squares, instances=every[0], test_cases=every[1])
    return crossed.Reference(*(np.where(tested, column, np.nan) for column in found))


def _quasi_f_tail(
    squares: MeanSquares[Floats], *, instances: float | Floats, test_cases: float | Floats
) -> Floats:
    return f_upper_tail(*anova.quasi_f(squares, instances=instances, test_cases=test_cases))


def confidence_bounds(comparisons: PairComparisons, *, alpha: float | Floats) -> tuple[Floats, Floats]:
    """Between which values do the expected differences lie with confidence 1 - alpha, of all or of each?

    Returns (lower, upper). The interval is from the distribution that p is from, so that it leaves zero out
    where p is below alpha, and only there. Not a number where there is no p."""
    reach = crossed.reach(comparisons.reference, alpha)
    return comparisons.difference - reach, comparisons.difference + reach


def remark_notes(remarks: int) -> tuple[notes.Note, ...]:
    """Return the remarks of a set of bits."""
    return tuple(note for note in REMARKS if _BIT[note] & remarks)


def _remarks(
    pairs: PairSquares,
    found: anova.Components[Floats],
    finite: Mask,
    tested: Mask,
    shape: Mapping[str, float | Floats],
) -> Whole:
    """What was set to zero, what to beware of, and why there is no test (first that holds), in bits."""
    squares = pairs.squares
    remarks = np.where(finite & found.training_clipped, _BIT[notes.CLIPPED["training"]], 0)
    if found.cases_clipped is not None:
        remarks |= np.where(finite & found.cases_clipped, _BIT[notes.CLIPPED["cases"]], 0)
    reasons = {
        notes.IDENTICAL: pairs.identical,
        notes.NOT_FINITE: ~np.isfinite(pairs.mean_a) | ~np.isfinite(pairs.mean_b),
        notes.ONE_TRAINING_SET: np.broadcast_to(np.less(shape["instances"], 2), finite.shape),
        # Of instances that share cases there is no residual to know, even with one test case each.
        notes.ONE_TEST_CASE: np.less(shape["test_cases"], 2) & np.isnan(squares.residual),
        notes.TOO_LARGE: ~finite,
        notes.ZERO_VARIANCE: ~tested,
    }
    holding = [~tested & holds for holds in reasons.values()]
    return remarks | np.select(holding, [_BIT[note] for note in reasons], 0)


@dataclass(frozen=True, slots=True)
class CaseDifferences:
    """The differences a less b between the losses of two methods, case by case; below zero a is better.

    difference, loss_a, loss_b: one value a test case, in the test sets' order; with a common test set the
    means over training sets. instance: the task instance of each value, -1 where it is a mean over all.
    position: in the test set of the instance, from 0. Differences of two equal infinities are not a number.
    """

    difference: Floats
    loss_a: Floats
    loss_b: Floats
    instance: Whole
    position: Whole

    @property
    def deciding_order(self) -> Whole:
        """Indexes of the differences that are numbers, largest first whatever their sign; equals in order."""
        order = np.argsort(-np.abs(self.difference), kind="stable")
        return order[~np.isnan(self.difference[order])]

    @property
    def different(self) -> int:
        """On how many test cases do the methods differ? A difference that is not a number is none."""
        return int(np.count_nonzero(np.nan_to_num(self.difference)))

    def share_of_largest(self, count: int) -> float | None:
        """Which share of the sum of absolute differences have the `count` largest?

        None where there is no telling which are the largest: the next one is as large, or all are zero.
        Differences that are not finite are left out."""
        sizes = np.sort(np.abs(self.difference[np.isfinite(self.difference)]))[::-1]
        if not len(sizes) or sizes[0] == 0 or (count < len(sizes) and sizes[count - 1] == sizes[count]):
            return None
        return float(sizes[:count].sum() / sizes.sum())


def case_differences(losses_a: Floats, losses_b: Floats, *, design: str) -> CaseDifferences:
    """Return the differences of losses of shape (instances, test cases), the same cases in both.

    design: `hierarchical` (each instance has test cases of its own) or `common` (differences are averaged
    over training sets). Raises ValueError if the shapes differ."""
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
