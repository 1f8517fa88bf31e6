"""The cases of a data file that is larger than memory should hold: on disk, fetched as they are needed.

The file is read block by block, and its numbers go into a temporary file, column by column; so do its words,
in a second reading, when somebody asks for some. Columns look like those of `read_case_file`."""

import mmap
import os
import tempfile
from collections.abc import Iterator, Sequence
from typing import TypeVar, cast, overload

import numpy as np
import pyarrow as pa
from numpy.typing import DTypeLike, NDArray

from delvecore.errors import Fault, Report, raise_error, words_of_system
from delvecore.model import Attribute, Dataset
from delvecore.readers.case_columns import take_words, word_bytes
from delvecore.readers.cases import Cases, Column, read_case_blocks
from delvecore.readers.files import SUFFIXES, read_pieces

__all__ = ["NoIndexes", "StoredArray", "StoredWords", "is_large", "picked_column", "read_stored_cases"]

LARGE, LARGE_COMPRESSED = 1 << 26, 1 << 23
"""Bytes from which on a file, or a compressed one, is better not held in memory."""
CHUNK = 1 << 16
Places = NDArray[np.int64]
Mark = TypeVar("Mark", np.bool_, np.int8)


def is_large(path: str) -> bool:
    """Should the cases of this file stay on disk?"""
    limit = LARGE_COMPRESSED if path.endswith(SUFFIXES) else LARGE
    return os.path.isfile(path) and os.path.getsize(path) >= limit


class _Store:
    """A temporary file with regions that grow side by side. It goes when nothing uses it any more."""

    def __init__(self, regions: int, stride: int) -> None:
        self.file = tempfile.TemporaryFile(prefix="delve-")  # noqa: SIM115 - open as long as the store lives
        self.stride = -(-max(stride, 1) // mmap.ALLOCATIONGRANULARITY) * mmap.ALLOCATIONGRANULARITY
        self.used = [0] * regions
        self.maps: dict[int, mmap.mmap] = {}

    def append(self, region: int, array: np.ndarray) -> None:
        """Write an array's bytes behind what a region holds. Raises DelveError where there is no room."""
        view = memoryview(np.ascontiguousarray(array).data).cast("B")
        try:
            while view:
                place = region * self.stride + self.used[region]
                written = os.pwrite(self.file.fileno(), view, place)
                self.used[region] += written
                view = view[written:]
        except OSError as error:
            fault = "room for temporary files", words_of_system(error), "set TMPDIR to a larger directory"
            raise Fault(tempfile.gettempdir(), *fault) from None

    def map(self, region: int) -> mmap.mmap | bytes:
        """Return the bytes of a complete region, mapped."""
        if not self.used[region]:
            return b""
        if region not in self.maps:
            place, size = region * self.stride, self.used[region]
            self.maps[region] = mmap.mmap(self.file.fileno(), size, access=mmap.ACCESS_READ, offset=place)
        return self.maps[region]

    def release(self, region: int) -> None:
        """Let the system take back the memory that looking at a region took."""
        if region in self.maps and hasattr(mmap, "MADV_DONTNEED"):
            self.maps[region].madvise(mmap.MADV_DONTNEED)


class StoredArray(np.lib.mixins.NDArrayOperatorsMixin):
    """Numbers on disk that look like an array of float64; what is indexed or computed is one in memory."""

    def __init__(self, store: _Store, region: int, positions: Places | None = None) -> None:
        self.store, self.region, self.positions = store, region, positions

    def __len__(self) -> int:
        return len(self._mapped()) if self.positions is None else len(self.positions)

    def _mapped(self) -> NDArray[np.float64]:
        return np.frombuffer(self.store.map(self.region), dtype=np.float64)

    def __getitem__(self, places: slice | Places) -> NDArray[np.float64]:
        if self.positions is not None:
            places = self.positions[places]
        values = np.array(self._mapped()[places])
        self.store.release(self.region)
        return values

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self[:], dtype=dtype)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: object, **options: object) -> object:
        arrays = [np.asarray(one) if isinstance(one, StoredArray) else one for one in inputs]
        return getattr(ufunc, method)(*arrays, **options)

    def take(self, places: np.ndarray) -> "StoredArray":
        """Return the numbers at places (int64, from 0), still on disk."""
        chosen = places if self.positions is None else self.positions[places]
        return StoredArray(self.store, self.region, chosen)


class StoredWords(Sequence[str]):
    """The words of one attribute, on disk once they were asked for; looks like a list of str. column: the
    place of the attribute among those of the file; positions: of the words in question."""

    def __init__(self, source: "_WordSource", column: int, positions: Places | None = None) -> None:
        self.source, self.column, self.positions = source, column, positions

    def __len__(self) -> int:
        return self.source.count if self.positions is None else len(self.positions)

    def take(self, places: np.ndarray) -> "StoredWords":
        """Return the words at places (int64, from 0), still on disk."""
        chosen = places if self.positions is None else self.positions[places]
        return StoredWords(self.source, self.column, chosen)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return self._fetch(np.arange(*place.indices(len(self))))
        return self._fetch(np.array([range(len(self))[place]]))[0]

    def _fetch(self, places: Places) -> list[str]:
        return self.source.fetch(self.column, places if self.positions is None else self.positions[places])

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), CHUNK):
            yield from self[start : start + CHUNK]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))


