"""Codings of attributes of any type: left out, or copied. Source: manual, section 7.3."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from delvecore.encoding.codings.base import Code, Texts
from delvecore.model import TYPES

if TYPE_CHECKING:
    import numpy as np

    from delvecore.encoding.normalization import Constants
    from delvecore.readers.cases import Column

__all__ = ["CODES"]


class CopyCode(Code):
    """The values as they are, or as the prototask transforms them; unknown ones too."""

    name = "copy"
    types = TYPES
    options: ClassVar[tuple[str, ...]] = ("transform",)

    @property
    def keeps_words(self) -> bool:
        return not self.option("transform")

    def encode(
        self,
        column: Column,
        constants: Constants | None,
        case_numbers: np.ndarray,
        *,
        training: Callable[[], Column] | None = None,
    ) -> list[Texts]:
        return self.encode_known(column, constants, case_numbers)

    def encode_known(
        self, column: Column, constants: Constants | None, case_numbers: np.ndarray
    ) -> list[Texts]:
        return [list(column.words)]

    def decode(self, codes: np.ndarray, constants: Constants | None) -> Texts:
        from delvecore.encoding.transformations import inverse
        from delvecore.numerals.number_arrays import format_numbers

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

    def encode_known(
        self, column: Column, constants: Constants | None, case_numbers: np.ndarray
    ) -> list[Texts]:
        return []


CODES: tuple[type[CopyCode], ...] = (IgnoreCode, CopyCode)
