"""Cells of a table of scores: `0.93`, `93,1 %`, `93.1 ± 0.4`, `93.1(0.4)`, `-`, `timeout`."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal as Digits
from decimal import InvalidOperation
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from delvecore.score_tables.options import Decimal

__all__ = ["FAILED", "MISSING", "Cell", "Parsed", "decimal_evidence", "parse_cell", "parse_texts", "rounding"]


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split("|"))


MISSING = _listed(
    "|?|-|--|---|–|—|.|na|n/a|#n/a|n.a.|nan|-nan|<na>|none|null|nil|nd|n/d|missing|#na|#value!|#div/0!"
)
"""Cells without a value, in lower case."""
FAILED = _listed(
    "inf|+inf|-inf|infinity|-infinity|∞|fail|failed|failure|error|err|timeout|time out|timed out|t/o|tle|oom|"
    "out of memory|memout|m/o|mle|crash|crashed|dnf|dnc|did not finish|killed|aborted|diverged|x|×"
)
"""Cells of runs that gave no score, in lower case."""
_NUMBER = (
    r"[-+−]?(?:\d{1,3}(?:,\d{3})+\.\d+|\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:,\d{3}){2,}|\d+(?:[.,]\d*)?|[.,]\d+)"
    r"(?:[eE][-+]?\d+)?"
)
_CELL = re.compile(
    rf"(?P<value>{_NUMBER})\s*(?P<percent>\\?%)?"
    rf"(?:\s*(?:±|\+/-|\+-|\$?\\pm\$?)\s*(?P<spread>{_NUMBER})\s*\\?%?|\s*\(\s*±?\s*(?P<within>{_NUMBER})\s*\\?%?\s*\))?"
)
_MARKS = re.compile(
    r"(?<![\d.])(?:\*\*|__|\$)|(?:\*\*|__|\$|\})(?![\d.])|\\(?:textbf|underline|mathbf)\{|[†‡≈*_]+(?=\s|±|\(|$)"
)
_BY_POINT = re.compile(r"\d{1,3}(,\d{3})+\.\d|\d{1,3}(,\d{3}){2,}(?!\d)")
_BY_COMMA = re.compile(
    r"\d\.\d{3},\d|(?<![\d,.])(0|\d{4,}),\d|(?<![\d,.])\d{1,3},(\d{1,2}|\d{4,})(?!\d)|(?<!\d),\d"
)
_THOUSANDS = re.compile(r"[-+]?\d{1,3}(,\d{3})+(\.\d*)?([eE].*)?")
_UNCLEAR = re.compile(r"(?<![\d,.])[1-9]\d{0,2},\d{3}(?![\d,])")
_POINT = re.compile(r"(?<![\d,])\d*\.(\d{1,2}|\d{4,})(?!\d)|(?<![\d,])(0|\d{4,})\.\d|\d{1,3},\d{3}\.\d")


class Cell(NamedTuple):
    """value, spread: NaN where there is none; failed: did the run give no score?"""

    value: float
    spread: float = math.nan
    failed: bool = False
    percent: bool = False


def parse_cell(text: str, decimal: Decimal | None = None) -> Cell | None:
    """Parse a cell; None where it is no score. Bold type of Markdown and LaTeX does not count.

    decimal: the sign before decimals; None takes a single comma for one, as in `93,1`."""
    word = text.strip()
    if (low := word.lower()) in MISSING:
        return Cell(math.nan)
    if low in FAILED:
        return Cell(math.nan, failed=True)
    found = _CELL.fullmatch(word) or _CELL.fullmatch(_MARKS.sub("", word).strip())
    if found is None:
        return None
    spread = found["spread"] or found["within"]
    try:
        value = _number(found["value"], decimal)
        return Cell(value, _number(spread, decimal) if spread else math.nan, percent=bool(found["percent"]))
    except ValueError:  # such as `1.234` and `1,2` under one convention
        return None


def _number(text: str, decimal: Decimal | None) -> float:
    plain = text.replace("−", "-")
    if decimal is None:
        several = plain.count(",") > 1 or ("." in plain and plain.rfind(".") > plain.rfind(","))
        decimal = "." if several else ","
    first, last = (",", ".") if decimal == "." else (".", ",")
    if first in plain and last in plain and plain.rfind(first) > plain.find(last):
        raise ValueError(text)
    if decimal == ".":
        if "," in plain and not _THOUSANDS.fullmatch(plain):
            raise ValueError(text)
        return float(plain.replace(",", ""))
    return float(plain.replace(".", "").replace(",", ".") if "," in plain else plain)


def decimal_evidence(texts: Iterable[str]) -> Literal["", ".", ",", "unclear", "both"]:
    """Which sign stands before decimals where texts have commas; `both`: they contradict each other."""
    known = list(texts)
    commas = [text for text in known if "," in text]
    if not commas:
        return ""
    has_comma = any(_BY_COMMA.search(text) for text in commas)
    has_point = any(_BY_POINT.search(text) for text in commas) or any(
        _POINT.search(text) for text in known if "," not in text
    )
    if has_comma and has_point:
        return "both"
    if has_comma or has_point:
        return "," if has_comma else "."
    return "unclear" if any(_UNCLEAR.search(text) for text in commas) else ""


@dataclass(frozen=True, eq=False)
class Parsed:
    """Cells as arrays of one length. value: NaN where missing or failed; spread: None where no cell has one;
    bad: is it no score at all?"""

    value: NDArray[np.float64]
    spread: NDArray[np.float64] | None
    failed: NDArray[np.bool_]
    percent: NDArray[np.bool_]
    bad: NDArray[np.bool_]

    def at(self, places: NDArray[np.integer]) -> "Parsed":
        """The cells at places; -1 stands for a missing cell."""
        there = places >= 0
        spread = None if self.spread is None else np.where(there, self.spread[places], np.nan)
        flags = [one[places] & there for one in (self.failed, self.percent, self.bad)]
        return Parsed(np.where(there, self.value[places], np.nan), spread, *flags)


def parse_texts(texts: "pd.Index[str]", decimal: Decimal | None = None) -> Parsed:
    """Parse different texts: plain numbers at once, all others one by one."""
    value = np.array([_plain_number(text) for text in texts], dtype=np.float64)
    spread = np.full(len(value), np.nan)
    flags = np.zeros((3, len(value)), dtype=bool)
    for place in np.flatnonzero(~np.isfinite(value)).tolist():
        cell = parse_cell(texts[place], decimal)
        known = cell or Cell(math.nan)
        value[place], spread[place] = known.value, known.spread
        flags[:, place] = known.failed, known.percent, cell is None
    return Parsed(value, None if np.isnan(spread).all() else spread, *flags)


def _plain_number(text: str) -> float:
    """The nearest float of a plain number, NaN for any other text."""
    try:
        return float(text) if text.isascii() and "_" not in text else math.nan
    except ValueError:
        return math.nan


def rounding(text: str) -> float:
    """Half a unit of the last printed digit: 0.0005 of `0.912`, 0.5 of `17`; NaN of what is no number."""
    found = _CELL.fullmatch(text.strip()) or _CELL.fullmatch(_MARKS.sub("", text).strip())
    if found is None:
        return math.nan
    plain = found["value"].replace("−", "-")
    plain = plain.replace(",", "") if "." in plain else plain.replace(",", ".")
    try:
        return 0.5 * 10.0 ** int(Digits(plain).as_tuple().exponent)
    except (InvalidOperation, ValueError):
        return math.nan
