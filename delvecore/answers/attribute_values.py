"""How is an attribute distributed? Counts of its values, and of what is said of missing and censored ones."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

MOST_CATEGORIES = 30
Row = Mapping[str, Any]


class Bar(NamedTuple):
    """A number of cases. low, high: the interval of their values, closed at low and for the last one at high,
    equal for a single number, None for words; group: `value`, `censored` or `missing`."""

    label: str
    low: float | None
    high: float | None
    cases: int
    group: str


class Distribution(NamedTuple):
    """How an attribute is distributed: numbers are drawn upright over an axis, words and gaps with labels."""

    numbers: tuple[Bar, ...]
    words: tuple[Bar, ...]

    @property
    def bars(self) -> tuple[Bar, ...]:
        return self.numbers + self.words


def value_counts(cases: pa.Table, attribute: Row, *, bins: int = 24) -> Distribution:
    """Count the cases by value, or by interval, of one attribute.

    attribute: a row of the attributes table. Values come first, in the order of the range, then censored
    values (at their bounds unknown), then missing ones by reason."""
    name = attribute["attribute"]
    values = cases[name].combine_chunks()
    censored = f"{name} censored"
    if censored in cases.column_names:
        known = pc.and_(pc.is_valid(values), pc.is_null(cases[censored].combine_chunks()))
        values = values.filter(known)
    is_words = pa.types.is_dictionary(values.type)
    found = _categories(values) if is_words else _numbers(values, bins)
    beside = [
        Bar(f"{group}: {word}", None, None, number, group)
        for group in ("censored", "missing")
        for word, number in _counted(cases, f"{name} {group}")
    ]
    return Distribution(() if is_words else tuple(found), (*(found if is_words else ()), *beside))


def _categories(values: pa.ChunkedArray) -> list[Bar]:
    counts = np.bincount(values.indices.drop_null().to_numpy(), minlength=len(values.dictionary))
    labels = values.dictionary.to_pylist()
    rows = list(zip(labels, counts.tolist(), strict=True))
    if len(rows) > MOST_CATEGORIES:
        rest = rows[MOST_CATEGORIES - 1 :]
        rows[MOST_CATEGORIES - 1 :] = [(f"{len(rest)} other values", sum(number for _, number in rest))]
    return [Bar(label, None, None, number, "value") for label, number in rows]


def _numbers(values: pa.ChunkedArray, bins: int) -> list[Bar]:
    numbers = values.drop_null().to_numpy(zero_copy_only=False)
    numbers = numbers[np.isfinite(numbers)]
    if not len(numbers):
        return []
    singles, counts = (found.tolist() for found in np.unique(numbers, return_counts=True))
    if len(singles) <= bins:
        found = zip(singles, counts, strict=True)
        return [Bar(f"{value:g}", float(value), float(value), number, "value") for value, number in found]
    counts, edges = (found.tolist() for found in np.histogram(numbers, bins=bins))
    intervals = zip(edges, edges[1:], counts, strict=False)
    return [Bar(f"{low:.4g} to {high:.4g}", low, high, number, "value") for low, high, number in intervals]


def _counted(cases: pa.Table, column: str) -> list[tuple[str, int]]:
    """Return the words of a column, sorted, with their numbers; nothing where there is no such column."""
    if column not in cases.column_names:
        return []
    counted = pc.value_counts(cases[column].drop_null()).to_pylist()
    return sorted((item["values"], item["counts"]) for item in counted)


def beside_text(cases: pa.Table | None, attribute: str, group: str) -> str | None:
    """Return what is said beside an attribute's values, with counts: `? 2, ?noisy 1`; None where nothing is.

    group: `missing` (the reasons) or `censored` (`at least 2, at most 1`)."""
    column = f"{attribute} {group}"
    if cases is None or column not in cases.column_names:
        return None
    return ", ".join(f"{word} {number:,}" for word, number in _counted(cases, column))


def miniature(cases: pa.Table, attribute: Row) -> list[int]:
    """Return the counts of an attribute's values for a picture a few letters wide."""
    return [bar.cases for bar in value_counts(cases, attribute, bins=16).bars if bar.group == "value"]
