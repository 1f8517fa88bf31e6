"""Tables whose columns are runs made long: a line a run."""

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.readers.scores.columns import Column, Sheet

__all__ = ["counted", "melted"]


def melted(
    sheet: Sheet, kept: Sequence[Column], groups: Mapping[str, Mapping[str, Column]], name: str
) -> Sheet:
    """Return a table with one line for each row and group. kept: columns that hold for all groups; groups:
    the columns of each, by the names that they get; name: of the column that says which group."""
    count, times = sheet.rows, len(groups)
    columns = [Column(column.name, _stacked([column.array] * times)) for column in kept]
    places = pa.array(np.repeat(np.arange(times, dtype=np.int32), count))
    columns.append(Column(name, pa.DictionaryArray.from_arrays(places, pa.array(list(groups)))))
    nothing = pa.nulls(count)
    for value in dict.fromkeys(value for group in groups.values() for value in group):
        parts = [group[value].array if value in group else nothing for group in groups.values()]
        columns.append(Column(value, _stacked(parts)))
    return Sheet(sheet.source, tuple(columns), lambda row: sheet.line_of(row % count), sheet.header_line)


def counted(count: int) -> pa.Array:
    """Return the numbers of so many rows, from 0."""
    return pa.array(np.arange(count))


def _stacked(arrays: Sequence[pa.ChunkedArray | pa.Array]) -> pa.ChunkedArray:
    """Return columns under each other; as texts where they are of several types."""
    whole = [pa.chunked_array([one]) if isinstance(one, pa.Array) else one for one in arrays]
    kinds = {one.type for one in whole if not pa.types.is_null(one.type)}
    kind = kinds.pop() if len(kinds) == 1 else pa.string()
    chunks = [chunk for one in whole for chunk in pc.cast(one, kind).chunks]
    return pa.chunked_array(chunks, kind)
