"""Nested and crossed analysis of variance of losses: mean squares, variance components, quasi-F.

The losses y_ij of I task instances (training sets) with J test cases each enter as mean squares, by the
equations of the DELVE manual, sections 8.1 and 8.2. Functions take floats and NumPy arrays. The design is
nested (`hierarchical`) if each training set has its own test cases, and crossed (`common`) on one test set.

`mean_squares` and `pair_of_rows` analyze one method and one pair, `mean_squares_many` and `pair_mean_squares`
a stack of methods. The latter detect results with fewer than nine reliable digits by their condition, and
compute them again. A pair of nearly equal methods uses its differences; ill-conditioned results, such as
constant losses, use `mean_squares`.

If disjoint test sets differ in size, every instance has the same weight, and J becomes the harmonic mean of
their sizes J_i: MS_a = J sum (m_i - m)^2 / (I - 1) of the instances' means m_i then has the expectation of
eq. 5. Source: the analysis of unweighted means (F. Yates, 1934).
"""

import functools
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import chain
from math import fsum, inf, isfinite, nan, prod
from operator import sub
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc

from delvecore.stats.array_types import Floats, Mask, Whole

DESIGNS = ("hierarchical", "common")
Number = TypeVar("Number", float, Floats)


class MeanSquares(NamedTuple, Generic[Number]):
    """The mean and the mean squares MS_a, MS_b and MS_e: eqs. 3 to 6 (`cases` is None) or eqs. 13 to 16."""

    mean: Number
    training: Number
    cases: Number | None
    residual: Number

    @property
    def between_cases(self) -> Number:
        """MS_b. Raises ValueError if every training set has a separate test set."""
        if self.cases is None:
            raise ValueError("expected mean squares of a common test set, found none of test cases")
        return self.cases


class Components(NamedTuple, Generic[Number]):
    """Parts of a variance: between training sets, between cases of a common test set, and the residual.

    Variances, standard deviations, or parts of a squared standard error. cases is None if each training set
    has a separate test set."""

    training: Number
    cases: Number | None
    residual: Number


def _positive_part(x: Number) -> Number:
    return (x + abs(x)) / 2


def components(
    squares: MeanSquares[Number], *, instances: float | Number, test_cases: float | Number
) -> tuple[Components[Number], Number]:
    """Variance components of losses on disjoint test sets (eqs. 7 and 3), or on a common one (17, 12).

    Returns the components, zero if they are negative, and the mean's squared error.

    Examples
    --------
    >>> components(MeanSquares(4.0, 16.0, None, 2.0), instances=2, test_cases=2)
    (Components(training=7.0, cases=None, residual=2.0), 4.0)
    """
    training, cases = _positive_part((squares.training - squares.residual) / test_cases), None
    error_variance = squares.residual / (instances * test_cases)
    if squares.cases is not None:
        cases = _positive_part((squares.cases - squares.residual) / instances)
        error_variance = error_variance + cases / test_cases
    return Components(training, cases, squares.residual), error_variance + training / instances


def quasi_f(
    squares: MeanSquares[Number], *, instances: float | Number, test_cases: float | Number
) -> tuple[Number, Number, Number]:
    """Quasi-F test: is the mean difference large compared with its error, on one common test set?

    squares: mean squares of the differences; MS_a + MS_b must not be zero. Returns F and its two degrees of
    freedom, which are computed from shares to avoid underflow and overflow of squares. Source: DELVE manual,
    equations 19 to 21.

    Examples
    --------
    >>> quasi_f(MeanSquares(4.0, 24.0, 8.0, 2.0), instances=2, test_cases=3)[0]  # (2 x 3 x 16 + 2) / (24 + 8)
    3.0625
    """
    effect = instances * test_cases * squares.mean * squares.mean
    numerator, denominator = effect + squares.residual, squares.training + squares.between_cases
    # Without effect and residual, F is 0 for any degrees of freedom: adding 1 avoids a division by zero.
    share = squares.residual / (numerator + (numerator == 0))
    df1 = 1 / ((1 - share) ** 2 + share**2 / ((instances - 1) * (test_cases - 1)))
    share_training, share_cases = squares.training / denominator, squares.between_cases / denominator
    df2 = 1 / (share_training**2 / (instances - 1) + share_cases**2 / (test_cases - 1))
    return numerator / denominator, df1, df2


def interaction_dominates(squares: MeanSquares[Number]) -> bool | Mask:
    """Is the residual of a common test set so large that it alone makes the quasi-F test reject?"""
    return squares.residual > squares.training + squares.between_cases