class _WordSource:
    """Where the words of a data file come from: read again, column by column, into a store of their own. Its
    regions hold the ends of the words of each column, then their bytes."""

    def __init__(self, path: str, dataset: Dataset, size: int) -> None:
        self.path, self.dataset, self.size = path, dataset, size
        self.count = 0
        self.store: _Store | None = None

    def fetch(self, column: int, positions: Places) -> list[str]:
        store = self.store = self.store or self._read()
        width = len(self.dataset.attributes)
        ends = np.frombuffer(store.map(column), dtype=np.int64)
        buffers = [pa.py_buffer(ends), pa.py_buffer(store.map(width + column))]
        array = pa.LargeStringArray.from_buffers(self.count, *buffers)
        found = array.take(pa.array(positions)).to_pylist()
        for region in (column, width + column):
            store.release(region)
        return found

    def _read(self) -> _Store:
        attributes = self.dataset.attributes
        store = _Store(2 * len(attributes), max(self.size, 8 * (_most_cases(self.size, attributes) + 1)))
        for column in range(len(attributes)):
            store.append(column, np.zeros(1, dtype=np.int64))
        # The faults of the file were reported when it was read first.
        blocks = read_case_blocks(
            read_pieces(self.path), self.dataset, self.path, report=lambda error: None, check=False
        )
        for block in blocks:
            for column, attribute in enumerate(attributes):
                offsets, text = word_bytes(block.columns[attribute.number].words)
                store.append(column, offsets[1:] + store.used[len(attributes) + column])
                store.append(len(attributes) + column, text)
        return store


class NoIndexes(Sequence[int | None]):
    """The commonality indexes of so many cases of which none has one: None for each."""

    def __init__(self, size: int) -> None:
        self.size = size

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, place: int) -> None: ...
    @overload
    def __getitem__(self, place: slice) -> list[int | None]: ...
    def __getitem__(self, place: int | slice) -> list[int | None] | None:
        if isinstance(place, slice):
            return [None] * len(range(*place.indices(self.size)))
        range(self.size)[place]  # raises IndexError as a list does
        return None


def read_stored_cases(
    path: str, dataset: Dataset, *, report: Report = raise_error, check: bool = True
) -> Cases:
    """Return the cases of a data file with their values on disk; otherwise as `cases.read_case_file`.
    Comments and lines are left out. Missing and censored values are told in memory, where there are any."""
    size = sum(map(len, read_pieces(path))) if path.endswith(SUFFIXES) else os.path.getsize(path)
    store = _Store(len(dataset.attributes), 8 * _most_cases(size, dataset.attributes))
    source = _WordSource(path, dataset, size)
    missing: dict[int, list[NDArray[np.bool_]]] = {one.number: [] for one in dataset.attributes}
    censored: dict[int, list[NDArray[np.int8]]] = {one.number: [] for one in dataset.attributes}
    commonality: list[int | None] = []
    left_out = 0
    for block in read_case_blocks(read_pieces(path), dataset, path, report=report, check=check):
        for region, attribute in enumerate(dataset.attributes):
            column = block.columns[attribute.number]
            store.append(region, column.numbers)
            missing[attribute.number].append(_light(column.missing))
            censored[attribute.number].append(_light(column.censored))
        if commonality or any(index is not None for index in block.commonality):
            commonality = [*(commonality or [None] * source.count), *block.commonality]
        source.count += block.count
        left_out += block.left_out
    columns = {
        attribute.number: Column(
            StoredWords(source, region),
            cast("NDArray[np.float64]", StoredArray(store, region)),  # looks like one
            _joined_marks(missing[attribute.number], np.bool_),
            _joined_marks(censored[attribute.number], np.int8),
        )
        for region, attribute in enumerate(dataset.attributes)
    }
    pa.default_memory_pool().release_unused()
    lines, indexes = np.empty(0, dtype=np.int64), commonality or NoIndexes(source.count)
    return Cases(source.count, columns, lines, indexes, left_out=left_out)


def picked_column(column: Column, positions: Places) -> Column:
    """Return a stored column's values at positions (int64, from 0), still on disk."""
    return Column(
        take_words(column.words, positions),
        column.numbers.take(positions),
        _picked_marks(column.missing, positions),
        _picked_marks(column.censored, positions),
    )


def _picked_marks(marks: NDArray[Mark], positions: Places) -> NDArray[Mark]:
    return marks[positions] if marks.strides != (0,) else np.broadcast_to(marks[:1], len(positions))


def _light(marks: NDArray[Mark]) -> NDArray[Mark]:
    """Return marks as an array that takes no memory where there are none."""
    return marks if marks.any() else np.broadcast_to(marks.dtype.type(0), len(marks))


def _joined_marks(parts: Sequence[NDArray[Mark]], kind: type[Mark]) -> NDArray[Mark]:
    """Return marks of all blocks as one array; one that takes no memory where there are none."""
    if all(part.strides == (0,) for part in parts):
        return np.broadcast_to(np.dtype(kind).type(0), sum(map(len, parts)))
    return np.concatenate(parts)


def _most_cases(size: int, attributes: Sequence[Attribute]) -> int:
    """Return how many cases so many bytes can hold: each value takes one at least, and a blank or newline."""
    return size // (2 * max(len(attributes), 1)) + 1
