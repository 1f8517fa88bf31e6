"""A whole task encoded: every instance's training and test cases as texts or arrays.

Text comes first: the arrays hold what the text gives back, so a method sees the same numbers whether it
reads files or calls `encoded_task`. Source: DELVE manual, sections 6.2, 7.3 and 7.4.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from delvecore.encoding.codings import code_of, column_names, task_codings
from delvecore.encoding.instances import Instance
from delvecore.encoding.normalization import Constants, training_constants
from delvecore.encoding.plain_numbers import normalized_columns, plain_attributes, plain_constants
from delvecore.encoding.prototask_cases import PrototaskCases, column_at, prototask_cases
from delvecore.encoding.task_instances import task_instances
from delvecore.encoding.transformations import transformed_column
from delvecore.errors import Fault
from delvecore.model import Attribute, Coding, Dataset, Prior, Prototask, Task
from delvecore.numerals.text_columns import numbers_of
from delvecore.readers.cases import Column
from delvecore.readers.hierarchy import Hierarchy

__all__ = [
    "EncodedInstance",
    "EncodedTask",
    "TaskPlan",
    "encode_instance",
    "encoded_task",
    "encoded_texts",
    "plan_task",
]


@dataclass(frozen=True)
class TaskPlan:
    """All that is needed to encode the instances of a task one by one.

    cases: the prototask's cases; codings: by attribute number, inputs then targets.
    """

    task: Task
    cases: PrototaskCases
    prior: Prior
    codings: dict[int, Coding]
    instances: list[Instance]

    @property
    def inputs(self) -> tuple[int, ...]:
        return self.cases.prototask.inputs

    @property
    def targets(self) -> tuple[int, ...]:
        return self.cases.prototask.targets

    @cached_property
    def columns(self) -> dict[int, Column]:
        """The columns to encode: those of the cases, transformed where the prototask says so."""
        return {number: transformed_column(self.cases, number) for number in self.cases.columns}

    @cached_property
    def attributes(self) -> dict[int, Attribute]:
        """The attributes that are encoded, by number."""
        return {number: self.cases.dataset.attribute(number) for number in self.codings}

    @cached_property
    def plain(self) -> frozenset[int]:
        """The numbers of the integer and real attributes whose values are all known numbers."""
        return plain_attributes(self)

    def names(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """Return the names of the encoded columns of some attributes."""
        attributes = [(self.attributes[number], self.codings[number]) for number in numbers]
        return tuple(name for pair in attributes for name in column_names(*pair))

    def constants(self, instance: Instance) -> dict[int, Constants]:
        """Return the normalisation constants of each integer or real attribute, by ascending number.

        Missing and censored values are left out; an attribute without any known value has no constants.
        """
        found = dict(plain_constants(self, instance.training))
        for number in sorted(self.codings.keys() - found.keys()):
            column = self.columns[number]
            values = column.numbers[instance.training]
            known = np.isfinite(values) & (column.censored[instance.training] == 0)
            if self.prior.line(number).type in ("integer", "real") and known.any():
                found[number] = training_constants(values[known])
        return dict(sorted(found.items()))

    def texts(
        self,
        numbers: Sequence[int],
        positions: np.ndarray,
        constants: dict[int, Constants],
        training: np.ndarray,
    ) -> list[Sequence[str]]:
        """Return the columns of text that encode some attributes of the cases at these positions.

        constants, training: of the instance; the values of its training cases may replace missing ones.
        """
        case_numbers = self.cases.case_numbers[positions]
        together = normalized_columns(self, numbers, positions, constants)
        columns: list[Sequence[str]] = []
        for number in numbers:
            if number in together:
                columns.append(together[number])
                continue
            column, known = self.columns[number], constants.get(number)
            code = code_of(self.attributes[number], self.codings[number])
            columns += code.encode(
                column_at(column, positions),
                known,
                case_numbers,
                training=partial(column_at, column, training),
            )
        return columns


@dataclass(frozen=True)
class EncodedInstance:
    """One task instance in numbers: float64 arrays of shape (cases, columns), as the files give them.

    normalization: constants by attribute number; constants of the instance's own training set.
    """

    instance: Instance
    train_inputs: np.ndarray
    train_targets: np.ndarray
    test_inputs: np.ndarray
    test_targets: np.ndarray
    normalization: dict[int, Constants]


@dataclass(frozen=True)
class EncodedTask:
    """A task in numbers: names of the columns of inputs and targets, and its instances in order."""

    plan: TaskPlan
    input_names: tuple[str, ...]
    target_names: tuple[str, ...]
    instances: list[EncodedInstance]

    @property
    def task(self) -> Task:
        return self.plan.task

    @property
    def codings(self) -> dict[int, Coding]:
        return self.plan.codings


def plan_task(
    hierarchy: Hierarchy,
    cases: PrototaskCases,
    prior: Prior,
    training_size: int,
    *,
    codings: dict[int, Coding] | None = None,
) -> TaskPlan:
    """Return the TaskPlan for a prototask's cases, a prior and a training set size.

    hierarchy: where a file of the task's instances is looked for; codings: by attribute number, in place of
    default codings. Raises DelveError for a coding that does not suit its attribute and for too few cases.
    """
    dataset, prototask = cases.dataset, cases.prototask
    task = Task(dataset.name, prototask.name, prior.name, training_size)
    try:
        chosen = task_codings(dataset, prototask, prior, codings)
    except ValueError as error:
        expected, found = error.args
        raise Fault(task.path, expected, found, "correct the coding") from None
    return TaskPlan(task, cases, prior, chosen, task_instances(hierarchy, cases, task))


def encode_instance(plan: TaskPlan, instance: Instance) -> EncodedInstance:
    """Return one instance as arrays. Raises DelveError for values that its codings cannot encode, words
    that are no numbers under `copy` among them."""
    constants = plan.constants(instance)
    train_inputs, train_targets, test_inputs, test_targets = (
        _floats(plan, numbers, positions, constants, instance)
        for positions in (instance.training, instance.test)
        for numbers in (plan.inputs, plan.targets)
    )
    return EncodedInstance(
        instance, train_inputs, train_targets, test_inputs, test_targets, normalization=constants
    )


def encoded_task(
    hierarchy: Hierarchy,
    dataset: Dataset,
    prototask: Prototask,
    prior: Prior,
    training_size: int,
    *,
    codings: dict[int, Coding] | None = None,
    cases: PrototaskCases | None = None,
) -> EncodedTask:
    """Return a task with every instance as arrays, equal to what the files of `mgendata` hold.

    codings: by attribute number, in place of default codings; cases: the prototask's cases where they
    were read before. Raises DelveError (ParseError for a bad file).
    """
    cases = cases or prototask_cases(hierarchy, dataset, prototask)
    plan = plan_task(hierarchy, cases, prior, training_size, codings=codings)
    instances = [encode_instance(plan, instance) for instance in plan.instances]
    return EncodedTask(plan, plan.names(plan.inputs), plan.names(plan.targets), instances)


def _floats(
    plan: TaskPlan,
    numbers: Sequence[int],
    positions: np.ndarray,
    constants: dict[int, Constants],
    instance: Instance,
) -> np.ndarray:
    columns = encoded_texts(plan, numbers, positions, constants, instance)
    try:
        values = [numbers_of(texts) for texts in columns]
    except ValueError:
        expected = f"numbers in every column of {' '.join(plan.names(numbers))}"
        raise Fault(plan.task.path, expected, "words", "code copied and marked values otherwise") from None
    if not values:
        return np.empty((len(positions), 0))
    return np.ascontiguousarray(np.array(values).T)


def encoded_texts(
    plan: TaskPlan,
    numbers: Sequence[int],
    positions: np.ndarray,
    constants: dict[int, Constants],
    instance: Instance,
) -> list[Sequence[str]]:
    """Return `plan.texts(...)`; a DelveError names the task and the instance."""
    try:
        return plan.texts(numbers, positions, constants, instance.training)
    except Fault as error:
        raise error.within(f"{plan.task.path} instance {instance.number}") from None
