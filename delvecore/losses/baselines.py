"""What standardizes the losses of a task, from its data: the losses of a method that ignores the inputs.

Source: DELVE manual, section 8.3. Specialised losses follow its idea: the baseline makes, for each target,
the constant guess that loses least on the targets of all test cases, or no guess where that is allowed and
costs less.
"""

from collections.abc import Iterable, Mapping, Sequence

from delvecore.encoding.instances import Instance, test_union, test_weights
from delvecore.encoding.prototask_cases import PrototaskCases, column_at, prototask_cases
from delvecore.encoding.task_instances import task_instances
from delvecore.losses.matrices import least_expected_loss, read_loss_matrix
from delvecore.losses.spec import Loss, known_loss
from delvecore.losses.test_set_stats import test_set_statistics, weighted_counts
from delvecore.model import Prior
from delvecore.numerals.numbers import plain_category, round_number
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import read_task

__all__ = ["baseline_losses", "task_constants"]


def task_constants(
    hierarchy: Hierarchy, dataset: str, prototask: str, task: str, losses: Iterable[str]
) -> dict[str, float]:
    """Return {loss: what standardizes it} of a task by names, as `baseline_losses` does.

    Raises DelveError where the task's data or a loss matrix cannot be read.
    """
    described, specified, prior, found = read_task(hierarchy, dataset, prototask, task)
    cases = prototask_cases(hierarchy, described, specified)
    instances = task_instances(hierarchy, cases, found)
    return baseline_losses(hierarchy, cases, prior, instances, losses)


def baseline_losses(
    hierarchy: Hierarchy,
    cases: PrototaskCases,
    prior: Prior,
    instances: Sequence[Instance],
    losses: Iterable[str],
) -> dict[str, float]:
    """Return {loss: what standardizes it}, without those that the targets leave undefined.

    Numbers are rounded as a file would have them. hierarchy: where loss matrices are looked for. Raises
    DelveError where one cannot be read.
    """
    statistics = test_set_statistics(cases, prior, instances)
    constants = {
        loss: _constant(known_loss(loss), statistics, hierarchy, cases, instances) for loss in losses
    }
    return {loss: round_number(value) for loss, value in constants.items() if value is not None}


def _constant(
    loss: Loss,
    statistics: Mapping[str, Sequence[float | None]],
    hierarchy: Hierarchy,
    cases: PrototaskCases,
    instances: Sequence[Instance],
) -> float | None:
    if loss.matrix:
        return _matrix_constant(loss, hierarchy, cases, instances)
    values = statistics[loss.letter or ""]
    known = [value for value in values if value is not None]
    return loss.constant(known) if known and len(known) == len(values) else None


def _matrix_constant(
    loss: Loss, hierarchy: Hierarchy, cases: PrototaskCases, instances: Sequence[Instance]
) -> float | None:
    (number,) = cases.prototask.targets
    target = cases.dataset.attribute(number)
    matrix = read_loss_matrix(hierarchy, cases.prototask, target, loss.name)
    column = column_at(cases.columns[number], test_union(instances))
    known = ~column.missing & (column.censored == 0)
    words = [word for word, counts in zip(column.words, known, strict=True) if counts]
    plain = [plain_category(word, matrix.values) for word in words]
    weights = test_weights(instances)
    return least_expected_loss(matrix, weighted_counts(plain, None if weights is None else weights[known]))
