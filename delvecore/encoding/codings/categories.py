"""Codings of binary, nominal and ordinal attributes. Source: manual, section 7.3."""

from abc import abstractmethod
from collections import Counter
from functools import cached_property
from typing import ClassVar

import numpy as np

from delvecore.encoding.codings.base import Code, Known, Texts, registered
from delvecore.encoding.transformations import value_fault
from delvecore.number_format.columns import CodeColumn
from delvecore.number_format.numbers import format_number, plain_category
from delvecore.readers.cases import Column
from delvecore.readers.prior import category_order


class CategoryCode(Code):
    """A coding that has a table of codes, one a value."""

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
        """A code that no value has stands for the value with the nearest code (of `1-of-n` without passive
        value: the largest number); the first of equally near ones. Codes are compared by inner product with
        half the code's square: exact for codes of zeros and ones."""
        known = np.array([[float(text) for text in texts] for texts in self.codes.values()])
        products = np.einsum(
            "ij,kj->ik", codes, known
        )  # a small product: threads of `@` take longer to start
        scores = products - np.sum(known**2, axis=1) / 2
        return CodeColumn(list(self.codes), np.argmax(scores, axis=1))

    def centre(self) -> list[str]:
        """Half-way between the first and the last code."""
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
    types = ("nominal", "ordinal")
    options = ("passive", "order", "missing")
    has_median = False

    def value_names(self) -> list[str]:
        return [f"{self.attribute.name}:{value}" for value in self._active]

    def make_codes(self, values: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
        active = self._active
        return {value: tuple(str(int(value == other)) for other in active) for value in values}

    def centre(self) -> list[str]:
        return ["0"] * len(self._active)

    @property
    def _active(self) -> list[str]:
        return [value for value in self.values if value != self.option("passive")]


@registered
class ZeroUpCode(CategoryCode):
    name = "0-up"
    types = ("nominal", "ordinal")
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
    types = ("nominal", "ordinal")
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

    def centre(self) -> list[str]:
        return ["0.0"] * (len(self.values) - 1)
