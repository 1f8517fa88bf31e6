"""Bytes of a data file in, the words of its cases out: one pass over the bytes, no loop over the lines.

Knows the layout of a case (blanks, continuation lines, comments, commonality indexes), not what words mean.
Source: DELVE manual, section 3.3. Uses NumPy and pyarrow."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from delvecore.errors import ParseError, Report

__all__ = ["CaseWords", "divide", "split_cases"]

BLANK, NEWLINE, HASH, BACKSLASH, AT = b" \n#\\@"
_IS_BLANK = np.zeros(256, dtype=bool)
_IS_BLANK[list(b" \t\n\r\x0b\x0c")] = True
Bytes = NDArray[np.uint8]
Places = NDArray[np.int64]
Marks = NDArray[np.bool_]
LONGEST_INDEX = 18
"""Digits of a commonality index: what a number of 64 bits holds."""


@dataclass(frozen=True)
class CaseWords:
    """The words of some consecutive cases. words: one array of all words, case by case; first, last: first
    and last byte of each, uint8; lines: the line on which each case starts, int64; commonality, comments: as
    in `Cases`; left_out: how many further cases had the wrong number of values; line_count: how many lines
    the bytes had."""

    words: pa.StringArray
    first: Bytes
    last: Bytes
    lines: Places
    commonality: list[int | None]
    comments: dict[int, str]
    left_out: int
    line_count: int

    def column(self, place: int, width: int) -> tuple[pa.Array, Bytes, Bytes]:
        """Return (words, first bytes, last bytes) of one attribute, place from 0."""
        picked = pa.array(np.arange(place, len(self.words), width, dtype=np.int64))
        return self.words.take(picked), self.first[place::width], self.last[place::width]


def divide(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield pieces of a file cut anew: each but the last ends where a case ends. Nothing is lost."""
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
    """Return the place behind the last line of a piece that is not continued, 0 where there is none. before:
    the pieces in front of it: a line may have begun in any of them."""
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
    """Where words and lines are. solid: bytes that belong to words; starts, ends: of words; newlines: places
    of the newlines that end lines; breaks: places of all newlines of the file."""

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
        """Return the places of a byte where it begins a word."""
        return self.starts[self.codes[self.starts] == byte]

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


def split_cases(data: bytes, width: int, source: str, first_line: int, *, report: Report) -> CaseWords:
    """Return the words of the cases in bytes that start where a case starts and end where one ends. width:
    values that a case must have; first_line: number of the first line. A case with the wrong number of values
    is reported and left out, an index that is no number is reported."""
    line_count = data.count(b"\n") + (not data.endswith(b"\n"))
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
    return CaseWords(
        _array(layout),
        first=layout.codes[layout.starts],
        last=layout.codes[layout.ends - 1],
        lines=numbers[good],
        commonality=commonality,
        comments={int(rows[line]): text for line, text in comments.items() if good[line]},
        left_out=len(wrong),
        line_count=line_count,
    )


def _without_continuations(layout: _Layout) -> _Layout:
    """Return the layout with lines joined that end with a word `\\`."""
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
    """Take comments off the layout's words; return them by number of the line (from 0 among its newlines)."""
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
    """Take `@` words behind the last value off counts and kept; return {line: word without its @}."""
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
    """Return the number of the line on which each line of the layout starts."""
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
    found: list[int | None] = [None] * int(good.sum())
    rows = np.cumsum(good) - 1
    for line, word in indexes.items():
        if not word.isdigit() or len(word) > LONGEST_INDEX:
            expected = "a commonality index, @ and digits"
            shown = "@" + word.decode(errors="replace")
            report(ParseError(source, int(numbers[line]), expected, repr(shown)))
        elif good[line]:
            found[rows[line]] = int(word)
    return found
