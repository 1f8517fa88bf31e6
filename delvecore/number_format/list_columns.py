"""Lists of numbers in an Arrow column, as views of one array where they lie in one chunk."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


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
        """Return the numbers of the rows start up to stop; only where they lie in several chunks a copy."""
        found, piece = list[Floats](), int(np.searchsorted(self._first, start, side="right")) - 1
        while start < stop:
            first, end = int(self._first[piece]), min(stop, int(self._first[piece + 1]))
            bounds = self._offsets[piece][[start - first, end - first]]
            found.append(self._values[piece][slice(*bounds)])
            start, piece = end, piece + 1
        if len(found) == 1:
            return found[0]
        return np.concatenate([np.empty(0), *found])


def list_column(rows: Sequence[Floats]) -> pa.Array:
    """Return rows of numbers as a column of lists. Raises ArrowInvalid from 2^31 numbers on."""
    offsets = np.cumsum([0, *map(len, rows)])
    values = np.concatenate([np.empty(0), *rows])
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(values))


def rows_where(table: pa.Table, mask: pa.Array | pa.ChunkedArray) -> pa.Table:
    """Return the rows of a table where a mask holds: the table itself, not a copy, where it holds for all."""
    return table if pc.all(mask, min_count=0).as_py() else table.filter(mask)
