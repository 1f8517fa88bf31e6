"""One instance of a task, from its encoded data to the texts of all its result files: one pure call.

Nothing is kept between calls and nothing is written, so instances can be run in any order, or at once.
"""

import os
from dataclasses import dataclass, field
from functools import partial
from tempfile import TemporaryDirectory

from delvecore.encoding.encode import TaskPlan
from delvecore.encoding.instances import Instance
from delvecore.errors import DelveError
from delvecore.losses.compute import compute_task_losses
from delvecore.losses.method_task import MethodTask
from delvecore.methods.protocol import Method
from delvecore.model import Task
from delvecore.readers.hierarchy import Hierarchy
from delvecore.runner.command_method import CommandMethod, ProgramOutput, Runnable
from delvecore.runner.effort import peak_megabytes, processor_seconds, reset_peak
from delvecore.runner.learning import learning_instance
from delvecore.runner.prediction_texts import prediction_texts
from delvecore.runner.seeds import instance_generator, instance_seed
from delvecore.writers.files import write_atomically

__all__ = ["FAULTS", "InstanceOutcome", "failed", "run_instance"]

FAULTS = (
    *(DelveError, ArithmeticError, AttributeError, ImportError, LookupError, MemoryError),
    *(OSError, RuntimeError, TypeError, ValueError),
)
"""What a learning method may raise without stopping the instances after it."""


@dataclass(frozen=True)
class InstanceOutcome:
    """What came of one instance. files: text by name: decoded predictions and losses; failure:
    the message where the method or its predictions failed, and then no files; seconds: of the processor, for
    learning and predicting; megabytes: the largest size of the process meanwhile, None where it cannot be
    known."""

    instance: int
    seed: int
    files: dict[str, str] = field(default_factory=dict)
    failure: str = ""
    seconds: float = 0.0
    megabytes: float | None = None


@dataclass(frozen=True)
class _KnownTask(MethodTask):
    """A method's task whose cases were read before; its files are looked for in a scratch directory."""

    known_plan: TaskPlan

    @property
    def plan(self) -> TaskPlan:
        return self.known_plan


def run_instance(method: Runnable, plan: TaskPlan, instance: Instance) -> InstanceOutcome:
    """Let a method learn one instance and predict its test cases; return its files, or why it failed."""
    seed = instance_seed(method.name, plan.task, instance.number)
    try:
        learn = method.predict if isinstance(method, CommandMethod) else partial(_learned, method)
        made = learn(plan, instance, seed)
        files = _with_losses(method.name, plan, instance, made.files)
    except FAULTS as error:
        return failed(method, plan.task, instance.number, error)
    return InstanceOutcome(instance.number, seed, files, seconds=made.seconds, megabytes=made.megabytes)


def _learned(method: Method, plan: TaskPlan, instance: Instance, seed: int) -> ProgramOutput:
    """Let a method that is part of this program learn; its predictions become files as well."""
    reset_peak()
    started = processor_seconds()
    learning = learning_instance(plan, instance)
    predictions = method.fit_predict(learning, instance_generator(seed))
    seconds, megabytes = processor_seconds() - started, peak_megabytes()
    return ProgramOutput(prediction_texts(learning, predictions), seconds, megabytes)


def failed(method: Runnable, task: Task, instance: int, error: Exception) -> InstanceOutcome:
    """Return the outcome of an instance that an error put an end to, its message in one line."""
    kind = "" if isinstance(error, DelveError) else f"{type(error).__name__}: "
    message = " ".join(f"{kind}{error}".split())
    seed = instance_seed(method.name, task, instance)
    return InstanceOutcome(instance, seed, failure=message or type(error).__name__)


def _with_losses(
    name: str, plan: TaskPlan, instance: Instance, predictions: dict[str, str]
) -> dict[str, str]:
    """Return the prediction files and the loss files, exactly as `mloss` makes them.

    Raises DelveError for predictions that serve no loss.
    """
    files = dict(predictions)
    with TemporaryDirectory(prefix="delve-run-") as scratch:
        hierarchy, cases = Hierarchy([scratch]), plan.cases
        task = _KnownTask(
            hierarchy, name, cases.dataset, cases.prototask, plan.prior, plan.task, plan.codings, plan
        )
        directory = os.path.join(scratch, "methods", *task.names)
        os.makedirs(directory)
        for file, text in predictions.items():
            write_atomically(os.path.join(directory, file), text)
        try:
            found = compute_task_losses(task, instances=[instance.number], write=files.__setitem__)
        except DelveError as error:
            raise DelveError(str(error).replace(directory + os.sep, "")) from None
    if not found.losses:
        raise DelveError("; ".join(found.notes))
    return files
