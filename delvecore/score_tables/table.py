"""A table as read from a file, and its columns: names, numbers, and dependencies.

Two header rows are joined if the upper one has merged or repeated cells."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from delvecore.errors import ParseError
from delvecore.names import NAME, is_name, nearest
from delvecore.score_tables import names
from delvecore.score_tables.cells import Parsed, decimal_evidence, parse_texts
from delvecore.score_tables.known_tables import holds_numbers, stacked
from delvecore.score_tables.options import Answer, Decimal, Question, Where
from delvecore.score_tables.score_file import SHOWN, Omission

SAMPLE = 1000
"""Number of distinct texts of a column that determine its kind."""
MOST_CELLS = 1 << 26


class NoRowsError(ParseError):
    """Error for a table that has none of the requested rows."""


class Column:
    """A column.

    Attributes
    ----------
    name : str
        Name without blanks at the ends.
    series : pandas.Series
        Texts as written, or numbers of a typed format.
    """

    def __init__(self, name: str, series: pd.Series, decimal: Decimal | None = None) -> None:
        self.name, self.series, self.decimal = name.strip(), series, decimal
        kind = series.dtype
        self.is_typed = pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_bool_dtype(kind)

    def __len__(self) -> int:
        return len(self.series)

    def is_called(self, *lists: tuple[str, ...]) -> bool:
        """Is its name in one of these lists?"""
        return names.is_called(self.name, *lists)

    @property
    def words(self) -> tuple[str, ...]:
        return names.words_of(self.name)

    @cached_property
    def names(self) -> pd.Categorical:
        """Its cells as text without blanks at the ends; missing if empty. Whole numbers have no decimal
        point."""
        if isinstance(self.series.array, pd.Categorical):
            codes, values = self.series.array.codes, self.series.array.categories
        else:
            codes, values = pd.factorize(self.series, sort=self.is_typed)
        texts = [_text_of(value) for value in values]
        levels = pd.Index(list(dict.fromkeys(filter(None, texts))), dtype=object)
        if len(levels) < len(texts):
            codes = np.append(levels.get_indexer(texts), -1)[codes]
        return pd.Categorical.from_codes(codes, levels)

    @property
    def levels(self) -> list[str]:
        """Its distinct texts."""
        return list(self.names.categories)

    @property
    def distinct(self) -> int:
        return len(self.names.categories)

    @cached_property
    def parsed(self) -> Parsed:
        """Its cells as numbers."""
        if not self.is_typed:
            value, failed, percent, bad, spread = self._level_cells
            codes = self.names.codes
            spread = None if spread is None else spread[codes]
            return Parsed(value[codes], failed[codes], percent[codes], bad[codes], spread)
        value = pd.to_numeric(self.series).to_numpy(np.float64, na_value=np.nan)
        failed, none = np.isinf(value), np.broadcast_to(np.False_, len(value))
        return Parsed(np.where(failed, np.nan, value) if failed.any() else value, failed, none, none)

    @cached_property
    def _level_cells(self) -> Parsed:
        """Its distinct texts as numbers; a missing one is the last."""
        return parse_texts([*self.levels, ""], self.decimal)

    @cached_property
    def _sample(self) -> Parsed:
        """Cells that determine its kind."""
        if self.is_typed:
            return self.parsed
        many = self.distinct > SAMPLE
        return parse_texts(self.levels[:SAMPLE], self.decimal) if many else self._level_cells

    @cached_property
    def is_mostly_numbers(self) -> bool:
        """Are at least half of its distinct texts numbers, without cells that are missing or failed?"""
        if self.is_typed:
            return self.kind == "number"
        numbers = np.count_nonzero(~np.isnan(self._sample.value))
        return bool(numbers and numbers >= np.count_nonzero(self._sample.bad))

    @cached_property
    def has_failures_only(self) -> bool:
        """Are all cells missing or failed, and does the name suggest no other role?"""
        cells = self._sample
        is_failed = cells.failed.any() and not cells.bad.any() and np.isnan(cells.value).all()
        others = (names.METRICS, names.METHODS, names.DATASETS, names.STATUSES)
        return bool(is_failed) and not self.is_typed and not self.is_called(*others)

    @cached_property
    def kind(self) -> str:
        """`empty`, `number` (all cells are scores or missing) or `text`."""
        cells = self._sample
        if not (cells.bad.any() or cells.failed.any()) and np.isnan(cells.value).all():
            return "empty"
        is_number = self.is_typed or (self.is_mostly_numbers and not self._level_cells.bad.any())
        return "number" if is_number else "text"

    @property
    def is_text(self) -> bool:
        """Are its cells text and not numbers?"""
        return self.kind == "text" and not self.is_mostly_numbers

    @property
    def is_label(self) -> bool:
        """May it name datasets or methods? It has several distinct texts, at most half as many as rows."""
        return self.is_text and 1 < self.distinct <= max(len(self) / 2, 2)

    @property
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

    Attributes
    ----------
    source : str
        Name in messages.
    file : str
        Name of the file without extensions, which may contain the name of the metric, or empty.
    frame : pandas.DataFrame
        One series per column, indexed by the row in the file.
    lines : NDArray[np.int64] or None
        The line of each row, None if rows have none.
    header_line : int or None
        Line of the header.
    decimal : Decimal or None
        The decimal sign.
    sheets : tuple of str
        Names of further sheets that were not read.
    omissions : tuple of Omission
        Further omissions.
    parts : tuple[tuple[str, int], ...]
        The joined files, with their numbers of rows.
    dataset, method : str
        Names if no column contains them. If empty, the name of the file is used.
    of_several : str
        Name of the dataset if the table has several methods. If empty, the name of the file is used.
    """

    source: str
    file: str
    frame: pd.DataFrame
    lines: NDArray[np.int64] | None = None
    header_line: int | None = None
    decimal: Decimal | None = None
    sheets: tuple[str, ...] = ()
    omissions: tuple[Omission, ...] = ()
    parts: tuple[tuple[str, int], ...] = ()
    dataset: str = ""
    method: str = ""
    of_several: str = ""

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        return tuple(Column(name, series, self.decimal) for name, series in self.frame.items())

    @cached_property
    def filled(self) -> list[Column]:
        return [column for column in self.columns if column.kind != "empty"]

    @property
    def rows(self) -> int:
        return len(self.frame)

    def with_frame(self, frame: pd.DataFrame) -> "Table":
        return replace(self, frame=frame)

    def column(self, name: str) -> Column:
        """Return the column of this name, or one whose name differs only in case. Raises ParseError."""
        key, listed = name.strip(), [column.name for column in self.columns]
        alike = [one for one in self.columns if one.name.lower() == key.lower()]
        if alike:
            return next((one for one in alike if one.name == key), alike[0])
        best = nearest(name, listed)
        remedy = f"did you mean {best!r}?" if best else "choose one of these"
        raise self.fault(f"a column named {name!r}", listed_columns(self.columns[:12]), remedy)

    def has(self, name: str) -> bool:
        return any(column.name.lower() == name.strip().lower() for column in self.columns)

    def line_of(self, row: int) -> int | None:
        return None if self.lines is None else int(self.lines[row])

    def part_of(self, row: int) -> tuple[str, int]:
        """Return the file of a row of a joined table, and the row in that file."""
        starts = np.cumsum([0, *(rows for _, rows in self.parts)])
        place = int(np.searchsorted(starts, row, side="right")) - 1
        return (self.parts[place][0], row - int(starts[place])) if self.parts else (self.source, row)

    def fault(self, expected: str, actual: str, remedy: str = "", *, row: int | None = None) -> ParseError:
        """Return an error about a row of the file, or about the header."""
        line, source = self.header_line if row is None else self.line_of(row), self.source
        if row is not None and line is None:
            source, row = self.part_of(row)
            actual += f", in row {row + 1}"
        return ParseError(source, line, expected, actual, remedy)

    def question(
        self, expected: str, actual: str, answers: Sequence[Answer], *, row: int | None = None
    ) -> Question:
        line = None if row is None else self.line_of(row)
        return Question(self.source, expected, actual, answers, line=line)

    def with_decimal(self, decimal: Decimal | None) -> "Table":
        """Return the table with the decimal sign of the option or of its texts. Raises Question."""
        if decimal is not None:
            return replace(self, decimal=decimal)
        numbers = [one for one in self.columns if not one.is_typed and one.is_mostly_numbers]
        evidence = {column.name: decimal_evidence(column.levels) for column in numbers}
        signs = set(evidence.values()) - {""}
        if not signs:
            return self
        if len(signs - {"unclear"}) == 1 and "both" not in signs:
            return replace(self, decimal="," if "," in signs else ".")
        name = next(name for name, one in evidence.items() if one in ("both", "unclear", ","))
        answers = [Answer("1,234 is 1.234", "decimal", ","), Answer("1,234 is 1234", "decimal", ".")]
        example = next(text for text in self.column(name).levels if "," in text)
        raise self.question("one sign before decimals", f"{example!r} in {name!r}", answers)


