"""Factorial effects on a task-array: effects of factors, training size and interactions on a method's values.

The tasks are the cells of the design, and the task instances the replicates. Effects are least-squares
contrasts of the cells, with equal weights of all cells. In a complete design they are plain differences of
averages. Their errors are propagated from those of the cells, with Satterthwaite's degrees of freedom. Terms
of several contrasts are tested by the ANOVA-type statistic of Brunner, Dette and Munk 1997, "Box-type
approximations in nonparametric factorial designs", JASA 92. For one contrast it is the square of Welch's t.
Terms that a design with holes cannot separate are not estimated.

The learning slope is the slope of the values against the logarithm of the training set's size."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import exp, log2

import numpy as np
import pyarrow as pa
from scipy.special import fdtrc, stdtr, stdtrit

from delvecore.losses.spec import is_logarithmic
from delvecore.model import Factor, Level
from delvecore.stats.array_types import Floats, Mask, Row, Whole
from delvecore.stats.arrays.results import ArrayResults, CellEstimates
from delvecore.stats.choose import DEFAULT_SETTING, Setting
from delvecore.stats.p_adjustment import adjust
from delvecore.stats.verdicts import bounds_by_verdict, interval_significance, verdicts
from delvecore.tables import ARRAY_EFFECTS, LEARNING_SLOPES

TOLERANCE = 1e-9
Term = tuple[int, ...]
"""Positions of the factors in a term; the empty term is the mean."""


TRAINING_SIZE = "training size"
"""Name of the factor that every array has in addition to its own. The names of its levels are the sizes."""


def level_codes(factor: Factor) -> Floats:
    """Return the levels of a factor coded in columns that sum to zero, shape (levels, levels - 1).

    Two levels are -1 and 1. The first column of training sizes is the position of log2 of the size, with the
    ends 2 apart. Other columns are orthogonal to it and to each other, of length 1."""
    count = len(factor.levels)
    if count == 2:
        return np.array([[-1.0], [1.0]])
    ends = []
    if factor.name == TRAINING_SIZE:
        line = np.array([log2(int(level.name)) for level in factor.levels])
        ends = [2 * (line - line.mean()) / (line.max() - line.min())]
    basis = np.column_stack([np.ones(count), *ends, np.eye(count)])
    columns = np.linalg.qr(basis)[0][:, 1:]
    return np.column_stack([*ends, columns[:, len(ends) :]])


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """Terms (tuples of factor positions; the empty one, first, is the mean) fitted to cells by least squares.

    Attributes
    ----------
    columns : tuple of slice
        Columns of each term.
    solution : Floats
        Coefficients from cells, shape (columns, cells).
    rest : Floats
        Orthonormal columns of the space that the terms do not span, shape (cells, free).
    hidden : Floats
        Projection on the part that the cells do not identify, shape (columns, columns); zero if all terms can
        be estimated.
    """

    factors: tuple[Factor, ...]
    terms: tuple[Term, ...]
    columns: tuple[slice, ...]
    solution: Floats
    rest: Floats
    hidden: Floats

    def aliases(self, term: Term) -> tuple[Term, ...]:
        """Return the terms that the design cannot separate from this one, empty if it can be estimated."""
        rows = self.hidden[self.columns[self.terms.index(term)]]
        if not np.abs(rows).max(initial=0.0) > TOLERANCE:
            return ()
        near = [np.abs(rows[:, columns]).max() > TOLERANCE for columns in self.columns]
        return tuple(o for o, is_near in zip(self.terms, near, strict=True) if is_near and o != term) or (
            term,
        )

    def combination(self, term: Term, weights: Sequence[float] | Floats) -> Floats | None:
        """Return the weights of cells for a combination of a term's coefficients, None if it cannot be
        estimated."""
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


def make_design(factors: Sequence[Factor], cells: Whole, *, order: int) -> Design:
    """Fit the mean, all factors and their interactions of up to `order` factors to some cells.

    cells: number of the level of each factor, shape (cells, factors), each combination at most once."""
    numbers = range(len(factors))
    terms = tuple(term for size in range(order + 1) for term in combinations(numbers, size))
    codes = [level_codes(factor)[cells[:, number]] for number, factor in enumerate(factors)]
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
    return Design(tuple(factors), terms, columns, solution, rest=left[:, rank:], hidden=hidden)


@dataclass(frozen=True, slots=True)
class EffectTest:
    """Test of a contrast or a term. The statistic, t or F, is value / error.

    Without an error of a cell, all fields but `value` are NaN.

    Attributes
    ----------
    value : float
        Weighted sum of cells, or the sum of squares of a term.
    error : float
        Standard error, or the expected sum of squares from errors alone.
    df, df2 : float
        Degrees of freedom; df is 1 for a contrast.
    p : float
        Two-sided for a contrast, upper tail for a term.
    """

    value: float
    error: float = np.nan
    df: float = np.nan
    df2: float = np.nan
    p: float = np.nan


def estimate_contrast(weights: Floats, cells: CellEstimates) -> EffectTest:
    """Contrast of cells, with its standard error and Welch's t-test (Satterthwaite's degrees of freedom).

    Examples
    --------
    >>> cells = CellEstimates(np.array([1.0, 3, 2, 6]), np.eye(4) / 4, np.arange(4), np.ones(4))
    >>> result = estimate_contrast(np.array([-0.5, -0.5, 0.5, 0.5]), cells)
    >>> result.value, result.error, round(result.p, 4)
    (2.0, 0.5, 0.0161)
    """
    used = np.abs(weights) > TOLERANCE
    weights, cells = weights[used], cells.of(used)
    value = float(weights @ cells.values)
    variance, degrees = cells.satterthwaite(
        weights * (cells.covariance @ weights), size=_size(weights[:, None], cells.covariance)
    )
    if np.isnan(variance):
        return EffectTest(value)
    error = variance**0.5
    p = float(2 * stdtr(degrees, -abs(value) / error))
    return EffectTest(value, error, 1, degrees, p)


def _size(columns: Floats, covariance: Floats) -> float:
    """Return the sum of the variances of combinations of cells, with absolute values of all terms."""
    return float((np.abs(columns) * (np.abs(covariance) @ np.abs(columns))).sum())


def analyze_term(basis: Floats, cells: CellEstimates) -> EffectTest:
    """ANOVA-type statistic of Brunner, Dette and Munk: do the cells vary along these columns?

    basis: orthonormal columns, shape (cells, degrees of freedom), orthogonal to the mean. The test is NaN
    if a cell has no error, or if all errors are zero."""
    used = (basis**2).sum(axis=1) > TOLERANCE
    basis, cells = basis[used], cells.of(used)
    squares = float(((basis.T @ cells.values) ** 2).sum())
    turned = cells.covariance @ basis
    noise, df2 = cells.satterthwaite((basis * turned).sum(axis=1), size=_size(basis, cells.covariance))
    if np.isnan(noise):
        return EffectTest(squares)
    f, df1 = squares / noise, noise**2 / float(((basis.T @ turned) ** 2).sum())
    return EffectTest(squares, noise, df1, df2, p=float(fdtrc(df1, df2, f)))


LOG, RAW = "log", "raw"
SCALES = (LOG, RAW)
MEAN, TERM, LINEAR, LEVEL, REST = "mean", "term", "linear", "level", "rest"
ONLY = "only where"
APART = (
    "instances share cases: errors are corrected for this, and errors of different tasks are taken as "
    "independent"
)
EVERY = (ONLY, APART)
"""Beginnings of notes on all effects of a method: on missing levels, and on its errors."""
NO_VARIANCE = "no error: a task has only one instance, or its values do not vary"


def array_effects(
    data: ArrayResults,
    *,
    methods: Sequence[str] | None = None,
    order: int = 2,
    scale: str | None = None,
    setting: Setting = DEFAULT_SETTING,
) -> pa.Table:
    """Factorial effects on a method's values (standardized losses), and interactions. Schema `ARRAY_EFFECTS`.

    methods: None for all. order: maximum number of factors of an interaction; the row `rest` has those of
    higher order. scale: `log` (effects are factors of the values, see ratio) or `raw`. The default is `log`
    if all values are above zero and are not log probabilities, otherwise `raw`. Raises ValueError for an
    impossible `log`, and for an unknown scale or method.

    Kinds of rows:

    - `mean`: mean of all tasks.
    - `term`: a factor or interaction, with its sum of squares, its share of the variation between tasks, its
      test, and its effect if it is a single contrast.
    - `linear`: the contrast of a term with training size that follows log2 of the size, from the smallest to
      the largest.
    - `level`: distance of one of three or more unordered levels from the average of all.
    - `rest`: interactions of higher order.

    The effect of a factor of two levels is the average at the second minus the average at the first. The
    effect of an interaction is half the difference of the effect of one factor between the ends of the other.
    noise_share: mean share from errors alone. contrast, contrasted: labels and names of the levels in a row,
    which are the ends of a factor, or the single level in rows of the kind `level`. p_adjusted, lower, upper:
    by the setting, over all effects of a method.

    In an array with holes, the numbers are least squares on the tasks with results; left_out names the
    others. Shares then need not add up to 1. Terms that cannot be separated have a note and no numbers."""
    used = _used_scale(data, scale)
    numbers = range(len(data.methods)) if methods is None else [data.method_number(name) for name in methods]
    fits: dict[bytes, tuple[Design, dict[str, str]]] = {}
    rows: list[Row] = []
    for number in numbers:
        known = np.isfinite(data.value[:, number])
        pattern = known.tobytes()
        fits[pattern] = fits.get(pattern) or _fit(data, known, order)
        left_out = [
            f"{' '.join(cell.levels)}, {cell.training_size} training cases: {why}"
            for cell, why in zip(data.cells, data.missing[:, number].tolist(), strict=True)
            if why
        ]
        facts: Row = {
            "method": data.methods[number],
            "loss": data.measure.key,
            "scale": used,
            "left_out": left_out,
        }
        cells = np.flatnonzero(known)
        apart = APART if _overlaps(data, cells) else None
        estimates = _cell_estimates(data, number, used).of(cells)
        method_rows = list(_method_rows(*fits[pattern], estimates, apart=apart))
        for row in _adjusted(method_rows, "effect", setting):
            effect = row.get("effect")
            ratio = exp(effect) if used == LOG and isinstance(effect, float) else None
            rows.append(facts | row | {"tasks": int(known.sum()), "ratio": ratio})
    return pa.Table.from_pylist(rows, schema=ARRAY_EFFECTS)


def _used_scale(data: ArrayResults, scale: str | None) -> str:
    """Return the requested scale, or the default for the values."""
    if scale not in (None, *SCALES):
        raise ValueError(f"expected one of the scales {', '.join(SCALES)}, got {scale!r}")
    known = data.value[~np.isnan(data.value)]
    is_log = data.measure.is_loss and is_logarithmic(data.measure.key)
    possible = not is_log and bool((known > 0).all())
    if scale == LOG and not possible:
        one, several = ("standardized loss", "losses") if data.measure.is_loss else ("value", "values")
        why = "log probabilities have no zero" if is_log else f"a {one} is not above zero"
        raise ValueError(f"there is no log scale for these {several}, because {why}; use the scale {RAW}")
    return scale or (LOG if possible else RAW)


def _cell_estimates(data: ArrayResults, method: int, scale: str) -> CellEstimates:
    """Return the values of a method, by its number, on a scale, with their covariances."""
    estimates = data.estimates
    value, covariance = estimates.values[method], estimates.covariance[method]
    if scale == LOG:
        value, covariance = np.log(value), covariance / np.outer(value, value)
    return CellEstimates(value, covariance, estimates.unit[method], estimates.degrees[method])


def _overlaps(data: ArrayResults, cells: Whole) -> bool:
    """Do instances of any of these cells share cases?"""
    return not data.remarks.keys().isdisjoint(cells.tolist())


def _fit(data: ArrayResults, known: Mask, order: int) -> tuple[Design, dict[str, str]]:
    """Return the design for the cells and levels with results, and the factors with results at only one
    level, with that level."""
    sizes = tuple(Level(str(size), str(size)) for size in data.sizes)
    whole = (*data.array.factors, Factor(TRAINING_SIZE, sizes))
    every = np.array([(*cell.levels, str(cell.training_size)) for cell in data.cells], dtype=object)
    used = np.flatnonzero(known)
    present = [set(every[used, k]) for k in range(len(whole))]
    kept = [
        tuple(level for level in factor.levels if level.name in names)
        for factor, names in zip(whole, present, strict=True)
    ]
    several = [k for k, levels in enumerate(kept) if len(levels) > 1]
    factors = [Factor(whole[k].name, kept[k]) for k in several]
    places = {k: {level.name: place for place, level in enumerate(kept[k])} for k in several}
    cells = np.array([[places[k][every[cell, k]] for k in several] for cell in used], dtype=int)
    design = make_design(factors, cells.reshape(len(used), len(several)), order=min(order, len(several)))
    return design, {whole[k].name: kept[k][0].name for k in range(len(whole)) if len(kept[k]) == 1}


def _method_rows(
    design: Design, single: dict[str, str], cells: CellEstimates, *, apart: str | None
) -> Iterator[Row]:
    """Yield the rows of one method. single: see `_fit`; apart: note on all its errors."""
    if not len(cells.values):
        yield {"kind": MEAN, "term": MEAN, "factors": [], "note": "no results"}
        return
    total = float(((cells.values - cells.values.mean()) ** 2).sum())
    only = [f"{ONLY} {name} is {level}" for name, level in single.items()]
    rows = [row for term in design.terms for row in _term_rows(design, term, cells, total)]
    if df := design.rest.shape[1]:
        rest: Row = {"kind": REST, "term": "interactions of higher order", "factors": []}
        rows.append(rest | _tested(analyze_term(design.rest, cells), total, df))
    for row in rows:
        notes = (row.get("note"), *only, apart)
        yield row | {"note": "; ".join(str(note) for note in notes if note) or None}
    for name, only_level in single.items():
        note = f"not estimable: there are results at only one level ({only_level})"
        yield {"kind": TERM, "term": name, "factors": [name], "note": note}


def _term_rows(design: Design, term: Term, cells: CellEstimates, total: float) -> Iterator[Row]:
    factors = [design.factors[k] for k in term]
    row: Row = {"kind": TERM if term else MEAN, "factors": [factor.name for factor in factors]}
    row["term"] = _term_name(design, term)
    aliases = design.aliases(term)
    if aliases:
        names = ", ".join(_term_name(design, other) for other in aliases)
        row["note"] = f"not estimable: the tasks with results do not separate it from {names}"
    elif term and (basis := design.basis(term)) is not None:
        row |= _tested(analyze_term(basis, cells), total, basis.shape[1])
    is_single = all(len(factor.levels) == 2 for factor in factors)
    if is_single:
        yield row | _effect(design, term, [2.0 if term else 1.0], cells)
        return
    yield row
    yield from _parts(design, term, cells)


def _parts(design: Design, term: Term, cells: CellEstimates) -> Iterator[Row]:
    """Yield the contrasts of a term with several contrasts: its linear one, or its levels."""
    factors = [design.factors[k] for k in term]
    row: Row = {"term": _term_name(design, term), "factors": [factor.name for factor in factors]}
    more = [factor for factor in factors if len(factor.levels) > 2]
    if len(more) == 1 and more[0].name == TRAINING_SIZE:
        weights = np.zeros(len(more[0].levels) - 1)
        weights[0] = 2.0
        yield row | {"kind": LINEAR} | _effect(design, term, weights, cells)
    elif len(factors) == 1:
        for level, codes in zip(factors[0].levels, level_codes(factors[0]), strict=True):
            effect = _effect(design, term, codes, cells)
            of_level: Row = {
                "contrast": f"{level.label} minus the average of all",
                "contrasted": [level.name],
            }
            yield row | {"kind": LEVEL} | effect | of_level


def _effect(design: Design, term: Term, weights: Sequence[float] | Floats, cells: CellEstimates) -> Row:
    """Return the columns of one contrast of a term, or only a note if it cannot be estimated."""
    of_cells = design.combination(term, weights)
    if of_cells is None:
        return {} if len(weights) == 1 else {"note": "not estimable from the tasks with results"}
    contrast = estimate_contrast(of_cells, cells)
    row: Row = {"effect": contrast.value}
    if len(term) == 1:
        # The direction of a main effect, `from 8 inputs to 32 inputs`, and its ends.
        first, *_, last = design.factors[term[0]].levels
        row |= {"contrast": f"from {first.label} to {last.label}", "contrasted": [first.name, last.name]}
    if np.isnan(contrast.error):
        return row | {"note": NO_VARIANCE}
    row |= {"standard_error": contrast.error, "degrees": contrast.df2}
    # A zero mean is not a hypothesis of interest.
    return row | {"p": contrast.p} if term else row


def _adjusted(rows: Sequence[Row], name: str, setting: Setting) -> list[Row]:
    """Return the rows of a method with p adjusted over all of them, and intervals that agree with it.

    A row with an error but without p has a single interval. name: column of the tested quantity."""
    columns = (name, "standard_error", "degrees", "p")
    numbers = [[row.get(column) for column in columns] for row in rows]
    value, error, degrees, p = np.array(numbers, dtype=float).reshape(-1, 4).T
    adjusted = adjust(p, method=setting.adjust, untested=True)
    alpha = interval_significance(adjusted, method=setting.adjust, alpha=setting.alpha)
    is_tested = ~np.isnan(p)
    reach = -stdtrit(degrees, np.where(is_tested, alpha, setting.alpha) / 2) * error
    ends = value - reach, value + reach
    agreeing = bounds_by_verdict(*ends, verdicts(value, adjusted, level=setting.level))
    lower, upper = (np.where(is_tested, *pair) for pair in zip(agreeing, ends, strict=True))
    adjusted_columns = {"p_adjusted": adjusted, "lower": lower, "upper": upper}
    return [
        row
        | {
            key: float(column[number])
            for key, column in adjusted_columns.items()
            if not np.isnan(column[number])
        }
        for number, row in enumerate(rows)
    ]


def _term_name(design: Design, term: Term) -> str:
    return " x ".join(design.factors[k].name for k in term) or MEAN


def _tested(test: EffectTest, total: float, df: int) -> Row:
    row: Row = {"sum_of_squares": test.value, "df": df}
    row["share"] = test.value / total if total > 0 else None
    f = test.value / test.error
    if np.isnan(f):
        return row | {"note": NO_VARIANCE}
    row["noise_share"] = test.error / total if total > 0 else None
    return row | {"f": f, "df1": test.df, "df2": test.df2, "p": test.p}


ONE_SIZE = "results for only one size of training sets: there is no slope"


def learning_slopes(
    data: ArrayResults, *, scale: str | None = None, setting: Setting = DEFAULT_SETTING
) -> pa.Table:
    """Learning slopes: change of the values with each doubling of the training set.

    Schema `LEARNING_SLOPES`, one row per member x method, members in the order of the grid. slope: of the
    least-squares line through the values (their natural logarithms on the scale `log`) against log2 of the
    size, with equal weights of all sizes. The slope of a method that learns is below zero, or above zero if
    higher is better. ratio: exp(slope), the factor of the values for each doubling; null on the scale `raw`.
    Error, interval and p (of a zero slope) are propagated from the task instances. The line is a summary:
    curves need not be straight. p_adjusted, lower, upper: by the setting, over all slopes of a method. scale:
    as in `array_effects`. sizes: those with results; holes and single sizes have a row with a note."""
    used = _used_scale(data, scale)
    members: dict[tuple[str, ...], list[int]] = {}
    for number, cell in enumerate(data.cells):
        members.setdefault(cell.levels, []).append(number)
    curves = [_cell_estimates(data, number, used) for number in range(len(data.methods))]
    facts: Row = {"loss": data.measure.key, "scale": used}
    places = [facts | data.cells[numbers[0]].row for numbers in members.values()]
    by_method = []
    for method, curve in enumerate(curves):
        slopes = [_slope(data, method, curve, np.array(numbers), used) for numbers in members.values()]
        by_method.append(_adjusted(slopes, "slope", setting))
    rows = [place | slopes[k] for k, place in enumerate(places) for slopes in by_method]
    return pa.Table.from_pylist(rows, schema=LEARNING_SLOPES)


def _slope(data: ArrayResults, method: int, curve: CellEstimates, numbers: Whole, scale: str) -> Row:
    """Return the columns about one method on the cells of one member."""
    used = numbers[np.isfinite(curve.values[numbers])]
    sizes = [data.cells[number].training_size for number in used]
    row: Row = {"method": data.methods[method], "sizes": sizes}
    if len(used) < 2:
        reasons = dict.fromkeys(data.missing[numbers, method].tolist())
        return row | {"note": ONE_SIZE if len(used) else ", ".join(filter(None, reasons))}
    line = np.log2(np.array(sizes, dtype=float))
    line -= line.mean()
    contrast = estimate_contrast(line / (line @ line), curve.of(used))
    row |= {"slope": contrast.value, "ratio": exp(contrast.value) if scale == LOG else None}
    if np.isnan(contrast.error):
        return row | {"note": NO_VARIANCE}
    row |= {"standard_error": contrast.error, "degrees": contrast.df2, "p": contrast.p}
    return row | {"note": APART if _overlaps(data, used) else None}