def error_parts(spread: Components[float], *, instances: float, test_cases: float) -> Components[float]:
    """Return the parts of a squared standard error (eqs. 3 and 12), from standard deviations.

    Examples
    --------
    >>> error_parts(Components(2.0, None, 4.0), instances=4, test_cases=8)
    Components(training=1.0, cases=None, residual=0.5)
    """
    cases = None if spread.cases is None else spread.cases**2 / test_cases
    return Components(spread.training**2 / instances, cases, spread.residual**2 / (instances * test_cases))


def error_sources(
    *,
    sd_training: float | None,
    sd_cases: float | None,
    sd_residual: float | None,
    instances: int,
    test_cases: float | None,
    standard_error: float | None = None,
) -> Components[float] | None:
    """Return the parts of a squared standard error, which sum to it; None if there is no standard error.

    The standard deviations are those that `mstats` prints. instances: training sets; test_cases: of each
    instance (hierarchical, sd_cases is None) or of the common test set. If test sets differ in size,
    test_cases is None and the residual's part is the remainder of standard_error.
    """
    if sd_training is None or sd_residual is None:
        return None
    if test_cases is None:
        if standard_error is None:
            return None
        training = sd_training**2 / instances
        return Components(training, None, max(standard_error**2 - training, 0.0))
    spread = Components(sd_training, sd_cases, sd_residual)
    return error_parts(spread, instances=instances, test_cases=test_cases)


def f_upper_tail(f: ArrayLike, df1: ArrayLike, df2: ArrayLike) -> Floats:
    """Upper tail of the F distribution, for positive degrees of freedom, whole or not.

    Near f = 0 the tail is 1 minus a small number, which only the complement gives in full precision.

    Examples
    --------
    >>> float(f_upper_tail(1.0, 5, 5).round(12))
    0.5
    """
    f, a, b = np.broadcast_arrays(f, np.divide(df2, 2), np.divide(df1, 2))
    with np.errstate(invalid="ignore"):
        low = f < 1
        share = np.where(low, b * f, a) / (a + b * f)
        tail: Floats = betainc(np.where(low, b, a), np.where(low, a, b), share)
        return np.where(low, 1 - tail, tail)


def student_t_two_sided(t: float, df: float) -> float:
    """Two-sided tail of Student's t distribution.

    Examples
    --------
    >>> round(student_t_two_sided(1.0, 1), 12)
    0.5
    """
    return float(f_upper_tail(t * t, 1, df))


Rows = Sequence[Floats] | Floats
"""Losses of one method: for each training set, an array of the losses of its test cases."""
NOISE = 4 * float(np.finfo(float).eps)
"""Share of the larger of two values by which rounding may change their difference."""
ROUNDING = 1e-24
"""Mean squares of differences below this share of the losses' sum of squares may be rounding error."""

# Mean squares relative to those of the losses: NumPy's means are accurate to about 1e-16 of the losses' size,
# so a mean or spread above 1e-5 of that size keeps ten digits.
_SMALL = 1e-10
# Sums of squares of differences relative to their parts: a Gram matrix is accurate to about 1e-15 of its
# diagonal.
_NEARLY_EQUAL = 1e-3
# Relative differences of two mean squares below which a variance component loses too many digits.
_CLOSE = 1e-4
_CLOSE_FOR_PAIRS = 3e-3
_PAIRS_AT_ONCE = 16
_LOSSES_AT_ONCE = 1 << 23
"""Maximum number of losses in one step, 64 MB.

Larger stacks are processed in blocks of test cases, which bounds the memory.
"""
_EXACT_AT_MOST = 1 << 21
"""Maximum number of losses of a method for exact sums, which take memory.

Beyond it, extended doubles are used if available.
"""


class PairSquares(NamedTuple):
    """All pairs of methods first < second: their mean losses and the `MeanSquares` of a minus b, as arrays.

    Attributes
    ----------
    samples : Floats or None
        Bootstrap samples of the differences, shape (pairs, samples), if p comes from them.
    p : Floats or None
        p, if it does not follow from t or F.
    """

    first: Whole
    second: Whole
    mean_a: Floats
    mean_b: Floats
    squares: MeanSquares[Floats]
    identical: Mask
    samples: Floats | None = None
    p: Floats | None = None


