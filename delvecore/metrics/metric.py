"""Records of metrics, their inputs and their registration, also for metrics of other packages.

A metric is one number per instance, computed from all its test cases. Losses of single cases have letters,
and are in `losses.standard_losses`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from delvecore.stats.classification.contingency import ContingencyTable, contingency_table

CLASSES, NUMBERS = "classes", "numbers"
"""Kinds of targets: one categorical target, or numbers."""
R, PROBEN1, SKLEARN = "performanceEstimation", "PROBEN1", "scikit-learn"
"""Origins of definitions."""


class MetricSpec(NamedTuple):
    """Definition of a metric.

    Attributes
    ----------
    needs : Mapping[str, tuple of str]
        Required inputs by the kind of target: letters of losses of cases, or some of `classes` (their names),
        `outputs` (plain outputs, if any), `table` (actual and predicted classes), `probabilities`, `guesses`,
        `targets`, `training` (targets of the training set), `previous` (the target before that of each test
        case), `order` (cases that have one), `span` (of the values of a target), `matrix` (of benefits),
        `times` (of learning and predicting).
    needs_said : tuple of str
        Required inputs if an option is set.
    higher_is_better : bool or None
        Direction, None if neither is better.
    best : float or None
        Best possible value, None without a bound.
    aliases : tuple of str
        Other names.
    options : tuple of str
        Options after the name, as in `F:beta=2`.
    has_two : bool
        Whether it judges one class against all others. The class must be named if there are more than two.
    """

    name: str
    title: str
    formula: str
    needs: Mapping[str, tuple[str, ...]]
    higher_is_better: bool | None = True
    best: float | None = 1.0
    unit: str = "share"
    origin: str = R
    aliases: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    has_two: bool = False
    needs_said: tuple[str, ...] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of targets that the metric suits."""
        return tuple(self.needs)

    @property
    def direction(self) -> str:
        """Which values are better: `higher`, `lower` or `neither`?"""
        if self.higher_is_better is None:
            return "neither"
        return "higher" if self.higher_is_better else "lower"

    @property
    def is_ranked(self) -> bool:
        """Can methods be ranked by it?"""
        return self.higher_is_better is not None

    def turned(self, *, unit: str | None = None) -> "MetricSpec":
        """Return the metric reversed, so that lower values are better and 0 is the best."""
        return self._replace(higher_is_better=False, best=0.0, unit=unit or self.unit)


Options = Mapping[str, str]
"""Options after the name of a metric: `beta` and `2` of `F:beta=2`."""


class UndefinedError(ValueError):
    """A metric has no value on an instance. The text is the reason: `no case is predicted positive`."""


@dataclass(frozen=True, eq=False)
class Judged:
    """Inputs of a metric for the counted test cases of one instance. Inputs that it does not need are None.

    Attributes
    ----------
    losses : mapping of str to array
        Losses of cases, by letter.
    classes : tuple of str
        The values of a categorical target.
    actual, guessed : array or None
        Positions of the actual and guessed classes.
    probabilities : array or None
        Shape (cases, classes).
    output_errors : array or None
        Squared errors of plain outputs, summed over classes, None without such outputs.
    guesses, targets : array or None
        Shape (cases, targets).
    training : array or None
        Targets of the training set, shape (cases, targets), in its order.
    previous : array or None
        The target before that of each test case.
    outputs : int
        Number of predicted numbers per case.
    span : tuple[float, float] or None
        Smallest and largest possible value of a target.
    matrix : array or None
        Benefit of predicting a class (row) for each true class (column).
    seconds, testing_seconds : float or None
        Processor time for learning and predicting, and for predicting alone.
    counted : ContingencyTable or None
        Number of cases by actual and predicted class, if they are not listed case by case.
    """

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
    seconds: float | None = None
    testing_seconds: float | None = None
    counted: ContingencyTable | None = None

    def known(self, name: str) -> np.ndarray:
        """Return one of the arrays. Raises LookupError for an array that the metric does not declare."""
        value: np.ndarray | None = getattr(self, name)
        if value is None:
            raise LookupError(f"{name}: not among the inputs that the metric declares")
        return value

    @cached_property
    def table(self) -> ContingencyTable:
        """The cases by actual and predicted class."""
        if self.counted is not None:
            return self.counted
        return contingency_table(self.known("actual"), self.known("guessed"), classes=self.classes)


Function = Callable[[Judged, Options], float]
"""Returns the value of a metric on an instance. Raises UndefinedError if it has no value."""


@dataclass(frozen=True)
class ComputedMetric:
    """A metric that can be computed.

    Attributes
    ----------
    options : tuple[tuple[str, str], ...]
        Options as (name, value). An entry point of `delvecore.metrics` is a ComputedMetric without options.
    """

    spec: MetricSpec
    function: Function
    options: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """The name with its options, the same for equal metrics: `F:beta=2`."""
        return ":".join([self.spec.name, *(f"{key}={value}" for key, value in sorted(self.options))])

    def needs(self, kind: str) -> tuple[str, ...]:
        """Return the required inputs for targets of this kind; see `MetricSpec`."""
        return self.spec.needs_said if self.options and self.spec.needs_said else self.spec.needs[kind]

    def value(self, judged: Judged) -> float:
        """Return the value on an instance, which may be an infinite log loss. Raises UndefinedError with the
        reason if there is none."""
        with np.errstate(all="ignore"):
            number = float(self.function(judged, dict(self.options)))
        worst = -np.inf if self.spec.higher_is_better else np.inf
        may_be_infinite = number == worst and any(LOG_LOSS in needed for needed in self.spec.needs.values())
        if not np.isfinite(number) and not may_be_infinite:
            raise UndefinedError("its value is infinite or not a number")
        return number


LOG_LOSS = "L"
"""The loss of cases with infinite values, which count as the worst."""
METRIC_SPECS: dict[str, MetricSpec] = {}
"""Records of metrics by name, metrics of classes first."""
FUNCTIONS: dict[str, Function] = {}
"""Functions of metrics by name."""


def metric(spec: MetricSpec) -> Callable[[Function], Function]:
    """Register a function as the metric of a record. Raises ValueError for a name of another metric."""

    def register(function: Function) -> Function:
        taken = {name for other in METRIC_SPECS.values() for name in (other.name, *other.aliases)}
        if strange := taken.intersection((spec.name, *spec.aliases)):
            raise ValueError(f"expected new names for {spec.title}, got {min(strange)!r}")
        METRIC_SPECS[spec.name], FUNCTIONS[spec.name] = spec, function
        return function

    return register


def of_losses(spec: MetricSpec, summary: Callable[[np.ndarray], float] = np.mean) -> Function:
    """Register a metric that is a summary of the losses of all cases, by default their mean.

    Examples
    --------
    >>> needs = {NUMBERS: ("S",)}
    >>> worst = of_losses(MetricSpec("worst", "largest squared error", "largest (t - p)²", needs), np.max)
    >>> worst(Judged({"S": np.array([1.0, 4.0])}), {})
    4.0
    >>> del METRIC_SPECS["worst"], FUNCTIONS["worst"]
    """
    letter = next(iter(spec.needs.values()))[0]
    return metric(spec)(lambda judged, _options: float(summary(judged.losses[letter])))
