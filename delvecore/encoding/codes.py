"""The codings of attributes, one class each: column names, numbers, and codes of unknown values.

Source: DELVE manual, sections 7.3 and 7.5. Section 3.3 defines missing and censored values but no coding for
them; the options `missing` and `censored` are a decision of this program."""

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import ClassVar, TypeVar

import numpy as np

from delvecore.encoding.normalization import Constants
from delvecore.encoding.prototask_cases import column_at
from delvecore.encoding.transformations import inverse, value_fault
from delvecore.errors import Fault
from delvecore.model import CATEGORICAL_TYPES, NUMERIC_TYPES, TYPES, Attribute, Coding
from delvecore.number_format.columns import CodeColumn, NumberColumn, format_numbers, numbers_of
from delvecore.number_format.numbers import format_number, is_number, plain_category
from delvecore.readers.cases import Column, make_column
from delvecore.readers.prior import category_order

Known = Constants | None
"""Constants of the training set; None if a coding needs none."""
Texts = Sequence[str]
MISSING = ("error", "indicator", "mean", "median", "mode")
CENSORED = ("error", "bound", "mark")
SCALES = ("none", "linear", "sqrt")
MARKS = {0: "{}", 1: "{}:", -1: ":{}"}


class Code(ABC):
    """How one attribute becomes numbers: a Coding together with its Attribute.

    Attributes
    ----------
    name : ClassVar[str]
        Name in files.
    types : ClassVar[tuple of str]
        Types of attributes that it suits.
    refused_by_1_1 : ClassVar[tuple of str]
        Types for which DELVE 1.1 refuses it.
    options : ClassVar[tuple of str]
        Its options in addition to `scale`, which DELVE writes after every coding.
    is_normalized : ClassVar[bool]
        Whether it needs constants of the training set.
    has_median : ClassVar[bool]
        Whether the median of its numbers has a meaning.
    """

    name: ClassVar[str]
    types: ClassVar[tuple[str, ...]]
    refused_by_1_1: ClassVar[tuple[str, ...]] = ()
    options: ClassVar[tuple[str, ...]] = ("missing",)
    is_normalized: ClassVar[bool] = False
    has_median: ClassVar[bool] = True

    def __init__(self, attribute: Attribute, coding: Coding) -> None:
        self.attribute, self.coding = attribute, coding

    def option(self, name: str) -> str | None:
        return self.coding.option(name)

    def check(self) -> None:
        """Raise ValueError(expected, found) unless the values of the options suit the attribute."""
        for name, allowed in (("missing", MISSING), ("censored", CENSORED)):
            if (self.option(name) or "error") not in allowed:
                raise ValueError(f"{name} to be one of {', '.join(allowed)}", repr(self.option(name)))
        if not self.has_median and self.option("missing") == "median":
            raise ValueError(f"missing=indicator, mean or mode with {self.name}", "'median'")
        if (self.option("scale") or "sqrt") not in SCALES:
            raise ValueError(f"scale to be one of {', '.join(SCALES)}", repr(self.option("scale")))

    def column_names(self) -> list[str]:
        """Return the names of all its numbers."""
        indicator = [f"{self.attribute.name}:missing"] * (self.option("missing") == "indicator")
        return self.value_names() + indicator

    def value_names(self) -> list[str]:
        """Return the names of the numbers that encode a known value."""
        return [self.attribute.name]

    def encode(
        self,
        column: Column,
        constants: Known,
        case_numbers: np.ndarray,
        *,
        training: Callable[[], Column] | None = None,
    ) -> list[Texts]:
        """Return the columns of text that encode values.

        constants: of the training set, for normalized codings; case_numbers: the dataset's number of each
        case, for messages; training: returns the values of the training set, for missing=mean, median
        and mode. Raises Fault with attribute and case for a value that cannot be encoded. Missing and
        censored values need the coding `copy` or `ignore`, or an option for them."""
        method, bounds = self.option("missing") or "error", self.option("censored") or "error"
        gaps = column.missing if method != "error" else np.zeros(len(column.missing), dtype=bool)
        self._check_known(column, case_numbers, gaps, bounds)
        known = column if not gaps.any() else column_at(column, np.flatnonzero(~gaps))
        columns = self.encode_known(known, constants, case_numbers[~gaps])
        if bounds == "mark" and known.censored.any():
            signs = known.censored.tolist()  # a bound keeps its colon: codings of numbers increase
            columns = [[MARKS[sign].format(text) for text, sign in zip(columns[0], signs, strict=True)]]
        if gaps.any():
            fill = (
                self._told_apart(training)
                if method == "indicator"
                else self._fill(constants, method, training)
            )
            columns = [_filled(texts, gaps, text) for texts, text in zip(columns, fill, strict=True)]
        if method == "indicator":
            columns.append(CodeColumn(("0", "1"), gaps.astype(np.intp)))
        return columns

    @property
    def keeps_words(self) -> bool:
        """Do the values stay as they are?"""
        return False

    @abstractmethod
    def encode_known(self, column: Column, constants: Known, case_numbers: np.ndarray) -> list[Texts]:
        """Return the columns of text that encode known values; censored ones are encoded by their bounds."""

    @abstractmethod
    def decode(self, codes: np.ndarray, constants: Known) -> Texts:
        """Return the value, as text, that each row of numbers (cases, numbers of the code) encodes."""

    @classmethod
    def center_and_scale(cls, constants: Known) -> tuple[float, float] | None:
        """Return the value that is encoded as zero, and the distance between values whose codes differ by
        one. None for a coding that is not linear. Densities of coded targets are decoded with both."""
        return None

    def center(self) -> list[str]:
        """Return the code of a missing value that has an indicator."""
        raise TypeError(f"{self.name} needs nothing in place of unknown values")

    def commonest(self, values: Column) -> str:
        """Return the commonest value; in a tie the first in the attribute's order, or the smallest."""
        raise TypeError(f"{self.name} needs nothing in place of unknown values")

    def average(self, values: Column, constants: Known, method: str) -> list[str]:
        """Return the mean or median of the codes of known values."""
        codes = self.encode_known(values, constants, np.zeros(len(values.numbers), dtype=np.int64))
        average = np.mean if method == "mean" else np.median
        return [format_number(float(average(numbers_of(texts)))) for texts in codes]

    def encode_word(self, word: str, constants: Known) -> list[str]:
        codes = self.encode_known(make_column([word]), constants, np.zeros(1, dtype=np.int64))
        return [texts[0] for texts in codes]

    def _told_apart(self, training: Callable[[], Column] | None) -> list[str]:
        """Return the code of a missing value that has an indicator. training: see `encode`."""
        return self.center()

    def value_fault(self, column: Column, place: int, case: int, expected: str, remedy: str) -> Fault:
        """Return the fault of a value in a column; it names the case by its number."""
        return value_fault(self.attribute, case, expected, repr(column.words[place]), remedy)

    def _check_known(self, column: Column, case_numbers: np.ndarray, gaps: np.ndarray, bounds: str) -> None:
        unknown = column.missing & ~gaps
        if bounds == "error":
            unknown = unknown | (column.censored != 0)
        if not unknown.any():
            return
        place = int(unknown.nonzero()[0][0])
        remedy = "use missing=indicator (or mean, median, mode) for an input"
        if not column.missing[place]:
            remedy = "use censored=mark (or bound) with nm-abs or nm-sqr"
        remedy += ", the coding copy or ignore, or a prototask without such values"
        expected = f"a known value to encode as {self.name}"
        raise self.value_fault(column, place, case_numbers[place], expected, remedy)

    def _fill(self, constants: Known, method: str, training: Callable[[], Column] | None) -> list[str]:
        """Return the code of a missing value."""
        if training is None:
            raise TypeError(f"missing={method} needs the values of a training set")
        values = training()
        values = column_at(values, (~values.missing & (values.censored == 0)).nonzero()[0])
        if not len(values.numbers):
            raise Fault(
                self.attribute.name,
                f"a known value in the training set for missing={method}",
                "none",
                "use missing=indicator, ignore, or larger training sets",
            )
        if method == "mode":
            return self.encode_word(self.commonest(values), constants)
        return self.average(values, constants, method)


