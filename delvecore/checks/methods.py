"""Faults of a method's directories, which `mcheck` prints. Source: DELVE manual, sections 7.1 to 7.6,
appendices B (checks before a method is submitted) and C (`mgendata`, `mloss`)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from delvecore.checks.datasets import check_documentation
from delvecore.checks.result_rules import (
    allowed_codings,
    check_coding_lines,
    check_contributors,
    check_data_files,
    check_losses,
    check_prediction_file,
    check_prediction_set,
    check_published,
    check_statistics,
    loss_files,
    prediction_files,
    useful_files,
)
from delvecore.encoding.codings import task_codings
from delvecore.errors import (
    DelveError,
    Fault,
    Faults,
    ParseError,
    Problem,
    Report,
    attempt,
    located,
    raise_error,
    result_fault,
)
from delvecore.losses.evaluation import Evaluation
from delvecore.losses.method_task import CODING_USED, MethodTask
from delvecore.losses.predictions import ResultFile
from delvecore.model import Coding, Dataset, Prior, Prototask
from delvecore.number_format.columns import round_numbers
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import SOURCE_DIRECTORY, Hierarchy
from delvecore.readers.results import parse_losses
from delvecore.readers.specifications import (
    dataset_names,
    method_names,
    parse_task_name,
    prototask_names,
    read_task,
)

Names = tuple[str, ...]


def method_problems(hierarchy: Hierarchy, *names: str) -> list[Problem]:
    """Return the problems of a method, or of a place below it; names as in `check_methods`."""
    faults = Faults()
    check_methods(hierarchy, names, report=faults.append)
    return [fault.problem for fault in faults]


def check_methods(
    hierarchy: Hierarchy,
    names: Names,
    *,
    report: Report,
    progress: Callable[[str], None] = lambda line: None,
    contributors: bool = False,
    strict: bool = False,
) -> None:
    """Check all methods, one method, or its files for a dataset, a prototask or a task.

    names: those of the method, the dataset, the prototask and the task, from none to all four; report
    receives a ParseError for each fault; progress receives each path before it is checked; contributors:
    whether they must be named; strict: also report codings that DELVE 1.1 refuses. Raises DelveError for a
    missing place.
    """
    tolerant = hierarchy.reporting(report)
    if len(names) > 4 or (names and not tolerant.directories("methods", *names)):
        expected = "a method, or a dataset, prototask or task in its directory"
        raise Fault("/" + "/".join(names), expected, "nothing", "check the path")
    stopping = hierarchy.reporting(raise_error)

    def is_known(place: Names) -> bool:
        known = dataset_names(tolerant) if len(place) == 1 else prototask_names(tolerant, place[0])
        return place[-1] in known

    for method in names[:1] or method_names(tolerant):
        if len(names) < 2:
            progress(f"/{method}")
            check_documentation(tolerant, method, report=report)
            check_published(tolerant, "methods", method, report=report)
            check_contributors(tolerant, "methods", method, report=report, needed=contributors)
        for place in task_places(tolerant, (method, *names[1:]), is_known, report=report):
            progress("/" + "/".join(place))
            _check_task(tolerant, stopping, place, report, strict=strict)


class Tree(Protocol):
    """Lists the directories of methods: a `Hierarchy`, or the scan of a snapshot."""

    def subdirectories(self, part: str, *names: str) -> list[str]: ...
    def directories(self, part: str, *names: str) -> list[str]: ...


def task_places(
    tree: Tree, names: Names, is_known: Callable[[Names], bool], *, report: Report
) -> Iterator[Names]:
    """Yield the names of the task directories at and below a place; report directories that belong to no
    task.

    is_known: returns whether a dataset or prototask with these names exists."""
    if len(names) == 4:
        yield names
        return
    for name in tree.subdirectories("methods", *names):
        if len(names) == 1 and name == SOURCE_DIRECTORY:
            continue
        place = (*names[1:], name)
        has_meaning = parse_task_name(name) is not None if len(place) == 3 else is_known(place)
        if has_meaning:
            yield from task_places(tree, (*names, name), is_known, report=report)
            continue
        what = ("a dataset", "a prototask", "a task, such as std.128")[len(names) - 1]
        expected, remedy = f"a directory named like {what}", "rename or remove it, or add it to the data"
        for path in tree.directories("methods", *names, name):
            report(ParseError(path, None, expected, repr(name), remedy, kind="hierarchy"))


def _check_task(
    hierarchy: Hierarchy, stopping: Hierarchy, names: Names, report: Report, *, strict: bool
) -> None:
    """Check the directory of one task. stopping: a hierarchy that raises the first fault."""
    place = hierarchy.directory("methods", *names)
    try:
        dataset, prototask, prior, task = read_task(stopping, *names[1:])
    except DelveError as error:
        report(located(error, place, None, kind="hierarchy"))
        return
    files = hierarchy.files("methods", *names)
    specified = dataset, prototask, prior
    codings = _codings(files, place, specified, report, strict=strict)
    opened = MethodTask(stopping, names[0], *specified, task=task, codings=codings)
    try:
        plan = opened.plan
    except DelveError as error:
        report(located(error, place, None, kind="results"))
        return
    check_statistics(files, plan, place, report=report)
    faulty = check_data_files(files, plan, report=report)
    _check_results(opened, files, place, faulty, report)


def _codings(
    files: Mapping[str, str],
    place: str,
    specified: tuple[Dataset, Prototask, Prior],
    report: Report,
    *,
    strict: bool,
) -> dict[int, Coding]:
    """Return the coding of each attribute of a task: the one in use, otherwise the default."""
    path = files.get(CODING_USED)
    used: dict[int, Coding] = {}
    if path is None:
        report(result_fault(place, None, f"a file {CODING_USED}", "none", "make it with mgendata"))
    elif (text := attempt(report, read_text, path)) is not None:
        check_coding_lines(text, path, *specified[:2], report=report)
        used = allowed_codings(text, path, *specified, report=report, strict=strict)
    return task_codings(*specified, used)


def _check_results(
    task: MethodTask, files: Mapping[str, str], place: str, faulty: set[int], report: Report
) -> None:
    """Check predictions, and the losses of instances with correct data files. faulty: the other instances."""
    count = len(task.plan.instances)
    named = prediction_files(files, count, report=report)
    predictions = useful_files(task, named, report=report)
    kept = loss_files(files, report=report)
    if not named:
        remedy = "run the method, or remove the directory"
        report(result_fault(place, None, "prediction files", "none", remedy))
    good = {
        file.path
        for file in predictions
        if check_prediction_file(task, file, len(task.plan.instances[file.instance].test), report=report)
    }
    serving = check_prediction_set(task, predictions, count, place, report=report)
    evaluation = Evaluation(task)
    for file in kept:
        source = next((one for one in serving.get(file.loss, ()) if one.instance == file.instance), None)
        if file.instance >= count:
            expected = f"an instance from 0 to {count - 1}"
            report(result_fault(file.path, None, expected, f"{file.instance}", "remove it"))
        elif attempt(report, _read_losses, file, task.prototask) is None:
            continue
        elif source is None and predictions:
            expected = f"a prediction file for loss {file.loss} of instance {file.instance}"
            report(result_fault(file.path, None, expected, "none", "keep predictions"))
        elif source is not None and source.path in good and file.instance not in faulty:
            _check_loss(evaluation, file, source, report)


def _read_losses(file: ResultFile, prototask: Prototask) -> list[float]:
    return parse_losses(read_text(file.path), file.path, loss=file.loss, prototask=prototask)


def _check_loss(evaluation: Evaluation, file: ResultFile, source: ResultFile, report: Report) -> None:
    try:
        made = round_numbers(evaluation.losses(file.loss, source))
    except DelveError as error:
        report(located(error, file.path, None, kind="results"))
        return
    check_losses(file, made, report=report)
