"""Reasons why a method has no results on tasks: its own refusal, or how its runs failed."""

from collections.abc import Iterable

from delvecore.errors import DelveError
from delvecore.methods import load_method
from delvecore.methods.protocol import TaskView
from delvecore.model import Task, TaskId
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.runner.choice import Specified, choose_tasks

NOT_RUN = "not run"


def why_missing(hierarchy: Hierarchy, method: str, *place: str) -> str:
    """Return why a method has no results on a dataset, prototask or task: `cannot: its target sex is binary`.

    Parameters
    ----------
    hierarchy : Hierarchy
        Where the specifications lie.
    method : str
        Name of the method; one that is not registered says nothing of what it can do.
    *place : str
        Names of dataset, prototask and task.

    Returns
    -------
    str
        What the method says of the first task that it cannot do, else the message of the first instance that
        failed, or `not run`.
    """
    try:
        tasks = choose_tasks(hierarchy, [place]).tasks
        reason = _refusal(method, tasks) or _failure(hierarchy, method, (task for *_, task in tasks))
    except DelveError:
        return NOT_RUN
    return reason or NOT_RUN


def _refusal(method: str, tasks: Iterable[Specified]) -> str:
    try:
        known = load_method(method)
    except DelveError:
        return ""
    reasons = (known.can(TaskView(*task)) for task in tasks)
    return next((f"cannot: {reason}" for reason in reasons if reason), "")


def _failure(hierarchy: Hierarchy, method: str, tasks: Iterable[Task]) -> str:
    """Return the first message in the files `Failures` of these tasks, without its instance."""
    for task in tasks:
        path = hierarchy.find("methods", method, *TaskId.parse(task.path), "Failures")
        if path and (lines := read_text(path).splitlines()):
            return f"failed: {lines[0].partition(' ')[2]}"
    return ""
