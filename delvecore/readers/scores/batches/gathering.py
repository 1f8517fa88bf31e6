"""Columns put together from batches, in little memory: names, and whole numbers of which there are few, as
codes."""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from delvecore.readers.scores.batches.codes import Codes, narrow, used_codes
from delvecore.readers.scores.columns import Column

__all__ = ["gathered"]

MOST_NUMBERS = 1 << 12
"""Different whole numbers in a column that are kept as codes."""


class _Gatherer(Protocol):
    def add(self, array: pa.Array) -> None:
        """Take the next rows."""

    def array(self) -> pa.Array | pa.ChunkedArray:
        """Return all rows; once."""


class _Growing:
    """Numbers behind each other. What is not written to yet takes no memory. count: how many there are at
    most, if that is known; else they are moved as they grow."""

    def __init__(self, kind: type[np.generic], count: int) -> None:
        self.values, self.end = np.empty(count, dtype=kind), 0

    def add(self, values: NDArray[Any]) -> None:
        end = self.end + len(values)
        if end > len(self.values):
            self.values.resize(max(end, 2 * len(self.values)), refcheck=False)
        self.values[self.end : end] = values
        self.end = end

    def whole(self) -> NDArray[Any]:
        self.values.resize(self.end, refcheck=False)
        return self.values


class _Coded:
    """Names, or whole numbers. count: how many rows are there, 0 if that is not known? most: how many
    different names may there be?"""

    def __init__(self, kind: pa.DataType, count: int, *, most: int | None = None) -> None:
        self.kind, self.count, self.most = kind, count, most
        self.known: dict[Any, int] = {}  # a name, or a number
        self.codes = _Growing(np.int8, count)
        self.last = pa.array([], kind)
        self.places = np.array([-1], dtype=np.int8)

    def add(self, array: pa.Array) -> None:
        coded = array if pa.types.is_dictionary(array.type) else array.dictionary_encode()
        if not coded.dictionary.equals(self.last):
            self._look_up(coded.dictionary)
        indices = coded.indices
        if indices.null_count:
            indices = indices.fill_null(len(self.last))
        self.codes.add(self.places[indices.to_numpy()])

    def _look_up(self, words: pa.Array) -> None:
        """Note the places of the words of a dictionary, those of many batches, among all."""
        places = [
            -1 if word is None else self.known.setdefault(word, len(self.known)) for word in words.to_pylist()
        ]
        size = narrow(len(self.known))
        if self.codes.values.dtype != size:
            smaller, self.codes = self.codes, _Growing(size, self.count)
            self.codes.add(smaller.whole())
        self.last, self.places = words, np.array([*places, -1], dtype=size)

    @property
    def is_full(self) -> bool:
        return self.most is not None and len(self.known) > self.most

    def array(self) -> pa.Array:
        used = used_codes(Codes(self.codes.whole(), tuple(self.known)))
        missing = used.places < 0
        indices = pa.array(used.places, mask=missing if missing.any() else None)
        return pa.DictionaryArray.from_arrays(indices, pa.array(used.levels, self.kind))


class _Reals:
    """Numbers, those of them that are null as no number. count: as of `_Coded`."""

    def __init__(self, count: int) -> None:
        self.values = _Growing(np.float64, count)

    def add(self, array: pa.Array) -> None:
        self.values.add(pc.cast(array, pa.float64()).to_numpy(zero_copy_only=False))

    def array(self) -> pa.Array:
        return pa.array(self.values.whole())


class _Any:
    """Whatever else there may be, as it comes."""

    def __init__(self, kind: pa.DataType, first: Sequence[pa.Array] = ()) -> None:
        self.kind, self.parts = kind, list(first)

    def add(self, array: pa.Array) -> None:
        self.parts.append(array)

    def array(self) -> pa.ChunkedArray:
        return pa.chunked_array(self.parts, self.kind)


def gathered(
    batches: Iterable[pa.RecordBatch | pa.Table], schema: pa.Schema, *, rows: int = 0
) -> list[Column]:
    """Return the columns of batches that follow each other, those of a schema. rows: how many there are at
    most, if that is known."""
    gatherers = [_gatherer(field.type, rows) for field in schema]
    for batch in batches:
        for place, name in enumerate(schema.names):
            for array in _chunks(batch.column(name)):
                gatherers[place].add(array)
            gatherers[place] = _as_it_comes(gatherers[place])
    return [Column(name, gatherer.array()) for name, gatherer in zip(schema.names, gatherers, strict=True)]


def _chunks(column: pa.Array | pa.ChunkedArray) -> Sequence[pa.Array]:
    return column.chunks if isinstance(column, pa.ChunkedArray) else [column]


def _gatherer(kind: pa.DataType, rows: int) -> _Gatherer:
    inner = kind.value_type if pa.types.is_dictionary(kind) else kind
    if pa.types.is_string(inner) or pa.types.is_large_string(inner):
        return _Coded(inner, rows)
    if pa.types.is_integer(inner) and not pa.types.is_dictionary(kind):
        return _Coded(kind, rows, most=MOST_NUMBERS)
    return _Reals(rows) if pa.types.is_floating(kind) else _Any(kind)


def _as_it_comes(gatherer: _Gatherer) -> _Gatherer:
    """Return what goes on with a column of numbers: as they come where they are too many for codes."""
    if not isinstance(gatherer, _Coded) or not gatherer.is_full:
        return gatherer
    return _Any(gatherer.kind, [gatherer.array().dictionary_decode()])
