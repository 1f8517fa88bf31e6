"""Choice of a comparison. An unavailable one is replaced by the nearest available, with a notice in
Markdown."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dashboard.ui.archive_facts import middle, task_order
from dashboard.ui.selection import Selection, wanted_loss, wanted_methods, wanted_setting
from delvecore.archive import Archive
from delvecore.losses.spec import NO_MEASURES
from delvecore.measures import Measure, Measures
from delvecore.model import TaskId, place_names
from delvecore.names import nearest_path
from delvecore.report import words
from delvecore.stats.choose import DEFAULT_SETTING, Setting

MOST_METHODS = 24
STANDARDIZED, RAW = "Standardized", "Raw"


@dataclass(frozen=True)
class ComparedTask:
    """A task with results.

    Attributes
    ----------
    path : str
        Full path.
    losses : Mapping[str, tuple of str]
        Sorted names of the methods with results, by letter.
    """

    path: str
    dataset: str
    prototask: str
    prior: str
    training_size: int
    design: str
    losses: Mapping[str, tuple[str, ...]]


class Request(NamedTuple):
    """Everything that determines the page's tables and figures.

    task: full path; methods: best mean first; reference: one of them, if there are any; family:
    the methods of all pairs for whose number p is adjusted, all with results on the task unless some were
    chosen, none for those shown; unit: STANDARDIZED or RAW; available: all methods with results, best mean
    first."""

    archive: Archive
    task: str
    loss: str
    methods: tuple[str, ...]
    reference: str
    family: tuple[str, ...] = ()
    setting: Setting = DEFAULT_SETTING
    unit: str = STANDARDIZED
    available: tuple[str, ...] = ()

    @property
    def measure(self) -> Measure:
        return self.archive.measures[self.loss]

    @property
    def place(self) -> TaskId:
        return TaskId.parse(self.task)

    @property
    def others(self) -> tuple[str, ...]:
        return tuple(name for name in self.methods if name != self.reference)

    @property
    def is_standardized(self) -> bool:
        return self.unit == STANDARDIZED

    def file_name(self, what: str) -> str:
        """Return the key of a part of the page and of its files, different for each task and loss."""
        return f"{self.loss}-{'-'.join(self.place)}-{what}"

    def of_pair(self, method: str) -> "Request":
        """Return the request of this method and the reference alone, with the usual setting and unit."""
        return Request(self.archive, self.task, self.loss, (method, self.reference), reference=self.reference)


def choose_comparison(
    archive: Archive,
    tasks: Mapping[str, ComparedTask],
    selection: Selection,
    notices: list[str],
    *,
    ranked: Callable[[Archive, str, str], Sequence[str]],
    usual: str | None = None,
    measures: Measures = NO_MEASURES,
) -> Request | None:
    """Return the comparison to show, by default of the usual task; None for a place without results.

    notices: receives requests that are not available; ranked: best method first; measures: those of the
    archive."""
    task = _task(tasks, selection, usual, notices)
    if task is None:
        return None
    usual_loss = min(task.losses, key=words.loss_preference)
    loss = wanted_loss(task.losses, usual_loss, selection, notices, where="here", measures=measures)
    available = tuple(ranked(archive, task.path, loss))
    chosen, reference = wanted_methods(available, selection, notices)
    methods = _usual(available, reference, notices) if chosen is None else chosen
    if methods and reference not in methods:
        reference = methods[0]
    family = tuple(sorted(available if chosen is None else chosen))
    setting = wanted_setting(selection)
    about = archive, task.path, loss, methods, reference, family, setting
    return Request(*about, available=available)


def wanted_place(selection: Selection) -> str | None:
    """Return the task, prototask or dataset that is chosen, the first of them."""
    return selection.task or selection.prototask or selection.dataset


def _task(
    tasks: Mapping[str, ComparedTask], selection: Selection, usual: str | None, notices: list[str]
) -> ComparedTask | None:
    """Return the chosen task, or a similar one of its dataset. Otherwise return the first task of the chosen
    dataset, or the usual one. None if the dataset has no such task with results."""
    wanted = wanted_place(selection)
    if wanted is None:
        return tasks.get(usual or "") or _typical(tasks.values())
    if wanted in tasks:
        return tasks[wanted]
    place = place_names(wanted)
    if same := _below(tasks, place):
        return same[0]
    chosen = _resembling(tasks, place)
    if chosen is not None:
        notices.append(
            f"There are no results on {words.escape(wanted)} yet; this is {words.escape(chosen.path)}."
        )
    return chosen


def _below(tasks: Mapping[str, ComparedTask], place: tuple[str, ...]) -> list[ComparedTask]:
    """Return the tasks below a dataset or prototask, in their order."""
    tasks_below = [task for task in tasks.values() if (task.dataset, task.prototask)[: len(place)] == place]
    return sorted(
        tasks_below, key=lambda one: task_order(one.prototask, one.prior, one.training_size, one.path)
    )


def _resembling(tasks: Mapping[str, ComparedTask], place: tuple[str, ...]) -> ComparedTask | None:
    """Return a task of the dataset that is similar to one without results, otherwise one of its prototask."""
    path = nearest_path(f"/{'/'.join(place)}", [task.path for task in _below(tasks, place[:1])])
    return tasks[path] if path else next(iter(_below(tasks, place[:2])), None)


def _typical(tasks: Collection[ComparedTask]) -> ComparedTask:
    """Return the middle one of the tasks with the most methods."""
    counts = {task.path: max(map(len, task.losses.values())) for task in tasks}
    most = max(counts.values())
    return middle([task for task in tasks if counts[task.path] == most])


def _usual(available: tuple[str, ...], reference: str, notices: list[str]) -> tuple[str, ...]:
    """Return all methods, or as many as can be seen at once."""
    if len(available) <= MOST_METHODS:
        return available
    notices.append(
        f"The {MOST_METHODS} best of {len(available)} methods are shown; p is adjusted for all of them. "
        "Choose methods to see others."
    )
    shown = available[:MOST_METHODS]
    return shown if reference in shown else (*shown[:-1], reference)
