"""Codings of integer, real and angular attributes, and those of any type: left out, or copied.

Source: manual, sections 7.3 and 7.5."""

import math
from collections.abc import Callable
from typing import ClassVar

import numpy as np

from delvecore.encoding.codings.base import Code, Known, Texts
from delvecore.errors import Fault
from delvecore.model import TYPES
from delvecore.number_format.numbers import format_number, is_number
from delvecore.number_format.text_columns import format_numbers
from delvecore.readers.cases import Column

__all__ = ["NUMBER_CODES", "PLAIN_CODES"]

OTHERS = "give it another coding, such as ignore or copy"


class NumberCode(Code):
    """A coding of numbers."""

    def check_numbers(self, column: Column, case_numbers: np.ndarray) -> None:
        strange = np.flatnonzero(~np.isfinite(column.numbers))
        if len(strange):
            place, expected = int(strange[0]), f"a number to encode as {self.name}"
            raise self.value_fault(column, place, case_numbers[place], expected, "correct the case")

    def commonest(self, values: Column) -> str:
        found, counts = np.unique(values.numbers, return_counts=True)
        return repr(float(found[np.argmax(counts)]))


class MedianCode(NumberCode):
    """The distance from the median in absolute deviations."""

    name = "nm-abs"
    types = ("integer", "real")
    options = ("center", "transform", "missing", "censored")
    is_normalized = True

    @property
    def shift(self) -> float:
        """What the centre of the training cases becomes."""
        return float(self.option("center") or 0.0)

    def check(self) -> None:
        super().check()
        center = self.option("center")
        if center is not None and not is_number(center):
            raise ValueError("center=NUMBER", repr(center))

    def encode_known(self, column: Column, constants: Known, case_numbers: np.ndarray) -> list[Texts]:
        self.check_numbers(column, case_numbers)
        if constants is None:
            expected = f"a known value in the training set for {self.name}"
            raise Fault(self.attribute.name, expected, "none", OTHERS)
        centre, scale = constants.centre_and_scale(self.name)
        if not scale:
            expected = f"values that differ in the training set for {self.name}"
            raise Fault(self.attribute.name, expected, f"{format_number(centre)} in every case", OTHERS)
        return [format_numbers((column.numbers - centre) / scale + self.shift)]

    def decode(self, codes: np.ndarray, constants: Known) -> Texts:
        from delvecore.encoding.transformations import inverse

        if constants is None:
            raise TypeError(f"{self.name} needs constants")
        centre, scale = constants.centre_and_scale(self.name)
        return format_numbers(inverse(self.coding, (codes[:, 0] - self.shift) * scale + centre))

    def centre(self) -> list[str]:
        return [format_number(self.shift)]

    def average(self, values: Column, constants: Known, method: str) -> list[str]:
        if constants is None:
            return super().average(values, constants, method)
        return self.encode_word(repr(constants.mean if method == "mean" else constants.median), constants)


class MeanCode(MedianCode):
    """The distance from the mean in standard deviations."""

    name = "nm-sqr"


class AngleCode(NumberCode):
    """Sine and cosine of an angle."""

    name = "rectan"
    types = ("angular",)
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

    def centre(self) -> list[str]:
        return ["0.0", "0.0"]


NUMBER_CODES: tuple[type[NumberCode], ...] = (AngleCode, MedianCode, MeanCode)


class CopyCode(Code):
    """The values as they are, or as the prototask transforms them; unknown ones too, unless an option says
    what stands for missing ones."""

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
        """The median of the training cases, 0 where none is known."""
        numbers = training().numbers if training else np.empty(0)
        known = numbers[np.isfinite(numbers)]
        return [format_number(float(np.median(known))) if len(known) else "0"]

    def decode(self, codes: np.ndarray, constants: Known) -> Texts:
        from delvecore.encoding.transformations import inverse

        return format_numbers(inverse(self.coding, codes[:, 0]))

    def centre(self) -> list[str]:
        raise TypeError(f"{self.name} needs nothing in place of unknown values")

    def commonest(self, values: Column) -> str:
        raise TypeError(f"{self.name} needs nothing in place of unknown values")


class IgnoreCode(CopyCode):
    """Nothing."""

    name = "ignore"
    options = ()

    def value_names(self) -> list[str]:
        return []

    def encode_known(self, column: Column, constants: Known, case_numbers: np.ndarray) -> list[Texts]:
        return []


PLAIN_CODES: tuple[type[CopyCode], ...] = (IgnoreCode, CopyCode)