CODES: dict[str, type[Code]] = {}
"""{name in files: the coding's class}, in the order in which choices are listed."""
CodeClass = TypeVar("CodeClass", bound=type[Code])


def registered(code: CodeClass) -> CodeClass:
    """Make a coding known by its name to files, commands, checks and pages. Raises ValueError for a name that
    is taken."""
    if CODES.setdefault(code.name, code) is not code:
        raise ValueError(f"expected a new name for {code.__name__}, got {code.name!r}")
    return code


def _filled(texts: Texts, gaps: np.ndarray, fill: str) -> Texts:
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


class CopyCode(Code):
    """The values unchanged, or as the prototask transforms them. Unknown values are copied, too, unless an
    option replaces missing ones."""

    name = "copy"
    types = TYPES
    options: ClassVar[tuple[str, ...]] = ("transform", "missing")

    @property
    def keeps_words(self) -> bool:
        return not self.option("transform")

    def check(self) -> None:
        super().check()
        if self.option("missing") and not all(map(is_number, self.attribute.range.values)):
            raise ValueError("missing= only where numbers are copied", repr(self.option("missing")))
        if self.option("missing") == "mode":
            raise ValueError(f"missing=indicator, mean or median with {self.name}", "'mode'")

    def encode(
        self,
        column: Column,
        constants: Known,
        case_numbers: np.ndarray,
        *,
        training: Callable[[], Column] | None = None,
    ) -> list[Texts]:
        if self.option("missing") in (None, "error"):
            return self.encode_known(column, constants, case_numbers)
        return super().encode(column, constants, case_numbers, training=training)

    def encode_known(self, column: Column, constants: Known, case_numbers: np.ndarray) -> list[Texts]:
        return [list(column.words)]

    def _told_apart(self, training: Callable[[], Column] | None) -> list[str]:
        """The median of the training cases, 0 if none is known."""
        numbers = training().numbers if training else np.empty(0)
        known = numbers[np.isfinite(numbers)]
        return [format_number(float(np.median(known))) if len(known) else "0"]

    def decode(self, codes: np.ndarray, constants: Known) -> Texts:
        return format_numbers(inverse(self.coding, codes[:, 0]))

    @classmethod
    def center_and_scale(cls, constants: Known) -> tuple[float, float] | None:
        return 0.0, 1.0


