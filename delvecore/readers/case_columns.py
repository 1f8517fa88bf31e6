"""Words of one attribute in, a column of values out, and which of them the attribute's range permits.

Words that are plain numbers are converted all at once; what is left (categories, missing and censored values)
is looked at once for each different word. Source: DELVE manual, sections 3.1 and 3.3. Uses NumPy and pyarrow.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from delvecore.model import IntegerRange, Interval, Range
from delvecore.number_format.numbers import is_number

__all__ = ["Column", "column_of", "inside_range", "join_columns", "make_column", "take_words", "word_bytes"]

_MAY_BEGIN = np.zeros(256, dtype=bool)
_MAY_BEGIN[list(b"0123456789-.")] = True
_MAY_END = np.zeros(256, dtype=bool)
_MAY_END[list(b"0123456789.")] = True
QUESTION = ord("?")
CHUNK = 1 << 16
LARGEST = 1 << 31
"""Bytes that an Arrow array with offsets of 32 bits can hold."""


class Words(Sequence[str]):
    """Words that look like a list of str: length, items, slices, iteration, comparison with lists. They lie
    in one Arrow buffer and take as much memory as in their file; Python strings take six times that."""

    __slots__ = ("array",)

    def __init__(self, array: pa.Array) -> None:
        self.array = array

    def __len__(self) -> int:
        return len(self.array)

    def take(self, places: np.ndarray) -> "Words":
        """Return the words at places (int64, from 0)."""
        return Words(self.array.take(pa.array(places)))

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return self.array.take(pa.array(range(*place.indices(len(self))), type=pa.int64())).to_pylist()
        return self.array[range(len(self))[place]].as_py()

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), CHUNK):
            yield from self.array.slice(start, CHUNK).to_pylist()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __repr__(self) -> str:
        return f"Words({list(self)!r})"


def words_of(words: Iterable[str]) -> Words:
    """Return any words as Words."""
    return words if isinstance(words, Words) else Words(pa.array(list(words), type=pa.string()))


def word_bytes(words: Iterable[str]) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Return (offsets from 0, bytes) of words, none of them empty."""
    array = words_of(words).array.cast(pa.large_string())
    _, ends, text = array.buffers()
    if not len(array) or text is None:
        return np.zeros(1, dtype=np.int64), np.empty(0, dtype=np.uint8)
    offsets = np.frombuffer(ends, dtype=np.int64)[array.offset : array.offset + len(array) + 1]
    return offsets - offsets[0], np.frombuffer(text, dtype=np.uint8)[offsets[0] : offsets[-1]]


def take_words(words: Sequence[str], positions: np.ndarray) -> Sequence[str]:
    """Return the words at positions (int64, from 0): Words of words that know `take`, else a list."""
    if hasattr(words, "take"):
        return words.take(positions)
    return [words[position] for position in positions.tolist()]


@dataclass(frozen=True)
class Column:
    """The values of one attribute, one an entry for every case. words: the text of the file; numbers:
    float64, NaN where the value is missing or no number; missing: bool; censored: int8, +1 where the true
    value is at least the number (`3:`), -1 where it is at most the number (`:3`), else 0."""

    words: Sequence[str]
    numbers: NDArray[np.float64]
    missing: NDArray[np.bool_]
    censored: NDArray[np.int8]


def make_column(words: Iterable[str]) -> Column:
    """Return words, none of them empty, as a Column."""
    array = words_of(words).array
    data = [word.encode() for word in array.to_pylist()]
    first = np.fromiter((word[0] for word in data), dtype=np.uint8, count=len(data))
    last = np.fromiter((word[-1] for word in data), dtype=np.uint8, count=len(data))
    return column_of(array, first, last)


def column_of(words: pa.Array, first: NDArray[np.uint8], last: NDArray[np.uint8]) -> Column:
    """Return an Arrow array of words as a Column. first, last: first and last byte of each word."""
    numbers = np.full(len(words), np.nan)
    missing = first == QUESTION
    censored = np.zeros(len(words), dtype=np.int8)
    plain = _MAY_BEGIN[first] & _MAY_END[last]
    values = None
    if plain.any():
        values = _all_numbers(words if plain.all() else words.filter(pa.array(plain)))
    if values is not None:
        numbers[plain] = values
    rest = np.flatnonzero(~missing if values is None else ~missing & ~plain)
    if len(rest):
        coded = words.take(pa.array(rest)).dictionary_encode()  # one look at each different word
        found, signs = zip(*map(_value, coded.dictionary.to_pylist()), strict=True)
        codes = coded.indices.to_numpy()
        numbers[rest] = np.array(found, dtype=np.float64)[codes]
        censored[rest] = np.array(signs, dtype=np.int8)[codes]
    return Column(Words(words), numbers, missing, censored)


def _all_numbers(words: pa.Array) -> NDArray[np.float64] | None:
    """Return the values of words that are all finite numbers, else None."""
    try:
        values = words.cast(pa.float64()).to_numpy(zero_copy_only=False)
    except pa.ArrowInvalid:
        return None
    return values if np.isfinite(values).all() else None


def _value(word: str) -> tuple[float, int]:
    """Return (number, sign of censoring) of one word that is not missing."""
    text = word[:-1] if word.endswith(":") else word.removeprefix(":")
    number = float(text) if is_number(text) else np.nan
    if word == text or np.isnan(number):
        return number, 0
    return number, 1 if word.endswith(":") else -1


def inside_range(column: Column, limits: Range) -> NDArray[np.bool_]:
    """Which values may be? bool, one a case. `?` in a range allows missing values of every reason; a censored
    value may be if some possible value lies at or beyond it."""
    inside = column.missing.copy() if "?" in limits.missing else np.zeros_like(column.missing)
    numbers = column.numbers
    for interval in limits.intervals:
        above = numbers >= interval.low if interval.low_closed else numbers > interval.low
        inside |= above & (numbers <= interval.high if interval.high_closed else numbers < interval.high)
    for integers in limits.integers:
        inside |= (numbers == np.floor(numbers)) & (numbers >= integers.low) & (numbers <= integers.high)
    items: tuple[Interval | IntegerRange, ...] = (*limits.intervals, *limits.integers)
    for position in np.flatnonzero(column.censored).tolist():
        bound, upward = float(numbers[position]), bool(column.censored[position] > 0)
        inside[position] = any(item.reaches(bound, upward=upward) for item in items)
    permitted, rest = (*limits.values, *limits.missing), np.flatnonzero(~inside)
    if permitted and len(rest):
        words = words_of(column.words).array
        words = words if len(rest) == len(words) else words.take(pa.array(rest))
        known = pa.array(permitted, type=words.type)
        inside[rest] = pc.is_in(words, value_set=known).to_numpy(zero_copy_only=False)
    return inside


def join_columns(columns: Sequence[Column]) -> Column:
    """Return the columns of one attribute, one behind the other."""
    if len(columns) < 2:
        return columns[0] if columns else make_column(())
    words = [words_of(column.words).array for column in columns]
    if sum(array.nbytes for array in words) >= LARGEST:
        words = [array.cast(pa.large_string()) for array in words]
    return Column(
        Words(pa.concat_arrays(words)),
        np.concatenate([column.numbers for column in columns]),
        np.concatenate([column.missing for column in columns]),
        np.concatenate([column.censored for column in columns]),
    )
