"""One attribute as numbers: every coding of the manual's section 7.3, as text with 9 digits."""

import math
from collections.abc import Sequence

import numpy as np

from delvecore.encoding.normalization import Constants
from delvecore.errors import Fault
from delvecore.model import Attribute, Coding
from delvecore.numerals.number_arrays import format_numbers
from delvecore.numerals.numbers import format_number, is_number
from delvecore.numerals.text_columns import CodeColumn
from delvecore.readers.cases import Column
from delvecore.readers.prior import category_order

__all__ = ["CATEGORICAL", "category_codes", "encode_known", "plain_category"]

CATEGORICAL = ("0/1", "-1/+1", "1-of-n", "therm", "0-up", "1-up")


def encode_known(
    attribute: Attribute,
    coding: Coding,
    column: Column,
    constants: Constants | None,
    case_numbers: np.ndarray,
) -> list[Sequence[str]]:
    """Return the columns of text that a coding other than copy and ignore makes of known values.

    column: the values to encode, of censored ones their bounds; constants: of the training set, needed for
    nm-abs and nm-sqr only; case_numbers: the dataset's number of each case, for messages. Raises DelveError
    naming attribute and case for a word that the coding cannot encode.
    """
    if coding.coding in CATEGORICAL:
        return _categories(attribute, coding, column, case_numbers)
    _check_numbers(attribute, coding, column, case_numbers)
    if coding.coding == "rectan":
        angles = column.numbers * (2 * math.pi / float(coding.option("unit")))
        return [format_numbers(np.sin(angles)), format_numbers(np.cos(angles))]
    return [format_numbers(_normalized(attribute, coding, column.numbers, constants))]


def category_codes(attribute: Attribute, coding: Coding) -> dict[str, tuple[str, ...]]:
    """Return {value: its code as texts} of a categorical coding, values in their order.

    That is the order of the dataset's specification, or of the coding's option `order`.
    """
    values, passive = category_order(attribute, coding.option("order")), coding.option("passive")
    if coding.coding == "0/1":
        return {value: (str(int(value != passive)),) for value in values}
    if coding.coding == "-1/+1":
        return dict(zip(values, (("-1",), ("1",)), strict=True))
    if coding.coding in ("0-up", "1-up"):
        first = int(coding.coding[0])
        return {value: (str(first + place),) for place, value in enumerate(values)}
    if coding.coding == "1-of-n":
        active = [value for value in values if value != passive]
        return {value: tuple(str(int(value == other)) for other in active) for value in values}
    step = _thermometer_step(len(values), coding.option("scale") or "sqrt")
    low, high = format_number(-step), format_number(step)
    return {value: (high,) * place + (low,) * (len(values) - 1 - place) for place, value in enumerate(values)}


def _thermometer_step(count, scale):
    numbers = max(count - 1, 1)
    return {"none": 1.0, "linear": 1 / numbers, "sqrt": numbers**-0.5}[scale]


def _categories(attribute, coding, column, case_numbers):
    codes = category_codes(attribute, coding)
    known = {value: place for place, value in enumerate(codes)}
    words = column.words
    try:
        places = np.fromiter(map(known.__getitem__, words), dtype=np.intp, count=len(words))
    except KeyError:
        pairs = zip(words, case_numbers, strict=True)
        places = np.array([_place(word, known, attribute, n) for word, n in pairs], dtype=np.intp)
    return [CodeColumn(texts, places) for texts in zip(*codes.values(), strict=True)]


def plain_category(word: str, values) -> str:
    """Return a word as one of the values where it means one: `3.0` is the value `3` of an integer range."""
    if word not in values and is_number(word) and float(word).is_integer():
        return str(int(float(word)))
    return word


def _place(word, known, attribute, case_number):
    word = plain_category(word, known)
    if word not in known:
        expected = f"one of {' '.join(known)}"
        raise value_fault(attribute, case_number, expected, repr(word), "correct the case")
    return known[word]


def _normalized(attribute, coding, numbers, constants):
    if constants is None:
        raise Fault(
            attribute.name,
            f"a known value in the training set for {coding.coding}",
            "none",
            "give it another coding, such as ignore or copy",
        )
    centre, scale = constants.centre_and_scale(coding.coding)
    if not scale:
        raise Fault(
            attribute.name,
            f"values that differ in the training set for {coding.coding}",
            f"{format_number(centre)} in every case",
            "give it another coding, such as ignore or copy",
        )
    return (numbers - centre) / scale + float(coding.option("center") or 0.0)


def value_fault(attribute: Attribute, case_number: int, expected: str, found: str, remedy: str) -> Fault:
    """Return what is wrong with an attribute's value; case_number: 0 where only `Prototask.data` is known."""
    case = f"case {case_number}" if case_number else "a case of Prototask.data"
    return Fault(f"{attribute.name} in {case}", expected, found, remedy)


def _check_numbers(attribute, coding, column, case_numbers):
    strange = np.flatnonzero(~np.isfinite(column.numbers))
    if len(strange):
        position = strange[0]
        expected = f"a number to encode as {coding.coding}"
        found = repr(column.words[position])
        raise value_fault(attribute, case_numbers[position], expected, found, "correct the case")
