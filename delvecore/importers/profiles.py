"""Profiles of columns (numbers, categories, dates, gaps) in one pass over a source of any size."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.importers.source import Source
from delvecore.model import MOST_CATEGORIES
from delvecore.tables import rows_of

NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"
DATE = r"^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})([T ].*)?$"
FEW = 5
"""Number of nonnumeric words to keep for messages."""


@dataclass
class Profile:
    """The words of one column so far.

    Attributes
    ----------
    known, missing : int
        Numbers of known and missing values.
    values : dict of str to int or None
        Count of each word, None if there are too many.
    numbers : int
        Number of words that are numbers.
    low, high : float
        Smallest and largest number.
    is_whole : bool
        Whether numbers are written without a point or exponent.
    counts_up : bool
        Whether each number exceeds the previous one by one.
    strays : dict of str to int
        Counts of some of the words that are not numbers.
    dates : int
        Number of words that look like dates.
    infinite : int
        Number of numbers that are not finite, which count as missing.
    is_plain : bool
        Whether all words are numbers without blanks around them.
    """

    known: int = 0
    missing: int = 0
    numbers: int = 0
    dates: int = 0
    infinite: int = 0
    low: float = np.inf
    high: float = -np.inf
    is_whole: bool = True
    counts_up: bool = True
    is_plain: bool = True
    values: dict[str, int] | None = field(default_factory=dict)
    strays: dict[str, int] = field(default_factory=dict)
    _last: float = np.nan

    @property
    def is_numeric(self) -> bool:
        return 0 < self.numbers == self.known

    @property
    def distinct(self) -> int | None:
        return None if self.values is None else len(self.values)

    def add(self, words: pa.Array, missing: pa.Array) -> None:
        """Count the words of some more cases. missing: the words for missing values."""
        known, numbers = known_words(words, missing)
        self.missing += len(words) - len(known)
        self.is_plain = self.is_plain and numbers is not None and known is words
        if numbers is None:
            self._add_words(known.value_counts())
            return
        if self.values is not None:
            few = len(known) <= MOST_CATEGORIES or pc.count_distinct(known).as_py() <= MOST_CATEGORIES
            self._count(known.value_counts() if few else None)
        self._add_numbers(known, numbers, has_gaps=len(known) < len(words))

    def _count(self, counts: pa.StructArray | None) -> None:
        """Count words. counts: None if there are too many."""
        if self.values is None or counts is None or len(counts) > MOST_CATEGORIES:
            self.values = None
            return
        for word, count in rows_of(pa.Table.from_struct_array(counts), ("values", "counts")):
            self.values[word] = self.values.get(word, 0) + count
        if len(self.values) > MOST_CATEGORIES:
            self.values = None

    def _add_numbers(self, known: pa.Array, numbers: np.ndarray, *, has_gaps: bool) -> None:
        finite = np.isfinite(numbers)
        if not finite.all():
            self.infinite += int((~finite).sum())
            self.missing += int((~finite).sum())
            numbers, has_gaps = numbers[finite], True
        self.known += len(numbers)
        self.numbers += len(numbers)
        self.is_whole = self.is_whole and not _has_point(known)
        if len(numbers):
            self.low, self.high = min(self.low, float(numbers.min())), max(self.high, float(numbers.max()))
            before = numbers[0] - 1 if np.isnan(self._last) else self._last
            is_next = np.diff(numbers, prepend=before) == 1
            self.counts_up = self.counts_up and not has_gaps and bool(is_next.all())
            self._last = float(numbers[-1])

    def _add_words(self, counts: pa.StructArray) -> None:
        """Count the known words of some cases, not all of them numbers."""
        self._count(counts)
        self.counts_up = False
        words, often = counts.flatten()
        is_number = pc.match_substring_regex(words, NUMBER)
        self.known += _total(often)
        self.numbers += _total(often.filter(is_number))
        self.dates += _total(often.filter(pc.match_substring_regex(words, DATE)))
        strange = counts.filter(pc.invert(is_number)).slice(0, FEW - len(self.strays))
        self.strays |= dict(rows_of(pa.Table.from_struct_array(strange), ("values", "counts")))


def _total(counts: pa.Array) -> int:
    return pc.sum(counts).as_py() or 0


def known_words(words: pa.Array, missing: pa.Array) -> tuple[pa.Array, np.ndarray | None]:
    """Return the nonmissing words, trimmed, and their values as float64; None if one is not a number."""
    plain = words.drop_null() if words.null_count else words
    numbers = _numbers(plain)
    if numbers is not None and not np.isnan(numbers).any():
        return plain, numbers
    trimmed = pc.utf8_trim_whitespace(plain)
    known = trimmed.filter(pc.invert(pc.is_in(trimmed, value_set=missing)))
    numbers = _numbers(known)
    if numbers is not None and np.isnan(numbers).any():
        numbers = None
    return known, numbers


def _numbers(words: pa.Array) -> np.ndarray | None:
    try:
        numbers: np.ndarray = words.cast(pa.float64()).to_numpy(zero_copy_only=False)
        return numbers
    except pa.ArrowInvalid:
        return None


def _has_point(words: pa.Array) -> bool:
    """Does any of these numbers have a point or an exponent?"""
    _, ends, text = words.buffers()
    if text is None or not len(words):
        return False
    offsets = np.frombuffer(ends, dtype=np.int32)[words.offset : words.offset + len(words) + 1]
    written = text.slice(offsets[0], offsets[-1] - offsets[0]).to_pybytes()
    return any(mark in written for mark in (b".", b"e", b"E"))


def profiles_of(source: Source, missing: Iterable[str]) -> tuple[int, tuple[Profile, ...]]:
    """Return the number of cases of a source, and the Profile of each column."""
    gaps, count = pa.array(list(missing), type=pa.string()), 0
    profiles = tuple(Profile() for _ in source.columns)
    for batch in source.batches():
        count += len(batch[0]) if batch else 0
        for profile, words in zip(profiles, batch, strict=True):
            profile.add(words, gaps)
    return count, profiles
