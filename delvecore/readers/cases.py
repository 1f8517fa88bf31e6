"""Reader of `Dataset.data`: columns of checked values. Source: DELVE manual, sections 3.1 and 3.3.

One pass over the bytes of a file or block finds the words of its cases, without a loop over lines. Columns
keep the words of the file next to their numeric values, because codings may copy them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import overload

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from delvecore.errors import ParseError, Report, raise_error
from delvecore.model import Attribute, Dataset, Range
from delvecore.number_format.numbers import is_number
from delvecore.readers.files import read_pieces, text_of

BLANK, NEWLINE, HASH, BACKSLASH, AT = b" \n#\\@"
_IS_BLANK = np.zeros(256, dtype=bool)
_IS_BLANK[list(b" \t\n\r\x0b\x0c")] = True
Bytes = NDArray[np.uint8]
Places = NDArray[np.int64]
Marks = NDArray[np.bool_]
LONGEST_INDEX = 18
"""Largest number of digits of a commonality index, so that it fits into 64 bits."""


def divide(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the bytes of a file in pieces that end at the end of a case, except the last one."""
    rest: list[bytes] = []
    for piece in pieces:
        cut = _last_end(rest, piece)
        if cut:
            yield b"".join([*rest, piece[:cut]])
            rest = [piece[cut:]]
        else:
            rest.append(piece)
    last = b"".join(rest)
    if last:
        yield last


def _last_end(before: list[bytes], piece: bytes) -> int:
    """Return the position after the last line in a piece that is not continued, or 0. The case of that line
    may begin earlier."""
    end = piece.rfind(b"\n")
    while end >= 0:
        start = piece.rfind(b"\n", 0, end)
        begun = b"".join(before).rpartition(b"\n")[2] if start < 0 else b""
        line = begun + piece[start + 1 : end]
        if not line.rstrip().endswith(b"\\"):
            return end + 1
        end = start
    return 0


@dataclass
class _Layout:
    """Places of words and lines.

    Attributes
    ----------
    solid : Marks
        Bytes that belong to words.
    starts, ends : Places
        Starts and ends of words.
    newlines : Places
        Places of the newlines that end lines.
    breaks : Places
        Places of all newlines of the file.
    """

    codes: Bytes
    breaks: Places
    newlines: Places
    solid: Marks = field(init=False)
    starts: Places = field(init=False)
    ends: Places = field(init=False)

    def __post_init__(self) -> None:
        self.solid = ~_IS_BLANK[self.codes]
        self.find_words()

    def find_words(self) -> None:
        edges = np.flatnonzero(self.solid[1:] != self.solid[:-1]) + 1
        if self.solid[0]:
            edges = np.concatenate([[0], edges])
        self.starts, self.ends = edges[0::2], edges[1::2]

    def begins_word(self, byte: int) -> Places:
        """Return the positions of a byte at which it begins a word."""
        word_starts: Places = self.starts[self.codes[self.starts] == byte]
        return word_starts

    def keep(self, kept: Marks) -> None:
        """Leave only some words."""
        if not kept.all():
            self.starts, self.ends = self.starts[kept], self.ends[kept]
            self.solid = self.marks(self.starts, self.ends)

    def marks(self, starts: Places, ends: Places) -> Marks:
        """Return which bytes lie between some starts and ends."""
        steps = np.zeros(len(self.codes) + 1, dtype=np.int8)
        steps[starts] += 1
        steps[ends] -= 1
        return np.cumsum(steps[:-1], dtype=np.int8) > 0


