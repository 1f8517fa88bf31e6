"""Rows and columns that sum others up and are no datasets or methods: known by name, and by arithmetic."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from delvecore.readers.scores.columns import Column, Sheet
from delvecore.readers.scores.words import VALUES, folded, found_in, words_in, words_of

__all__ = ["PARTS", "is_summary", "summary_columns", "summing_rows", "tested_rows"]

_SUMS = words_in(
    "average averages avg mean means median total sum std stdev sd stddev stderr deviation rank ranks "
    "ranking wins win losses loss ties tie draws best worst max min maximum minimum overall count variance"
)
_BESIDE = words_in(
    "of the all datasets data sets number no num accuracy acc error score scores standard per methods tasks "
    "problems geometric geo arithmetic w t l d p value values top 1 auc"
)
_SOLE = words_in("wtl wdl pvalue mpce avgrank averagerank meanrank geomean cd")
_CERTAIN = words_in("rank ranks ranking wins ties std stdev stddev sd count avgrank")
"""Of columns: no method has such a name."""
_PART_NAMES = words_in("split set subset partition part phase stage")
PARTS = words_in("test testing holdout validation valid val dev train training")
"""Of cases: the first one that is there counts."""
_LEAST_OTHERS = 3
_ROUNDING = 1e-3


def is_summary(name: str) -> bool:
    """Is this the name of a row that sums others up: `Average_Rank`, `Wins`, `mean accuracy`, `W/T/L`?"""
    words = words_of(name)
    if folded(name) in _SOLE:
        return True
    return any(word in _SUMS for word in words) and all(word in _SUMS or word in _BESIDE for word in words)


def summary_columns(columns: Sequence[Column]) -> list[Column]:
    """Return the columns that sum others up: by their names, where nothing speaks against it, or the last one
    where it is the mean or the sum of the others."""
    named = [one for one in columns if is_summary(one.name) or found_in(one.name, VALUES) is not None]
    if len(columns) - len(named) < 2:
        return []
    found = [
        one for one in named if set(words_of(one.name)).intersection(_CERTAIN) or folded(one.name) in _SOLE
    ]
    others = _matrix([one for one in columns if one not in named])
    found += [one for one in named if one not in found and _sums(_matrix([one])[:, 0], others)]
    last = columns[-1]
    if not named and len(columns) > _LEAST_OTHERS and _sums(_matrix([last])[:, 0], _matrix(columns[:-1])):
        return [last]
    return found


def summing_rows(values: NDArray[np.float64]) -> list[int]:
    """Return the rows at the end that are means or sums of the rows before. values: a row a dataset."""
    found: list[int] = []
    for row in range(len(values) - 1, _LEAST_OTHERS - 1, -1):
        if values.shape[1] < 2 or not _sums(values[row], values[:row].T, extremes=False):
            break
        found.append(row)
    return found


def tested_rows(sheet: Sheet) -> tuple[Sheet, str, Column] | None:
    """Return the rows of test cases where a column tells them from those of training cases.

    They, what they are of, and that column; None where none does."""
    for column in sheet.columns:
        if folded(column.name) in _PART_NAMES and column.kind == "text":
            levels = column.codes.levels
            parts = [level for part in PARTS for level in levels if level.lower() == part]
            if len(levels) > 1 and len(parts) == len(levels):
                kept = column.codes.places == levels.index(parts[0])
                rest = tuple(one for one in sheet.columns if one is not column)
                return replace(sheet, columns=rest).kept(kept), parts[0], column
    return None


def _matrix(columns: Sequence[Column]) -> NDArray[np.float64]:
    return np.column_stack([_values(column) for column in columns])


def _values(column: Column) -> NDArray[np.float64]:
    return column.numbers.values if column.numbers else np.full(len(column), np.nan)


def _sums(values: NDArray[np.float64], others: NDArray[np.float64], *, extremes: bool = True) -> bool:
    """Are the values the means, or the sums, of the rows of others within rounding, or their extremes? Not
    known where a value is missing, and not of few values, or of those that are all alike."""
    if (
        len(values) < 2
        or np.isnan(values).any()
        or np.isnan(others).any()
        or np.ptp(others, axis=1).max() == 0
    ):
        return False
    ways = [others.mean(axis=1), others.sum(axis=1)]
    if extremes:
        ways += [np.median(others, axis=1), others.max(axis=1), others.min(axis=1)]
    allowed = _ROUNDING * np.abs(values) + 1e-12
    return any(bool((np.abs(way - values) <= allowed).all()) for way in ways)
