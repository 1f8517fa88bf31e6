"""`Dataset.data` in, columns of checked values out. Source: DELVE manual, section 3.3.

Columns keep the words of the file (codings may copy them) beside their numeric values. Uses NumPy.
"""

from dataclasses import dataclass, field

import numpy as np

from delvecore.errors import ParseError, raise_error
from delvecore.model import Dataset
from delvecore.numbers import is_number
from delvecore.readers.lines import logical_lines, split_comment

__all__ = ["Cases", "Column", "read_cases"]


@dataclass(frozen=True)
class Column:
    """The values of one attribute, one an entry for every case.

    words: the text of the file; numbers: float64, NaN where the value is missing or no number;
    missing: bool; censored: int8, +1 where the true value is at least the number (`3:`), -1 where it is
    at most the number (`:3`), else 0.
    """

    words: list[str]
    numbers: np.ndarray
    missing: np.ndarray
    censored: np.ndarray


@dataclass(frozen=True)
class Cases:
    """All cases of a dataset in file order.

    columns: by attribute number; lines: the file's line on which each case starts; commonality: the index
    behind `@` or None; comments: the text behind `#`, by case position (from 0); left_out: how many further
    cases had the wrong number of values.
    """

    count: int
    columns: dict[int, Column]
    lines: np.ndarray
    commonality: list[int | None]
    comments: dict[int, str] = field(default_factory=dict)
    left_out: int = 0


def read_cases(text: str, dataset: Dataset, source: str, *, report=raise_error, check: bool = True) -> Cases:
    """Return the cases that a data file's text holds.

    Every case must have one value per attribute, within the attribute's range (check=False trusts the
    values). Each fault goes to report as a ParseError; a case with the wrong number of values is left out
    after its report.
    """
    rows, lines, commonality, comments, left_out = _rows(text, dataset, source, report)
    columns = {}
    by_column = list(zip(*rows, strict=True)) or [()] * len(dataset.attributes)
    for attribute, words in zip(dataset.attributes, by_column, strict=True):
        columns[attribute.number] = make_column(words)
        if check:
            _check_range(columns[attribute.number], attribute, lines, source, report)
    starts = np.asarray(lines, dtype=np.int64)
    return Cases(len(rows), columns, starts, commonality, comments, left_out)


def _rows(text, dataset, source, report):
    """Split the text into words; plain files (no comments, continuations, indexes) take the short way."""
    if any(mark in text for mark in "#\\@"):
        return _marked_rows(text, dataset, source, report)
    width = len(dataset.attributes)
    rows, lines, left_out = [], [], 0
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.split()
        if len(words) == width:
            rows.append(words)
            lines.append(number)
        elif words:
            report(_wrong_width(source, number, width, len(words)))
            left_out += 1
    return rows, lines, [None] * len(rows), {}, left_out


def _wrong_width(source, number, width, found):
    remedy = "check blanks and continuation lines"
    return ParseError(source, number, f"{width} values", f"{found}", remedy)


def _marked_rows(text, dataset, source, report):
    width = len(dataset.attributes)
    rows, lines, commonality, comments, left_out = [], [], [], {}, 0
    for number, line in logical_lines(text):
        values, comment = split_comment(line)
        words = values.split()
        if not words:
            continue
        index = _pop_commonality(words, width, source, number, report)
        if len(words) != width:
            report(_wrong_width(source, number, width, len(words)))
            left_out += 1
            continue
        if comment:
            comments[len(rows)] = comment
        rows.append(words)
        lines.append(number)
        commonality.append(index)
    return rows, lines, commonality, comments, left_out


def _pop_commonality(words, width, source, number, report):
    if len(words) <= width or words[-1][0] != "@":
        return None
    word = words.pop()
    if not word[1:].isdigit():
        report(ParseError(source, number, "a commonality index, @ and digits", repr(word)))
        return None
    return int(word[1:])


def make_column(words) -> Column:
    """Return words as a Column: numeric values, what is missing, what is censored."""
    words = list(words)
    try:
        numbers = np.array(list(map(float, words)), dtype=np.float64)
        if np.isfinite(numbers).all():
            none = np.zeros(len(words), dtype=np.int8)
            return Column(words, numbers, none.astype(bool), none)
    except ValueError:
        pass  # categories, missing or censored values: one word at a time
    triples = [_value(word) for word in words]
    numbers, missing, censored = zip(*triples, strict=True) if triples else ((), (), ())
    return Column(
        words,
        np.array(numbers, dtype=np.float64),
        np.array(missing, dtype=bool),
        np.array(censored, dtype=np.int8),
    )


def _value(word):
    """Return (number, missing, censored) of one word."""
    if word[0] == "?":
        return np.nan, True, 0
    text = word[:-1] if word.endswith(":") else word.removeprefix(":")
    number = float(text) if is_number(text) else np.nan
    if word == text or np.isnan(number):
        return number, False, 0
    return number, False, 1 if word.endswith(":") else -1


def _check_range(column, attribute, lines, source, report):
    """Report every value that is outside the attribute's range, with the line of its case."""
    for position in np.flatnonzero(~_inside(column, attribute.range)):
        word = column.words[position]
        expected = f"{attribute.name} within {attribute.range.text}"
        if column.missing[position]:
            expected += " (no missing value allowed)"
        report(ParseError(source, int(lines[position]), expected, repr(word)))


def _inside(column, limits):
    """Which values may be? `?` in a range allows missing values of every reason; a censored value may be
    if some possible value lies at or beyond it."""
    permitted = set(limits.values) | set(limits.missing)
    if permitted:
        inside = np.array([word in permitted for word in column.words], dtype=bool)
    else:
        inside = np.zeros(len(column.words), dtype=bool)
    if "?" in limits.missing:
        inside |= column.missing
    for interval in limits.intervals:
        inside |= _between(column.numbers, interval)
    for integers in limits.integers:
        whole = column.numbers == np.floor(column.numbers)
        inside |= whole & (column.numbers >= integers.low) & (column.numbers <= integers.high)
    for position in np.flatnonzero(column.censored):
        inside[position] = _reached(column, position, limits)
    return inside


def _between(numbers, interval):
    above = numbers >= interval.low if interval.low_closed else numbers > interval.low
    below = numbers <= interval.high if interval.high_closed else numbers < interval.high
    return above & below


def _reached(column, position, limits):
    bound, upward = column.numbers[position], column.censored[position] > 0
    return any(item.reaches(bound, upward=upward) for item in (*limits.intervals, *limits.integers))