def mean_squares(rows: Rows, *, design: str) -> MeanSquares[float]:
    """Analysis of variance of one method's losses: mean and mean squares to the last digits.

    An origin is subtracted before summing, so equal losses give exactly zero, and small variations keep their
    digits.

    Parameters
    ----------
    rows : sequence of arrays
        The losses of the test cases of each training set.
    design : str
        `hierarchical` (nested) or `common` (crossed).

    Returns
    -------
    MeanSquares
        The mean squares are NaN with one training set, one test case or a mean that is not finite. They are
        infinite if they exceed the largest double.

    Raises
    ------
    ValueError
        For an unknown design, an empty row, and rows of different lengths on a common test set.

    References
    ----------
    DELVE manual, equations 3 to 6 and 13 to 16.

    Examples
    --------
    >>> mean_squares(np.array([[1.0, 2.0, 3.0], [3.0, 6.0, 9.0]]), design="common")
    MeanSquares(mean=4.0, training=24.0, cases=8.0, residual=2.0)
    """
    _check_design(design)
    sizes = np.array(list(map(len, rows)))
    unequal = bool(sizes.size) and bool((sizes != sizes[0]).any())
    if not sizes.all() or not sizes.size or (unequal and design == "common"):
        actual = f"{len(rows)} instances of {' '.join(map(str, sizes.tolist()))} losses"
        raise ValueError(f"every training set needs equally many losses, at least one; got {actual}")
    mean, instances, within = _mean(rows), len(rows), int((sizes - 1).sum())
    if instances < 2 or not within or not isfinite(mean):
        return MeanSquares(mean, nan, nan if design == "common" else None, nan)
    with np.errstate(over="ignore", invalid="ignore"):
        if unequal:
            means = np.array([_mean([row]) for row in rows])
            training = harmonic_mean(sizes) * _squares_about_mean(means) / (instances - 1)
            return _reachable(mean, training, None, sum(map(_squares_about_mean, rows)) / within)
        losses, test_cases = np.asarray(rows, dtype=float), int(sizes[0])
        if design == "hierarchical":
            training = _squares_about_mean(_sums(losses - losses[0, 0])) / (test_cases * (instances - 1))
            return _reachable(mean, training, None, _squares_about_mean(losses) / within)
        # Subtracting its first loss from each row keeps the effects of test cases. Subtracting the first row
        # keeps those of training sets.
        columns, shifted = _sums((losses - losses[:, :1]).T), losses - losses[0]
        training = _squares_about_mean(_sums(shifted)) / (test_cases * (instances - 1))
        interaction = _squares_about_mean(_about_mean(shifted).T) / ((instances - 1) * (test_cases - 1))
        cases = _squares_about_mean(columns) / (instances * (test_cases - 1))
        return _reachable(mean, training, cases, interaction)


def _check_design(design: str) -> None:
    if design not in DESIGNS:
        raise ValueError(f"the design must be one of {', '.join(DESIGNS)}, got {design!r}")


def _reachable(mean: float, training: float, cases: float | None, residual: float) -> MeanSquares[float]:
    training, residual = (one if isfinite(one) else inf for one in (training, residual))
    return MeanSquares(mean, training, cases if cases is None or isfinite(cases) else inf, residual)


def _about_mean(values: Floats) -> Floats:
    """Return the deviations from the mean of each row, exactly zero in a row of equal values.

    Extended doubles, if available, prevent float noise if two mean squares are equal."""
    shifted = (values - values[..., :1]).astype(np.longdouble)
    deviations: Floats = shifted - shifted.mean(axis=-1, keepdims=True)
    return deviations


def _squares_about_mean(values: Floats) -> float:
    return float(np.sum(_about_mean(values) ** 2))


def _sums(rows: Floats) -> Floats:
    return np.array([_exact_sum(row.tolist()) for row in rows])


def _exact_sum(values: Iterable[float]) -> float:
    """Return the sum without rounding: infinite beyond the largest double, NaN for infinities of both
    signs."""
    known = list(values)
    try:
        return fsum(known)
    except OverflowError:
        return sum(known)
    except ValueError:
        return nan


def _mean(rows: Rows) -> float:
    """Return the mean loss, or the mean of the means of rows with different lengths."""
    if len(set(map(len, rows))) > 1:
        return _exact_sum(_mean([row]) for row in rows) / len(rows)
    return _exact_sum(chain.from_iterable(row.tolist() for row in rows)) / (len(rows) * len(rows[0]))


def harmonic_mean(sizes: Whole) -> float:
    """Harmonic mean of sizes; that of equal sizes is exact."""
    return float(sizes[0]) if (sizes == sizes[0]).all() else float(len(sizes) / np.sum(1 / sizes))


