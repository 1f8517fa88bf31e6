"""Lists of numbers in an Arrow column of one piece or many, as views: a column may be larger than memory."""

import mmap
import os
import tempfile
from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

__all__ = ["NumberLists", "file_array", "list_column", "rows_in_order", "rows_where"]

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
MOST = 2**31 - 1
"""The most numbers that a piece of a column can have."""
COPIED = 1 << 26
"""So many bytes of a table may be copied to leave out rows, or to change their order."""
STRETCHES = 100_000
"""The most pieces that a table falls into instead."""
LARGE = 1 << 26
"""So many numbers are put together in memory, 512 MB; more are in a file."""


class NumberLists:
    """The numbers of each row of a column of lists. lengths: how many each has. Raises ValueError for a
    column with nulls."""

    def __init__(self, column: pa.ChunkedArray) -> None:
        chunks = [chunk for chunk in column.chunks if len(chunk)]
        if any(chunk.null_count or chunk.values.null_count for chunk in chunks):
            raise ValueError("a column of lists has nulls among its values")
        self._offsets = [chunk.offsets.to_numpy() for chunk in chunks]
        self._values = [chunk.values.to_numpy(zero_copy_only=True) for chunk in chunks]
        self._first = np.cumsum([0, *map(len, chunks)])
        lengths = np.concatenate(
            [np.empty(0, dtype=np.int8), *(np.diff(offsets) for offsets in self._offsets)]
        )
        are_alike = len(lengths) > 0 and bool((lengths == lengths[0]).all())
        self.lengths: Whole = np.broadcast_to(lengths[0].copy(), len(lengths)) if are_alike else lengths

    def span(self, start: int, stop: int) -> Floats:
        """Return the numbers of the rows start up to stop; only where they lie in several pieces a copy, in a
        file if they are many."""
        found, piece = list[Floats](), int(np.searchsorted(self._first, start, side="right")) - 1
        while start < stop:
            first, end = int(self._first[piece]), min(stop, int(self._first[piece + 1]))
            bounds = self._offsets[piece][[start - first, end - first]]
            found.append(self._values[piece][slice(*bounds)])
            start, piece = end, piece + 1
        if len(found) == 1:
            return found[0]
        count = sum(map(len, found))
        return np.concatenate([np.empty(0), *found], out=file_array(count) if count > LARGE else None)


def file_array(count: int, directory: str | None = None) -> Floats:
    """Return an array of so many numbers in a file without a name, which goes with the array. directory: None
    for the usual one of temporary files. Raises OSError where there is no room for it."""
    with tempfile.TemporaryFile(dir=directory) as file:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, count * 8)
        else:
            os.truncate(file.fileno(), count * 8)
        return np.frombuffer(mmap.mmap(file.fileno(), count * 8), dtype=np.float64)


def list_column(rows: Sequence[Floats], *, most: int) -> pa.ChunkedArray:
    """Return rows of numbers as a column of lists: copied into one piece where they are no more than `most`,
    else in pieces that are where the numbers are, one of all rows that lie there one after the other."""
    if sum(map(len, rows)) <= most:
        pieces = [(np.concatenate([np.empty(0), *rows]), list(map(len, rows)))]
    else:
        pieces = list(_adjoining(rows))
    arrays = [
        pa.ListArray.from_arrays(np.cumsum([0, *lengths], dtype=np.int32), pa.array(values))
        for values, lengths in pieces
    ]
    return pa.chunked_array(arrays, pa.list_(pa.float64()))


def _adjoining(rows: Sequence[Floats]) -> Iterator[tuple[Floats, list[int]]]:
    """Yield views of the rows that lie one behind the other in one array, and their lengths."""
    first, lengths, count, end = np.empty(0), list[int](), 0, 0
    for row in rows:
        place = row.__array_interface__["data"][0]
        goes_on = place == end and row.base is not None and row.base is first.base
        if not goes_on or count + len(row) > MOST:
            if lengths:
                yield as_strided(first, (count,), writeable=False), lengths
            first, lengths, count = row, [], 0
        lengths.append(len(row))
        count, end = count + len(row), place + row.nbytes
    if lengths:
        yield as_strided(first, (count,), writeable=False), lengths


def rows_where(table: pa.Table, mask: pa.Array | pa.ChunkedArray) -> pa.Table:
    """Return the rows of a table where a mask holds; those of a large one stay where they are, one piece a
    stretch of rows."""
    if table.nbytes <= COPIED:
        return table.filter(mask)
    edges = np.flatnonzero(np.diff(np.asarray(mask), prepend=False, append=False))
    return _stretches(table, edges[::2], edges[1::2])


def rows_in_order(table: pa.Table, order: pa.Array) -> pa.Table:
    """Return the rows of a table in another order; those of a large one stay where they are, one piece a
    stretch of rows that keep theirs, unless these are too many."""
    places = order.to_numpy().astype(np.int64)
    starts = np.flatnonzero(np.diff(places, prepend=-2) != 1)
    if table.nbytes <= COPIED or len(starts) > STRETCHES:
        return table.take(order).combine_chunks()
    ends = np.append(starts[1:], len(places))
    return _stretches(table, places[starts], places[starts] + ends - starts)


def _stretches(table: pa.Table, starts: Whole, stops: Whole) -> pa.Table:
    bounds = zip(starts.tolist(), stops.tolist(), strict=True)
    found = [table.slice(start, stop - start) for start, stop in bounds]
    return pa.concat_tables(found or [table.slice(0, 0)])
