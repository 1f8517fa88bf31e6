"""A table as it was read, and its columns: their names, their numbers, and how they depend on each other."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from delvecore.errors import ParseError
from delvecore.names import NAME, is_name, nearest
from delvecore.score_tables.cells import Parsed, decimal_evidence, parse_texts
from delvecore.score_tables.options import Answer, Decimal, Question

__all__ = ["Column", "Table", "checked_names", "combined", "count_groups", "determines", "group_numbers"]

SAMPLE = 1000
"""Different texts of a column by which its kind is judged."""
MOST_CELLS = 1 << 26


class Column:
    """A column. name: without blanks at the ends; series: texts as written, or numbers of a typed format."""

    def __init__(self, name: str, series: pd.Series, decimal: Decimal | None = None) -> None:
        self.name, self.series, self.decimal = name.strip(), series, decimal

    def __len__(self) -> int:
        return len(self.series)

    @property
    def is_typed(self) -> bool:
        """Were its cells numbers in the file?"""
        kind = self.series.dtype
        return pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_bool_dtype(kind)

    @cached_property
    def names(self) -> pd.Categorical:
        """Its texts without blanks at the ends; missing where empty. Whole numbers have no decimal point."""
        if self.is_typed:
            known = pd.Categorical(self.series)
            return known.rename_categories([_text_of(value) for value in known.categories])
        known = self.series.array
        if not isinstance(known, pd.Categorical):
            codes, found = pd.factorize(self.series, use_na_sentinel=True)
            known = pd.Categorical.from_codes(codes, pd.Index(found, dtype=object))
        texts = ["" if text is None else str(text).strip() for text in known.categories]
        if len(set(texts)) == len(texts) and "" not in texts:
            return known.rename_categories(texts)
        levels = pd.Index([text for text in dict.fromkeys(texts) if text], dtype=object)
        codes = np.append(levels.get_indexer(texts), -1)[known.codes]
        return pd.Categorical.from_codes(codes, levels)

    @property
    def levels(self) -> list[str]:
        """Its different texts."""
        return list(self.names.categories)

    @property
    def distinct(self) -> int:
        return len(self.names.categories)

    @cached_property
    def parsed(self) -> Parsed:
        """Its cells as numbers."""
        if self.is_typed:
            value = pd.to_numeric(self.series).to_numpy(np.float64, na_value=np.nan)
            failed = np.isinf(value)
            nothing = np.broadcast_to(np.False_, len(value))
            value = np.where(failed, np.nan, value) if failed.any() else value
            return Parsed(value, None, failed, nothing, nothing)
        return parse_texts(self.names.categories, self.decimal).at(self.names.codes)

    @cached_property
    def _levels_parsed(self) -> Parsed:
        return parse_texts(self.names.categories[:SAMPLE], self.decimal)

    @cached_property
    def is_mostly_numbers(self) -> bool:
        """Are half of its different texts numbers, of those that are neither missing nor failed?"""
        if self.is_typed:
            return self.kind == "number"
        found = self._levels_parsed
        valued = int(np.count_nonzero(~np.isnan(found.value)))
        return valued > 0 and valued >= int(np.count_nonzero(found.bad))

    @cached_property
    def kind(self) -> str:
        """`empty`, `number` (all cells are scores or missing) or `text`."""
        if self.is_typed:
            return "empty" if np.isnan(self.parsed.value).all() and not self.parsed.failed.any() else "number"
        found = self._levels_parsed
        if not found.bad.any() and not found.failed.any() and np.isnan(found.value).all():
            return "empty"
        return "number" if self.is_mostly_numbers and not self.parsed.bad.any() else "text"

    @cached_property
    def is_whole(self) -> bool:
        """Does it hold whole numbers only?"""
        if self.kind != "number" or self.parsed.spread is not None:
            return False
        value = self.parsed.value
        return bool(((value == np.floor(value)) | np.isnan(value)).all())

    @property
    def counts_rows(self) -> bool:
        """Are these consecutive whole numbers?"""
        return self.is_whole and bool((np.diff(self.parsed.value) == 1).all())


def _text_of(value: object) -> str:
    number = float(value) if isinstance(value, float | np.floating) else None
    return str(value) if number is None or not number.is_integer() else f"{number:.0f}"


@dataclass(frozen=True, eq=False)
class Table:
    """A table as it was read.

    source: its name in messages; file: plain file name, or empty; frame: one series a column, whose index has
    the row in the file; lines: the line of each row, None where rows have none; header_line: of the names;
    sheets: names of further sheets that were not read; unread: columns that were not needed; parts: the files
    of which it was put together, with their numbers of rows; nested: columns of lists, which are left out;
    unasked: how many rows were not asked for."""

    source: str
    file: str
    frame: pd.DataFrame
    lines: NDArray[np.int64] | None = None
    header_line: int | None = None
    sheets: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    decimal: Decimal | None = None
    parts: tuple[tuple[str, int], ...] = ()
    nested: tuple[str, ...] = ()
    unasked: int = 0

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        return tuple(Column(str(name), self.frame[name], self.decimal) for name in self.frame.columns)

    @property
    def filled(self) -> list[Column]:
        """The columns that are not empty."""
        return [column for column in self.columns if column.kind != "empty"]

    @property
    def rows(self) -> int:
        return len(self.frame)

    def with_frame(self, frame: pd.DataFrame) -> "Table":
        return replace(self, frame=frame)

    def column(self, name: str) -> Column:
        """The column of this name, or the one whose name differs in case only; ParseError."""
        for same in (str.__eq__, lambda one, other: one.lower() == other.lower()):
            for column in self.columns:
                if same(column.name, name.strip()):
                    return column
        known = [column.name for column in self.columns]
        best = nearest(name, known)
        remedy = f"did you mean {best!r}?" if best else "choose one of these"
        raise self.fault(
            f"a column named {name!r}", f"the columns {', '.join(map(repr, known[:12]))}", remedy
        )

    def has(self, name: str) -> bool:
        return any(column.name.lower() == name.strip().lower() for column in self.columns)

    def line_of(self, row: int) -> int | None:
        """The line of a row of the file."""
        return None if self.lines is None else int(self.lines[row])

    def fault(self, expected: str, found: str, remedy: str = "", *, row: int | None = None) -> ParseError:
        """An error about a row of the file, or about the header."""
        line = self.header_line if row is None else self.line_of(row)
        source = self.source
        if row is not None and line is None:
            for path, rows in self.parts:
                if row < rows:
                    source = path
                    break
                row -= rows
            found += f", in row {row + 1}"
        return ParseError(source, line, expected, found, remedy)

    def question(
        self, expected: str, found: str, answers: Sequence[Answer], *, row: int | None = None
    ) -> Question:
        """A question about the table, or about one row of the file."""
        return Question(
            self.source, expected, found, answers, line=None if row is None else self.line_of(row)
        )

    def with_decimal(self, decimal: Decimal | None) -> "Table":
        """The table with one sign before decimals: the one that is said, or that its texts show. Question."""
        if decimal is not None:
            return replace(self, decimal=decimal)
        evidence = {column.name: _evidence(column) for column in self.columns if not column.is_typed}
        shown = set(evidence.values()) - {"", "unclear"}
        if "both" not in shown and (len(shown) == 1 or (not shown and "unclear" not in evidence.values())):
            return replace(self, decimal="," if "," in shown else ".") if shown else self
        name = next(name for name, one in evidence.items() if one in ("both", "unclear", ","))
        answers = [Answer("1,234 is 1.234", "decimal", ","), Answer("1,234 is 1234", "decimal", ".")]
        example = next(text for text in self.column(name).levels if "," in text)
        raise self.question("one sign before decimals", f"{example!r} in {name!r}", answers)


def _evidence(column: Column) -> str:
    return decimal_evidence(column.levels) if column.is_mostly_numbers else ""


def checked_names(names: Sequence[str], source: str, line: int | None) -> list[str]:
    """Names of columns, which must be there once each and on one line. ParseError."""
    found = [name.strip() for name in names]
    seen: set[str] = set()
    for place, name in enumerate(found, 1):
        if name in seen:
            raise ParseError(
                source,
                line,
                "each column's name once",
                f"{name!r} again, over column {place}",
                "rename one of them",
            )
        if name and not is_name(name):
            raise ParseError(source, line, NAME, f"{name!r} over column {place}", "rename it")
        seen.add(name)
    return found


def group_numbers(columns: Sequence[pd.Categorical], rows: int) -> NDArray[np.int64]:
    """One number a row for each combination of names; -1 where one of them is missing."""
    key = np.zeros(rows, dtype=np.int64)
    size = 1
    for column in columns:
        many = max(len(column.categories), 1)
        missing = (key < 0) | (column.codes < 0)
        key = key * many + column.codes
        key[missing] = -1
        size *= many
        if size > MOST_CELLS:
            key = pd.factorize(np.where(key < 0, -1, key), sort=False)[0].astype(np.int64)
            key[missing] = -1
            size = int(key.max(initial=0)) + 1
    return key


def count_groups(key: NDArray[np.int64]) -> int:
    """How many different combinations are there?"""
    top = int(key.max(initial=-1)) + 1
    if top <= MOST_CELLS:
        there = np.zeros(top + 1, dtype=bool)
        there[key] = True  # -1, what is missing, is the last place
        return int(np.count_nonzero(there[:top]))
    return len(pd.unique(key[key >= 0]))


def combined(columns: Sequence[Column]) -> pd.Categorical:
    """The combinations of several columns, under their names joined by `, `."""
    if len(columns) == 1:
        return columns[0].names
    key = group_numbers([column.names for column in columns], len(columns[0]))
    codes, found = pd.factorize(np.where(key < 0, np.nan, key))
    first = np.unique(codes, return_index=True)[1][-len(found) :] if len(found) else np.array([], dtype=int)
    texts = [", ".join(str(column.names[row]) for column in columns) for row in first]
    return pd.Categorical.from_codes(codes, pd.Index(texts, dtype=object))


def determines(first: pd.Categorical, second: pd.Categorical) -> bool:
    """Is the second constant within each of the first, where it says something at all?"""
    key = group_numbers([first, second], len(first))
    known = np.asarray(first.codes)[key >= 0]
    return count_groups(key) == len(np.unique(known)) > 0