def as_arrays(squares: MeanSquares[float]) -> MeanSquares[Floats]:
    """Return the mean squares of one method or pair as arrays of one entry."""
    return MeanSquares._make(None if one is None else np.array([one]) for one in squares)


def _one_of(squares: MeanSquares[Floats], place: int) -> MeanSquares[float]:
    """Return the mean squares of one method or pair as numbers."""
    return MeanSquares._make(None if one is None else float(one[place]) for one in squares)


def pair_of_rows(rows_a: Rows, rows_b: Rows, *, design: str) -> PairSquares:
    """Mean squares of the differences a minus b of one pair of methods, to the last digits: eqs. 8 and 18.

    rows_a, rows_b: as for `mean_squares`, for the same training sets and test cases in the same order. Raises
    ValueError if their sizes differ."""
    sizes_a, sizes_b = (list(map(len, rows)) for rows in (rows_a, rows_b))
    if sizes_a != sizes_b:
        raise ValueError(f"cannot compare losses of {sizes_a} test cases with losses of {sizes_b}")
    with np.errstate(invalid="ignore"):
        differences = [np.subtract(a, b) for a, b in zip(rows_a, rows_b, strict=True)]
    squares = without_rounding(mean_squares(differences, design=design), rows_a, rows_b)
    means = {"mean_a": np.array([_mean(rows_a)]), "mean_b": np.array([_mean(rows_b)])}
    identical = np.array([all(map(np.array_equal, rows_a, rows_b))])
    ends = np.array([0]), np.array([1])
    return PairSquares(*ends, **means, squares=as_arrays(squares), identical=identical)


def without_rounding(squares: MeanSquares[float], rows_a: Rows, rows_b: Rows) -> MeanSquares[float]:
    """Return mean squares of the differences a minus b, exactly zero if these vary by float noise only.

    For example, 0.3 - 0.2 counts as equal to 0.2 - 0.1, and a minus (a + 0.5) as constant. Differences are
    equal within `NOISE` of the largest value of the two methods. Exact arithmetic is used only for mean
    squares that may consist of rounding errors."""
    with np.errstate(over="ignore"):
        size = sum(float(np.dot(row, row)) for row in (*rows_a, *rows_b))
    if not any(0 < value < ROUNDING * size for value in squares[1:] if value is not None):
        return squares
    exact_a, exact_b = (
        [[Fraction(repr(loss)) for loss in row.tolist()] for row in one] for one in (rows_a, rows_b)
    )
    rows = [list(map(sub, a, b)) for a, b in zip(exact_a, exact_b, strict=True)]
    noise = Fraction(NOISE * max(float(np.abs(row).max()) for row in (*rows_a, *rows_b)))

    def are_equal(values: Iterable[Fraction]) -> bool:
        values = list(values)
        return max(values) - min(values) <= noise

    training = 0.0 if are_equal(sum(row) / len(row) for row in rows) else squares.training
    if squares.cases is None:
        residual = 0.0 if all(map(are_equal, rows)) else squares.residual
        return squares._replace(training=training, residual=residual)
    columns = list(zip(*([value - row[0] for value in row] for row in rows), strict=True))
    return squares._replace(
        training=training,
        cases=0.0 if are_equal(sum(column) / len(rows) for column in columns) else squares.cases,
        residual=0.0 if all(map(are_equal, columns)) else squares.residual,
    )


def mean_squares_many(stack: Floats, *, design: str) -> MeanSquares[Floats]:
    """Mean and mean squares of each method's losses: equations 3 to 6 or 13 to 16.

    stack: shape (methods, instances, test cases). Returns `MeanSquares` of arrays of shape (methods,), exact
    to 1e-9; `cases` is None for the hierarchical design. The mean squares are NaN with one instance, one test
    case, or losses that are not finite. They are infinite if they exceed the largest double.
    """
    stack = _checked(stack, design)
    with np.errstate(all="ignore"):
        sums, size = _sums_of_squares(stack, design)
        squares = _mean_squares(sums, stack.shape)
        doubtful = _ill_conditioned(squares, sums, size, stack.shape, _CLOSE)
    for method in np.flatnonzero(doubtful).tolist():
        _replace(squares, method, _carefully(stack[method], design))
    return squares


