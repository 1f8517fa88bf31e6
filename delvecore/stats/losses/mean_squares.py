"""Mean squares of many methods, and of the differences of all their pairs, at once.

NumPy does the bulk. What it cannot give to nine digits is recognised by its condition and computed again: a
pair of nearly equal methods from its differences, and what is still ill-conditioned (constant losses, say) by
`sums.mean_squares`."""

import functools
from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

import numpy as np

from delvecore.stats.kinds import Floats, Mask, Whole
from delvecore.stats.losses.anova import DESIGNS, MeanSquares
from delvecore.stats.losses.sums import ROUNDING, mean_squares, without_rounding

__all__ = ["PairSquares", "mean_squares_many", "pair_mean_squares"]

# Mean squares relative to those of the losses: NumPy's means are good to some 1e-16 of the losses' size, so a
# mean or spread above 1e-5 of it keeps ten digits.
_SMALL = 1e-10
# Sums of squares of differences relative to their parts: a Gram matrix is good to some 1e-15 of its diagonal.
_NEARLY_EQUAL = 1e-3
# Relative differences of two mean squares below which a variance component loses too many digits.
_CLOSE = 1e-4
_CLOSE_FOR_PAIRS = 3e-3
_PAIRS_AT_ONCE = 16
_LOSSES_AT_ONCE = 1 << 23
"""Of more losses, 64 MB, some test cases of all are taken after the other, which bounds the memory."""
_EXACT_AT_MOST = 1 << 21
"""Of more losses of a method exact sums take too much memory; extended doubles serve, where there are any."""


class PairSquares(NamedTuple):
    """All pairs of methods first < second: their mean losses and the `MeanSquares` of a less b, as arrays.
    samples: the differences by bootstrap samples, shape (pairs, samples), where p is by these."""

    first: Whole
    second: Whole
    mean_a: Floats
    mean_b: Floats
    squares: MeanSquares[Floats]
    identical: Mask
    samples: Floats | None = None


class _Parts(NamedTuple):
    """Losses taken apart, by method: means, products of deviations due to test cases (or None) and of the
    rest, sum of squares.

    Deviations are weighted so that their squares sum to the sums of squares of the analysis of variance."""

    row_means: Floats
    mean: Floats
    cases: Floats | None
    residual: Floats
    size: Floats


def mean_squares_many(stack: Floats, *, design: str) -> MeanSquares[Floats]:
    """What are the mean and the mean squares of each method's losses? Equations 3 to 6 or 13 to 16.

    stack: shape (methods, instances, test cases). Returns `MeanSquares` of arrays of shape (methods,), exact
    to 1e-9; `cases` is None for the hierarchical design. With one instance or one test case, or losses that
    are not finite, the mean squares are not a number; they are infinite where they exceed the largest double.
    """
    stack = _checked(stack, design)
    with np.errstate(all="ignore"):
        parts = _take_apart(stack, design, _squared_lengths)
        training = _training_squares(parts.row_means, stack.shape[2])
        sums = MeanSquares(parts.mean, training, parts.cases, parts.residual)
        squares = _mean_squares(sums, stack.shape)
        doubtful = _ill_conditioned(squares, sums, parts.size, stack.shape, _CLOSE)
    for method in np.flatnonzero(doubtful).tolist():
        _replace(squares, method, _carefully(stack[method], design))
    return squares


def _carefully(losses: Floats, design: str) -> MeanSquares[float]:
    """Return what `mean_squares_many` does of one method, by sums that lose no digits."""
    if losses.size <= _EXACT_AT_MOST:
        return mean_squares(losses.tolist(), design=design)
    parts = _take_apart(losses[None], design, _squared_lengths, kind=np.longdouble)
    training = _training_squares(parts.row_means, losses.shape[1])
    found = _mean_squares(MeanSquares(parts.mean, training, parts.cases, parts.residual), (1, *losses.shape))
    cases = None if found.cases is None else float(found.cases[0])
    return MeanSquares(float(found.mean[0]), float(found.training[0]), cases, float(found.residual[0]))


