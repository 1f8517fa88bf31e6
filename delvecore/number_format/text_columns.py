"""Columns of texts that are only made into texts where somebody looks at one, and lines made of columns.

A file of a million numbers would need a million Python strings; instead the lines are put together from cells
of fixed width (see `delvecore.number_format.number_cells`), a block of rows at a time."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import groupby
from typing import overload

import numpy as np
from numpy.typing import NDArray

from delvecore.number_format.number_cells import Cells, decimal_values, number_cells, to_decimals

__all__ = ["CodeColumn", "NumberColumn", "ReadColumn", "format_numbers", "joined_lines", "numbers_of"]
__all__ += ["round_numbers"]

BLOCK = 1 << 14
"""How many values are put together at a time: their cells fit the processor's cache."""

Places = NDArray[np.intp] | slice
"""Integers, from 0."""

_WORD = 8
_BLANK, _NEWLINE = np.uint64(ord(" ")), np.uint64(ord("\n"))


class _LazyTexts(Sequence[str]):
    """What all kinds of column have in common: they look like a list of str and are equal to one."""

    @cached_property
    def texts(self) -> list[str]:
        raise AttributeError("texts")

    def __contains__(self, text: object) -> bool:
        """Only the text of a number can be among those of numbers; no text need be made to look for `?`."""
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
        return b"".join(joined_lines([self], leading=False)).decode("ascii").split("\n")[:-1]

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """The float64 numbers that the texts give back."""
        values = np.ascontiguousarray(self.values)
        return decimal_values(to_decimals(values), values)


class ReadColumn(_LazyTexts):
    """The texts of numbers as a file has them. numbers: float64; read_texts: returns the texts."""

    def __init__(self, numbers: NDArray[np.float64], read_texts: Callable[[], list[str]]) -> None:
        self.numbers, self._read_texts = numbers, read_texts

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def texts(self) -> list[str]:
        return self._read_texts()


class CodeColumn(_LazyTexts):
    """Texts out of a short table: the entry at each of the places (intp)."""

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
        """The float64 numbers that the texts are; ValueError where one is none."""
        return np.array([float(text) for text in self.table], dtype=np.float64).take(self.places)


def numbers_of(column: Sequence[str]) -> NDArray[np.float64]:
    """Return a column's texts as float64 numbers; ValueError where one is no number."""
    if isinstance(column, NumberColumn | ReadColumn | CodeColumn):
        return column.numbers
    return np.array([float(text) for text in column], dtype=np.float64)


def format_numbers(values: NDArray[np.float64]) -> NumberColumn:
    """Return the text of every value (one dimension), as `format_number` writes it."""
    return NumberColumn(values)


def round_numbers(values: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the values that a file written with 9 significant digits gives back, float64."""
    return NumberColumn(values).numbers


def joined_lines(columns: Sequence[Sequence[str]], *, leading: bool) -> Iterator[bytes]:
    """Yield the lines that columns of texts make, in pieces of many rows: UTF-8, blanks between values.
    leading: does each line start with a blank? Raises ValueError for columns of different lengths."""
    if not columns:
        return
    count = len(columns[0])
    if any(len(column) != count for column in columns):
        raise ValueError(f"columns of one length, got {sorted({len(column) for column in columns})}")
    columns = [one if isinstance(one, NumberColumn | CodeColumn) else list(one) for one in columns]
    make = _plain_lines if any(map(_holds_zero_bytes, columns)) else _lines
    rows = max(BLOCK // len(columns), 1)
    for start in range(0, count, rows):
        yield make([_part(one, start, rows) for one in columns], leading, min(rows, count - start))


def _part(column: Sequence[str], start: int, rows: int) -> Sequence[str]:
    part = slice(start, start + rows)
    return column.take(part) if isinstance(column, NumberColumn | CodeColumn) else column[part]


def _holds_zero_bytes(column: Sequence[str]) -> bool:
    """Zero bytes fill the cells, so texts that hold some cannot go through cells."""
    if isinstance(column, NumberColumn):
        return False
    return "\0" in "".join(column.table if isinstance(column, CodeColumn) else column)


def _plain_lines(columns: Sequence[Sequence[str]], leading: bool, size: int) -> bytes:
    before = " " if leading else ""
    return "".join(f"{before}{' '.join(row)}\n" for row in zip(*columns, strict=True)).encode()


def _lines(columns: Sequence[Sequence[str]], leading: bool, size: int) -> bytes:
    """Return lines of `size` rows by way of cells; zero bytes between and inside the cells are taken out."""
    parts: list[Cells] = []
    for _, group in groupby(columns, key=type):
        alike = list(group)
        numbers = [column for column in alike if isinstance(column, NumberColumn)]
        parts += [_number_part(numbers)] if numbers else map(_text_part, alike)
    for place, part in enumerate(parts):
        part[:, :, 0] |= _BLANK
        if place == 0 and not leading:
            part[:, 0, 0] ^= _BLANK ^ _NEWLINE
    flat = [part.reshape(size, part.shape[1] * part.shape[2]) for part in parts]
    if leading:
        flat.append(np.full((size, 1), _NEWLINE))
    whole = flat[0] if len(flat) == 1 else np.concatenate(flat, axis=1)
    text = whole.astype("<u8", copy=False).tobytes().translate(None, b"\0")
    return text if leading else text[1:] + b"\n"


def _number_part(columns: Sequence[NumberColumn]) -> Cells:
    """Return the cells of neighbouring columns of numbers: uint64, shape (rows, columns, words)."""
    values = np.column_stack([column.values for column in columns])
    return number_cells(values.reshape(-1)).reshape(*values.shape, -1)


def _text_part(column: Sequence[str]) -> Cells:
    """Return the cells of one column of other texts: uint64, shape (rows, 1, words)."""
    if isinstance(column, CodeColumn):
        return _packed(column.table).take(column.places, axis=0)[:, np.newaxis]
    return _packed(column)[:, np.newaxis]


def _packed(texts: Sequence[str]) -> Cells:
    """Return texts as cells as wide as the longest needs: uint64, shape (texts, words)."""
    encoded = [text.encode() for text in texts]
    longest = max(map(len, encoded), default=0)
    cells = np.zeros((len(encoded), -(-(longest + 1) // _WORD) * _WORD), dtype=np.uint8)
    if longest:
        cells[:, 1 : longest + 1] = np.array(encoded, dtype=f"S{longest}").view(np.uint8).reshape(-1, longest)
    return cells.view("<u8").astype(np.uint64, copy=False)