@registered
class IgnoreCode(CopyCode):
    """Nothing."""

    name = "ignore"
    options = ()

    def value_names(self) -> list[str]:
        return []

    def encode_known(self, column: Column, constants: Known, case_numbers: np.ndarray) -> list[Texts]:
        return []

    @classmethod
    def center_and_scale(cls, constants: Known) -> tuple[float, float] | None:
        return None


registered(CopyCode)  # after `ignore`, as choices are listed


OTHERS = "give it another coding, such as ignore or copy"


class NumberCode(Code):
    """A coding of numbers."""

    def check_numbers(self, column: Column, case_numbers: np.ndarray) -> None:
        strange = np.flatnonzero(~np.isfinite(column.numbers))
        if len(strange):
            place, expected = int(strange[0]), f"a number to encode as {self.name}"
            raise self.value_fault(column, place, case_numbers[place], expected, "correct the case")

    def commonest(self, values: Column) -> str:
        distinct, counts = np.unique(values.numbers, return_counts=True)
        return repr(float(distinct[np.argmax(counts)]))


@registered
class MedianCode(NumberCode):
    """The distance from the median in absolute deviations."""

    name = "nm-abs"
    types = NUMERIC_TYPES
    refused_by_1_1 = ("angular",)
    options = ("center", "transform", "missing", "censored")
    is_normalized = True

    @classmethod
    def center_and_scale(cls, constants: Known) -> tuple[float, float] | None:
        return None if constants is None else (constants.median, constants.absolute_deviation)

    @property
    def shift(self) -> float:
        """The code of the center of the training cases."""
        return float(self.option("center") or 0.0)

    def check(self) -> None:
        super().check()
        center = self.option("center")
        if center is not None and not is_number(center):
            raise ValueError("center=NUMBER", repr(center))

    def encode_known(self, column: Column, constants: Known, case_numbers: np.ndarray) -> list[Texts]:
        self.check_numbers(column, case_numbers)
        linear = self.center_and_scale(constants)
        if linear is None:
            expected = f"a known value in the training set for {self.name}"
            raise Fault(self.attribute.name, expected, "none", OTHERS)
        center, scale = linear
        if not scale:
            expected = f"values that differ in the training set for {self.name}"
            raise Fault(self.attribute.name, expected, f"{format_number(center)} in every case", OTHERS)
        return [format_numbers((column.numbers - center) / scale + self.shift)]

    def decode(self, codes: np.ndarray, constants: Known) -> Texts:
        linear = self.center_and_scale(constants)
        if linear is None:
            raise TypeError(f"{self.name} needs constants")
        center, scale = linear
        return format_numbers(inverse(self.coding, (codes[:, 0] - self.shift) * scale + center))

    def center(self) -> list[str]:
        return [format_number(self.shift)]

    def average(self, values: Column, constants: Known, method: str) -> list[str]:
        if constants is None:
            return super().average(values, constants, method)
        return self.encode_word(repr(constants.mean if method == "mean" else constants.median), constants)