def _carefully(losses: Floats, design: str) -> MeanSquares[float]:
    """Return the mean squares of one method by exact sums."""
    if losses.size <= _EXACT_AT_MOST:
        return mean_squares(losses, design=design)
    sums, _ = _sums_of_squares(losses[None], design, kind=np.longdouble)
    return _one_of(_mean_squares(sums, (1, *losses.shape)), 0)


def _sums_of_squares(
    stack: Floats, design: str, *, kind: Any = np.float64
) -> tuple[MeanSquares[Floats], Floats]:
    """Return means and sums of squares of each method, and the sums of squares of its losses about zero."""
    parts, size = _take_apart(stack, design, _squared_lengths, kind=kind)
    training = _training_squares(parts.training, stack.shape[2])
    return MeanSquares(parts.training.mean(axis=1), training, parts.cases, parts.residual), size


def pair_mean_squares(stack: Floats, *, design: str) -> PairSquares:
    """Mean and mean squares of the differences of all pairs of methods: equations 8 and 18.

    stack: as in `mean_squares_many`. The sums of squares come from the Gram matrices of the deviations,
    |a - b|^2 = |a|^2 + |b|^2 - 2 ab, except for pairs that would lose digits. Returns `PairSquares`."""
    stack = _checked(stack, design)
    first, second = _pairs(len(stack))
    with np.errstate(all="ignore"):
        parts, sizes = _take_apart(stack, design, lambda vectors: vectors @ vectors.T)
        mean = parts.training.mean(axis=1)
        for method in np.flatnonzero(stack[0].size * mean**2 < _SMALL * sizes):
            mean[method] = _carefully(stack[method], "hierarchical").mean
        sums, nearly_equal = _pair_sums(parts, mean, first, second, test_cases=stack.shape[2])
        squares = _mean_squares(sums, stack.shape)
        size = sizes[first] + sizes[second]
        doubtful = nearly_equal | _ill_conditioned(squares, sums, size, stack.shape, _CLOSE_FOR_PAIRS)
    pairs = np.flatnonzero(doubtful)
    at_once = max(1, min(_PAIRS_AT_ONCE, _LOSSES_AT_ONCE // stack[0].size))
    for start in range(0, len(pairs), at_once):  # from differences, a few at a time to save memory
        some = pairs[start : start + at_once]
        differences = np.empty((len(some), *stack.shape[1:]))
        for row, pair in zip(differences, some.tolist(), strict=True):
            np.subtract(stack[first[pair]], stack[second[pair]], out=row)
        _replace(squares, some, mean_squares_many(differences, design=design))
    known = [value[pairs] for value in squares[1:] if value is not None]
    may_be_rounding = np.any([(value > 0) & (value < ROUNDING * size[pairs]) for value in known], axis=0)
    for pair in pairs[may_be_rounding].tolist():
        ends = stack[first[pair]], stack[second[pair]]
        _replace(squares, pair, _without_rounding(squares, pair, *ends, floor=ROUNDING * size[pair]))
    # The difference of equal infinities is NaN.
    identical = np.zeros(len(first), dtype=bool)
    for pair in np.flatnonzero((squares.mean == 0) | np.isnan(squares.mean)):
        identical[pair] = np.array_equal(stack[first[pair]], stack[second[pair]])
    means = {"mean_a": mean[first], "mean_b": mean[second]}
    return PairSquares(first, second, **means, squares=squares, identical=identical)


def _without_rounding(
    squares: MeanSquares[Floats], pair: int, a: Floats, b: Floats, *, floor: float
) -> MeanSquares[float]:
    """Return `without_rounding` of a pair. For very many losses, values below the floor are zero."""
    known = _one_of(squares, pair)
    if a.size <= _EXACT_AT_MOST:
        return without_rounding(known, a, b)
    parts = zip(known._fields[1:], known[1:], strict=True)
    return known._replace(**{name: 0.0 for name, one in parts if one is not None and one < floor})


def _checked(stack: Floats, design: str) -> Floats:
    _check_design(design)
    stack = np.ascontiguousarray(stack, dtype=np.float64)
    if stack.ndim != 3 or 0 in stack.shape:
        raise ValueError(f"losses of shape (methods, instances, test cases) are needed, got {stack.shape}")
    return stack


@functools.lru_cache(maxsize=64)
def _pairs(methods: int) -> tuple[Whole, Whole]:
    first, second = np.triu_indices(methods, 1)
    first.flags.writeable = second.flags.writeable = False
    return first, second


def _take_apart(
    stack: Floats, design: str, multiply: Callable[[Floats], Floats], *, kind: Any = np.float64
) -> tuple[Components[Floats], Floats]:
    """Return the parts of losses, and the sum of squares of each method.

    The parts are the means of instances, and the products of the deviations of test cases and of the rest.
    Their weights make squares sum to those of the analysis of variance. multiply: makes the products, one
    array per method; kind: type of the numbers.
    """
    methods, instances, test_cases = stack.shape
    row_means = stack.mean(axis=2, dtype=kind)
    mean = row_means.mean(axis=1)
    products_of_parts = []
    step = max(1, _LOSSES_AT_ONCE // (methods * instances))
    for start in range(0, test_cases, step):
        some = stack[:, :, start : start + step].astype(kind, copy=False)
        residual = some - row_means[:, :, None]
        products = [_squared_lengths(some)]
        if design == "common":
            effects = some.mean(axis=1) - mean[:, None]
            residual -= effects[:, None, :]
            products.append(multiply(effects * instances**0.5))
        products_of_parts.append([multiply(residual.reshape(methods, -1)), *products])
    residual, size, *cases = (
        functools.reduce(np.add, column) for column in zip(*products_of_parts, strict=True)
    )
    return Components(row_means, cases[0] if cases else None, residual), size


def _squared_lengths(arrays: Floats) -> Floats:
    flat = arrays.reshape(len(arrays), prod(arrays.shape[1:]))
    lengths: Floats = np.einsum("mn,mn->m", flat, flat)
    return lengths


def _training_squares(row_means: Floats, test_cases: int) -> Floats:
    return test_cases * _squared_lengths(row_means - row_means.mean(axis=1, keepdims=True))


def _pair_sums(
    parts: Components[Floats], mean: Floats, first: Whole, second: Whole, *, test_cases: int
) -> tuple[MeanSquares[Floats], Mask]:
    """Return means and sums of squares of all differences, and which sums are small compared with their
    parts."""
    training = _training_squares(parts.training[first] - parts.training[second], test_cases)
    residual, nearly_equal = _squared_distances(parts.residual, first, second)
    cases = None
    if parts.cases is not None:
        cases, nearly_equal_cases = _squared_distances(parts.cases, first, second)
        nearly_equal |= nearly_equal_cases
    return MeanSquares(mean[first] - mean[second], training, cases, residual), nearly_equal


def _squared_distances(gram: Floats, first: Whole, second: Whole) -> tuple[Floats, Mask]:
    lengths = gram.diagonal()
    together = lengths[first] + lengths[second]
    squares = np.maximum(together - 2 * gram[first, second], 0)
    return squares, squares < _NEARLY_EQUAL * together


def _mean_squares(sums: MeanSquares[Floats], shape: tuple[int, ...]) -> MeanSquares[Floats]:
    """Return mean squares from means and sums of squares."""
    _, instances, test_cases = shape
    mean = sums.mean
    if instances < 2 or test_cases < 2:
        unknown = np.full(len(mean), np.nan)
        return MeanSquares(mean, unknown, None if sums.cases is None else unknown.copy(), unknown.copy())
    training = sums.training / (instances - 1)
    cases = None if sums.cases is None else sums.cases / (test_cases - 1)
    residual = sums.residual / ((instances if cases is None else instances - 1) * (test_cases - 1))
    unknown = np.where(np.isfinite(mean), np.inf, np.nan)
    training, residual = (np.where(np.isfinite(column), column, unknown) for column in (training, residual))
    cases = None if cases is None else np.where(np.isfinite(cases), cases, unknown)
    return MeanSquares(mean, training, cases, residual)


def _ill_conditioned(
    squares: MeanSquares[Floats],
    sums: MeanSquares[Floats],
    size: Floats,
    shape: tuple[int, ...],
    close: float,
) -> Mask:
    """Return which results have few reliable digits. size: sum of squares of the losses."""
    _, instances, test_cases = shape
    floor = _SMALL * size
    doubtful = instances * test_cases * squares.mean**2 < floor
    if instances < 2 or test_cases < 2:
        return doubtful
    for total in sums[1:]:
        if total is not None:
            doubtful |= total < floor
    for mean_square in squares[1:3]:
        if mean_square is not None:
            doubtful |= abs(mean_square - squares.residual) < close * squares.residual
    return doubtful


def _replace(
    squares: MeanSquares[Floats], index: int | Whole, exact: MeanSquares[float] | MeanSquares[Floats]
) -> None:
    for array, value in zip(squares, exact, strict=True):
        if array is not None:
            array[index] = value
