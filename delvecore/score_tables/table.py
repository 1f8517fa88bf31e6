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
from delvecore.score_tables.options import Answer, Decimal, Question, Where
from delvecore.score_tables.score_file import SHOWN, Omission
from delvecore.score_tables.sources.headers import multi_header

SAMPLE = 1000
"""Different texts of a column by which its kind is judged."""
MOST_CELLS = 1 << 26


class NoRowsError(ParseError):
    """A table has no rows that are asked for."""


class Column:
    """A column. name: without blanks at the ends; series: texts as written, or numbers of a typed format."""

    def __init__(self, name: str, series: pd.Series, decimal: Decimal | None = None) -> None:
        self.name, self.series, self.decimal = name.strip(), series, decimal
        kind = series.dtype
        self.is_typed = pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_bool_dtype(kind)

    def __len__(self) -> int:
        return len(self.series)

    @cached_property
    def names(self) -> pd.Categorical:
        """Its texts without blanks at the ends; missing where empty. Whole numbers have no decimal point."""
        if isinstance(self.series.array, pd.Categorical):
            codes, found = self.series.array.codes, self.series.array.categories
        else:
            codes, found = pd.factorize(self.series, sort=self.is_typed)
        texts = [_text_of(value) for value in found]
        levels = pd.Index(list(dict.fromkeys(filter(None, texts))), dtype=object)
        if len(levels) < len(texts):
            codes = np.append(levels.get_indexer(texts), -1)[codes]
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
        if not self.is_typed:
            known, codes = self._level_cells, self.names.codes
            spread = None if known.spread is None else known.spread[codes]
            return Parsed(
                known.value[codes], known.failed[codes], known.percent[codes], known.bad[codes], spread
            )
        value = pd.to_numeric(self.series).to_numpy(np.float64, na_value=np.nan)
        failed = np.isinf(value)
        none = np.broadcast_to(np.False_, len(value))
        return Parsed(np.where(failed, np.nan, value) if failed.any() else value, failed, none, none)

    @cached_property
    def _level_cells(self) -> Parsed:
        """Its different texts as numbers; a missing one is the last."""
        return parse_texts([*self.levels, ""], self.decimal)

    @cached_property
    def _sample(self) -> Parsed:
        """Cells by which its kind is judged."""
        if self.is_typed:
            return self.parsed
        many = self.distinct > SAMPLE
        return parse_texts(self.levels[:SAMPLE], self.decimal) if many else self._level_cells

    @cached_property
    def is_mostly_numbers(self) -> bool:
        """Are half of its different texts numbers, of those that are neither missing nor failed?"""
        if self.is_typed:
            return self.kind == "number"
        valued = np.count_nonzero(~np.isnan(self._sample.value))
        return bool(valued and valued >= np.count_nonzero(self._sample.bad))

    @cached_property
    def kind(self) -> str:
        """`empty`, `number` (all cells are scores or missing) or `text`."""
        value, failed, _percent, bad, _spread = self._sample
        if not (bad.any() or failed.any()) and np.isnan(value).all():
            return "empty"
        is_number = self.is_typed or (self.is_mostly_numbers and not self._level_cells.bad.any())
        return "number" if is_number else "text"

    @cached_property
    def is_whole(self) -> bool:
        """Does it hold whole numbers only?"""
        return self.kind == "number" and self.parsed.spread is None and self.has_whole_numbers

    @cached_property
    def has_whole_numbers(self) -> bool:
        """Are all of its numbers whole?"""
        value = self.parsed.value
        return bool(((value == np.floor(value)) | np.isnan(value)).all())

    @property
    def counts_rows(self) -> bool:
        """Are these consecutive whole numbers?"""
        return self.is_whole and bool((np.diff(self.parsed.value) == 1).all())


def _text_of(value: object) -> str:
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return f"{value:.0f}"
    return "" if value is None else str(value).strip()