def listed_columns(columns: Sequence[Column]) -> str:
    """Return the names of columns as errors list them."""
    return f"the columns {', '.join(repr(column.name) for column in columns)}"


def frame_table(frame: pd.DataFrame, source: str, file: str) -> Table:
    """Return a data frame as a table: its row numbers as index, its columns by name. Raises ParseError."""
    if isinstance(frame.columns, pd.MultiIndex):
        joined = multi_header(frame)
        texts = [" ".join(map(str, levels)) for levels in frame.columns]
        frame = frame.set_axis(texts, axis=1) if joined is None else joined
    if not len(frame):
        raise ParseError(source, None, "rows of scores", "an empty table", "export it again")
    frame = frame.set_axis(checked_names([str(name) for name in frame.columns], source, None), axis=1)
    frame = frame.reset_index(drop=True)
    nested = []
    for name in (name for name, column in frame.items() if column.dtype == object):
        is_nested = frame[name].map(lambda value: isinstance(value, list | dict | tuple | set))
        nested += [name] * int(is_nested.any())
        if is_nested.any() and frame[name][~is_nested].notna().any():
            actual = f"a list or record in {name!r}, in row {int(is_nested.argmax()) + 1}"
            expected = "one number or text in each place"
            raise ParseError(source, None, expected, actual, "write a number, or null")
    if len(nested) == len(frame.columns):
        expected = "columns of numbers and texts"
        raise ParseError(source, None, expected, "nested ones only", "write one record per run")
    out = Omission.of("column", nested, "they hold lists or records")
    return Table(source, file, frame.drop(columns=nested), omissions=out)


