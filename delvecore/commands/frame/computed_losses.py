"""Losses computed from prediction files, for `mstats` where there are no loss files. Nothing is written.

Computing takes NumPy, which is imported only where prediction files were found.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from delvecore.commands.frame.context import Session
from delvecore.commands.frame.places import Names
from delvecore.readers.files import plain_name
from delvecore.readers.hierarchy import Hierarchy

__all__ = ["ComputedLosses", "LossFiles", "compute_losses", "compute_standardizers", "path_of"]

KINDS = ("guess", "cguess", "prob", "lprob", "ptarg", "lptarg", "cptarg", "clptarg")


class ComputedLosses(NamedTuple):
    """The losses of one instance, as the loss file at this path would hold them."""

    path: str
    values: list[float]


LossFiles = Mapping[int, ComputedLosses | str]
"""Of one loss: {instance: losses, or the path of their file}."""


def path_of(losses: ComputedLosses | str) -> str:
    """Return the path of losses in a file, or of the file that computed losses stand for."""
    return losses.path if isinstance(losses, ComputedLosses) else losses


def compute_losses(
    session: Session, names: Names, wanted: Iterable[str] | None
) -> dict[str, dict[int, ComputedLosses]]:
    """Return {loss: {instance: ComputedLosses}} that a method's prediction files give on a task.

    names: below `methods`; wanted: names of losses, or None for all that the predictions allow. Losses
    without predictions are not among the results; what else was left out is a warning. Raises DelveError for
    a bad prediction file.
    """
    hierarchy = session.hierarchy
    if not any(_is_prediction(name) for name in hierarchy.entries("methods", *names)):
        return {}
    from delvecore.losses.compute import compute_task_losses
    from delvecore.losses.method_task import open_method_task
    from delvecore.numerals.number_arrays import round_numbers

    task = open_method_task(hierarchy, *names)
    result = compute_task_losses(task, losses=wanted)
    for note in result.notes:
        if not note.startswith(f"{task.path}: no "):
            session.warn(note)
    directory = hierarchy.directories("methods", *names)[0]
    found: dict[str, dict[int, ComputedLosses]] = {}
    for (loss, instance), values in result.losses.items():
        path = f"{directory}/loss.{loss}.{instance}"
        found.setdefault(loss, {})[instance] = ComputedLosses(path, round_numbers(values).tolist())
    return found


def compute_standardizers(hierarchy: Hierarchy, task: Names, losses: Iterable[str]) -> dict[str, float]:
    """Return {loss: what standardizes it} of a task (its names below `data`), from the data themselves."""
    from delvecore.losses.baselines import task_constants

    dataset, prototask, name = task
    return task_constants(hierarchy, dataset, prototask, name, losses)


def _is_prediction(name: str) -> bool:
    return plain_name(name).partition(".")[0] in KINDS