def split_cases(data: bytes, dataset: Dataset, source: str, first_line: int, *, report: Report) -> "Cases":
    """Return the cases in a block of bytes that starts and ends with whole cases.

    Cases with a wrong number of values are reported and left out.
    """
    width = len(dataset.attributes)
    codes = np.frombuffer(data if data.endswith(b"\n") else data + b"\n", dtype=np.uint8)
    breaks = np.flatnonzero(codes == NEWLINE)
    layout = _Layout(codes, breaks, breaks)
    if b"\\" in data:
        layout = _without_continuations(layout)
    comments = _cut_comments(layout) if b"#" in data else {}
    counts = np.diff(np.searchsorted(layout.starts, layout.newlines), prepend=0)
    kept = np.ones(len(layout.starts), dtype=bool)
    indexes = _cut_indexes(layout, counts, kept, width) if b"@" in data else {}
    numbers = _line_numbers(layout, first_line)
    good = (counts == width) & (counts > 0)
    wrong = np.flatnonzero(~good & (counts > 0)).tolist()
    for line in wrong:
        remedy = "check blanks and continuation lines"
        report(ParseError(source, int(numbers[line]), f"{width} values", f"{counts[line]}", remedy))
    commonality = _commonality(indexes, good, numbers, source, report)
    if not good.all() or not kept.all():
        layout.keep(kept & good[np.searchsorted(layout.newlines, layout.starts)])
    rows = np.cumsum(good) - 1
    words, first, last = _array(layout), layout.codes[layout.starts], layout.codes[layout.ends - 1]
    columns: dict[int, Column] = {}
    for place, attribute in enumerate(dataset.attributes):
        picked = words.take(pa.array(np.arange(place, len(words), width, dtype=np.int64)))
        columns[attribute.number] = column_of(picked, first[place::width], last[place::width])
    return Cases(
        count=int(good.sum()),
        columns=columns,
        lines=numbers[good],
        commonality=commonality,
        comments={int(rows[line]): text for line, text in comments.items() if good[line]},
        left_out=len(wrong),
    )


def _without_continuations(layout: _Layout) -> _Layout:
    """Return the layout in which a line that ends with a word `\\` is joined with the next line."""
    marks = layout.begins_word(BACKSLASH)
    behind = np.searchsorted(layout.starts, marks) + 1
    line_ends = layout.breaks[np.searchsorted(layout.breaks, marks)]
    next_words = np.append(layout.starts, len(layout.codes))[behind]
    joins = (layout.ends[behind - 1] == marks + 1) & (next_words > line_ends)
    codes = layout.codes.copy()
    codes[marks[joins]] = BLANK
    codes[line_ends[joins]] = BLANK
    codes = np.append(codes, np.uint8(NEWLINE))
    return _Layout(codes, layout.breaks, np.flatnonzero(codes == NEWLINE))


def _cut_comments(layout: _Layout) -> dict[int, str]:
    """Remove comments from the layout's words. Return them by line number, counted from 0 in its newlines."""
    marks = layout.begins_word(HASH)
    lines, firsts = np.unique(np.searchsorted(layout.newlines, marks), return_index=True)
    starts, ends = marks[firsts], layout.newlines[lines]
    layout.solid &= ~layout.marks(starts, ends)
    data = layout.codes.tobytes()
    layout.find_words()
    spans = zip(lines.tolist(), starts.tolist(), ends.tolist(), strict=True)
    texts = {line: data[start + 1 : end].decode(errors="replace").strip() for line, start, end in spans}
    return {line: text for line, text in texts.items() if text}


def _cut_indexes(layout: _Layout, counts: Places, kept: Marks, width: int) -> dict[int, bytes]:
    """Remove `@` words after the last value from counts and kept words; return {line: word without its @}."""
    last_words = np.cumsum(counts) - 1
    longer = np.flatnonzero(counts > width)
    marked = longer[layout.codes[layout.starts[last_words[longer]]] == AT]
    places = last_words[marked]
    kept[places] = False
    counts[marked] -= 1
    data = layout.codes.tobytes()
    spans = zip(marked.tolist(), layout.starts[places].tolist(), layout.ends[places].tolist(), strict=True)
    return {line: data[start + 1 : end] for line, start, end in spans}


def _line_numbers(layout: _Layout, first_line: int) -> Places:
    """Return the line number at which each line of the layout starts."""
    if layout.newlines is layout.breaks:
        return np.arange(first_line, first_line + len(layout.newlines))
    begins = np.concatenate([[0], layout.newlines[:-1] + 1])
    return first_line + np.searchsorted(layout.breaks, begins)


def _array(layout: _Layout) -> pa.StringArray:
    offsets = np.zeros(len(layout.starts) + 1, dtype=np.int32)
    np.cumsum(layout.ends - layout.starts, out=offsets[1:])
    text = layout.codes[layout.solid]
    return pa.StringArray.from_buffers(len(layout.starts), pa.py_buffer(offsets), pa.py_buffer(text))


def _commonality(
    indexes: Mapping[int, bytes], good: Marks, numbers: Places, source: str, report: Report
) -> list[int | None]:
    """Return the index of each good case or None."""
    commonality: list[int | None] = [None] * int(good.sum())
    rows = np.cumsum(good) - 1
    for line, word in indexes.items():
        if not word.isdigit() or len(word) > LONGEST_INDEX:
            expected = "a commonality index, @ and digits"
            shown = "@" + word.decode(errors="replace")
            report(ParseError(source, int(numbers[line]), expected, repr(shown)))
        elif good[line]:
            commonality[rows[line]] = int(word)
    return commonality


