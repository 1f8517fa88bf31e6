"""Choice of a view of a task-array. An unavailable one is replaced by the nearest available, with a
notice."""

from typing import NamedTuple

from delvecore.archive import Archive
from delvecore.measures import Measure
from delvecore.model import TaskArray
from delvecore.plots.task_arrays.panels import MOST_COLUMNS
from delvecore.stats.choose import DEFAULT_SETTING, Setting

MOST_COLOURED = 5


class Request(NamedTuple):
    """The choices of the page, which also form the key of its caches.

    Attributes
    ----------
    state : str
        State of the archive.
    methods : tuple of str
        Chosen methods, best first.
    available : tuple of str
        All methods with results on the array, best first.
    reference : str
        One of the available methods, chosen or not.
    notices : tuple of str
        Requests that cannot be fulfilled.
    keep : tuple of str
        Methods that the address names, shown however few runs they have.
    left_out : tuple of str
        Methods without enough runs.
    is_log : bool
        Whether values are on a logarithmic axis, in the tab that offers it.
    unit : str or None
        Unit that counts once, None for the default.
    mine : str or None
        The visitor's own method if it is not among the first. It keeps a color.
    columns : int
        Largest number of panels in a row.
    member : tuple of str or None
        Levels of the dataset whose curves are drawn, None for all.
    """

    archive: Archive
    array: str
    loss: str
    methods: tuple[str, ...]
    available: tuple[str, ...]
    reference: str
    setting: Setting = DEFAULT_SETTING
    notices: tuple[str, ...] = ()
    is_log: bool = False
    unit: str | None = None
    mine: str | None = None
    keep: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    columns: int = MOST_COLUMNS
    member: tuple[str, ...] | None = None

    @property
    def measure(self) -> Measure:
        return self.archive.measures[self.loss]

    @property
    def task_array(self) -> TaskArray:
        return next(one for one in self.archive.arrays if one.name == self.array)

    @property
    def coloured(self) -> tuple[str, ...]:
        """The methods that get a color: the best five, and the visitor's own."""
        first = self.methods[:MOST_COLOURED]
        return (*first, self.mine) if self.mine else first

    @property
    def is_chosen(self) -> bool:
        """Do the methods differ from the default?"""
        return bool(self.keep) or len(self.methods) + len(self.left_out) < len(self.available)

    @property
    def compared(self) -> tuple[str, ...]:
        """The methods including the reference, as in `delve array`."""
        return self.methods if self.reference in self.methods else (self.reference, *self.methods)
