"""What standardises the losses of a task: statistics of all the targets that its instances test on.

Source: DELVE manual, section 8.3 (standardised values); the definitions of DELVE 1.1.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

import numpy as np

from delvecore.encoding.attribute_codes import plain_category
from delvecore.encoding.instances import test_union, test_weights
from delvecore.encoding.prototask_cases import PrototaskCases, column_at
from delvecore.model import CATEGORICAL_TYPES, Prior
from delvecore.readers.cases import Column

__all__ = ["FILE_ORDER", "target_statistics", "test_set_statistics", "weighted_counts"]

FILE_ORDER = "LQAZS"
RECORDED_PI = 3.14159265  # DELVE 1.1 worked with 9 digits; its values of L are reproduced with this one


def test_set_statistics(
    cases: PrototaskCases, prior: Prior, instances
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
            column_at(column, positions), prior.line(target.number).type, weights, target.range.categories
        )
        for target, column in cases.attribute_columns(cases.prototask.targets)
    ]
    return {loss: tuple(one[loss] for one in statistics) for loss in FILE_ORDER}


test_set_statistics.__test__ = False  # its name means something else to pytest


def target_statistics(
    column: Column, kind: str, weights: np.ndarray | None = None, categories: Collection[str] = ()
) -> dict[str, float | None]:
    """Return {loss: statistic or None} for the values of one target of a type such as `real`.

    weights: of the cases, of mean 1; None where all count alike; categories: the values of a categorical
    target, for `3.0` is the same as `3` in an integer range. Missing and censored values are left out.
    Spreads need two values, and L of a numeric target a positive variance.
    """
    known = ~column.missing & (column.censored == 0)
    statistics = dict.fromkeys(FILE_ORDER)
    weights = None if weights is None else weights[known]
    if kind in CATEGORICAL_TYPES:
        values = dict.fromkeys(categories)
        pairs = zip(column.words, known, strict=True)
        words = [plain_category(word, values) for word, counts in pairs if counts]
        return statistics | _categorical(weighted_counts(words, weights).values())
    numbers = column.numbers[known]
    if kind == "integer":
        statistics["Z"] = _categorical(weighted_counts(numbers.tolist(), weights).values()).get("Z")
    spreads = _numeric(numbers, weights)
    if kind == "angular":
        return statistics | {"L": spreads.get("L")}
    return statistics | spreads


def weighted_counts(values: Sequence, weights: np.ndarray | None) -> dict[object, float]:
    """Return {value: how often it is there}, each time counting as much as its weight (None: 1)."""
    if weights is None:
        return Counter(values)
    counts = {}
    for value, weight in zip(values, weights.tolist(), strict=True):
        counts.setdefault(value, []).append(weight)
    return {value: math.fsum(found) for value, found in counts.items()}


def _categorical(counts: Iterable[float]):
    total = sum(counts)
    if not total:
        return {}
    shares = [count / total for count in counts]
    return {
        "Z": 1 - max(shares),
        "Q": 1 - math.fsum(share * share for share in shares),
        "L": math.fsum(share * math.log(share) for share in shares),
    }


def _numeric(numbers, weights=None):
    if len(numbers) < 2:
        return {}
    degrees = len(numbers) - 1
    one = 1.0 if weights is None else weights
    mean = math.fsum(one * numbers) / len(numbers)
    median = np.median(numbers) if weights is None else _weighted_median(numbers, weights)
    variance = math.fsum(one * (numbers - mean) ** 2) / degrees
    deviation = math.fsum(one * np.abs(numbers - median)) / degrees
    found = {"S": variance, "A": deviation}
    if variance > 0:
        found["L"] = -(math.log(2 * RECORDED_PI * variance) + 1) / 2
    return found


def _weighted_median(numbers, weights):
    """Return the value with half of the weight on either side, the middle of two if both will do."""
    order = np.argsort(numbers, kind="stable")
    numbers, above = numbers[order], np.cumsum(weights[order])
    half = above[-1] / 2
    place = int(np.searchsorted(above, half * (1 - 1e-12)))
    after = min(place + 1, len(numbers) - 1)
    return (numbers[place] + numbers[after]) / 2 if math.isclose(above[place], half) else numbers[place]
