"""Thousands of loss files at once: one pass over the bytes, one parse. Uses NumPy and pyarrow.

The contract is that of `results.parse_losses`: plain files go through one vectorised parse; where that does
not fit (blank lines, words, infinities, compressed files), the slow parser reads the file and names the line.
"""

import os
from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import csv

from delvecore.errors import ParseError, Report
from delvecore.readers.files import SUFFIXES, read_bytes, text_of
from delvecore.readers.results import parse_losses

__all__ = ["read_loss_files"]

CHUNK = 1 << 16
BATCH_BYTES = 1 << 26
Losses = NDArray[np.float64]
_COLUMN = csv.ConvertOptions(column_types={"loss": pa.float64()}, null_values=[], strings_can_be_null=False)
_NAMES = csv.ReadOptions(column_names=["loss"])


def read_loss_files(paths: Sequence[str], losses: Sequence[str], *, report: Report) -> list[Losses | None]:
    """Return the losses of each file as a float64 array, None where it could not be used.

    paths: loss files, compressed or not; losses: the loss letter of each. Each fault goes to report.
    """
    contents = list(_contents(paths, report))
    results: list[Losses | None] = [None] * len(paths)
    for batch in _batches(contents):
        chosen = [contents[index] or b"" for index in batch]
        for index, data, array in zip(batch, chosen, _parse_together(chosen), strict=True):
            if array is None:
                array = _parse_alone(data, paths[index], losses[index], report)
            results[index] = array
    return results


def _contents(paths: Sequence[str], report: Report) -> Iterator[bytes | None]:
    for path in paths:
        try:
            yield read_bytes(path) if path.endswith(SUFFIXES) else _read_plain(path)
        except ParseError as error:
            report(error)
            yield None


def _read_plain(path: str) -> bytes:
    """Return the bytes of a small file with as few system calls as possible."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return read_bytes(path)  # raises with the right words
    try:
        data = os.read(descriptor, CHUNK)
        if len(data) < CHUNK:
            return data
        parts = [data]
        while part := os.read(descriptor, 1 << 20):
            parts.append(part)
        return b"".join(parts)
    finally:
        os.close(descriptor)


def _batches(contents: Sequence[bytes | None]) -> Iterator[list[int]]:
    """Group the positions of readable files into batches of a bounded number of bytes."""
    batch: list[int] = []
    size = 0
    for index, data in enumerate(contents):
        if data is None:
            continue
        batch.append(index)
        size += len(data)
        if size > BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _parse_together(contents: Sequence[bytes]) -> list[Losses | None]:
    """Return one array a file from a single parse; None in place of those that need the slow parser."""
    whole = [data if data.endswith(b"\n") or not data else data + b"\n" for data in contents]
    counts = np.fromiter((data.count(b"\n") for data in whole), dtype=np.int64, count=len(whole))
    if not counts.all():
        return _parse_in_halves(contents)
    try:
        parsed = csv.read_csv(pa.BufferReader(b"".join(whole)), read_options=_NAMES, convert_options=_COLUMN)
    except pa.ArrowInvalid:
        return _parse_in_halves(contents)
    values = parsed["loss"].to_numpy()
    if len(values) != counts.sum() or not np.isfinite(values).all():
        return _parse_in_halves(contents)
    return [*np.split(values, np.cumsum(counts)[:-1])]


def _parse_in_halves(contents: Sequence[bytes]) -> list[Losses | None]:
    """Narrow down to the files that need the slow parser, so that one bad file does not slow all."""
    if len(contents) == 1:
        return [None]
    middle = len(contents) // 2
    return _parse_together(contents[:middle]) + _parse_together(contents[middle:])


def _parse_alone(data: bytes, path: str, loss: str, report: Report) -> Losses | None:
    try:
        values = parse_losses(text_of(data, path), path, loss=loss)
        if not values:
            raise ParseError(path, 1, "losses, one a line", "an empty file", "make it anew", kind="results")
        return np.array(values)
    except ParseError as error:
        report(error)
        return None
