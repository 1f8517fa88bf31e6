"""A method applied to many tasks, one instance after the other. Source: DELVE manual, section 7."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from delvecore.encoding.encode import TaskPlan, plan_task
from delvecore.encoding.instances import Instance
from delvecore.encoding.prototask_cases import prototask_cases
from delvecore.errors import DelveError
from delvecore.methods.protocol import Method, TaskView
from delvecore.readers.hierarchy import Hierarchy
from delvecore.runner.choice import Chosen
from delvecore.runner.instances import InstanceOutcome, run_instance
from delvecore.runner.task_directory import TaskDirectory

__all__ = ["PlannedRun", "Step", "plan_run", "run_method"]


@dataclass(frozen=True)
class PlannedRun:
    """What is to be done: each task with its instances that are not complete yet.

    complete: how many instances are; refused: {task path: why the method cannot be applied to it}; faults:
    tasks that could not be planned, one message each.
    """

    method: Method
    work: tuple[tuple[TaskDirectory, tuple[Instance, ...]], ...]
    complete: int
    refused: dict[str, str]
    faults: tuple[str, ...]

    @property
    def instances(self) -> int:
        return sum(len(instances) for _, instances in self.work)


@dataclass(frozen=True)
class Step:
    """One instance that was run.

    is_last: of its task in this run; share: how much of the whole work is done now, between 0 and 1, by
    cases; failure: an empty string, or what went wrong; seconds: of learning and predicting.
    """

    path: str
    instance: int
    is_last: bool
    share: float
    failure: str
    seconds: float


def plan_run(
    hierarchy: Hierarchy,
    method: Method,
    chosen: Chosen,
    into: str,
    *,
    again: bool = False,
    keep: str = "predictions",
    compress: bool = False,
) -> PlannedRun:
    """Return what has to be done for a method on chosen tasks, with results in a delve directory `into`.

    again: run complete instances too; keep, compress: see TaskDirectory.
    """
    work, refused, faults, complete, cases = [], {}, list(chosen.faults), 0, {}
    for dataset, prototask, prior, task in chosen.tasks:
        view = TaskView(dataset, prototask, prior, task)
        reason = method.can(view)
        if reason:
            refused[task.path] = reason
            continue
        try:
            if prototask.path not in cases:
                cases[prototask.path] = prototask_cases(hierarchy, dataset, prototask)
            used = cases[prototask.path]
            plan = plan_task(hierarchy, used, prior, task.training_size, codings=method.codings(view))
        except DelveError as error:
            faults.append(str(error))
            continue
        path = os.path.join(into, "methods", method.name, dataset.name, prototask.name, task.name)
        directory = TaskDirectory(path, method.name, plan, keep=keep, compress=compress)
        instances = tuple(plan.instances if again else directory.incomplete())
        complete += len(plan.instances) - len(instances)
        if instances:
            work.append((directory, instances))
    return PlannedRun(method, tuple(work), complete, refused, tuple(faults))


def run_method(run: PlannedRun, notify: Callable[[Step], None] = lambda step: None) -> list[str]:
    """Run all planned instances and write their files; return the failures, one message each.

    notify receives each instance when it is finished. A failure does not stop the instances after it.
    """
    failures, done, total = list(run.faults), 0, _total(run) or 1
    for directory, instances in run.work:
        path = directory.plan.task.path
        try:
            directory.prepare()
        except (DelveError, OSError) as error:
            failures.append(f"{path}: {error}")
            done += sum(_weight(directory.plan, instance) for instance in instances)
            continue
        for outcome in _steps(run.method, directory, instances):
            done += _weight(directory.plan, directory.plan.instances[outcome.instance])
            if outcome.failure:
                failures.append(f"{path} instance {outcome.instance}: {outcome.failure}")
            is_last = outcome.instance == instances[-1].number
            notify(Step(path, outcome.instance, is_last, done / total, outcome.failure, outcome.seconds))
    return failures


def _steps(method, directory: TaskDirectory, instances) -> Iterator[InstanceOutcome]:
    for instance in instances:
        outcome = run_instance(method, directory.plan, instance)
        directory.record(outcome)
        yield outcome


def _weight(plan: TaskPlan, instance: Instance) -> int:
    """Return a rough measure of an instance's work: its cases."""
    return len(instance.training) + len(instance.test)


def _total(run):
    return sum(
        _weight(directory.plan, instance) for directory, instances in run.work for instance in instances
    )
