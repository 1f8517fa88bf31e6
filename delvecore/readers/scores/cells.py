"""What one field of a table of scores says: `0.93`, `93,1 %`, `93.1 ± 0.4`, `93.1(0.4)`, `-`, `timeout`."""

import math
import re
from typing import NamedTuple

__all__ = ["FAILED", "MISSING", "Cell", "parse_cell"]

MISSING = frozenset(
    (
        *(
            "",
            "?",
            "-",
            "--",
            "---",
            "–",
            "—",
            ".",
            "na",
            "n/a",
            "#n/a",
            "n.a.",
            "nan",
            "-nan",
            "<na>",
            "none",
        ),
        *("null", "nil", "nd", "n/d", "missing", "#na", "#value!", "#div/0!"),
    )
)
"""Fields of no value, in lower case."""
FAILED = frozenset(
    (
        *("inf", "+inf", "-inf", "infinity", "-infinity", "∞", "fail", "failed", "failure", "error", "err"),
        *("timeout", "time out", "timed out", "t/o", "tle", "oom", "out of memory", "memout", "m/o", "mle"),
        *("crash", "crashed", "dnf", "dnc", "did not finish", "killed", "aborted", "diverged", "x", "×"),
    )
)
"""Fields of a run that came to no score, in lower case."""
_NUMBER = r"[-+−]?(?:\d{1,3}(?:,\d{3})+\.\d+|\d{1,3}(?:,\d{3}){2,}|\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][-+]?\d+)?"
_CELL = re.compile(
    rf"(?P<value>{_NUMBER})\s*%?"
    rf"(?:\s*(?:±|\+/-|\+-|\$?\\pm\$?)\s*(?P<spread>{_NUMBER})\s*%?|\s*\(\s*±?\s*(?P<within>{_NUMBER})\s*%?\s*\))?"
)
_MARKS = re.compile(r"\*\*|__|\\textbf\{|\\underline\{|\\mathbf\{|[}†‡≈$]|[*_]+$")


class Cell(NamedTuple):
    """value, spread: not a number where there is none; failed: did the run come to nothing?"""

    value: float
    spread: float = math.nan
    failed: bool = False


def parse_cell(text: str) -> Cell | None:
    """Return what a field says, None where it is no score. Bold type of Markdown and LaTeX does not count."""
    word = text.strip()
    if (low := word.lower()) in MISSING:
        return Cell(math.nan)
    if low in FAILED:
        return Cell(math.nan, failed=True)
    found = _CELL.fullmatch(word) or _CELL.fullmatch(_MARKS.sub("", word).strip())
    if found is None:
        return None
    spread = found["spread"] or found["within"]
    return Cell(_number(found["value"]), _number(spread) if spread else math.nan)


def _number(text: str) -> float:
    """Return the value of a number with a decimal point or comma; a comma beside a point, and several commas,
    are for thousands."""
    plain = text.replace("−", "-")
    if "," in plain and ("." in plain or plain.count(",") > 1):
        return float(plain.replace(",", ""))
    return float(plain.replace(",", "."))
