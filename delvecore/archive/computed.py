"""Losses of predictions, computed where a method's files do not say them. They are what `mloss` would write:
computed by the same code, rounded as a file would have them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property, partial

import numpy as np

from delvecore.archive.dataset_unit import DatasetUnit
from delvecore.archive.snapshot import Unit
from delvecore.encoding.encode import TaskPlan
from delvecore.encoding.instances import Instance
from delvecore.encoding.prototask_cases import PrototaskCases, prototask_cases
from delvecore.encoding.task_instances import task_instances
from delvecore.errors import DelveError, ParseError, Report
from delvecore.losses.compute import compute_task_losses
from delvecore.losses.method_task import MethodTask, TrueTargets, open_method_task
from delvecore.losses.predictions import parse_prediction_name
from delvecore.model import Coding, Dataset, Prior, Prototask, Task
from delvecore.numerals.text_columns import round_numbers
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import check_size, named_task, read_place

__all__ = ["KnownCases", "PredictedLosses", "has_predictions"]

TrueKey = tuple[Task, int, tuple[Coding, ...]]
MOST_CASES = 1 << 20
"""How many test cases' true targets are kept: some 100 megabytes."""


class KnownCases:
    """The cases of prototasks, each read once. hierarchy: the archive's directories; read: datasets that were
    read before, by name, which need not be read again where nothing was amiss."""

    def __init__(self, hierarchy: Hierarchy, read: Mapping[str, DatasetUnit]) -> None:
        self.hierarchy = hierarchy
        self._read = {name: unit for name, unit in read.items() if not unit.errors}
        self._cases: dict[str, PrototaskCases] = {}
        self._read_place = cache(partial(read_place, hierarchy))

    def _place(self, task: Task) -> tuple[Dataset, Prototask, Prior]:
        read = self._read.get(task.dataset)
        prior = read.priors.get((task.prototask, task.prior)) if read else None
        if read is None or prior is None:
            return self._read_place(task.dataset, task.prototask, task.prior)
        return read.known, read.prototasks[task.prototask], prior

    def of(self, dataset: Dataset, prototask: Prototask, *, only_targets: bool = False) -> PrototaskCases:
        """Return the cases of a prototask, with its targets alone where nobody will ask for more."""
        if prototask.path not in self._cases:
            read = self._read.get(dataset.name)
            selected = read.selected(prototask.name) if read else None
            cases = selected or prototask_cases(self.hierarchy, dataset, prototask)
            if only_targets:
                targets = {number: cases.columns[number] for number in prototask.targets}
                cases = replace(cases, columns=targets)
            self._cases[prototask.path] = cases
        return self._cases[prototask.path]

    def of_task(self, names: Sequence[str]) -> tuple[PrototaskCases, Prior, list[Instance]]:
        """Return the cases of a task's prototask, its prior and its instances. Raises DelveError."""
        task = named_task(*names)
        dataset, prototask, prior = self._place(task)
        check_size(self.hierarchy, prototask, task)
        cases = self.of(dataset, prototask)
        return cases, prior, task_instances(self.hierarchy, cases, task)


def has_predictions(unit: Unit) -> bool:
    """Are there predictions, of which losses can be made?"""
    return any(parse_prediction_name(name) for name in unit.files)


class PredictedLosses:
    """Computes losses for many methods; what they share is made once: the columns with targets of each
    prototask, and the true targets of tasks. hierarchy: the archive's directories; read: as for
    KnownCases."""

    def __init__(self, hierarchy: Hierarchy, read: Mapping[str, DatasetUnit]) -> None:
        self.hierarchy = hierarchy
        self._cases = KnownCases(hierarchy, read)
        self._true = _TrueTargets()

    def losses(self, unit: Unit, *, report: Report) -> dict[tuple[str, int], np.ndarray]:
        """Return the losses of a unit by (loss, instance), float64, one a test case that counts. report
        receives a ParseError where they cannot be computed, and then there are none."""
        try:
            task = open_method_task(self.hierarchy, *unit.names[1:])
            cases = self._cases.of(task.dataset, task.prototask, only_targets=True)
            facts = {field.name: getattr(task, field.name) for field in fields(MethodTask)}
            known = _KnownTask(**facts, cases=cases, unit=unit, true=self._true)
            found = compute_task_losses(known).losses
        except ParseError as error:
            report(error)
        except DelveError as error:
            remedy = "mend the predictions, or run mloss to see more"
            report(ParseError(unit.directories[0], None, "losses of its predictions", str(error), remedy))
        else:
            return {key: round_numbers(values) for key, values in found.items()}
        return {}


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
    """A method's task whose true targets are known. cases: of the prototask, without its inputs; unit: its
    files; true: true targets made before, for any method, by task, instance and codings."""

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
