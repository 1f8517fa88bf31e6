"""The protocol of learning methods: a task, one instance in numbers, and predictions.

Source: DELVE manual, sections 5.1 (predictions), 7.3 (codings) and 7.5 (prediction files)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np

from delvecore.encoding.codings import category_codes, center_and_scale
from delvecore.encoding.normalization import Constants
from delvecore.losses.spec import allowed_losses
from delvecore.model import CATEGORICAL_TYPES, Attribute, Coding, Dataset, Prior, PriorLine, Prototask, Task

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class TaskView:
    """Specifications of a task, which a method receives before any case."""

    dataset: Dataset
    prototask: Prototask
    prior: Prior
    task: Task

    def described(self, numbers: Iterable[int]) -> list[tuple[Attribute, PriorLine]]:
        """Return (Attribute, PriorLine) for attribute numbers, in their order."""
        return [(self.dataset.attribute(number), self.prior.line(number)) for number in numbers]

    @property
    def inputs(self) -> list[tuple[Attribute, PriorLine]]:
        return self.described(self.prototask.inputs)

    @property
    def targets(self) -> list[tuple[Attribute, PriorLine]]:
        return self.described(self.prototask.targets)

    @property
    def losses(self) -> str:
        """The letters of the losses that the targets allow."""
        return allowed_losses(self.prototask, self.prior)


@dataclass(frozen=True)
class CodedAttribute:
    """One attribute as a method sees it.

    Attributes
    ----------
    kind : str
        Type in the prior.
    columns : slice
        Columns of the inputs (or targets) that it fills.
    constants : Constants or None
        Constants of the instance's training set, None if they have no meaning.
    """

    attribute: Attribute
    kind: str
    coding: Coding
    columns: slice
    constants: Constants | None

    @property
    def is_categorical(self) -> bool:
        return self.kind in CATEGORICAL_TYPES

    @cached_property
    def codes(self) -> np.ndarray:
        """The codes of a categorical attribute's values in their order: shape (values, columns)."""
        codes = category_codes(self.attribute, self.coding)
        return np.array([[float(text) for text in code] for code in codes.values()])

    @property
    def center_and_scale(self) -> tuple[float, float]:
        """Value of the coded number zero, and size of a coded step of one, for a linear coding."""
        linear = center_and_scale(self.coding, self.constants)
        if linear is None:
            raise ValueError(f"{self.attribute.name}: expected normalization constants, found none")
        center, scale = linear
        return center - scale * float(self.coding.option("center") or 0.0), scale


@dataclass(frozen=True)
class LearningInstance:
    """One task instance in numbers: float64 arrays of shape (cases, columns), as in the files.

    The only purpose of test_targets is the density that a method predicts for them.

    Attributes
    ----------
    bounds : array
        Censoring as int8, shape (test cases, targets): 1 if a true target is at least the value in
        test_targets, -1 if it is at most that value, otherwise 0. A bound counts by the probability of all
        values at or beyond it.
    validation : array
        Rows (from 0) of the training cases for validation. Most tasks have none. A method may also learn from
        them.
    frames : tuple[pandas.DataFrame, pandas.DataFrame] or None
        Inputs of training and test cases in their original form, for a method that requires it (`inputs_of`),
        otherwise None.
    plain_targets : tuple of array
        Values of each target in the training cases in its own unit, if there are frames.
    """

    task: TaskView
    number: int
    inputs: tuple[CodedAttribute, ...]
    targets: tuple[CodedAttribute, ...]
    train_inputs: np.ndarray
    train_targets: np.ndarray
    test_inputs: np.ndarray
    test_targets: np.ndarray
    validation: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    bounds: np.ndarray = field(default_factory=lambda: np.empty((0, 0), dtype=np.int8))
    frames: "tuple[pd.DataFrame, pd.DataFrame] | None" = None
    plain_targets: tuple[np.ndarray, ...] = ()


@dataclass(frozen=True)
class Predictions:
    """Predictions for the test cases of one instance.

    Attributes
    ----------
    guesses : dict of str to array
        Guesses by loss letter, or by an empty string for all other losses. They are coded like the targets,
        shape (cases, target columns).
    probabilities : array or None
        Probabilities of the classes, shape (cases, values), only for a single categorical target.
    outputs : array or None
        Plain outputs of the same shape, if the probabilities are computed from them and differ.
    log_densities : array or None
        Natural logs of the density or probability of the true targets, shape (cases,).
    coded : bool
        Whether log_densities are densities of the coded targets.
    records : mapping of str to str
        Texts of further files about the training, by name without the number of the instance.
    models : tuple of object
        Fitted models to keep with the predictions.
    """

    guesses: dict[str, np.ndarray] = field(default_factory=dict)
    probabilities: np.ndarray | None = None
    outputs: np.ndarray | None = None
    log_densities: np.ndarray | None = None
    coded: bool = True
    records: Mapping[str, str] = field(default_factory=dict)
    models: tuple[object, ...] = ()


OMITTED = "Omitted"
"""The record with the number of cases that a workflow omits because of missing values."""


class Method(Protocol):
    """A learning method. It keeps nothing from call to call.

    A method may also have `inputs_of(plan)`, which returns the unencoded inputs of all cases as a data frame,
    or None if it needs encoded inputs. `can_instance(instance)` returns why it cannot be applied to an
    instance (`delvecore.encoding.instances.Instance`), or None if it can. `delve run` writes `settings`,
    texts by name, and `description`, a summary and a documentation, next to its results."""

    name: str

    def can(self, task: TaskView) -> str | None:
        """Return why the method cannot be applied to a task, or None if it can."""

    def codings(self, task: TaskView) -> dict[int, Coding]:
        """Return the codings, by attribute number, that replace the default ones."""

    def fit_predict(self, instance: LearningInstance, rng: np.random.Generator) -> Predictions:
        """Learn from the instance's training cases and predict its test cases."""
