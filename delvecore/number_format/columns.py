"""Columns of numbers, lists and categories: texts made on demand, lines of files, and Arrow columns of lists
and names."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, overload

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pyarrow import csv

from delvecore.number_format.numbers import format_number, round_number

BLOCK = 1 << 14
"""Number of values that are joined at a time."""

Places = NDArray[np.intp] | slice
"""Integers, from 0."""


class _LazyTexts(Sequence[str]):
    """Base of all columns: a column looks like a list of str and is equal to one."""

    @cached_property
    def texts(self) -> list[str]:
        raise AttributeError("texts")

    def __contains__(self, text: object) -> bool:
        """Is a text in the column? A search for `?` needs no texts, because no number ends with it."""
        return isinstance(text, str) and text[-1:].isalnum() and text in self.texts

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        return self.texts[place]

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return self.texts == list(other)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.texts!r})"


class NumberColumn(_LazyTexts):
    """The texts, with 9 significant digits, of float64 numbers (one dimension)."""

    def __init__(self, values: Sequence[float] | NDArray[np.float64]) -> None:
        self.values = np.asarray(values, dtype=np.float64)

    def __len__(self) -> int:
        return len(self.values)

    def take(self, places: Places) -> "NumberColumn":
        return NumberColumn(self.values[places])

    @cached_property
    def texts(self) -> list[str]:
        return list(map(format_number, self.values.tolist()))

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """The float64 numbers that the texts denote."""
        return round_numbers(self.values)


class ReadColumn(_LazyTexts):
    """The texts of numbers in a file.

    Attributes
    ----------
    numbers : NDArray[np.float64]
        The numbers as float64.
    read_texts : Callable[[], list of str]
        Returns the texts.
    """

    def __init__(self, numbers: NDArray[np.float64], read_texts: Callable[[], list[str]]) -> None:
        self.numbers, self._read_texts = numbers, read_texts

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def texts(self) -> list[str]:
        return self._read_texts()


class CodeColumn(_LazyTexts):
    """Texts from a short table: the entry at each place (intp)."""

    def __init__(self, table: Sequence[str], places: NDArray[np.intp]) -> None:
        self.table, self.places = list(table), places

    def __len__(self) -> int:
        return len(self.places)

    def take(self, places: Places) -> "CodeColumn":
        return CodeColumn(self.table, self.places[places])

    @cached_property
    def texts(self) -> list[str]:
        return [self.table[place] for place in self.places.tolist()]

    def __contains__(self, text: object) -> bool:
        return any(self.table[place] == text for place in np.unique(self.places).tolist())

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """The texts as float64 numbers; ValueError if one is not a number."""
        return np.array([float(text) for text in self.table], dtype=np.float64).take(self.places)


def numbers_of(column: Sequence[str]) -> NDArray[np.float64]:
    """Return a column's texts as float64 numbers; ValueError if one is not a number."""
    if isinstance(column, NumberColumn | ReadColumn | CodeColumn):
        return column.numbers
    return np.array([float(text) for text in column], dtype=np.float64)


def format_numbers(values: NDArray[np.float64]) -> NumberColumn:
    """Return the text of every value (one dimension), as `format_number` writes it."""
    return NumberColumn(values)


