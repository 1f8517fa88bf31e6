"""The results of methods on tasks: losses, codings, costs and standardizing constants, read into rows. If a
method's files have no losses, they are computed from its rounded predictions, as `mloss` would write them."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial

import numpy as np

from delvecore.archive.dataset_unit import DatasetUnit, InstanceFacts, options_text
from delvecore.archive.snapshot import Unit
from delvecore.checks.result_rules import STATISTICS, allowed_codings, loss_files
from delvecore.encoding.codings import column_names, default_coding, full_options
from delvecore.encoding.encode import TaskPlan
from delvecore.encoding.instances import Instance
from delvecore.encoding.prototask_cases import PrototaskCases, prototask_cases
from delvecore.encoding.task_instances import task_instances
from delvecore.errors import DelveError, Faults, ParseError, Report, attempt, result_fault
from delvecore.losses.compute import compute_task_losses
from delvecore.losses.functions import read_loss_matrix
from delvecore.losses.method_task import CODING_USED, MethodTask, plan_positions, used_codings
from delvecore.losses.predictions import ResultFile, parse_prediction_name
from delvecore.losses.spec import is_allowed, is_logarithmic, loss_order, parse_loss
from delvecore.model import Coding, Dataset, Prior, Prototask, Task
from delvecore.number_format.columns import round_numbers
from delvecore.readers.cases import Column
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.results import COSTS, Cost, parse_costs, parse_test_set_stats, read_loss_files
from delvecore.readers.specifications import check_size, named_task, read_place
from delvecore.stats.losses.stochastic_training import over_runs
from delvecore.tables import PLACE, Row

TaskKey = tuple[Task, tuple[Coding, ...]]
TrueKey = tuple[Task, tuple[Coding, ...], int]
MOST_CASES = 1 << 20
"""Number of test cases whose true targets are cached: some 100 megabytes."""


class KnownCases:
    """The cases of prototasks, each read once; datasets read earlier without a fault are reused."""

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
        """Return the cases of a prototask. `only_targets` drops the inputs, also for later callers."""
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
    """Are there predictions to compute losses from?"""
    return any(parse_prediction_name(name) for name in unit.files)


class PredictedLosses:
    """Computes losses for many methods. Targets of prototasks, plans and true targets of tasks are read once.
    True targets are discarded when there are too many."""

    def __init__(self, hierarchy: Hierarchy, read: Mapping[str, DatasetUnit]) -> None:
        self.hierarchy = hierarchy
        self._cases = KnownCases(hierarchy, read)
        self.plans: dict[TaskKey, TaskPlan] = {}
        self.true: dict[TrueKey, list[Column]] = {}
        self._true_cases = 0
        self._codings: dict[tuple[str, str, str], dict[int, Coding]] = {}

    def losses(self, unit: Unit, *, report: Report) -> dict[tuple[str, int], np.ndarray]:
        """Return the losses of a unit by (loss, instance), float64, one per test case that counts. If they
        cannot be computed, report receives a ParseError and the result is empty."""
        try:
            losses, _ = compute_task_losses(self.task(unit))
        except ParseError as error:
            report(error)
        except DelveError as error:
            remedy = "correct the predictions, or run mloss for details"
            report(ParseError(unit.directories[0], None, "losses of its predictions", str(error), remedy))
        else:
            return _rounded(losses)
        return {}

    def task(self, unit: Unit) -> MethodTask:
        """Return the task of a unit, which reuses data of other methods' tasks. Raises DelveError."""
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
            shared=self,
        )

    def keep_true(self, key: TrueKey, true: list[Column]) -> None:
        """Cache true targets; earlier ones are discarded if all together have too many cases."""
        count = len(true[0].missing)
        self._true_cases += count
        if self._true_cases > MOST_CASES:
            self.true.clear()
            self._true_cases = count
        self.true[key] = true

    def _used(self, unit: Unit, dataset: Dataset, prototask: Prototask, prior: Prior) -> dict[int, Coding]:
        """Return `used_codings`, cached for the many units with equal files."""
        path = unit.files.get(CODING_USED)
        text = read_text(path) if path else ""
        key = (prototask.path, prior.name, text)
        if key not in self._codings:
            self._codings[key] = used_codings(dataset, prototask, prior, path, text=text)
        return self._codings[key]


