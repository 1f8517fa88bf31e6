"""The columns of a table as it was read: their texts, their numbers, and how they hang together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from delvecore.errors import ParseError
from delvecore.names import NAME, is_name
from delvecore.readers.scores.batches.codes import Codes, Places, looked_up, narrow, pieces, tidy
from delvecore.readers.scores.cells import MISSING, Cell, parse_cell

__all__ = ["Column", "Numbers", "Sheet", "checked_names", "determines"]

SAMPLE = 1000
"""Levels of a column by which it is judged."""


class Numbers(NamedTuple):
    """values: not a number where missing or failed; spread: None where no field has one."""

    values: NDArray[np.float64]
    spread: NDArray[np.float64] | None = None


class Column:
    """One column. name: without blanks at the ends; array: of texts, or of numbers."""

    def __init__(self, name: str, array: pa.ChunkedArray | pa.Array) -> None:
        self.name = name.strip()
        self.array = pa.chunked_array([array]) if isinstance(array, pa.Array) else array

    def __len__(self) -> int:
        return len(self.array)

    @property
    def is_plain(self) -> bool:
        """Were its fields read as numbers?"""
        kind = self.array.type
        kind = kind.value_type if pa.types.is_dictionary(kind) else kind
        return pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)

    @cached_property
    def _coded_numbers(self) -> "Column | None":
        """The different numbers of a column that has few and was read as their codes."""
        if not self.is_plain or not pa.types.is_dictionary(self.array.type):
            return None
        return Column(self.name, _one_dictionary(self.array).dictionary)

    @cached_property
    def codes(self) -> Codes:
        """Its texts; whole numbers without a decimal point."""
        if self.is_plain:
            return _codes_of_numbers(self.array)
        array = self.array if pa.types.is_dictionary(self.array.type) else _encoded(self.array)
        whole = _one_dictionary(array)
        places = _places_of(whole.indices, len(whole.dictionary))
        return tidy(places, [str(level or "").strip() for level in whole.dictionary.to_pylist()])

    @cached_property
    def numbers(self) -> Numbers | None:
        """Its numbers, None where a field is none."""
        if self.is_plain:
            values = _values_of(self.array)
            infinite = np.isinf(values)
            return Numbers(np.where(infinite, np.nan, values) if infinite.any() else values)
        if not self.is_mostly_numbers:
            return None
        cells = [parse_cell(level) for level in self.codes.levels]
        known = [cell for cell in cells if cell is not None]
        return _taken(known, self.codes.places) if len(known) == len(cells) else None

    @cached_property
    def is_mostly_numbers(self) -> bool:
        """Do half of its first fields hold numbers, where anything stands in them?"""
        if self.is_plain:
            return self.kind == "number"
        cells = [parse_cell(level) for level in self.codes.levels[:SAMPLE]]
        known = [cell for cell in cells if cell is not None]
        valued = sum(cell.value == cell.value for cell in known)
        return valued > 0 and 2 * valued >= len(cells) - (len(known) - valued)

    @cached_property
    def kind(self) -> str:
        """`empty`, `number` or `text`."""
        if self._coded_numbers is not None:
            return self._coded_numbers.kind
        if self.is_plain:
            return "number" if self.numbers and not np.isnan(self.numbers.values).all() else "empty"
        if all(level.lower() in MISSING for level in self.codes.levels[:SAMPLE]):
            return "empty"
        return "number" if self.numbers else "text"

    @cached_property
    def is_whole(self) -> bool:
        """Is it of whole numbers?"""
        if self._coded_numbers is not None:
            return self._coded_numbers.is_whole
        if self.kind != "number" or self.numbers is None or self.numbers.spread is not None:
            return False
        parts = (self.numbers.values[part] for part in pieces(len(self)))
        return all(bool(((part == np.floor(part)) | np.isnan(part)).all()) for part in parts)

    @property
    def distinct(self) -> int:
        """How many different texts are there, without empty ones?"""
        return len(self.codes.levels)

    def strange(self) -> int | None:
        """Return the row of the first field that is no score, None without one."""
        bad = [place for place, level in enumerate(self.codes.levels) if parse_cell(level) is None]
        rows = np.flatnonzero(np.isin(self.codes.places, bad))
        return int(rows[0]) if len(rows) else None


@dataclass(frozen=True, eq=False)
class Sheet:
    """A table as it was read. line_of: returns the line of a row, None where there are no lines; rows_named:
    are rows told by their numbers then? parts: the files that it was put together of, and how many rows each
    has; unread: columns that were not needed."""

    source: str
    columns: tuple[Column, ...]
    line_of: Callable[[int], int | None]
    header_line: int | None = None
    rows_named: bool = False
    parts: tuple[tuple[str, int], ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def rows(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    def column(self, name: str) -> Column:
        """Return the column of this name, or the one whose name differs in case only; ParseError."""
        for known in (str.__eq__, lambda one, other: one.lower() == other.lower()):
            for column in self.columns:
                if known(column.name, name.strip()):
                    return column
        names = ", ".join(repr(column.name) for column in self.columns[:12])
        raise self.fault(f"a column named {name!r}", f"the columns {names}", "choose one of these")

    def has(self, name: str) -> bool:
        return any(column.name.lower() == name.strip().lower() for column in self.columns)

    def kept(self, rows: NDArray[np.bool_]) -> "Sheet":
        """Return the table of some of its rows."""
        mask, places = pa.array(rows), np.flatnonzero(rows)
        columns = [Column(column.name, column.array.filter(mask)) for column in self.columns]
        return replace(self, columns=tuple(columns), line_of=lambda row: self.line_of(int(places[row])))

    def fault(self, expected: str, found: str, remedy: str = "", *, row: int | None = None) -> ParseError:
        """Return an error of a row, or of the header."""
        line = self.header_line if row is None else self.line_of(row)
        source = self.source
        if self.rows_named and row is not None:
            source, row = self._part_of(row)
            found += f", in row {row + 1}"
        return ParseError(source, line, expected, found, remedy)

    def _part_of(self, row: int) -> tuple[str, int]:
        """Return the file that a row is in, and its place there."""
        for path, rows in self.parts:
            if row < rows:
                return path, row
            row -= rows
        return self.source, row


def checked_names(names: Sequence[str], source: str, line: int | None) -> Sequence[str]:
    """Return the names of columns, which must be there once each and on one line. ParseError."""
    seen: set[str] = set()
    for place, name in enumerate(map(str.strip, names), 1):
        if name in seen:
            expected, found = "each column's name once", f"{name!r} again, over column {place}"
            raise ParseError(source, line, expected, found, "rename one of them")
        if name and not is_name(name):
            raise ParseError(source, line, NAME, f"{name!r} over column {place}", "rename it")
        seen.add(name)
    return names


def determines(codes: Codes, other: Column) -> bool:
    """Is the other column constant within each of these, where it says something at all?"""
    values = other.codes.places
    known = (values >= 0) & (codes.places >= 0)
    first = np.full(len(codes.levels), -1, dtype=np.int32)
    first[codes.places[known]] = values[known]
    return bool((first[codes.places[known]] == values[known]).all())


def _one_dictionary(array: pa.ChunkedArray) -> pa.DictionaryArray:
    """Return a column of codes as one array."""
    if array.num_chunks == 1:
        return array.chunk(0)
    whole = array.unify_dictionaries().combine_chunks()
    return whole.chunk(0) if isinstance(whole, pa.ChunkedArray) else whole


def _places_of(indices: pa.Array, levels: int) -> Places:
    """Return the indices of a dictionary as small numbers, -1 for null."""
    filled = indices.fill_null(-1) if indices.null_count else indices
    return filled.to_numpy(zero_copy_only=False).astype(narrow(levels), copy=False)


def _floats(array: pa.ChunkedArray | pa.Array) -> NDArray[np.float64]:
    found = pc.cast(array, pa.float64(), safe=False)
    plain = found.to_numpy() if isinstance(found, pa.ChunkedArray) else found.to_numpy(zero_copy_only=False)
    return plain.astype(np.float64, copy=False)


def _values_of(array: pa.ChunkedArray) -> NDArray[np.float64]:
    """Return plain numbers, not a number for null."""
    if not pa.types.is_dictionary(array.type):
        return _floats(array.chunk(0) if array.num_chunks == 1 else array)
    whole = _one_dictionary(array)
    levels = np.append(_floats(whole.dictionary), np.nan)
    return looked_up(levels, _places_of(whole.indices, len(whole.dictionary)))


def _encoded(array: pa.ChunkedArray) -> pa.ChunkedArray:
    texts = array if pa.types.is_string(array.type) else pc.cast(array, pa.string())
    return pc.dictionary_encode(texts)


def _codes_of_numbers(array: pa.ChunkedArray) -> Codes:
    """Return numbers as codes, in their order; -1 for what is no number."""
    is_coded = pa.types.is_dictionary(array.type)
    whole = _one_dictionary(array) if is_coded else pc.dictionary_encode(pa.array(_values_of(array)))
    levels = _floats(whole.dictionary)
    order = np.argsort(levels, kind="stable")
    known = order[~np.isnan(levels[order])]
    moved = np.full(len(levels) + 1, -1, dtype=narrow(len(levels)))
    moved[known] = np.arange(len(known))
    texts = [f"{value:.0f}" if value.is_integer() else repr(value) for value in levels[known].tolist()]
    return Codes(looked_up(moved, _places_of(whole.indices, len(levels))), tuple(texts))


def _taken(cells: Sequence[Cell], places: Places) -> Numbers:
    """Return the cells of levels as numbers of rows; a row without a level has none."""
    levels = np.array([*((cell.value, cell.spread) for cell in cells), (np.nan, np.nan)])
    values, spread = levels[places].T
    return Numbers(values.copy(), None if np.isnan(spread).all() else spread.copy())
