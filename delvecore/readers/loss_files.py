"""Thousands of loss files, or many case numbers, at once, in one parse. Uses NumPy and pyarrow.

The contracts are those of `results.parse_losses` and `prototask.parse_indexes`: plain files go through one
vectorised parse; where that does not fit (blank lines, other line ends, words, infinities, anything amiss),
the slow parser reads the file and names the line."""

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import csv

from delvecore.errors import Report, attempt, raise_error, result_fault
from delvecore.losses.spec import loss_limits
from delvecore.model import Prototask
from delvecore.readers.files import SUFFIXES, read_bytes, text_of
from delvecore.readers.prototask import parse_indexes
from delvecore.readers.regular_files import read_plain
from delvecore.readers.results import parse_losses

BATCH_BYTES = 1 << 26
Losses = NDArray[np.float64]
DIGITS_OF_LINES, MOST_DIGITS = b"0123456789\r\n", 18
NEWLINE = ord("\n")
PLAIN = b"0123456789.+-eE\n"
"""All that a plain loss file holds. Of these bytes only the newline ends a row, so counting newlines proves
where each file of a batch begins; a file with any other byte is read by itself."""


def read_loss_files(
    paths: Sequence[str],
    losses: Sequence[str],
    prototasks: Sequence[Prototask | None],
    *,
    report: Report,
) -> list[Losses | None]:
    """Return the losses of each file as a float64 array, None where it could not be used. paths: loss files,
    compressed or not; losses, prototasks: the loss of each, and its prototask if known. Each fault goes to
    report. A bounded number of bytes of files is in memory at once."""
    results: list[Losses | None] = [None] * len(paths)
    limits = _limits(losses, prototasks)
    for batch, contents in _batches(paths, report):
        for index, data, array in zip(batch, contents, _parse_together(contents, limits[batch]), strict=True):
            if array is None:
                array = attempt(report, _parse_alone, data, paths[index], losses[index], prototasks[index])
            results[index] = array
    return results


def _limits(losses: Sequence[str], prototasks: Sequence[Prototask | None]) -> np.ndarray:
    """Return `loss_limits` of each file, shape (files, 2), worked out once for those that share them."""
    keys = [(loss, id(prototask)) for loss, prototask in zip(losses, prototasks, strict=True)]
    distinct = dict(zip(keys, zip(losses, prototasks, strict=True), strict=True))
    limits = {key: loss_limits(*one) for key, one in distinct.items()}
    return np.array([limits[key] for key in keys])


def _read_small(path: str) -> bytes:
    """Return the bytes of a small file with as few system calls as possible."""
    try:
        return read_plain(path)
    except OSError:
        return read_bytes(path)  # raises with the right words


def _batches(paths: Sequence[str], report: Report) -> Iterator[tuple[list[int], list[bytes]]]:
    """Yield the positions and the contents of files that can be read, a bounded number of bytes together."""
    batch, contents, size = list[int](), list[bytes](), 0
    for index, path in enumerate(paths):
        data = attempt(report, read_bytes if path.endswith(SUFFIXES) else _read_small, path)
        if data is None:
            continue
        batch.append(index)
        contents.append(data)
        size += len(data)
        if size > BATCH_BYTES:
            yield batch, contents
            batch, contents, size = [], [], 0
    if batch:
        yield batch, contents


def _parse_together(contents: Sequence[bytes], limits: np.ndarray) -> list[Losses | None]:
    """Return one array a file from a single parse; None in place of those that need the slow parser. limits:
    the least and the most that may be in each file, shape (files, 2)."""
    whole = [data if data.endswith(b"\n") or not data else data + b"\n" for data in contents]
    bytes_of = (np.frombuffer(data, dtype=np.uint8) for data in whole)
    counts = np.array([np.count_nonzero(one == NEWLINE) for one in bytes_of])
    values = None
    if counts.all() and not any(data.translate(None, PLAIN) for data in whole):
        values = _column(b"".join(whole))
    if values is not None and len(values) == counts.sum():
        starts = np.cumsum(counts) - counts
        least, most = np.minimum.reduceat(values, starts), np.maximum.reduceat(values, starts)
        inside = (least >= limits[:, 0]) & (most <= limits[:, 1]) & np.isfinite(least) & np.isfinite(most)
        pieces = np.split(values, starts[1:])
        return [piece if good else None for piece, good in zip(pieces, inside.tolist(), strict=True)]
    if len(contents) == 1:
        return [None]
    middle = len(contents) // 2  # narrows down to the bad file, so that it does not slow all
    parts = slice(None, middle), slice(middle, None)
    return [array for part in parts for array in _parse_together(contents[part], limits[part])]


def _column(data: bytes) -> np.ndarray | None:
    """Return the numbers of lines that hold one number each, else None."""
    names = csv.ReadOptions(column_names=["number"])
    lines = csv.ParseOptions(ignore_empty_lines=False, quote_char=False)
    form = csv.ConvertOptions(
        column_types={"number": pa.float64()}, null_values=[], strings_can_be_null=False
    )
    try:
        table = csv.read_csv(pa.BufferReader(data), names, lines, form)
        del data  # it makes room for the numbers
    except pa.ArrowInvalid:
        return None
    pieces = [np.from_dlpack(chunk) for chunk in table["number"].chunks]  # `to_numpy` would import pandas
    return pieces[0] if len(pieces) == 1 else np.concatenate(pieces)


def _parse_alone(data: bytes, path: str, loss: str, prototask: Prototask | None) -> Losses:
    values = parse_losses(text_of(data, path), path, loss=loss, prototask=prototask)
    if not values:
        raise result_fault(path, 1, "losses, one a line", "an empty file", "make it again")
    return np.array(values)


def read_indexes(
    path: str, *, count: int, permutation: bool, report: Report = raise_error
) -> NDArray[np.int64]:
    """Return the case numbers (from 1) of a case file, or with permutation=True of an order file. count: how
    many cases there are to choose from. Each fault goes to report; raises ParseError for a file that cannot
    be read. Source: DELVE manual, 4.4."""
    data = read_bytes(path)
    numbers = _plain_numbers(data, count)
    if numbers is None or (permutation and len(numbers) != count):
        text = text_of(data, path)
        return np.array(
            parse_indexes(text, path, count=count, permutation=permutation, report=report), dtype=np.int64
        )
    return numbers


def _plain_numbers(data: bytes, count: int) -> NDArray[np.int64] | None:
    """Return the numbers of a file that holds, behind comments at its start, a case number a line, each from
    1 to count and at most once; else None."""
    while data.startswith(b"#"):
        data = data.partition(b"\n")[2]
    words = data.split()
    if data.translate(None, DIGITS_OF_LINES) or len(words) != sum(map(bool, data.split(b"\n"))):
        return None
    if max(map(len, words), default=0) > MOST_DIGITS:
        return None
    numbers = np.array(list(map(int, words)), dtype=np.int64)
    inside = not len(numbers) or (numbers.min() >= 1 and numbers.max() <= count)
    return numbers if inside and len(np.unique(numbers)) == len(numbers) else None
