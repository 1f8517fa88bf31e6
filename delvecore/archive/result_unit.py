"""The results of methods on tasks: losses, codings, costs and standardizing constants, read into rows."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from delvecore.archive.dataset_unit import DatasetUnit, options_text
from delvecore.archive.loss_rules import LossRules
from delvecore.archive.predicted_losses import PredictedLosses, has_predictions
from delvecore.archive.snapshot import Unit
from delvecore.archive.stored import Row
from delvecore.checking.coding_rules import allowed_codings
from delvecore.checking.loss_rules import loss_files
from delvecore.encoding.codings import column_names, default_coding, full_options
from delvecore.errors import ParseError
from delvecore.losses.spec import loss_order, parse_loss
from delvecore.model import Attribute, Coding, PriorLine
from delvecore.readers.bulk import read_loss_files
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.results import COSTS, parse_costs, parse_test_set_stats

__all__ = ["ResultUnit", "read_result_units"]


T = TypeVar("T")


@dataclass
class ResultUnit:
    """One method on one task: losses by (loss, instance), rows of codings, standardizers by loss, costs by
    instance (see `readers.results`), faults."""

    losses: dict[tuple[str, int], np.ndarray] = field(default_factory=dict)
    codings: list[Row] = field(default_factory=list)
    standardizers: dict[str, float] = field(default_factory=dict)
    costs: dict[int, tuple[float, float | None]] = field(default_factory=dict)
    errors: list[ParseError] = field(default_factory=list)


def read_result_units(
    units: list[Unit],
    datasets: dict[str, DatasetUnit],
    hierarchy: Hierarchy,
    *,
    notify: Callable[[Unit], None] = lambda unit: None,
) -> list[ResultUnit]:
    """Read the task directories of methods; the loss files of all of them in one go. Losses of those that
    have none are computed from their predictions.

    datasets: those of the units, by name; hierarchy: the archive's directories; notify: called with each unit
    that is done.
    """
    results, rules = [ResultUnit() for _ in units], LossRules(hierarchy, datasets)
    predicted = PredictedLosses(hierarchy)
    wanted: list[tuple[str, str, int, ResultUnit]] = []
    for unit, result in zip(units, results, strict=True):
        found = loss_files(unit.files, report=result.errors.append)
        wanted += [(file.path, file.loss, file.instance, result) for file in found]
    _read_losses(wanted)
    for unit, result in zip(units, results, strict=True):
        instances, test_cases = _standard_numbers(unit, result, datasets)
        if result.losses or not has_predictions(unit):
            _check_numbers(unit, result, instances)
            _check_lengths(unit, result, (instances, test_cases), rules)
        elif instances is not None:
            result.losses |= predicted.losses(unit, report=result.errors.append)
        _check_complete(unit, result, instances)
        for loss in sorted({loss for loss, _ in result.losses}, key=loss_order):
            rules.check_matrix(unit, loss, result.errors.append)
        _read_stats(unit, result)
        _read_codings(unit, result, datasets[unit.names[2]])
        _read_costs(unit, result)
        notify(unit)
    return results


def _read_losses(wanted: list[tuple[str, str, int, ResultUnit]]) -> None:
    """Read files of many units; a fault goes to the unit that the file belongs to."""
    owners = {path: result for path, _, _, result in wanted}
    arrays = read_loss_files(
        [path for path, *_ in wanted],
        [loss for _, loss, *_ in wanted],
        report=lambda error: owners[error.source].errors.append(error),
    )
    for (_, loss, number, result), values in zip(wanted, arrays, strict=True):
        if values is not None:
            result.losses[loss, number] = values


def _standard_numbers(
    unit: Unit, result: ResultUnit, datasets: dict[str, DatasetUnit]
) -> tuple[int | None, int | None]:
    """Return (instances, test cases of each) of the unit's task; None where the data do not say."""
    dataset, prototask, task = unit.names[2:]
    for row in datasets[dataset].rows.get("tasks", ()):
        if (row["prototask"], row["task"]) == (prototask, task):
            return row["instances"], row["test_cases"]
    if prototask in datasets[dataset].prototasks:
        expected = f"one of the tasks of /{dataset}/{prototask}"
        remedy = "see the prototask's training set sizes and priors"
        place = unit.directories[0]
        result.errors.append(ParseError(place, None, expected, repr(task), remedy, kind="hierarchy"))
    return None, None


