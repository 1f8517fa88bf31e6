"""One number for the words of each case, so that two files of cases can be compared without holding either.

Equal words in equal places give equal numbers; other words do so once in 2^64.
"""

from collections.abc import Collection

import numpy as np
import pyarrow as pa

from delvecore.readers.cases import Cases
from delvecore.readers.words import words_of

__all__ = ["case_digests"]

MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
"""2^64 divided by the golden ratio, odd: its powers are spread over all numbers of 64 bits."""


def case_digests(cases: Cases, numbers: Collection[int]) -> np.ndarray:
    """Return a number, uint64, for each case's words of some attributes. Attribute 0 is left out."""
    total = np.zeros(cases.count, dtype=np.uint64)
    for number in sorted(set(numbers) - {0}):
        total = total * MULTIPLIER + _word_digests(words_of(cases.columns[number].words).array)
    return total


def _word_digests(words: pa.Array) -> np.ndarray:
    """Return, for each word, the sum of its bytes times powers of MULTIPLIER, and of its length."""
    offsets, text = _buffers(words)
    lengths = np.diff(offsets)
    places = np.arange(len(text)) - np.repeat(offsets[:-1], lengths)
    powers = np.cumprod(np.full(int(lengths.max(initial=0)) + 1, MULTIPLIER))
    parts = (text.astype(np.uint64) + np.uint64(1)) * powers[places]
    sums = np.add.reduceat(parts, offsets[:-1]) if len(text) else np.zeros(len(words), dtype=np.uint64)
    return sums + lengths.astype(np.uint64)


def _buffers(words: pa.Array) -> tuple[np.ndarray, np.ndarray]:
    """Return (offsets from 0, bytes) of an Arrow array of words, none of them empty."""
    kind = np.int64 if pa.types.is_large_string(words.type) else np.int32
    _, offsets, text = words.buffers()
    starts = np.frombuffer(offsets, dtype=kind)[words.offset : words.offset + len(words) + 1]
    if not len(words) or text is None:
        return np.zeros(1, dtype=np.int64), np.empty(0, dtype=np.uint8)
    inside = np.frombuffer(text, dtype=np.uint8)[starts[0] : starts[-1]]
    return starts.astype(np.int64) - starts[0], inside
