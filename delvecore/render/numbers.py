"""Numbers as text: counts, shares, p-values, estimates with errors. No other module formats them.

Estimates have two significant digits of their standard error. A column uses the decimals of its smallest
error, so that its numbers align. Numbers have a plain hyphen; renderers may set a minus sign.
"""

import math
from collections.abc import Iterable

ERROR_DIGITS = 2
SMALLEST_P = 0.0001
LEVELS = (0.01, 0.05, 0.1)
MOST_DECIMALS = 12
NO_VALUE = "–"
NEXT_TO_ZERO = 1e-300
"""End of an interval that excludes zero but may be arbitrarily close to it. It is displayed as zero."""


def decimals_for(error: float | None, *, otherwise: int = 3) -> int:
    """Return the number of decimals for two significant digits of a standard error.

    otherwise: result without a positive and finite error.
    """
    if error is None or not math.isfinite(error) or error <= 0:
        return otherwise
    exponent = int(f"{error:.{ERROR_DIGITS - 1}e}".partition("e")[2])
    return min(max(ERROR_DIGITS - 1 - exponent, 0), MOST_DECIMALS)


def column_decimals(errors: Iterable[float | None], *, otherwise: int = 3) -> int:
    """Return the number of decimals for a column of estimates with these standard errors."""
    usable = [error for error in errors if error is not None and math.isfinite(error) and error > 0]
    return decimals_for(min(usable, default=None), otherwise=otherwise)


def rounded(value: float | None, decimals: int) -> str:
    """Return `-0.0330`, `inf`, or an empty text for None and NaN. A value that rounds to zero has no sign."""
    if value is None or math.isnan(value):
        return ""
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    text = f"{value:.{decimals}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def significant(value: float, digits: int = 3) -> str:
    """Return a number with this many significant digits: `0.0123`, `1.5e-07`."""
    return f"{value + 0.0:.{digits}g}"


def signed(value: float, error: float) -> str:
    """Return `+0.458`, `−0.20`: a difference to two significant digits of its standard error."""
    return f"{value:+.{decimals_for(error)}f}".replace("-", "−")


def seconds_text(seconds: float) -> str:
    """Return `0.0123`, `45.6`, `1234`."""
    return f"{seconds:.3g}" if seconds < 1000 else f"{seconds:.0f}"


def p_text(p: float | None) -> str:
    """Return a p-value as `0.24`, `0.053`, `< 0.0001`, or an empty text if missing.

    It has two decimals from 0.1 on, and two significant digits below. Rounding never moves a p-value to or
    across 0.01, 0.05 or 0.1: digits are added until it stays on its side.
    """
    if p is None or math.isnan(p):
        return ""
    if p < SMALLEST_P:
        return f"< {SMALLEST_P}"
    decimals = 2 if p >= LEVELS[-1] else max(2, 1 - math.floor(math.log10(p)))
    shown = f"{p:.{decimals}f}"
    while decimals < MOST_DECIMALS and any((p < level) != (float(shown) < level) for level in LEVELS):
        decimals += 1
        shown = f"{p:.{decimals}f}"
    return shown


def p_words(p: float | None) -> str:
    """Return `p = 0.053`, `p < 0.0001`, `p undefined`."""
    text = p_text(p)
    if not text:
        return "p undefined"
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def smallest_p_words() -> str:
    """Return the text for p-values below the smallest printed one: `p < 0.0001`."""
    return p_words(0.0)


def counted(number_of: int, noun: str, plural: str | None = None) -> str:
    """Return `1 task`, `2 tasks`, `no tasks`, `8,192 cases`."""
    if number_of == 0:
        return f"no {plural or noun + 's'}"
    return f"{integer(number_of)} {noun if number_of == 1 else plural or noun + 's'}"


def number(value: float | None, *, digits: int = 4, zeros: bool = False) -> str:
    """Return a number with this many significant digits; only extreme numbers have an exponent. zeros:
    whether to keep trailing zeros."""
    if value is None or math.isnan(value):
        return NO_VALUE
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if abs(value) <= NEXT_TO_ZERO:
        return "0"
    exponent = math.floor(math.log10(abs(value)))
    if not -5 <= exponent < 9:
        return _minus(f"{value:.{digits - 1}e}")
    decimals = max(digits - 1 - exponent, 0)
    text = f"{value:,.{decimals}f}"
    return _minus(text if zeros or "." not in text else text.rstrip("0").rstrip("."))


def with_error(value: float | None, error: float | None, *, minus: str = "−") -> str:
    """Return `−0.412 ± 0.013`, to two significant digits of the error, or the value alone without an error.

    minus: the sign of negative values, `-` in plain text."""
    if value is None or error is None or not math.isfinite(value) or not math.isfinite(error):
        return number(value).replace("−", minus)
    decimals = decimals_for(error)
    return f"{value:,.{decimals}f} ± {error:,.{decimals}f}".replace("-", minus)


def integer(value: float) -> str:
    """Return `8,192`: a count, or a measured value as a whole number."""
    return f"{value:,.0f}"


def parameter(value: float) -> str:
    """Return `0.05`, `128`: a chosen number, such as a level or a margin."""
    return significant(value, 6)


def rank_text(rank: float | None) -> str:
    """Return a mean rank: `2.50`, or an empty text if missing."""
    return rounded(rank, 2)


def difference_of_ranks(value: float) -> str:
    """Return a critical difference of mean ranks: `1.374`."""
    return rounded(value, 3)


def statistic(value: float | None) -> str:
    """Return a test statistic: `16.2250`."""
    return rounded(value, 4)


def probability_text(probability: float) -> str:
    """Return a number from 0 to 1 that is not a p-value: `0.975`, `> 0.999`, `< 0.001`.

    Examples
    --------
    >>> [probability_text(one) for one in (0.975, 0.99951, 0.0001, 1)]
    ['0.975', '> 0.999', '< 0.001', '1.000']
    """
    if 0.9995 < probability < 1:
        return "> 0.999"
    return "< 0.001" if 0 < probability < 0.0005 else rounded(probability, 3)


def posterior_text(probability: float) -> str:
    """Return a posterior probability as a percentage.

    Examples
    --------
    >>> [posterior_text(one) for one in (0.975, 0.99951)]
    ['97.5 %', '> 99.9 %']
    """
    return "> 99.9 %" if probability > 0.9995 else percentage(probability, 1)


def coordinate(value: float) -> str:
    """Return a position or length in the file of a picture: `12.50`."""
    return f"{value:.2f}"


def percent(level: float) -> str:
    """Return a confidence or another chosen share: `95 %`, `99.5 %`."""
    return f"{parameter(100 * level)} %"


def percentage(share: float, decimals: int = 0) -> str:
    """Return a measured share: `12 %`, `12.3 %`."""
    return f"{100 * share:.{decimals}f} %"


def level(confidence: float) -> str:
    """Return a confidence level such as `95 %`, with a no-break space."""
    return percent(confidence).replace(" ", "\N{NO-BREAK SPACE}")


def share(part: float, whole: float) -> str:
    """`12 %`; never `0 %` unless the share is zero, and never `100 %` unless it is all."""
    if whole == 0:
        return NO_VALUE
    hundredths = 100 * part / whole
    if 0 < hundredths < 1:
        return "< 1 %"
    return "> 99 %" if 99 < hundredths < 100 else f"{hundredths:.0f} %"


def _minus(text: str) -> str:
    return text.replace("-", "−") if "e" not in text else text
