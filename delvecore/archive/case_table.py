"""The cases of a dataset as an Arrow table with proper types.

Columns: `case` (int64, from 1), one column an attribute in the specification's order, then `commonality`
(int64) and `comment` (string) where any case has one. Categories are dictionary-encoded in the order of the
range, whole numbers are int64, other numbers float64. A value that is missing is null, its word (`?why`)
stands in `NAME missing`; a censored value is its bound, and `NAME censored` says `at least` or `at most`.
These columns exist only where such values occur. Where an attribute bears the name `case`, `commonality` or
`comment`, that column of ours gets a `_` behind its name.
"""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from delvecore.model import Attribute, Dataset
from delvecore.readers.cases import Cases, Column

__all__ = ["case_table"]


def case_table(dataset: Dataset, cases: Cases) -> pa.Table:
    """Return all cases of a dataset, one row a case, in file order."""
    taken = {attribute.name for attribute in dataset.attributes}
    columns = {_free("case", taken): pa.array(np.arange(1, cases.count + 1))}
    for attribute in dataset.attributes:
        column = cases.columns[attribute.number]
        columns[attribute.name] = _values(attribute, column)
        columns.update(_beside(attribute, column))
    if any(index is not None for index in cases.commonality):
        columns[_free("commonality", taken)] = pa.array(cases.commonality, type=pa.int64())
    if cases.comments:
        comments = [cases.comments.get(position) for position in range(cases.count)]
        columns[_free("comment", taken)] = pa.array(comments, type=pa.string())
    return pa.table(columns)


def _free(name: str, taken: set[str]) -> str:
    """Return a column's name that no attribute bears."""
    while name in taken:
        name += "_"
    return name


def _values(attribute: Attribute, column: Column) -> pa.Array:
    kind = attribute.range.kind
    if kind == "categorical":
        return _categories(attribute, column)
    absent = np.isnan(column.numbers)
    whole = kind == "integer" and not _fractions(column.numbers[~absent])
    numbers = column.numbers
    if whole:
        numbers = np.where(absent, 0, numbers).astype(np.int64)
    return pa.array(numbers, mask=absent)


def _fractions(numbers: np.ndarray) -> bool:
    return bool((numbers != np.floor(numbers)).any() or (np.abs(numbers) >= 2**62).any())


def _categories(attribute: Attribute, column: Column) -> pa.Array:
    """Known values in the order of the range, then any others in the order met."""
    known = dict.fromkeys(attribute.range.categories or ())
    present = (word for word, gone in zip(column.words, column.missing, strict=True) if not gone)
    values = list(known | dict.fromkeys(present))
    index = {value: position for position, value in enumerate(values)}
    codes = np.array([index.get(word, 0) for word in column.words], dtype=np.int32)
    indices = pa.array(codes, mask=column.missing)
    return pa.DictionaryArray.from_arrays(indices, pa.array(values, type=pa.string()), ordered=True)


def _beside(attribute: Attribute, column: Column) -> Iterator[tuple[str, pa.Array]]:
    """Yield the columns that say why a value is missing and which way it is censored."""
    categorical = attribute.range.kind == "categorical"
    absent = column.missing if categorical else np.isnan(column.numbers)
    if absent.any():
        reasons = [word if gone else None for word, gone in zip(column.words, absent, strict=True)]
        yield f"{attribute.name} missing", pa.array(reasons, type=pa.string())
    if column.censored.any():
        directions = [{1: "at least", -1: "at most"}.get(int(sign)) for sign in column.censored]
        yield f"{attribute.name} censored", pa.array(directions, type=pa.string())
