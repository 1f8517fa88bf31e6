"""Losses of the task directories that hold predictions but no losses, as those of a method's archive file do.

They are what `mloss` would write there: computed by the same code, rounded as a file would have them.
"""

from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np

from delvecore.archive.snapshot import Unit
from delvecore.encoding.encode import TaskPlan
from delvecore.encoding.prototask_cases import PrototaskCases, prototask_cases
from delvecore.encoding.task_instances import task_instances
from delvecore.errors import DelveError, ParseError, Report
from delvecore.losses.compute import compute_task_losses
from delvecore.losses.counted_cases import TrueTargets
from delvecore.losses.method_task import MethodTask, open_method_task
from delvecore.losses.predictions import parse_prediction_name
from delvecore.model import Coding, Task
from delvecore.numerals.number_arrays import round_numbers
from delvecore.readers.hierarchy import Hierarchy

__all__ = ["PredictedLosses", "has_predictions"]


TrueKey = tuple[Task, int, tuple[Coding, ...]]
MOST_CASES = 1 << 20
"""How many test cases' true targets are kept: some 100 megabytes."""


def has_predictions(unit: Unit) -> bool:
    """Are there predictions, of which losses can be made?"""
    return any(parse_prediction_name(name) for name in unit.files)


class PredictedLosses:
    """Computes losses for many methods; what they share is made once: the columns with targets of each
    prototask, and the true targets of tasks.

    hierarchy: the archive's directories.
    """

    def __init__(self, hierarchy: Hierarchy) -> None:
        self.hierarchy = hierarchy
        self._cases: dict[str, PrototaskCases] = {}
        self._true = _TrueTargets()

    def losses(self, unit: Unit, *, report: Report) -> dict[tuple[str, int], np.ndarray]:
        """Return the losses of a unit by (loss, instance), float64, one a test case that counts.

        report receives a ParseError where they cannot be computed, and then there are none.
        """
        try:
            task = open_method_task(self.hierarchy, *unit.names[1:])
            found = compute_task_losses(_known(task, self._targets(task), unit, self._true)).losses
        except ParseError as error:
            report(error)
        except DelveError as error:
            remedy = "mend the predictions, or run mloss to see more"
            report(ParseError(unit.directories[0], None, "losses of its predictions", str(error), remedy))
        else:
            return {key: round_numbers(values) for key, values in found.items()}
        return {}

    def _targets(self, task: MethodTask) -> PrototaskCases:
        """Return the cases of a task's prototask with its targets alone."""
        path = task.prototask.path
        if path not in self._cases:
            cases = prototask_cases(self.hierarchy, task.dataset, task.prototask)
            targets = {number: cases.columns[number] for number in task.prototask.targets}
            self._cases[path] = replace(cases, columns=targets)
        return self._cases[path]


class _TrueTargets(dict[TrueKey, TrueTargets]):
    """True targets by task, instance and codings; forgotten when they become too many."""

    cases = 0

    def __setitem__(self, key: TrueKey, true: TrueTargets) -> None:
        self.cases += true.count
        if self.cases > MOST_CASES:
            self.clear()
            self.cases = true.count
        super().__setitem__(key, true)


@dataclass(frozen=True)
class _KnownTask(MethodTask):
    """A method's task whose true targets are known.

    cases: of the prototask, without its inputs; unit: its files; true: true targets made before, for any
    method, by task, instance and codings.
    """

    cases: PrototaskCases
    unit: Unit
    true: _TrueTargets

    @cached_property
    def plan(self) -> TaskPlan:
        codings = {number: self.codings[number] for number in self.prototask.targets}
        instances = task_instances(self.hierarchy, self.cases, self.task)
        return TaskPlan(self.task, self.cases, self.prior, codings, instances)

    @cached_property
    def files(self) -> dict[str, str]:
        return self.unit.files

    def find(self, name: str) -> str | None:
        return self.unit.files.get(name)

    def true_targets(self, instance: int) -> TrueTargets:
        if any(self.find(f"{kind}.{instance}") for kind in ("targets", "normalize")):
            return super().true_targets(instance)
        key = self.task, instance, tuple(coding for _, coding in self.targets)
        true = self.true.get(key)
        if true is None:
            self.true[key] = true = super().true_targets(instance)
        return true


def _known(task: MethodTask, cases: PrototaskCases, unit: Unit, true: _TrueTargets) -> _KnownTask:
    shared = {field.name: getattr(task, field.name) for field in fields(MethodTask)}
    return _KnownTask(**shared, cases=cases, unit=unit, true=true)