@registered
class MeanCode(MedianCode):
    """The distance from the mean in standard deviations."""

    name = "nm-sqr"

    @classmethod
    def center_and_scale(cls, constants: Known) -> tuple[float, float] | None:
        return None if constants is None else (constants.mean, constants.standard_deviation)


@registered
class AngleCode(NumberCode):
    """Sine and cosine of an angle."""

    name = "rectan"
    types = NUMERIC_TYPES
    refused_by_1_1 = ("integer", "real")
    options = ("unit", "missing")
    has_median = False

    @property
    def unit(self) -> float:
        """The whole circle."""
        return float(self.option("unit") or "nan")

    def check(self) -> None:
        super().check()
        unit = self.option("unit") or ""
        if not (is_number(unit) and float(unit)):
            raise ValueError(f"unit=NUMBER with rectan for {self.attribute.name}", repr(unit or "none"))

    def value_names(self) -> list[str]:
        return [f"sin(k*{self.attribute.name})", f"cos(k*{self.attribute.name})"]

    def encode_known(self, column: Column, constants: Known, case_numbers: np.ndarray) -> list[Texts]:
        self.check_numbers(column, case_numbers)
        angles = column.numbers * (2 * math.pi / self.unit)
        return [format_numbers(np.sin(angles)), format_numbers(np.cos(angles))]

    def decode(self, codes: np.ndarray, constants: Known) -> Texts:
        turns = np.arctan2(codes[:, 0], codes[:, 1]) / (2 * math.pi)
        return format_numbers(np.mod(turns, 1.0) * self.unit)

    def center(self) -> list[str]:
        return ["0.0", "0.0"]


