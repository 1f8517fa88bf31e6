"""Ranges of attributes: `male female`, `[0,Inf)`, `0..Inf`, `1..5 ?`. Source: manual, section 3.1."""

from collections.abc import Iterable

from delvecore.model import IntegerRange, Interval, Range
from delvecore.numerals.numbers import is_number

__all__ = ["parse_range"]

_INFINITIES = {"inf": float("inf"), "+inf": float("inf"), "-inf": float("-inf")}


def parse_range(text: str) -> Range:
    """Return the Range that a specification's words describe; ValueError says what is wrong."""
    values, intervals, integers, missing = [], [], [], []
    words = _words(text)
    if not words:
        raise ValueError("no range at all")
    for word in words:
        if word[0] in "[(":
            intervals.append(_interval(word))
        elif word[0] == "?":
            missing.append(word)
        elif ".." in word and _bound_texts(word):
            integers.append(_integers(word))
        else:
            values.append(word)
    _check_values(values)
    return Range(" ".join(words), tuple(values), tuple(intervals), tuple(integers), tuple(missing))


def _words(text: str) -> list[str]:
    """Split at blanks, but keep an interval that was written with blanks inside as one word."""
    words: list[str] = []
    for word in text.split():
        if words and words[-1][0] in "[(" and words[-1][-1] not in "])":
            words[-1] += word
        else:
            words.append(word)
    return words


def _number(text: str) -> float:
    if text.lower() in _INFINITIES:
        return _INFINITIES[text.lower()]
    if not is_number(text):
        raise ValueError(f"the bound {text!r}")
    return float(text)


def _interval(word: str) -> Interval:
    low, comma, high = word[1:-1].partition(",")
    if word[-1] not in ")]" or not comma:
        raise ValueError(f"the interval {word!r}")
    item = Interval(_number(low), _number(high), word[0] == "[", word[-1] == "]")
    if item.low > item.high:
        raise ValueError(f"the interval {word!r} with its bounds in the wrong order")
    return item


def _bound_texts(word: str) -> bool:
    low, _, high = word.partition("..")
    texts = [bound.lstrip("+-") for bound in (low, high)]
    return all(text.isdigit() or text.lower() == "inf" for text in texts)


def _integers(word: str) -> IntegerRange:
    low, _, high = word.partition("..")
    item = IntegerRange(_number(low), _number(high))
    if item.low > item.high:
        raise ValueError(f"the integer range {word!r} with its bounds in the wrong order")
    return item


def _check_values(values: Iterable[str]) -> None:
    seen: set[str] = set()
    for value in values:
        if value in seen:
            raise ValueError(f"the value {value!r} twice")
        seen.add(value)
