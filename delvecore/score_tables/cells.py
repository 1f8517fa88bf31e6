"""Cells of a table of scores: `0.93`, `93,1 %`, `93.1 ± 0.4`, `93.1(0.4)`, `-`, `timeout`."""

import html
import math
import re
from collections.abc import Sequence
from decimal import Decimal as Digits
from decimal import InvalidOperation
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from delvecore.score_tables.options import Decimal


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split("|"))


MISSING = _listed(
    "|?|-|--|---|–|—|.|na|n/a|not available|not applicable|not reported|n.r.|n/r|#n/a|n.a.|nan|-nan|"
    "<na>|none|null|nil|nd|n/d|missing|#na|#value!|#div/0!"
)
"""Cells without a value, in lower case."""
FAILED = _listed(
    "inf|+inf|-inf|infinity|-infinity|∞|fail|failed|failure|error|err|timeout|time out|timed out|t/o|"
    "tle|oom|out of memory|memout|m/o|mle|crash|crashed|dnf|dnc|did not finish|killed|aborted|diverged|"
    "x|×|t.o.|to|m.o.|mo|mem|memory|nr|not run|not finished|did not converge|no convergence|divergence|"
    "exploded|segfault|cancelled|canceled|unsolved|†|‡|✗|✘|❌|⊥|∗∗∗"
)
"""Cells of runs that gave no score, in lower case."""
SHORT = frozenset(word for word in FAILED if len(word) < 3)
"""Words too short to be told behind a number or before a remark."""
_NUMBER = (
    r"[-+−]?(?:\d{1,3}(?:,\d{3})+\.\d+|\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:,\d{3}){2,}|\d+(?:[.,]\d*)?|[.,]\d+)"
    r"(?:[eE][-+]?\d+)?"
)
_PLUS_MINUS = r"(?:±|\+/-|\+-|\\pm)"
_CELL = re.compile(
    rf"(?P<value>{_NUMBER})\s*(?P<percent>\\?%)?"
    rf"(?:\s*{_PLUS_MINUS}\s*(?P<spread>{_NUMBER})\s*\\?%?(?:\s*\(\d+(?:\.\d+)?\))?"
    rf"|\s*\(\s*{_PLUS_MINUS}?\s*(?P<within>{_NUMBER})\s*\\?%?\s*\))?"
)
_INTERVAL = re.compile(
    rf"(?P<value>{_NUMBER})(?P<unit>\s*\\?%)?\s*[\[(]\s*(?P<low>{_NUMBER})\s*\\?%?\s*(?:,|;|–|—|-|to|\.\.\.?)\s*"
    rf"(?P<high>{_NUMBER})\s*\\?%?\s*[\])]"
)
_UNITS = r"(?:h|hr|hrs|hours?|min|mins|minutes?|m|s|sec|secs|seconds?|ms|d|days?|w|weeks?|[kmgt]i?b)"
_LIMIT = re.compile(rf"[>≥]=?\s*(?:\d+(?:\.\d+)?\s*{_UNITS}|\d{{2,}})\.?", re.IGNORECASE)
"""Cells of runs that went beyond a limit of time or memory, such as `>1h`."""
LONGEST = 200
"""A longer text is no score with marks."""
_BRACED = re.compile(r"\s*\{[^{}\\$]*\}\s*")
"""Braces around a whole cell without any LaTeX are no marks."""
_SIGNS = "*∗⋆★☆†‡§¶≈•●○◦▲▼△▽↑↓⬆⬇✓✔🥇🥈🥉🏆⭐"
_BEHIND = r"(?=\s|±|\+|\\pm|\(|\\?%|$)"
"""What may follow a mark behind a number."""
_LATEX_SIGNS = (
    r"\\(?:dagger|dag|ddagger|ddag|ast|star|circ|bullet|S|P|uparrow|downarrow|checkmark|diamond|"
    r"(?:black)?triangle\w*)(?![A-Za-z])"
)


def _joined(found: re.Match[str]) -> str:
    return found[1] + re.sub(r"\D", "", found[2])


