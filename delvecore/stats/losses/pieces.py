"""The pairs of methods on one task under one loss, in pieces that are analysed alike."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from delvecore.stats import notes
from delvecore.stats.designs import Design
from delvecore.stats.kinds import Floats, Whole
from delvecore.stats.losses.anova import MeanSquares
from delvecore.stats.losses.blocks import Block, Losses
from delvecore.stats.losses.mean_squares import PairSquares, pair_mean_squares
from delvecore.stats.losses.overlapping import (
    harmonic_mean,
    pair_instance_squares,
    raised,
    shared_notes,
    with_counts,
)
from delvecore.stats.losses.sums import harmonic_size, unequal_mean_squares, without_rounding
from delvecore.stats.notes import Note

__all__ = ["Piece", "compare_block"]


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
    """Compare two methods. Disjoint test sets of different sizes are analysed as `unequal` says; J is then
    the harmonic mean of the sizes."""
    sizes = np.array(list(map(len, rows_a)))
    if (sizes == sizes[0]).all():
        return _compare_stack(number, np.array([rows_a, rows_b]), design)
    if design and design.overlaps:
        return _compare_overlap(number, np.array([*map(np.concatenate, (rows_a, rows_b))]), sizes, design)
    a, b = ([row.tolist() for row in rows] for rows in (rows_a, rows_b))
    squares = unequal_mean_squares([(x - y).tolist() for x, y in zip(rows_a, rows_b, strict=True)])
    squares = without_rounding(squares, a, b)
    mean_a, mean_b = (np.array([unequal_mean_squares(rows).mean]) for rows in (a, b))
    mean, training, residual = (np.array([one]) for one in (squares.mean, squares.training, squares.residual))
    arrays = MeanSquares(mean, training, None, residual)
    pairs = _pair(0, 1, mean_a=mean_a, mean_b=mean_b, squares=arrays, identical=np.array([a == b]))
    return Piece(number, design, len(a), harmonic_size(a), pairs, unequal=True)


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
