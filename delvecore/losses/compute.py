"""Losses of a method on a task, from its prediction files: in memory, as files, or by another process.

Source: DELVE manual, section 7.5 and appendix C (`mloss`)."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from delvecore.errors import DelveError, Fault
from delvecore.losses.evaluation import Evaluation
from delvecore.losses.method_task import MethodTask, open_method_task
from delvecore.losses.predictions import ResultFile, choose_predictions, list_predictions
from delvecore.losses.spec import allowed_losses, is_allowed, loss_order, parse_loss, prediction_kinds
from delvecore.readers.hierarchy import Hierarchy
from delvecore.writers.files import StagedFiles
from delvecore.writers.task_files import losses_text, predictions_text

TaskLosses = tuple[dict[tuple[str, int], np.ndarray], tuple[str, ...]]
"""Losses of a method on a task by (loss, instance), float64, one per test case that counts; and notes on
omitted losses and cases with the reasons, one line each."""


def compute_task_losses(
    task: MethodTask,
    *,
    losses: Iterable[str] | None = None,
    instances: Iterable[int] | None = None,
    progress: Callable[[str], None] = lambda line: None,
    write: Callable[[str, str], None] | None = None,
) -> TaskLosses:
    """Return the losses of a method's prediction files on a task, and notes.

    losses: names, None for all standard losses that the task allows and the specialized losses of prediction
    files; instances: numbers, None for all instances with predictions; progress: receives a line for each
    processed file; write: receives name and text of each finished file. Raises DelveError at the first bad
    file (ParseError with file and line), and for an instance that the task does not have."""
    if instances is not None:
        instances, numbers = tuple(instances), task.instance_numbers
        if strange := [number for number in instances if number not in numbers]:
            expected = f"instances from 0 to {numbers[-1]}" if numbers else "instances that the task has"
            raise Fault(task.path, expected, strange[0], "give other numbers after -i")
    files = list_predictions(task.files)
    evaluation = Evaluation(task, progress)
    chosen, notes = _choose(task, files, losses, instances, distribution=evaluation.has_distribution)
    computed: dict[tuple[str, int], np.ndarray] = {}
    for loss, file in chosen:
        computed[loss, file.instance] = _evaluate(evaluation, loss, file, write)
    return computed, (*notes, *evaluation.left_out_notes())


def write_task_losses(
    task: MethodTask,
    directory: str,
    *,
    losses: Iterable[str] | None = None,
    instances: Iterable[int] | None = None,
    progress: Callable[[str], None] = lambda line: None,
) -> TaskLosses:
    """Compute losses, and write the decoded predictions and `loss.L.n` files into a true directory.

    All files are replaced at once; after a bad prediction file, the old files stay. Arguments are those of
    `compute_task_losses`."""
    with StagedFiles(directory) as staged:
        return compute_task_losses(
            task, losses=losses, instances=instances, progress=progress, write=staged.write
        )


def _evaluate(
    evaluation: Evaluation, loss: str, file: ResultFile, write: Callable[[str, str], None] | None
) -> np.ndarray:
    decoded_before = file.decoded.name in evaluation.decoded
    values = evaluation.losses(loss, file)
    if write is None:
        return values
    if file.coded and not decoded_before:
        write(file.decoded.name, predictions_text(evaluation.decoded[file.decoded.name]))
    name = f"loss.{loss}.{file.instance}"
    evaluation.progress(f"creating {name}...")
    write(name, losses_text(values))
    return values


def _choose(
    task: MethodTask,
    files: list[ResultFile],
    losses: Iterable[str] | None,
    instances: Iterable[int] | None,
    *,
    distribution: bool,
) -> tuple[list[tuple[str, ResultFile]], list[str]]:
    """Return pairs (loss, prediction file), and notes on missing or unusable losses and files."""
    allowed = allowed_losses(task.prototask, task.prior)
    if not files:
        return [], [f"{task.path}: no prediction files"]
    wanted_losses = possible_losses(task, files) if losses is None else tuple(losses)
    useless = useless_files(files, wanted_losses, distribution=distribution) if losses is None else ()
    notes = [f"{task.path}: no loss of this task uses {file.name}" for file in useless]
    chosen: list[tuple[str, ResultFile]] = []
    for loss in wanted_losses:
        if not is_allowed(loss, task.prototask, task.prior):
            possible = ", ".join(allowed)
            notes.append(f"{task.path}: loss {loss} has no meaning for its targets (possible: {possible})")
            continue
        serving = choose_predictions(files, loss, distribution=distribution)
        wanted = {file.instance for file in files} if instances is None else set(instances)
        notes += _missing(task, loss, serving, wanted)
        chosen += [(loss, file) for file in serving if file.instance in wanted]
    return chosen, notes


def possible_losses(task: MethodTask, files: Iterable[ResultFile]) -> tuple[str, ...]:
    """Return the standard losses that the targets allow, then the specialized losses of files."""
    named = {file.loss for file in files if (loss := parse_loss(file.loss)) and not loss.is_standard}
    special = (loss for loss in named if is_allowed(loss, task.prototask, task.prior))
    return (*allowed_losses(task.prototask, task.prior), *sorted(special, key=loss_order))


def useless_files(
    files: Iterable[ResultFile], losses: Collection[str], *, distribution: bool
) -> Iterator[ResultFile]:
    """Yield the prediction files whose kind or name suits none of these losses. distribution: whether the
    method can predict a distribution."""
    kinds = {loss: prediction_kinds(loss, distribution=distribution) for loss in losses}
    for file in files:
        if not any(file.kind in kinds[loss] for loss in losses if file.loss in ("", loss)):
            yield file


def _missing(
    task: MethodTask, loss: str, serving: list[ResultFile], wanted: Collection[int]
) -> Iterator[str]:
    missing = sorted(set(wanted) - {file.instance for file in serving})
    if not serving:
        yield f"{task.path}: no prediction files for loss {loss}"
    elif missing:
        numbers = " ".join(map(str, missing))
        yield f"{task.path}: no prediction file for loss {loss} of instance {numbers}"


@dataclass(frozen=True)
class LossOutcome:
    """Result of a request.

    Attributes
    ----------
    files : dict of str to str
        Texts of files by name, in order.
    steps : tuple of str
        One line per completed step.
    notes : tuple of str
        Notes, see `compute_task_losses`.
    error : Exception or None
        Error that ended the request, so that nothing is written.
    """

    files: dict[str, str] = field(default_factory=dict)
    steps: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    error: Exception | None = None

    def write(self, directory: str, *, progress: Callable[[str], None]) -> None:
        """Write the files into a true directory, all or none. Raises the error, if there is one."""
        for line in self.steps:
            progress(line)
        if self.error:
            raise self.error
        with StagedFiles(directory) as staged:
            for name, text in self.files.items():
                staged.write(name, text)


@dataclass(frozen=True)
class LossRequest:
    """A method's task, by its names below `methods`.

    Attributes
    ----------
    roots, follow_links
        See `Hierarchy`.
    losses, instances
        See `compute_task_losses`.
    """

    roots: tuple[str, ...]
    follow_links: bool
    names: tuple[str, ...]
    losses: tuple[str, ...] | None
    instances: tuple[int, ...] | None

    @property
    def name(self) -> str:
        return "/".join(self.names)

    def failed(self, error: BaseException) -> LossOutcome:
        return LossOutcome(error=DelveError(f"/{self.name}: {error}"))


class LossBench:
    """Computes losses. Cases of a prototask are read once for all its tasks."""

    def __init__(self) -> None:
        self._hierarchy = Hierarchy([])

    def carry_out(self, request: LossRequest) -> LossOutcome:
        """Return the outcome of a request; the outcome contains the error if its files have faults."""
        if tuple(self._hierarchy.roots) != request.roots:
            self._hierarchy = Hierarchy(request.roots, follow_links=request.follow_links)
        files: dict[str, str] = {}
        steps: list[str] = []
        try:
            _, notes = compute_task_losses(
                open_method_task(self._hierarchy, *request.names),
                losses=request.losses,
                instances=request.instances,
                progress=steps.append,
                write=files.__setitem__,
            )
        except (DelveError, OSError) as error:
            return LossOutcome(steps=tuple(steps), error=error)
        return LossOutcome(files, tuple(steps), notes)
