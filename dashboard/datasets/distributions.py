"""How is an attribute distributed over the cases of its dataset? Pure functions on Arrow columns."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.datasets.filters import Row

__all__ = ["BINS", "COLUMNS", "beside_text", "distribution_table", "miniature"]

BINS = 24
MOST_CATEGORIES = 30
Bar = tuple[str, float, float, int, str]
"""Label, interval, number of cases, and whether it is of values, censored or missing."""
COLUMNS = ["label", "low", "high", "cases", "group"]


def distribution_table(cases: pa.Table, attribute: Row, *, bins: int = BINS) -> pd.DataFrame:
    """Count the cases by value, or by interval, of one attribute.

    attribute: a row of the attributes table. Columns: label; low, high (interval, closed at low and for the
    last one at high; equal for a single number; NaN for words); cases; group: `value`, `censored` or
    `missing`. Values come first, in the order of the range, then censored values (at their bounds unknown),
    then missing ones by reason.
    """
    name = attribute["attribute"]
    values = cases[name].combine_chunks()
    beside = {word: f"{name} {word}" for word in ("censored", "missing")}
    if beside["censored"] in cases.column_names:
        known = pc.and_(pc.is_valid(values), pc.is_null(cases[beside["censored"]].combine_chunks()))
        values = values.filter(known)
    rows = _categories(values) if pa.types.is_dictionary(values.type) else _numbers(values, bins)
    for group, column in beside.items():
        if column in cases.column_names:
            rows += _words(cases[column], group)
    return pd.DataFrame(rows, columns=COLUMNS)


def _categories(values: pa.ChunkedArray) -> list[Bar]:
    counts = np.bincount(values.indices.drop_null().to_numpy(), minlength=len(values.dictionary))
    labels = values.dictionary.to_pylist()
    rows = [
        (label, np.nan, np.nan, int(number), "value") for label, number in zip(labels, counts, strict=True)
    ]
    if len(rows) <= MOST_CATEGORIES:
        return rows
    rest = rows[MOST_CATEGORIES - 1 :]
    label = f"{len(rest)} other values"
    return [*rows[: MOST_CATEGORIES - 1], (label, np.nan, np.nan, sum(row[3] for row in rest), "value")]


def _numbers(values: pa.ChunkedArray, bins: int) -> list[Bar]:
    numbers = values.drop_null().to_numpy(zero_copy_only=False)
    numbers = numbers[np.isfinite(numbers)]
    if not len(numbers):
        return []
    singles, counts = np.unique(numbers, return_counts=True)
    if len(singles) <= bins:
        return [
            (f"{value:g}", float(value), float(value), int(number), "value")
            for value, number in zip(singles, counts, strict=True)
        ]
    counts, edges = np.histogram(numbers, bins=bins)
    return [
        (f"{low:.4g} to {high:.4g}", float(low), float(high), int(number), "value")
        for low, high, number in zip(edges, edges[1:], counts, strict=False)
    ]


def _words(column: pa.ChunkedArray, group: str) -> list[Bar]:
    counted = pc.value_counts(column.drop_null()).to_pylist()
    found = sorted((item["values"], item["counts"]) for item in counted)
    return [(f"{group}: {word}", np.nan, np.nan, number, group) for word, number in found]


def beside_text(cases: pa.Table | None, attribute: str, group: str) -> str | None:
    """Return what is said beside an attribute's values, with counts: `? 2, ?noisy 1`; None where nothing is.

    group: `missing` (the reasons) or `censored` (`at least 2, at most 1`).
    """
    column = f"{attribute} {group}"
    if cases is None or column not in cases.column_names:
        return None
    counted = pc.value_counts(cases[column].drop_null()).to_pylist()
    found = sorted((item["values"], item["counts"]) for item in counted)
    return ", ".join(f"{word} {number:,}" for word, number in found)


def miniature(cases: pa.Table, attribute: Row) -> list[int]:
    """Return the counts of an attribute's values for a picture a few letters wide."""
    table = distribution_table(cases, attribute, bins=16)
    return table.loc[table["group"] == "value", "cases"].tolist()
