"""Methods applied to many tasks, in this process or in several. Source: DELVE manual, section 7.

Whoever computes, this process alone writes the files, so that the number of processes shows nowhere in them.
The cost of an instance grows with the training cases, in a way that differs from method to method. So how
long the rest will take is estimated from what instances of the same method took: those of the same size where
there are some, else those of the nearest size, in proportion to the size."""

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from delvecore.encoding.instances import Instance
from delvecore.encoding.prototask_cases import PrototaskCases, prototask_cases
from delvecore.errors import DelveError
from delvecore.methods.protocol import TaskView
from delvecore.model import Task
from delvecore.parallel.processes import CarryOut, carry_out_all
from delvecore.readers.hierarchy import Hierarchy
from delvecore.runner.choice import Chosen
from delvecore.runner.codings import AS_SUITS, CodingChoice, plan_for
from delvecore.runner.command_method import Runnable
from delvecore.runner.one_instance import Bench, InstanceOutcome, Request, run_instance
from delvecore.runner.task_directory import TaskDirectory

__all__ = ["ALONE", "PlannedRun", "Step", "plan_run", "run_methods"]


class Workload:
    """The instances of a run by kind: a pair (method, training size)."""

    def __init__(self, kinds: Iterable[tuple[str, int]]) -> None:
        self._left = Counter(kinds)
        self._taken: dict[tuple[str, int], list[float]] = {}
        self.count, self.total = 0, self._left.total()

    def add(self, kind: tuple[str, int], seconds: float) -> None:
        """Count an instance that was run, in so many seconds."""
        taken = self._taken.setdefault(kind, [0, 0.0])
        taken[0] += 1
        taken[1] += seconds
        self.drop(kind, 1)

    def drop(self, kind: tuple[str, int], count: int) -> None:
        """Leave out instances that cannot be run."""
        self._left[kind] -= count
        self.count += count

    @property
    def share(self) -> float:
        """The share of the work that is done, between 0 and 1."""
        if self.count == self.total:
            return 1.0
        done = sum(seconds for _, seconds in self._taken.values())
        left = sum(count * self._expected(kind) for kind, count in self._left.items() if count)
        return done / (done + left) if done + left else self.count / self.total

    def _expected(self, kind: tuple[str, int]) -> float:
        method, size = kind
        known = [other for other in self._taken if other[0] == method] or list(self._taken)
        if not known:
            return float(size)
        nearest = min(known, key=lambda other: abs(other[1] - size))
        count, seconds = self._taken[nearest]
        return seconds / count * size / nearest[1]


ALONE = 1.0
"""For how many seconds one process computes before it asks others to help."""


@dataclass(frozen=True)
class PlannedRun:
    """What is to be done: each task with its instances that are not complete yet. roots,
    follow_links: of the `Hierarchy` with the data; complete: how many instances are; refused: {task path: why
    the method cannot be applied to it}; faults: tasks that could not be planned, one message each; codings:
    see `plan_run`."""

    method: Runnable
    roots: tuple[str, ...]
    follow_links: bool
    work: tuple[tuple[TaskDirectory, tuple[Instance, ...]], ...]
    complete: int
    refused: dict[str, str]
    faults: tuple[str, ...]
    codings: CodingChoice = AS_SUITS

    @property
    def instances(self) -> int:
        return sum(len(instances) for _, instances in self.work)


