"""`Dataset.data` in, columns of checked values out. Source: DELVE manual, section 3.3.

Columns keep the words of the file (codings may copy them) beside their numeric values. A file may be read
whole, or block by block where it is larger than memory should hold. Uses NumPy and pyarrow."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from delvecore.errors import ParseError, Report, raise_error
from delvecore.model import Attribute, Dataset
from delvecore.readers.case_columns import Column, column_of, inside_range, join_columns, make_column
from delvecore.readers.case_words import divide, split_cases
from delvecore.readers.files import read_pieces, text_of

__all__ = ["Cases", "Column", "join_cases", "make_column", "read_case_blocks", "read_case_file", "read_cases"]


@dataclass(frozen=True)
class Cases:
    """All cases of a dataset, or a block of consecutive ones, in file order. columns: by attribute number;
    lines: the file's line on which each case starts; commonality: the index behind `@` or None; comments: the
    text behind `#`, by case position (from 0); left_out: how many further cases had the wrong number of
    values."""

    count: int
    columns: dict[int, Column]
    lines: NDArray[np.int64]
    commonality: Sequence[int | None]
    comments: dict[int, str] = field(default_factory=dict)
    left_out: int = 0


def read_cases(
    text: str, dataset: Dataset, source: str, *, report: Report = raise_error, check: bool = True
) -> Cases:
    """Return the cases that a data file's text holds. Every case must have one value per attribute, within
    the attribute's range (check=False trusts the values). Each fault goes to report as a ParseError; a case
    with the wrong number of values is left out after its report."""
    return join_cases(dataset, read_case_blocks([text.encode()], dataset, source, report=report, check=check))


def read_case_file(path: str, dataset: Dataset, *, report: Report = raise_error, check: bool = True) -> Cases:
    """Return the cases of a data file, compressed or not; otherwise as `read_cases`. Raises ParseError for a
    file that cannot be read."""
    pieces = read_pieces(path)
    return join_cases(dataset, read_case_blocks(pieces, dataset, path, report=report, check=check))


def read_case_blocks(
    pieces: Iterable[bytes],
    dataset: Dataset,
    source: str,
    *,
    report: Report = raise_error,
    check: bool = True,
) -> Iterator[Cases]:
    """Yield the cases of a data file block by block, so that memory holds one block only. pieces: the file's
    bytes, cut anywhere, such as `readers.files.read_pieces` yields; otherwise as `read_cases`. Raises
    ParseError for bytes that are not UTF-8."""
    first_line = 1
    for data in divide(pieces):
        if not data.isascii():
            text_of(data, source, first_line=first_line)
        found = split_cases(data, len(dataset.attributes), source, first_line, report=report)
        first_line += found.line_count
        columns: dict[int, Column] = {}
        for place, attribute in enumerate(dataset.attributes):
            words = found.column(place, len(dataset.attributes))
            column = columns[attribute.number] = column_of(*words)
            if check:
                _check_range(column, attribute, found.lines, source, report)
        facts = found.lines, found.commonality, found.comments, found.left_out
        yield Cases(len(found.lines), columns, *facts)


def _check_range(
    column: Column, attribute: Attribute, lines: NDArray[np.int64], source: str, report: Report
) -> None:
    """Report every value that is outside the attribute's range, with the line of its case. A range that could
    not be read, which was reported, permits everything."""
    if not attribute.range.text:
        return
    for position in np.flatnonzero(~inside_range(column, attribute.range)).tolist():
        word = column.words[position]
        expected = f"{attribute.name} within {attribute.range.text}"
        if column.missing[position]:
            expected += " (no missing value allowed)"
        report(ParseError(source, int(lines[position]), expected, repr(word)))


def join_cases(dataset: Dataset, blocks: Iterable[Cases]) -> Cases:
    """Return blocks of a dataset's cases as one."""
    blocks = list(blocks)
    starts = np.concatenate([[0], np.cumsum([block.count for block in blocks], dtype=np.int64)])
    comments: dict[int, str] = {}
    for start, block in zip(starts.tolist(), blocks, strict=False):
        comments |= {start + position: text for position, text in block.comments.items()}
    facts = (
        np.concatenate([np.empty(0, dtype=np.int64), *(block.lines for block in blocks)]),
        [index for block in blocks for index in block.commonality],
        comments,
        sum(block.left_out for block in blocks),
    )
    numbers = [attribute.number for attribute in dataset.attributes]
    parts = {number: [block.columns[number] for block in blocks] for number in numbers}
    del blocks  # so that only one attribute at a time is there twice
    return Cases(int(starts[-1]), {number: join_columns(parts.pop(number)) for number in numbers}, *facts)