class CategoryCode(Code):
    """A coding that has a table of codes, one per value."""

    options: ClassVar[tuple[str, ...]] = ("order", "missing")

    @cached_property
    def values(self) -> tuple[str, ...]:
        """The values in the order of the dataset's specification, or of the option `order`."""
        return category_order(self.attribute, self.option("order")) or ()

    @cached_property
    def codes(self) -> dict[str, tuple[str, ...]]:
        """{value: its code as texts}, values in their order."""
        return self.make_codes(self.values)

    @abstractmethod
    def make_codes(self, values: tuple[str, ...]) -> dict[str, tuple[str, ...]]: ...

    def check(self) -> None:
        passive, categories = self.option("passive"), self.attribute.range.categories or ()
        if passive is not None and passive not in categories:
            expected = f"passive of {self.attribute.name} to be one of {' '.join(categories)}"
            raise ValueError(expected, repr(passive))
        category_order(self.attribute, self.option("order"))
        super().check()

    def encode_known(self, column: Column, constants: Known, case_numbers: np.ndarray) -> list[Texts]:
        known, words = {value: place for place, value in enumerate(self.codes)}, column.words
        try:
            places = np.fromiter(map(known.__getitem__, words), dtype=np.intp, count=len(words))
        except KeyError:
            plain = [plain_category(word, known) for word in words]
            for place, word in enumerate(plain):
                if word not in known:
                    expected = f"one of {' '.join(known)}"
                    fault = value_fault(
                        self.attribute, case_numbers[place], expected, repr(word), "correct the case"
                    )
                    raise fault from None
            places = np.array([known[word] for word in plain], dtype=np.intp)
        return [CodeColumn(texts, places) for texts in zip(*self.codes.values(), strict=True)]

    def decode(self, codes: np.ndarray, constants: Known) -> Texts:
        """A code that belongs to no value is decoded as the value with the nearest code, the first in a tie.
        For `1-of-n` without passive value, that is the largest number. Codes are compared by inner product
        minus half the code's square, which is exact for zeros and ones."""
        known = np.array([[float(text) for text in texts] for texts in self.codes.values()])
        products = np.einsum(
            "ij,kj->ik", codes, known
        )  # a small product: threads of `@` take longer to start
        scores = products - np.sum(known**2, axis=1) / 2
        return CodeColumn(list(self.codes), np.argmax(scores, axis=1))

    def center(self) -> list[str]:
        """Halfway between the first and the last code."""
        codes = list(self.codes.values())
        first, last = codes[0], codes[-1]
        return [format_number((float(one) + float(two)) / 2) for one, two in zip(first, last, strict=True)]

    def commonest(self, values: Column) -> str:
        counts = Counter(plain_category(word, self.codes) for word in values.words)
        return max(self.codes, key=lambda value: counts[value])


@registered
class MinusPlusCode(CategoryCode):
    name = "-1/+1"
    types = ("binary",)
    options = ("missing",)

    def make_codes(self, values: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
        return dict(zip(values, (("-1",), ("1",)), strict=True))


@registered
class ZeroOneCode(CategoryCode):
    name = "0/1"
    types = ("binary",)
    options = ("passive", "missing")

    def check(self) -> None:
        if self.option("passive") is None:
            raise ValueError(f"passive=VALUE with 0/1 for {self.attribute.name}", "none")
        super().check()

    def make_codes(self, values: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
        return {value: (str(int(value != self.option("passive"))),) for value in values}


@registered
class OneOfCode(CategoryCode):
    name = "1-of-n"
    types = CATEGORICAL_TYPES
    refused_by_1_1 = ("binary",)
    options = ("passive", "order", "missing")
    has_median = False

    def value_names(self) -> list[str]:
        return [f"{self.attribute.name}:{value}" for value in self._active]

    def make_codes(self, values: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
        active = self._active
        return {value: tuple(str(int(value == other)) for other in active) for value in values}

    def center(self) -> list[str]:
        return ["0"] * len(self._active)

    @property
    def _active(self) -> list[str]:
        return [value for value in self.values if value != self.option("passive")]


@registered
class ZeroUpCode(CategoryCode):
    name = "0-up"
    types = CATEGORICAL_TYPES
    refused_by_1_1 = ("binary",)
    first = 0

    def make_codes(self, values: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
        return {value: (str(self.first + place),) for place, value in enumerate(values)}


@registered
class OneUpCode(ZeroUpCode):
    name = "1-up"
    first = 1


@registered
class ThermometerCode(CategoryCode):
    name = "therm"
    types = CATEGORICAL_TYPES
    refused_by_1_1 = ("binary",)
    options = ("scale", "order", "missing")

    def value_names(self) -> list[str]:
        return [f"{self.attribute.name}:{value}" for value in self.values[1:]]

    def make_codes(self, values: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
        numbers = max(len(values) - 1, 1)
        steps = {"none": 1.0, "linear": 1 / numbers, "sqrt": numbers**-0.5}
        step = steps[self.option("scale") or "sqrt"]
        low, high = format_number(-step), format_number(step)
        return {
            value: (high,) * place + (low,) * (len(values) - 1 - place) for place, value in enumerate(values)
        }

    def center(self) -> list[str]:
        return ["0.0"] * (len(self.values) - 1)
