"""The losses table as blocks: all methods on one task under one loss, as views of one array of numbers."""

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import pyarrow as pa

from delvecore.number_format.list_columns import NumberLists
from delvecore.stats.kinds import Floats, Mask, Whole
from delvecore.tables import TASK_AND_LOSS

__all__ = ["KEY", "Block", "Key", "Losses", "Task", "blocks_of", "read_losses"]

KEY = tuple(TASK_AND_LOSS)
Key = tuple[str, str, str, str, int, str]
"""What the columns KEY hold."""
Task: TypeAlias = tuple[str, str, str]
"""Names of dataset, prototask and task."""


@dataclass(frozen=True, slots=True)
class Block:
    """One task and loss: the methods in order, and the rows of method k as starts[k] up to starts[k + 1], a
    range where each has as many."""

    key: Key
    methods: tuple[str, ...]
    starts: Sequence[int]

    @property
    def task(self) -> Task:
        """Dataset, prototask and task."""
        return self.key[:3]

    @property
    def loss(self) -> str:
        return self.key[-1]


@dataclass(frozen=True, slots=True)
class Losses:
    """All losses; row r of `lists` holds those of one instance."""

    blocks: tuple[Block, ...]
    instances: Whole
    lists: NumberLists

    def stack(self, block: Block) -> Floats | None:
        """Return the block's losses as (methods, instances, test cases), None if methods are not alike."""
        start, stop = block.starts[0], block.starts[-1]
        methods, rows = len(block.methods), stop - start
        if rows % methods or (np.diff(block.starts) != rows // methods).any():
            return None
        instances = self.instances[start:stop].reshape(methods, -1)
        lengths = self.lists.lengths[start:stop]
        if lengths[0] == 0 or (lengths != lengths[0]).any() or (instances != instances[0]).any():
            return None
        return self.lists.span(start, stop).reshape(methods, rows // methods, lengths[0])

    def by_instance(self, block: Block, method: int) -> dict[int, Floats]:
        """Return the losses of the block's method number `method`, by instance."""
        rows = range(block.starts[method], block.starts[method + 1])
        return {int(self.instances[r]): self.lists.span(r, r + 1) for r in rows}


def read_losses(losses: pa.Table, *, loss: str | None = None) -> Losses:
    """Which rows belong together, and where are their numbers? Copies no losses, however many there are.

    losses: one row a method x task x loss x instance, sorted by dataset, prototask, prior, training_size,
    loss, method, instance. loss: only the blocks of this one. Raises ValueError if the rows are not sorted or
    if a value is null."""
    lists = NumberLists(losses["values"])
    blocks = tuple(b for b in blocks_of(losses) if loss in (None, b.loss))
    return Losses(blocks, losses["instance"].to_numpy(), lists)


def blocks_of(losses: pa.Table) -> list[Block]:
    """Which rows of a table of losses, sorted as for `read_losses`, belong together? It may be one without
    the numbers."""
    if not losses.num_rows:
        return []
    new_task = functools.reduce(np.logical_or, (_changes(losses[name]) for name in KEY))
    run_starts = np.flatnonzero(new_task | _changes(losses["method"]))
    block_starts = np.flatnonzero(new_task[run_starts])
    keys = losses.select(KEY).take(run_starts[block_starts])
    keys = list(zip(*(keys[name].to_pylist() for name in KEY), strict=True))
    bounds = [*block_starts.tolist(), len(run_starts)]
    methods = _shared_names(losses["method"].take(pa.array(run_starts)), bounds)
    starts = _starts(np.append(run_starts, losses.num_rows), bounds)
    blocks = [Block(*parts) for parts in zip(keys, methods, starts, strict=True)]
    if len(set(keys)) < len(keys) or any(len(set(names)) < len(names) for names in set(methods)):
        raise ValueError("the losses table must be sorted by dataset, prototask, task, loss and method")
    return blocks


def _shared_names(column: pa.ChunkedArray, bounds: Sequence[int]) -> list[tuple[str, ...]]:
    """Return the names between bounds, those that are alike once: a million of them take little memory."""
    coded = _coded(column)
    words, codes = coded.chunk(0).dictionary.to_pylist(), _indices(coded)
    known: dict[bytes, tuple[str, ...]] = {}
    found = []
    for first, last in pairwise(bounds):
        own = codes[first:last]
        mark = own.tobytes()
        if mark not in known:
            known[mark] = tuple(words[code] for code in own.tolist())
        found.append(known[mark])
    return found


def _starts(rows: Whole, bounds: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield the rows between bounds, and the first one behind: ranges where they are equally far apart."""
    steps = np.diff(rows)
    least, most = (reduced.reduceat(steps, bounds[:-1]).tolist() for reduced in (np.minimum, np.maximum))
    for first, last, step, longest in zip(bounds, bounds[1:], least, most, strict=False):
        if step == longest:
            yield range(int(rows[first]), int(rows[last]) + 1, step)
        else:
            yield tuple(rows[first : last + 1].tolist())


def _changes(column: pa.ChunkedArray) -> Mask:
    """In which rows does the column differ from the row before? The first row counts as a change."""
    if column.null_count:
        raise ValueError("the losses table has nulls among its keys")
    codes = _codes(column)
    changed = np.ones(len(codes), dtype=bool)
    np.not_equal(codes[1:], codes[:-1], out=changed[1:])
    return changed


def _codes(column: pa.ChunkedArray) -> Whole:
    """Return a column of numbers, or numbers in place of words."""
    return column.to_numpy() if pa.types.is_integer(column.type) else _indices(_coded(column))


def _coded(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column of words as numbers of one dictionary."""
    return column.unify_dictionaries() if pa.types.is_dictionary(column.type) else column.dictionary_encode()


def _indices(coded: pa.ChunkedArray) -> Whole:
    return np.concatenate([np.empty(0, dtype=np.int8), *(chunk.indices.to_numpy() for chunk in coded.chunks)])
