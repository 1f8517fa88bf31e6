"""One instance as a request that any process can carry out: names, not data, pass between processes.

The process that carries it out reads the cases itself and keeps those of the last prototask, so each reads
them once however many instances follow.
"""

from collections.abc import Callable
from dataclasses import dataclass

from delvecore.encoding.encode import TaskPlan, plan_task
from delvecore.encoding.prototask_cases import prototask_cases
from delvecore.methods.protocol import Method, TaskView
from delvecore.model import Task
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import read_task
from delvecore.runner.instances import FAULTS, InstanceOutcome, failed, run_instance

__all__ = ["Bench", "Request"]


@dataclass(frozen=True)
class Request:
    """One instance of a task for a method. roots: the merged delve directories where its data are."""

    method: Method
    roots: tuple[str, ...]
    task: Task
    instance: int


class Bench:
    """Carries out requests one after the other; keeps the last prototask's cases and the last task's plan."""

    def __init__(self, run: Callable[..., InstanceOutcome] = run_instance) -> None:
        self._run = run
        self._prototask, self._cases = None, None
        self._task, self._plan = None, None

    def carry_out(self, request: Request) -> InstanceOutcome:
        """Return what came of a request; what cannot be read or planned is a failure too."""
        try:
            plan = self._plan_of(request)
        except FAULTS as error:
            return failed(request.method, request.task, request.instance, error)
        return self._run(request.method, plan, plan.instances[request.instance])

    def _plan_of(self, request: Request) -> TaskPlan:
        key = (request.method.name, request.roots, request.task)
        if self._task != key:
            hierarchy, task = Hierarchy(list(request.roots)), request.task
            dataset, prototask, prior, _ = read_task(hierarchy, task.dataset, task.prototask, task.name)
            if self._prototask != (request.roots, prototask.path):
                self._cases = prototask_cases(hierarchy, dataset, prototask)
                self._prototask = request.roots, prototask.path
            codings = request.method.codings(TaskView(dataset, prototask, prior, task))
            self._plan = plan_task(hierarchy, self._cases, prior, task.training_size, codings=codings)
            self._task = key
        return self._plan
