"""Effects of factors and of their interactions on estimates whose variances are roughly known and differ.

The cells of a design (all combinations of levels, or those that are there) have one estimate each. Effects
are least-squares contrasts of the cells, all cells counting alike, so that in a complete design they are
plain differences of averages. Their errors are propagated from those of the cells, with Satterthwaite's
degrees of freedom. Terms of several contrasts are tested by the ANOVA-type statistic of Brunner, Dette and
Munk 1997, "Box-type approximations in nonparametric factorial designs", JASA 92, which for one contrast is
the square of Welch's t. What a design with holes cannot separate is not estimated."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from scipy.special import fdtrc, stdtr

from delvecore.stats.kinds import Floats, Mask, Whole

__all__ = ["CellEstimates", "Design", "DesignFactor", "Term", "TermTest", "analyse_term", "estimate_contrast"]
__all__ += ["make_design"]

TOLERANCE = 1e-9
Term = tuple[int, ...]
"""Numbers of factors; the mean is the empty one."""
ROUNDING = 1e-13
"""A sum below this share of the sum of its terms without their signs is what rounding left of zero."""


@dataclass(frozen=True, slots=True)
class DesignFactor:
    """A factor of two or more levels. positions: where they lie on a line; None: they have no order."""

    name: str
    levels: int
    positions: tuple[float, ...] | None = None

    @property
    def codes(self) -> Floats:
        """The levels coded in columns that sum to zero, shape (levels, levels - 1).

        Two levels are -1 and 1. The first column of ordered levels is their position, the ends 2 apart; other
        columns are orthogonal to it and to each other, of length 1."""
        if self.levels == 2:
            return np.array([[-1.0], [1.0]])
        line = np.asarray(() if self.positions is None else self.positions, dtype=float)
        ends = [2 * (line - line.mean()) / (line.max() - line.min())] if len(line) else []
        basis = np.column_stack([np.ones(self.levels), *ends, np.eye(self.levels)])
        columns = np.linalg.qr(basis)[0][:, 1:]
        return np.column_stack([*ends, columns[:, len(ends) :]])


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """Terms (tuples of numbers of factors, the mean as the empty one first) fitted to cells by least squares.

    columns: those of each term; solution: coefficients from cells, shape (columns, cells); rest: orthonormal
    columns of what the terms leave, shape (cells, free). hidden: projection on what the cells cannot tell
    apart, shape (columns, columns); zero where all terms can be estimated."""

    factors: tuple[DesignFactor, ...]
    terms: tuple[Term, ...]
    columns: tuple[slice, ...]
    solution: Floats
    rest: Floats
    hidden: Floats

    def aliases(self, term: Term) -> tuple[Term, ...]:
        """Which other terms can this one not be told from? Empty if it can be estimated."""
        rows = self.hidden[self.columns[self.terms.index(term)]]
        if not np.abs(rows).max(initial=0.0) > TOLERANCE:
            return ()
        near = [np.abs(rows[:, columns]).max() > TOLERANCE for columns in self.columns]
        return tuple(o for o, is_near in zip(self.terms, near, strict=True) if is_near and o != term) or (
            term,
        )

    def combination(self, term: Term, weights: Sequence[float] | Floats) -> Floats | None:
        """Return cells' weights of a combination of a term's coefficients, None if it cannot be estimated."""
        columns = self.columns[self.terms.index(term)]
        weights = np.asarray(weights, dtype=float)
        if np.abs(weights @ self.hidden[columns]).max(initial=0.0) > TOLERANCE:
            return None
        return weights @ self.solution[columns]

    def basis(self, term: Term) -> Floats | None:
        """Return orthonormal columns of a term, adjusted for all others: (cells, degrees of freedom)."""
        if self.aliases(term):
            return None
        return np.linalg.qr(self.solution[self.columns[self.terms.index(term)]].T)[0]


def make_design(factors: Sequence[DesignFactor], cells: Whole, *, order: int) -> Design:
    """Fit the mean, all factors and their interactions of up to `order` factors to some cells.

    cells: number of the level of each factor, shape (cells, factors), each combination once at most."""
    numbers = range(len(factors))
    terms = tuple(term for size in range(order + 1) for term in combinations(numbers, size))
    codes = [factor.codes[cells[:, number]] for number, factor in enumerate(factors)]
    # All products of a column of each factor, by row.
    parts = [np.ones((len(cells), 1)) for _ in terms]
    for k, term in enumerate(terms):
        for number in term:
            parts[k] = (parts[k][:, :, None] * codes[number][:, None, :]).reshape(len(cells), -1)
    ends = np.cumsum([0, *(part.shape[1] for part in parts)]).tolist()
    columns = tuple(slice(start, stop) for start, stop in pairwise(ends))
    matrix = np.concatenate(parts, axis=1)
    left, sizes, right = np.linalg.svd(matrix, full_matrices=True)
    rank = int((sizes > TOLERANCE * max(matrix.shape)).sum())
    solution = (right[:rank].T / sizes[:rank]) @ left[:, :rank].T
    hidden = right[rank:].T @ right[rank:]
    return Design(
        factors=tuple(factors),
        terms=terms,
        columns=columns,
        solution=solution,
        rest=left[:, rank:],
        hidden=hidden,
    )


@dataclass(frozen=True, slots=True, eq=False)
class CellEstimates:
    """Estimates of cells. covariance: of the estimates, (cells, cells); unit: which cells were measured on
    the same material, by number, all others being independent; degrees: of freedom of each cell's unit."""

    values: Floats
    covariance: Floats
    unit: Whole
    degrees: Floats

    def of(self, cells: Whole | Mask) -> "CellEstimates":
        """Return some cells, given by number or as a mask."""
        covariance = self.covariance[cells][:, cells]
        return CellEstimates(self.values[cells], covariance, self.unit[cells], self.degrees[cells])

    def satterthwaite(self, parts: Floats, *, size: float) -> tuple[float, float]:
        """Return (variance, degrees of freedom) of a sum of parts by cell; not a number: no such variance.

        size: what the sum would be if none of its terms were taken off; what is tiny beside it is none."""
        _, first, place = np.unique(self.unit, return_index=True, return_inverse=True)
        by_unit = np.bincount(place, parts)
        variance = float(by_unit.sum())
        if not (np.isfinite(variance) and variance > ROUNDING * size):
            return np.nan, np.nan
        return variance, variance**2 / float((by_unit**2 / self.degrees[first]).sum())


