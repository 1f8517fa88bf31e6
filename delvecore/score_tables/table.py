"""A table as it was read, and its columns: their names, their numbers, and how they depend on each other.

Two header rows, the upper one of which has merged or repeated cells, are joined."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from delvecore.errors import ParseError
from delvecore.names import NAME, is_name, nearest
from delvecore.score_tables.cells import Parsed, decimal_evidence, parse_cell, parse_texts
from delvecore.score_tables.known_tables import holds_numbers, stacked
from delvecore.score_tables.names import (
    DATASETS,
    DEVIATIONS,
    MEANS,
    METHODS,
    METRICS,
    STATUSES,
    is_called,
    is_metric,
)
from delvecore.score_tables.options import Answer, Decimal, Question, Where
from delvecore.score_tables.score_file import SHOWN, Omission

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
    def has_failures_only(self) -> bool:
        """Are all cells of runs that failed, or missing, under a name that says nothing else?"""
        known = self._sample
        is_failed = bool(known.failed.any()) and not known.bad.any() and bool(np.isnan(known.value).all())
        return (
            is_failed and not self.is_typed and not is_called(self.name, METRICS, METHODS, DATASETS, STATUSES)
        )

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
        return None if self.lines is None else int(self.lines[row])

    def part_of(self, row: int) -> str:
        """The file of a row of a table that was put together."""
        ends = np.cumsum([rows for _, rows in self.parts])
        return self.parts[int(np.searchsorted(ends, row, side="right"))][0]

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


_STATISTICS = (*MEANS, *DEVIATIONS, "±", "best", "worst", "min", "max", "median")


def multi_header(frame: pd.DataFrame) -> pd.DataFrame | None:
    """Join two header rows; None where a table has not two, of which the upper one has merged cells.

    frame: the rows of a sheet or file without a header, whose index is kept; or a frame whose columns have
    two levels. Where one row names metrics, or means and spreads, each becomes a column, and the names in the
    other row a column of their own; else the names of both are joined by `/`."""
    level_names = ["", ""]
    if isinstance(frame.columns, pd.MultiIndex):
        level_names, frame = [str(name or "") for name in frame.columns.names][:2], _with_header(frame)
    if len(frame) < 3 or len(frame.columns) < 3:
        return None
    cells = frame.head(3).astype(object).where(frame.head(3).notna(), "").map(lambda cell: str(cell).strip())
    upper, lower, below = (cells.iloc[row].tolist() for row in range(3))
    start = next((at for at, pair in enumerate(zip(upper, lower, strict=True)) if at and all(pair)), 0)
    groups, single = _names_above(upper, lower, start)
    if not start or not groups:
        return None
    titles, body = [lower[at] or upper[at] for at in range(start)], frame.iloc[2:]
    has_index_names = any(below[:start]) and not any(below[start:])  # pandas writes them in a third row
    if has_index_names:
        titles, body = below[:start], frame.iloc[3:]
    if upper[0] and lower[0] and (has_index_names or is_called(lower[0], METRICS)):
        level_names, titles[0] = [upper[0], lower[0]], titles[0] if has_index_names else ""
    titles += [upper[at] for at in single]
    if len({*titles}) < len(titles) or not all(holds_numbers(body.iloc[:, at]) for at in groups):
        return None
    if any(_holds_fractions(body.iloc[:, at]) for at in range(start)):  # scores with one name above
        return None
    places = [*range(start), *single]
    body = body.set_axis(range(len(frame.columns)), axis=1)
    for at in range(start - 1):  # merged cells of rows
        body[at] = body[at].replace("", None).ffill()
    body = body.rename(columns=dict(zip(places, titles, strict=True)))
    inner = next((at for at in (1, 0) if all(_is_score(pair[at]) for pair in groups.values())), None)
    if inner is None:  # families above datasets, or datasets above horizons; else nothing says what names are
        under = [pair[1] for pair in groups.values()]
        is_clear = len({*under}) == len(under) or all(map(_is_number, under))
        joined = {at: "/".join(pair) for at, pair in groups.items()}
        is_clear = is_clear and len({*joined.values()}) == len(joined) and not any(map(_is_score, under))
        return body.rename(columns=joined) if is_clear else None
    if all(any(is_called(title, known) for title in titles) for known in (METHODS, DATASETS)):
        joined = {at: " ".join(pair if inner else pair[::-1]) for at, pair in groups.items()}
        return body.rename(columns=joined)  # rows have both names: a column a metric and its mean or spread
    parts: dict[str, dict[int, str]] = {}
    for at, pair in groups.items():
        parts.setdefault(pair[1 - inner], {})[at] = pair[inner]
    if len({tuple(sorted(part.values())) for part in parts.values()}) > 1:
        return None
    return stacked(body, parts, level_names[1 - inner] or _role_across(titles)).infer_objects()


def _with_header(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of a frame below those of its column levels."""
    if not isinstance(frame.index, pd.RangeIndex):
        frame = frame.reset_index(names=[name or "" for name in frame.index.names])
    header = pd.DataFrame([*zip(*frame.columns, strict=True)], dtype=object)
    body = frame.astype(object).set_axis(header.columns, axis=1)
    return pd.concat([header, body], ignore_index=True) if len(header) == 2 else header


def _names_above(
    upper: Sequence[str], lower: Sequence[str], start: int
) -> tuple[dict[int, tuple[str, str]], list[int]]:
    """The two names above columns, merged cells continued, and the columns with one name. No names without
    merged or repeated cells, or where names are numbers that do not repeat."""
    groups, single, name = {}, [], ""
    for at in range(start, len(upper)):
        name = upper[at] or name
        if upper[at] and not lower[at]:
            single.append(at)
        elif name and lower[at]:
            groups[at] = (name, lower[at])
        else:
            return {}, []
    below = {above: [two for one, two in groups.values() if one == above] for above, _ in groups.values()}
    repeats = len(below) > 1 and len({*map(tuple, below.values())}) == 1
    numbers = [any(_is_number(pair[level]) for pair in groups.values()) for level in (0, 1)]
    if len(below) == len(groups) or numbers[0] or (numbers[1] and not repeats):
        return {}, []
    return groups, single


def _holds_fractions(series: pd.Series) -> bool:
    numbers = pd.to_numeric(series, errors="coerce")
    return bool((numbers % 1 != 0)[numbers.notna()].any())


def _is_number(name: str) -> bool:
    """Is a name a number, and not a word such as `Error` that may stand for a failed run?"""
    cell = parse_cell(name)
    return cell is not None and not math.isnan(cell.value)


def _is_score(name: str) -> bool:
    return is_metric(name.rstrip("↑↓ ")) or name.lower() in _STATISTICS


def _role_across(titles: Sequence[str]) -> str:
    """What the names across are called, by what the rows are called."""
    if any(is_called(title, METHODS) for title in titles):
        return "dataset"
    return "method" if any(is_called(title, DATASETS) for title in titles) else "column"