def requested_rows(table: Table, where: Where) -> Table:
    """Return the requested rows of a table. Raises NoRowsError, ParseError for a missing column."""
    kept = np.ones(table.rows, dtype=bool)
    for name, texts in where:
        kept &= table.column(name).names.isin(texts)
        if not kept.any():
            raise no_rows(table, ((name, texts),))
    if kept.all():
        return table
    frame = table.frame[kept].copy()
    for name in frame.select_dtypes("category"):
        frame[name] = without_unused(frame[name])
    out = Omission.of("row", (), "not requested", count=int((~kept).sum()), option="where")
    return replace(table, frame=frame, omissions=table.omissions + out)


def no_rows(table: Table, where: Where) -> NoRowsError:
    """Return the error that no rows match the request. table: all of it, or its first rows."""
    condition = " and ".join(f"{name} is {' or '.join(texts)}" for name, texts in where)
    listed = [f"{', '.join(table.column(name).levels[:SHOWN])} in {name}" for name, _ in where]
    listing = f"there are {'; '.join(listed)}, ..."
    return NoRowsError(table.source, None, f"rows where {condition}", "none", listing)


def checked_names(header: Sequence[str], source: str, line: int | None) -> list[str]:
    """Return names of columns, which must be unique and on one line. Raises ParseError."""
    stripped = [name.strip() for name in header]
    for place, name in enumerate(stripped, 1):
        if name in stripped[: place - 1]:
            actual = f"{name!r} again, over column {place}"
            raise ParseError(source, line, "each column's name once", actual, "rename one of them")
        if name and not is_name(name):
            raise ParseError(source, line, NAME, f"{name!r} over column {place}", "rename it")
    return stripped