@dataclass(frozen=True, slots=True)
class Contrast:
    """A weighted sum of cells. standard_error and what follows: not a number where a cell has no error."""

    value: float
    standard_error: float
    degrees: float
    p: float


def estimate_contrast(weights: Floats, cells: CellEstimates) -> Contrast:
    """How large is a weighted sum of estimates, and how sure is it?

    Two-sided p from Student's t with Satterthwaite's degrees of freedom over the units."""
    used = np.abs(weights) > TOLERANCE
    weights, cells = weights[used], cells.of(used)
    value = float(weights @ cells.values)
    variance, degrees = cells.satterthwaite(
        weights * (cells.covariance @ weights), size=_size(weights[:, None], cells.covariance)
    )
    if np.isnan(variance):
        return Contrast(value, *[np.nan] * 3)
    error = variance**0.5
    p = float(2 * stdtr(degrees, -abs(value) / error))
    return Contrast(value, error, degrees, p)


def _size(columns: Floats, covariance: Floats) -> float:
    """Return the sum of the variances of combinations of cells, all terms taken without their signs."""
    return float((np.abs(columns) * (np.abs(covariance) @ np.abs(columns))).sum())


@dataclass(frozen=True, slots=True)
class TermTest:
    """A sum of squares; noise: its average if there were errors alone; F, its degrees of freedom, and p."""

    sum_of_squares: float
    noise: float
    f: float
    df1: float
    df2: float
    p: float


def analyse_term(basis: Floats, cells: CellEstimates) -> TermTest:
    """How much of the variation of the cells lies in these columns, and is it more than errors make?

    basis: orthonormal columns, shape (cells, degrees of freedom), orthogonal to the mean. Not a number: a
    cell has no error, or no cell has any."""
    used = (basis**2).sum(axis=1) > TOLERANCE
    basis, cells = basis[used], cells.of(used)
    squares = float(((basis.T @ cells.values) ** 2).sum())
    turned = cells.covariance @ basis
    noise, df2 = cells.satterthwaite((basis * turned).sum(axis=1), size=_size(basis, cells.covariance))
    if np.isnan(noise):
        return TermTest(squares, *[np.nan] * 5)
    df1 = noise**2 / float(((basis.T @ turned) ** 2).sum())
    return TermTest(
        sum_of_squares=squares,
        noise=noise,
        f=squares / noise,
        df1=df1,
        df2=df2,
        p=float(fdtrc(df1, df2, squares / noise)),
    )
