"""Numbers as DELVE writes and reads them: 9 significant digits, and a strict syntax.

Source: DELVE manual, section 3.3 (syntax); the recorded behavior of DELVE 1.1 (precision)."""

from collections.abc import Container

_CHARACTERS = "+-.0123456789eE"
MOST_DIGITS = 18
"""Number of digits that always fit into 64 bits."""
_DIGITS = frozenset("0123456789")


def is_number(text: str) -> bool:
    """Is this text a number of section 3.3? `nan`, `inf`, `1_000`, `e5` and `1e999`, which is too large, are
    not."""
    if text.strip(_CHARACTERS) or not text:
        return False
    try:
        return abs(float(text)) != float("inf")
    except ValueError:
        return False


def whole_number(text: str) -> int | None:
    """Return the number that a text of digits 0 to 9 denotes, or None for any other text.

    A text with a sign, with more than MOST_DIGITS digits, or with a digit such as `²` gives None.
    """
    return int(text) if 0 < len(text) <= MOST_DIGITS and _DIGITS.issuperset(text) else None


def format_number(value: float) -> str:
    """Return the shortest text with 9 significant digits; whole numbers keep one decimal (`1.0`)."""
    text = f"{value:.9g}"
    if "." in text or "e" in text:
        return text
    return {"inf": "Inf", "-inf": "-Inf", "nan": "NaN"}.get(text, text + ".0")


def round_number(value: float) -> float:
    """Return a value as it is read from a file with 9 significant digits."""
    return float(f"{value:.9g}")


def plain_category(word: str, values: Container[str]) -> str:
    """Return the value that a word means: `3.0` is the value `3` of an integer range."""
    if word not in values and is_number(word) and float(word).is_integer():
        return str(int(float(word)))
    return word
