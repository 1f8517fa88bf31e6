"""What a metric is computed from, and what it is: also for metrics that others bring."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from delvecore.losses.metric_specs import CLASSES, NUMBERS, MetricSpec
from delvecore.stats.classification.measures import ContingencyTable, contingency_table

__all__ = ["CLASSES", "NUMBERS", "Function", "Judged", "Measure", "MetricSpec", "Options", "UndefinedError"]

Options = Mapping[str, str]
"""What is said behind the name of a metric: `beta` and `2` of `F:beta=2`."""


class UndefinedError(ValueError):
    """A metric has no value on an instance. Its text says why: `no case was predicted positive`."""


@dataclass(frozen=True, eq=False)
class Judged:
    """The test cases of one instance that count, as far as a metric said that it needs them; else None.

    losses: of cases, by letter; classes: the values of a categorical target; actual, guessed: their places;
    probabilities: shape (cases, classes); output_errors: squared errors of plain outputs, added over the
    classes, None without such outputs; guesses, targets: shape (cases, targets); training: targets of the
    training set, shape (cases, targets), in its order; previous: the target before that of each test case;
    outputs: how many numbers are predicted of a case; span: the least and the largest value that a target may
    have; matrix: what predicting a class (row) is worth for each true class (column)."""

    losses: Mapping[str, np.ndarray] = field(default_factory=dict)
    classes: tuple[str, ...] = ()
    actual: np.ndarray | None = None
    guessed: np.ndarray | None = None
    probabilities: np.ndarray | None = None
    guesses: np.ndarray | None = None
    output_errors: np.ndarray | None = None
    targets: np.ndarray | None = None
    training: np.ndarray | None = None
    previous: np.ndarray | None = None
    outputs: int = 1
    span: tuple[float, float] | None = None
    matrix: np.ndarray | None = None

    def known(self, name: str) -> np.ndarray:
        """Return one of the arrays. Raises LookupError for one that was not asked for."""
        found: np.ndarray | None = getattr(self, name)
        if found is None:
            raise LookupError(f"{name}: not among what the metric needs")
        return found

    @property
    def table(self) -> ContingencyTable:
        """The cases by actual and predicted class."""
        return contingency_table(self.known("actual"), self.known("guessed"), classes=self.classes)


Function = Callable[[Judged, Options], float]
"""The value of a metric on an instance; UndefinedError where it has none."""


@dataclass(frozen=True)
class Measure:
    """A metric that can be computed. options: as they were said; an entry point of `delvecore.metrics` is a
    Measure without any."""

    spec: MetricSpec
    function: Function
    options: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """The name with its options, the same for equal metrics: `F:beta=2`."""
        return ":".join([self.spec.name, *(f"{key}={value}" for key, value in sorted(self.options))])

    def needs(self, kind: str) -> tuple[str, ...]:
        """What is it made of, on targets of this kind? See `MetricSpec`."""
        return self.spec.needs_said if self.options and self.spec.needs_said else self.spec.needs[kind]

    def value(self, judged: Judged) -> float:
        """Return the value on an instance. Raises UndefinedError, saying why, where there is none."""
        with np.errstate(all="ignore"):
            found = float(self.function(judged, dict(self.options)))
        if not np.isfinite(found):
            raise UndefinedError("its value is infinite or no number")
        return found
