"""Rules for the directory of one task of a method: codings, data files, statistics, predictions, losses.

Source: DELVE manual, sections 7.3 to 7.5 and appendix C (`mgendata`, `mloss`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from delvecore.checking.coding_rules import check_codings
from delvecore.checking.data_file_rules import check_data_files, check_statistics
from delvecore.checking.loss_rules import LossFile, check_losses, loss_files
from delvecore.checking.prediction_rules import (
    check_prediction_file,
    check_prediction_set,
    prediction_files,
    useful_files,
)
from delvecore.encoding.codings import task_codings
from delvecore.encoding.encode import TaskPlan, plan_task
from delvecore.encoding.prototask_cases import PrototaskCases
from delvecore.errors import DelveError, ParseError, Report, located
from delvecore.losses.evaluation import Evaluation
from delvecore.losses.method_task import MethodTask
from delvecore.losses.predictions import PredictionFile
from delvecore.model import Coding, Dataset, Prior, Prototask, Task
from delvecore.numerals.number_arrays import round_numbers
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy

__all__ = ["TaskPlace", "check_task"]

CODING_USED = "Coding-used"


@dataclass(frozen=True)
class TaskPlace:
    """A method's task. hierarchy: stops at the first fault; cases: fetches those of the prototask; place: the
    directory; files: in it, true path by plain name."""

    hierarchy: Hierarchy
    method: str
    dataset: Dataset
    prototask: Prototask
    prior: Prior
    task: Task
    cases: Callable[[], PrototaskCases]
    place: str
    files: Mapping[str, str]


@dataclass(frozen=True)
class _PlannedTask(MethodTask):
    """A MethodTask whose prototask's cases are read once for all tasks."""

    cases: Callable[[], PrototaskCases]

    @cached_property
    def plan(self) -> TaskPlan:
        size = self.task.training_size
        return plan_task(self.hierarchy, self.cases(), self.prior, size, codings=self.codings)


def check_task(where: TaskPlace, *, report: Report) -> None:
    """Check the directory of one task; each fault goes to report."""
    task = _PlannedTask(
        where.hierarchy,
        where.method,
        where.dataset,
        where.prototask,
        where.prior,
        where.task,
        _codings(where, report),
        where.cases,
    )
    try:
        count = len(task.plan.instances)
    except DelveError as error:
        report(located(error, where.place, None, kind="results"))
        return
    check_statistics(where.files, task.plan, where.place, report=report)
    faulty = check_data_files(where.files, task.plan, report=report)
    _check_results(where, task, count, faulty, report)


def _codings(where: TaskPlace, report: Report) -> dict[int, Coding]:
    """Return the coding of each attribute of the task: as used, the default where there is none."""
    path = where.files.get(CODING_USED)
    used: dict[int, Coding] = {}
    specified = (where.dataset, where.prototask, where.prior)
    if path is None:
        expected = f"a file {CODING_USED}"
        report(ParseError(where.place, None, expected, "none", "make it with mgendata", kind="results"))
    else:
        try:
            used = check_codings(read_text(path), path, *specified, report=report)
        except ParseError as error:
            report(error)
    return task_codings(*specified, used)


def _check_results(
    where: TaskPlace, task: _PlannedTask, count: int, faulty: set[int], report: Report
) -> None:
    """Check predictions, and the losses of instances whose data files are right. faulty: the others."""
    named = prediction_files(where.files, count, report=report)
    predictions = useful_files(task, named, report=report)
    kept = loss_files(where.files, report=report)
    if not named:
        expected = "prediction files"
        remedy = "run the method, or remove the directory"
        report(ParseError(where.place, None, expected, "none", remedy, kind="results"))
    good = {
        file.path
        for file in predictions
        if check_prediction_file(task, file, len(task.plan.instances[file.instance].test), report=report)
    }
    serving = check_prediction_set(task, predictions, count, where.place, report=report)
    evaluation = Evaluation(task, lambda line: None)
    for file in kept:
        if file.instance >= count:
            expected = f"an instance from 0 to {count - 1}"
            remedy = "remove it"
            report(ParseError(file.path, None, expected, f"{file.instance}", remedy, kind="results"))
            continue
        source = next((one for one in serving.get(file.loss, ()) if one.instance == file.instance), None)
        if source is None:
            if predictions:
                expected = f"a prediction file for loss {file.loss} of instance {file.instance}"
                report(ParseError(file.path, None, expected, "none", "keep predictions", kind="results"))
        elif source.path in good and file.instance not in faulty:
            _check_loss(evaluation, file, source, report)


def _check_loss(evaluation: Evaluation, file: LossFile, source: PredictionFile, report: Report) -> None:
    try:
        made = round_numbers(evaluation.losses(file.loss, source))
    except DelveError as error:
        report(located(error, file.path, None, kind="results"))
        return
    check_losses(file, made, report=report)
