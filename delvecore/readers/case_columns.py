"""Words of one attribute in, a column of values out, and which of them the attribute's range permits.

Words that are plain numbers are converted all at once; what is left (categories, missing and censored values)
is looked at once for each different word. Source: DELVE manual, sections 3.1 and 3.3. Uses NumPy and pyarrow.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from delvecore.model import IntegerRange, Interval, Range
from delvecore.numerals.numbers import is_number
from delvecore.readers.words import Words, join_words, words_of

__all__ = ["Column", "inside_range", "join_columns", "make_column"]

_MAY_BEGIN = np.zeros(256, dtype=bool)
_MAY_BEGIN[list(b"0123456789-.")] = True
_MAY_END = np.zeros(256, dtype=bool)
_MAY_END[list(b"0123456789.")] = True
QUESTION, COLON = b"?:"


@dataclass(frozen=True)
class Column:
    """The values of one attribute, one an entry for every case.

    words: the text of the file; numbers: float64, NaN where the value is missing or no number;
    missing: bool; censored: int8, +1 where the true value is at least the number (`3:`), -1 where it is
    at most the number (`:3`), else 0.
    """

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
    if plain.all():
        values = _all_numbers(words)
        if values is not None:
            return Column(Words(words), values, missing, censored)
    elif plain.any():
        values = _all_numbers(words.filter(pa.array(plain)))
        if values is not None:
            numbers[plain] = values
            plain = ~plain
        else:
            plain = ~missing
    else:
        plain = ~missing
    _look_closer(words, np.flatnonzero(plain & ~missing), numbers, censored)
    return Column(Words(words), numbers, missing, censored)


def _all_numbers(words: pa.Array) -> NDArray[np.float64] | None:
    """Return the values of words that are all finite numbers, else None."""
    try:
        values = words.cast(pa.float64()).to_numpy(zero_copy_only=False)
    except pa.ArrowInvalid:
        return None
    return values if np.isfinite(values).all() else None


def _look_closer(
    words: pa.Array, positions: NDArray[np.intp], numbers: NDArray[np.float64], censored: NDArray[np.int8]
) -> None:
    """Fill in numbers and censored at positions, one look at each different word."""
    if not len(positions):
        return
    coded = words.take(pa.array(positions)).dictionary_encode()
    pairs = [_value(word) for word in coded.dictionary.to_pylist()]
    values, signs = zip(*pairs, strict=True)
    codes = coded.indices.to_numpy()
    numbers[positions] = np.array(values, dtype=np.float64)[codes]
    censored[positions] = np.array(signs, dtype=np.int8)[codes]


def _value(word: str) -> tuple[float, int]:
    """Return (number, sign of censoring) of one word that is not missing."""
    text = word[:-1] if word.endswith(":") else word.removeprefix(":")
    number = float(text) if is_number(text) else np.nan
    if word == text or np.isnan(number):
        return number, 0
    return number, 1 if word.endswith(":") else -1


def inside_range(column: Column, limits: Range) -> NDArray[np.bool_]:
    """Which values may be? bool, one a case.

    `?` in a range allows missing values of every reason; a censored value may be if some possible value lies
    at or beyond it.
    """
    inside = column.missing.copy() if "?" in limits.missing else np.zeros(len(column.numbers), dtype=bool)
    for interval in limits.intervals:
        inside |= _between(column.numbers, interval)
    for integers in limits.integers:
        whole = column.numbers == np.floor(column.numbers)
        inside |= whole & (column.numbers >= integers.low) & (column.numbers <= integers.high)
    for position in np.flatnonzero(column.censored).tolist():
        inside[position] = _reached(column, position, limits)
    permitted = (*limits.values, *limits.missing)
    rest = np.flatnonzero(~inside)
    if permitted and len(rest):
        inside[rest] = _among(column.words, rest, permitted)
    return inside


def _among(words: Sequence[str], positions: NDArray[np.intp], permitted: Sequence[str]) -> NDArray[np.bool_]:
    array = words_of(words).array
    if len(positions) < len(array):
        array = array.take(pa.array(positions))
    return pc.is_in(array, value_set=pa.array(permitted, type=array.type)).to_numpy(zero_copy_only=False)


def _between(numbers: NDArray[np.float64], interval: Interval) -> NDArray[np.bool_]:
    above = numbers >= interval.low if interval.low_closed else numbers > interval.low
    below = numbers <= interval.high if interval.high_closed else numbers < interval.high
    return above & below


def _reached(column: Column, position: int, limits: Range) -> bool:
    bound, upward = float(column.numbers[position]), column.censored[position] > 0
    items: tuple[Interval | IntegerRange, ...] = (*limits.intervals, *limits.integers)
    return any(item.reaches(bound, upward=upward) for item in items)


def join_columns(columns: Sequence[Column]) -> Column:
    """Return the columns of one attribute, one behind the other."""
    if len(columns) == 1:
        return columns[0]
    if not columns:
        return make_column(())
    return Column(
        join_words([column.words for column in columns]),
        np.concatenate([column.numbers for column in columns]),
        np.concatenate([column.missing for column in columns]),
        np.concatenate([column.censored for column in columns]),
    )
