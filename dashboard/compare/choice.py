"""Choice of a comparison.

An unavailable choice is replaced by the nearest available one, with a notice in Markdown."""

from collections.abc import Callable, Mapping, Sequence

from dashboard.ui.archive_facts import middle, task_order
from dashboard.ui.request import Request
from dashboard.ui.selection import Selection, wanted_loss, wanted_methods, wanted_setting
from delvecore.archive import Archive
from delvecore.losses.spec import NO_MEASURES
from delvecore.measures import Measures
from delvecore.model import Task, TaskId, place_names
from delvecore.names import nearest_path
from delvecore.report import words

MOST_METHODS = 24
Results = Mapping[TaskId, Mapping[str, tuple[str, ...]]]
"""Methods with results on each task, by loss."""


def choose_comparison(
    archive: Archive,
    tasks: Mapping[str, Task],
    results: Results,
    selection: Selection,
    notices: list[str],
    *,
    ranked: Callable[[Archive, str, str], Sequence[str]],
    usual: str | None = None,
    measures: Measures = NO_MEASURES,
) -> Request | None:
    """Return the comparison to show, by default on the usual task. None for a place without results.

    notices: receives requests that are not available; ranked: methods, best first; measures: those of the
    archive."""
    task = _task(tasks, results, selection, usual, notices)
    if task is None:
        return None
    losses = results[task.id]
    usual_loss = min(losses, key=words.loss_preference)
    loss = wanted_loss(losses, usual_loss, selection, notices, where="here", measures=measures)
    available = tuple(ranked(archive, task.path, loss))
    chosen, reference = wanted_methods(available, selection, notices)
    methods = _usual(available, reference, notices) if chosen is None else chosen
    if methods and reference not in methods:
        reference = methods[0]
    return Request(
        archive,
        loss,
        wanted_setting(selection),
        tasks=(task.path,),
        methods=methods,
        available=available,
        reference=reference,
        keep=chosen or (),
    )


def wanted_place(selection: Selection) -> str | None:
    """Return the chosen task, prototask or dataset; the first one if there are several."""
    return selection.task or selection.prototask or selection.dataset


def _task(
    tasks: Mapping[str, Task], results: Results, selection: Selection, usual: str | None, notices: list[str]
) -> Task | None:
    """Return the chosen task, or a similar one of its dataset. Otherwise return the first task of the chosen
    dataset, or the usual one. None if the dataset has no such task with results."""
    wanted = wanted_place(selection)
    if wanted is None:
        if usual is not None and usual in tasks:
            return tasks[usual]
        counts = {path: max(map(len, results[task.id].values())) for path, task in tasks.items()}
        most = max(counts.values())
        return middle([task for path, task in tasks.items() if counts[path] == most])
    if wanted in tasks:
        return tasks[wanted]
    place = place_names(wanted)
    if same := _below(tasks, place):
        return same[0]
    # A similar task of the dataset, otherwise one of the prototask.
    near = nearest_path(f"/{'/'.join(place)}", [task.path for task in _below(tasks, place[:1])])
    chosen = tasks[near] if near else next(iter(_below(tasks, place[:2])), None)
    if chosen is not None:
        notices.append(
            f"There are no results on {words.escape(wanted)} yet; this is {words.escape(chosen.path)}."
        )
    return chosen


def _below(tasks: Mapping[str, Task], place: tuple[str, ...]) -> list[Task]:
    """Return the tasks below a dataset or prototask, in their order."""
    tasks_below = [task for task in tasks.values() if (task.dataset, task.prototask)[: len(place)] == place]
    return sorted(
        tasks_below, key=lambda one: task_order(one.prototask, one.prior, one.training_size, one.path)
    )


def _usual(available: tuple[str, ...], reference: str, notices: list[str]) -> tuple[str, ...]:
    """Return all methods, or as many as a figure can show."""
    if len(available) <= MOST_METHODS:
        return available
    notices.append(
        f"The {MOST_METHODS} best of {len(available)} methods are shown; p is adjusted for all "
        "methods. Choose methods to see others."
    )
    shown = available[:MOST_METHODS]
    return shown if reference in shown else (*shown[:-1], reference)