def _rounded(losses: dict[tuple[str, int], np.ndarray]) -> dict[tuple[str, int], np.ndarray]:
    """Return losses rounded as in files; rounding all together is several times as fast."""
    together = round_numbers(np.concatenate([*losses.values(), np.array([])]))
    ends = np.cumsum([len(values) for values in losses.values()])
    return dict(zip(losses, np.split(together, ends), strict=False))


@dataclass(frozen=True)
class _KnownTask(MethodTask):
    """A method's task that shares data with other methods; its cases have no inputs."""

    cases: PrototaskCases
    unit: Unit
    shared: PredictedLosses

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
    def files(self) -> dict[str, str]:
        return self.unit.files

    def find(self, name: str) -> str | None:
        return self.unit.files.get(name)

    def true_targets(self, instance: int) -> list[Column]:
        if any(self.find(f"{kind}.{instance}") for kind in ("targets", "normalize")):
            return super().true_targets(instance)
        key = (*self.key, instance)
        true = self.shared.true.get(key)
        if true is None:
            true = super().true_targets(instance)
            self.shared.keep_true(key, true)
        return true


@dataclass
class ResultUnit:
    """One method on one task; losses by (loss, instance), standardizers by loss, costs by instance."""

    losses: dict[tuple[str, int], np.ndarray] = field(default_factory=dict)
    codings: list[Row] = field(default_factory=list)
    standardizers: dict[str, float] = field(default_factory=dict)
    costs: dict[int, Cost] = field(default_factory=dict)
    errors: Faults = field(default_factory=Faults)

    def letters(self) -> list[str]:
        """The available losses, in the order of `loss_order`."""
        return sorted({loss for loss, _ in self.losses}, key=loss_order)


class LossRules:
    """Rules for loss files, cached for all methods."""

    def __init__(self, hierarchy: Hierarchy, datasets: dict[str, DatasetUnit]) -> None:
        self.hierarchy, self.datasets = hierarchy, datasets
        self._cases = KnownCases(hierarchy, datasets)
        self._has_unknown_targets = cache(self._look_for_unknown_targets)
        self._lengths: dict[tuple[object, ...], tuple[int, ...] | None] = {}
        self._seen: set[tuple[str, ...]] = set()

    def lengths(self, unit: Unit, loss: str, facts: InstanceFacts | None) -> tuple[int, ...] | None:
        """Return the number of losses of each instance, or None if the data do not contain it. Some losses
        omit cases with missing or censored targets."""
        _, _, name, prototask, _ = unit.names
        sizes = facts.test_sizes if facts else None
        if sizes is None or not self._has_unknown_targets(name, prototask):
            return sizes
        key = (*unit.names[2:], is_logarithmic(loss))
        if key not in self._lengths:
            try:
                cases, _, planned = self._cases.of_task(unit.names[2:])
                self._lengths[key] = tuple(map(len, plan_positions(cases, planned, loss)))
            except DelveError:  # the archive's problems tell why
                self._lengths[key] = None
        return self._lengths[key]

    def _look_for_unknown_targets(self, name: str, prototask_name: str) -> bool:
        read = self.datasets[name]
        if read.cases is None or prototask_name not in read.prototasks:
            return False
        columns = [read.cases.columns[number] for number in read.prototasks[prototask_name].targets]
        return any(column.missing.any() or column.censored.any() for column in columns)

    def check_matrix(self, unit: Unit, loss: str, report: Report) -> None:
        """Report, once for a task's prototask and prior, why a loss matrix is not available."""
        name, prototask_name, _ = unit.names[2:]
        key = (name, prototask_name, unit.task[0], loss)
        read, known = self.datasets[name], parse_loss(loss)
        prototask, prior = read.prototasks.get(prototask_name), read.priors.get(key[1:3])
        if known is None or not known.matrix or key in self._seen or prototask is None or prior is None:
            return
        self._seen.add(key)
        place = unit.directories[0]
        if not is_allowed(known.key, prototask, prior):
            remedy = "a loss matrix needs a single categorical target"
            report(result_fault(place, None, "losses that the targets allow", repr(known.key), remedy))
            return
        target = read.known.attribute(prototask.targets[0])
        try:
            read_loss_matrix(self.hierarchy, prototask, target, known.key)
        except ParseError as error:
            report(error)
        except DelveError:
            expected = f"the loss matrix {known.matrix} beside Prototask.spec"
            report(result_fault(place, None, expected, "none", "add it"))


