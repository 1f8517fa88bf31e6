"""What standardises the losses of a task: statistics of all the targets that its instances test on.

Source: DELVE manual, section 8.3 (standardised values); the definitions of DELVE 1.1.
"""

import math
from collections import Counter
from collections.abc import Iterable

import numpy as np

from delvecore.encoding.instances import test_union
from delvecore.encoding.prototask_cases import PrototaskCases, column_at
from delvecore.model import CATEGORICAL_TYPES, Prior
from delvecore.readers.cases import Column

__all__ = ["FILE_ORDER", "target_statistics", "test_set_statistics"]

FILE_ORDER = "LQAZS"
RECORDED_PI = 3.14159265  # DELVE 1.1 worked with 9 digits; its values of L are reproduced with this one


def test_set_statistics(
    cases: PrototaskCases, prior: Prior, instances
) -> dict[str, tuple[float | None, ...]]:
    """Return {loss: its statistic for each target}, None where it has no meaning.

    instances: those of the task; the union of their test cases counts. S: variance (divisor n - 1), A:
    absolute deviation about the median (n - 1), Z: share of cases not of the commonest value, Q: one minus
    the sum of squared shares, L: the number to add to a raw loss to standardise it.
    """
    positions = test_union(instances)
    targets = cases.prototask.targets
    statistics = [
        target_statistics(column_at(cases.columns[number], positions), prior.line(number).type)
        for number in targets
    ]
    return {loss: tuple(one[loss] for one in statistics) for loss in FILE_ORDER}


test_set_statistics.__test__ = False  # its name means something else to pytest


def target_statistics(column: Column, kind: str) -> dict[str, float | None]:
    """Return {loss: statistic or None} for the values of one target of a type such as `real`.

    Missing values are left out. Spreads need two values, and L of a numeric target a positive variance.
    """
    known = ~column.missing
    statistics = dict.fromkeys(FILE_ORDER)
    words = [word for word, counts in zip(column.words, known, strict=True) if counts]
    if kind in CATEGORICAL_TYPES:
        return statistics | _categorical(Counter(words).values())
    numbers = column.numbers[known]
    if kind == "integer":
        statistics["Z"] = _categorical(Counter(numbers.tolist()).values()).get("Z")
    spreads = _numeric(numbers)
    if kind == "angular":
        return statistics | {"L": spreads.get("L")}
    return statistics | spreads


def _categorical(counts: Iterable[int]):
    total = sum(counts)
    if not total:
        return {}
    shares = [count / total for count in counts]
    return {
        "Z": 1 - max(shares),
        "Q": 1 - math.fsum(share * share for share in shares),
        "L": math.fsum(share * math.log(share) for share in shares),
    }


def _numeric(numbers):
    if len(numbers) < 2:
        return {}
    degrees = len(numbers) - 1
    variance = math.fsum((numbers - math.fsum(numbers) / len(numbers)) ** 2) / degrees
    deviation = math.fsum(np.abs(numbers - np.median(numbers))) / degrees
    found = {"S": variance, "A": deviation}
    if variance > 0:
        found["L"] = -(math.log(2 * RECORDED_PI * variance) + 1) / 2
    return found
