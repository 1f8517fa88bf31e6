"""Profiles of columns, numbers, categories, dates and gaps, in one pass over a source of any size.

Times are dates and timestamps, months and quarters with their year; and, where the name of the column says
that it has times, years, whole or with a fraction, dates such as 20200131, and seconds, or parts of seconds,
since 1970. A time that never falls from case to case puts the cases in order of time."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.importers.source import Source
from delvecore.model import MOST_CATEGORIES

FIRST_YEAR, LAST_YEAR = 1600, 2200
"""Other years are no times of cases: `1001-05` is rather the number of a part."""
YEAR_NAME = re.compile(r"(?i)year|yr|yyyy|time|decimal.?(date|year)")
TIME_NAME = re.compile(r"(?i).*(date|day|month|period|time|stamp|epoch|unix|utc|yyyymm|seconds).*|t|ts|ms")
EPOCH = pd.Timestamp("1980-01-01").timestamp(), pd.Timestamp("2100-01-01").timestamp()
"""The first and the last number of seconds since 1970 that is taken for a time."""
PER_SECOND = (1, 10**3, 10**6, 10**9)
CLOCK = re.compile(r"(.+?)([T ])(\d{1,2}:\d\d)(:\d\d)?(\.\d+)?(?:( ?)[AaPp][Mm])?")
DATES = (
    *(f"%{day}{mark}%{month}{mark}%{year}" for mark in "/-." for day, month in ("dm", "md") for year in "Yy"),
    *("%m/%Y", "%m-%Y", "%m.%Y", "%YM%m"),
    *(f"%{month}{mark}%{year}" for mark in " -" for month in "bB" for year in "Yy"),
    *(f"%Y{mark}%{month}" for mark in " -" for month in "bB"),
    *(f"%d{mark}%{month}{mark}%{year}" for mark in " -" for month in "bB" for year in "Yy"),
    *(f"%{month} %d, %Y" for month in "bB"),
)
"""How dates are written that are not as ISO 8601 has them. A column that can be read in two ways, such as
5/1/2020, is read in that in which it rises."""
START = re.compile(r"\d{1,4}[-/. MQq]|\w{3,9}[-/ .,]|[Qq][1-4]")
"""How the words of a date begin; others are not tried."""
QUARTER = re.compile(r"(?P<year>\d{4})[- ]?[Qq](?P<part>[1-4])|[Qq](?P<late>[1-4])[- ]?(?P<behind>\d{4})")

Reading = Callable[[pa.Array, np.ndarray | None], np.ndarray | None]
"""From words, and the numbers that they are, to times in order as numbers; None where one is no time."""


class Times:
    """A column, piece by piece. rises: can every word so far be read as a time, in one and the same way, none
    earlier than the one before?"""

    def __init__(self, name: str) -> None:
        self.name = name.strip()
        self._readings: dict[Reading, tuple[float, float]] | None = None

    @property
    def rises(self) -> bool:
        """Are there times, none earlier than the one before, and not all the same?"""
        return any(first < last for first, last in (self._readings or {}).values())

    def add(self, words: pa.Array, numbers: np.ndarray | None, *, has_gaps: bool) -> None:
        """Look at the words of some more cases. numbers: what numbers they are, None where one is none;
        has_gaps: are values missing between them?"""
        if has_gaps:
            self._readings = {}
        if self._readings == {} or not len(words):
            return
        readings = self._readings
        if readings is None:
            readings = dict.fromkeys(_readings(self.name, words[:1], numbers), (np.nan, -np.inf))
        self._readings = {}
        for reading, (first, last) in readings.items():
            times = reading(words, numbers)
            if times is not None and times[0] >= last and (np.diff(times) >= 0).all():
                start = float(times[0]) if np.isnan(first) else first
                self._readings[reading] = start, float(times[-1])


def _readings(name: str, first: pa.Array, numbers: np.ndarray | None) -> Iterator[Reading]:
    """Yield the ways in which a column may be read. first: its first word."""
    if numbers is not None:
        if YEAR_NAME.fullmatch(name):
            yield _years
        if TIME_NAME.fullmatch(name):
            yield from (partial(_dates, form=form) for form in ("%Y%m%d", "%Y%m"))
            yield from (partial(_since_1970, per_second=many) for many in PER_SECOND)
        return
    word = first[0].as_py()
    if START.match(word):
        known: list[Reading] = [_quarters]
        known += [partial(_dates, form=form) for form in ("ISO8601", *_forms(word))]
        yield from (reading for reading in known if reading(first, None) is not None)


def _forms(word: str) -> Iterator[str]:
    """Yield the forms of a word that ends with a time of day as this one does, if it does."""
    end = ""
    if clock := CLOCK.fullmatch(word):
        _, mark, _, seconds, fraction, blank = clock.groups()
        hour, half = ("%H", "") if blank is None else ("%I", f"{blank}%p")
        end = f"{mark}{hour}:%M{':%S' * bool(seconds)}{'.%f' * bool(fraction)}{half}"
    yield from (date + end for date in DATES)


def _dates(words: pa.Array, _numbers: np.ndarray | None, *, form: str) -> np.ndarray | None:
    try:
        found = pd.DatetimeIndex(pd.to_datetime(words.to_pandas(), format=form, utc=True))
    except (ValueError, OverflowError):
        return None
    years = found.year
    if found.hasnans or years.min() < FIRST_YEAR or years.max() > LAST_YEAR:
        return None
    return np.asarray(found.as_unit("us").asi8)


def _quarters(words: pa.Array, _numbers: np.ndarray | None) -> np.ndarray | None:
    found = words.to_pandas().str.extract(f"^(?:{QUARTER.pattern})$")
    years, parts = found["year"].fillna(found["behind"]), found["part"].fillna(found["late"])
    return None if years.isna().any() else (4 * years.astype(int) + parts.astype(int)).to_numpy()


def _years(_words: pa.Array, numbers: np.ndarray | None) -> np.ndarray | None:
    return _within(numbers, FIRST_YEAR, LAST_YEAR)


def _since_1970(_words: pa.Array, numbers: np.ndarray | None, *, per_second: int) -> np.ndarray | None:
    first, last = EPOCH
    return _within(numbers, first * per_second, last * per_second)


def _within(numbers: np.ndarray | None, low: float, high: float) -> np.ndarray | None:
    is_inside = numbers is not None and numbers.min() >= low and numbers.max() <= high
    return numbers if is_inside else None


NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"
DATE = r"^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})([T ].*)?$"
FEW = 5
"""How many words that are no numbers are kept, to be shown."""


@dataclass
class Profile:
    """The words of one column so far.

    known, missing: how many; values: {word: how often}, None where there are too many; numbers: how many are
    numbers; low, high: of these; is_whole: are they written without point and exponent?; counts_up: is each
    by one larger than the one before?; strays: some of the words that are no numbers; dates: how many words
    look like one; infinite: how many numbers are not finite, which count as missing; is_plain: are all words
    numbers as they stand, without blanks around them? times: may they be times that rise?"""

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
    times: Times = field(default_factory=lambda: Times(""))
    _last: float = np.nan

    @property
    def is_numeric(self) -> bool:
        return 0 < self.numbers == self.known

    @property
    def distinct(self) -> int | None:
        return None if self.values is None else len(self.values)

    def add(self, words: pa.Array, missing: pa.Array) -> None:
        """Look at the words of some more cases. missing: the words that stand for missing values."""
        known, numbers = known_words(words, missing)
        self.missing += len(words) - len(known)
        self.times.add(known, numbers, has_gaps=len(known) < len(words))
        self.is_plain = self.is_plain and numbers is not None and known is words
        if numbers is None:
            self._add_words(known.value_counts())
            return
        if self.values is not None:
            few = len(known) <= MOST_CATEGORIES or pc.count_distinct(known).as_py() <= MOST_CATEGORIES
            self._count(known.value_counts() if few else None)
        self._add_numbers(known, numbers, has_gaps=len(known) < len(words))

    def _count(self, counts: pa.StructArray | None) -> None:
        """Count words. counts: None where there are too many."""
        if self.values is None or counts is None or len(counts) > MOST_CATEGORIES:
            self.values = None
            return
        for word, count in zip(*(part.to_pylist() for part in counts.flatten()), strict=True):
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
            self.counts_up = self.counts_up and not has_gaps and self._goes_on(numbers)
            self._last = float(numbers[-1])

    def _goes_on(self, numbers: np.ndarray) -> bool:
        is_next = np.isnan(self._last) or numbers[0] == self._last + 1
        return bool(is_next and (np.diff(numbers) == 1).all())

    def _add_words(self, counts: pa.StructArray) -> None:
        """Look at the known words of some cases, not all of them numbers."""
        self._count(counts)
        self.counts_up = False
        words, often = counts.flatten()
        is_number = pc.match_substring_regex(words, NUMBER)
        self.known += _total(often)
        self.numbers += _total(often.filter(is_number))
        self.dates += _total(often.filter(pc.match_substring_regex(words, DATE)))
        strange = counts.filter(pc.invert(is_number)).slice(0, FEW - len(self.strays))
        self.strays |= {one["values"]: one["counts"] for one in strange.to_pylist()}


def _total(counts: pa.Array) -> int:
    return pc.sum(counts).as_py() or 0


def known_words(words: pa.Array, missing: pa.Array) -> tuple[pa.Array, np.ndarray | None]:
    """Return the words that are no missing values, without blanks around them, and what numbers they are,
    float64; None where one is no number."""
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
        found: np.ndarray = words.cast(pa.float64()).to_numpy(zero_copy_only=False)
        return found
    except pa.ArrowInvalid:
        return None


def _has_point(words: pa.Array) -> bool:
    """Has one of some numbers a point or an exponent?"""
    _, ends, text = words.buffers()
    if text is None or not len(words):
        return False
    offsets = np.frombuffer(ends, dtype=np.int32)[words.offset : words.offset + len(words) + 1]
    written = text.slice(offsets[0], offsets[-1] - offsets[0]).to_pybytes()
    return any(mark in written for mark in (b".", b"e", b"E"))


def profiles_of(source: Source, missing: Iterable[str]) -> tuple[int, tuple[Profile, ...]]:
    """Return how many cases a source has, and the Profile of each of its columns."""
    gaps, count = pa.array(list(missing), type=pa.string()), 0
    profiles = tuple(Profile(times=Times(column.name)) for column in source.columns)
    for batch in source.batches():
        count += _length(batch)
        for profile, words in zip(profiles, batch, strict=True):
            profile.add(words, gaps)
    return count, profiles


def _length(batch: Sequence[pa.Array]) -> int:
    return len(batch[0]) if batch else 0
