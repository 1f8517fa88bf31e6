"""One instance as a request that any process can carry out: names, not data, pass between processes.

The process that carries it out reads the cases itself and keeps those of the last prototask, so each reads
them once however many instances follow.
"""

from collections.abc import Callable
from dataclasses import dataclass

from delvecore.encoding.encode import TaskPlan, plan_task
from delvecore.encoding.prototask_cases import PrototaskCases, prototask_cases
from delvecore.methods.protocol import TaskView
from delvecore.model import Task
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import read_task
from delvecore.runner.command_method import Runnable
from delvecore.runner.instances import FAULTS, InstanceOutcome, failed, run_instance

__all__ = ["Bench", "Request"]


@dataclass(frozen=True)
class Request:
    """One instance of a task for a method. roots: the merged delve directories where its data are."""

    method: Runnable
    roots: tuple[str, ...]
    task: Task
    instance: int


class Bench:
    """Carries out requests one after the other; keeps the last prototask's cases and the last task's plan."""

    def __init__(self, run: Callable[..., InstanceOutcome] = run_instance) -> None:
        self._run = run
        self._cases: tuple[tuple[tuple[str, ...], str], PrototaskCases] | None = None
        self._plan: tuple[tuple[str, tuple[str, ...], Task], TaskPlan] | None = None

    def carry_out(self, request: Request) -> InstanceOutcome:
        """Return what came of a request; what cannot be read or planned is a failure too."""
        try:
            plan = self._plan_of(request)
        except FAULTS as error:
            return failed(request.method, request.task, request.instance, error)
        return self._run(request.method, plan, plan.instances[request.instance])

    def _plan_of(self, request: Request) -> TaskPlan:
        key = (request.method.name, request.roots, request.task)
        if self._plan is None or self._plan[0] != key:
            hierarchy, task = Hierarchy(list(request.roots)), request.task
            dataset, prototask, prior, _ = read_task(hierarchy, task.dataset, task.prototask, task.name)
            of = request.roots, prototask.path
            if self._cases is None or self._cases[0] != of:
                self._cases = of, prototask_cases(hierarchy, dataset, prototask)
            codings = request.method.codings(TaskView(dataset, prototask, prior, task))
            cases = self._cases[1]
            self._plan = key, plan_task(hierarchy, cases, prior, task.training_size, codings=codings)
        return self._plan[1]
