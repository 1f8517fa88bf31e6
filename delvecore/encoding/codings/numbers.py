"""Codings of integer, real and angular attributes. Source: manual, sections 7.3 and 7.5."""

import math

import numpy as np

from delvecore.encoding.codings.base import Code, Known, Texts, registered
from delvecore.encoding.transformations import inverse
from delvecore.errors import Fault
from delvecore.number_format.columns import format_numbers
from delvecore.number_format.numbers import format_number, is_number
from delvecore.readers.cases import Column

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


@registered
class MedianCode(NumberCode):
    """The distance from the median in absolute deviations."""

    name = "nm-abs"
    types = ("integer", "real")
    options = ("center", "transform", "missing", "censored")
    is_normalized = True

    @classmethod
    def centre_and_scale(cls, constants: Known) -> tuple[float, float] | None:
        return None if constants is None else (constants.median, constants.absolute_deviation)

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
        linear = self.centre_and_scale(constants)
        if linear is None:
            expected = f"a known value in the training set for {self.name}"
            raise Fault(self.attribute.name, expected, "none", OTHERS)
        centre, scale = linear
        if not scale:
            expected = f"values that differ in the training set for {self.name}"
            raise Fault(self.attribute.name, expected, f"{format_number(centre)} in every case", OTHERS)
        return [format_numbers((column.numbers - centre) / scale + self.shift)]

    def decode(self, codes: np.ndarray, constants: Known) -> Texts:
        linear = self.centre_and_scale(constants)
        if linear is None:
            raise TypeError(f"{self.name} needs constants")
        centre, scale = linear
        return format_numbers(inverse(self.coding, (codes[:, 0] - self.shift) * scale + centre))

    def centre(self) -> list[str]:
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
    def centre_and_scale(cls, constants: Known) -> tuple[float, float] | None:
        return None if constants is None else (constants.mean, constants.standard_deviation)


@registered
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