_MARKUP = (
    # HTML. A superscript of digits behind a whole number is a power.
    (re.compile(r"(?<=\.\d)(\d*)\s*<sup>[^<]*</sup>|<sup>[^<\d]*</sup>", re.IGNORECASE), r"\1"),
    (re.compile(r"</?sub>|<br\s*/?>", re.IGNORECASE), " "),
    (
        re.compile(r"</?(?!(?:s|del|strike|sup)\b)[A-Za-z][^<>]*>", re.IGNORECASE),
        "",
    ),  # not what is crossed out
    # Blanks and apostrophes between thousands.
    (re.compile(r"(?<![\d.,])(\d{1,3})((?:[\u2009\u202f\u2007'’ ]\d{3})+)(?![\d])"), _joined),
    (re.compile(r"(?:\b95\s*\\?%\s*)?\bCI\b\s*[:=]?\s*|\b(?:SD|sd|std|SE|se)\b\s*[:=]?\s*(?=[.\d])"), ""),
    (re.compile(r"\$?\^\{?[a-zA-Z]{1,3}\}?\$?$"), ""),
    # LaTeX.
    (re.compile(r"\\(?:textcolor|color|cellcolor|rowcolor|colorbox)(?:\[[^\]]*\])?\{[^{}]*\}"), ""),
    (re.compile(r"_\{\s*(\\pm[^{}]*)\}"), r" \1"),
    (re.compile(_LATEX_SIGNS), "†"),
    (
        re.compile(
            r"\\(?:textbf|textit|textsc|texttt|textrm|emph|underline|uline|mathbf|mathit|mathrm|text|bm|"
            r"boldsymbol|best|second|first|third|bold|num|tablenum|hl|fbox|ul|uuline|mathbb|mathsf|textsf|textsl)\s*(?=\{)|\\(?:bf|bfseries|it|itshape|em|boldmath)(?![A-Za-z])"
        ),
        "",
    ),
    (re.compile(r"\{([.,])\}"), r"\1"),
    (re.compile(r"\\[,;! ]|(?<![\d.])[{}$]|[{}$](?![\d.])"), ""),  # within a number these are no marks
    # Markdown, and marks of significance before and behind a number.
    (re.compile(r"^\s*(\*+|__?)([^*_]+)\1\s*$"), r"\2"),
    (re.compile(r"(?<![\w.])(?:\*+|__?|`|==)(?=[-+−.\d])|(?<=[\d.%)])(?:__?|`|==)(?![\d.])"), ""),
    (re.compile(rf"^\s*[{_SIGNS}]+\s*(?=[-+−.\d])|\^?\s*[{_SIGNS}]+{_BEHIND}"), ""),
    (re.compile(r"(?<=\.\d)(\d*)[¹²³⁰⁴-⁹ᵃᵇᶜᵈᵉ]+" + _BEHIND), r"\1"),
    # Notes, and verdicts of Weka.
    (re.compile(r"(?<=[\d%)])\s*\[\d{1,2}\]$|(?<=\d)\s+v$"), ""),
    # Letters of groups that do not differ, behind decimals.
    (re.compile(r"(?<=\.\d)(\d*)\s+[a-h]{1,4}$|(?<=\.\d)(\d*)\s+[A-H]{1,4}$"), r"\1\2"),
)
_THOUSANDS = re.compile(r"[-+]?\d{1,3}(,\d{3})+(\.\d*)?([eE].*)?")


class Cell(NamedTuple):
    """value, spread: NaN where there is none; failed: did the run give no score?"""

    value: float
    spread: float = math.nan
    failed: bool = False
    percent: bool = False


class Parsed(NamedTuple):
    """Cells as arrays of one length. value: NaN where missing or failed; bad: is it no score at all?; spread:
    None where no cell has one."""

    value: NDArray[np.float64]
    failed: NDArray[np.bool_]
    percent: NDArray[np.bool_]
    bad: NDArray[np.bool_]
    spread: NDArray[np.float64] | None = None


