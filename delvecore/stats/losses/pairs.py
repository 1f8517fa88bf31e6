"""All methods of an archive compared, pair by pair, on every task and loss, as far as they can be.

The table of losses falls into blocks, a task and loss each; the pairs of a block into pieces that are
analysed alike: all pairs at once where the methods have the same instances and test cases, else one by one.
Pieces of one design are tested together, and what is found of each pair is a row."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import combinations, groupby
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from delvecore.number_format.list_columns import rows_where
from delvecore.parallel.threads import in_threads
from delvecore.stats import notes
from delvecore.stats.adjust import adjust, bounds_by_verdict, interval_significance, verdicts
from delvecore.stats.choose import ANALYSES, DEFAULT_SETTING, Setting
from delvecore.stats.designs import Design
from delvecore.stats.kinds import Floats, Mask, Whole
from delvecore.stats.losses import comparisons, results
from delvecore.stats.losses.anova import DESIGNS, MeanSquares
from delvecore.stats.losses.blocks import Block, Losses, Task, read_losses
from delvecore.stats.losses.comparisons import PairComparisons
from delvecore.stats.losses.crossed import Reference
from delvecore.stats.losses.mean_squares import PairSquares, harmonic_mean, pair_mean_squares, pair_of_rows
from delvecore.stats.losses.overlapping import (
    pair_instance_squares,
    raised,
    shared_notes,
    with_counts,
)
from delvecore.stats.losses.percentiles import percentile_bounds, percentile_p
from delvecore.stats.notes import UNTESTED, Note, words_of
from delvecore.tables import COMPARISONS

__all__ = ["compare_all"]


PAIRS_AT_ONCE = 200_000
"""About so many are tested at once where few of them are wanted, which bounds the memory."""
_About = tuple[tuple[Note, ...], tuple[str, str]]
_REPORTED = (
    *("mean_a", "mean_b", "difference", "standard_error", "sd_training", "sd_cases", "sd_residual"),
    *("statistic", "df1", "df2", "p", "p_delve"),
)


@dataclass(frozen=True, slots=True)
class Piece:
    """Pairs of one block that are analysed alike. design: None if they are not; notes say why. unequal:
    do test sets differ in size? Then test_cases is the harmonic mean of the sizes."""

    block: int
    design: Design | None
    instances: float
    test_cases: float
    pairs: PairSquares
    notes: tuple[Note, ...] = ()
    unequal: bool = False

    def __len__(self) -> int:
        return len(self.pairs.first)

    @property
    def selection(self) -> str | None:
        return self.design.selection if self.design else None


def compare_block(data: Losses, number: int, block: Block, design: Design | None) -> Iterator[Piece]:
    """Compare the methods of a block: all in one piece if they are alike, else pair by pair."""
    stack = None if design and design.resubstitutes else data.stack(block)
    if stack is not None and not (design and with_counts(design, stack).by_counts):
        yield _compare_stack(number, stack, design)
        return
    by_method = [data.by_instance(block, method) for method in range(len(block.methods))]
    for (a, losses_a), (b, losses_b) in combinations(enumerate(by_method), 2):
        shared = sorted(losses_a.keys() & losses_b.keys())
        rows_a, rows_b = [losses_a[i] for i in shared], [losses_b[i] for i in shared]
        single = _single(rows_a, rows_b)
        if single is not None:
            rows_a, rows_b = single
        problem = _mismatch(shared, rows_a, rows_b, design)
        if problem:
            unknown, false = np.array([np.nan]), np.array([False])
            squares = MeanSquares(unknown, unknown, None, unknown)
            pairs = _pair(a, b, mean_a=unknown, mean_b=unknown, squares=squares, identical=false)
            yield Piece(number, None, np.nan, np.nan, pairs, notes=(problem,))
            continue
        compare = _compare_rows if single is None else _compare_single
        piece = compare(number, rows_a, rows_b, design)
        counts = (len(shared), len(losses_a), len(losses_b))
        subset = (notes.SHARED_INSTANCES.of(*counts),) if len(set(counts)) > 1 else ()
        pairs = piece.pairs._replace(first=np.array([a]), second=np.array([b]))
        yield replace(piece, pairs=pairs, notes=subset + piece.notes)


def _pair(a: int, b: int, **facts: Any) -> PairSquares:
    return PairSquares(np.array([a]), np.array([b]), **facts)


def _compare_rows(number: int, rows_a: list[Floats], rows_b: list[Floats], design: Design | None) -> Piece:
    """Compare two methods, also on disjoint test sets of different sizes; J is then their harmonic mean."""
    sizes = np.array(list(map(len, rows_a)))
    if (sizes == sizes[0]).all():
        return _compare_stack(number, np.array([rows_a, rows_b]), design)
    if design and design.overlaps:
        return _compare_overlap(number, np.array([*map(np.concatenate, (rows_a, rows_b))]), sizes, design)
    pairs = pair_of_rows(rows_a, rows_b, design="hierarchical")
    return Piece(number, design, len(sizes), harmonic_mean(sizes), pairs, unequal=True)


def _single(rows_a: list[Floats], rows_b: list[Floats]) -> tuple[list[Floats], list[Floats]] | None:
    """Return the mean losses of instances where one method has just one number for each, a score, and the
    other its losses of test cases; None where both have the same."""
    sizes = [set(map(len, rows)) for rows in (rows_a, rows_b)]
    if sizes.count({1}) != 1 or {0} & sizes[0] & sizes[1]:
        return None
    return [row.mean(keepdims=True) for row in rows_a], [row.mean(keepdims=True) for row in rows_b]


def _compare_single(number: int, rows_a: list[Floats], rows_b: list[Floats], design: Design | None) -> Piece:
    """Compare two methods by one number an instance; with a common test set that says of it alone."""
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
    if design and design.overlaps and not design.is_common:
        return _compare_overlap(number, stack.reshape(methods, -1), np.full(instances, test_cases), design)
    pairs = pair_mean_squares(stack, design=design.selection if design else "hierarchical")
    said = (design.note if design else notes.UNKNOWN_TASK,)
    if design and design.overlaps:
        pairs = pairs._replace(squares=raised(pairs.squares, instances, design))
    return Piece(number, design, instances, test_cases, pairs, notes=tuple(filter(None, said)))


def _compare_overlap(number: int, losses: Floats, sizes: Whole, design: Design) -> Piece:
    """Compare methods by the mean losses of instances that share cases: see `pair_instance_squares`."""
    design = with_counts(design, losses)
    pairs = pair_instance_squares(losses, sizes, design)
    test_cases, unequal = harmonic_mean(sizes), bool((sizes != sizes[0]).any())
    said = shared_notes(losses, len(sizes), design)
    return Piece(number, design, len(sizes), test_cases, pairs, notes=said, unequal=unequal)


def _mismatch(
    shared: list[int], rows_a: list[Floats], rows_b: list[Floats], design: Design | None
) -> Note | None:
    """Why can two methods not be compared on the instances that both have? None if they can."""
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


def analyse_pieces(pieces: list[Piece]) -> tuple[Whole, PairComparisons]:
    """Return the piece of each row, ascending, and the rows; all pieces of a design are analysed at once."""
    found, origins = [], []
    for selection in (*DESIGNS, None):
        numbers = [number for number, piece in enumerate(pieces) if piece.selection == selection]
        if numbers:
            some = [pieces[number] for number in numbers]
            origins.append(np.repeat(numbers, [len(piece) for piece in some]))
            found.append(_analyse_alike(some))
    origin = np.concatenate(origins)
    order = np.argsort(origin, kind="stable")
    names = [field.name for field in fields(PairComparisons)][:-1]
    columns = [np.concatenate([getattr(part, name) for part in found])[order] for name in names]
    references = zip(*(part.reference for part in found), strict=True)
    reference = Reference(*(np.concatenate(column)[order] for column in references))
    return origin[order], comparisons.joined(columns, reference)


def _analyse_alike(pieces: list[Piece]) -> PairComparisons:
    """Analyse pieces of one design as one: all of them have squares of cases, or none."""
    parts, counts = [piece.pairs for piece in pieces], [len(piece) for piece in pieces]
    *ends, _, identical, _ = (_joined(column) for column in zip(*parts, strict=True))
    squares = MeanSquares(
        *(_joined(column) for column in zip(*(part.squares for part in parts), strict=True))
    )
    if pieces[0].design is None:
        unknown, no_remarks = np.full((9, sum(counts)), np.nan), np.zeros(sum(counts), dtype=int)
        columns = [*ends, squares.mean, *unknown, no_remarks]
        return comparisons.joined(columns, Reference(*unknown[:7]))
    instances = np.repeat([piece.instances for piece in pieces], counts)
    test_cases = np.repeat([piece.test_cases for piece in pieces], counts)
    pairs = PairSquares(*(*ends, squares, identical))
    shape = {"instances": instances, "test_cases": test_cases}
    most_df = np.repeat([piece.design.most_df for piece in pieces if piece.design], counts)
    return comparisons.analyse_pairs(pairs, **shape, most_df=most_df)


def _joined(columns: Sequence[Any]) -> Any:
    """Return arrays as one; what is none, or no array, is left out."""
    arrays = [column for column in columns if isinstance(column, np.ndarray)]
    return np.concatenate(arrays) if arrays else None


def compare_all(
    losses: pa.Table,
    tasks: pa.Table,
    standardizers: results.Standardizers,
    *,
    loss: str | None = None,
    methods: Collection[str] | None = None,
    against: Mapping[Task, Collection[str]] | None = None,
    setting: Setting = DEFAULT_SETTING,
) -> pa.Table:
    """Which methods differ, on which task, by how much, and is it sure? One row a task x loss x pair.

    losses: one row a method x task x loss x instance, sorted as `read_losses` needs it. tasks: has the column
    `test_set_selection`. standardizers: see `standardized_columns`. loss: only this one; methods: only these,
    None for all; against: return only the pairs with one of these methods of a task, p adjusted for all.
    Returns a table with the schema `COMPARISONS`, in the order of `losses`; difference is a
    less b, so that below zero a is better. p_adjusted: over all pairs compared on the task under the loss,
    whose number is `compared`; verdict: of a; lower, upper: see `_inferred`.

    Methods are compared on the instances that both have; `note` says when those are not all, `notes` the
    same as codes (see `notes.Note`). A pair that cannot be compared has a row of nulls and its reason.
    Source: DELVE manual, sections 8.1 to 8.3."""
    if methods is not None:
        losses = rows_where(losses, pc.is_in(losses["method"], value_set=pa.array(methods, pa.string())))
    data = read_losses(losses, loss=loss)
    designs = results.designs_by_task(tasks)
    pieces = (
        piece
        for number, block in enumerate(data.blocks)
        if len(block.methods) > 1
        for piece in compare_block(data, number, block, results.design_of(block, designs))
    )
    wanted = None if against is None else _wanted(data.blocks, against)
    batches = _batches(pieces, None if against is None else PAIRS_AT_ONCE)

    def rows(batch: list[Piece]) -> pa.Table:
        return _compared(data.blocks, batch, standardizers, setting, wanted)

    compared = list(in_threads(rows, batches))
    return pa.concat_tables(compared) if compared else COMPARISONS.empty_table()


def _batches(pieces: Iterable[Piece], most: int | None) -> Iterator[list[Piece]]:
    """Yield pieces of whole blocks, so many together that there are about so many pairs."""
    batch: list[Piece] = []
    for _, alike in groupby(pieces, attrgetter("block")):
        batch += alike
        if most is not None and sum(map(len, batch)) >= most:
            yield batch
            batch = []
    if batch:
        yield batch


def _wanted(blocks: Sequence[Block], against: Mapping[Task, Collection[str]]) -> Mask:
    """Return which methods, block by block, others are held against."""
    return np.array([name in against.get(one.task, ()) for one in blocks for name in one.methods], dtype=bool)


def _compared(
    blocks: Sequence[Block],
    pieces: list[Piece],
    standardizers: results.Standardizers,
    setting: Setting,
    wanted: Mask | None,
) -> pa.Table:
    """Return the rows of `compare_all` for some pieces. wanted: see `_wanted`, None for all pairs."""
    origin, found = analyse_pieces(pieces)
    samples = _by_samples(pieces, origin, found)
    index = np.array([piece.block for piece in pieces])[origin]
    first_name = np.cumsum([0, *(len(block.methods) for block in blocks)])[index]
    tests = _adjusted(found, index, setting)
    if wanted is not None:
        kept = wanted[first_name + found.first] | wanted[first_name + found.second]
        origin, index, first_name = origin[kept], index[kept], first_name[kept]
        tests, found = _Tests(*(column[kept] for column in tests)), comparisons.chosen(found, kept)
        samples = {
            row: samples[old] for row, old in enumerate(np.flatnonzero(kept).tolist()) if old in samples
        }
    said = verdicts(found.difference, tests.p_adjusted, level=setting.level)
    columns = results.key_columns(blocks, index) | _notes(blocks, pieces, origin, found)
    names = pa.array([name for block in blocks for name in block.methods], pa.string())
    for column, method in (("method_a", found.first), ("method_b", found.second)):
        columns[column] = names.take(pa.array(first_name + method))
    overlaps = np.array([bool(piece.design and piece.design.overlaps) for piece in pieces])[origin]
    for spread in (found.sd_training, found.sd_cases, found.sd_residual):
        spread[overlaps] = np.nan  # of training sets and cases, which cannot be separated
    found.p_delve[overlaps] = found.p[overlaps]
    shown = [(piece.instances, np.nan if piece.unequal else piece.test_cases) for piece in pieces]
    instances, test_cases = np.array(shown, dtype=float)[origin].T
    numbers = {"instances": instances, "test_cases": test_cases} | _inferred(found, tests, said, samples)
    numbers |= {name: getattr(found, name) for name in _REPORTED}
    columns |= results.to_arrow(numbers, COMPARISONS)
    spreads = {"standardized_difference": found.difference, "standardized_error": found.standard_error}
    standardized = results.standardized_columns(blocks, index, standardizers, means={}, spreads=spreads)
    columns |= results.to_arrow(standardized, COMPARISONS)
    columns |= {"test": _tests(pieces, origin, found), "verdict": pa.array(said, pa.string())}
    columns["adjustment"] = pa.repeat(setting.adjust, len(index))
    return pa.table(columns, schema=COMPARISONS)


def _tests(pieces: list[Piece], origin: Whole, found: PairComparisons) -> pa.Array:
    """Return which test each p is of."""
    names = tuple(ANALYSES)  # by the design of the piece, which knows what losses there are
    made = np.array([names.index(piece.design.analysis) if piece.design else 0 for piece in pieces])
    letters = pa.array([one.test for one in ANALYSES.values()])
    return letters.take(pa.array(made[origin], mask=np.isnan(found.p)))


def _by_samples(pieces: list[Piece], origin: Whole, found: PairComparisons) -> dict[int, Floats]:
    """Return the bootstrap samples of the rows that have such, whose p becomes one of percentiles."""
    rows: dict[int, Floats] = {}
    for number, piece in enumerate(pieces):
        if piece.pairs.samples is not None:
            rows |= zip(np.flatnonzero(origin == number).tolist(), piece.pairs.samples, strict=True)
    tested = {row: samples for row, samples in rows.items() if not np.isnan(found.p[row])}
    for row, samples in tested.items():
        found.p[row] = percentile_p(samples)
        found.statistic[row] = found.df1[row] = np.nan
    return tested


class _Tests(NamedTuple):
    """The tests of pairs, adjusted. compared: how many of its block; alphas: significance of intervals."""

    p_adjusted: Floats
    compared: Floats
    alphas: Floats


def _adjusted(found: PairComparisons, block: Whole, setting: Setting) -> _Tests:
    """Adjust the tests over all pairs of a block. block: of each row, ascending."""
    p_adjusted, compared, alphas = (np.full(len(block), np.nan) for _ in range(3))
    ends = [0, *(np.flatnonzero(np.diff(block)) + 1).tolist(), len(block)]
    for rows in map(slice, ends, ends[1:]):
        p_adjusted[rows] = adjust(found.p[rows], method=setting.adjust, untested=True)
        compared[rows] = np.count_nonzero(~np.isnan(found.p[rows]))
        alphas[rows] = interval_significance(p_adjusted[rows], method=setting.adjust, alpha=setting.alpha)
    return _Tests(p_adjusted, compared, alphas)


def _inferred(
    found: PairComparisons, tests: _Tests, said: NDArray[np.object_], samples: Mapping[int, Floats]
) -> dict[str, Floats]:
    """Return columns of tests and intervals. said: verdicts; samples: of rows whose p is one of percentiles.
    The bounds belong to the adjusted p: they leave out zero exactly where the difference is significant,
    for which the bound of a step-down procedure is cut at zero."""
    lower, upper = comparisons.confidence_bounds(found, alpha=tests.alphas)
    for row, drawn in samples.items():
        lower[row], upper[row] = percentile_bounds(drawn, alpha=float(tests.alphas[row]))
    lower, upper = bounds_by_verdict(lower, upper, said)
    columns = {"p_adjusted": tests.p_adjusted, "compared": tests.compared}
    return columns | {"lower": lower, "upper": upper}


def _notes(
    blocks: Sequence[Block], pieces: list[Piece], origin: Whole, found: PairComparisons
) -> dict[str, pa.Array]:
    """Return the notes as codes and in words; words are made once for what is said of many rows."""
    said: dict[_About, int] = {}
    of_piece = np.array([said.setdefault(_about(blocks, piece), len(said)) for piece in pieces])
    combined = found.remarks * len(said) + of_piece[origin]
    distinct, where = np.unique(combined, return_inverse=True)
    known, rows = list(said), pa.array(where)
    codes: list[list[str]] = []
    texts: list[str | None] = []
    for code in distinct.tolist():
        remarks, number = divmod(code, len(said))
        own, methods = known[number]
        said_of = (*own, *comparisons.remark_notes(remarks))
        if not UNTESTED.isdisjoint(note.code for note in own):  # why no variance is known
            said_of = tuple(note for note in said_of if note != notes.TOO_LARGE)
        codes.append(list(map(str, said_of)))
        texts.append(words_of(said_of, methods=methods))
    return {
        "note": pa.array(texts, pa.string()).take(rows),
        "notes": pa.array(codes, COMPARISONS.field("notes").type).take(rows),
    }


def _about(blocks: Sequence[Block], piece: Piece) -> _About:
    """Return the notes of a piece, and its methods where it is one pair with notes."""
    if not piece.notes or len(piece) > 1:
        return piece.notes, ("", "")
    methods, pairs = blocks[piece.block].methods, piece.pairs
    return piece.notes, (methods[pairs.first[0]], methods[pairs.second[0]])