def group_numbers(columns: Sequence[pd.Categorical], rows: int) -> NDArray[np.int64]:
    """Number the combinations of names, -1 if one is missing. This is faster than `ngroup` for few names."""
    key, missing, size = np.zeros(rows, dtype=np.int64), np.zeros(rows, dtype=bool), 1
    for column in columns:
        many = max(len(column.categories), 1)
        key *= many
        key += column.codes
        missing |= column.codes < 0
        size *= many
        if size > MOST_CELLS:
            codes, levels = pd.factorize(np.append(-1, np.where(missing, -1, key)))
            key, size = codes[1:] - 1, len(levels)
    key[missing] = -1
    return key


def count_groups(key: NDArray[np.int64]) -> int:
    """Count the distinct combinations."""
    if key.max(initial=-1) > MOST_CELLS:
        return len(pd.unique(key[key >= 0]))
    return int(np.count_nonzero(np.bincount(key + 1)[1:]))


def repeats(key: NDArray[np.int64]) -> bool:
    """Do some rows have the same number?"""
    return count_groups(key) < int(np.count_nonzero(key >= 0))


def same_name(rows: int, *levels: str, place: int = 0) -> pd.Categorical:
    """Return a column with the same level in all rows."""
    return pd.Categorical.from_codes(np.full(rows, place), list(levels))


def without_unused(column: pd.Series) -> pd.Series:
    """Return a column of names without those that no row has."""
    used = np.bincount(column.cat.codes + np.int64(1), minlength=len(column.cat.categories) + 1)[1:]
    return column if used.all() else column.cat.remove_unused_categories()


def combined(columns: Sequence[Column]) -> pd.Categorical:
    """Return the combinations of several columns, under their names joined by `, `."""
    if len(columns) == 1:
        return columns[0].names
    key = group_numbers([column.names for column in columns], len(columns[0]))
    codes, _ = pd.factorize(np.where(key < 0, np.nan, key))
    _, rows = np.unique(codes, return_index=True)
    rows = rows[codes[rows] >= 0]
    texts = [", ".join(str(column.names[row]) for column in columns) for row in rows]
    return pd.Categorical.from_codes(codes, pd.Index(texts, dtype=object))


def determines(first: pd.Categorical, second: pd.Categorical) -> bool:
    """Does each level of the first column occur with only one level of the second? False if no row has
    both."""
    key = group_numbers([first, second], len(first))
    return count_groups(key) == len(np.unique(first.codes[key >= 0])) > 0


_STATISTICS = (*names.MEANS, *names.DEVIATIONS, "±", "best", "worst", "min", "max", "median")
_Pairs = dict[int, tuple[str, str]]
"""The upper and the lower name above each of some columns, by place."""


def multi_header(frame: pd.DataFrame) -> pd.DataFrame | None:
    """Join two header rows. Return None for a table without two, or if the upper one has no merged cells.

    `frame` has the rows of a sheet or file without a header and keeps their index, or has columns with two
    levels. If one row names metrics, or means and spreads, each of them becomes a column, and the names in
    the other row become a column. Otherwise `/` joins the names of both.
    """
    level_names = ["", ""]
    if isinstance(frame.columns, pd.MultiIndex):
        level_names, frame = [str(name or "") for name in frame.columns.names][:2], _with_header(frame)
    if len(frame) < 3 or len(frame.columns) < 3:
        return None
    cells = frame.head(3).astype(object).where(frame.head(3).notna(), "").map(lambda cell: str(cell).strip())
    upper, lower, below = (cells.iloc[row].tolist() for row in range(3))
    start = next((at for at, pair in enumerate(zip(upper, lower, strict=True)) if at and all(pair)), 0)
    pairs, single = _names_above(upper, lower, start)
    if not start or not pairs:
        return None
    titles, body = [lower[at] or upper[at] for at in range(start)], frame.iloc[2:]
    has_index_names = any(below[:start]) and not any(below[start:])  # pandas writes them in a third row
    if has_index_names:
        titles, body = below[:start], frame.iloc[3:]
    if upper[0] and lower[0] and (has_index_names or names.is_called(lower[0], names.METRICS)):
        level_names, titles[0] = [upper[0], lower[0]], titles[0] if has_index_names else ""
    titles += [upper[at] for at in single]
    numbers = body.iloc[:, :start].apply(pd.to_numeric, errors="coerce")
    has_fractions = (numbers % 1 > 0).any(axis=None)  # scores with one name above
    are_numbers = all(holds_numbers(body.iloc[:, at]) for at in pairs)
    if len({*titles}) < len(titles) or has_fractions or not are_numbers:
        return None
    body = body.set_axis(range(len(frame.columns)), axis=1)
    for at in range(start - 1):  # merged cells of rows
        body[at] = body[at].replace("", None).ffill()
    body = body.rename(columns=dict(zip([*range(start), *single], titles, strict=True)))
    return _under_one_header(body, titles, pairs, level_names)


