"""The losses of a task for `mstats`: from its loss files, or computed from prediction files; none is written.
Beside them metrics of the task.

A row holds the losses of a task instance. Source: DELVE manual, sections 7.5 and 8.3 (names) and
6.2 (instances)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

import delvecore
from delvecore.archive import Archive
from delvecore.archive.metrics import measured
from delvecore.cli.support.context import Session
from delvecore.cli.support.places import Names, path_text
from delvecore.errors import DelveError, ParseError, raise_error
from delvecore.losses.baselines import task_constants
from delvecore.losses.compute import compute_task_losses
from delvecore.losses.method_task import open_method_task
from delvecore.losses.spec import parse_loss
from delvecore.model import Prototask
from delvecore.number_format.columns import round_numbers
from delvecore.number_format.numbers import whole_number
from delvecore.readers.files import plain_name, read_bytes, read_text, two_copies
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.results import parse_test_set_stats, read_loss_files
from delvecore.report.statistics_text import metric_comparison, metric_estimate, metric_heading
from delvecore.stats.array_types import Floats

STATISTICS_FILE = "Test-set-stats"
REMEDY = "run mloss again"
KINDS = ("guess", "cguess", "prob", "lprob", "ptarg", "lptarg", "cptarg", "clptarg")


class ComputedLosses(NamedTuple):
    """The losses of one instance, as the loss file at this path would hold them."""

    path: str
    values: Floats


Computed = dict[str, dict[int, ComputedLosses]]
"""{loss: {instance: ComputedLosses}}"""
LossFiles = Mapping[int, ComputedLosses | str]
"""Of one loss: {instance: losses, or the path of their file}."""


def path_of(losses: ComputedLosses | str) -> str:
    """Return the path of losses in a file, or of the file that computed losses stand for."""
    return losses.path if isinstance(losses, ComputedLosses) else losses


def compute_losses(session: Session, names: Names, wanted: Iterable[str] | None) -> Computed:
    """Return {loss: {instance: ComputedLosses}} that a method's prediction files give on a task. names: below
    `methods`; wanted: names of losses, or None for all that the predictions allow. Losses without predictions
    are not among the results; what else was left out is a warning. Raises DelveError for a bad prediction
    file."""
    hierarchy = session.hierarchy
    if not any(plain_name(name).partition(".")[0] in KINDS for name in hierarchy.entries("methods", *names)):
        return {}
    task = open_method_task(hierarchy, *names)
    result = compute_task_losses(task, losses=wanted)
    for note in result.notes:
        if not note.startswith(f"{task.path}: no "):
            session.warn(note)
    directory = hierarchy.directory("methods", *names)
    found: Computed = {}
    for (loss, instance), values in result.losses.items():
        path = f"{directory}/loss.{loss}.{instance}"
        found.setdefault(loss, {})[instance] = ComputedLosses(path, round_numbers(values))
    return found


def find_losses(hierarchy: Hierarchy, names: Sequence[str], base: str) -> dict[str, dict[int, str]]:
    """Return {loss: {instance: path}} of the files `base.LOSS.INSTANCE` of a method's task. A loss is a
    letter, or the name of a specialized loss such as `Z0.2N`, which may hold dots itself. The directories of
    the task are merged; ParseError for a file that lies in two of them, and for files that a kill left half
    written."""
    found: dict[str, dict[int, str]] = {}
    for name, (path, *others) in hierarchy.copies("methods", *names).items():
        root, _, text = name.rpartition(".")
        loss, instance = root.removeprefix(f"{base}."), whole_number(text)
        if loss == root or not parse_loss(loss) or instance is None:
            continue
        if others:
            raise two_copies(path, others[0])
        found.setdefault(loss, {})[instance] = path
    return found


def check_no_gap(files: LossFiles) -> None:
    """Raise ParseError unless there are losses of each instance from 0 to the last one."""
    last = max(files)
    for instance in range(last):
        if instance not in files:
            missing = plain_name(path_of(files[last])).removesuffix(str(last)) + str(instance)
            expected = f"a loss file of each instance from 0 to {last}"
            raise ParseError(missing, None, expected, "none", REMEDY, kind="results")


def read_losses(
    files: LossFiles, loss: str, prototask: Prototask, sizes: Sequence[int] | None = None
) -> dict[int, Floats]:
    """Return {instance: its losses}, ascending. files: {instance: path, or ComputedLosses}. prototask: that
    of the task; sizes: of the test sets of all instances, where they may differ, else None. Raises ParseError
    for an empty file and files of different lengths."""
    rows: dict[int, Floats] = {}
    first = min(files)
    for instance, given in sorted(files.items()):
        path = path_of(given)
        row = given.values if not isinstance(given, str) else _read(given, loss, prototask)
        wanted = sizes[instance] if sizes and instance < len(sizes) else None
        if len(row) != wanted and rows and len(row) != len(rows[first]):
            expected = f"{len(rows[first])} losses, as in {path_of(files[first])}"
            raise ParseError(path, None, expected, str(len(row)), REMEDY, kind="results")
        rows[instance] = row
    return rows


def _read(path: str, loss: str, prototask: Prototask) -> Floats:
    try:
        (found,) = read_loss_files([path], [loss], [prototask], report=raise_error)
    except ParseError:
        if not read_bytes(path).strip():
            raise ParseError(
                path, None, "one loss a test case", "an empty file", REMEDY, kind="results"
            ) from None
        raise
    return np.empty(0) if found is None else found


def read_standardizer(hierarchy: Hierarchy, places: Sequence[Sequence[str]], loss: str) -> float | None:
    """Return the number that standardizes a loss, or None where nothing defines it. places: the names of one
    task's directories of several methods. It comes from the first `Test-set-stats` that defines the loss, for
    a no-guess penalty the loss that it is added to; for a loss matrix from the task's data, which takes
    longer. The losses of several targets are added, and so are their standardizers. Raises DelveError where
    the data of a loss matrix cannot be read."""
    known = parse_loss(loss)
    if known is None:
        return None
    if known.matrix:
        dataset, prototask, task = places[0][1:]
        return task_constants(hierarchy, dataset, prototask, task, (loss,)).get(loss)
    for names in places:
        path = hierarchy.find("methods", *names, STATISTICS_FILE)
        values = parse_test_set_stats(read_text(path), path).get(known.letter or "", ()) if path else ()
        constant = known.constant(values)
        if constant is not None:
            return constant
    return None


def metric_texts(
    session: Session, names: Names, metrics: Sequence[str], methods: Sequence[str]
) -> Iterator[str]:
    """Yield what is said of each metric on a method's task. methods: to compare with, none for an estimate.
    Where there is no value, and why, is said on standard error."""
    hierarchy, path = session.hierarchy, path_text(names)
    links, datasets = hierarchy.follow_links, {names[1]}
    archive = delvecore.open(hierarchy.roots, follow_links=links, datasets=datasets)
    for asked in metrics:
        try:
            found = measured(archive, asked, [names[1:]])
        except DelveError as error:
            session.warn(f"{path}: {error}")
            continue
        for note in found.notes:
            session.warn(f"{path}: {note}")
        for number, text in enumerate(_texts(found.archive, found.loss, names, methods)):
            yield text if number else f"{metric_heading(found.loss)}\n{text}"


def _texts(archive: Archive, loss: str, names: Names, methods: Sequence[str]) -> Iterator[str]:
    method, place = names[0], names[1:]
    if not methods:
        for row in archive.results.to_pylist():
            if (row["method"], row["dataset"], row["prototask"], row["task"], row["loss"]) == (*names, loss):
                yield metric_estimate(row)
    for other in methods:
        for row in archive.compare(path_text(place), loss=loss, methods=(method, other)).to_pylist():
            yield metric_comparison(row, first=method)
