"""Which comparison does the visitor want? From what was chosen to one that the archive's results allow.

Pure: what cannot be had gives a notice, Markdown with escaped names, and the nearest that can.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from dashboard.compare.data import ComparedTask
from dashboard.frame import words
from dashboard.frame.selection import Selection
from dashboard.frame.wanted import note_missing_methods, wanted_loss, wanted_reference
from delvecore.statistics.choose import DEFAULT_LEVEL

__all__ = ["MOST_METHODS", "Choice", "choose_comparison", "nearest_task"]

MOST_METHODS = 8
PARTS = ("dataset", "prototask", "prior", "training_size")


@dataclass(frozen=True)
class Choice:
    """What is compared. methods: lowest mean loss first; reference: one of them.

    available: all methods with results on this task under this loss, lowest first; notices: what was asked
    for but is not to be had.
    """

    task: ComparedTask
    loss: str
    methods: tuple[str, ...]
    available: tuple[str, ...]
    reference: str
    level: float
    notices: tuple[str, ...]


def choose_comparison(
    tasks: Mapping[str, ComparedTask], selection: Selection, ranked: Callable[[str, str], Sequence[str]]
) -> Choice:
    """Return the comparison to show.

    tasks: those with results, at least one; ranked(task, loss): its methods, lowest mean first.
    """
    notices: list[str] = []
    task = _task(tasks, selection, notices)
    usual = min(task.losses, key=words.loss_preference)
    loss = wanted_loss(task.losses, usual, selection, notices, where="here")
    available = tuple(ranked(task.path, loss))
    reference = wanted_reference(available, selection, notices, where="here", instead="the lowest loss")
    methods = _methods(available, selection, reference, notices)
    if reference not in methods:
        reference = methods[0]
    level = selection.level or DEFAULT_LEVEL
    return Choice(task, loss, methods, available, reference, level, tuple(notices))


def _task(tasks, selection, notices):
    if selection.task in tasks:
        return tasks[selection.task]
    chosen = _default_task(tasks, selection)
    if selection.task:
        wanted = words.escape(selection.task)
        notices.append(f"There are no results on {wanted} yet; this is {words.escape(chosen.path)}.")
    return chosen


def _default_task(tasks, selection):
    """Return a task of the same prototask or dataset if there is one; of those, one with most methods."""
    wanted = (selection.task or selection.prototask or "").split("/")[1:3]
    wanted = wanted or [selection.dataset]

    def rank(task):
        same = sum(a == b for a, b in zip(wanted, (task.dataset, task.prototask), strict=False))
        return same, max(map(len, task.losses.values()))

    return max(tasks.values(), key=rank)


def _methods(available, selection, reference, notices):
    chosen = tuple(name for name in available if name in selection.methods)
    note_missing_methods(available, selection, notices)
    if chosen:
        return chosen
    default = available[:MOST_METHODS]
    if reference not in default:
        default = (*default[:-1], reference)
    return default


def nearest_task(tasks: Sequence[ComparedTask], current: ComparedTask, **wanted: object) -> ComparedTask:
    """Return the task that has what is wanted and otherwise is most like the current one.

    wanted: some of dataset, prototask, prior, training_size. Later parts give way before earlier ones.
    """
    fitting = [task for task in tasks if all(getattr(task, name) == value for name, value in wanted.items())]

    def likeness(task):
        same = tuple(getattr(task, name) == getattr(current, name) for name in PARTS)
        return (*same, -abs(task.training_size - current.training_size))

    return max(fitting, key=likeness)