@dataclass(frozen=True, eq=False)
class Table:
    """A table as it was read.

    source: its name in messages; file: plain file name, or empty; frame: one series a column, whose index has
    the row in the file; lines: the line of each row, None where rows have none; header_line: of the names;
    decimal: the sign before decimals; sheets: names of further sheets that were not read; omissions: what
    else was left out; parts: the files of which it was put together, with their numbers of rows."""

    source: str
    file: str
    frame: pd.DataFrame
    lines: NDArray[np.int64] | None = None
    header_line: int | None = None
    decimal: Decimal | None = None
    sheets: tuple[str, ...] = ()
    omissions: tuple[Omission, ...] = ()
    parts: tuple[tuple[str, int], ...] = ()

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        return tuple(Column(name, series, self.decimal) for name, series in self.frame.items())

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
        known = [column.name for column in self.columns]
        for wanted, names in ((name.strip(), known), (name.strip().lower(), [one.lower() for one in known])):
            if wanted in names:
                return self.columns[names.index(wanted)]
        best = nearest(name, known)
        remedy = f"did you mean {best!r}?" if best else "choose one of these"
        found = f"the columns {', '.join(map(repr, known[:12]))}"
        raise self.fault(f"a column named {name!r}", found, remedy)

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
        line = None if row is None else self.line_of(row)
        return Question(self.source, expected, found, answers, line=line)

    def with_decimal(self, decimal: Decimal | None) -> "Table":
        """The table with one sign before decimals: the one that is said, or that its texts show. Question."""
        if decimal is not None:
            return replace(self, decimal=decimal)
        numbers = [one for one in self.columns if not one.is_typed and one.is_mostly_numbers]
        evidence = {column.name: decimal_evidence(column.levels) for column in numbers}
        shown = set(evidence.values()) - {""}
        if not shown:
            return self
        if len(shown - {"unclear"}) == 1 and "both" not in shown:
            return replace(self, decimal="," if "," in shown else ".")
        name = next(name for name, one in evidence.items() if one in ("both", "unclear", ","))
        answers = [Answer("1,234 is 1.234", "decimal", ","), Answer("1,234 is 1234", "decimal", ".")]
        example = next(text for text in self.column(name).levels if "," in text)
        raise self.question("one sign before decimals", f"{example!r} in {name!r}", answers)


def frame_table(frame: pd.DataFrame, source: str, file: str) -> Table:
    """A data frame as a table: its row numbers as index, its columns by name. ParseError."""
    if isinstance(frame.columns, pd.MultiIndex):
        joined = frame.set_axis([" ".join(map(str, names)) for names in frame.columns], axis=1)
        two = multi_header(frame)
        frame = joined if two is None else two
    if not len(frame):
        raise ParseError(source, None, "rows of scores", "an empty table", "export it again")
    frame = frame.set_axis(checked_names([str(name) for name in frame.columns], source, None), axis=1)
    frame = frame.reset_index(drop=True)
    lists = {name: one.map(_is_nested) for name, one in frame.items() if one.dtype == object}
    nested = {name: is_list for name, is_list in lists.items() if is_list.any()}
    for name, is_list in nested.items():
        if frame[name][~is_list].notna().any():
            found = f"a list or record in {name!r}, in row {int(is_list.argmax()) + 1}"
            expected = "one number or text in each place"
            raise ParseError(source, None, expected, found, "write a number, or null")
    if len(nested) == len(frame.columns):
        expected = "columns of numbers and texts"
        raise ParseError(source, None, expected, "nested ones only", "write one record a run")
    out = Omission.of("column", [*nested], "lists or records stand in them")
    return Table(source, file, frame.drop(columns=[*nested]), omissions=out)


def _is_nested(value: object) -> bool:
    return isinstance(value, list | dict | tuple | set)


