"""Run one instance of a task, from its encoded data to the texts of its result files, without side effects.

Processes exchange names, not data. Each process reads the cases, and caches those of the last prototask.
Predictions are checked, rounded and decoded at once, so that losses are computed from the stored values.
Source: DELVE manual, sections 7.3 to 7.5, 8.1 (seeds) and appendix C."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256

import cloudpickle
import numpy as np

from delvecore.encoding.codings import code_of, column_names, decode_densities, density_scale
from delvecore.encoding.encode import TaskPlan, encoded_numbers, validation_rows, with_targets
from delvecore.encoding.instances import Instance
from delvecore.encoding.normalization import Constants
from delvecore.encoding.prototask_cases import held_cases
from delvecore.errors import DelveError
from delvecore.losses.compute import compute_task_losses
from delvecore.losses.method_task import MethodTask
from delvecore.losses.predictions import OUTPUTS
from delvecore.methods.protocol import CodedAttribute, LearningInstance, Method, Predictions, TaskView
from delvecore.methods.stopwatch import seconds_of_predicting
from delvecore.model import Task
from delvecore.number_format.columns import numbers_of
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.results import Cost
from delvecore.readers.specifications import read_task
from delvecore.runner.choice import AS_SUITS, CodingChoice, plan_for
from delvecore.runner.command_method import (
    CommandMethod,
    Learned,
    Runnable,
    peak_megabytes,
    processor_seconds,
    reset_peak,
)
from delvecore.writers.task_files import predictions_text


def instance_seed(method: str, task: Task, instance: int) -> int:
    """Return the seed of a method on one instance: the first 63 bits of the SHA-256 hash of their names.

    It does not depend on other runs or their order."""
    names = f"{method}{task.path}/{instance}"
    return int.from_bytes(sha256(names.encode()).digest()[:8], "big") >> 1


def instance_generator(seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


FAULTS = (
    *(DelveError, ArithmeticError, AttributeError, ImportError, LookupError, MemoryError),
    *(OSError, RuntimeError, TypeError, ValueError),
)
"""Exceptions of a learning method that do not stop the next instances."""


NO_COST = Cost(0.0)


@dataclass(frozen=True)
class InstanceOutcome:
    """The result on one instance.

    Attributes
    ----------
    files : dict of str to str
        Decoded predictions and losses by name, empty after a failure.
    models : bytes or None
        Pickled models, if kept.
    """

    instance: int
    seed: int
    files: dict[str, str] = field(default_factory=dict)
    failure: str = ""
    cost: Cost = NO_COST
    models: bytes | None = None


def run_instance(method: Runnable, plan: TaskPlan, instance: Instance) -> InstanceOutcome:
    """Run a method on one instance; return its files, or the reason for a failure."""
    seed = instance_seed(method.name, plan.task, instance.number)
    try:
        learn = method.predict if isinstance(method, CommandMethod) else partial(_learned, method)
        predictions, cost, models = learn(plan, instance, seed)
        files = predictions | _losses(method.name, plan, instance, predictions)
    except FAULTS as error:
        return _failed(method.name, plan.task, instance.number, error)
    return InstanceOutcome(instance.number, seed, files, cost=cost, models=models)


def _learned(method: Method, plan: TaskPlan, instance: Instance, seed: int) -> Learned:
    """Run a method in Python; return its predictions as texts of files."""
    reset_peak()
    inputs_of = getattr(method, "inputs_of", None)
    inputs = inputs_of(plan) if inputs_of else None
    learning = learning_instance(plan, instance, has_inputs=inputs is None)
    if inputs is not None:
        training, _ = with_targets(plan, instance)
        frames = inputs.iloc[training], inputs.iloc[instance.test]
        targets = [plan.columns[number].numbers[training] for number in plan.targets]
        learning = replace(learning, frames=frames, plain_targets=tuple(targets))
    seconds_of_predicting()  # discards the seconds of a failed instance
    started = processor_seconds()
    predictions = method.fit_predict(learning, instance_generator(seed))
    testing = seconds_of_predicting()
    cost = Cost(processor_seconds() - started, peak_megabytes(), testing)
    digits = DIGITS if learning.frames is None else ALL_DIGITS
    models = cloudpickle.dumps(predictions.models) if predictions.models else None
    return prediction_texts(learning, predictions, digits=digits), cost, models


def _failed(method: str, task: Task, instance: int, error: BaseException) -> InstanceOutcome:
    """Return the outcome of an instance that failed with this error, whose message is put on one line."""
    kind = "" if isinstance(error, DelveError) else f"{type(error).__name__}: "
    message = " ".join(f"{kind}{error}".split())
    seed = instance_seed(method, task, instance)
    return InstanceOutcome(instance, seed, failure=message or type(error).__name__)


def _losses(name: str, plan: TaskPlan, instance: Instance, predictions: dict[str, str]) -> dict[str, str]:
    """Return the loss files of `mloss`. Raises DelveError for predictions without any loss."""
    files: dict[str, str] = {}
    specified = plan.cases.dataset, plan.cases.prototask, plan.prior, plan.task
    task = MethodTask(Hierarchy([]), name, *specified, plan.codings, made=plan, texts=predictions)
    losses, notes = compute_task_losses(task, instances=[instance.number], write=files.__setitem__)
    if not losses:
        raise DelveError("; ".join(notes))
    return files


@dataclass(frozen=True)
class Request:
    """One instance of a task for a method.

    Attributes
    ----------
    roots, follow_links
        Those of the `Hierarchy` with its data.
    """

    method: Runnable
    roots: tuple[str, ...]
    task: Task
    instance: int
    follow_links: bool
    codings: CodingChoice = AS_SUITS

    @property
    def name(self) -> str:
        return f"{self.method.name}{self.task.path}/{self.instance}"

    def failure_text(self, failure: str) -> str:
        return f"{self.task.path} instance {self.instance}: {failure}"

    def failed(self, error: BaseException) -> InstanceOutcome:
        return _failed(self.method.name, self.task, self.instance, error)


class Bench:
    """Runs requests one after another, and caches the last hierarchy and plan."""

    def __init__(self) -> None:
        self._hierarchy = Hierarchy([])
        self._plan: tuple[tuple[str, tuple[str, ...], Task, CodingChoice], TaskPlan] | None = None

    def carry_out(self, request: Request) -> InstanceOutcome:
        """Return the result of a request. Errors in reading or planning an instance are failures, too."""
        try:
            plan = self._plan_of(request)
            return run_instance(request.method, plan, plan.instances[request.instance])
        except FAULTS as error:
            return request.failed(error)

    def _plan_of(self, request: Request) -> TaskPlan:
        key = (request.method.name, request.roots, request.task, request.codings)
        if self._plan is None or self._plan[0] != key:
            if tuple(self._hierarchy.roots) != request.roots:
                self._hierarchy = Hierarchy(request.roots, follow_links=request.follow_links)
            hierarchy, task = self._hierarchy, request.task
            dataset, prototask, prior, _ = read_task(hierarchy, task.dataset, task.prototask, task.name)
            view = TaskView(dataset, prototask, prior, task)
            cases = held_cases(hierarchy, dataset, prototask)
            self._plan = key, plan_for(request.method, hierarchy, view, cases, choice=request.codings)
        return self._plan[1]


def learning_instance(plan: TaskPlan, instance: Instance, *, has_inputs: bool = True) -> LearningInstance:
    """Return one encoded instance. has_inputs: whether its inputs are encoded; otherwise they have no
    columns.

    Raises DelveError for values that its codings cannot encode."""
    inputs = plan.inputs if has_inputs else ()
    plan = plan if has_inputs else plan.of_targets
    constants = plan.constants(instance)
    training, true = with_targets(plan, instance)
    encode = partial(encoded_numbers, plan, constants=constants, instance=instance)
    return LearningInstance(
        task=TaskView(plan.cases.dataset, plan.cases.prototask, plan.prior, plan.task),
        number=instance.number,
        inputs=_coded_attributes(plan, inputs, constants),
        targets=_coded_attributes(plan, plan.targets, constants),
        train_inputs=encode(inputs, training),
        train_targets=encode(plan.targets, training),
        test_inputs=encode(inputs, instance.test),
        test_targets=encode(plan.targets, true, marked=True),
        validation=validation_rows(instance, training),
        bounds=np.transpose([plan.columns[number].censored[true] for number in plan.targets]),
    )


def _coded_attributes(
    plan: TaskPlan, numbers: Iterable[int], constants: dict[int, Constants]
) -> tuple[CodedAttribute, ...]:
    coded, first = [], 0
    for number in numbers:
        attribute, coding = plan.cases.dataset.attribute(number), plan.codings[number]
        last = first + len(column_names(attribute, coding))
        kind = plan.prior.line(number).type
        coded.append(CodedAttribute(attribute, kind, coding, slice(first, last), constants.get(number)))
        first = last
    return tuple(coded)


DIGITS = 5
"""Significant digits of guesses, relative to the absolute deviation of the training targets, and decimals of
log densities and probabilities. Losses need far fewer digits. More digits could differ between machines."""
ALL_DIGITS = 10
"""Digits for methods that learn from unencoded data, so that losses equal those of other programs."""
TRANSFORMED_DIGITS = DIGITS + 2
"""Significant digits of guesses of a transformed target, since its scale varies from case to case."""
LEAST_DIGITS = 4
"""Significant digits of small probabilities, for their logs."""


def prediction_texts(
    instance: LearningInstance, predictions: Predictions, *, digits: int = DIGITS
) -> dict[str, str]:
    """Return {file name: text} of decoded predictions and of records. digits: see DIGITS. Raises DelveError
    for wrong arrays."""
    number, texts = instance.number, {}
    for loss, guess in predictions.guesses.items():
        name = f"guess.{loss}.{number}" if loss else f"guess.{number}"
        coded = _checked(name, guess, instance.test_targets.shape)
        texts[name] = predictions_text([_decoded(target, coded, digits) for target in instance.targets])
    if predictions.probabilities is not None:
        name = f"prob.{number}"
        shape = len(instance.test_targets), len(instance.targets[0].attribute.range.categories or ())
        columns = _checked(name, predictions.probabilities, shape, low=0.0).T.tolist()
        texts[name] = predictions_text(
            [[_probability(value, digits) for value in column] for column in columns]
        )
    if predictions.outputs is not None:
        name = f"{OUTPUTS}.{number}"
        shape = len(instance.test_targets), len(instance.targets[0].attribute.range.categories or ())
        columns = _checked(name, predictions.outputs, shape).T.tolist()
        texts[name] = predictions_text([_fixed(column, DIGITS) for column in columns])
    if predictions.log_densities is not None:
        name, values = f"lptarg.L.{number}", predictions.log_densities
        values = _checked(name, values, (len(instance.test_targets),), zero_density=True)
        if predictions.coded:
            values = _plain_log_densities(values, instance)
        words = [word.replace("inf", "Inf") for word in _fixed(values.tolist(), DIGITS)]
        texts[name] = predictions_text([words])
    return texts | {f"{name}.{number}": text for name, text in predictions.records.items()}


def _checked(
    name: str, values: np.ndarray, shape: tuple[int, ...], *, low: float = -np.inf, zero_density: bool = False
) -> np.ndarray:
    """Return predictions as float64. Raises DelveError for the wrong shape and for invalid values."""
    values = np.asarray(values, dtype=np.float64)
    if values.shape != shape:
        raise DelveError(f"{name}: expected predictions of shape {shape}, found {values.shape}")
    good = (np.isfinite(values) & (values >= low)) | (zero_density & np.isneginf(values))
    if not good.all():
        case = int(np.argwhere(~good)[0][0])
        wanted = "probabilities" if np.isfinite(low) else "finite numbers"
        raise DelveError(f"{name}: expected {wanted}, found {values[~good][0]} for test case {case}")
    return values


def _values(target: CodedAttribute, coded: np.ndarray) -> Sequence[str]:
    """Return the decoded values of a target, as text."""
    return code_of(target.attribute, target.coding).decode(coded[:, target.columns], target.constants)


def _decoded(target: CodedAttribute, coded: np.ndarray, digits: int) -> Sequence[str]:
    words = _values(target, coded)
    if target.is_categorical:
        return words
    if target.coding.option("transform"):
        return [f"{float(word):.{TRANSFORMED_DIGITS}g}" for word in words]
    spread = target.constants.absolute_deviation if target.constants else 0.0
    decimals = digits - 1 - math.floor(math.log10(spread)) if spread else digits
    return _fixed(numbers_of(words).tolist(), decimals)


def _probability(value: float, digits: int) -> str:
    """Return a rounded probability, with one fewer significant digit if it is small."""
    fixed = f"{value:.{digits}f}"
    least = digits - DIGITS + LEAST_DIGITS
    return fixed if value >= 10.0 ** (least - digits - 1) else f"{value:.{least}g}"


def _fixed(values: list[float], decimals: int) -> list[str]:
    """Return rounded numbers, zero without a sign. Negative decimals round to tens or hundreds."""
    if decimals < 0:
        values, decimals = [round(value, decimals) for value in values], 0
    form = f"%.{decimals}f"
    words = (f"{form} " * len(values) % tuple(values)).split()
    zero = form % -0.0
    return [word[1:] if word == zero else word for word in words]


def _plain_log_densities(values: np.ndarray, instance: LearningInstance) -> np.ndarray:
    """Return log densities of decoded targets. Log probabilities beyond bounds do not change."""
    densities, is_known = values.copy(), np.ones((len(values), len(instance.targets)), dtype=bool)
    if instance.bounds.size:
        is_known = instance.bounds == 0
    for known in np.unique(is_known, axis=0):
        rows = (is_known == known).all(axis=1)
        targets = [target for target, counts in zip(instance.targets, known, strict=True) if counts]
        codings = [target.coding for target in targets]
        scale = density_scale(codings, [target.constants for target in targets])
        transformed = any(coding.option("transform") for coding in codings)
        true = [_values(target, instance.test_targets[rows]) for target in targets] if transformed else []
        known = (codings, true) if transformed else ()
        densities[rows] = decode_densities(values[rows], scale, *known, logarithms=True)
    return densities