def _under_one_header(
    body: pd.DataFrame, titles: Sequence[str], pairs: _Pairs, level_names: Sequence[str]
) -> pd.DataFrame | None:
    """Return the rows below two headers under one header; None if the meaning of the names is unclear."""
    inner = next((at for at in (1, 0) if all(_is_score(pair[at]) for pair in pairs.values())), None)
    if inner is None:  # families above datasets, or datasets above horizons
        under = [pair[1] for pair in pairs.values()]
        is_clear = len({*under}) == len(under) or all(map(_is_number, under))
        joined = {at: "/".join(pair) for at, pair in pairs.items()}
        is_clear = is_clear and len({*joined.values()}) == len(joined) and not any(map(_is_score, under))
        return body.rename(columns=joined) if is_clear else None
    has_methods, has_datasets = (
        any(names.is_called(title, words) for title in titles) for words in (names.METHODS, names.DATASETS)
    )
    if has_methods and has_datasets:  # a column per metric and its mean or spread
        joined = {at: " ".join(pair if inner else pair[::-1]) for at, pair in pairs.items()}
        return body.rename(columns=joined)
    parts: dict[str, dict[int, str]] = {}
    for at, pair in pairs.items():
        parts.setdefault(pair[1 - inner], {})[at] = pair[inner]
    if len({tuple(sorted(part.values())) for part in parts.values()}) > 1:
        return None
    across = "dataset" if has_methods else "method" if has_datasets else "column"
    return stacked(body, parts, level_names[1 - inner] or across).infer_objects()


def _with_header(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a frame below those of its column levels."""
    if not isinstance(frame.index, pd.RangeIndex):
        frame = frame.reset_index(names=[name or "" for name in frame.index.names])
    header = pd.DataFrame([*zip(*frame.columns, strict=True)], dtype=object)
    body = frame.astype(object).set_axis(header.columns, axis=1)
    return pd.concat([header, body], ignore_index=True) if len(header) == 2 else header


def _names_above(upper: Sequence[str], lower: Sequence[str], start: int) -> tuple[_Pairs, list[int]]:
    """Return the two names above columns, and the columns with one; no names without merged cells."""
    pairs, single, name = {}, [], ""
    for at in range(start, len(upper)):
        name = upper[at] or name
        if upper[at] and not lower[at]:
            single.append(at)
        elif name and lower[at]:
            pairs[at] = (name, lower[at])
        else:
            return {}, []
    below = {above: [two for one, two in pairs.values() if one == above] for above, _ in pairs.values()}
    is_repeated = len(below) > 1 and len({*map(tuple, below.values())}) == 1
    numbers = [any(_is_number(pair[level]) for pair in pairs.values()) for level in (0, 1)]
    is_plain = len(below) == len(pairs) or numbers[0] or (numbers[1] and not is_repeated)
    return ({}, []) if is_plain else (pairs, single)


def _is_number(name: str) -> bool:
    """Is a name a number? Words such as `Error`, which may mean a failed run, do not count."""
    return not bool(np.isnan(parse_texts([name]).value[0]))


def _is_score(name: str) -> bool:
    return names.is_metric(name.rstrip("↑↓ ")) or name.lower() in _STATISTICS
