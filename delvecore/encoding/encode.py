"""Encoded training and test cases of the instances of a task, as texts or arrays.

Arrays are parsed from the texts, so a method sees the same numbers whether it reads files or arrays. The
codings of `suited` mark or copy values that DELVE's default codings refuse. This goes beyond the manual, and
`Coding-used` records it. Source: DELVE manual, sections 6.2, 7.3 and 7.4."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from delvecore.encoding.codes import CODES
from delvecore.encoding.codings import code_of, column_names, task_codings
from delvecore.encoding.instances import Instance
from delvecore.encoding.normalization import Constants, training_constants
from delvecore.encoding.prototask_cases import PrototaskCases, case_table, column_at
from delvecore.encoding.task_instances import task_instances
from delvecore.encoding.transformations import transformed_column
from delvecore.errors import Fault
from delvecore.model import Attribute, Coding, Prior, Task
from delvecore.number_format.columns import numbers_of
from delvecore.readers.cases import Column
from delvecore.readers.hierarchy import Hierarchy

if TYPE_CHECKING:
    import pandas as pd

NUMBERS = ("integer", "real")


@dataclass(frozen=True)
class TaskPlan:
    """Specification, cases and codings for encoding the instances of a task.

    Attributes
    ----------
    cases : PrototaskCases
        The prototask's cases.
    codings : dict of int to Coding
        Codings by attribute number, inputs then targets.
    passes_over : bool
        Whether incomplete targets are allowed. Training cases without targets are then omitted. Missing
        targets of test cases are replaced by those of the first training case; no loss counts these cases.
    """

    task: Task
    cases: PrototaskCases
    prior: Prior
    codings: dict[int, Coding]
    instances: list[Instance]
    passes_over: bool = False

    @property
    def inputs(self) -> tuple[int, ...]:
        return self.cases.prototask.inputs

    @property
    def targets(self) -> tuple[int, ...]:
        return self.cases.prototask.targets

    @cached_property
    def of_targets(self) -> "TaskPlan":
        """The plan that encodes the targets alone."""
        return replace(self, codings={number: self.codings[number] for number in self.targets})

    @cached_property
    def input_frame(self) -> "pd.DataFrame":
        """The original inputs of all cases, categories with a categorical type."""
        columns = {number: self.cases.columns[number] for number in self.inputs}
        return case_table(self.cases.dataset, columns, self.prior).to_pandas()

    @cached_property
    def columns(self) -> dict[int, Column]:
        """The columns of the cases, after the transformations of the prototask."""
        return {number: transformed_column(self.cases, number) for number in self.cases.columns}

    @cached_property
    def attributes(self) -> dict[int, Attribute]:
        """The attributes that are encoded, by number."""
        return {number: self.cases.dataset.attribute(number) for number in self.codings}

    def names(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """Return the names of the encoded columns of some attributes."""
        attributes = [(self.attributes[number], self.codings[number]) for number in numbers]
        return tuple(name for pair in attributes for name in column_names(*pair))

    def constants(self, instance: Instance) -> dict[int, Constants]:
        """Return the normalization constants of integer and real attributes, and of angles whose coding needs
        them, by number. Missing and censored values do not count; an attribute without known values has no
        constants."""
        constants = dict[int, Constants]()
        for number, coding in self.codings.items():
            if self.prior.line(number).type not in NUMBERS and not CODES[coding.coding].is_normalized:
                continue
            values = _known_numbers(self.columns[number], instance.training)
            if len(values):
                constants[number] = training_constants(values)
        return constants

    def texts(
        self,
        numbers: Sequence[int],
        positions: np.ndarray,
        constants: dict[int, Constants],
        training: np.ndarray,
    ) -> list[Sequence[str]]:
        """Return the columns of text that encode some attributes of the cases at these positions.

        constants, training: those of the instance. Its training cases may replace missing values."""
        case_numbers = self.cases.case_numbers[positions]
        columns: list[Sequence[str]] = []
        for number in numbers:
            column, known = self.columns[number], constants.get(number)
            code = code_of(self.attributes[number], self.codings[number])
            columns += code.encode(
                column_at(column, positions),
                known,
                case_numbers,
                training=partial(column_at, column, training),
            )
        return columns


def plan_task(
    hierarchy: Hierarchy,
    cases: PrototaskCases,
    prior: Prior,
    training_size: int,
    *,
    codings: dict[int, Coding] | None = None,
    strict: bool = False,
) -> TaskPlan:
    """Return the TaskPlan for a prototask's cases, a prior and a training set size.

    hierarchy: directories to search for a file with the task's instances; codings: replacements of default
    codings, by attribute number; strict: see `delvecore.encoding.codings.check_coding`. Raises DelveError for
    an unsuitable coding and for too few cases."""
    dataset, prototask = cases.dataset, cases.prototask
    task = Task(dataset.name, prototask.name, prior.name, training_size)
    try:
        chosen = task_codings(dataset, prototask, prior, codings, strict=strict)
    except ValueError as error:
        expected, actual = error.args
        raise Fault(task.path, expected, actual, "correct the coding") from None
    return TaskPlan(task, cases, prior, chosen, task_instances(hierarchy, cases, task))


def with_targets(plan: TaskPlan, instance: Instance) -> tuple[np.ndarray, np.ndarray]:
    """Return the training cases of an instance, and the cases with the true targets of its test cases.

    They differ from those of the instance if the plan skips incomplete targets. Raises Fault if no
    target of a training case is known."""
    training, true = instance.training, instance.test
    if not plan.passes_over:
        return training, true
    columns = [plan.columns[number] for number in plan.targets]
    for column in columns:
        training = training[~column.missing[training] & (column.censored[training] == 0)]
    if not len(training):
        place = f"{plan.task.path} instance {instance.number}"
        raise Fault(place, "a training case with known targets", "none", "use larger training sets")
    gaps = np.logical_or.reduce([column.missing[true] for column in columns])
    return training, np.where(gaps, training[0], true) if np.any(gaps) else true


def _known_numbers(column: Column, positions: np.ndarray) -> np.ndarray:
    """Return the values at these positions that are neither missing nor censored."""
    values = column.numbers[positions]
    known: np.ndarray = values[np.isfinite(values) & (column.censored[positions] == 0)]
    return known


def validation_rows(instance: Instance, training: np.ndarray) -> np.ndarray:
    """Return the rows (from 0) of the validation cases among the training cases of `with_targets`."""
    return np.flatnonzero(np.isin(training, instance.validation))


def encoded_numbers(
    plan: TaskPlan,
    numbers: Sequence[int],
    positions: np.ndarray,
    *,
    constants: dict[int, Constants],
    instance: Instance,
    marked: bool = False,
) -> np.ndarray:
    """Return the codes of cases as float64, shape (cases, columns).

    marked: whether bounds may have a mark. Raises DelveError for values that the codings cannot encode, and
    for text under `copy`."""
    columns = encoded_texts(plan, numbers, positions, constants, instance)
    try:
        values = [
            numbers_of([text.strip(":") for text in texts] if marked and isinstance(texts, list) else texts)
            for texts in columns
        ]
    except ValueError:
        expected = f"numbers in every column of {' '.join(plan.names(numbers))}"
        raise Fault(plan.task.path, expected, "words", "choose another coding for these values") from None
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


def suited(plan: TaskPlan, *, fixed: Collection[int] = ()) -> TaskPlan:
    """Return a plan whose codings suit the cases of all its instances. fixed: attributes whose codings stay.

    Missing inputs get `missing=indicator`: an extra column of ones and zeros, and in place of the value
    the median of the training cases (zeros for categories). Censored inputs become their bounds
    (`censored=bound`); bounds of targets are marked (`censored=mark`). Numbers that are constant or unknown
    in the training set of some instance are copied."""
    used = np.zeros(plan.cases.count, dtype=bool)
    for instance in plan.instances:
        used[instance.training] = used[instance.test] = True
    codings = {
        number: coding if number in fixed else _suited(plan, number, coding, used)
        for number, coding in plan.codings.items()
    }
    return replace(plan, codings=codings, passes_over=True)


def _suited(plan: TaskPlan, number: int, coding: Coding, used: np.ndarray) -> Coding:
    column = plan.columns[number]
    if CODES[coding.coding].is_normalized and any(
        len(np.unique(_known_numbers(column, one.training))) < 2 for one in plan.instances
    ):
        kept = tuple(pair for pair in coding.options if pair[0] == "transform")
        coding = Coding(coding.attribute, "copy", kept)
    options = code_of(plan.attributes[number], coding).options
    if number in plan.targets:
        is_marked = CODES[coding.coding].is_normalized and column.censored[used].any()
        return _with(coding, "censored", "mark") if is_marked else coding
    is_copied_word = coding.coding == "copy" and plan.prior.line(number).type not in NUMBERS
    if "missing" in options and column.missing[used].any() and not is_copied_word:
        coding = _with(coding, "missing", "indicator")
    if "censored" in options and column.censored[used].any():
        coding = _with(coding, "censored", "bound")
    return coding


def _with(coding: Coding, name: str, value: str) -> Coding:
    """Return a coding with an option, unless it already has this option."""
    return coding if coding.option(name) else coding._replace(options=(*coding.options, (name, value)))
