"""Missing and censored values as numbers, where a coding's options `missing` and `censored` say how.

The manual (section 3.3) has such values but no coding of them; the options are a decision of this program.
"""

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from delvecore.encoding.attribute_codes import (
    CATEGORICAL,
    category_codes,
    encode_known,
    plain_category,
    value_fault,
)
from delvecore.encoding.normalization import Constants
from delvecore.encoding.prototask_cases import column_at
from delvecore.errors import Fault
from delvecore.model import Attribute, Coding
from delvecore.numerals.numbers import format_number
from delvecore.numerals.text_columns import CodeColumn, NumberColumn, numbers_of
from delvecore.readers.cases import Column, make_column

__all__ = ["encode_column"]


def encode_column(
    attribute: Attribute,
    coding: Coding,
    column: Column,
    constants: Constants | None,
    case_numbers: np.ndarray,
    *,
    training: Callable[[], Column] | None = None,
) -> list[Sequence[str]]:
    """Return the columns of text that a coding makes of one attribute's values.

    column: the values to encode; constants: of the training set, needed for nm-abs and nm-sqr only;
    case_numbers: the dataset's number of each case, for messages; training: returns the values of the
    training set, of which missing=mean, median and mode are made. Missing and censored values can be copied
    or ignored; any other coding raises DelveError naming attribute and case, unless its options say what to
    do.
    """
    if coding.coding == "ignore":
        return []
    if coding.coding == "copy":
        return [list(column.words)]
    method, bounds = coding.option("missing") or "error", coding.option("censored") or "error"
    gaps = column.missing if method != "error" else np.zeros(len(column.missing), dtype=bool)
    _check_known(attribute, coding, column, case_numbers, gaps, bounds)
    known = column if not gaps.any() else column_at(column, np.flatnonzero(~gaps))
    found = encode_known(attribute, coding, known, constants, case_numbers[~gaps])
    if bounds == "mark" and known.censored.any():
        found = [_marked(found[0], known.censored)]
    if gaps.any():
        fill = _fill(attribute, coding, constants, method, training)
        found = [_filled(texts, gaps, text) for texts, text in zip(found, fill, strict=True)]
    if method == "indicator":
        found.append(CodeColumn(("0", "1"), gaps.astype(np.intp)))
    return found


def _check_known(attribute, coding, column, case_numbers, gaps, bounds):
    unknown = column.missing & ~gaps
    if bounds == "error":
        unknown = unknown | (column.censored != 0)
    if not unknown.any():
        return
    position = np.flatnonzero(unknown)[0]
    remedy = "use missing=indicator (or mean, median, mode) for an input"
    if not column.missing[position]:
        remedy = "use censored=mark (or bound) with nm-abs or nm-sqr"
    raise value_fault(
        attribute,
        case_numbers[position],
        f"a known value to encode as {coding.coding}",
        repr(column.words[position]),
        f"{remedy}, the coding copy or ignore, or a prototask without such values",
    )


def _marked(texts, censored):
    """Return encoded bounds with the colon of a censored value: codings of numbers increase."""
    marks = {0: "{}", 1: "{}:", -1: ":{}"}
    return [marks[sign].format(text) for text, sign in zip(texts, censored.tolist(), strict=True)]


def _filled(texts, gaps, fill):
    """Return a column with a text in place of each gap."""
    if isinstance(texts, NumberColumn):
        values = np.full(len(gaps), float(fill))
        values[~gaps] = texts.values
        return NumberColumn(values)
    if isinstance(texts, CodeColumn):
        places = np.full(len(gaps), len(texts.table), dtype=np.intp)
        places[~gaps] = texts.places
        return CodeColumn([*texts.table, fill], places)
    rest = iter(texts)
    return [fill if gap else next(rest) for gap in gaps.tolist()]


def _fill(attribute, coding, constants, method, training) -> list[str]:
    """Return the code, as texts, that stands for a missing value."""
    if method == "indicator":
        return _centre(attribute, coding)
    values = training()
    values = column_at(values, np.flatnonzero(~values.missing & (values.censored == 0)))
    if not len(values.numbers):
        raise Fault(
            attribute.name,
            f"a known value in the training set for missing={method}",
            "none",
            "use missing=indicator, ignore, or larger training sets",
        )
    if method == "mode":
        return _encode_word(attribute, coding, _commonest(attribute, coding, values), constants)
    if coding.coding in ("nm-abs", "nm-sqr"):
        value = constants.mean if method == "mean" else constants.median
        return _encode_word(attribute, coding, repr(value), constants)
    codes = encode_known(attribute, coding, values, constants, np.zeros(len(values.numbers), dtype=np.int64))
    average = np.mean if method == "mean" else np.median
    return [format_number(float(average(numbers_of(texts)))) for texts in codes]


def _encode_word(attribute, coding, word, constants):
    codes = encode_known(attribute, coding, make_column([word]), constants, np.zeros(1, dtype=np.int64))
    return [texts[0] for texts in codes]


def _commonest(attribute, coding, values):
    """Return the commonest value: of equals the first in the attribute's order, or the smallest number."""
    if coding.coding in CATEGORICAL:
        table = category_codes(attribute, coding)
        counts = Counter(plain_category(word, table) for word in values.words)
        return max(table, key=lambda value: counts[value])
    found, counts = np.unique(values.numbers, return_counts=True)
    return repr(float(found[np.argmax(counts)]))


def _centre(attribute, coding) -> list[str]:
    """Return the centre of a coding: what stands for a missing value that an indicator tells apart.

    What the mean or median becomes, in nm-abs and nm-sqr; half-way between the first and the last code of
    those that are one number; zeros for 1-of-n, therm and rectan.
    """
    if coding.coding in ("nm-abs", "nm-sqr"):
        return [format_number(float(coding.option("center") or 0.0))]
    if coding.coding == "rectan":
        return ["0.0", "0.0"]
    codes = list(category_codes(attribute, coding).values())
    if coding.coding in ("0/1", "-1/+1", "0-up", "1-up"):
        return [format_number((float(codes[0][0]) + float(codes[-1][0])) / 2)]
    return ["0.0" if coding.coding == "therm" else "0"] * len(codes[0])
