"""The losses table as blocks: all methods on one task under one loss, as views of one array of numbers.

Tables about blocks are made here, too: what is known of each block, repeated for its rows.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import pyarrow as pa

from delvecore.statistics.kinds import Floats, Mask, Whole
from delvecore.tables import TASK_AND_LOSS

__all__ = [
    "KEY",
    "Block",
    "Losses",
    "Standardizers",
    "constants_by_block",
    "designs_by_task",
    "key_columns",
    "read_losses",
    "standardized_by_block",
    "to_arrow",
]

KEY = tuple(TASK_AND_LOSS)
Key = tuple[str, str, str, str, int, str]
"""What the columns KEY hold."""
Standardizers: TypeAlias = Mapping[tuple[str, str, str, str], float | None] | pa.Table
"""Of each dataset, prototask, task and loss, where there is one."""


@dataclass(frozen=True, slots=True)
class Block:
    """One task and loss: the methods in order, and the rows of method k as starts[k] up to starts[k + 1]."""

    key: Key
    methods: tuple[str, ...]
    starts: tuple[int, ...]

    @property
    def task(self) -> tuple[str, str, str]:
        """Dataset, prototask and task."""
        return self.key[:3]

    @property
    def loss(self) -> str:
        return self.key[-1]


@dataclass(frozen=True, slots=True)
class Losses:
    """All losses as one array; row r holds those of one instance, `values[offsets[r]:offsets[r + 1]]`."""

    blocks: tuple[Block, ...]
    instances: Whole
    lengths: Whole
    offsets: Whole
    values: Floats

    def stack(self, block: Block) -> Floats | None:
        """Return the block's losses as (methods, instances, test cases), None if methods are not alike."""
        start, stop = block.starts[0], block.starts[-1]
        methods, rows = len(block.methods), stop - start
        counts_agree = all(start + k * rows // methods == s for k, s in enumerate(block.starts))
        if rows % methods or not counts_agree:
            return None
        instances = self.instances[start:stop].reshape(methods, -1)
        lengths = self.lengths[start:stop]
        if lengths[0] == 0 or (lengths != lengths[0]).any() or (instances != instances[0]).any():
            return None
        values = self.values[self.offsets[start] : self.offsets[stop]]
        return values.reshape(methods, rows // methods, lengths[0])

    def by_instance(self, block: Block, method: int) -> dict[int, Floats]:
        """Return the losses of the block's method number `method`, by instance."""
        rows = range(block.starts[method], block.starts[method + 1])
        return {int(self.instances[r]): self.values[self.offsets[r] : self.offsets[r + 1]] for r in rows}


def read_losses(losses: pa.Table, *, loss: str | None = None) -> Losses:
    """Which rows belong together, and where are their numbers? Copies no losses if each column is one chunk.

    losses: one row a method x task x loss x instance, sorted by dataset, prototask, prior, training_size,
    loss, method, instance. loss: only the blocks of this one. Raises ValueError if the rows are not sorted or
    if a value is null.
    """
    column = _one_array(losses["values"])
    offsets = column.offsets.to_numpy()
    numbers = column.values
    if column.null_count or numbers.null_count:
        raise ValueError("the losses table has nulls among its values")
    values = numbers.to_numpy(zero_copy_only=True)
    instances = losses["instance"].to_numpy()
    blocks = tuple(b for b in _blocks(losses) if loss in (None, b.loss))
    return Losses(blocks, instances, np.diff(offsets), offsets, values)


def _one_array(column: pa.ChunkedArray) -> pa.Array:
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def _blocks(losses: pa.Table) -> list[Block]:
    if not losses.num_rows:
        return []
    new_task = np.logical_or.reduce([_changes(losses[name]) for name in KEY])
    run_starts = np.flatnonzero(new_task | _changes(losses["method"]))
    block_starts = np.flatnonzero(new_task[run_starts])
    keys = losses.select(KEY).take(run_starts[block_starts])
    keys = list(zip(*(keys[name].to_pylist() for name in KEY), strict=True))
    methods = losses["method"].take(pa.array(run_starts)).to_pylist()
    rows = [*run_starts.tolist(), losses.num_rows]
    bounds = [*block_starts.tolist(), len(methods)]
    blocks = [
        Block(key, tuple(methods[i:j]), tuple(rows[i : j + 1]))
        for key, i, j in zip(keys, bounds, bounds[1:], strict=False)
    ]
    _require_sorted(blocks)
    return blocks


def _changes(column: pa.ChunkedArray) -> Mask:
    """In which rows does the column differ from the row before? The first row counts as a change."""
    if column.null_count:
        raise ValueError("the losses table has nulls among its keys")
    array = _one_array(column)
    if not pa.types.is_integer(array.type):
        array = (array if pa.types.is_dictionary(array.type) else array.dictionary_encode()).indices
    codes = array.to_numpy(zero_copy_only=False)
    changed = np.ones(len(codes), dtype=bool)
    np.not_equal(codes[1:], codes[:-1], out=changed[1:])
    return changed


def _require_sorted(blocks: list[Block]) -> None:
    keys = [block.key for block in blocks]
    if len(set(keys)) < len(keys) or any(len(set(b.methods)) < len(b.methods) for b in blocks):
        raise ValueError("the losses table must be sorted by dataset, prototask, task, loss and method")


def designs_by_task(tasks: pa.Table) -> dict[tuple[str, str, str], str]:
    """Return each task's test set selection: (dataset, prototask, task) -> `hierarchical` or `common`."""
    names = ("dataset", "prototask", "task", "test_set_selection")
    rows = zip(*(tasks[name].to_pylist() for name in names), strict=True)
    return {row[:3]: row[3] for row in rows}


def constants_by_block(blocks: tuple[Block, ...], standardizers: Standardizers) -> list[float | None]:
    """Return each block's standardizing constant as recorded, None where there is none.

    standardizers: (dataset, prototask, task, loss) -> constant or None, or a table of these columns and
    `standardizer`.
    """
    if isinstance(standardizers, pa.Table):
        names = ("dataset", "prototask", "task", "loss", "standardizer")
        rows = zip(*(standardizers[name].to_pylist() for name in names), strict=True)
        standardizers = {row[:4]: row[4] for row in rows}
    return [standardizers.get((*block.task, block.loss)) for block in blocks]


def standardized_by_block(
    standardized: Callable[[str, Floats, float | None], Floats | None],
    values: Floats,
    blocks: tuple[Block, ...],
    index: Whole,
    constants: Sequence[float | None],
) -> Floats:
    """Standardize values by their blocks' constants, null (not a number) where there is none to be used.

    standardized: `standardized_mean` or `standardized_spread`. index: the block of each value, ascending.
    """
    found = np.full(len(values), np.nan)
    bounds = np.searchsorted(index, np.arange(len(blocks) + 1)).tolist()
    for block, constant, start, stop in zip(blocks, constants, bounds, bounds[1:], strict=False):
        part = standardized(block.loss, values[start:stop], constant)
        if part is not None:
            found[start:stop] = part
    return found


def key_columns(blocks: tuple[Block, ...], index: Whole) -> dict[str, pa.Array]:
    """Return the columns `KEY` of a table whose rows belong to the blocks of this index."""
    rows = pa.array(index)
    columns = zip(*(block.key for block in blocks), strict=True) if blocks else ([],) * len(KEY)
    return {
        name: pa.array(values, kind).take(rows)
        for (name, kind), values in zip(TASK_AND_LOSS.items(), columns, strict=True)
    }


def to_arrow(columns: Mapping[str, Floats], schema: pa.Schema) -> dict[str, pa.Array]:
    """Return numeric columns as the schema has them; what is not a number becomes null, an infinity stays."""
    return {
        name: pa.array(values, schema.field(name).type, from_pandas=True) for name, values in columns.items()
    }
