"""The words of one attribute: a sequence of text in one Arrow buffer. Uses pyarrow.

A list of a hundred million Python strings takes six times the memory of the file that they came from; this
sequence takes as much as the file.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import overload

import numpy as np
import pyarrow as pa

__all__ = ["Words", "join_words", "take_words"]

CHUNK = 1 << 16
LARGEST = 1 << 31
"""Bytes that an Arrow array with offsets of 32 bits can hold."""


class Words(Sequence[str]):
    """Words that look like a list of str: length, items, slices, iteration, comparison with lists."""

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


def take_words(words: Sequence[str], positions: np.ndarray) -> Sequence[str]:
    """Return the words at positions (int64, from 0): Words of words that know `take`, else a list."""
    if hasattr(words, "take"):
        return words.take(positions)
    return [words[position] for position in positions.tolist()]


def join_words(parts: Sequence[Sequence[str]]) -> Words:
    """Return the words of several sequences, one behind the other."""
    arrays = [words_of(part).array for part in parts]
    if sum(array.nbytes for array in arrays) >= LARGEST:
        arrays = [array.cast(pa.large_string()) for array in arrays]
    return Words(pa.concat_arrays(arrays) if arrays else pa.array([], type=pa.string()))