def round_numbers(values: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Round values (one dimension, float64) to those read back from a file with 9 significant digits.

    A number is scaled by a power of ten to nine digits before the point and rounded, which is exact except
    near a half. Numbers near a half, and those without an exact power, are formatted and parsed instead."""
    known = np.asarray(values, dtype=np.float64)
    with np.errstate(all="ignore"):
        shift = 8 - np.floor(np.log10(np.abs(known)))
        times, divided = 10.0 ** np.clip(shift, 0, 22), 10.0 ** np.clip(-shift, 0, 22)
        scaled = known * times / divided
        digits = np.rint(scaled)
        rounded: NDArray[np.float64] = digits / times * divided
        is_sure = (np.abs(shift) <= 22) & (np.abs(np.abs(scaled - digits) - 0.5) > 1e-6)
        is_sure &= np.abs(digits) < 1e9
    rounded[known == 0] = known[known == 0]
    for place in np.flatnonzero(~is_sure & (known != 0)):
        rounded[place] = round_number(known[place])
    return rounded


def parse_numbers(data: bytes, width: int) -> list[NDArray[np.float64]] | None:
    """Return the columns of lines of numbers with single blanks between them, or None for other bytes."""
    lines = csv.ParseOptions(delimiter=" ", ignore_empty_lines=False, quote_char=False)
    names = csv.ReadOptions(column_names=[str(place) for place in range(width)], use_threads=False)
    types = {name: pa.float64() for name in names.column_names}
    form = csv.ConvertOptions(column_types=types, null_values=[], strings_can_be_null=False)
    try:
        table = csv.read_csv(pa.BufferReader(data), names, lines, form)
        del data  # frees memory for the numbers
    except pa.ArrowInvalid:
        return None
    columns: list[NDArray[Any]] = []
    for column in table.columns:
        pieces: list[NDArray[Any]] = [
            np.from_dlpack(chunk) for chunk in column.chunks
        ]  # `to_numpy` would import pandas
        columns.append(pieces[0] if len(pieces) == 1 else np.concatenate(pieces))
    return columns


def joined_lines(columns: Sequence[Sequence[str]], *, leading: bool) -> Iterator[bytes]:
    """Yield the lines of columns of texts, many rows at a time, in UTF-8 with blanks between values.

    leading: whether each line starts with a blank. Raises ValueError for columns of different lengths."""
    if not columns:
        return
    count = len(columns[0])
    if any(len(column) != count for column in columns):
        raise ValueError(f"columns of one length, got {sorted({len(column) for column in columns})}")
    before = " " if leading else ""
    step = max(BLOCK // len(columns), 1)
    for start in range(0, count, step):
        rows = slice(start, start + step)
        parts = [
            one.take(rows) if isinstance(one, NumberColumn | CodeColumn) else one[rows] for one in columns
        ]
        yield "".join([f"{before}{' '.join(row)}\n" for row in zip(*parts, strict=True)]).encode()


def task_paths(rows: pa.Table) -> pa.ChunkedArray:
    """Return the full path of the task of each row, from its columns dataset, prototask and task."""
    names = (rows[name].cast(pa.string()) for name in ("dataset", "prototask", "task"))
    return pc.binary_join_element_wise("", *names, "/")


def path_codes(rows: pa.Table) -> tuple[list[str], NDArray[np.int64]]:
    """Return the full paths of the tasks, and the place of each row's path among them."""
    codes = np.zeros(rows.num_rows, dtype=np.int64)
    for column in ("dataset", "prototask", "task"):
        names, places = name_codes(rows[column])
        codes = codes * max(len(names), 1) + places
    _, first, places = np.unique(codes, return_index=True, return_inverse=True)
    return task_paths(rows.take(first)).to_pylist(), places


def task_places(rows: pa.Table, known: Sequence[str]) -> NDArray[np.int64]:
    """Return the place of the task of each row among these full paths, -1 for none."""
    paths, codes = path_codes(rows)
    return places_among(pa.array(paths, pa.string()), known)[codes]


Names = tuple[list[str], NDArray[np.signedinteger]]
"""Distinct names in order, and the place of each row's name among them."""


def name_codes(column: pa.ChunkedArray, *, order: Callable[[str], Any] = str) -> Names:
    """Return the names that occur in a column, sorted by `order`, and the code (int64) of each row."""
    array = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    encoded = array.dictionary_encode()
    words, codes = encoded.dictionary.to_pylist(), encoded.indices.to_numpy()
    is_used = np.zeros(len(words), dtype=bool)
    is_used[codes] = True
    used = sorted(np.flatnonzero(is_used).tolist(), key=lambda code: order(words[code]))
    places = np.zeros(len(words), dtype=np.int64)
    places[used] = np.arange(len(used))
    return [words[code] for code in used], places[codes]


def translated(
    words: pa.Array | pa.ChunkedArray, translate: Callable[[str], object], kind: pa.DataType
) -> pa.Array:
    """Translate each distinct word of a column once. Nulls stay. kind: type of the new column."""
    whole = words.combine_chunks() if isinstance(words, pa.ChunkedArray) else words
    coded = whole.dictionary_encode()
    values = pa.array([translate(word) for word in coded.dictionary.to_pylist()], kind)
    return values.take(coded.indices)


def places_among(names: pa.Array | pa.ChunkedArray, known: Sequence[str]) -> NDArray[np.int64]:
    """Return the position of each name among known names, -1 for other names."""
    places = pc.index_in(names.cast(pa.string()), value_set=pa.array(known, pa.string()))
    indices: NDArray[np.int64] = pc.fill_null(places, -1).to_numpy().astype(np.int64)
    return indices


Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


class NumberLists:
    """The numbers of each row of a column of lists. Raises ValueError for a column with nulls."""

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
        """Return the numbers of the rows from start up to stop, copied only if they are in several chunks."""
        parts, piece = list[Floats](), int(np.searchsorted(self._first, start, side="right")) - 1
        while start < stop:
            first, end = int(self._first[piece]), min(stop, int(self._first[piece + 1]))
            bounds = self._offsets[piece][[start - first, end - first]]
            parts.append(self._values[piece][slice(*bounds)])
            start, piece = end, piece + 1
        if len(parts) == 1:
            return parts[0]
        return np.concatenate([np.empty(0), *parts])


def list_column(rows: Sequence[Floats]) -> pa.Array:
    """Return rows of numbers as a column of lists. Raises ArrowInvalid from 2^31 numbers on."""
    offsets = np.cumsum([0, *map(len, rows)])
    values = np.concatenate([np.empty(0), *rows])
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(values))


def rows_where(table: pa.Table, mask: pa.Array | pa.ChunkedArray) -> pa.Table:
    """Return the rows of a table for which a mask holds; the table itself if it holds for all."""
    return table if pc.all(mask, min_count=0).as_py() else table.filter(mask)
