"""The choices on a page that determine its numbers and figures."""

from dataclasses import dataclass
from typing import Any

from delvecore.archive import Archive
from delvecore.measures import Measure
from delvecore.model import TaskArray, TaskId
from delvecore.plots.task_arrays.panels import MOST_COLUMNS
from delvecore.stats.choose import DEFAULT_SETTING, Setting
from delvecore.stats.verdicts import DEFAULT_TEST, RankTest

MOST_SHOWN, FEWER = 60, 20
"""Largest number of methods in a figure; the best ones are drawn unless the visitor asks for more."""
MOST_COLORED = 5
"""Number of methods with a color on the Task-arrays page."""


@dataclass(frozen=True)
class Request:
    """All choices of a page. It is also the key of the page's caches.

    Attributes
    ----------
    unit : str, optional
        Unit of replication; None for the usual unit.
    tasks : tuple of str, optional
        Full paths; None for all tasks. Compare shows one task.
    array : str
        Task-array; empty for none.
    method : str
        The method that the page shows in full; empty if it shows several.
    methods : tuple of str
        Compared methods; on one task or array the best first.
    available : tuple of str
        All methods with results on the task or array, best first.
    reference : str
        Method that others are compared with; empty for none.
    keep : tuple of str
        Chosen methods, which are shown even if they have few runs.
    left_out : tuple of str
        Methods of the array without enough runs.
    mine : str, optional
        The visitor's own method if it is not among the first methods of an array. It keeps a color.
    drop : str
        `tasks` or `methods`, which are omitted if a value is missing.
    most : int
        Number of methods to draw, best mean rank first.
    is_raw : bool
        Whether losses are in their own unit.
    is_log : bool
        Is the axis logarithmic, in the tab that offers it?
    columns : int
        Largest number of panels in a row.
    member : tuple of str, optional
        Levels of the dataset whose curves are drawn; None for all.
    """

    archive: Archive
    loss: str
    setting: Setting = DEFAULT_SETTING
    unit: str | None = None
    tasks: tuple[str, ...] | None = None
    array: str = ""
    method: str = ""
    methods: tuple[str, ...] = ()
    available: tuple[str, ...] = ()
    reference: str = ""
    keep: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    mine: str | None = None
    test: RankTest = DEFAULT_TEST
    drop: str = "tasks"
    most: int = MOST_SHOWN
    is_raw: bool = False
    is_log: bool = False
    columns: int = MOST_COLUMNS
    member: tuple[str, ...] | None = None

    @property
    def measure(self) -> Measure:
        return self.archive.measures[self.loss]

    @property
    def task(self) -> str:
        """The only task."""
        (task,) = self.tasks or ()
        return task

    @property
    def place(self) -> TaskId:
        return TaskId.parse(self.task)

    @property
    def task_array(self) -> TaskArray:
        return next(one for one in self.archive.arrays if one.name == self.array)

    @property
    def family(self) -> tuple[str, ...]:
        """The methods whose pairs are counted in the adjustment of p on a task."""
        return tuple(sorted(self.keep or self.available or self.methods))

    @property
    def others(self) -> tuple[str, ...]:
        return tuple(name for name in self.methods if name != self.reference)

    @property
    def compared(self) -> tuple[str, ...]:
        """The compared methods including the reference, as in `delve array`."""
        return self.methods if self.reference in self.methods else (self.reference, *self.methods)

    @property
    def colored(self) -> tuple[str, ...]:
        """The methods with a color: the best ones, and the visitor's own."""
        first = self.methods[:MOST_COLORED]
        return (*first, self.mine) if self.mine else first

    @property
    def is_chosen(self) -> bool:
        """Do the methods differ from those shown by default?"""
        return bool(self.keep) or len(self.methods) + len(self.left_out) < len(self.available)

    def of_pair(self, method: str) -> "Request":
        """Return the request of only this method and the reference, with the default setting and unit."""
        about: dict[str, Any] = {"methods": (method, self.reference), "reference": self.reference}
        return Request(self.archive, self.loss, tasks=self.tasks, **about)

    def file_name(self, what: str) -> str:
        """Return the name of a download, different for each loss and each array or task."""
        if self.array:
            return f"{self.array}-{self.loss}-{what}"
        return f"{self.loss}-{'-'.join(self.place)}-{what}"
