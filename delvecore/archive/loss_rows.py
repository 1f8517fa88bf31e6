"""The losses of an archive while it is read: rows with their numbers, in order, however many numbers there
are. What is too much for memory lies in files without a name that go with the process."""

import os
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.archive.stored import LOSS_ORDER, READ, Row
from delvecore.number_format.list_columns import (
    NumberLists,
    file_array,
    list_column,
    rows_in_order,
    rows_where,
)
from delvecore.stats.kinds import Floats

__all__ = ["Spool", "in_pieces", "loss_table", "merged_losses", "sorted_losses"]

IN_MEMORY = 1 << 24
"""So many losses may be in memory at once, 128 MB."""
SEGMENT = 1 << 25
"""So many losses have room in a file."""
BLOCK, MOST_IN_BLOCK = 1 << 22, 1 << 26
"""About so many losses are written together, and more if a task has more under a loss, at most 512 MB."""
KEYS = pa.schema([field for field in READ["losses"] if field.name != "values"])


class Spool:
    """Keeps arrays for as long as somebody has them: some in memory, others in files. directory: where the
    files are, None for the usual place of temporary ones."""

    def __init__(self, directory: str | None = None) -> None:
        self.directory = directory
        self._kept, self._room = 0, np.empty(0)

    def kept(self, values: Floats) -> Floats:
        """Return the same numbers where they may stay; where they are where no file can be written."""
        self._kept += len(values)
        if self._kept <= IN_MEMORY:
            return values
        try:
            room = self._room if len(self._room) >= len(values) else self._new_room(len(values))
        except OSError:
            return values
        own, self._room = room[: len(values)], room[len(values) :]
        own[:] = values
        return own

    def _new_room(self, least: int) -> Floats:
        if self.directory:
            os.makedirs(self.directory, exist_ok=True)
        return file_array(max(SEGMENT, least), self.directory)


def loss_table(rows: Sequence[Row]) -> pa.Table:
    """Return rows with NumPy values as the table of losses, in LOSS_ORDER."""
    rows = sorted(rows, key=itemgetter(*LOSS_ORDER))
    columns = [pa.array([row[field.name] for row in rows], type=field.type) for field in KEYS]
    values = list_column([row["values"] for row in rows], most=IN_MEMORY)
    table = pa.Table.from_arrays([*columns, values], schema=READ["losses"])
    return in_pieces(table) if values.num_chunks > 1 else table


def merged_losses(old: pa.Table, kept: pa.ChunkedArray, rows: Sequence[Row]) -> pa.Table:
    """Return the rows of an old table that are kept, and new ones, in LOSS_ORDER. No losses are copied where
    there are too many of them."""
    table = sorted_losses(pa.concat_tables([rows_where(old, kept), loss_table(rows)]))
    return in_pieces(table) if table["values"].num_chunks > 1 else table


def sorted_losses(losses: pa.Table) -> pa.Table:
    """Return a table of losses in LOSS_ORDER, in one piece unless there are too many."""
    keys = losses.select(LOSS_ORDER)
    return rows_in_order(
        losses, pc.sort_indices(keys, sort_keys=[(name, "ascending") for name in LOSS_ORDER])
    )


def in_pieces(losses: pa.Table) -> pa.Table:
    """Return a table of losses cut where it is to be written piece by piece (see `cache.Cache.store`). The
    losses stay where they are."""
    keys, lists = losses.select(KEYS.names).combine_chunks(), NumberLists(losses["values"])
    pieces = [keys.slice(start, stop - start) for start, stop in _cuts(keys, lists.lengths.tolist())]
    cut = pa.concat_tables(pieces or [keys])
    return cut.append_column(READ["losses"].field("values"), losses["values"])


def _cuts(keys: pa.Table, lengths: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield where the pieces of a table of many losses begin and end: at the ends of tasks, and within those
    that are too large."""
    names = [name for name in LOSS_ORDER if name not in ("method", "instance")]
    blocks = zip(*(keys[name].to_pylist() for name in names), strict=True)
    start = stop = count = 0
    for _, group in groupby(zip(blocks, lengths, strict=True), key=itemgetter(0)):
        own = [length for _, length in group]
        if stop > start and count + sum(own) > BLOCK:
            yield start, stop
            start, count = stop, 0
        for length in own:
            if stop > start and count + length > MOST_IN_BLOCK:
                yield start, stop
                start, count = stop, 0
            stop, count = stop + 1, count + length
    if stop > start:
        yield start, stop