def read_result_units(
    units: list[Unit],
    datasets: dict[str, DatasetUnit],
    hierarchy: Hierarchy,
    *,
    notify: Callable[[Unit], None] = lambda unit: None,
) -> list[ResultUnit]:
    """Read the task directories of methods, with all loss files in one pass.

    Losses are computed from predictions if there are no loss files. `datasets` are those of the units.
    `notify` is called with each completed unit.
    """
    results, rules = [ResultUnit() for _ in units], LossRules(hierarchy, datasets)
    predicted, known = PredictedLosses(hierarchy, datasets), KnownCodings()
    wanted: list[tuple[ResultFile, Prototask | None, ResultUnit]] = []
    for unit, result in zip(units, results, strict=True):
        unit_losses = loss_files(unit.files, report=result.errors.append)
        prototask = datasets[unit.names[2]].prototasks.get(unit.names[3])
        wanted += [(file, prototask, result) for file in unit_losses]
    _read_losses(wanted)
    for unit, result in zip(units, results, strict=True):
        facts = _known_facts(unit, result, datasets[unit.names[2]])
        instances = facts.instances if facts else None
        if result.losses or not has_predictions(unit):
            _check_files(unit, result, facts, rules)
        elif instances is not None:
            result.losses |= predicted.losses(unit, report=result.errors.append)
        if facts and instances is not None and facts.runs > 1:
            _average_runs(result, instances)
        _check_complete(unit, result, instances)
        for loss in result.letters():
            rules.check_matrix(unit, loss, result.errors.append)
        _read_stats(unit, result)
        _read_codings(unit, result, datasets[unit.names[2]], known)
        costs = _text(unit, COSTS, result)
        result.costs = parse_costs(costs, unit.files.get(COSTS, ""), report=result.errors.append)
        notify(unit)
    return results


def _average_runs(result: ResultUnit, sets: int) -> None:
    """Replace the losses of each run by mean losses over the runs on each training set."""
    losses = result.losses
    result.losses = {}
    for letter in dict.fromkeys(loss for loss, _ in losses):
        own = {number: values for (loss, number), values in losses.items() if loss == letter}
        result.losses |= {(letter, number): row for number, row in over_runs(own, sets).items()}


def _read_losses(wanted: list[tuple[ResultFile, Prototask | None, ResultUnit]]) -> None:
    """Read files of many units; a fault goes to the unit that the file belongs to."""
    owners = {file.path: result for file, _, result in wanted}
    arrays = read_loss_files(
        [file.path for file, *_ in wanted],
        [file.loss for file, *_ in wanted],
        [prototask for _, prototask, _ in wanted],
        report=lambda error: owners[error.source].errors.append(error),
    )
    for (file, _, result), values in zip(wanted, arrays, strict=True):
        if values is not None:
            result.losses[file.loss, file.instance] = values


def _known_facts(unit: Unit, result: ResultUnit, read: DatasetUnit) -> InstanceFacts | None:
    """The data's facts about the unit's task; None, after a report, if the data have no such task."""
    dataset, prototask, task = unit.names[2:]
    known = read.tasks.get((prototask, task))
    if known is None and prototask in read.prototasks:
        expected = f"one of the tasks of /{dataset}/{prototask}"
        remedy = "see the prototask's training set sizes and priors"
        place = unit.directories[0]
        result.errors.append(ParseError(place, None, expected, repr(task), remedy, kind="hierarchy"))
    return known


