"""Arrays of numbers as DELVE writes them: 9 significant digits. The NumPy twin of `delvecore.numbers`."""

from collections.abc import Iterable

import numpy as np

from delvecore.numbers import PRECISION, format_number

__all__ = ["format_numbers", "round_numbers"]


def format_numbers(values: np.ndarray) -> list[str]:
    """Return the text of every value of a one-dimensional array, as `format_number` writes it.

    One formatting of the whole array, then the few values that need one decimal (`1.0`) by themselves.
    """
    values = np.asarray(values, dtype=np.float64)
    texts = (f"%.{PRECISION}g\n" * len(values) % tuple(values.tolist())).split("\n")[:-1]
    with np.errstate(invalid="ignore"):  # inf - inf: such values are special as well
        whole = ~(np.abs(values - np.rint(values)) > 1e-8 * np.maximum(np.abs(values), 1.0))
    for position in np.flatnonzero(whole):
        texts[position] = format_number(values[position])
    return texts


def round_numbers(values: Iterable[float]) -> np.ndarray:
    """Return the values that a file written with 9 significant digits gives back, float64."""
    values = tuple(np.asarray(values, dtype=np.float64).tolist())
    return np.array([float(text) for text in (f"%.{PRECISION}g " * len(values) % values).split()])
