"""Prediction and target files as tables of words, one line a case; every fault is named by file and line."""

from dataclasses import dataclass

import numpy as np

from delvecore.errors import ParseError
from delvecore.numbers import is_number

__all__ = ["WordTable", "parse_table"]

LOG_OF_ZERO = ("-inf", "-infinity")


@dataclass(frozen=True)
class WordTable:
    """The words of a file. rows: one list a case; lines: the line of each case."""

    source: str
    rows: list[list[str]]
    lines: list[int]

    def fault(self, position: int, expected: str, found: str, remedy: str = "") -> ParseError:
        """Return the error for one case (position from 0)."""
        return ParseError(self.source, self.lines[position], expected, found, remedy, kind="results")

    def without(self, positions) -> "WordTable":
        """Return the table without the cases at some positions (a container of int, from 0)."""
        kept = [place for place in range(len(self.rows)) if place not in positions]
        return WordTable(self.source, [self.rows[n] for n in kept], [self.lines[n] for n in kept])

    def column(self, place: int) -> list[str]:
        return [row[place] for row in self.rows]

    def numbers(self, first: int, last: int, *, logarithms: bool = False) -> np.ndarray:
        """Return columns first to last (exclusive) as float64; ParseError names a word that is no number.

        logarithms: also allow `-Inf`, the log of zero.
        """
        words = [word for row in self.rows for word in row[first:last]]
        try:
            numbers = np.array(list(map(float, words)))
            plain = np.isfinite(numbers).all() and not any("_" in word for word in words)
        except ValueError:
            plain = False
        if not plain:
            numbers = np.array(
                [self._number(place, words, last - first, logarithms) for place in range(len(words))]
            )
        return numbers.reshape(len(self.rows), last - first)

    def _number(self, place, words, width, logarithms):
        word = words[place]
        if is_number(word):
            return float(word)
        if logarithms and word.lower() in LOG_OF_ZERO:
            return -np.inf
        raise self.fault(place // width, "a number", repr(word))


def parse_table(text: str, source: str, *, width: int, count: int | None = None) -> WordTable:
    """Return a file's text as a WordTable. Blank lines are left out.

    width: words that each line must have; count: how many cases there must be, None for any number.
    Raises ParseError.
    """
    rows, lines = [], []
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.split()
        if not words:
            continue
        if len(words) != width:
            plural = "" if width == 1 else "s"
            raise ParseError(source, number, f"{width} value{plural}", str(len(words)), kind="results")
        rows.append(words)
        lines.append(number)
    if count is not None and len(rows) != count:
        last = lines[-1] if lines else None
        expected = f"{count} lines, one for each test case"
        raise ParseError(source, last, expected, str(len(rows)), "write it anew", kind="results")
    return WordTable(source, rows, lines)
