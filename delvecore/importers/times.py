"""Is a column a time that never falls from case to case? Then the cases are in order of time.

Times are dates and timestamps, months and quarters with their year; and, where the name of the column says
that it has times, years, whole or with a fraction, dates such as 20200131, and seconds, or parts of seconds,
since 1970."""

import re
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pandas as pd
import pyarrow as pa

__all__ = ["Times"]

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
