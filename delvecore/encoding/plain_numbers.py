"""The common case, quickly: attributes whose values are all known numbers, encoded many at a time.

What these functions give is what `training_constants` and the codings give for one attribute.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from delvecore.encoding.codings import is_normalized
from delvecore.encoding.normalization import Constants, constants_of_columns
from delvecore.numerals.text_columns import NumberColumn
from delvecore.readers.cases import Column

if TYPE_CHECKING:
    from delvecore.encoding.encode import TaskPlan

__all__ = ["normalized_columns", "plain_attributes", "plain_constants"]

OPTIONS = {"scale", "center", "transform"}
"""Options of these codings that ask for nothing but normalized numbers."""
LARGEST = 1 << 19
"""How many numbers are put together at most: 4 megabytes, and some times as much to compute with."""


def plain_attributes(plan: TaskPlan) -> frozenset[int]:
    """Return the numbers of a TaskPlan's integer and real attributes without missing or censored values."""
    return frozenset(
        number
        for number in plan.codings
        if plan.prior.line(number).type in ("integer", "real") and _is_plain(plan.columns[number])
    )


def _is_plain(column: Column) -> bool:
    if np.any(column.missing) or np.any(column.censored):
        return False
    starts = range(0, len(column.numbers), LARGEST)
    return all(np.isfinite(column.numbers[start : start + LARGEST]).all() for start in starts)


def plain_constants(plan: TaskPlan, training: np.ndarray) -> Iterable[tuple[int, Constants]]:
    """Yield (attribute number, Constants) of the plain attributes; training: positions of the cases."""
    numbers = sorted(plan.plain)
    width = max(LARGEST // max(len(training), 1), 1)
    for start in range(0, len(numbers), width):
        chosen = numbers[start : start + width]
        yield from zip(chosen, constants_of_columns(_matrix(plan, chosen, training)), strict=True)


def normalized_columns(
    plan: TaskPlan, numbers: Iterable[int], positions: np.ndarray, constants: dict[int, Constants]
) -> dict[int, NumberColumn]:
    """Return {number: its encoded column} of those attributes that are plain, vary, and are normalized."""
    chosen = [number for number in numbers if _is_normalized(plan, number, constants)]
    if not chosen:
        return {}
    codings = [plan.codings[number] for number in chosen]
    facts = [
        (*constants[coded].centre_and_scale(coding.coding), float(coding.option("center") or 0.0))
        for coded, coding in zip(chosen, codings, strict=True)
    ]
    centre, scale, shift = np.array(facts).T
    values = (_matrix(plan, chosen, positions) - centre) / scale + shift
    return {number: NumberColumn(values[:, place]) for place, number in enumerate(chosen)}


def _is_normalized(plan: TaskPlan, number: int, constants: dict[int, Constants]) -> bool:
    coding = plan.codings[number]
    if number not in plan.plain or not is_normalized(coding):
        return False
    varies = constants[number].centre_and_scale(coding.coding)[1] != 0
    return varies and OPTIONS.issuperset(name for name, _ in coding.options)


def _matrix(plan: TaskPlan, numbers: Sequence[int], positions: np.ndarray) -> np.ndarray:
    """Return the values of some attributes: float64, shape (cases, attributes)."""
    matrix = np.empty((len(positions), len(numbers)))
    for place, number in enumerate(numbers):
        matrix[:, place] = plan.columns[number].numbers[positions]
    return matrix
