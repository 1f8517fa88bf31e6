"""Comparisons of all pairs of methods on every task and loss, as far as they can be compared.

The table of losses has one block per task and loss. The pairs of a block form pieces with the same analysis.
A block is one piece if its methods have the same instances and test cases; otherwise each pair is a piece.
Pieces of one design are tested together, by the DELVE manual, sections 8.1 and 8.2. The workers of a
cluster can each compute the comparisons of some tasks.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby
from operator import attrgetter
from typing import NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.errors import DelveError
from delvecore.losses.spec import NO_MEASURES, measure_named
from delvecore.measures import Measure, Measures
from delvecore.model import Scheme, TaskId
from delvecore.number_format.columns import rows_where
from delvecore.parallel.processes import CarryOut, in_order, in_threads
from delvecore.stats import notes
from delvecore.stats.array_types import Floats, Mask, Whole
from delvecore.stats.choose import (
    ANALYSES,
    DEFAULT_SETTING,
    FEWEST_COMMON_CASES,
    Setting,
    is_significant,
)
from delvecore.stats.designs import Design
from delvecore.stats.losses import anova, behrens_fisher, results
from delvecore.stats.losses.anova import (
    NOISE,
    MeanSquares,
    PairSquares,
    f_upper_tail,
    harmonic_mean,
    pair_mean_squares,
    pair_of_rows,
)
from delvecore.stats.losses.behrens_fisher import Reference
from delvecore.stats.losses.case_tests import pair_case_squares, smallest_case_p
from delvecore.stats.losses.resampled_t import (
    correct_for_overlap,
    pair_instance_squares,
    percentile_bounds,
    shared_notes,
    smallest_percentile_p,
    with_counts,
)
from delvecore.stats.losses.results import Block, Losses, read_losses
from delvecore.stats.notes import UNTESTED, Note, words_of
from delvecore.stats.orientation import oriented
from delvecore.stats.p_adjustment import adjust
from delvecore.stats.verdicts import bounds_by_verdict, interval_significance, verdicts
from delvecore.tables import COMPARISONS, rows_of

# Possible remarks on a comparison; bit k of `PairComparisons.remarks` means REMARKS[k].
REMARKS = (
    *(*notes.CLIPPED.values(), notes.IDENTICAL, notes.NOT_FINITE),
    *(notes.ONE_TRAINING_SET, notes.ONE_TEST_CASE, notes.TOO_LARGE, notes.ZERO_VARIANCE),
    notes.FEW_TEST_CASES,
)
_BIT = {note: 1 << k for k, note in enumerate(REMARKS)}


class PairComparisons(NamedTuple):
    """The pairs first < second of methods as arrays, with the fields of `records.Comparison`.

    Attributes
    ----------
    difference : Floats
        Oriented mean of first minus second; first is better below zero. NaN marks a missing difference, see
        `remark_notes(remarks)`. The statistic is the difference divided by the error of `reference`, which is
        the source of p.
    df1 : Floats
        Degrees of freedom of the training sets.
    df2 : Floats
        Degrees of freedom of the test cases, NaN if every training set has its own.
    p_delve : Floats
        p of DELVE 1.1, by its quasi-F test on a common test set, even with too few test cases for p.
    """

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
    reference: Reference

    def of(self, rows: Mask | Whole) -> "PairComparisons":
        """Return some of the rows."""
        reference = Reference(*(column[rows] for column in self.reference))
        return PairComparisons._make([*(column[rows] for column in self[:-1]), reference])


def analyze_pairs(
    pairs: PairSquares,
    *,
    instances: float | Floats,
    test_cases: float | Floats,
    most_df: float | Floats = np.inf,
) -> PairComparisons:
    """t-test of differences on disjoint test sets, Behrens-Fisher test on a common test set, exact to 1e-9.

    `pairs` has the mean squares of the pairs. `instances`, `test_cases` and `most_df` may vary by pair.
    `most_df` limits the degrees of freedom on disjoint test sets, see `Design.most_df`. Source: DELVE manual,
    equations 3 to 9 and 12 to 21.

    Examples
    --------
    >>> losses = np.array([[[1.0, 3.0], [5.0, 7.0]], [[0.0, 0.0], [0.0, 0.0]]])
    >>> pairs = anova.pair_mean_squares(losses, design="hierarchical")
    >>> analyze_pairs(pairs, instances=2, test_cases=2).p.round(4).tolist()  # t = 4 / 2, df = 1
    [0.2952]
    """
    shape = {"instances": instances, "test_cases": test_cases}
    squares = pairs.squares
    finite = np.isfinite(np.array([s for s in squares if s is not None])).all(axis=0)
    spread = squares.training if squares.cases is None else squares.training + squares.cases
    with np.errstate(all="ignore"):
        components, error_variance = anova.components(squares, **shape)
        tested = finite & (spread > 0)
        enough = tested & (squares.cases is None or np.greater_equal(test_cases, FEWEST_COMMON_CASES))
        reference = _reference(squares, enough, most_df, **shape)
        statistic = squares.mean / reference.error
        if squares.cases is None:
            p = p_delve = f_upper_tail(statistic**2, 1, reference.df)
        else:
            p = behrens_fisher.two_sided_p(reference, squares.mean)
            p_delve = f_upper_tail(*anova.quasi_f(squares, **shape))
        tests = np.array([statistic, reference.df, reference.cases_df, p, p_delve])
    cases = np.full(len(finite), np.nan) if components.cases is None else components.cases
    variances = np.array([error_variance, components.training, cases, components.residual])
    variances[:, ~finite] = np.nan
    tests[:-1, ~enough] = tests[-1, ~tested] = np.nan
    remarks = _remarks(pairs, finite, tested, shape)
    remarks |= np.where(tested & ~enough, _BIT[notes.FEW_TEST_CASES], 0)
    columns = [*pairs[:4], squares.mean, *variances**0.5, *tests, remarks]
    return PairComparisons._make([*columns, reference])


def _reference(
    squares: MeanSquares[Floats],
    tested: Mask,
    most_df: float | Floats,
    *,
    instances: float | Floats,
    test_cases: float | Floats,
) -> Reference:
    """Return the distribution of each difference; NaN without a test."""
    every = [np.broadcast_to(np.asarray(one, dtype=float), tested.shape) for one in (instances, test_cases)]
    if squares.cases is None:
        error = (squares.training / (every[0] * every[1])) ** 0.5
        nothing, df = np.zeros_like(error), np.minimum(every[0] - 1, most_df)
        reference = Reference(error, df, nothing * np.nan, nothing + 1, *[nothing] * 3)
    else:
        reference = behrens_fisher.reference(squares, instances=every[0], test_cases=every[1])
    return Reference(*(np.where(tested, column, np.nan) for column in reference))


def confidence_bounds(comparisons: PairComparisons, *, alpha: float | Floats) -> tuple[Floats, Floats]:
    """Confidence intervals of expected differences: (lower, upper).

    `alpha` is the significance level of all pairs, or one of each pair. Interval and p come from the same
    distribution, so the interval excludes zero if and only if p is below alpha. Bounds are NaN without p.
    """
    reach = behrens_fisher.half_width(comparisons.reference, alpha)
    return comparisons.difference - reach, comparisons.difference + reach


def remark_notes(remarks: int) -> tuple[notes.Note, ...]:
    """Return the remarks that a set of bits represents."""
    return tuple(note for note in REMARKS if _BIT[note] & remarks)


def _remarks(pairs: PairSquares, finite: Mask, tested: Mask, shape: Mapping[str, float | Floats]) -> Whole:
    """Return, in bits, variances set to zero, cautions, and the first reason why there is no test."""
    squares = pairs.squares
    remarks = np.where(finite & (squares.training < squares.residual), _BIT[notes.CLIPPED["training"]], 0)
    if squares.cases is not None:
        remarks |= np.where(finite & (squares.cases < squares.residual), _BIT[notes.CLIPPED["cases"]], 0)
    reasons = {
        notes.IDENTICAL: pairs.identical,
        notes.NOT_FINITE: ~np.isfinite(pairs.mean_a) | ~np.isfinite(pairs.mean_b),
        notes.ONE_TRAINING_SET: np.broadcast_to(np.less(shape["instances"], 2), finite.shape),
        # Instances that share cases have no residual, even with one test case each.
        notes.ONE_TEST_CASE: np.less(shape["test_cases"], 2) & np.isnan(squares.residual),
        notes.TOO_LARGE: ~finite,
        notes.ZERO_VARIANCE: ~tested,
    }
    holding = [~tested & holds for holds in reasons.values()]
    result: Whole = remarks | np.select(holding, [_BIT[note] for note in reasons], 0)
    return result


PAIRS_AT_ONCE = 200_000
"""Approximate number of pairs in one step if few are needed, which bounds the memory."""
_About = tuple[tuple[Note, ...], tuple[str, str]]
_REPORTED = PairComparisons._fields[2:-2]


@dataclass(frozen=True, slots=True)
class Piece:
    """Pairs of one block with the same analysis.

    Attributes
    ----------
    design : Design or None
        None without an analysis; notes give the reason.
    test_cases : float
        Harmonic mean of the sizes of test sets.
    shown : tuple[float, float] or None
        Instances and test cases in tables if they differ from those of the analysis; NaN if test sets differ
        in size.
    smallest_p : float
        Smallest possible p of the design.
    limit : tuple[Note, int] or None
        Note on the reason for this limit, without its number, and the number.
    """

    block: int
    design: Design | None
    instances: float
    test_cases: float
    pairs: PairSquares
    notes: tuple[Note, ...] = ()
    shown: tuple[float, float] | None = None
    smallest_p: float = 0.0
    limit: tuple[Note, int] | None = None

    def __len__(self) -> int:
        return len(self.pairs.first)


def _compare_block(
    data: Losses, number: int, block: Block, design: Design | None, measure: Measure
) -> Iterator[Piece]:
    """Compare the methods of a block by oriented values, in one piece if possible, otherwise pair by pair."""
    if design and design.is_unpaired:
        rows = [data.by_instance(block, method).values() for method in range(len(block.methods))]
        runs = [oriented(np.concatenate([*values]), measure) for values in rows]
        for a, b in combinations(range(len(runs)), 2):
            yield _compare_unpaired(number, (a, b), (runs[a], runs[b]), design)
        return
    stack = None if design and design.resubstitutes else data.stack(block)
    stack = None if stack is None else oriented(stack, measure)
    if stack is not None and not (design and with_counts(design, stack).by_counts):
        yield _compare_stack(number, stack, design)
        return
    by_method = [
        {instance: oriented(row, measure) for instance, row in data.by_instance(block, method).items()}
        for method in range(len(block.methods))
    ]
    for (a, losses_a), (b, losses_b) in combinations(enumerate(by_method), 2):
        shared = sorted(losses_a.keys() & losses_b.keys())
        rows_a, rows_b = [losses_a[i] for i in shared], [losses_b[i] for i in shared]
        # One method has one number per instance, a score, and the other has losses of test cases.
        sizes = [set(map(len, rows)) for rows in (rows_a, rows_b)]
        is_single = sizes.count({1}) == 1 and not {0} & sizes[0] & sizes[1]
        if is_single:
            rows_a, rows_b = ([row.mean(keepdims=True) for row in rows] for rows in (rows_a, rows_b))
        problem = _mismatch(shared, rows_a, rows_b, design)
        if problem:
            unknown, false = np.array([np.nan]), np.array([False])
            squares = MeanSquares(unknown, unknown, None, unknown)
            pairs = PairSquares(np.array([a]), np.array([b]), unknown, unknown, squares, false)
            yield Piece(number, None, np.nan, np.nan, pairs, notes=(problem,))
            continue
        compare = _compare_single if is_single else compare_rows
        piece = compare(number, rows_a, rows_b, design)
        counts = (len(shared), len(losses_a), len(losses_b))
        subset = (notes.SHARED_INSTANCES.of(*counts),) if len(set(counts)) > 1 else ()
        pairs = piece.pairs._replace(first=np.array([a]), second=np.array([b]))
        yield replace(piece, pairs=pairs, notes=subset + piece.notes)


def compare_rows(
    number: int, rows_a: Sequence[Floats], rows_b: Sequence[Floats], design: Design | None
) -> Piece:
    """Compare two methods. J is the harmonic mean of the sizes of disjoint test sets if these differ."""
    sizes = np.array(list(map(len, rows_a)))
    if (sizes == sizes[0]).all():
        return _compare_stack(number, np.array([rows_a, rows_b]), design)
    if design and design.overlaps:
        return _compare_overlap(number, np.array([*map(np.concatenate, (rows_a, rows_b))]), sizes, design)
    pairs = pair_of_rows(rows_a, rows_b, design="hierarchical")
    return Piece(number, design, len(sizes), harmonic_mean(sizes), pairs, shown=(len(sizes), np.nan))


def _compare_single(number: int, rows_a: list[Floats], rows_b: list[Floats], design: Design | None) -> Piece:
    """Compare two methods by one number per instance. Results of a common test set apply to it only."""
    stack = np.array([rows_a, rows_b])
    if design is None or (design.overlaps and not design.is_common):
        return _compare_stack(number, stack, design)
    return (
        _compare_stack(number, stack, design.of_single_numbers)
        if design.is_common
        else _compare_overlap(number, stack.reshape(2, -1), np.ones(len(rows_a), dtype=int), design)
    )


def _compare_stack(number: int, stack: Floats, design: Design | None) -> Piece:
    methods, instances, test_cases = stack.shape
    if design and design.is_of_cases:
        return _compare_cases(number, stack, design)
    if design and design.overlaps and not design.is_common:
        return _compare_overlap(number, stack.reshape(methods, -1), np.full(instances, test_cases), design)
    pairs = pair_mean_squares(stack, design=design.selection if design else "hierarchical")
    remarks = (design.note if design else notes.UNKNOWN_TASK,)
    if design and design.overlaps:
        pairs = pairs._replace(squares=correct_for_overlap(pairs.squares, instances, design))
    return Piece(number, design, instances, test_cases, pairs, notes=tuple(filter(None, remarks)))


def _compare_unpaired(
    number: int, pair: tuple[int, int], runs: tuple[Floats, Floats], design: Design
) -> Piece:
    """Compare two methods by runs that are not paired: Welch's t-test (Biometrika 34, 1947).

    The difference has the squared error e = e_a + e_b, with e_m = s_m^2 / n_m, and degrees of freedom d = e^2
    / (e_a^2 / (n_a - 1) + e_b^2 / (n_b - 1)). The analysis uses d + 1 paired differences with the mean square
    (d + 1) e, which have the same error and degrees of freedom.
    """
    sizes = np.array(list(map(len, runs)))
    means = np.array([values.mean() for values in runs])
    instances, square = 1.0, np.nan
    if sizes.min() > 1:
        instances, total = _welch(runs, sizes)
        square = instances * total
    first, second, mean_a, mean_b = (np.array([value]) for value in (*pair, *means))
    difference, residual = means[0] - means[1], 0.0 if np.isfinite(means).all() else np.nan
    squares = MeanSquares(np.array([difference]), np.array([square]), None, np.array([residual]))
    identical = np.array([np.array_equal(np.sort(runs[0]), np.sort(runs[1]))])
    pairs = PairSquares(first, second, mean_a, mean_b, squares, identical)
    remarks = (design.note,) if design.note else ()
    shown = float(sizes[0]) if sizes[0] == sizes[1] else np.nan
    return Piece(number, design, instances, 1, pairs, remarks, shown=(shown, 1))


def _welch(runs: tuple[Floats, Floats], sizes: Whole) -> tuple[float, float]:
    """Return (degrees of freedom + 1, squared error of the difference of means)."""
    with np.errstate(over="ignore", invalid="ignore"):
        is_constant = np.array([np.ptp(values) <= NOISE * np.abs(values).max() for values in runs])
        errors = np.where(is_constant, 0.0, [np.var(values, ddof=1) for values in runs]) / sizes
        total = float(errors.sum())
        if total == 0:
            return float(sizes.min()), 0.0
        return 1 + float(total**2 / (errors**2 / (sizes - 1)).sum()), total


def _compare_cases(number: int, stack: Floats, design: Design) -> Piece:
    """Compare methods case by case. If there are several runs and no groups of cases, runs and cases both
    vary, like training sets and test cases."""
    _, runs, test_cases = stack.shape
    if not design.tests_cases(runs):
        plain = design._replace(scheme=Scheme.DISJOINT)
        return replace(_compare_stack(number, stack, plain), notes=(notes.CASE_RUNS,))
    design = with_counts(design, stack)
    pairs, units = pair_case_squares(stack.mean(axis=1), design.groups)
    remarks = (design.note,) if design.note else ()
    limit = (notes.FEW_GROUPS if design.groups else notes.FEW_CASES, units)
    piece = Piece(number, design, max(units, 2), 1, pairs, notes=remarks, shown=(runs, test_cases))
    return replace(piece, smallest_p=smallest_case_p(units), limit=limit)


def _compare_overlap(number: int, losses: Floats, sizes: Whole, design: Design) -> Piece:
    """Compare methods by the mean losses of instances that share cases: see `pair_instance_squares`."""
    design = with_counts(design, losses)
    pairs = pair_instance_squares(losses, sizes, design)
    remarks, shown = shared_notes(losses, len(sizes), design), (len(sizes), np.nan)
    is_unequal = bool((sizes != sizes[0]).any())
    piece = Piece(
        number, design, len(sizes), harmonic_mean(sizes), pairs, remarks, shown=shown if is_unequal else None
    )
    if pairs.samples is None:
        return piece
    samples = pairs.samples.shape[1]
    return replace(piece, smallest_p=smallest_percentile_p(samples), limit=(notes.FEW_SAMPLES, samples))


def _mismatch(
    shared: list[int], rows_a: list[Floats], rows_b: list[Floats], design: Design | None
) -> Note | None:
    """Return the reason why two methods cannot be compared on their common instances, or None."""
    if not shared:
        return notes.NO_SHARED_INSTANCE
    if design and design.resubstitutes and shared[0] != 0:
        return notes.NO_RESUBSTITUTION
    for instance, a, b in zip(shared, rows_a, rows_b, strict=True):
        if len(a) != len(b):
            return notes.UNEQUAL_LOSSES.of(instance, len(a), len(b))
    lengths = sorted(set(map(len, rows_a)))
    if 0 in lengths or (len(lengths) > 1 and (design is None or design.is_common)):
        return notes.MIXED_SIZES.of(*lengths)
    return None


def _analyze(pieces: list[Piece]) -> tuple[Whole, PairComparisons]:
    """Return the piece of each row, ascending, and the rows.

    All pieces with squares of cases are analyzed at once, and all pieces without.
    """
    comparisons, origins = [], []
    for is_crossed in (False, True):
        numbers = [n for n, one in enumerate(pieces) if (one.pairs.squares.cases is not None) is is_crossed]
        if not numbers:
            continue
        some = [pieces[number] for number in numbers]
        counts = list(map(len, some))
        parts = zip(*(piece.pairs.squares for piece in some), strict=True)
        squares: MeanSquares[Floats] = MeanSquares._make(
            None if one[0] is None else np.concatenate(one) for one in parts
        )
        names = ("first", "second", "mean_a", "mean_b", "identical")
        *ends, identical = (np.concatenate([getattr(one.pairs, name) for one in some]) for name in names)
        origins.append(np.repeat(numbers, counts))
        shape = [
            (one.instances, one.test_cases, one.design.most_df if one.design else np.inf) for one in some
        ]
        instances, test_cases, most_df = np.repeat(np.array(shape, dtype=float), counts, axis=0).T
        shapes = {"instances": instances, "test_cases": test_cases, "most_df": most_df}
        comparisons.append(
            analyze_pairs(PairSquares._make([*ends, squares, identical, None, None]), **shapes)
        )
    origin = np.concatenate(origins)
    order = np.argsort(origin, kind="stable")
    *columns, references = zip(*comparisons, strict=True)
    reference = Reference(*map(np.concatenate, zip(*references, strict=True)))
    together = PairComparisons._make([*map(np.concatenate, columns), reference])
    together = together if len(comparisons) == 1 else together.of(order)
    unknown = np.array([piece.design is None for piece in pieces])[origin[order]]
    for column in (*together[5:-2], *together.reference):
        column[unknown] = np.nan
    together.remarks[unknown] = 0
    return origin[order], together


def compare_all(
    losses: pa.Table,
    tasks: pa.Table,
    standardizers: results.Standardizers,
    *,
    loss: str | None = None,
    methods: Collection[str] | None = None,
    against: Mapping[TaskId, Collection[str]] | None = None,
    setting: Setting = DEFAULT_SETTING,
    measures: Measures = NO_MEASURES,
) -> pa.Table:
    """Comparisons of all pairs of methods on every task and loss: one row per task x loss x pair.

    `losses` has one row per method x task x loss x instance, sorted as `read_losses` requires. `tasks` has
    the column `test_set_selection`. `standardizers` are described in `standardized_columns`. `loss` and
    `methods` select a loss and methods; None means all. `against` selects the pairs with one of these
    methods; their p is still adjusted for all pairs. `measures` has the measures that are not losses of
    DELVE.

    The result has the schema `COMPARISONS` and the order of `losses`. Means and differences, a minus b, are
    values of the measure. p_adjusted is over all pairs compared on the task under the loss; `compared` is
    their number. The verdict is on a. `_inferred` explains lower and upper.

    Methods are compared on the instances that both have. If these are not all, `note` reports it, and `notes`
    has the same remarks as codes (see `notes.Note`). A pair that cannot be compared has a row of nulls and
    its reason. Source: DELVE manual, sections 8.1 to 8.3.
    """
    if methods is not None:
        losses = rows_where(losses, pc.is_in(losses["method"], value_set=pa.array(methods, pa.string())))
    data = read_losses(losses, loss=loss)
    designs = results.designs_by_task(tasks)
    of_blocks = [measure_named(block.loss, measures) for block in data.blocks]
    pieces = (
        piece
        for number, (block, measure) in enumerate(zip(data.blocks, of_blocks, strict=True))
        if len(block.methods) > 1
        for piece in _compare_block(data, number, block, results.design_of(block, designs, measures), measure)
    )
    wanted = None
    if against is not None:  # of all methods, block by block, those that others are compared with
        each = [name in against.get(one.task, ()) for one in data.blocks for name in one.methods]
        wanted = np.array(each, dtype=bool)
    batches = _batches(pieces, None if against is None else PAIRS_AT_ONCE)

    def rows(batch: list[Piece]) -> pa.Table:
        return _compared(data.blocks, batch, standardizers, setting, wanted, of_blocks)

    compared = list(in_threads(rows, batches))
    return pa.concat_tables(compared) if compared else COMPARISONS.empty_table()


def _batches(pieces: Iterable[Piece], most: int | None) -> Iterator[list[Piece]]:
    """Yield batches of whole blocks. Each batch has about the given number of pairs, or all if `most` is
    None."""
    batch: list[Piece] = []
    for _, alike in groupby(pieces, attrgetter("block")):
        batch += alike
        if most is not None and sum(map(len, batch)) >= most:
            yield batch
            batch = []
    if batch:
        yield batch


def _compared(
    blocks: Sequence[Block],
    pieces: list[Piece],
    standardizers: results.Standardizers,
    setting: Setting,
    wanted: Mask | None,
    measures: Sequence[Measure],
) -> pa.Table:
    """Return the rows of `compare_all` for some pieces.

    `wanted` marks the methods, of all blocks, whose pairs are returned; None returns all pairs. `measures`
    has one measure per block. The bounds agree with the adjusted p: they exclude zero if and only if the
    difference is significant. Bounds of a step-down procedure are cut at zero for this.
    """
    origin, comparisons = _analyze(pieces)
    samples = _take_own_p(pieces, origin, comparisons)
    index = np.array([piece.block for piece in pieces])[origin]
    first_name = np.cumsum([0, *(len(block.methods) for block in blocks)])[index]
    p_adjusted, tested, alphas = _adjusted(comparisons.p, index, setting)
    pieces, is_testable = _reachable(pieces, origin, comparisons.p, index, setting)
    p_adjusted[~is_testable] = np.nan
    if wanted is not None:
        rows = np.flatnonzero(
            wanted[first_name + comparisons.first] | wanted[first_name + comparisons.second]
        )
        comparisons = comparisons.of(rows)
        origin, index, first_name = origin[rows], index[rows], first_name[rows]
        p_adjusted, tested, alphas = p_adjusted[rows], tested[rows], alphas[rows]
        is_testable = is_testable[rows]
        samples = {row: samples[old] for row, old in enumerate(rows.tolist()) if old in samples}
    lower, upper = confidence_bounds(comparisons, alpha=alphas)
    for row, drawn in samples.items():
        lower[row], upper[row] = percentile_bounds(drawn, alpha=float(alphas[row]))
    lower[~is_testable] = upper[~is_testable] = np.nan
    decisions = verdicts(comparisons.difference, p_adjusted, level=setting.level)
    lower, upper = bounds_by_verdict(lower, upper, decisions)
    higher = np.array([measure.higher_is_better for measure in measures], dtype=bool)[index]
    if higher.any():  # values of their measures, where higher is better
        names = ("mean_a", "mean_b", "difference", "statistic")
        turned = {
            name: np.where(higher, 0.0 - getattr(comparisons, name), getattr(comparisons, name))
            for name in names
        }
        lower, upper = np.where(higher, 0.0 - upper, lower), np.where(higher, 0.0 - lower, upper)
        comparisons = comparisons._replace(**turned)
    columns = results.key_columns(blocks, index) | _notes(blocks, pieces, origin, comparisons)
    names = pa.array([name for block in blocks for name in block.methods], pa.string())
    for column, method in (("method_a", comparisons.first), ("method_b", comparisons.second)):
        columns[column] = names.take(pa.array(first_name + method))
    overlaps = np.array([bool(piece.design and piece.design.overlaps) for piece in pieces])[origin]
    for spread in (comparisons.sd_training, comparisons.sd_cases, comparisons.sd_residual):
        spread[overlaps] = np.nan  # of training sets and cases, which cannot be separated
    comparisons.p_delve[overlaps] = comparisons.p[overlaps]
    shown = [piece.shown or (piece.instances, piece.test_cases) for piece in pieces]
    instances, test_cases = np.array(shown, dtype=float)[origin].T
    numbers = {"instances": instances, "test_cases": test_cases, "lower": lower, "upper": upper}
    numbers |= {"p_adjusted": p_adjusted, "compared": tested}
    numbers |= {name: getattr(comparisons, name) for name in _REPORTED}
    columns |= results.to_arrow(numbers, COMPARISONS)
    spreads = {
        "standardized_difference": comparisons.difference,
        "standardized_error": comparisons.standard_error,
    }
    standardized = results.standardized_columns(blocks, index, standardizers, means={}, spreads=spreads)
    columns |= results.to_arrow(standardized, COMPARISONS)
    codes = list(ANALYSES)  # by the design of the piece, which knows what losses there are
    made = np.array([codes.index(piece.design.analysis) if piece.design else 0 for piece in pieces])
    letters = pa.array([one.test for one in ANALYSES.values()])
    tests = letters.take(pa.array(made[origin], mask=np.isnan(comparisons.p)))
    columns |= {"test": tests, "verdict": pa.array(decisions, pa.string())}
    columns["adjustment"] = pa.repeat(setting.adjust, len(index))
    return pa.table(columns, schema=COMPARISONS)


def _take_own_p(pieces: list[Piece], origin: Whole, comparisons: PairComparisons) -> dict[int, Floats]:
    """Replace p in rows of pieces that have their own p.

    Returns the bootstrap samples by row, for rows whose p comes from percentiles.
    """
    samples: dict[int, Floats] = {}
    for number, piece in enumerate(pieces):
        if piece.pairs.p is None:
            continue
        start = int(np.searchsorted(origin, number))
        rows = start + np.flatnonzero(~np.isnan(comparisons.p[start : start + len(piece)]))
        comparisons.p[rows] = piece.pairs.p[rows - start]
        comparisons.statistic[rows] = comparisons.df1[rows] = np.nan
        if piece.pairs.samples is not None:
            samples |= zip(rows.tolist(), piece.pairs.samples[rows - start], strict=True)
    return samples


def _adjusted(p: Floats, block: Whole, setting: Setting) -> tuple[Floats, Floats, Floats]:
    """Adjust p over all pairs of each block.

    `block` has the ascending block number of each row. Returns the adjusted p, the number of tested pairs of
    the block, and the significance level of the interval.
    """
    p_adjusted, tested, alphas = (np.full(len(block), np.nan) for _ in range(3))
    ends = [0, *(np.flatnonzero(np.diff(block)) + 1).tolist(), len(block)]
    for rows in map(slice, ends, ends[1:]):
        p_adjusted[rows] = adjust(p[rows], method=setting.adjust, untested=True)
        tested[rows] = np.count_nonzero(~np.isnan(p[rows]))
        alphas[rows] = interval_significance(p_adjusted[rows], method=setting.adjust, alpha=setting.alpha)
    return p_adjusted, tested, alphas


def _reachable(
    pieces: list[Piece], origin: Whole, p: Floats, block: Whole, setting: Setting
) -> tuple[list[Piece], Mask]:
    """Return the pieces, with reasons, and whether any data of each row's design could be significant.

    The smallest adjusted p is that of data in which all pairs of a block have their smallest p.
    """
    smallest = np.where(np.isnan(p), np.nan, np.array([piece.smallest_p for piece in pieces])[origin])
    adjusted, *_ = _adjusted(smallest, block, setting)
    is_testable = np.isnan(p) | is_significant(adjusted, setting.alpha)
    noted = list(pieces)
    for number in np.unique(origin[~is_testable]).tolist():
        if (limit := pieces[number].limit) is not None:
            note = limit[0].of(limit[1], float(np.nanmin(adjusted[origin == number])))
            noted[number] = replace(pieces[number], notes=(*pieces[number].notes, note))
    return noted, is_testable


def _notes(
    blocks: Sequence[Block], pieces: list[Piece], origin: Whole, comparisons: PairComparisons
) -> dict[str, pa.Array]:
    """Return the notes as codes and in words; equal notes of many rows are put into words once."""
    note_numbers: dict[_About, int] = {}
    numbers = []
    for piece in pieces:
        about = ("", "")  # its methods, if it is one pair with notes
        if piece.notes and len(piece) == 1:
            methods, pairs = blocks[piece.block].methods, piece.pairs
            about = methods[pairs.first[0]], methods[pairs.second[0]]
        numbers.append(note_numbers.setdefault((piece.notes, about), len(note_numbers)))
    of_piece = np.array(numbers)
    combined = comparisons.remarks * len(note_numbers) + of_piece[origin]
    distinct, where = np.unique(combined, return_inverse=True)
    known, rows = list(note_numbers), pa.array(where)
    codes: list[list[str]] = []
    texts: list[str | None] = []
    for code in distinct.tolist():
        remarks, number = divmod(code, len(note_numbers))
        piece_notes, methods = known[number]
        all_notes = (*piece_notes, *remark_notes(remarks))
        if not UNTESTED.isdisjoint(note.code for note in piece_notes):  # why no variance is known
            all_notes = tuple(note for note in all_notes if note != notes.TOO_LARGE)
        codes.append(list(map(str, all_notes)))
        texts.append(words_of(all_notes, methods=methods))
    return {
        "note": pa.array(texts, pa.string()).take(rows),
        "notes": pa.array(codes, COMPARISONS.field("notes").type).take(rows),
    }


REQUEST_BYTES, REQUEST_PAIRS = 4_000_000, 5_000
"""Number of bytes of losses, or of pairs, that completes a request to a cluster."""
Compared: TypeAlias = "pa.Table | DelveError"
Against = Mapping[TaskId, Collection[str]]


@dataclass(frozen=True)
class CompareRequest:
    """Arguments of `compare_all` for some adjacent tasks.

    Attributes
    ----------
    name : str
        First of the tasks, and its loss.
    losses : bytes
        Losses of these tasks only, as an Arrow stream.
    """

    name: str
    losses: bytes
    tasks: pa.Table
    standardizers: results.Constants
    against: Against | None
    setting: Setting
    measures: Measures

    def failed(self, error: BaseException) -> Compared:
        return DelveError(f"comparisons from {self.name} on: {error}")


class CompareBench:
    """Computes comparisons from the contents of a request alone."""

    def carry_out(self, request: CompareRequest) -> Compared:
        """Return the rows of `compare_all`."""
        losses = pa.ipc.open_stream(request.losses).read_all()
        tables = losses, request.tasks, request.standardizers
        return compare_all(
            *tables, against=request.against, setting=request.setting, measures=request.measures
        )


def compare_distributed(
    losses: pa.Table,
    tasks: pa.Table,
    standardizers: results.Constants,
    carry_out: CarryOut[CompareRequest, Compared],
    *,
    loss: str | None = None,
    methods: Collection[str] | None = None,
    against: Against | None = None,
    setting: Setting = DEFAULT_SETTING,
    measures: Measures = NO_MEASURES,
) -> pa.Table:
    """Return the same as `compare_all`, bit for bit, computed by the workers behind `carry_out`.

    Raises DelveError if the workers fail.
    """
    if methods is not None:
        losses = losses.filter(pc.is_in(losses["method"], value_set=pa.array(methods, pa.string())))
    row_of = {task: row for row, task in enumerate(rows_of(tasks, ("dataset", "prototask", "task")))}

    def request(blocks: list[Block]) -> CompareRequest:
        names = list(dict.fromkeys(block.task for block in blocks))
        parts = [losses.slice(block.starts[0], block.starts[-1] - block.starts[0]) for block in blocks]
        sink = pa.BufferOutputStream()  # with only these rows
        with pa.ipc.new_stream(sink, losses.schema) as writer:
            writer.write_table(pa.concat_tables(parts))
        keys = [(*block.task, block.loss) for block in blocks]
        return CompareRequest(
            name="/".join(("", *keys[0])),
            losses=sink.getvalue().to_pybytes(),
            tasks=tasks.take([row_of[task] for task in names if task in row_of]),
            standardizers={key: standardizers.get(key) for key in keys},
            against=None if against is None else {task: against.get(task, ()) for task in names},
            setting=setting,
            measures={block.loss: measure_named(block.loss, measures) for block in blocks},
        )

    tables = [COMPARISONS.empty_table()]
    requests = map(request, _together(losses, read_losses(losses, loss=loss).blocks))
    for _, rows in in_order(carry_out, requests):
        if isinstance(rows, DelveError):
            raise rows
        tables.append(rows)
    return pa.concat_tables(tables)


def _together(losses: pa.Table, blocks: tuple[Block, ...]) -> Iterator[list[Block]]:
    """Yield the blocks with pairs, in order, grouped by request."""
    some: list[Block] = []
    pairs = size = 0
    for block in blocks:
        count = len(block.methods)
        if count < 2:
            continue
        some.append(block)
        pairs += count * (count - 1) // 2
        size += losses.slice(block.starts[0], block.starts[-1] - block.starts[0]).nbytes
        if pairs >= REQUEST_PAIRS or size >= REQUEST_BYTES:
            yield some
            some, pairs, size = [], 0, 0
    if some:
        yield some
