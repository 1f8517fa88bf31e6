"""Numbers as cells of 16 bytes: the text with 9 significant digits, without a Python object a number.

A cell is two little-endian words of 8 bytes. Its first byte is free for what separates it from the cell
before; the bytes behind hold the text of `numbers.format_number` in order, with zero bytes before,
between and behind that the reader leaves out.

How the digits are exact: a number between 1e-14 and 1e30 is multiplied (divided) by the power of ten, exact
in a double, that gives it nine digits before the point. The rounded product lies on the same side of every
half as the true one, for halves below 2**52 are doubles and rounding keeps order. So rounding it once more to
a whole number is right unless it is exactly a half; there the product's error, computed exactly (Dekker
1971), says on which side the true product lies. All other numbers are formatted one by one."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from delvecore.number_format.numbers import PRECISION, format_number

__all__ = ["CELL", "Decimals", "decimal_values", "number_cells", "to_decimals"]

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
Signs = NDArray[np.bool_]
Cells = NDArray[np.uint64]
CELL = 16
LOWEST, HIGHEST = -14, 29
"""Exponents of ten for which the scaling power is a double, also when rounding makes one more of it."""

_TEN = 10.0 ** np.arange(23)
_EXPONENTS = np.arange(LOWEST, HIGHEST + 2)
_SHIFTS = PRECISION - 1 - _EXPONENTS
_TIMES = np.array([_TEN[min(max(shift, 0), 22)] for shift in _SHIFTS.tolist()])
_DIVIDED = np.array([_TEN[min(max(-shift, 0), 22)] for shift in _SHIFTS.tolist()])
_BELOW, _ABOVE = 10 ** (PRECISION - 1), 10**PRECISION
_SPLITTER = 2.0**27 + 1


class Decimals(NamedTuple):
    """Numbers taken apart: (-1)**negative * digits * 10**(exponent - 8), digits with 9 places, or 0. digits:
    whole; special: positions of the numbers that do not fit (infinite, NaN, very large or small ones)."""

    digits: Floats
    exponent: Whole
    negative: Signs
    special: NDArray[np.intp]


def _binary_tables() -> tuple[Whole, Floats]:
    """Return, by the exponent bits of a double, the lowest decimal exponent and where the next one starts."""
    lowest, limits = np.full(2048, HIGHEST + 1, dtype=np.int64), np.full(2048, np.inf)
    for bits in range(1, 2047):
        exponent = int(f"{2.0 ** (bits - 1023):e}".partition("e")[2])
        if LOWEST - 1 <= exponent <= HIGHEST:
            lowest[bits], limits[bits] = exponent, float(f"1e{exponent + 1}")
    return lowest, limits


_LOWEST_BY_BITS, _LIMIT_BY_BITS = _binary_tables()


def to_decimals(values: Floats) -> Decimals:
    """Return float64 numbers (one dimension) rounded to 9 significant digits, ties as C's printf has them."""
    bits = values.view(np.uint64)
    magnitude = np.abs(values)
    binary = ((bits >> np.uint64(52)) & np.uint64(0x7FF)).astype(np.intp)
    exponent = _LOWEST_BY_BITS.take(binary)
    exponent += magnitude >= _LIMIT_BY_BITS.take(binary)
    zero = magnitude == 0.0
    special = np.flatnonzero(((exponent < LOWEST) | (exponent > HIGHEST)) & ~zero)
    exponent[zero] = 0
    if len(special):
        magnitude[special], exponent[special] = 0.0, 0
    digits = _scaled(magnitude, exponent)
    over = digits == _ABOVE
    if over.any():
        digits[over] = _BELOW
        exponent += over
    return Decimals(digits, exponent, (bits >> np.uint64(63)).astype(bool), special)


