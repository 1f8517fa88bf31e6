"""Cells of a table of scores: `0.93`, `93,1 %`, `93.1 ± 0.4`, `93.1(0.4)`, `-`, `timeout`."""

import html
import math
import re
from collections.abc import Sequence
from decimal import Decimal as Digits
from decimal import InvalidOperation
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from delvecore.score_tables.options import Decimal


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split("|"))


MISSING = _listed(
    "|?|-|--|---|–|—|.|na|n/a|not available|not applicable|not reported|n.r.|n/r|#n/a|n.a.|nan|-nan|<na>|"
    "none|null|nil|nd|n/d|missing|#na|#value!|#div/0!"
)
"""Cells without a value, in lower case."""
FAILED = _listed(
    "inf|+inf|-inf|infinity|-infinity|∞|fail|failed|failure|error|err|timeout|time out|timed out|t/o|tle|oom|"
    "out of memory|memout|m/o|mle|crash|crashed|dnf|dnc|did not finish|killed|aborted|diverged|x|×|t.o.|to|"
    "m.o.|mo|mem|memory|nr|not run|not finished|did not converge|no convergence|divergence|exploded|segfault|"
    "cancelled|canceled|unsolved|†|‡|✗|✘|❌|⊥|∗∗∗"
)
"""Cells of runs that gave no score, in lower case."""
SHORT = frozenset(word for word in FAILED if len(word) < 3)
"""Words too short to be recognized after a number or before a remark."""
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
"""Cells of runs that exceeded a limit of time or memory, such as `>1h`."""
LONGEST = 200
"""Largest number of characters of a score with marks."""
_BRACED = re.compile(r"\s*\{[^{}\\$]*\}\s*")
"""Braces around a whole cell without LaTeX, which are part of the text and not markup."""
_SIGNS = "*∗⋆★☆†‡§¶≈•●○◦▲▼△▽↑↓⬆⬇✓✔🥇🥈🥉🏆⭐"
_BEHIND = r"(?=\s|±|\+|\\pm|\(|\\?%|$)"
"""What may follow a mark after a number."""
_TYPE = (
    r"\\(?:textbf|textit|textsc|texttt|textrm|textsf|textsl|text|emph|underline|uline|uuline|ul|mathbf|mathit|"
    r"mathrm|mathbb|mathsf|bm|boldsymbol|best|second|first|third|bold|num|tablenum|hl|fbox)\s*(?=\{)"
    r"|\\(?:bf|bfseries|it|itshape|em|boldmath)(?![A-Za-z])"
)
_LATEX_SIGNS = (
    r"\\(?:dagger|dag|ddagger|ddag|ast|star|circ|bullet|S|P|uparrow|downarrow|checkmark|diamond|"
    r"(?:black)?triangle\w*)(?![A-Za-z])"
)
_MARKUP: dict[str, Any] = {
    # HTML. A superscript of digits after a whole number is a power; crossed-out text is removed.
    r"(?i)(?<=\.\d)(\d*)\s*<sup>[^<]*</sup>|<sup>[^<\d]*</sup>": r"\1",
    r"(?i)</?sub>|<br\s*/?>": " ",
    r"(?i)</?(?!(?:s|del|strike|sup)\b)[A-Za-z][^<>]*>": "",
    # Blanks and apostrophes that separate thousands.
    r"(?<![\d.,])\d{1,3}(?:[\u2009\u202f\u2007'’ ]\d{3})+(?![\d])": lambda match: re.sub(r"\D", "", match[0]),
    r"(?:\b95\s*\\?%\s*)?\bCI\b\s*[:=]?\s*|\b(?:SD|sd|std|SE|se)\b\s*[:=]?\s*(?=[.\d])": "",
    r"\$?\^\{?[a-zA-Z]{1,3}\}?\$?$": "",
    # LaTeX. Braces and dollar signs inside a number are not removed.
    r"\\(?:textcolor|color|cellcolor|rowcolor|colorbox)(?:\[[^\]]*\])?\{[^{}]*\}": "",
    r"_\{\s*(\\pm[^{}]*)\}": r" \1",
    _LATEX_SIGNS: "†",
    _TYPE: "",
    r"\{([.,])\}": r"\1",
    r"\\[,;! ]|(?<![\d.])[{}$]|[{}$](?![\d.])": "",
    # Markdown, and marks of significance before and after a number.
    r"^\s*(\*+|__?)([^*_]+)\1\s*$": r"\2",
    r"(?<![\w.])(?:\*+|__?|`|==)(?=[-+−.\d])|(?<=[\d.%)])(?:__?|`|==)(?![\d.])": "",
    rf"^\s*[{_SIGNS}]+\s*(?=[-+−.\d])|\^?\s*[{_SIGNS}]+{_BEHIND}": "",
    rf"(?<=\.\d)(\d*)[¹²³⁰⁴-⁹ᵃᵇᶜᵈᵉ]+{_BEHIND}": r"\1",
    # Reference numbers, and Weka's mark `v`; after decimals, letters of groups that do not differ.
    r"(?<=[\d%)])\s*\[\d{1,2}\]$|(?<=\d)\s+v$": "",
    r"(?<=\.\d)(\d*)\s+(?:[a-h]{1,4}|[A-H]{1,4})$": r"\1",
}
_PATTERNS = {re.compile(pattern): instead for pattern, instead in _MARKUP.items()}
_THOUSANDS = re.compile(r"[-+]?\d{1,3}(,\d{3})+(\.\d*)?([eE].*)?")