_MAY_BEGIN = np.zeros(256, dtype=bool)
_MAY_BEGIN[list(b"0123456789-.")] = True
_MAY_END = np.zeros(256, dtype=bool)
_MAY_END[list(b"0123456789.")] = True
QUESTION = ord("?")
CHUNK = 1 << 16
LARGEST = 1 << 31
"""Bytes that an Arrow array with offsets of 32 bits can hold."""


class Words(Sequence[str]):
    """Words with the interface of a list of str: length, items, slices, iteration and comparison.

    They are in one Arrow buffer and need as much memory as the file; Python strings need six times as much.
    """

    __slots__ = ("array",)

    def __init__(self, array: pa.Array) -> None:
        self.array = array

    def __len__(self) -> int:
        return len(self.array)

    def take(self, places: np.ndarray) -> "Words":
        """Return the words at places (int64, from 0)."""
        return Words(self.array.take(pa.array(places)))

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            places = pa.array(range(*place.indices(len(self))), type=pa.int64())
            words: list[str] = self.array.take(places).to_pylist()
            return words
        word: str = self.array[range(len(self))[place]].as_py()
        return word

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), CHUNK):
            yield from self.array.slice(start, CHUNK).to_pylist()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __repr__(self) -> str:
        return f"Words({list(self)!r})"


def words_of(words: Iterable[str]) -> Words:
    """Return any words as Words."""
    return words if isinstance(words, Words) else Words(pa.array(list(words), type=pa.string()))


def take_words(words: Sequence[str], positions: np.ndarray) -> Sequence[str]:
    """Return the words at positions (int64, from 0): Words if given Words, otherwise a list."""
    if isinstance(words, Words):
        return words.take(positions)
    return [words[position] for position in positions.tolist()]


@dataclass(frozen=True)
class Column:
    """The values of one attribute, one per case.

    Attributes
    ----------
    words : sequence of str
        Texts in the file.
    numbers : NDArray[np.float64]
        Numbers as float64, NaN if the value is missing or not a number.
    missing : NDArray[np.bool_]
        Whether each value is missing.
    censored : NDArray[np.int8]
        Censoring as int8: +1 if the true value is at least the number (`3:`), -1 if it is at most the number
        (`:3`), otherwise 0.
    """

    words: Sequence[str]
    numbers: NDArray[np.float64]
    missing: NDArray[np.bool_]
    censored: NDArray[np.int8]


def make_column(words: Iterable[str]) -> Column:
    """Return non-empty words as a Column."""
    array = words_of(words).array
    data = [word.encode() for word in array.to_pylist()]
    first = np.fromiter((word[0] for word in data), dtype=np.uint8, count=len(data))
    last = np.fromiter((word[-1] for word in data), dtype=np.uint8, count=len(data))
    return column_of(array, first, last)


def column_of(words: pa.Array, first: NDArray[np.uint8], last: NDArray[np.uint8]) -> Column:
    """Return an Arrow array of words as a Column. first, last: first and last byte of each word."""
    numbers = np.full(len(words), np.nan)
    missing = first == QUESTION
    censored = np.zeros(len(words), dtype=np.int8)
    plain = _MAY_BEGIN[first] & _MAY_END[last]
    values = None
    if plain.any():
        values = _all_numbers(words if plain.all() else words.filter(pa.array(plain)))
    if values is not None:
        numbers[plain] = values
    rest = np.flatnonzero(~missing if values is None else ~missing & ~plain)
    if len(rest):
        coded = words.take(pa.array(rest)).dictionary_encode()  # one look at each different word
        parsed_words, signs = zip(*map(_value, coded.dictionary.to_pylist()), strict=True)
        codes = coded.indices.to_numpy()
        numbers[rest] = np.array(parsed_words, dtype=np.float64)[codes]
        censored[rest] = np.array(signs, dtype=np.int8)[codes]
    return Column(Words(words), numbers, missing, censored)


def _all_numbers(words: pa.Array) -> NDArray[np.float64] | None:
    """Return the values of words that are all finite numbers, otherwise None."""
    try:
        values = words.cast(pa.float64()).to_numpy(zero_copy_only=False)
    except pa.ArrowInvalid:
        return None
    return values if np.isfinite(values).all() else None


def _value(word: str) -> tuple[float, int]:
    """Return (number, sign of censoring) of one word that is not missing."""
    text = word[:-1] if word.endswith(":") else word.removeprefix(":")
    number = float(text) if is_number(text) else np.nan
    if word == text or np.isnan(number):
        return number, 0
    return number, 1 if word.endswith(":") else -1


