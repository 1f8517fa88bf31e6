"""Case and order files of any size, read all at once. Source: DELVE manual, section 4.4.

The contract is that of `prototask.parse_indexes`: files that hold one number a line and nothing else go
through one vectorised parse; where that finds anything amiss, the slow parser names the lines.
Uses NumPy and pyarrow.
"""

import numpy as np
import pyarrow as pa
from pyarrow import csv

from delvecore.errors import raise_error
from delvecore.readers.files import read_bytes, text_of
from delvecore.readers.prototask import parse_indexes

__all__ = ["read_indexes"]

_COLUMN = csv.ConvertOptions(column_types={"case": pa.int64()}, null_values=[], strings_can_be_null=False)
_NAMES = csv.ReadOptions(column_names=["case"])


def read_indexes(path: str, *, count: int, permutation: bool, report=raise_error) -> np.ndarray:
    """Return the case numbers (int64, from 1) of a case file, or with permutation=True of an order file.

    count: how many cases there are to choose from. Each fault goes to report; raises ParseError for a file
    that cannot be read.
    """
    data = read_bytes(path)
    numbers = _all_numbers(data)
    if numbers is None or not _is_choice(numbers, count) or (permutation and len(numbers) != count):
        found = parse_indexes(text_of(data, path), path, count=count, permutation=permutation, report=report)
        return np.array(found, dtype=np.int64)
    return numbers


def _all_numbers(data):
    """Return the numbers of a file that holds digits and ends of lines only, else None."""
    if data.translate(None, b"0123456789\r\n") or not data.strip():
        return None
    try:
        table = csv.read_csv(pa.BufferReader(data), read_options=_NAMES, convert_options=_COLUMN)
    except pa.ArrowInvalid:
        return None
    return table["case"].to_numpy()


def _is_choice(numbers, count):
    """Are these numbers from 1 to count, each at most once?"""
    if not len(numbers):
        return True
    if numbers.min() < 1 or numbers.max() > count:
        return False
    seen = np.zeros(count + 1, dtype=bool)
    seen[numbers] = True
    return int(seen.sum()) == len(numbers)
