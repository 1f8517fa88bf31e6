"""Losses of predictions, computed where a method's files do not say them. They are what `mloss` would write:
computed by the same code, rounded as a file would have them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
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
from delvecore.losses.method_task import CODING_USED, MethodTask, TrueTargets, used_codings
from delvecore.losses.predictions import parse_prediction_name
from delvecore.model import Coding, Dataset, Prior, Prototask, Task
from delvecore.number_format.text_columns import round_numbers
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import check_size, named_task, read_place

TaskKey = tuple[Task, tuple[Coding, ...]]
TrueKey = tuple[Task, tuple[Coding, ...], int]
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

    def place(self, task: Task) -> tuple[Dataset, Prototask, Prior]:
        """Return the specifications of a task. Raises DelveError."""
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
        dataset, prototask, prior = self.place(task)
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
        self._shared = _Shared()
        self._codings: dict[tuple[str, str, str], dict[int, Coding]] = {}

    def losses(self, unit: Unit, *, report: Report) -> dict[tuple[str, int], np.ndarray]:
        """Return the losses of a unit by (loss, instance), float64, one a test case that counts. report
        receives a ParseError where they cannot be computed, and then there are none."""
        try:
            found = compute_task_losses(self.task(unit)).losses
        except ParseError as error:
            report(error)
        except DelveError as error:
            remedy = "mend the predictions, or run mloss to see more"
            report(ParseError(unit.directories[0], None, "losses of its predictions", str(error), remedy))
        else:
            return _rounded(found)
        return {}

    def task(self, unit: Unit) -> MethodTask:
        """Return the task of a unit, which knows what other methods' tasks have found. Raises DelveError."""
        task = named_task(*unit.names[2:])
        dataset, prototask, prior = self._cases.place(task)
        return _KnownTask(
            hierarchy=self.hierarchy,
            method=unit.names[1],
            dataset=dataset,
            prototask=prototask,
            prior=prior,
            task=task,
            codings=self._used(unit, dataset, prototask, prior),
            cases=self._cases.of(dataset, prototask, only_targets=True),
            unit=unit,
            shared=self._shared,
        )

    def _used(self, unit: Unit, dataset: Dataset, prototask: Prototask, prior: Prior) -> dict[int, Coding]:
        """Return `used_codings`, worked out once for the many units whose files say the same."""
        path = unit.files.get(CODING_USED)
        text = read_text(path) if path else ""
        key = (prototask.path, prior.name, text)
        if key not in self._codings:
            self._codings[key] = used_codings(dataset, prototask, prior, path, text=text)
        return self._codings[key]


def _rounded(found: dict[tuple[str, int], np.ndarray]) -> dict[tuple[str, int], np.ndarray]:
    """Return losses as files would have them: all are rounded together, which is several times as fast."""
    together = round_numbers(np.concatenate([*found.values(), np.array([])]))
    ends = np.cumsum([len(values) for values in found.values()])
    return dict(zip(found, np.split(together, ends), strict=False))


class _TrueTargets(dict[TrueKey, TrueTargets]):
    """True targets by task, instance and codings; forgotten when they become too many."""

    cases = 0

    def __setitem__(self, key: TrueKey, true: TrueTargets) -> None:
        self.cases += true.count
        if self.cases > MOST_CASES:
            self.clear()
            self.cases = true.count
        super().__setitem__(key, true)


class _Shared:
    """What methods on a task have in common, made once: plans, whether targets may be unknown, and true
    targets. The plans of the last task are kept, for methods come one after the other."""

    def __init__(self) -> None:
        self.true = _TrueTargets()
        self.plans: dict[TaskKey, TaskPlan] = {}
        self.unknown: dict[TaskKey, bool] = {}


@dataclass(frozen=True)
class _KnownTask(MethodTask):
    """A method's task of which all that other methods share is known. cases: of the prototask, without its
    inputs; unit: its files."""

    cases: PrototaskCases
    unit: Unit
    shared: _Shared

    @cached_property
    def key(self) -> TaskKey:
        return self.task, tuple(coding for _, coding in self.targets)

    @cached_property
    def plan(self) -> TaskPlan:
        if self.key not in self.shared.plans:
            codings = {number: self.codings[number] for number in self.prototask.targets}
            instances = task_instances(self.hierarchy, self.cases, self.task)
            made = TaskPlan(self.task, self.cases, self.prior, codings, instances)
            self.shared.plans[self.key] = made
        return self.shared.plans[self.key]

    @cached_property
    def has_unknown_targets(self) -> bool:
        if self._target_files:
            return self._may_lack_targets()
        if self.key not in self.shared.unknown:
            self.shared.unknown[self.key] = self._may_lack_targets()
        return self.shared.unknown[self.key]

    @cached_property
    def files(self) -> dict[str, str]:
        return self.unit.files

    def find(self, name: str) -> str | None:
        return self.unit.files.get(name)

    def true_targets(self, instance: int) -> TrueTargets:
        if any(self.find(f"{kind}.{instance}") for kind in ("targets", "normalize")):
            return super().true_targets(instance)
        key = (*self.key, instance)
        true = self.shared.true.get(key)
        if true is None:
            self.shared.true[key] = true = super().true_targets(instance)
        return true