def parse_texts(texts: Sequence[str], decimal: Decimal | None = None) -> Parsed:
    cells = [parse_cell(text, decimal) for text in texts]
    known = np.array([cell or _NOTHING for cell in cells], dtype=np.float64).reshape(-1, len(_NOTHING))
    value, spread, failed, percent = known.T
    bad = np.array([cell is None for cell in cells], dtype=bool)
    return Parsed(value, failed > 0, percent > 0, bad, None if np.isnan(spread).all() else spread)


def parse_cell(text: str, decimal: Decimal | None = None) -> Cell | None:
    """Parse a cell; None where it is no score. Type and marks of HTML, Markdown and LaTeX do not count, nor
    does an interval behind a number.

    decimal: the sign before decimals; None takes a single comma for one, as in `93,1`."""
    try:  # plain numbers, which are most
        if text.isascii() and "_" not in text and math.isfinite(value := float(text)):
            return Cell(value)
    except ValueError:
        pass
    word = text.strip()
    for plain in (word, _plain(word)):
        if plain.lower() in MISSING:
            return _NOTHING
        if (
            plain.lower() in FAILED
            or re.sub(r"\s*\([^()]*\)$", "", plain.lower()) in FAILED - SHORT
            or _LIMIT.fullmatch(plain)
        ):
            return _NOTHING._replace(failed=True)
        if found := _CELL.fullmatch(plain):
            break
    else:
        return None
    spread = found["spread"] or found["within"]
    try:
        value = _number(found["value"], decimal)
        return Cell(value, _number(spread, decimal) if spread else math.nan, percent=bool(found["percent"]))
    except ValueError:  # such as `1.234` and `1,2` under one convention
        return None


_NOTHING = Cell(math.nan)


def _plain(text: str) -> str:
    """Return a cell without type, marks and an interval; as it is where nothing would be left."""
    if len(text) > LONGEST or _BRACED.fullmatch(text) or text.count("$") % 2:
        return text
    plain = html.unescape(text).replace("\N{NO-BREAK SPACE}", " ")
    for pattern, instead in _MARKUP:
        plain = pattern.sub(instead, plain)
    plain = plain.strip()
    if found := _INTERVAL.fullmatch(plain):
        plain = f"{found['value']}{found['unit'] or ''}"
    return plain or text


def begins_with_score(text: str) -> bool:
    """Does a cell that is no score begin with a number with decimals? No for dates and versions."""
    number = r"(?:<[^<>]*>|\\[A-Za-z]+|\W)*\d*[.,]\d+(?!\d*[.:/-]\d)"
    return re.match(number, text) is not None


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


def decimal_evidence(texts: Sequence[str]) -> Literal["", ".", ",", "unclear", "both"]:
    """Which sign stands before decimals where texts have commas; `both`: they contradict each other."""
    if not any("," in text for text in texts):
        return ""
    signs = {_sign(number) for text in texts for number in re.findall(r"[\d.,]*\d[\d.,]*", text)}
    if {".", ","} <= signs:
        return "both"
    return next((sign for sign in (",", ".", "unclear") if sign in signs), "")


def _sign(number: str) -> Literal["", ".", ",", "unclear"]:
    """The sign that must stand before the decimals of a number, unclear in `1,234`."""
    number = number.rstrip(",.")
    if number.count(",") > 1 and "." not in number:
        return "." if _THOUSANDS.fullmatch(number) else ""
    place = max(number.rfind("."), number.rfind(","))
    if place < 0:
        return ""
    sign: Literal[".", ","] = "," if number[place] == "," else "."
    may_divide = re.fullmatch(r"[1-9]\d{0,2}[.,]\d{3}", number) is not None
    return sign if not may_divide else "unclear" if sign == "," else ""


def rounding(text: str) -> float:
    """Half a unit of the last printed digit: 0.0005 of `0.912`, 0.5 of `17`; NaN of what is no number."""
    found = _CELL.fullmatch(text.strip()) or _CELL.fullmatch(_plain(text.strip()))
    plain = found["value"].replace("−", "-") if found else ""
    plain = plain.replace(",", "") if "." in plain else plain.replace(",", ".")
    try:
        return float(f"0.5e{Digits(plain).as_tuple().exponent}")
    except (InvalidOperation, ValueError):
        return math.nan
