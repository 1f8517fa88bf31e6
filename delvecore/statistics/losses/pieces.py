"""The methods of one block compared as far as they can be, and many blocks tested together."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from itertools import combinations

import numpy as np

from delvecore.statistics import notes
from delvecore.statistics.kinds import Floats, Whole
from delvecore.statistics.losses.anova import DESIGNS, MeanSquares
from delvecore.statistics.losses.blocks import Block, Losses
from delvecore.statistics.losses.comparisons import PairComparisons, analyse_pairs
from delvecore.statistics.losses.mean_squares import PairSquares, pair_mean_squares
from delvecore.statistics.losses.unequal import harmonic_size, unequal_mean_squares
from delvecore.statistics.notes import Note

__all__ = ["Piece", "analyse_pieces", "compare_block"]


@dataclass(frozen=True, slots=True)
class Piece:
    """Pairs of one block that are analysed alike. design: None if they are not; notes say why. unequal:
    do test sets differ in size? Then test_cases is the harmonic mean of the sizes."""

    block: int
    design: str | None
    instances: float
    test_cases: float
    pairs: PairSquares
    notes: tuple[Note, ...] = ()
    unequal: bool = False

    def __len__(self) -> int:
        return len(self.pairs.first)


def compare_block(data: Losses, number: int, block: Block, design: str | None) -> Iterator[Piece]:
    """Compare the methods of a block: all in one piece if they are alike, else pair by pair."""
    stack = data.stack(block)
    if stack is not None:
        yield _compare_stack(number, stack, design)
        return
    by_method = [data.by_instance(block, method) for method in range(len(block.methods))]
    for (a, losses_a), (b, losses_b) in combinations(enumerate(by_method), 2):
        shared = sorted(losses_a.keys() & losses_b.keys())
        rows_a, rows_b = [losses_a[i] for i in shared], [losses_b[i] for i in shared]
        problem = _mismatch(shared, rows_a, rows_b, design)
        if problem:
            yield Piece(number, None, np.nan, np.nan, _unknown_pair(a, b), (problem,))
            continue
        piece = _compare_rows(number, rows_a, rows_b, design)
        pairs = piece.pairs._replace(first=np.array([a]), second=np.array([b]))
        yield replace(piece, pairs=pairs, notes=_subset(shared, losses_a, losses_b) + piece.notes)


def _compare_rows(number: int, rows_a: list[Floats], rows_b: list[Floats], design: str | None) -> Piece:
    """Compare two methods. Disjoint test sets of different sizes are analysed as `unequal` says; J is then
    the harmonic mean of the sizes."""
    if len(set(map(len, rows_a))) == 1:
        return _compare_stack(number, np.array([rows_a, rows_b]), design)
    a, b = ([row.tolist() for row in rows] for rows in (rows_a, rows_b))
    squares = unequal_mean_squares([(x - y).tolist() for x, y in zip(rows_a, rows_b, strict=True)])
    mean_a, mean_b = (np.array([unequal_mean_squares(rows).mean]) for rows in (a, b))
    mean, training, residual = (np.array([one]) for one in (squares.mean, squares.training, squares.residual))
    arrays = MeanSquares(mean, training, None, residual)
    ends, identical = (np.array([0]), np.array([1])), np.array([a == b])
    pairs = PairSquares(*ends, mean_a=mean_a, mean_b=mean_b, squares=arrays, identical=identical)
    return Piece(number, design, len(a), harmonic_size(a), pairs, unequal=True)


def _compare_stack(number: int, stack: Floats, design: str | None) -> Piece:
    _, instances, test_cases = stack.shape
    pairs = pair_mean_squares(stack, design=design or "hierarchical")
    return Piece(number, design, instances, test_cases, pairs, () if design else (notes.UNKNOWN_TASK,))


def _unknown_pair(a: int, b: int) -> PairSquares:
    unknown = np.array([np.nan])
    squares = MeanSquares(unknown, unknown, None, unknown)
    ends, identical = (np.array([a]), np.array([b])), np.array([False])
    return PairSquares(*ends, mean_a=unknown, mean_b=unknown, squares=squares, identical=identical)


def _mismatch(
    shared: list[int], rows_a: list[Floats], rows_b: list[Floats], design: str | None
) -> Note | None:
    """Why can two methods not be compared on the instances that both have? None if they can."""
    if not shared:
        return notes.NO_SHARED_INSTANCE
    for instance, a, b in zip(shared, rows_a, rows_b, strict=True):
        if len(a) != len(b):
            return notes.UNEQUAL_LOSSES.of(instance, len(a), len(b))
    lengths = sorted(set(map(len, rows_a)))
    if 0 in lengths or (len(lengths) > 1 and design != "hierarchical"):
        return notes.MIXED_SIZES.of(*lengths)
    return None


def _subset(
    shared: list[int], losses_a: Mapping[int, Floats], losses_b: Mapping[int, Floats]
) -> tuple[Note, ...]:
    if len(shared) == len(losses_a) == len(losses_b):
        return ()
    return (notes.SHARED_INSTANCES.of(len(shared), len(losses_a), len(losses_b)),)


def analyse_pieces(pieces: list[Piece]) -> tuple[Whole, PairComparisons]:
    """Return the piece of each row, ascending, and the rows; all pieces of a design are analysed at once."""
    found, origins = [], []
    for design in (*DESIGNS, None):
        numbers = [number for number, piece in enumerate(pieces) if piece.design == design]
        if numbers:
            some = [pieces[number] for number in numbers]
            counts = [len(piece) for piece in some]
            origins.append(np.repeat(numbers, counts))
            found.append(_analyse_alike(some, counts, design))
    origin = np.concatenate(origins)
    order = np.argsort(origin, kind="stable")
    names = [field.name for field in fields(PairComparisons)]
    columns = [np.concatenate([getattr(part, name) for part in found])[order] for name in names]
    return origin[order], PairComparisons(*columns)


def _analyse_alike(pieces: list[Piece], counts: list[int], design: str | None) -> PairComparisons:
    pairs = _concatenated([piece.pairs for piece in pieces])
    if design is None:
        unknown = np.full((10, len(pairs.first)), np.nan)
        no_remarks = np.zeros(len(pairs.first), dtype=int)
        return PairComparisons(*[*pairs[:4], pairs.squares.mean, *unknown, no_remarks])
    instances = np.repeat([piece.instances for piece in pieces], counts)
    test_cases = np.repeat([piece.test_cases for piece in pieces], counts)
    return analyse_pairs(pairs, design=design, instances=instances, test_cases=test_cases)


def _concatenated(parts: list[PairSquares]) -> PairSquares:
    """Return the pairs of pieces of one design as one: all of them have squares of cases, or none."""
    squares = [part.squares for part in parts]
    cases = [one.cases for one in squares if one.cases is not None]
    mean = np.concatenate([one.mean for one in squares])
    training = np.concatenate([one.training for one in squares])
    residual = np.concatenate([one.residual for one in squares])
    return PairSquares(
        first=np.concatenate([part.first for part in parts]),
        second=np.concatenate([part.second for part in parts]),
        mean_a=np.concatenate([part.mean_a for part in parts]),
        mean_b=np.concatenate([part.mean_b for part in parts]),
        squares=MeanSquares(mean, training, np.concatenate(cases) if cases else None, residual),
        identical=np.concatenate([part.identical for part in parts]),
    )