class Parsed(NamedTuple):
    """Cells as arrays.

    Attributes
    ----------
    value : NDArray[np.float64]
        Scores, NaN if missing or failed.
    failed : NDArray[np.bool_]
        Whether the run failed.
    bad : NDArray[np.bool_]
        Whether the cell is not a score.
    spread : NDArray[np.float64] or None
        Standard deviations, None if no cell has one.
    """

    value: NDArray[np.float64]
    failed: NDArray[np.bool_]
    percent: NDArray[np.bool_]
    bad: NDArray[np.bool_]
    spread: NDArray[np.float64] | None = None


def parse_texts(texts: Sequence[str], decimal: Decimal | None = None) -> Parsed:
    """Parse cells. Fonts and marks of HTML, Markdown and LaTeX are ignored, and so is an interval after a
    number.

    decimal: the decimal sign; if None, a single comma is a decimal sign, as in `93,1`."""
    value, spread = np.full((2, len(texts)), math.nan)
    failed, percent, bad = np.zeros((3, len(texts)), dtype=bool)
    for place, text in enumerate(texts):
        try:  # plain numbers, the most frequent cells
            if text.isascii() and "_" not in text and math.isfinite(number := float(text)):
                value[place] = number
                continue
        except ValueError:
            pass
        word = text.strip()
        for plain in (word, _plain(word)):
            lower = plain.lower()
            if lower in MISSING:
                break
            is_failed = lower in FAILED or re.sub(r"\s*\([^()]*\)$", "", lower) in FAILED - SHORT
            if is_failed or _LIMIT.fullmatch(plain):
                failed[place] = True
                break
            if match := _CELL.fullmatch(plain):
                deviation = match["spread"] or match["within"] or "nan"
                try:
                    numbers = [_number(match["value"], decimal), _number(deviation, decimal)]
                    value[place], spread[place] = numbers
                    percent[place] = bool(match["percent"])
                except ValueError:  # such as `1.234` and `1,2` under one convention
                    bad[place] = True
                break
        else:
            bad[place] = True
    return Parsed(value, failed, percent, bad, None if np.isnan(spread).all() else spread)


def _plain(text: str) -> str:
    """Return a cell without fonts, marks or interval. A cell with nothing else is unchanged."""
    if len(text) > LONGEST or _BRACED.fullmatch(text) or text.count("$") % 2:
        return text
    plain = html.unescape(text).replace("\N{NO-BREAK SPACE}", " ")
    for pattern, instead in _PATTERNS.items():
        plain = pattern.sub(instead, plain)
    plain = plain.strip()
    if match := _INTERVAL.fullmatch(plain):
        plain = f"{match['value']}{match['unit'] or ''}"
    return plain or text


def begins_with_score(text: str) -> bool:
    """Does a cell that is not a score begin with a decimal number? Dates and versions do not count."""
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
    """Return the decimal sign of texts with commas; `both` if they contradict each other."""
    if not any("," in text for text in texts):
        return ""
    signs = {_sign(number) for text in texts for number in re.findall(r"[\d.,]*\d[\d.,]*", text)}
    if {".", ","} <= signs:
        return "both"
    return next((sign for sign in (",", ".", "unclear") if sign in signs), "")


def _sign(number: str) -> Literal["", ".", ",", "unclear"]:
    """Return the decimal sign of a number; it is unclear in `1,234`."""
    number = number.rstrip(",.")
    if number.count(",") > 1 and "." not in number:
        return "." if _THOUSANDS.fullmatch(number) else ""
    if re.fullmatch(r"[1-9]\d{0,2}[.,]\d{3}", number):
        return "unclear" if "," in number else ""
    last = re.search(r"[.,](?!.*[.,])", number)
    return "" if last is None else "," if last[0] == "," else "."


def rounding(text: str) -> float:
    """Return half a unit of the last printed digit: 0.0005 for `0.912`, 0.5 for `17`, NaN for text."""
    match = _CELL.fullmatch(text.strip()) or _CELL.fullmatch(_plain(text.strip()))
    plain = match["value"].replace("−", "-") if match else ""
    plain = plain.replace(",", "") if "." in plain else plain.replace(",", ".")
    try:
        return float(f"0.5e{Digits(plain).as_tuple().exponent}")
    except (InvalidOperation, ValueError):
        return math.nan
