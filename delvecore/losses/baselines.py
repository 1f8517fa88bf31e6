"""Standardizers of the losses of a task: statistics of the targets of all test cases.

They are the losses of a method that ignores the inputs. Source: DELVE manual, section 8.3 (standardized
values), with the definitions of DELVE 1.1. For specialized losses and each target, the baseline makes the
constant guess with the lowest loss on all test cases. It makes no guess if that is permitted and costs
less."""

import math
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import TypeVar

import numpy as np

from delvecore.encoding.instances import Instance, test_union, test_weights
from delvecore.encoding.prototask_cases import PrototaskCases, column_at, held_cases
from delvecore.encoding.task_instances import task_instances
from delvecore.losses.functions import LOSS_FUNCTIONS, least_expected_loss, read_loss_matrix, squared_error
from delvecore.losses.spec import known_loss
from delvecore.losses.standard_losses import LOSS_SPECS, Loss
from delvecore.model import CATEGORICAL_TYPES, Prior
from delvecore.number_format.numbers import plain_category, round_number
from delvecore.readers.cases import Column
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import read_task

Value = TypeVar("Value", bound=Hashable)
RECORDED_PI = 3.14159265  # DELVE 1.1 worked with 9 digits; its values of L are reproduced with this one


def test_set_statistics(
    cases: PrototaskCases, prior: Prior, instances: Sequence[Instance]
) -> dict[str, tuple[float | None, ...]]:
    """Return {loss: its statistic for each target}, None if it is undefined.

    It is computed from the test cases of all instances, with their weights. S: variance (divisor n - 1), A:
    absolute deviation about the median (n - 1), Z: share of cases without the most common value, Q: one minus
    the sum of squared shares, L: the number to add to a raw loss to standardize it."""
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
    return {loss: tuple(one[loss] for one in statistics) for loss in LOSS_SPECS}


vars(test_set_statistics)["__test__"] = False  # its name means something else to pytest


def target_statistics(
    column: Column, kind: str, weights: np.ndarray | None = None, categories: Collection[str] = ()
) -> dict[str, float | None]:
    """Return {loss: statistic or None} for the values of one target of a type such as `real`.

    weights: weights of the cases with mean 1, None for equal weights; categories: values of a categorical
    target, because `3.0` equals `3` in an integer range. Missing and censored values do not count. L of an
    integer target is that of a discrete target. Spreads need two values, and L of a real target needs a
    positive variance.
    """
    known = ~column.missing & (column.censored == 0)
    weights = None if weights is None else weights[known]
    if kind in CATEGORICAL_TYPES:
        values = dict.fromkeys(categories)
        pairs = zip(column.words, known, strict=True)
        words = [plain_category(word, values) for word, counts in pairs if counts]
        shares = _shares(words, weights)
        return {letter: _of_shares(spec, kind, shares) for letter, spec in LOSS_SPECS.items()}
    numbers = column.numbers[known]
    shares = _shares(numbers.tolist(), weights) if kind == "integer" else []
    return {
        letter: _of_shares(spec, kind, shares)
        if spec.point == "mode" or (shares and spec.is_logarithmic)
        else _of_numbers(spec, kind, numbers, weights)
        for letter, spec in LOSS_SPECS.items()
    }


def weighted_counts(values: Sequence[Value], weights: np.ndarray | None) -> dict[Value, float]:
    """Return the sum of weights of each value, or its count without weights."""
    if weights is None:
        return dict(Counter(values))
    counts: dict[Value, list[float]] = {}
    for value, weight in zip(values, weights.tolist(), strict=True):
        counts.setdefault(value, []).append(weight)
    return {value: math.fsum(parts) for value, parts in counts.items()}


def _shares(values: Sequence[Hashable], weights: np.ndarray | None) -> list[float]:
    counts = weighted_counts(values, weights).values()
    total = sum(counts)
    return [count / total for count in counts]


def _of_shares(loss: Loss, kind: str, shares: Sequence[float]) -> float | None:
    is_defined = shares and kind in loss.types
    return loss.share_statistic(shares) if loss.share_statistic and is_defined else None


def _of_numbers(loss: Loss, kind: str, numbers: np.ndarray, weights: np.ndarray | None) -> float | None:
    """Return the spread about the best constant guess (divisor n - 1), or a Gaussian's log probability."""
    if len(numbers) < 2 or kind not in loss.types or not (loss.point or loss.is_logarithmic):
        return None
    one, degrees = 1.0 if weights is None else weights, len(numbers) - 1
    if loss.point == "median":
        center = np.median(numbers) if weights is None else _weighted_median(numbers, weights)
    else:
        center = math.fsum(one * numbers) / len(numbers)
    function = LOSS_FUNCTIONS[loss.key] if loss.point else squared_error
    columns = np.full((len(numbers), 1), center), numbers[:, np.newaxis]
    spread = math.fsum(one * function(*columns)) / degrees
    if loss.point:
        return spread
    return -(math.log(2 * RECORDED_PI * spread) + 1) / 2 if spread > 0 else None


def _weighted_median(numbers: np.ndarray, weights: np.ndarray) -> float:
    """Return the value with half of the weight on either side, or the mean of two such values."""
    order = np.argsort(numbers, kind="stable")
    numbers, above = numbers[order], np.cumsum(weights[order])
    half = above[-1] / 2
    place = int(np.searchsorted(above, half * (1 - 1e-12)))
    after = min(place + 1, len(numbers) - 1)
    median: float = (
        (numbers[place] + numbers[after]) / 2 if math.isclose(above[place], half) else numbers[place]
    )
    return median


def task_constants(
    hierarchy: Hierarchy, dataset: str, prototask: str, task: str, losses: Iterable[str]
) -> dict[str, float]:
    """Return `baseline_losses` of a task by names. Raises DelveError if the task's data or a loss matrix
    cannot be read."""
    described, specified, prior, task_spec = read_task(hierarchy, dataset, prototask, task)
    cases = held_cases(hierarchy, described, specified)
    instances = task_instances(hierarchy, cases, task_spec)
    return baseline_losses(hierarchy, cases, prior, instances, losses)


def baseline_losses(
    hierarchy: Hierarchy,
    cases: PrototaskCases,
    prior: Prior,
    instances: Sequence[Instance],
    losses: Iterable[str],
) -> dict[str, float]:
    """Return {loss: standardizer}, without undefined ones, rounded as in a file.

    hierarchy: place of loss matrices. Raises DelveError if a matrix cannot be read."""
    statistics = test_set_statistics(cases, prior, instances)
    constants = {}
    for loss in map(known_loss, losses):
        if loss.matrix:
            constant = _matrix_constant(loss, hierarchy, cases, instances)
        else:
            constant = loss.constant(statistics[loss.letter or ""])
        if constant is not None:
            constants[loss.key] = round_number(constant)
    return constants


def _matrix_constant(
    loss: Loss, hierarchy: Hierarchy, cases: PrototaskCases, instances: Sequence[Instance]
) -> float | None:
    (number,) = cases.prototask.targets
    target = cases.dataset.attribute(number)
    matrix = read_loss_matrix(hierarchy, cases.prototask, target, loss.key)
    column = column_at(cases.columns[number], test_union(instances))
    known = ~column.missing & (column.censored == 0)
    words = [word for word, counts in zip(column.words, known, strict=True) if counts]
    plain = [plain_category(word, matrix.values) for word in words]
    weights = test_weights(instances)
    return least_expected_loss(matrix, weighted_counts(plain, None if weights is None else weights[known]))