def _leave_out(unit: Unit, result: ResultUnit, loss: str, number: int, expected: str, actual: str) -> None:
    path = unit.files[f"loss.{loss}.{number}"]
    result.errors.append(result_fault(path, None, expected, actual, "make it again with mloss"))
    del result.losses[loss, number]


def _check_complete(unit: Unit, result: ResultUnit, instances: int | None) -> None:
    """Report losses that exist for only some instances of the task. They are still used."""
    counts = Counter(loss for loss, _ in result.losses)
    for loss, count in counts.items():
        if instances is not None and count < instances:
            expected = f"{loss} losses of all {instances} instances"
            fault = expected, f"those of {count}", "statistics use those that are there"
            result.errors.append(result_fault(unit.directories[0], None, *fault))


def _check_files(unit: Unit, result: ResultUnit, facts: InstanceFacts | None, rules: LossRules) -> None:
    """Report and omit loss files of instances that do not exist, and files of the wrong length."""
    instances = None if facts is None or facts.instances is None else facts.instances * facts.runs
    for loss, number in list(result.losses):
        if instances is not None and number >= instances:
            expected = f"an instance from 0 to {instances - 1}"
            _leave_out(unit, result, loss, number, expected, f"instance {number}")
    for loss in result.letters():
        lengths = {number: len(v) for (name, number), v in result.losses.items() if name == loss}
        counted = rules.lengths(unit, loss, facts)
        usual = Counter(lengths.values()).most_common(1)[0][0]
        for number, length in lengths.items():
            wanted = counted[number] if counted else usual
            if length != wanted:
                expected = f"{wanted} losses, one per test case"
                _leave_out(unit, result, loss, number, expected, f"{length}")


def _text(unit: Unit, name: str, result: ResultUnit) -> str:
    """Return the text of a file, or an empty text after recording that it is absent or unreadable."""
    return (attempt(result.errors.append, read_text, unit.files[name]) if name in unit.files else None) or ""


def _read_stats(unit: Unit, result: ResultUnit) -> None:
    text = _text(unit, STATISTICS, result)
    stats = parse_test_set_stats(text, unit.files.get(STATISTICS, ""), report=result.errors.append)
    for loss in sorted({*stats, *(loss for loss, _ in result.losses)}):
        known = parse_loss(loss)
        constant = known.constant(stats.get(known.letter or "", ())) if known else None
        if constant is not None:
            result.standardizers[loss] = float(constant)


KnownCodings = dict[tuple[str, ...], list[Row]]
"""Rows of codings by dataset, prototask, prior and their text, which many methods share."""


def _read_codings(unit: Unit, result: ResultUnit, read: DatasetUnit, known: KnownCodings) -> None:
    """Add rows of the codings in use, if they can be read. `known` has those without a fault."""
    prototask, prior = read.prototasks.get(unit.names[3]), read.priors.get((unit.names[3], unit.task[0]))
    text = _text(unit, CODING_USED, result) if prototask and prior else ""
    if prototask is None or prior is None or not text:
        return
    key, faults = (*unit.names[2:4], prior.name, text), Faults()
    rows = known.get(key)
    if rows is None:
        facts = read.known, prototask, prior
        codings = allowed_codings(text, unit.files[CODING_USED], *facts, report=faults.append)
        rows = [_coding_row(*facts, number, coding) for number, coding in codings.items()]
        for fault in faults:
            result.errors.append(fault)
        if not faults:
            known[key] = rows
    place = dict(zip(PLACE, unit.names[1:], strict=True))
    result.codings += [{**place, **row} for row in rows]


def _coding_row(dataset: Dataset, prototask: Prototask, prior: Prior, number: int, coding: Coding) -> Row:
    attribute = dataset.attribute(number)
    default = default_coding(attribute, prior.line(number), prototask.transformation(number))
    same = (coding.coding, full_options(coding)) == (default.coding, full_options(default))
    return {
        "role": "input" if number in prototask.inputs else "target",
        "number": number,
        "attribute": attribute.name,
        "coding": coding.coding,
        "options": options_text(coding.options),
        "columns": column_names(attribute, coding),
        "differs": not same,
    }