def rows_asked_for(table: Table, where: Where) -> Table:
    """The rows of a table that are asked for. NoRowsError, ParseError for a column that is not there."""
    kept = np.ones(table.rows, dtype=bool)
    for name, texts in where:
        kept &= table.column(name).names.isin(texts)
        if not kept.any():
            raise no_rows(table, ((name, texts),))
    if kept.all():
        return table
    frame = table.frame[kept].copy()
    for known in frame.select_dtypes("category"):
        frame[known] = without_unused(frame[known])
    out = Omission.of("row", (), "not asked for", count=int((~kept).sum()), option="where")
    return replace(table, frame=frame, omissions=table.omissions + out)


def no_rows(table: Table, where: Where) -> NoRowsError:
    """The error that no rows are as they are asked for. table: all of it, or its first rows."""
    asked = " and ".join(f"{name} is {' or '.join(texts)}" for name, texts in where)
    listed = [f"{', '.join(table.column(name).levels[:SHOWN])} in {name}" for name, _ in where]
    found = f"there are {'; '.join(listed)}, ..."
    return NoRowsError(table.source, None, f"rows where {asked}", "none", found)


def checked_names(names: Sequence[str], source: str, line: int | None) -> list[str]:
    """Names of columns, which must be there once each and on one line. ParseError."""
    found = [name.strip() for name in names]
    for place, name in enumerate(found, 1):
        if name in found[: place - 1]:
            told = f"{name!r} again, over column {place}"
            raise ParseError(source, line, "each column's name once", told, "rename one of them")
        if name and not is_name(name):
            raise ParseError(source, line, NAME, f"{name!r} over column {place}", "rename it")
    return found


def group_numbers(columns: Sequence[pd.Categorical], rows: int) -> NDArray[np.int64]:
    """One number a row for each combination of names; -1 where one of them is missing.

    As `DataFrameGroupBy.ngroup`, but without hashing ten million rows while there are few combinations."""
    key, missing, size = np.zeros(rows, dtype=np.int64), np.zeros(rows, dtype=bool), 1
    for column in columns:
        many = max(len(column.categories), 1)
        key *= many
        key += column.codes
        missing |= column.codes < 0
        size *= many
        if size > MOST_CELLS:
            codes, found = pd.factorize(np.append(-1, np.where(missing, -1, key)))
            key, size = codes[1:] - 1, len(found)
    key[missing] = -1
    return key


def count_groups(key: NDArray[np.int64]) -> int:
    """How many different combinations are there?"""
    if key.max(initial=-1) > MOST_CELLS:
        return len(pd.unique(key[key >= 0]))
    return int(np.count_nonzero(np.bincount(key + 1)[1:]))


def repeats(key: NDArray[np.int64]) -> bool:
    """Do some rows have the same number?"""
    return count_groups(key) < int(np.count_nonzero(key >= 0))


def same_name(rows: int, *levels: str, place: int = 0) -> pd.Categorical:
    """A column with the same one of the levels in all rows."""
    return pd.Categorical.from_codes(np.full(rows, place), list(levels))


def without_unused(column: pd.Series) -> pd.Series:
    """A column of names without those that no row has."""
    used = np.bincount(column.cat.codes + np.int64(1), minlength=len(column.cat.categories) + 1)[1:]
    return column if used.all() else column.cat.remove_unused_categories()


def combined(columns: Sequence[Column]) -> pd.Categorical:
    """The combinations of several columns, under their names joined by `, `."""
    if len(columns) == 1:
        return columns[0].names
    key = group_numbers([column.names for column in columns], len(columns[0]))
    codes, _ = pd.factorize(np.where(key < 0, np.nan, key))
    _, rows = np.unique(codes, return_index=True)
    rows = rows[codes[rows] >= 0]
    texts = [", ".join(str(column.names[row]) for column in columns) for row in rows]
    return pd.Categorical.from_codes(codes, pd.Index(texts, dtype=object))


def determines(first: pd.Categorical, second: pd.Categorical) -> bool:
    """Does each level of the first have only one level of the second? No where they never stand together."""
    key = group_numbers([first, second], len(first))
    return count_groups(key) == len(np.unique(first.codes[key >= 0])) > 0