def _leave_out(unit: Unit, result: ResultUnit, loss: str, number: int, expected: str, found: str) -> None:
    remedy = "make it anew with mloss"
    path = unit.files[f"loss.{loss}.{number}"]
    result.errors.append(ParseError(path, None, expected, found, remedy, kind="results"))
    del result.losses[loss, number]


def _check_numbers(unit: Unit, result: ResultUnit, instances: int | None) -> None:
    """Report and leave out loss files of instances that the task does not have."""
    for loss, number in list(result.losses):
        if instances is not None and number >= instances:
            expected = f"an instance from 0 to {instances - 1}"
            _leave_out(unit, result, loss, number, expected, f"instance {number}")


def _check_complete(unit: Unit, result: ResultUnit, instances: int | None) -> None:
    """Report losses that are there for some instances of the task only; they are used all the same."""
    counts = Counter(loss for loss, _ in result.losses)
    for loss, count in counts.items():
        if instances is not None and count < instances:
            expected = f"{loss} losses of all {instances} instances"
            remedy = "statistics use those that are there"
            place = unit.directories[0]
            error = ParseError(place, None, expected, f"those of {count}", remedy, kind="results")
            result.errors.append(error)


def _check_lengths(
    unit: Unit, result: ResultUnit, numbers: tuple[int | None, int | None], rules: LossRules
) -> None:
    """Report and leave out loss files that are not as long as the test cases that count in their loss, or as
    their siblings. numbers: of instances and of test cases of each."""
    for loss in sorted({loss for loss, _ in result.losses}, key=loss_order):
        lengths = {number: len(v) for (name, number), v in result.losses.items() if name == loss}
        expected = rules.lengths(unit, loss, *numbers)
        usual = Counter(lengths.values()).most_common(1)[0][0]
        for number, length in lengths.items():
            wanted = expected[number] if expected else usual
            if length != wanted:
                _leave_out(unit, result, loss, number, f"{wanted} losses, one a test case", f"{length}")


def _parsed(unit: Unit, name: str, result: ResultUnit, parse: Callable[[str, str], T]) -> T | None:
    """Return parse(text, path), or None where the file is absent or unreadable (recorded)."""
    if name not in unit.files:
        return None
    try:
        return parse(read_text(unit.files[name]), unit.files[name])
    except ParseError as error:
        result.errors.append(error)
        return None


def _read_stats(unit: Unit, result: ResultUnit) -> None:
    def parse(text: str, path: str) -> dict[str, tuple[float | None, ...]]:
        return parse_test_set_stats(text, path, report=result.errors.append)

    stats = _parsed(unit, "Test-set-stats", result, parse) or {}
    for loss in {*stats, *(loss for loss, _ in result.losses)}:
        known = parse_loss(loss)
        values = stats.get(known.letter or "", (None,)) if known else (None,)
        numbers = [value for value in values if value is not None]
        if known and len(numbers) == len(values):
            result.standardizers[loss] = float(known.constant(numbers))


def _read_costs(unit: Unit, result: ResultUnit) -> None:
    def parse(text: str, path: str) -> dict[int, tuple[float, float | None]]:
        return parse_costs(text, path, report=result.errors.append)

    result.costs = _parsed(unit, COSTS, result, parse) or {}


def _read_codings(unit: Unit, result: ResultUnit, datasets: DatasetUnit) -> None:
    """Rows of the coding used for each attribute of the task, where Coding-used can be read."""
    _, method, name, prototask_name, task = unit.names
    prototask = datasets.prototasks.get(prototask_name)
    prior = datasets.priors.get((prototask_name, unit.task[0]))
    if prototask is None or prior is None:
        return

    def parse(text: str, path: str) -> dict[int, Coding]:
        return allowed_codings(text, path, datasets.known, prototask, prior, report=result.errors.append)

    codings = _parsed(unit, "Coding-used", result, parse) or {}
    for number, coding in codings.items():
        attribute = datasets.known.attribute(number)
        role = "input" if number in prototask.inputs else "target"
        place = {"method": method, "dataset": name, "prototask": prototask_name, "task": task}
        row = _coding_row(attribute, prior.line(number), coding, prototask.transformation(number))
        result.codings.append({**place, "role": role, **row})


def _coding_row(attribute: Attribute, line: PriorLine, coding: Coding, function: str | None) -> Row:
    default = default_coding(attribute, line, function)
    same = (coding.coding, full_options(coding)) == (default.coding, full_options(default))
    return {
        "number": attribute.number,
        "attribute": attribute.name,
        "coding": coding.coding,
        "options": options_text(coding.options),
        "columns": column_names(attribute, coding),
        "differs": not same,
    }
