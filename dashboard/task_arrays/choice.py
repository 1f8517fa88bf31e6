"""Which view of which task-array is wanted? What cannot be had gives a notice, and the nearest that can."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from dashboard.ui.selection import Selection, wanted_comparison, wanted_setting
from delvecore.archive import Archive
from delvecore.plots.task_arrays.panels import MOST_COLUMNS
from delvecore.report import words
from delvecore.stats.choose import DEFAULT_SETTING, Setting
from delvecore.task_arrays import TaskArray

MOST_COLOURED = 12


class Request(NamedTuple):
    """What is shown, and what all that is shown is cached by.

    state: of the archive; methods: those chosen, best first; available: all with results on the array, best
    first; reference: one of those available, chosen or not; notices: what was asked for but is not to be had.
    keep: of these, those that were asked for by name, and are shown however few runs they have; left_out:
    those that are not shown for want of runs. is_log: are losses on a logarithmic axis, in the tab that
    offers it? unit: what counts once, None for the usual; mine: the visitor's own method where it is not
    among the first, and has a colour all the same; columns: of panels, at most."""

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

    @property
    def task_array(self) -> TaskArray:
        return next(one for one in self.archive.arrays if one.name == self.array)

    @property
    def coloured(self) -> tuple[str, ...]:
        """The methods that get a colour: more than eight look alike."""
        first = self.methods[:MOST_COLOURED]
        return (*first[:-1], self.mine) if self.mine else first

    @property
    def is_chosen(self) -> bool:
        """Are the methods not those that are shown where none is asked for?"""
        return bool(self.keep) or len(self.methods) + len(self.left_out) < len(self.available)

    @property
    def compared(self) -> tuple[str, ...]:
        """The methods with the reference among them, as `delve array` has them."""
        return self.methods if self.reference in self.methods else (self.reference, *self.methods)


def choose_request(
    archive: Archive,
    losses: Mapping[str, Mapping[str, Sequence[str]]],
    selection: Selection,
    ranked: Callable[[Archive, str, str], Sequence[str]],
    usual: str,
    unranked: Callable[[Archive, str, str], Collection[str]] = lambda archive, array, loss: (),
) -> Request | None:
    """Return what to show, None where no method has results on the array.

    losses: {array: {loss: methods with results}}, ranked(archive, array, loss): methods, best first; usual:
    the array to show where none is asked for; unranked(archive, array, loss): methods with fewer than half
    of their runs, which are shown only where they are asked for."""
    array = selection.array if selection.array and selection.array in losses else usual
    if not losses[array]:
        return None
    notices: list[str] = []
    wanted = wanted_comparison(
        losses[array],
        lambda loss: ranked(archive, array, loss),
        selection,
        notices,
        where="on this array",
        instead="the best method",
    )
    few = unranked(archive, array, wanted.loss)
    enough = tuple(name for name in wanted.available if name not in few)
    keep = wanted.chosen or (() if enough else wanted.available)
    methods, reference = keep or enough, wanted.reference
    if reference in few and reference not in methods:
        name, reference = words.escape(reference), methods[0]
        notices.append(
            f"The reference {name} has fewer than half of its runs and was not chosen among the methods; "
            f"{words.escape(reference)} takes its place."
        )
    return Request(
        archive=archive,
        array=array,
        loss=wanted.loss,
        methods=methods,
        available=wanted.available,
        reference=reference,
        setting=wanted_setting(selection),
        unit=selection.unit,
        mine=selection.mine if selection.mine in methods[MOST_COLOURED:] else None,
        keep=keep,
        left_out=() if keep else tuple(few),
        notices=tuple(notices),
    )
