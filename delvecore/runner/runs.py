"""Methods applied to many tasks, in this process or in several. Source: DELVE manual, section 7.

Whoever computes, this process alone writes the files, in the same way, so that the number of processes shows
nowhere in them.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from delvecore.encoding.encode import plan_task
from delvecore.encoding.instances import Instance
from delvecore.encoding.prototask_cases import PrototaskCases, prototask_cases
from delvecore.errors import DelveError
from delvecore.methods.protocol import TaskView
from delvecore.model import Task
from delvecore.readers.hierarchy import Hierarchy
from delvecore.runner.choice import Chosen
from delvecore.runner.command_method import Runnable
from delvecore.runner.instances import InstanceOutcome, run_instance
from delvecore.runner.requests import Request
from delvecore.runner.task_directory import TaskDirectory
from delvecore.runner.workers import carry_out_all
from delvecore.runner.workload import Workload

__all__ = ["PlannedRun", "Step", "plan_run", "run_method", "run_methods"]

ALONE = 1.0
"""For how many seconds one process computes before it asks others to help."""


@dataclass(frozen=True)
class PlannedRun:
    """What is to be done: each task with its instances that are not complete yet.

    roots: the delve directories with the data; complete: how many instances are; refused: {task path: why the
    method cannot be applied to it}; faults: tasks that could not be planned, one message each.
    """

    method: Runnable
    roots: tuple[str, ...]
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

    is_last: of its task in this run; share: how much of the whole work is done now, between 0 and 1, by the
    time that it takes; count, total: instances that are done now, and all; failure: an empty string, or what
    went wrong; seconds, megabytes: see InstanceOutcome.
    """

    method: str
    path: str
    instance: int
    is_last: bool
    share: float
    count: int
    total: int
    failure: str
    seconds: float
    megabytes: float | None

    @property
    def message(self) -> str:
        """What went wrong, and where."""
        return f"{self.path} instance {self.instance}: {self.failure}"


def plan_run(
    hierarchy: Hierarchy,
    method: Runnable,
    chosen: Chosen,
    into: str,
    *,
    again: bool = False,
    keep: str = "predictions",
    compress: bool = False,
    cases: dict[str, PrototaskCases] | None = None,
) -> PlannedRun:
    """Return what has to be done for a method on chosen tasks, with results in a delve directory `into`.

    again: run complete instances too; keep, compress: see TaskDirectory; cases: those read before, by
    prototask path, to which those read now are added.
    """
    work, refused, faults, complete = [], {}, list(chosen.faults), 0
    cases = {} if cases is None else cases
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
    return PlannedRun(method, tuple(hierarchy.roots), tuple(work), complete, refused, tuple(faults))


Notify = Callable[[Step], None]
Outcomes = Callable[[Iterable[Request]], Iterator[tuple[Request, InstanceOutcome]]]


def run_method(run: PlannedRun, notify: Notify = lambda step: None) -> list[str]:
    """Run all planned instances of one method here and now; see `run_methods`."""
    return run_methods([run], notify=notify)


def run_methods(
    runs: Sequence[PlannedRun],
    *,
    workers: int = 1,
    carry_out: Outcomes | None = None,
    notify: Notify = lambda step: None,
) -> list[str]:
    """Run all planned instances and write their files; return the failures, one message each.

    workers: how many processes compute; with one, it is this one, which also does what is done in a second,
    before others would have started. carry_out: does the computing instead, for
    instance on other machines; gives each request back with its outcome, in any order. notify receives
    each instance when its files are written. A failure does not stop the instances after it.
    """
    work = _Work(runs)
    requests = work.requests()
    outcomes = carry_out(requests) if carry_out else work.here(requests, workers=workers)
    for request, outcome in outcomes:
        notify(work.record(request, outcome))
    return work.failures


class _Work:
    """What is planned, and how far it is. failures: a message each."""

    def __init__(self, runs: Sequence[PlannedRun]) -> None:
        self.runs = runs
        self.failures = [fault for run in runs for fault in run.faults]
        self.load = Workload(
            (run.method.name, directory.plan.task.training_size)
            for run in runs
            for directory, instances in run.work
            for _ in instances
        )
        self.directories: dict[tuple[str, Task], TaskDirectory] = {}
        self.left: dict[tuple[str, Task], int] = {}

    def requests(self) -> Iterator[Request]:
        """Yield a request for each instance, the directory of its task made."""
        for run in self.runs:
            for directory, instances in run.work:
                task = directory.plan.task
                try:
                    directory.prepare()
                except (DelveError, OSError) as error:
                    self.failures.append(f"{task.path}: {error}")
                    self.load.drop((run.method.name, task.training_size), len(instances))
                    continue
                self.directories[run.method.name, task] = directory
                self.left[run.method.name, task] = len(instances)
                for instance in instances:
                    yield Request(run.method, run.roots, task, instance.number)

    def here(self, requests: Iterator[Request], *, workers: int) -> Iterator[tuple[Request, InstanceOutcome]]:
        """Carry requests out in this process, which has the cases already, or from a second on in several."""
        started = time.perf_counter()
        for request in requests:
            if workers > 1 and time.perf_counter() - started > ALONE:
                left = self.load.total - self.load.count
                yield from carry_out_all(chain([request], requests), min(workers, left))
                return
            plan = self.directories[request.method.name, request.task].plan
            yield request, run_instance(request.method, plan, plan.instances[request.instance])

    def record(self, request: Request, outcome: InstanceOutcome) -> Step:
        """Write what came of a request."""
        name, task = request.method.name, request.task
        self.directories[name, task].record(outcome)
        self.load.add((name, task.training_size), outcome.seconds)
        self.left[name, task] -= 1
        step = Step(
            name,
            task.path,
            outcome.instance,
            not self.left[name, task],
            self.load.share,
            self.load.count,
            self.load.total,
            outcome.failure,
            outcome.seconds,
            outcome.megabytes,
        )
        if outcome.failure:
            self.failures.append(step.message)
        return step
