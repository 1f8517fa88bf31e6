"""Numbers that are equal as decimals made equal as doubles, so that they tie."""

import numpy as np

__all__ = ["DIGITS", "task_decimals", "without_noise"]

DIGITS = 12
"""Digits that count, from the first of the largest value of a task."""
_MOST_DECIMALS = 300


def without_noise(values: np.ndarray, decimals: np.ndarray) -> np.ndarray:
    """Return values rounded to decimals (broadcast), equal decimals as one and the same double.

    0.3 - 0.1 and 0.2 differ in their last bit; as scores of a table they are the same. A whole number below
    2^53 times or over a power of ten below 10^23 is rounded once, so that the double depends only on the
    decimal, not on how many decimals it was rounded to.
    """
    up = 10.0 ** np.clip(decimals, 0, _MOST_DECIMALS)
    down = 10.0 ** np.clip(-decimals, 0, _MOST_DECIMALS)
    with np.errstate(over="ignore", invalid="ignore"):
        rounded = np.rint(values * up / down) * down / up
    return np.where(np.isfinite(rounded), rounded, values) + 0.0


def task_decimals(values: np.ndarray) -> np.ndarray:
    """How many decimals of each task's values count? Shape (tasks,); `DIGITS` from its largest value on."""
    with np.errstate(divide="ignore"):
        largest = np.nanmax(np.abs(values), axis=1, initial=0.0)
        exponent = np.floor(np.log10(np.where(largest > 0, largest, 1.0)))
    return DIGITS - 1 - exponent