def inside_range(column: Column, limits: Range) -> NDArray[np.bool_]:
    """Return a bool per case: whether the range permits its value. `?` in a range allows missing values for
    any reason. A censored value is permitted if a permitted value lies at or beyond its bound."""
    inside = column.missing.copy() if "?" in limits.missing else np.zeros_like(column.missing)
    numbers = column.numbers
    for interval in limits.intervals:
        above = numbers >= interval.low if interval.low_closed else numbers > interval.low
        inside |= above & (numbers <= interval.high if interval.high_closed else numbers < interval.high)
    for integers in limits.integers:
        inside |= (numbers == np.floor(numbers)) & (numbers >= integers.low) & (numbers <= integers.high)
    items = (*limits.intervals, *limits.integers)
    for position in np.flatnonzero(column.censored).tolist():
        bound, upward = float(numbers[position]), bool(column.censored[position] > 0)
        inside[position] = any(item.reaches(bound, upward=upward) for item in items)
    permitted, rest = (*limits.values, *limits.missing), np.flatnonzero(~inside)
    if permitted and len(rest):
        words = words_of(column.words).array
        words = words if len(rest) == len(words) else words.take(pa.array(rest))
        known = pa.array(permitted, type=words.type)
        inside[rest] = pc.is_in(words, value_set=known).to_numpy(zero_copy_only=False)
    return inside


def join_columns(columns: Sequence[Column]) -> Column:
    """Return the concatenated columns of one attribute."""
    if len(columns) < 2:
        return columns[0] if columns else make_column(())
    words = [words_of(column.words).array for column in columns]
    if sum(array.nbytes for array in words) >= LARGEST:
        words = [array.cast(pa.large_string()) for array in words]
    return Column(
        Words(pa.concat_arrays(words)),
        np.concatenate([column.numbers for column in columns]),
        np.concatenate([column.missing for column in columns]),
        np.concatenate([column.censored for column in columns]),
    )


@dataclass(frozen=True)
class Cases:
    """All cases of a dataset, or a block of consecutive ones, in file order.

    Attributes
    ----------
    lines : NDArray[np.int64]
        Line on which each case starts.
    commonality : Sequence[int | None]
        Index after `@`, or None.
    comments : dict of int to str
        Comments after `#`, by case position.
    left_out : int
        Cases with a wrong number of values.
    """

    count: int
    columns: dict[int, Column]
    lines: NDArray[np.int64]
    commonality: Sequence[int | None]
    comments: dict[int, str] = field(default_factory=dict)
    left_out: int = 0

    @property
    def total(self) -> int:
        """Return the number of cases in the file, including those with a wrong number of values."""
        return self.count + self.left_out

    @cached_property
    def has_groups(self) -> bool:
        """Does any case have a commonality index?"""
        return any(index is not None for index in self.commonality)


def read_cases(
    text: str, dataset: Dataset, source: str, *, report: Report = raise_error, check: bool = True
) -> Cases:
    """Return the cases of a data file's text. Every case must have one value per attribute, within its range
    (check=False trusts them); each fault goes to report."""
    return join_cases(dataset, read_case_blocks([text.encode()], dataset, source, report=report, check=check))


def read_case_file(path: str, dataset: Dataset, *, report: Report = raise_error, check: bool = True) -> Cases:
    """Return the cases of a data file, compressed or not; otherwise as `read_cases`."""
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
    """Yield the cases of a data file block by block.

    `pieces` are the bytes of the file, cut anywhere. Other parameters are those of `read_cases`. Raises
    ParseError for bytes that are not UTF-8.
    """
    first_line = 1
    for data in divide(pieces):
        if not data.isascii():
            text_of(data, source, first_line=first_line)
        cases = split_cases(data, dataset, source, first_line, report=report)
        first_line += data.count(b"\n") + (not data.endswith(b"\n"))
        for attribute in dataset.attributes if check else ():
            _check_range(cases.columns[attribute.number], attribute, cases.lines, source, report)
        yield cases


def _check_range(
    column: Column, attribute: Attribute, lines: NDArray[np.int64], source: str, report: Report
) -> None:
    """Report every value outside the attribute's range; a range that could not be read permits everything."""
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
    del blocks  # then only one attribute at a time is in memory twice
    return Cases(int(starts[-1]), {number: join_columns(parts.pop(number)) for number in numbers}, *facts)
