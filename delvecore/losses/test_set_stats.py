"""What standardises the losses of a task: statistics of all the targets that its instances test on.

Source: DELVE manual, section 8.3 (standardised values); the definitions of DELVE 1.1.
"""

import math
from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from typing import TypeVar

import numpy as np

from delvecore.encoding.instances import Instance, test_union, test_weights
from delvecore.encoding.prototask_cases import PrototaskCases, column_at
from delvecore.losses.functions import GUESS_FUNCTIONS, SHARE_STATISTICS
from delvecore.losses.spec import FILE_ORDER, LOSS_SPECS, LossSpec
from delvecore.model import CATEGORICAL_TYPES, Prior
from delvecore.numerals.numbers import plain_category
from delvecore.readers.cases import Column

__all__ = ["target_statistics", "test_set_statistics", "weighted_counts"]

Value = TypeVar("Value", bound=Hashable)
RECORDED_PI = 3.14159265  # DELVE 1.1 worked with 9 digits; its values of L are reproduced with this one


def test_set_statistics(
    cases: PrototaskCases, prior: Prior, instances: Sequence[Instance]
) -> dict[str, tuple[float | None, ...]]:
    """Return {loss: its statistic for each target}, None where it has no meaning.

    instances: those of the task; the union of their test cases counts. S: variance (divisor n - 1), A:
    absolute deviation about the median (n - 1), Z: share of cases not of the commonest value, Q: one minus
    the sum of squared shares, L: the number to add to a raw loss to standardise it. Where test cases have
    weights, these count.
    """
    positions, weights = test_union(instances), test_weights(instances)
    statistics = [
        target_statistics(
            column_at(column, positions),
            prior.line(target.number).type,
            weights,
            target.range.categories or (),
        )
        for target, column in cases.attribute_columns(cases.prototask.targets)
    ]
    return {loss: tuple(one[loss] for one in statistics) for loss in FILE_ORDER}


vars(test_set_statistics)["__test__"] = False  # its name means something else to pytest


def target_statistics(
    column: Column, kind: str, weights: np.ndarray | None = None, categories: Collection[str] = ()
) -> dict[str, float | None]:
    """Return {loss: statistic or None} for the values of one target of a type such as `real`.

    weights: of the cases, of mean 1; None where all count alike; categories: the values of a categorical
    target, for `3.0` is the same as `3` in an integer range. Missing and censored values are left out.
    Spreads need two values, and L of a numeric target a positive variance.
    """
    known = ~column.missing & (column.censored == 0)
    weights = None if weights is None else weights[known]
    if kind in CATEGORICAL_TYPES:
        values = dict.fromkeys(categories)
        pairs = zip(column.words, known, strict=True)
        words = [plain_category(word, values) for word, counts in pairs if counts]
        shares = _shares(words, weights)
        return {loss: _of_shares(LOSS_SPECS[loss], kind, shares) for loss in FILE_ORDER}
    numbers = column.numbers[known]
    shares = _shares(numbers.tolist(), weights) if kind == "integer" else []
    return {
        loss: _of_shares(LOSS_SPECS[loss], kind, shares)
        if LOSS_SPECS[loss].point == "mode"
        else _of_numbers(LOSS_SPECS[loss], kind, numbers, weights)
        for loss in FILE_ORDER
    }


def weighted_counts(values: Sequence[Value], weights: np.ndarray | None) -> dict[Value, float]:
    """Return {value: how often it is there}, each time counting as much as its weight (None: 1)."""
    if weights is None:
        return dict(Counter(values))
    counts: dict[Value, list[float]] = {}
    for value, weight in zip(values, weights.tolist(), strict=True):
        counts.setdefault(value, []).append(weight)
    return {value: math.fsum(found) for value, found in counts.items()}


def _shares(values: Sequence[Hashable], weights: np.ndarray | None) -> list[float]:
    counts = weighted_counts(values, weights).values()
    total = sum(counts)
    return [count / total for count in counts]


def _of_shares(spec: LossSpec, kind: str, shares: Sequence[float]) -> float | None:
    return SHARE_STATISTICS[spec.letter](shares) if shares and kind in spec.types else None


def _of_numbers(spec: LossSpec, kind: str, numbers: np.ndarray, weights: np.ndarray | None) -> float | None:
    """Return the spread about the constant guess that loses least (divisor n - 1), or for a log probability
    that of a Gaussian."""
    if len(numbers) < 2 or kind not in spec.types or not (spec.point or spec.is_logarithmic):
        return None
    one, degrees = 1.0 if weights is None else weights, len(numbers) - 1
    if spec.point == "median":
        centre = np.median(numbers) if weights is None else _weighted_median(numbers, weights)
    else:
        centre = math.fsum(one * numbers) / len(numbers)
    function = GUESS_FUNCTIONS[spec.letter if spec.point else "S"]
    columns = np.full((len(numbers), 1), centre), numbers[:, np.newaxis]
    spread = math.fsum(one * function(*columns)) / degrees
    if spec.point:
        return spread
    return -(math.log(2 * RECORDED_PI * spread) + 1) / 2 if spread > 0 else None


def _weighted_median(numbers: np.ndarray, weights: np.ndarray) -> float:
    """Return the value with half of the weight on either side, the middle of two if both will do."""
    order = np.argsort(numbers, kind="stable")
    numbers, above = numbers[order], np.cumsum(weights[order])
    half = above[-1] / 2
    place = int(np.searchsorted(above, half * (1 - 1e-12)))
    after = min(place + 1, len(numbers) - 1)
    return (numbers[place] + numbers[after]) / 2 if math.isclose(above[place], half) else numbers[place]
