"""Run one instance of a task, from its encoded data to the texts of all its result files: one pure call.

Nothing is kept between calls and nothing is written, so instances can be run in any order, or at once, and a
request by any process: names, not data, pass between processes, and each reads the cases itself and keeps
those of the last prototask. Seeds: DELVE manual, sections 7.4 and 8.1."""

from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256

import numpy as np

from delvecore.encoding.encode import TaskPlan
from delvecore.encoding.instances import Instance
from delvecore.encoding.prototask_cases import held_cases
from delvecore.errors import DelveError
from delvecore.losses.compute import compute_task_losses
from delvecore.losses.method_task import MethodTask
from delvecore.methods.protocol import Method, TaskView
from delvecore.methods.stopwatch import seconds_of_predicting
from delvecore.model import Task
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import read_task
from delvecore.runner.choice import AS_SUITS, CodingChoice, plan_for
from delvecore.runner.command_method import (
    CommandMethod,
    ProgramOutput,
    Runnable,
    peak_megabytes,
    processor_seconds,
    reset_peak,
)
from delvecore.runner.instance_data import learning_instance, prediction_texts, with_frames


def instance_seed(method: str, task: Task, instance: int) -> int:
    """Return the seed of a method on one instance: the first 63 bits of the SHA-256 hash of their names.
    Nothing else enters, so the seed does not depend on what else is run, or in which order."""
    names = f"{method}{task.path}/{instance}"
    return int.from_bytes(sha256(names.encode()).digest()[:8], "big") >> 1


def instance_generator(seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


FAULTS = (
    *(DelveError, ArithmeticError, AttributeError, ImportError, LookupError, MemoryError),
    *(OSError, RuntimeError, TypeError, ValueError),
)
"""What a learning method may raise without stopping the instances after it."""


@dataclass(frozen=True)
class InstanceOutcome:
    """What came of one instance. files: text by name: decoded predictions and losses; failure: the message
    where the method or its predictions failed, and then no files; seconds: of the processor, for learning and
    predicting; megabytes: the largest size of the process meanwhile, None where it cannot be known;
    testing_seconds: for predicting alone, None where the method did not tell."""

    instance: int
    seed: int
    files: dict[str, str] = field(default_factory=dict)
    failure: str = ""
    seconds: float = 0.0
    megabytes: float | None = None
    testing_seconds: float | None = None


@dataclass(frozen=True)
class _KnownTask(MethodTask):
    """A method's task whose cases were read before, and predictions that are texts by name, not files yet."""

    known_plan: TaskPlan
    predictions: dict[str, str]

    @property
    def plan(self) -> TaskPlan:
        return self.known_plan

    @property
    def files(self) -> dict[str, str]:
        return {name: name for name in self.predictions}

    def find(self, name: str) -> str | None:
        return self.files.get(name)

    def read(self, path: str) -> str:
        return self.predictions[path]


def run_instance(method: Runnable, plan: TaskPlan, instance: Instance) -> InstanceOutcome:
    """Let a method learn one instance and predict its test cases; return its files, or why it failed."""
    seed = instance_seed(method.name, plan.task, instance.number)
    try:
        learn = method.predict if isinstance(method, CommandMethod) else partial(_learned, method)
        made = learn(plan, instance, seed)
        files = made.files | _losses(method.name, plan, instance, made.files)
    except FAULTS as error:
        return _failed(method.name, plan.task, instance.number, error)
    costs = made.seconds, made.megabytes, made.testing_seconds
    return InstanceOutcome(instance.number, seed, files, "", *costs)


def _learned(method: Method, plan: TaskPlan, instance: Instance, seed: int) -> ProgramOutput:
    """Let a method that is part of this program learn; its predictions become files as well."""
    reset_peak()
    learning = learning_instance(plan, instance)
    if getattr(method, "takes_frames", False):
        learning = with_frames(learning, plan, instance)
    seconds_of_predicting()  # forgets that of an instance that failed
    started = processor_seconds()
    predictions = method.fit_predict(learning, instance_generator(seed))
    testing = seconds_of_predicting()
    seconds, megabytes = processor_seconds() - started, peak_megabytes()
    return ProgramOutput(0, seconds, megabytes, prediction_texts(learning, predictions), testing)


def _failed(method: str, task: Task, instance: int, error: BaseException) -> InstanceOutcome:
    """Return the outcome of an instance that an error put an end to, its message in one line."""
    kind = "" if isinstance(error, DelveError) else f"{type(error).__name__}: "
    message = " ".join(f"{kind}{error}".split())
    seed = instance_seed(method, task, instance)
    return InstanceOutcome(instance, seed, failure=message or type(error).__name__)


def _losses(name: str, plan: TaskPlan, instance: Instance, predictions: dict[str, str]) -> dict[str, str]:
    """Return the loss files, exactly as `mloss` makes them; DelveError for predictions that serve no loss."""
    files: dict[str, str] = {}
    specified = plan.cases.dataset, plan.cases.prototask, plan.prior, plan.task
    task = _KnownTask(Hierarchy([]), name, *specified, plan.codings, plan, predictions)
    found = compute_task_losses(task, instances=[instance.number], write=files.__setitem__)
    if not found.losses:
        raise DelveError("; ".join(found.notes))
    return files


@dataclass(frozen=True)
class Request:
    """One instance of a task for a method. roots, follow_links: of the `Hierarchy` with its data; codings: by
    which it is encoded."""

    method: Runnable
    roots: tuple[str, ...]
    task: Task
    instance: int
    follow_links: bool
    codings: CodingChoice = AS_SUITS

    @property
    def name(self) -> str:
        return f"{self.method.name}{self.task.path}/{self.instance}"

    def failed(self, error: BaseException) -> InstanceOutcome:
        return _failed(self.method.name, self.task, self.instance, error)


class Bench:
    """Carries out requests one after the other; keeps the last hierarchy and the last plan."""

    def __init__(self) -> None:
        self._hierarchy = Hierarchy([])
        self._plan: tuple[tuple[str, tuple[str, ...], Task, CodingChoice], TaskPlan] | None = None

    def carry_out(self, request: Request) -> InstanceOutcome:
        """Return what came of a request; what cannot be read or planned is a failure too."""
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
