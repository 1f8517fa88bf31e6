"""Arrays of numbers as DELVE writes them: 9 significant digits. The NumPy twin of `numbers`."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from delvecore.numerals.text_columns import NumberColumn

__all__ = ["format_numbers", "round_numbers"]


def format_numbers(values: NDArray[np.float64]) -> NumberColumn:
    """Return the text of every value of a one-dimensional array, as `format_number` writes it.

    What is returned looks like a list of str, but makes none before one is looked at.
    """
    return NumberColumn(values)


def round_numbers(values: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the values that a file written with 9 significant digits gives back, float64."""
    return NumberColumn(values).numbers
