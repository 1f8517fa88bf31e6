"""The choices of a page about results on many tasks."""

from dataclasses import dataclass

from delvecore.archive import Archive
from delvecore.measures import Measure
from delvecore.stats.choose import DEFAULT_SETTING, Setting
from delvecore.stats.verdicts import DEFAULT_TEST, RankTest

MOST_SHOWN, FEWER = 60, 20
"""Largest number of methods in a figure; the best ones are drawn unless the visitor asks for more."""


@dataclass(frozen=True)
class Request:
    """All choices of the pages Leaderboard, Ranking and Methods, which determine their numbers.

    Attributes
    ----------
    unit : str, optional
        What counts once; None for the usual unit.
    tasks : tuple of str, optional
        Full paths; None for all tasks.
    method : str
        The method that the page shows in full; empty if it shows several.
    methods : tuple of str
        Methods to compare.
    keep : tuple of str
        Chosen methods that are ranked however few runs they have.
    control : str, optional
        The method that others are compared with.
    drop : str
        `tasks` or `methods`, what is left out if a value is missing.
    most : int
        Number of methods to draw, best mean rank first.
    """

    archive: Archive
    loss: str
    setting: Setting = DEFAULT_SETTING
    unit: str | None = None
    tasks: tuple[str, ...] | None = None
    method: str = ""
    methods: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    control: str | None = None
    test: RankTest = DEFAULT_TEST
    drop: str = "tasks"
    most: int = MOST_SHOWN

    @property
    def measure(self) -> Measure:
        return self.archive.measures[self.loss]