@dataclass(frozen=True)
class Step:
    """One instance that was run. is_last: of its task in this run; share: how much of the whole work is done
    now, between 0 and 1, by the time that it takes; count, total: instances that are done now, and all."""

    request: Request
    outcome: InstanceOutcome
    is_last: bool
    share: float
    count: int
    total: int

    @property
    def path(self) -> str:
        return self.request.task.path

    @property
    def message(self) -> str:
        """What went wrong, and where."""
        return f"{self.path} instance {self.outcome.instance}: {self.outcome.failure}"


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
    codings: CodingChoice = AS_SUITS,
) -> PlannedRun:
    """Return what has to be done for a method on chosen tasks, with results in a delve directory `into`.
    again: run complete instances too; keep, compress: see TaskDirectory; cases: those read before, by
    prototask path, to which those read now are added; codings: by which the attributes are encoded."""
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
            plan = plan_for(method, hierarchy, view, cases[prototask.path], choice=codings)
        except DelveError as error:
            faults.append(str(error))
            continue
        if reason := _refused_instance(method, plan.instances):
            refused[task.path] = reason
            continue
        path = os.path.join(into, "methods", method.name, dataset.name, prototask.name, task.name)
        directory = TaskDirectory(path, method.name, plan, keep=keep, compress=compress)
        instances = tuple(plan.instances if again else directory.incomplete())
        complete += len(plan.instances) - len(instances)
        if instances:
            work.append((directory, instances))
    return PlannedRun(
        method=method,
        roots=tuple(hierarchy.roots),
        follow_links=hierarchy.follow_links,
        work=tuple(work),
        complete=complete,
        refused=refused,
        faults=tuple(faults),
        codings=codings,
    )


def _refused_instance(method: Runnable, instances: Iterable[Instance]) -> str | None:
    """Return why a method cannot be applied to one of the instances of a task, None where it can."""
    can_instance = getattr(method, "can_instance", None)
    return next(filter(None, map(can_instance, instances)), None) if can_instance else None


Notify = Callable[[Step], None]


def run_methods(
    runs: Sequence[PlannedRun],
    *,
    workers: int = 1,
    carry_out: CarryOut[Request, InstanceOutcome] | None = None,
    notify: Notify = lambda step: None,
) -> list[str]:
    """Run all planned instances and write their files; return the failures, one message each. A failure does
    not stop the instances after it.

    workers: how many processes compute; with one, it is this one, which also does what is done in a second,
    before others would have started. carry_out: does the computing instead, for instance on other machines;
    gives requests back with their outcomes, in any order. notify: told of each instance that is written."""
    work = _Work(runs)
    requests = work.requests()
    for request, outcome in carry_out(requests) if carry_out else work.here(requests, workers):
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
        self.left: Counter[tuple[str, Task]] = Counter()

    def requests(self) -> Iterator[Request]:
        """Yield a request for each instance, the directory of its task made."""
        for run, (directory, instances) in ((one, work) for one in self.runs for work in one.work):
            name, task = run.method.name, directory.plan.task
            try:
                directory.prepare()
            except (DelveError, OSError) as error:
                self.failures.append(f"{task.path}: {error}")
                self.load.drop((name, task.training_size), len(instances))
                continue
            self.directories[name, task], self.left[name, task] = directory, len(instances)
            for instance in instances:
                place = run.roots, task, instance.number, run.follow_links
                yield Request(run.method, *place, codings=run.codings)

    def here(self, requests: Iterator[Request], workers: int) -> Iterator[tuple[Request, InstanceOutcome]]:
        """Carry requests out in this process, which has the cases already, or from a second on in several."""
        started = time.perf_counter()
        for request in requests:
            if workers > 1 and time.perf_counter() - started > ALONE:
                left = self.load.total - self.load.count
                return (
                    yield from carry_out_all(chain([request], requests), Bench, workers=min(workers, left))
                )
            plan = self.directories[request.method.name, request.task].plan
            yield request, run_instance(request.method, plan, plan.instances[request.instance])

    def record(self, request: Request, outcome: InstanceOutcome) -> Step:
        """Write what came of a request."""
        name, task, load = request.method.name, request.task, self.load
        self.directories[name, task].record(outcome)
        load.add((name, task.training_size), outcome.seconds)
        self.left[name, task] -= 1
        step = Step(request, outcome, not self.left[name, task], load.share, load.count, total=load.total)
        if outcome.failure:
            self.failures.append(step.message)
        return step
