"""Losses of a method on a task, from its prediction files: in memory, or as files.

Source: DELVE manual, section 7.5 and appendix C (`mloss`).
"""

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from delvecore.losses.applicability import PREDICTIONS, allowed_losses
from delvecore.losses.evaluation import Evaluation
from delvecore.losses.method_task import MethodTask
from delvecore.losses.predictions import PredictionFile, choose_predictions, list_predictions
from delvecore.writers.files import write_atomically
from delvecore.writers.task_files import losses_text, predictions_text

__all__ = ["TaskLosses", "compute_task_losses", "write_task_losses"]


@dataclass(frozen=True)
class TaskLosses:
    """Losses of a method on a task.

    losses: {(loss letter, instance): float64, a loss a test case}; decoded: {file name: columns of text} of
    the decoded predictions; notes: what could not be computed and why, one line each.
    """

    losses: dict[tuple[str, int], np.ndarray]
    decoded: dict[str, list[list[str]]]
    notes: tuple[str, ...]


def compute_task_losses(
    task: MethodTask,
    *,
    losses: str | None = None,
    instances: Iterable[int] | None = None,
    progress: Callable[[str], None] = lambda line: None,
    write: Callable[[str, str], None] = lambda name, text: None,
) -> TaskLosses:
    """Return the losses that a method's prediction files give on a task.

    losses: letters, None for all that the task allows; instances: numbers, None for all that have
    predictions; progress receives a line for each file worked on; write receives name and text of each
    finished file. Raises DelveError (ParseError naming file and line) at the first bad file.
    """
    files = list_predictions(task.hierarchy.files("methods", *task.names))
    evaluation = Evaluation(task, progress)
    chosen, notes = _choose(task, files, losses, instances, distribution=evaluation.has_distribution)
    found = {}
    for loss, file in chosen:
        found[loss, file.instance] = _evaluate(evaluation, loss, file, write)
    return TaskLosses(found, evaluation.decoded, tuple(notes))


def write_task_losses(task: MethodTask, directory: str, **options) -> TaskLosses:
    """Compute losses and write the decoded predictions and `loss.L.n` files into a true directory.

    Each file is written complete or not at all; a bad prediction file leaves the old loss file. options: as
    of `compute_task_losses`, without write.
    """

    def write(name, text):
        write_atomically(os.path.join(directory, name), text)

    return compute_task_losses(task, write=write, **options)


def _evaluate(evaluation, loss, file, write):
    decoded_before = file.decoded.name in evaluation.decoded
    values = evaluation.losses(loss, file)
    if file.coded and not decoded_before:
        write(file.decoded.name, predictions_text(evaluation.decoded[file.decoded.name]))
    name = f"loss.{loss}.{file.instance}"
    evaluation.progress(f"creating {name}...")
    write(name, losses_text(values))
    return values


def _choose(task, files, losses, instances, *, distribution):
    """Return ([(loss, prediction file)], notes on what is missing, useless or impossible)."""
    allowed = allowed_losses(task.prototask, task.prior)
    if not files:
        return [], [f"{task.path}: no prediction files"]
    notes = list(_useless(task, files, allowed, distribution)) if losses is None else []
    chosen = []
    for loss in losses or allowed:
        if loss not in allowed:
            possible = ", ".join(allowed)
            notes.append(f"{task.path}: loss {loss} has no meaning for its targets (possible: {possible})")
            continue
        serving = choose_predictions(files, loss, distribution=distribution)
        wanted = {file.instance for file in files} if instances is None else set(instances)
        notes += _missing(task, loss, serving, wanted)
        chosen += [(loss, file) for file in serving if file.instance in wanted]
    return chosen, notes


def _missing(task, loss, serving: list[PredictionFile], wanted: Collection[int]) -> Iterator[str]:
    missing = sorted(set(wanted) - {file.instance for file in serving})
    if not serving:
        yield f"{task.path}: no prediction files for loss {loss}"
    elif missing:
        numbers = " ".join(map(str, missing))
        yield f"{task.path}: no prediction file for loss {loss} of instance {numbers}"


def _useless(task, files: list[PredictionFile], allowed: str, distribution: bool) -> Iterator[str]:
    """Yield a note for each prediction file whose kind or letter serves no loss of the task."""
    kinds = {loss: [kind for kind in PREDICTIONS[loss] if distribution or kind != "prob"] for loss in allowed}
    for file in files:
        if not any(file.kind in kinds[loss] for loss in allowed if file.loss in ("", loss)):
            yield f"{task.path}: no loss of this task uses {file.name}"