def pair_mean_squares(stack: Floats, *, design: str) -> PairSquares:
    """What are the mean and the mean squares of the differences of all pairs of methods? Equations 8 and 18.

    stack: as in `mean_squares_many`. The sums of squares come from the Gram matrices of the deviations,
    |a - b|^2 = |a|^2 + |b|^2 - 2 ab, but for pairs where this would lose digits. Returns `PairSquares`."""
    stack = _checked(stack, design)
    first, second = _pairs(len(stack))
    with np.errstate(all="ignore"):
        parts = _take_apart(stack, design, _gram)
        mean = parts.mean.copy()
        for method in np.flatnonzero(stack[0].size * mean**2 < _SMALL * parts.size):
            mean[method] = _carefully(stack[method], "hierarchical").mean
        sums, nearly_equal = _pair_sums(parts, mean, first, second, test_cases=stack.shape[2])
        squares = _mean_squares(sums, stack.shape)
        size = parts.size[first] + parts.size[second]
        doubtful = nearly_equal | _ill_conditioned(squares, sums, size, stack.shape, _CLOSE_FOR_PAIRS)
    pairs = np.flatnonzero(doubtful)
    at_once = max(1, min(_PAIRS_AT_ONCE, _LOSSES_AT_ONCE // stack[0].size))
    for start in range(0, len(pairs), at_once):  # from their differences, a few to bound memory
        some = pairs[start : start + at_once]
        differences = np.empty((len(some), *stack.shape[1:]))
        for own, pair in zip(differences, some.tolist(), strict=True):
            np.subtract(stack[first[pair]], stack[second[pair]], out=own)
        _replace(squares, some, mean_squares_many(differences, design=design))
    for pair in pairs[_may_be_rounding(squares, size)[pairs]].tolist():
        ends = stack[first[pair]], stack[second[pair]]
        _replace(squares, pair, _without_rounding(squares, pair, *ends, floor=ROUNDING * size[pair]))
    # Equal infinities differ by what is not a number.
    identical = np.zeros(len(first), dtype=bool)
    for pair in np.flatnonzero((squares.mean == 0) | np.isnan(squares.mean)):
        identical[pair] = np.array_equal(stack[first[pair]], stack[second[pair]])
    means = {"mean_a": mean[first], "mean_b": mean[second]}
    return PairSquares(first, second, **means, squares=squares, identical=identical)


def _without_rounding(
    squares: MeanSquares[Floats], pair: int, a: Floats, b: Floats, *, floor: float
) -> MeanSquares[float]:
    """Return `sums.without_rounding` of a pair; of very many losses, which as decimals do not vary so little,
    what is below the floor is zero."""
    mean, training, residual = (
        float(one[pair]) for one in (squares.mean, squares.training, squares.residual)
    )
    cases = None if squares.cases is None else float(squares.cases[pair])
    if a.size <= _EXACT_AT_MOST:
        return without_rounding(MeanSquares(mean, training, cases, residual), a.tolist(), b.tolist())
    training, residual = (0.0 if one < floor else one for one in (training, residual))
    return MeanSquares(mean, training, 0.0 if cases is not None and cases < floor else cases, residual)


def _checked(stack: Floats, design: str) -> Floats:
    if design not in DESIGNS:
        raise ValueError(f"the design must be one of {', '.join(DESIGNS)}, got {design!r}")
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
) -> _Parts:
    """Return the parts of losses. multiply: makes products of deviations, an array a method; kind: of the
    numbers computed with."""
    methods, instances, test_cases = stack.shape
    row_means = stack.mean(axis=2, dtype=kind)
    mean = row_means.mean(axis=1)
    found = []
    step = max(1, _LOSSES_AT_ONCE // (methods * instances))
    for start in range(0, test_cases, step):
        some = stack[:, :, start : start + step].astype(kind, copy=False)
        residual = some - row_means[:, :, None]
        products = [_squared_lengths(some)]
        if design == "common":
            effects = some.mean(axis=1) - mean[:, None]
            residual -= effects[:, None, :]
            products.append(multiply(effects * instances**0.5))
        found.append([multiply(residual.reshape(methods, -1)), *products])
    residual, size, *cases = (functools.reduce(np.add, column) for column in zip(*found, strict=True))
    return _Parts(row_means, mean, cases[0] if cases else None, residual, size)


def _gram(vectors: Floats) -> Floats:
    return vectors @ vectors.T


def _squared_lengths(arrays: Floats) -> Floats:
    flat = arrays.reshape(len(arrays), prod(arrays.shape[1:]))
    return np.einsum("mn,mn->m", flat, flat)


def _training_squares(row_means: Floats, test_cases: int) -> Floats:
    return test_cases * _squared_lengths(row_means - row_means.mean(axis=1, keepdims=True))


def _pair_sums(
    parts: _Parts, mean: Floats, first: Whole, second: Whole, *, test_cases: int
) -> tuple[MeanSquares[Floats], Mask]:
    """Return means and sums of squares of all differences, and which are small against their parts."""
    training = _training_squares(parts.row_means[first] - parts.row_means[second], test_cases)
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
    training, residual = (np.where(np.isfinite(found), found, unknown) for found in (training, residual))
    cases = None if cases is None else np.where(np.isfinite(cases), cases, unknown)
    return MeanSquares(mean, training, cases, residual)


def _ill_conditioned(
    squares: MeanSquares[Floats],
    sums: MeanSquares[Floats],
    size: Floats,
    shape: tuple[int, ...],
    close: float,
) -> Mask:
    """Which figures rest on few digits? size: the sum of squares of the losses they come from."""
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


def _may_be_rounding(squares: MeanSquares[Floats], size: Floats) -> Mask:
    """Which have a mean square that is small enough for `sums.without_rounding`?"""
    found = [value for value in squares[1:] if value is not None]
    return np.any([(value > 0) & (value < ROUNDING * size) for value in found], axis=0)


def _replace(
    squares: MeanSquares[Floats], index: int | Whole, exact: MeanSquares[float] | MeanSquares[Floats]
) -> None:
    for array, value in zip(squares, exact, strict=True):
        if array is not None:
            array[index] = value
