"""Case and order files of any size, read all at once. Source: DELVE manual, section 4.4.

The contract is that of `prototask.parse_indexes`: files that hold one number a line and nothing else go
through one vectorised parse; where that finds anything amiss, the slow parser names the lines.
Uses NumPy and pyarrow.
"""

from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import csv

from delvecore.errors import Report, raise_error
from delvecore.readers.files import read_bytes, read_pieces, text_of
from delvecore.readers.prototask import parse_indexes

__all__ = ["read_indexes"]

Numbers = NDArray[np.int32 | np.int64]

_COLUMN = csv.ConvertOptions(column_types={"case": pa.int64()}, null_values=[], strings_can_be_null=False)
_NAMES = csv.ReadOptions(column_names=["case"], use_threads=False)


def read_indexes(path: str, *, count: int, permutation: bool, report: Report = raise_error) -> Numbers:
    """Return the case numbers (from 1) of a case file, or with permutation=True of an order file.

    count: how many cases there are to choose from. The numbers are int32 where that suffices, else int64.
    Each fault goes to report; raises ParseError for a file that cannot be read.
    """
    kind: type[np.int32 | np.int64] = np.int32 if count < 2**31 else np.int64
    numbers = _plain_numbers(path, count, kind)
    if numbers is None or (permutation and len(numbers) != count):
        text = text_of(read_bytes(path), path)
        found = parse_indexes(text, path, count=count, permutation=permutation, report=report)
        return np.array(found, dtype=kind)
    return numbers


def _plain_numbers(path: str, count: int, kind: type[np.int32 | np.int64]) -> Numbers | None:
    """Return the numbers of a file that holds, behind comments at its start, a case number a line, each from
    1 to count and at most once; else None. Memory holds the numbers and a piece of the file."""
    found, seen, total = np.empty(count, dtype=kind), np.zeros(count + 1, dtype=bool), 0
    for data in _whole_lines(read_pieces(path)):
        numbers = _all_numbers(data)
        if numbers is None or numbers.min() < 1 or numbers.max() > count or total + len(numbers) > count:
            return None
        found[total : total + len(numbers)] = numbers
        seen[numbers] = True
        total += len(numbers)
    return found[:total] if np.count_nonzero(seen) == total else None


def _whole_lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield pieces cut anew at ends of lines, without the comments that lie in front of everything."""
    rest, in_front = b"", True
    for piece in pieces:
        data, newline, rest = (rest + piece).rpartition(b"\n")
        data += newline
        while in_front and data.startswith(b"#"):
            data = data.partition(b"\n")[2]
        in_front = in_front and not data
        if data:
            yield data
    if rest:
        yield rest


def _all_numbers(data: bytes) -> NDArray[np.int64] | None:
    """Return the numbers of lines that hold digits only, else None."""
    if data.translate(None, b"0123456789\r\n") or not data.strip():
        return None
    try:
        table = csv.read_csv(pa.BufferReader(data), read_options=_NAMES, convert_options=_COLUMN)
    except pa.ArrowInvalid:
        return None
    return table["case"].to_numpy()
