"""Details of a method on one task beyond its losses: deciding cases, classes, runs, networks."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from delvecore.answers.network_training import NetworkRun
from delvecore.archive import Archive
from delvecore.archive.metrics import metric_rows
from delvecore.archive.result_unit import PredictedLosses
from delvecore.checks.result_rules import loss_files
from delvecore.encoding.prototask_cases import held_cases
from delvecore.encoding.task_instances import task_instances
from delvecore.errors import DelveError, Faults
from delvecore.losses.method_task import open_method_task, plan_positions
from delvecore.metrics.metric_inputs import Predictions
from delvecore.metrics.registry import computed_metrics
from delvecore.model import TaskId, is_below
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import INSTANCE_SUFFIX, Hierarchy
from delvecore.readers.instances import listed_facts, parse_instances
from delvecore.readers.results import read_loss_files
from delvecore.readers.specifications import read_task
from delvecore.readers.training import TRAINING, parse_training
from delvecore.stats.classification.summary import ClassificationSummary, summarize
from delvecore.stats.designs import COMMON, Design
from delvecore.stats.losses.case_tests import CaseDifferences
from delvecore.stats.losses.mstats import Estimate
from delvecore.stats.losses.stochastic_training import stochastic_training
from delvecore.tables import rows_of

NOT_KNOWN = np.empty((0, 0), dtype=np.int64)


def deciding_table(
    archive: Archive,
    task: TaskId,
    loss: str,
    methods: Sequence[str],
    differences: CaseDifferences,
    instances: Sequence[int],
    *,
    most: int,
) -> pd.DataFrame:
    """Return the test cases with the largest differences between two methods, largest first.

    The columns are Case, Training set, the values of both methods under their names, Difference, and the
    targets and inputs of the case. Case is the name in scores, or the number in the dataset; it is absent if
    unknown. Training set is absent for a common test set. `instances` are the numbers of the instances that
    both methods have.
    """
    chosen = differences.deciding_order[:most]
    rows = differences.instance[chosen]
    quantity = "Loss" if archive.measures[loss].is_loss else archive.measures[loss].title
    names = (*(f"{quantity} of {name}" for name in methods), "Difference")
    columns = (differences.loss_a, differences.loss_b, differences.difference)
    table = pd.DataFrame({name: column[chosen] for name, column in zip(names, columns, strict=True)})
    if (rows >= 0).any():
        table.insert(0, "Training set", [instances[row] for row in rows])
    named = archive.case_names.get(task.path)
    if named is not None:
        table.insert(0, "Case", [named[place] for place in differences.position[chosen].tolist()])
        return table
    cases = _cases_of(_case_numbers(archive, task, loss), rows, differences.position[chosen], instances)
    if cases is not None:
        table.insert(0, "Case", cases)
    if cases is None or not len(cases):
        return table
    values = _attributes_of(archive, task, cases)
    taken = {name: f"{name} (attribute)" for name in values if name in table}
    return pd.concat([table, values.rename(columns=taken)], axis=1)


def _case_numbers(archive: Archive, task: TaskId, loss: str) -> np.ndarray:
    """Return the dataset's case number (from 1) of each test case that counts, shape (instances, test cases);
    NOT_KNOWN without data, for unidentified cases, and for test sets of different sizes."""
    hierarchy = archive.hierarchy
    try:
        facts, problem, _, view = read_task(hierarchy, *task)
        cases = held_cases(hierarchy, facts, problem)
        instances = task_instances(hierarchy, cases, view)
    except DelveError:
        return NOT_KNOWN
    counted = plan_positions(cases, instances, loss)
    if len({len(positions) for positions in counted}) != 1:
        return NOT_KNOWN
    pairs = zip(instances, counted, strict=True)
    numbers = np.array([cases.case_numbers[instance.test[positions]] for instance, positions in pairs])
    return numbers if numbers.all() else NOT_KNOWN


def _cases_of(
    numbers: np.ndarray, rows: np.ndarray, positions: np.ndarray, instances: Sequence[int]
) -> np.ndarray | None:
    """Return the case numbers, or None if the losses do not match the standard instances."""
    if not len(numbers) or max(instances) >= len(numbers):
        return None
    if len(positions) and positions.max() >= numbers.shape[1]:
        return None
    which = np.array([instances[max(row, 0)] for row in rows], dtype=np.int64)
    case_numbers: np.ndarray = numbers[which, positions]
    return case_numbers


def _attributes_of(archive: Archive, task: TaskId, cases: np.ndarray) -> pd.DataFrame:
    """Return the targets and inputs of cases, except attribute 0; missing values are as in the file."""
    try:
        table = archive.cases(task.dataset).take(cases - 1)
    except DelveError:
        return pd.DataFrame(index=range(len(cases)))
    rows = rows_of(archive.prototasks, ("dataset", "prototask", "targets", "inputs"))
    attributes = next(((*targets, *inputs) for *names, targets, inputs in rows if (*names,) == task[:2]), ())
    columns = {}
    for name in attributes:
        if name not in table.column_names:
            continue
        reasons = f"{name} missing" if f"{name} missing" in table.column_names else name
        values = [why if value is None else value for value, why in rows_of(table, (name, reasons))]
        columns[name] = [value if isinstance(value, float | int) else str(value or "") for value in values]
    frame = pd.DataFrame(columns)
    mixed = [name for name in frame if frame[name].map(type).nunique() > 1]
    return frame.astype(dict.fromkeys(mixed, "string"))


def classification_summary(
    hierarchy: Hierarchy,
    method: str,
    task: TaskId,
    *,
    level: float = 0.95,
    null: float | None = None,
) -> ClassificationSummary:
    """Return contingency tables and measures of a method on a task (dataset, prototask, task). level, null:
    see `summarize`. Raises DelveError if the target is not a class or there are no predictions, ParseError
    for a bad file."""
    opened = open_method_task(hierarchy, method, *task)
    predictions = Predictions(opened)
    classes, parts = predictions.values, predictions.classes
    selection = opened.prototask.test_set_selection
    path = hierarchy.find("data", *task[:2], task[2] + INSTANCE_SUFFIX)
    independent, design = selection != COMMON, None
    if path is not None:
        listed = listed_facts(parse_instances(read_text(path), path), selection)
        independent, design = (
            listed.test_disjoint and listed.runs == 1,
            Design(listed.design, listed.scheme, listed.share),
        )
    if design and design.resubstitutes:  # instance 0 tests on its own training cases
        parts = tuple(one for one in parts if one.instance > 0)
    return summarize(parts, classes=classes, independent=independent, design=design, level=level, null=null)


def stochastic_trainings(archive: Archive, task: TaskId, loss: str) -> dict[str, Estimate]:
    """Return a summary of each method with several runs on each training set of a task."""
    seen, names = archive._snapshot, (task.dataset, task.prototask, task.task)
    unit = seen.datasets.get(task.dataset)
    path = unit.files.get(f"{task.prototask}/{task.task}{INSTANCE_SUFFIX}") if unit else None
    if path is None:
        return {}
    listed = listed_facts(parse_instances(read_text(path), path), "hierarchical")
    trainings = {}
    for place, result in seen.results.items() if listed.runs > 1 else ():
        if place[1:] != names:
            continue
        faults = Faults()  # these are problems of the archive
        files = [file for file in loss_files(result.files, report=faults.append) if file.loss == loss]
        paths, count = [file.path for file in files], len(files)
        arrays = read_loss_files(paths, [loss] * count, [None] * count, report=faults.append)
        losses = {file.instance: row for file, row in zip(files, arrays, strict=True) if row is not None}
        if not files:
            computed = PredictedLosses(archive.hierarchy, {}).losses(result, report=faults.append)
            losses = {number: row for (letter, number), row in computed.items() if letter == loss}
        if training := stochastic_training(losses, listed.sets, design=listed.design):
            trainings[place[0]] = training
    return trainings


NAN = float("nan")
Errors = dict[str, dict[tuple[str | int, ...], float | None]]
"""Values of metrics by method, dataset, prototask, task and instance."""


def network_runs(archive: Archive, places: Sequence[Sequence[str]] = ()) -> list[NetworkRun]:
    """Return the training runs of networks below some places, in order; no places mean all. Raises ParseError
    for a faulty file."""
    wanted = [tuple(place) for place in places] or [()]
    errors: Errors = {}
    asked = [computed_metrics()[name] for name in ("sep", "cep")]
    for name, rows_by_place in metric_rows(archive, asked, wanted).items():
        errors[name] = {
            (*place, number): value for place, rows in rows_by_place.items() for number, value, _ in rows
        }
    runs = []
    for method, paths in archive.index.tasks_done.items():
        for task in map(TaskId.parse, paths):
            if is_below(task, wanted):
                runs += _runs_of(archive, method, task, errors)
    return sorted(runs, key=lambda run: (run.task, run.method, run.instance))


def _runs_of(archive: Archive, method: str, task: TaskId, errors: Errors) -> list[NetworkRun]:
    runs = []
    for name, path in archive.hierarchy.files("methods", method, *task).items():
        stem, _, number = name.partition(".")
        if stem != TRAINING or not number.isdecimal():
            continue
        one = parse_training(read_text(path), path)
        key = (method, *task, int(number))
        test, wrong = (value if (value := errors[each].get(key)) is not None else NAN for each in errors)
        nodes = one.network.partition(",")[0].split("-")[1:-1]
        runs.append(
            NetworkRun(
                method,
                task,
                int(number),
                network=f"{'+'.join(nodes) or 'none'} {one.outputs}",
                weights=one.weights,
                training=min(strip.training for strip in one.curve),
                validation=one.kept.validation,
                test=test,
                classification=wrong,
                overfit=one.curve[-1].loss,
                epochs=one.epochs,
                relevant=one.relevant,
            )
        )
    return runs