def _scaled(magnitude: Floats, exponent: Whole) -> Floats:
    places = exponent - LOWEST
    times = _TIMES.take(places)
    product = magnitude * times
    if exponent.max(initial=0) >= PRECISION:
        product /= _DIVIDED.take(places)  # by 1 where the number was multiplied
    digits = np.rint(product)
    half = np.flatnonzero(np.abs(product - digits) == 0.5)
    if len(half):
        digits[half] = _decided(product[half], magnitude[half], times[half], _DIVIDED.take(places[half]))
    return digits


def _decided(product: Floats, magnitude: Floats, times: Floats, divided: Floats) -> Floats:
    """Round products that are exactly halves by the sign of what their own rounding left out."""
    high, low = _exact_product(magnitude, times)
    by_product = (high - product) + low
    high, low = _exact_product(product, divided)
    by_division = (magnitude - high) - low
    error = np.where(divided > 1.0, by_division, by_product)
    floor = np.floor(product)
    return floor + ((error > 0) | ((error == 0) & (floor % 2 == 1)))


def _exact_product(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Return (rounded product, its error) of float64 numbers: their sum is the exact product."""
    product = first * second
    (a, b), (c, d) = _halves(first), _halves(second)
    return product, ((a * c - product) + a * d + b * c) + b * d


def _halves(values: Floats) -> tuple[Floats, Floats]:
    large = values * _SPLITTER
    high = large - (large - values)
    return high, values - high


def decimal_values(decimals: Decimals, values: Floats) -> Floats:
    """Return the float64 numbers that the texts give back: one exact division or product of exact numbers.
    values: those that the decimals were made of, for the special ones."""
    places = decimals.exponent - LOWEST
    rounded = decimals.digits / _TIMES.take(places)
    if decimals.exponent.max(initial=0) >= PRECISION:
        rounded *= _DIVIDED.take(places)
    np.negative(rounded, out=rounded, where=decimals.negative)
    for position in decimals.special:
        rounded[position] = float(f"{values[position]:.{PRECISION}g}")
    return rounded


def _packed(text: str, first: int = 0) -> int:
    """Return a text as a little-endian word, its first character at byte `first`."""
    return int.from_bytes(b"\0" * first + text.encode("ascii"), "little")


_FOUR_DIGITS = [f"{number:04}" for number in range(10**4)]
_FULL = np.array([_packed(text) for text in _FOUR_DIGITS], dtype=np.uint64)
_STRIPPED = np.array([_packed(text.rstrip("0")) for text in _FOUR_DIGITS], dtype=np.uint64)
_FULL_THEN_STRIPPED = np.concatenate([_FULL, _STRIPPED])
_MASKS = np.array([(1 << 8 * count) - 1 for count in range(8)] + [2**64 - 1], dtype=np.uint64)
_POINT, _ZERO = np.uint64(ord(".")), np.uint64(ord("0"))


def _word(number: int) -> np.uint64:
    return np.uint64(number)


def _small_tables() -> tuple[Cells, Cells]:
    """Return, by exponent (-4 to 0; others get anything) and sign, the first word, its leading digit 0, and
    what each unit of that digit adds."""
    first, unit = [], []
    for exponent in _EXPONENTS.tolist():
        for sign in ("\0", "-"):
            text = sign + ("0." + "0" * (-exponent - 1) if -4 <= exponent < 0 else "")
            place = 6 if exponent == 0 else 7
            last = "0." if exponent == 0 else "0"
            first.append(_packed(text, 1) + _packed(last, place))
            unit.append(1 << 8 * place)
    return np.array(first, dtype=np.uint64), np.array(unit, dtype=np.uint64)


_SMALL_FIRST, _SMALL_UNIT = _small_tables()
_SIGNED_DIGIT = np.array(
    [_packed(sign + str(digit), 1) for sign in ("\0", "-") for digit in range(10)], dtype=np.uint64
)
_POWERS = np.array([_packed(f"e{exponent:+03}", 4) for exponent in _EXPONENTS.tolist()], dtype=np.uint64)


def number_cells(values: Floats) -> Cells:
    """Return the cells of float64 numbers (one dimension): uint64, shape (numbers, 2). A number whose text is
    longer than a cell (three digits of exponent, nine others and a sign) makes all cells one word longer."""
    digits, exponent, negative, special = to_decimals(values)
    lead, full, stripped = _digits(digits)
    cells = np.empty((len(values), 2), dtype=np.uint64)
    _fill_small(cells, exponent, negative, lead, stripped)
    rest = np.flatnonzero((exponent < -4) | (exponent > 0))
    if len(rest):
        inside = exponent[rest]
        middle, outer = rest[(inside > 0) & (inside < PRECISION)], rest[(inside < 0) | (inside >= PRECISION)]
        signs = negative[middle], lead[middle]
        cells[middle] = _middle(exponent[middle], *signs, full[middle], stripped[middle])
        cells[outer] = _scientific(exponent[outer], negative[outer], lead[outer], stripped[outer])
    return _with_special(cells, values, special) if len(special) else cells


def _digits(digits: Floats) -> tuple[Cells, Cells, Cells]:
    """Return the first digit, and the other eight as packed text: all, and without zeros at the end."""
    whole = digits.astype(np.uint32)
    lead = whole // np.uint32(10**8)
    rest = whole - lead * np.uint32(10**8)
    high = rest // np.uint32(10**4)
    low = rest - high * np.uint32(10**4)
    high, low = high.astype(np.intp), low.astype(np.intp)
    full = _FULL.take(high) | (_FULL.take(low) << _word(32))
    stripped = _FULL_THEN_STRIPPED.take(high + (low == 0) * 10**4) | (_STRIPPED.take(low) << _word(32))
    return lead.astype(np.uint64), full, stripped


def _fill_small(cells: Cells, exponent: Whole, negative: Signs, lead: Cells, stripped: Cells) -> None:
    """-0.000123456789 to 1.23456789"""
    place = (exponent - LOWEST) * 2 + negative
    np.add(_SMALL_FIRST.take(place), lead * _SMALL_UNIT.take(place), out=cells[:, 0])
    cells[:, 1] = stripped
    bare = np.flatnonzero((stripped == 0) & (exponent == 0))
    cells[bare, 1] = _ZERO


def _signed_digit(negative: Signs, lead: Cells) -> Cells:
    return _SIGNED_DIGIT.take(negative * 10 + lead.astype(np.intp))


def _middle(exponent: Whole, negative: Signs, lead: Cells, full: Cells, stripped: Cells) -> Cells:
    """12.3456789 to 123456789.0"""
    bits = (exponent * 4).astype(np.uint64)
    fraction = (stripped >> bits) >> bits
    fraction[fraction == 0] = _ZERO
    first = np.minimum(exponent, 5)
    beyond = exponent - first
    behind = (fraction << _word(8)) | _POINT
    second = ((full >> _word(40)) & _MASKS.take(beyond)) | (behind << (beyond * 8).astype(np.uint64))
    start = _signed_digit(negative, lead) | ((full & _MASKS.take(first)) << _word(24))
    return np.stack([start, second], axis=1)


def _scientific(exponent: Whole, negative: Signs, lead: Cells, stripped: Cells) -> Cells:
    """1.23456789e-05"""
    point = np.where(stripped != 0, _POINT << _word(24), _word(0))
    first = _signed_digit(negative, lead) | point | (stripped << _word(32))
    return np.stack([first, (stripped >> _word(32)) | _POWERS.take(exponent - LOWEST)], axis=1)


def _with_special(cells: Cells, values: Floats, special: NDArray[np.intp]) -> Cells:
    texts = [b"\0" + format_number(value).encode("ascii") for value in values[special].tolist()]
    width = 2 if max(map(len, texts)) <= CELL else 3
    if width > cells.shape[1]:
        cells = np.concatenate([cells, np.zeros((len(cells), 1), dtype=np.uint64)], axis=1)
    block = b"".join(text.ljust(8 * width, b"\0") for text in texts)
    cells[special] = np.frombuffer(block, dtype="<u8").reshape(-1, width)
    return cells
